#include "base/buf.h"
#include "base/mem.h"
#include "base/text.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

void ik_buf_free(ik_buf *b) {
  ik_free(b->data);
  *b = (ik_buf){0};
}

static _Thread_local long cuts;

long ik_buf_cuts(void) { return cuts; }

static bool cut(ik_buf *b) {
  if (!b->failed) cuts++;
  return b->failed = true, false;
}

static bool reserve(ik_buf *b, size_t more) {
  if (b->failed) return false;
  if (b->len + more + 1 <= b->cap) return true;
  size_t cap = b->cap ? 2 * b->cap : 256;
  while (cap < b->len + more + 1) cap *= 2;
  char *p = ik_realloc(b->data, cap);
  if (!p) return cut(b);
  b->data = p, b->cap = cap;
  return true;
}

void ik_buf_write(ik_buf *b, const void *bytes, size_t len) {
  if (!reserve(b, len)) return;
  if (len) memcpy(b->data + b->len, bytes, len);
  b->len += len;
  b->data[b->len] = 0;
}

void ik_buf_puts(ik_buf *b, const char *s) { ik_buf_write(b, s, strlen(s)); }
void ik_buf_putc(ik_buf *b, char c) { ik_buf_write(b, &c, 1); }
void ik_buf_pad(ik_buf *b, char c, int count) {
  while (count-- > 0) ik_buf_putc(b, c);
}

void ik_buf_vprintf(ik_buf *b, const char *fmt, va_list ap) {
  va_list again;
  va_copy(again, ap);
  int n = ik_vformat(NULL, 0, fmt, again);
  va_end(again);
  if (n < 0) cut(b); /* the C library, too, needs memory for some numbers */
  if (n < 0 || !reserve(b, (size_t)n)) return;
  ik_vformat(b->data + b->len, (size_t)n + 1, fmt, ap);
  b->len += (size_t)n;
}

void ik_buf_printf(ik_buf *b, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  ik_buf_vprintf(b, fmt, ap);
  va_end(ap);
}

const char *ik_buf_text(const ik_buf *b) { return b->data ? b->data : ""; }

void ik_buf_double(ik_buf *b, double v) {
  char s[40];
  if (isnan(v)) {
    ik_buf_puts(b, "nan");
    return;
  }
  if (isinf(v)) {
    ik_buf_puts(b, v > 0 ? "inf" : "-inf");
    return;
  }
  /* %g would write 100 as 1e+02. */
  if (v == trunc(v) && fabs(v) < 1e15) {
    ik_buf_printf(b, "%.0f", v);
    return;
  }
  for (int digits = 1; digits <= 17; digits++) {
    ik_format(s, sizeof s, "%.*g", digits, v);
    if (ik_strtod(s, NULL) == v) break;
  }
  ik_buf_puts(b, s);
}

void ik_buf_scaled(ik_buf *b, double v) {
  static const char *const prefix[] = {"", "k", "M", "G", "T", "P", "E"};
  int                      p = 0;
  while (v >= 999.5 && p < 6) v /= 1000, p++;
  ik_buf_printf(b, "%.3g %s", v, prefix[p]);
}
