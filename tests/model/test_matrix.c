#include "check.h"
#include "base/arena.h"
#include "facts/points.h"
#include "model/matrix.h"
#include <stdlib.h>

static ik_matrix_stencil box(int d, int r, int t, double value) {
  return (ik_matrix_stencil){ik_matrix_points_box(d, r, 1), ik_matrix_points_box(d, r, t), t,
                             value};
}

static const ik_matrix_machine a100_f64 = {9.7e12, 19.5e12, 1.935e12};
static const ik_matrix_machine a100_dense = {19.5e12, 156e12, 1.935e12};
static const ik_matrix_machine a100_sparse = {19.5e12, 312e12, 1.935e12};

/* ---- K(t) ---- */

CASE(closed_forms) {
  CHECK_NEAR(ik_matrix_points_box(2, 1, 3), 49, 0);
  CHECK_NEAR(ik_matrix_points_box(3, 1, 7), 3375, 0);
  CHECK_NEAR(ik_matrix_points_star(2, 1, 1), 5, 0);
  CHECK_NEAR(ik_matrix_points_star(3, 4, 1), 25, 0);
  CHECK_NEAR(ik_matrix_points_star(2, 1, 7), 2 * 49 + 2 * 7 + 1, 0); /* a diamond */
}

CASE(convolution_agrees_with_closed_forms) {
  for (int d = 1; d <= 3; d++)
    for (int r = 1; r <= 3; r++)
      for (int t = 1; t <= (d < 3 ? 6 : 3); t++) {
        ik_arena a;
        ik_arena_init(&a);
        ik_points *b = ik_matrix_fuse(ik_matrix_box(d, r, &a), t, &a);
        ik_points *s = ik_matrix_fuse(ik_matrix_star(d, r, &a), t, &a);
        CHECK_NEAR((double)ik_points_count(b), ik_matrix_points_box(d, r, t), 0);
        CHECK_NEAR((double)ik_points_count(s), ik_matrix_points_star(d, r, t), 0);
        ik_arena_free(&a);
      }
}

/* {0, 1, 5} twice: 0 1 2 5 6 10. */
CASE(any_pattern_can_be_fused) {
  ik_arena a;
  ik_arena_init(&a);
  ik_points *p = ik_points_new(&a);
  int        at[] = {0, 1, 5};
  for (int i = 0; i < 3; i++) ik_points_add(p, &(ik_point){.off = {at[i], 0, 0}});
  CHECK_EQ(ik_points_count(ik_matrix_fuse(p, 1, &a)), 3);
  CHECK_EQ(ik_points_count(ik_matrix_fuse(p, 2, &a)), 6);
  CHECK(ik_matrix_fuse(p, 0, &a) == NULL);
  CHECK(ik_matrix_fuse(ik_matrix_box(3, 40, &a), 1000, &a) == NULL); /* would take too long */
  ik_arena_free(&a);
}

CASE(patterns_without_size) {
  int odd[] = {0, -1};
  for (int i = 0; i < 2; i++) {
    CHECK(ik_matrix_points_box(odd[i], 1, 1) == 0 && ik_matrix_points_star(odd[i], 1, 1) == 0);
    CHECK(ik_matrix_points_box(1, odd[i], 1) == 0 && ik_matrix_points_star(1, odd[i], 1) == 0);
    CHECK(ik_matrix_points_box(1, 1, odd[i]) == 0 && ik_matrix_points_star(1, 1, odd[i]) == 0);
  }
  CHECK(ik_matrix_points_box(4, 1, 1) == 0);
  CHECK(ik_matrix_points_box(3, 1 << 30, 1 << 30) > 1e50);
}

CASE(alpha_is_one_without_fusing_and_grows) {
  for (int d = 1; d <= 3; d++)
    for (int r = 1; r < 10; r++) {
      ik_matrix_stencil one = box(d, r, 1, 4);
      CHECK(ik_matrix_alpha(&one) == 1);
      one.points = one.fused = ik_matrix_points_star(d, r, 1);
      CHECK(ik_matrix_alpha(&one) == 1);
      for (int t = 1; d > 1 && t < 10; t++) {
        ik_matrix_stencil now = box(d, r, t, 4), deeper = box(d, r, t + 1, 4);
        CHECK(ik_matrix_alpha(&deeper) > ik_matrix_alpha(&now));
      }
    }
}

/* ---- S ---- */

