/* Does the error fall as the order promises, next to every kind of boundary?
 *
 * In space: an exact function goes in, the second derivative comes out, and the largest error over
 * all cells, those at the faces included, is followed over three grids.  The function is chosen so
 * that the boundary is exact for it; with any boundary of another kind it must not converge.
 * In time: travelling and decaying solutions, with the time step shrunk so that both errors fall
 * alike. */
#include "run.h"

typedef struct form { /* a function on [0, 1] and the boundary for which it is made */
  const char *boundary;
  const char *text; /* of S, a place */
  double (*value)(double), (*second)(double);
  bool nodes; /* the first and last cell are on the faces; otherwise half a cell inside */
  bool ring;  /* the last cell is one spacing before the end, which is the beginning */
} form;

enum { MODE = 3 };
#define K (MODE * M_PI)
static double cos_value(double s) { return cos(K * s); }
static double cos_second(double s) { return -K * K * cos(K * s); }
static double sin_value(double s) { return sin(K * s); }
static double sin_second(double s) { return -K * K * sin(K * s); }
static double odd_value(double s) { return cos(2.5 * M_PI * s); }
static double odd_second(double s) { return -6.25 * M_PI * M_PI * cos(2.5 * M_PI * s); }
static double ring_value(double s) { return sin(2 * M_PI * s) + cos(4 * M_PI * s); }
static double ring_second(double s) {
  return -4 * M_PI * M_PI * sin(2 * M_PI * s) - 16 * M_PI * M_PI * cos(4 * M_PI * s);
}
static double hill_value(double s) { return 2 + exp(-pow((s - 0.5) / 0.08, 2)); }
static double hill_second(double s) {
  double w = 0.08, q = (s - 0.5) / w;
  return (4 * q * q - 2) / (w * w) * exp(-q * q);
}
static double skew_value(double s) { return cos(9 * s + 1); }
static double skew_second(double s) { return -81 * cos(9 * s + 1); }

static const form forms[] = {
    {"periodic", "sin(2*pi*(S)) + cos(4*pi*(S))", ring_value, ring_second, true, true},
    {"mirror", "cos(3*pi*(S))", cos_value, cos_second, false, false},
    {"antimirror", "sin(3*pi*(S))", sin_value, sin_second, false, false},
    {"reflect", "cos(3*pi*(S))", cos_value, cos_second, true, false},
    {"antireflect", "sin(3*pi*(S))", sin_value, sin_second, true, false},
    {"copy", "2 + exp(-(((S) - 0.5)/0.08)^2)", hill_value, hill_second, false, false},
    {"cos(9*(S) + 1)", "cos(9*(S) + 1)", skew_value, skew_second, true, false},
};
enum {
  NFORMS = sizeof forms / sizeof *forms,
  PERIODIC = 0,
  MIRROR,
  ANTIMIRROR,
  REFLECT,
  ANTIREFLECT,
  COPY,
  VALUE
};

static double spacing_of(const form *f, int n) {
  return f->ring ? 1.0 / n : f->nodes ? 1.0 / (n - 1) : 1.0 / n;
}
static double place(const form *f, int n, int i) {
  return (f->nodes ? i : i + 0.5) * spacing_of(f, n);
}

/* The text of a form with the place along an axis put in. */
static void put_place(const char *text, const form *f, const char *axis, char *out, size_t cap) {
  size_t n = 0;
  for (const char *p = text; *p && n + 64 < cap; p++)
    if (*p == 'S')
      n += (size_t)snprintf(out + n, cap - n, "(%s + %g)*d%s", axis, f->nodes ? 0 : 0.5, axis);
    else
      out[n++] = *p;
  out[n] = 0;
}

