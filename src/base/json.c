#include "base/json.h"
#include <math.h>
#include <string.h>

static void quoted(ik_buf *b, const char *s) {
  ik_buf_putc(b, '"');
  for (; *s; s++) {
    unsigned char c = (unsigned char)*s;
    if (c == '"' || c == '\\')
      ik_buf_printf(b, "\\%c", c);
    else if (c == '\n')
      ik_buf_puts(b, "\\n");
    else if (c < 0x20)
      ik_buf_printf(b, "\\u%04x", c);
    else
      ik_buf_putc(b, (char)c);
  }
  ik_buf_putc(b, '"');
}

static void begin(ik_json *j, const char *key) {
  if (j->comma) ik_buf_puts(j->out, ", ");
  j->comma = true;
  if (!key) return;
  quoted(j->out, key);
  ik_buf_puts(j->out, ": ");
}

void ik_json_open(ik_json *j, const char *key, char bracket) {
  begin(j, key);
  ik_buf_putc(j->out, bracket);
  j->comma = false;
}

void ik_json_close(ik_json *j, char bracket) {
  ik_buf_putc(j->out, bracket);
  j->comma = true;
}

void ik_json_str(ik_json *j, const char *key, const char *v) {
  begin(j, key);
  if (v)
    quoted(j->out, v);
  else
    ik_buf_puts(j->out, "null");
}

void ik_json_int(ik_json *j, const char *key, long long v) {
  begin(j, key);
  ik_buf_printf(j->out, "%lld", v);
}

void ik_json_num(ik_json *j, const char *key, double v) {
  begin(j, key);
  if (isfinite(v))
    ik_buf_double(j->out, v);
  else
    ik_buf_puts(j->out, "null");
}

void ik_json_bool(ik_json *j, const char *key, bool v) {
  begin(j, key);
  ik_buf_puts(j->out, v ? "true" : "false");
}

void ik_json_raw(ik_json *j, const char *key, const char *json) {
  begin(j, key);
  ik_buf_puts(j->out, json);
}
