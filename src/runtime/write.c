#include "runtime/write.h"
#include "base/mem.h"
#include "io/file.h"
#include "io/hdf5.h"
#include "io/io.h"
#include "io/npy.h"
#include "io/xdmf.h"
#include "runtime/load.h"
#include <string.h>

static bool on_whole_grid(const ik_ir *ir, const ik_field *f) {
  for (int d = 0; d < ir->ndim; d++)
    if (!f->on[d] || f->box.hi[d] != ir->n[d]) return false;
  return true;
}

static const char *base_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

static const char *extension(const char *path) {
  const char *dot = strrchr(base_name(path), '.');
  return dot ? dot : path + strlen(path);
}

/* The text beside "u.h5": "u.xmf". */
static void put_xmf(const char *path, ik_buf *out) {
  ik_buf_write(out, path, (size_t)(extension(path) - path));
  ik_buf_puts(out, ".xmf");
}

/* "u", or "u[t-1]". */
static void put_label(const ik_ir *ir, int field, int level, ik_buf *b) {
  ik_buf_puts(b, ir->field[field].name);
  if (level) ik_buf_printf(b, "[t%d]", level);
}

/* ---- what ParaView reads ---- */

static double time_at(const ik_ir *ir, int64_t step) {
  return (double)step * (ir->dt > 0 ? ir->dt : 1);
}

static void put_moment(const ik_state *s, const char *path, int64_t step, bool numbered,
                       const ik_xdmf_field *f, int n, ik_buf *text) {
  const ik_ir *ir = s->ir;
  ik_xdmf_grid g = {.ndim = ir->ndim};
  ik_buf       name = {0};
  for (int k = 0; k < IK_MAX_DIM; k++) g.n[k] = ir->n[k], g.spacing[k] = ir->spacing[k];
  if (numbered)
    ik_write_numbered(base_name(path), step, &name);
  else
    ik_buf_puts(&name, base_name(path));
  ik_xdmf_moment m = {ik_buf_text(&name), time_at(ir, step)};
  ik_xdmf_add(text, &m, &g, f, n);
  text->failed |= name.failed;
  ik_buf_free(&name);
}

static void put_moments(const ik_state *s, int level, const char *path, const ik_series *series,
                        const ik_xdmf_field *f, int n, ik_buf *text) {
  ik_xdmf_begin(text, series != NULL);
  if (!series) put_moment(s, path, s->t + level, false, f, n, text);
  for (int64_t k = 1; series && k <= series->count; k++)
    put_moment(s, path, k * series->every, true, f, n, text);
  ik_xdmf_end(text, series != NULL);
}

ik_status ik_write_xdmf(const ik_state *s, const ik_fields *w, const char *path,
                        const ik_series *series, ik_buf *xmf, ik_diag *d) {
  ik_xdmf_field *f = ik_calloc((size_t)w->n, sizeof *f);
  ik_buf         label = {0}, text = {0};
  ik_status      st = IK_OK;
  int            n = 0;
  put_label(s->ir, w->field[0], w->level, &label);
  for (int i = 0; f && i < w->n; i++) {
    const ik_field *field = &s->ir->field[w->field[i]];
    if (on_whole_grid(s->ir, field))
      f[n++] =
          (ik_xdmf_field){w->level ? ik_buf_text(&label) : field->name, ik_load_dtype(field->type)};
  }
  if (n) {
    put_moments(s, w->level, path, series, f, n, &text);
    put_xmf(path, xmf);
  }
  if (!f || label.failed || text.failed || xmf->failed)
    st = ik_fail(d, IK_ERR_RESOURCE, IK_E072, IK_NOSPAN, "no memory to write %s", path);
  else if (n)
    st = ik_file_write(ik_buf_text(xmf), text.data, text.len, d);
  ik_buf_free(&label), ik_buf_free(&text);
  ik_free(f);
  return st;
}

/* ---- values ---- */

