#include "check.h"
#include "report/scatter.h"
#include "base/mem.h"

static int count(const char *text, const char *what) {
  int n = 0;
  for (const char *p = text; (p = strstr(p, what)); p += strlen(what)) n++;
  return n;
}

static const ik_scatter_dot dots[] = {{"fuse", "case a: fuse & go", 2, 2.1, true},
                                      {"fuse", NULL, 1, 0.5, false},
                                      {"sweep", "case b", 30, 20, false},
                                      {"sweep", "not measured", 0, 20, false},
                                      {"sweep", "no number", NAN, INFINITY, true}};

CASE(chosen_ones_are_filled_and_have_a_tip) {
  ik_scatter c = {.title = "T", .name = "rate", .unit = "GPts/s", .dot = dots, .n = 5};
  ik_buf     b = {0};
  ik_svg_scatter(&c, &b);
  CHECK(!b.failed);
  CHECK_EQ(count(b.data, "class=\"dot\""), 1);
  CHECK_EQ(count(b.data, "class=\"ring\""), 2 + 2); /* and two in the legend */
  CHECK_EQ(count(b.data, "<title>case a: fuse &amp; go</title></circle>"), 1);
  CHECK_EQ(count(b.data, "<title>case b</title></circle>"), 1);
  CHECK(!strstr(b.data, "not measured") && !strstr(b.data, "no number"));
  CHECK_EQ(count(b.data, ">fuse</text>"), 1);
  CHECK_EQ(count(b.data, ">sweep</text>"), 1);
  CHECK_EQ(count(b.data, "class=\"band\""), 2 + 1);
  CHECK(strstr(b.data, "measured rate (GPts/s)") && strstr(b.data, "predicted rate (GPts/s)"));
  ik_buf_free(&b);
}

CASE(nothing_to_show) {
  ik_scatter c = {.dot = dots + 3, .n = 2};
  ik_buf     b = {0};
  ik_svg_scatter(&c, &b);
  CHECK(!b.failed && !strstr(b.data, "nan") && !strstr(b.data, "inf"));
  CHECK_EQ(count(b.data, "class=\"band\""), 0);
  ik_buf_free(&b);
  c.n = 0;
  ik_svg_scatter(&c, &b);
  CHECK(!b.failed);
  ik_buf_free(&b);
}

CASE(more_groups_than_colours) {
  static const char *const name[] = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"};
  ik_scatter_dot           many[10];
  ik_buf                   b = {0};
  for (int i = 0; i < 10; i++) many[i] = (ik_scatter_dot){name[i], name[i], 1 + i, 2 + i, i % 2};
  ik_svg_scatter(&(ik_scatter){.dot = many, .n = 10}, &b);
  CHECK(!b.failed);
  CHECK_EQ(count(b.data, "</circle>"), 8);
  ik_buf_free(&b);
}

CASE(no_memory) {
  ik_scatter c = {.title = "T", .dot = dots, .n = 3};
  bool       failed = true;
  for (int i = 0; failed && i < 60; i++) {
    ik_buf b = {0};
    ik_mem_fail_after(i);
    ik_svg_scatter(&c, &b);
    ik_mem_fail_after(-1);
    failed = b.failed || !strstr(ik_buf_text(&b), "</svg>");
    ik_buf_free(&b);
  }
  CHECK(!failed);
}
