/* npz.h: NumPy's .npz files, as savez() and savez_compressed() write them: a zip archive of .npy
 * files.  E062, E063, E072. */
#pragma once
#include "base/diag.h"
#include "io/array.h"

/* Reads the array `name` ("u", which is the member u.npy); NULL stands for the only one. */
ik_status ik_npz_read(const char *path, const char *name, ik_span at, ik_array *out, ik_diag *d);
