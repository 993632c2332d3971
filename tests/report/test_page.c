#include "report/page.h"
#include "io/scratch.h"
#include "lang/program.h"
#include <sys/stat.h>

typedef struct shown {
  run           r;
  ik_facts      facts;
  ik_outcome    outcome;
  ik_page_input in;
} shown;

static bool show(shown *s, const char *text) {
  if (!run_program(&s->r, text)) return false;
  if (setjmp(s->r.p.arena.oom)) abort();
  CHECK_EQ(ik_facts_of(s->r.p.ir, s->r.p.ir->flops_written, &s->r.p.arena, &s->r.p.diag, &s->facts),
           IK_OK);
  s->outcome = ik_outcome_of(&s->r.loop, NULL);
  s->in = (ik_page_input){.outcome = &s->outcome,
                          .machine = "a <machine>",
                          .date = "2031-02-03",
                          .parameters = "dt = 0.5 ms",
                          .plan = "one plan\n& no other",
                          .threads = 1,
                          .ir = s->r.p.ir,
                          .facts = &s->facts,
                          .loop = &s->r.loop,
                          .source = text,
                          .target = "ref",
                          .version = "9.9",
                          .command = "ikat run a<b.ik",
                          .summary = "done & dusted",
                          .json = "{\"steps\": 2}"};
  return true;
}

static const char cube[] =
    "grid x = 6, y = 5, z = 4\nfield c : f64 = 1\nfield u : f64 = x + y + z\n"
    "field v : f64, on x = x\nstep 2 { u' = c*u*v }\n";

/* The whole file; the caller frees it. */
static char *content(const char *path) {
  FILE *f = fopen(path, "rb");
  char *text = calloc(1, 1 << 20);
  if (f && fread(text, 1, (1 << 20) - 1, f) == 0) text[0] = 0;
  if (f) fclose(f);
  return text;
}

/* ---- slices ---- */

CASE(the_first_field_that_changes_is_shown_in_the_middle) {
  shown s;
  if (show(&s, cube)) {
    ik_page_slice x = ik_page_default_slice(&s.in);
    CHECK(x.field == 1 && x.axis == 2 && x.index == 2 && x.lo == x.hi);
    x = ik_page_slice_of(&s.in, 2);
    CHECK(x.field == 2 && x.axis == -1);
  }
  run_close(&s.r);
}

CASE(of_a_solver_the_solution_is_shown) {
  shown s;
  if (show(&s, "grid x = 6, y = 5\nfield r, q, sol : f64 = 1\nr = 2*q\n"
               "repeat until sum(r) < 1 max 9 { q = r; sol = sol + q; r = 0.5*r }\n")) {
    CHECK_EQ(ik_page_default_slice(&s.in).field, 2);
  }
  run_close(&s.r);
}

CASE(without_steps_the_last_field_assigned_is_shown) {
  shown s;
  if (show(&s, "grid x = 6, y = 5\nfield a, b, c : f64 = 1\nb = 2*a\nb = 3*c\n")) {
    ik_page_slice x = ik_page_default_slice(&s.in);
    CHECK(x.field == 1 && x.axis == -1);
  }
  run_close(&s.r);
}

CASE(what_a_sweep_makes_is_shown) {
  shown s;
  if (show(&s, "grid x = 6, y = 5\nfield a, h : f64 = 1\nboundary a, h = 0\na = 2*a\n"
               "sweep y up { h = h[0,-1] + a }\n")) {
    CHECK_EQ(ik_page_default_slice(&s.in).field, 1);
  }
  run_close(&s.r);
  if (show(&s, "grid x = 6, y = 5\nfield a, h : f64 = 1\nboundary a, h = 0\n"
               "step 2 { sweep y up { h = h[0,-1] + a } }\n")) {
    CHECK_EQ(ik_page_default_slice(&s.in).field, 1);
  }
  run_close(&s.r);
}

/* ---- pictures ---- */

