#include "targets/simulated/wse2/golden.h"
#include "targets/simulated/wse2/paper.h"
#include <math.h>

enum { EDGE = 10, ELEMENTS = EDGE * EDGE };

#define SPACING  20.0          /* m */
#define VELOCITY 10.3703699112 /* (V dt)^2, in m^2 */

const ik_wse2_golden ik_wse2_golden_published[IK_WSE2_GOLDEN] = {
    {2, -0.0939295, 57.403816},
    {10, -1.3100899, 1200.9414062},
};

static double pulse(int n) {
  double sigma = 0.6 * 25, dt = 0.001610153, q = pow(sigma * n * dt - 1, 2);
  return -2 * 8 * sigma * (sigma - 2 * sigma * 8 * q) * exp(-8 * q);
}

static float *column(ik_wse2_patch *p, int element, int at) {
  return ik_wse2_patch_memory(p, element % EDGE, element / EDGE) + at;
}

/* One step and the source; then what was the new level becomes the current one. */
static void advance(ik_wse2_patch *p, const ik_wse2_wave *w, int n) {
  ik_mesh_end end = ik_wse2_patch_run(p, 1, NULL);
  IK_ASSERT(end == IK_MESH_ENDED);
  *column(p, 0, w->v + w->radius) += (float)pulse(n);
  for (int e = 0; e < ELEMENTS; e++) {
    float *u = column(p, e, w->u + w->radius), *v = column(p, e, w->v + w->radius);
    for (int z = 0; z < EDGE; z++) {
      float before = u[z];
      u[z] = v[z], v[z] = before;
    }
  }
}

static void find_range(ik_wse2_patch *p, const ik_wse2_wave *w, ik_wse2_golden *out) {
  out->low = INFINITY, out->high = -INFINITY;
  for (int e = 0; e < ELEMENTS; e++)
    for (int z = 0; z < EDGE; z++) {
      double u = column(p, e, w->u + w->radius)[z];
      out->low = fmin(out->low, u), out->high = fmax(out->high, u);
    }
}

ik_status ik_wse2_golden_run(const ik_wse2_timing *t, ik_arena *a, ik_diag *d,
                             ik_wse2_golden out[IK_WSE2_GOLDEN]) {
  ik_wse2_wave   w = ik_wse2_wave_of(EDGE, VELOCITY / (SPACING * SPACING));
  ik_wse2_patch *p;
  int            n = 0;
  IK_TRY(ik_wse2_wave_patch(&w, t, EDGE, EDGE, a, d, &p));
  for (int k = 0; k < IK_WSE2_GOLDEN; k++) {
    for (; n < ik_wse2_golden_published[k].steps; n++) advance(p, &w, n);
    out[k].steps = n;
    find_range(p, &w, &out[k]);
  }
  ik_wse2_patch_destroy(&p);
  return IK_OK;
}
