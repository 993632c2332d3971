#include "check.h"
#include "ikat/ikat.h"
#include "apps/study/study.h"
#include "apps/study/units.h"

static int count(const char *text, const char *what) {
  int n = 0;
  for (const char *p = text; (p = strstr(p, what)); p += strlen(what)) n++;
  return n;
}

static void check_page(const ik_buf *page) {
  const char *s = ik_buf_text(page);
  CHECK(!page->failed);
  CHECK_EQ(count(s, "<svg "), count(s, "</svg>"));
  CHECK(!strstr(s, "nan") && !strstr(s, ">inf"));
}

CASE(both_papers_or_one) {
  ik_log     *log = ik_log_create();
  const char *paper[] = {NULL, "000", "003"};
  for (int i = 0; i < 3; i++) {
    ik_study *s;
    CHECK_EQ(ik_study_papers(paper[i], log, &s), IK_OK);
    const char *text = ik_study_text(s), *json = ik_study_json(s);
    CHECK_EQ(strstr(text, "(paper 000)") != NULL, i != 2);
    CHECK_EQ(strstr(text, "(paper 003)") != NULL, i != 1);
    CHECK_EQ(strstr(json, "\"paper000\": [") != NULL, i != 2);
    CHECK_EQ(strstr(json, "\"paper003\": [") != NULL, i != 1);
    CHECK_EQ(count(json, "{"), count(json, "}"));
    CHECK_EQ(count(ik_buf_text(&s->page), "<svg "), i == 2 ? 0 : 4);
    check_page(&s->page);
    ik_study_destroy(&s);
  }
  ik_log_destroy(&log);
}

CASE(a_paper_that_is_not_there) {
  ik_log   *log = ik_log_create();
  ik_study *s;
  CHECK_EQ(ik_study_papers("001", log, &s), IK_ERR_SOURCE);
  CHECK(s == NULL);
  CHECK(strstr(ik_log_text(log, false), "there is no paper '001'") != NULL);
  ik_log_destroy(&log);
}

static ik_buf charts_of(const char *machine) {
  ik_arena    a;
  ik_diag     d = {0};
  ik_machine *m;
  ik_buf      page = {0};
  ik_arena_init(&a);
  if (ik_machine_find(machine, &a, &d, &m) == IK_OK) ik_units_charts(m, &page);
  check_page(&page);
  ik_diag_free(&d);
  ik_arena_free(&a);
  return page;
}

CASE(charts_of_any_machine) {
  int                n;
  const char *const *name = ik_machine_names(&n);
  for (int i = 0; i < n; i++) {
    ik_buf page = charts_of(name[i]);
    ik_buf_free(&page);
  }
}

/* Roofs; a map of 56 cells for each of four patterns and of the pairs of units; f32; f64. */
CASE(charts_of_the_a100_and_the_h200) {
  ik_buf a100 = charts_of("a100-80gb-pcie"), h200 = charts_of("h200");
  CHECK_EQ(count(ik_buf_text(&a100), "<svg "), 4);
  CHECK_EQ(count(ik_buf_text(&h200), "<svg "), 4);
  CHECK_EQ(count(ik_buf_text(&a100), "class=\"cell "), 3 * 4 * 56);
  CHECK_EQ(count(ik_buf_text(&h200), "class=\"cell "), 4 * 4 * 56);
  CHECK(strstr(ik_buf_text(&a100), "Box-2D1R, t = 7: ") != NULL);
  ik_buf_free(&a100);
  ik_buf_free(&h200);
}