CASE(every_cut_of_every_field_can_be_drawn) {
  shown s;
  if (show(&s, cube)) {
    for (int axis = 0; axis < 3; axis++)
      for (int64_t i = 0; i < s.r.p.ir->n[axis]; i++) {
        ik_page_slice x = {.field = 1, .axis = axis, .index = i};
        CHECK_EQ(ik_page_picture(&s.in, &x, scratch("p.png"), &s.r.p.diag), IK_OK);
        char *png = content(scratch("p.png"));
        CHECK(memcmp(png, "\x89PNG\r\n\x1a\n", 8) == 0);
        free(png);
      }
    ik_page_slice line = ik_page_slice_of(&s.in, 2);
    CHECK_EQ(ik_page_picture(&s.in, &line, scratch("p.png"), &s.r.p.diag), IK_OK);
  }
  run_close(&s.r);
}

/* Two fields that agree where y is 2 have the same picture there, and others elsewhere. */
CASE(a_cut_shows_the_cells_that_lie_in_it) {
  static const char *const other[] = {"7", "2"};
  for (int64_t y = 1; y <= 2; y++) {
    ik_buf png[2] = {{0}, {0}};
    for (int k = 0; k < 2; k++) {
      char  text[200];
      shown s;
      snprintf(text, sizeof text,
               "grid x = 6, y = 5, z = 4\nfield u : f64 = if y == 2 then x + z else %s\n"
               "step 0 { u' = u }\n",
               other[k]);
      if (show(&s, text)) {
        ik_page_slice x = {.field = 0, .axis = 1, .index = y, .lo = 0, .hi = 9};
        CHECK_EQ(ik_page_picture(&s.in, &x, scratch("p.png"), &s.r.p.diag), IK_OK);
        CHECK_EQ(ik_file_read(scratch("p.png"), 1 << 20, IK_NOSPAN, &png[k], &s.r.p.diag), IK_OK);
      }
      run_close(&s.r);
    }
    bool same = png[0].len == png[1].len && memcmp(png[0].data, png[1].data, png[0].len) == 0;
    CHECK(same == (y == 2));
    ik_buf_free(&png[0]), ik_buf_free(&png[1]);
  }
}

/* The picture of a program's field as it should be: `v` has the vertical axis slowest. */
static void expect_picture(const char *text, const ik_picture_spec *want) {
  shown  s;
  ik_buf png = {0}, drawn = {0};
  if (show(&s, text)) {
    ik_page_slice x = ik_page_default_slice(&s.in);
    CHECK_EQ(ik_page_picture(&s.in, &x, scratch("p.png"), &s.r.p.diag), IK_OK);
    CHECK_EQ(ik_file_read(scratch("p.png"), 1 << 20, IK_NOSPAN, &png, &s.r.p.diag), IK_OK);
    CHECK_EQ(ik_picture_draw(want, &drawn, &s.r.p.diag), IK_OK);
    if (png.len != drawn.len || memcmp(png.data, drawn.data, png.len))
      check_fail(__FILE__, __LINE__, "the picture lies otherwise:\n%s", text);
  }
  ik_buf_free(&png), ik_buf_free(&drawn);
  run_close(&s.r);
}

#define SHOT "field u : f64 = "
#define STILL                                                                                      \
  "\nstep 0 { u' = u }\nsource 0 at (1, 1) into u\nreceiver u at (1, 1) into \"r.npy\"\n"

CASE(depth_is_drawn_downwards_wherever_its_axis_stands) {
  double v[6 * 4];
  for (int k = 0; k < 24; k++) v[k] = k % 6 + 10 * (k / 6);
  ik_picture_spec want = {.grid = {.v = v, .nx = 6, .ny = 4},
                          .x = {.name = "x"},
                          .y = {.name = "z"},
                          .y_down = true,
                          .title = "u of test",
                          .caption = "after 0 steps",
                          .name = "u"};
  expect_picture("grid x = 6, z = 4\n" SHOT "x + 10*z" STILL, &want);
  expect_picture("grid z = 4, x = 6\n" SHOT "x + 10*z" STILL, &want);
  want.y_down = false;
  expect_picture("grid z = 4, x = 6, up = z\n" SHOT "x + 10*z" STILL, &want);
  want.y.name = "y"; /* a map, whatever sources it has */
  expect_picture("grid x = 6, y = 4\n" SHOT "x + 10*y" STILL, &want);
  expect_picture("grid y = 4, x = 6\n" SHOT "x + 10*y" STILL, &want);
  want.y_down = true;
  expect_picture("grid x = 6, y = 4, down = y\n" SHOT "x + 10*y" STILL, &want);
  want.x.name = "y", want.y.name = "x";
  expect_picture("grid x = 4, y = 6, down = x\n" SHOT "y + 10*x" STILL, &want);
}

