#include "build.h"
#include "facts/angles.h"

CASE(phases_are_exact_where_it_matters) {
  ik_phases p = {.ndim = 0};
  ik_hull   h = {{-3, -3, 0}, {3, 3, 0}};
  ik_phases_fill(&p, 2, &h, (double[]){1, -0.5, 0});
  ik_cplx v = ik_phases_at(&p, (int[]){1, 0, 0});
  CHECK(v.re == -1 && v.im == 0);
  v = ik_phases_at(&p, (int[]){-2, 3, 0}); /* exp(-1.5 pi i) = i */
  CHECK(v.re == 0 && v.im == 1);
  ik_phases_fill(&p, 2, &h, (double[]){1.0 / 3, 0.125, 0});
  v = ik_phases_at(&p, (int[]){2, 1, 0});
  double angle = 3.14159265358979323846 * (2.0 / 3 + 0.125);
  CHECK_NEAR(v.re, cos(angle), 1e-15);
  CHECK_NEAR(v.im, sin(angle), 1e-15);
  ik_phases_fill(&p, 2, &h, (double[]){0.5, 0.125, 0}); /* one angle is as before */
  v = ik_phases_at(&p, (int[]){1, 0, 0});
  CHECK(v.re == 0 && v.im == 1);
  v = ik_phases_at(&p, (int[]){0, -1, 0});
  CHECK_NEAR(v.im, -sin(0.125 * 3.14159265358979323846), 1e-15);
}

/* A single hill between the points of the lattice. */
static double hill(void *ctx, const double t[IK_MAX_DIM]) {
  int    ndim = *(int *)ctx;
  double sum = 0, at[] = {0.31, 0.17, 0.77};
  for (int d = 0; d < ndim; d++) sum += (fabs(t[d]) - at[d]) * (fabs(t[d]) - at[d]);
  return -sum;
}

CASE(finds_a_hill) {
  for (int ndim = 1; ndim <= 3; ndim++)
    for (int coarse = 0; coarse < 3; coarse++) {
      ik_peak p = ik_angles_highest(hill, &ndim, ndim, coarse);
      CHECK_NEAR(p.value, 0, 1e-12);
      CHECK_NEAR(fabs(p.theta[0]), 0.31, 1e-6);
    }
}
