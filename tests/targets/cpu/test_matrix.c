#include "targets/cpu/matrix.h"
#include "facts/build.h"
#include "base/mem.h"
#include "base/num.h"
#include "interp/interp.h"
#include "targets/cpu/rt/tile.h"

static uint32_t seed = 1;

static uint32_t next(void) { return (seed = seed * 1664525u + 1013904223u) >> 8; }
static double   uniform(void) { return (double)next() / 0x1p23 - 1; }
static int      below(int n) { return (int)(next() % (uint32_t)n); }

/* ---- the model of the unit ---- */

static ik_tile_unit        unit;
static ik_tile_unit *const model = &unit;

static void fill_tile(int r, double (*value)(void)) {
  for (int m = 0; m < 16; m++)
    for (int i = 0; i < 32; i++) unit.reg[r].bf16[m][i] = ik_bf16_from_f64(value());
}

static double near_one(void) { return uniform(); }
static double any_size(void) { return ldexp(uniform(), below(250) - 125); }

CASE(narrowing_is_that_of_the_language) {
  static const float special[] = {0,        -0.0f,     1,   0x1p-149f, 0x1p-126f, 3.4e38f,
                                  INFINITY, -INFINITY, NAN, 0x1.01p0f, 0x1.03p0f, 0x1.0100001p0f};
  for (int i = 0; i < 12; i++)
    CHECK_EQ(ik_tile_narrow(special[i]), ik_bf16_from_f64((double)special[i]));
  for (int i = 0; i < 100000; i++) {
    uint32_t bits = next() << 16 ^ next();
    float    v;
    memcpy(&v, &bits, sizeof v);
    CHECK_EQ(ik_tile_narrow(v), ik_bf16_from_f64((double)v));
  }
}

/* Any bits at all, and some that are rare among them. */
static float any_bits(void) {
  static const uint32_t rare[] = {0,          0x80000000, 0x7f800000, 0xff800000, 0x7f800001,
                                  0xffc00000, 0x007fffff, 0x807fffff, 0x00800000, 0x7f7fffff,
                                  0x3f808000, 0x3f818000, 0x3f808001, 1};
  uint32_t              bits = below(8) ? next() << 16 ^ next() : rare[below(14)];
  float                 v;
  memcpy(&v, &bits, sizeof v);
  return v;
}

CASE(a_line_is_narrowed_as_the_language_does_but_for_small_numbers) {
  float    v[32];
  uint16_t is[32], there[32];
  for (int round = 0; round < 4000; round++) {
    for (int i = 0; i < 32; i++) v[i] = any_bits();
    ik_tile_narrow_line(model, is, v);
    for (int i = 0; i < 32; i++) {
      bool small = fabsf(v[i]) < 0x1p-126f;
      if (isnan(v[i]))
        CHECK(isnan(ik_tile_widen(is[i])) && is[i] & 0x40);
      else
        CHECK_EQ(is[i], small ? (signbit(v[i]) ? 0x8000 : 0) : ik_bf16_from_f64((double)v[i]));
    }
    if (!ik_matrix_here(NULL)) continue;
    ik_tile_narrow_line(NULL, there, v);
    CHECK(!memcmp(is, there, sizeof is));
  }
}

/* Products of bf16 are exact in f32, and so is the sum here: any order gives it. */
CASE(a_product_of_small_whole_numbers_is_exact) {
  double a[16][32], b[32][16];
  ik_tile_zero(model, 0);
  for (int m = 0; m < 16; m++)
    for (int k = 0; k < 32; k++)
      unit.reg[5].bf16[m][k] = ik_bf16_from_f64(a[m][k] = below(200) - 100);
  for (int k = 0; k < 32; k++)
    for (int n = 0; n < 16; n++)
      unit.reg[4].bf16[k / 2][2 * n + k % 2] = ik_bf16_from_f64(b[k][n] = below(200) - 100);
  ik_tile_dot(model, 0, 5, 4);
  ik_tile_dot(model, 0, 5, 4);
  for (int m = 0; m < 16; m++)
    for (int n = 0; n < 16; n++) {
      double sum = 0;
      for (int k = 0; k < 32; k++) sum += a[m][k] * b[k][n];
      CHECK_NEAR((double)unit.reg[0].f32[m][n], 2 * sum, 0);
    }
}

