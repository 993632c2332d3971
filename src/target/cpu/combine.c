/* The language combines a row in 16 lanes, lane l taking the cells l, l+16, ... in order, and then
 * neighbouring lanes.  Lanes are independent, so each machine can use the vectors it has.  f32 and
 * i32 are combined as such: a sum of two f32 in f64, rounded, has the same bits as their sum in
 * f32.
 */
#include "target/cpu/combine.h"
#include "interp/interp.h"
#include "target/cpu/clones.h"
#include <string.h>

enum { LANES = 16, PART = 16 }; /* of a row; bytes of a register that every machine has */

#define SUM(a, b)   ((a) + (b))
#define LEAST(a, b) ((a) < (b) ? (a) : (b))
#define MOST(a, b)  ((a) > (b) ? (a) : (b))
/* The same for vectors, where a comparison makes masks. */
#define SUMS(V, M, a, b)    ((a) + (b))
#define PICK(V, M, m, a, b) ((V)(((M)(a) & (m)) | ((M)(b) & ~(m))))
#define LEASTS(V, M, a, b)  PICK(V, M, (a) < (b), a, b)
#define MOSTS(V, M, a, b)   PICK(V, M, (a) > (b), a, b)

/* Of at least 16 elements.  An array of vectors that is never indexed by a variable stays in
 * registers; one of lanes would go through memory. */
#define COMBINE(name, T, A, I, one, many)                                                          \
  typedef A                     name##_part __attribute__((vector_size(PART)));                    \
  typedef I                     name##_mask __attribute__((vector_size(PART)));                    \
  IK_BY_PROCESSOR static double name(const void *row, int64_t n) {                                 \
    enum { PARTS = LANES * sizeof(A) / PART };                                                     \
    const T    *v = row;                                                                           \
    name##_part acc[PARTS], next;                                                                  \
    A           lane[LANES];                                                                       \
    int64_t     i = LANES;                                                                         \
    memcpy(acc, v, sizeof acc);                                                                    \
    for (; i + LANES <= n; i += LANES) UNROLL for (int k = 0; k < PARTS; k++) {                    \
        memcpy(&next, v + i + k * (PART / (int)sizeof(A)), PART);                                  \
        acc[k] = many(name##_part, name##_mask, acc[k], next);                                     \
      }                                                                                            \
    memcpy(lane, acc, sizeof lane);                                                                \
    for (int l = 0; l < n - i; l++) lane[l] = one(lane[l], (A)v[i + l]);                           \
    UNROLL for (int l = 0; l < LANES; l += 2) lane[l] = one(lane[l], lane[l + 1]);                 \
    UNROLL for (int l = 0; l < LANES; l += 4) lane[l] = one(lane[l], lane[l + 2]);                 \
    UNROLL for (int l = 0; l < LANES; l += 8) lane[l] = one(lane[l], lane[l + 4]);                 \
    return (double)(T)one(lane[0], lane[8]);                                                       \
  }
#define UNROLL _Pragma("GCC unroll 8")

COMBINE(sum_f64, double, double, int64_t, SUM, SUMS)
COMBINE(min_f64, double, double, int64_t, LEAST, LEASTS)
COMBINE(max_f64, double, double, int64_t, MOST, MOSTS)
COMBINE(sum_f32, float, float, int32_t, SUM, SUMS)
COMBINE(min_f32, float, float, int32_t, LEAST, LEASTS)
COMBINE(max_f32, float, float, int32_t, MOST, MOSTS)
COMBINE(sum_i32, int32_t, uint32_t, int32_t, SUM, SUMS)
COMBINE(min_i32, int32_t, int32_t, int32_t, LEAST, LEASTS)
COMBINE(max_i32, int32_t, int32_t, int32_t, MOST, MOSTS)

typedef double row_fn(const void *row, int64_t n);

static row_fn *const rows[IK_NTYPES][IK_MAXIMUM + 1] = {
    [IK_F64] = {sum_f64, min_f64, max_f64},
    [IK_F32] = {sum_f32, min_f32, max_f32},
    [IK_I32] = {sum_i32, min_i32, max_i32},
};

double ik_combine_row(ik_reduce r, ik_type t, const void *row, int64_t n) {
  if (rows[t][r] && n >= LANES) return rows[t][r](row, n);
  double lane[LANES] = {0}, pair[2];
  for (int64_t i = 0; i < n; i++) {
    ik_state_load_row(t, row, i, 1, &pair[1]);
    pair[0] = lane[i % LANES];
    lane[i % LANES] = i < LANES ? pair[1] : ik_interp_tree(r, t, pair, 2);
  }
  return ik_interp_tree(r, t, lane, n < LANES ? n : LANES);
}
