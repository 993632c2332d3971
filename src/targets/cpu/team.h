/* team.h: threads that wait for work, one team for all engines that want as many.
 *
 * The threads are pinned, each to a processor of its own, one of each core before the second of
 * any, in equal numbers on all nodes of the memory, neighbours on the same (targets/cpu/cpus.h).
 * Between two pieces of work they look out for the next one for a short while and then sleep.  A
 * team of more threads than processors is not pinned and never looks out: that would keep somebody
 * else from working.
 *
 * The caller is thread 0 of the team while it works.  If several threads of a program have engines,
 * their pieces of work take turns: each has all processors then, and none sits between the others.
 */
#pragma once
#include "base/diag.h"
#include <stdint.h>

typedef struct ik_team ik_team;
typedef void           ik_team_work(void *ctx, int thread, int nthreads);

/* `threads` threads, the caller included; 0: one for each core that the process may use.  It may
 * become fewer, if the system has no more to give, but never more.  E072.  Each is destroyed once;
 * the threads go home with the last. */
ik_status ik_team_create(int threads, ik_diag *d, ik_team **out);
void      ik_team_destroy(ik_team **team);

int ik_team_threads(const ik_team *team);

/* Calls work(ctx, thread, nthreads) once on every thread and returns when all have returned.  What
 * one piece of work writes, the next one sees on every thread.  Not from inside of work. */
void ik_team_run(ik_team *team, ik_team_work *work, void *ctx);

/* The caller is pinned by its first ik_team_run() and stays so.  This lets it go again: at the end
 * of a run of the engine, since new threads and child processes of the caller inherit where it may
 * run.  ik_team_destroy() does it as well. */
void ik_team_rest(ik_team *team);

/* The part [*lo, *hi) of 0..n-1 that belongs to a thread.  Parts differ by one at most. */
void ik_team_share(int64_t n, int thread, int nthreads, int64_t *lo, int64_t *hi);

/* What is left of a thread's part of 0..n-1.  Threads that are done take from others, so that one
 * that is slower, by what it has to do or by who else is at work there, has less of it. */
typedef struct ik_team_part {
  _Atomic uint64_t left;      /* pieces: the first, and 32 bits below it the one behind the last */
  int64_t          lo, hi;    /* the part */
  int64_t          piece;     /* how many are one; more than 1 only where a part has 2^31 */
  char             apart[96]; /* no two of them on a line of the cache */
} ik_team_part;

void ik_team_deal(int64_t n, int nthreads, ik_team_part part[]);
/* [*lo, *hi): one at a time, or a 32nd of what is left where that is more; from the beginning of
 * the thread's own part, then from the ends of others', whose threads so keep to neighbours. false:
 * there is nothing left. */
bool ik_team_take(ik_team_part part[], int thread, int nthreads, int64_t *lo, int64_t *hi);

/* What a thread has done so far, for others that wait for it. */
typedef struct ik_team_progress {
  _Atomic int64_t done;
  char            apart[64 - sizeof(int64_t)]; /* a line of the cache of its own */
} ik_team_progress;

void    ik_team_say(ik_team_progress *p, int64_t done);
int64_t ik_team_said(const ik_team_progress *p);
/* After so many looks others have the processor: a thread that sleeps is one that some wait for. */
void ik_team_await(const ik_team_progress *p, int64_t done, int looks);
/* So many, or a few where threads share processors: who is waited for may need this one. */
int ik_team_looks(const ik_team *team, int looks);

/* Between two looks at what another thread will change. */
static inline void ik_team_relax(void) {
#if defined        __x86_64__
  __builtin_ia32_pause();
#elif defined __aarch64__
  __asm__ volatile("yield");
#endif
}
