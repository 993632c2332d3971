#include "check.h"
#include "report/range.h"

static ik_range range_of(const double *v, int nx, int ny) {
  ik_diag  d = {0};
  ik_range r;
  ik_grid  g = {v, nx, ny, 1, nx};
  CHECK_EQ(ik_range_find(&g, IK_COLOUR_AUTO, NULL, &r, &d), IK_OK);
  ik_diag_free(&d);
  return r;
}

CASE(one_sign_is_sequential) {
  ik_range r = range_of((double[]){0.5, 2, 3, 7.25}, 2, 2);
  CHECK_EQ(r.kind, IK_COLOUR_SEQUENTIAL);
  CHECK(r.lo == 0.5 && r.hi == 7.25 && !r.cut_below && !r.cut_above);
}

CASE(both_signs_are_symmetric) {
  ik_range r = range_of((double[]){-0.5, 2, 3, 0}, 2, 2);
  CHECK_EQ(r.kind, IK_COLOUR_DIVERGING);
  CHECK(r.lo == -3 && r.hi == 3);
}

CASE(a_small_undershoot_is_not_a_sign) {
  CHECK_EQ(range_of((double[]){-1e-9, 2, 3, 0.5}, 2, 2).kind, IK_COLOUR_SEQUENTIAL);
}

CASE(few_whole_numbers_are_classes) {
  ik_range r = range_of((double[]){1, 0, 3, 1, NAN, 0}, 3, 2);
  CHECK_EQ(r.kind, IK_COLOUR_QUALITATIVE);
  CHECK_EQ(r.nclass, 3);
  CHECK(r.class[0] == 0 && r.class[1] == 1 && r.class[2] == 3);
  CHECK_EQ(ik_range_class(&r, 3), 2);
  CHECK_EQ(ik_range_class(&r, 2), -1);
  CHECK_EQ(r.bad, 1);
  CHECK_EQ(range_of((double[]){0, 1, 0.5, 1}, 2, 2).kind, IK_COLOUR_SEQUENTIAL);
  CHECK_EQ(range_of((double[]){1500, 2000, 1500, 2000}, 2, 2).kind, IK_COLOUR_SEQUENTIAL);
  CHECK_EQ(range_of((double[]){0, 1, 2, 3, 4, 5, 6, 7, 8}, 3, 3).kind, IK_COLOUR_SEQUENTIAL);
}

CASE(a_hot_cell_does_not_wash_out) {
  static double v[100 * 100];
  for (int i = 0; i < 10000; i++) v[i] = sin(i * 0.37);
  v[5050] = 1e6;
  ik_range r = range_of(v, 100, 100);
  CHECK_EQ(r.kind, IK_COLOUR_DIVERGING);
  CHECK(r.hi <= 1 && r.hi > 0.99 && r.cut_above);
  CHECK(r.greatest == 1e6);
  for (int i = 0; i < 10000; i++) v[i] = 0; /* nothing but the hot cell and its shadow */
  v[5050] = 4, v[5051] = -4;
  r = range_of(v, 100, 100);
  CHECK(r.hi == 4 && !r.cut_above && !r.cut_below);
}

CASE(limits_given) {
  ik_diag  d = {0};
  ik_range r;
  double   v[] = {0.5, 2, 3, 7.25};
  ik_grid  g = {v, 2, 2, 1, 2};
  CHECK_EQ(ik_range_find(&g, IK_COLOUR_AUTO, (double[]){1, 3}, &r, &d), IK_OK);
  CHECK(r.lo == 1 && r.hi == 3 && r.cut_below && r.cut_above);
  CHECK_EQ(ik_range_find(&g, IK_COLOUR_AUTO, (double[]){3, 1}, &r, &d), IK_OK);
  CHECK(r.lo == 0.5 && r.hi == 7.25);
  ik_diag_free(&d);
}

CASE(a_kind_asked_for) {
  ik_diag  d = {0};
  ik_range r;
  double   v[] = {0, 1, 1, 0}, w[] = {0.5, 1, 1, 0};
  CHECK_EQ(ik_range_find(&(ik_grid){v, 2, 2, 1, 2}, IK_COLOUR_DIVERGING, NULL, &r, &d), IK_OK);
  CHECK(r.kind == IK_COLOUR_DIVERGING && r.lo == -1 && r.hi == 1);
  CHECK_EQ(ik_range_find(&(ik_grid){w, 2, 2, 1, 2}, IK_COLOUR_QUALITATIVE, NULL, &r, &d), IK_OK);
  CHECK_EQ(r.kind, IK_COLOUR_SEQUENTIAL);
  ik_diag_free(&d);
}

