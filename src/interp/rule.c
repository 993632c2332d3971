#include "interp/rule.h"
#include "base/bits.h"
#include "base/mem.h"
#include "base/num.h"
#include "ir/apply.h"
#include <math.h>
#include <string.h>

/* ---- numbers ---- */

/* No tiny values, and a single NaN: the one that an operation makes has another sign on every kind
 * of computer. */
double ik_rule_flush(double v) { return isnan(v) ? (double)NAN : fabs(v) < 0x1p-126 ? 0 : v; }

/* To bf16, ties away from zero; NaN stays. */
static double round_away(double v) {
  int e;
  if (!isfinite(v)) return v;
  frexp(v, &e);
  if (e < -125) e = -125; /* below, all values are equally far apart */
  return ik_round_bf16(ldexp(round(ldexp(v, 8 - e)), e - 8));
}

static double to_bf16(const ik_rule *r, double v) {
  return r->ties_away ? round_away(v) : ik_round_bf16(v);
}

static double to_type(const ik_rule *r, ik_type t, double v) {
  return ik_rule_flush(t == IK_BF16 ? to_bf16(r, v) : ik_type_round(t, v));
}

double ik_rule_enter(const ik_rule *r, double v) { return to_type(r, r->type, v); }

/* f32 to bf16 on the way to memory: ties away, and infinity for NaN. */
static double pack(double v) { return ik_rule_flush(isnan(v) ? INFINITY : round_away(v)); }

/* An f32 without the last n bits of its significand. */
static double drop_bits(double v, int n) {
  float    f = (float)v;
  uint32_t bits;
  memcpy(&bits, &f, sizeof bits);
  bits &= ~((UINT32_C(1) << n) - 1);
  memcpy(&f, &bits, sizeof f);
  return isnan(v) ? v : f;
}

static bool is_sum_or_product(ik_op op) {
  return op == IK_OP_ADD || op == IK_OP_SUB || op == IK_OP_MUL || op == IK_OP_FMA;
}

static double in_bf16(const ik_rule *r, ik_op op, double a, double b, double c) {
  if (r->coarse && (op == IK_OP_MUL || op == IK_OP_FMA))
    a = drop_bits(a, 23 - 4), b = drop_bits(b, 23 - 6);
  return to_bf16(r, op == IK_OP_FMA ? ik_add_odd(a * b, c) : ik_apply(op, IK_F64, a, b, c));
}

double ik_rule_apply(const ik_rule *r, ik_op op, ik_type t, double a, double b, double c) {
  if (t == IK_BOOL || op == IK_OP_SELECT) return ik_apply(op, t, a, b, c);
  if (op == IK_OP_CAST) return r->type == IK_BF16 || t != IK_BF16 ? a : pack(a);
  if (r->tf32 && is_sum_or_product(op))
    a = drop_bits(a, 13), b = drop_bits(b, 13), c = drop_bits(c, 13);
  bool narrow = r->type == IK_BF16 || t == IK_BF16;
  return ik_rule_flush(narrow ? in_bf16(r, op, a, b, c) : ik_apply(op, t, a, b, c));
}

double ik_rule_combine(const ik_rule *r, ik_reduce how, double sum, double v) {
  switch (how) {
  case IK_SUM: return to_type(r, r->sum, sum + v);
  case IK_MINIMUM: return sum < v ? sum : v;
  default: return sum > v ? sum : v;
  }
}

double ik_rule_neutral(ik_reduce how) {
  return how == IK_SUM ? 0 : how == IK_MINIMUM ? INFINITY : -INFINITY;
}

/* ---- what it holds for ---- */

bool ik_rule_holds(const ik_ir *ir, const ik_stmt *s) {
  for (const ik_stmt *i = ir->init; i; i = i->next)
    if (i == s) return false;
  return true;
}

bool ik_rule_is_number(const ik_expr *e) {
  if (e->op == IK_OP_READ || e->op == IK_OP_COORD || e->op == IK_OP_NOISE) return false;
  for (int k = 0; k < ik_op_nargs(e->op); k++)
    if (!ik_rule_is_number(e->arg[k])) return false;
  return true;
}

bool ik_rule_reads_field(const ik_expr *e) {
  if (e->op == IK_OP_READ) return true;
  for (int k = 0; k < ik_op_nargs(e->op); k++)
    if (ik_rule_reads_field(e->arg[k])) return true;
  return false;
}

/* ---- rows ---- */

static int depth(const ik_expr *e) {
  int most = 0;
  for (int k = 0; k < ik_op_nargs(e->op); k++) {
    int d = depth(e->arg[k]);
    if (d > most) most = d;
  }
  return most + 1;
}

static void deepest(const ik_stmt *s, void *ctx) {
  int *most = ctx, d = s->value ? depth(s->value) : 0;
  if (d > *most) *most = d;
}

static int64_t tiles_along(const ik_ruled *x, int axis) {
  int64_t n = x->rows->state->ir->n[axis], t = x->rule->tile[axis];
  return (n + t - 1) / t;
}

bool ik_ruled_init(ik_ruled *x, const ik_rule *r, ik_rows *rows) {
  int most = 0;
  ik_ir_each_stmt(rows->state->ir, deepest, &most);
  *x = (ik_ruled){.rule = r, .rows = rows, .nscratch = 3 * most};
  x->ntile = tiles_along(x, 0) * tiles_along(x, 1);
  x->scratch = ik_calloc((size_t)x->nscratch * IK_ROWS_CELLS, sizeof *x->scratch);
  x->partial = ik_calloc((size_t)(x->ntile * r->tile[0] * r->tile[1]), sizeof *x->partial);
  if (x->scratch && x->partial) return true;
  ik_ruled_free(x);
  return false;
}

