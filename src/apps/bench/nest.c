/* nest.c: which statements share a nest, and which arrays the nests need. */
#include "apps/bench/nest.h"

typedef struct survey {
  const ik_ir   *ir;
  ik_nest       *n;
  ik_arena      *a;
  const ik_stmt *sweep, *first, *s; /* the statement that is looked at, and the first of its nest */
  const ik_box  *cells;             /* that it is done for */
  bool          *kept;              /* [nfield] a temporary that is read outside of its nest */
  bool          *awaited;           /* [nfield] a temporary that is read */
  const char    *why;               /* it cannot be written */
} survey;

/* ---- what shares a nest ---- */

bool ik_nest_is_swept(const ik_stmt *sweep, int axis) {
  for (int k = 0; sweep && k < sweep->naxes; k++)
    if (sweep->axis[k] == axis) return true;
  return false;
}

typedef struct pair { /* does the value of one statement read beside cells that another writes? */
  const ik_stmt *writer, *sweep;
  bool           beside;
} pair;

/* What lies along a swept axis belongs to another index of the sweep. */
static void look_beside(const ik_expr *e, void *ctx) {
  pair *p = ctx;
  bool  across = false, along = false;
  if (e->op != IK_OP_READ || e->id != p->writer->field || e->level != p->writer->level) return;
  for (int d = 0; d < IK_MAX_DIM; d++) {
    along |= e->off[d] && ik_nest_is_swept(p->sweep, d);
    across |= e->off[d] && !ik_nest_is_swept(p->sweep, d);
  }
  p->beside |= across && !along;
}

static bool reads_beside(const ik_stmt *reader, const ik_stmt *writer, const ik_stmt *sweep) {
  pair p = {writer, sweep, false};
  ik_expr_each(reader->value, look_beside, &p);
  return p.beside;
}

bool ik_nest_reads_itself(const ik_stmt *s, const ik_stmt *sweep) {
  return reads_beside(s, s, sweep);
}

static bool same_cells(const ik_box *a, const ik_box *b) {
  for (int d = 0; d < IK_MAX_DIM; d++)
    if (a->lo[d] != b->lo[d] || a->hi[d] != b->hi[d]) return false;
  return true;
}

static bool joins(const ik_stmt *first, const ik_stmt *s, const ik_stmt *sweep) {
  if (s->kind != IK_ASSIGN || !same_cells(&first->box, &s->box) || ik_nest_reads_itself(s, sweep))
    return false;
  for (const ik_stmt *p = first; p != s; p = p->next)
    if (reads_beside(s, p, sweep) || reads_beside(p, s, sweep)) return false;
  return true;
}

const ik_stmt *ik_nest_end(const ik_stmt *first, const ik_stmt *sweep) {
  const ik_stmt *s = first->next;
  if (ik_nest_reads_itself(first, sweep)) return s;
  while (s && joins(first, s, sweep)) s = s->next;
  return s;
}

/* ---- reads ---- */

static void refuse(survey *v, const char *why) {
  if (!v->why) v->why = why;
}

static bool is_plain_type(ik_type t) { return t != IK_F16 && t != IK_BF16; }

/* How far beyond a face a boundary can be copied from cells, without coming to the other face. */
static bool reaches(const ik_field *f, int d, int side, int64_t halo) {
  int64_t n = f->box.hi[d] - f->box.lo[d];
  switch (f->bc[d][side].kind) {
  case IK_BC_VALUE:
  case IK_BC_COPY: return true;
  case IK_BC_REFLECT:
  case IK_BC_ANTIREFLECT: return halo < n;
  default: return halo <= n;
  }
}

static bool is_assigned(const ik_stmt *list, int field) {
  for (const ik_stmt *s = list; s; s = s->next)
    if ((s->kind == IK_ASSIGN && s->field == field) || (s->body && is_assigned(s->body, field)))
      return true;
  return false;
}

static void look_beyond(survey *v, const ik_expr *e, int d, int side, int64_t halo) {
  const ik_field *f = &v->ir->field[e->id];
  int            *most = &v->n->field[e->id].halo[d][side];
  if (halo <= 0) return;
  if (halo > *most) *most = (int)halo;
  if (!reaches(f, d, side, halo)) refuse(v, "it reads farther beyond a face than there are cells");
  if (v->sweep && f->bc[d][side].kind != IK_BC_VALUE && is_assigned(v->sweep->body, e->id))
    refuse(v, "a sweep reads what it writes beyond a face");
}

/* Has an earlier statement of the nest given the cell this value? */
static bool made_here(const survey *v, const ik_expr *e) {
  if (e->off[0] || e->off[1] || e->off[2] || !v->first) return false;
  for (const ik_stmt *p = v->first; p != v->s; p = p->next)
    if (p->field == e->id && p->level == e->level) return true;
  return false;
}

