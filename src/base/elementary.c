#include "base/elementary.h"
#include "base/bits.h"
#include <math.h>
#include <stdint.h>
#include <string.h>

/* How the numbers below were obtained, all with mpmath at 400 bits or more:
 * polynomials interpolate the function named at the Chebyshev nodes of the interval named, and each
 * coefficient is rounded to double; constants and table entries are split as high + low, where the
 * low part is the rounded rest. */

/* The unevaluated sum hi + lo: about 106 bits. */
typedef struct dd {
  double hi, lo;
} dd;

static double magnitude(double v) { return ik_from_bits(ik_bits_of(v) & INT64_MAX); }

static double with_sign(double mag, double v) {
  return ik_from_bits(ik_bits_of(mag) | (ik_bits_of(v) & (uint64_t)INT64_MIN));
}

static double infinity(void) { return ik_from_bits(UINT64_C(0x7ff) << 52); }

/* Machines differ in the NaN that inf - inf gives, so every NaN is written out. */
static double not_a_number(void) { return ik_from_bits(UINT64_C(0x7ff8) << 48); }

/* 2^k, -1022 <= k <= 1023 */
static double pow2(int k) { return ik_from_bits((uint64_t)(k + 1023) << 52); }

/* The nearest whole number, |v| < 2^51: the sum has no room for a fraction. */
static double nearest(double v) { return (v + 0x1.8p52) - 0x1.8p52; }

/* a + b exactly; quick_sum needs |a| >= |b| or a == 0. */
static dd two_sum(double a, double b) {
  double s = a + b, t = s - a;
  return (dd){s, (a - (s - t)) + (b - t)};
}

static dd quick_sum(double a, double b) {
  double s = a + b;
  return (dd){s, b - (s - a)};
}

static dd two_prod(double a, double b) {
  double p = a * b;
  return (dd){p, fma(a, b, -p)};
}

static dd divide(dd a, dd b) {
  double q = a.hi / b.hi;
  double rest = fma(-q, b.hi, a.hi) + (a.lo - q * b.lo);
  return quick_sum(q, rest / b.hi);
}

static double horner(const double *c, int degree, double x) {
  double s = c[degree];
  for (int i = degree - 1; i >= 0; i--) s = fma(s, x, c[i]);
  return s;
}

/* ---- exp, log, pow ---- */

/* LN2_HI ends at 2^-42, so that its product with an exponent is exact. */
#define LN2_HI  0x1.62e42fefa38p-1
#define LN2_LO  0x1.ef35793c7673p-45
#define INV_LN2 0x1.71547652b82fep0

/* (e^r - 1 - r - r^2/2) / r^3 on |r| <= 0.3467 */
static const double EXP[] = {0x1.5555555555556p-3,  0x1.5555555555555p-5,  0x1.11111111109afp-7,
                             0x1.6c16c16c167dfp-10, 0x1.a01a01a7c73cp-13,  0x1.a01a01a47ccd9p-16,
                             0x1.71de0da24602dp-19, 0x1.27e4e1ed9933ep-22, 0x1.af38c67fbb53ep-26,
                             0x1.1f66eff4fc984p-29};

/* e^x = (hi + lo) * 2^k, hi + lo in [0.7, 1.42] */
static dd exp_parts(dd x, int *k) {
  double n = nearest(x.hi * INV_LN2);
  *k = (int)n;
  dd low = two_prod(n, LN2_LO);
  dd r = two_sum(fma(-n, LN2_HI, x.hi), -low.hi);
  r = two_sum(r.hi, r.lo + (x.lo - low.lo));
  /* 1 + r + r^2/2 in two doubles; what follows is below 0.01 and needs only one. */
  dd     square = two_prod(r.hi, 0.5 * r.hi);
  double rest = r.hi * r.hi * r.hi * horner(EXP, 9, r.hi);
  dd     a = quick_sum(1.0, r.hi);
  dd     b = two_sum(a.hi, square.hi);
  return quick_sum(b.hi, a.lo + b.lo + (r.lo + fma(r.hi, r.lo, square.lo) + rest));
}

