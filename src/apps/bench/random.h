/* random.h: random programs on grids of any size, for timing: stencils as people write them, in one
 * or two stages, with boundaries of all kinds, a coefficient field, history.  Values stay within
 * [-1, 1]; nothing jumps, so that rounding stays rounding.  The same seed gives the same text on
 * every machine. */
#pragma once
#include "base/buf.h"
#include <stdbool.h>

/* Appends the program; its axes are x, y, z, as many as `ndim`. */
void ik_random_write(int seed, int ndim, bool f64, ik_buf *out);
