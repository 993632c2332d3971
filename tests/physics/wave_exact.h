/* wave_exact.h: the wave from a point, against u = r(t - R/V)/(4 pi R), r the Ricker pulse.
 *
 * 121^3 nodes of 10 m, V = 2000 m/s, dt = 1 ms, a pulse of 12.5 Hz delayed by 0.1 s in the middle;
 * 300 steps, in which nothing comes back from the faces.  The expected errors, peaks and values
 * were computed once by an independent C program with the same scheme. */
#pragma once
#include "run.h"

enum { STEPS = 300, RECEIVERS = 3 };

static const int receiver_offset[RECEIVERS][3] = {{20, 0, 0}, {20, 20, 0}, {12, 16, 15}};

static const char wave_text[] =
    "grid x = 121, y = 121, z = 121, spacing = 10 m\n"
    "param dt = 1 ms, v = 2000 m/s\n"
    "field u : %s, history 2\n"
    "boundary u = 0\n"
    "source (v*dt)^2/dx^3*ricker(12.5 Hz, delay = 0.1 s)\n"
    "  at (60, 60, 60) into u\n"
    "step 300 { u' = 2*u - u[t-1] + (v*dt)^2*laplacian(u, order = 8) }\n";

static inline double exact_wave(double t, double r) {
  double a = M_PI * 12.5 * (t - r / 2000 - 0.1);
  return (1 - 2 * a * a) * exp(-a * a) / (4 * M_PI * r);
}

static inline double distance_of(int k) {
  const int *o = receiver_offset[k];
  return 10 * sqrt(o[0] * o[0] + o[1] * o[1] + o[2] * o[2]);
}

/* trace[k][n]: the field after n steps. */
static inline void record_wave(const char *type, double trace[RECEIVERS][STEPS + 1]) {
  char text[sizeof wave_text + 8];
  snprintf(text, sizeof text, wave_text, type);
  run x = run_text(text, NULL);
  for (int n = 0; n <= STEPS; n++) {
    for (int k = 0; k < RECEIVERS; k++) {
      const int *o = receiver_offset[k];
      trace[k][n] = ik_run_value(x.r, "u", 60 + o[0], 60 + o[1], 60 + o[2]);
    }
    if (n < STEPS) run_advance(&x, 1);
  }
  run_free(&x);
}

static inline double relative_error(const double *trace, double r) {
  double error = 0, size = 0;
  for (int n = 0; n <= STEPS; n++) {
    double e = exact_wave(n * 1e-3, r);
    error += (trace[n] - e) * (trace[n] - e), size += e * e;
  }
  return sqrt(error / size);
}

/* News travels four cells a step along an axis, the radius of the stencil, and no further. */
static inline void check_reach(const char *type) {
  char text[sizeof wave_text + 8];
  snprintf(text, sizeof text, wave_text, type);
  run x = run_text(text, NULL);
  run_advance(&x, 4); /* the first step only adds the source */
  for (int d = -1; d <= 1; d += 2) {
    CHECK(ik_run_value(x.r, "u", 60 + 12 * d, 60, 60) != 0);
    CHECK(ik_run_value(x.r, "u", 60, 60, 60 + 12 * d) != 0);
    CHECK(ik_run_value(x.r, "u", 60 + 13 * d, 60, 60) == 0);
    CHECK(ik_run_value(x.r, "u", 60 + 9 * d, 60 + 4 * d, 60) == 0);
  }
  run_free(&x);
}
