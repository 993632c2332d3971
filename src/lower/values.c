/* Ops and the values they hand to each other: every assignment of a step makes a new buffer. */
#include "lower/draft.h"

/* ---- axes and their roles ---- */

static bool offset_along(const ik_draft *x, int axis) {
  for (int i = 0; i < x->nop; i++) {
    const ik_nodes *nodes = x->op[i].nodes;
    for (int k = 0; k < nodes->n; k++)
      if (nodes->node[k]->op == IK_OP_READ && nodes->node[k]->off[axis]) return true;
  }
  return false;
}

static int swept_axis(const ik_draft *x) {
  for (int i = 0; i < x->nop; i++)
    for (int k = 0; x->op[i].sweep && k < x->op[i].sweep->naxes; k++)
      if (x->op[i].sweep->axis[k]) return x->op[i].sweep->axis[k];
  return -1;
}

/* The stream is what a sweep goes along, or the outermost axis along which anything is read: what
 * lies beyond it is a row at a time, and planes stay small.  A plan that cuts that axis has planes
 * of so many rows instead, one after the other. */
static int stream_axis(const ik_draft *x) {
  int n = x->ir->ndim, swept = swept_axis(x);
  if (n == 1) return -1;
  if (n == 2) return 1;
  if (swept >= 0) return swept;
  bool cut = x->steps <= 1 && x->plan->tile[1] > 0;
  return offset_along(x, 2) || !offset_along(x, 1) || cut ? 2 : 1;
}

void ik_draft_roles(ik_draft *x) {
  ik_pass *p = x->pass;
  int      stream = stream_axis(x);
  p->axis[IK_LANE] = 0;
  p->axis[IK_STREAM] = stream;
  p->axis[IK_ROW] = x->ir->ndim < 3 ? -1 : 3 - stream;
  for (ik_role r = 0; r < IK_NROLES; r++) p->n[r] = p->axis[r] < 0 ? 1 : x->ir->n[p->axis[r]];
}

bool ik_draft_on(const ik_draft *x, int field, ik_role role) {
  int axis = x->pass->axis[role];
  return axis >= 0 && (field < 0 || x->ir->field[field].on[axis]);
}

bool ik_draft_on_all(const ik_draft *x, int field) {
  for (ik_role r = 0; r < IK_NROLES; r++)
    if (x->pass->axis[r] >= 0 && !ik_draft_on(x, field, r)) return false;
  return true;
}

void ik_draft_range(const ik_draft *x, const ik_box *b, ik_role role, int64_t *lo, int64_t *hi) {
  int axis = x->pass->axis[role];
  *lo = axis < 0 ? 0 : b->lo[axis];
  *hi = axis < 0 ? 1 : b->hi[axis];
}

bool ik_draft_uses_place(const ik_draft *x, const draft_unit *u, ik_role role) {
  for (int i = u->first; i <= u->last; i++) {
    const ik_nodes *nodes = x->op[i].nodes;
    for (int k = 0; k < nodes->n; k++) {
      const ik_expr *e = nodes->node[k];
      if (e->op == IK_OP_NOISE || (e->op == IK_OP_COORD && e->id == x->pass->axis[role]))
        return true;
    }
  }
  return false;
}

/* ---- buffers ---- */

static int version_of(const ik_draft *x, int field, int level, int step) {
  const ik_field *f = &x->ir->field[field];
  if (f->kind == IK_FIELD_TEMP) return step;
  return f->has_new ? step + level : level;
}

/* The newest buffer of a field and version; -1 if none. */
static int find_buffer(const ik_draft *x, int field, int version) {
  for (int i = x->nbuffer - 1; i >= 0; i--)
    if (x->buffer[i].b.field == field && x->buffer[i].b.version == version) return i;
  return -1;
}

static int new_buffer(ik_draft *x, int field, int version, ik_type type, int op) {
  draft_buffer b = {.first = op, .last = op, .old = -1};
  b.b = (ik_pipe_buffer){.field = field, .version = version, .type = type, .level = version};
  IK_PUSH(x->a, x->buffer, x->nbuffer, x->cap.buffer, b);
  return x->nbuffer - 1;
}

