/* The tables of "Do We Need Tensor Cores for Stencil Computations?" (paper 000). */
#include "apps/study/papers.h"
#include "check.h"
#include <stdlib.h>

typedef struct line { /* of a table: cells are two spaces or more apart */
  char what[96], published[32], ours[32], difference[32];
} line;

static const char *cell(const char *at, char *out, size_t cap) {
  size_t n = 0;
  while (*at == ' ') at++;
  for (; *at && *at != '\n' && strncmp(at, "  ", 2); at++)
    if (n + 1 < cap) out[n++] = *at;
  out[n] = 0;
  return at;
}

static line read_line(const char *at) {
  line l;
  at = cell(at, l.what, sizeof l.what);
  at = cell(at, l.published, sizeof l.published);
  at = cell(at, l.ours, sizeof l.ours);
  cell(at, l.difference, sizeof l.difference);
  return l;
}

static ik_buf text_of(void) {
  ik_buf  text = {0}, out = {0};
  ik_json json = {.out = &out};
  ik_json_open(&json, NULL, '{');
  ik_paper000_write(&(ik_published_book){.text = &text, .json = &json});
  ik_json_close(&json, '}');
  CHECK(!text.failed && !out.failed);
  CHECK(strncmp(ik_buf_text(&out), "{\"paper000\": [{", 15) == 0);
  ik_buf_free(&out);
  return text;
}

/* Rows of one table whose name ends so, in *n; how many of them differ. */
static int differing(const ik_buf *text, const char *title, const char *end, int *n) {
  const char *at = strstr(ik_buf_text(text), title);
  int         differ = 0;
  *n = 0;
  CHECK(at != NULL);
  at = at ? strstr(at, "difference") : NULL;
  for (at = at ? strchr(at, '\n') : NULL; at && at[1] == ' '; at = strchr(at + 1, '\n')) {
    line   l = read_line(at + 1);
    size_t len = strlen(l.what), tail = strlen(end);
    if (len < tail || strcmp(l.what + len - tail, end)) continue;
    ++*n;
    differ += strcmp(l.difference, "0") != 0;
  }
  return differ;
}

CASE(all_of_table_2_to_the_printed_digits) {
  ik_buf text = text_of();
  int    n;
  CHECK_EQ(differing(&text, "\nTable 2: ", "", &n), 0);
  CHECK_EQ(n, 36); /* C, M, I of ten rows, alpha of six */
  CHECK_EQ(differing(&text, "\nTable 2, measured: ", "C", &n), 4); /* only those of EBISU */
  CHECK_EQ(n, 7);
  ik_buf_free(&text);
}

CASE(scenario_bound_and_direction_of_all_cases) {
  ik_buf text = text_of();
  int    n;
  CHECK_EQ(differing(&text, "\nTable 3: ", ": scenario", &n), 0);
  CHECK_EQ(n, 6);
  CHECK_EQ(differing(&text, "\nTable 3: ", ": gain", &n), 0);
  CHECK_EQ(n, 6);
  CHECK_EQ(differing(&text, "\nTable 3: ", ": memory-bound", &n), 0);
  CHECK_EQ(n, 12);
  CHECK_EQ(differing(&text, "\nTable 3: ", ": ridge", &n), 0);
  CHECK_EQ(differing(&text, "\nTable 3: ", ": I", &n), 2); /* 21.58 and 1795.21, both marked */
  CHECK_EQ(n, 12);
  CHECK_EQ(differing(&text, "\nTable 4: ", ": memory-bound", &n), 0);
  CHECK_EQ(n, 2);
  CHECK_EQ(differing(&text, "\nTable 4: ", ": gain", &n), 0);
  CHECK_EQ(n, 1);
  ik_buf_free(&text);
}

CASE(contradictions_have_a_reason) {
  static const char *const marked[] = {"! K/D is 225/4",      "! 450 operations",
                                       "! computed with S",   "! not the quotient",
                                       "! α of Box-2D1R; Ta", "! 484.51 is 7.67 %"};
  ik_buf                   text = text_of();
  for (size_t i = 0; i < sizeof marked / sizeof *marked; i++)
    CHECK(strstr(ik_buf_text(&text), marked[i]) != NULL);
  ik_buf_free(&text);
}

/* Everything measured lies under its roof, but for EBISU in case 4. */
CASE(points_under_the_roofs) {
  ik_arena       a;
  ik_diag        d = {0};
  ik_machine    *m;
  ik_units_point p[IK_PAPER000_POINTS];
  ik_arena_init(&a);
  CHECK_EQ(ik_machine_find("a100-80gb-pcie", &a, &d, &m), IK_OK);
  CHECK_EQ(ik_paper000_points(m, p), IK_PAPER000_POINTS);
  for (int i = 0; i < IK_PAPER000_POINTS; i++) {
    CHECK(p[i].intensity > 0 && p[i].predicted > 0);
    CHECK_EQ(p[i].measured < p[i].predicted, i != 6);
  }
  ik_diag_free(&d);
  ik_arena_free(&a);
}
