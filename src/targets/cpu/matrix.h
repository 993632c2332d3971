/* matrix.h: the strategy `matrix-band`: a linear step of one field as products of banded matrices
 * on a matrix unit (AMX: bf16 in, f32 accumulated).
 *
 * For each row (dy, dz) of the pattern a 32 x 16 matrix holds the weights of that row along its
 * diagonals; 16 rows of 32 inputs times this band are what the row adds to 16 x 16 results.  Inputs
 * are converted and laid out for the unit strip by strip, boundaries included, in a few rows (2D)
 * or planes (3D) per thread; a line of cells (1D) is treated as rows of a plane.
 *
 * A number is worth 8 bits as bf16.  With `terms` 2 or 3, inputs and weights are split into so many
 * bf16 (x = hi + mid + lo) and the products that matter are added, smallest first: 3 or 6 times the
 * work for 16 or 24 bits.  ik_matrix_bound() says what is lost.  The bits depend on the program and
 * on `terms`, not on threads or tiles.  A value that is not finite spoils up to 32 results along
 * axis 0 in each row that reads it: zero times infinity is no number.
 *
 * A step is ik_matrix_tile() for every tile, in any order, by as many threads as there is scratch;
 * neighbouring tiles to the same thread is best.  Then ik_matrix_finish().
 */
#pragma once
#include "ir/state.h"

enum { IK_MATRIX_MAX_TERMS = 3 };

typedef struct ik_matrix ik_matrix;

/* Has this machine such a unit, and may we use it (asks the system for permission)?  `why` gets a
 * line when not. */
bool ik_matrix_here(ik_buf *why);

/* NULL if the steps of a STEPS statement can be done so, else why not, as the end of a sentence. */
const char *ik_matrix_illegal(const ik_ir *ir, const ik_stmt *steps);

/* Bytes that ik_matrix_create will take; the steps must be legal. -1 without memory to find out. */
int64_t ik_matrix_bytes(const ik_ir *ir, const ik_stmt *steps, int threads, int terms);

/* Works on `s`, which it borrows; the steps must be legal.  Computes with a model of the unit, slow
 * but of the same bits, where there is none.  E072 if there is no memory. */
ik_status ik_matrix_create(ik_state *s, const ik_stmt *steps, int threads, int terms, ik_diag *d,
                           ik_matrix **out);
void      ik_matrix_destroy(ik_matrix **m);
void      ik_matrix_use_model(ik_matrix *m); /* even where there is a unit; for tests */

int64_t ik_matrix_tiles(const ik_matrix *m);
void   *ik_matrix_scratch(const ik_matrix *m, int thread);
void    ik_matrix_tile(const ik_matrix *m, int64_t tile, void *scratch);
void    ik_matrix_finish(ik_matrix *m); /* u' becomes u */

/* How far a result of one step may lie from the exact sum of weights times values, if no value
 * that is read, boundaries included, exceeds `most` in magnitude.  About, in units of most * sum of
 * |weights|: 2^-7, 3 * 2^-16, (4 + steps of accumulation) * 2^-24 for 1, 2, 3 terms; plus half a
 * unit in the last place of the field's type. */
double ik_matrix_bound(const ik_matrix *m, double most);
/* The same for `most` 1, known before there is memory for it: what a step adds to the error,
 * relative to the largest value.  Infinite without memory to find out. */
double ik_matrix_loss(const ik_ir *ir, const ik_stmt *steps, int terms);
