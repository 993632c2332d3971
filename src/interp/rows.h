/* rows.h: the value of an expression for a row of cells along axis 0. */
#pragma once
#include "ir/state.h"

enum { IK_ROWS_CELLS = 256 }; /* cells evaluated at a time: scratch stays in the nearest cache */

typedef struct ik_rows {
  const ik_state *state;
  double         *scratch; /* [nscratch][IK_ROWS_CELLS] */
  int             nscratch, used;
} ik_rows;

/* Scratch rows that evaluating `e` takes. */
int  ik_rows_need(const ik_expr *e);
bool ik_rows_init(ik_rows *r, const ik_state *s, int nscratch);
void ik_rows_free(ik_rows *r);

/* Values of `e` at cells at[0] .. at[0]+n-1; TIME is t.  The result is `out` or points into a
 * field; it is good until something is written. */
const double *ik_rows_eval(ik_rows *r, const ik_expr *e, const int64_t at[IK_MAX_DIM], int n,
                           int64_t t, double *out);
/* One cell of a field; beyond a face, what its boundary says. */
double ik_rows_cell(ik_rows *r, int field, int level, const int64_t at[IK_MAX_DIM], int64_t t);
