/* What shallow water, light in a cavity and reacting substances must keep. */
#include "run.h"

CASE(shallow_keeps_its_water) {
  run x = run_example("shallow", "x=48 y=40");
  ik_program_set_steps(x.p, 1000);
  ik_run_destroy(&x.r);
  run_must(ik_program_compile(x.p, x.log), x.log);
  run_must(ik_run_create(x.p, NULL, x.log, &x.r), x.log);
  double start = ik_run_value(x.r, "h", 16, 20, 0);
  run_advance(&x, -1);
  CHECK_NEAR(run_scalar(&x, "after") / run_scalar(&x, "before"), 1, 1e-13);
  CHECK(fabs(ik_run_value(x.r, "h", 16, 20, 0) - start) > 0.1); /* it did move */
  CHECK_NEAR(ik_run_value(x.r, "h", 40, 4, 0), 100, 0.5);       /* and did not explode */
  for (int j = 0; j < 40; j++) CHECK_NEAR(ik_run_value(x.r, "u", 0, j, 0), 0, 0);
  run_free(&x);
}

/* A long wave travels at sqrt(g h): the front of the hump reaches a cell when it should. */
CASE(shallow_wave_speed) {
  run    x = run_example("shallow", "x=120 y=5 f=0 drop=0.01");
  double peak = 0;
  int    when = 0;
  for (int n = 1; n <= 500; n++) {
    run_advance(&x, 1);
    double h = ik_run_value(x.r, "h", 100, 2, 0) - 100;
    if (h > peak) peak = h, when = n;
  }
  /* 60 cells of 1 km from x = 40, at sqrt(9.81*100) = 31.32 m/s: 1916 s = 383 steps of 5 s */
  CHECK_NEAR(when, 383, 4);
  run_free(&x);
}

/* ---- Maxwell ---- */

static double mode_frequency(double a, double b, int m, int n) {
  return 0.5 * sqrt(m * m / (a * a) + n * n / (b * b));
}

/* Yee's dispersion: sin(w dt/2)/dt = sqrt(sum of (sin(k h/2)/h)^2). */
static double yee_frequency(double a, double b, int m, int n, double h, double dt) {
  double p = sin(m * M_PI * h / a / 2) / h, q = sin(n * M_PI * h / b / 2) / h;
  return asin(dt * sqrt(p * p + q * q)) / dt / M_PI;
}

/* From the zeros of the field in the middle of a belly, found between steps by a straight line. */
static double measured_frequency(const char *set, int i, int j, int steps) {
  run    x = run_example("maxwell", set);
  double first = 0, last = 0, was = ik_run_value(x.r, "ez", i, j, 3);
  int    zeros = 0;
  run_advance(&x, 0);
  was = ik_run_value(x.r, "ez", i, j, 3);
  for (int n = 1; n <= steps; n++) {
    run_advance(&x, 1);
    double now = ik_run_value(x.r, "ez", i, j, 3);
    if ((was < 0) != (now < 0)) {
      last = (n - 1 + was / (was - now)) * 0.014;
      if (!zeros++) first = last;
    }
    was = now;
  }
  run_free(&x);
  CHECK(zeros > 8);
  return (zeros - 1) / (last - first) / 2;
}

CASE(maxwell_cavity_frequency) {
  double f = measured_frequency("z=6", 20, 15, 500);
  CHECK_NEAR(f / mode_frequency(1, 0.75, 1, 1), 1, 1e-3);
  CHECK_NEAR(f / yee_frequency(1, 0.75, 1, 1, 0.025, 0.014), 1, 2e-5);
  f = measured_frequency("z=6 m=2", 10, 15, 500);
  CHECK_NEAR(f / mode_frequency(1, 0.75, 2, 1), 1, 3e-3);
  CHECK_NEAR(f / yee_frequency(1, 0.75, 2, 1, 0.025, 0.014), 1, 2e-5);
}

/* The mode (1, 1, 0) has no x and y components, and the magnetic field no divergence. */
CASE(maxwell_keeps_the_mode) {
  run x = run_example("maxwell", "x=20 y=16 z=6");
  run_advance(&x, 137);
  double worst = 0, size = 0;
  for (int k = 0; k < 6; k++)
    for (int j = 0; j < 16; j++)
      for (int i = 0; i < 20; i++) {
        worst = fmax(worst, fabs(ik_run_value(x.r, "ex", i, j, k)));
        worst = fmax(worst, fabs(ik_run_value(x.r, "ey", i, j, k)));
        worst = fmax(worst,
                     fabs(ik_run_value(x.r, "hx", i + 1, j, k) - ik_run_value(x.r, "hx", i, j, k) +
                          ik_run_value(x.r, "hy", i, j + 1, k) - ik_run_value(x.r, "hy", i, j, k) +
                          ik_run_value(x.r, "hz", i, j, k + 1) - ik_run_value(x.r, "hz", i, j, k)));
        size = fmax(size, fabs(ik_run_value(x.r, "hx", i, j, k)));
      }
  CHECK(worst < 1e-14);
  CHECK(size > 0.01);
  run_free(&x);
}

/* ---- Gray-Scott ---- */

enum { GS = 64 };

/* An even start stays even: about both axes and the diagonal. */
CASE(gray_scott) {
  run x = run_example("gray-scott", "x=64 y=64 rough=0");
  run_advance(&x, 600);
  double most = 0, reach = 0;
  for (int j = 0; j < GS; j++)
    for (int i = 0; i < GS; i++) {
      double u = ik_run_value(x.r, "u", i, j, 0), v = ik_run_value(x.r, "v", i, j, 0);
      CHECK(u >= 0 && u <= 1 && v >= 0 && v <= 1);
      CHECK_NEAR(v, ik_run_value(x.r, "v", (GS - i) % GS, j, 0), 1e-4);
      CHECK_NEAR(v, ik_run_value(x.r, "v", i, (GS - j) % GS, 0), 1e-4);
      CHECK_NEAR(v, ik_run_value(x.r, "v", j, i, 0), 1e-4);
      most = fmax(most, v);
      if (v > 0.1) reach = fmax(reach, fabs(i - GS / 2.0));
    }
  CHECK(most > 0.2); /* alive */
  CHECK(reach > 13); /* and grown from 10 cells */
  run_free(&x);
}

/* Nothing to eat: v dies out and u returns to one. */
CASE(gray_scott_starves) {
  run x = run_example("gray-scott", "x=32 y=32 F=0.01 k=0.2 rough=0");
  run_advance(&x, 1500);
  for (int i = 0; i < 32; i++) {
    CHECK_NEAR(ik_run_value(x.r, "v", i, 16, 0), 0, 1e-6);
    CHECK_NEAR(ik_run_value(x.r, "u", i, 16, 0), 1, 1e-3);
  }
  run_free(&x);
}
