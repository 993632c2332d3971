/* xdmf.h: a short text (.xmf) beside an HDF5 file that tells ParaView and VisIt how its datasets
 * lie on a regular grid.  Grids of one and two axes lie in the x-y plane. */
#pragma once
#include "base/buf.h"
#include "io/array.h"

typedef struct ik_xdmf_grid {
  int     ndim; /* 1 to 3 */
  int64_t n[3]; /* axis 0 is contiguous, as in ik_array */
  double  origin[3], spacing[3];
} ik_xdmf_grid;

typedef struct ik_xdmf_field { /* lives on the full grid */
  const char *name;            /* of the dataset */
  ik_dtype    dtype;           /* of the array given to ik_hdf5_write() */
} ik_xdmf_field;

typedef struct ik_xdmf_moment {
  const char *h5; /* the HDF5 file as seen from the folder of the text: "u.h5" */
  double      time;
} ik_xdmf_moment;

/* The text as it grows: each moment is a grid of its own; those of a series go between the two ends
 * of a collection, which a reader shows as one set of data over time. */
void ik_xdmf_begin(ik_buf *b, bool series);
void ik_xdmf_add(ik_buf *b, const ik_xdmf_moment *m, const ik_xdmf_grid *grid,
                 const ik_xdmf_field *field, int nfield);
void ik_xdmf_end(ik_buf *b, bool series);
