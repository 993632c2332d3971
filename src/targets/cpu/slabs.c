#include "targets/cpu/slabs.h"
#include "base/mem.h"
#include <sched.h>

bool ik_slabs_create(const ik_schedule *s, int threads, int looks, ik_slabs *out) {
  *out = (ik_slabs){.s = s, .n = threads, .looks = looks};
  out->slabs = ik_schedule_slabs(s), out->places = ik_schedule_places(s);
  pthread_mutex_init(&out->lock, NULL);
  out->slot = ik_calloc((size_t)threads, sizeof *out->slot);
  out->done = ik_calloc((size_t)out->slabs + 1, sizeof *out->done);
  if (!out->slot || !out->done) ik_slabs_free(out);
  return out->slot != NULL;
}

void ik_slabs_free(ik_slabs *x) {
  ik_free(x->slot), ik_free(x->done);
  x->slot = NULL, x->done = NULL;
  pthread_mutex_destroy(&x->lock);
}

static bool can_do(const ik_slabs *x, int64_t slab, int64_t place) {
  ik_schedule_wait wait[2];
  int              n = ik_schedule_waits(x->s, slab, place, wait);
  for (int i = 0; i < n; i++)
    if (ik_team_said(&x->done[wait[i].slab]) < wait[i].places) return false;
  return true;
}

/* ---- taking ---- */

static ik_slab *oldest_left(const ik_slabs *x) {
  ik_slab *best = NULL;
  for (ik_slab *s = x->slot; s < x->slot + x->n; s++)
    if (s->open && !s->taken && (!best || s->slab < best->slab) && can_do(x, s->slab, s->place))
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

static ik_slab *look(ik_slabs *x, bool *over) {
  pthread_mutex_lock(&x->lock);
  ik_slab *s = oldest_left(x);
  if (!s) s = begin_next(x);
  if (s) s->taken = true, s->since = 0;
  *over = x->finished == x->slabs;
  pthread_mutex_unlock(&x->lock);
  return s;
}

int ik_slabs_take(ik_slabs *x) {
  enum { PAUSES = 100 };
  bool     over;
  ik_slab *s = look(x, &over);
  if (s || over) return s ? (int)(s - x->slot) : -1;
  atomic_fetch_add(&x->idle, 1);
  for (int i = 0; !s && !over; i++) {
    bool wait = i < x->looks / PAUSES;
    for (int k = 0; k < PAUSES && wait; k++) ik_team_relax();
    if (!wait) sched_yield();
    s = look(x, &over);
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

bool ik_slabs_go_on(ik_slabs *x, int slot) {
  enum { TURN = 32 }; /* places, after which it may change hands */
  ik_slab *s = &x->slot[slot];
  bool     can = can_do(x, s->slab, s->place);
  for (int i = 0; i < x->looks && !can; i++) {
    ik_team_relax();
    can = can_do(x, s->slab, s->place);
  }
  bool turn = can && s->since >= TURN && atomic_load(&x->idle) > 0 && holds_up(x, s);
  if (can && !turn) return true;
  leave(x, s);
  return false;
}

bool ik_slabs_did(ik_slabs *x, int slot) {
  ik_slab *s = &x->slot[slot];
  s->place++, s->since++;
  ik_team_say(&x->done[s->slab], s->place);
  if (s->place < x->places) return true;
  pthread_mutex_lock(&x->lock);
  s->open = s->taken = false, x->finished++;
  pthread_mutex_unlock(&x->lock);
  return false;
}
