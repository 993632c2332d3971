/* search.h: the windows worth having: no other is faster and takes no more.
 *
 * Sizes along each axis are 2^n, 3 * 2^n and all of it.  One element is simulated for each
 * window, which counts as an evaluation; what it takes follows from the resource model alone.
 */
#pragma once
#include "targets/simulated/nero/design.h"

typedef struct ik_nero_windows {
  int             n;      /* windows of which at least one element fits */
  ik_nero_design *design; /* [n] by share of what is free; cycles 0 where it was not simulated */
  int             nfront;
  int            *front; /* [nfront] indices, from the smallest share and rate up */
  int             evaluations;
} ik_nero_windows;

/* Tries at most `budget` windows; -1: all of them.  With a budget, a window is tried only if it
 * could be faster than all that were tried and take no more: no window beats the least cycles of
 * the model (ik_nero_least_cycles), and streams of the same length take the same time.  So nothing
 * of the front is missed unless the budget ends.
 * False without memory. */
bool ik_nero_search(const ik_nero_work *w, const ik_nero_board *b, int budget, ik_arena *a,
                    ik_nero_windows *out);

/* How much faster than that design (simulated with one element) the front is for the same share, or
 * less: 0 on it, 0.03 for three percent. */
double ik_nero_behind(const ik_nero_windows *w, const ik_nero_design *x);
/* The design with which the whole board is done first: simulated with the elements that then have
 * something to do.  Those that cannot be faster are not tried; `out` has no front.  elements 0:
 * none fits.  False without memory. */
bool ik_nero_fastest(const ik_nero_work *w, const ik_nero_board *b, int budget, ik_arena *a,
                     ik_nero_windows *out, ik_nero_design *best);
