/* windows.h: every window of NERO's kernels as a chart: what an element takes against how fast it
 * is, the front of those that none beats, and the window that was published: as figure 5 of arXiv
 * 2009.08241. */
#pragma once
#include "base/arena.h"
#include "base/buf.h"
#include "base/diag.h"
#include "machine/machine.h"

/* Simulates them all, for hdiff and vadvc in f32 and f16.  E072. */
ik_status ik_windows_draw(const ik_machine *m, ik_arena *a, ik_diag *d, ik_buf *page);
