/* Runs that begin with what ik_tune found out. */
#include "api/api.h"
#include <unistd.h>

ik_status ik_wisdom_key_of(const ik_target *t, const ik_problem *p, ik_diag *d,
                           ik_wisdom_key *out) {
  *out = (ik_wisdom_key){.version = IK_VERSION, .target = t->name};
  out->program = ik_wisdom_program(p->ir);
  return t->place(p, d, &out->machine, &out->threads);
}

/* Whether they suit is told by `ikat machine show local`; a run does without. */
const ik_machine *ik_saved_figures(const char *file, ik_arena *a) {
  ik_diag     quiet = {0};
  ik_machine *m = NULL;
  if (file && access(file, F_OK) == 0)
    (void)ik_machine_find(ik_arena_printf(a, "local@%s", file), a, &quiet, &m);
  ik_diag_free(&quiet);
  return m;
}

/* Most users never tune: without a file nothing is computed for it. */
static bool recall(const ik_run *r, const ik_problem *p, ik_plan *out, ik_diag *d) {
  ik_wisdom_key k;
  const char   *path = r->opt.wisdom;
  if (!path || p->strategy || p->override || !r->target->place || access(path, F_OK)) return false;
  return !ik_wisdom_key_of(r->target, p, d, &k) && ik_wisdom_find(path, &k, out, d);
}

/* Only with the bits of the interpreter: whoever wants others asks for them by name. */
static bool open_as_told(ik_run *r, const ik_problem *p, const ik_plan *plan) {
  ik_problem told = *p;
  ik_diag    why = {0};
  told.plan = plan, told.strategy = plan->strategy;
  bool ok = r->target->open(&told, &why, &r->engine) == IK_OK;
  if (ok && ik_engine_bound(r->engine, 1) > 0) {
    r->engine->ops->destroy(&r->engine);
    ok = false;
  }
  ik_diag_free(&why);
  return ok;
}

static ik_status open_engine(ik_run *r, const ik_problem *p, ik_diag *d) {
  ik_plan plan;
  r->tuned = recall(r, p, &plan, d);
  if (r->tuned && plan.strategy) {
    if (open_as_told(r, p, &plan)) return IK_OK;
    r->tuned = false;
    ik_warn(d, IK_W006, IK_NOSPAN, "the wisdom about this program is not used: it does not fit");
  }
  return r->target->open(p, d, &r->engine);
}

ik_status ik_run_open(ik_run *r, const ik_problem *p, ik_diag *d) {
  ik_problem problem = *p;
  ik_arena   a;
  ik_arena_init(&a);
  if (setjmp(a.oom)) {
    ik_arena_free(&a);
    return ik_fail(d, IK_ERR_RESOURCE, IK_E072, IK_NOSPAN, "no memory to describe this machine");
  }
  problem.machine = ik_saved_figures(r->opt.figures, &a);
  ik_status st = open_engine(r, &problem, d);
  ik_arena_free(&a);
  return st;
}