static void one_row(const double a[4], const double b[4], double c) {
  memset(&unit, 0, sizeof unit);
  for (int k = 0; k < 4; k++) {
    unit.reg[5].bf16[0][k] = ik_bf16_from_f64(a[k]);
    unit.reg[4].bf16[k / 2][k % 2] = ik_bf16_from_f64(b[k]);
  }
  unit.reg[0].f32[0][0] = (float)c;
  ik_tile_dot(model, 0, 5, 4);
}

/* In the order of the manual: evens, odds, their sum, the result. */
CASE(the_order_of_a_product) {
  one_row((double[]){1, 1, 1, -1}, (double[]){0x1p30, 1, 1, 0x1p30}, 0);
  CHECK_NEAR((double)unit.reg[0].f32[0][0], 0, 0); /* 2^30 + 1, 1 - 2^30 */
  one_row((double[]){1, 1, -1, 1}, (double[]){0x1p30, 1, 0x1p30, 1}, 0);
  CHECK_NEAR((double)unit.reg[0].f32[0][0], 2, 0);
  one_row((double[]){1, 0, 0, 0}, (double[]){1, 0, 0, 0}, 0x1p25);
  CHECK_NEAR((double)unit.reg[0].f32[0][0], 0x1p25, 0); /* to even */
  one_row((double[]){1, 1, 1, 1}, (double[]){1, 1, 1, 1}, 0x1p25);
  CHECK_NEAR((double)unit.reg[0].f32[0][0], 0x1p25 + 4, 0); /* added as one */
}

CASE(what_is_below_the_normal_numbers_is_zero) {
  one_row((double[]){0x1p-127, 0, 0, 0}, (double[]){0x1p100, 0, 0, 0}, 0);
  CHECK_NEAR((double)unit.reg[0].f32[0][0], 0, 0);
  one_row((double[]){0x1p-100, 0, 0, 0}, (double[]){0x1p-27, 0, 0, 0}, 0);
  CHECK_NEAR((double)unit.reg[0].f32[0][0], 0, 0);
  one_row((double[]){1, 0, 0, 0}, (double[]){0, 0, 0, 0}, 0x1p-130);
  CHECK_NEAR((double)unit.reg[0].f32[0][0], 0, 0);
  one_row((double[]){0x1p-100, 0, 0, 0}, (double[]){0x1p-26, 0, 0, 0}, 0);
  CHECK_NEAR((double)unit.reg[0].f32[0][0], 0x1p-126, 0);
}

static void multiply_twice(ik_tile_unit *u, ik_tile_unit *tiles) {
  ik_tile_begin(u);
  ik_tile_load(u, 0, tiles->reg[0].f32, 64);
  ik_tile_load(u, 4, tiles->reg[4].bf16, 64);
  ik_tile_load(u, 6, tiles->reg[6].bf16, 64);
  ik_tile_dot(u, 0, 6, 4);
  ik_tile_dot(u, 0, 6, 4);
  ik_tile_store(u, 0, tiles->reg[0].f32, 64);
  ik_tile_end(u);
}

CASE(the_unit_computes_what_the_model_does) {
  static ik_tile_unit registers, a, b;
  if (!ik_matrix_here(NULL)) return;
  for (int round = 0; round < 200; round++) {
    fill_tile(4, round % 2 ? near_one : any_size);
    fill_tile(6, round % 2 ? near_one : any_size);
    for (int m = 0; m < 16; m++)
      for (int n = 0; n < 16; n++) unit.reg[0].f32[m][n] = (float)any_size();
    a = b = unit;
    multiply_twice(&registers, &a);
    multiply_twice(NULL, &b);
    CHECK(!memcmp(&a.reg[0], &b.reg[0], sizeof a.reg[0]));
  }
}

