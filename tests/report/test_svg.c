#include "check.h"
#include "report/draw.h"
#include "report/svg.h"
#include <stdlib.h>

static int count(const char *text, const char *what) {
  int n = 0;
  for (const char *p = text; (p = strstr(p, what)); p += strlen(what)) n++;
  return n;
}

/* Elements open and close in order, and no number is written as nan or inf. */
static void check_svg(const ik_buf *b) {
  const char *s = ik_buf_text(b);
  int         depth = 0;
  CHECK(!b->failed);
  CHECK(!strncmp(s, "<svg ", 5));
  for (const char *p = s; (p = strchr(p, '<')); p++) {
    const char *end = strchr(p, '>');
    CHECK(end != NULL);
    if (!end) return;
    if (p[1] == '/')
      depth--;
    else if (end[-1] != '/')
      depth++;
    CHECK(depth >= 0);
  }
  CHECK_EQ(depth, 0);
  CHECK(!strstr(s, "nan") && !strstr(s, "inf"));
}

static ik_buf lines(ik_chart c) {
  ik_buf b = {0};
  ik_svg_lines(&c, &b);
  check_svg(&b);
  return b;
}

CASE(series_and_legend) {
  double    x[] = {0, 1, 2}, y[] = {1, 4, 2};
  ik_series s[] = {{.name = "a<b", .x = x, .y = y, .n = 3},
                   {.name = "dots", .x = x, .y = y, .n = 3, .mark = IK_MARK_DOT, .direct = true},
                   {.x = x, .y = y, .n = 3, .mark = IK_MARK_ARROW}};
  ik_buf    b =
      lines((ik_chart){.title = "T & U", .x_name = "t", .x_unit = "s", .series = s, .nseries = 3});
  CHECK_EQ(count(b.data, "<circle"), 3);
  CHECK_EQ(count(b.data, "class=\"area\""), 2); /* heads of arrows */
  CHECK(strstr(b.data, ">a&lt;b</text>") && strstr(b.data, "T &amp; U") && strstr(b.data, "t (s)"));
  CHECK(!strstr(b.data, "<style>"));
  ik_buf_free(&b);
}

CASE(alone_it_brings_its_colours) {
  ik_buf b = lines((ik_chart){.standalone = true});
  CHECK(strstr(b.data, "prefers-color-scheme:dark"));
  ik_buf_free(&b);
}

CASE(tips_and_bands) {
  double            x[] = {0, 1, 2, 1}, y[] = {1, 4, 2, 1};
  const char *const tip[] = {"a & b", NULL, "", "d"};
  ik_series         s[] = {
              {.name = "area", .x = x, .y = y, .n = 4, .mark = IK_MARK_BAND},
              {.name = "crowd", .x = x, .y = y, .n = 4, .mark = IK_MARK_RING, .tip = tip, .faint = true}};
  ik_buf b = lines((ik_chart){.series = s, .nseries = 2});
  CHECK_EQ(count(b.data, "class=\"band\""), 2); /* and in the legend */
  CHECK_EQ(count(b.data, "Z\"/>"), 2);
  CHECK_EQ(count(b.data, "</circle>"), 2);
  CHECK(strstr(b.data, "<title>a &amp; b</title></circle>"));
  CHECK_EQ(count(b.data, "<g class=\"s2 faint\">"), 2);
  ik_buf_free(&b);
}

/* Names of lines stand behind the frame if these end there, and do not cover each other. */
CASE(names_of_lines_that_end_at_the_frame) {
  double    x[] = {0, 1, 2}, y[] = {1, 4, 2}, z[] = {2, 3, 2.001};
  ik_series s[] = {{.name = "one", .x = x, .y = y, .n = 3, .direct = true},
                   {.name = "two", .x = x, .y = z, .n = 3, .direct = true}};
  ik_buf    b = lines((ik_chart){.series = s, .nseries = 2});
  double    y1 = 0, y2 = 0, x1 = 0, width = 0;
  char     *one = strstr(b.data, ">one</text>"), *two = strstr(b.data, ">two</text>");
  char     *frame = strstr(b.data, "class=\"frame\"");
  CHECK(one && two && frame);
  if (!one || !two || !frame) return;
  while (strncmp(one, "<text", 5)) one--;
  while (strncmp(two, "<text", 5)) two--;
  CHECK_EQ(sscanf(one, "<text x=\"%lf\" y=\"%lf\" text-anchor=\"start\"", &x1, &y1), 2);
  CHECK_EQ(sscanf(two, "<text x=\"%*f\" y=\"%lf\"", &y2), 1);
  double left;
  CHECK_EQ(sscanf(frame, "class=\"frame\" x=\"%lf\" y=\"%*f\" width=\"%lf\"", &left, &width), 2);
  CHECK(x1 > left + width);
  CHECK(fabs(y1 - y2) >= 8);
  ik_buf_free(&b);
}

CASE(gaps_where_values_are_missing) {
  double    x[] = {0, 1, 2, 3, 4}, y[] = {1, 4, NAN, 2, 3};
  ik_series s = {.x = x, .y = y, .n = 5};
  ik_buf    b = lines((ik_chart){.series = &s, .nseries = 1});
  char     *path = strstr(b.data, "class=\"line\"");
  CHECK(path != NULL);
  if (path) {
    char *end = strchr(path, '>');
    *end = 0;
    CHECK_EQ(count(path, "M"), 2);
    CHECK_EQ(count(path, "L"), 2);
  }
  ik_buf_free(&b);
}

