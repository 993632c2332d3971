#include "io/npy.h"
#include "scratch.h"

/* A version 1.0 file with this header text and these bytes of data. */
static const char *put_npy(const char *header, const void *data, size_t len) {
  unsigned char file[4096] = "\x93NUMPY\x01";
  size_t        n = strlen(header);
  file[8] = (unsigned char)n, file[9] = (unsigned char)(n >> 8);
  memcpy(file + 10, header, n);
  if (len) memcpy(file + 10 + n, data, len);
  return scratch_put("t.npy", file, 10 + n + len);
}

static void expect_refused(const char *header, const void *data, size_t len, const char *part) {
  ik_diag  d = {0};
  ik_array a;
  CHECK_EQ(ik_npy_read(put_npy(header, data, len), IK_NOSPAN, &a, &d), IK_ERR_SOURCE);
  CHECK(!a.data);
  EXPECT_ERROR(&d, IK_E063, part);
}

static ik_array expect_read(const char *header, const void *data, size_t len, ik_dtype want) {
  ik_diag  d = {0};
  ik_array a;
  CHECK_EQ(ik_npy_read(put_npy(header, data, len), IK_NOSPAN, &a, &d), IK_OK);
  CHECK_EQ(a.dtype, want);
  ik_diag_free(&d);
  return a;
}

static void round_trip(const ik_array *a, ik_dtype want) {
  ik_diag  d = {0};
  ik_array b;
  CHECK_EQ(ik_npy_write(scratch("r.npy"), a, IK_NOSPAN, &d), IK_OK);
  CHECK_EQ(ik_npy_read(scratch("r.npy"), IK_NOSPAN, &b, &d), IK_OK);
  CHECK_EQ(b.dtype, want);
  CHECK_EQ(b.ndim, a->ndim);
  CHECK(memcmp(a->n, b.n, sizeof b.n) == 0);
  for (int64_t i = 0; i < ik_array_count(a); i++) CHECK(ik_array_get(a, i) == ik_array_get(&b, i));
  ik_array_free(&b);
  CHECK_EQ(scratch_scan(true), 1);
}

CASE(round_trips) {
  double   f64[] = {0, 0.1, -1e300, INFINITY, 4, 5};
  float    f32[] = {0, 0.1f, -1e30f, 3, 4, 5};
  uint16_t half[] = {0, 0x3c00, 0x3555, 0xc000, 1, 2};
  int32_t  i32[] = {0, -1, INT32_MAX, INT32_MIN, 4, 5};
  round_trip(&(ik_array){IK_DT_F64, 2, {3, 2, 1, 1}, .data = f64}, IK_DT_F64);
  round_trip(&(ik_array){IK_DT_F32, 4, {1, 3, 1, 2}, .data = f32}, IK_DT_F32);
  round_trip(&(ik_array){IK_DT_F16, 1, {6, 1, 1, 1}, .data = half}, IK_DT_F16);
  round_trip(&(ik_array){IK_DT_BF16, 3, {2, 1, 3, 1}, .data = half}, IK_DT_F32);
  round_trip(&(ik_array){IK_DT_I32, 0, {1, 1, 1, 1}, .data = i32}, IK_DT_I32);
}

CASE(the_written_header) {
  ik_diag d = {0};
  ik_buf  b = {0};
  float   v[6] = {0};
  CHECK_EQ(ik_npy_write(scratch("h.npy"), &(ik_array){IK_DT_F32, 2, {3, 2, 1, 1}, .data = v},
                        IK_NOSPAN, &d),
           IK_OK);
  CHECK_EQ(ik_file_read(scratch("h.npy"), 4096, IK_NOSPAN, &b, &d), IK_OK);
  CHECK_EQ(b.len, 128 + 24);
  CHECK(memcmp(b.data, "\x93NUMPY\x01\0\x76\0", 10) == 0);
  const char *want = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }";
  CHECK(memcmp(b.data + 10, want, strlen(want)) == 0);
  CHECK_EQ(b.data[127], '\n');
  ik_buf_free(&b);
}

CASE(integers_of_all_widths) {
  ik_array a =
      expect_read("{'descr':'|u1','fortran_order':False,'shape':(2,)}", "\x01\xff", 2, IK_DT_I32);
  CHECK(ik_array_get(&a, 0) == 1 && ik_array_get(&a, 1) == 255);
  ik_array_free(&a);
  a = expect_read("{'descr':'|i1','fortran_order':False,'shape':(2,)}", "\x01\xff", 2, IK_DT_I32);
  CHECK(ik_array_get(&a, 1) == -1);
  ik_array_free(&a);
  a = expect_read("{'descr':'>i2','fortran_order':False,'shape':(1,)}", "\xff\xfe", 2, IK_DT_I32);
  CHECK(ik_array_get(&a, 0) == -2);
  ik_array_free(&a);
  a = expect_read("{'descr':'<u2','fortran_order':False,'shape':(1,)}", "\xff\xfe", 2, IK_DT_I32);
  CHECK(ik_array_get(&a, 0) == 0xfeff);
  ik_array_free(&a);
  int64_t wide[] = {INT32_MIN, INT32_MAX};
  a = expect_read("{'descr':'<i8','fortran_order':False,'shape':(2,)}", wide, 16, IK_DT_I32);
  CHECK(ik_array_get(&a, 0) == INT32_MIN && ik_array_get(&a, 1) == INT32_MAX);
  ik_array_free(&a);
  wide[1]++;
  expect_refused("{'descr':'<i8','fortran_order':False,'shape':(2,)}", wide, 16, "number 1 is");
  expect_refused("{'descr':'<u8','fortran_order':False,'shape':(1,)}",
                 "\xff\xff\xff\xff\xff\xff\xff\xff", 8, "32 bits");
  expect_refused("{'descr':'<u4','fortran_order':False,'shape':(1,)}", "\0\0\0\x80", 4, "32 bits");
}

