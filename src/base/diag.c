#include "base/diag.h"
#include "base/json.h"
#include "base/system.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
  const char *name, *title;
} codes[] = {
#define IK_CODE(code, title) {#code, title},
#include "base/codes.h"
#undef IK_CODE
};

const char *ik_code_name(ik_code c) { return codes[c].name; }
const char *ik_code_title(ik_code c) { return codes[c].title; }

int ik_code_find(const char *name) {
  for (int i = 0; i < IK_NCODES; i++)
    if (strcmp(codes[i].name, name) == 0) return i;
  return -1;
}

static void free_words(ik_message *m) {
  ik_buf_free(&m->text), ik_buf_free(&m->help);
  for (int j = 0; j < m->nnote; j++) ik_buf_free(&m->note[j].text);
  for (int j = 0; j < m->nfix; j++) ik_fix_free(&m->fix[j]);
  m->nnote = m->nfix = 0;
}

void ik_diag_free(ik_diag *d) {
  for (int i = 0; i < d->nmsg; i++) free_words(&d->msg[i]);
  *d = (ik_diag){0};
}

static bool is_told(const ik_diag *d, const ik_message *m) {
  for (int i = 0; m->span.src && i < d->nmsg; i++) {
    const ik_message *o = &d->msg[i];
    if (o->code == m->code && o->span.src == m->span.src && o->span.off == m->span.off &&
        o->span.len == m->span.len && o->text.len == m->text.len &&
        (!m->text.len || !memcmp(o->text.data, m->text.data, m->text.len)))
      return true;
  }
  return false;
}

/* A message without all of its words could mislead: that memory ran out is what is left to say. */
static void spoil(ik_diag *d, ik_message *m) {
  if (m->warning) d->nerror++;
  free_words(m);
  *m = (ik_message){.code = IK_E072, .text.failed = true};
}

/* Has a text been cut since the last message?  Its words are likely to be in the next one. */
static bool may_lack_words(const ik_message *m) {
  static _Thread_local long seen;
  long                      cuts = ik_buf_cuts();
  bool                      more = cuts != seen;
  seen = cuts;
  return more && !m->warning;
}

static const char *words_of(const ik_message *m) {
  return m->text.failed ? ik_code_title(m->code) : ik_buf_text(&m->text);
}

static void add(ik_diag *d, ik_code c, bool warning, ik_span at, const char *fmt, va_list ap) {
  ik_message m = {.code = c, .warning = warning, .span = at};
  if (!warning) d->nerror++;
  ik_buf_vprintf(&m.text, fmt, ap);
  if (may_lack_words(&m) || m.text.failed) spoil(d, &m);
  d->repeated = is_told(d, &m);
  if (!d->repeated && d->nmsg < IK_DIAG_MAX) {
    d->msg[d->nmsg++] = m;
    return;
  }
  if (!d->repeated) d->ndropped++;
  ik_buf_free(&m.text);
}

static ik_message *newest(ik_diag *d) {
  ik_message *m = d->nmsg && !d->ndropped && !d->repeated ? &d->msg[d->nmsg - 1] : NULL;
  return m && !m->text.failed ? m : NULL;
}

void ik_note_add(ik_diag *d, ik_span at, const char *fmt, ...) {
  ik_message *m = newest(d);
  if (!m || m->nnote == IK_DIAG_NOTES) return;
  ik_note *n = &m->note[m->nnote++];
  n->span = at;
  va_list ap;
  va_start(ap, fmt);
  ik_buf_vprintf(&n->text, fmt, ap);
  va_end(ap);
  if (may_lack_words(m) || n->text.failed) spoil(d, m);
}

/* Whoever ran out of memory, a limit on it is the likely reason. */
static void note_limit(ik_diag *d, ik_code c) {
  int64_t limit = ik_system_memory_limit();
  if (c != IK_E072 || limit == INT64_MAX) return;
  ik_note_add(d, IK_NOSPAN,
              "the address space of a process is limited to %" PRId64
              " KiB here; to lift the limit: ulimit -v unlimited",
              limit / 1024);
}

ik_status ik_error(ik_diag *d, ik_code c, ik_span at, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  add(d, c, false, at, fmt, ap);
  va_end(ap);
  note_limit(d, c);
  return IK_ERR_SOURCE;
}

ik_status ik_fail(ik_diag *d, ik_status s, ik_code c, ik_span at, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  add(d, c, false, at, fmt, ap);
  va_end(ap);
  note_limit(d, c);
  return s;
}

