/* sampling.h: how finely the grid samples the shortest wave that a source sends out.
 *
 * For u' = 2u - u[t-1] + k L(u) with L close to a Laplacian, k = (v dt)^2 is half the second moment
 * of the weights along an axis, and the shortest wavelength is v over the highest frequency.  How
 * many points a wavelength needs depends on the order of L: 10 for order 2, 5.5 for order 4 (Alford
 * and others, Geophysics 39(6), 1974), 4.5 for order 6, 4 from order 8 on.
 */
#pragma once
#include "facts/linear.h"

typedef struct ik_sampling { /* along the axis where it is worst */
  int    axis, order;
  double speed;      /* of the wave, in cells' units over time */
  double wavelength; /* the shortest */
  double points, enough;
} ik_sampling;

/* False where the speed is not known or not above zero.  `after`: as ik_linear_after gives it. */
bool ik_sampling_of(const ik_ir *ir, const ik_coefs *after, double frequency, ik_sampling *out);
