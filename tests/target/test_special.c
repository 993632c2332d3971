#include "target/cpu/special.h"
#include "base/mem.h"
#include "lang/program.h"
#include "target/target.h"

static const ik_target *cpu(void) {
  for (const ik_target *const *t = ik_targets; *t; t++)
    if (!strcmp((*t)->name, "cpu")) return *t;
  return NULL;
}

static void check_refused(const char *strategy, const char *text) {
  program p;
  if (MUST_OPEN(&p, text)) {
    ik_facts   facts;
    ik_engine *e = NULL;
    CHECK_EQ(ik_facts_of(p.ir, -1, &p.arena, &p.diag, &facts), IK_OK);
    ik_problem q = {.ir = p.ir, .facts = &facts, .strategy = strategy, .threads = 1};
    CHECK_EQ(cpu()->open(&q, &p.diag, &e), IK_ERR_UNSUPPORTED);
    CHECK(!e);
    CHECK(strstr(program_messages(&p), strategy));
  }
  program_close(&p);
}

/* Before there is anything of the strategy's own to give back. */
CASE(what_a_strategy_cannot_run_leaves_nothing_behind) {
  static const char *const strategy[] = {"spectral", "matrix-band"};
  long                     before = ik_mem_live();
  for (int i = 0; i < 2; i++) {
    check_refused(strategy[i], "grid x = 8\nfield u : f32 = 1\nstep 3 { u' = u*u }\n");
    check_refused(strategy[i], "grid x = 8\nfield u : f32 = 1\nu = 2*u\n");
  }
  CHECK_EQ(ik_mem_live(), before);
}
