/* nest_faces.c: what is put into the cells beyond faces, and when. */
#include "apps/bench/nest_writer.h"
#include "ir/bound.h"
#include "ir/spell.h"
#include <string.h>

typedef struct dependence {
  bool time, scalar;
} dependence;

static void look_for_change(const ik_expr *e, void *ctx) {
  dependence *c = ctx;
  c->time |= e->op == IK_OP_TIME;
  c->scalar |= e->op == IK_OP_SCALAR;
}

static dependence dependence_of(const ik_bc *bc) {
  dependence c = {false, false};
  if (bc->kind == IK_BC_VALUE) ik_expr_each(bc->value, look_for_change, &c);
  return c;
}

/* A value that may be put there once for all. */
static bool stays(const ik_bc *bc) {
  dependence c = dependence_of(bc);
  return bc->kind == IK_BC_VALUE && !c.time && !c.scalar;
}

static bool is_face(const ik_nest *n, int f, int d, int side) {
  return n->field[f].halo[d][side] > 0;
}

static bool has_face(const ik_nest *n, int f, bool staying) {
  for (int d = 0; d < IK_MAX_DIM; d++)
    for (int side = 0; side < 2; side++)
      if (is_face(n, f, d, side) && stays(&n->ir->field[f].bc[d][side]) == staying) return true;
  return false;
}

static bool has_fixed_face(const ik_nest *n, int f) { return has_face(n, f, true); }
static bool has_moving_face(const ik_nest *n, int f) { return has_face(n, f, false); }

static dependence faces_depend_on(const ik_nest *n, int f) {
  dependence all = {false, false};
  for (int d = 0; d < IK_MAX_DIM; d++)
    for (int side = 0; side < 2; side++) {
      dependence c = dependence_of(&n->ir->field[f].bc[d][side]);
      all.time |= c.time, all.scalar |= c.scalar;
    }
  return all;
}

/* Does the loop change what lies beyond some face? */
static bool faces_move(const ik_nest *n, int f) {
  dependence c = faces_depend_on(n, f);
  return has_moving_face(n, f) && (n->field[f].assigned || c.time || c.scalar);
}

/* Cells beyond a face with a value, less those that a value of a lower axis claims. */
static ik_box value_cells(const ik_nest *n, int f, int d, int side) {
  const ik_field *u = &n->ir->field[f];
  ik_box          b = u->box;
  for (int e = d + 1; e < IK_MAX_DIM; e++) {
    if (u->bc[e][0].kind == IK_BC_VALUE) b.lo[e] -= n->field[f].halo[e][0];
    if (u->bc[e][1].kind == IK_BC_VALUE) b.hi[e] += n->field[f].halo[e][1];
  }
  if (side)
    b.lo[d] = u->box.hi[d], b.hi[d] = b.lo[d] + n->field[f].halo[d][1];
  else
    b.hi[d] = u->box.lo[d], b.lo[d] = b.hi[d] - n->field[f].halo[d][0];
  return b;
}

static void put_value_face(ik_nest_writer *w, int f, int d, int side) {
  ik_box b = value_cells(w->n, f, d, side);
  int    n = ik_nest_open_box(w, &b, w->ir->ndim - 1, false, "");
  LINE_OF(w->ir->field[f].bc[d][side].value, ";", "%s = ", ik_nest_cell(w, f, "u"));
  ik_nest_close_axes(w, n);
}

/* The cell that stands for the h-th beyond a face. */
static const char *source_of(ik_bc_kind kind, int side, long long n, ik_arena *a) {
  switch (kind) {
  case IK_BC_PERIODIC: return side ? "h - 1" : ik_arena_printf(a, "%lld - h", n);
  case IK_BC_MIRROR:
  case IK_BC_ANTIMIRROR: return side ? ik_arena_printf(a, "%lld - h", n) : "h - 1";
  case IK_BC_REFLECT:
  case IK_BC_ANTIREFLECT: return side ? ik_arena_printf(a, "%lld - h", n - 1) : "h";
  default: return side ? ik_arena_printf(a, "%lld", n - 1) : "0";
  }
}

static void put_copy(ik_nest_writer *w, int f, int d, int side) {
  const ik_field *u = &w->ir->field[f];
  ik_bc_kind      kind = u->bc[d][side].kind;
  const char     *index = ik_nest_index_name(w->n, f, w->a), *at[2][IK_MAX_DIM];
  bool            negated = kind == IK_BC_ANTIMIRROR || kind == IK_BC_ANTIREFLECT;
  const char     *sign = !negated ? "" : u->type == IK_I32 ? "neg_i32" : "-";
  for (int e = 0; e < IK_MAX_DIM; e++)
    at[0][e] = at[1][e] = ik_arena_printf(w->a, "%c", ik_nest_axes[e]);
  at[0][d] = side ? ik_arena_printf(w->a, "%lld + h", (long long)u->box.hi[d] - 1) : "-h";
  at[1][d] = source_of(kind, side, (long long)u->box.hi[d], w->a);
  LINE("u[%s(%s, %s, %s)] = %s(u[%s(%s, %s, %s)]);", index, at[0][0], at[0][1], at[0][2], sign,
       index, at[1][0], at[1][1], at[1][2]);
}

