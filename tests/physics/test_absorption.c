/* What absorbing layers leave of a pulse: the sum of u^2 over the inner cube of 72^3 cells with
 * layers of 16, against values computed once by an independent C program after minimod's layer and
 * Cerjan's sponge.  After 60 steps the pulse has not met the layer; later the energy stays without
 * one and falls by orders of magnitude with it. */
#include "run.h"

static const char text[] =
    "grid x = 72, y = 72, z = 72, spacing = 20\n"
    "param dt = 0.00362284419, sig = 15, v = 2000\n"
    "field u : f32, history 2\n"
    "boundary u = %s\n"
    "source -2*8*sig*(sig - 2*sig*8*(sig*t*dt - 1)^2)*exp(-8*(sig*t*dt - 1)^2)\n"
    "  at (36, 36, 36) into u\n"
    "step 300 { u' = 2*u - u[t-1] + (v*dt)^2*laplacian(u, order = 8) }\n";

static double inner_energy(const run *x) {
  double sum = 0;
  for (int k = 16; k < 56; k++)
    for (int j = 16; j < 56; j++)
      for (int i = 16; i < 56; i++) {
        double u = ik_run_value(x->r, "u", i, j, k);
        sum += u * u;
      }
  return sum;
}

/* The listed numbers have five digits; f32 and another order of sums leave 2 %. */
static void check_layer(const char *boundary, const double golden[5]) {
  char program[sizeof text + 32];
  int  most = SLOW_BUILD ? 1 : 5;
  snprintf(program, sizeof program, text, boundary);
  run x = run_text(program, NULL);
  for (int k = 0; k < most; k++) {
    run_advance(&x, 60);
    CHECK_NEAR(inner_energy(&x) / golden[k], 1, 0.02);
  }
  run_free(&x);
}

CASE(no_layer) { check_layer("0", (double[]){1.347594e8, 3.8147e4, 2.9411e7, 2.3831e7, 2.3606e7}); }
CASE(absorbing) {
  check_layer("absorbing(16)", (double[]){1.347594e8, 5.1516e4, 946.88, 459.51, 49.647});
}
CASE(sponge) {
  check_layer("sponge(16)", (double[]){1.347594e8, 3.6581e4, 5.1474e5, 2.9483e5, 4154.7});
}
