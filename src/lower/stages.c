/* The finished tables: the stages of all steps, and the kernels that they share. */
#include "lower/draft.h"
#include <string.h>

/* ---- stages ---- */

static ik_pipe_stage *add_stage(ik_pass *p, int phase, ik_pipe_stage s) {
  ik_pipe_phase *f = &p->phase[phase];
  f->stage[f->nstage] = s;
  return &f->stage[f->nstage++];
}

static void set_range(const ik_draft *x, ik_pipe_stage *s, const ik_box *b, const bool *far) {
  for (ik_role r = 0; r < IK_NROLES; r++) {
    ik_draft_range(x, b, r, &s->lo[r], &s->hi[r]);
    if (far[r]) s->lo[r] = -IK_DRAFT_FAR, s->hi[r] = IK_DRAFT_FAR;
  }
}

static void add_fetches(ik_draft *x) {
  for (int i = 0; i < x->nbuffer; i++) {
    const draft_buffer *b = &x->buffer[i];
    if (b->first >= 0 || !b->b.ring) continue;
    ik_pipe_stage s = {.kind = IK_STAGE_FETCH, .out = {i}, .ndone = 1, .done = {i}};
    bool          far[IK_NROLES];
    for (ik_role r = 0; r < IK_NROLES; r++) far[r] = b->b.edge[r] == IK_EDGE_VIRTUAL;
    memcpy(s.ext, b->need, sizeof s.ext);
    set_range(x, &s, &x->ir->field[b->b.field].box, far);
    add_stage(x->pass, b->phase, s);
  }
}

static bool has_source(const ik_draft *x, const draft_buffer *b) {
  if (x->steps <= 1 || b->b.field < 0 || b->b.version >= x->steps) return false;
  return x->ir->field[b->b.field].kind != IK_FIELD_TEMP && ik_draft_is_injected(x, b->b.field);
}

/* After the last piece of a buffer: sources, halos, the way to memory. */
static void finish(ik_draft *x, int unit, const ik_pipe_stage *s, ik_pipe_stage *made) {
  const draft_unit *u = &x->unit[unit];
  for (int i = u->first; i <= u->last; i++) {
    int                 t = x->op[i].target;
    const draft_buffer *b = &x->buffer[t];
    if (!b->b.ring || b->last != i) continue;
    if (has_source(x, b)) {
      ik_pipe_stage inject = *s;
      inject.kind = IK_STAGE_INJECT;
      inject.in[0] = t, inject.ndone = 1, inject.done[0] = t;
      add_stage(x->pass, u->phase, inject);
    } else {
      made->done[made->ndone++] = t;
    }
    if (!b->b.memory) continue;
    ik_pipe_stage store = {.kind = IK_STAGE_STORE, .step = s->step, .in = {t}, .out = {t}};
    bool          far[IK_NROLES] = {0};
    store.lag = s->lag;
    set_range(x, &store, &x->ir->field[b->b.field].box, far);
    add_stage(x->pass, u->phase, store);
  }
}

static void add_reduces(ik_draft *x, const draft_unit *u, int stage) {
  ik_pass *p = x->pass;
  for (int i = u->first; i <= u->last; i++)
    if (x->op[i].stmt->kind == IK_REDUCE)
      p->reduce[p->nreduce++] = (ik_pipe_reduce){u->phase, stage, x->op[i].stmt, x->op[i].target};
}

static void mark_asked(ik_pipe_phase *ph, int buffer) {
  for (int i = 0; i < ph->nstage; i++)
    if (ph->stage[i].kind == IK_STAGE_FETCH && ph->stage[i].out[0] == buffer)
      ph->stage[i].asked = true;
}

static bool reads_apart(const ik_draft *x, const draft_kernel *k) {
  for (int i = 0; i < k->k.ninput; i++)
    if (x->buffer[k->in[i]].b.apart) return true;
  return false;
}

/* Where planes have rows, cells far from faces have a kernel of their own.  Of a single step, what
 * is left to the other is little, and it is kept small. */
static int add_inside(ik_draft *x, const draft_unit *u, draft_kernel *k) {
  if (x->pass->axis[IK_ROW] < 0 || !reads_apart(x, k)) return -1;
  draft_kernel *inside = IK_NEW(x->a, draft_kernel);
  ik_draft_kernel(x, u, true, inside);
  for (int i = 0; i < inside->k.nsoon; i++)
    mark_asked(&x->pass->phase[u->phase], inside->soon_of[i]);
  if (x->steps <= 1) {
    k->k.rows = k->k.vectors = 1, k->k.nsoon = 0;
    memcpy(k->soon_of, inside->soon_of, sizeof k->soon_of);
  }
  return ik_draft_share(x->pass, &inside->k);
}

