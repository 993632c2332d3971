/* segy.h: seismic traces in SEG-Y files (SEG Technical Standards Committee, rev 1 of 2002, rev 2.0
 * of 2017): written as big-endian IEEE floats (format 5), read as format 5 or 1 (IBM).
 *
 * What rev 1 cannot hold (more than 65535 samples; a sample interval that is not a whole number of
 * microseconds from 1 to 65535) is written as rev 2 where the caller allows it.  Positions are kept
 * in centimetres, finer where centimetres are too coarse, coarser where they do not fit.
 */
#pragma once
#include "base/diag.h"
#include "io/array.h"

typedef struct ik_segy_point {
  double x, y, z; /* metres; z is depth, positive down */
} ik_segy_point;

typedef struct ik_segy_gather {
  int64_t              ntrace, nsample;
  double               dt_s;
  const float         *data;     /* [ntrace][nsample] */
  const ik_segy_point *receiver; /* [ntrace] */
  const ik_segy_point *source;   /* [ntrace] */
  int32_t              shot;     /* field record number, usually 1 */
  bool                 allow_rev2;
} ik_segy_gather;

/* E066 with a remedy when the format cannot hold the gather; callers that know the sizes before a
 * run ask then. */
ik_status ik_segy_check(const char *path, const ik_segy_gather *g, ik_span at, ik_diag *d);

/* Checks, then writes; E064, E066. */
ik_status ik_segy_write(const char *path, const ik_segy_gather *g, ik_span at, ik_diag *d);

/* `out` is f32, n[0] samples, n[1] traces; dt_s is 0 where the file states none.
 * All traces must have the same length.  E062, E063, E072. */
ik_status ik_segy_read(const char *path, ik_span at, ik_array *out, double *dt_s, ik_diag *d);
