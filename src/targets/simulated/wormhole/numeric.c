#include "targets/simulated/wormhole/numeric.h"
#include "base/bits.h"
#include "base/num.h"
#include "ir/apply.h"
#include <math.h>
#include <string.h>

enum { QUIET = 0x7fc00000 };

/* What units and memory give: no tiny values, no -0, and a single NaN, since the one that an
 * operation makes has another sign on every kind of computer. */
static inline float flush(float v) {
  if (v != v) return ik_from_word(QUIET);
  return fabsf(v) < 0x1p-126f ? 0 : v;
}

/* ---- bf16 ---- */

static inline float even(float v) {
  uint32_t u = ik_word_of(v);
  if (v != v) return ik_from_word(QUIET);
  return ik_from_word((u + 0x7fff + (u >> 16 & 1)) & 0xffff0000u);
}

static inline float away(float v) {
  if (v != v) return ik_from_word(QUIET);
  return isinf(v) ? v : ik_from_word((ik_word_of(v) + 0x8000) & 0xffff0000u);
}

static float pack(float v) { return flush(v != v ? INFINITY : away(v)); }

/* f64 to f32 such that rounding to bf16 is as good as from the f64: cut off, and the last bit set
 * if that lost anything. */
static inline float to_odd(double v) {
  float    near = (float)v;
  uint32_t u = ik_word_of(near);
  if (near == v || v != v || isinf(near)) return near;
  return ik_from_word((fabs(near) > fabs(v) ? u - 1 : u) | 1);
}

/* Without the bits of a mask of its significand. */
static inline float without(float v, uint32_t mask) {
  return v != v ? v : ik_from_word(ik_word_of(v) & ~mask);
}

static inline float tf32(float v) { return without(v, 0x1fff); }

/* ---- operations ---- */

/* Into the loops below, where what they are told is constant. */
#define INLINE inline __attribute__((always_inline))

/* All operations of the FPU, and of the SFPU on bf16: f32 holds more than twice the bits, so that
 * what is rounded to f32 first is still rounded right; but products with addends are not. */
static INLINE float apply_bf16(const ik_rule *r, ik_op op, float a, float b, float c) {
  float v;
  if (r->coarse && (op == IK_OP_MUL || op == IK_OP_FMA))
    a = without(a, 0x7ffff), b = without(b, 0x1ffff);
  switch (op) {
  case IK_OP_ADD: v = a + b; break;
  case IK_OP_SUB: v = a - b; break;
  case IK_OP_MUL: v = a * b; break;
  case IK_OP_FMA: v = to_odd(ik_add_odd((double)a * b, c)); break;
  default: v = to_odd(ik_apply(op, IK_F64, a, b, c));
  }
  return flush(r->ties_away ? away(v) : even(v));
}

static INLINE float apply_f32(ik_op op, float a, float b, float c) {
  switch (op) {
  case IK_OP_ADD: return flush(a + b);
  case IK_OP_SUB: return flush(a - b);
  case IK_OP_MUL: return flush(a * b);
  case IK_OP_FMA: return flush(fmaf(a, b, c));
  default: return flush((float)ik_apply(op, IK_F32, a, b, c));
  }
}

typedef struct unit { /* what an operation is done by */
  const ik_rule *rule;
  ik_op          op;
  ik_type        type;
  bool           narrow, drop; /* in bf16; operands as tf32 */
} unit;

static const ik_rule usual; /* ties to even, four phases */

static INLINE float apply(unit u, float a, float b, float c) {
  if (u.type == IK_BOOL || u.op == IK_OP_SELECT) return (float)ik_apply(u.op, u.type, a, b, c);
  if (u.op == IK_OP_CAST) return u.rule->type == IK_BF16 || u.type != IK_BF16 ? a : pack(a);
  if (u.drop) a = tf32(a), b = tf32(b), c = tf32(c);
  return u.narrow ? apply_bf16(u.rule, u.op, a, b, c) : apply_f32(u.op, a, b, c);
}

static INLINE void each(unit u, const float *const arg[3], float *out, int n) {
  const float *a = arg[0], *b = arg[1] ? arg[1] : a, *c = arg[2] ? arg[2] : a;
  for (int i = 0; i < n; i++) out[i] = apply(u, a[i], b[i], c[i]);
}

/* The frequent operations have loops of their own, in which nothing is left to decide. */
static INLINE void often(ik_op op, bool narrow, const float *const arg[3], float *out, int n) {
  switch (op) {
  case IK_OP_ADD: each((unit){&usual, IK_OP_ADD, IK_F32, narrow, false}, arg, out, n); break;
  case IK_OP_SUB: each((unit){&usual, IK_OP_SUB, IK_F32, narrow, false}, arg, out, n); break;
  case IK_OP_MUL: each((unit){&usual, IK_OP_MUL, IK_F32, narrow, false}, arg, out, n); break;
  default: each((unit){&usual, IK_OP_FMA, IK_F32, narrow, false}, arg, out, n);
  }
}

static bool is_linear(ik_op op) {
  return op == IK_OP_ADD || op == IK_OP_SUB || op == IK_OP_MUL || op == IK_OP_FMA;
}

void ik_wormhole_math(const ik_rule *r, ik_op op, ik_type t, const float *const arg[3], float *out,
                      int n) {
  bool narrow = r->type == IK_BF16 || t == IK_BF16, linear = is_linear(op);
  unit u = {r, op, t, narrow, r->tf32 && linear};
  if (!linear || u.drop || (narrow && (r->ties_away || r->coarse)))
    each(u, arg, out, n);
  else if (narrow)
    often(op, true, arg, out, n);
  else
    often(op, false, arg, out, n);
}

void ik_wormhole_accumulate(const ik_rule *r, ik_reduce how, float *sum, const float *v,
                            const bool *mask, int n) {
  unit u = {r, IK_OP_ADD, r->sum, r->sum == IK_BF16, false};
  if (how != IK_SUM) u.op = how == IK_MINIMUM ? IK_OP_MIN : IK_OP_MAX, u.narrow = false;
  for (int i = 0; i < n; i++)
    if (!mask || mask[i])
      sum[i] = u.narrow ? apply_bf16(r, u.op, sum[i], v[i], 0) : apply_f32(u.op, sum[i], v[i], 0);
}

/* ---- memory ---- */

void ik_wormhole_unpack(ik_type t, const void *memory, float *out, int n) {
  const uint16_t *half = memory;
  if (t == IK_BF16)
    for (int i = 0; i < n; i++) out[i] = flush(ik_from_word((uint32_t)half[i] << 16));
  else
    for (int i = 0; i < n; i++) out[i] = flush(((const float *)memory)[i]);
}

void ik_wormhole_pack(ik_type t, const float *in, void *memory, int n) {
  uint16_t *half = memory;
  if (t == IK_BF16)
    for (int i = 0; i < n; i++) half[i] = (uint16_t)(ik_word_of(in[i]) >> 16);
  else
    memcpy(memory, in, (size_t)n * sizeof *in);
}
