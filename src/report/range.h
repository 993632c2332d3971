/* range.h: what a picture has to know of its data: extremes, cells that are not finite, and the
 * kind of colour map and the range of values that show them best. */
#pragma once
#include "base/diag.h"
#include "report/colour.h"
#include <stdbool.h>
#include <stdint.h>

typedef struct ik_grid { /* numbers on a plane, borrowed: v[x * stride_x + y * stride_y] */
  const double *v;
  int64_t       nx, ny, stride_x, stride_y;
} ik_grid;

static inline double ik_grid_at(const ik_grid *g, int64_t x, int64_t y) {
  return g->v[x * g->stride_x + y * g->stride_y];
}

typedef struct ik_range {
  ik_colour_kind kind;                 /* never AUTO */
  double         lo, hi;               /* shown; fit for ik_axis_ticks() */
  double         least, greatest;      /* of the finite cells; NaN when there are none */
  double         usual;                /* size that all but 0.1 % of the cells stay below */
  int64_t        bad;                  /* cells that are not finite */
  bool           cut_below, cut_above; /* values lie beyond lo, hi */
  int            nclass;               /* qualitative: the values, rising */
  double class[IK_COLOUR_CLASSES];
} ik_range;

/* AUTO becomes qualitative for 2..8 different whole numbers within 0..15, diverging when both signs
 * matter (the smaller side reaches 5 % of the larger), sequential otherwise.  A diverging range is
 * symmetric about zero, and leaves out the largest 0.1 % of the cells where that makes it smaller
 * by a fifth or more, so that one hot cell does not wash out the rest. `limits`: NULL, or {lo, hi}
 * to use instead, diverging about zero if it is in their middle, else sequential; limits that are
 * not finite and in order are ignored. A qualitative kind asked for data that are not so becomes
 * sequential.  E072. */
ik_status ik_range_find(const ik_grid *g, ik_colour_kind kind, const double limits[2],
                        ik_range *out, ik_diag *d);

/* The same in steps, for one range over several pictures: each is measured, what was measured is
 * joined, and kind and range are settled at the end. */
ik_status ik_range_measure(const ik_grid *g, ik_range *out, ik_diag *d);
void      ik_range_join(ik_range *all, const ik_range *one);
void      ik_range_settle(ik_range *r, ik_colour_kind kind, const double limits[2]);

/* Class number of a value, or -1. */
int ik_range_class(const ik_range *r, double v);
