/* Where the HDF5 library is missing, every case checks that this is said, and nothing else. */
#include "io/hdf5.h"
#include "scratch.h"

static bool missing(void) {
  const char *version = NULL;
  if (ik_hdf5_available(&version)) {
    CHECK(version && version[0] >= '1');
    return false;
  }
  ik_diag  d = {0};
  ik_array a;
  CHECK_EQ(ik_hdf5_write(scratch("x.h5"), NULL, 0, NULL, 0, IK_NOSPAN, &d), IK_ERR_RESOURCE);
  EXPECT_ERROR(&d, IK_E065, "apt install libhdf5-103-1");
  CHECK_EQ(ik_hdf5_read(scratch_put("x.h5", "x", 1), "u", IK_NOSPAN, &a, &d), IK_ERR_RESOURCE);
  EXPECT_ERROR(&d, IK_E065, "libhdf5-dev");
  CHECK_EQ(scratch_scan(true), 1);
  return true;
}

static double   f64[] = {0, 0.1, -1e300, 3, 4, 5};
static float    f32[] = {0, 0.1f, -1e30f, 3, 4, 5};
static uint16_t half[] = {0, 0x3c00, 0x3555, 0xc000, 1, 2};
static int32_t  i32[] = {0, -1, INT32_MAX, INT32_MIN, 4, 5};

static const ik_array     arrays[] = {{IK_DT_F64, 2, {3, 2, 1, 1}, .data = f64},
                                      {IK_DT_F32, 4, {1, 3, 1, 2}, .data = f32},
                                      {IK_DT_F16, 1, {6, 1, 1, 1}, .data = half},
                                      {IK_DT_BF16, 3, {1, 2, 3, 1}, .data = half},
                                      {IK_DT_I32, 0, {1, 1, 1, 1}, .data = i32 + 3}};
static const ik_hdf5_item items[] = {
    {"a", &arrays[0]}, {"b", &arrays[1]}, {"c", &arrays[2]}, {"d", &arrays[3]}, {"e", &arrays[4]}};
static const ik_hdf5_attr attrs[] = {
    {"program", "heat.ik \xc3\xa4", 0}, {"empty", "", 0}, {"dt", NULL, 0.1}};

static ik_status write_all(const char *path, ik_diag *d) {
  return ik_hdf5_write(path, items, 5, attrs, 3, IK_NOSPAN, d);
}

CASE(round_trip_of_every_type) {
  static const ik_dtype want[] = {IK_DT_F64, IK_DT_F32, IK_DT_F32, IK_DT_F32, IK_DT_I32};
  ik_diag               d = {0};
  if (missing()) return;
  CHECK_EQ(write_all(scratch("x.h5"), &d), IK_OK);
  for (int k = 0; k < 5; k++) {
    ik_array a;
    CHECK_EQ(ik_hdf5_read(scratch("x.h5"), items[k].name, IK_NOSPAN, &a, &d), IK_OK);
    CHECK(a.dtype == want[k] && a.ndim == arrays[k].ndim);
    CHECK(memcmp(a.n, arrays[k].n, sizeof a.n) == 0);
    for (int64_t i = 0; i < ik_array_count(&a); i++)
      CHECK(ik_array_get(&a, i) == ik_array_get(&arrays[k], i));
    ik_array_free(&a);
  }
  CHECK_EQ(scratch_scan(true), 1);
}

CASE(the_same_content_gives_the_same_bytes) {
  ik_diag d = {0};
  ik_buf  a = {0}, b = {0};
  if (missing()) return;
  CHECK_EQ(write_all(scratch("x.h5"), &d), IK_OK);
  CHECK_EQ(write_all(scratch("y.h5"), &d), IK_OK);
  CHECK_EQ(ik_file_read(scratch("x.h5"), 1 << 20, IK_NOSPAN, &a, &d), IK_OK);
  CHECK_EQ(ik_file_read(scratch("y.h5"), 1 << 20, IK_NOSPAN, &b, &d), IK_OK);
  CHECK(a.len == b.len && memcmp(a.data, b.data, a.len) == 0);
  ik_buf_free(&a), ik_buf_free(&b);
  scratch_scan(true);
}

CASE(the_only_dataset_needs_no_name) {
  ik_diag  d = {0};
  ik_array a;
  if (missing()) return;
  CHECK_EQ(ik_hdf5_write(scratch("x.h5"), items, 1, NULL, 0, IK_NOSPAN, &d), IK_OK);
  CHECK_EQ(ik_hdf5_read(scratch("x.h5"), NULL, IK_NOSPAN, &a, &d), IK_OK);
  CHECK(ik_array_get(&a, 1) == 0.1);
  ik_array_free(&a);
  CHECK_EQ(write_all(scratch("x.h5"), &d), IK_OK);
  CHECK_EQ(ik_hdf5_read(scratch("x.h5"), NULL, IK_NOSPAN, &a, &d), IK_ERR_SOURCE);
  EXPECT_ERROR(&d, IK_E063, "it holds: a, b, c, d, e");
  CHECK_EQ(ik_hdf5_read(scratch("x.h5"), "/f", IK_NOSPAN, &a, &d), IK_ERR_SOURCE);
  EXPECT_ERROR(&d, IK_E063, "no dataset '/f'");
  CHECK_EQ(ik_hdf5_write(scratch("x.h5"), NULL, 0, NULL, 0, IK_NOSPAN, &d), IK_OK);
  CHECK_EQ(ik_hdf5_read(scratch("x.h5"), NULL, IK_NOSPAN, &a, &d), IK_ERR_SOURCE);
  EXPECT_ERROR(&d, IK_E063, "holds nothing");
  scratch_scan(true);
}