/* ---- programs ---- */

typedef struct tap {
  int    off[3];
  double w;
} tap;

enum { MOST_TAPS = 300 };
static struct {
  int      n, u;
  tap      t[MOST_TAPS];
  ik_stmt *steps;
} stencil;

static void add_tap(int x, int y, int z, double w) {
  for (int i = 0; i < stencil.n; i++) {
    const int *o = stencil.t[i].off;
    if (o[0] == x && o[1] == y && o[2] == z) return;
  }
  stencil.t[stencil.n++] = (tap){{x, y, z}, w};
}

static void random_taps(int ndim, int n, int rx, int ry) {
  stencil.n = 0;
  for (int i = 0; i < n; i++)
    add_tap(below(2 * rx + 1) - rx, ndim > 1 ? below(2 * ry + 1) - ry : 0,
            ndim > 2 ? below(2 * ry + 1) - ry : 0, ik_round_f32(uniform()));
}

static void box_taps(int r, double scale) {
  stencil.n = 0;
  for (int y = -r; y <= r; y++)
    for (int x = -r; x <= r; x++) add_tap(x, y, 0, ik_round_f32(scale * uniform()));
}

static ik_expr *typed(double v, ik_type t) {
  ik_expr *e = number(v);
  e->type = t;
  return e;
}

/* The program that takes the taps of `stencil`, with the same kind of boundary all around. */
static void build(int ndim, const int64_t n[3], ik_type t, ik_bc_kind kind) {
  program(ndim, n[0], n[1], n[2]);
  int u = stencil.u = field("u", t, 1);
  for (int d = 0; d < ndim; d++)
    for (int side = 0; side < 2; side++) {
      ik_bc *b = &built->field[u].bc[d][side];
      b->kind = kind;
      if (kind == IK_BC_VALUE) b->value = typed(0.25 + d - 0.5 * side, t);
    }
  ik_expr *sum = NULL;
  for (int i = 0; i < stencil.n; i++) {
    tap     *p = &stencil.t[i];
    ik_expr *cell = at(u, p->off[0], p->off[1], p->off[2]);
    p->w = ik_type_round(t, p->w);
    sum = sum ? node(IK_OP_FMA, typed(p->w, t), cell, sum) : mul(typed(p->w, t), cell);
  }
  stencil.steps = steps(3);
  assign(u, 1, sum);
}

static ik_state *start(double (*value)(void)) {
  ik_state *s;
  ik_diag   d = {0};
  CHECK_EQ(ik_state_create(built, &d, &s), IK_OK);
  for (int64_t i = 0; i < s->slot[stencil.u].layout->cells; i++) {
    double v = value();
    ik_state_store_row(built->field[stencil.u].type, ik_state_data(s, stencil.u, 0), i, 1, &v);
  }
  return s;
}

static ik_matrix *matrix(ik_state *s, int threads, int terms) {
  ik_matrix *m;
  ik_diag    d = {0};
  CHECK_EQ(ik_matrix_create(s, stencil.steps, threads, terms, &d, &m), IK_OK);
  return m;
}

/* The largest distance of level 0 from the exact result, whose inputs are level 1 by now. */
static double worst_error(const ik_state *s, const double *exact) {
  double  most = 0, v;
  ik_type t = built->field[stencil.u].type;
  for (int64_t i = 0; i < s->slot[stencil.u].layout->cells; i++) {
    ik_state_load_row(t, ik_state_data(s, stencil.u, 0), i, 1, &v);
    double e = fabs(v - exact[i]);
    most = e <= most ? most : e; /* NaN stays */
  }
  return most;
}

