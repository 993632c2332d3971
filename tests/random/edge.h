/* edge.h: random programs near the edge of what strategies and transformations may do.
 *
 * Few fields, few statements, and each reason for which something is refused is drawn about every
 * other time: an update in place, an older level, a neighbour instead of the cell, a part of the
 * grid, a number between two statements, a source that reads, a boundary that changes.  So most of
 * them lie a single reason away from being legal, on one side or the other. */
#pragma once
#include "base/buf.h"
#include <stdint.h>

/* Appends the program; the same for the same seed.  Its values stay finite. */
void edge_program(uint64_t seed, ik_buf *out);