/* v * 2^k rounded once, also where the result is subnormal; -1080 < k <= 1024. */
static double scale(dd v, int k) {
  if (k > 1023) return v.hi * 0x1p1023 * pow2(k - 1023);
  if (k > -1022 || (k == -1022 && v.hi >= 1)) return v.hi * pow2(k);
  /* Next to `unit`, which becomes the smallest normal number, the last place is already that of a
   * subnormal result: the addition rounds, the rest is exact. */
  double unit = pow2(-1022 - k);
  dd     s = two_sum(unit, v.hi);
  return (s.hi + (s.lo + v.lo) - unit) * pow2(k + 1022) * 0x1p-1022;
}

static double exp_dd(dd x) {
  if (x.hi > 710) return infinity();
  if (x.hi < -746) return 0;
  int k;
  dd  v = exp_parts(x, &k);
  return scale(v, k);
}

double ik_exp(double x) {
  if (x != x) return not_a_number();
  return exp_dd((dd){x, 0});
}

/* Entry i covers 2^47 bit patterns of doubles around m = (45 + i) / 64 below 1 and m = (13 + i) /
 * 32 from there on; LOG_START is where entry 0 begins.  c is near 1/m with few bits, hi + lo =
 * -log(c), hi ends at 2^-42.  Around m = 1, c is 1, so that small logarithms keep their precision.
 */
static const struct {
  double c, hi, lo;
} LOG_TABLE[] = {
    {0x1.6cp0, -0x1.686c81e9b1p-2, -0x1.2bb110af84054p-44},
    {0x1.644p0, -0x1.5262deeb99p-2, 0x1.e1b9f70894a01p-44},
    {0x1.5c8p0, -0x1.3bdd24eb15p-2, 0x1.257b4970e6ed9p-44},
    {0x1.554p0, -0x1.26561f1338p-2, -0x1.8b48866faa45fp-44},
    {0x1.4e4p0, -0x1.111ce4003fp-2, 0x1.b3237096b4b6bp-46},
    {0x1.47cp0, -0x1.fa01c3bb58p-3, 0x1.a1f71fae1d786p-46},
    {0x1.414p0, -0x1.d0fb7f2256p-3, 0x1.af52b20633b29p-47},
    {0x1.3bp0, -0x1.a8becfc882p-3, -0x1.e3185cf21b9cfp-44},
    {0x1.354p0, -0x1.83040c91bcp-3, -0x1.e5b71c6e66f32p-44},
    {0x1.2f8p0, -0x1.5c94007598p-3, 0x1.a8d948cd23322p-44},
    {0x1.2ap0, -0x1.371fc201e8p-3, -0x1.ee8779b2d8abcp-44},
    {0x1.248p0, -0x1.10f8e42254p-3, 0x1.93b3843396307p-45},
    {0x1.1f8p0, -0x1.db5270187cp-4, -0x1.9277856ae181fp-44},
    {0x1.1a8p0, -0x1.9375e55594p-4, -0x1.eddc37380c364p-44},
    {0x1.15cp0, -0x1.4e01108a34p-4, -0x1.ae5cfdf2c5ae5p-44},
    {0x1.11p0, -0x1.075983599p-4, 0x1.b8ecfe4b59987p-44},
    {0x1.0c8p0, -0x1.868a83084p-5, 0x1.2623a134ac693p-46},
    {0x1.084p0, -0x1.03d5d85e7p-5, -0x1.f778960ed29cfp-44},
    {0x1.04p0, -0x1.fc0a8b0fcp-7, -0x1.f1e7cf6d3a69cp-50},
    {0x1p0, 0x0p0, 0x0p0},
    {0x1.f08p-1, 0x1.f7a9b1678p-6, 0x1.42ad9271be7d7p-45},
    {0x1.e2p-1, 0x1.eea31c0068p-5, 0x1.c3dd83606d891p-44},
    {0x1.d4p-1, 0x1.700d30aeacp-4, 0x1.c1e8da99ded32p-49},
    {0x1.c7p-1, 0x1.e3707ee304p-4, 0x1.0f684e6766abdp-45},
    {0x1.bbp-1, 0x1.28753bc11ap-3, 0x1.7494e359302e6p-44},
    {0x1.afp-1, 0x1.60b3100b0ap-3, -0x1.71456c988f814p-44},
    {0x1.a4p-1, 0x1.95a5adcf7p-3, 0x1.7f22858a0ff6fp-47},
    {0x1.998p-1, 0x1.c97f8079d4p-3, 0x1.3b161a8c6e6c5p-45},
    {0x1.8f8p-1, 0x1.fc218be62p-3, 0x1.4bba46f1cf6ap-44},
    {0x1.86p-1, 0x1.16b5ccbadp-2, -0x1.23299042d74bfp-44},
    {0x1.7dp-1, 0x1.2e9e2bce12p-2, 0x1.4300c128d1dc2p-45},
    {0x1.748p-1, 0x1.45b8c0a17ep-2, -0x1.d9120e7d0a853p-47},
};
#define LOG_START (UINT64_C(0x3fe0000000000000) + (UINT64_C(25) << 46))

