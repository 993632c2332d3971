/* strbuf.h: a growing text.  Running out of memory sets `failed`, further writes do nothing, and
 * whoever uses the text asks once. */
#pragma once
#include <stdbool.h>
#include <stddef.h>

typedef struct strbuf {
  char  *data; /* always NUL-terminated when not NULL */
  size_t len, cap;
  bool   failed;
} strbuf;

void strbuf_write(strbuf *t, const char *bytes, size_t len);
void strbuf_puts(strbuf *t, const char *s);
void strbuf_putc(strbuf *t, char c);
void strbuf_printf(strbuf *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void strbuf_free(strbuf *t);

/* As far as it goes: false, with errno, when not all of it could be written. */
bool strbuf_save(int fd, const char *bytes, size_t len);
