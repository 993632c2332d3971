#include "apps/study/measured.h"

bool ik_measured_find(const ik_program *p, const char *wisdom, int threads, ik_measured *out) {
  ik_problem problem = {.ir = p->ir, .facts = &p->facts, .threads = threads};
  bool       found = false;
  for (const ik_target *const *t = ik_targets; *t && wisdom && !found; t++) {
    ik_wisdom_key key;
    ik_plan       plan;
    ik_diag       why = {0};
    found = (*t)->place && !ik_wisdom_key_of(*t, &problem, &why, &key) &&
            ik_wisdom_measured(wisdom, &key, &plan, &out->gstencils);
    if (found) out->target = (*t)->name, out->strategy = plan.strategy, out->steps = plan.steps;
    ik_diag_free(&why);
  }
  return found;
}
