#include "apps/study/table.h"
#include "check.h"

static void check_table(ik_table *t, int indent, const char *expected) {
  ik_buf out = {0};
  ik_table_write(t, indent, &out);
  CHECK_STR(ik_buf_text(&out), expected);
  ik_buf_free(&out);
}

CASE(words_stand_left_and_numbers_right) {
  ik_table t = {0};
  ik_table_row(&t, "case\tours\tremark");
  ik_table_row(&t, "%s\t%d\t%s", "one", 5, "");
  ik_table_row(&t, "%s\t%.1f\t%s", "twenty", -12.5, "odd");
  check_table(&t, 1, " case     ours  remark\n one         5\n twenty  -12.5  odd\n");
  check_table(&t, 1, "");
}

CASE(letters_of_two_bytes_are_one_wide) {
  ik_table t = {0};
  ik_table_row(&t, "a\tb");
  ik_table_row(&t, "α\tx");
  ik_table_row(&t, "beta\ty");
  check_table(&t, 0, "a     b\nα     x\nbeta  y\n");
}

CASE(rows_may_be_ragged_and_very_wide) {
  ik_table t = {0};
  ik_table_row(&t, "a");
  ik_table_row(&t, "1\t2\t3\t4\t5\t6\t7\t8\t9\t10\t11\t12\t13\t14\t15\t16\t17\t18\t19\t20\t21\t22\t"
                   "23\t24\t25\t26");
  ik_buf out = {0};
  ik_table_write(&t, 0, &out);
  CHECK(strstr(ik_buf_text(&out), "25  26\n"));
  ik_buf_free(&out);
}
