#include "targets/simulated/wse2/values.h"
#include "base/least.h"
#include "base/mem.h"
#include "ir/apply.h"
#include "interp/rows.h"
#include "ir/bound.h"
#include "sim/crew.h"
#include "targets/simulated/wse2/element.h"
#include <math.h>
#include <string.h>

enum { ROW = 256 }; /* elements at a time: registers stay in the nearest cache */

typedef float row[ROW]; /* f32, and bool as 0 and 1 */

typedef struct worker { /* one thread */
  const ik_state *state;
  ik_rows         rows; /* what the host provides: numbers, places, cells beyond faces */
  double         *made; /* [ROW] */
  row            *reg;  /* [most registers] */
  row            *leaf; /* [most values] what is not read where it lies */
  const float   **at;   /* [most values] of the present row */
  float          *whole;
} worker;

struct ik_wse2_values {
  ik_state *state;
  int       threads;
  worker   *worker; /* [threads] */
  float    *whole;  /* results of an assignment that reads its own neighbours; partial results */
};

/* What a statement is done for at the moment. */
typedef struct strip {
  int64_t at[IK_MAX_DIM];
  int     n;
} strip;

/* ---- memory ---- */

typedef struct need {
  int64_t reg, value, whole;
  int     rows;
} need;

static int rows_of(const ik_wse2_code *c) {
  int most = 1;
  for (int i = 0; i < c->nvalue; i++)
    if (c->value[i].source == IK_WSE2_MADE || c->value[i].source == IK_WSE2_NUMBER)
      most = ik_max_int(most, ik_rows_need(c->value[i].leaf));
  return most;
}

static need need_of(const ik_wse2_code *const *code, int ncode) {
  need n = {0};
  for (int i = 0; i < ncode; i++) {
    const ik_box *b = &code[i]->stmt->box;
    n.reg = ik_max(n.reg, code[i]->nreg);
    n.value = ik_max(n.value, code[i]->nvalue);
    n.rows = ik_max_int(n.rows, rows_of(code[i]));
    if (code[i]->stmt->kind == IK_REDUCE)
      n.whole = ik_max(n.whole, (b->hi[0] - b->lo[0]) * (b->hi[1] - b->lo[1]));
    else if (ik_wse2_code_waits(code[i], false))
      n.whole = ik_max(n.whole, ik_box_cells(b));
  }
  return n;
}

int64_t ik_wse2_values_bytes(const ik_wse2_code *const *code, int ncode, int threads) {
  need    n = need_of(code, ncode);
  int64_t each = (n.reg + n.value) * (int64_t)sizeof(row) + n.value * (int64_t)sizeof(void *) +
                 (n.rows + 1) * ROW * (int64_t)sizeof(double);
  return n.whole * (int64_t)sizeof(float) + threads * each;
}

static bool hire(worker *w, const ik_state *s, need n) {
  w->state = s;
  bool rows = ik_rows_init(&w->rows, s, n.rows);
  w->made = ik_calloc(ROW, sizeof *w->made);
  w->reg = ik_calloc((size_t)n.reg + 1, sizeof *w->reg);
  w->leaf = ik_calloc((size_t)n.value + 1, sizeof *w->leaf);
  w->at = ik_calloc((size_t)n.value + 1, sizeof *w->at);
  return rows && w->made && w->reg && w->leaf && w->at;
}

ik_status ik_wse2_values_create(ik_state *s, const ik_wse2_code *const *code, int ncode,
                                int threads, ik_diag *d, ik_wse2_values **out) {
  need            n = need_of(code, ncode);
  ik_wse2_values *v = *out = ik_calloc(1, sizeof *v);
  if (v) {
    *v = (ik_wse2_values){.state = s, .threads = threads};
    v->worker = ik_calloc((size_t)threads, sizeof *v->worker);
    v->whole = ik_calloc((size_t)n.whole + 1, sizeof *v->whole);
    bool all = v->worker && v->whole;
    for (int i = 0; v->worker && i < threads; i++) {
      all = hire(&v->worker[i], s, n) && all;
      v->worker[i].whole = v->whole;
    }
    if (all) return IK_OK;
  }
  ik_wse2_values_destroy(out);
  return ik_fail(d, IK_ERR_RESOURCE, IK_E072, IK_NOSPAN, "no memory for the wafer's rows");
}

