/* Conjugate gradients against values computed once by an independent C program for the Wormhole
 * paper's solver (64 x 16 x 4 cells, FP32; its sums run in another order, hence the tolerance). */
#include "run.h"

static double norm_of(const run *x, const char *field) {
  ik_field_info info;
  const float  *v = ik_run_data(x->r, field, &info);
  double        sum = 0;
  for (size_t i = 0; i < info.bytes / sizeof *v; i++) sum += (double)v[i] * v[i];
  return sqrt(sum);
}

static const struct {
  int    round;
  double residual, alpha, beta;
} golden[] = {
    {1, 49.1714108, 3.01127362, 1.74365032},  {2, 42.4155785, 2.20871234, 0.744089901},
    {3, 26.0989107, 1.36052346, 0.378611833}, {4, 14.6210551, 1.24684107, 0.31384325},
    {8, 2.66354267, 1.38161922, 0.363035798}, {12, 0.482620924, 1.32364929, 0.354443103},
};

CASE(residuals) {
  run x = run_example("poisson", "x=64 y=16 z=4 tolerance=0");
  int done = 0;
  for (size_t k = 0; k < sizeof golden / sizeof *golden; k++) {
    run_advance(&x, golden[k].round - done);
    done = golden[k].round;
    CHECK_NEAR(norm_of(&x, "r") / golden[k].residual, 1, 1e-5);
    CHECK_NEAR(run_scalar(&x, "alpha") / golden[k].alpha, 1, 1e-5);
    CHECK_NEAR(run_scalar(&x, "beta") / golden[k].beta, 1, 1e-5);
  }
  run_free(&x);
}

/* The same operator, once: dot(b, b) and dot(b, A b). */
CASE(dots) {
  char *text = example_text("poisson");
  char *cut = strstr(text, "repeat until");
  if (cut) strcpy(cut, "q = A(p)\nbb = sum(b*b)\nbAb = 36*sum(p*q)\n");
  run x = run_text(text, "x=64 y=16 z=4 tolerance=0");
  free(text);
  run_advance(&x, -1);
  CHECK_NEAR(run_scalar(&x, "bb") / 1386.64709, 1, 1e-5);
  CHECK_NEAR(run_scalar(&x, "bAb") / 2762.90942, 1, 1e-5);
  run_free(&x);
}

CASE(converges_to_a_solution) {
  run x = run_example("poisson", "x=20 y=16 z=12 tolerance=1e-4");
  run_advance(&x, -1);
  CHECK(run_scalar(&x, "recursive_residual") <= 1e-4);
  CHECK(run_scalar(&x, "true_residual") <= 1e-3);
  CHECK(norm_of(&x, "sol") > 1);
  run_free(&x);
}
