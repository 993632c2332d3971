#include "check.h"
#include "report/map.h"

static int count(const char *text, const char *what) {
  int n = 0;
  for (const char *p = text; (p = strstr(p, what)); p += strlen(what)) n++;
  return n;
}

static const ik_map_class classes[] = {{"fine & well", IK_MAP_GAIN, true},
                                       {"bad", IK_MAP_GREAT_LOSS, false}};

/* Two rows of three cells: the lower all fine, of the upper one is missing. */
static const ik_map_cell cells[] = {{0, "1.0", "a < b"}, {0, "", ""},  {0, "", ""},
                                    {1, "", ""},         {-1, "", ""}, {0, "", ""}};

static ik_map map_of(const ik_map_panel *panel, int n) {
  return (ik_map){.title = "T",
                  .x_name = "x",
                  .y_name = "y",
                  .x0 = 1,
                  .y0 = 7,
                  .nx = 3,
                  .ny = 2,
                  .kind = classes,
                  .nkind = 2,
                  .panel = panel,
                  .npanel = n};
}

CASE(cells_texts_and_legend) {
  ik_map_panel panel = {"one", cells};
  ik_map       m = map_of(&panel, 1);
  ik_buf       b = {0};
  ik_svg_map(&m, &b);
  CHECK(!b.failed);
  CHECK_EQ(count(b.data, "class=\"cell m1\""), 4);
  CHECK_EQ(count(b.data, "class=\"cell m4\""), 1);
  CHECK(strstr(b.data, "<title>a &lt; b</title>") && strstr(b.data, ">fine &amp; well</text>"));
  CHECK_EQ(count(b.data, ">7</text>"), 1);
  CHECK_EQ(count(b.data, ">3</text>"), 1);
  CHECK_EQ(count(b.data, "<svg "), 1);
  CHECK_EQ(count(b.data, "</svg>"), 1);
  CHECK(strstr(b.data, "prefers-color-scheme:dark") && !strstr(b.data, "--ink:"));
  ik_buf_free(&b);
}

/* Around an L of four cells: ten sides. */
CASE(one_outline_around_a_region) {
  ik_map_panel panel = {"", cells};
  ik_map       m = map_of(&panel, 1);
  ik_buf       b = {0};
  ik_svg_map(&m, &b);
  const char *edge = strstr(b.data, "class=\"edge\" d=\"");
  CHECK(edge != NULL);
  ik_buf path = {0};
  ik_buf_write(&path, edge, strcspn(edge, ">"));
  CHECK_EQ(count(path.data, "M"), 10);
  ik_buf_free(&path);
  ik_buf_free(&b);
}

CASE(panels_wrap) {
  ik_map_panel panel[] = {{"a", cells}, {"b", cells}, {"c", cells}};
  ik_map       m = map_of(panel, 3);
  ik_buf       wide = {0}, tall = {0};
  ik_svg_map(&m, &wide);
  m.columns = 1, m.standalone = true;
  ik_svg_map(&m, &tall);
  CHECK_EQ(count(wide.data, "class=\"cell"), 15);
  CHECK_EQ(count(tall.data, "class=\"cell"), 15);
  CHECK(strstr(tall.data, "--ink:"));
  ik_buf_free(&wide);
  ik_buf_free(&tall);
}

CASE(nothing_to_show) {
  ik_map m = {0};
  ik_buf b = {0};
  ik_svg_map(&m, &b);
  CHECK(!b.failed && strstr(b.data, "</svg>"));
  ik_buf_free(&b);
}
