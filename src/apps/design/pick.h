/* pick.h: of many ways to solve each of several problems, the best one of each.
 *
 * Ways have a time and an energy.  The least sum of either is the sum of the least; the least
 * product of both sums is not.  But a product of two positive numbers bends away from its least
 * value, so over any set it is least in a corner of the convex hull; the hull of a sum is the sum
 * of hulls, whose corners are met by going along the edges of all of them in order of their slope.
 */
#pragma once
#include <stdint.h>

typedef struct ik_pick_way {
  double  time_s, energy_j;
  int32_t tile, k;
} ik_pick_way;

/* The one of least time, of equal ones that of least energy; -1 if there is none.  And the other
 * way round. */
int ik_pick_fastest(const ik_pick_way *w, int n);
int ik_pick_thriftiest(const ik_pick_way *w, int n);

/* The corners of the hull between these two, in order of time; how many.  `w` is left with its
 * order changed; `out` has room for n. */
int ik_pick_corners(ik_pick_way *w, int n, ik_pick_way *out);

typedef struct ik_pick_problem {
  const ik_pick_way *corner; /* [n] in order of time */
  int                n;
  double             weight; /* zero: does not count, and the fastest is chosen */
  int                chosen; /* set; -1: there is no way */
} ik_pick_problem;

typedef struct ik_pick_edge { /* from a corner to the next */
  double slope, time_s, energy_j;
  int    problem;
} ik_pick_edge;

/* Chooses a corner for each problem so that the sum of weight x time, times the sum of weight x
 * energy, is least.  `edge` has room for all corners. */
void ik_pick_product(ik_pick_problem *p, int n, ik_pick_edge *edge);
