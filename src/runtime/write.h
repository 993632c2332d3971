/* write.h: fields to files. */
#pragma once
#include "ir/state.h"

/* Some fields, current values, to .npy or .raw (one field) or .h5 with .xmf beside it (any).
 * E064, E065. */
ik_status ik_write_fields(const ik_state *s, const int *field, int nfield, const char *path,
                          ik_span at, ik_diag *d);

/* E064 for a receiver or output of the program that cannot be written, as far as that can be known
 * before the run, or that another one would overwrite. */
ik_status ik_write_check(const ik_ir *ir, const char *directory, ik_diag *d);

/* "u.npy" after 100 steps: "u_000100.npy". */
void ik_write_numbered(const char *path, int64_t step, ik_buf *out);
/* A path of the program, seen from `directory` (NULL: as it is). */
void ik_write_in(const char *directory, const char *path, ik_buf *out);