CASE(log_axes_leave_out_what_is_not_positive) {
  double    x[] = {0.01, 1, 100, -1, 0}, y[] = {1, 10, 1000, 5, 5};
  ik_series s = {.x = x, .y = y, .n = 5, .mark = IK_MARK_RING};
  ik_buf    b = lines((ik_chart){.log_x = true, .log_y = true, .series = &s, .nseries = 1});
  CHECK_EQ(count(b.data, "<circle"), 3);
  CHECK(strstr(b.data, ">1000<") && strstr(b.data, ">0.01<"));
  ik_buf_free(&b);
}

CASE(long_series_are_thinned_but_keep_spikes) {
  enum { N = 200000 };
  double *x = malloc(sizeof *x * N), *y = calloc(N, sizeof *y);
  for (int i = 0; i < N; i++) x[i] = i;
  ik_series s = {.x = x, .y = y, .n = N};
  ik_buf    flat = lines((ik_chart){.series = &s, .nseries = 1});
  CHECK(flat.len < 60000);
  y[123456] = 1;
  y[77777] = -1;
  ik_buf b = lines((ik_chart){.series = &s, .nseries = 1});
  double high = 1e9, low = -1e9;
  char  *p = strstr(b.data, "class=\"line\" d=\"") + 16;
  for (double px, py; sscanf(p, "%*c%lf %lf", &px, &py) == 2;) {
    high = fmin(high, py), low = fmax(low, py);
    p = strpbrk(p + 1, "ML\"");
  }
  CHECK(low - high > 250);
  ik_buf_free(&flat);
  ik_buf_free(&b);
  free(x), free(y);
}

CASE(empty_and_odd_charts) {
  double     odd[] = {NAN, INFINITY, 1e300, -1e300, 1e-300, 0};
  ik_series  none = {.name = "none", .n = 0};
  const bool flag[] = {false, true};
  ik_buf     b = lines((ik_chart){0});
  ik_buf_free(&b);
  for (int log = 0; log < 2; log++)
    for (int i = 0; i < 6; i++)
      for (int k = 0; k < 6; k++) {
        double    x[] = {odd[i], 1}, y[] = {odd[k], odd[i]};
        ik_series s[] = {none, {.name = "s", .x = x, .y = y, .n = 2}};
        b = lines((ik_chart){.log_x = flag[log], .log_y = flag[log], .series = s, .nseries = 2});
        ik_buf_free(&b);
      }
}

CASE(bars) {
  const char *label[] = {"rank 0", "rank <1>"}, *part[] = {"compute", "halo"};
  double      v[] = {3, 1, 1, NAN};
  ik_buf      b = {0};
  ik_svg_bars(&(ik_bars){.title = "time",
                         .unit = "s",
                         .label = label,
                         .part = part,
                         .value = v,
                         .nbar = 2,
                         .npart = 2},
              &b);
  check_svg(&b);
  CHECK_EQ(count(b.data, "<rect"), 6);
  CHECK(strstr(b.data, ">4 s<") && strstr(b.data, ">1 s<") && strstr(b.data, "rank &lt;1&gt;"));
  ik_buf_free(&b);
  ik_svg_bars(&(ik_bars){0}, &b);
  check_svg(&b);
  ik_buf_free(&b);
}

/* Whatever stands behind a bar ends before the picture does. */
CASE(numbers_behind_bars_have_room) {
  static const char *const unit[] = {"s", "GStencils/s", "thousand million cells a second"};
  const char              *label[] = {"a"};
  double                   v[] = {0.275935};
  for (int i = 0; i < 3; i++) {
    ik_buf b = {0};
    ik_svg_bars(&(ik_bars){.unit = unit[i], .label = label, .value = v, .nbar = 1, .npart = 1}, &b);
    const char *bar = strstr(ik_buf_text(&b), "<rect class=\"area"),
               *number = bar ? strstr(bar, "<text x=\"") : 0;
    CHECK(number &&
          atof(number + 9) + ik_draw_text_width("0.2759 ") + ik_draw_text_width(unit[i]) <= 720);
    ik_buf_free(&b);
  }
}

CASE(gathers) {
  static double v[130][50];
  for (int i = 0; i < 130; i++)
    for (int k = 0; k < 50; k++) v[i][k] = k > 20 && k < 30 ? sin(k * 0.6 + i) : 0;
  ik_buf b = {0};
  ik_svg_gather(
      &(ik_wiggles){.title = "shot", .v = &v[0][0], .ntrace = 130, .nt = 50, .dx = 10, .dt = 0.002},
      &b);
  check_svg(&b);
  CHECK_EQ(count(b.data, "line thin"), 44); /* one in three */
  CHECK(strstr(b.data, "one trace in 3 shown"));
  ik_buf_free(&b);
}

CASE(odd_gathers) {
  double     v[] = {NAN, INFINITY, 1e300, 0, 5e-324, -1};
  ik_wiggles c = {.v = v, .ntrace = 2, .nt = 3, .dx = 1, .dt = 1};
  ik_buf     b = {0};
  ik_svg_gather(&c, &b), check_svg(&b), ik_buf_free(&b);
  c.ntrace = 1, c.nt = 1, c.dx = 0, c.dt = 0;
  ik_svg_gather(&c, &b), check_svg(&b), ik_buf_free(&b);
  c.ntrace = 0, c.nt = 0;
  ik_svg_gather(&c, &b), check_svg(&b), ik_buf_free(&b);
}
