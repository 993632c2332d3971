#include "tool.h"
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void say(call *c, const char *fmt, ...) {
  va_list ap;
  if (c->json || c->set.quiet) return;
  va_start(ap, fmt);
  bool failed = vprintf(fmt, ap) < 0;
  if (failed && errno == ENOMEM) c->lost = true;
  if (failed && !c->unwritten) c->unwritten = errno;
  va_end(ap);
}

const char *whole(call *c, const char *text) {
  if (!text) c->lost = true;
  return text ? text : "";
}

void say_members(call *c, const char *text) {
  text = whole(c, text);
  if (c->json)
    json_members(&c->object, text);
  else
    say(c, "%s", text);
}

ik_status say_view(call *c, ik_program *p, const char *what) {
  const char *text = ik_program_show(p, what, NULL, c->log);
  if (text) say_members(c, text);
  return text ? IK_OK : IK_ERR_SOURCE;
}

static void keep_complaint(call *c, const char *text, const char *help) {
  json_open(&c->messages, NULL, '{');
  json_string(&c->messages, "severity", "error");
  json_string(&c->messages, "message", text);
  if (*help) json_string(&c->messages, "help", help);
  json_close(&c->messages, '}');
}

int complain(call *c, int code, const char *help, const char *fmt, ...) {
  const char *red = c->colour ? "\033[1;31m" : "", *bold = c->colour ? "\033[1m" : "";
  const char *off = c->colour ? "\033[0m" : "";
  char        text[1024];
  va_list     ap;
  va_start(ap, fmt);
  vsnprintf(text, sizeof text, fmt, ap);
  va_end(ap);
  fflush(stdout);
  fprintf(stderr, "%sikat: %serror:%s %s%s%s\n", bold, red, off, bold, text, off);
  if (*help) fprintf(stderr, "     = help: %s\n", help);
  keep_complaint(c, text, help);
  return code;
}

/* The first error is about a word of the command line: its code says so, or its place is in the
 * value of a name=value. */
static bool is_about_the_words(const call *c) {
  ik_log_entry e = {.warning = true};
  for (int i = 0; e.warning; i++)
    if (!ik_log_get(c->log, i, &e)) return false;
  if (!strncmp(e.code, "E08", 3) && e.code[3] < '3') return true;
  for (int i = 0; e.file && i < c->set.plain.n; i++) {
    const char *word = c->set.plain.word[i], *value = option_value(word);
    size_t      len = strlen(e.file);
    if (value && word + len + 1 == value && !strncmp(word, e.file, len)) return true;
  }
  return false;
}

static bool has_code(const call *c, const char *code) {
  ik_log_entry e;
  for (int i = 0; ik_log_get(c->log, i, &e); i++)
    if (!e.warning && !strcmp(e.code, code)) return true;
  return false;
}

int exit_code(const call *c, ik_status s) {
  if (s && has_code(c, "E072")) return EXIT_MEMORY;
  switch (s) {
  case IK_OK: return EXIT_FINE;
  case IK_ERR_RESOURCE: return EXIT_WRONG;
  case IK_ERR_NUMERIC: return has_code(c, "E074") ? EXIT_WRONG : EXIT_BLOWUP;
  case IK_ERR_INTERRUPTED: return EXIT_INTERRUPTED;
  case IK_ERR_TOOLCHAIN: return EXIT_INTERNAL;
  case IK_ERR_SOURCE:
  case IK_ERR_UNSUPPORTED: break;
  }
  return is_about_the_words(c) ? EXIT_USAGE : EXIT_WRONG;
}

/* Of all errors one is noted here: who goes on after it lacks something. */
void show_messages(call *c) {
  if (!ik_log_count(c->log)) return;
  fflush(stdout);
  fputs(ik_log_text(c->log, c->colour), stderr);
  c->said_memory |= has_code(c, "E072");
  json_members(&c->messages, ik_log_json(c->log));
  c->lost |= has_code(c, "E072");
  ik_log_clear(c->log);
}

int fail(call *c, ik_status s) {
  int code = exit_code(c, s);
  show_messages(c);
  return code;
}

static void add_messages(call *c, int code) {
  const strbuf *m = &c->messages.out;
  if (!code && !m->len) return;
  json_open(&c->object, code ? "error" : "warnings", '[');
  if (m->len) json_raw(&c->object, NULL, m->data);
  json_close(&c->object, ']');
}

static bool is_cut(const call *c) {
  return c->lost || c->object.out.failed || c->messages.out.failed;
}

static int say_cut(call *c, int code) {
  if (c->said_memory || code == EXIT_MEMORY) return EXIT_MEMORY;
  return complain(c, EXIT_MEMORY, "close other programs, or take a smaller grid",
                  "not enough memory: what is printed is not complete");
}

int finish(call *c, int code) {
  const strbuf *all = &c->object.out;
  if (is_cut(c)) code = say_cut(c, code);
  if (!c->json) return code;
  add_messages(c, code);
  if (!is_cut(c) || (code == EXIT_MEMORY && !all->failed && !c->messages.out.failed))
    return printf("{%s}\n", all->data ? all->data : ""), code;
  code = say_cut(c, code);
  puts("{\"error\": [{\"severity\": \"error\", \"message\": \"not enough memory\"}]}");
  return code;
}

const char *did_you_mean(const char *word, const char *const *list, int n, const char *otherwise) {
  static char text[128];
  const char *near = ik_nearest_word(word, list, n);
  snprintf(text, sizeof text, near ? "did you mean '%s'?" : "%s", near ? near : otherwise);
  return text;
}
