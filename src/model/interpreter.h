/* interpreter.h: the time of the reference interpreter, which takes an expression one operation at
 * a time for a row of up to 256 cells (interp/rows.h).
 *
 *   cycles = sum over what it does of (how often) * (cycles of each)
 *
 * The interpreter walks a tree: an operand that is used twice is computed twice.  The cycles were
 * fitted to runs of the examples; the descriptions of the machines of the fit have them as
 * interp.*. */
#pragma once
#include "ir/ir.h"

/* How often, or cycles of each. */
typedef struct ik_interpreter {
  double node;     /* an operation, a read or a store is begun for a row */
  double cell;     /* of a cell: one operation in f64; a value filled in */
  double round;    /* a value is converted to or from a narrower type */
  double divide;   /* a division */
  double call;     /* an operation that is a call: a root, a remainder, f16 */
  double function; /* exp and its like, noise, tables */
  double edge;     /* a cell beyond a face, found by its boundary */
  double reduce;   /* a value joins a sum or is compared */
} ik_interpreter;

/* What one time through a list does; init, steps and repeats are not in it. */
void ik_interpreter_count(const ik_ir *ir, const ik_stmt *first, const ik_stmt *end, ik_arena *a,
                          ik_interpreter *count);

/* What a step does besides: sources, point by point, and receivers, sampled as often as they say.
 */
void ik_interpreter_count_points(const ik_ir *ir, ik_arena *a, ik_interpreter *count);

double ik_interpreter_cycles(const ik_interpreter *count, const ik_interpreter *cost);
