/* The statements: which cells, in which order.  Rows of cells are evaluated in rows.c. */
#include "interp/interp.h"
#include "base/mem.h"
#include <math.h>
#include <string.h>

struct ik_interp {
  ik_state *state;
  ik_rows   rows;
  double   *out;     /* [IK_ROWS_CELLS] */
  double   *whole;   /* results of an assignment that reads its own neighbours */
  double   *partial; /* one per row of a reduction */
  ik_ruled  ruled;   /* its rule is NULL unless there is one */
  bool      follow;  /* the statement at hand is under the rule */
};

static const double *eval_row(ik_interp *in, const ik_expr *e, const int64_t at[IK_MAX_DIM],
                              int n) {
  if (in->follow) return ik_ruled_eval(&in->ruled, e, at, n, in->out);
  return ik_rows_eval(&in->rows, e, at, n, in->state->t, in->out);
}

/* ---- boxes as rows ---- */

typedef void row_fn(ik_interp *in, const ik_stmt *s, const int64_t at[IK_MAX_DIM], int n);

/* Calls `f` for every row of a box, in order of memory, rows cut into pieces of IK_ROWS_CELLS. */
static void each_row(ik_interp *in, const ik_stmt *s, const ik_box *b, row_fn *f) {
  int64_t at[IK_MAX_DIM];
  for (at[2] = b->lo[2]; at[2] < b->hi[2]; at[2]++)
    for (at[1] = b->lo[1]; at[1] < b->hi[1]; at[1]++)
      for (at[0] = b->lo[0]; at[0] < b->hi[0]; at[0] += IK_ROWS_CELLS) {
        int64_t left = b->hi[0] - at[0];
        f(in, s, at, left < IK_ROWS_CELLS ? (int)left : IK_ROWS_CELLS);
      }
}

static void assign_row(ik_interp *in, const ik_stmt *s, const int64_t at[IK_MAX_DIM], int n) {
  const ik_field *f = &in->state->ir->field[s->field];
  void           *data = ik_state_data(in->state, s->field, s->level);
  const double   *v = eval_row(in, s->value, at, n);
  ik_state_store_row(f->type, data, ik_state_index(in->state, s->field, at), n, v);
}

/* ---- assignments ---- */

typedef struct own_read {
  const ik_stmt *s, *sweep;
  bool           found;
} own_read;

static bool is_swept(const ik_stmt *sweep, int axis) {
  for (int k = 0; sweep && k < sweep->naxes; k++)
    if (sweep->axis[k] == axis) return true;
  return false;
}

static void find_own_read(const ik_expr *e, void *ctx) {
  own_read *o = ctx;
  if (e->op != IK_OP_READ || e->id != o->s->field || e->level != o->s->level) return;
  for (int d = 0; d < IK_MAX_DIM; d++)
    if (e->off[d] && !is_swept(o->sweep, d)) o->found = true;
}

/* What lies along swept axes is a value of another index, unless a boundary leads back to this one.
 */
bool ik_interp_reads_own_neighbour(const ik_stmt *s, const ik_stmt *sweep) {
  own_read o = {s, sweep, false};
  ik_expr_each(s->value, find_own_read, &o);
  return o.found;
}

static int64_t index_in_box(const ik_box *b, const int64_t at[IK_MAX_DIM]) {
  int64_t i = 0;
  for (int d = IK_MAX_DIM - 1; d >= 0; d--) i = i * (b->hi[d] - b->lo[d]) + at[d] - b->lo[d];
  return i;
}

static void compute_row(ik_interp *in, const ik_stmt *s, const int64_t at[IK_MAX_DIM], int n) {
  const double *v = eval_row(in, s->value, at, n);
  memcpy(in->whole + index_in_box(&s->box, at), v, (size_t)n * sizeof *v);
}

static void store_row(ik_interp *in, const ik_stmt *s, const int64_t at[IK_MAX_DIM], int n) {
  const ik_field *f = &in->state->ir->field[s->field];
  void           *data = ik_state_data(in->state, s->field, s->level);
  ik_state_store_row(f->type, data, ik_state_index(in->state, s->field, at), n,
                     in->whole + index_in_box(&s->box, at));
}

static void assign(ik_interp *in, const ik_stmt *s, const ik_box *b, const ik_stmt *sweep) {
  if (!ik_interp_reads_own_neighbour(s, sweep)) {
    each_row(in, s, b, assign_row);
    return;
  }
  each_row(in, s, b, compute_row);
  each_row(in, s, b, store_row);
}

/* ---- sweeps ---- */