void ik_warn(ik_diag *d, ik_code c, ik_span at, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  add(d, c, true, at, fmt, ap);
  va_end(ap);
}

void ik_help(ik_diag *d, const char *fmt, ...) {
  ik_message *m = newest(d);
  if (!m || m->help.len) return;
  va_list ap;
  va_start(ap, fmt);
  ik_buf_vprintf(&m->help, fmt, ap);
  va_end(ap);
  if (may_lack_words(m) || m->help.failed) spoil(d, m);
}

void ik_fix_add(ik_diag *d, ik_span at, const char *with, const char *fmt, ...) {
  ik_message *m = newest(d);
  if (!m || m->help.len || m->nfix == IK_DIAG_FIXES) return;
  ik_fix *f = &m->fix[m->nfix++];
  f->at = at;
  ik_buf_puts(&f->with, with);
  va_list ap;
  va_start(ap, fmt);
  ik_buf_vprintf(&f->text, fmt, ap);
  va_end(ap);
}

void ik_fix_free(ik_fix *f) {
  ik_buf_free(&f->with), ik_buf_free(&f->text);
  *f = (ik_fix){0};
}

static bool inside_utf8(char c) { return ((unsigned char)c & 0xC0) == 0x80; }

void ik_span_excerpt(ik_span s, int most, char *out) {
  const char *from = s.src->text + s.off, *end = from + s.len;
  int         n = 0;
  for (; from < end && n < most; from++) {
    if (*from == '#') from += strcspn(from, "\n");
    bool blank = from >= end || strchr(" \n", *from);
    if (!blank || (n && out[n - 1] != ' ')) out[n++] = blank ? ' ' : *from;
  }
  bool cut = n == most;
  while (n && out[n - 1] == ' ') n--;
  strcpy(out + n, cut ? "..." : "");
}

void ik_source_position(const ik_source *s, int off, int *line, int *col) {
  *line = 1, *col = 1;
  for (int i = 0; i < off && (size_t)i < s->len; i++) {
    if (s->text[i] == '\n')
      ++*line, *col = 1;
    else if (!inside_utf8(s->text[i]))
      ++*col; /* count UTF-8 characters */
  }
}

ik_span ik_span_join(ik_span a, ik_span b) {
  if (!a.src || a.src != b.src) return a.src ? a : b;
  int lo = a.off < b.off ? a.off : b.off;
  int ea = a.off + a.len, eb = b.off + b.len;
  return (ik_span){a.src, lo, (ea > eb ? ea : eb) - lo};
}

/* Bytes of the control character that the text begins with; 0: it begins with another one. */
static int control_at(const char *s, int len) {
  unsigned char c = (unsigned char)s[0], next = len > 1 ? (unsigned char)s[1] : 0;
  if (c < 0x20 || c == 0x7f) return 1;
  return c == 0xC2 && next >= 0x80 && next < 0xA0 ? 2 : 0; /* U+0080 to U+009F */
}

/* Control characters would move the caret, and what is in a file or a name could give orders to the
 * terminal; they are shown as a dot. */
static void put_line(ik_buf *out, const char *s, int len) {
  for (int i = 0; i < len; i++) {
    int control = control_at(s + i, len - i);
    ik_buf_putc(out, s[i] == '\t' ? ' ' : control ? '.' : s[i]);
    if (control) i += control - 1;
  }
}

/* Words of a message, which may be several lines of what another program said. */
static void put_words(ik_buf *out, const char *s) {
  for (size_t len; *s; s += len) {
    len = strcspn(s, "\n");
    put_line(out, s, (int)len);
    if (s[len]) ik_buf_putc(out, '\n'), len++;
  }
}

static void put_extra(ik_buf *out, const char *kind, const char *words) {
  ik_buf_printf(out, "     = %s: ", kind);
  put_words(out, words);
  ik_buf_putc(out, '\n');
}

static int width_utf8(const char *s, int len) {
  int w = 0;
  for (int i = 0; i < len; i++) w += !inside_utf8(s[i]);
  return w;
}

enum { LONGEST_LINE = 160 };

/*  12 |   u' = lap(u)
 *     |        ^~~~~~ label */
