#include "interp/rows.h"
#include "base/least.h"
#include "base/mem.h"
#include "ir/apply.h"
#include "ir/bound.h"
#include <math.h>

/* Where and when a row is evaluated. */
typedef struct place {
  const int64_t *at;
  int            n;
  int64_t        t;
} place;

static const double *eval(ik_rows *r, const ik_expr *e, place p, double *out);

/* ---- scratch rows ---- */

/* An operand is evaluated into the result row while the later ones go to scratch; FMA takes its
 * addend first, so that a chain of any length needs two scratch rows. */
static int first_operand(const ik_expr *e) { return e->op == IK_OP_FMA ? 2 : 0; }

int ik_rows_need(const ik_expr *e) {
  int n = ik_op_nargs(e->op), first = first_operand(e);
  if (n == 0) return 1; /* a boundary's value */
  int need = ik_rows_need(e->arg[first]), held = 0;
  for (int k = 0; k < n; k++)
    if (k != first) need = ik_max_int(need, ++held + ik_rows_need(e->arg[k]));
  return need;
}

bool ik_rows_init(ik_rows *r, const ik_state *s, int nscratch) {
  int bc = 1; /* values beyond faces are expressions too */
  for (int f = 0; f < s->ir->nfield; f++)
    for (int d = 0; d < IK_MAX_DIM; d++)
      for (int side = 0; side < 2; side++) {
        const ik_expr *v = s->ir->field[f].bc[d][side].value;
        if (v) bc = ik_max_int(bc, 1 + ik_rows_need(v));
      }
  *r = (ik_rows){.state = s, .nscratch = nscratch + bc};
  r->scratch = ik_calloc((size_t)r->nscratch * IK_ROWS_CELLS, sizeof *r->scratch);
  return r->scratch != NULL;
}

void ik_rows_free(ik_rows *r) { ik_free(r->scratch); }

static double *scratch(ik_rows *r) {
  IK_ASSERT(r->used < r->nscratch);
  return r->scratch + (size_t)r->used++ * IK_ROWS_CELLS;
}

/* ---- reading fields ---- */

double ik_rows_cell(ik_rows *r, int field, int level, const int64_t at[IK_MAX_DIM], int64_t t) {
  const ik_field *f = &r->state->ir->field[field];
  int64_t         c[IK_MAX_DIM] = {at[0], at[1], at[2]};
  double          sign = 1;
  const ik_bc    *value = NULL;
  for (int d = 0; d < IK_MAX_DIM; d++) {
    int side = f->on[d] ? ik_bound_fold(f, d, &c[d], &sign) : -1;
    if (!f->on[d]) c[d] = 0;
    if (side >= 0 && !value) value = &f->bc[d][side];
  }
  if (!value) return ik_type_round(f->type, sign * ik_state_get(r->state, field, level, c));
  int     used = r->used;
  double *row = scratch(r);
  double  v = eval(r, value->value, (place){c, 1, t + level}, row)[0];
  r->used = used;
  return ik_type_round(f->type, sign * v);
}

static void fill(double *out, int n, double v) {
  for (int i = 0; i < n; i++) out[i] = v;
}

/* Cells b <= i < end of a row, which lie in the field along axis 0. */
static void read_inside(ik_rows *r, const ik_expr *e, place p, const int64_t c[IK_MAX_DIM],
                        const ik_bc *value, double sign, double *out) {
  const ik_field *f = &r->state->ir->field[e->id];
  if (value)
    eval(r, value->value, (place){c, p.n, p.t + e->level}, out);
  else
    ik_state_load_row(f->type, ik_state_data(r->state, e->id, e->level),
                      ik_state_index(r->state, e->id, c), p.n, out);
  for (int i = 0; sign < 0 && i < p.n; i++) out[i] = ik_type_round(f->type, -out[i]);
}