void ik_ruled_free(ik_ruled *x) {
  ik_free(x->scratch), ik_free(x->partial);
  *x = (ik_ruled){0};
}

static double *scratch(ik_ruled *x) {
  IK_ASSERT(x->used < x->nscratch);
  return x->scratch + (size_t)x->used++ * IK_ROWS_CELLS;
}

/* Cells of fields and numbers, as they enter. */
static void leaf(ik_ruled *x, const ik_expr *e, const int64_t at[IK_MAX_DIM], int n, double *out) {
  const double *v = ik_rows_eval(x->rows, e, at, n, x->rows->state->t, out);
  bool          is_bool = e->type == IK_BOOL;
  for (int i = 0; i < n; i++) out[i] = is_bool ? v[i] : ik_rule_enter(x->rule, v[i]);
}

static void eval(ik_ruled *x, const ik_expr *e, const int64_t at[IK_MAX_DIM], int n, double *out) {
  if (e->op == IK_OP_READ || !ik_rule_reads_field(e)) {
    leaf(x, e, at, n, out);
    return;
  }
  double *v[3] = {out, out, out};
  int     used = x->used;
  for (int k = 0; k < ik_op_nargs(e->op); k++) eval(x, e->arg[k], at, n, v[k] = scratch(x));
  for (int i = 0; i < n; i++)
    out[i] = ik_rule_apply(x->rule, e->op, e->type, v[0][i], v[1][i], v[2][i]);
  x->used = used;
}

const double *ik_ruled_eval(ik_ruled *x, const ik_expr *e, const int64_t at[IK_MAX_DIM], int n,
                            double *out) {
  x->used = 0;
  eval(x, e, at, n, out);
  return out;
}

/* ---- reductions ---- */

typedef struct meeting { /* what is combined, and how */
  const ik_rule *rule;
  ik_reduce      how;
} meeting;

/* n results, `stride` apart, come together at the one with index `root`. */
static void gather(meeting m, double *v, int64_t n, int64_t stride, int64_t root) {
  for (int64_t i = n - 1; i > root; i--)
    v[(i - 1) * stride] = ik_rule_combine(m.rule, m.how, v[(i - 1) * stride], v[i * stride]);
  for (int64_t i = 0; i < root; i++)
    v[(i + 1) * stride] = ik_rule_combine(m.rule, m.how, v[(i + 1) * stride], v[i * stride]);
}

/* The results of all tiles, `stride` apart, tiles along axis 1 fastest; to that of the root. */
static double *meet(const ik_ruled *x, meeting m, double *v, int64_t stride) {
  int64_t nx = tiles_along(x, 0), ny = tiles_along(x, 1);
  int64_t rx = x->rule->root[0], ry = x->rule->root[1];
  for (int64_t i = 0; i < nx; i++) gather(m, v + i * ny * stride, ny, stride, ry);
  gather(m, v + ry * stride, nx, ny * stride, rx);
  return v + (rx * ny + ry) * stride;
}

static double elements(meeting m, const double *tile, int64_t n) {
  double sum = tile[0];
  for (int64_t e = 1; e < n; e++) sum = ik_rule_combine(m.rule, m.how, sum, tile[e]);
  return sum;
}

/* Adds the cells of a row along axis 0 to the elements of their tiles. */
static void add_row(ik_ruled *x, meeting m, const int64_t at[IK_MAX_DIM], int n, const double *v) {
  int64_t tx = x->rule->tile[0], ty = x->rule->tile[1], ny = tiles_along(x, 1);
  for (int i = 0; i < n; i++) {
    int64_t tile = (at[0] + i) / tx * ny + at[1] / ty, e = (at[0] + i) % tx * ty + at[1] % ty;
    double *p = &x->partial[tile * tx * ty + e];
    *p = ik_rule_combine(m.rule, m.how, *p, v[i]);
  }
}

static void add_cells(ik_ruled *x, meeting m, const ik_stmt *s, double *row) {
  const ik_box *b = &s->box;
  int64_t       at[IK_MAX_DIM];
  for (at[2] = b->lo[2]; at[2] < b->hi[2]; at[2]++)
    for (at[1] = b->lo[1]; at[1] < b->hi[1]; at[1]++)
      for (at[0] = b->lo[0]; at[0] < b->hi[0]; at[0] += IK_ROWS_CELLS) {
        int64_t left = b->hi[0] - at[0];
        int     n = left < IK_ROWS_CELLS ? (int)left : IK_ROWS_CELLS;
        add_row(x, m, at, n, ik_ruled_eval(x, s->value, at, n, row));
      }
}

double ik_ruled_reduce(ik_ruled *x, const ik_stmt *s, double *row) {
  int64_t size = (int64_t)x->rule->tile[0] * x->rule->tile[1];
  meeting m = {x->rule, s->reduce};
  for (int64_t i = 0; i < x->ntile * size; i++) x->partial[i] = ik_rule_neutral(s->reduce);
  add_cells(x, m, s, row);
  if (x->rule->whole_tiles) {
    for (int64_t e = 1; e < size; e++) meet(x, m, x->partial + e, size);
    return elements(m, meet(x, m, x->partial, size), size);
  }
  for (int64_t i = 0; i < x->ntile; i++)
    x->partial[i * size] = elements(m, x->partial + i * size, size);
  return *meet(x, m, x->partial, size);
}
