#include "naive.h"
#include "base/elementary.h"
#include "base/num.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct cell {
  int64_t i[IK_MAX_DIM];
} cell;

static void *must(void *p) {
  if (!p) abort();
  return p;
}

/* ---- numbers ---- */

static double wrapped(int64_t v) { return (double)(int32_t)(uint32_t)(uint64_t)v; }

/* A result in double, which has room for the exact one or rounds it harmlessly, to its type. */
static double rounded(ik_type t, double v) {
  switch (t) {
  case IK_F64: return v;
  case IK_F32: return (float)v;
  case IK_F16: return ik_round_f16(v);
  case IK_BF16: return ik_round_bf16(v);
  case IK_I32: return wrapped((int64_t)v);
  default: return v != 0;
  }
}

static double to_i32(double v) {
  if (isnan(v)) return 0;
  if (v >= 2147483647.0) return 2147483647.0;
  if (v <= -2147483648.0) return -2147483648.0;
  return (double)(int32_t)v;
}

static int64_t floored_remainder(int64_t a, int64_t b) {
  if (b == 0) return 0;
  int64_t m = a % b;
  return m != 0 && (m < 0) != (b < 0) ? m + b : m;
}

static double whole_op(ik_op op, int64_t a, int64_t b) {
  switch (op) {
  case IK_OP_NEG: return wrapped(-a);
  case IK_OP_ADD: return wrapped(a + b);
  case IK_OP_SUB: return wrapped(a - b);
  case IK_OP_MUL: return wrapped(a * b);
  case IK_OP_DIV: return b == 0 ? 0 : wrapped(a / b);
  case IK_OP_MOD: return (double)floored_remainder(a, b);
  case IK_OP_ABS: return wrapped(a < 0 ? -a : a);
  default: abort();
  }
}

/* f32 in float, so that no wider arithmetic can hide in it. */
static double single_op(ik_op op, float a, float b, float c) {
  switch (op) {
  case IK_OP_NEG: return -a;
  case IK_OP_ADD: return a + b;
  case IK_OP_SUB: return a - b;
  case IK_OP_MUL: return a * b;
  case IK_OP_DIV: return a / b;
  case IK_OP_FMA: return fmaf(a, b, c);
  case IK_OP_ABS: return fabsf(a);
  case IK_OP_SQRT: return sqrtf(a);
  default: abort();
  }
}

static double wide_op(ik_op op, ik_type t, double a, double b, double c) {
  switch (op) {
  case IK_OP_NEG: return -a;
  case IK_OP_ADD: return a + b;
  case IK_OP_SUB: return a - b;
  case IK_OP_MUL: return a * b;
  case IK_OP_DIV: return a / b;
  case IK_OP_FMA:
    return t == IK_F16 ? ik_fma_f16(a, b, c) : t == IK_BF16 ? ik_fma_bf16(a, b, c) : fma(a, b, c);
  case IK_OP_ABS: return fabs(a);
  case IK_OP_SQRT: return sqrt(a);
  case IK_OP_MOD: return b == 0 ? 0 : a - b * floor(a / b);
  default: abort();
  }
}

static bool is_arithmetic(ik_op op) {
  return (op >= IK_OP_NEG && op <= IK_OP_FMA) || op == IK_OP_MOD || op == IK_OP_ABS ||
         op == IK_OP_SQRT;
}

static double arithmetic(const ik_expr *e, double a, double b, double c) {
  if (e->type == IK_I32) return whole_op(e->op, (int64_t)a, (int64_t)b);
  if (e->type == IK_F32 && e->op != IK_OP_MOD)
    return single_op(e->op, (float)a, (float)b, (float)c);
  return rounded(e->type, wide_op(e->op, e->type, a, b, c));
}

/* ---- faces ---- */

/* Bounces an index into 0..n-1 at mirrors that lie between cells (first -1 to 0) or on cells. */
static int64_t bounce(int64_t k, int64_t n, bool on_cell, bool negate, double *sign) {
  if (on_cell && n == 1) return 0; /* both mirrors on one cell: that cell is all there is */
  while (k < 0 || k >= n) {
    int64_t gap = on_cell ? 0 : 1;
    k = k < 0 ? -k - gap : 2 * (n - 1) + gap - k;
    if (negate) *sign = -*sign;
  }
  return k;
}

static double eval(const naive *v, const ik_expr *e, cell at, int64_t t);

