/* What an engine does that has no way of its own to do it. */
#include "runtime/engine.h"
#include "runtime/look.h"

void ik_engine_touch(ik_engine *x) {
  if (x->ops->touch) x->ops->touch(x);
}

void ik_engine_ready(ik_engine *x, ik_diag *d) {
  if (x->ops->ready) x->ops->ready(x, d);
}

void ik_engine_share(ik_engine *x, void (*work)(void *, int, int), void *ctx) {
  if (x->ops->share)
    x->ops->share(x, work, ctx);
  else
    work(ctx, 0, 1);
}

void ik_engine_pause(ik_engine *x) {
  if (x->ops->pause) x->ops->pause(x);
}

/* ---- rounds ---- */

static ik_status one_by_one(ik_engine *x, const ik_stmt *repeat, int64_t most, ik_rounds *out,
                            ik_diag *d) {
  for (*out = (ik_rounds){0}; out->done < most; out->done++) {
    double holds;
    IK_TRY(x->ops->run(x, repeat->pre, NULL, d));
    IK_TRY(x->ops->scalar(x, repeat->value, &holds, d));
    out->over = holds != 0;
    if (out->over) break;
    IK_TRY(x->ops->run(x, repeat->body, NULL, d));
  }
  return IK_OK;
}

ik_status ik_engine_rounds(ik_engine *x, const ik_stmt *repeat, int64_t most, ik_rounds *out,
                           ik_diag *d) {
  return (x->ops->rounds ? x->ops->rounds : one_by_one)(x, repeat, most, out, d);
}

/* ---- copies of levels ---- */

ik_status ik_engine_fetch(ik_engine *x, int field, int level, ik_diag *d) {
  return x->ops->fetch ? x->ops->fetch(x, field, level, d) : IK_OK;
}

bool ik_engine_has(ik_engine *x, int field) {
  if (!x->ops->fetch) return true;
  ik_diag unheard = {0};
  bool    ok = ik_engine_fetch(x, field, 0, &unheard) == IK_OK;
  ik_diag_free(&unheard);
  return ok;
}

ik_status ik_engine_fetch_declared(ik_engine *x, ik_diag *d) {
  const ik_ir *ir = x->state->ir;
  for (int f = 0; f < ir->nfield; f++)
    if (ir->field[f].kind == IK_FIELD_USER) IK_TRY(ik_engine_fetch(x, f, 0, d));
  return IK_OK;
}

ik_status ik_engine_fetch_all(ik_engine *x, ik_diag *d) {
  for (int f = 0; x->ops->fetch && f < x->state->ir->nfield; f++) {
    const ik_slot *s = &x->state->slot[f];
    for (int i = s->first; i < s->first + s->nlevel; i++) IK_TRY(ik_engine_fetch(x, f, 1 - i, d));
  }
  return IK_OK;
}

void ik_engine_dirty(ik_engine *x, int field, int level) {
  if (x->ops->dirty) x->ops->dirty(x, field, level);
}

/* ---- questions ---- */

ik_status ik_engine_look(ik_engine *x, int field, double *most, ik_diag *d) {
  if (x->ops->look) return x->ops->look(x, field, most, d);
  IK_TRY(ik_engine_fetch(x, field, 0, d));
  *most = ik_look_at(x, field);
  return IK_OK;
}

ik_status ik_engine_sample(ik_engine *x, ik_recorder *rec, ik_diag *d) {
  if (x->ops->sample) return x->ops->sample(x, rec, d);
  for (int i = 0; x->ops->fetch && i < rec->ir->nrecord; i++)
    if (ik_recorder_listens(rec, i, x->state->t))
      IK_TRY(ik_engine_fetch(x, rec->ir->record[i].field, 0, d));
  ik_recorder_sample(rec, x->state);
  return IK_OK;
}

/* ---- arrays of the caller ---- */

void ik_engine_bind(ik_engine *x, int field, void *array) {
  ik_state_bind(x->state, field, array);
  ik_engine_dirty(x, field, 0);
}

void ik_engine_take_bound(ik_engine *x) {
  ik_state_take_bound(x->state);
  for (int f = 0; f < x->state->ir->nfield; f++)
    if (x->state->slot[f].bound) ik_engine_dirty(x, f, 0);
}

ik_status ik_engine_settle(ik_engine *x, ik_diag *d) {
  for (int f = 0; f < x->state->ir->nfield; f++)
    if (x->state->slot[f].bound) IK_TRY(ik_engine_fetch(x, f, 0, d));
  ik_state_settle(x->state);
  return IK_OK;
}
