/* decode.h: the numbers of a file, of whatever width and byte order, become an ik_array. */
#pragma once
#include "base/diag.h"
#include "io/array.h"

typedef struct ik_encoding {
  char    kind;    /* 'f' IEEE, 'b' bfloat, 'i' signed, 'u' unsigned */
  int     bytes;   /* of one number: f 2 4 8, b 2, i and u 1 2 4 8 */
  bool    big;     /* big-endian */
  bool    fortran; /* the slowest axis of the array is contiguous in the file */
  int     ndim;
  int64_t n[IK_ARRAY_DIMS]; /* n[0] is the fastest axis of the array */
} ik_encoding;

ik_encoding ik_encoding_of(ik_dtype t, int ndim, const int64_t *n); /* as this machine holds it */

/* Turns `file` from byte `off` to its end into `out`; `path` is for messages.  Floats keep their
 * width, integers become i32.  E063 when the length does not match or an integer does not fit.
 * May take over the memory of `file`. */
ik_status ik_decode(const ik_encoding *l, ik_buf *file, size_t off, const char *path, ik_span at,
                    ik_array *out, ik_diag *d);