CASE(byte_order_and_fortran_order) {
  unsigned char big[] = {0x3f, 0xf0, 0, 0, 0, 0, 0, 0};
  ik_array      a =
      expect_read("{'descr': '>f8', 'fortran_order': True, 'shape': (1,), }", big, 8, IK_DT_F64);
  CHECK(ik_array_get(&a, 0) == 1.0);
  ik_array_free(&a);
  /* A[i,j,k] = 100 i + 10 j + k, shape (2, 3, 2), the first index fastest in the file */
  int32_t file[12], *p = file;
  for (int k = 0; k < 2; k++)
    for (int j = 0; j < 3; j++)
      for (int i = 0; i < 2; i++) *p++ = 100 * i + 10 * j + k;
  a = expect_read("{'descr': '<i4', 'fortran_order': True, 'shape': (2, 3, 2), }", file, 48,
                  IK_DT_I32);
  CHECK_EQ(a.n[0], 2);
  CHECK_EQ(a.n[1], 3);
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 3; j++)
      for (int k = 0; k < 2; k++)
        CHECK(ik_array_get(&a, (i * 3 + j) * 2 + k) == 100 * i + 10 * j + k);
  ik_array_free(&a);
}

CASE(headers_that_are_wrong) {
  double v[4] = {0};
  expect_refused("{'descr':'<f8','fortran_order':False,'shape':(2,2)}", v, 31, "expected 32 bytes");
  expect_refused("{'descr':'<f8','fortran_order':False,'shape':(2,1)}", v, 32, "found 32");
  expect_refused("{'descr':'<f8','fortran_order':False,'shape':(0,2)}", v, 0, "no numbers");
  expect_refused("{'descr':'<f8','fortran_order':False,'shape':(9999999999999,9999999999999)}", v,
                 32, "more than a file can hold");
  expect_refused("{'descr':'<f8','fortran_order':False,'shape':(99999999999999999999,)}", v, 32,
                 "too large");
  expect_refused("{'descr':'<f8','fortran_order':False,'shape':(1,1,1,1,4)}", v, 32, "four axes");
  expect_refused("{'descr':'<f8','fortran_order':False,'shape':(-4,)}", v, 32, "whole numbers");
  expect_refused("{'descr':'<f8','fortran_order':False,'shape':4}", v, 32, "tuple");
  expect_refused("{'descr':'<f8','fortran_order':False,'shape':(4 4)}", v, 32, "never closed");
  expect_refused("{'descr':'<f8','fortran_order':False,'shape':(4", v, 0, "never closed");
  expect_refused("{'descr':'<f8','fortran_order':False", v, 0, "never closed");
  expect_refused("{'descr':'<f8','fortran_order':Maybe,'shape':(4,)}", v, 32, "True nor False");
  expect_refused("{'descr':'<c8','fortran_order':False,'shape':(4,)}", v, 32, "f2 f4 f8");
  expect_refused("{'descr':'<f3','fortran_order':False,'shape':(4,)}", v, 32, "f2 f4 f8");
  expect_refused("{'descr':'','fortran_order':False,'shape':(4,)}", v, 32, "f2 f4 f8");
  expect_refused("{'descr':[('a','<f8')],'fortran_order':False,'shape':(4,)}", v, 32, "records");
  expect_refused("{'descr':'<f8", v, 0, "never closed");
  expect_refused("{'descr':'<f8 and a good deal more', 'shape':(4,)}", v, 32, "too long");
  expect_refused("{'descr':'<f8','shape':(4,)}", v, 32, "lacks");
  expect_refused("{'descr':'<f8','fortran_order':False,'shape':(4,),'x':1}", v, 32, "not part");
  expect_refused("{'descr' '<f8'}", v, 32, "colon");
  expect_refused("{4:5}", v, 32, "string");
  expect_refused("[]", v, 32, "dictionary");
  expect_refused("", v, 32, "dictionary");
  scratch_scan(true);
}

