/* cost.h: what a lowered program takes on this CPU, roughly: enough to rank ways to run it, and to
 * say what limits them.  Counts are taken here; model/pipeline.h has what they cost. */
#pragma once
#include "emit/shape.h"
#include "plan/fit.h"
#include "targets/cpu/isa.h"

/* What one step (one run through the list outside step loops) takes of so many threads.  What the
 * interpreter does is dear.  Lives as long as the arena. */
ik_pipeline_work ik_cost_count(const ik_pipe *p, const ik_isa *isa, int threads, ik_arena *a);