static ik_status write_hdf5(const ik_state *s, const ik_fields *w, const char *path, ik_span at,
                            ik_diag *d) {
  const ik_ir  *ir = s->ir;
  ik_hdf5_item *item = ik_calloc((size_t)w->n, sizeof *item);
  ik_array     *array = ik_calloc((size_t)w->n, sizeof *array);
  ik_hdf5_attr  attr[] = {{"program", ir->name, 0}, {"steps", NULL, (double)s->t}};
  ik_buf        label = {0};
  put_label(ir, w->field[0], w->level, &label);
  bool ok = item && array && !label.failed;
  for (int i = 0; ok && i < w->n; i++) {
    array[i] = ik_load_view(s, w->field[i], w->level);
    item[i].name = w->level ? ik_buf_text(&label) : ir->field[w->field[i]].name;
    item[i].array = &array[i];
  }
  ik_status st = ok ? ik_hdf5_write(path, item, w->n, attr, 2, at, d)
                    : ik_fail(d, IK_ERR_RESOURCE, IK_E072, at, "no memory to write %s", path);
  ik_buf_free(&label);
  ik_free(item), ik_free(array);
  return st;
}

ik_status ik_write_fields(const ik_state *s, const ik_fields *w, const char *path, ik_span at,
                          ik_diag *d) {
  ik_array a = ik_load_view(s, w->field[0], w->level);
  switch (ik_io_format_of(path)) {
  case IK_IO_HDF5: return write_hdf5(s, w, path, at, d);
  case IK_IO_NPY: return ik_npy_write(path, &a, at, d);
  case IK_IO_RAW: return ik_raw_write(path, &a, at, d);
  default:
    return ik_fail(d, IK_ERR_SOURCE, IK_E065, at, "'%s': fields are written as .npy, .h5 or .raw",
                   path);
  }
}

void ik_write_numbered(const char *path, int64_t step, ik_buf *out) {
  const char *dot = extension(path);
  ik_buf_write(out, path, (size_t)(dot - path));
  ik_buf_printf(out, "_%06lld%s", (long long)step, dot);
}

void ik_write_in(const char *directory, const char *path, ik_buf *out) {
  if (directory && path[0] != '/') ik_buf_printf(out, "%s/", directory);
  ik_buf_puts(out, path);
}

/* ---- before the run ---- */

typedef struct target { /* of a line of the program: receivers first, then outputs */
  const char *path;
  bool        numbered;
  ik_span     at;
} target;

static target target_of(const ik_ir *ir, int i) {
  if (i < ir->nrecord) return (target){ir->record[i].path, false, ir->record[i].span};
  const ik_output *o = &ir->output[i - ir->nrecord];
  return (target){o->path, o->every > 0, o->span};
}

static ik_status check_only_one(const ik_ir *ir, int i, ik_diag *d) {
  target t = target_of(ir, i);
  for (int k = 0; k < i; k++) {
    target before = target_of(ir, k);
    if (strcmp(before.path, t.path)) continue;
    if (before.numbered != t.numbered && ik_io_format_of(t.path) != IK_IO_HDF5) continue;
    ik_error(d, IK_E064, t.at, "'%s' would be written twice", t.path);
    ik_note_add(d, before.at, "by this line, too");
    ik_help(d, "give each line a file of its own");
    return IK_ERR_SOURCE;
  }
  return IK_OK;
}

ik_status ik_write_possible(const char *path, ik_span at, ik_diag *d) {
  ik_buf xmf = {0};
  IK_TRY(ik_io_usable(path, true, at, d));
  IK_TRY(ik_file_writable(path, at, d));
  if (ik_io_format_of(path) != IK_IO_HDF5) return IK_OK;
  put_xmf(path, &xmf);
  ik_status st = xmf.failed ? ik_file_oom(path, at, d) : ik_file_writable(ik_buf_text(&xmf), at, d);
  ik_buf_free(&xmf);
  return st;
}

ik_status ik_write_check(const ik_ir *ir, const char *directory, ik_diag *d) {
  for (int i = 0; i < ir->nrecord + ir->noutput; i++) {
    target t = target_of(ir, i);
    ik_buf path = {0};
    IK_TRY(check_only_one(ir, i, d));
    ik_write_in(directory, t.path, &path);
    ik_status st =
        path.failed ? ik_file_oom(t.path, t.at, d) : ik_write_possible(ik_buf_text(&path), t.at, d);
    ik_buf_free(&path);
    IK_TRY(st);
  }
  return IK_OK;
}
