/* flops.h: operations per cell and step. */
#pragma once
#include "facts/subject.h"

typedef struct ik_flops {
  int64_t cell;    /* as lowered: nodes counted once per statement, fma as two; main statements */
  int64_t written; /* as the user wrote it; -1 if the caller does not know */
  double  step;    /* as lowered, all statements on all their cells */
} ik_flops;

void ik_flops_of(const ik_subject *s, int64_t written, ik_arena *a, ik_flops *out);

/* Of one expression, each node once.  Operations on integers count as well: what they cost a
 * machine is of the same kind. */
int64_t ik_flops_of_expr(const ik_expr *e, ik_arena *a);
