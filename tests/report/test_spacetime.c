#include "report/spacetime.h"
#include "base/mem.h"
#include "check.h"
#include <stdlib.h>

enum { LINE = 10, ROWS = 3, WORDS = 100, STEPS = 5 };

static void add(ik_timeline *t, int element, ik_timeline_kind k, int64_t begin, int64_t end,
                const char *what, int step) {
  ik_timeline_add(t, (ik_timeline_span){element, k, begin, end, what, step});
}

/* Two rounds of a broadcast along each row: in step s those send whose number is s modulo five,
 * their followers receive, and then all compute.  The last in the row has nothing to do at all. */
static ik_timeline broadcast(void) {
  ik_timeline t = {.most = 100000, .nelement = LINE * ROWS, .nx = LINE, .ny = ROWS, .clock = 1e9};
  t.title = "a line & its steps";
  for (int round = 0; round < 2; round++)
    for (int e = 0; e < LINE * ROWS; e++) {
      int     x = e % LINE;
      int64_t at = round * 1000;
      for (int s = 0; s < STEPS && x < LINE - 1; s++, at += WORDS) {
        bool root = x % STEPS == s, hears = x >= s;
        if (root) add(&t, e, IK_TIMELINE_SEND, at, at + WORDS, "send east", s);
        if (hears) add(&t, e, IK_TIMELINE_RECEIVE, at + 5, at + WORDS + 5, "receive east", s);
        if (!hears) add(&t, e, IK_TIMELINE_WAIT, at, at + WORDS, "wait", -1);
      }
      if (x < LINE - 1) add(&t, e, IK_TIMELINE_COMPUTE, at + 10, at + 400, "fma z", -1);
    }
  return t;
}

static int count(const char *text, const char *what) {
  int n = 0;
  for (const char *p = text; (p = strstr(p, what)); p += strlen(what)) n++;
  return n;
}

static ik_buf drawn(ik_spacetime s) {
  ik_buf b = {0};
  ik_svg_spacetime(&s, &b);
  CHECK(!b.failed && !strncmp(ik_buf_text(&b), "<svg ", 5));
  CHECK(!strstr(b.data, "nan") && !strstr(b.data, "inf"));
  CHECK_EQ(count(b.data, "<text"), count(b.data, "</text>"));
  return b;
}

CASE(a_line_of_elements_in_all_its_kinds) {
  ik_timeline t = broadcast();
  ik_buf      b = drawn((ik_spacetime){.timeline = &t, .first = LINE, .count = LINE});
  CHECK(strstr(b.data, "a line &amp; its steps"));
  CHECK_EQ(count(b.data, ", 1)</text>"), LINE);         /* names of the middle row alone */
  CHECK_EQ(count(b.data, "class=\"t1\" d="), LINE - 1); /* the last one never sends */
  CHECK(strstr(b.data, ">compute</text>") && strstr(b.data, ">wait</text>"));
  CHECK(!strstr(b.data, ">memory</text>")); /* nobody does */
  CHECK(strstr(b.data, "cycles of 1 ns"));
  ik_buf_free(&b), ik_timeline_free(&t);
}

/* Each element sends once in a round, and its number and shade say in which step. */
CASE(the_steps_of_a_round_are_told_apart) {
  ik_timeline t = broadcast();
  const char *word;
  int64_t     from, to;
  CHECK(ik_spacetime_round(&t, &word, &from, &to));
  CHECK_STR(word, "east");
  CHECK(from == 0 && to == STEPS * WORDS);
  ik_buf b = drawn((ik_spacetime){
      .timeline = &t, .only = word, .from = from, .to = to, .first = 0, .count = LINE});
  for (int s = 0; s < STEPS; s++) {
    char shade[32];
    snprintf(shade, sizeof shade, "class=\"t1s%d\" d=", s);
    CHECK_EQ(count(b.data, shade), s == 4 ? 1 : 2); /* of elements s and s + 5 */
  }
  CHECK(strstr(b.data, "send, steps 1 to 5"));
  CHECK(!strstr(b.data, ">compute</text>"));
  ik_buf_free(&b), ik_timeline_free(&t);
}

CASE(the_middle_row_stands_for_many) {
  ik_timeline t = {.nelement = 90, .nx = 10, .ny = 9};
  int         first, n;
  ik_spacetime_line(&t, 32, &first, &n);
  CHECK(first == 40 && n == 10);
  ik_spacetime_line(&t, 8, &first, &n);
  CHECK(first == 40 && n == 8);
  ik_spacetime_line(&t, 90, &first, &n);
  CHECK(first == 0 && n == 90);
}

CASE(busy_is_a_share_of_the_interval) {
  ik_timeline t = broadcast();
  double      busy[LINE * ROWS];
  ik_spacetime_busy(&t, 0, 200, busy);
  CHECK_NEAR(busy[0], 0.5, 1e-12); /* sends in one step of two; that it hears itself adds nothing */
  CHECK_NEAR(busy[2], 0, 0);
  CHECK_NEAR(busy[LINE - 1], 0, 0);
  ik_spacetime_busy(&t, 500, 1000, busy);
  CHECK_NEAR(busy[4], 390 / 500.0, 1e-12);
  ik_timeline_free(&t);
}

/* Many spans of ten cycles in each forty are a bar a quarter as high, not a solid one. */
CASE(short_spans_make_a_low_bar) {
  ik_timeline t = {.most = 100000, .nelement = 1, .nx = 1, .ny = 1, .clock = 1e9};
  for (int i = 0; i < 30000; i++) add(&t, 0, IK_TIMELINE_COMPUTE, 40 * i, 40 * i + 10, "fma", -1);
  ik_buf b = drawn((ik_spacetime){.timeline = &t});
  CHECK(strstr(b.data, "class=\"t0\" d=\"M62.0 78.8h882.0v6.8h-882.0z\"/>")); /* of 27 */
  ik_buf_free(&b), ik_timeline_free(&t);
}

CASE(a_look_from_near_is_at_work_and_not_at_waiting) {
  ik_timeline t = {.most = 9, .nelement = 1, .nx = 1, .ny = 1, .clock = 1e9, .title = "one"};
  ik_buf      page = {0};
  add(&t, 0, IK_TIMELINE_WAIT, 0, 700, "start", -1);
  add(&t, 0, IK_TIMELINE_COMPUTE, 700, 790, "fma", -1);
  ik_spacetime_page(&t, &page);
  CHECK(strstr(ik_buf_text(&page), "Cycles 700 to 720"));
  ik_buf_free(&page), ik_timeline_free(&t);
}

CASE(nothing_is_drawn_empty) {
  ik_timeline t = {.nelement = 4, .nx = 4, .ny = 1, .clock = 1e9};
  const char *word;
  int64_t     from, to;
  CHECK(!ik_spacetime_round(&t, &word, &from, &to));
  ik_buf b = drawn((ik_spacetime){.timeline = &t, .standalone = true});
  CHECK(strstr(b.data, "prefers-color-scheme:dark") && !strstr(b.data, "<path class=\"t"));
  ik_buf_free(&b);
}

CASE(without_memory_it_says_so) {
  ik_timeline t = broadcast();
  int         n = 0;
  for (bool failed = true; failed; n++) {
    ik_buf b = {0};
    ik_mem_fail_after(n);
    ik_svg_spacetime(&(ik_spacetime){.timeline = &t}, &b);
    failed = b.failed;
    ik_buf_free(&b);
  }
  ik_mem_fail_after(-1);
  CHECK(n > 3);
  ik_timeline_free(&t);
}
