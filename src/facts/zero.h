/* zero.h: which fields stay zero whatever the values of the others.
 *
 * A field is zero at the start unless a statement says otherwise, and stays so where all that is
 * assigned to it is made of zeros.  Only what is certain is found: sums that happen to cancel are
 * not. */
#pragma once
#include "base/arena.h"
#include "ir/ir.h"

/* [nfield] true: all values are zero at all times. */
const bool *ik_zero_of(const ik_ir *ir, ik_arena *a);
/* Is that worth a word?  A field that a loop of more than one round updates, and that stays zero:
 * one round may be there for its own sake. */
bool ik_zero_is_odd(const ik_ir *ir, const bool *zero, int field);