static const double *read_field(ik_rows *r, const ik_expr *e, place p, double *out) {
  const ik_field *f = &r->state->ir->field[e->id];
  int64_t         raw[IK_MAX_DIM], c[IK_MAX_DIM]; /* as read; with axes 1 and 2 mapped */
  double          sign = 1;
  const ik_bc    *value = NULL;
  for (int d = 0; d < IK_MAX_DIM; d++) c[d] = raw[d] = f->on[d] ? p.at[d] + e->off[d] : 0;
  if (!f->on[0]) {
    fill(out, p.n, ik_rows_cell(r, e->id, e->level, raw, p.t));
    return out;
  }
  for (int d = 1; d < IK_MAX_DIM; d++) {
    int side = f->on[d] ? ik_bound_fold(f, d, &c[d], &sign) : -1;
    if (side >= 0 && !value) value = &f->bc[d][side];
  }
  int64_t x0 = c[0], b = f->box.lo[0] - x0, end = f->box.hi[0] - x0;
  b = b < 0 ? 0 : b > p.n ? p.n : b, end = end < b ? b : end > p.n ? p.n : end;
  if (b == 0 && end == p.n && f->type == IK_F64 && !value && sign > 0)
    return (const double *)ik_state_data(r->state, e->id, e->level) +
           ik_state_index(r->state, e->id, c);
  c[0] = x0 + b;
  if (end > b) read_inside(r, e, (place){p.at, (int)(end - b), p.t}, c, value, sign, out + b);
  for (int64_t i = b > 0 ? 0 : end; i < p.n; i = i + 1 == b ? end : i + 1) {
    raw[0] = x0 + i;
    out[i] = ik_rows_cell(r, e->id, e->level, raw, p.t);
  }
  return out;
}

/* ---- operations on rows ---- */

static double noise(const ik_expr *e, const int64_t at[IK_MAX_DIM], int i) {
  return ik_apply_noise(e->value, at[0] + e->off[0] + i, at[1] + e->off[1], at[2] + e->off[2]);
}

static void round_row(ik_type t, double *v, int n) {
  switch (t) {
  case IK_F64:
  case IK_BOOL: break;
  case IK_F32:
    for (int i = 0; i < n; i++) v[i] = (double)(float)v[i];
    break;
  case IK_I32: /* whole, and within 34 bits: wraps */
    for (int i = 0; i < n; i++) v[i] = (int32_t)(uint32_t)(int64_t)v[i];
    break;
  default:
    for (int i = 0; i < n; i++) v[i] = ik_type_round(t, v[i]);
  }
}

/* gcc can compile these once more for machines that have the instruction. */
#if defined(__x86_64__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__)
#define FMA_CLONES __attribute__((target_clones("default", "arch=haswell")))
#else
#define FMA_CLONES
#endif

FMA_CLONES static void fma_f64(const double *a, const double *b, const double *c, double *out,
                               int n) {
  for (int i = 0; i < n; i++) out[i] = fma(a[i], b[i], c[i]);
}

FMA_CLONES static void fma_f32(const double *a, const double *b, const double *c, double *out,
                               int n) {
  for (int i = 0; i < n; i++) out[i] = fmaf((float)a[i], (float)b[i], (float)c[i]);
}

FMA_CLONES static void link_f64(double a, const double *b, const double *c, double *out, int n) {
  for (int i = 0; i < n; i++) out[i] = fma(a, b[i], c[i]);
}

FMA_CLONES static void link_f32(float a, const double *b, const double *c, double *out, int n) {
  for (int i = 0; i < n; i++) out[i] = fmaf(a, (float)b[i], (float)c[i]);
}

static void fma_row(ik_type t, const double *a, const double *b, const double *c, double *out,
                    int n) {
  if (t == IK_F64)
    fma_f64(a, b, c, out, n);
  else
    fma_f32(a, b, c, out, n);
}

#define EACH(expression)                                                                           \
  for (int i = 0; i < p.n; i++) out[i] = (expression);                                             \
  break

static const double *leaf(ik_rows *r, const ik_expr *e, place p, double *out) {
  switch (e->op) {
  case IK_OP_READ: return read_field(r, e, p, out);
  case IK_OP_CONST: fill(out, p.n, e->value); break;
  case IK_OP_SCALAR: fill(out, p.n, r->state->scalar[e->id]); break;
  case IK_OP_TIME: fill(out, p.n, (double)p.t); break;
  case IK_OP_NOISE: EACH(noise(e, p.at, i));
  default: EACH((double)(e->id == 0 ? p.at[0] + i : p.at[e->id])); /* COORD */
  }
  round_row(e->type, out, p.n);
  return out;
}

