#include "target/hosted.h"

void ik_hosted_ready(ik_engine *x, ik_diag *d) { (void)x, (void)d; }

ik_status ik_hosted_scalar(ik_engine *x, const ik_expr *e, double *out, ik_diag *d) {
  (void)d;
  *out = ik_interp_scalar(((ik_hosted *)x)->host, e);
  return IK_OK;
}

void ik_hosted_share(ik_engine *x, void (*work)(void *, int, int), void *ctx) {
  (void)x;
  work(ctx, 0, 1);
}

void ik_hosted_pause(ik_engine *x) { (void)x; }

ik_status ik_hosted_steps(ik_engine *x, const ik_stmt *steps, int64_t n, ik_recorder *rec,
                          ik_diag *d) {
  for (int64_t i = 0; i < n; i++) {
    IK_TRY(x->ops->run(x, steps->body, NULL, d));
    ik_interp_end_step(((ik_hosted *)x)->host);
    ik_recorder_sample(rec, x->state);
  }
  return IK_OK;
}

bool ik_hosted_probe(ik_buf *why) {
  (void)why;
  return true;
}

ik_status ik_hosted_no_wish(const ik_problem *p, const char *target, ik_diag *d) {
  if (!p->wish) return IK_OK;
  ik_fail(d, IK_ERR_SOURCE, IK_E081, IK_NOSPAN, "'%s' is no plan: %s has nothing to choose",
          p->wish, target);
  return IK_ERR_SOURCE;
}
