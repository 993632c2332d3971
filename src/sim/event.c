/* event.c: a binary heap of wake-ups, ordered by cycle and then by age. */
#include "sim/event.h"
#include "base/mem.h"

typedef struct ik_event {
  int64_t  at, order;
  ik_task *task;
} ik_event;

static bool before(const ik_event *a, const ik_event *b) {
  return a->at != b->at ? a->at < b->at : a->order < b->order;
}

static void swap(ik_event *a, ik_event *b) {
  ik_event t = *a;
  *a = *b;
  *b = t;
}

static bool make_room(ik_events *e) {
  if (e->nheap < e->room) return true;
  int64_t   room = e->room ? 2 * e->room : 64;
  ik_event *more = ik_realloc(e->heap, (size_t)room * sizeof *more);
  if (!more) return false;
  e->heap = more;
  e->room = room;
  return true;
}

static void push(ik_events *e, ik_event v) {
  int64_t i = e->nheap++;
  e->heap[i] = v;
  for (; i && before(&e->heap[i], &e->heap[(i - 1) / 2]); i = (i - 1) / 2)
    swap(&e->heap[i], &e->heap[(i - 1) / 2]);
}

static ik_event pop(ik_events *e) {
  ik_event first = e->heap[0];
  e->heap[0] = e->heap[--e->nheap];
  for (int64_t i = 0, next;; i = next) {
    next = i;
    for (int64_t c = 2 * i + 1; c <= 2 * i + 2 && c < e->nheap; c++)
      if (before(&e->heap[c], &e->heap[next])) next = c;
    if (next == i) return first;
    swap(&e->heap[i], &e->heap[next]);
  }
}

void ik_events_free(ik_events *e) {
  ik_free(e->heap);
  *e = (ik_events){0};
}

void ik_events_wake(ik_events *e, ik_task *t, int64_t at) {
  if (t->woken || e->failed) return;
  if (!make_room(e)) {
    e->failed = true;
    return;
  }
  t->woken = true;
  push(e, (ik_event){at > e->now ? at : e->now, e->order++, t});
}

bool ik_events_run(ik_events *e, int64_t until) {
  while (e->nheap && !e->failed && (until < 0 || e->heap[0].at <= until)) {
    ik_event v = pop(e);
    e->now = v.at;
    e->called++;
    v.task->woken = false;
    v.task->run(v.task, e);
  }
  return !e->failed;
}