static run run_1d(const form *f, const char *boundary, int order, int n) {
  char u[256], b[256], text[1024];
  put_place(f->text, f, "x", u, sizeof u);
  put_place(boundary, f, "x", b, sizeof b);
  snprintf(text, sizeof text,
           "grid x = %d, spacing = %.17g\nfield u, r : f64\nboundary u = %s\ninit u = %s\n"
           "r = laplacian(u, order = %d)\n",
           n, spacing_of(f, n), b, u, order);
  run x = run_text(text, NULL);
  run_advance(&x, -1);
  return x;
}

static double error_1d(const form *f, const char *boundary, int order, int n) {
  run    x = run_1d(f, boundary, order, n);
  double worst = 0;
  for (int i = 0; i < n; i++)
    worst = fmax(worst, fabs(ik_run_value(x.r, "r", i, 0, 0) - f->second(place(f, n, i))));
  run_free(&x);
  return worst;
}

/* Grids on which the error is neither far from its limit law nor lost in rounding; the hill is
 * steeper than the waves. */
static void grids_of(const form *f, int order, int n[3]) {
  bool steep = f->second == hill_second;
  n[0] = order == 2 ? 128 : order == 4 ? 80 : 40;
  if (steep) n[0] = order == 2 ? 256 : 160;
  n[1] = n[0] * 13 / 10, n[2] = n[0] * 17 / 10;
}

static void check_order(double nominal, const double error[3], const double h[3]) {
  for (int k = 1; k < 3; k++)
    CHECK_NEAR(log(error[k - 1] / error[k]) / log(h[k - 1] / h[k]), nominal, 0.1);
}

CASE(every_boundary_in_1d) {
  for (int f = 0; f < NFORMS; f++)
    for (int order = 2; order <= 8; order *= 2) {
      double error[3], h[3];
      int    n[3];
      grids_of(&forms[f], order, n);
      for (int k = 0; k < 3; k++)
        error[k] = error_1d(&forms[f], forms[f].boundary, order, n[k]),
        h[k] = spacing_of(&forms[f], n[k]);
      check_order(order, error, h);
    }
}

/* Near a face `copy`, `mirror` and `reflect` differ only where the function is not flat. */
static bool may_agree(int f, int other) {
  static const char *const flat[] = {"mirror", "reflect", "periodic", "copy"};
  for (int k = 0; k < 4 && f == COPY; k++)
    if (strcmp(forms[other].boundary, flat[k]) == 0) return true;
  return false;
}

CASE(no_other_boundary_will_do) {
  for (int f = 0; f < NFORMS; f++)
    for (int other = 0; other <= NFORMS; other++) {
      const char *boundary = other == NFORMS ? "0" : forms[other].boundary;
      if (other == f || (other < NFORMS && may_agree(f, other))) continue;
      double coarse = error_1d(&forms[f], boundary, 4, 96);
      double fine = error_1d(&forms[f], boundary, 4, 192);
      CHECK(fine > coarse / 8); /* less than third order, and for most none at all */
    }
}

/* One kind along x, another along y: a product of both functions. */
static double error_2d(const form *f, const form *g, int order, int n, int m) {
  char u[256], v[256], b[256], c[256], text[2048];
  put_place(f->text, f, "x", u, sizeof u), put_place(g->text, g, "y", v, sizeof v);
  put_place(f->boundary, f, "x", b, sizeof b), put_place(g->boundary, g, "y", c, sizeof c);
  snprintf(text, sizeof text,
           "grid x = %d, y = %d, spacing = (%.17g, %.17g)\nfield u, r : f64\n"
           "boundary u { x = %s\n y = %s }\ninit u = (%s)*(%s)\nr = laplacian(u, order = %d)\n",
           n, m, spacing_of(f, n), spacing_of(g, m), b, c, u, v, order);
  run x = run_text(text, NULL);
  run_advance(&x, -1);
  double worst = 0;
  for (int j = 0; j < m; j++)
    for (int i = 0; i < n; i++) {
      double p = place(f, n, i), q = place(g, m, j);
      double exact = f->second(p) * g->value(q) + f->value(p) * g->second(q);
      worst = fmax(worst, fabs(ik_run_value(x.r, "r", i, j, 0) - exact));
    }
  run_free(&x);
  return worst;
}

