#include "report/range.h"
#include "base/mem.h"
#include "report/axis.h"
#include <math.h>

static void find_extremes(const ik_grid *g, ik_range *r) {
  r->least = r->greatest = NAN;
  for (int64_t y = 0; y < g->ny; y++)
    for (int64_t x = 0; x < g->nx; x++) {
      double v = ik_grid_at(g, x, y);
      if (!isfinite(v))
        r->bad++;
      else
        r->least = fmin(r->least, v), r->greatest = fmax(r->greatest, v);
    }
}

int ik_range_class(const ik_range *r, double v) {
  for (int i = 0; i < r->nclass; i++)
    if (r->class[i] == v) return i;
  return -1;
}

static bool add_class(ik_range *r, double v) {
  if (ik_range_class(r, v) >= 0) return true;
  if (r->nclass == IK_COLOUR_CLASSES || v != floor(v)) return false;
  int i = r->nclass++;
  for (; i > 0 && r->class[i - 1] > v; i--) r->class[i] = r->class[i - 1];
  r->class[i] = v;
  return true;
}

/* Few whole numbers; nclass stays 0 where they are not. */
static void find_classes(const ik_grid *g, ik_range *r) {
  bool few = r->least >= 0 && r->greatest <= 15;
  for (int64_t y = 0; few && y < g->ny; y++)
    for (int64_t x = 0; few && x < g->nx; x++) {
      double v = ik_grid_at(g, x, y);
      few = !isfinite(v) || add_class(r, v);
    }
  if (!few) r->nclass = 0;
}

/* The k-th smallest of n numbers; reorders them (Hoare's quickselect). */
static double select_kth(double *v, int64_t n, int64_t k) {
  int64_t lo = 0, hi = n - 1;
  while (lo < hi) {
    double  pivot = v[lo + (hi - lo) / 2];
    int64_t i = lo, j = hi;
    while (i <= j) {
      while (v[i] < pivot) i++;
      while (v[j] > pivot) j--;
      if (i > j) break;
      double swap = v[i];
      v[i++] = v[j], v[j--] = swap;
    }
    if (k <= j)
      hi = j;
    else if (k >= i)
      lo = i;
    else
      break;
  }
  return v[k];
}

static ik_status quantile_of_size(const ik_grid *g, double q, double *out, ik_diag *d) {
  double *size = ik_calloc((size_t)g->nx * (size_t)g->ny, sizeof *size);
  int64_t n = 0;
  if (!size) return ik_fail(d, IK_ERR_RESOURCE, IK_E072, IK_NOSPAN, "no memory for a picture");
  for (int64_t y = 0; y < g->ny; y++)
    for (int64_t x = 0; x < g->nx; x++)
      if (isfinite(ik_grid_at(g, x, y))) size[n++] = fabs(ik_grid_at(g, x, y));
  *out = n ? select_kth(size, n, (int64_t)ceil(q * (double)n) - 1) : 0;
  ik_free(size);
  return IK_OK;
}

/* The size of value that a symmetric range has to show: the largest, or what all but 0.1 % of the
 * cells stay below where that is clearly less. */
static ik_status usual_size(const ik_grid *g, const ik_range *r, double *out, ik_diag *d) {
  double most = fmax(fabs(r->least), fabs(r->greatest)), usual = 0;
  IK_TRY(quantile_of_size(g, 0.999, &usual, d));
  *out = usual > 0 && usual <= 0.8 * most ? usual : most;
  return IK_OK;
}

ik_status ik_range_measure(const ik_grid *g, ik_range *r, ik_diag *d) {
  *r = (ik_range){0};
  find_extremes(g, r);
  find_classes(g, r);
  return usual_size(g, r, &r->usual, d);
}

void ik_range_join(ik_range *all, const ik_range *one) {
  bool classes = all->nclass && one->nclass;
  all->least = fmin(all->least, one->least), all->greatest = fmax(all->greatest, one->greatest);
  all->usual = fmax(all->usual, one->usual);
  all->bad += one->bad;
  for (int i = 0; classes && i < one->nclass; i++) classes = add_class(all, one->class[i]);
  if (!classes) all->nclass = 0;
}

/* Whether both signs matter; one hot cell of size above `usual` counts no more than that. */
static bool two_sided(const ik_range *r) {
  double below = fmin(-r->least, r->usual), above = fmin(r->greatest, r->usual);
  return below > 0 && above > 0 && fmin(below, above) >= 0.05 * fmax(below, above);
}

static bool usable(const double *limits) {
  return limits && isfinite(limits[0]) && isfinite(limits[1]) && limits[0] < limits[1];
}

/* A range that is given has a middle that means zero, or has none. */
static ik_colour_kind choose_kind(const ik_range *r, ik_colour_kind asked, const double *limits) {
  bool any = asked == IK_COLOUR_AUTO, classes = any || asked == IK_COLOUR_QUALITATIVE;
  if (classes && !limits && r->nclass >= 2) return IK_COLOUR_QUALITATIVE;
  bool zero = limits ? limits[0] == -limits[1] : two_sided(r);
  return (any ? zero : asked == IK_COLOUR_DIVERGING) ? IK_COLOUR_DIVERGING : IK_COLOUR_SEQUENTIAL;
}

void ik_range_settle(ik_range *r, ik_colour_kind kind, const double limits[2]) {
  const double *given = usable(limits) ? limits : NULL;
  double        usual = r->usual >= 1e-303 ? r->usual : 1; /* a zero field, or none */
  r->kind = choose_kind(r, kind, given);
  if (r->kind != IK_COLOUR_QUALITATIVE) r->nclass = 0;
  if (given)
    r->lo = given[0], r->hi = given[1];
  else if (r->kind == IK_COLOUR_DIVERGING)
    r->lo = -usual, r->hi = usual;
  else
    r->lo = r->least, r->hi = r->greatest;
  ik_axis_widen(&r->lo, &r->hi);
  r->cut_below = r->least<r->lo, r->cut_above = r->greatest> r->hi;
}

ik_status ik_range_find(const ik_grid *g, ik_colour_kind kind, const double limits[2],
                        ik_range *out, ik_diag *d) {
  IK_TRY(ik_range_measure(g, out, d));
  ik_range_settle(out, kind, limits);
  return IK_OK;
}
