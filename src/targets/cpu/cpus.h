/* cpus.h: the processors that this process may run on, in the order in which to use them. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

enum { IK_CPUS_MOST = 1024 };

typedef struct ik_cpus {
  int      n;                  /* at least 1 */
  int      cores;              /* how many cores they are part of; siblings share one */
  int      nodes;              /* of memory (NUMA), that some of them are near to; at least 1 */
  uint16_t cpu[IK_CPUS_MOST];  /* [n] system's numbers: one of each core first, then siblings */
  uint16_t node[IK_CPUS_MOST]; /* [n] 0, 1, ...: cores ascend, and so do siblings */
  bool     known; /* false: only `n` is right, the numbers are not: nothing can be pinned */
} ik_cpus;

typedef struct ik_cpus_place { /* a processor as the system numbers them */
  int cpu, core, node;
} ik_cpus_place;

/* The order in which to use n of them; those that are near each other come one after the other. */
void ik_cpus_arrange(const ik_cpus_place *p, int n, ik_cpus *out);

/* Changes the order to that for `threads` of them, which are no more than there are: spread evenly
 * over the nodes, one of each core before the second of any, neighbours on the same node. */
void ik_cpus_spread(ik_cpus *c, int threads);

/* From the process's affinity mask (which cpusets narrow) and /sys, node by node, in order of their
 * numbers. */
void ik_cpus_count(ik_cpus *out);

/* With cores that are near each other next to each other, also within nodes: asks libhwloc, which
 * takes some milliseconds the first time; without it the same as ik_cpus_count(). */
void ik_cpus_order(ik_cpus *out);
