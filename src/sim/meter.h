/* meter.h: what a part of a simulated machine has done: cycles, stalls, words, energy. */
#pragma once
#include <stdint.h>

typedef struct ik_meter {
  int64_t busy;   /* cycles in which it did something */
  int64_t stalls; /* cycles in which it could not although there was something to do */
  int64_t words;  /* moved or worked on */
  double  joules;
} ik_meter;

static inline void ik_meter_add(ik_meter *sum, const ik_meter *m) {
  sum->busy += m->busy;
  sum->stalls += m->stalls;
  sum->words += m->words;
  sum->joules += m->joules;
}
