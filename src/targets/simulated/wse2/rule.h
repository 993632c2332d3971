/* rule.h: the arithmetic of the wafer, as a rewriting of the program.
 *
 * A sum that reads neighbours in the plane is formed in the order in which a wafer can form it.
 * Words that arrive over the fabric are multiplied by their coefficients, and the products,
 * rounded, are added to an accumulator that starts at zero:
 *
 *   for each field that is read from other elements, newest level first:
 *     those from the west (which flow east), from the east, from the north (y-1), from the south,
 *     nearest first; then those on diagonals, by (dy, dx); of one element by dz.
 *     The element hears itself: its own cell stands at distance 0 of the first direction.
 *   then fma with the cells of its own column above and below, by (field, level, dz);
 *   then what else the sum has, in the order of the language.
 *
 * A sum that holds one such sum, times something local, goes on from it: acc *= factor, and then
 * what else it has.  Nothing but the order and the rounding of sums changes: products of
 * neighbours, conditions, `arithmetic plain` are evaluated as they stand.  So the interpreter
 * running the new program is what a simulated wafer is held against, bit by bit.
 */
#pragma once
#include "base/arena.h"
#include "ir/ir.h"

/* The program with the sums of its loops and statements rewritten (initial values come from the
 * host and stay as they are).  Fields, scalars and the number and order of statements do not
 * change, so a state of the one is a state of the other. */
const ik_ir *ik_wse2_rule(const ik_ir *ir, ik_arena *a);

/* Does a read name a column of another element? */
bool ik_wse2_is_lateral(const ik_expr *read);
