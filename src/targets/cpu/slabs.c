#include "targets/cpu/slabs.h"
#include "base/mem.h"
#include "runtime/loop.h"
#include <math.h>
#include <sched.h>

bool ik_slabs_create(const ik_schedule *s, int threads, int looks, ik_slabs *out) {
  *out = (ik_slabs){.s = s, .n = threads, .looks = looks};
  out->slabs = ik_schedule_slabs(s), out->places = ik_schedule_places(s);
  pthread_mutex_init(&out->lock, NULL);
  out->slot = ik_calloc((size_t)threads, sizeof *out->slot);
  out->pace = ik_calloc((size_t)threads, sizeof *out->pace);
  out->done = ik_calloc((size_t)out->slabs + 1, sizeof *out->done);
  if (out->slot && out->pace && out->done) return true;
  ik_slabs_free(out);
  return false;
}

void ik_slabs_free(ik_slabs *x) {
  ik_free(x->slot), ik_free((void *)x->pace), ik_free(x->done);
  x->slot = NULL, x->pace = NULL, x->done = NULL;
  pthread_mutex_destroy(&x->lock);
}

static bool can_do(const ik_slabs *x, int64_t slab, int64_t place) {
  ik_schedule_wait wait[2];
  int              n = ik_schedule_waits(x->s, slab, place, wait);
  for (int i = 0; i < n; i++)
    if (ik_team_said(&x->done[wait[i].slab]) < wait[i].places) return false;
  return true;
}

/* ---- how fast threads are ---- */

static double pace_of(const ik_slabs *x, int thread) {
  return atomic_load_explicit(&x->pace[thread], memory_order_relaxed);
}

/* Places differ by what slabs have at the ends of the grid: the mean of some. */
static void note_pace(ik_slabs *x, int thread, double seconds) {
  enum { SOME = 8 };
  double before = pace_of(x, thread);
  double pace = before > 0 ? before + (seconds - before) / SOME : seconds;
  atomic_store_explicit(&x->pace[thread], pace, memory_order_relaxed);
}

#define SLOW 1.4 /* times the pace of the fastest; two on one core have twice that of one */

static bool is_slow(const ik_slabs *x, int thread) {
  double fastest = INFINITY;
  for (int i = 0; i < x->n; i++)
    if (pace_of(x, i) > 0) fastest = fmin(fastest, pace_of(x, i));
  return pace_of(x, thread) > SLOW * fastest;
}

/* ---- taking ---- */

/* Of those that were left and can go on. */
static ik_slab *find_left(const ik_slabs *x, bool youngest) {
  ik_slab *best = NULL;
  for (ik_slab *s = x->slot; s < x->slot + x->n; s++)
    if (s->open && !s->taken && (!best || (s->slab > best->slab) == youngest) &&
        can_do(x, s->slab, s->place))
      best = s;
  return best;
}

static ik_slab *begin_next(ik_slabs *x) {
  if (x->next == x->slabs || !can_do(x, x->next, 0)) return NULL;
  for (ik_slab *s = x->slot; s < x->slot + x->n; s++) {
    if (s->open) continue;
    *s = (ik_slab){.slab = x->next++, .open = true};
    return s;
  }
  return NULL;
}

static ik_slab *look(ik_slabs *x, int thread, bool *over) {
  bool slow = is_slow(x, thread);
  pthread_mutex_lock(&x->lock);
  ik_slab *s = slow ? begin_next(x) : NULL;
  if (!s) s = find_left(x, slow);
  if (!s) s = begin_next(x);
  if (s) s->taken = true, s->since = 0;
  *over = x->finished == x->slabs;
  pthread_mutex_unlock(&x->lock);
  return s;
}

int ik_slabs_take(ik_slabs *x, int thread) {
  enum { PAUSES = 20 };
  bool     over;
  ik_slab *s = look(x, thread, &over);
  if (s || over) return s ? (int)(s - x->slot) : -1;
  atomic_fetch_add(&x->idle, 1);
  for (int i = 0; !s && !over; i++) {
    bool wait = i < x->looks / PAUSES;
    for (int k = 0; k < PAUSES && wait; k++) ik_team_relax();
    if (!wait) sched_yield();
    s = look(x, thread, &over);
  }
  atomic_fetch_sub(&x->idle, 1);
  return s ? (int)(s - x->slot) : -1;
}

/* ---- going on ---- */

static void leave(ik_slabs *x, ik_slab *s) {
  pthread_mutex_lock(&x->lock);
  s->taken = false;
  pthread_mutex_unlock(&x->lock);
}

/* Has the slab behind it been left, since it cannot go on? */
static bool holds_up(ik_slabs *x, const ik_slab *s) {
  bool is = false;
  pthread_mutex_lock(&x->lock);
  for (const ik_slab *o = x->slot; o < x->slot + x->n; o++)
    is |= o->open && !o->taken && o->slab == s->slab + 1;
  pthread_mutex_unlock(&x->lock);
  return is;
}

/* Waits for half a place, and no longer. */
static bool await(const ik_slabs *x, const ik_slab *s, int thread) {
  enum { LOOKS = 8 };
  if (can_do(x, s->slab, s->place)) return true;
  double end = ik_loop_clock() + 0.5 * pace_of(x, thread);
  while (x->looks > LOOKS && ik_loop_clock() < end)
    for (int i = 0; i < LOOKS; i++, ik_team_relax())
      if (can_do(x, s->slab, s->place)) return true;
  return false;
}

/* Should it change hands? */
static bool is_in_the_way(ik_slabs *x, const ik_slab *s, int thread) {
  enum { TURN = 4, LONG_TURN = 32 }; /* places, at least, of a slow thread and of another */
  return s->since >= TURN && atomic_load(&x->idle) > 0 &&
         (s->since >= LONG_TURN || is_slow(x, thread)) && holds_up(x, s);
}

bool ik_slabs_go_on(ik_slabs *x, int slot, int thread) {
  ik_slab *s = &x->slot[slot];
  if (await(x, s, thread) && !is_in_the_way(x, s, thread)) return true;
  leave(x, s);
  return false;
}

bool ik_slabs_did(ik_slabs *x, int slot, int thread, double seconds) {
  ik_slab *s = &x->slot[slot];
  note_pace(x, thread, seconds);
  s->place++, s->since++;
  ik_team_say(&x->done[s->slab], s->place);
  if (s->place < x->places) return true;
  pthread_mutex_lock(&x->lock);
  s->open = s->taken = false, x->finished++;
  pthread_mutex_unlock(&x->lock);
  return false;
}
