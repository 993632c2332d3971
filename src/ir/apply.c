#include "ir/apply.h"
#include "base/elementary.h"
#include "base/num.h"
#include <math.h>

static double divide(ik_type t, double a, double b) {
  if (t != IK_I32) return a / b;
  return b == 0 ? 0 : trunc(a / b); /* exact enough: 32-bit operands */
}

static double modulo(double a, double b) {
  double m = b == 0 ? 0 : fmod(a, b);
  return m != 0 && (m < 0) != (b < 0) ? m + b : m;
}

/* 32-bit products do not fit a double; all other integer results do, and wrap when rounded. */
static double multiply(ik_type t, double a, double b) {
  if (t != IK_I32) return a * b;
  return (double)(int32_t)(uint32_t)((uint64_t)(int64_t)a * (uint64_t)(int64_t)b);
}

static double fused(ik_type t, double a, double b, double c) {
  switch (t) {
  case IK_F32: return fmaf((float)a, (float)b, (float)c);
  case IK_F16: return ik_fma_f16(a, b, c);
  case IK_BF16: return ik_fma_bf16(a, b, c);
  case IK_I32: return ik_type_round(t, multiply(t, a, b) + c);
  default: return fma(a, b, c);
  }
}

static double cast(ik_type t, double v) {
  if (t != IK_I32) return t == IK_BOOL ? v != 0 : v;
  if (isnan(v)) return 0;
  v = trunc(v);
  return v > 2147483647.0 ? 2147483647.0 : v < -2147483648.0 ? -2147483648.0 : v;
}

static double unrounded(ik_op op, ik_type t, double a, double b, double c) {
  switch (op) {
  case IK_OP_NEG: return -a;
  case IK_OP_ADD: return a + b;
  case IK_OP_SUB: return a - b;
  case IK_OP_MUL: return multiply(t, a, b);
  case IK_OP_DIV: return divide(t, a, b);
  case IK_OP_FMA: return fused(t, a, b, c);
  case IK_OP_MIN: return a < b ? a : b;
  case IK_OP_MAX: return a > b ? a : b;
  case IK_OP_MOD: return modulo(a, b);
  case IK_OP_ABS: return fabs(a);
  case IK_OP_FLOOR: return floor(a);
  case IK_OP_SQRT: return sqrt(a);
  case IK_OP_EXP: return ik_exp(a);
  case IK_OP_LOG: return ik_log(a);
  case IK_OP_SIN: return ik_sin(a);
  case IK_OP_COS: return ik_cos(a);
  case IK_OP_TAN: return ik_tan(a);
  case IK_OP_TANH: return ik_tanh(a);
  case IK_OP_ATAN: return ik_atan(a);
  case IK_OP_POW: return ik_pow(a, b);
  case IK_OP_LT: return a < b;
  case IK_OP_LE: return a <= b;
  case IK_OP_EQ: return a == b;
  case IK_OP_NE: return a != b;
  case IK_OP_NOT: return a == 0;
  case IK_OP_AND: return a != 0 && b != 0;
  case IK_OP_OR: return a != 0 || b != 0;
  case IK_OP_SELECT: return a != 0 ? b : c;
  case IK_OP_CAST: return cast(t, a);
  default: return NAN; /* leaves have no operands */
  }
}

double ik_apply(ik_op op, ik_type t, double a, double b, double c) {
  return ik_type_round(t, unrounded(op, t, a, b, c));
}

double ik_apply_table(const ik_samples *t, double x) {
  if (!(x >= 0) || x > t->n - 1) return 0;
  int    i = (int)x;
  double w = x - i;
  return w == 0 ? t->value[i] : t->value[i] + w * (t->value[i + 1] - t->value[i]);
}

/* The hash with which the golden inputs of the weather stencils were made. */
double ik_apply_noise(double seed, int64_t x, int64_t y, int64_t z) {
  uint32_t h = (uint32_t)(int64_t)seed * 0x9E3779B1u + (uint32_t)x * 0x85EBCA77u +
               (uint32_t)y * 0xC2B2AE3Du + (uint32_t)z * 0x27D4EB2Fu;
  h ^= h >> 15, h *= 0x2C1B3C6Du;
  h ^= h >> 12, h *= 0x297A2D39u;
  h ^= h >> 15;
  return (double)(h >> 8) / 16777216.0;
}
