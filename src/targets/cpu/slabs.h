/* slabs.h: which thread works on which slab of a skewed tile in time (lower/schedule.h).
 *
 * A slab is walked place by place, each of which waits for places of slabs before it.  As many
 * slabs are in work as there are threads.  Nobody owns one: who has to wait for long leaves it to
 * whoever comes first when it can go on, and one that others wait for is left to a thread that has
 * nothing to do, which may be on a faster core.
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
  int                n;     /* in work, at most */
  int                looks; /* at what one waits for */
  ik_slab           *slot; /* [n] */
  ik_team_progress  *done; /* [slabs] places */
  pthread_mutex_t    lock; /* for `next`, `finished` and all of `slot` but what is taken */
  atomic_int         idle; /* threads that have nothing to do */
} ik_slabs;

/* `looks`: before one that waits leaves its slab (ik_team_looks).  false: no memory. */
bool ik_slabs_create(const ik_schedule *s, int threads, int looks, ik_slabs *out);
void ik_slabs_free(ik_slabs *x);

/* The number of a slot whose next place can be done, the oldest slab first; if that is place 0, it
 * has been begun.  Waits until there is one; -1: all slabs are done. */
int ik_slabs_take(ik_slabs *x);
/* The next place of a slot that was taken can be done.  False: it is left to others. */
bool ik_slabs_go_on(ik_slabs *x, int slot);
/* A place is done.  False: it was the last one, and the slot is free. */
bool ik_slabs_did(ik_slabs *x, int slot);
