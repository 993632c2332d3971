/* cost.h: what a lowered program costs on this CPU, roughly: enough to rank ways to run it. */
#pragma once
#include "lower/pipe.h"
#include "target/cpu/isa.h"

/* Seconds of one step (of one run through the list outside step loops) with so many threads.  After
 * the model of compute, cache lines and memory traffic that add up, with its constants as fitted on
 * one machine; what the interpreter does is dear. */
double ik_cost_of(const ik_pipe *p, const ik_isa *isa, int threads, ik_arena *a);
