/* numeric.h: the arithmetic of Wormhole's units on tiles of numbers, bit by bit.
 *
 * Registers hold numbers as f32; where the unit works in bf16, they have bf16 values.  Sources:
 * arXiv 2603.23343, Section 3.3 (flush to zero), and tt-isa-documentation:
 *
 *   SFPU    f32, one rounding to nearest even; multiply-add as one operation (the hardware's is
 *           wider than f32 inside but not exact; this takes it to be exact)
 *   FPU     the exact sum or product, also of a product and what Dst holds, rounded to bf16 once,
 *           ties to even (not documented; a rule may say away); f32 operands lose 13 bits;
 *           products take four phases, and with the first alone see 5 and 7 bits of their factors
 *   packer  f32 to bf16: ties away from zero, infinity for NaN
 *
 * Subnormal operands and results and -0 are +0, and NaN has one value.  Division, roots and
 * elementary functions are taken to be rounded correctly, and are priced as one operation.
 */
#pragma once
#include "interp/rule.h"

/* One operation, element by element.  Operands that it does not have may be NULL. */
void ik_wormhole_math(const ik_rule *r, ik_op op, ik_type t, const float *const arg[3], float *out,
                      int n);
/* One more tile of values into partial results; on those elements alone that `mask` (NULL: all)
 * has. */
void ik_wormhole_accumulate(const ik_rule *r, ik_reduce how, float *sum, const float *v,
                            const bool *mask, int n);

/* Between memory, where bf16 has 16 bits, and registers. */
void ik_wormhole_unpack(ik_type t, const void *memory, float *out, int n);
void ik_wormhole_pack(ik_type t, const float *in, void *memory, int n);
