/* limits.h: what this machine can do at most, measured. */
#pragma once
#include "base/diag.h"
#include <stdint.h>

typedef struct ik_limits {
  char   compiler[64];
  int    vector_bytes;
  double read, copy, copy_streaming, update; /* GB/s, counting each value once a direction */
  double bandwidth;                          /* the greatest of them */
  double gflops[2];                          /* f32, f64; a fused multiply-add counts two */
} ik_limits;

/* `bytes` of memory are moved to and fro; it should be much more than the caches hold. */
ik_status ik_limits_measure(int threads, int64_t bytes, ik_diag *d, ik_limits *out);