static int source(ik_draft *x, int field, int version) {
  const ik_field *f = &x->ir->field[field];
  int             i = new_buffer(x, field, version, f->type, -1);
  x->buffer[i].b.memory = true;
  x->buffer[i].b.level = f->kind == IK_FIELD_TEMP ? 0 : version;
  if (f->kind == IK_FIELD_TEMP && !x->stored[field])
    ik_draft_refuse(x, "a temporary is read where another pass made it");
  return i;
}

static void add_reads(ik_draft *x, int op) {
  const ik_nodes *nodes = x->op[op].nodes;
  for (int k = 0; k < nodes->n; k++) {
    const ik_expr *e = nodes->node[k];
    if (e->op != IK_OP_READ) continue;
    int        v = version_of(x, e->id, e->level, x->op[op].step), b = find_buffer(x, e->id, v);
    draft_read r = {.op = op, .expr = e};
    r.buffer = b >= 0 ? b : source(x, e->id, v);
    ik_draft_look(x, &r);
    IK_PUSH(x->a, x->read, x->nread, x->cap.read, r);
  }
}

static bool meet(const ik_box *a, const ik_box *b) {
  for (int d = 0; d < IK_MAX_DIM; d++)
    if (a->hi[d] <= b->lo[d] || b->hi[d] <= a->lo[d]) return false;
  return true;
}

/* The oldest level, if u' lies there, and if it is read at all. */
static void find_folded(ik_draft *x, const ik_stmt *s, int b) {
  draft_buffer *to = &x->buffer[b];
  if (s->level == 1 && x->fold[s->field] && to->old < 0)
    to->old = find_buffer(x, s->field, to->b.version - x->ir->field[s->field].history);
}

/* One more piece of a value that is given box by box: nothing may have been assigned twice, and
 * outside a sweep nobody may have looked at it half done. */
static void add_piece(ik_draft *x, int op, int b) {
  const draft_op *o = &x->op[op];
  for (int i = 0; i < op; i++)
    if (x->op[i].target == b && meet(&x->op[i].stmt->box, &o->stmt->box))
      ik_draft_refuse(x, "a field is assigned twice");
  for (int i = 0; i < x->nread; i++)
    if (x->read[i].buffer == b && !(o->sweep && x->op[x->read[i].op].sweep == o->sweep))
      ik_draft_refuse(x, "a field is read before all of it is assigned");
  if (x->op[x->buffer[b].first].sweep != o->sweep)
    ik_draft_refuse(x, "a field is assigned in and outside of a sweep");
  x->buffer[b].last = op;
  find_folded(x, o->stmt, b);
}

static int define(ik_draft *x, int op) {
  const ik_stmt  *s = x->op[op].stmt;
  const ik_field *f = &x->ir->field[s->field];
  int             v = version_of(x, s->field, s->level, x->op[op].step);
  int kept = ik_pass_levels(f, x->steps) - (x->steps - v); /* as this level; or below 1 */
  int b = find_buffer(x, s->field, v);
  if (b >= 0 && x->buffer[b].first >= 0) return add_piece(x, op, b), b;
  int old = b;
  b = new_buffer(x, s->field, v, f->type, op);
  x->buffer[b].old = old;
  if (f->kind == IK_FIELD_TEMP)
    x->buffer[b].b.memory = x->stored[s->field], x->buffer[b].b.level = 0;
  else
    x->buffer[b].b.memory = !f->has_new || s->level <= 0 || kept > 0;
  if (f->has_new && s->level == 1) x->buffer[b].b.level = kept > 0 ? kept : 1;
  find_folded(x, s, b);
  return b;
}

void ik_draft_values(ik_draft *x) {
  for (int i = 0; i < x->nop; i++) {
    const ik_stmt *s = x->op[i].stmt;
    x->op[i].target = -1;
    add_reads(x, i);
    x->op[i].target = s->kind == IK_REDUCE ? new_buffer(x, -1, 0, s->value->type, i) : define(x, i);
  }
}

