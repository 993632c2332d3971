#include "interp/rows.h"
#include "check.h"
#include "interp/interp.h"
#include "ir/apply.h"
#include <stdlib.h>

/* ---- every operation on rows is what apply.h says ---- */

enum { CELLS = 600, A = 0, B = 1, C = 2 };

typedef struct bench { /* fields a, b, c of one type and an expression over them */
  ik_ir     ir;
  ik_field  field[3];
  ik_state *state;
  ik_rows   rows;
  ik_diag   diag;
} bench;

static uint32_t next(uint32_t *s) { return (*s = *s * 1664525u + 1013904223u) >> 8; }

static double some_value(uint32_t *s) {
  static const double special[] = {
      0.0,    -0.0,  1,     -1,     NAN,  INFINITY,   -INFINITY,     0.5, 0x1p-1074, 0x1p-149,
      1e-320, 65504, 1e300, -1e300, 1e38, 2147483647, -2147483648.0, 3.5, 0x1p-24};
  if (next(s) % 3 == 0) return special[next(s) % (sizeof special / sizeof *special)];
  double v = ldexp((double)next(s) - 0x1p23, (int)(next(s) % 40) - 40);
  return v;
}

static const ik_expr *read_of(ik_expr *e, int field, ik_type t) {
  *e = (ik_expr){.op = IK_OP_READ, .type = t, .id = field};
  return e;
}

static void bench_open(bench *b, ik_type t, const ik_expr *value) {
  static const char *const name[] = {"a", "b", "c"};
  *b = (bench){
      .ir = {.name = "rows", .ndim = 1, .axis = {"x"}, .n = {CELLS, 1, 1}, .spacing = {1, 1, 1}}};
  for (int f = 0; f < 3; f++)
    b->field[f] = (ik_field){
        .name = name[f], .type = t, .on = {true}, .history = 1, .box = {{0, 0, 0}, {CELLS, 1, 1}}};
  b->ir.field = b->field, b->ir.nfield = 3;
  CHECK_EQ(ik_state_create(&b->ir, &b->diag, &b->state), IK_OK);
  CHECK(ik_rows_init(&b->rows, b->state, ik_rows_need(value)));
  uint32_t seed = 7;
  for (int f = 0; f < 3; f++)
    for (int64_t x = 0; x < CELLS; x++)
      ik_state_put(b->state, f, 0, (int64_t[]){x, 0, 0}, ik_type_round(t, some_value(&seed)));
}

static void bench_close(bench *b) {
  ik_rows_free(&b->rows);
  ik_state_destroy(&b->state);
  ik_diag_free(&b->diag);
}

static bool same(double a, double b) {
  return (isnan(a) && isnan(b)) || (a == b && signbit(a) == signbit(b));
}

static bool takes_bool(ik_op op) { return op == IK_OP_NOT || op == IK_OP_AND || op == IK_OP_OR; }
static bool compares(ik_op op) { return op >= IK_OP_LT && op <= IK_OP_NE; }
static bool needs_float(ik_op op) {
  return op == IK_OP_SQRT || op == IK_OP_FLOOR || (op >= IK_OP_EXP && op <= IK_OP_POW);
}

