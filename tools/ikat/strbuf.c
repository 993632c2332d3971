#include "strbuf.h"
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool reserve(strbuf *t, size_t more) {
  size_t need = t->len + more + 1, cap = t->cap ? t->cap : 256;
  if (t->failed || need <= t->cap) return !t->failed;
  while (cap < need) cap *= 2;
  char *p = realloc(t->data, cap);
  if (!p) return t->failed = true, false;
  t->data = p, t->cap = cap;
  return true;
}

void strbuf_write(strbuf *t, const char *bytes, size_t len) {
  if (!reserve(t, len)) return;
  memcpy(t->data + t->len, bytes, len);
  t->data[t->len += len] = 0;
}

void strbuf_puts(strbuf *t, const char *s) { strbuf_write(t, s, strlen(s)); }
void strbuf_putc(strbuf *t, char c) { strbuf_write(t, &c, 1); }

void strbuf_printf(strbuf *t, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  int n = vsnprintf(NULL, 0, fmt, ap);
  va_end(ap);
  if (n < 0) t->failed = true;
  if (n < 0 || !reserve(t, (size_t)n)) return;
  va_start(ap, fmt);
  vsnprintf(t->data + t->len, (size_t)n + 1, fmt, ap);
  va_end(ap);
  t->len += (size_t)n;
}

void strbuf_free(strbuf *t) {
  free(t->data);
  *t = (strbuf){0};
}

bool strbuf_save(int fd, const char *bytes, size_t len) {
  while (len) {
    ssize_t n = write(fd, bytes, len);
    if (n < 0 && errno != EINTR) return false;
    if (n > 0) bytes += n, len -= (size_t)n;
  }
  return true;
}