/* As many cells as make the spacing 1/n. */
static int cells_of(const form *f, int n) { return f->nodes && !f->ring ? n + 1 : n; }

CASE(two_boundaries_in_2d) {
  static const int pair[][2] = {
      {PERIODIC, MIRROR}, {REFLECT, ANTIREFLECT}, {ANTIMIRROR, REFLECT}, {COPY, PERIODIC}};
  for (size_t p = 0; p < sizeof pair / sizeof *pair; p++)
    for (int order = 2; order <= 8; order *= 2) {
      const form *f = &forms[pair[p][0]], *g = &forms[pair[p][1]];
      double      error[3], h[3];
      int         n[3];
      grids_of(f, order, n);
      for (int k = 0; k < 3; k++) {
        error[k] = error_2d(f, g, order, cells_of(f, n[k]), cells_of(g, n[k]));
        h[k] = 1.0 / n[k];
      }
      check_order(order, error, h);
    }
}

/* Values along both axes: beyond a face along x they are those of the place, y included. */
CASE(values_in_2d) {
  for (int order = 2; order <= 8; order *= 2) {
    double error[3], h[3];
    int    n[3];
    grids_of(&forms[VALUE], order, n);
    for (int k = 0; k < 3; k++) {
      char text[1024];
      h[k] = 1.0 / n[k];
      snprintf(text, sizeof text,
               "grid x = %d, y = %d, spacing = %.17g\nfield u, r : f64\n"
               "boundary u = cos(9*x*dx - 11*y*dy)\ninit u = cos(9*x*dx - 11*y*dy)\n"
               "r = laplacian(u, order = %d) + 202*u\nworst = max(abs(r))\n",
               n[k], n[k] + 9, h[k], order);
      run x = run_text(text, NULL);
      run_advance(&x, -1);
      error[k] = run_scalar(&x, "worst");
      run_free(&x);
    }
    check_order(order, error, h);
  }
}

/* Even about one face and odd about the other. */
CASE(different_faces) {
  const form f = {"", "cos(2.5*pi*(S))", odd_value, odd_second, false, false};
  for (int order = 2; order <= 8; order *= 2) {
    double error[3], h[3];
    int    n[3];
    grids_of(&f, order, n);
    for (int k = 0; k < 3; k++) {
      char u[256], text[1024];
      h[k] = 1.0 / n[k], error[k] = 0;
      put_place(f.text, &f, "x", u, sizeof u);
      snprintf(text, sizeof text,
               "grid x = %d, spacing = %.17g\nfield u, r : f64\n"
               "boundary u { -x = mirror\n +x = antimirror }\ninit u = %s\n"
               "r = laplacian(u, order = %d)\n",
               n[k], h[k], u, order);
      run x = run_text(text, NULL);
      run_advance(&x, -1);
      for (int i = 0; i < n[k]; i++) {
        double e = ik_run_value(x.r, "r", i, 0, 0) - odd_second(place(&f, n[k], i));
        error[k] = fmax(error[k], fabs(e));
      }
      run_free(&x);
    }
    check_order(order, error, h);
  }
}

/* ---- in time ---- */

/* u_t = u_xx with u = exp(-t) cos(x) + 1 for x in 0 .. 2; the values beyond the faces, the first of
 * them at 0 and 2, are given at every time. */
static double error_heat(int order, int cells, int steps, double dt) {
  char   text[1024];
  double h = 2.0 / cells;
  snprintf(text, sizeof text,
           "grid x = %d, spacing = %.17g\nparam dt = %.17g\nfield u : f64 = 1 + cos((x + 1)*dx)\n"
           "boundary u = 1 + exp(-t*dt)*cos((x + 1)*dx)\n"
           "step %d { u' = u + dt*laplacian(u, order = %d) }\n",
           cells - 1, h, dt, steps, order);
  run x = run_text(text, NULL);
  run_advance(&x, -1);
  double worst = 0;
  for (int i = 0; i < cells - 1; i++) {
    double exact = 1 + exp(-steps * dt) * cos((i + 1) * h);
    worst = fmax(worst, fabs(ik_run_value(x.r, "u", i, 0, 0) - exact));
  }
  run_free(&x);
  return worst;
}