/* (log(1 + r) - r + r^2/2) / r^3 on |r| <= 0.0168 */
static const double LOG[] = {0x1.5555555555555p-2, -0x1.fffffffffffffp-3, 0x1.9999999999999p-3,
                             -0x1.555555555d1p-3,  0x1.24924924996bap-3,  -0x1.fffffcfdd46a7p-4,
                             0x1.c71c6f002e532p-4, -0x1.99d11c5c62059p-4, 0x1.749054f377c9fp-4};

/* The logarithm of a positive finite number. */
static dd log_dd(double x) {
  int k = -1024;
  if (x < 0x1p-1022) x *= 0x1p54, k -= 54;
  uint64_t t = ik_bits_of(x) - LOG_START + (UINT64_C(1024) << 52); /* biased: never negative */
  int      i = (int)(t >> 47) & 31, octave = (int)(t >> 52);
  double   m = ik_from_bits(ik_bits_of(x) - ((uint64_t)(int64_t)(octave - 1024) << 52));
  double   e = k + octave;
  /* x = 2^e m and m c = 1 + r with |r| < 1/60 */
  dd     product = two_prod(m, LOG_TABLE[i].c);
  dd     r = quick_sum(product.hi - 1.0, product.lo);
  double big = e * LN2_HI + LOG_TABLE[i].hi; /* exact */
  dd     square = two_prod(r.hi, -0.5 * r.hi);
  double cube = r.hi * r.hi * r.hi * horner(LOG, 8, r.hi);
  double rest = fma(-r.hi, r.lo, square.lo) + r.lo + fma(e, LN2_LO, LOG_TABLE[i].lo);
  dd     a = two_sum(big, r.hi);
  dd     b = two_sum(a.hi, square.hi);
  return quick_sum(b.hi, (a.lo + b.lo) + (cube + rest));
}

double ik_log(double x) {
  if (x != x || x < 0) return not_a_number();
  if (x == infinity()) return x;
  if (x == 0) return -infinity();
  return log_dd(x).hi;
}

/* 0: not whole, 1: odd, 2: even */
static int parity(double y) {
  double a = magnitude(y);
  if (a >= 0x1p53) return 2;
  uint64_t whole = (uint64_t)a;
  if ((double)whole != a) return 0;
  return whole & 1 ? 1 : 2;
}

/* x is 0 or infinite */
static double pow_of_extreme(double x, double y, int kind) {
  double r = (x == 0) == (y > 0) ? 0 : infinity();
  return kind == 1 ? with_sign(r, x) : r;
}

