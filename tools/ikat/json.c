#include "json.h"
#include <string.h>

/* Bytes of the well-formed UTF-8 character at s, or 0. */
static int utf8_length(const unsigned char *s) {
  static const unsigned least[] = {0, 0, 0x80, 0x800, 0x10000};
  int      n = *s < 0x80 ? 1 : *s >> 5 == 6 ? 2 : *s >> 4 == 14 ? 3 : *s >> 3 == 30 ? 4 : 0;
  unsigned v = n > 1 ? *s & (0x7fu >> n) : *s;
  for (int i = 1; i < n; i++) {
    if (s[i] >> 6 != 2) return 0;
    v = v << 6 | (s[i] & 0x3f);
  }
  return v < least[n] || v > 0x10ffff || v >> 11 == 0x1b ? 0 : n;
}

static void quote(json *j, const char *text) {
  const unsigned char *s = (const unsigned char *)text;
  strbuf_putc(&j->out, '"');
  while (*s) {
    int n = utf8_length(s);
    if (*s == '"' || *s == '\\')
      strbuf_printf(&j->out, "\\%c", *s);
    else if (*s == '\n')
      strbuf_puts(&j->out, "\\n");
    else if (*s < 0x20 || *s == 0x7f)
      strbuf_printf(&j->out, "\\u%04x", *s);
    else if (n)
      strbuf_write(&j->out, (const char *)s, (size_t)n);
    else
      strbuf_puts(&j->out, "\\ufffd"); /* file names may be any bytes */
    s += n ? n : 1;
  }
  strbuf_putc(&j->out, '"');
}

static void begin(json *j, const char *key) {
  if (j->comma) strbuf_puts(&j->out, ", ");
  j->comma = true;
  if (!key) return;
  quote(j, key);
  strbuf_puts(&j->out, ": ");
}

void json_open(json *j, const char *key, char bracket) {
  begin(j, key);
  strbuf_putc(&j->out, bracket);
  j->comma = false;
}

void json_close(json *j, char bracket) {
  strbuf_putc(&j->out, bracket);
  j->comma = true;
}

void json_string(json *j, const char *key, const char *text) {
  begin(j, key);
  if (text)
    quote(j, text);
  else
    strbuf_puts(&j->out, "null");
}

void json_bool(json *j, const char *key, bool v) { json_raw(j, key, v ? "true" : "false"); }

void json_raw(json *j, const char *key, const char *value) {
  begin(j, key);
  strbuf_puts(&j->out, *value ? value : "null");
}

void json_members(json *j, const char *object) {
  const char *first = object + strspn(object, " \n"), *end = object + strlen(object);
  while (end > first && strchr(" \n", end[-1])) end--;
  if (end - first <= 2) return; /* the brackets alone */
  begin(j, NULL);
  strbuf_write(&j->out, first + 1, (size_t)(end - first - 2));
}