CASE(odd_values) {
  const double v[] = {0, 1e300, -1e300, 1e-300, 5e-324, NAN, INFINITY, -INFINITY, 1.7e308};
  const int    n = sizeof v / sizeof *v;
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++) {
      ik_range r = range_of((double[]){v[i], v[k], v[i], v[k]}, 2, 2);
      CHECK(isfinite(r.lo) && isfinite(r.hi) && r.lo < r.hi);
      CHECK_EQ(r.bad, 2 * (!isfinite(v[i]) + !isfinite(v[k])));
    }
}

CASE(strides) {
  double   v[] = {1, 90, 2, 91, 3, 92};
  ik_diag  d = {0};
  ik_range r;
  CHECK_EQ(ik_range_find(&(ik_grid){v, 1, 3, 1, 2}, IK_COLOUR_SEQUENTIAL, NULL, &r, &d), IK_OK);
  CHECK(r.lo == 1 && r.hi == 3);
  ik_diag_free(&d);
}

/* ---- one range over several pictures ---- */

static ik_range measured(const double *v, int n) {
  ik_diag  d = {0};
  ik_range r;
  ik_grid  g = {v, n, 1, 1, n};
  CHECK_EQ(ik_range_measure(&g, &r, &d), IK_OK);
  ik_diag_free(&d);
  return r;
}

CASE(joined_ranges_hold_all) {
  ik_range r = measured((double[]){0, 0, 0}, 3), b = measured((double[]){1e-6, 2e-6, 0}, 3),
           c = measured((double[]){-3e-6, NAN, 0}, 3);
  ik_range_join(&r, &b), ik_range_join(&r, &c);
  ik_range_settle(&r, IK_COLOUR_AUTO, NULL);
  CHECK_EQ(r.kind, IK_COLOUR_DIVERGING); /* both signs, in different pictures */
  CHECK(r.lo == -3e-6 && r.hi == 3e-6 && r.least == -3e-6 && r.greatest == 2e-6 && r.bad == 1);
}

CASE(joined_classes_are_those_of_all_pictures) {
  ik_range r = measured((double[]){0, 0, 0}, 3), b = measured((double[]){1, 3, 1}, 3),
           c = measured((double[]){2, 0, NAN}, 3);
  ik_range_join(&r, &b), ik_range_join(&r, &c);
  ik_range all = r;
  ik_range_settle(&all, IK_COLOUR_AUTO, NULL);
  CHECK_EQ(all.kind, IK_COLOUR_QUALITATIVE);
  CHECK(all.nclass == 4 && all.class[0] == 0 && all.class[2] == 2 && all.class[3] == 3);
  ik_range other = measured((double[]){0.5, 1, 2}, 3);
  ik_range_join(&r, &other);
  ik_range_settle(&r, IK_COLOUR_AUTO, NULL);
  CHECK(r.kind == IK_COLOUR_SEQUENTIAL && r.nclass == 0);
  r = measured((double[]){0, 1, 2, 3, 4, 5}, 6), other = measured((double[]){6, 7, 8}, 3);
  ik_range_join(&r, &other); /* too many */
  CHECK_EQ(r.nclass, 0);
}

CASE(given_limits_choose_the_kind) {
  ik_range classes = measured((double[]){0, 1, 0}, 3);
  ik_range_settle(&classes, IK_COLOUR_AUTO, (double[]){0, 2});
  CHECK(classes.kind == IK_COLOUR_SEQUENTIAL && classes.hi == 2);
  ik_range r = measured((double[]){-5, 1, 7}, 3);
  ik_range_settle(&r, IK_COLOUR_AUTO, (double[]){-2, 2});
  CHECK(r.kind == IK_COLOUR_DIVERGING && r.lo == -2 && r.cut_below && r.cut_above);
  ik_range_settle(&r, IK_COLOUR_AUTO, (double[]){-1, 3});
  CHECK(r.kind == IK_COLOUR_SEQUENTIAL);
  ik_range_settle(&r, IK_COLOUR_DIVERGING, (double[]){-1, 3});
  CHECK(r.kind == IK_COLOUR_DIVERGING);
}
