/* The language combines a row in 16 lanes, lane l taking the cells l, l+16, ... in order, and then
 * neighbouring lanes.  Lanes are independent, so each machine can use the vectors it has.  f32 and
 * i32 are combined as such: a sum of two f32 in f64, rounded, has the same bits as their sum in
 * f32.
 */
#include "target/cpu/combine.h"
#include "interp/interp.h"
#include "target/cpu/clones.h"

enum { LANES = 16 };

/* Of at least 16 elements. */
#define COMBINE(name, T, A, expression)                                                            \
  IK_BY_PROCESSOR static double name(const void *row, int64_t n) {                                 \
    const T *v = row;                                                                              \
    A        acc[LANES];                                                                           \
    int64_t  i = LANES;                                                                            \
    for (int l = 0; l < LANES; l++) acc[l] = (A)v[l];                                              \
    for (; i + LANES <= n; i += LANES)                                                             \
      for (int l = 0; l < LANES; l++) {                                                            \
        const A a = acc[l], b = (A)v[i + l];                                                       \
        acc[l] = expression;                                                                       \
      }                                                                                            \
    for (int l = 0; l < n - i; l++) {                                                              \
      const A a = acc[l], b = (A)v[i + l];                                                         \
      acc[l] = expression;                                                                         \
    }                                                                                              \
    for (int s = 1; s < LANES; s *= 2)                                                             \
      for (int l = 0; l < LANES; l += 2 * s) {                                                     \
        const A a = acc[l], b = acc[l + s];                                                        \
        acc[l] = expression;                                                                       \
      }                                                                                            \
    return (double)(T)acc[0];                                                                      \
  }

COMBINE(sum_f64, double, double, a + b)
COMBINE(min_f64, double, double, a < b ? a : b)
COMBINE(max_f64, double, double, a > b ? a : b)
COMBINE(sum_f32, float, float, a + b)
COMBINE(min_f32, float, float, a < b ? a : b)
COMBINE(max_f32, float, float, a > b ? a : b)
COMBINE(sum_i32, int32_t, uint32_t, a + b)
COMBINE(min_i32, int32_t, int32_t, a < b ? a : b)
COMBINE(max_i32, int32_t, int32_t, a > b ? a : b)

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
