#include "targets/cpu/layout.h"

/* First caches have ways of 4 KiB or some times that, second ones of 64 or 128 KiB: what is kept
 * off the sets of the smaller ones is kept off those of the others.  Schemes of eighth order read
 * four rows beyond a face. */
static const ik_layout_machine caches = {
    .line_bytes = 64, .l1_way_bytes = 4 << 10, .l2_way_bytes = 64 << 10, .halo_rows = 4};

ik_layout *ik_cpu_layout_of(const ik_ir *ir, ik_arena *a) {
  ik_layout *l = IK_NEW(a, ik_layout);
  ik_layout_of(ir, &caches, IK_NEW_N(a, ik_layout_field, ir->nfield + 1), l);
  return l;
}
