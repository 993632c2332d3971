/* The language combines a row in 16 lanes, lane l taking the cells l, l+16, ... in order, and then
 * neighbouring lanes.  Lanes are independent, so each machine can use the vectors it has.  f32 and
 * i32 are combined as such: a sum of two f32 in f64, rounded, has the same bits as their sum in
 * f32.
 */
#include "targets/cpu/combine.h"
#include "interp/interp.h"
#include "targets/cpu/clones.h"
#include <string.h>
#ifdef __aarch64__
#include <arm_neon.h>
#endif

enum { LANES = 16, PART = 16 }; /* of a row; bytes of a register that every machine has */

#define SUM(a, b)   ((a) + (b))
#define LEAST(a, b) ((a) < (b) ? (a) : (b))
#define MOST(a, b)  ((a) > (b) ? (a) : (b))
/* The same for vectors, where a comparison makes masks. */
#define SUMS(V, M, a, b)    ((a) + (b))
#define PICK(V, M, m, a, b) ((V)(((M)(a) & (m)) | ((M)(b) & ~(m))))
#define LEASTS(V, M, a, b)  PICK(V, M, (a) < (b), a, b)
#define MOSTS(V, M, a, b)   PICK(V, M, (a) > (b), a, b)

/* Neighbouring lanes of two vectors, or of one: evens with odds. */
#define EVENS_4(a, b)              __builtin_shufflevector(a, b, 0, 2, 4, 6)
#define ODDS_4(a, b)               __builtin_shufflevector(a, b, 1, 3, 5, 7)
#define EVENS_2(a, b)              __builtin_shufflevector(a, b, 0, 2)
#define ODDS_2(a, b)               __builtin_shufflevector(a, b, 1, 3)
#define PAIRS(V, M, W, many, a, b) many(V, M, EVENS_##W(a, b), ODDS_##W(a, b))
#ifdef __aarch64__ /* sums of pairs are one instruction */
#define PAIRS_F32(V, M, W, many, a, b) ((V)vpaddq_f32((float32x4_t)(a), (float32x4_t)(b)))
#define PAIRS_F64(V, M, W, many, a, b) ((V)vpaddq_f64((float64x2_t)(a), (float64x2_t)(b)))
#else
#define PAIRS_F32 PAIRS
#define PAIRS_F64 PAIRS
#endif

/* A row of at least 16 elements comes to W values.  An array of vectors that is never indexed by a
 * variable, nor copied as a whole, stays in registers: rows that end within 16 elements, whose
 * lanes go through memory, are somebody else's. */
