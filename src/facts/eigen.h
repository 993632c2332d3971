/* eigen.h: the greatest size of an eigenvalue of a small complex matrix. */
#pragma once
#include "facts/angles.h"

/* `m` [n][n], n >= 1, is overwritten.  NaN if an entry is not finite or the iteration does not end.
 * The result is that of a matrix within rounding of `m`: a double eigenvalue is good to the root of
 * the precision. */
double ik_eigen_radius(ik_cplx *m, int n);