/* Sums in double of what the interpreter reads; *most: the largest of those values. */
static double *exact_step(ik_state *s, double *most) {
  const ik_field *f = &built->field[stencil.u];
  double         *sum = calloc((size_t)s->slot[stencil.u].layout->cells, sizeof *sum), *to = sum;
  ik_interp      *in;
  ik_diag         d = {0};
  int64_t         c[3];
  *most = 0;
  CHECK_EQ(ik_interp_create(s, &d, &in), IK_OK);
  for (c[2] = 0; c[2] < f->box.hi[2]; c[2]++)
    for (c[1] = 0; c[1] < f->box.hi[1]; c[1]++)
      for (c[0] = 0; c[0] < f->box.hi[0]; c[0]++, to++)
        for (int i = 0; i < stencil.n; i++) {
          const int *o = stencil.t[i].off;
          int64_t    q[3] = {c[0] + o[0], c[1] + o[1], c[2] + o[2]};
          double     v = ik_interp_read(in, stencil.u, 0, q);
          *to += stencil.t[i].w * v;
          *most = fabs(v) > *most ? fabs(v) : *most;
        }
  ik_interp_destroy(&in);
  return sum;
}

/* n whole steps on the calling thread. */
static void advance(ik_matrix *m, int64_t n) {
  for (int64_t i = 0; i < n; i++) {
    for (int64_t t = 0; t < ik_matrix_tiles(m); t++) ik_matrix_tile(m, t, ik_matrix_scratch(m, 0));
    ik_matrix_finish(m);
  }
}

/* One step from random data against the exact one; returns the error in units of the bound. */
static double error_of(int terms, double (*value)(void)) {
  double     most, share;
  ik_state  *s = start(value);
  double    *exact = exact_step(s, &most);
  ik_matrix *m = matrix(s, 2, terms);
  ik_matrix_use_model(m);
  advance(m, 1);
  share = worst_error(s, exact) / ik_matrix_bound(m, most);
  CHECK_EQ(s->t, 1);
  double grows = ik_matrix_bound(m, 1) - ik_matrix_bound(m, 0); /* with the values */
  CHECK(ik_matrix_loss(s->ir, s->ir->body, terms) >= 0.999999 * grows);
  CHECK(terms == 1 ||
        ik_matrix_loss(s->ir, s->ir->body, terms) < ik_matrix_loss(s->ir, s->ir->body, terms - 1));
  ik_matrix_destroy(&m);
  ik_state_destroy(&s);
  free(exact);
  return share;
}

/* ---- legality ---- */

static const char *illegal(void) {
  const char *why = ik_matrix_illegal(built, stencil.steps);
  return why ? why : "";
}

static void expect_illegal(const char *part) {
  if (!strstr(illegal(), part)) check_fail(__FILE__, __LINE__, "\"%s\", not %s", illegal(), part);
  done();
}

/* u' = value, of two fields in 1D. */
static void with(ik_type t, const ik_expr *(*value)(int u, int v)) {
  program(1, 64, 1, 1);
  int u = field("u", t, 2), v = field("v", t, 1);
  built->field[u].bc[0][0].kind = built->field[u].bc[0][1].kind = IK_BC_PERIODIC;
  stencil.steps = steps(3);
  assign(u, 1, value(u, v));
}

static const ik_expr *shifted(int u, int v) { return (void)v, at(u, 1, 0, 0); }
static const ik_expr *from_v(int u, int v) { return (void)u, at(v, 0, 0, 0); }
static const ik_expr *square(int u, int v) { return (void)v, mul(at(u, 0, 0, 0), at(u, 0, 0, 0)); }
static const ik_expr *scaled(int u, int v) { return mul(at(u, 0, 0, 0), at(v, 0, 0, 0)); }
static const ik_expr *lifted(int u, int v) {
  return (void)v, add(at(u, 0, 0, 0), typed(1, IK_F32));
}
static const ik_expr *older(int u, int v) {
  return (void)v, add(at(u, 0, 0, 0), at_level(u, -1, 0, 0, 0));
}
static const ik_expr *distant(int u, int v) { return (void)v, at(u, 9, 0, 0); }

