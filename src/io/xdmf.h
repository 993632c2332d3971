/* xdmf.h: a short text (.xmf) beside an HDF5 file that tells ParaView and VisIt how its datasets
 * lie on a regular grid.  Grids of one and two axes lie in the x-y plane. */
#pragma once
#include "base/diag.h"
#include "io/array.h"

typedef struct ik_xdmf_grid {
  int     ndim; /* 1 to 3 */
  int64_t n[3]; /* axis 0 is contiguous, as in ik_array */
  double  origin[3], spacing[3];
  double  time;
} ik_xdmf_grid;

typedef struct ik_xdmf_field { /* lives on the full grid */
  const char *name;            /* of the dataset */
  ik_dtype    dtype;           /* of the array given to ik_hdf5_write() */
} ik_xdmf_field;

/* `h5` is the name of the HDF5 file as seen from the folder of `path`: "u.h5".  E064, E072. */
ik_status ik_xdmf_write(const char *path, const char *h5, const ik_xdmf_grid *grid,
                        const ik_xdmf_field *field, int nfield, ik_diag *d);