#define COMBINE_ROW(name, W, T, A, I, one, many, pairs)                                            \
  enum { name##_PARTS = LANES / W };                                                               \
  typedef A          name##_part __attribute__((vector_size(PART)));                               \
  typedef I          name##_mask __attribute__((vector_size(PART)));                               \
  ALWAYS_INLINE void name##_add(const T *v, int64_t n, name##_part acc[name##_PARTS]) {            \
    name##_part next;                                                                              \
    UNROLL for (int k = 0; k < name##_PARTS; k++) memcpy(&acc[k], v + k * W, PART);                \
    for (int64_t i = LANES; i < n; i += LANES) UNROLL for (int k = 0; k < name##_PARTS; k++) {     \
        memcpy(&next, v + i + k * W, PART);                                                        \
        acc[k] = many(name##_part, name##_mask, acc[k], next);                                     \
      }                                                                                            \
  }                                                                                                \
  static __attribute__((noinline)) name##_part name##_odd_row(const T *v, int64_t n) {             \
    name##_part acc[name##_PARTS];                                                                 \
    A           lane[LANES];                                                                       \
    int64_t     whole = n / LANES * LANES;                                                         \
    name##_add(v, whole, acc);                                                                     \
    memcpy(lane, acc, sizeof lane);                                                                \
    for (int l = 0; l < n - whole; l++) lane[l] = one(lane[l], (A)v[whole + l]);                   \
    for (int d = 1; d < name##_PARTS; d *= 2)                                                      \
      for (int l = 0; l < LANES; l += 2 * d) lane[l] = one(lane[l], lane[l + d]);                  \
    for (int k = 1; k < W; k++) lane[k] = lane[k * name##_PARTS];                                  \
    memcpy(acc, lane, PART);                                                                       \
    return acc[0];                                                                                 \
  }                                                                                                \
  ALWAYS_INLINE name##_part name##_row(const T *v, int64_t n) {                                    \
    name##_part acc[name##_PARTS];                                                                 \
    if (n % LANES) return name##_odd_row(v, n);                                                    \
    name##_add(v, n, acc);                                                                         \
    UNROLL for (int parts = name##_PARTS; parts > 1; parts /= 2)                                   \
        UNROLL for (int k = 0; k < parts; k += 2) acc[k / 2] =                                     \
            pairs(name##_part, name##_mask, W, many, acc[k], acc[k + 1]);                          \
    return acc[0];                                                                                 \
  }

/* What W rows came to: one vector, in the end, as the parts of one row do. */
#define COMBINE(name, W, T, A, I, one, many, pairs)                                                \
  COMBINE_ROW(name, W, T, A, I, one, many, pairs)                                                  \
  IK_BY_PROCESSOR static void name(const ik_combine_rows *x, double *out) {                        \
    const char *at = x->first;                                                                     \
    int64_t     i = 0;                                                                             \
    name##_part acc[W];                                                                            \
    for (; i + W <= x->rows; i += W) {                                                             \
      UNROLL for (int k = 0; k < W; k++, at += x->pitch) acc[k] =                                  \
          name##_row((const T *)(const void *)at, x->n);                                           \
      UNROLL for (int parts = W; parts > 1; parts /= 2) UNROLL for (int k = 0; k < parts; k += 2)  \
          acc[k / 2] = pairs(name##_part, name##_mask, W, many, acc[k], acc[k + 1]);               \
      UNROLL for (int k = 0; k < W; k++) out[(i + k) * x->apart] = (double)(T)acc[0][k];           \
    }                                                                                              \
    for (; i < x->rows; i++, at += x->pitch) {                                                     \
      acc[0] = name##_row((const T *)(const void *)at, x->n);                                      \
      for (int d = 1; d < W; d *= 2)                                                               \
        for (int l = 0; l < W; l += 2 * d) acc[0][l] = one(acc[0][l], acc[0][l + d]);              \
      out[i * x->apart] = (double)(T)acc[0][0];                                                    \
    }                                                                                              \
  }
#define ALWAYS_INLINE static inline __attribute__((always_inline))
#define UNROLL        _Pragma("GCC unroll 8")

COMBINE(sum_f64, 2, double, double, int64_t, SUM, SUMS, PAIRS_F64)
COMBINE(min_f64, 2, double, double, int64_t, LEAST, LEASTS, PAIRS)
COMBINE(max_f64, 2, double, double, int64_t, MOST, MOSTS, PAIRS)
COMBINE(sum_f32, 4, float, float, int32_t, SUM, SUMS, PAIRS_F32)
COMBINE(min_f32, 4, float, float, int32_t, LEAST, LEASTS, PAIRS)
COMBINE(max_f32, 4, float, float, int32_t, MOST, MOSTS, PAIRS)
COMBINE(sum_i32, 4, int32_t, uint32_t, int32_t, SUM, SUMS, PAIRS)
COMBINE(min_i32, 4, int32_t, int32_t, int32_t, LEAST, LEASTS, PAIRS)
COMBINE(max_i32, 4, int32_t, int32_t, int32_t, MOST, MOSTS, PAIRS)

typedef void rows_fn(const ik_combine_rows *x, double *out);

static rows_fn *const by_vectors[IK_NTYPES][IK_MAXIMUM + 1] = {
    [IK_F64] = {sum_f64, min_f64, max_f64},
    [IK_F32] = {sum_f32, min_f32, max_f32},
    [IK_I32] = {sum_i32, min_i32, max_i32},
};

static double any_row(ik_reduce r, ik_type t, const void *row, int64_t n) {
  double lane[LANES] = {0}, pair[2];
  for (int64_t i = 0; i < n; i++) {
    ik_state_load_row(t, row, i, 1, &pair[1]);
    pair[0] = lane[i % LANES];
    lane[i % LANES] = i < LANES ? pair[1] : ik_interp_tree(r, t, pair, 2);
  }
  return ik_interp_tree(r, t, lane, n < LANES ? n : LANES);
}

void ik_combine(ik_reduce r, ik_type t, const ik_combine_rows *x, double *out) {
  const char *at = x->first;
  if (by_vectors[t][r] && x->n >= LANES)
    by_vectors[t][r](x, out);
  else
    for (int64_t i = 0; i < x->rows; i++, at += x->pitch)
      out[i * x->apart] = any_row(r, t, at, x->n);
}

/* Neighbours, until one is left: the tree of the language from its leaves. */
double ik_combine_parts(ik_reduce r, ik_type t, double *part, int64_t n) {
  if (r != IK_SUM || (t != IK_F32 && t != IK_F64)) return ik_interp_tree(r, t, part, n);
  for (; n > 1; n = (n + 1) / 2) {
    int64_t pairs = n / 2;
    if (t == IK_F64)
      for (int64_t i = 0; i < pairs; i++) part[i] = part[2 * i] + part[2 * i + 1];
    else
      for (int64_t i = 0; i < pairs; i++) part[i] = (float)(part[2 * i] + part[2 * i + 1]);
    if (n % 2) part[pairs] = part[n - 1];
  }
  return part[0];
}