CASE(steps_that_are_products) {
  with(IK_F32, shifted);
  CHECK_STR(illegal(), "");
  done();
  with(IK_F16, shifted);
  CHECK_STR(illegal(), "");
  done();
  with(IK_F32, from_v);
  CHECK_STR(illegal(), "");
  done();
}

CASE(steps_that_are_none) {
  with(IK_F64, shifted), expect_illegal("f32, f16 and bf16");
  with(IK_F32, square), expect_illegal("not linear");
  with(IK_F32, scaled), expect_illegal("not constant");
  with(IK_F32, lifted), expect_illegal("not a multiple");
  with(IK_F32, older), expect_illegal("older");
  with(IK_F32, distant), expect_illegal("8 cells");
  with(IK_F32, shifted), narrow(stencil.steps->body, 0, 1, 64), expect_illegal("leaves out");
  with(IK_F32, shifted), assign(1, 1, at(0, 0, 0, 0)), expect_illegal("more than one field");
  with(IK_F32, shifted), reduce(scalar("s"), at(0, 0, 0, 0)), expect_illegal("more than assign");
  with(IK_F32, shifted), built->ninject = 1, expect_illegal("sources");
  with(IK_F32, shifted);
  built->field[0].bc[0][1] = (ik_bc){.kind = IK_BC_VALUE, .value = leaf(IK_OP_TIME, 0)};
  expect_illegal("boundary value");
}

/* lap = sum of two neighbours, on one cell more at each side; u' = u + lap + lap[1] */
CASE(temporaries_are_read_through) {
  static const double exact[8] = {0 + 7 + 1 + 0 + 2, 1 + 0 + 2 + 1 + 3, 2 + 1 + 3 + 2 + 4,
                                  3 + 2 + 4 + 3 + 5, 4 + 3 + 5 + 4 + 6, 5 + 4 + 6 + 5 + 7,
                                  6 + 5 + 7 + 6 + 0, 7 + 6 + 0 + 7 + 1};
  program(1, 8, 1, 1);
  int u = stencil.u = field("u", IK_F32, 1), lap = temp("lap", IK_F32);
  built->field[u].bc[0][0].kind = built->field[u].bc[0][1].kind = IK_BC_PERIODIC;
  built->field[lap].box.hi[0] = 9;
  stencil.steps = steps(1);
  assign(lap, 0, add(at(u, -1, 0, 0), at(u, 1, 0, 0)));
  assign(u, 1, add(at(u, 0, 0, 0), add(at(lap, 0, 0, 0), at(lap, 1, 0, 0))));
  CHECK_STR(illegal(), "");
  ik_state  *s = start(near_one);
  ik_matrix *m = matrix(s, 1, 1);
  for (int i = 0; i < 8; i++) ((float *)ik_state_data(s, u, 0))[i] = (float)i;
  advance(m, 1);
  CHECK_NEAR(worst_error(s, exact), 0, 0);
  ik_matrix_destroy(&m);
  ik_state_destroy(&s);
  done();
}

/* ---- results ---- */

static const ik_bc_kind kinds[] = {IK_BC_VALUE,   IK_BC_PERIODIC,    IK_BC_MIRROR, IK_BC_ANTIMIRROR,
                                   IK_BC_REFLECT, IK_BC_ANTIREFLECT, IK_BC_COPY};
static const ik_type    types[] = {IK_F32, IK_F16, IK_BF16};

static void within_bound(int ndim, const int64_t n[3], ik_type t, ik_bc_kind kind, int terms) {
  build(ndim, n, t, kind);
  CHECK_STR(illegal(), "");
  double share = error_of(terms, near_one);
  if (!(share <= 1))
    check_fail(__FILE__, __LINE__, "%g of the bound: %d x %d x %d, %s, %s, %d terms", share,
               (int)n[0], (int)n[1], (int)n[2], ik_type_name(t), ik_bc_name(kind), terms);
  done();
}