/* Fields of type `t` go into `op`; conditions are comparisons of them. */
static void check_op(ik_op op, ik_type t, ik_type result) {
  ik_expr        leaf[3], less[2], e = {.op = op, .type = result};
  bench          b;
  int            nargs = ik_op_nargs(op);
  const ik_expr *arg[3];
  for (int k = 0; k < 3; k++) arg[k] = read_of(&leaf[k], k, t);
  less[0] = (ik_expr){.op = IK_OP_LT, .type = IK_BOOL, .arg = {&leaf[A], &leaf[B]}};
  less[1] = (ik_expr){.op = IK_OP_LE, .type = IK_BOOL, .arg = {&leaf[B], &leaf[C]}};
  if (takes_bool(op)) arg[0] = &less[0], arg[1] = &less[1];
  if (op == IK_OP_SELECT) arg[0] = &less[0];
  for (int k = 0; k < nargs; k++) e.arg[k] = arg[k];
  bench_open(&b, t, &e);
  int wrong = 0;
  for (int64_t x = 0; x < CELLS; x += IK_ROWS_CELLS) {
    double        out[IK_ROWS_CELLS];
    int           n = CELLS - x < IK_ROWS_CELLS ? (int)(CELLS - x) : IK_ROWS_CELLS;
    const double *v = ik_rows_eval(&b.rows, &e, (int64_t[]){x, 0, 0}, n, 0, out);
    for (int i = 0; i < n; i++) {
      double in[3], cond[2];
      for (int k = 0; k < 3; k++) in[k] = ik_state_get(b.state, k, 0, (int64_t[]){x + i, 0, 0});
      cond[0] = in[A] < in[B], cond[1] = in[B] <= in[C];
      if (takes_bool(op)) in[0] = cond[0], in[1] = cond[1];
      if (op == IK_OP_SELECT) in[0] = cond[0];
      wrong += !same(v[i], ik_apply(op, result, in[0], in[1], in[2]));
    }
  }
  if (wrong)
    check_fail(__FILE__, __LINE__, "%s.%s of %s: %d cells differ", ik_op_name(op),
               ik_type_name(result), ik_type_name(t), wrong);
  bench_close(&b);
}

CASE(every_operation_of_every_type) {
  int checked = 0;
  for (ik_op op = IK_OP_NEG; op < IK_NOPS; op++)
    for (ik_type t = IK_F64; t <= IK_I32; t++) {
      bool skip =
          op == IK_OP_TABLE || (needs_float(op) && t == IK_I32) || (op == IK_OP_MOD && t != IK_I32);
      if (skip) continue;
      checked++;
      if (op == IK_OP_CAST)
        for (ik_type to = IK_F64; to <= IK_I32; to++) check_op(op, t, to);
      else
        check_op(op, t, compares(op) || takes_bool(op) ? IK_BOOL : t);
    }
  CHECK(checked > 120);
}

CASE(a_constant_times_a_row_plus_a_row) {
  for (ik_type t = IK_F64; t <= IK_BF16; t++) {
    ik_expr k = {.op = IK_OP_CONST, .type = t, .value = ik_type_round(t, 0.1)}, b, c;
    ik_expr e = {.op = IK_OP_FMA, .type = t};
    bench   x;
    double  out[IK_ROWS_CELLS];
    e.arg[0] = &k, e.arg[1] = read_of(&b, B, t), e.arg[2] = read_of(&c, C, t);
    bench_open(&x, t, &e);
    const double *v = ik_rows_eval(&x.rows, &e, (int64_t[]){3, 0, 0}, 200, 0, out);
    for (int i = 0; i < 200; i++) {
      int64_t at[] = {3 + i, 0, 0};
      CHECK(same(v[i], ik_apply(IK_OP_FMA, t, k.value, ik_state_get(x.state, B, 0, at),
                                ik_state_get(x.state, C, 0, at))));
    }
    bench_close(&x);
  }
}

/* (((a+b)+c)+a)+... left or right, as deep as `depth`. */
static const ik_expr *deep(ik_expr *pool, int depth, bool left) {
  read_of(&pool[0], A, IK_F64);
  for (int i = 1; i <= depth; i++) {
    ik_expr *leaf = &pool[2 * i], *sum = &pool[2 * i - 1];
    read_of(leaf, i % 3, IK_F64);
    const ik_expr *before = i == 1 ? &pool[0] : &pool[2 * i - 3];
    *sum = (ik_expr){.op = IK_OP_SUB, .type = IK_F64};
    sum->arg[left ? 0 : 1] = before, sum->arg[left ? 1 : 0] = leaf;
  }
  return &pool[2 * depth - 1];
}

