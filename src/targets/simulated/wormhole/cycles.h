/* cycles.h: how long statements take on the cores of a die, cycle by cycle.
 *
 * All cores are simulated, each with what drives its units, with a mover that sends halos and
 * partial results over the network, and with circular buffers for what it gets.  An operation on a
 * tile takes the time of unpacking its operands, of the unit, of packing its result and of the
 * synchronisation between them (schedule.h).  A shifted tile waits for the rows of
 * the neighbour, or for a baby core that fills them with zeros.  Reductions go from core to core.
 * Split kernels wait for each other; in a fused one each core goes on alone.
 *
 * Not simulated: the host.  What it adds (starting kernels, transfers, gaps between them) is the
 * calibrated factor ik_wormhole_figures.host.
 */
#pragma once
#include "sim/timeline.h"
#include "targets/simulated/wormhole/chip.h"

typedef struct ik_wormhole_count {
  int64_t cycles; /* until the last core is done */
  int64_t ops;    /* on tiles, of all cores */
  int64_t busy;   /* cycles of units, of all cores */
  int64_t waits;  /* cycles in which a core waited for others */
  int64_t writes; /* of halo rows over the network */
  int64_t bytes;  /* over the network */
  int64_t filled; /* 32-bit words that baby cores set to zero */
  int64_t hops;   /* of partial results */
} ik_wormhole_count;

/* The statements from `first` up to `end` (SETs take no time).  With a chip, which has the values
 * of before, everything is computed as well, rows and partial results moving as the network moves
 * them; `s` gets the scalars.  Without (NULL) it is only timed.  A timeline (NULL: none) gets what
 * the cores do.  E072 if there is no memory. */
ik_status ik_wormhole_cycles(const ik_wormhole_map *m, const ik_stmt *first, const ik_stmt *end,
                             ik_wormhole_chip *chip, ik_state *s, ik_timeline *t, ik_diag *d,
                             ik_wormhole_count *out);

/* Cycles of a round or step of the program's first loop, its test included; of all statements where
 * nothing is repeated.  Nothing is computed, so that takes milliseconds. */
ik_status ik_wormhole_round(const ik_wormhole_map *m, ik_diag *d, int64_t *cycles);