double ik_pow(double x, double y) {
  if (y == 0 || x == 1) return 1;
  if (x != x || y != y) return not_a_number();
  double a = magnitude(x);
  int    kind = parity(y);
  if (a == 0 || a == infinity()) return pow_of_extreme(x, y, kind);
  if (magnitude(y) == infinity()) return a == 1 ? 1 : (a > 1) == (y > 0) ? infinity() : 0;
  if (x < 0 && kind == 0) return not_a_number();
  dd     l = log_dd(a), p = two_prod(y, l.hi);
  double r = exp_dd((dd){p.hi, fma(y, l.lo, p.lo)});
  return x < 0 && kind == 1 ? -r : r;
}

/* ---- sin, cos, tan ---- */

/* pi/2 = PI_2A + PI_2B + PI_2C to 160 bits */
#define PI_2A       0x1.921fb54442d18p0
#define PI_2B       0x1.1a62633145c07p-54
#define PI_2C       -0x1.f1976b7ed8fbcp-110
#define TWO_OVER_PI 0x1.45f306dc9c883p-1 /* 2/pi */

/* x = n pi/2 + r, |r| <= pi/4 up to rounding of the quotient, for |x| < 2^30.  The first remainder
 * is exact: it is a multiple of 2^-53 below 1.  No double of this size comes nearer than 2^-62 to a
 * multiple of pi/2, so that 160 bits of pi/2 leave more than 60 correct ones. */
static dd reduce_medium(double x, int *quadrant) {
  double n = nearest(x * TWO_OVER_PI);
  *quadrant = (int)n & 3;
  dd p = two_prod(n, PI_2B);
  dd r = two_sum(fma(-n, PI_2A, x), -p.hi);
  return two_sum(r.hi, r.lo - fma(n, PI_2C, p.lo));
}

/* 32 zero bits, then the first 1184 bits of 2/pi after the binary point */
static const uint32_t TWO_OVER_PI_BITS[] = {
    0x00000000, 0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599, 0x3c439041, 0xfe5163ab,
    0xdebbc561, 0xb7246e3a, 0x424dd2e0, 0x06492eea, 0x09d1921c, 0xfe1deb1c, 0xb129a73e, 0xe88235f5,
    0x2ebb4484, 0xe99c7026, 0xb45f7e41, 0x3991d639, 0x835339f4, 0x9c845f8b, 0xbdf9283b, 0x1ff897ff,
    0xde05980f, 0xef2f118b, 0x5a0a6d1f, 0x6d367ecf, 0x27cb09b7, 0x4f463f66, 0x9e5fea2d, 0x7527bac7,
    0xebe5f17b, 0x3d0739f7, 0x8a5292ea, 0x6bfb5fb1, 0x1f8d5d08, 0x56033046};

enum { LIMBS = 6 }; /* 192 bits: 2 of the quadrant, 62 may cancel, 53 in an error, 75 remain */

/* x * 2/pi modulo 4 as a fraction of 2^192, for 2^30 <= x.  With x = m 2^e, bits of 2/pi whose
 * product with 2^e is a multiple of 4 are left out: the others start at e - 1 (Payne and Hanek,
 * ACM SIGNUM Newsletter 18(1), 1983). */
static void quotient_bits(double x, uint32_t out[LIMBS]) {
  uint64_t b = ik_bits_of(x);
  int      start = (int)(b >> 52) - 1075 + 30;
  uint64_t low = b & UINT32_MAX, high = (b >> 32 & 0xfffff) | 0x100000;
  uint64_t carry_low = 0, carry_high = 0, below = 0;
  for (int i = LIMBS - 1; i >= 0; i--) {
    const uint32_t *t = TWO_OVER_PI_BITS + start / 32 + i;
    uint64_t        limb = (((uint64_t)t[0] << 32 | t[1]) << (start % 32)) >> 32;
    carry_low += limb * low;
    carry_high += below * high + (carry_low & UINT32_MAX);
    out[i] = (uint32_t)carry_high;
    carry_low >>= 32, carry_high >>= 32;
    below = limb;
  }
}