CASE(deep_expressions_get_the_scratch_they_need) {
  enum { DEPTH = 90 };
  for (int left = 0; left < 2; left++) {
    ik_expr        pool[2 * DEPTH + 1];
    const ik_expr *e = deep(pool, DEPTH, left);
    bench          b;
    double         out[IK_ROWS_CELLS];
    bench_open(&b, IK_F64, e);
    CHECK(left ? ik_rows_need(e) < 5 : ik_rows_need(e) > DEPTH);
    const double *v = ik_rows_eval(&b.rows, e, (int64_t[]){0, 0, 0}, 100, 0, out);
    for (int x = 0; x < 100; x++) {
      double want = ik_state_get(b.state, A, 0, (int64_t[]){x, 0, 0});
      for (int i = 1; i <= DEPTH; i++) {
        double w = ik_state_get(b.state, i % 3, 0, (int64_t[]){x, 0, 0});
        want = left ? want - w : w - want;
      }
      CHECK(same(v[x], want));
    }
    bench_close(&b);
  }
}

/* ---- beyond faces ---- */

/* The cell that stands for index k of n, walked there one face at a time; *sign flips on the way.
 */
static int64_t walk(ik_bc_kind kind, int64_t k, int64_t n, double *sign) {
  for (;;) {
    if (k >= 0 && k < n) return k;
    switch (kind) {
    case IK_BC_PERIODIC: k += k < 0 ? n : -n; break;
    case IK_BC_COPY: k = k < 0 ? 0 : n - 1; break;
    case IK_BC_ANTIMIRROR: *sign = -*sign; /* fall through */
    case IK_BC_MIRROR: k = k < 0 ? -1 - k : 2 * n - 1 - k; break;
    case IK_BC_ANTIREFLECT: *sign = -*sign; /* fall through */
    case IK_BC_REFLECT: k = k < 0 ? -k : 2 * (n - 1) - k; break;
    default: abort();
    }
  }
}

typedef struct box { /* one field with boundaries */
  ik_ir     ir;
  ik_field  field;
  ik_expr   coord[3], scale[3], part[3], sum[3], time;
  ik_state *state;
  ik_rows   rows;
  ik_diag   diag;
} box;

/* The value 1000*x + 100*y + 10*z + t, in f64. */
static const ik_expr *place_value(box *b) {
  static const double factor[] = {1000, 100, 10};
  b->time = (ik_expr){.op = IK_OP_TIME, .type = IK_F64};
  const ik_expr *sum = &b->time;
  for (int d = 0; d < 3; d++) {
    b->coord[d] = (ik_expr){.op = IK_OP_COORD, .type = IK_F64, .id = d};
    b->scale[d] = (ik_expr){.op = IK_OP_CONST, .type = IK_F64, .value = factor[d]};
    b->part[d] = (ik_expr){.op = IK_OP_MUL, .type = IK_F64, .arg = {&b->scale[d], &b->coord[d]}};
    b->sum[d] = (ik_expr){.op = IK_OP_ADD, .type = IK_F64, .arg = {sum, &b->part[d]}};
    sum = &b->sum[d];
  }
  return sum;
}
static double place_at(const int64_t c[3], int64_t t) {
  return 1000.0 * (double)c[0] + 100.0 * (double)c[1] + 10.0 * (double)c[2] + (double)t;
}

