#include "apps/design/front.h"
#include <math.h>
#include <stdlib.h>

void ik_front_totals(const ik_design_plan *plan, int n, const double *weight, double *total) {
  for (int p = 0; p < IK_DESIGN_POINTS; p++, plan += n) {
    total[p] = 0;
    for (int i = 0; i < n; i++)
      if (weight[i] != 0) total[p] += weight[i] * plan[i].time_s;
  }
}

void ik_front_within(const double *area, const double *value, int n, double low, double high,
                     ik_front *out) {
  out->n = 0;
  for (int p = 0; p < n; p++)
    if (area[p] >= low && area[p] <= high && isfinite(value[p]))
      out->point[out->n++] = (ik_front_point){area[p], value[p], p};
}

static int order(double a, double b) { return (a > b) - (a < b); }

static int by_value(const void *a, const void *b) {
  const ik_front_point *x = a, *y = b;
  int                   o = order(x->value, y->value);
  if (!o) o = order(x->area_mm2, y->area_mm2);
  return o ? o : x->at - y->at;
}

static int by_area(const void *a, const void *b) {
  const ik_front_point *x = a, *y = b;
  int                   o = order(x->area_mm2, y->area_mm2);
  if (!o) o = order(x->value, y->value);
  return o ? o : x->at - y->at;
}

void ik_front_near(const ik_front *in, double within, ik_front *out) {
  double least = INFINITY;
  out->n = 0;
  for (int i = 0; i < in->n; i++) least = fmin(least, in->point[i].value);
  for (int i = 0; i < in->n; i++)
    if (in->point[i].value <= least * (1 + within)) out->point[out->n++] = in->point[i];
  qsort(out->point, (size_t)out->n, sizeof *out->point, by_value);
}

/* In order of area a design survives if it is better than all before, or equal in both. */
void ik_front_pareto(const ik_front *in, ik_front *out) {
  int n = 0;
  for (int i = 0; i < in->n; i++) out->point[i] = in->point[i];
  qsort(out->point, (size_t)in->n, sizeof *out->point, by_area);
  for (int i = 0; i < in->n; i++) {
    ik_front_point        p = out->point[i];
    const ik_front_point *last = n ? &out->point[n - 1] : NULL;
    if (!last || p.value < last->value || (p.value == last->value && p.area_mm2 == last->area_mm2))
      out->point[n++] = p;
  }
  out->n = n;
}

const ik_front_point *ik_front_for(const ik_front *pareto, double area_mm2) {
  const ik_front_point *best = NULL;
  for (int i = 0; i < pareto->n && pareto->point[i].area_mm2 <= area_mm2; i++)
    best = &pareto->point[i];
  return best;
}
