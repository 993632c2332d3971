/* naive.h: a second evaluator of the IR, written straight from ir/ir.h as simply as possible: one
 * cell at a time, recursively, in plain C arithmetic.  It shares nothing with src/interp but the
 * definitions of f16 and bf16 (base/num.h) and of the elementary functions (base/elementary.h). */
#pragma once
#include "ir/ir.h"

typedef struct naive {
  const ik_ir *ir;
  double     **cells;  /* [nfield * NAIVE_LEVELS]: level 1 first, then 0, -1 ... */
  double      *scalar; /* [nscalar] */
  double     **trace;  /* [nrecord]: samples of all points, one after the other */
  int64_t     *ntrace; /* [nrecord]: numbers in it */
  int64_t      t;
} naive;

enum { NAIVE_LEVELS = IK_MAX_HISTORY + 1 };

/* Runs the whole program; no LOAD.  Aborts when out of memory. */
void naive_run(naive *v, const ik_ir *ir);
void naive_free(naive *v);
/* The current value of a cell of a field's box. */
double naive_get(const naive *v, int field, const int64_t at[IK_MAX_DIM]);