CASE(bands) {
  ik_matrix_tile m8 = {8, 4}, m16 = {16, 16};
  CHECK_NEAR(ik_matrix_sparsity_box(2, 1, 3, IK_MATRIX_BAND, m8, 0), 7.0 / 16, 0);
  CHECK_NEAR(ik_matrix_sparsity_box(2, 1, 7, IK_MATRIX_BAND, m16, 0), 15.0 / 32, 0);
  CHECK_NEAR(ik_matrix_sparsity_box(3, 7, 1, IK_MATRIX_BAND, m16, 0), 15.0 / 32, 0);
  /* Section 2.2.3: 62.5 % of a band for r = 1 are zeros (six outputs of eight inputs). */
  CHECK_NEAR(1 - ik_matrix_sparsity_box(2, 1, 1, IK_MATRIX_BAND, (ik_matrix_tile){6, 8}, 0), 0.625,
             0);
  CHECK(ik_matrix_sparsity_24(15.0 / 32) == 15.0 / 32);
  CHECK(ik_matrix_sparsity_24(0.6) == 0.5 && ik_matrix_sparsity_24(NAN) == 0);
}

/* With operands padded to whole instructions, the operations that Table 2 measured. */
CASE(flattening) {
  ik_matrix_tile    m8n8k4 = {8, 4}, m16n8k8 = {16, 8};
  ik_matrix_stencil f64 = box(2, 1, 3, 8), f32 = box(2, 1, 7, 4);
  double s = ik_matrix_sparsity_box(2, 1, 3, IK_MATRIX_FLATTEN, m8n8k4, IK_MATRIX_PADDED);
  CHECK_NEAR(ik_matrix_unit(&f64, s).operations, 208.00, 1e-9);
  s = ik_matrix_sparsity_box(2, 1, 7, IK_MATRIX_FLATTEN, m16n8k8, IK_MATRIX_PADDED);
  CHECK_NEAR(ik_matrix_unit(&f32, s).operations, 928.00, 1e-9);
  s = ik_matrix_sparsity_box(2, 1, 7, IK_MATRIX_FLATTEN, m16n8k8, IK_MATRIX_PRINTED);
  CHECK(s == 0.5);
}

CASE(sparsity_of_patterns_agrees_with_closed_forms) {
  ik_matrix_tile tile[] = {{8, 4}, {16, 8}, {16, 16}, {1, 1}};
  for (int d = 1; d <= 3; d++)
    for (int r = 1; r <= 3; r++)
      for (int t = 1; t <= 3; t++)
        for (int i = 0; i < 8; i++) {
          ik_matrix_scheme scheme = i < 4 ? IK_MATRIX_FLATTEN : IK_MATRIX_BAND;
          ik_arena         a;
          ik_arena_init(&a);
          ik_points *b = ik_matrix_fuse(ik_matrix_box(d, r, &a), t, &a);
          ik_points *s = ik_matrix_fuse(ik_matrix_star(d, r, &a), t, &a);
          double     of_box = ik_matrix_sparsity(b, scheme, tile[i % 4], 0);
          double     of_star = ik_matrix_sparsity(s, scheme, tile[i % 4], 0);
          CHECK_NEAR(of_box, ik_matrix_sparsity_box(d, r, t, scheme, tile[i % 4], 0), 0);
          CHECK_NEAR(of_star, ik_matrix_sparsity_star(d, r, t, scheme, tile[i % 4], 0), 0);
          CHECK(of_box > 0 && of_box <= 1 && of_star > 0 && of_star <= 1);
          ik_arena_free(&a);
        }
}

/* Star-2D1R: rows of 1, 3 and 1 points; m = 8, k = 4: reductions 8, 12 and 8. */
CASE(rows_of_a_star_differ) {
  ik_arena a;
  ik_arena_init(&a);
  ik_points     *star = ik_matrix_star(2, 1, &a);
  ik_matrix_tile m8 = {8, 4}, none = {0, 4};
  CHECK_NEAR(ik_matrix_sparsity(star, IK_MATRIX_BAND, m8, 0), 5.0 / 28, 0);
  CHECK_NEAR(ik_matrix_sparsity(star, IK_MATRIX_FLATTEN, m8, 0), 5.0 * 4 / (2 * 12 * 8), 0);
  CHECK(ik_matrix_sparsity(star, IK_MATRIX_BAND, none, 0) == 0);
  CHECK(ik_matrix_sparsity(ik_points_new(&a), IK_MATRIX_BAND, m8, 0) == 0);
  CHECK(ik_matrix_sparsity_box(2, 1, 1, IK_MATRIX_BAND, none, 0) == 0);
  CHECK(ik_matrix_sparsity_star(2, 0, 1, IK_MATRIX_BAND, m8, 0) == 0);
  ik_arena_free(&a);
}