/* Written by h5py 3: "run/z" (4, 3) f4 compressed, "i8" and "big8" i8 (the second beyond 32 bits),
 * "u1", "be" big-endian f8, "text" a string, "five" with five axes, "none" empty. */
CASE(a_file_by_h5py) {
  ik_diag     d = {0};
  ik_array    a;
  const char *path = check_data("tests/io/data/h5py.h5");
  if (missing()) return;
  CHECK_EQ(ik_hdf5_read(path, "/run/z", IK_NOSPAN, &a, &d), IK_OK);
  CHECK(a.dtype == IK_DT_F32 && a.n[0] == 3 && a.n[1] == 4 && ik_array_get(&a, 11) == 5.5);
  ik_array_free(&a);
  CHECK_EQ(ik_hdf5_read(path, "i8", IK_NOSPAN, &a, &d), IK_OK);
  CHECK(a.dtype == IK_DT_I32 && ik_array_get(&a, 1) == INT32_MAX);
  ik_array_free(&a);
  CHECK_EQ(ik_hdf5_read(path, "u1", IK_NOSPAN, &a, &d), IK_OK);
  CHECK(a.dtype == IK_DT_I32 && ik_array_get(&a, 1) == 255);
  ik_array_free(&a);
  CHECK_EQ(ik_hdf5_read(path, "be", IK_NOSPAN, &a, &d), IK_OK);
  CHECK(a.dtype == IK_DT_F64 && ik_array_get(&a, 1) == 0.1);
  ik_array_free(&a);
  static const char *const wrong[][2] = {{"big8", "32 bits"},
                                         {"text", "not hold numbers"},
                                         {"five", "four axes"},
                                         {"none", "empty"},
                                         {"run", "no dataset 'run'"}};
  for (int i = 0; i < 5; i++) {
    CHECK_EQ(ik_hdf5_read(path, wrong[i][0], IK_NOSPAN, &a, &d), IK_ERR_SOURCE);
    CHECK(!a.data);
    EXPECT_ERROR(&d, IK_E063, wrong[i][1]);
  }
}

CASE(files_that_are_wrong) {
  ik_diag  d = {0};
  ik_array a;
  ik_buf   b = {0};
  if (missing()) return;
  CHECK_EQ(ik_hdf5_read(scratch_put("g.h5", "garbage", 7), "u", IK_NOSPAN, &a, &d), IK_ERR_SOURCE);
  EXPECT_ERROR(&d, IK_E063, "not an HDF5 file");
  CHECK_EQ(ik_hdf5_read(scratch("none.h5"), "u", IK_NOSPAN, &a, &d), IK_ERR_RESOURCE);
  EXPECT_ERROR(&d, IK_E062, "No such file");
  CHECK_EQ(ik_hdf5_read("/tmp", "u", IK_NOSPAN, &a, &d), IK_ERR_RESOURCE);
  EXPECT_ERROR(&d, IK_E062, "directory");
  CHECK_EQ(write_all(scratch("x.h5"), &d), IK_OK);
  CHECK_EQ(ik_file_read(scratch("x.h5"), 1 << 20, IK_NOSPAN, &b, &d), IK_OK);
  for (size_t len = 0; len < b.len; len += 97) {
    CHECK_EQ(ik_hdf5_read(scratch_put("cut.h5", b.data, len), "a", IK_NOSPAN, &a, &d),
             IK_ERR_SOURCE);
    EXPECT_ERROR(&d, IK_E063, "cut.h5");
  }
  ik_buf_free(&b);
  scratch_scan(true);
}

CASE(places_that_fail) {
  ik_diag d = {0};
  if (missing()) return;
  CHECK_EQ(write_all("/dev/full", &d), IK_ERR_RESOURCE);
  EXPECT_ERROR(&d, IK_E064, "'/dev/full': No space left");
  CHECK_EQ(write_all("/nowhere/x.h5", &d), IK_ERR_RESOURCE);
  EXPECT_ERROR(&d, IK_E064, "mkdir -p '/nowhere'");
  ik_hdf5_item twice[] = {items[0], items[0]};
  CHECK_EQ(ik_hdf5_write(scratch("x.h5"), twice, 2, NULL, 0, IK_NOSPAN, &d), IK_ERR_RESOURCE);
  EXPECT_ERROR(&d, IK_E064, "HDF5 refuses 'a'");
  ik_hdf5_attr again[] = {attrs[2], attrs[2]};
  CHECK_EQ(ik_hdf5_write(scratch("x.h5"), NULL, 0, again, 2, IK_NOSPAN, &d), IK_ERR_RESOURCE);
  EXPECT_ERROR(&d, IK_E064, "HDF5 refuses 'dt'");
  CHECK_EQ(scratch_scan(false), 0);
}

CASE(out_of_memory) {
  ik_diag  d = {0};
  ik_array a;
  int      n = 0;
  if (missing()) return;
  for (;; n++) {
    ik_mem_fail_after(n);
    ik_status s = write_all(scratch("x.h5"), &d);
    ik_mem_fail_after(-1);
    if (!s) break;
    EXPECT_ERROR(&d, IK_E072, "memory");
    CHECK_EQ(scratch_scan(false), 0);
  }
  CHECK(n >= 3);
  ik_mem_fail_after(0);
  CHECK_EQ(ik_hdf5_read(scratch("x.h5"), "a", IK_NOSPAN, &a, &d), IK_ERR_RESOURCE);
  EXPECT_ERROR(&d, IK_E072, "memory");
  scratch_scan(true);
}