static void sweep_index(ik_interp *in, const ik_stmt *sweep, const int64_t index[IK_MAX_DIM]) {
  for (const ik_stmt *s = sweep->body; s; s = s->next) {
    ik_box b = s->box;
    bool   here = true;
    for (int k = 0; k < sweep->naxes; k++) {
      int d = sweep->axis[k];
      here = here && index[d] >= b.lo[d] && index[d] < b.hi[d];
      b.lo[d] = index[d], b.hi[d] = index[d] + 1;
    }
    if (here) assign(in, s, &b, sweep);
  }
}

static void sweep_axis(ik_interp *in, const ik_stmt *s, int k, int64_t index[IK_MAX_DIM]) {
  if (k == s->naxes || k == IK_MAX_DIM) {
    sweep_index(in, s, index);
    return;
  }
  int     d = s->axis[k];
  int64_t lo = s->box.lo[d], hi = s->box.hi[d];
  for (int64_t i = 0; i < hi - lo; i++) {
    index[d] = s->dir[k] > 0 ? lo + i : hi - 1 - i;
    sweep_axis(in, s, k + 1, index);
  }
}

/* ---- reductions ---- */

enum { LANES = 16 };

static double combine(ik_reduce r, ik_type t, double a, double b) {
  if (r == IK_SUM) return ik_type_round(t, a + b);
  return r == IK_MINIMUM ? (a < b ? a : b) : (a > b ? a : b);
}

double ik_interp_tree(ik_reduce r, ik_type t, const double *part, int64_t n) {
  if (n == 1) return part[0];
  int64_t left = 1;
  while (2 * left < n) left *= 2;
  return combine(r, t, ik_interp_tree(r, t, part, left),
                 ik_interp_tree(r, t, part + left, n - left));
}

/* A row is summed in LANES lanes, lane l taking the cells l, l+LANES, ... in order. */
static double reduce_one_row(ik_interp *in, const ik_stmt *s, const int64_t start[IK_MAX_DIM]) {
  double  lane[LANES] = {0};
  int64_t at[IK_MAX_DIM] = {start[0], start[1], start[2]}, length = s->box.hi[0] - s->box.lo[0];
  for (int64_t i = 0; i < length; i += IK_ROWS_CELLS) {
    int n = length - i < IK_ROWS_CELLS ? (int)(length - i) : IK_ROWS_CELLS;
    at[0] = start[0] + i;
    const double *v = ik_rows_eval(&in->rows, s->value, at, n, in->state->t, in->out);
    for (int k = 0; k < n; k++) {
      double *l = &lane[k % LANES];
      *l = i + k < LANES ? v[k] : combine(s->reduce, s->value->type, *l, v[k]);
    }
  }
  return ik_interp_tree(s->reduce, s->value->type, lane, length < LANES ? length : LANES);
}

static void reduce(ik_interp *in, const ik_stmt *s) {
  if (in->follow) {
    in->state->scalar[s->scalar] = ik_ruled_reduce(&in->ruled, s, in->out);
    return;
  }
  int64_t at[IK_MAX_DIM] = {s->box.lo[0]}, rows = 0;
  for (at[2] = s->box.lo[2]; at[2] < s->box.hi[2]; at[2]++)
    for (at[1] = s->box.lo[1]; at[1] < s->box.hi[1]; at[1]++)
      in->partial[rows++] = reduce_one_row(in, s, at);
  in->state->scalar[s->scalar] = ik_interp_tree(s->reduce, s->value->type, in->partial, rows);
}

/* ---- statements ---- */

double ik_interp_scalar(ik_interp *in, const ik_expr *e) {
  static const int64_t nowhere[IK_MAX_DIM] = {0};
  return ik_rows_eval(&in->rows, e, nowhere, 1, in->state->t, in->out)[0];
}

double ik_interp_read(ik_interp *in, int field, int level, const int64_t at[IK_MAX_DIM]) {
  return ik_rows_cell(&in->rows, field, level, at, in->state->t);
}

void ik_interp_run(ik_interp *in, const ik_stmt *first, const ik_stmt *end) {
  for (const ik_stmt *s = first; s != end; s = s->next) {
    int64_t index[IK_MAX_DIM] = {0};
    in->follow = in->ruled.rule && ik_rule_holds(in->state->ir, s);
    switch (s->kind) {
    case IK_ASSIGN: assign(in, s, &s->box, NULL); break;
    case IK_REDUCE: reduce(in, s); break;
    case IK_SET: in->state->scalar[s->scalar] = ik_interp_scalar(in, s->value); break;
    case IK_SWEEP: sweep_axis(in, s, 0, index); break;
    case IK_LOAD:
    case IK_STEPS:
    case IK_REPEAT: break; /* the run loop's business */
    }
  }
}

