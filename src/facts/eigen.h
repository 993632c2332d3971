/* eigen.h: the eigenvalues of a small complex matrix. */
#pragma once
#include "facts/angles.h"

/* `m` [n][n], n >= 1, is overwritten; its diagonal holds the eigenvalues then.  False if an entry
 * is not finite or the iteration does not end.  The result is that of a matrix within rounding of
 * `m`: a double eigenvalue is good to the root of the precision. */
bool ik_eigen_values(ik_cplx *m, int n);
/* The greatest size of one; NaN if there is none. */
double ik_eigen_radius(ik_cplx *m, int n);
