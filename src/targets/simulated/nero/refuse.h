/* refuse.h: what cannot be done, said to the user. */
#pragma once
#include "ir/ir.h"

/* IK_ERR_UNSUPPORTED for reductions in loops (others are the host's), repeat loops, and numbers
 * other than f32 and f16 in what the pipelines compute; IK_OK: nothing of the kind is there. */
ik_status ik_nero_refuse(const ik_ir *ir, ik_arena *a, ik_diag *d);
/* E072. */
ik_status ik_nero_no_memory(ik_diag *d);
