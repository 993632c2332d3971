/* golden.h: the public example of the 25-point kernel for this machine, run on simulated elements:
 * 10 x 10 x 10 cells that begin at zero, and a pulse in the corner. */
#pragma once
#include "targets/simulated/wse2/timing.h"

enum { IK_WSE2_GOLDEN = 2 };

typedef struct ik_wse2_golden { /* the range of values after so many steps */
  int    steps;
  double low, high;
} ik_wse2_golden;

/* As the example's own output has it; the example allows 0.01. */
extern const ik_wse2_golden ik_wse2_golden_published[IK_WSE2_GOLDEN];

/* As the elements have it.  E072. */
ik_status ik_wse2_golden_run(const ik_wse2_timing *t, ik_arena *a, ik_diag *d,
                             ik_wse2_golden out[IK_WSE2_GOLDEN]);
