/* signal.h: samples of one signal over time, for sources, from whatever file holds them. */
#pragma once
#include "base/diag.h"
#include <stdint.h>

typedef struct ik_signal {
  int64_t n;
  double *value;        /* [n], ik_free() */
  double  dt_s, from_s; /* between samples, 0: the file does not say; time of the first one */
} ik_signal;

/* Text: a value a line, or a time in seconds and a value, times evenly spaced.  SEG-Y: the first
 * trace.  Other formats: all their numbers.  E062, E063, E065, E072. */
ik_status ik_signal_read(const char *path, ik_span at, ik_signal *out, ik_diag *d);