/* Of every kind of boundary with every type and number of terms, sizes from 1 to some tiles. */
static void all_kinds(int ndim, const int64_t (*size)[3], int nsize, int rx, int ry) {
  int round = 0;
  seed = 1; /* on every machine: cases before this one draw more where there is a unit */
  for (int k = 0; k < 7; k++)
    for (int t = 0; t < 3; t++)
      for (int terms = 1; terms <= 3; terms++) {
        random_taps(ndim, 1 + below(24), rx, ry);
        within_bound(ndim, size[round++ % nsize], types[t], kinds[k], terms);
      }
}

CASE(lines) {
  static const int64_t size[][3] = {{1, 1, 1},   {2, 1, 1},   {7, 1, 1},    {31, 1, 1},
                                    {127, 1, 1}, {128, 1, 1}, {1000, 1, 1}, {9001, 1, 1}};
  all_kinds(1, size, 8, 8, 0);
}

CASE(planes) {
  static const int64_t size[][3] = {{1, 1, 1},  {3, 2, 1},   {16, 16, 1}, {17, 33, 1}, {1, 40, 1},
                                    {40, 1, 1}, {130, 7, 1}, {37, 67, 1}, {145, 41, 1}};
  all_kinds(2, size, 9, 8, 7);
}

CASE(volumes) {
  static const int64_t size[][3] = {{1, 1, 1}, {5, 4, 3}, {33, 3, 9}, {2, 35, 5}, {19, 1, 17}};
  all_kinds(3, size, 5, 4, 3);
}

/* Reads across some faces alone: nothing is asked of the others, which have no boundary. */
CASE(faces_without_a_boundary) {
  static const int64_t n[3] = {133, 37, 3};
  for (int axis = 0; axis < 3; axis++) {
    stencil.n = 0;
    for (int i = 0; i <= 3; i++)
      add_tap(axis == 0 ? i : 0, axis == 1 ? i : 0, axis == 2 ? i : 0, 0.5 + i);
    build(3, n, IK_F32, IK_BC_NONE);
    built->field[0].bc[axis][1].kind = IK_BC_MIRROR;
    CHECK(error_of(2, near_one) <= 1);
    done();
  }
}

CASE(far_rows_and_planes) {
  static const int64_t size[3] = {20, 9, 6};
  random_taps(3, 20, 8, 16);
  within_bound(3, size, IK_F32, IK_BC_MIRROR, 3);
}

/* A plane of 3D grids with no reads across planes, and several tiles along each axis. */
CASE(many_tiles) {
  static const int64_t flat[3] = {130, 70, 20}, tall[3] = {140, 600, 1}, deep[3] = {8, 40, 130};
  random_taps(2, 9, 2, 2);
  within_bound(3, flat, IK_F32, IK_BC_COPY, 1);
  random_taps(2, 9, 2, 2);
  within_bound(2, tall, IK_F32, IK_BC_PERIODIC, 2);
  random_taps(3, 9, 1, 1);
  within_bound(3, deep, IK_F32, IK_BC_REFLECT, 1);
}

CASE(values_of_any_size_stay_within_the_bound) {
  static const int64_t n[3] = {50, 40, 1};
  for (int terms = 1; terms <= 3; terms++) {
    random_taps(2, 12, 8, 3);
    build(2, n, IK_F32, IK_BC_PERIODIC);
    CHECK(error_of(terms, any_size) <= 1);
    done();
  }
}

static double tiny(void) { return ldexp(uniform(), -120); }

CASE(values_near_the_smallest_stay_within_the_bound) {
  static const int64_t n[3] = {50, 40, 1};
  for (int terms = 1; terms <= 3; terms++) {
    random_taps(2, 12, 8, 3);
    build(2, n, IK_F32, IK_BC_PERIODIC);
    CHECK(error_of(terms, tiny) <= 1);
    done();
  }
}