static void box_open(box *b, int ndim, const int64_t n[3], ik_bc_kind kind[3][2]) {
  *b = (box){.ir = {.name = "box",
                    .ndim = ndim,
                    .axis = {"x", "y", "z"},
                    .n = {n[0], n[1], n[2]},
                    .spacing = {1, 1, 1}}};
  b->field = (ik_field){.name = "u", .type = IK_F64, .history = 1};
  const ik_expr *v = place_value(b);
  for (int d = 0; d < 3; d++) {
    b->field.on[d] = d < ndim, b->field.box.hi[d] = n[d];
    for (int side = 0; side < 2 && d < ndim; side++)
      b->field.bc[d][side] =
          (ik_bc){.kind = kind[d][side], .value = kind[d][side] == IK_BC_VALUE ? v : NULL};
  }
  b->ir.field = &b->field, b->ir.nfield = 1;
  CHECK_EQ(ik_state_create(&b->ir, &b->diag, &b->state), IK_OK);
  CHECK(ik_rows_init(&b->rows, b->state, 8));
  int64_t c[3];
  for (c[2] = 0; c[2] < n[2]; c[2]++)
    for (c[1] = 0; c[1] < n[1]; c[1]++)
      for (c[0] = 0; c[0] < n[0]; c[0]++)
        ik_state_put(b->state, 0, 0, c, 1 + (double)(c[0] + 7 * c[1] + 49 * c[2]));
}

static void box_close(box *b) {
  ik_rows_free(&b->rows);
  ik_state_destroy(&b->state);
  ik_diag_free(&b->diag);
}

/* Axes are mapped one by one; the value of the lowest axis that has one stands in the end. */
static double expected(const box *b, const int64_t at[3], int64_t t) {
  int64_t c[3] = {at[0], at[1], at[2]};
  double  sign = 1;
  bool    value = false;
  for (int d = 0; d < b->ir.ndim; d++) {
    int64_t n = b->ir.n[d];
    if (c[d] >= 0 && c[d] < n) continue;
    ik_bc_kind kind = b->field.bc[d][c[d] >= n].kind;
    if (kind == IK_BC_VALUE)
      value = true;
    else
      c[d] = walk(kind, c[d], n, &sign);
  }
  if (value) return sign * place_at(c, t);
  return sign * (1 + (double)(c[0] + 7 * c[1] + 49 * c[2]));
}

/* A read by cell and the same by rows, from `from` to `to` along axis 0. */
static int wrong_reads(box *b, const int64_t at[3], int64_t from, int64_t to) {
  int           wrong = 0;
  double        row[IK_ROWS_CELLS];
  ik_expr       e = {.op = IK_OP_READ, .type = IK_F64};
  int64_t       start[3] = {from, at[1], at[2]};
  const double *v = ik_rows_eval(&b->rows, &e, start, (int)(to - from), 5, row);
  for (int64_t x = from; x < to; x++) {
    int64_t c[3] = {x, at[1], at[2]};
    double  want = expected(b, c, 5);
    wrong += ik_rows_cell(&b->rows, 0, 0, c, 5) != want || v[x - from] != want;
  }
  return wrong;
}

CASE(every_kind_at_every_distance) {
  for (ik_bc_kind low = IK_BC_VALUE; low < IK_NBC; low++)
    for (ik_bc_kind high = IK_BC_VALUE; high < IK_NBC; high++)
      for (int64_t n = 1; n <= 5; n++) {
        bool bounces = low == IK_BC_REFLECT || low == IK_BC_ANTIREFLECT || high == IK_BC_REFLECT ||
                       high == IK_BC_ANTIREFLECT;
        if ((low == IK_BC_PERIODIC) != (high == IK_BC_PERIODIC) || (n == 1 && bounces)) continue;
        box b;
        box_open(&b, 1, (int64_t[]){n, 1, 1}, (ik_bc_kind[3][2]){{low, high}});
        int wrong = wrong_reads(&b, (int64_t[]){0, 0, 0}, -20, 21);
        if (wrong)
          check_fail(__FILE__, __LINE__, "%s, %s, %d cells: %d wrong", ik_bc_name(low),
                     ik_bc_name(high), (int)n, wrong);
        box_close(&b);
      }
}

