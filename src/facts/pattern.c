#include "facts/pattern.h"
#include "facts/nodes.h"

/* ---- what a statement reads ---- */

static ik_points *direct_reads(const ik_stmt *s, ik_arena *a) {
  ik_points *set = ik_points_new(a);
  ik_nodes   nodes;
  ik_nodes_of(s->value, a, &nodes);
  for (int i = 0; i < nodes.n; i++) {
    const ik_expr *e = nodes.node[i];
    if (e->op != IK_OP_READ) continue;
    ik_point p = {e->id, e->level, {e->off[0], e->off[1], e->off[2]}};
    ik_points_add(set, &p);
  }
  return set;
}

static ik_pattern by_field(const ik_points *set, ik_arena *a) {
  int             n, cap = 0;
  const ik_point *p = ik_points_list(set, a, &n);
  ik_reads       *reads = NULL;
  int             nreads = 0;
  for (int i = 0, end; i < n; i = end) {
    for (end = i; end < n && p[end].field == p[i].field;) end++;
    ik_reads r = {p[i].field, end - i, p + i, ik_hull_of(p + i, end - i)};
    IK_PUSH(a, reads, nreads, cap, r);
  }
  return (ik_pattern){nreads, reads};
}

/* ---- through temporaries and earlier stages ---- */

static ik_points *compose(const ik_points *reads, ik_points *const *value, ik_arena *a) {
  ik_points *set = ik_points_new(a);
  for (int i = 0; i < reads->n; i++) {
    const ik_points_row *r = &reads->row[i];
    const ik_points     *through = value[ik_value_of(r->field, r->level)];
    if (through)
      ik_points_move(set, through, r);
    else
      ik_points_add_row(set, r);
  }
  return set;
}

static bool covers(const ik_box *a, const ik_box *b) {
  for (int d = 0; d < IK_MAX_DIM; d++)
    if (a->lo[d] > b->lo[d] || a->hi[d] < b->hi[d]) return false;
  return true;
}

/* What a sweep makes depends on all cells before: it is not read through but stands for itself. */
static void walk(const ik_subject *s, bool main_only, ik_points **value, const ik_stmt **writer,
                 ik_points **last, ik_arena *a) {
  for (int i = 0; i < s->n; i++) {
    const ik_work *w = &s->work[i];
    const ik_stmt *st = w->stmt;
    if (st->kind != IK_ASSIGN || (main_only && !w->main)) continue;
    int        v = ik_value_of(st->field, st->level);
    ik_points *set = compose(direct_reads(st, a), value, a);
    /* A second statement replaces the value where its box covers the first, else adds to it. */
    if (writer[v] && !covers(&st->box, &writer[v]->box)) ik_points_join(set, last[st->field]);
    writer[v] = st;
    last[st->field] = set;
    value[v] = w->sweep ? NULL : set;
  }
}

const ik_points *const *ik_pattern_after(const ik_ir *ir, const ik_subject *s, bool main_only,
                                         ik_arena *a) {
  ik_points     **value = IK_NEW_N(a, ik_points *, ik_values_of(ir));
  const ik_stmt **writer = IK_NEW_N(a, const ik_stmt *, ik_values_of(ir));
  ik_points     **last = IK_NEW_N(a, ik_points *, ir->nfield);
  walk(s, main_only, value, writer, last, a);
  for (int f = 0; f < ir->nfield; f++)
    if (!s->updated[f]) last[f] = NULL;
  return (const ik_points *const *)last;
}

/* ---- shape ---- */

static bool is_on_axis(const ik_point *p) {
  return (p->off[0] != 0) + (p->off[1] != 0) + (p->off[2] != 0) <= 1;
}

static bool is_centre(const ik_point *p) { return !p->off[0] && !p->off[1] && !p->off[2]; }

/* `p` holds each offset once: as many as a star or a box of this radius has are all of them. */
static ik_shape_kind kind_of(const ik_shape *s, const ik_point *p, int n) {
  int     on_axis = 0, centre = 0;
  int64_t box = 1, width = 2 * (int64_t)s->radius + 1;
  if (!s->radius) return IK_SHAPE_POINT;
  for (int i = 0; i < n; i++) on_axis += is_on_axis(&p[i]), centre += is_centre(&p[i]);
  if (on_axis == n && n - centre == 2 * s->radius * s->dim) return IK_SHAPE_STAR;
  for (int d = 0; d < s->dim && box <= n; d++) box *= width;
  return n == box ? IK_SHAPE_BOX : IK_SHAPE_SPARSE;
}

ik_shape ik_shape_of(const ik_point *p, int n) {
  ik_shape s = {.hull = ik_hull_of(p, n)};
  s.radius = ik_hull_radius(&s.hull);
  for (int d = 0; d < IK_MAX_DIM; d++) s.dim += s.hull.lo[d] || s.hull.hi[d];
  s.kind = kind_of(&s, p, n);
  return s;
}

const char *ik_shape_name(ik_shape_kind k) {
  static const char *const names[] = {"point", "star", "box", "sparse"};
  return names[k];
}

/* ---- all of it ---- */

/* More points win; among as many, a field that depends on itself, then the first. */
static void consider(const ik_ir *ir, int field, const ik_pattern *p, ik_patterns *out,
                     const ik_reads **best) {
  for (int i = 0; i < p->nreads; i++) {
    const ik_reads *r = &p->reads[i];
    bool            hidden = ir->field[r->field].kind == IK_FIELD_HIDDEN;
    bool            self = r->field == field && out->source != out->field;
    if (hidden || r->n < out->points || (r->n == out->points && !self)) continue;
    out->field = field, out->source = r->field, out->points = r->n;
    *best = r;
  }
}

static const ik_reads *choose(const ik_ir *ir, const ik_subject *s, ik_patterns *out) {
  const ik_reads *best = NULL;
  out->field = out->source = -1;
  for (int f = 0; f < ir->nfield; f++)
    if (ir->field[f].kind != IK_FIELD_HIDDEN) consider(ir, f, &out->effective[f], out, &best);
  for (int i = 0; s->nsweep && i < s->n; i++) {
    const ik_work *w = &s->work[i];
    if (w->main && w->stmt->kind == IK_ASSIGN)
      consider(ir, w->stmt->field, &out->work[i], out, &best);
  }
  return best;
}

static void measure(const ik_reads *r, ik_patterns *out, ik_arena *a) {
  ik_points *flat = ik_points_new(a);
  for (int i = 0; i < r->n; i++) {
    ik_point q = r->point[i];
    out->level_points[1 - q.level]++;
    q.level = 0;
    ik_points_add(flat, &q);
  }
  int             n;
  const ik_point *list = ik_points_list(flat, a, &n);
  out->shape = ik_shape_of(list, n);
}

void ik_pattern_of(const ik_ir *ir, const ik_subject *s, ik_arena *a, ik_patterns *out) {
  ik_pattern *work = IK_NEW_N(a, ik_pattern, s->n),
             *effective = IK_NEW_N(a, ik_pattern, ir->nfield);
  *out = (ik_patterns){.work = work, .effective = effective};
  for (int i = 0; i < s->n; i++) work[i] = by_field(direct_reads(s->work[i].stmt, a), a);
  out->after = ik_pattern_after(ir, s, true, a);
  for (int f = 0; f < ir->nfield; f++)
    if (out->after[f]) effective[f] = by_field(out->after[f], a);
  const ik_reads *shown = choose(ir, s, out);
  if (shown) measure(shown, out, a);
}