/* The error against the interpreter after some steps: each term is worth some 8 bits. */
static double drift(int terms) {
  ik_state *a = start(near_one), *b;
  ik_diag   d = {0};
  double    most = 0;
  CHECK_EQ(ik_state_create(built, &d, &b), IK_OK);
  memcpy(ik_state_data(b, 0, 0), ik_state_data(a, 0, 0), a->slot[0].layout->bytes);
  ik_interp *in;
  CHECK_EQ(ik_interp_create(b, &d, &in), IK_OK);
  ik_matrix *m = matrix(a, 1, terms);
  for (int i = 0; i < 3; i++) ik_interp_step(in, stencil.steps);
  advance(m, 3);
  const float *x = ik_state_data(a, 0, 0), *y = ik_state_data(b, 0, 0);
  for (int64_t i = 0; i < a->slot[0].layout->cells; i++) {
    double e = fabs((double)x[i] - (double)y[i]);
    most = e <= most ? most : e;
  }
  ik_matrix_destroy(&m), ik_interp_destroy(&in);
  ik_state_destroy(&a), ik_state_destroy(&b);
  return most;
}

CASE(more_terms_are_closer_to_the_interpreter) {
  static const int64_t n[3] = {70, 50, 1};
  box_taps(7, 1.0 / 64);
  build(2, n, IK_F32, IK_BC_MIRROR);
  double one = drift(1), two = drift(2), three = drift(3);
  CHECK(one < 0x1p-10 && one > 50 * two && two > 3 * three && three < 0x1p-24);
  done();
}

/* Weights and values that bf16 holds leave nothing to further terms. */
static double whole(void) { return below(64) - 32; }

CASE(exact_numbers_give_exact_results) {
  static const int64_t n[3] = {70, 50, 1};
  double               most;
  stencil.n = 0;
  for (int i = -3; i <= 3; i++) add_tap(i, i, 0, i), add_tap(i, 0, 0, 0.5);
  build(2, n, IK_F32, IK_BC_PERIODIC);
  for (int terms = 1; terms <= 3; terms++) {
    ik_state  *s = start(whole);
    double    *exact = exact_step(s, &most);
    ik_matrix *m = matrix(s, 1, terms);
    advance(m, 1);
    CHECK_NEAR(worst_error(s, exact), 0, 0);
    ik_matrix_destroy(&m), ik_state_destroy(&s);
    free(exact);
  }
  done();
}

/* ---- the same bits, however it is done ---- */

enum { FORWARDS, BACKWARDS, MODEL };

static uint64_t hash_of(int threads, int terms, int how) {
  seed = 99;
  ik_state  *s = start(near_one);
  ik_matrix *m = matrix(s, threads, terms);
  if (how == MODEL) ik_matrix_use_model(m);
  for (int step = 0; step < 2; step++) {
    int64_t n = ik_matrix_tiles(m);
    for (int64_t i = 0; i < n; i++)
      ik_matrix_tile(m, how == BACKWARDS ? n - 1 - i : i, ik_matrix_scratch(m, (int)i % threads));
    ik_matrix_finish(m);
  }
  uint64_t h = ik_state_hash(s);
  ik_matrix_destroy(&m), ik_state_destroy(&s);
  return h;
}

/* On a machine with a unit, MODEL compares it with the model, bit for bit. */
static void same_bits(int ndim, const int64_t n[3], ik_type t) {
  build(ndim, n, t, IK_BC_ANTIMIRROR);
  for (int terms = 1; terms <= 3; terms++) {
    uint64_t h = hash_of(1, terms, FORWARDS);
    CHECK(hash_of(9, terms, BACKWARDS) == h);
    CHECK(hash_of(2, terms, MODEL) == h);
  }
  done();
}

LONG_CASE(threads_tiles_and_the_model_change_no_bit) {
  static const int64_t line[3] = {9000, 1, 1}, plane[3] = {140, 130, 1}, volume[3] = {20, 35, 18};
  random_taps(1, 9, 8, 0);
  same_bits(1, line, IK_F32);
  box_taps(3, 0.1);
  same_bits(2, plane, IK_F32);
  same_bits(2, plane, IK_BF16);
  random_taps(3, 15, 3, 2);
  same_bits(3, volume, IK_F32);
}