static double *level_of(const naive *v, int field, int level) {
  return v->cells[field * NAIVE_LEVELS + 1 - level];
}

static int64_t place(const ik_field *f, cell at) {
  int64_t p = 0;
  for (int d = IK_MAX_DIM - 1; d >= 0; d--)
    p = p * (f->box.hi[d] - f->box.lo[d]) + (f->on[d] ? at.i[d] - f->box.lo[d] : 0);
  return p;
}

/* The cell that stands for one beyond the faces of axis d; false if a value stands there. */
static bool inside(const ik_field *f, int d, int64_t *i, double *sign) {
  int64_t n = f->box.hi[d] - f->box.lo[d], k = *i - f->box.lo[d];
  if (k >= 0 && k < n) return true;
  ik_bc_kind kind = f->bc[d][k >= n].kind;
  switch (kind) {
  case IK_BC_VALUE: return false;
  case IK_BC_PERIODIC: k = floored_remainder(k, n); break;
  case IK_BC_COPY: k = k < 0 ? 0 : n - 1; break;
  case IK_BC_MIRROR:
  case IK_BC_ANTIMIRROR: k = bounce(k, n, false, kind == IK_BC_ANTIMIRROR, sign); break;
  case IK_BC_REFLECT:
  case IK_BC_ANTIREFLECT: k = bounce(k, n, true, kind == IK_BC_ANTIREFLECT, sign); break;
  default: abort();
  }
  *i = f->box.lo[d] + k;
  return true;
}

static double read_at(const naive *v, int field, int level, cell at, int64_t t) {
  const ik_field *f = &v->ir->field[field];
  const ik_expr  *value = NULL;
  double          sign = 1;
  for (int d = 0; d < IK_MAX_DIM; d++) {
    int side = at.i[d] >= f->box.hi[d];
    if (!f->on[d])
      at.i[d] = 0;
    else if (!inside(f, d, &at.i[d], &sign) && !value)
      value = f->bc[d][side].value;
  }
  double x = value ? eval(v, value, at, t + level) : level_of(v, field, level)[place(f, at)];
  return sign < 0 ? rounded(f->type, -x) : x;
}

/* ---- expressions ---- */

static double noise_at(const ik_expr *e, cell at) {
  uint32_t h = (uint32_t)e->value * 2654435761u + (uint32_t)(at.i[0] + e->off[0]) * 2246822519u +
               (uint32_t)(at.i[1] + e->off[1]) * 3266489917u +
               (uint32_t)(at.i[2] + e->off[2]) * 668265263u;
  h = (h ^ h >> 15) * 739982445u;
  h = (h ^ h >> 12) * 695872825u;
  h ^= h >> 15;
  return ldexp(h >> 8, -24);
}

static double leaf(const naive *v, const ik_expr *e, cell at, int64_t t) {
  switch (e->op) {
  case IK_OP_CONST: return e->value;
  case IK_OP_SCALAR: return v->scalar[e->id];
  case IK_OP_COORD: return rounded(e->type, (double)at.i[e->id]);
  case IK_OP_TIME: return rounded(e->type, (double)t);
  case IK_OP_NOISE: return rounded(e->type, noise_at(e, at));
  default:
    for (int d = 0; d < IK_MAX_DIM; d++) at.i[d] += e->off[d];
    return read_at(v, e->id, e->level, at, t);
  }
}

static double elementary(ik_op op, double a, double b) {
  switch (op) {
  case IK_OP_FLOOR: return floor(a);
  case IK_OP_EXP: return ik_exp(a);
  case IK_OP_LOG: return ik_log(a);
  case IK_OP_SIN: return ik_sin(a);
  case IK_OP_COS: return ik_cos(a);
  case IK_OP_TAN: return ik_tan(a);
  case IK_OP_TANH: return ik_tanh(a);
  case IK_OP_ATAN: return ik_atan(a);
  case IK_OP_POW: return ik_pow(a, b);
  default: abort();
  }
}

static double operation(const ik_expr *e, double a, double b, double c) {
  switch (e->op) {
  case IK_OP_MIN: return a < b ? a : b;
  case IK_OP_MAX: return a > b ? a : b;
  case IK_OP_LT: return a < b;
  case IK_OP_LE: return a <= b;
  case IK_OP_EQ: return a == b;
  case IK_OP_NE: return a != b;
  case IK_OP_NOT: return !a;
  case IK_OP_AND: return a && b;
  case IK_OP_OR: return a || b;
  case IK_OP_SELECT: return a ? b : c;
  case IK_OP_CAST: return e->type == IK_I32 ? to_i32(a) : rounded(e->type, a);
  default: return rounded(e->type, elementary(e->op, a, b));
  }
}

