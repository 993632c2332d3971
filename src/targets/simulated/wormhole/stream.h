/* stream.h: tiles of bf16 that stream through one core, two added to one (arXiv 2603.23343,
 * Figure 3).
 *
 * Unpacker, unit and packer work at the same time on different tiles, as far as Dst has room, and
 * share the 64 bytes a cycle of the memory.  The FPU has all of Dst, so the synchronisation between
 * unit and packer is hidden; the SFPU works in Dst itself, on one tile, which must be packed before
 * the next comes in, at the lower rate of copies.
 */
#pragma once
#include "base/diag.h"
#include "targets/simulated/wormhole/figures.h"

/* Cycles for so many results.  E072 if there is no memory. */
ik_status ik_wormhole_stream(const ik_wormhole_figures *f, bool sfpu, int tiles, ik_diag *d,
                             int64_t *cycles);
