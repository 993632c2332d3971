#include "targets/simulated/nero/trip.h"
#include "base/least.h"
#include "base/mem.h"
#include "sim/event.h"
#include "sim/server.h"
#include <math.h>
#include <stddef.h>

enum {
  PARTS = 1000, /* of which rates, which are whole numbers, are made */
  MOST = 4096   /* windows: more tell nothing new */
};

typedef enum stage { EMPTY, FULL, DONE } stage;

typedef struct buffer {
  ik_task      task;
  struct trip *trip;
  ik_server   *element; /* the one that computes its windows */
  stage        stage;
} buffer;

typedef struct trip {
  ik_events  events;
  ik_server  down, up;
  ik_server *element;
  buffer    *buffer;
  int        elements, buffers;
  int64_t    in, out; /* bytes of a window */
  int64_t    left;    /* windows still in the memory of the host */
} trip;

/* A window comes, is computed, and its results go; then the next one. */
static void run_buffer(ik_task *t, ik_events *e) {
  buffer *b = (buffer *)((char *)t - offsetof(buffer, task));
  switch (b->stage) {
  case EMPTY:
    if (b->trip->left == 0) return;
    b->trip->left--;
    b->stage = FULL;
    ik_events_wake(e, t, ik_server_ask(&b->trip->down, e->now, b->trip->in));
    break;
  case FULL:
    b->stage = DONE;
    ik_events_wake(e, t, ik_server_ask(b->element, e->now, 1));
    break;
  case DONE:
    b->stage = EMPTY;
    ik_events_wake(e, t, ik_server_ask(&b->trip->up, e->now, b->trip->out));
  }
}

static bool begin(trip *t, double period) {
  t->element = ik_calloc((size_t)t->elements, sizeof *t->element);
  t->buffer = ik_calloc((size_t)t->elements * (size_t)t->buffers, sizeof *t->buffer);
  if (!t->element || !t->buffer) return false;
  for (int i = 0; i < t->elements; i++)
    t->element[i] = (ik_server){.words = PARTS, .cycles = llround(PARTS * period)};
  for (int i = 0; i < t->elements * t->buffers; i++) {
    t->buffer[i] = (buffer){{run_buffer, false}, t, &t->element[i % t->elements], EMPTY};
    ik_events_wake(&t->events, &t->buffer[i].task, 0);
  }
  return true;
}

bool ik_nero_trip_of(const ik_nero_work *w, const ik_nero_board *b, int kernel,
                     const ik_nero_design *x, double period, int buffers, ik_nero_trip *out) {
  const ik_nero_shape *s = &w->shape[kernel];
  int64_t              size[IK_MAX_DIM], levels;
  trip                 t = {.elements = x->used, .buffers = buffers};
  *out = (ik_nero_trip){.windows = ik_min(MOST, ik_nero_design_windows(w, kernel, x->size))};
  if (out->windows == 0) return true;
  ik_nero_design_window(w, kernel, x->size, size);
  int64_t bytes = ik_nero_words_of(s, size, &levels) * IK_NERO_WORD;
  t.in = bytes * s->in, t.out = bytes * s->out, t.left = out->windows;
  t.down = t.up = (ik_server){.words = llround(PARTS * b->link / b->clock), .cycles = PARTS};
  bool ok = begin(&t, period) && ik_events_run(&t.events, -1);
  out->cycles = t.events.now, out->down = t.down.meter, out->up = t.up.meter;
  out->period = (double)out->cycles / (double)out->windows;
  ik_events_free(&t.events);
  ik_free(t.element), ik_free(t.buffer);
  return ok;
}
