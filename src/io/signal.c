#include "io/signal.h"
#include "base/mem.h"
#include "io/file.h"
#include "io/io.h"
#include "io/segy.h"
#include <math.h>

/* A signal of all numbers of `a`, or of each `step`-th from the one at `first` on. */
static ik_status take(const ik_array *a, int64_t first, int64_t step, int64_t n, const char *path,
                      ik_span at, ik_signal *out, ik_diag *d) {
  out->value = ik_calloc((size_t)n, sizeof *out->value);
  if (!out->value) return ik_file_oom(path, at, d);
  out->n = n;
  for (int64_t i = 0; i < n; i++) out->value[i] = ik_array_get(a, first + i * step);
  return IK_OK;
}

/* The interval of times that are evenly spaced; 0: they are not. */
static double interval_of(const ik_array *a) {
  int64_t n = a->n[1];
  double  first = ik_array_get(a, 0), last = ik_array_get(a, 2 * (n - 1));
  double  dt = (last - first) / (double)(n - 1);
  if (!(dt > 0) || !isfinite(dt)) return 0;
  for (int64_t i = 0; i < n; i++)
    if (fabs(ik_array_get(a, 2 * i) - (first + (double)i * dt)) > 0.01 * dt) return 0;
  return dt;
}

static ik_status from_pairs(const ik_array *a, const char *path, ik_span at, ik_signal *out,
                            ik_diag *d) {
  out->from_s = ik_array_get(a, 0);
  out->dt_s = a->n[1] > 1 ? interval_of(a) : 0;
  if (out->dt_s > 0) return take(a, 1, 2, a->n[1], path, at, out, d);
  ik_fail(d, IK_ERR_SOURCE, IK_E063, at, "'%s': the times do not increase in equal steps", path);
  ik_help(d, "resample it, or write the values alone, one per line, and give dt");
  return IK_ERR_SOURCE;
}

static ik_status from_text(const ik_array *a, const char *path, ik_span at, ik_signal *out,
                           ik_diag *d) {
  if (a->ndim == 1) return take(a, 0, 1, a->n[0], path, at, out, d);
  if (a->n[0] == 2) return from_pairs(a, path, at, out, d);
  ik_fail(d, IK_ERR_SOURCE, IK_E063, at, "'%s' has %lld numbers in a line", path,
          (long long)a->n[0]);
  ik_help(d, "write one value per line, or a time and a value");
  return IK_ERR_SOURCE;
}

ik_status ik_signal_read(const char *path, ik_span at, ik_signal *out, ik_diag *d) {
  ik_io_format f = ik_io_format_of(path);
  ik_array     a = {0};
  *out = (ik_signal){0};
  IK_TRY(f == IK_IO_SEGY ? ik_segy_read(path, at, &a, &out->dt_s, d)
                         : ik_io_read_array(path, NULL, NULL, at, &a, d));
  ik_status st = f == IK_IO_TEXT   ? from_text(&a, path, at, out, d)
                 : f == IK_IO_SEGY ? take(&a, 0, 1, a.n[0], path, at, out, d)
                                   : take(&a, 0, 1, ik_array_count(&a), path, at, out, d);
  ik_array_free(&a);
  return st;
}
