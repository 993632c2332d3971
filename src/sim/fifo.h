/* fifo.h: bounded queues of words between two tasks: circular buffers, streams, credit.
 *
 * One task puts, one takes.  Who finds too little room or too few words is remembered and woken,
 * in the same cycle, when that has changed.  Words may carry data or be counted alone.
 */
#pragma once
#include "sim/event.h"
#include "sim/meter.h"
#include <stddef.h>

typedef struct ik_fifo {
  int64_t        depth, level; /* words that fit; words that are there */
  size_t         bytes;        /* of a word; 0: counted alone */
  unsigned char *data;         /* [depth][bytes], owned */
  int64_t        head, most;   /* where the oldest is; the highest level so far */
  ik_task       *taker, *putter;
  int64_t        wants, offers; /* words for which they wait */
  int64_t        waits_since;   /* the cycle since which one of them does */
  ik_meter       meter;         /* words that went in; stalls: cycles that either side waited */
} ik_fifo;

/* False without memory. */
bool ik_fifo_init(ik_fifo *f, int64_t depth, size_t bytes);
void ik_fifo_free(ik_fifo *f);

/* Puts n <= depth words, all or none.  False: there is no room, and `t` (not NULL) is woken when
 * there is.  `words` may be NULL where data are not carried. */
bool ik_fifo_put(ik_fifo *f, ik_events *e, ik_task *t, const void *words, int64_t n);
/* Takes n <= depth words, all or none; `words` NULL: they are thrown away. */
bool ik_fifo_take(ik_fifo *f, ik_events *e, ik_task *t, void *words, int64_t n);
/* The oldest n words stay; false, and `t` is woken later, if there are fewer. */
bool ik_fifo_await(ik_fifo *f, ik_events *e, ik_task *t, int64_t n);
/* The i-th oldest word, i < level. */
void *ik_fifo_at(const ik_fifo *f, int64_t i);
