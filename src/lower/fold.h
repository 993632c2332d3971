/* fold.h: fields whose next level may lie where their oldest one does. */
#pragma once
#include "base/arena.h"
#include "ir/ir.h"

/* [nfield]: each cell of the oldest level is read once, when the next level of the same cell is
 * made, and nobody looks at the next level of a neighbour meanwhile.  So whoever makes one step
 * after the other, cell by cell or vector by vector in any order, needs no more arrays than the
 * history has levels: u' = 2*u - u[t-1] + ... needs two. */
const bool *ik_fold_fields(const ik_ir *ir, ik_arena *a);
