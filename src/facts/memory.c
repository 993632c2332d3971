#include "facts/memory.h"
#include "ir/state.h"

void ik_memory_of(const ik_ir *ir, ik_arena *a, ik_memory *out) {
  int64_t *field = IK_NEW_N(a, int64_t, ir->nfield);
  for (int f = 0; f < ir->nfield; f++) field[f] = ik_state_field_bytes(ir, f);
  *out = (ik_memory){ik_state_bytes(ir), field};
}