static double eval(const naive *v, const ik_expr *e, cell at, int64_t t) {
  int n = ik_op_nargs(e->op);
  if (n == 0) return leaf(v, e, at, t);
  double a = eval(v, e->arg[0], at, t);
  double b = n > 1 ? eval(v, e->arg[1], at, t) : 0;
  double c = n > 2 ? eval(v, e->arg[2], at, t) : 0;
  return is_arithmetic(e->op) ? arithmetic(e, a, b, c) : operation(e, a, b, c);
}

/* ---- statements ---- */

static int64_t count(const ik_box *b) {
  int64_t n = 1;
  for (int d = 0; d < IK_MAX_DIM; d++) n *= b->hi[d] > b->lo[d] ? b->hi[d] - b->lo[d] : 0;
  return n;
}

static cell nth(const ik_box *b, int64_t n) { /* cells of a box, axis 0 fastest */
  cell c;
  for (int d = 0; d < IK_MAX_DIM; d++) {
    int64_t m = b->hi[d] - b->lo[d];
    c.i[d] = b->lo[d] + n % m, n /= m;
  }
  return c;
}

/* All cells are read before any is written. */
static void assign(naive *v, const ik_stmt *s, const ik_box *b) {
  const ik_field *f = &v->ir->field[s->field];
  int64_t         n = count(b);
  double         *result = must(calloc((size_t)n + 1, sizeof *result));
  for (int64_t k = 0; k < n; k++) result[k] = eval(v, s->value, nth(b, k), v->t);
  for (int64_t k = 0; k < n; k++) level_of(v, s->field, s->level)[place(f, nth(b, k))] = result[k];
  free(result);
}

static void sweep(naive *v, const ik_stmt *s) {
  ik_box order = {{0}, {0}}; /* its axis k runs along the k-th swept axis, innermost first */
  for (int k = 0; k < IK_MAX_DIM; k++) {
    int d = k < s->naxes ? s->axis[s->naxes - 1 - k] : 0;
    order.hi[k] = k < s->naxes ? s->box.hi[d] - s->box.lo[d] : 1;
  }
  for (int64_t n = 0; n < count(&order); n++)
    for (const ik_stmt *b = s->body; b; b = b->next) {
      ik_box box = b->box;
      bool   here = true;
      for (int k = 0; k < s->naxes; k++) {
        int     j = s->naxes - 1 - k, d = s->axis[j];
        int64_t turn = nth(&order, n).i[k];
        int64_t i = s->dir[j] > 0 ? s->box.lo[d] + turn : s->box.hi[d] - 1 - turn;
        here = here && i >= b->box.lo[d] && i < b->box.hi[d];
        box.lo[d] = i, box.hi[d] = i + 1;
      }
      if (here && count(&box)) assign(v, b, &box);
    }
}

static double combined(const ik_stmt *s, double a, double b) {
  if (s->reduce == IK_MINIMUM) return a < b ? a : b;
  if (s->reduce == IK_MAXIMUM) return a > b ? a : b;
  return rounded(s->value->type, a + b);
}

/* The left part of a tree has the largest power of two below n. */
static double tree(const ik_stmt *s, const double *part, int64_t n) {
  if (n == 1) return part[0];
  int64_t half = 1;
  while (half * 2 < n) half *= 2;
  return combined(s, tree(s, part, half), tree(s, part + half, n - half));
}

/* A row in 16 lanes, a tree over the lanes, a tree over the rows. */
static void reduce(naive *v, const ik_stmt *s) {
  int64_t length = s->box.hi[0] - s->box.lo[0], rows = count(&s->box) / length;
  double *row = must(calloc((size_t)rows, sizeof *row));
  for (int64_t r = 0; r < rows; r++) {
    double lane[16];
    for (int64_t k = 0; k < length; k++) {
      double x = eval(v, s->value, nth(&s->box, r * length + k), v->t);
      lane[k % 16] = k < 16 ? x : combined(s, lane[k % 16], x);
    }
    row[r] = tree(s, lane, length < 16 ? length : 16);
  }
  v->scalar[s->scalar] = tree(s, row, rows);
  free(row);
}

