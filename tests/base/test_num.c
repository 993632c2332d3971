#include "base/num.h"
#include "check.h"
#include <stdint.h>
#include <stdlib.h>

typedef struct type {
  int      mant, emin;
  uint16_t inf, nan;
  uint16_t (*from)(double);
  double (*to)(uint16_t);
  double (*round)(double);
  double (*fma)(double, double, double);
} type;

static const type types[] = {
    {10, -14, 0x7c00, 0x7e00, ik_f16_from_f64, ik_f16_to_f64, ik_round_f16, ik_fma_f16},
    {7, -126, 0x7f80, 0x7fc0, ik_bf16_from_f64, ik_bf16_to_f64, ik_round_bf16, ik_fma_bf16},
};
#define EACH_TYPE(t) for (const type *t = types; t < types + 2; t++)

/* The value of a pattern without sign, by the definition; the pattern of infinity counts as the
 * power of two that would follow. */
static double value(const type *t, int pattern) {
  int e = pattern >> t->mant, m = pattern & ((1 << t->mant) - 1);
  if (e == 0) return ldexp(m, t->emin - t->mant);
  return ldexp(m + (1 << t->mant), t->emin - t->mant + e - 1);
}

static void check_pattern(const type *t, double v, int want) {
  int got = t->from(v);
  if (got != want) check_fail(__FILE__, __LINE__, "%a becomes 0x%04x, not 0x%04x", v, got, want);
}

CASE(every_pattern_survives) {
  EACH_TYPE(t)
  for (int i = 0; i <= 0xffff; i++) {
    bool nan = (i & 0x7fff) > t->inf;
    check_pattern(t, t->to((uint16_t)i), nan ? t->nan : i);
    if (nan) CHECK(isnan(t->to((uint16_t)i)));
  }
}

CASE(every_pattern_has_its_value) {
  EACH_TYPE(t) {
    for (int i = 0; i < t->inf; i++) {
      CHECK(t->to((uint16_t)i) == value(t, i));
      CHECK(t->to((uint16_t)(i | 0x8000)) == -value(t, i));
    }
    CHECK(t->to(t->inf) == INFINITY);
    CHECK(t->to(t->inf | 0x8000) == -INFINITY);
    CHECK(signbit(t->to(0x8000)) && !signbit(t->to(0)));
  }
}

/* Between each two neighbours: the middle goes to the even one, the doubles next to it to the
 * nearer one.  The last middle is the border to infinity. */
CASE(every_middle_rounds_to_even) {
  EACH_TYPE(t)
  for (int i = 0; i < t->inf; i++) {
    double middle = (value(t, i) + value(t, i + 1)) / 2;
    for (int sign = 0; sign <= 0x8000; sign += 0x8000) {
      double s = sign ? -1 : 1;
      check_pattern(t, s * middle, sign | (i + (i & 1)));
      check_pattern(t, s * nextafter(middle, 0), sign | i);
      check_pattern(t, s * nextafter(middle, INFINITY), sign | (i + 1));
    }
  }
}

CASE(extremes) {
  EACH_TYPE(t) {
    check_pattern(t, NAN, t->nan);
    check_pattern(t, -NAN, t->nan);
    check_pattern(t, INFINITY, t->inf);
    check_pattern(t, -1.7976931348623157e308, t->inf | 0x8000);
    check_pattern(t, 0x1p-1074, 0);
    check_pattern(t, -0x1p-1074, 0x8000);
    check_pattern(t, -0.0, 0x8000);
  }
}

CASE(rounds_once_not_by_way_of_float) {
  double v = 1 + 0x1p-11 + 0x1p-40; /* as a float: exactly between two f16 */
  CHECK(ik_round_f16((float)v) == 1);
  CHECK(ik_round_f16(v) == 1 + 0x1p-10);
  CHECK(ik_round_bf16(1 + 0x1p-8 + 0x1p-40) == 1 + 0x1p-7);
  CHECK(ik_round_f32(1 + 0x1p-24 + 0x1p-40) == 1 + 0x1p-23);
  CHECK(ik_round_f32(1 + 0x1p-24) == 1);
  CHECK(ik_round_f32(1e300) == INFINITY);
}

/* ---- fma against integers ---- */

typedef struct exact { /* m * 2^e */
  __int128 m;
  int      e;
} exact;

