/* combine.h: rows of values combined to one each, and these to one, as a reduction does. */
#pragma once
#include "ir/ir.h"

typedef struct ik_combine_rows { /* as they lie in memory */
  const void *first;
  int64_t     n, rows; /* n > 0 elements a row */
  int64_t     pitch;   /* bytes from row to row */
  int64_t     apart;   /* results lie so far apart */
} ik_combine_rows;

/* Each row of elements of type `t` to one: out[0], out[apart], ... */
void ik_combine(ik_reduce r, ik_type t, const ik_combine_rows *x, double *out);

/* What rows came to, combined to one, as the language does; `part` is used up. */
double ik_combine_parts(ik_reduce r, ik_type t, double *part, int64_t n);