void ik_wse2_values_destroy(ik_wse2_values **v) {
  if (!*v) return;
  for (int i = 0; (*v)->worker && i < (*v)->threads; i++) {
    worker *w = &(*v)->worker[i];
    ik_rows_free(&w->rows);
    ik_free(w->made), ik_free(w->reg), ik_free(w->leaf), ik_free(w->at);
  }
  ik_free((*v)->worker), ik_free((*v)->whole);
  ik_free(*v);
  *v = NULL;
}

/* ---- leaves ---- */

static void fill(float *r, float v) {
  for (int i = 0; i < ROW; i++) r[i] = v;
}

static float number(worker *w, const ik_expr *e) {
  static const int64_t nowhere[IK_MAX_DIM] = {0};
  return (float)ik_rows_eval(&w->rows, e, nowhere, 1, w->state->t, w->made)[0];
}

static const float *make(worker *w, const ik_expr *e, const strip *s, float *r) {
  const double *x = ik_rows_eval(&w->rows, e, s->at, s->n, w->state->t, w->made);
  for (int i = 0; i < s->n; i++) r[i] = (float)x[i];
  return r;
}

static float cell(worker *w, const ik_expr *e, const int64_t at[IK_MAX_DIM]) {
  return (float)ik_rows_cell(&w->rows, e->id, e->level, at, w->state->t);
}

/* The cells of a row that lie in the field along axis 0: `at` is as read, c has the other axes
 * mapped to where values are. */
static int inside(const ik_field *f, const int64_t at[IK_MAX_DIM], int n, int64_t c[IK_MAX_DIM],
                  int *first) {
  double sign = 1;
  for (int d = 0; d < IK_MAX_DIM; d++) c[d] = at[d];
  for (int d = 1; d < IK_MAX_DIM; d++)
    if (f->on[d] && (ik_bound_fold(f, d, &c[d], &sign) >= 0 || sign < 0)) return 0;
  int64_t lo = ik_max(f->box.lo[0] - at[0], 0), hi = ik_min(f->box.hi[0] - at[0], n);
  *first = (int)lo, c[0] += lo;
  return hi > lo ? (int)(hi - lo) : 0;
}

static const float *column(worker *w, const ik_expr *e, const strip *s, float *r) {
  const ik_field *f = &w->state->ir->field[e->id];
  int64_t         at[IK_MAX_DIM], c[IK_MAX_DIM];
  int             first = 0;
  for (int d = 0; d < IK_MAX_DIM; d++) at[d] = f->on[d] ? s->at[d] + e->off[d] : 0;
  if (!f->on[0]) {
    fill(r, cell(w, e, at));
    return r;
  }
  int          n = inside(f, at, s->n, c, &first);
  const float *data = ik_state_data(w->state, e->id, e->level);
  if (n == s->n) return data + ik_state_index(w->state, e->id, c);
  if (n > 0) memcpy(r + first, data + ik_state_index(w->state, e->id, c), (size_t)n * sizeof *data);
  int64_t x = at[0];
  for (int i = 0; i < s->n; i++) {
    if (n > 0 && i == first) i += n;
    if (i >= s->n) break;
    at[0] = x + i;
    r[i] = cell(w, e, at);
  }
  return r;
}

/* As it arrives: multiplied. */
static const float *scaled(worker *w, const ik_wse2_value *o, const strip *s, float *r) {
  const float *x = column(w, o->leaf, s, r);
  for (int i = 0; i < s->n; i++) r[i] = o->factor * x[i];
  return r;
}

