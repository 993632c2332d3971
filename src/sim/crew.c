/* crew.c: a meeting is short and frequent, so threads look out for each other instead of sleeping;
 * after a while of it they let somebody else have the processor. */
#include "sim/crew.h"
#include "base/mem.h"
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>

enum { LOOKS = 2000 };

typedef struct hand {
  ik_crew  *crew;
  int       index;
  pthread_t thread;
} hand;

struct ik_crew {
  atomic_uint   round, arrived;
  atomic_int    n; /* 0: not known yet */
  ik_crew_work *work;
  void         *ctx;
};

int ik_crew_threads(const ik_crew *c) { return atomic_load(&c->n); }

static void look_again(int looks) {
  if (looks > LOOKS) sched_yield();
}

void ik_crew_meet(ik_crew *c) {
  unsigned n = (unsigned)ik_crew_threads(c);
  if (n == 1) return;
  unsigned round = atomic_load(&c->round);
  if (atomic_fetch_add(&c->arrived, 1) + 1 == n) {
    atomic_store(&c->arrived, 0);
    atomic_store(&c->round, round + 1);
    return;
  }
  for (int looks = 0; atomic_load_explicit(&c->round, memory_order_acquire) == round; looks++)
    look_again(looks);
}

static void *work_along(void *ctx) {
  hand *h = ctx;
  for (int looks = 0; !ik_crew_threads(h->crew); looks++) look_again(looks);
  h->crew->work(h->crew->ctx, h->crew, h->index);
  return NULL;
}

void ik_crew_run(int threads, ik_crew_work *work, void *ctx) {
  ik_crew c = {.work = work, .ctx = ctx};
  hand   *h = threads > 1 ? ik_calloc((size_t)threads, sizeof *h) : NULL;
  int     n = 1;
  for (; h && n < threads; n++) {
    h[n] = (hand){.crew = &c, .index = n};
    if (pthread_create(&h[n].thread, NULL, work_along, &h[n])) break;
  }
  atomic_store(&c.n, n);
  work(ctx, &c, 0);
  for (int i = 1; i < n; i++) pthread_join(h[i].thread, NULL);
  ik_free(h);
}
