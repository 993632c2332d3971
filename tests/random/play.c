#include "play.h"

static ik_status run_rounds(ik_engine *x, const ik_stmt *s, ik_diag *d) {
  for (int64_t round = 0;; round++) {
    double holds;
    IK_TRY(x->ops->run(x, s->pre, NULL, d));
    IK_TRY(x->ops->scalar(x, s->value, &holds, d));
    if (holds != 0 || round >= s->count) return IK_OK;
    IK_TRY(x->ops->run(x, s->body, NULL, d));
  }
}

/* Any engine, without the run loop: that one would stop where a field that was nearly zero is given
 * ordinary values, which looks like blow-up. */
ik_status play_program(ik_engine *x, ik_recorder *r, ik_diag *d) {
  IK_TRY(x->ops->run(x, x->state->ir->init, NULL, d));
  for (const ik_stmt *s = x->state->ir->body, *next; s; s = next) {
    next = s->next;
    if (s->kind == IK_STEPS)
      IK_TRY(x->ops->steps(x, s, s->count, r, d));
    else if (s->kind == IK_REPEAT)
      IK_TRY(run_rounds(x, s, d));
    else {
      while (next && next->kind != IK_STEPS && next->kind != IK_REPEAT) next = next->next;
      IK_TRY(x->ops->run(x, s, next, d));
    }
  }
  return IK_OK;
}
