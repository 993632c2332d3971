/* loops.h: the plain loop that is written from a program (bench/nest.h): compiled, and with arrays
 * to run on. */
#pragma once
#include "apps/bench/nest.h"
#include "apps/bench/plain.h"
#include "ir/state.h"

typedef struct ik_loops ik_loops;

/* Why the program's loop cannot be written, in words, or NULL. */
const char *ik_loops_missing(const ik_ir *ir);

/* IK_ERR_UNSUPPORTED, with the reason in `d`, if the program's loop cannot be written.  `ir` is
 * borrowed.  `cache` as in ik_build_options. */
ik_status ik_loops_open(const ik_ir *ir, int threads, const char *cache, ik_diag *d,
                        ik_loops **out);
void      ik_loops_close(ik_loops **l);

/* Begins where a run is that stands before the loop, or in it: all levels, scalars, the step. */
void ik_loops_load(ik_loops *l, const ik_state *from);
/* Steps or rounds, as compiled in that way. */
void ik_loops_run(ik_loops *l, int way, int64_t rounds);
/* How far the declared fields are from the run's, relative to the greatest value of each, or to a
 * millionth of the greatest of all. */
double ik_loops_error(const ik_loops *l, const ik_state *s);
