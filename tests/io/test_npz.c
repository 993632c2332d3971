#define _GNU_SOURCE
#include "io/npz.h"
#include "io/npy.h"
#include "scratch.h"

static const char *data(const char *name) {
  static char path[100];
  snprintf(path, sizeof path, "tests/io/data/%s", name);
  return check_data(path);
}

/* NumPy's savez() and savez_compressed(); u is arange(12) as f4 with shape (3, 4). */
CASE(arrays_that_numpy_wrote) {
  static const struct {
    const char *file, *name;
  } same[] = {{"stored.npz", NULL},     {"stored.npz", "u"}, {"stored.npz", "u.npy"},
              {"deflated.npz", "u"},    {"zip64.npz", NULL}, {"zip64.npz", "u"},
              {"deflated.npz", "u.npy"}};
  for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
    ik_diag  d = {0};
    ik_array a;
    CHECK_EQ(ik_npz_read(data(same[i].file), same[i].name, IK_NOSPAN, &a, &d), IK_OK);
    CHECK(a.dtype == IK_DT_F32 && a.ndim == 2 && a.n[0] == 4 && a.n[1] == 3);
    for (int k = 0; a.data && k < 12; k++) CHECK(ik_array_get(&a, k) == k);
    ik_array_free(&a), ik_diag_free(&d);
  }
}

CASE(codes_of_their_own) { /* and matches that overlap what they copy */
  ik_diag  d = {0};
  ik_array a;
  CHECK_EQ(ik_npz_read(data("dynamic.npz"), NULL, IK_NOSPAN, &a, &d), IK_OK);
  CHECK(a.n[0] == 1500 && a.ndim == 1);
  for (int i = 0; a.data && i < 1500; i++) CHECK(ik_array_get(&a, i) == (i * i / 7) % 50 - 20);
  ik_array_free(&a);
  CHECK_EQ(ik_npz_read(data("deflated.npz"), "v", IK_NOSPAN, &a, &d), IK_OK);
  CHECK(a.n[0] == 40 && a.n[1] == 5 && ik_array_get(&a, 199) == 0);
  ik_array_free(&a);
  CHECK_EQ(ik_npz_read(data("deflated.npz"), "w", IK_NOSPAN, &a, &d), IK_OK);
  for (int i = 0; a.data && i < 300; i++) CHECK(ik_array_get(&a, i) == i % 7);
  ik_array_free(&a), ik_diag_free(&d);
}

CASE(which_array_is_meant) {
  ik_diag  d = {0};
  ik_array a;
  CHECK_EQ(ik_npz_read(data("deflated.npz"), NULL, IK_NOSPAN, &a, &d), IK_ERR_SOURCE);
  EXPECT_ERROR(&d, IK_E063, "holds 3 arrays, and none is named");
  CHECK_EQ(ik_npz_read(data("deflated.npz"), "x", IK_NOSPAN, &a, &d), IK_ERR_SOURCE);
  EXPECT_ERROR(&d, IK_E063, "it has u, v, w");
  CHECK_EQ(ik_npz_read(data("version2.npy"), NULL, IK_NOSPAN, &a, &d), IK_ERR_SOURCE);
  EXPECT_ERROR(&d, IK_E063, "no directory");
  CHECK(ik_npz_read("nowhere.npz", NULL, IK_NOSPAN, &a, &d) != IK_OK);
  EXPECT_ERROR(&d, IK_E062, "nowhere.npz");
}

/* One byte of an archive changed: wherever it is, the array is refused or is the same. */
CASE(a_changed_byte_is_noticed) {
  static const char *const files[] = {"stored.npz", "deflated.npz", "zip64.npz"};
  long                     refused = 0, live = ik_mem_live();
  for (int f = 0; f < 3; f++) {
    ik_diag d = {0};
    ik_buf  b = {0};
    CHECK_EQ(ik_file_read(data(files[f]), 1 << 20, IK_NOSPAN, &b, &d), IK_OK);
    for (size_t i = 0; i < b.len; i++) {
      ik_array a;
      b.data[i] = (char)(b.data[i] ^ 0x41);
      CHECK_EQ(ik_file_write(scratch("c.npz"), b.data, b.len, &d), IK_OK);
      bool read = ik_npz_read(scratch("c.npz"), "u", IK_NOSPAN, &a, &d) == IK_OK;
      refused += !read;
      for (int k = 0; read && k < 12; k++) CHECK(ik_array_get(&a, k) == k);
      ik_array_free(&a), ik_diag_free(&d);
      b.data[i] = (char)(b.data[i] ^ 0x41);
    }
    ik_buf_free(&b);
  }
  CHECK(refused > 500);
  CHECK_EQ(ik_mem_live(), live);
  scratch_scan(true);
}

/* A size that the compressed bytes cannot reach costs no memory. */
CASE(a_size_that_cannot_be_is_refused) {
  ik_diag  d = {0};
  ik_buf   b = {0};
  ik_array a;
  CHECK_EQ(ik_file_read(data("dynamic.npz"), 1 << 20, IK_NOSPAN, &b, &d), IK_OK);
  char *entry = memmem(b.data, b.len, "PK\x01\x02", 4);
  memcpy(entry + 24, "\xf0\xff\xff\xff", 4);
  CHECK_EQ(ik_file_write(scratch("c.npz"), b.data, b.len, &d), IK_OK);
  CHECK_EQ(ik_npz_read(scratch("c.npz"), "u", IK_NOSPAN, &a, &d), IK_ERR_SOURCE);
  EXPECT_ERROR(&d, IK_E063, "a size that it cannot have");
  ik_buf_free(&b);
  scratch_scan(true);
}

CASE(without_memory) {
  for (long n = 0; n < 3; n += 2) { /* the list of names between them may fail */
    ik_diag  d = {0};
    ik_array a;
    ik_mem_fail_after(n);
    ik_status st = ik_npz_read(data("stored.npz"), NULL, IK_NOSPAN, &a, &d);
    ik_mem_fail_after(-1);
    CHECK_EQ(st, IK_ERR_RESOURCE);
    ik_array_free(&a), ik_diag_free(&d);
  }
}
