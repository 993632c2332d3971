/* words.h: one window through the simulated streams, word by word.
 *
 * The cells of the window enter and leave as words of 512 bits; its halo is on the chip already.
 * What has not yet arrived holds NaN, so a result that comes out too early is a wrong one. */
#pragma once
#include "targets/simulated/nero/stream.h"

/* Loads, computes and stores a window that is placed, and counts its cycles.  `shape` is of its
 * kernel, `ir` the whole program.  E072 without memory. */
ik_status ik_nero_stream_window(ik_nero_window *w, const ik_nero_memory *m, const ik_ir *ir,
                                const ik_nero_board *b, const ik_nero_shape *shape, ik_diag *d,
                                ik_nero_cycles *out);
