/* npy.h: NumPy's .npy files, versions 1.0 to 3.0.
 *
 * The last axis of a NumPy array in C order is n[0] here.  Reads f2 f4 f8 and all integers in both
 * byte orders and in C or Fortran order (integers become i32); writes C order, little-endian, bf16
 * as f4, which is exact.
 */
#pragma once
#include "base/diag.h"
#include "io/array.h"

/* E062, E063 or E072.  `out` is the caller's to free; untouched memory (data NULL) on failure. */
ik_status ik_npy_read(const char *path, ik_span at, ik_array *out, ik_diag *d);
/* The same from bytes that are in memory already, which it may take over; `path` is for messages.
 */
ik_status ik_npy_decode(ik_buf *bytes, const char *path, ik_span at, ik_array *out, ik_diag *d);
ik_status ik_npy_write(const char *path, const ik_array *a, ik_span at, ik_diag *d);
