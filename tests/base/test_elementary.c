#include "base/elementary.h"
#include "base/hash.h"
#include "check.h"
#include "elementary_points.h"
#include <stdint.h>

typedef double (*function)(double);

static uint64_t bits_of(double v) {
  uint64_t b;
  memcpy(&b, &v, sizeof b);
  return b;
}

/* Doubles in their order, as whole numbers. */
static int64_t rank_of(double v) {
  uint64_t b = bits_of(v) & INT64_MAX;
  return signbit(v) ? -(int64_t)b : (int64_t)b;
}

/* Steps from one double to the other; a NaN is far from everything but a NaN. */
static uint64_t steps_between(double a, double b) {
  if (isnan(a) || isnan(b)) return isnan(a) && isnan(b) ? 0 : UINT64_MAX;
  int64_t x = rank_of(a), y = rank_of(b);
  return x > y ? (uint64_t)x - (uint64_t)y : (uint64_t)y - (uint64_t)x;
}

static void check_steps(const char *name, double x, double y, double got, double want,
                        uint64_t most) {
  if (steps_between(got, want) > most || !signbit(got) != !signbit(want))
    check_fail(__FILE__, __LINE__, "%s at %a, %a is %a, not %a", name, x, y, got, want);
}

/* ---- stored values ---- */

#define CHECK_POINTS(name, f, table)                                                               \
  for (size_t i = 0; i < sizeof(table) / sizeof *(table); i++)                                     \
  check_steps(name, (table)[i][0], 0, f((table)[i][0]), (table)[i][1], 1)

CASE(exp_points) { CHECK_POINTS("exp", ik_exp, EXP_POINTS); }
CASE(log_points) { CHECK_POINTS("log", ik_log, LOG_POINTS); }
CASE(sin_points) { CHECK_POINTS("sin", ik_sin, SIN_POINTS); }
CASE(cos_points) { CHECK_POINTS("cos", ik_cos, COS_POINTS); }
CASE(tan_points) { CHECK_POINTS("tan", ik_tan, TAN_POINTS); }
CASE(tanh_points) { CHECK_POINTS("tanh", ik_tanh, TANH_POINTS); }
CASE(atan_points) { CHECK_POINTS("atan", ik_atan, ATAN_POINTS); }
CASE(pow_points) {
  for (size_t i = 0; i < sizeof POW_POINTS / sizeof *POW_POINTS; i++) {
    const double *p = POW_POINTS[i];
    check_steps("pow", p[0], p[1], ik_pow(p[0], p[1]), p[2], 1);
  }
}

/* ---- special cases ---- */

static void same(double got, double want, int line) {
  uint64_t b = isnan(want) ? UINT64_C(0x7ff8) << 48 : bits_of(want);
  if (bits_of(got) != b) check_fail(__FILE__, line, "%a, not %a", got, want);
}
#define SAME(got, want) same(got, want, __LINE__)

CASE(exp_special) {
  SAME(ik_exp(NAN), NAN);
  SAME(ik_exp(INFINITY), INFINITY);
  SAME(ik_exp(-INFINITY), 0.0);
  SAME(ik_exp(0.0), 1.0);
  SAME(ik_exp(-0.0), 1.0);
  SAME(ik_exp(1e308), INFINITY);
  SAME(ik_exp(-1e308), 0.0);
  SAME(ik_exp(0x1.62e42fefa39efp9), 0x1.fffffffffff2ap1023);
  SAME(ik_exp(0x1.62e42fefa39f0p9), INFINITY);
  SAME(ik_exp(-0x1.74910d52d3051p9), 0x1p-1074);
  SAME(ik_exp(-0x1.74910d52d3052p9), 0.0);
}

CASE(log_special) {
  SAME(ik_log(NAN), NAN);
  SAME(ik_log(INFINITY), INFINITY);
  SAME(ik_log(-INFINITY), NAN);
  SAME(ik_log(0.0), -INFINITY);
  SAME(ik_log(-0.0), -INFINITY);
  SAME(ik_log(-0x1p-1074), NAN);
  SAME(ik_log(1.0), 0.0);
}

CASE(trigonometric_special) {
  static const function odd[] = {ik_sin, ik_tan};
  for (int i = 0; i < 2; i++) {
    SAME(odd[i](NAN), NAN);
    SAME(odd[i](INFINITY), NAN);
    SAME(odd[i](-INFINITY), NAN);
    SAME(odd[i](0.0), 0.0);
    SAME(odd[i](-0.0), -0.0);
  }
  SAME(ik_cos(NAN), NAN);
  SAME(ik_cos(INFINITY), NAN);
  SAME(ik_cos(-INFINITY), NAN);
  SAME(ik_cos(0.0), 1.0);
  SAME(ik_cos(-0x1p-1074), 1.0);
}

