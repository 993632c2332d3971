#include "io/file.h"
#include "apps/probe/probe.h"
#include <math.h>
#include <string.h>

#define SOURCE "ikat machine probe"

/* Four digits are more than the spread allows. */
static double four_digits(double v) {
  if (!(fabs(v) > 0) || !isfinite(v)) return v;
  double up = pow(10, fabs(3 - floor(log10(fabs(v)))));
  return fabs(v) < 1000 ? round(v * up) / up : round(v / up) * up;
}

static void put_number(ik_buf *out, double v) { ik_buf_double(out, four_digits(v)); }

/* A text may hold anything but quotes and the end of the line. */
static void put_text(ik_buf *out, const char *key, const char *text) {
  ik_buf_printf(out, "%s = \"", key);
  for (; *text; text++) ik_buf_putc(out, *text == '"' || *text == '\n' ? '\'' : *text);
  ik_buf_puts(out, "\"\n");
}

static void put_figure(ik_buf *out, const ik_probe_figure *f) {
  ik_buf_printf(out, "%s = ", f->key);
  put_number(out, f->value);
  ik_buf_printf(out, "%s%s source M \"" SOURCE "\" # %s", f->unit[0] ? " " : "", f->unit, f->what);
  if (f->n) {
    ik_buf_printf(out, "; %d rounds, the middle half from ", f->n);
    put_number(out, f->low);
    ik_buf_puts(out, " to ");
    put_number(out, f->high);
  }
  ik_buf_putc(out, '\n');
}

/* ik_machine_find() compares the title and whatever begins with "cpu.". */
static void put_signature(ik_buf *out, const ik_machine *m) {
  static const char *const counts[] = {"cpu.cores", "cpu.threads", "cpu.usable"};
  const char              *title = ik_machine_text(m, "title");
  double                   v;
  put_text(out, "title", title ? title : "this machine");
  put_text(out, "kind", "cpu");
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
    if (ik_machine_number(m, counts[i], "", &v))
      ik_buf_printf(out, "%s = %.0f source M \"" SOURCE "\"\n", counts[i], v);
}

void ik_probe_write(const ik_probe_result *r, const ik_machine *m, int threads, ik_buf *out) {
  ik_buf_puts(out, "# Written by `ikat machine probe`, and of no use on another machine.\n\n");
  put_signature(out, m);
  ik_buf_printf(out,
                "probe.threads = %d source M \"" SOURCE "\" # unless a figure is .one, .2, ...\n\n",
                threads);
  for (int i = 0; i < r->n; i++) put_figure(out, &r->figure[i]);
}

/* What `ikat bench model --fit` took most of an hour for. */
static void add_fitted(const char *path, ik_buf *text) {
  enum { LIMIT = 1 << 20 };
  ik_diag none = {0};
  ik_buf  before = {0};
  if (!ik_file_read(path, LIMIT, IK_NOSPAN, &before, &none))
    ik_machine_lines(ik_buf_text(&before), true, text);
  ik_diag_free(&none), ik_buf_free(&before);
}

ik_status ik_probe_keep(const char *path, ik_buf *text, ik_diag *d) {
  ik_buf      folder = {0};
  const char *slash = strrchr(path, '/');
  ik_buf_write(&folder, slash ? path : ".", slash ? (size_t)(slash - path) + (slash == path) : 1);
  add_fitted(path, text);
  ik_status st = text->failed || folder.failed ? ik_file_oom(path, IK_NOSPAN, d)
                                               : ik_file_make_folder(ik_buf_text(&folder), 0700, d);
  if (!st) st = ik_file_write(path, text->data, text->len, d);
  ik_buf_free(&folder);
  return st;
}
