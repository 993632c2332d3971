/* The maximum is sought on a lattice that holds 0 and pi, where most stencils have it, then by a
 * compass search around the best point.  f(-theta) = f(theta), so half of the last axis will do. */
#include "facts/angles.h"
#include "base/bits.h"
#include "base/elementary.h"
#include <math.h>

enum { HALVINGS = 24, MOVES = 8 };

/* exp(i pi x), exact for multiples of 1/2: a wave at its limit must not get rounding for growth. */
static ik_cplx cispi(double x) {
  static const ik_cplx quarter[4] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
  double               turns = x - 2 * floor(x / 2);     /* [0, 2) */
  double               nearest = floor(2 * turns + 0.5); /* multiple of a quarter turn: 0 .. 4 */
  double               rest = 3.14159265358979323846 * (turns - nearest / 2);
  return ik_times(quarter[(int)nearest & 3], (ik_cplx){ik_cos(rest), ik_sin(rest)});
}

void ik_phases_fill(ik_phases *p, int ndim, const ik_hull *h, const double theta[IK_MAX_DIM]) {
  for (int d = 0; d < ndim; d++) {
    if (p->ndim == ndim && ik_bits_of(p->theta[d]) == ik_bits_of(theta[d])) continue;
    for (int k = h->lo[d]; k <= h->hi[d]; k++)
      p->axis[d][k + IK_ANGLES_RADIUS] = cispi(theta[d] * k);
    p->theta[d] = theta[d];
  }
  p->ndim = ndim;
}

static void try_angle(ik_over_angles f, void *ctx, const double theta[IK_MAX_DIM], ik_peak *best) {
  double v = f(ctx, theta);
  if (!(v > best->value) && !isnan(v)) return; /* once NaN, it stays */
  best->value = v;
  for (int d = 0; d < IK_MAX_DIM; d++) best->theta[d] = theta[d];
}

static void scan(ik_over_angles f, void *ctx, int ndim, int half, ik_peak *best) {
  int first[IK_MAX_DIM] = {0}, count[IK_MAX_DIM] = {1, 1, 1};
  for (int d = 0; d < ndim; d++) {
    first[d] = d == ndim - 1 ? 0 : -half;
    count[d] = half - first[d] + 1;
  }
  for (int z = 0; z < count[2]; z++)
    for (int y = 0; y < count[1]; y++)
      for (int x = 0; x < count[0]; x++) {
        double theta[IK_MAX_DIM] = {(double)(first[0] + x) / half, (double)(first[1] + y) / half,
                                    (double)(first[2] + z) / half};
        try_angle(f, ctx, theta, best);
      }
}

/* Tries the neighbours at this distance along each axis. */
static bool improve(ik_over_angles f, void *ctx, int ndim, double width, ik_peak *best) {
  ik_peak centre = *best;
  for (int d = 0; d < ndim; d++)
    for (int side = -1; side <= 1; side += 2) {
      double theta[IK_MAX_DIM] = {centre.theta[0], centre.theta[1], centre.theta[2]};
      theta[d] += side * width;
      try_angle(f, ctx, theta, best);
    }
  return best->value > centre.value;
}

static void refine(ik_over_angles f, void *ctx, int ndim, double width, ik_peak *best) {
  for (int k = 0; k < HALVINGS; k++, width /= 2)
    for (int move = 0; move < MOVES && improve(f, ctx, ndim, width, best);) move++;
}

ik_peak ik_angles_highest(ik_over_angles f, void *ctx, int ndim, int coarse) {
  static const double zero[IK_MAX_DIM] = {0};
  static const int    steps[IK_MAX_DIM + 1] = {1, 64, 16, 8}; /* from 0 to pi */
  int                 half = steps[ndim] >> coarse;
  ik_peak             best = {f(ctx, zero), {0}};
  scan(f, ctx, ndim, half, &best);
  refine(f, ctx, ndim, 0.5 / half, &best);
  return best;
}
