/* build.h: small programs in the stage graph, made by hand.
 *
 *   ik_ir *ir = program(2, 64, 64, 1);
 *   int    u = field("u", IK_F64, 1);
 *   steps(10); assign(u, 1, add(at(u, -1, 0, 0), at(u, 1, 0, 0)));
 *   ...
 *   done();
 *
 * One program at a time; everything lives in `arena` until done(). */
#pragma once
#include "check.h"
#include "facts/facts.h"
#include <stdlib.h>

static ik_arena  arena;
static ik_ir    *built;
static ik_stmt **into; /* where the next statement goes */

__attribute__((unused)) static ik_ir *program(int ndim, int64_t nx, int64_t ny, int64_t nz) {
  enum { MOST = 64 };
  ik_arena_init(&arena);
  if (setjmp(arena.oom)) abort();
  built = IK_NEW(&arena, ik_ir);
  *built = (ik_ir){.name = "test",
                   .ndim = ndim,
                   .axis = {"x", "y", "z"},
                   .n = {nx, ny, nz},
                   .spacing = {1, 1, 1}};
  built->field = IK_NEW_N(&arena, ik_field, MOST);
  built->scalar = IK_NEW_N(&arena, ik_scalar, MOST);
  into = &built->body;
  return built;
}

__attribute__((unused)) static void done(void) { ik_arena_free(&arena); }

/* ---- declarations ---- */

static inline int add_field(const char *name, ik_field_kind kind, ik_type type, int history) {
  ik_field *f = &built->field[built->nfield];
  *f = (ik_field){.name = name, .kind = kind, .type = type, .history = history};
  for (int d = 0; d < IK_MAX_DIM; d++) {
    f->on[d] = d < built->ndim;
    f->box.hi[d] = built->n[d];
  }
  return built->nfield++;
}

static inline int field(const char *name, ik_type type, int history) {
  return add_field(name, IK_FIELD_USER, type, history);
}

static inline int temp(const char *name, ik_type type) {
  return add_field(name, IK_FIELD_TEMP, type, 1);
}

static inline int scalar(const char *name) {
  built->scalar[built->nscalar] = (ik_scalar){.name = name, .type = IK_F64};
  return built->nscalar++;
}

/* ---- expressions ---- */

static inline ik_expr *node(ik_op op, const ik_expr *a, const ik_expr *b, const ik_expr *c) {
  ik_expr *e = IK_NEW(&arena, ik_expr);
  *e = (ik_expr){.op = op, .type = a ? a->type : IK_F64, .arg = {a, b, c}};
  return e;
}

static inline ik_expr *number(double v) {
  ik_expr *e = node(IK_OP_CONST, NULL, NULL, NULL);
  e->value = v;
  return e;
}

static inline ik_expr *leaf(ik_op op, int id) {
  ik_expr *e = node(op, NULL, NULL, NULL);
  e->id = id;
  return e;
}

static inline ik_expr *at_level(int f, int level, int x, int y, int z) {
  ik_expr *e = leaf(IK_OP_READ, f);
  e->type = built->field[f].type;
  e->level = level, e->off[0] = x, e->off[1] = y, e->off[2] = z;
  return e;
}

static inline ik_expr *at(int f, int x, int y, int z) { return at_level(f, 0, x, y, z); }
static inline ik_expr *add(const ik_expr *a, const ik_expr *b) {
  return node(IK_OP_ADD, a, b, NULL);
}
static inline ik_expr *sub(const ik_expr *a, const ik_expr *b) {
  return node(IK_OP_SUB, a, b, NULL);
}
static inline ik_expr *mul(const ik_expr *a, const ik_expr *b) {
  return node(IK_OP_MUL, a, b, NULL);
}
static inline ik_expr *times(double a, const ik_expr *b) {
  ik_expr *n = number(a);
  n->type = b->type;
  return mul(n, b);
}
static inline ik_expr *fused(double a, const ik_expr *b, const ik_expr *c) {
  ik_expr *n = number(a);
  n->type = b->type;
  return node(IK_OP_FMA, n, b, c);
}

/* ---- statements ---- */

static inline ik_stmt *statement(ik_stmt_kind kind, const ik_expr *value) {
  ik_stmt *s = IK_NEW(&arena, ik_stmt);
  *s = (ik_stmt){.kind = kind, .value = value, .raw_type = -1};
  for (int d = 0; d < IK_MAX_DIM; d++) s->box.hi[d] = built->n[d];
  *into = s;
  into = &s->next;
  return s;
}

static inline ik_stmt *assign(int f, int level, const ik_expr *value) {
  ik_stmt *s = statement(IK_ASSIGN, value);
  s->field = f, s->level = level, s->box = built->field[f].box;
  if (level == 1) built->field[f].has_new = true;
  return s;
}

static inline ik_stmt *reduce(int to, const ik_expr *value) {
  ik_stmt *s = statement(IK_REDUCE, value);
  s->scalar = to, s->reduce = IK_SUM;
  return s;
}

static inline ik_stmt *set(int to, const ik_expr *value) {
  ik_stmt *s = statement(IK_SET, value);
  s->scalar = to;
  return s;
}

/* What follows goes into its body. */
static inline ik_stmt *open_body(ik_stmt_kind kind, int64_t count) {
  ik_stmt *s = statement(kind, NULL);
  s->count = count;
  into = &s->body;
  return s;
}

static inline ik_stmt *steps(int64_t count) { return open_body(IK_STEPS, count); }

static inline void narrow(ik_stmt *s, int axis, int64_t lo, int64_t hi) {
  s->box.lo[axis] = lo, s->box.hi[axis] = hi;
}

/* ---- whole programs ---- */

/* u + k * (sum of neighbours - 2 d u) as one chain, in `ndim` dimensions; returns u. */
static inline int heat(int ndim, double k) {
  program(ndim, 64, ndim > 1 ? 64 : 1, ndim > 2 ? 64 : 1);
  int      u = field("u", IK_F64, 1);
  ik_expr *sum = times(1 - 2 * ndim * k, at(u, 0, 0, 0));
  for (int d = 0; d < ndim; d++)
    for (int s = -1; s <= 1; s += 2)
      sum = fused(k, at(u, d == 0 ? s : 0, d == 1 ? s : 0, d == 2 ? s : 0), sum);
  steps(10);
  assign(u, 1, sum);
  return u;
}

/* 2u - u[t-1] + k * laplacian of order 8 in 3D; the weights are those of the wafer's wave. */
static inline ik_expr *wave_update(int u, double k) {
  static const double w[5] = {-205.0 / 72, 8.0 / 5, -1.0 / 5, 8.0 / 315, -1.0 / 560};
  ik_expr *sum = fused(2 + 3 * k * w[0], at(u, 0, 0, 0), times(-1, at_level(u, -1, 0, 0, 0)));
  for (int d = 0; d < 3; d++)
    for (int r = -4; r <= 4; r++)
      if (r) {
        ik_expr *e = at(u, d == 0 ? r : 0, d == 1 ? r : 0, d == 2 ? r : 0);
        sum = fused(k * w[abs(r)], e, sum);
      }
  return sum;
}

static inline int wave(double k) {
  program(3, 64, 64, 64);
  int u = field("u", IK_F64, 2);
  steps(10);
  assign(u, 1, wave_update(u, k));
  return u;
}

/* All facts of the program as it stands. */
static inline ik_facts facts(void) {
  ik_facts f;
  ik_diag  d = {0};
  CHECK_EQ(ik_facts_of(built, -1, &arena, &d, &f), IK_OK);
  ik_diag_free(&d);
  return f;
}
