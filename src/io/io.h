/* io.h: which format a file has, by its extension, and arrays out of any of them. */
#pragma once
#include "base/diag.h"
#include "io/array.h"
#include "io/raw.h"

typedef enum ik_io_format {
  IK_IO_UNKNOWN,
  IK_IO_NPY,  /* .npy */
  IK_IO_NPZ,  /* .npz: read only */
  IK_IO_TEXT, /* .txt .dat .csv: read only */
  IK_IO_RAW,  /* .raw .bin */
  IK_IO_HDF5, /* .h5 .hdf5 */
  IK_IO_SEGY, /* .segy .sgy */
  IK_IO_PNG,  /* .png: written only */
  IK_IO_GIF,  /* .gif: written only */
} ik_io_format;

ik_io_format ik_io_format_of(const char *path); /* case does not matter */

/* E065 if the library that the format of a file needs is not here, or if it is a raw file without a
 * type. */
ik_status ik_io_usable(const char *path, bool typed, ik_span at, ik_diag *d);

/* Reads the initial values of a field.  `dataset` is for HDF5 and .npz (NULL: the only one), `raw`
 * for raw files, which cannot be read without it (E065); the others ignore them. */
ik_status ik_io_read_array(const char *path, const char *dataset, const ik_raw_form *raw,
                           ik_span at, ik_array *out, ik_diag *d);
