#include "io/columns.h"
#include "io/signal.h"
#include "scratch.h"

static ik_status read_text(const char *text, ik_array *a, ik_diag *d) {
  CHECK_EQ(ik_file_write(scratch("w.txt"), text, strlen(text), d), IK_OK);
  return ik_columns_read(scratch("w.txt"), IK_NOSPAN, a, d);
}

CASE(rows_of_numbers) {
  static const char *const same[] = {"1 2 3\n4 5 -6e-1\n", "1,2,3\r\n4,5,-0.6\r\n",
                                     "# head\n\n 1;2;3 # first\n% x\n\t4 5\t-.6",
                                     "1, 2, 3\n+4., 5.0 ,-6E-1\n\n"};
  for (int i = 0; i < 4; i++) {
    ik_diag  d = {0};
    ik_array a;
    CHECK_EQ(read_text(same[i], &a, &d), IK_OK);
    CHECK(a.dtype == IK_DT_F64 && a.ndim == 2 && a.n[0] == 3 && a.n[1] == 2);
    for (int k = 0; a.data && k < 6; k++) CHECK(ik_array_get(&a, k) == (k < 5 ? k + 1 : -0.6));
    ik_array_free(&a), ik_diag_free(&d);
  }
}

CASE(one_column_is_a_list) {
  ik_diag  d = {0};
  ik_array a;
  char     text[8000] = "";
  for (int i = 0; i < 1500; i++) sprintf(text + strlen(text), "%d\n", i);
  CHECK_EQ(read_text(text, &a, &d), IK_OK);
  CHECK(a.ndim == 1 && a.n[0] == 1500 && a.n[1] == 1 && ik_array_get(&a, 1499) == 1499);
  ik_array_free(&a), ik_diag_free(&d);
}

CASE(texts_that_are_none) {
  static const struct {
    const char *text, *part;
  } bad[] = {{"1\n2 3\n", "line 2: the count of numbers differs"},
             {"1\n\n# c\nx\n", "line 4: expected a number"},
             {"nan\n", "line 1"},
             {"inf\n", "line 1"},
             {"0x10\n", "line 1"},
             {"1e999\n", "too large"},
             {"1.5.2\n", "line 1"},
             {"1-2\n", "line 1"},
             {"", "no numbers"},
             {"# only\n", "no numbers"},
             {"1 %\n", "line 1"},
             {"1 \x01\n", "line 1"}};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    ik_diag  d = {0};
    ik_array a;
    CHECK_EQ(read_text(bad[i].text, &a, &d), IK_ERR_SOURCE);
    EXPECT_ERROR(&d, IK_E063, bad[i].part);
    CHECK(!a.data);
  }
  ik_diag  d = {0};
  ik_array a;
  CHECK_EQ(ik_file_write(scratch("w.txt"), "1\0002\n", 4, &d), IK_OK); /* a zero byte */
  CHECK_EQ(ik_columns_read(scratch("w.txt"), IK_NOSPAN, &a, &d), IK_ERR_SOURCE);
  EXPECT_ERROR(&d, IK_E063, "line 1");
  scratch_scan(true);
}

CASE(without_memory) {
  for (long n = 0; n < 2; n++) {
    ik_diag  d = {0};
    ik_array a;
    CHECK_EQ(ik_file_write(scratch("w.txt"), "1\n", 2, &d), IK_OK);
    ik_mem_fail_after(n);
    ik_status st = ik_columns_read(scratch("w.txt"), IK_NOSPAN, &a, &d);
    ik_mem_fail_after(-1);
    CHECK_EQ(st, IK_ERR_RESOURCE);
    ik_diag_free(&d);
  }
}
