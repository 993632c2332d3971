#include "api/api.h"
#include "base/mem.h"
#include <string.h>

const char *ik_version(void) { return IK_VERSION; }

static char *copy(const char *s, size_t len) {
  char *p = ik_malloc(len + 1);
  if (p) memcpy(p, s, len), p[len] = 0;
  return p;
}

ik_text *ik_text_create(const char *name, const char *content, size_t len) {
  ik_text *t = ik_calloc(1, sizeof *t);
  if (!t) return NULL;
  t->name = copy(name, strlen(name)), t->content = copy(content, len);
  t->source = (ik_source){t->name, t->content, len};
  if (t->name && t->content) return t;
  ik_text_destroy(t);
  return NULL;
}

void ik_text_destroy(ik_text *t) {
  if (!t) return;
  ik_free(t->name), ik_free(t->content), ik_free(t);
}

ik_log *ik_log_create(void) { return ik_calloc(1, sizeof(ik_log)); }

void ik_log_clear(ik_log *log) { ik_diag_free(&log->d); }

void ik_log_destroy(ik_log **log) {
  if (!*log) return;
  ik_log_clear(*log);
  ik_buf_free(&(*log)->text);
  ik_free(*log);
  *log = NULL;
}

int ik_log_count(const ik_log *log) { return log->d.nmsg; }
int ik_log_errors(const ik_log *log) { return log->d.nerror; }

bool ik_log_get(const ik_log *log, int i, ik_log_entry *out) {
  if (i < 0 || i >= log->d.nmsg) return false;
  const ik_message *m = &log->d.msg[i];
  *out = (ik_log_entry){.code = ik_code_name(m->code),
                        .warning = m->warning,
                        .length = m->span.len,
                        .message = ik_buf_text(&m->text),
                        .help = m->help.len ? ik_buf_text(&m->help) : NULL};
  if (!m->span.src) return true;
  out->file = m->span.src->name;
  ik_source_position(m->span.src, m->span.off, &out->line, &out->column);
  return true;
}

const char *ik_answer(const ik_buf *b, long before) {
  return b->failed || ik_mem_refused() != before ? NULL : ik_buf_text(b);
}

/* What cannot be put together for want of memory is an error of its own, told in words that need
 * none. */
static const char *told(ik_log *log, const char *otherwise) {
  if (!log->text.failed) return ik_buf_text(&log->text);
  ik_log_no_memory(log);
  return otherwise;
}

const char *ik_log_text(ik_log *log, bool colour) {
  ik_buf_free(&log->text);
  ik_diag_render(&log->d, colour, &log->text);
  return told(log, "ikat: error E072: not enough memory\n");
}

const char *ik_log_json(ik_log *log) {
  ik_buf_free(&log->text);
  ik_diag_json(&log->d, &log->text);
  return told(log, "[{\"code\": \"E072\", \"severity\": \"error\", "
                   "\"message\": \"not enough memory\"}]");
}

ik_status ik_log_no_memory(ik_log *log) {
  return ik_fail(&log->d, IK_ERR_RESOURCE, IK_E072, IK_NOSPAN, "out of memory");
}
