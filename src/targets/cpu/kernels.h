/* kernels.h: passes in, the C text of their kernels out.
 *
 * Two functions for each kernel, as rt/kernel.h says: ikat_p<pass>_k<kernel> and the same with _one
 * behind it.  The text stands for itself: no addresses, no dates, equal for equal passes.
 */
#pragma once
#include "emit/shape.h"

typedef struct ik_code_of { /* a kernel of a pass */
  int pass, kernel;
} ik_code_of;

/* Some kernels of the passes, all of so many lanes, as one file for the C compiler.  It includes
 * rt/kernel.h and rt/simd.h by their bare names. */
void ik_cpu_kernels(const ik_ir *ir, const ik_pass *const *pass, const ik_code_of *which, int n,
                    int lanes, const ik_plan *plan, const char *title, ik_arena *a, ik_buf *out);