/* ---- what is computed together ---- */

static bool same_box(const ik_box *a, const ik_box *b) {
  for (int d = 0; d < IK_MAX_DIM; d++)
    if (a->lo[d] != b->lo[d] || a->hi[d] != b->hi[d]) return false;
  return true;
}

static bool at_cell(const draft_read *r) {
  return !r->off[IK_LANE] && !r->off[IK_ROW] && !r->off[IK_STREAM];
}

static bool is_periodic(const ik_draft *x, const ik_stmt *s, int axis) {
  return s->kind == IK_ASSIGN && x->ir->field[s->field].bc[axis][0].kind == IK_BC_PERIODIC;
}

static bool is_read(const ik_draft *x, int buffer) {
  for (int k = 0; k < x->nread; k++)
    if (x->read[k].buffer == buffer) return true;
  return false;
}

static bool is_temporary(const ik_draft *x, const ik_stmt *s) {
  return s->kind == IK_ASSIGN && x->ir->field[s->field].kind == IK_FIELD_TEMP;
}

/* Images beyond a periodic end are computed of both or of none; of what nobody reads, of none.
 * Temporaries have them where their readers do. */
static bool same_periods(const ik_draft *x, const draft_op *a, const draft_op *b) {
  if (!is_read(x, a->target) && !is_read(x, b->target)) return true;
  if (is_temporary(x, a->stmt) || is_temporary(x, b->stmt)) return true;
  for (int d = 0; d < x->ir->ndim; d++)
    if (is_periodic(x, a->stmt, d) != is_periodic(x, b->stmt, d)) return false;
  return true;
}

/* Op `i` can be computed with those from `first` on, cell by cell: it reads what they make only at
 * the same cell, or along the sweep, and they do not read around what it overwrites. */
static bool joins(const ik_draft *x, int first, int i) {
  const draft_op *a = &x->op[first], *b = &x->op[i];
  if (a->step != b->step || a->sweep != b->sweep || !same_box(&a->stmt->box, &b->stmt->box))
    return false;
  if (i - first >= IK_PIPE_OUTS) return false;
  for (int k = first; k < i; k++)
    if (!same_periods(x, &x->op[k], b)) return false;
  for (int k = 0; k < x->nread; k++) {
    const draft_read   *r = &x->read[k];
    const draft_buffer *d = &x->buffer[r->buffer];
    bool                mine = d->first <= i && d->last >= first && d->first >= 0;
    if (r->op == i && mine && !at_cell(r) && !(b->sweep && r->off[IK_STREAM])) return false;
    if (r->op >= first && r->op < i && r->buffer == x->buffer[b->target].old && !at_cell(r))
      return false;
  }
  return true;
}

static bool next_phase(const ik_draft *x, int i) {
  return i > 0 && x->op[i].sweep != x->op[i - 1].sweep;
}

static void mark_registers(ik_draft *x) {
  for (int k = 0; k < x->nread; k++) {
    draft_read *r = &x->read[k];
    int         unit = x->op[r->op].unit;
    for (int i = x->unit[unit].first; i < r->op; i++)
      if (x->op[i].target == r->buffer && at_cell(r)) r->in_register = true;
  }
}

void ik_draft_units(ik_draft *x) {
  int phase = 0;
  for (int i = 0; i < x->nop; i++) {
    if (next_phase(x, i)) phase++;
    draft_unit *u = x->nunit ? &x->unit[x->nunit - 1] : NULL;
    if (u && u->phase == phase && joins(x, u->first, i)) {
      u->last = i;
    } else {
      draft_unit fresh = {.first = i, .last = i, .phase = phase};
      IK_PUSH(x->a, x->unit, x->nunit, x->cap.unit, fresh);
    }
    x->op[i].unit = x->nunit - 1;
  }
  x->pass->nphase = phase + 1;
  mark_registers(x);
}