static void inject(naive *v, const ik_inject *j) {
  const ik_field *f = &v->ir->field[j->field];
  for (int k = 0; k < j->ntap; k++) {
    cell at;
    memcpy(at.i, j->tap[k].at, sizeof at.i);
    double *u = &level_of(v, j->field, 1)[place(f, at)];
    double  add = rounded(f->type, eval(v, j->value, at, v->t) * j->tap[k].weight);
    *u = rounded(f->type, *u + add);
  }
}

static void rotate(naive *v) {
  for (int f = 0; f < v->ir->nfield; f++) {
    double **level = &v->cells[f * NAIVE_LEVELS];
    int      n = v->ir->field[f].history;
    if (!v->ir->field[f].has_new) continue;
    double *oldest = level[n];
    memmove(level + 1, level, (size_t)n * sizeof *level);
    level[0] = oldest;
  }
  v->t++;
}

static void record(naive *v) {
  for (int i = 0; i < v->ir->nrecord; i++) {
    const ik_record *r = &v->ir->record[i];
    if (v->t % r->every) continue;
    size_t room = (size_t)(v->ntrace[i] + r->npoint) * sizeof(double);
    v->trace[i] = must(realloc(v->trace[i], room));
    for (int p = 0; p < r->npoint; p++) {
      double sum = 0;
      for (int k = 0; k < r->ntap; k++) {
        const ik_tap *tap = &r->tap[p * r->ntap + k];
        if (tap->weight != 0) sum += tap->weight * naive_get(v, r->field, tap->at);
      }
      v->trace[i][v->ntrace[i]++] = sum;
    }
  }
}

static void run_list(naive *v, const ik_stmt *s);

static void steps(naive *v, const ik_stmt *s) {
  for (int64_t k = 0; k < s->count; k++) {
    run_list(v, s->body);
    for (int j = 0; j < v->ir->ninject; j++) inject(v, &v->ir->inject[j]);
    rotate(v);
    record(v);
  }
}

static void repeat(naive *v, const ik_stmt *s) {
  for (int64_t k = 0;; k++) {
    run_list(v, s->pre);
    if (eval(v, s->value, (cell){{0}}, v->t) || k >= s->count) return;
    run_list(v, s->body);
  }
}

static void run_list(naive *v, const ik_stmt *s) {
  for (; s; s = s->next) switch (s->kind) {
    case IK_ASSIGN: assign(v, s, &s->box); break;
    case IK_REDUCE: reduce(v, s); break;
    case IK_SET: v->scalar[s->scalar] = eval(v, s->value, (cell){{0}}, v->t); break;
    case IK_SWEEP: sweep(v, s); break;
    case IK_STEPS: steps(v, s); break;
    case IK_REPEAT: repeat(v, s); break;
    case IK_LOAD: abort();
    }
}

/* ---- life ---- */

void naive_run(naive *v, const ik_ir *ir) {
  *v = (naive){.ir = ir};
  v->cells = must(calloc((size_t)ir->nfield * NAIVE_LEVELS + 1, sizeof *v->cells));
  v->scalar = must(calloc((size_t)ir->nscalar + 1, sizeof *v->scalar));
  v->trace = must(calloc((size_t)ir->nrecord + 1, sizeof *v->trace));
  v->ntrace = must(calloc((size_t)ir->nrecord + 1, sizeof *v->ntrace));
  for (int f = 0; f < ir->nfield; f++)
    for (int l = 0; l <= ir->field[f].history; l++)
      v->cells[f * NAIVE_LEVELS + l] = must(calloc((size_t)count(&ir->field[f].box) + 1, 8));
  run_list(v, ir->init);
  run_list(v, ir->body);
}

void naive_free(naive *v) {
  for (int i = 0; i < v->ir->nfield * NAIVE_LEVELS; i++) free(v->cells[i]);
  for (int i = 0; i < v->ir->nrecord; i++) free(v->trace[i]);
  free(v->cells), free(v->scalar), free(v->trace), free(v->ntrace);
}

double naive_get(const naive *v, int field, const int64_t at[IK_MAX_DIM]) {
  cell c;
  memcpy(c.i, at, sizeof c.i);
  return level_of(v, field, 0)[place(&v->ir->field[field], c)];
}