CASE(tanh_and_atan_special) {
  SAME(ik_tanh(NAN), NAN);
  SAME(ik_tanh(INFINITY), 1.0);
  SAME(ik_tanh(-INFINITY), -1.0);
  SAME(ik_tanh(-0.0), -0.0);
  SAME(ik_atan(NAN), NAN);
  SAME(ik_atan(INFINITY), 0x1.921fb54442d18p0);
  SAME(ik_atan(-INFINITY), -0x1.921fb54442d18p0);
  SAME(ik_atan(-0.0), -0.0);
  SAME(ik_atan(1.0), 0x1.921fb54442d18p-1);
}

CASE(pow_of_special_exponent) {
  SAME(ik_pow(NAN, 0.0), 1.0);
  SAME(ik_pow(INFINITY, -0.0), 1.0);
  SAME(ik_pow(1.0, NAN), 1.0);
  SAME(ik_pow(1.0, INFINITY), 1.0);
  SAME(ik_pow(2.0, NAN), NAN);
  SAME(ik_pow(-1.0, INFINITY), 1.0);
  SAME(ik_pow(-1.0, -INFINITY), 1.0);
  SAME(ik_pow(0.5, -INFINITY), INFINITY);
  SAME(ik_pow(-2.0, -INFINITY), 0.0);
  SAME(ik_pow(0.5, INFINITY), 0.0);
  SAME(ik_pow(-2.0, INFINITY), INFINITY);
  SAME(ik_pow(2.0, 1e300), INFINITY);
  SAME(ik_pow(2.0, -1e300), 0.0);
  SAME(ik_pow(2.0, 0x1p-1074), 1.0);
}

CASE(pow_of_special_base) {
  SAME(ik_pow(NAN, 1.0), NAN);
  SAME(ik_pow(0.0, -3.0), INFINITY);
  SAME(ik_pow(-0.0, -3.0), -INFINITY);
  SAME(ik_pow(-0.0, -2.0), INFINITY);
  SAME(ik_pow(-0.0, -0.5), INFINITY);
  SAME(ik_pow(-0.0, -INFINITY), INFINITY);
  SAME(ik_pow(-0.0, 3.0), -0.0);
  SAME(ik_pow(0.0, 3.0), 0.0);
  SAME(ik_pow(-0.0, 2.5), 0.0);
  SAME(ik_pow(INFINITY, 0.5), INFINITY);
  SAME(ik_pow(INFINITY, -0.5), 0.0);
  SAME(ik_pow(-INFINITY, 3.0), -INFINITY);
  SAME(ik_pow(-INFINITY, 2.0), INFINITY);
  SAME(ik_pow(-INFINITY, 0.5), INFINITY);
  SAME(ik_pow(-INFINITY, -3.0), -0.0);
  SAME(ik_pow(-INFINITY, -2.0), 0.0);
  SAME(ik_pow(-INFINITY, INFINITY), INFINITY);
  SAME(ik_pow(-8.0, 1.0 / 3), NAN);
  SAME(ik_pow(-2.0, 0x1p53), INFINITY);           /* even: all doubles from here on are */
  SAME(ik_pow(-1.0, 0x1.fffffffffffffp52), -1.0); /* the largest odd one */
}

/* ---- identities ---- */

CASE(powers_that_are_doubles_are_exact) {
  for (int k = -1074; k <= 1023; k++) SAME(ik_pow(2.0, k), ldexp(1.0, k));
  for (int i = -200; i <= 200; i++) {
    SAME(ik_pow(i, 1.0), i);
    if (i) SAME(ik_pow(i, 3.0), (double)i * i * i);
    if (i > 0) SAME(ik_pow((double)i * i, 0.5), i);
  }
}

/* A fixed sequence of pseudo-random bits: xorshift64 (Marsaglia, J. Stat. Software 8(14), 2003). */
static uint64_t state;
static uint64_t draw(void) {
  state ^= state << 13, state ^= state >> 7, state ^= state << 17;
  return state;
}
static double draw_in(double lo, double hi) {
  return lo + (hi - lo) * (double)(draw() >> 11) * 0x1p-53;
}
static double draw_finite(void) {
  double v;
  do {
    uint64_t b = draw();
    memcpy(&v, &b, sizeof v);
  } while (!isfinite(v));
  return v;
}

