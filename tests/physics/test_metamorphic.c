/* Relations between runs that must hold whatever the right answer is: sums of inputs, shifts,
 * mirror images, constants, time run backwards. */
#include "run.h"

enum { NX = 24, NY = 20, CELLS = NX * NY };

static const char heat[] = "grid x = 24, y = 20\nfield u : f64\nboundary u = periodic\n"
                           "weights w = [[0.01, 0.05, 0.02], [0.1, 0.6, 0.12], [0, 0.07, 0.03]]\n"
                           "step 30 { u' = stencil(u, w) }\n";
static const char even[] = "grid x = 24, y = 20\nfield u : f64\nboundary u = mirror\n"
                           "step 30 { u' = u + 0.1*laplacian(u, order = 4) }\n";
static const char wave[] = "grid x = 24, y = 20\nfield p, q : f64\nboundary p, q = reflect\n"
                           "step 200 {\n p' = q\n q' = 2*q - p + 0.2*laplacian(q, order = 4)\n}\n";

static void fill(double *u, unsigned seed) {
  for (int i = 0; i < CELLS; i++) {
    seed = seed * 1664525 + 1013904223;
    u[i] = (seed >> 8) / 16777216.0 - 0.5;
  }
}

static void run_heat(const char *text, double *u) {
  run x = run_text(text, NULL);
  run_bind(&x, "u", u, CELLS * sizeof *u);
  run_advance(&x, -1);
  memcpy(u, ik_run_data(x.r, "u", NULL), CELLS * sizeof *u);
  run_free(&x);
}

static double distance(const double *a, const double *b) {
  double worst = 0;
  for (int i = 0; i < CELLS; i++) worst = fmax(worst, fabs(a[i] - b[i]));
  return worst;
}

CASE(linear) {
  double a[CELLS], b[CELLS], both[CELLS], sum[CELLS];
  fill(a, 1), fill(b, 2);
  for (int i = 0; i < CELLS; i++) both[i] = 2 * a[i] - 3 * b[i];
  run_heat(heat, a), run_heat(heat, b), run_heat(heat, both);
  for (int i = 0; i < CELLS; i++) sum[i] = 2 * a[i] - 3 * b[i];
  CHECK(distance(both, sum) < 1e-14);
  CHECK(distance(both, a) > 1e-3);
}

/* On a torus no place is special, so a shift changes no bit. */
CASE(translation) {
  double a[CELLS], b[CELLS], moved[CELLS];
  fill(a, 3);
  for (int j = 0; j < NY; j++)
    for (int i = 0; i < NX; i++) b[(j + 7) % NY * NX + (i + 5) % NX] = a[j * NX + i];
  run_heat(heat, a), run_heat(heat, b);
  for (int j = 0; j < NY; j++)
    for (int i = 0; i < NX; i++) moved[(j + 7) % NY * NX + (i + 5) % NX] = a[j * NX + i];
  CHECK(memcmp(b, moved, sizeof b) == 0);
}

static void reflect(const double *a, double *out, bool along_x) {
  for (int j = 0; j < NY; j++)
    for (int i = 0; i < NX; i++)
      out[j * NX + i] = along_x ? a[j * NX + NX - 1 - i] : a[(NY - 1 - j) * NX + i];
}

CASE(reflection) {
  for (int along_x = 0; along_x < 2; along_x++) {
    double a[CELLS], b[CELLS], image[CELLS];
    fill(a, 4);
    reflect(a, b, along_x);
    run_heat(even, a), run_heat(even, b);
    reflect(a, image, along_x);
    CHECK(distance(b, image) < 1e-14);
    run_heat(heat, a), run_heat(heat, b); /* uneven weights do see the difference */
    reflect(a, image, along_x);
    CHECK(distance(b, image) > 1e-4);
  }
}

CASE(constants_stay) {
  double a[CELLS], b[CELLS];
  for (int i = 0; i < CELLS; i++) a[i] = b[i] = 0.7;
  run_heat(heat, a); /* its weights add up to one */
  CHECK(distance(a, b) < 1e-14);
  run_heat(even, a);
  CHECK(distance(a, b) < 1e-14);
}

static void run_wave(double *p, double *q, int steps) {
  run x = run_text(wave, NULL);
  run_bind(&x, "p", p, CELLS * sizeof *p);
  run_bind(&x, "q", q, CELLS * sizeof *q);
  run_advance(&x, steps);
  memcpy(p, ik_run_data(x.r, "p", NULL), CELLS * sizeof *p);
  memcpy(q, ik_run_data(x.r, "q", NULL), CELLS * sizeof *q);
  run_free(&x);
}

/* The leapfrog is its own inverse with the two levels exchanged. */
CASE(time_runs_backwards) {
  double p[CELLS], q[CELLS], start[CELLS];
  fill(p, 5);
  memcpy(q, p, sizeof q), memcpy(start, p, sizeof p);
  run_wave(p, q, 150);
  CHECK(distance(q, start) > 0.1);
  run_wave(q, p, 150);
  CHECK(distance(p, start) < 1e-11);
  CHECK(distance(q, start) < 1e-11);
}

/* Two programs for the same thing: the pattern written out, and the operator. */
CASE(two_spellings) {
  static const char spelt[] =
      "grid x = 24, y = 20\nfield u : f64\nboundary u = mirror\n"
      "weights w = [[0, 0, -1, 0, 0], [0, 0, 16, 0, 0], [-1, 16, -60, 16, -1],\n"
      "             [0, 0, 16, 0, 0], [0, 0, -1, 0, 0]]\n"
      "step 30 { u' = u + 0.1/12*stencil(u, w) }\n";
  double a[CELLS], b[CELLS];
  fill(a, 6), memcpy(b, a, sizeof b);
  run_heat(even, a), run_heat(spelt, b);
  CHECK(distance(a, b) < 1e-14);
}
