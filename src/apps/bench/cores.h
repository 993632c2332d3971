/* cores.h: how evenly the threads run while all are busy.  On a virtual machine some cores may run
 * at about half speed for a while, others each time: somebody else uses the same physical core, and
 * no count of stolen time shows that.  So the threads are looked at again and again. */
#pragma once
#include "base/buf.h"
#include "base/json.h"

typedef struct ik_cores {
  int    threads;
  int    looks;        /* 0: nothing is known */
  int    slow_looks;   /* those in which some threads were slow */
  int    fewest, most; /* slow threads in one of these; 0: there were none */
  double slowest,
      fastest_slow; /* speeds over that of the fastest thread; of slow ones the greatest */
} ik_cores;

double ik_cores_sum(const double *speed, int threads);
/* One look: the speed of each thread, all busy.  Of one thread alone nothing is known. */
ik_cores ik_cores_of(const double *speed, int threads);
void     ik_cores_add(ik_cores *all, const ik_cores *more); /* other looks at the same threads */

/* A line if some were slow; else nothing. */
void ik_cores_text(const ik_cores *c, ik_buf *out);
void ik_cores_json(const ik_cores *c, ik_json *j); /* "cores": null if nothing is known */
