/* published.h: the figures of the paper (arXiv 2009.08241), and what the simulation gives. */
#pragma once
#include "runtime/simulated.h"
#include "targets/simulated/nero/search.h"

/* hdiff (examples/hdiff.ik) and vadvc (examples/vadvc.ik) on the paper's grid, as the board sees
 * them; `bits` 32 or 16. */
typedef enum ik_nero_known { IK_NERO_HDIFF, IK_NERO_VADVC } ik_nero_known;
ik_nero_work ik_nero_known_work(ik_nero_known k, int bits, ik_arena *a);
/* The window that the paper found best: 64x2x64. */
const int64_t *ik_nero_known_window(ik_nero_known k, int bits);

/* Every row: rates, boards, speed-ups, energy, resources, windows. */
ik_status ik_nero_published(ik_arena *a, ik_diag *d, ik_published_row **out, int *n);

/* How far the rates of this board are from the paper's, a line each. */
ik_status ik_nero_validate(const ik_nero_board *b, ik_arena *a, ik_diag *d, ik_buf *out);