CASE(a_single_cell_reflects_to_itself) {
  box b;
  box_open(&b, 1, (int64_t[]){1, 1, 1}, (ik_bc_kind[3][2]){{IK_BC_REFLECT, IK_BC_REFLECT}});
  for (int64_t x = -20; x <= 20; x++)
    CHECK(ik_rows_cell(&b.rows, 0, 0, (int64_t[]){x, 0, 0}, 0) == 1);
  box_close(&b);
}

CASE(kinds_meet_in_corners) {
  for (ik_bc_kind x = IK_BC_VALUE; x < IK_NBC; x++)
    for (ik_bc_kind y = IK_BC_VALUE; y < IK_NBC; y++) {
      box b;
      int wrong = 0;
      box_open(&b, 2, (int64_t[]){4, 3, 1}, (ik_bc_kind[3][2]){{x, x}, {y, y}});
      for (int64_t j = -8; j <= 10; j++) wrong += wrong_reads(&b, (int64_t[]){0, j, 0}, -9, 13);
      if (wrong)
        check_fail(__FILE__, __LINE__, "%s and %s: %d wrong", ik_bc_name(x), ik_bc_name(y), wrong);
      box_close(&b);
    }
}

CASE(three_axes_with_a_kind_each) {
  box b;
  int wrong = 0;
  box_open(&b, 3, (int64_t[]){4, 3, 2},
           (ik_bc_kind[3][2]){{IK_BC_ANTIMIRROR, IK_BC_VALUE},
                              {IK_BC_VALUE, IK_BC_REFLECT},
                              {IK_BC_PERIODIC, IK_BC_PERIODIC}});
  for (int64_t k = -5; k <= 6; k++)
    for (int64_t j = -5; j <= 7; j++) wrong += wrong_reads(&b, (int64_t[]){0, j, k}, -6, 10);
  CHECK_EQ(wrong, 0);
  box_close(&b);
}

CASE(a_boundary_knows_the_time_of_the_level_it_is_read_at) {
  box b;
  box_open(&b, 1, (int64_t[]){3, 1, 1}, (ik_bc_kind[3][2]){{IK_BC_VALUE, IK_BC_VALUE}});
  for (int level = -2; level <= 1; level++)
    CHECK(ik_rows_cell(&b.rows, 0, level, (int64_t[]){-1, 0, 0}, 10) == -1000 + 10 + level);
  box_close(&b);
}

/* ---- leaves ---- */

static double noise_of(int id, const int64_t at[3], const int off[3]) {
  ik_expr e = {.op = IK_OP_NOISE, .type = IK_F64, .value = id, .off = {off[0], off[1], off[2]}};
  box     b;
  double  out[IK_ROWS_CELLS];
  box_open(&b, 3, (int64_t[]){8, 8, 8}, (ik_bc_kind[3][2]){{0}});
  double v = ik_rows_eval(&b.rows, &e, at, 3, 0, out)[2];
  box_close(&b);
  return v;
}

CASE(noise_is_the_hash_that_the_weather_stencils_use) {
  static const int here[3] = {0}, there[3] = {2, 3, 4};
  /* the third cell of a row that starts two cells before */
  CHECK_NEAR(noise_of(1, (int64_t[]){-2, 0, 0}, here), 0.126449823, 5e-10);
  CHECK(noise_of(7, (int64_t[]){1, 3, 4}, here) == noise_of(7, (int64_t[]){-1, 0, 0}, there));
  CHECK(noise_of(7, (int64_t[]){1, 3, 4}, here) != noise_of(8, (int64_t[]){1, 3, 4}, here));
}

CASE(noise_is_spread_over_the_unit_interval) {
  int count[10] = {0};
  for (int i = 0; i < 1000; i++) {
    double v = noise_of(3, (int64_t[]){i % 10, i / 10 % 10, i / 100}, (int[]){0, 0, 0});
    CHECK(v >= 0 && v < 1);
    if (v >= 0 && v < 1) count[(int)(10 * v)]++;
  }
  for (int k = 0; k < 10; k++) CHECK(count[k] > 60 && count[k] < 140);
}