static exact exact_of(double v) {
  int    e;
  double f = frexp(v, &e);
  return (exact){(__int128)ldexp(f, 24), e - 24};
}

/* The sum; `big` has the greater exponent.  Over more than 70 places the smaller operand, which has
 * under 50 bits, is only a hint of which way the sum lies. */
static exact add_exact(exact big, exact small) {
  if (big.m == 0) return small;
  int      gap = big.e - small.e, shift = gap < 70 ? gap : 70;
  exact    s = {(__int128)((unsigned __int128)big.m << shift), big.e - shift};
  __int128 hint = (small.m > 0) - (small.m < 0);
  s.m += gap <= 70 ? small.m : hint;
  return s;
}

static double round_exact(const type *t, exact s) {
  unsigned __int128 m = s.m < 0 ? -(unsigned __int128)s.m : (unsigned __int128)s.m;
  if (!m) return 0;
  int width = 0;
  while (width < 128 && m >> width) width++;
  int last = s.e + width - 1 - t->mant; /* exponent of the last place of the result */
  if (last < t->emin - t->mant) last = t->emin - t->mant;
  int drop = last - s.e;
  if (drop > 126) return s.m < 0 ? -0.0 : 0;
  unsigned __int128 q = drop > 0 ? m >> drop : m << -drop;
  unsigned __int128 twice = drop > 0 ? (m - (q << drop)) << 1 : 0, one = (unsigned __int128)1;
  if (drop > 0 && (twice > one << drop || (twice == one << drop && (q & 1)))) q++;
  double r = ldexp((double)q, last);
  if (r >= value(t, t->inf)) r = INFINITY;
  return s.m < 0 ? -r : r;
}

static double slow_fma(const type *t, double a, double b, double c) {
  exact x = exact_of(a), y = exact_of(b), z = exact_of(c);
  exact p = {(long long)x.m * (long long)y.m, x.e + y.e};
  if (p.m == 0) p.e = -2000;
  if (z.m == 0) z.e = -2000;
  return round_exact(t, p.e >= z.e ? add_exact(p, z) : add_exact(z, p));
}

static uint64_t state = 88172645463325252u;
static uint64_t draw(void) {
  state ^= state << 13, state ^= state >> 7, state ^= state << 17;
  return state >> 11;
}

static double draw_value(const type *t) {
  double v = value(t, (int)(draw() % t->inf));
  return draw() & 1 ? -v : v;
}

/* Half of the third operands lie close to half a unit of the product, where a second rounding
 * would show; the others are arbitrary. */
static double draw_addend(const type *t, double a, double b) {
  if (draw() & 1) return draw_value(t);
  int    off = (int)(draw() % 31) - 3;
  double v = t->round(ldexp(a * b, -off));
  return draw() & 1 ? -v : v;
}

CASE(fma_rounds_once) {
  EACH_TYPE(t) {
    int twice = 0;
    for (int i = 0; i < 1000000; i++) {
      double a = draw_value(t), b = draw_value(t), c = draw_addend(t, a, b);
      if (!isfinite(c)) continue;
      double got = t->fma(a, b, c), want = slow_fma(t, a, b, c);
      if (got != want)
        check_fail(__FILE__, __LINE__, "%a * %a + %a: %a, not %a", a, b, c, got, want);
      twice += t->round(a * b + c) != want;
    }
    /* The draw does contain cases that two roundings get wrong; f16 has none, since its exponents
     * span too little for a sum to be inexact in a double and yet close to a middle. */
    CHECK(t->fma == ik_fma_f16 ? twice == 0 : twice > 0);
  }
}

CASE(fma_special) {
  EACH_TYPE(t) {
    CHECK(isnan(t->fma(INFINITY, 0, 1)));
    CHECK(isnan(t->fma(INFINITY, 1, -INFINITY)));
    CHECK(isnan(t->fma(NAN, 0, 1)));
    CHECK(t->fma(-INFINITY, 2, 1) == -INFINITY);
    CHECK(t->fma(value(t, t->inf - 1), 2, 0) == INFINITY);
    CHECK(signbit(t->fma(-1, 0, -0.0)));
    CHECK(!signbit(t->fma(1, 0, -0.0)));
    CHECK(!signbit(t->fma(3, 5, -15)));
    CHECK(signbit(t->fma(-value(t, 1), value(t, 1), 0))); /* -0 by underflow */
  }
}