static dd reduce_large(double x, int *quadrant) {
  uint32_t q[LIMBS];
  quotient_bits(x, q);
  *quadrant = (int)((q[0] >> 30) + (q[0] >> 29 & 1)) & 3;
  /* The fraction as a signed number: 30 bits with sign, then unsigned limbs. */
  double first = (double)(q[0] & 0x3fffffff) - (q[0] >> 29 & 1 ? 0x1p30 : 0), unit = 0x1p-30;
  dd     f = {first * unit, 0};
  for (int i = 1; i < LIMBS; i++) {
    unit *= 0x1p-32;
    dd s = two_sum(f.hi, q[i] * unit);
    f = (dd){s.hi, f.lo + s.lo};
  }
  dd p = two_prod(f.hi, PI_2A);
  return two_sum(p.hi, p.lo + fma(f.hi, PI_2B, f.lo * PI_2A));
}

/* x = (quadrant + 4 j) pi/2 + r for some whole j; x is finite */
static dd reduce(double x, int *quadrant) {
  double a = magnitude(x);
  if (a < 0x1p30) return reduce_medium(x, quadrant);
  dd r = reduce_large(a, quadrant);
  if (x > 0) return r;
  *quadrant = -*quadrant & 3;
  return (dd){-r.hi, -r.lo};
}

/* (sin r - r + r^3/6) / r^5 and (cos r - 1 + r^2/2) / r^4 as polynomials in r^2, on |r| <= pi/4 */
static const double SIN[] = {0x1.1111111111111p-7,  -0x1.a01a01a019ed6p-13,
                             0x1.71de3a550cb5fp-19, -0x1.ae6455342226dp-26,
                             0x1.61225b39932c3p-33, -0x1.ab93fa646995ap-41};

static const double COS[] = {0x1.5555555555555p-5,   -0x1.6c16c16c16c16p-10, 0x1.a01a01a019d0ap-16,
                             -0x1.27e4fb7712d61p-22, 0x1.1eed8deb97423p-29,  -0x1.9394ba0c332d9p-37,
                             0x1.ab785aa02d659p-45};

#define SIXTH_HI 0x1.5555555555555p-3
#define SIXTH_LO 0x1.5555555555555p-57

/* r - r^3/6 in two doubles; what follows is below 0.003 and needs only one. */
static dd sin_near(dd r) {
  dd     z = two_prod(r.hi, r.hi), cube = two_prod(r.hi, z.hi);
  double cube_lo = fma(r.hi, z.lo, cube.lo);
  dd     sixth = two_prod(cube.hi, -SIXTH_HI);
  double sixth_lo = sixth.lo - fma(cube.hi, SIXTH_LO, cube_lo * SIXTH_HI);
  double rest = fma(cube.hi * z.hi, horner(SIN, 5, z.hi), r.lo * (1 - 0.5 * z.hi));
  dd     s = quick_sum(r.hi, sixth.hi);
  return quick_sum(s.hi, s.lo + (sixth_lo + rest));
}

static dd cos_near(dd r) {
  dd     half = two_prod(r.hi, 0.5 * r.hi);
  double z = r.hi * r.hi;
  dd     s = quick_sum(1.0, -half.hi);
  double turn = fma(r.hi * r.lo, 1 - z * (1.0 / 6), half.lo);
  return quick_sum(s.hi, s.lo + fma(z * z, horner(COS, 6, z), -turn));
}

/* sin(x + quarter pi/2) */
static double sine(double x, int quarter) {
  int    q;
  dd     r = reduce(x, &q);
  int    turn = (q + quarter) & 3;
  double v = turn & 1 ? cos_near(r).hi : sin_near(r).hi;
  return turn & 2 ? -v : v;
}

double ik_sin(double x) {
  double a = magnitude(x);
  if (!(a < infinity())) return not_a_number();
  if (a < 0x1p-27) return x;
  return sine(x, 0);
}

double ik_cos(double x) {
  if (!(magnitude(x) < infinity())) return not_a_number();
  return sine(x, 1);
}

double ik_tan(double x) {
  double a = magnitude(x);
  if (!(a < infinity())) return not_a_number();
  if (a < 0x1p-27) return x;
  int q;
  dd  r = reduce(x, &q), s = sin_near(r), c = cos_near(r);
  return q & 1 ? -divide(c, s).hi : divide(s, c).hi;
}

