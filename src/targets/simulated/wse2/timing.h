/* timing.h: the figures of machines/wse2.ikm that time, room and energy depend on. */
#pragma once
#include "machine/machine.h"

typedef struct ik_wse2_timing {
  double clock;        /* Hz */
  double memory_stall; /* cycles for each word of a MAP that reads two vectors or more */
  int    callback;     /* cycles of a task that the end of a transfer calls */
  int    step;         /* cycles of a step whatever it does */
  int    divide;       /* cycles for each word of a division, a root, an elementary function */
  int    depth;        /* words in a router's queue */
  double run_seconds;  /* of a run whatever it does */
  int    sram;         /* bytes of an element */
  int    code;         /* of these for its instructions */
  int    nx, ny;       /* elements that programs may use */
  double idle_watts;   /* of the whole system */
  double flop_joules;  /* on top of that */
} ik_wse2_timing;

/* E082 if the machine lacks one of them, or has queues that cannot be simulated. */
ik_status ik_wse2_timing_of(const ik_machine *m, ik_diag *d, ik_wse2_timing *out);

/* Of a run: what the system takes in any case, and every operation on top. */
static inline double ik_wse2_joules(const ik_wse2_timing *t, double seconds, double flops) {
  return t->idle_watts * seconds + t->flop_joules * flops;
}