/* ---- Table 2 ---- */

/* Two digits as the paper prints them; of a value that lies between two, either will do. */
static void check_printed(double v, const char *printed) {
  CHECK_NEAR(v, strtod(printed, NULL), 0.005 + 1e-12);
}

CASE(table_2) {
  static const struct {
    int         r, t, value;
    double      sparsity; /* 0: general-purpose unit */
    const char *alpha, *c, *m, *i;
  } row[] = {{1, 3, 8, 0, "", "54", "16", "3.38"},
             {3, 1, 8, 0, "", "98", "16", "6.12"},
             {1, 7, 4, 0, "", "126", "8", "15.75"},
             {7, 1, 4, 0, "", "450", "8", "56.25"},
             {1, 3, 8, 0.5, "1.81", "196", "16", "12.25"},
             {3, 1, 8, 0.5, "1", "196", "16", "12.25"},
             {1, 7, 4, 0.5, "3.57", "900", "8", "112.50"},
             {7, 1, 4, 0.5, "1", "900", "8", "112.50"},
             {1, 7, 4, 15.0 / 32, "3.57", "960", "8", "120.00"},
             {7, 1, 4, 15.0 / 32, "1", "960", "8", "120.00"}};
  for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
    ik_matrix_stencil s = box(2, row[i].r, row[i].t, row[i].value);
    ik_matrix_work    w =
        row[i].sparsity > 0 ? ik_matrix_unit(&s, row[i].sparsity) : ik_matrix_general(&s);
    CHECK_NEAR(w.operations, strtod(row[i].c, NULL), 1e-12);
    CHECK_NEAR(w.bytes, strtod(row[i].m, NULL), 0);
    check_printed(w.intensity, row[i].i);
    if (row[i].sparsity > 0) check_printed(ik_matrix_alpha(&s), row[i].alpha);
  }
}

/* ---- Tables 3 and 4 ---- */

typedef enum direction { LOSES = -1, EVEN, WINS } direction;

static direction direction_of(double ratio) {
  return ratio < 0.97 ? LOSES : ratio > 1.03 ? WINS : EVEN;
}

CASE(table_3) {
  static const struct {
    int                      d, r, t, value;
    double                   sparsity;
    const ik_matrix_machine *machine;
    const char              *general, *matrix; /* I */
    int                      scenario;
    double                   gp, mx; /* GStencils/s as measured */
  } row[] = {{2, 1, 3, 8, 0.5, &a100_f64, "3.38", "12.25", 2, 260.90, 190.14},
             {2, 3, 1, 8, 0.5, &a100_f64, "6.13", "12.25", 4, 64.05, 63.33},
             {2, 1, 7, 4, 15.0 / 32, &a100_sparse, "15.75", "120.00", 3, 318.31, 1002.94},
             {2, 7, 1, 4, 15.0 / 32, &a100_sparse, "56.25", "120.00", 3, 50.35, 143.28},
             {3, 1, 3, 8, 0.5, &a100_f64, "10.13", "85.75", 4, 37.74, 24.63},
             {3, 1, 7, 4, 0.47, &a100_sparse, "47.25", "1795.21", 4, 71.23, 51.13}};
  for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
    ik_matrix_stencil s = box(row[i].d, row[i].r, row[i].t, row[i].value);
    ik_matrix_verdict v = ik_matrix_compare(&s, row[i].sparsity, row[i].machine);
    check_printed(ik_matrix_general(&s).intensity, row[i].general);
    check_printed(ik_matrix_unit(&s, row[i].sparsity).intensity, row[i].matrix);
    CHECK_EQ(v.scenario, row[i].scenario);
    CHECK_EQ(direction_of(v.ratio), direction_of(row[i].mx / row[i].gp));
    CHECK_EQ(v.sweet, v.ratio > 1);
    CHECK(v.matrix.gstencils > row[i].mx);
    /* What was measured lies under the roof, but for case 4: 450 operations at 50.35 GStencils/s
     * would be 22.7 TFLOP/s on a unit of 19.5. */
    CHECK_EQ(v.general.gstencils > row[i].gp, i != 3);
  }
}

