#include "targets/cpu/shape/shape.h"

typedef struct cpu_shaper {
  ik_shaper        hooks; /* first: what lowering sees */
  const ik_traits *traits;
} cpu_shaper;

static void shape_rings(ik_draft *x) {
  ik_shape_ring_rows(x);
  ik_shape_rows_ahead(x);
  ik_shape_in_place(x);
}

static const ik_shaper hooks = {.tile = ik_shape_tile,
                                .tiles = ik_shape_tiles,
                                .planes = ik_shape_planes,
                                .rings = shape_rings,
                                .kernel = ik_shape_kernel,
                                .stage = ik_shape_stage,
                                .phases = ik_shape_phases,
                                .same = ik_shape_same,
                                .print = ik_shape_print_kernel};

const ik_traits *ik_shape_traits(const ik_draft *x) {
  return ((const cpu_shaper *)x->shaper)->traits;
}

void ik_shape_passes(const ik_ir *ir, const ik_stmt *list, int steps, const ik_plan *plan,
                     ik_arena *a, ik_pipe *out) {
  cpu_shaper *s = IK_NEW(a, cpu_shaper);
  s->hooks = hooks, s->traits = ik_traits_for(plan->cpu.vector_bytes, a);
  ik_pipe_of(ir, list, steps, plan, &s->hooks, a, out);
}

void ik_shape_print(const ik_ir *ir, const ik_pipe *p, ik_buf *out) {
  ik_pipe_print(ir, p, &hooks, out);
}
