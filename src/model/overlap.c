#include "model/overlap.h"
#include <math.h>

typedef struct axis {
  double n, tile, radius;
} axis;

static double whole(double v, double least) { return v >= least ? floor(v) : least; }
/* The same for what is multiplied by a count that may be zero. */
static double limited(double v, double least) { return fmin(whole(v, least), 1e15); }

static axis axis_of(const ik_overlap_plan *p, int d) {
  axis a = {whole(p->domain[d], 1), whole(p->tile[d], 1), limited(p->radius[d], 0)};
  if (a.tile > a.n) a.tile = a.n;
  return a;
}

/* Sum of min(cap, first + i step) over i < count. */
static double capped(double first, double step, double count, double cap) {
  double below = fmin(count, fmax(0, ceil((cap - first) / step)));
  return below * first + step * (below * (below - 1) / 2) + (count - below) * cap;
}

/* Sum over all tiles of one axis of their length when widened by `halo`, cut off at the faces: the
 * axis itself and, at each border between two tiles, the halo of either as far as there are cells.
 */
static double widened(const axis *a, double halo) {
  if (isinf(a->n)) return a->tile + 2 * halo;
  double borders = ceil(a->n / a->tile) - 1, last = a->n - borders * a->tile;
  return a->n + capped(a->tile, a->tile, borders, halo) + capped(last, a->tile, borders, halo);
}

static double volume(const axis *a, int dims, double steps_left) {
  double v = 1;
  for (int d = 0; d < dims; d++) v *= widened(&a[d], steps_left * a[d].radius);
  return v;
}

/* Beyond this depth the sum would take long, and no plan means it: the sum is then bounded from
 * above by its widest step. */
enum { DEEPEST = 1 << 16 };

ik_overlap_cost ik_overlap_of(const ik_overlap_plan *p) {
  int             dims = p->dims < 1 ? 1 : p->dims > 3 ? 3 : p->dims;
  double          t = limited(p->steps, 1);
  axis            a[3];
  ik_overlap_cost c = {0};
  for (int d = 0; d < dims; d++) a[d] = axis_of(p, d);
  c.stores = volume(a, dims, 0);
  c.loads = volume(a, dims, t);
  c.useful = t * c.stores;
  if (t > DEEPEST)
    c.updates = t * volume(a, dims, t - 1);
  else
    for (double left = 0; left < t; left++) c.updates += volume(a, dims, left);
  c.redundant = c.updates / c.useful - 1;
  return c;
}
