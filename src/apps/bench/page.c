#include "apps/bench/bench.h"
#include "report/html.h"
#include "report/page.h"
#include "report/svg.h"

/* A bar for each case: the best strategy there is, and the plain loop is one. */
static void add_chart(const ik_bench *b, ik_buf *page) {
  const char *label[64];
  double      value[64];
  int         n = 0;
  for (int i = 0; i < b->nrow && n < 64; i++) {
    const ik_bench_line *best = ik_bench_best(&b->row[i], true);
    if (!best) continue;
    label[n] = b->row[i].c->name, value[n++] = best->ratio;
  }
  ik_bars bars = {.unit = "x", .label = label, .value = value};
  bars.title = b->opt.small ? "Times the plain loop, SMALL GRIDS: this says nothing about speed"
                            : "Times the plain loop";
  bars.nbar = n, bars.npart = 1;
  ik_buf svg = {0};
  ik_svg_bars(&bars, &svg);
  ik_html_svg(page, ik_buf_text(&svg),
              "The best strategy of each case; the plain C loop on the same machine, in the same "
              "rounds, is 1.");
  page->failed |= svg.failed;
  ik_buf_free(&svg);
}

static void build(const ik_bench *b, const char *command, ik_buf *page) {
  ik_buf text = {0}, footer = {0}, title = {0};
  ik_bench_write_text(b, &text);
  ik_buf_printf(&title, "ikat bench %s", b->suite->name);
  ik_buf_printf(&footer, "ikat %s", ik_version());
  ik_html_begin(page, ik_buf_text(&title), b->machine);
  add_chart(b, page);
  ik_html_section(page, "All figures");
  ik_html_code(page, ik_buf_text(&text));
  if (command) {
    ik_html_section(page, "The command");
    ik_html_code(page, command);
  }
  ik_html_end(page, ik_buf_text(&footer));
  page->failed |= text.failed || footer.failed || title.failed;
  ik_buf_free(&text), ik_buf_free(&footer), ik_buf_free(&title);
}

ik_status ik_bench_write_page(const ik_bench *b, const char *directory, const char *command,
                              ik_buf *path, ik_diag *d) {
  ik_buf page = {0}, json = {0};
  build(b, command, &page);
  ik_bench_write_json(b, &json);
  ik_status st = page.failed || json.failed
                     ? ik_fail(d, IK_ERR_RESOURCE, IK_E072, IK_NOSPAN, "no memory for the report")
                     : ik_page_save(directory, &page, ik_buf_text(&json), path, d);
  ik_buf_free(&page), ik_buf_free(&json);
  return st;
}
