/* limits.h: what this machine can do at most, measured: the sum of what each thread does in its own
 * time while all are busy.  The slowest core does not decide: work can be dealt out so that all
 * cores are done at the same time. */
#pragma once
#include "apps/bench/cores.h"
#include "base/diag.h"
#include <stdint.h>

typedef struct ik_limits {
  char     compiler[64];
  int      vector_bytes;
  double   read, copy, copy_streaming, update; /* GB/s, counting each value once a direction */
  double   bandwidth;                          /* the greatest of them */
  double   gflops[2];                          /* f32, f64; a fused multiply-add counts two */
  ik_cores cores;                              /* one look */
} ik_limits;

/* What measures: code, and threads that are pinned as those of the engine are. */
typedef struct ik_limits_rig ik_limits_rig;

ik_status ik_limits_open(int threads, ik_diag *d, ik_limits_rig **out);
void      ik_limits_close(ik_limits_rig **rig);

/* `bytes` of memory are moved to and fro; it should be much more than the caches hold.  Timings of
 * them take `seconds` each. */
ik_status ik_limits_measure(ik_limits_rig *rig, int64_t bytes, double seconds, ik_diag *d,
                            ik_limits *out);

/* How the threads run now, in some milliseconds: nobody else of ours should be at work. */
ik_cores ik_limits_look(ik_limits_rig *rig);