/* Along other axes all cells that there are: corners are copied twice, and right in the end. */
static void put_copied_face(ik_nest_writer *w, int f, int d, int side) {
  enum { WORTH_IT = 1 << 16 };
  const ik_nest_field *x = &w->n->field[f];
  ik_box               b = w->ir->field[f].box;
  int64_t              cells = 1;
  for (int e = 0; e < IK_MAX_DIM; e++) {
    b.lo[e] -= x->halo[e][0], b.hi[e] += x->halo[e][1];
    cells *= e == d ? x->halo[d][side] : ik_nest_extent(&b, e);
  }
  int shared = w->ir->ndim - 1 == d ? d - 1 : w->ir->ndim - 1;
  for (int e = w->ir->ndim - 1; e >= 0; e--) {
    if (e == shared && e > 0 && ik_nest_extent(&b, e) > 1 && cells > WORTH_IT)
      LINE("#pragma omp parallel for num_threads(p->threads) schedule(static)");
    if (e == 0 && e != d && ik_nest_extent(&b, 0) > 1) ik_nest_put_simd(w, "");
    if (e != d)
      ik_nest_open_axis(w, &b, e);
    else
      LINE("for (long h = 1; h <= %d; h++) {", x->halo[d][side]), w->indent++;
  }
  put_copy(w, f, d, side);
  ik_nest_close_axes(w, w->ir->ndim);
}

/* Values first; then copies, axis by axis, which take values along. */
static void put_faces(ik_nest_writer *w, int f, bool moving) {
  const ik_field *u = &w->ir->field[f];
  for (int d = 0; d < w->ir->ndim; d++)
    for (int side = 0; side < 2; side++)
      if (is_face(w->n, f, d, side) && u->bc[d][side].kind == IK_BC_VALUE &&
          stays(&u->bc[d][side]) != moving)
        put_value_face(w, f, d, side);
  for (int d = 0; d < w->ir->ndim && moving; d++)
    for (int side = 0; side < 2; side++)
      if (is_face(w->n, f, d, side) && u->bc[d][side].kind != IK_BC_VALUE)
        put_copied_face(w, f, d, side);
}

static void write_faces_of(ik_nest_writer *w, int f, const char *name, bool moving) {
  ik_nest_forget_uses(w);
  for (int d = 0; d < IK_MAX_DIM; d++)
    for (int side = 0; side < 2; side++)
      if (w->ir->field[f].bc[d][side].value)
        ik_expr_each(w->ir->field[f].bc[d][side].value, ik_nest_use, w);
  LINE("static void %s_%d(const plain *p, %s *u, long t) {", name, f,
       ik_spell_type(w->ir->field[f].type));
  w->indent++;
  ik_nest_declare_scalars(w);
  ik_nest_declare_rest(w);
  put_faces(w, f, moving);
  w->indent--;
  LINE("}\n");
}

void ik_nest_write_faces(ik_nest_writer *w) {
  for (int f = 0; f < w->ir->nfield; f++) {
    if (w->n->field[f].local) continue;
    if (has_fixed_face(w->n, f)) write_faces_of(w, f, "edges", false);
    if (has_moving_face(w->n, f)) write_faces_of(w, f, "faces", true);
  }
}

static void put_begin(ik_nest_writer *w, int f, int array) {
  if (has_fixed_face(w->n, f)) LINE("  edges_%d(p, p->a[%d], 0);", f, array);
  if (has_moving_face(w->n, f) && !faces_move(w->n, f))
    LINE("  faces_%d(p, p->a[%d], 0);", f, array);
}

void ik_nest_write_begin(ik_nest_writer *w) {
  LINE("void plain_begin(const plain *p) {");
  for (int f = 0; f < w->ir->nfield; f++)
    for (int k = 0; k < w->n->field[f].n; k++) put_begin(w, f, w->n->field[f].first + k);
  LINE("}\n");
}

/* ---- what is filled before it is read ---- */

typedef struct reach { /* reads of a statement beyond faces that change */
  ik_nest_writer *w;
  const ik_box   *cells;
} reach;

static void fill_read(const ik_expr *e, void *ctx) {
  reach          *r = ctx;
  ik_nest_writer *w = r->w;
  if (e->op != IK_OP_READ || w->n->field[e->id].local || !faces_move(w->n, e->id)) return;
  int k = ik_nest_array(w->n, e->id, e->level);
  if (w->filled[k] || !ik_bound_is_crossed(&w->ir->field[e->id], e, r->cells)) return;
  ik_buf_printf(&w->round, "    faces_%d(p, p->a[%d], p->t + %d);\n", e->id, k, e->level);
  w->filled[k] = true;
}

void ik_nest_fill_for(ik_nest_writer *w, const ik_expr *e, const ik_box *cells) {
  reach r = {w, cells};
  ik_expr_each(e, fill_read, &r);
}

void ik_nest_forget_field(ik_nest_writer *w, const ik_stmt *s) {
  if (!w->n->field[s->field].local) w->filled[ik_nest_array(w->n, s->field, s->level)] = false;
}

void ik_nest_forget_faces(ik_nest_writer *w) { memset(w->filled, 0, (size_t)w->n->narray + 1); }

/* A scalar has another value now, and a boundary may take its own from it. */
void ik_nest_forget_scalar(ik_nest_writer *w) {
  for (int f = 0; f < w->ir->nfield; f++)
    if (faces_depend_on(w->n, f).scalar)
      memset(w->filled + w->n->field[f].first, 0, (size_t)w->n->field[f].n);
}