/* ---- tanh, atan ---- */

/* (tanh x - x) / x^3 as a polynomial in x^2, on |x| <= 1/4 */
static const double TANH[] = {-0x1.5555555555555p-2,  0x1.1111111111111p-3,  -0x1.ba1ba1ba1ba0dp-5,
                              0x1.664f4882bf984p-6,   -0x1.226e355d3a8bep-7, 0x1.d6d3cfc34c056p-9,
                              -0x1.7da312b43b592p-10, 0x1.3549b15aa2e5cp-11, -0x1.f26207c835e36p-13,
                              0x1.668fc6ce7860ap-14};

double ik_tanh(double x) {
  double a = magnitude(x);
  if (x != x) return not_a_number();
  if (a < 0x1p-27) return x;
  if (a < 0.25) return x + x * (x * x) * horner(TANH, 9, x * x);
  if (a > 20) return with_sign(1, x); /* 2 e^-40 is below half a unit of 1 */
  /* (e^2a - 1) / (e^2a + 1) */
  int    k;
  dd     v = exp_parts((dd){2 * a, 0}, &k);
  double hi = v.hi * pow2(k), lo = v.lo * pow2(k);
  dd     minus = two_sum(hi, -1.0), plus = two_sum(hi, 1.0);
  minus.lo += lo, plus.lo += lo;
  return with_sign(divide(minus, plus).hi, x);
}

/* atan(i / 8) */
static const dd ATAN_TABLE[] = {
    {0x0p0, 0x0p0},
    {0x1.fd5ba9aac2f6ep-4, -0x1.cd37686760c17p-59},
    {0x1.f5b75f92c80ddp-3, 0x1.8ab6e3cf7afbdp-57},
    {0x1.6f61941e4def1p-2, -0x1.c63aae6f6e918p-56},
    {0x1.dac670561bb4fp-2, 0x1.a2b7f222f65e2p-56},
    {0x1.1e00babdefeb4p-1, -0x1.928df287a668fp-58},
    {0x1.4978fa3269ee1p-1, 0x1.2419a87f2a458p-56},
    {0x1.700a7c5784634p-1, -0x1.8c34d25aadef6p-56},
    {0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55},
};

/* (atan t - t) / t^3 as a polynomial in t^2, on |t| <= 1/16 */
static const double ATAN[] = {-0x1.5555555555555p-2, 0x1.999999999999ap-3,  -0x1.2492492492313p-3,
                              0x1.c71c71c5ffdddp-4,  -0x1.745d142044883p-4, 0x1.3b0f1e156285fp-4,
                              -0x1.0dc3b0cc8e3f9p-4};

/* atan(a / b) for 0 <= a <= b: atan(c) + atan((a - b c) / (b + a c)) with c = i/8 near a/b */
static dd atan_ratio(double a, double b) {
  int    i = (int)nearest(8 * (a / b));
  double c = i * 0.125;
  dd     bc = two_prod(b, c), ac = two_prod(a, c);
  dd     num = two_sum(a, -bc.hi), den = two_sum(b, ac.hi);
  num.lo -= bc.lo, den.lo += ac.lo;
  dd     t = divide(num, den);
  double z = t.hi * t.hi, rest = fma(t.hi * z, horner(ATAN, 6, z), t.lo + ATAN_TABLE[i].lo);
  dd     s = quick_sum(ATAN_TABLE[i].hi, t.hi);
  return quick_sum(s.hi, s.lo + rest);
}

double ik_atan(double x) {
  double a = magnitude(x);
  if (x != x) return not_a_number();
  if (a < 0x1p-27) return x;
  if (a <= 1) return with_sign(atan_ratio(a, 1).hi, x);
  if (a > 0x1p60) return with_sign(PI_2A, x); /* also keeps the products below in range */
  dd r = atan_ratio(1, a), s = two_sum(PI_2A, -r.hi);
  return with_sign(s.hi + (s.lo + (PI_2B - r.lo)), x);
}