static bool is_frequent(ik_op op, ik_type t) {
  bool product = op == IK_OP_MUL || op == IK_OP_DIV || op == IK_OP_FMA;
  return t == IK_F64 || t == IK_F32 || t == IK_BOOL || (t == IK_I32 && !product);
}

/* One operation on a row.  The frequent ones of the common types are loops that vectorise; what
 * they compute is what ik_apply() says. */
static void apply(const ik_rows *r, const ik_expr *e, place p, const double *a, const double *b,
                  const double *c, double *out) {
  const ik_type t = e->type;
  switch (is_frequent(e->op, t) ? e->op : IK_NOPS) {
  case IK_OP_NEG: EACH(-a[i]);
  case IK_OP_ADD: EACH(a[i] + b[i]);
  case IK_OP_SUB: EACH(a[i] - b[i]);
  case IK_OP_MUL: EACH(a[i] * b[i]);
  case IK_OP_DIV: EACH(a[i] / b[i]);
  case IK_OP_FMA: fma_row(t, a, b, c, out, p.n); break;
  case IK_OP_MIN: EACH(a[i] < b[i] ? a[i] : b[i]);
  case IK_OP_MAX: EACH(a[i] > b[i] ? a[i] : b[i]);
  case IK_OP_LT: EACH(a[i] < b[i]);
  case IK_OP_LE: EACH(a[i] <= b[i]);
  case IK_OP_EQ: EACH(a[i] == b[i]);
  case IK_OP_NE: EACH(a[i] != b[i]);
  case IK_OP_NOT: EACH(a[i] == 0);
  case IK_OP_AND: EACH((a[i] != 0) & (b[i] != 0));
  case IK_OP_OR: EACH((a[i] != 0) | (b[i] != 0));
  case IK_OP_SELECT: EACH(a[i] != 0 ? b[i] : c[i]);
  default:
    for (int i = 0; i < p.n; i++)
      out[i] = e->op == IK_OP_TABLE
                   ? ik_type_round(t, ik_apply_table(&r->state->ir->table[e->id], a[i]))
                   : ik_apply(e->op, t, a[i], b ? b[i] : 0, c ? c[i] : 0);
    return;
  }
  round_row(t, out, p.n);
}

static const double *eval_link(ik_rows *r, const ik_expr *e, place p, double *out) {
  int           used = r->used;
  const double *sum = eval(r, e->arg[2], p, out);
  double       *row = scratch(r);
  const double *v = eval(r, e->arg[1], p, row);
  if (e->type == IK_F64)
    link_f64(e->arg[0]->value, v, sum, out, p.n);
  else
    link_f32((float)e->arg[0]->value, v, sum, out, p.n);
  r->used = used;
  return out;
}

/* The links of a chain: constant * value + sum.  They are most of what a stencil does. */
static bool is_link(const ik_expr *e) {
  return e->op == IK_OP_FMA && e->arg[0]->op == IK_OP_CONST &&
         (e->type == IK_F64 || e->type == IK_F32);
}

static const double *eval(ik_rows *r, const ik_expr *e, place p, double *out) {
  int nargs = ik_op_nargs(e->op);
  if (nargs == 0) return leaf(r, e, p, out);
  if (is_link(e)) return eval_link(r, e, p, out);
  const double *v[3] = {0};
  int           first = first_operand(e), used = r->used;
  v[first] = eval(r, e->arg[first], p, out);
  for (int k = 0; k < nargs; k++)
    if (k != first) {
      double *row = scratch(r);
      v[k] = eval(r, e->arg[k], p, row);
    }
  apply(r, e, p, v[0], v[1], v[2], out);
  r->used = used;
  return out;
}

const double *ik_rows_eval(ik_rows *r, const ik_expr *e, const int64_t at[IK_MAX_DIM], int n,
                           int64_t t, double *out) {
  r->used = 0;
  return eval(r, e, (place){at, n, t}, out);
}