static void look(const ik_expr *e, void *ctx) {
  survey *v = ctx;
  if (!is_plain_type(e->type)) refuse(v, "it has a type of 16 bits");
  if (e->op != IK_OP_READ) return;
  const ik_field *f = &v->ir->field[e->id];
  if (f->kind == IK_FIELD_TEMP) {
    v->awaited[e->id] = true;
    if (!made_here(v, e)) v->kept[e->id] = true;
  }
  for (int d = 0; d < IK_MAX_DIM; d++) {
    if (!f->on[d]) continue;
    look_beyond(v, e, d, 0, f->box.lo[d] - v->cells->lo[d] - e->off[d]);
    look_beyond(v, e, d, 1, v->cells->hi[d] + e->off[d] - f->box.hi[d]);
  }
}

/* ---- statements ---- */

static void look_at_list(survey *v, const ik_stmt *list);

static void look_at_value(survey *v, const ik_stmt *s, const ik_stmt *first) {
  v->first = first, v->s = s, v->cells = &s->box;
  if (s->kind == IK_SET || ik_box_cells(&s->box) > 0) ik_expr_each(s->value, look, v);
}

static const ik_stmt *look_at_nest(survey *v, const ik_stmt *first) {
  const ik_stmt *end = ik_nest_end(first, v->sweep);
  for (const ik_stmt *s = first; s != end; s = s->next) {
    v->n->field[s->field].assigned = true;
    if (ik_nest_reads_itself(s, v->sweep)) v->n->field[s->field].spare = true;
    look_at_value(v, s, first);
  }
  return end;
}

static void look_at_list(survey *v, const ik_stmt *list) {
  for (const ik_stmt *s = list; s;) {
    if (s->kind == IK_ASSIGN) {
      s = look_at_nest(v, s);
      continue;
    }
    if (s->kind == IK_SWEEP) {
      v->sweep = s;
      look_at_list(v, s->body);
      v->sweep = NULL;
    } else {
      look_at_value(v, s, NULL);
    }
    s = s->next;
  }
}

static void look_at_sources(survey *v) {
  for (const ik_inject *j = v->ir->inject; j < v->ir->inject + v->ir->ninject; j++)
    for (int k = 0; k < j->ntap; k++) {
      ik_box cell = ik_nest_cell_of(&j->tap[k]);
      v->cells = &cell, v->first = NULL;
      ik_expr_each(j->value, look, v);
    }
}

static void look_at_fields(survey *v) {
  for (int i = 0; i < v->ir->nfield; i++) {
    const ik_field *f = &v->ir->field[i];
    bool            temp = f->kind == IK_FIELD_TEMP;
    if (!is_plain_type(f->type)) refuse(v, "it has a type of 16 bits");
    if (temp && v->awaited[i] && !v->n->field[i].assigned)
      refuse(v, "its loop reads a temporary that is made outside of it");
    v->n->field[i].local = temp && !v->kept[i];
  }
}

/* ---- arrays ---- */

/* The first cell of a row lies at the start of a line of the cache, with one before it, so that
 * rows of a grid that is a power of two do not lie a power of two apart. */
static void lay_out(const ik_field *f, ik_nest_field *x) {
  long line = 64 / ik_type_bytes(f->type), size = 1;
  x->origin = 0;
  for (int d = 0; d < IK_MAX_DIM; d++) {
    long low = x->halo[d][0], n = (long)(f->box.hi[d] - f->box.lo[d]);
    if (d == 0) low = low > line ? (low + line - 1) / line * line : line;
    x->stride[d] = f->on[d] ? size : 0;
    x->origin += (low - (long)f->box.lo[d]) * size;
    size *= low + n + x->halo[d][1];
    if (d == 0) size = (size + line - 1) / line * line;
  }
  x->elements = size;
}

static void add_arrays(ik_nest *n) {
  for (int i = 0; i < n->ir->nfield; i++) {
    const ik_field *f = &n->ir->field[i];
    ik_nest_field  *x = &n->field[i];
    x->first = n->narray;
    x->n = x->local ? 0 : f->history + f->has_new + x->spare;
    n->narray += x->n;
    lay_out(f, x);
  }
}

static const ik_stmt *first_loop(const ik_ir *ir) {
  const ik_stmt *s = ir->body;
  while (s && !ik_stmt_is_loop(s)) s = s->next;
  return s;
}

const char *ik_nest_of(const ik_ir *ir, ik_arena *a, ik_nest *out) {
  *out = (ik_nest){.ir = ir, .loop = first_loop(ir)};
  out->field = IK_NEW_N(a, ik_nest_field, ir->nfield + 1);
  if (!out->loop) return "it has neither steps nor a repeat";
  survey v = {.ir = ir, .n = out, .a = a};
  v.kept = IK_NEW_N(a, bool, ir->nfield + 1);
  v.awaited = IK_NEW_N(a, bool, ir->nfield + 1);
  look_at_list(&v, out->loop->pre);
  look_at_list(&v, out->loop->body);
  if (out->loop->kind == IK_STEPS) look_at_sources(&v);
  look_at_fields(&v);
  add_arrays(out);
  return v.why;
}
