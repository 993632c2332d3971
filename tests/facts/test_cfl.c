#include "facts/cfl.h"
#include "check.h"
#include "facts/angles.h"
#include <math.h>

/* 2 u - u[t-1] + k (u[-r] - 2 u + u[r]), in the order that lists of points have. */
typedef struct pattern {
  ik_coef c[5];
  int     n;
} pattern;

static pattern leapfrog(double k, int r) {
  return (pattern){{{{0, 0, {-r, 0, 0}}, k},
                    {{0, 0, {0, 0, 0}}, 2 - 2 * k},
                    {{0, 0, {r, 0, 0}}, k},
                    {{0, -1, {0, 0, 0}}, -1}},
                   4};
}

static bool cfl(const pattern *p, double *factor) {
  ik_coefs c = {p->n, p->c};
  return ik_cfl_of(1, 0, &c, factor);
}

static bool is_wave(pattern p) {
  double factor;
  return cfl(&p, &factor);
}

CASE(the_factor_is_that_of_k) {
  double  factor;
  pattern p = leapfrog(0.25, 1);
  CHECK(cfl(&p, &factor));
  CHECK_NEAR(factor, 4, 1e-9); /* stable up to k = 1 */
  p = leapfrog(1, 1);
  CHECK(cfl(&p, &factor));
  CHECK_NEAR(factor, 1, 1e-9);
}

CASE(of_the_wrong_sign_no_step_is_stable_and_of_none_all_are) {
  double  factor;
  pattern p = leapfrog(-0.25, 1);
  CHECK(cfl(&p, &factor));
  CHECK(factor == 0);
  p = leapfrog(0, 1);
  CHECK(cfl(&p, &factor));
  CHECK(isinf(factor));
  p = leapfrog(0.25, 1), p.c[1].weight += 1e-7; /* rounding is no sign */
  CHECK(cfl(&p, &factor));
  CHECK_NEAR(factor, 4, 1e-4);
}

CASE(the_widest_pattern) {
  CHECK(is_wave(leapfrog(0.25, IK_ANGLES_RADIUS)));
  CHECK(!is_wave(leapfrog(0.25, IK_ANGLES_RADIUS + 1)));
}

/* What else is no leapfrog; each differs from one in a single thing. */
CASE(old_values_are_exactly_one) {
  pattern p = leapfrog(0.25, 1);
  CHECK(is_wave(p));
  p.n = 3; /* none at all */
  CHECK(!is_wave(p));
  p = leapfrog(0.25, 1), p.c[3].weight = -0.5;
  CHECK(!is_wave(p));
  p = leapfrog(0.25, 1), p.c[3].at.level = -2;
  CHECK(!is_wave(p));
  for (int d = 0; d < IK_MAX_DIM; d++) {
    p = leapfrog(0.25, 1), p.c[3].at.off[d] = 1;
    CHECK(!is_wave(p));
  }
  p = leapfrog(0.25, 1), p.c[4] = p.c[3], p.n = 5; /* two of them */
  CHECK(!is_wave(p));
}

CASE(other_fields_and_unknown_weights_are_no_wave) {
  for (int i = 0; i < 4; i++) {
    pattern p = leapfrog(0.25, 1);
    p.c[i].at.field = 1;
    CHECK(!is_wave(p));
    p = leapfrog(0.25, 1), p.c[i].weight = NAN;
    CHECK(!is_wave(p));
    p = leapfrog(0.25, 1), p.c[i].weight = INFINITY;
    CHECK(!is_wave(p));
  }
  CHECK(!is_wave(leapfrog(8e307, 1))); /* each is a number, and their sum is none */
}

CASE(what_leans_to_one_side_is_no_wave) {
  pattern p = leapfrog(0.25, 1);
  p.c[2].weight = 0.3;
  CHECK(!is_wave(p));
  p = leapfrog(0.25, 1), p.c[2].at.off[0] = 2;
  CHECK(!is_wave(p));
  for (int d = 1; d < IK_MAX_DIM; d++) {
    p = leapfrog(0.25, 1), p.c[2].at.off[d] = 1;
    CHECK(!is_wave(p));
  }
}
