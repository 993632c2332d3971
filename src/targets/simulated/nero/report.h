/* report.h: what a run says of the board, beside the values. */
#pragma once
#include "runtime/simulated.h"
#include "targets/simulated/nero/setup.h"
#include "targets/simulated/nero/trip.h"

enum { IK_NERO_COUNTS = 9 };

typedef struct ik_nero_report {
  ik_simulated              simulated;
  struct ik_simulated_count count[IK_NERO_COUNTS];
  ik_timeline               timeline; /* of some windows of the first kernel */
  const char               *plan;     /* a line each: the window, the elements, the kernels */
  double (*trip)[IK_NERO_BUFFERS]; /* [kernels] cycles of a window from host to host, with 1, 2 */
  ik_buf scratch; /* what is being written: freed with the rest, should the arena have no memory */
} ik_nero_report;

/* E072.  Free it in any case. */
ik_status ik_nero_report_of(const ik_nero_setup *s, ik_arena *a, ik_diag *d, ik_nero_report *out);
void      ik_nero_report_free(ik_nero_report *r);
/* All windows of a kernel have been done once more; `streamed` of all so far went as words. */
void ik_nero_report_add(ik_nero_report *r, const ik_nero_setup *s, int kernel, int64_t streamed);