/* What is the same for all rows. */
static void begin(worker *w, const ik_wse2_code *c) {
  for (int i = 0; i < c->nvalue; i++) {
    const ik_wse2_value *o = &c->value[i];
    w->at[i] = o->source == IK_WSE2_REGISTER ? w->reg[o->reg] : w->leaf[i];
    if (o->source == IK_WSE2_NUMBER) fill(w->leaf[i], number(w, o->leaf));
  }
}

static void fetch(worker *w, const ik_wse2_code *c, const strip *s) {
  for (int i = 0; i < c->nvalue; i++) {
    const ik_wse2_value *o = &c->value[i];
    if (o->source == IK_WSE2_COLUMN) w->at[i] = column(w, o->leaf, s, w->leaf[i]);
    if (o->source == IK_WSE2_SCALED) w->at[i] = scaled(w, o, s, w->leaf[i]);
    if (o->source == IK_WSE2_MADE) make(w, o->leaf, s, w->leaf[i]);
  }
}

/* ---- operations ---- */

/* On x86, fma is an instruction only of newer processors. */
#if defined(__x86_64__) && defined(__gnu_linux__) && !defined(__SANITIZE_ADDRESS__)
#define BY_PROCESSOR __attribute__((target_clones("default", "arch=haswell")))
#else
#define BY_PROCESSOR
#endif

BY_PROCESSOR static void fused(const float *a, const float *b, const float *c, float *out, int n) {
  for (int i = 0; i < n; i++) out[i] = fmaf(a[i], b[i], c[i]);
}

#define EACH(expression)                                                                           \
  for (int i = 0; i < n; i++) out[i] = (expression);                                               \
  break

/* An operation of an element on n cells. */
static void operate(ik_op op, const float *a, const float *b, const float *c, float *out, int n) {
  switch (op) {
  case IK_OP_FMA: fused(a, b, c, out, n); break;
  case IK_OP_NEG: EACH(-a[i]);
  case IK_OP_ADD: EACH(a[i] + b[i]);
  case IK_OP_SUB: EACH(a[i] - b[i]);
  case IK_OP_MUL: EACH(a[i] * b[i]);
  case IK_OP_DIV: EACH(a[i] / b[i]);
  case IK_OP_ABS: EACH(fabsf(a[i]));
  case IK_OP_SQRT: EACH(sqrtf(a[i]));
  case IK_OP_MIN: EACH(a[i] < b[i] ? a[i] : b[i]);
  case IK_OP_MAX: EACH(a[i] > b[i] ? a[i] : b[i]);
  case IK_OP_LT: EACH(a[i] < b[i]);
  case IK_OP_LE: EACH(a[i] <= b[i]);
  case IK_OP_EQ: EACH(a[i] == b[i]);
  case IK_OP_NE: EACH(a[i] != b[i]);
  case IK_OP_SELECT: EACH(a[i] != 0 ? b[i] : c[i]);
  default: EACH((float)ik_apply(op, IK_F32, a[i], b ? b[i] : 0, c ? c[i] : 0));
  }
}

/* The result's row. */
static const float *work(worker *w, const ik_wse2_code *c, const strip *s) {
  fetch(w, c, s);
  for (int i = 0; i < c->nop; i++) {
    const ik_wse2_op *op = &c->op[i];
    const float      *x[3] = {0};
    for (int k = 0; k < op->nin; k++) x[k] = w->at[op->in[k]];
    operate(op->op, x[0], x[1], x[2], w->reg[op->out], s->n);
  }
  return w->at[c->result];
}

/* ---- statements ---- */

typedef void row_fn(worker *w, const ik_wse2_code *c, const strip *s);

static void each_row(worker *w, const ik_wse2_code *c, const ik_box *b, row_fn *f) {
  strip s;
  begin(w, c);
  for (s.at[2] = b->lo[2]; s.at[2] < b->hi[2]; s.at[2]++)
    for (s.at[1] = b->lo[1]; s.at[1] < b->hi[1]; s.at[1]++)
      for (s.at[0] = b->lo[0]; s.at[0] < b->hi[0]; s.at[0] += ROW) {
        s.n = (int)ik_min(b->hi[0] - s.at[0], ROW);
        f(w, c, &s);
      }
}

