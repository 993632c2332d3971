/* bound.h: which cell stands for one beyond a face of a field. */
#pragma once
#include "ir/ir.h"

/* Maps an index along an axis that the field is on to the cell that stands for it, at any distance;
 * where ANTI... negates, `*sign` changes its sign.  Returns the side (0 low, 1 high) if a VALUE
 * stands there instead, and leaves the index as it was; else -1. */
int ik_bound_fold(const ik_field *f, int axis, int64_t *i, double *sign);

/* Does a read look beyond a face of its field, from some of these cells? */
bool ik_bound_is_crossed(const ik_field *f, const ik_expr *read, const ik_box *cells);
/* Does what stands beyond the faces depend on the step? */
bool ik_bound_changes(const ik_field *f);
