#include "apps/study/papers.h"
#include "api/api.h"
#include "base/fp.h"
#include "report/html.h"
#include "apps/study/study.h"
#include "apps/study/units.h"
#include <string.h>

/* The charts of paper 000, for its own machine. */
static ik_status draw(ik_arena *a, ik_diag *d, ik_buf *page) {
  ik_machine    *m;
  ik_units_point point[IK_PAPER000_POINTS];
  IK_TRY(ik_machine_find("a100-80gb-pcie", a, d, &m));
  int n = ik_paper000_points(m, point);
  ik_html_section(page, "General-purpose and matrix units");
  ik_html_text(page,
               "The cases of Table 3 of \"Do We Need Tensor Cores for Stencil Computations?\", "
               "numbered as there, under the roofs of its machine.");
  ik_units_roofs(m, point, n, page);
  ik_units_maps(m, page);
  ik_units_intensity(m, page);
  return IK_OK;
}

static ik_status add_page(ik_buf *page, ik_log *log) {
  ik_arena  a;
  ik_status st;
  ik_arena_init(&a);
  if (setjmp(a.oom))
    st = ik_log_no_memory(log);
  else
    st = draw(&a, &log->d, page);
  ik_arena_free(&a);
  return st;
}

static bool wants(const char *paper, const char *name) { return !paper || !strcmp(paper, name); }

static ik_status unknown(const char *paper, ik_diag *d) {
  ik_status st = ik_error(d, IK_E082, IK_NOSPAN, "there is no paper '%s'", paper);
  ik_help(d, "000 (matrix units) or 003 (cost metrics)");
  return st;
}

static ik_status add_tables(const char *paper, ik_study *s, ik_log *log) {
  ik_json           j = {.out = &s->json};
  ik_published_book b = {.text = &s->text, .json = &j};
  if (!wants(paper, "000") && !wants(paper, "003")) return unknown(paper, &log->d);
  ik_json_open(&j, NULL, '{');
  if (wants(paper, "000")) ik_paper000_write(&b);
  if (!paper) ik_buf_puts(&s->text, "\n\n");
  if (wants(paper, "003")) ik_paper003_write(&b);
  ik_buf_puts(&s->text, "\n");
  ik_tally_text(b.tally, &s->text);
  if (b.absent)
    ik_buf_printf(&s->text, "%d more are published, but not what they could be computed from.\n",
                  b.absent);
  ik_tally_json(b.tally, &j);
  ik_json_int(&j, "not_computable", b.absent);
  ik_json_close(&j, '}');
  return wants(paper, "000") ? add_page(&s->page, log) : IK_OK;
}

ik_status ik_study_papers(const char *paper, ik_log *log, ik_study **out) {
  IK_OWN_ARITHMETIC;
  *out = NULL;
  ik_study *s = ik_study_create("Published tables and ours", log);
  if (!s) return IK_ERR_RESOURCE;
  return ik_study_finish(s, add_tables(paper, s, log), log, out);
}