CASE(cuts_outside_are_refused) {
  shown s;
  if (show(&s, cube)) {
    ik_page_slice            bad[] = {{.field = 1, .axis = 2, .index = 4},
                                      {.field = 1, .axis = 2, .index = -1},
                                      {.field = 1, .axis = 3, .index = 0},
                                      {.field = 2, .axis = 0, .index = 0}};
    static const char *const part[] = {"z = 4 lies outside the cells 0 .. 3", "z = -1", "'u'",
                                       "'v' has 1 axis: a slice is of a field with three"};
    for (int i = 0; i < 4; i++) {
      CHECK_EQ(ik_page_picture(&s.in, &bad[i], scratch("p.png"), &s.r.p.diag), IK_ERR_SOURCE);
      EXPECT_ERROR(&s.r.p.diag, IK_E043, part[i]);
    }
  }
  run_close(&s.r);
}

CASE(a_picture_that_cannot_be_written_is_told) {
  shown s;
  if (show(&s, cube)) {
    ik_page_slice x = ik_page_default_slice(&s.in);
    CHECK(ik_page_picture(&s.in, &x, "/nowhere/p.png", &s.r.p.diag) != IK_OK);
    EXPECT_ERROR(&s.r.p.diag, IK_E064, "/nowhere/p.png");
  }
  run_close(&s.r);
}

/* ---- reports ---- */

CASE(a_report_holds_the_run_and_the_program) {
  shown  s;
  ik_buf page = {0};
  if (show(&s, "grid x = 6, y = 5\nfield u : f64 = x\nreceiver u at line (1, 1) .. (3, 1) into "
               "\"r.npy\"\nstep 2 { u' = if u < 3 then u else 2*u }\n")) {
    CHECK_EQ(ik_page_write(&s.in, scratch(""), &page, &s.r.p.diag), IK_OK);
    char *html = content(ik_buf_text(&page)), *json = content(scratch("report.json"));
    CHECK(strstr(html, "if u &lt; 3 then u else 2*u"));
    CHECK(strstr(html, "ikat run a&lt;b.ik") && strstr(html, "done &amp; dusted"));
    CHECK(strstr(html, "done: 2 steps") && strstr(html, "ikat 9.9") && strstr(html, "measured"));
    CHECK(strstr(html, "a &lt;machine&gt;") && strstr(html, "2031-02-03"));
    CHECK(strstr(html, "dt = 0.5 ms") && strstr(html, "white-space:pre-wrap"));
    CHECK(strstr(html, "one plan\n&amp; no other") && strstr(html, "measured / predicted = "));
    CHECK(strstr(html, "Roofline") && strstr(html, ">predicted ") && strstr(html, ">measured "));
    CHECK(strstr(html, "data:image/png;base64,") && strstr(html, "<svg"));
    CHECK(strstr(html, "Receiver traces of u, in true amplitude"));
    CHECK(!strstr(html, "<script") && !strstr(html, "src=\"http"));
    CHECK_STR(json, "{\"steps\": 2}");
    free(html), free(json);
  }
  ik_buf_free(&page);
  run_close(&s.r);
}

CASE(without_receivers_there_is_no_section_of_them) {
  shown  s;
  ik_buf page = {0};
  if (show(&s, cube)) {
    CHECK_EQ(ik_page_write(&s.in, scratch(""), &page, &s.r.p.diag), IK_OK);
    char *html = content(ik_buf_text(&page));
    CHECK(!strstr(html, "Receiver") && strstr(html, "Predicted and measured"));
    free(html);
  }
  ik_buf_free(&page);
  run_close(&s.r);
}

