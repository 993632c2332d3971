#include "facts/sampling.h"
#include <math.h>
#include <stdlib.h>

/* With so many, the phase velocity is off by at most 1.6 %. */
static double enough(int order) {
  return order <= 2 ? 10 : order <= 4 ? 5.5 : order <= 6 ? 4.5 : 4;
}

static bool along(const ik_ir *ir, const ik_coefs *after, double frequency, int axis,
                  ik_sampling *out) {
  double k = 0, h = ir->spacing[axis];
  int    radius = 0;
  for (int i = 0; i < after->n; i++) {
    const ik_point *at = &after->c[i].at;
    if (at->level != 0) continue;
    k += after->c[i].weight * at->off[axis] * at->off[axis] * h * h / 2;
    if (abs(at->off[axis]) > radius) radius = abs(at->off[axis]);
  }
  *out = (ik_sampling){.axis = axis, .order = 2 * radius, .enough = enough(2 * radius)};
  out->speed = sqrt(k) / ir->dt;
  out->wavelength = out->speed / frequency;
  out->points = out->wavelength / h;
  return k > 0 && isfinite(out->points);
}

bool ik_sampling_of(const ik_ir *ir, const ik_coefs *after, double frequency, ik_sampling *out) {
  bool any = false;
  for (int d = 0; d < ir->ndim; d++) {
    ik_sampling s;
    if (ir->n[d] == 1 || !along(ir, after, frequency, d, &s)) continue;
    if (!any || s.points / s.enough < out->points / out->enough) *out = s;
    any = true;
  }
  return any;
}
