/* angles.h: waves exp(i theta x) on a grid, and the greatest value of a function of their angles.
 * Angles are in units of pi, so that the shortest wave is exact. */
#pragma once
#include "facts/points.h"

enum { IK_ANGLES_RADIUS = 256 }; /* of the widest pattern */

typedef struct ik_cplx {
  double re, im;
} ik_cplx;

static inline ik_cplx ik_times(ik_cplx a, ik_cplx b) {
  return (ik_cplx){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

static inline ik_cplx ik_plus(ik_cplx a, ik_cplx b) { return (ik_cplx){a.re + b.re, a.im + b.im}; }

typedef struct ik_phases { /* exp(i theta k) along each axis, for the k of a hull */
  int     ndim;            /* 0: nothing is filled in */
  double  theta[IK_MAX_DIM];
  ik_cplx axis[IK_MAX_DIM][2 * IK_ANGLES_RADIUS + 1];
} ik_phases;

/* The radius of the hull is at most IK_ANGLES_RADIUS; it is the same each time: axes whose angle is
 * as before stay. */
void ik_phases_fill(ik_phases *p, int ndim, const ik_hull *h, const double theta[IK_MAX_DIM]);

static inline ik_cplx ik_phases_at(const ik_phases *p, const int off[IK_MAX_DIM]) {
  ik_cplx v = p->axis[0][off[0] + IK_ANGLES_RADIUS];
  for (int d = 1; d < p->ndim; d++) v = ik_times(v, p->axis[d][off[d] + IK_ANGLES_RADIUS]);
  return v;
}

typedef double (*ik_over_angles)(void *ctx, const double theta[IK_MAX_DIM]);

typedef struct ik_peak {
  double value, theta[IK_MAX_DIM];
} ik_peak;

/* The greatest value of `f`, which is the same at theta and -theta.  `coarse` 0, 1 or 2 halves the
 * number of angles tried along each axis as often.  NaN if `f` is NaN anywhere. */
ik_peak ik_angles_highest(ik_over_angles f, void *ctx, int ndim, int coarse);
