/* measured.h: what `ikat tune` kept of a program on this machine. */
#pragma once
#include "api/api.h"

typedef struct ik_measured {
  const char *target;
  const char *strategy; /* NULL: the choice without wisdom was the best */
  int         steps;    /* in one pass; 0 with the above */
  double      gstencils;
} ik_measured;

/* Of the first target that something is kept of, for so many threads (0: all cores).  False: there
 * is nothing. */
bool ik_measured_find(const ik_program *p, const char *wisdom, int threads, ik_measured *out);