static void add_unit(ik_draft *x, int unit) {
  draft_unit   *u = &x->unit[unit];
  draft_kernel *k = IK_NEW(x->a, draft_kernel);
  ik_pipe_stage s = {.kind = IK_STAGE_KERNEL, .step = x->op[u->first].step, .lag = u->lag};
  ik_draft_kernel(x, u, false, k);
  s.inside = add_inside(x, u, k);
  s.kernel = ik_draft_share(x->pass, &k->k);
  memcpy(s.in, k->in, sizeof s.in), memcpy(s.out, k->out, sizeof s.out);
  memcpy(s.soon, k->soon_of, sizeof s.soon), memcpy(s.ext, u->ext, sizeof s.ext);
  s.loose = ik_draft_is_loose(x, unit), s.heads = u->rolled;
  set_range(x, &s, &x->op[u->first].stmt->box, u->extended);
  int at = x->pass->phase[u->phase].nstage;
  for (int i = 0; i < k->k.nsoon; i++) mark_asked(&x->pass->phase[u->phase], k->soon_of[i]);
  ik_pipe_stage *made = add_stage(x->pass, u->phase, s);
  finish(x, unit, &s, made);
  add_reduces(x, u, at);
}

static void set_directions(ik_draft *x) {
  for (int i = 0; i < x->pass->nphase; i++) x->pass->phase[i].dir = 1;
  for (int i = 0; i < x->nop; i++) {
    const ik_stmt *s = x->op[i].sweep;
    for (int k = 0; s && k < s->naxes; k++)
      if (s->axis[k] == x->pass->axis[IK_STREAM])
        x->pass->phase[x->unit[x->op[i].unit].phase].dir = s->dir[k];
  }
}

/* ---- rows at a time ---- */

static bool is_reduced(const ik_pass *p, int phase) {
  for (int i = 0; i < p->nreduce; i++)
    if (p->reduce[i].phase == phase) return true;
  return false;
}

bool ik_draft_has_halo(const ik_pipe_buffer *b) {
  for (ik_role r = 0; r < IK_NROLES; r++)
    if (b->halo[r][0] || b->halo[r][1]) return true;
  return false;
}

/* Does a stage of the phase read the memory that this one writes? */
static bool is_overwritten(const ik_pass *p, const ik_pipe_phase *ph, const ik_pipe_buffer *out) {
  for (int i = 0; i < ph->nstage && !out->ring; i++)
    for (int k = 0; k < p->kernel[ph->stage[i].kernel].ninput; k++) {
      const ik_pipe_buffer *in = &p->buffer[ph->stage[i].in[k]];
      if (!in->ring && in->field == out->field && in->level == out->level) return true;
    }
  return false;
}

/* Kernels alone, on the same plane, that leave nothing to be done for whole planes. */
static bool goes_row_by_row(const ik_pass *p, int phase) {
  const ik_pipe_phase *ph = &p->phase[phase];
  if (p->axis[IK_ROW] < 0 || ph->planes > 1 || ph->nstage < 2 || is_reduced(p, phase)) return false;
  for (int i = 0; i < ph->nstage; i++) {
    const ik_pipe_stage *s = &ph->stage[i];
    if (s->kind != IK_STAGE_KERNEL || s->lag != ph->stage[0].lag) return false;
    for (int k = 0; k < s->ndone; k++)
      if (ik_draft_has_halo(&p->buffer[s->done[k]])) return false;
    for (int k = 0; k < p->kernel[s->kernel].noutput; k++)
      if (is_overwritten(p, ph, &p->buffer[s->out[k]])) return false;
  }
  return true;
}

/* Of two stages the second of which computes the first one's rows nothing is left to take turns. */
static bool is_rolled_up(const ik_pipe_phase *ph) { return ph->nstage == 2 && ph->stage[0].heads; }

static void set_rows(const ik_draft *x) {
  ik_pass *p = x->pass;
  for (int i = 0; i < p->nphase; i++) {
    const ik_pipe_stage *last = &p->phase[i].stage[p->phase[i].nstage - 1];
    const ik_pipe_value *v = p->kernel[last->kernel].output;
    if (goes_row_by_row(p, i) && !is_rolled_up(&p->phase[i]))
      p->phase[i].rows = (int)ik_draft_rows(x, v);
  }
}

void ik_draft_stages(ik_draft *x) {
  ik_pass *p = x->pass;
  p->kernel = IK_NEW_N(x->a, ik_pipe_kernel, 2 * x->nunit + 1);
  p->reduce = IK_NEW_N(x->a, ik_pipe_reduce, x->nop + 1);
  for (int i = 0; i < p->nphase; i++)
    p->phase[i].stage = IK_NEW_N(x->a, ik_pipe_stage, x->nbuffer * 3 + x->nunit + 1);
  set_directions(x);
  add_fetches(x);
  for (int u = 0; u < x->nunit && !x->why; u++) add_unit(x, u);
  p->nbuffer = x->nbuffer;
  p->buffer = IK_NEW_N(x->a, ik_pipe_buffer, x->nbuffer + 1);
  for (int i = 0; i < x->nbuffer; i++) {
    const draft_buffer *b = &x->buffer[i];
    p->buffer[i] = b->b;
    if (b->first < 0) memcpy(p->buffer[i].need, b->need, sizeof b->need);
  }
  if (!x->why) set_rows(x);
}
