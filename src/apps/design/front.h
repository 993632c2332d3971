/* front.h: which of many designs are worth a look: totals, the best, the near best, the front. */
#pragma once
#include "apps/design/design.h"

/* For each point the sum of weight x time over its n plans: (C.18), with the minima of (C.19).
 * Problems of weight zero are left out. */
void ik_front_totals(const ik_design_plan *plan, int n, const double *weight, double *total);

typedef struct ik_front_point {
  double area_mm2;
  double value; /* the less, the better */
  int    at;    /* index of the design */
} ik_front_point;

typedef struct ik_front {
  ik_front_point *point; /* [n]; the caller's, with room for all */
  int             n;
} ik_front;

/* Designs of an area from `low` to `high` with a finite value, in order of their index. */
void ik_front_within(const double *area, const double *value, int n, double low, double high,
                     ik_front *out);
/* Of `in` those with at most 1 + within times the least value, least first; of equal ones the
 * smaller first. */
void ik_front_near(const ik_front *in, double within, ik_front *out);
/* Of `in` those that no other one beats: none has at most their area and at most their value, and
 * less of one.  By area, ascending. */
void ik_front_pareto(const ik_front *in, ik_front *out);
/* The best of a Pareto front that is no larger than `area`; NULL if there is none. */
const ik_front_point *ik_front_for(const ik_front *pareto, double area_mm2);
