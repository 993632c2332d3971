/* tally.h: what a kernel does for a vector of results, on average over a block: of what several
 * results need, each value counts once, as it is computed once (emit/expr.h). */
#pragma once
#include "emit/shape.h"
#include "plan/fit.h"

/* Is it a division or a root, which one unit does at a time? */
bool ik_tally_divides(const ik_expr *e);

/* Operations, loads, stores, and how many results are in work at once; all else is 0. */
ik_pipeline_stage ik_tally_kernel(const ik_pass *p, const ik_pipe_kernel *k, ik_arena *a);
