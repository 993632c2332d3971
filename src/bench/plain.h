/* plain.h: the plain loop of a case: compiled, and with arrays to run on. */
#pragma once
#include "bench/cases.h"
#include "ikat/ikat.h"
#include "runtime/build.h"

/* Ways to compile it, of which the faster counts; for people. */
enum { IK_PLAINS = 2 };
extern const char *const ik_plain_options[IK_PLAINS];

ik_status ik_plain_build(const ik_bench_case *c, int way, ik_diag *d, ik_build **out);

typedef struct ik_plain_grid { /* as in bench/cpu/plain/plain.h */
  long n[3], pitch, plane;
  int  threads;
} ik_plain_grid;

typedef struct ik_plain {
  const ik_bench_case *c;
  ik_plain_grid        grid;
  int                  sets, narray;
  void                *owned[IK_BENCH_SETS][IK_BENCH_ARRAYS];
  void                *a[IK_BENCH_SETS][IK_BENCH_ARRAYS]; /* cell (0, 0, 0) of each */
  double               kept[IK_BENCH_SETS];               /* scalars of the loop */
} ik_plain;

/* Zero arrays, brought to the threads by the code that will use them; false: no memory. */
bool ik_plain_create(ik_plain *p, const ik_bench_case *c, const ik_bench_size *s, int threads,
                     const ik_build *code);
void ik_plain_free(ik_plain *p);

/* All sets begin with the values that the fields of a run have. */
void ik_plain_load(ik_plain *p, const ik_run *from);
void ik_plain_run(ik_plain *p, const ik_build *code, int steps);
/* How far the result of the first set is from the run's, relative to the greatest value. */
double ik_plain_error(const ik_plain *p, const ik_run *run);