/* A field of 16 MiB and more, whose rows begin anywhere in a line of memory. */
CASE(large_results_are_streamed) {
  static const int64_t n[3] = {4099, 1025, 1};
  stencil.n = 0;
  add_tap(-1, 0, 0, 0.5), add_tap(1, 0, 0, 0.5);
  build(2, n, IK_F32, IK_BC_PERIODIC);
  ik_state *s;
  ik_diag   d = {0};
  int64_t   wrong = 0;
  CHECK_EQ(ik_state_create(built, &d, &s), IK_OK);
  float *u = ik_state_data(s, 0, 0);
  for (int64_t i = 0; i < n[0] * n[1]; i++) u[i] = (float)(i * 7 % 61);
  ik_matrix   *m = matrix(s, 1, 1);
  const float *v = ik_state_data(s, 0, 1);
  advance(m, 1);
  for (int64_t y = 0; y < n[1]; y++)
    for (int64_t x = 0; x < n[0]; x++) {
      const float *row = u + y * n[0];
      float        sum = row[x ? x - 1 : n[0] - 1] + row[x + 1 < n[0] ? x + 1 : 0];
      wrong += v[y * n[0] + x] != 0.5f * sum;
    }
  CHECK_EQ(wrong, 0);
  ik_matrix_destroy(&m), ik_state_destroy(&s);
  done();
}

CASE(a_value_that_is_no_number_is_not_lost) {
  static const int64_t n[3] = {40, 40, 1};
  box_taps(1, 1);
  build(2, n, IK_F32, IK_BC_PERIODIC);
  for (int terms = 1; terms <= 3; terms++) {
    ik_state  *s = start(near_one);
    ik_matrix *m = matrix(s, 1, terms);
    ik_state_put(s, 0, 0, (int64_t[]){20, 20, 0}, NAN);
    advance(m, 1);
    for (int y = 19; y <= 21; y++)
      for (int x = 19; x <= 21; x++) CHECK(isnan(ik_state_get(s, 0, 0, (int64_t[]){x, y, 0})));
    CHECK(isfinite(ik_state_get(s, 0, 0, (int64_t[]){20, 22, 0})));
    ik_matrix_destroy(&m), ik_state_destroy(&s);
  }
  done();
}

/* ---- memory ---- */

CASE(scratch_is_small) {
  static const int64_t n[3] = {4096, 4096, 1};
  box_taps(7, 1);
  build(2, n, IK_F32, IK_BC_PERIODIC);
  for (int terms = 1; terms <= 3; terms++)
    CHECK(ik_matrix_bytes(built, stencil.steps, 16, terms) * 10 < ik_state_bytes(built));
  done();
}

CASE(without_memory_it_says_so) {
  static const int64_t n[3] = {30, 30, 1};
  ik_status            status = IK_ERR_RESOURCE;
  box_taps(1, 1);
  build(2, n, IK_F32, IK_BC_PERIODIC);
  ik_state *s = start(near_one);
  for (int i = 0; status && i < 100; i++) {
    ik_matrix *m;
    ik_diag    d = {0};
    ik_mem_fail_after(i);
    status = ik_matrix_create(s, stencil.steps, 2, 2, &d, &m);
    ik_mem_fail_after(-1);
    CHECK(status ? !m && d.nerror == 1 && d.msg[0].code == IK_E072 : m != NULL);
    if (!status) CHECK(i > 4);
    ik_matrix_destroy(&m);
    ik_diag_free(&d);
  }
  CHECK_EQ(status, IK_OK);
  ik_mem_fail_after(0);
  CHECK(strstr(illegal(), "memory"));
  ik_mem_fail_after(-1);
  ik_state_destroy(&s);
  done();
}

CASE(a_machine_without_a_unit_says_why) {
  ik_buf why = {0};
  bool   here = ik_matrix_here(&why);
  CHECK(here == !why.len);
  ik_buf_free(&why);
}
