#include "io/raw.h"
#include "scratch.h"

CASE(round_trip_of_every_type) {
  unsigned char bytes[48];
  for (int i = 0; i < 48; i++) bytes[i] = (unsigned char)(7 * i + 1);
  for (ik_dtype t = IK_DT_F64; t <= IK_DT_I32; t++) {
    ik_diag     d = {0};
    ik_array    a = {t, 2, {3, 2, 1, 1}, .data = bytes}, b;
    ik_raw_form form = {t, 2, {3, 2}};
    CHECK_EQ(ik_raw_write(scratch("r.raw"), &a, IK_NOSPAN, &d), IK_OK);
    CHECK_EQ(ik_raw_read(scratch("r.raw"), &form, IK_NOSPAN, &b, &d), IK_OK);
    CHECK_EQ(b.dtype, t);
    CHECK(b.ndim == 2 && b.n[0] == 3 && b.n[1] == 2 && b.n[2] == 1 && b.n[3] == 1);
    CHECK(memcmp(bytes, b.data, 6 * ik_dtype_bytes(t)) == 0);
    ik_array_free(&b), ik_diag_free(&d);
  }
  CHECK_EQ(scratch_scan(true), 1);
}

CASE(the_size_must_match) {
  ik_diag     d = {0};
  ik_array    a;
  ik_raw_form form = {IK_DT_F32, 3, {2, 2, 2}};
  const char *path = scratch_put("x.raw", "0123456789", 10);
  CHECK_EQ(ik_raw_read(path, &form, IK_NOSPAN, &a, &d), IK_ERR_SOURCE);
  EXPECT_ERROR(&d, IK_E063, "expected 32 bytes of data (2 x 2 x 2 numbers of 4 bytes), found 10");
  form.n[2] = INT64_MAX;
  CHECK_EQ(ik_raw_read(path, &form, IK_NOSPAN, &a, &d), IK_ERR_SOURCE);
  EXPECT_ERROR(&d, IK_E063, "more than a file can hold");
  form.n[2] = -1;
  CHECK_EQ(ik_raw_read(path, &form, IK_NOSPAN, &a, &d), IK_ERR_SOURCE);
  EXPECT_ERROR(&d, IK_E063, "-1");
  CHECK(!a.data);
  scratch_scan(true);
}

CASE(places_that_fail) {
  ik_diag     d = {0};
  ik_array    a = {IK_DT_I32, 0, {1, 1, 1, 1}, .data = &(int32_t){5}}, b;
  ik_raw_form form = {.dtype = IK_DT_I32};
  CHECK_EQ(ik_raw_read(scratch("none.raw"), &form, IK_NOSPAN, &b, &d), IK_ERR_RESOURCE);
  EXPECT_ERROR(&d, IK_E062, "No such file");
  CHECK_EQ(ik_raw_read("/tmp", &form, IK_NOSPAN, &b, &d), IK_ERR_RESOURCE);
  EXPECT_ERROR(&d, IK_E062, "directory");
  CHECK_EQ(ik_raw_write("/dev/full", &a, IK_NOSPAN, &d), IK_ERR_RESOURCE);
  EXPECT_ERROR(&d, IK_E064, "No space");
  ik_mem_fail_after(0);
  CHECK_EQ(ik_raw_read(scratch_put("x.raw", "1234", 4), &form, IK_NOSPAN, &b, &d), IK_ERR_RESOURCE);
  EXPECT_ERROR(&d, IK_E072, "memory");
  scratch_scan(true);
}
