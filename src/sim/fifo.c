/* fifo.c: bounded queues; whoever waits is woken by the other side. */
#include "sim/fifo.h"
#include "base/mem.h"
#include <string.h>

bool ik_fifo_init(ik_fifo *f, int64_t depth, size_t bytes) {
  *f = (ik_fifo){.depth = depth, .bytes = bytes};
  if (bytes) f->data = ik_calloc((size_t)depth, bytes);
  return f->data || !bytes;
}

void ik_fifo_free(ik_fifo *f) {
  ik_free(f->data);
  *f = (ik_fifo){0};
}

void *ik_fifo_at(const ik_fifo *f, int64_t i) {
  return f->data + (size_t)((f->head + i) % f->depth) * f->bytes;
}

/* Copies n words between the queue, from its i-th on, and an array. */
static void copy(const ik_fifo *f, int64_t i, void *words, int64_t n, bool in) {
  if (!words || !f->bytes) return;
  for (int64_t k = 0; k < n; k++) {
    unsigned char *there = (unsigned char *)words + (size_t)k * f->bytes;
    if (in)
      memcpy(ik_fifo_at(f, i + k), there, f->bytes);
    else
      memcpy(there, ik_fifo_at(f, i + k), f->bytes);
  }
}

static void wake_if(ik_fifo *f, ik_events *e, ik_task **waiting, bool enough) {
  if (!*waiting || !enough) return;
  f->meter.stalls += e->now - f->waits_since;
  ik_events_wake(e, *waiting, e->now);
  *waiting = NULL;
}

static bool wait_for(ik_fifo *f, ik_events *e, ik_task **waiting, ik_task *t) {
  if (!*waiting) f->waits_since = e->now;
  *waiting = t;
  return false;
}

bool ik_fifo_put(ik_fifo *f, ik_events *e, ik_task *t, const void *words, int64_t n) {
  f->offers = n;
  if (f->level + n > f->depth) return wait_for(f, e, &f->putter, t);
  copy(f, f->level, (void *)words, n, true);
  f->level += n;
  f->meter.words += n;
  if (f->level > f->most) f->most = f->level;
  wake_if(f, e, &f->taker, f->level >= f->wants);
  return true;
}

bool ik_fifo_await(ik_fifo *f, ik_events *e, ik_task *t, int64_t n) {
  f->wants = n;
  return f->level >= n || wait_for(f, e, &f->taker, t);
}

bool ik_fifo_take(ik_fifo *f, ik_events *e, ik_task *t, void *words, int64_t n) {
  if (!ik_fifo_await(f, e, t, n)) return false;
  copy(f, 0, words, n, false);
  f->head = (f->head + n) % f->depth;
  f->level -= n;
  wake_if(f, e, &f->putter, f->level + f->offers <= f->depth);
  return true;
}
