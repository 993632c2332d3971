/* duel.h: the way to run a program that is chosen without measuring, beside the plain loop that
 * is written from the program (bench/nest.h). */
#pragma once
#include "ikat/ikat.h"

/* How many times as fast as the plain loop, in the faster of the ways to compile it: the median of
 * rounds in which both are timed, for about `slice` seconds each.  0: there is no plain loop. */
ik_status ik_tune_duel(ik_program *p, const ik_run_options *o, double slice, ik_log *log,
                       double *ratio);
