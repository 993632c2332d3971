/* plain.h: the plain loop of a case: compiled, and with arrays to run on.  Either the one that
 * stands in bench/cpu/plain, or the one that is written from the program (bench/loops.h). */
#pragma once
#include "apps/bench/cases.h"
#include "ikat/ikat.h"
#include "ir/ir.h"
#include "runtime/build.h"

/* Ways to compile it, of which the faster counts; for people. */
enum { IK_PLAINS = 2 };
extern const char *const ik_plain_options[IK_PLAINS];

/* Starts the compiler on a text: ik_build_finish() waits for it. */
ik_status ik_plain_compile(const char *text, int way, const char *cache, ik_diag *d,
                           ik_build **out);

typedef struct ik_plain_grid { /* as in bench/cpu/plain/plain.h */
  long n[3], pitch, plane;
  int  threads;
} ik_plain_grid;

typedef struct ik_plain {
  const ik_bench_case *c;
  struct ik_loops     *written; /* from the program; NULL: what follows */
  ik_build            *code[IK_PLAINS];
  ik_plain_grid        grid;
  int                  sets, narray;
  void                *owned[IK_BENCH_SETS][IK_BENCH_ARRAYS];
  void                *a[IK_BENCH_SETS][IK_BENCH_ARRAYS]; /* cell (0, 0, 0) of each */
  double               kept[IK_BENCH_SETS];               /* scalars of the loop */
} ik_plain;

/* Why there is no plain loop for the program of a case, in words; NULL: there is one. */
const char *ik_plain_missing(const ik_bench_case *c, const ik_ir *ir);
/* For the program of the case on this size, `ir`.  Arrays are zero, and brought to the threads by
 * the code that will use them. */
ik_status ik_plain_open(ik_plain *p, const ik_bench_case *c, const ik_bench_size *s,
                        const ik_ir *ir, int threads, const char *cache, ik_diag *d);
void      ik_plain_close(ik_plain *p);

/* All sets begin with the values that the fields of a run have. */
void ik_plain_load(ik_plain *p, const ik_run *from);
void ik_plain_run(ik_plain *p, int way, int steps);
/* How far the result of the first set is from the run's, relative to the greatest value. */
double ik_plain_error(const ik_plain *p, const ik_run *run);
