/* lad.h: least absolute deviations: x >= 0 that minimises sum_i |a_i . x - b_i|.
 *
 * Solved exactly, as a linear programme: the simplex method with bounded variables works on its
 * dual, max b.u with A'u <= 0 and -1 <= u <= 1, whose basis is as small as there are columns and is
 * inverted afresh at each pivot.  The multipliers of the dual are x.  Exact means: no deviation can
 * be lowered beyond rounding (1e-12 of a row's own size).
 */
#pragma once
#include "ikat/status.h"
#include <stdbool.h>

enum { IK_LAD_COLUMNS = 16 };

typedef struct ik_lad_problem {
  const double *a; /* [rows][columns], finite, none below 0 */
  const double *b; /* [rows], finite */
  int           rows, columns;
} ik_lad_problem;

typedef struct ik_lad_fit {
  double x[IK_LAD_COLUMNS];
  double deviation; /* sum of |a_i . x - b_i| */
  int    pivots;
  bool   converged; /* false: rounding made the simplex walk in a circle, and x is no optimum */
  /* What the rows say about each x: 0: a value of its own; k > 0: only a combination of all that
   * have the same k, and the fit is one of many; -1: nothing, its column is zero. */
  int group[IK_LAD_COLUMNS];
} ik_lad_fit;

/* IK_ERR_SOURCE: no rows, more columns than IK_LAD_COLUMNS or none, or a number that is not
 * allowed; IK_ERR_RESOURCE: out of memory. */
ik_status ik_lad_solve(const ik_lad_problem *p, ik_lad_fit *out);