static void inject(ik_interp *in, const ik_inject *j) {
  const ik_field *f = &in->state->ir->field[j->field];
  for (int k = 0; k < j->ntap; k++) {
    const ik_tap *tap = &j->tap[k];
    double        v = ik_rows_eval(&in->rows, j->value, tap->at, 1, in->state->t, in->out)[0];
    double        amount = ik_type_round(f->type, v * tap->weight);
    double        sum = ik_state_get(in->state, j->field, 1, tap->at) + amount;
    ik_state_put(in->state, j->field, 1, tap->at, ik_type_round(f->type, sum));
    in->state->injected += fabs(amount);
  }
}

void ik_interp_step(ik_interp *in, const ik_stmt *steps) {
  ik_interp_run(in, steps->body, NULL);
  ik_interp_inject(in);
  ik_state_rotate(in->state);
}

void ik_interp_inject(ik_interp *in) {
  for (int j = 0; j < in->state->ir->ninject; j++) inject(in, &in->state->ir->inject[j]);
}

/* ---- creation: how much scratch the program needs ---- */

typedef struct need {
  int     rows;           /* scratch rows of the hungriest expression */
  int64_t whole, partial; /* cells of the largest such assignment; rows of the largest reduction */
} need;

static void max_of(int64_t *most, int64_t n) {
  if (n > *most) *most = n;
}

static void need_of_expr(need *n, const ik_expr *e) {
  int r = e ? ik_rows_need(e) : 0;
  if (r > n->rows) n->rows = r;
}

static void need_of_stmt(const ik_stmt *s, void *ctx) {
  need *n = ctx;
  need_of_expr(n, s->value);
  if (s->kind == IK_ASSIGN && ik_interp_reads_own_neighbour(s, NULL))
    max_of(&n->whole, ik_box_cells(&s->box));
  if (s->kind == IK_REDUCE)
    max_of(&n->partial, (s->box.hi[1] - s->box.lo[1]) * (s->box.hi[2] - s->box.lo[2]));
}

static need need_of(const ik_ir *ir) {
  need n = {0};
  ik_ir_each_stmt(ir, need_of_stmt, &n);
  for (int j = 0; j < ir->ninject; j++) need_of_expr(&n, ir->inject[j].value);
  return n;
}

int64_t ik_interp_bytes(const ik_ir *ir) {
  need    n = need_of(ir);
  int64_t bytes =
      (int64_t)sizeof(double) * (n.whole + n.partial + IK_ROWS_CELLS * (int64_t)(n.rows + 1));
  for (int f = 0; f < ir->nfield; f++)
    if (ir->field[f].kind == IK_FIELD_TEMP) bytes += ik_state_field_bytes(ir, f);
  return bytes;
}

ik_status ik_interp_create(ik_state *s, ik_diag *d, ik_interp **out) {
  need n = need_of(s->ir);
  *out = NULL;
  for (int f = 0; f < s->ir->nfield; f++)
    if (s->ir->field[f].kind == IK_FIELD_TEMP) IK_TRY(ik_state_add(s, f, d));
  ik_interp *in = ik_calloc(1, sizeof *in);
  *out = in;
  if (!in) return ik_fail(d, IK_ERR_RESOURCE, IK_E072, IK_NOSPAN, "no memory for the interpreter");
  in->state = s;
  in->out = ik_malloc(IK_ROWS_CELLS * sizeof *in->out);
  in->whole = ik_calloc((size_t)n.whole, sizeof *in->whole);
  in->partial = ik_calloc((size_t)n.partial, sizeof *in->partial);
  bool rows = ik_rows_init(&in->rows, s, n.rows);
  if (in->out && in->whole && in->partial && rows) return IK_OK;
  ik_interp_destroy(out);
  return ik_fail(d, IK_ERR_RESOURCE, IK_E072, IK_NOSPAN, "no memory for the interpreter's rows");
}

ik_status ik_interp_follow(ik_interp *in, const ik_rule *rule, ik_diag *d) {
  if (ik_ruled_init(&in->ruled, rule, &in->rows)) return IK_OK;
  return ik_fail(d, IK_ERR_RESOURCE, IK_E072, IK_NOSPAN, "no memory for the interpreter's tiles");
}

void ik_interp_destroy(ik_interp **in) {
  if (!*in) return;
  ik_ruled_free(&(*in)->ruled);
  ik_rows_free(&(*in)->rows);
  ik_free((*in)->out), ik_free((*in)->whole), ik_free((*in)->partial);
  ik_free(*in);
  *in = NULL;
}
