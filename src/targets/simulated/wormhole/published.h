/* published.h: the figures of arXiv 2603.23343 as the cycle simulation gives them. */
#pragma once
#include "machine/machine.h"
#include "runtime/simulated.h"

/* Every figure of the paper that the simulation has something to say about: the paper's kernels are
 * simulated on all cores, with all tiles.  `m` as in figures.h.  Rows live in `a`. */
ik_status ik_wormhole_published(const ik_machine *m, ik_arena *a, ik_diag *d,
                                const ik_published_row **rows, int *n);