static void quote(ik_buf *out, ik_span at, char mark, const char *label) {
  int line, col;
  ik_source_position(at.src, at.off, &line, &col);
  const char *text = at.src->text;
  int         b = at.off, e = at.off, n = (int)at.src->len;
  while (b > 0 && text[b - 1] != '\n') b--;
  while (e < n && text[e] != '\n') e++;
  if (at.off - b > LONGEST_LINE) b = at.off - LONGEST_LINE / 2;
  if (e - b > LONGEST_LINE) e = b + LONGEST_LINE;
  while (b < at.off && inside_utf8(text[b])) b++;
  while (e > at.off && e < n && inside_utf8(text[e])) e--;
  ik_buf_printf(out, "%4d | ", line);
  put_line(out, text + b, e - b);
  ik_buf_puts(out, "\n     | ");
  ik_buf_pad(out, ' ', width_utf8(text + b, at.off - b));
  ik_buf_putc(out, mark);
  int len = at.off + at.len > e ? e - at.off : at.len;
  if (len > 1) ik_buf_pad(out, mark == '^' ? '~' : '-', width_utf8(text + at.off, len) - 1);
  if (*label) ik_buf_putc(out, ' '), put_words(out, label);
  ik_buf_putc(out, '\n');
}

static void render_message(const ik_message *m, bool colour, ik_buf *out) {
  const char *bold = colour ? "\033[1m" : "", *off = colour ? "\033[0m" : "";
  const char *tint = !colour ? "" : m->warning ? "\033[1;35m" : "\033[1;31m";
  ik_buf_puts(out, bold);
  if (m->span.src) {
    int line, col;
    ik_source_position(m->span.src, m->span.off, &line, &col);
    put_words(out, m->span.src->name);
    ik_buf_printf(out, ":%d:%d: ", line, col);
  } else {
    ik_buf_puts(out, "ikat: ");
  }
  ik_buf_printf(out, "%s%s %s:%s %s", tint, m->warning ? "warning" : "error", ik_code_name(m->code),
                off, bold);
  put_words(out, words_of(m));
  ik_buf_printf(out, "%s\n", off);
  if (m->span.src) quote(out, m->span, '^', "");
  for (int j = 0; j < m->nnote; j++) {
    if (m->note[j].span.src)
      quote(out, m->note[j].span, '-', ik_buf_text(&m->note[j].text));
    else
      put_extra(out, "note", ik_buf_text(&m->note[j].text));
  }
  if (m->help.len) put_extra(out, "help", ik_buf_text(&m->help));
}

void ik_diag_render(const ik_diag *d, bool colour, ik_buf *out) {
  for (int i = 0; i < d->nmsg; i++) render_message(&d->msg[i], colour, out);
  if (d->ndropped) ik_buf_printf(out, "ikat: %d more messages not shown\n", d->ndropped);
}

static void json_place(ik_json *j, ik_span at) {
  if (!at.src) return;
  int line, col;
  ik_source_position(at.src, at.off, &line, &col);
  ik_json_str(j, "file", at.src->name);
  ik_json_int(j, "line", line);
  ik_json_int(j, "column", col);
  ik_json_int(j, "length", at.len);
}

static void json_fixes(ik_json *j, const ik_message *m) {
  if (!m->proven || !m->nfix) return;
  ik_json_open(j, "fixes", '[');
  for (int k = 0; k < m->nfix; k++) {
    ik_json_open(j, NULL, '{');
    json_place(j, m->fix[k].at);
    ik_json_str(j, "replacement", ik_buf_text(&m->fix[k].with));
    ik_json_close(j, '}');
  }
  ik_json_close(j, ']');
}

void ik_diag_json(const ik_diag *d, ik_buf *out) {
  ik_json j = {.out = out};
  ik_json_open(&j, NULL, '[');
  for (int i = 0; i < d->nmsg; i++) {
    const ik_message *m = &d->msg[i];
    ik_json_open(&j, NULL, '{');
    ik_json_str(&j, "code", ik_code_name(m->code));
    ik_json_str(&j, "severity", m->warning ? "warning" : "error");
    json_place(&j, m->span);
    ik_json_str(&j, "message", words_of(m));
    if (m->help.len) ik_json_str(&j, "help", ik_buf_text(&m->help));
    json_fixes(&j, m);
    if (m->nnote) {
      ik_json_open(&j, "notes", '[');
      for (int k = 0; k < m->nnote; k++) {
        ik_json_open(&j, NULL, '{');
        json_place(&j, m->note[k].span);
        ik_json_str(&j, "message", ik_buf_text(&m->note[k].text));
        ik_json_close(&j, '}');
      }
      ik_json_close(&j, ']');
    }
    ik_json_close(&j, '}');
  }
  ik_json_close(&j, ']');
}

void ik_assert_failed(const char *file, int line, const char *what) {
  fprintf(stderr, "ikat: internal error at %s:%d: %s\n", file, line, what);
  abort();
}
