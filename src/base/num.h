/* num.h: 16-bit floating-point numbers, held as doubles and rounded once.
 *
 * f16 is IEEE 754 binary16 (11 significant bits, exponents -14..15); bf16 is the upper half of
 * binary32 (8 significant bits, exponents -126..127).  Every conversion rounds to nearest, ties to
 * even, straight from the double; it keeps subnormals and signed zeros, overflows to infinity and
 * turns every NaN into the quiet one without a sign.
 */
#pragma once
#include <stdint.h>

uint16_t ik_f16_from_f64(double v);
uint16_t ik_bf16_from_f64(double v);
double   ik_f16_to_f64(uint16_t bits); /* exact */
double   ik_bf16_to_f64(uint16_t bits);

/* The nearest value of the narrow type, as a double. */
double ik_round_f16(double v);
double ik_round_bf16(double v);
double ik_round_f32(double v);

/* a * b + c with one rounding to the narrow type; the operands are values of that type. */
double ik_fma_f16(double a, double b, double c);
double ik_fma_bf16(double a, double b, double c);
/* a + b rounded to odd: if inexact, the neighbour with an odd last bit.  Rounding that again to a
 * format with at least two bits fewer gives what one rounding of the exact sum would give (Boldo
 * and Melquiond, IEEE Trans. Computers 57(4), 2008). */
double ik_add_odd(double a, double b);
