/* contender.h: the program of a case, and runs of it with one strategy. */
#pragma once
#include "apps/bench/cases.h"
#include "ikat/ikat.h"

/* The program of the case on this size, with as many steps as anybody may ask for, compiled. */
ik_status ik_contender_program(const ik_bench_case *c, const ik_bench_size *s, ik_log *log,
                               ik_program **out);

typedef struct ik_contender {
  ik_run *run[IK_BENCH_SETS];
  int     n;
} ik_contender;

/* As many runs as the size has sets, each with its initial values. */
ik_status ik_contender_create(ik_contender *x, ik_program *p, const ik_bench_size *s,
                              const ik_run_options *o, ik_log *log);
void      ik_contender_free(ik_contender *x);

/* One set after the other, step by step; a single one at a stretch. */
ik_status ik_contender_advance(ik_contender *x, int steps, ik_log *log);
