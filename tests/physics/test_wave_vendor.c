/* The 25-point wave against the values that the vendor of the wafer-scale machine publishes with
 * its example: 10^3 cells of 20 m, V^2 dt^2 = 10.37, a pulse in the corner; smallest and largest
 * value after 2 and after 10 steps, to be met within 0.01.  The other values come from an
 * independent C program. */
#include "run.h"

static const char text[] = "grid x = 10, y = 10, z = 10, spacing = 20\n"
                           "param dt = 0.001610153, sig = 0.6*25, vp = 10.3703699112\n"
                           "field u : f32, history 2\n"
                           "boundary u = 0\n"
                           "source -2*8*sig*(sig - 2*sig*8*(sig*t*dt - 1)^2)*exp(-8*(sig*t*dt - "
                           "1)^2) at (0, 0, 0) into u\n"
                           "step 10 { u' = 2*u - u[t-1] + vp*laplacian(u, order = 8) }\n"
                           "low = min(u)\nhigh = max(u)\nsize = norm(f64(u))\n";

static run run_steps(int steps) {
  run x = run_text(text, NULL);
  ik_program_set_steps(x.p, steps);
  ik_run_destroy(&x.r);
  run_must(ik_program_compile(x.p, x.log), x.log);
  run_must(ik_run_create(x.p, NULL, x.log, &x.r), x.log);
  run_advance(&x, -1);
  return x;
}

CASE(two_steps) {
  run x = run_steps(2);
  CHECK_NEAR(run_scalar(&x, "low"), -0.0939295, 1e-5);
  CHECK_NEAR(run_scalar(&x, "high"), 57.403816, 1e-4);
  run_free(&x);
}

CASE(ten_steps) {
  run x = run_steps(10);
  CHECK_NEAR(run_scalar(&x, "low"), -1.3100899, 1e-5);
  CHECK_NEAR(run_scalar(&x, "high"), 1200.9414062, 0.01);
  CHECK_NEAR(run_scalar(&x, "size"), 1256.77045, 0.01);
  CHECK_NEAR(ik_run_value(x.r, "u", 1, 0, 0), 207.044006, 1e-3);
  CHECK_NEAR(ik_run_value(x.r, "u", 4, 0, 0), 0.351911962, 1e-5);
  CHECK_NEAR(ik_run_value(x.r, "u", 1, 2, 3), 0.00530729722, 1e-7);
  run_free(&x);
}
