/* trip.h: windows from the memory of the host to the board, and their results back.
 *
 * The link works in both directions at once.  An element has some buffers for windows on the board:
 * with two, the next window travels while it computes this one (Section 3.1: "the double buffering
 * technique between the CPU and the FPGA"); with one, they take turns.  Time alone passes here: the
 * words themselves go through stream.h.
 */
#pragma once
#include "targets/simulated/nero/design.h"

enum { IK_NERO_BUFFERS = 2 }; /* of an element, as in the paper */

typedef struct ik_nero_trip {
  double   period;   /* cycles from window to window of the board, in the mean */
  ik_meter down, up; /* of the link, in bytes */
  int64_t  cycles;   /* of it all ... */
  int64_t  windows;  /* ... with so many windows */
} ik_nero_trip;

/* All windows of a kernel (of very many, the first ones) on so many elements, each of which takes
 * `period` cycles for one.  False without memory. */
bool ik_nero_trip_of(const ik_nero_work *w, const ik_nero_board *b, int kernel,
                     const ik_nero_design *x, double period, int buffers, ik_nero_trip *out);