CASE(functions_agree_with_each_other) {
  state = 1;
  for (int i = 0; i < 20000; i++) {
    double x = draw_in(-30, 30), s = ik_sin(x), c = ik_cos(x);
    CHECK_NEAR(s * s + c * c, 1, 4e-16);
    SAME(ik_sin(-x), -s);
    SAME(ik_cos(-x), c);
    CHECK_NEAR(ik_tan(x) * c, s, 4e-16);
    CHECK_NEAR(ik_tan(ik_atan(x)) / x, 1, 1e-13);
    CHECK_NEAR(ik_log(ik_exp(x)), x, 1e-14);
    SAME(ik_tanh(-x), -ik_tanh(x));
    CHECK_NEAR(ik_pow(ik_exp(x), 0.5) / ik_exp(0.5 * x), 1, 1e-15);
  }
}

/* ---- the same bits everywhere ---- */

static double near_or_any(double lo, double hi) {
  return draw() >> 63 ? draw_in(lo, hi) : draw_finite();
}

static double argument(function f) {
  if (f == ik_exp) return draw_in(-746, 710);
  if (f == ik_log) return fabs(near_or_any(0, 4));
  if (f == ik_tanh) return draw_in(-21, 21);
  return near_or_any(-100, 100);
}

static uint64_t hash_of(function f) {
  uint64_t h = IK_HASH_INIT;
  state = 20240607;
  for (int i = 0; i < 100000; i++) {
    double v = f(argument(f));
    h = ik_hash(h, &v, sizeof v);
  }
  return h;
}

static double pow_base(void) {
  double m = draw_in(1, 2); /* first: arguments of a call have no order */
  return ldexp(m, (int)(draw() % 41) - 20);
}

static uint64_t hash_of_pow(void) {
  uint64_t h = IK_HASH_INIT;
  state = 20240607;
  for (int i = 0; i < 100000; i++) {
    double x = pow_base(), v = ik_pow(x, draw_in(-30, 30));
    h = ik_hash(h, &v, sizeof v);
  }
  return h;
}

static void check_hash(uint64_t got, uint64_t want, int line) {
  if (got != want)
    check_fail(__FILE__, line, "hash is 0x%016llx, not 0x%016llx", (unsigned long long)got,
               (unsigned long long)want);
}
#define CHECK_HASH(got, want) check_hash(got, UINT64_C(want), __LINE__)

CASE(bits_are_frozen) {
  CHECK_HASH(hash_of(ik_exp), 0x4ab4c5bcaa0a11b2);
  CHECK_HASH(hash_of(ik_log), 0x85f3b7d4bbc744f7);
  CHECK_HASH(hash_of(ik_sin), 0x9705ac9460bc5d77);
  CHECK_HASH(hash_of(ik_cos), 0xc4ea086fb36408b0);
  CHECK_HASH(hash_of(ik_tan), 0x5aaf95aa9546483e);
  CHECK_HASH(hash_of(ik_tanh), 0x59da869bb406049a);
  CHECK_HASH(hash_of(ik_atan), 0x266e7ba83c159e8a);
  CHECK_HASH(hash_of_pow(), 0x12abde00349f4eb2);
}

/* ---- against the C library, whose own error is below one unit ---- */

static const struct {
  const char *name;
  function    ours, theirs;
} pairs[] = {
    {"exp", ik_exp, exp}, {"log", ik_log, log},    {"sin", ik_sin, sin},    {"cos", ik_cos, cos},
    {"tan", ik_tan, tan}, {"tanh", ik_tanh, tanh}, {"atan", ik_atan, atan},
};

CASE(near_the_c_library) {
  for (size_t f = 0; f < sizeof pairs / sizeof *pairs; f++) {
    state = 7;
    /* glibc states an error of up to 2 units for tanh */
    uint64_t most = pairs[f].ours == ik_tanh ? 3 : 2;
    for (int i = 0; i < 200000; i++) {
      double x = argument(pairs[f].ours);
      check_steps(pairs[f].name, x, 0, pairs[f].ours(x), pairs[f].theirs(x), most);
    }
  }
  for (int i = 0; i < 200000; i++) {
    double x = pow_base(), y = draw_in(-30, 30);
    check_steps("pow", x, y, ik_pow(x, y), pow(x, y), 2);
  }
}
