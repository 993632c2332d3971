/* event.h: the event-driven kernel: tasks that are called at a cycle, one at a time.
 *
 * A task is a function with its state; whoever needs more puts an ik_task first into a struct of
 * its own.  It is called at the cycle for which it was woken, does a piece of work, wakes itself
 * or others, and returns.  Tasks of the same cycle are called in the order in which they were
 * woken, so a simulation has one course, whatever the machine it runs on.
 *
 * What is dense (every router of a mesh at every cycle) is stepped instead: sim/mesh.h.
 */
#pragma once
#include <stdbool.h>
#include <stdint.h>

typedef struct ik_events ik_events;
typedef struct ik_task   ik_task;

struct ik_task {
  void (*run)(ik_task *t, ik_events *e);
  bool woken; /* it is in the list already */
};

struct ik_events {
  int64_t          now;    /* cycle */
  bool             failed; /* no memory for an event: nothing runs from then on */
  int64_t          called; /* tasks so far */
  struct ik_event *heap;   /* [nheap], the next one first */
  int64_t          nheap, room, order;
};

/* Begin with ik_events e = {0}. */
void ik_events_free(ik_events *e);

/* The task is called at cycle `at`, now or later.  A task waits for one call at a time: a second
 * one that comes before the first has been made is ignored. */
void ik_events_wake(ik_events *e, ik_task *t, int64_t at);

/* Calls tasks until none is left, or the next would come after cycle `until` (-1: no limit).
 * False without memory. */
bool ik_events_run(ik_events *e, int64_t until);
