/* buf.h: a growing piece of text or bytes.  Running out of memory sets `failed`, further writes do
 * nothing, and whoever uses the result checks once. */
#pragma once
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct ik_buf {
  char  *data; /* always NUL-terminated when not NULL */
  size_t len, cap;
  bool   failed;
} ik_buf;

void        ik_buf_free(ik_buf *b);
void        ik_buf_write(ik_buf *b, const void *bytes, size_t len);
void        ik_buf_puts(ik_buf *b, const char *s);
void        ik_buf_putc(ik_buf *b, char c);
void        ik_buf_printf(ik_buf *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void        ik_buf_vprintf(ik_buf *b, const char *fmt, va_list ap);
void        ik_buf_pad(ik_buf *b, char c, int count);
const char *ik_buf_text(const ik_buf *b); /* "" when empty */

/* How many buffers of this thread have failed: words of theirs may be missing elsewhere. */
long ik_buf_cuts(void);

/* Appends `v` with as few digits as read back to the same double ("0.1", "1e+30", "nan"). */
void ik_buf_double(ik_buf *b, double v);
/* Three digits and a prefix, for a unit that follows: "2.55 G". */
void ik_buf_scaled(ik_buf *b, double v);
