/* area.h: what an element takes of the FPGA, and how many fit. */
#pragma once
#include "targets/simulated/nero/shape.h"

/* For windows of `size` cells.
 *
 * Block RAM: streams are queues of 512 bits (Section 4.4: "streams are implemented as FIFOs that
 * make use of BRAM"), two at the port and one for each field.  A value of which neighbours are read
 * has a window in banks, one bank for each number of 512 bits, so that all are read in one cycle,
 * and another such buffer for its halo.  Ultra RAM: what waits between phases, and the port.
 * Arithmetic: as many units as operations, in each lane. */
ik_nero_area ik_nero_area_of(const ik_nero_shape *s, const ik_nero_board *b,
                             const int64_t size[IK_MAX_DIM]);
void         ik_nero_area_add(ik_nero_area *sum, const ik_nero_area *a);

/* What of a resource elements can have. */
double ik_nero_free(const ik_nero_board *b, ik_nero_resource r);
/* The largest share of that which an element takes; of which resource goes to `*which`. */
double ik_nero_share(const ik_nero_area *element, const ik_nero_board *b, ik_nero_resource *which);
/* How many such elements the board has room and ports for. */
int ik_nero_fit(const ik_nero_area *element, const ik_nero_board *b);
/* Of the whole board with n of them, as a share of the device. */
double ik_nero_used(const ik_nero_area *element, const ik_nero_board *b, int n, ik_nero_resource r);
