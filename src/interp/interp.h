/* interp.h: the reference interpreter.  What it computes is what a program means.
 *
 * It walks the expressions of the IR, one operation at a time, for a short row of cells.  Values
 * are held as double, which every type of the language fits into exactly, and are rounded to the
 * type of the operation after each one.  It is complete and slow; every other engine is held
 * against it.
 */
#pragma once
#include "interp/rule.h"

typedef struct ik_interp ik_interp;

/* Bytes that ik_interp_create will take, temporaries included. */
int64_t ik_interp_bytes(const ik_ir *ir);
/* Works on `s`, which it borrows, and gives memory to its temporaries.  E072 if there is none. */
ik_status ik_interp_create(ik_state *s, ik_diag *d, ik_interp **out);
void      ik_interp_destroy(ik_interp **in);
/* From now on statements are computed as on a machine with that rule, which is borrowed; once.
 * Scalars and the values of sources are computed as ever.  E072 if there is no memory. */
ik_status ik_interp_follow(ik_interp *in, const ik_rule *rule, ik_diag *d);

/* Runs statements in order, from `first` up to `end`: all kinds but LOAD, STEPS and REPEAT. */
void ik_interp_run(ik_interp *in, const ik_stmt *first, const ik_stmt *end);
/* One step of a STEPS statement: its body, the sources, and u' becomes u. */
void ik_interp_step(ik_interp *in, const ik_stmt *steps);
/* What the sources of a step add to its new values. */
void ik_interp_inject(ik_interp *in);
/* The value of an expression that reads no field. */
double ik_interp_scalar(ik_interp *in, const ik_expr *e);

/* Does an assignment read neighbours of the cells it writes, across the axes of the sweep that it
 * stands in (NULL: in none)?  Then all are computed before one is written. */
bool ik_interp_reads_own_neighbour(const ik_stmt *s, const ik_stmt *sweep);
/* Combines n > 0 partial results in the fixed tree of the language: the left part takes the largest
 * power of two below n.  The tree depends on n alone. */
double ik_interp_tree(ik_reduce r, ik_type t, const double *part, int64_t n);
/* One cell of a field, with its boundaries, at any distance; for tests of other engines. */
double ik_interp_read(ik_interp *in, int field, int level, const int64_t at[IK_MAX_DIM]);
