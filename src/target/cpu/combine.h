/* combine.h: a row of values combined to one, as a reduction does. */
#pragma once
#include "ir/ir.h"

/* Of n > 0 elements of type `t`, as they lie in memory. */
double ik_combine_row(ik_reduce r, ik_type t, const void *row, int64_t n);

/* What rows came to, combined to one, as the language does; `part` is used up. */
double ik_combine_parts(ik_reduce r, ik_type t, double *part, int64_t n);
