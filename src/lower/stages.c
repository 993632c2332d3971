/* The finished tables: the stages of all steps, and the kernels that they share. */
#include "lower/shaper.h"
#include <string.h>

/* ---- stages ---- */

bool ik_draft_is_injected(const ik_draft *x, int field) {
  for (int j = 0; j < x->ir->ninject; j++)
    if (x->ir->inject[j].field == field) return true;
  return false;
}

static bool is_heard(const ik_draft *x, int field) {
  for (int i = 0; i < x->ir->nrecord; i++)
    if (x->ir->record[i].field == field) return true;
  return false;
}

bool ik_draft_has_spots(const ik_draft *x, const draft_buffer *b) {
  int f = b->b.field;
  if (x->steps <= 1 || f < 0 || b->first < 0 || b->b.version >= x->steps) return false;
  return x->ir->field[f].has_new && (ik_draft_is_injected(x, f) || is_heard(x, f));
}

bool ik_draft_is_loose(const ik_draft *x, int unit) {
  const draft_unit *u = &x->unit[unit];
  for (int i = u->first; i <= u->last; i++) {
    const draft_buffer *b = &x->buffer[x->op[i].target];
    bool                temp = b->b.field >= 0 && x->ir->field[b->b.field].kind == IK_FIELD_TEMP;
    if (!temp || b->b.memory || x->op[b->first].unit != unit || x->op[b->last].unit != unit)
      return false;
  }
  for (int i = 0; i < x->nread; i++)
    if (ik_draft_is_of(u, &x->read[i]) &&
        !ik_draft_on(x, x->buffer[x->read[i].buffer].b.field, IK_LANE))
      return false;
  return true;
}

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

/* After the last piece of a buffer: spots, halos, the way to memory. */
static void finish(ik_draft *x, int unit, const ik_pipe_stage *s, ik_pipe_stage *made) {
  const draft_unit *u = &x->unit[unit];
  for (int i = u->first; i <= u->last; i++) {
    int                 t = x->op[i].target;
    const draft_buffer *b = &x->buffer[t];
    if (!b->b.ring || b->last != i) continue;
    if (ik_draft_has_spots(x, b)) {
      ik_pipe_stage spots = *s;
      spots.kind = IK_STAGE_SPOTS;
      spots.in[0] = t, spots.ndone = 1, spots.done[0] = t;
      add_stage(x->pass, u->phase, spots);
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

static bool reads_apart(const ik_draft *x, const draft_kernel *k) {
  for (int i = 0; i < k->k.ninput; i++)
    if (x->buffer[k->in[i]].b.in_place.on) return true;
  return false;
}

/* Where planes have rows, cells far from faces have a kernel of their own. */
static draft_kernel *inside_of(ik_draft *x, const draft_unit *u, const draft_kernel *k) {
  if (x->pass->axis[IK_ROW] < 0 || !reads_apart(x, k)) return NULL;
  draft_kernel *inside = IK_NEW(x->a, draft_kernel);
  ik_draft_kernel(x, u, true, inside);
  return inside;
}

static void add_unit(ik_draft *x, int unit) {
  draft_unit   *u = &x->unit[unit];
  draft_kernel *k = IK_NEW(x->a, draft_kernel), *inside;
  ik_pipe_stage s = {.kind = IK_STAGE_KERNEL, .step = x->op[u->first].step, .lag = u->lag};
  ik_draft_kernel(x, u, false, k);
  inside = inside_of(x, u, k);
  s.inside = inside ? ik_draft_share(x, &inside->k) : -1;
  s.kernel = ik_draft_share(x, &k->k);
  memcpy(s.in, k->in, sizeof s.in), memcpy(s.out, k->out, sizeof s.out);
  memcpy(s.ext, u->ext, sizeof s.ext);
  s.loose = ik_draft_is_loose(x, unit), s.first_rows = u->ahead;
  set_range(x, &s, &x->op[u->first].stmt->box, u->extended);
  x->shaper->stage(x, k, inside, u->phase, &s);
  int            at = x->pass->phase[u->phase].nstage;
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

bool ik_draft_has_halo(const ik_pipe_buffer *b) {
  for (ik_role r = 0; r < IK_NROLES; r++)
    if (b->halo[r][0] || b->halo[r][1]) return true;
  return false;
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
  if (!x->why) x->shaper->phases(x);
}
