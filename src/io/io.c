#include "io/io.h"
#include "io/hdf5.h"
#include "io/columns.h"
#include "io/npy.h"
#include "io/npz.h"
#include "io/segy.h"
#include <string.h>
#include <strings.h>

static const struct {
  const char  *extension;
  ik_io_format format;
} extensions[] = {
    /* what can be read */
    {".npy", IK_IO_NPY},
    {".npz", IK_IO_NPZ},
    {".raw", IK_IO_RAW},
    {".bin", IK_IO_RAW},
    {".h5", IK_IO_HDF5},
    {".hdf5", IK_IO_HDF5},
    {".segy", IK_IO_SEGY},
    {".sgy", IK_IO_SEGY},
    {".txt", IK_IO_TEXT},
    {".dat", IK_IO_TEXT},
    {".csv", IK_IO_TEXT},
    /* what cannot */
    {".png", IK_IO_PNG},
    {".gif", IK_IO_GIF},
};
enum { NEXTENSIONS = sizeof extensions / sizeof *extensions };

ik_io_format ik_io_format_of(const char *path) {
  const char *name = strrchr(path, '/'), *dot = strrchr(name ? name : path, '.');
  for (int i = 0; dot && i < NEXTENSIONS; i++)
    if (strcasecmp(dot, extensions[i].extension) == 0) return extensions[i].format;
  return IK_IO_UNKNOWN;
}

static ik_status unknown(const char *path, ik_span at, ik_diag *d) {
  ik_buf known = {0};
  for (int i = 0; extensions[i].format != IK_IO_PNG; i++)
    ik_buf_printf(&known, " %s", extensions[i].extension);
  ik_error(d, IK_E065, at, "unknown file format: '%s'", path);
  ik_help(d, "arrays are read from%s", ik_buf_text(&known));
  ik_buf_free(&known);
  return IK_ERR_SOURCE;
}

static ik_status no_form(const char *path, ik_span at, ik_diag *d) {
  ik_error(d, IK_E065, at, "'%s' is raw data, whose type must be given", path);
  ik_help(d, "give the type, as in  file(\"model.raw\", f32) , or convert it to .npy");
  return IK_ERR_SOURCE;
}

ik_status ik_io_usable(const char *path, bool typed, ik_span at, ik_diag *d) {
  ik_io_format f = ik_io_format_of(path);
  if (f == IK_IO_RAW && !typed) return no_form(path, at, d);
  return f == IK_IO_HDF5 ? ik_hdf5_need(path, at, d) : IK_OK;
}

ik_status ik_io_read_array(const char *path, const char *dataset, const ik_raw_form *raw,
                           ik_span at, ik_array *out, ik_diag *d) {
  double dt_s;
  *out = (ik_array){0};
  switch (ik_io_format_of(path)) {
  case IK_IO_NPY: return ik_npy_read(path, at, out, d);
  case IK_IO_NPZ: return ik_npz_read(path, dataset, at, out, d);
  case IK_IO_TEXT: return ik_columns_read(path, at, out, d);
  case IK_IO_RAW: return raw ? ik_raw_read(path, raw, at, out, d) : no_form(path, at, d);
  case IK_IO_HDF5: return ik_hdf5_read(path, dataset, at, out, d);
  case IK_IO_SEGY: return ik_segy_read(path, at, out, &dt_s, d);
  case IK_IO_GIF:
  case IK_IO_PNG: return ik_error(d, IK_E065, at, "'%s': pictures can be written, not read", path);
  case IK_IO_UNKNOWN: break;
  }
  return unknown(path, at, d);
}
