/* value.h: what stands beyond a face with a VALUE boundary, for rows of cells. */
#pragma once
#include "ir/state.h"

struct ik_rows; /* interp/rows.h: the evaluator; each thread needs its own */

struct ik_rows *ik_value_create(const ik_state *s); /* NULL: no memory */
void            ik_value_destroy(struct ik_rows **r);

/* Is it the same in all cells?  It may change with time all the same. */
bool ik_value_is_uniform(const ik_expr *e);

/* sign * `e` at cells at[0] .. at[0]+n-1, as a field of type `t` holds it, into the elements from
 * `out` on.  TIME is `time`. */
void ik_value_row(struct ik_rows *r, const ik_expr *e, ik_type t, const int64_t at[IK_MAX_DIM],
                  int64_t n, int64_t time, double sign, void *out);
