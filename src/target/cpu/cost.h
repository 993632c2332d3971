/* cost.h: what a lowered program costs on this CPU, roughly: enough to rank ways to run it, and to
 * say what limits them.  Counts are taken here; model/pipeline.h has what they cost. */
#pragma once
#include "lower/pipe.h"
#include "plan/fit.h"
#include "target/cpu/isa.h"

/* Of one step (of one run through the list outside step loops) with so many threads.  `m` need not
 * have the sizes of caches.  What the interpreter does is dear. */
ik_pipeline_time ik_cost_time(const ik_pipe *p, const ik_isa *isa, const ik_pipeline_machine *m,
                              int threads, ik_arena *a);
