#include "targets/cpu/special.h"
#include "base/mem.h"
#include "lang/program.h"
#include "random/trial.h"
#include "targets/cpu/fftw.h"
#include "targets/cpu/matrix.h"
#include "targets/target.h"

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

/* A step is linear and the same in all cells of a periodic grid: what both can run. */
static void check_described(const char *strategy, double fixed, double step, const char *plan) {
  program p;
  if (MUST_OPEN(&p, "grid x = 256, y = 128\nfield u : f32 = noise(1)\nboundary u = periodic\n"
                    "step 1000 { u' = 0.5*u + 0.25*u[1,0] + 0.25*u[-1,0] }\n")) {
    ik_facts   facts;
    ik_engine *e = NULL;
    CHECK_EQ(ik_facts_of(p.ir, -1, &p.arena, &p.diag, &facts), IK_OK);
    ik_problem q = {.ir = p.ir, .facts = &facts, .strategy = strategy, .threads = 1};
    CHECK_EQ(cpu()->open(&q, &p.diag, &e), IK_OK);
    if (e) {
      CHECK_NEAR(e->bound_fixed, fixed, 0.01 * step);
      CHECK_NEAR(e->bound_step, step, 0.01 * step);
      CHECK_STR(e->plan, plan);
      e->ops->destroy(&e);
    }
  }
  program_close(&p);
}

CASE(the_plan_says_how_near_all_steps_are) {
  if (ik_fftw_here(NULL))
    check_described("spectral", 3e-6, 3e-7, "spectral, within 0.0003 of the interpreter");
  if (ik_matrix_here(NULL))
    check_described(
        "matrix-band", 0, 0.008,
        "matrix-band, within 0.008 of the interpreter after one step; of 1000 steps nothing is "
        "promised");
}

/* ---- running ---- */

static void check_samples(const ik_recorder *a, const ik_recorder *b, double bound) {
  CHECK(a->trace[0].nsample == 3 && b->trace[0].nsample == 3);
  for (int64_t i = 0; i < 3; i++) CHECK_NEAR(a->trace[0].data[i], b->trace[0].data[i], bound);
}

/* Many steps are one, but for those in which a receiver samples. */
static void check_run(const char *strategy) {
  static const char text[] = "grid x = 256, y = 128\nfield u : f32 = noise(1)\n"
                             "boundary u = periodic\nreceiver u at (3, 5) every 3 into \"r.npy\"\n"
                             "step 10 { u' = 0.5*u + 0.25*u[1,0] + 0.25*u[-1,0] }\n";
  static trial      a, b;
  ik_plan           plan = {.target = "cpu", .strategy = strategy, .steps = 1, .threads = 2};
  plan.cpu.rows = plan.cpu.vectors = 1, plan.cpu.vector_bytes = 16;
  bool ok = trial_open(&a, "special", text) && trial_play(&a, "cpu", &plan);
  ok &= trial_open(&b, "special", text) && trial_play(&b, "ref", NULL);
  CHECK(ok);
  if (ok) {
    CHECK(strstr(a.engine->plan, strategy));
    CHECK_EQ(a.state->t, 10);
    check_samples(&a.recorder, &b.recorder, a.engine->bound_fixed + 10 * a.engine->bound_step);
  }
  trial_close(&a), trial_close(&b);
}

CASE(a_run_ends_where_it_does_step_by_step) {
  if (ik_fftw_here(NULL)) check_run("spectral");
  if (ik_matrix_here(NULL)) check_run("matrix-band");
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

/* ---- an engine of its own ---- */

/* With one thread, after so many pieces of memory; -1: as many as it takes. */
static ik_status create_matrix(long pieces) {
  const ik_special *matrix = &ik_special_matrix;
  ik_status         status = IK_ERR_SOURCE;
  ik_state         *s = NULL;
  ik_team          *team = NULL;
  program           p;
  if (MUST_OPEN(&p, "grid x = 32, y = 32\nfield u : f32 = 1\nboundary u = 0\n"
                    "step 3 { u' = u + 0.1*laplacian(u) }\n")) {
    CHECK_EQ(ik_state_create(p.ir, &p.diag, &s), IK_OK);
    CHECK_EQ(ik_team_create(1, &p.diag, &team), IK_OK);
    void *x = &p;
    long  before = ik_mem_live();
    ik_mem_fail_after(pieces);
    status = matrix->create(s, p.ir->body, team, 2, &p.diag, &x);
    ik_mem_fail_after(-1);
    CHECK((status == IK_OK) == (x != NULL));
    if (x) matrix->destroy(&x);
    CHECK(!x && (status == IK_OK || p.diag.msg[0].code == IK_E072));
    ik_diag_free(&p.diag);
    CHECK_EQ(ik_mem_live(), before);
  }
  ik_team_destroy(&team), ik_state_destroy(&s);
  program_close(&p);
  return status;
}

CASE(products_begin_with_all_their_memory_or_none) {
  long pieces = 0;
  CHECK_EQ(create_matrix(-1), IK_OK);
  while (pieces < 100 && create_matrix(pieces)) pieces++;
  CHECK(pieces > 3 && pieces < 100);
}
