/* ref: the reference interpreter as a target.  Always there, runs everything. */
#include "base/mem.h"
#include "targets/hosted.h"
#include "targets/interpreted.h"
#include "targets/roofs.h"

typedef struct ref_engine {
  ik_hosted           hosted;
  ik_pipeline_machine figures; /* of this machine */
} ref_engine;

static ik_status attach_ref(ik_engine *x, ik_state *s, ik_diag *d) {
  return ik_hosted_attach((ik_hosted *)x, s, d);
}

static bool forecast_ref(const ik_engine *x, const ik_unit *u, int64_t times, ik_forecast *out) {
  const ref_engine *r = (const ref_engine *)x;
  const ik_ir      *ir = x->state->ir;
  bool              steps = u->loop && u->loop->kind == IK_STEPS;
  return ik_interpreted_forecast(ir, &r->figures, u, times, out) &&
         (!steps || ik_interpreted_points(ir, &r->figures, times, out));
}

static void destroy_ref(ik_engine **x) {
  if (!*x) return;
  ik_stepper_free(&((ik_hosted *)*x)->step);
  ik_free(*x);
  *x = NULL;
}

static const ik_stepper_ops does = {0};

static const ik_engine_ops ops = {.attach = attach_ref,
                                  .run = ik_stepper_run,
                                  .steps = ik_stepper_steps,
                                  .scalar = ik_stepper_scalar,
                                  .destroy = destroy_ref,
                                  .forecast = forecast_ref};

/* The interpreter is compiled for every machine of an architecture: its vectors are narrow. */
#if defined(__x86_64__)
enum { KIND = 64 };
#else
enum { KIND = 16 };
#endif
enum { VECTOR = 16 };

static bool take_figures(ref_engine *x, const ik_problem *p) {
  ik_arena a;
  ik_arena_init(&a);
  bool ok = !setjmp(a.oom);
  if (ok) {
    x->figures = p->machine ? ik_fit_cpu(p->machine, KIND, &a)
                            : *ik_fit_kind(KIND, ik_machine_processor(), &a);
    x->hosted.step.base.roofs = ik_roofs_cpu(p->ir, p->machine, &x->figures, 1, VECTOR, &a);
  }
  ik_arena_free(&a);
  return ok;
}

static ik_status open_ref(const ik_problem *p, ik_diag *d, ik_engine **out) {
  *out = NULL;
  IK_TRY(ik_hosted_no_override(p, "ref", d));
  ref_engine *x = ik_calloc(1, sizeof *x);
  if (!x) return ik_fail(d, IK_ERR_RESOURCE, IK_E072, IK_NOSPAN, "no memory for the interpreter");
  ik_engine *e = *out = &x->hosted.step.base;
  x->hosted.step.does = &does;
  *e = (ik_engine){.ops = &ops, .bytes = ik_interp_bytes(p->ir), .stride = 1, .threads = 1};
  if (!take_figures(x, p)) {
    destroy_ref(out);
    return ik_fail(d, IK_ERR_RESOURCE, IK_E072, IK_NOSPAN, "no memory for the interpreter");
  }
  e->basis = ik_roofs_basis(e->roofs.measured);
  return IK_OK;
}

static const char *const strategies[] = {"sweep", NULL}; /* one pass per step */

extern const ik_target ik_target_ref;
const ik_target        ik_target_ref = {
           .name = "ref",
           .help = "the reference interpreter: slow, and right by definition",
           .reference = true,
           .strategies = strategies,
           .probe = ik_hosted_probe,
           .open = open_ref,
};
