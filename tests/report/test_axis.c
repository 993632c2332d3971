#include "check.h"
#include "report/axis.h"
#include <float.h>

static void check_labels(const ik_ticks *t, const char *want) {
  char all[1024] = "";
  for (int i = 0; i < t->n; i++) {
    if (i) strcat(all, " ");
    strcat(all, t->label[i]);
  }
  CHECK_STR(all, want);
}

CASE(steps_of_one_two_five) {
  ik_ticks t;
  ik_axis_ticks(0, 1, 5, false, &t);
  check_labels(&t, "0 0.2 0.4 0.6 0.8 1.0");
  ik_axis_ticks(0, 100, 10, false, &t);
  check_labels(&t, "0 10 20 30 40 50 60 70 80 90 100");
  ik_axis_ticks(-1.3, 1.3, 5, false, &t);
  check_labels(&t, "−1.0 −0.5 0 0.5 1.0");
  CHECK_EQ(t.exponent, 0);
  CHECK_NEAR(t.at[0], -1, 1e-15);
}

CASE(whole_numbers_only) {
  ik_ticks t;
  ik_axis_ticks(-0.5, 2.5, 12, true, &t);
  check_labels(&t, "0 1 2");
}

CASE(long_numbers_share_an_exponent) {
  ik_ticks t;
  ik_axis_ticks(0, 4e-5, 4, false, &t);
  check_labels(&t, "0 10 20 30 40");
  CHECK_EQ(t.exponent, -6);
  ik_axis_ticks(-2e300, 2e300, 4, false, &t);
  check_labels(&t, "−2 −1 0 1 2");
  CHECK_EQ(t.exponent, 300);
  ik_axis_ticks(0, 3e-300, 3, false, &t);
  check_labels(&t, "0 1 2 3");
  CHECK_EQ(t.exponent, -300);
}

CASE(ticks_never_overflow) {
  for (double lo = -1e5; lo < 1e5; lo += 7777.7)
    for (double span = 1e-3; span < 1e6; span *= 3.7)
      for (int want = 1; want <= 12; want++) {
        ik_ticks t;
        ik_axis_ticks(lo, lo + span, want, false, &t);
        CHECK(t.n <= want * 1.6 + 1);
        for (int i = 0; i < t.n; i++)
          CHECK(t.at[i] >= lo - 1e-5 * span && t.at[i] <= lo + span * (1 + 1e-5));
      }
}

static void check_widened(double lo, double hi) {
  ik_ticks t;
  double   a = lo, b = hi;
  ik_axis_widen(&a, &b);
  CHECK(isfinite(a) && isfinite(b) && a < b);
  if (isfinite(lo) && isfinite(hi) && lo <= hi)
    CHECK(a <= fmax(lo, -DBL_MAX / 4) && b >= fmin(hi, DBL_MAX / 4));
  CHECK(ik_axis_fraction(a, a, b) == 0 && ik_axis_fraction(b, a, b) == 1);
  ik_axis_ticks(a, b, 6, false, &t);
  CHECK(t.n >= 2);
}

CASE(any_range_can_be_drawn) {
  const double v[] = {0, 1, -1, 1e300, -1e300, 1e-300, 5e-324, DBL_MAX, INFINITY, 3.0000000001};
  for (size_t i = 0; i < sizeof v / sizeof *v; i++) {
    check_widened(v[i], v[i]);
    check_widened(-v[i], v[i]);
  }
  check_widened(NAN, NAN);
  check_widened(-DBL_MAX, DBL_MAX);
  check_widened(3, 2);
}

CASE(decades) {
  ik_ticks t;
  ik_axis_ticks_log(0.05, 2000, 6, &t);
  check_labels(&t, "0.1 1 10 100 1000");
  ik_axis_ticks_log(1, 20, 6, &t);
  check_labels(&t, "1 2 5 10 20");
  ik_axis_ticks_log(1e-8, 1e8, 6, &t);
  check_labels(&t, "10⁻⁶ 0.001 1 1000 10⁶");
}

static void check_title(const char *name, const char *unit, int e, const char *want) {
  ik_buf b = {0};
  ik_axis_title(&b, name, unit, e);
  CHECK_STR(ik_buf_text(&b), want);
  ik_buf_free(&b);
}

CASE(titles) {
  check_title("p", "Pa", 0, "p (Pa)");
  check_title("p", "Pa", -12, "p (×10⁻¹² Pa)");
  check_title("p", NULL, 3, "p (×10³)");
  check_title(NULL, "m", 0, "(m)");
  check_title("x", "", 0, "x");
  check_title(NULL, NULL, 0, "");
}

static void check_number(double v, const char *want) {
  ik_buf b = {0};
  ik_axis_number(&b, v);
  CHECK_STR(ik_buf_text(&b), want);
  ik_buf_free(&b);
}

CASE(numbers) {
  check_number(0, "0");
  check_number(-0.125, "−0.125");
  check_number(-1.25e-7, "−1.25×10⁻⁷");
  check_number(1e300, "1×10³⁰⁰");
  check_number(NAN, "NaN");
  check_number(-INFINITY, "−∞");
}
