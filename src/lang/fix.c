#include "lang/fix.h"
#include <string.h>

enum { LONGEST_LINE = 120 };

/* Bytes that would not survive a terminal and a paste. */
static bool is_plain(const char *s, int len) {
  for (int i = 0; i < len; i++)
    if (((unsigned char)s[i] < 0x20 && s[i] != '\t') || s[i] == 0x7f) return false;
  return true;
}

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

/* The line that holds `at`, without blanks at its ends; false if it is too long to show, or not
 * one line. */
static bool line_around(ik_span at, int *begin, int *end) {
  const char *s = at.src->text;
  int         n = (int)at.src->len, b = at.off, e = at.off + at.len;
  if (at.len > LONGEST_LINE || memchr(s + b, '\n', (size_t)at.len)) return false;
  while (b > 0 && s[b - 1] != '\n' && at.off - b <= LONGEST_LINE) b--;
  while (e < n && s[e] != '\n' && e - at.off <= LONGEST_LINE) e++;
  while (b < at.off && is_blank(s[b])) b++;
  while (e > at.off + at.len && is_blank(s[e - 1])) e--;
  *begin = b, *end = e;
  return e - b <= LONGEST_LINE && is_plain(s + b, at.off - b) &&
         is_plain(s + at.off + at.len, e - at.off - at.len);
}

/* The piece alone, where its line cannot be shown. */
static void fix_piece(ik_diag *d, ik_span at, const char *with) {
  const char *piece = with;
  int         len = (int)strlen(with);
  while (*piece == ' ') piece++, len--;
  while (len && piece[len - 1] == ' ') len--;
  if (!len)
    ik_fix_add(d, at, with, "remove it");
  else
    ik_fix_add(d, at, with, "write  %.*s  %s", len, piece, at.len ? "instead" : "here");
}

void ik_lang_fix(ik_diag *d, ik_span at, const char *with) {
  int b, e;
  if (d->ndropped) return; /* nobody will see it */
  if (!line_around(at, &b, &e)) {
    fix_piece(d, at, with);
    return;
  }
  const char *s = at.src->text;
  int         left = at.off, right = at.off + at.len, len = (int)strlen(with);
  /* No second blank beside one that is there, none at the ends, no gap where something is taken
   * out. */
  if (*with == ' ' && (left == b || is_blank(s[left - 1]))) with++, len--;
  while (len && with[len - 1] == ' ' && (right == e || is_blank(s[right]))) len--;
  while (!len && right < e && is_blank(s[right])) right++;
  while (!len && right == e && left > b && is_blank(s[left - 1])) left--;
  ik_span cut = {at.src, left, right - left};
  ik_buf  put = {0};
  ik_buf_write(&put, with, (size_t)len);
  if (left - b + len + e - right == 0)
    ik_fix_add(d, cut, ik_buf_text(&put), "remove it");
  else
    ik_fix_add(d, cut, ik_buf_text(&put), "write  %.*s%.*s%.*s", left - b, s + b, len, with,
               e - right, s + right);
  ik_buf_free(&put);
}

void ik_lang_fix_around(ik_diag *d, ik_span at, const char *before, const char *behind) {
  enum { LONGEST = 80 };
  if (at.len > LONGEST || !at.src) return;
  ik_buf with = {0};
  ik_buf_printf(&with, "%s%.*s%s", before, at.len, at.src->text + at.off, behind);
  ik_lang_fix(d, at, ik_buf_text(&with));
  ik_buf_free(&with);
}

static void fix_line(ik_diag *d, ik_span at, const char *say, const char *line) {
  ik_buf with = {0};
  ik_buf_printf(&with, "%s\n", line);
  ik_fix_add(d, at, ik_buf_text(&with), "%s  %s", say, line);
  ik_buf_free(&with);
}

void ik_lang_fix_line(ik_diag *d, const ik_source *src, const char *say, const char *line) {
  bool mark = src->len >= 3 && memcmp(src->text, "\xef\xbb\xbf", 3) == 0; /* byte order mark */
  fix_line(d, (ik_span){src, mark ? 3 : 0, 0}, say, line);
}

void ik_lang_fix_line_before(ik_diag *d, ik_span at, const char *say, const char *line) {
  if (!at.src) return;
  int b = at.off;
  while (b > 0 && at.src->text[b - 1] != '\n') b--;
  fix_line(d, (ik_span){at.src, b, 0}, say, line);
}

void ik_lang_fix_behind(ik_diag *d, ik_span at, const char *say, const char *text) {
  ik_buf with = {0};
  ik_buf_printf(&with, " %s", text);
  ik_fix_add(d, (ik_span){at.src, at.off + at.len, 0}, ik_buf_text(&with), "%s  %s", say, text);
  ik_buf_free(&with);
}
