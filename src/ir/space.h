/* space.h: how the axes of a grid lie in space: which one is depth or height, which are horizontal.
 *
 * A program may say it (`down = y`, `up = z`); else an axis called `z` or `depth` is depth,
 * wherever it stands among the axes, and a grid without one has no vertical axis.  Pictures and
 * headers of seismic files follow it; no value of a field depends on it.
 */
#pragma once
#include "ir/ir.h"

enum { IK_EAST, IK_NORTH, IK_VERTICAL }; /* directions: two horizontal ones, and the third */

/* What the names of the axes say. */
ik_vertical ik_space_named(const ik_ir *ir);

/* The direction that each axis has.  Of horizontal axes those called `x` and `y` go east and north;
 * others take what is free, in their order. */
void ik_space_directions(const ik_ir *ir, int direction[IK_MAX_DIM]);

/* Cells to metres: east, north, and depth, which is positive below cell 0. */
void ik_space_metres(const ik_ir *ir, const double cells[IK_MAX_DIM], double out[3]);