CASE(values_that_change_in_time) {
  double error[3], h[3];
  for (int k = 0; k < 3; k++) { /* dt as h^2: both errors are of second order */
    int cells = 20 << k;
    h[k] = 2.0 / cells;
    error[k] = error_heat(2, cells, 200 << (2 * k), 0.25 * h[k] * h[k]);
  }
  check_order(2, error, h);
  for (int k = 0; k < 3; k++) { /* dt as h^4 */
    int cells = 16 + 6 * k, steps = (int)lround(60 * pow(cells / 8.0, 4));
    h[k] = 2.0 / cells;
    error[k] = error_heat(4, cells, steps, 1.0 / steps);
  }
  check_order(4, error, h);
}

/* A pulse that travels to the right and has not reached the layers. */
static double error_pulse(const char *boundary, int order, int n, int steps) {
  char   text[1024];
  double h = 1.0 / n, dt = 0.2 / steps;
  snprintf(text, sizeof text,
           "grid x = %d, spacing = %.17g\nparam dt = %.17g\nfield u : f64, history 2\n"
           "boundary u = %s\ndef pulse(s) = exp(-((s - 0.4)/0.05)^2)\n"
           "init u = pulse(x*dx)\ninit u[t-1] = pulse(x*dx + dt)\n"
           "step %d { u' = 2*u - u[t-1] + dt^2*laplacian(u, order = %d) }\n",
           n, h, dt, boundary, steps, order);
  run x = run_text(text, NULL);
  run_advance(&x, -1);
  double worst = 0;
  for (int i = 0; i < n; i++) {
    double q = (i * h - 0.6) / 0.05;
    worst = fmax(worst, fabs(ik_run_value(x.r, "u", i, 0, 0) - exp(-q * q)));
  }
  run_free(&x);
  return worst;
}

CASE(a_wave_between_layers) {
  static const char *const layers[] = {"absorbing(5)", "sponge(5)"};
  for (int b = 0; b < 2; b++)
    for (int order = 2; order <= 8; order *= 2) {
      int    coarse = order == 2 ? 400 : order == 4 ? 200 : 100;
      double error[3], h[3];
      for (int k = 0; k < 3; k++) { /* dt as h^(order/2) */
        int n = coarse + k * coarse / 2;
        h[k] = 1.0 / n;
        error[k] = error_pulse(layers[b], order, n,
                               (int)lround(coarse * 0.4 * pow((double)n / coarse, order / 2)));
      }
      check_order(order, error, h);
    }
}

/* And once it has reached them, it is gone; without them it comes back whole. */
static double echo(const char *boundary) {
  char text[1024];
  snprintf(text, sizeof text,
           "grid x = 400, spacing = 0.0025\nparam dt = 0.001\nfield u : f64, history 2\n"
           "boundary u = %s\ndef pulse(s) = exp(-((s - 0.4)/0.05)^2)\n"
           "init u = pulse(x*dx)\ninit u[t-1] = pulse(x*dx + dt)\n"
           "step 1000 { u' = 2*u - u[t-1] + dt^2*laplacian(u, order = 8) }\nleft = max(abs(u))\n",
           boundary);
  run x = run_text(text, NULL);
  run_advance(&x, -1);
  double left = run_scalar(&x, "left");
  run_free(&x);
  return left;
}

CASE(layers_absorb) {
  CHECK_NEAR(echo("0"), 1, 0.02);
  CHECK(echo("absorbing(40)") < 0.01);
  CHECK(echo("sponge(150, strength = 0.0015)") < 0.1);
}
