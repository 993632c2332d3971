/* sweep.h: cells one after the other in, the C text of functions for them out.
 *
 * As rt/sweep.h says, ikat_s<sweep>_set<set> for what lies inside the fields and
 * ikat_s<sweep>_cell<stmt> for the rest.  The text stands for itself: no addresses, no dates.
 */
#pragma once
#include "lower/sweep.h"
#include "plan/plan.h"

/* Cells per vector in what is computed inside the fields. */
static inline int ik_cpu_sweep_lanes(const ik_sweep *o, int vector_bytes) {
  return o->row.vectors ? vector_bytes / (o->row.wide ? 8 : 4) : 1;
}

/* One file for the C compiler: what computes so many cells at a time.  It includes headers of rt/
 * by their bare names. */
void ik_cpu_sweeps(const ik_ir *ir, const ik_sweep *const *order, int n, int lanes,
                   const ik_plan *plan, const char *title, ik_arena *a, ik_buf *out);
