/* slabs.h: which thread works on which slab of a skewed tile in time (lower/schedule.h).
 *
 * A slab is walked place by place, each of which waits for places of slabs before it, and all of
 * them together go as fast as the slowest.  So nobody owns a slab.  Who has to wait leaves it to
 * whoever comes first when it can go on.  A thread that is much slower than others takes the
 * youngest slab, behind which nobody is yet, and leaves it to one that has nothing to do as soon as
 * others wait for it.  (wave f32 512^3 on 16 cores, some of them at half speed, runs in turns: 7.7
 * 8.1 8.2 GPts/s, and 5.6 8.9 6.8 where each slab was walked by one thread.)
 */
#pragma once
#include "lower/schedule.h"
#include "targets/cpu/team.h"
#include <pthread.h>
#include <stdatomic.h>

typedef struct ik_slab {
  int64_t slab, place; /* the next one */
  bool    open, taken; /* in work; somebody is at it */
  int     since;       /* places since it was taken */
} ik_slab;

typedef struct ik_slabs {
  const ik_schedule *s;
  int64_t            slabs, places, next, finished;
  int                n;     /* threads, and slabs in work at most */
  int                looks; /* at what one waits for, before others have the processor */
  ik_slab           *slot;  /* [n] */
  _Atomic double    *pace;  /* [n] seconds of a place, of each thread; 0: not known yet */
  ik_team_progress  *done;  /* [slabs] places */
  pthread_mutex_t    lock;  /* for `next`, `finished` and all of `slot` but what is taken */
  atomic_int         idle;  /* threads that have nothing to do */
} ik_slabs;

/* `looks`: see ik_team_looks().  false: no memory. */
bool ik_slabs_create(const ik_schedule *s, int threads, int looks, ik_slabs *out);
void ik_slabs_free(ik_slabs *x);

/* The number of a slot whose next place can be done; if that is place 0, the slab has been begun.
 * Waits until there is one; -1: all slabs are done. */
int ik_slabs_take(ik_slabs *x, int thread);
/* The next place of a slot that was taken can be done.  False: it is left to others. */
bool ik_slabs_go_on(ik_slabs *x, int slot, int thread);
/* A place is done, in so many seconds.  False: it was the last one, and the slot is free. */
bool ik_slabs_did(ik_slabs *x, int slot, int thread, double seconds);