CASE(files_that_are_no_npy) {
  ik_diag  d = {0};
  ik_array a;
  CHECK_EQ(ik_npy_read(scratch_put("g", "garbage garbage", 15), IK_NOSPAN, &a, &d), IK_ERR_SOURCE);
  EXPECT_ERROR(&d, IK_E063, "NUMPY");
  CHECK_EQ(ik_npy_read(scratch_put("g", "", 0), IK_NOSPAN, &a, &d), IK_ERR_SOURCE);
  EXPECT_ERROR(&d, IK_E063, "NUMPY");
  CHECK_EQ(ik_npy_read(scratch_put("g", "\x93NUMPY\x09\0\0\0\0\0", 12), IK_NOSPAN, &a, &d),
           IK_ERR_SOURCE);
  EXPECT_ERROR(&d, IK_E063, "version");
  CHECK_EQ(
      ik_npy_read(scratch_put("g", "\x93NUMPY\x02\0\xff\xff\xff\xff{}", 14), IK_NOSPAN, &a, &d),
      IK_ERR_SOURCE);
  EXPECT_ERROR(&d, IK_E063, "inside its header");
  CHECK_EQ(ik_npy_read(scratch("none.npy"), IK_NOSPAN, &a, &d), IK_ERR_RESOURCE);
  EXPECT_ERROR(&d, IK_E062, "No such file");
  CHECK_EQ(ik_npy_read("/tmp", IK_NOSPAN, &a, &d), IK_ERR_RESOURCE);
  EXPECT_ERROR(&d, IK_E062, "directory");
  CHECK_EQ(ik_npy_write("/dev/full", &(ik_array){IK_DT_I32, 0, {1, 1, 1, 1}, .data = &(int32_t){5}},
                        IK_NOSPAN, &d),
           IK_ERR_RESOURCE);
  EXPECT_ERROR(&d, IK_E064, "No space");
  scratch_scan(true);
}

/* Written by NumPy 2.4: np.save() of arange(24).reshape(2, 3, 4) as '>i2' in Fortran order, and a
 * version 2.0 file of linspace(0, 1, 5). */
CASE(files_by_numpy) {
  ik_diag  d = {0};
  ik_array a;
  CHECK_EQ(ik_npy_read(check_data("tests/io/data/fortran_big_i2.npy"), IK_NOSPAN, &a, &d), IK_OK);
  CHECK(a.ndim == 3 && a.n[0] == 4 && a.n[1] == 3 && a.n[2] == 2 && a.dtype == IK_DT_I32);
  for (int i = 0; i < 24; i++) CHECK(ik_array_get(&a, i) == i);
  ik_array_free(&a);
  CHECK_EQ(ik_npy_read(check_data("tests/io/data/version2.npy"), IK_NOSPAN, &a, &d), IK_OK);
  for (int i = 0; i < 5; i++) CHECK(ik_array_get(&a, i) == 0.25 * i);
  ik_array_free(&a), ik_diag_free(&d);
}

CASE(random_changes_do_not_crash) {
  const char   *header = "{'descr': '<i8', 'fortran_order': True, 'shape': (3, 2), }";
  int64_t       v[6] = {1, 2, 3, 4, 5, 6};
  unsigned char good[4096], bad[4096];
  FILE         *f = fopen(put_npy(header, v, sizeof v), "rb");
  size_t        len = fread(good, 1, sizeof good - 8, f), fine = 0;
  uint32_t      seed = 1;
  fclose(f);
  for (int i = 0; i < 4000; i++) {
    ik_diag  d = {0};
    ik_array a;
    memset(bad, 0, sizeof bad), memcpy(bad, good, len);
    size_t    n = mutate(&seed, bad, len, len - sizeof v);
    ik_status s = ik_npy_read(scratch_put("m.npy", bad, n), IK_NOSPAN, &a, &d);
    CHECK(s ? d.nmsg == 1 && !a.data : d.nmsg == 0 && a.data);
    if (!s) CHECK(isfinite(ik_array_get(&a, ik_array_count(&a) - 1)) || a.dtype != IK_DT_I32);
    fine += !s;
    ik_array_free(&a), ik_diag_free(&d);
  }
  CHECK(fine > 10 && fine < 3000);
  scratch_scan(true);
}

CASE(out_of_memory) {
  uint16_t v[2] = {0x3f80, 0};
  ik_array a = {IK_DT_BF16, 1, {2, 1, 1, 1}, .data = v}, b;
  ik_diag  d = {0};
  int      n = 0;
  for (;; n++) {
    ik_mem_fail_after(n);
    ik_status s = ik_npy_write(scratch("o.npy"), &a, IK_NOSPAN, &d);
    ik_mem_fail_after(-1);
    if (!s) break;
    EXPECT_ERROR(&d, IK_E072, "memory");
    CHECK_EQ(scratch_scan(false), 0);
  }
  CHECK(n >= 4);
  const char *path = check_data("tests/io/data/fortran_big_i2.npy"); /* needs a second buffer */
  for (n = 0;; n++) {
    ik_mem_fail_after(n);
    ik_status s = ik_npy_read(path, IK_NOSPAN, &b, &d);
    ik_mem_fail_after(-1);
    if (!s) break;
    EXPECT_ERROR(&d, IK_E072, "memory");
  }
  CHECK(n == 2);
  ik_array_free(&b);
  scratch_scan(true);
}
