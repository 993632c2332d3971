/* ref: the reference interpreter as a target.  Always there, runs everything. */
#include "base/mem.h"
#include "interp/interp.h"
#include "target/target.h"

typedef struct ref_engine {
  ik_engine  base;
  ik_interp *interp;
} ref_engine;

static ik_status attach_ref(ik_engine *x, ik_state *s, ik_diag *d) {
  x->state = s;
  return ik_interp_create(s, d, &((ref_engine *)x)->interp);
}

static void ready_ref(ik_engine *x, ik_diag *d) { (void)x, (void)d; }

static ik_status run_ref(ik_engine *x, const ik_stmt *first, const ik_stmt *end, ik_diag *d) {
  (void)d;
  ik_interp_run(((ref_engine *)x)->interp, first, end);
  return IK_OK;
}

static ik_status steps_ref(ik_engine *x, const ik_stmt *steps, int64_t n, ik_recorder *rec,
                           ik_diag *d) {
  (void)d;
  for (int64_t i = 0; i < n; i++) {
    ik_interp_step(((ref_engine *)x)->interp, steps);
    ik_recorder_sample(rec, x->state);
  }
  return IK_OK;
}

static ik_status scalar_ref(ik_engine *x, const ik_expr *e, double *out, ik_diag *d) {
  (void)d;
  *out = ik_interp_scalar(((ref_engine *)x)->interp, e);
  return IK_OK;
}

static void share_ref(ik_engine *x, void (*work)(void *, int, int), void *ctx) {
  (void)x;
  work(ctx, 0, 1);
}

static void pause_ref(ik_engine *x) { (void)x; }

static void destroy_ref(ik_engine **x) {
  if (!*x) return;
  ik_interp_destroy(&((ref_engine *)*x)->interp);
  ik_free(*x);
  *x = NULL;
}

static const ik_engine_ops ops = {attach_ref, ready_ref, run_ref,   steps_ref,
                                  scalar_ref, share_ref, pause_ref, destroy_ref};

static bool probe_ref(ik_buf *why) {
  (void)why;
  return true;
}

static ik_status open_ref(const ik_problem *p, ik_diag *d, ik_engine **out) {
  ref_engine *x = ik_calloc(1, sizeof *x);
  *out = NULL;
  if (!x) return ik_fail(d, IK_ERR_RESOURCE, IK_E072, IK_NOSPAN, "no memory for the interpreter");
  *out = &x->base;
  x->base = (ik_engine){.ops = &ops, .bytes = ik_interp_bytes(p->ir), .stride = 1};
  return IK_OK;
}

static const char *const strategies[] = {"sweep", NULL}; /* one pass per step */

extern const ik_target ik_target_ref;
const ik_target        ik_target_ref = {
           .name = "ref",
           .help = "the reference interpreter: slow, complete, the meaning of a program",
           .reference = true,
           .strategies = strategies,
           .probe = probe_ref,
           .open = open_ref,
};
