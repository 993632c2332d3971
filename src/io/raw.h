/* raw.h: numbers and nothing else, little-endian, n[0] fastest.  Type and shape are the caller's.
 */
#pragma once
#include "base/diag.h"
#include "io/array.h"
#include "io/file.h"

typedef struct ik_raw_form {
  ik_dtype dtype;
  int      ndim;
  int64_t  n[IK_ARRAY_DIMS];
} ik_raw_form;

/* The size must match exactly: E063 says the expected and the found bytes.  E062, E072. */
ik_status ik_raw_read(const char *path, const ik_raw_form *form, ik_span at, ik_array *out,
                      ik_diag *d);
/* The numbers alone, as part of a file. */
void      ik_raw_put(ik_outfile *o, const ik_array *a);
ik_status ik_raw_write(const char *path, const ik_array *a, ik_span at, ik_diag *d);
