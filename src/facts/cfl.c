#include "facts/cfl.h"
#include "facts/angles.h"
#include <math.h>

typedef struct wave {
  int             ndim;
  const ik_coefs *after;
  ik_hull         hull;
  ik_phases       phase;
} wave;

/* -k L(theta) = 2 - W(theta), W the weights at level 0.  Stable from 0 to 4. */
static double stiffness(void *ctx, const double theta[IK_MAX_DIM]) {
  wave  *w = ctx;
  double sum = 2;
  ik_phases_fill(&w->phase, w->ndim, &w->hull, theta);
  for (int i = 0; i < w->after->n; i++) {
    const ik_coef *c = &w->after->c[i];
    if (c->at.level == 0) sum -= c->weight * ik_phases_at(&w->phase, c->at.off).re;
  }
  return sum;
}

/* Level 0 comes first in the list, in an order that reverses when all offsets change sign. */
static bool is_symmetric(const ik_coefs *c) {
  int n = 0;
  while (n < c->n && c->c[n].at.level == 0) n++;
  for (int i = 0; i < n; i++) {
    const ik_coef *a = &c->c[i], *b = &c->c[n - 1 - i];
    for (int d = 0; d < IK_MAX_DIM; d++)
      if (a->at.off[d] != -b->at.off[d]) return false;
    if (a->weight != b->weight) return false;
  }
  return true;
}

/* Exactly -1 at the cell itself one level back, and no other old value. */
static bool is_leapfrog(int field, const ik_coefs *c) {
  int old = 0;
  for (int i = 0; i < c->n; i++) {
    const ik_coef *x = &c->c[i];
    if (x->at.field != field || !isfinite(x->weight)) return false;
    if (x->at.level == 0) continue;
    bool centre = !x->at.off[0] && !x->at.off[1] && !x->at.off[2];
    if (x->at.level != -1 || !centre || x->weight != -1) return false;
    old++;
  }
  return old == 1;
}

static double negative_stiffness(void *ctx, const double theta[IK_MAX_DIM]) {
  return -stiffness(ctx, theta);
}

bool ik_cfl_of(int ndim, int field, const ik_coefs *after, double *factor) {
  wave w = {.ndim = ndim, .after = after};
  ik_coefs_extend(&w.hull, after);
  if (ik_hull_radius(&w.hull) > IK_ANGLES_RADIUS) return false;
  if (!is_leapfrog(field, after) || !is_symmetric(after)) return false;
  ik_peak most = ik_angles_highest(stiffness, &w, ndim, 0);
  ik_peak least = ik_angles_highest(negative_stiffness, &w, ndim, 0);
  if (!isfinite(most.value) || !isfinite(least.value))
    return false; /* weights beyond all measure */
  if (least.value > 1e-5 * (1 + most.value))
    *factor = 0; /* more than rounding of weights in f32 */
  else
    *factor = most.value > 0 ? 4 / most.value : INFINITY;
  return true;
}
