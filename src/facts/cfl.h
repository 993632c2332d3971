/* cfl.h: how far a time step of second order is from its limit. */
#pragma once
#include "facts/linear.h"

/* For u' = 2u - u[t-1] + k L(u) with symmetric L: the factor by which k may grow before the step
 * becomes unstable (below 1: it is; 0: for any k; infinity: never).  `after` are the weights of the
 * new value of `field` (ik_linear_after).  False if the update is not of this kind.
 * Stable is 0 <= -k L(theta) <= 4 for all theta; with k = (V dt)^2 the time step may grow by the
 * root of the factor. */
bool ik_cfl_of(int ndim, int field, const ik_coefs *after, double *factor);
