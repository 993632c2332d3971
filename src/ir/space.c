#include "ir/space.h"
#include "base/diag.h"
#include <string.h>

static bool is_called(const ik_ir *ir, int axis, const char *name) {
  return strcmp(ir->axis[axis], name) == 0;
}

ik_vertical ik_space_named(const ik_ir *ir) {
  for (int d = 0; d < ir->ndim; d++)
    if (is_called(ir, d, "z") || is_called(ir, d, "depth"))
      return (ik_vertical){.known = true, .axis = d};
  return (ik_vertical){0};
}

/* The horizontal direction that an axis has by its name; -1: any. */
static int direction_named(const ik_ir *ir, int axis) {
  return is_called(ir, axis, "x") ? IK_EAST : is_called(ir, axis, "y") ? IK_NORTH : -1;
}

void ik_space_directions(const ik_ir *ir, int direction[IK_MAX_DIM]) {
  bool taken[3] = {false, false, ir->vertical.known};
  IK_ASSERT(ir->ndim <= IK_MAX_DIM);
  for (int d = 0; d < IK_MAX_DIM; d++) direction[d] = -1;
  if (ir->vertical.known) direction[ir->vertical.axis] = IK_VERTICAL;
  for (int d = 0; d < ir->ndim; d++) {
    int named = direction_named(ir, d);
    if (direction[d] >= 0 || named < 0) continue;
    direction[d] = named, taken[named] = true;
  }
  for (int d = 0; d < ir->ndim; d++)
    for (int to = IK_EAST; to < 3 && direction[d] < 0; to++)
      if (!taken[to]) direction[d] = to, taken[to] = true;
}

void ik_space_metres(const ik_ir *ir, const double cells[IK_MAX_DIM], double out[3]) {
  int direction[IK_MAX_DIM];
  ik_space_directions(ir, direction);
  out[IK_EAST] = out[IK_NORTH] = out[IK_VERTICAL] = 0;
  for (int d = 0; d < ir->ndim; d++) out[direction[d]] = cells[d] * ir->spacing[d];
  if (ir->vertical.known && ir->vertical.up) out[IK_VERTICAL] = 0 - out[IK_VERTICAL];
}
