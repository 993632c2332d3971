/* values.h: the numbers that a wafer computes: every element's operations done on the cells of the
 * whole grid, without its clock.
 *
 * The operations of a statement are done for a row of elements at a time and one cell of their
 * columns; as they are operations cell by cell, the order does not matter to the result.  What
 * another element sent is read where it lies: the words of a statement leave before any result is
 * stored.  Beyond the faces of the grid stands what the boundary says.
 */
#pragma once
#include "ir/state.h"
#include "targets/simulated/wse2/code.h"

typedef struct ik_wse2_values ik_wse2_values;

/* Works on `s`, which it borrows and whose temporaries have memory, with the statements in `code`,
 * on up to `threads` threads; the result does not depend on how many.  E072 if there is no memory.
 */
ik_status ik_wse2_values_create(ik_state *s, const ik_wse2_code *const *code, int ncode,
                                int threads, ik_diag *d, ik_wse2_values **out);
void      ik_wse2_values_destroy(ik_wse2_values **v);
/* Bytes that it will take. */
int64_t ik_wse2_values_bytes(const ik_wse2_code *const *code, int ncode, int threads);

/* An assignment on a part of its box: a sweep gives it one level of cells at a time. */
void ik_wse2_values_assign(ik_wse2_values *v, const ik_wse2_code *c, const ik_box *part);
/* A reduction: every element combines its column from z = 0 on; then each row is combined from its
 * high end on, own value first, and the results at x = 0 in the same way. */
void ik_wse2_values_reduce(ik_wse2_values *v, const ik_wse2_code *c);
/* The latter part: part[ny][nx] holds a result of each element, and is used up. */
float ik_wse2_over_fabric(ik_reduce r, float *part, int64_t nx, int64_t ny);
