/* Difference operators on polynomials: exact up to the degree that their order promises, and wrong
 * on the next. */
#include "run.h"

enum { CELLS = 41, MIDDLE = 20 };

/* The k-th power of the distance from a place near the middle, in units of 1/8: exact in f64. */
static double value_of(const char *expression, int degree, double shift, int axes) {
  char        text[1024], u[256];
  const char *names[] = {"x", "y", "z"};
  int         n = 0;
  for (int d = 0; d < axes; d++)
    n += snprintf(u + n, sizeof u - (size_t)n, "%s((%s - %d + %.17g)*d%s)^%d", d ? " + " : "",
                  names[d], MIDDLE, shift, names[d], degree);
  snprintf(text, sizeof text,
           "grid x = %d, y = %d if %d >= 2, z = %d if %d >= 3, spacing = %s\n"
           "field u, r : f64\nboundary u = copy\ninit u = %s\nr = %s\n",
           CELLS, CELLS, axes, CELLS, axes, axes == 3 ? "(0.125, 0.25, 0.5)" : "0.125", u,
           expression);
  run x = run_text(text, NULL);
  run_advance(&x, -1);
  double r = ik_run_value(x.r, "r", MIDDLE, axes > 1 ? MIDDLE : 0, axes > 2 ? MIDDLE : 0);
  run_free(&x);
  return r;
}

/* The m-th derivative of s^degree. */
static double derivative(int degree, int m, double s) {
  double c = 1;
  for (int k = 0; k < m; k++) c *= degree - k;
  return degree < m ? 0 : c * pow(s, degree - m);
}

static const int orders[] = {2, 4, 6, 8, 12};
enum { NORDERS = sizeof orders / sizeof *orders };

typedef struct operator{
  const char *text;     /* with a place for the order */
  int         m, exact; /* the derivative it is; exact up to degree order + this */
  double      at;       /* where, in cells from the cell */
}
operator;

/* At a place that is no special point of the polynomial. */
static void check_exact(const operator* o) {
  for (int p = 0; p < NORDERS; p++)
    for (int degree = 0; degree <= orders[p] + o->exact; degree++) {
      char expression[64];
      snprintf(expression, sizeof expression, o->text, orders[p]);
      double s = 1.5 * 0.125, want = derivative(degree, o->m, s + o->at * 0.125);
      CHECK_NEAR(value_of(expression, degree, 1.5, 1), want, 1e-10);
    }
}

/* The error on the next degree is the same everywhere: a number times h^order. */
static void check_wrong(const operator* o) {
  for (int p = 0; p < NORDERS; p++) {
    char   expression[64];
    int    degree = orders[p] + o->exact + 1;
    double h = 0.125;
    snprintf(expression, sizeof expression, o->text, orders[p]);
    double error = value_of(expression, degree, -o->at, 1) - derivative(degree, o->m, 0);
    CHECK(fabs(error) > 0.1 * pow(h, orders[p]));
    CHECK(fabs(error) < 1e9 * pow(h, orders[p]));
  }
}

static const operator operators[] = {
    {"laplacian(u, order = %d)", 2, 1, 0},  {"d2(u, x, order = %d)", 2, 1, 0},
    {"d(u, x, order = %d)", 1, 0, 0},       {"dfwd(u, x, order = %d)", 1, 0, 0.5},
    {"dbwd(u, x, order = %d)", 1, 0, -0.5},
};
enum { NOPERATORS = sizeof operators / sizeof *operators };

CASE(exact_as_promised) {
  for (int k = 0; k < NOPERATORS; k++) check_exact(&operators[k]);
}

CASE(and_no_further) {
  for (int k = 0; k < NOPERATORS; k++) check_wrong(&operators[k]);
}

/* Each axis with its own spacing: d2/dx2 + d2/dy2 + d2/dz2 of x^4 + y^4 + z^4. */
CASE(laplacian_in_3d) {
  double want = 0, h[] = {0.125, 0.25, 0.5};
  for (int d = 0; d < 3; d++) want += 12 * pow(1.5 * h[d], 2);
  CHECK_NEAR(value_of("laplacian(u, order = 4)", 4, 1.5, 3), want, 1e-10);
  want = 0;
  for (int d = 0; d < 3; d++) want += 2 * h[d] * h[d]; /* the error of order 2 on s^4 */
  CHECK_NEAR(value_of("laplacian(u)", 4, 0, 3), want, 1e-10);
}

/* Differences along one axis do not see the others. */
CASE(one_axis_at_a_time) {
  CHECK_NEAR(value_of("d(u, y, order = 4)", 3, 1.5, 2), 3 * pow(1.5 * 0.125, 2), 1e-10);
  CHECK_NEAR(value_of("d2(u, z, order = 4)", 3, 1.5, 3), 6 * 1.5 * 0.5, 1e-10);
}

/* dfwd of dbwd of order 2 is d2 of order 2. */
CASE(staggered_twice) {
  CHECK_NEAR(value_of("dbwd(dfwd(u, x), x) - d2(u, x)", 5, 1.5, 1), 0, 1e-12);
}
