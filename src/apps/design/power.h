/* power.h: watts and joules of a design that does not exist.
 *
 * "Analytical Cost Metrics" has energy models of one GPU (appendix B) and areas of many (appendix
 * C), but nothing that joins them.  This does, in the simplest way: static power grows with area,
 * and what an iteration takes grows with its time on a vector unit, as if a busy unit always drew
 * the same power.  Only the words to and from global memory depend on the tile.
 */
#pragma once
#include "model/hex.h"

typedef struct ik_power_model {
  double static_w_mm2; /* W for each mm2 of chip */
  double unit_w; /* W of a vector unit while it computes, shared memory and registers included */
  double word_j; /* J of a word to or from global memory */
} ik_power_model;

/* J of one step beyond static power: (B.2) of all tiles, with the count of (B.5): tiles x volume =
 * steps x points, where every axis but the first is longer by t.  No hardware is in it. */
double ik_power_step(const ik_power_model *m, const ik_hex_problem *p, const ik_hex_tile *t);

/* Of all steps, static power included. */
double ik_power_energy(const ik_power_model *m, const ik_hex_problem *p, const ik_hex_tile *t,
                       double area_mm2, double time_s);
