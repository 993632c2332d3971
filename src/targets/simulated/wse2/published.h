/* published.h: the tables of arXiv 2204.03775 as the cycle simulation gives them. */
#pragma once
#include "machine/machine.h"
#include "runtime/simulated.h"

/* Every figure of the paper that the simulation has something to say about.  The kernel is
 * simulated for each nz of Table III, in full length, on a patch of 10 x 9 elements with borders;
 * columns are shared out to `threads` threads, which changes nothing.  Rows live in `a`. */
ik_status ik_wse2_published(const ik_machine *m, int threads, ik_arena *a, ik_diag *d,
                            const ik_published_row **rows, int *n);

/* Of a step, by Table III, with columns of so many cells: one of its rows. */
double ik_wse2_published_seconds(int nz);

/* One step of the paper's kernel on a patch, for whoever wants to know how fast the simulation is:
 * cycles times elements that were simulated. */
ik_status ik_wse2_workload(const ik_machine *m, int nx, int ny, int nz, int threads, ik_arena *a,
                           ik_diag *d, int64_t *element_cycles);
