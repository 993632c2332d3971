#include "io/array.h"
#include "base/mem.h"
#include "check.h"

CASE(names_and_sizes) {
  CHECK_EQ(ik_dtype_bytes(IK_DT_F64), 8);
  CHECK_EQ(ik_dtype_bytes(IK_DT_BF16), 2);
  CHECK_STR(ik_dtype_name(IK_DT_F64), "f64");
  CHECK_STR(ik_dtype_name(IK_DT_F32), "f32");
  CHECK_STR(ik_dtype_name(IK_DT_F16), "f16");
  CHECK_STR(ik_dtype_name(IK_DT_BF16), "bf16");
  CHECK_STR(ik_dtype_name(IK_DT_I32), "i32");
}

CASE(shape_beyond_ndim_is_one) {
  ik_array a;
  CHECK(ik_array_alloc(&a, IK_DT_F32, 2, (int64_t[]){3, 5}));
  CHECK_EQ(a.n[2], 1);
  CHECK_EQ(a.n[3], 1);
  CHECK_EQ(ik_array_count(&a), 15);
  ik_array_free(&a);
  CHECK(!a.data);
  CHECK(ik_array_alloc(&a, IK_DT_I32, 0, NULL));
  CHECK_EQ(ik_array_count(&a), 1);
  ik_array_free(&a);
}

CASE(sizes_that_overflow_are_refused) {
  ik_array a;
  CHECK_EQ(ik_array_size(IK_DT_F64, 3, (int64_t[]){1 << 20, 1 << 20, 2}), INT64_C(1) << 44);
  CHECK_EQ(ik_array_size(IK_DT_F64, 2, (int64_t[]){INT64_MAX, 2}), -1);
  CHECK_EQ(ik_array_size(IK_DT_F64, 2, (int64_t[]){4, -1}), -1);
  CHECK_EQ(ik_array_size(IK_DT_F64, 2, (int64_t[]){4, 0}), 0);
  CHECK_EQ(ik_array_size(IK_DT_F64, 3, (int64_t[]){INT64_MAX, 0, INT64_MAX}), -1);
  CHECK(!ik_array_alloc(&a, IK_DT_F64, 2, (int64_t[]){INT64_MAX, 2}));
  ik_mem_fail_after(0);
  CHECK(!ik_array_alloc(&a, IK_DT_F64, 1, (int64_t[]){4}));
  CHECK(!a.data);
}

CASE(half_precision_is_exact) {
  uint16_t h[] = {0x3c00, 0xc000, 0x0001, 0x03ff, 0x0400, 0x7bff, 0x7c00, 0xfc00, 0x7e00, 0x8000};
  ik_array a = {IK_DT_F16, 1, {10, 1, 1, 1}, .data = h};
  CHECK(ik_array_get(&a, 0) == 1.0);
  CHECK(ik_array_get(&a, 1) == -2.0);
  CHECK(ik_array_get(&a, 2) == 0x1p-24);
  CHECK(ik_array_get(&a, 3) == 1023 * 0x1p-24);
  CHECK(ik_array_get(&a, 4) == 0x1p-14);
  CHECK(ik_array_get(&a, 5) == 65504.0);
  CHECK(ik_array_get(&a, 6) == INFINITY);
  CHECK(ik_array_get(&a, 7) == -INFINITY);
  CHECK(isnan(ik_array_get(&a, 8)));
  CHECK(ik_array_get(&a, 9) == 0 && signbit(ik_array_get(&a, 9)));
}

CASE(every_type_is_read) {
  double   f64[] = {0.1};
  float    f32[] = {0.1f};
  uint16_t bf16[] = {0x4049};
  int32_t  i32[] = {INT32_MIN};
  CHECK(ik_array_get(&(ik_array){IK_DT_F64, 1, {1, 1, 1, 1}, .data = f64}, 0) == 0.1);
  CHECK(ik_array_get(&(ik_array){IK_DT_F32, 1, {1, 1, 1, 1}, .data = f32}, 0) == (double)0.1f);
  CHECK(ik_array_get(&(ik_array){IK_DT_BF16, 1, {1, 1, 1, 1}, .data = bf16}, 0) == 3.140625);
  CHECK(ik_array_get(&(ik_array){IK_DT_I32, 1, {1, 1, 1, 1}, .data = i32}, 0) == INT32_MIN);
}

CASE(widening_to_f32) {
  uint16_t bits[] = {0x3f80, 0xbf00};
  ik_array a = {IK_DT_BF16, 1, {2, 1, 1, 1}, .data = bits}, wide;
  CHECK(ik_array_to_f32(&a, &wide));
  CHECK_EQ(wide.dtype, IK_DT_F32);
  CHECK(((float *)wide.data)[0] == 1.0f && ((float *)wide.data)[1] == -0.5f);
  ik_array_free(&wide);
  ik_mem_fail_after(0);
  CHECK(!ik_array_to_f32(&a, &wide));
}
