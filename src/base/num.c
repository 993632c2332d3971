#include "base/num.h"
#include "base/bits.h"
#include <string.h>

typedef struct format {
  int      mant; /* stored significand bits */
  int      emin; /* exponent of the smallest normal number */
  uint16_t inf, nan;
} format;

static const format F16 = {10, -14, 0x7c00, 0x7e00};

static const format BF16 = {7, -126, 0x7f80, 0x7fc0};

/* `m` shifted right by 1..63 bits, to nearest, ties to even. */
static uint64_t shift_round(uint64_t m, int shift) {
  uint64_t q = m >> shift, rest = m & ((UINT64_C(1) << shift) - 1),
           half = UINT64_C(1) << (shift - 1);
  return q + (rest > half || (rest == half && (q & 1)));
}

static uint16_t narrow(double v, format f) {
  uint64_t b = ik_bits_of(v), mag = b & INT64_MAX;
  uint16_t sign = (uint16_t)(b >> 48 & 0x8000);
  if (v != v) return f.nan;
  int      e = (int)(mag >> 52) - 1023;
  uint64_t m = (mag & ((UINT64_C(1) << 52) - 1)) | UINT64_C(1) << 52;
  int      below = e < f.emin ? f.emin - e : 0; /* bits lost to gradual underflow */
  int      shift = 52 - f.mant + below;
  if (shift > 54) return sign; /* less than half of the smallest subnormal; also 0 */
  if (e > 1 - f.emin) return sign | f.inf;
  /* A carry out of the significand moves into the exponent, and out of the largest number into
   * the pattern of infinity, as it should. */
  uint64_t q = shift_round(m, shift);
  if (!below) q += (uint64_t)(e - f.emin) << f.mant;
  return (uint16_t)(sign | q);
}

static double widen(uint16_t h, format f) {
  uint16_t mag = h & 0x7fff;
  uint64_t sign = (uint64_t)(h & 0x8000) << 48;
  if (mag > f.inf) return ik_from_bits(UINT64_C(0x7ff8) << 48);
  if (mag == f.inf) return ik_from_bits(sign | UINT64_C(0x7ff0) << 48);
  int e = mag >> f.mant;
  if (e == 0) {
    double unit = ik_from_bits((uint64_t)(1023 + f.emin - f.mant) << 52);
    return ik_from_bits(sign | ik_bits_of(mag * unit));
  }
  uint64_t m = (uint64_t)mag << (52 - f.mant); /* exponent field still with the narrow bias */
  return ik_from_bits(sign | (m + ((uint64_t)(1023 + f.emin - 1) << 52)));
}

double ik_add_odd(double a, double b) {
  double s = a + b, bb = s - a, err = (a - (s - bb)) + (b - bb);
  if (!(err < 0 || err > 0)) return s; /* exact, infinite or NaN */
  uint64_t u = ik_bits_of(s);
  if (u & 1) return s;
  return ik_from_bits((err > 0) == (s > 0) ? u + 1 : u - 1);
}

uint16_t ik_f16_from_f64(double v) { return narrow(v, F16); }

uint16_t ik_bf16_from_f64(double v) { return narrow(v, BF16); }

double ik_f16_to_f64(uint16_t bits) { return widen(bits, F16); }

double ik_bf16_to_f64(uint16_t bits) { return widen(bits, BF16); }

double ik_round_f16(double v) { return widen(narrow(v, F16), F16); }

double ik_round_bf16(double v) { return widen(narrow(v, BF16), BF16); }

double ik_round_f32(double v) { return (float)v; }

/* The products have at most 22 bits and stay far from the ends of the double range: exact. */
double ik_fma_f16(double a, double b, double c) { return ik_round_f16(ik_add_odd(a * b, c)); }

double ik_fma_bf16(double a, double b, double c) { return ik_round_bf16(ik_add_odd(a * b, c)); }
