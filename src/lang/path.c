/* Names of files, with parameters in braces: "shot_{sx}.segy". */
#include "base/text.h"
#include "lang/fix.h"
#include "lang/lower.h"
#include <string.h>

/* In the unit of its declaration, as a bare number for it is read from outside. */
static double as_declared(const ik_lower *lo, const char *name, double v) {
  const ik_param *p = ik_ir_param(lo->ir, name);
  return ik_unit_value(p ? p->unit : NULL, v);
}

/* Where the n-th character of a string in quotes stands; `\"` and `\\` are two in the text. */
static ik_span place(ik_span quoted, int n) {
  int off = quoted.off + 1;
  while (n--) off += quoted.src->text[off] == '\\' ? 2 : 1;
  return (ik_span){quoted.src, off, 1};
}

static bool put_value(ik_lower *lo, const char *name, size_t len, ik_span at, ik_buf *out) {
  char   text[40];
  double v;
  ik_ast e = {.kind = IK_AST_NAME, .name = ik_arena_printf(lo->a, "%.*s", (int)len, name)};
  e.span = at, e.span.len = (int)len;
  if (!ik_express_constant(lo, &e, &v, NULL)) return false;
  ik_format(text, sizeof text, "%.12g", as_declared(lo, e.name, v));
  ik_buf_puts(out, text);
  return true;
}

static size_t name_length(const char *p) {
  return strspn(p, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");
}

static bool expand(ik_lower *lo, const char *text, ik_span at, ik_buf *out) {
  for (const char *p = text; *p; p++) {
    if (*p != '{' || p[1] == '{') {
      p += *p == '{';
      ik_buf_putc(out, *p);
      continue;
    }
    size_t  len = name_length(p + 1);
    ik_span here = place(at, (int)(p - text));
    if (!len || p[1 + len] != '}' || (p[1] >= '0' && p[1] <= '9')) {
      ik_error(lo->d, IK_E002, here, "expected the name of a parameter and '}' behind '{'");
      ik_lang_fix(lo->d, place(at, (int)(p + len - text)), ik_arena_printf(lo->a, "%c}", p[len]));
      ik_lang_fix(lo->d, here, "{{");
      return false;
    }
    here.off++;
    if (!put_value(lo, p + 1, len, here, out)) return false;
    p += 1 + len;
  }
  return true;
}

const char *ik_path(ik_lower *lo, const char *text, ik_span at) {
  ik_buf      b = {0};
  const char *path = NULL;
  if (!strchr(text, '{')) return text;
  if (expand(lo, text, at, &b) && !b.failed) path = ik_arena_printf(lo->a, "%s", ik_buf_text(&b));
  if (b.failed) ik_error(lo->d, IK_E072, at, "no memory for a name");
  ik_buf_free(&b);
  return path;
}

const char *ik_path_of(ik_lower *lo, const ik_ast *e) { return ik_path(lo, e->name, e->span); }
