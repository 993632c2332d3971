#include "report/xml.h"
#include <string.h>

static bool in_order(uint32_t code, int more) { /* not longer than it must be, and a character */
  static const uint32_t least[] = {0, 0x80, 0x800, 0x10000};
  return code >= least[more] && code <= 0x10FFFF && (code < 0xD800 || code > 0xDFFF);
}

uint32_t ik_utf8_next(const char **text) {
  const unsigned char *p = (const unsigned char *)*text;
  int                  more = *p < 0x80             ? 0
                              : (*p & 0xE0) == 0xC0 ? 1
                              : (*p & 0xF0) == 0xE0 ? 2
                              : (*p & 0xF8) == 0xF0 ? 3
                                                    : -1;
  *text += 1;
  if (more < 0) return 0xFFFD;
  uint32_t code = more ? *p & (0x3Fu >> more) : *p;
  for (int i = 1; i <= more; i++) {
    if ((p[i] & 0xC0) != 0x80) return 0xFFFD;
    code = code << 6 | (p[i] & 0x3Fu);
  }
  if (!in_order(code, more)) return 0xFFFD;
  *text += more;
  return code;
}

static const char *escape_of(uint32_t code) {
  switch (code) {
  case '&': return "&amp;";
  case '<': return "&lt;";
  case '>': return "&gt;";
  case '"': return "&quot;";
  case '\'': return "&#39;";
  case 0xFFFD: return "\xEF\xBF\xBD";
  default:
    return (code < 32 && code != '\t' && code != '\n') || code == 127 ? "\xEF\xBF\xBD" : NULL;
  }
}

void ik_xml_text(ik_buf *b, const char *text) {
  if (!text) return;
  while (*text) {
    const char *from = text, *escape = escape_of(ik_utf8_next(&text));
    if (escape)
      ik_buf_puts(b, escape);
    else
      ik_buf_write(b, from, (size_t)(text - from));
  }
}

void ik_xml_base64(ik_buf *b, const void *bytes, size_t len) {
  static const char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const uint8_t    *p = bytes;
  for (size_t i = 0; i < len; i += 3) {
    size_t   n = len - i < 3 ? len - i : 3;
    uint32_t v =
        (uint32_t)p[i] << 16 | (n > 1 ? (uint32_t)p[i + 1] << 8 : 0) | (n > 2 ? p[i + 2] : 0);
    char out[4] = {digit[v >> 18], digit[v >> 12 & 63], n > 1 ? digit[v >> 6 & 63] : '=',
                   n > 2 ? digit[v & 63] : '='};
    ik_buf_write(b, out, 4);
  }
}
