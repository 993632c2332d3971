#include "apps/tune/model_page.h"
#include "base/json.h"
#include "base/mem.h"
#include "report/scatter.h"
#include "report/html.h"
#include "report/page.h"
#include <stdio.h>

/* ---- dots ---- */

static ik_model_dot *next(ik_model_page *p) {
  if (p->n == p->cap) {
    int   cap = p->cap ? 2 * p->cap : 64;
    void *dot = ik_realloc(p->dot, (size_t)cap * sizeof *p->dot);
    p->failed |= !dot;
    if (!dot) return NULL;
    p->dot = dot, p->cap = cap;
  }
  return &p->dot[p->n++];
}

void ik_model_page_add(ik_model_page *p, const char *what, const ik_tune_job *j) {
  for (int i = 0; i < j->nrow; i++) {
    const ik_tune_row *r = &j->row[i];
    double             measured = ik_tune_rate(r) / 1e9, predicted = ik_tune_predicted(j, r);
    ik_model_dot      *dot = measured > 0 && predicted > 0 ? next(p) : NULL;
    if (!dot) continue;
    *dot = (ik_model_dot){.measured = measured, .predicted = predicted, .chosen = i == 0};
    snprintf(dot->what, sizeof dot->what, "%s", what);
    snprintf(dot->strategy, sizeof dot->strategy, "%s",
             r->plan.strategy ? r->plan.strategy : "untuned");
    snprintf(dot->plan, sizeof dot->plan, "%.*s", (int)sizeof dot->plan - 1, ik_buf_text(&r->text));
  }
}

void ik_model_page_free(ik_model_page *p) {
  ik_free(p->dot);
  *p = (ik_model_page){0};
}

/* ---- the page ---- */

static void draw(const ik_model_page *p, ik_arena *a, ik_buf *page) {
  ik_scatter_dot *dot = IK_NEW_N(a, ik_scatter_dot, p->n);
  ik_buf          svg = {0};
  for (int i = 0; i < p->n; i++) {
    const ik_model_dot *d = &p->dot[i];
    dot[i] = (ik_scatter_dot){.group = d->strategy,
                              .tip = ik_arena_printf(a, "%s: %s; predicted %.3g, measured %.3g%s",
                                                     d->what, d->plan, d->predicted, d->measured,
                                                     d->chosen ? "; chosen" : ""),
                              .measured = d->measured,
                              .predicted = d->predicted,
                              .chosen = d->chosen};
  }
  ik_scatter chart = {.title = "Predicted against measured",
                      .name = "rate",
                      .unit = "GPts/s",
                      .dot = dot,
                      .n = p->n};
  ik_svg_scatter(&chart, &svg);
  ik_html_svg(page, ik_buf_text(&svg),
              "A dot is a plan of a case; filled: the one that is chosen without measuring.  Above "
              "the line the prediction is too fast.");
  page->failed |= svg.failed;
  ik_buf_free(&svg);
}

static void build(const ik_model_page *p, const char *text, ik_buf *page) {
  ik_arena a;
  ik_buf   footer = {0};
  ik_buf_printf(&footer, "ikat %s", ik_version());
  ik_html_begin(page, "ikat bench model", "");
  ik_arena_init(&a);
  if (setjmp(a.oom))
    page->failed = true;
  else
    draw(p, &a, page);
  ik_arena_free(&a);
  if (*text) ik_html_section(page, "All figures"), ik_html_code(page, text);
  ik_html_end(page, ik_buf_text(&footer));
  page->failed |= footer.failed;
  ik_buf_free(&footer);
}

static void list(const ik_model_page *p, ik_buf *out) {
  ik_json j = {.out = out};
  ik_json_open(&j, NULL, '{');
  ik_json_open(&j, "plans", '[');
  for (int i = 0; i < p->n; i++) {
    const ik_model_dot *d = &p->dot[i];
    ik_json_open(&j, NULL, '{');
    ik_json_str(&j, "case", d->what), ik_json_str(&j, "plan", d->plan);
    ik_json_num(&j, "predicted_gstencils_per_s", d->predicted);
    ik_json_num(&j, "measured_gstencils_per_s", d->measured);
    ik_json_bool(&j, "chosen", d->chosen);
    ik_json_close(&j, '}');
  }
  ik_json_close(&j, ']');
  ik_json_close(&j, '}');
}

ik_status ik_model_page_write(const ik_model_page *p, const char *folder, const char *text,
                              ik_diag *d) {
  ik_buf page = {0}, json = {0}, path = {0};
  build(p, text, &page);
  list(p, &json);
  bool      failed = p->failed || page.failed || json.failed;
  ik_status st = failed
                     ? ik_fail(d, IK_ERR_RESOURCE, IK_E072, IK_NOSPAN, "no memory for the report")
                     : ik_page_save(folder, &page, ik_buf_text(&json), &path, d);
  ik_buf_free(&page), ik_buf_free(&json), ik_buf_free(&path);
  return st;
}