CASE(table_4) {
  ik_matrix_stencil s = box(2, 1, 7, 4);
  ik_matrix_verdict dense = ik_matrix_compare(&s, 15.0 / 32, &a100_dense);
  ik_matrix_verdict sparse = ik_matrix_compare(&s, 15.0 / 32, &a100_sparse);
  CHECK_EQ(lround(dense.matrix.ridge), 81);
  CHECK_EQ(lround(sparse.matrix.ridge), 161);
  CHECK(!dense.matrix.memory && sparse.matrix.memory);
  CHECK(sparse.matrix.gstencils > dense.matrix.gstencils); /* as 1002.94 > 327.39 */
}

/* Figure 10: with the full clock; Box-3D2R needs no fusing. */
CASE(depths_of_figure_10) {
  CHECK(ik_matrix_depth(9, 4, 19.5e12, 1.935e12) == 5);
  CHECK(ik_matrix_depth(5, 4, 19.5e12, 1.935e12) == 9);
  CHECK(ik_matrix_depth(125, 4, 19.5e12, 1.935e12) == 1);
  /* A clock that leaves 11 TFLOP/s explains both depths that were measured. */
  CHECK(ik_matrix_depth(9, 4, 11e12, 1.935e12) == 3);
  CHECK(ik_matrix_depth(5, 4, 11e12, 1.935e12) == 5);
  CHECK(ik_matrix_depth(0, 4, 1, 1) == 0 && ik_matrix_depth(9, 4, NAN, 1) == 0);
}

/* ---- properties ---- */

CASE(scenarios_keep_their_promises) {
  for (int d = 1; d <= 3; d++)
    for (int r = 1; r <= 7; r++)
      for (int t = 1; t <= 9; t++)
        for (double p = 1e12; p < 1e15; p *= 2) {
          ik_matrix_machine m = {19.5e12, p, 1.935e12};
          ik_matrix_stencil s = box(d, r, t, 4);
          ik_matrix_verdict v = ik_matrix_compare(&s, 0.45, &m);
          CHECK(v.scenario >= 1 && v.scenario <= 4);
          if (v.scenario == 1) CHECK_NEAR(v.ratio, 1, 1e-12);
          if (v.scenario == 2) CHECK(v.ratio < 1 + 1e-12);
          if (v.scenario == 3) CHECK(v.ratio > 1 - 1e-12);
          if (v.scenario == 4) CHECK_NEAR(v.ratio, v.limit / v.alpha, 1e-12 * v.ratio);
          CHECK(v.sweet ? v.ratio > 1 - 1e-12 : v.ratio < 1 + 1e-12);
        }
}

CASE(sparse_is_never_worse_than_dense_nor_more_bandwidth_slower) {
  for (int d = 1; d <= 3; d++)
    for (int r = 1; r <= 7; r++)
      for (int t = 1; t <= 9; t++) {
        ik_matrix_stencil s = box(d, r, t, 4);
        double full = ik_matrix_sparsity_box(d, r, t, IK_MATRIX_BAND, (ik_matrix_tile){16, 8}, 0);
        ik_matrix_verdict dense = ik_matrix_compare(&s, full, &a100_dense);
        ik_matrix_verdict sparse = ik_matrix_compare(&s, ik_matrix_sparsity_24(full), &a100_sparse);
        CHECK(sparse.matrix.useful >= dense.matrix.useful * (1 - 1e-12));
        ik_matrix_machine faster = a100_dense;
        faster.bandwidth *= 1.5;
        ik_matrix_verdict v = ik_matrix_compare(&s, full, &faster);
        CHECK(v.matrix.useful >= dense.matrix.useful && v.general.useful >= dense.general.useful);
      }
}

CASE(odd_input) {
  double            odd[] = {0, -1, NAN};
  ik_matrix_stencil good = box(2, 1, 3, 8);
  for (int i = 0; i < 3; i++) {
    ik_matrix_stencil s = good;
    s.points = odd[i];
    CHECK(ik_matrix_alpha(&s) == 0 && ik_matrix_general(&s).operations == 0);
    CHECK_EQ(ik_matrix_compare(&s, 0.5, &a100_f64).scenario, 0);
    CHECK_EQ(ik_matrix_compare(&good, odd[i], &a100_f64).scenario, 0);
    ik_matrix_machine m = a100_f64;
    m.bandwidth = odd[i];
    ik_matrix_verdict v = ik_matrix_compare(&good, 0.5, &m);
    CHECK(v.scenario == 0 && v.ratio == 0 && !v.sweet);
  }
  ik_matrix_stencil huge = {1e300, 1e300, 1e300, 1e300};
  CHECK(!ik_matrix_compare(&huge, 0.5, &a100_f64).sweet);
}
