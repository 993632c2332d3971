/* Published numbers beside ours. */
#include "apps/study/published.h"
#include "check.h"

static void show(const char *published, double ours, const char *expected) {
  ik_buf  text = {0}, out = {0};
  ik_json json = {.out = &out};
  ik_json_open(&json, NULL, '[');
  ik_published_book book = {.text = &text, .json = &json};
  ik_published      t = ik_published_open(&book, "Table", "note");
  ik_published_add(&t, "row", published, ours, "why");
  ik_published_close(&t);
  ik_json_close(&json, ']');
  const char *line = strstr(ik_buf_text(&text), "row");
  CHECK_STR(line ? line : "", expected);
  CHECK(!strncmp(ik_buf_text(&text), "\nTable: note\n", 13));
  ik_buf_free(&text), ik_buf_free(&out);
}

CASE(equal_to_the_printed_digits) {
  show("98.25", 98.2506, "row      98.25  98.2506           0  why\n");
  show("438", 438.921, "row        438  438.92       0 cut  why\n");
  show("12", 12, "row         12    12           0  why\n");
  show("9.00e-7", 9e-7, "row    9.00e-7  9.0000e-07           0  why\n");
  show("0.0", 0, "row        0.0  0.000           0  why\n");
}

CASE(different) {
  show("589.2", 596.984, "row      589.2  596.984     +1.32 %  why\n");
  show("9.44", 7.26, "row       9.44  7.2600    -23.09 %  why\n");
  show("0.0", 0.2, "row        0.0  0.200        +0.2  why\n");
}

CASE(bounds) {
  show("<200", 16, "row       <200    16  holds       why\n");
  show("<200", 200, "row       <200   200  fails       why\n");
}

CASE(one_side_missing) {
  show(NULL, 1.5, "row          -   1.5           -  why\n");
  show("2.59", NAN, "row       2.59     -           -  why\n");
}

CASE(as_json) {
  ik_buf  text = {0}, out = {0};
  ik_json json = {.out = &out};
  ik_json_open(&json, NULL, '[');
  ik_published_book book = {.text = &text, .json = &json};
  ik_published      t = ik_published_open(&book, "Table", NULL);
  ik_published_add(&t, "row", "7.78", 7.781, NULL);
  ik_published_add(&t, "other", NULL, NAN, "why");
  ik_published_close(&t);
  ik_json_close(&json, ']');
  CHECK_STR(
      ik_buf_text(&out),
      "[{\"title\": \"Table\", \"note\": null, \"rows\": [{\"what\": \"row\", \"published\": 7.78, "
      "\"ours\": 7.781, \"difference\": \"0\", \"remark\": null}, {\"what\": \"other\", "
      "\"published\": null, \"ours\": null, \"difference\": \"-\", \"remark\": \"why\"}]}]");
  CHECK(strstr(ik_buf_text(&text), " 0\n")); /* no blanks where there is no remark */
  ik_buf_free(&text), ik_buf_free(&out);
}

/* Each published figure counts, with its error; those that something was fitted to apart. */
CASE(every_published_row_counts) {
  ik_buf            text = {0}, out = {0};
  ik_json           json = {.out = &out};
  ik_published_book b = {.text = &text, .json = &json};
  ik_json_open(&json, NULL, '[');
  ik_published t = ik_published_open(&b, "Table", NULL);
  ik_published_add(&t, "rounds to it", "10", 10.2, NULL);
  ik_published_add(&t, "near", "10", 11.9, NULL);
  ik_published_add(&t, "far", "10", 13, NULL);
  ik_published_add(&t, "nothing", "0.0", 0.2, NULL);
  ik_published_add(&t, "bound", "<9", 3, NULL);
  ik_published_add(&t, "no bound", "<9", 12, NULL);
  ik_published_add(&t, "no data", "3", NAN, NULL);
  ik_published_add(&t, "ours alone", NULL, 3, NULL);
  t.calibrated = true;
  ik_published_add(&t, "fitted", "10", 10, NULL);
  ik_published_close(&t);
  ik_json_close(&json, ']');
  CHECK_EQ(b.tally[IK_TALLY_PREDICTED].rows, 6);
  CHECK_EQ(b.tally[IK_TALLY_PREDICTED].within[0], 2);
  CHECK_EQ(b.tally[IK_TALLY_PREDICTED].within[2], 3);
  CHECK_EQ(b.tally[IK_TALLY_CALIBRATED].rows, 1);
  CHECK_EQ(b.absent, 1);
  ik_buf_free(&text), ik_buf_free(&out);
}
