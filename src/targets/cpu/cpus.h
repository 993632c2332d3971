/* cpus.h: the processors that this process may run on, in the order in which to use them. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

enum { IK_CPUS_MOST = 1024 };

typedef struct ik_cpus {
  int      n;                 /* at least 1 */
  int      cores;             /* how many cores they are part of; siblings share one */
  uint16_t cpu[IK_CPUS_MOST]; /* [n] system's numbers: one of each core first, then siblings */
  bool     known; /* false: only `n` is right, the numbers are not: nothing can be pinned */
} ik_cpus;

/* From the process's affinity mask (which cpusets narrow) and /sys, in order of their numbers. */
void ik_cpus_count(ik_cpus *out);

/* With cores that are near each other next to each other: asks libhwloc, which takes some
 * milliseconds the first time; without it the same as ik_cpus_count(). */
void ik_cpus_order(ik_cpus *out);
