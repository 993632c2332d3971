/* overlap.h: what overlapped tiles cost: the work that neighbours repeat.
 *
 * A tile makes t steps on its own, so it must start with all cells that its results depend on.
 * After s of the steps, cells up to (t - s) r beyond the tile are still right, which is what step s
 * computes.  At the faces of the domain there is nothing beyond; an axis that one tile spans as a
 * whole repeats nothing.  Counts are exact, edges and last, smaller tiles included.
 *
 * Source: the halo that "Do We Need Tensor Cores for Stencil Computations?" (paper 000) leaves out
 * of its model (section 3.2.1) and finds again in its measurements (5.2.4).
 *
 * Odd input: an extent, a tile or a depth below 1 counts as 1, a radius below 0 as 0; what is no
 * whole number is rounded down, NaN is as small as can be, 1e15 as large as a radius or depth can
 * be. Infinite tiles give infinite counts and a share that is NaN.
 */
#pragma once

typedef struct ik_overlap_plan {
  int    dims;      /* 1..3; others count as the nearest of those */
  double domain[3]; /* cells; INFINITY: far from the faces, where all tiles are alike */
  double tile[3];   /* cells that one tile is responsible for */
  double radius[3]; /* of one step */
  double steps;     /* t, in one go */
} ik_overlap_plan;

typedef struct ik_overlap_cost { /* per t steps of the domain; of one tile if it is infinite */
  double useful;                 /* cell updates that any order must make: t times the cells */
  double updates;                /* cell updates that are made */
  double redundant;              /* updates / useful - 1: 0 for nothing in vain */
  double loads, stores;          /* cells read before the first and written after the last step */
} ik_overlap_cost;

ik_overlap_cost ik_overlap_of(const ik_overlap_plan *p);
