#include "shrink.h"
#include "check.h"
#include <string.h>

/* Tries the text without lines [at, at + n) of it; true, and the text is shorter, if it still
 * fails. */
static bool without_lines(ik_buf *text, int at, int n, bool (*fails)(const char *, void *),
                          void *ctx) {
  ik_buf      less = {0};
  const char *p = ik_buf_text(text);
  for (int line = 0; *p; line++) {
    size_t len = strcspn(p, "\n") + 1;
    if (line < at || line >= at + n) ik_buf_write(&less, p, len);
    p += len;
  }
  bool worse = less.len < text->len && fails(ik_buf_text(&less), ctx);
  if (worse) {
    ik_buf swap = *text;
    *text = less, less = swap;
  }
  ik_buf_free(&less);
  return worse;
}

void shrink(ik_buf *text, bool (*fails)(const char *text, void *ctx), void *ctx) {
  if (check_only_asks()) return;
  for (bool again = true; again;) {
    again = false;
    for (int n = 8; n > 0; n--)
      for (int at = 0; at < 80; at++)
        while (without_lines(text, at, n, fails, ctx)) again = true;
  }
}