typedef struct share {
  ik_wse2_values     *v;
  const ik_wse2_code *c;
  const ik_box       *box;
  row_fn             *f;
} share;

/* A thread's rows of elements. */
static void do_share(void *ctx, ik_crew *crew, int thread) {
  const share *x = ctx;
  int64_t      threads = ik_crew_threads(crew), n = x->box->hi[1] - x->box->lo[1];
  ik_box       part = *x->box;
  part.lo[1] = x->box->lo[1] + n * thread / threads;
  part.hi[1] = x->box->lo[1] + n * (thread + 1) / threads;
  each_row(&x->v->worker[thread], x->c, &part, x->f);
}

static void do_all(ik_wse2_values *v, const ik_wse2_code *c, const ik_box *b, row_fn *f) {
  enum { WORTH = 1 << 16 }; /* cells for which threads are called */
  share x = {v, c, b, f};
  ik_crew_run(ik_box_cells(b) < WORTH ? 1 : v->threads, do_share, &x);
}

static float *place(const worker *w, const ik_stmt *s, const int64_t at[IK_MAX_DIM]) {
  float *data = ik_state_data(w->state, s->field, s->level);
  return data + ik_state_index(w->state, s->field, at);
}

static float *held(const worker *w, const ik_stmt *s, const int64_t at[IK_MAX_DIM]) {
  int64_t i = 0;
  for (int d = IK_MAX_DIM - 1; d >= 0; d--)
    i = i * (s->box.hi[d] - s->box.lo[d]) + at[d] - s->box.lo[d];
  return w->whole + i;
}

static void store(worker *w, const ik_wse2_code *c, const strip *s) {
  memmove(place(w, c->stmt, s->at), work(w, c, s), (size_t)s->n * sizeof(float));
}

static void hold(worker *w, const ik_wse2_code *c, const strip *s) {
  memcpy(held(w, c->stmt, s->at), work(w, c, s), (size_t)s->n * sizeof(float));
}

static void release(worker *w, const ik_wse2_code *c, const strip *s) {
  memcpy(place(w, c->stmt, s->at), held(w, c->stmt, s->at), (size_t)s->n * sizeof(float));
}

void ik_wse2_values_assign(ik_wse2_values *v, const ik_wse2_code *c, const ik_box *part) {
  if (!ik_wse2_code_waits(c, part->hi[2] - part->lo[2] == 1)) {
    do_all(v, c, part, store);
    return;
  }
  do_all(v, c, part, hold);
  do_all(v, c, part, release);
}

static void gather(worker *w, const ik_wse2_code *c, const strip *s) {
  const ik_box *b = &c->stmt->box;
  const float  *x = work(w, c, s);
  float *sum = w->whole + (s->at[1] - b->lo[1]) * (b->hi[0] - b->lo[0]) + s->at[0] - b->lo[0];
  for (int i = 0; i < s->n; i++)
    sum[i] = s->at[2] == b->lo[2] ? x[i] : ik_wse2_combine(c->stmt->reduce, sum[i], x[i]);
}

/* From the high end of a line of partial results to its beginning. */
static float along(ik_reduce r, const float *part, int64_t stride, int64_t n) {
  float came = part[(n - 1) * stride];
  for (int64_t i = n - 2; i >= 0; i--) came = ik_wse2_combine(r, part[i * stride], came);
  return came;
}

float ik_wse2_over_fabric(ik_reduce r, float *part, int64_t nx, int64_t ny) {
  for (int64_t y = 0; y < ny; y++) part[y * nx] = along(r, part + y * nx, 1, nx);
  return along(r, part, nx, ny);
}

void ik_wse2_values_reduce(ik_wse2_values *v, const ik_wse2_code *c) {
  const ik_box *b = &c->stmt->box;
  do_all(v, c, b, gather);
  v->state->scalar[c->stmt->scalar] =
      ik_wse2_over_fabric(c->stmt->reduce, v->whole, b->hi[0] - b->lo[0], b->hi[1] - b->lo[1]);
}
