/* bound.h: which cell stands for one beyond a face of a field. */
#pragma once
#include "ir/ir.h"

/* Maps an index along an axis that the field is on to the cell that stands for it, at any distance;
 * where ANTI... negates, `*sign` changes its sign.  Returns the side (0 low, 1 high) if a VALUE
 * stands there instead, and leaves the index as it was; else -1. */
int ik_bound_fold(const ik_field *f, int axis, int64_t *i, double *sign);
