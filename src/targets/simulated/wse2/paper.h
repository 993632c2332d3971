/* paper.h: the 25-point kernel of arXiv 2204.03775 as a program of elements, for any radius.
 *
 * One step of u'' = lap u on a column of nz cells, in the paper's variant: velocity and the 2u of
 * the time integration are folded into the coefficients.  Each element broadcasts its cells in
 * chunks, multiplies what it receives by coefficients on the way into a buffer, adds the buffer up,
 * adds the part along z with fused operations and subtracts the level before.
 */
#pragma once
#include "targets/simulated/wse2/fabric.h"

typedef struct ik_wse2_wave {
  int   nz, radius;
  float centre;                      /* of the cell itself, all axes, and + 2 */
  float lateral[IK_WSE2_RADIUS + 1]; /* [radius + 1] by distance, along x and y; [0] is not used */
  float along_z[IK_WSE2_RADIUS + 1]; /* the same along z */
  /* set by ik_wse2_wave_layout(): */
  int chunks, b;         /* pieces of b cells; the last one may reach beyond nz */
  int u, v, buffer, sum; /* words where arrays begin; u and v have `radius` cells more at ends */
  int words;             /* of memory */
} ik_wse2_wave;

/* Radius 4, the eighth-order weights of the Laplacian, (V dt/h)^2 = courant2. */
ik_wse2_wave ik_wse2_wave_of(int nz, double courant2);
/* Where everything lies. */
void ik_wse2_wave_layout(ik_wse2_wave *w);
/* The program of a step, the same for all elements.  It leaves the new level in v. */
const ik_wse2_program *ik_wse2_wave_program(const ik_wse2_wave *w, ik_arena *a);
/* A patch of which every element runs that program.  E072. */
ik_status ik_wse2_wave_patch(const ik_wse2_wave *w, const ik_wse2_timing *t, int nx, int ny,
                             ik_arena *a, ik_diag *d, ik_wse2_patch **out);
/* The same with the program as made before. */
ik_status ik_wse2_wave_patch_of(const ik_wse2_wave *w, const ik_wse2_program *p,
                                const ik_wse2_timing *t, int nx, int ny, ik_diag *d,
                                ik_wse2_patch **out);
