#include "io/columns.h"
#include "base/mem.h"
#include "base/text.h"
#include "io/file.h"
#include <math.h>
#include <string.h>

typedef struct table {
  const char *path;
  ik_span     at;
  double     *value;
  int64_t     columns, rows, line, n, cap;
} table;

static bool is_between(char c) { return c && strchr(" \t\r,;", c); }

static ik_status wrong(const table *t, ik_diag *d, const char *what) {
  ik_fail(d, IK_ERR_SOURCE, IK_E063, t->at, "'%s', line %lld: %s", t->path, (long long)t->line,
          what);
  ik_help(d, "write numbers with a decimal point, the same count in each line; # starts a comment");
  return IK_ERR_SOURCE;
}

static ik_status push(table *t, double v, ik_diag *d) {
  if (t->n == t->cap) {
    t->cap = t->cap ? 2 * t->cap : 1024;
    double *more = ik_realloc(t->value, (size_t)t->cap * sizeof *more);
    if (!more) return ik_file_oom(t->path, t->at, d);
    t->value = more;
  }
  t->value[t->n++] = v;
  return IK_OK;
}

/* One number, which must be decimal and finite and end where numbers end. */
static ik_status read_number(table *t, const char **p, const char *end, ik_diag *d) {
  char  *stop;
  double v = ik_strtod(*p, &stop);
  size_t len = (size_t)(stop - *p);
  if (!len || stop > end || (stop < end && !is_between(*stop)) ||
      strspn(*p, "0123456789+-.eE") < len)
    return wrong(t, d, "expected a number");
  if (!isfinite(v)) return wrong(t, d, "a number is too large");
  *p = stop;
  return push(t, v, d);
}

static ik_status read_line(table *t, const char *p, const char *end, ik_diag *d) {
  int64_t before = t->n;
  t->line++;
  for (;;) {
    while (p < end && is_between(*p)) p++;
    if (p == end || *p == '#' || (*p == '%' && t->n == before)) break;
    IK_TRY(read_number(t, &p, end, d));
  }
  if (t->n == before) return IK_OK;
  if (t->rows++ == 0) t->columns = t->n - before;
  return t->n - before == t->columns
             ? IK_OK
             : wrong(t, d, "the count of numbers differs from the lines before");
}

static ik_status read_lines(table *t, const ik_buf *text, ik_diag *d) {
  const char *p = ik_buf_text(text), *end = p + text->len;
  while (p < end) {
    const char *stop = memchr(p, '\n', (size_t)(end - p));
    if (!stop) stop = end;
    IK_TRY(read_line(t, p, stop, d));
    p = stop + (stop < end);
  }
  return t->n ? IK_OK : ik_fail(d, IK_ERR_SOURCE, IK_E063, t->at, "'%s' holds no numbers", t->path);
}

ik_status ik_columns_read(const char *path, ik_span at, ik_array *out, ik_diag *d) {
  ik_buf text = {0};
  table  t = {.path = path, .at = at};
  *out = (ik_array){0};
  IK_TRY(ik_file_read(path, IK_FILE_MOST, at, &text, d));
  ik_status st = read_lines(&t, &text, d);
  ik_buf_free(&text);
  if (st) return ik_free(t.value), st;
  *out = (ik_array){.dtype = IK_DT_F64, .ndim = 2, .n = {t.columns, t.rows, 1, 1}, .data = t.value};
  if (t.columns == 1) out->ndim = 1, out->n[0] = t.rows, out->n[1] = 1;
  return IK_OK;
}
