#include "apps/study/study.h"
#include "api/api.h"
#include "base/fp.h"
#include "base/mem.h"
#include "report/html.h"
#include "report/page.h"
#include "report/svg.h"

ik_study *ik_study_create(const char *title, ik_log *log) {
  ik_study *s = ik_calloc(1, sizeof *s);
  if (s)
    s->refused = ik_mem_refused(), ik_buf_puts(&s->title, title);
  else
    ik_log_no_memory(log);
  return s;
}

void ik_study_destroy(ik_study **study) {
  ik_study *s = *study;
  if (!s) return;
  ik_buf_free(&s->title), ik_buf_free(&s->text), ik_buf_free(&s->json), ik_buf_free(&s->page),
      ik_buf_free(&s->path);
  ik_free(s);
  *study = NULL;
}

ik_status ik_study_finish(ik_study *s, ik_status st, ik_log *log, ik_study **out) {
  *out = NULL;
  bool cut = s->title.failed || s->text.failed || s->json.failed || s->page.failed;
  if (!st && (cut || ik_mem_refused() != s->refused)) st = ik_log_no_memory(log);
  if (st)
    ik_study_destroy(&s);
  else
    *out = s;
  return st;
}

const char *ik_study_text(ik_study *s) { return ik_buf_text(&s->text); }
const char *ik_study_json(ik_study *s) { return ik_buf_text(&s->json); }

static void build(const ik_study *s, const char *command, ik_buf *page) {
  ik_buf footer = {0};
  ik_buf_printf(&footer, "ikat %s", ik_version());
  ik_html_begin(page, ik_buf_text(&s->title), "");
  ik_buf_puts(page, ik_buf_text(&s->page));
  ik_html_section(page, "All figures");
  ik_html_code(page, ik_buf_text(&s->text));
  if (command) {
    ik_html_section(page, "The command");
    ik_html_code(page, command);
  }
  ik_html_end(page, ik_buf_text(&footer));
  page->failed |= footer.failed;
  ik_buf_free(&footer);
}

ik_status ik_study_report(ik_study *s, const char *directory, const char *command, ik_log *log,
                          const char **path) {
  IK_OWN_ARITHMETIC;
  ik_buf page = {0};
  build(s, command, &page);
  ik_buf_free(&s->path);
  ik_status st = page.failed ? ik_log_no_memory(log)
                             : ik_page_save(directory, &page, ik_study_json(s), &s->path, &log->d);
  ik_buf_free(&page);
  if (path) *path = ik_buf_text(&s->path);
  return st;
}
