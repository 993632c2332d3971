/* hdf5.h: HDF5 files, through libhdf5 (1.10 or newer) where the machine has it.
 *
 * The library is loaded at the first call and stays; calls are serialised, because Debian's build
 * of it is not thread-safe.  Without it every call fails with E065 and the line that installs it.
 * The axis n[0] of an array is the last dimension of a dataset.
 */
#pragma once
#include "base/diag.h"
#include "io/array.h"

typedef struct ik_hdf5_item {
  const char     *name;
  const ik_array *array; /* f16 and bf16 are written as f32 */
} ik_hdf5_item;

typedef struct ik_hdf5_attr { /* of the file's root group */
  const char *name;
  const char *text; /* NULL: `number` holds the value */
  double      number;
} ik_hdf5_attr;

/* `*version` ("1.10.8") stays valid; `version` may be NULL. */
bool ik_hdf5_available(const char **version);

/* E065, for the sake of that file, if the library is not here. */
ik_status ik_hdf5_need(const char *path, ik_span at, ik_diag *d);

/* Writes the whole file or nothing; the same content gives the same bytes.  E064, E065, E072. */
ik_status ik_hdf5_write(const char *path, const ik_hdf5_item *item, int nitem,
                        const ik_hdf5_attr *attr, int nattr, ik_span at, ik_diag *d);

/* Reads `dataset` ("u", "/run/u"); NULL stands for the only object in the root group.  Integers
 * become i32 (E063 where one does not fit), floats f32 or f64.  E062, E063, E065, E072. */
ik_status ik_hdf5_read(const char *path, const char *dataset, ik_span at, ik_array *out,
                       ik_diag *d);
