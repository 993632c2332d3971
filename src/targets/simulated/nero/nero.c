/* nero: NERO's accelerator for weather stencils (arXiv 2009.08241), simulated: an FPGA with HBM or
 * DDR4 beside its host.  docs/nero.md tells how it works and what is known of it. */
#include "base/mem.h"
#include "targets/hosted.h"
#include "targets/simulated/nero/refuse.h"
#include "targets/simulated/nero/report.h"
#include "targets/simulated/nero/run.h"

typedef struct nero_engine {
  ik_hosted      hosted;
  ik_arena       arena;
  ik_nero_setup  setup;
  ik_nero_run    run;
  ik_nero_report report;
} nero_engine;

/* ---- running ---- */

static ik_status attach_nero(ik_engine *x, ik_state *s, ik_diag *d) {
  nero_engine *n = (nero_engine *)x;
  IK_TRY(ik_hosted_attach(&n->hosted, s, d));
  return ik_nero_run_attach(&n->run, s, n->hosted.step.host, d);
}

/* What belongs to no kernel is done by the host: initial values, scalars. */
static const ik_stmt *claim_nero(ik_stepper *x, const ik_stmt *s, const ik_stmt *end, ik_diag *d) {
  const ik_nero_kernel *k = ik_nero_kernel_at(&((nero_engine *)x)->setup.program, s);
  (void)end, (void)d;
  return k ? k->end : s;
}

static ik_status own_nero(ik_stepper *x, const ik_stmt *first, const ik_stmt *end, ik_diag *d) {
  nero_engine          *n = (nero_engine *)x;
  const ik_nero_kernel *k = ik_nero_kernel_at(&n->setup.program, first);
  (void)end;
  IK_TRY(ik_nero_run_kernel(&n->run, k, d));
  ik_nero_report_add(&n->report, &n->setup, (int)(k - n->setup.program.kernel), n->run.streamed);
  return IK_OK;
}

static void destroy_nero(ik_engine **x) {
  nero_engine *n = (nero_engine *)*x;
  if (!n) return;
  ik_nero_run_free(&n->run);
  ik_stepper_free(&n->hosted.step);
  ik_nero_report_free(&n->report);
  ik_arena_free(&n->arena);
  ik_free(n);
  *x = NULL;
}

static const ik_stepper_ops does = {.claim = claim_nero, .own = own_nero};

static const ik_engine_ops ops = {.attach = attach_nero,
                                  .run = ik_stepper_run,
                                  .steps = ik_stepper_steps,
                                  .scalar = ik_stepper_scalar,
                                  .destroy = destroy_nero,
                                  .forecast = ik_hosted_forecast};

/* ---- opening ---- */

static ik_status set_up(nero_engine *x, const char *board, const ik_problem *p, ik_diag *d) {
  ik_nero_override override;
  ik_machine      *machine;
  if (setjmp(x->arena.oom)) return ik_nero_no_memory(d);
  IK_TRY(ik_nero_override_read(p->override, d, &override));
  IK_TRY(ik_machine_find(board, &x->arena, d, &machine));
  IK_TRY(ik_nero_setup_of(machine, p->ir, &override, &x->arena, d, &x->setup));
  IK_TRY(ik_nero_report_of(&x->setup, &x->arena, d, &x->report));
  ik_nero_run_init(&x->run, &x->setup.program, x->setup.design.size, &x->arena);
  x->run.board = &x->setup.board, x->run.shape = x->setup.work.shape;
  x->run.all = x->setup.all_words;
  x->hosted.step.base.bytes = ik_nero_run_bytes(&x->run);
  ik_hosted_model(&x->hosted, p, x->setup.board.machine);
  x->hosted.step.base.plan = x->report.plan;
  x->hosted.step.base.simulated = &x->report.simulated;
  return IK_OK;
}

static ik_status open_board(const char *board, const ik_problem *p, ik_diag *d, ik_engine **out) {
  nero_engine *x = ik_calloc(1, sizeof *x);
  *out = NULL;
  if (!x) return ik_nero_no_memory(d);
  x->hosted.step.does = &does;
  x->hosted.step.base = (ik_engine){.ops = &ops, .stride = 1, .strategy = "window"};
  ik_arena_init(&x->arena);
  *out = &x->hosted.step.base;
  ik_status st = set_up(x, board, p, d);
  if (st) destroy_nero(out);
  return st;
}

static ik_status open_hbm(const ik_problem *p, ik_diag *d, ik_engine **out) {
  return open_board("nero-hbm", p, d, out);
}

static ik_status open_ddr4(const ik_problem *p, ik_diag *d, ik_engine **out) {
  return open_board("nero-ddr4", p, d, out);
}

static const char *const strategies[] = {"window", NULL};

extern const ik_target ik_target_nero_hbm, ik_target_nero_ddr4;

const ik_target ik_target_nero_hbm = {
    .name = "nero-hbm",
    .help = "NERO's windows on an FPGA with HBM, f32 and f16",
    .simulated = true,
    .strategies = strategies,
    .probe = ik_hosted_probe,
    .open = open_hbm,
};

const ik_target ik_target_nero_ddr4 = {
    .name = "nero-ddr4",
    .help = "NERO's windows on an FPGA with DDR4, f32 and f16",
    .simulated = true,
    .strategies = strategies,
    .probe = ik_hosted_probe,
    .open = open_ddr4,
};
