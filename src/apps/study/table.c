#include "apps/study/table.h"
#include <ctype.h>
#include <stdbool.h>
#include <string.h>

enum { COLUMNS = 24 };

typedef struct shape {
  int  n; /* columns */
  int  width[COLUMNS];
  bool right[COLUMNS];
} shape;

void ik_table_row(ik_table *t, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  ik_buf_vprintf(&t->text, fmt, ap);
  va_end(ap);
  ik_buf_putc(&t->text, '\n');
}

/* Bytes up to the end of the cell. */
static size_t cell_bytes(const char *at) { return strcspn(at, "\t\n"); }

/* Characters: bytes that continue one are not counted. */
static int cell_width(const char *at, size_t bytes) {
  int n = 0;
  for (size_t i = 0; i < bytes; i++) n += ((unsigned char)at[i] & 0xc0) != 0x80;
  return n;
}

static bool is_number(const char *at, size_t bytes) {
  if (bytes == 0) return true;
  return isdigit((unsigned char)*at) || *at == '-' || *at == '+' || *at == '.' || *at == '~' ||
         *at == '<' || *at == '>';
}

static void measure(const char *text, shape *s) {
  *s = (shape){0};
  for (int k = 0; k < COLUMNS; k++) s->right[k] = true;
  bool head = true;
  for (const char *at = text; *at; head = false, at++)
    for (int k = 0;; at++, k++) {
      size_t bytes = cell_bytes(at);
      if (k < COLUMNS) {
        int w = cell_width(at, bytes);
        if (w > s->width[k]) s->width[k] = w;
        if (k >= s->n) s->n = k + 1;
        if (!head && !is_number(at, bytes)) s->right[k] = false;
      }
      at += bytes;
      if (*at != '\t') break;
    }
}

static void write_cell(const shape *s, int k, bool last, const char *at, size_t bytes,
                       ik_buf *out) {
  int space = k < COLUMNS ? s->width[k] - cell_width(at, bytes) : 0;
  if (last && !bytes) return; /* nothing stands behind it */
  if (k) ik_buf_puts(out, "  ");
  if (k < COLUMNS && s->right[k]) ik_buf_pad(out, ' ', space);
  ik_buf_write(out, at, bytes);
  if (k < COLUMNS && !s->right[k] && !last) ik_buf_pad(out, ' ', space);
}

void ik_table_write(ik_table *t, int indent, ik_buf *out) {
  shape s;
  out->failed |= t->text.failed;
  measure(ik_buf_text(&t->text), &s);
  for (const char *at = ik_buf_text(&t->text); *at; at++) {
    ik_buf_pad(out, ' ', indent);
    for (int k = 0;; at++, k++) {
      size_t bytes = cell_bytes(at);
      write_cell(&s, k, at[bytes] != '\t', at, bytes, out);
      at += bytes;
      if (*at != '\t') break;
    }
    ik_buf_putc(out, '\n');
  }
  ik_buf_free(&t->text);
  *t = (ik_table){0};
}

/* ---- paragraphs ---- */

enum { WIDTH = 100 };

/* A word, with the sign of percent that belongs to it. */
static size_t word_bytes(const char *at) {
  size_t n = strcspn(at, " ");
  while (at[n] == ' ' && at[n + 1] == '%') n += 1 + strcspn(at + n + 1, " ");
  return n;
}

void ik_table_wrap(const char *text, int indent, int hang, ik_buf *out) {
  int  column = indent;
  bool first = true;
  ik_buf_pad(out, ' ', indent);
  for (const char *at = text; *at;) {
    size_t bytes = word_bytes(at);
    int    w = cell_width(at, bytes);
    if (!first && column + 1 + w > WIDTH) {
      ik_buf_putc(out, '\n');
      ik_buf_pad(out, ' ', hang);
      column = hang, first = true;
    }
    if (!first) ik_buf_putc(out, ' '), column++;
    ik_buf_write(out, at, bytes);
    column += w, first = false;
    at += bytes + (at[bytes] == ' ');
  }
  ik_buf_putc(out, '\n');
}
