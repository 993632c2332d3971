/* route.h: on which way partial results of cores come together (arXiv 2603.23343, Section 5).
 *
 * First along the rows of cores (axis 1) to the column of the root, then along that column; in each
 * line from the high end first, then from the low one.  With the root at core (0, 0) that is the
 * paper's naive pattern, leftward and then upward; with the root in the middle it is its centre
 * pattern, where the root hears from four sides.
 */
#pragma once
#include "targets/simulated/wormhole/map.h"

typedef struct ik_wormhole_hop { /* `to` adds what `from` has to its own */
  int from, to;                  /* cores, i * cores[1] + j */
} ik_wormhole_hop;

/* All hops, cores - 1 of them, in an order in which each sends what is complete, and in which a
 * core adds what it hears. */
void ik_wormhole_route(const ik_wormhole_map *m, ik_wormhole_hop *out);
int  ik_wormhole_root(const ik_wormhole_map *m);
