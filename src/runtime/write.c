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

/* ParaView's description, for the fields that live on the whole grid. */
static ik_status write_xdmf(const ik_state *s, const int *field, int nfield, const char *path,
                            ik_diag *d) {
  const ik_ir   *ir = s->ir;
  ik_xdmf_field *f = ik_calloc((size_t)nfield, sizeof *f);
  ik_xdmf_grid   g = {.ndim = ir->ndim, .time = (double)s->t * (ir->dt > 0 ? ir->dt : 1)};
  ik_buf         xmf = {0};
  int            n = 0;
  if (!f)
    return ik_fail(d, IK_ERR_RESOURCE, IK_E072, IK_NOSPAN, "not enough memory to write %s", path);
  for (int k = 0; k < IK_MAX_DIM; k++) g.n[k] = ir->n[k], g.spacing[k] = ir->spacing[k];
  for (int i = 0; i < nfield; i++)
    if (on_whole_grid(ir, &ir->field[field[i]]))
      f[n++] = (ik_xdmf_field){ir->field[field[i]].name, ik_load_dtype(ir->field[field[i]].type)};
  ik_buf_write(&xmf, path, (size_t)(extension(path) - path));
  ik_buf_puts(&xmf, ".xmf");
  ik_status st = n ? ik_xdmf_write(ik_buf_text(&xmf), base_name(path), &g, f, n, d) : IK_OK;
  ik_buf_free(&xmf);
  ik_free(f);
  return st;
}

static ik_status write_hdf5(const ik_state *s, const int *field, int nfield, const char *path,
                            ik_span at, ik_diag *d) {
  const ik_ir  *ir = s->ir;
  ik_hdf5_item *item = ik_calloc((size_t)nfield, sizeof *item);
  ik_array     *array = ik_calloc((size_t)nfield, sizeof *array);
  ik_hdf5_attr  attr[] = {{"program", ir->name, 0}, {"steps", NULL, (double)s->t}};
  bool          ok = item && array;
  ik_status     st = IK_OK;
  for (int i = 0; ok && i < nfield; i++) {
    array[i] = ik_load_view(s, field[i]);
    item[i] = (ik_hdf5_item){ir->field[field[i]].name, &array[i]};
  }
  if (!ok) st = ik_fail(d, IK_ERR_RESOURCE, IK_E072, at, "not enough memory to write %s", path);
  if (!st) st = ik_hdf5_write(path, item, nfield, attr, 2, at, d);
  if (!st) st = write_xdmf(s, field, nfield, path, d);
  ik_free(item), ik_free(array);
  return st;
}

ik_status ik_write_fields(const ik_state *s, const int *field, int nfield, const char *path,
                          ik_span at, ik_diag *d) {
  ik_array a = ik_load_view(s, field[0]);
  switch (ik_io_format_of(path)) {
  case IK_IO_HDF5: return write_hdf5(s, field, nfield, path, at, d);
  case IK_IO_NPY: return ik_npy_write(path, &a, at, d);
  case IK_IO_RAW: return ik_raw_write(path, &a, at, d);
  default: return ik_io_unknown(path, at, d);
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
    if (before.numbered != t.numbered || strcmp(before.path, t.path)) continue;
    ik_error(d, IK_E064, t.at, "'%s' would be written twice", t.path);
    ik_note_add(d, before.at, "by this line, too");
    ik_help(d, "give each line a file of its own");
    return IK_ERR_SOURCE;
  }
  return IK_OK;
}

ik_status ik_write_check(const ik_ir *ir, const char *directory, ik_diag *d) {
  for (int i = 0; i < ir->nrecord + ir->noutput; i++) {
    target t = target_of(ir, i);
    ik_buf path = {0};
    IK_TRY(check_only_one(ir, i, d));
    IK_TRY(ik_io_usable(t.path, true, t.at, d));
    ik_write_in(directory, t.path, &path);
    ik_status st =
        path.failed ? ik_file_oom(t.path, t.at, d) : ik_file_writable(ik_buf_text(&path), t.at, d);
    ik_buf_free(&path);
    IK_TRY(st);
  }
  return IK_OK;
}