/* A wave of 21 samples a period that dies away to a hundredth: the gain is over three periods. */
CASE(traces_with_weak_arrivals_have_a_gain_and_the_caption_says_so) {
  shown  s;
  ik_buf page = {0};
  if (show(&s, "grid x = 9\nparam dt = 1 ms\nfield u : f64 = 0\nreceiver u at 4 into \"r.npy\"\n"
               "step 400 { u' = (exp(-0.1*t) + 0.01)*sin(0.3*t) + 0*u }\n")) {
    CHECK_EQ(ik_page_write(&s.in, scratch(""), &page, &s.r.p.diag), IK_OK);
    char *html = content(ik_buf_text(&page));
    CHECK(strstr(html, "automatic gain control over 0.059 s: amplitudes are relative"));
    free(html);
  }
  ik_buf_free(&page);
  run_close(&s.r);
}

CASE(a_simulated_time_is_called_that) {
  shown  s;
  ik_buf page = {0};
  if (show(&s, cube)) {
    ik_simulated m = {.machine = "a wafer", .seconds = 0.125};
    s.in.simulated = &m, s.in.command = NULL;
    s.outcome.simulated = true, s.outcome.seconds = m.seconds;
    s.outcome.joules_why = "its figures do not give it";
    CHECK_EQ(ik_page_write(&s.in, scratch(""), &page, &s.r.p.diag), IK_OK);
    char *html = content(ik_buf_text(&page));
    CHECK(strstr(html, "SIMULATED") && !strstr(html, "measured") && strstr(html, "0.125 s"));
    CHECK(!strstr(html, "The machine at work")); /* no cycles were kept */
    free(html);
  }
  ik_buf_free(&page);
  run_close(&s.r);
}

/* Two elements in a row: the first sends in the first half, the second computes in the second. */
static ik_timeline two_elements(void) {
  ik_timeline t = {.most = 9, .nelement = 2, .nx = 2, .ny = 1, .clock = 1e9, .title = "two"};
  ik_timeline_add(&t, (ik_timeline_span){0, IK_TIMELINE_SEND, 0, 25, "send east", 0});
  ik_timeline_add(&t, (ik_timeline_span){0, IK_TIMELINE_SEND, 25, 50, "send east", 1});
  ik_timeline_add(&t, (ik_timeline_span){1, IK_TIMELINE_COMPUTE, 50, 100, "fma", -1});
  return t;
}

CASE(what_a_simulated_machine_did_is_drawn) {
  shown       s;
  ik_buf      page = {0};
  ik_timeline t = two_elements();
  if (show(&s, cube)) {
    ik_simulated m = {.machine = "two elements", .seconds = 1, .timeline = &t};
    s.in.simulated = &m;
    CHECK_EQ(ik_page_write(&s.in, scratch(""), &page, &s.r.p.diag), IK_OK);
    char *html = content(ik_buf_text(&page));
    CHECK(strstr(html, "The machine at work (SIMULATED)") && strstr(html, "what goes east"));
    free(html);
  }
  ik_buf_free(&page), ik_timeline_free(&t);
  run_close(&s.r);
}

CASE(folders_are_made_as_deep_as_asked) {
  shown  s;
  ik_buf page = {0};
  char   deep[500];
  snprintf(deep, sizeof deep, "%s/b/c", scratch("a"));
  if (show(&s, cube)) {
    CHECK_EQ(ik_page_write(&s.in, deep, &page, &s.r.p.diag), IK_OK);
    CHECK(strstr(ik_buf_text(&page), "/a/b/c/report.html"));
    struct stat st;
    CHECK(stat(ik_buf_text(&page), &st) == 0 && st.st_size > 1000);
    static const char *const leaf[] = {"a/b/c/report.html", "a/b/c/report.json", "a/b/c", "a/b",
                                       "a"};
    for (int i = 0; i < 5; i++) CHECK(remove(scratch(leaf[i])) == 0);
  }
  ik_buf_free(&page);
  run_close(&s.r);
}

CASE(a_folder_that_cannot_be_made_is_told) {
  shown  s;
  ik_buf page = {0};
  if (show(&s, cube)) {
    CHECK(ik_page_write(&s.in, "/proc/nowhere/report", &page, &s.r.p.diag) != IK_OK);
    EXPECT_ERROR(&s.r.p.diag, IK_E064, "/proc/nowhere/report");
  }
  ik_buf_free(&page);
  run_close(&s.r);
}
