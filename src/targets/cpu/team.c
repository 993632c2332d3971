/* Two words do it all: `round` counts the pieces of work given out, `busy` the threads that are
 * still at it.  Whoever waits for a word to reach a value says so in a counter before it sleeps;
 * whoever changes the word looks at the counter afterwards.  All of these are sequentially
 * consistent, so either the sleeper sees the new value (the system compares once more before it
 * lets the thread sleep) or the other one sees the sleeper. */
#define _GNU_SOURCE /* cpu_set_t */
#include "targets/cpu/team.h"
#include "base/fp.h"
#include "base/pages.h"
#include "targets/cpu/cpus.h"
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { LOOK_OUT_NS = 50000, LOOKS = 64, NOT_PINNED = -1 };

typedef struct word {
  atomic_uint value, sleepers;
  char        apart[64 - 2 * sizeof(atomic_uint)]; /* a cache line of its own */
} word;

typedef struct member {
  ik_team  *team;
  int       index, cpu;
  pthread_t thread;
} member;

struct ik_team {
  word            round, busy;
  ik_team_work   *work; /* NULL: go home */
  void           *ctx;
  int             n;
  int             wanted, users; /* threads; engines: under the lock of all teams */
  ik_team        *next;
  pthread_mutex_t use; /* held by the caller whose work is done, or who changes what is below */
  bool            look_out;
  bool      pinned; /* the caller is, and these say who that is and where it could run before */
  pthread_t caller;
  pid_t     caller_id;
  cpu_set_t caller_mask;
  member    member[]; /* [n] 0 is the caller */
};

/* ----------------------------------------------------------------------------- waiting */

static int64_t now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static bool look_out(word *w, unsigned target) {
  int64_t start = now_ns();
  do
    for (int i = 0; i < LOOKS; i++, ik_team_relax())
      if (atomic_load(&w->value) == target) return true;
  while (now_ns() - start < LOOK_OUT_NS);
  return false;
}

static void await(word *w, unsigned target, bool first_look_out) {
  if (first_look_out && look_out(w, target)) return;
  atomic_fetch_add(&w->sleepers, 1);
  for (unsigned v; (v = atomic_load(&w->value)) != target;)
    syscall(SYS_futex, &w->value, FUTEX_WAIT_PRIVATE, v, NULL);
  atomic_fetch_sub(&w->sleepers, 1);
}

static void wake(word *w) {
  if (atomic_load(&w->sleepers)) syscall(SYS_futex, &w->value, FUTEX_WAKE_PRIVATE, INT_MAX);
}

/* ----------------------------------------------------------------------------- pinning */

static void pin_to(int cpu) {
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(cpu, &one);
  sched_setaffinity(0, sizeof one, &one); /* if it fails, the system places the thread */
}

static bool is_caller(const ik_team *t) {
  return t->pinned && pthread_equal(t->caller, pthread_self());
}

static void let_go(ik_team *t) {
  if (t->pinned) sched_setaffinity(t->caller_id, sizeof t->caller_mask, &t->caller_mask);
  t->pinned = false;
}

static void pin_caller(ik_team *t) {
  if (t->member[0].cpu == NOT_PINNED || is_caller(t)) return;
  let_go(t);
  if (sched_getaffinity(0, sizeof t->caller_mask, &t->caller_mask)) return;
  t->caller = pthread_self(), t->caller_id = (pid_t)syscall(SYS_gettid), t->pinned = true;
  pin_to(t->member[0].cpu);
}

void ik_team_rest(ik_team *t) {
  pthread_mutex_lock(&t->use);
  if (is_caller(t)) let_go(t);
  pthread_mutex_unlock(&t->use);
}

/* ----------------------------------------------------------------------------- working */

static void *live(void *arg) {
  member  *m = arg;
  ik_team *t = m->team;
  if (m->cpu != NOT_PINNED) pin_to(m->cpu);
  ik_fp_set(); /* a later caller computes with them as well */
  for (unsigned round = 1;; round++) {
    await(&t->round, round, t->look_out);
    if (!t->work) return NULL;
    t->work(t->ctx, m->index, t->n);
    if (atomic_fetch_sub(&t->busy.value, 1) == 1) wake(&t->busy);
  }
}

static void give_out(ik_team *t, ik_team_work *work, void *ctx) {
  t->work = work, t->ctx = ctx;
  atomic_store(&t->busy.value, (unsigned)t->n - 1);
  atomic_fetch_add(&t->round.value, 1);
  wake(&t->round);
}

void ik_team_run(ik_team *t, ik_team_work *work, void *ctx) {
  if (t->n == 1) {
    work(ctx, 0, 1);
    return;
  }
  pthread_mutex_lock(&t->use);
  pin_caller(t);
  give_out(t, work, ctx);
  work(ctx, 0, t->n);
  await(&t->busy, 0, t->look_out);
  pthread_mutex_unlock(&t->use);
}

/* -------------------------------------------------------------------------------- life */

/* Signals are for the threads of the program around us. */
static void start_members(ik_team *t, int n) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  for (t->n = 1; t->n < n; t->n++) {
    member *m = &t->member[t->n];
    if (pthread_create(&m->thread, NULL, live, m)) break;
  }
  pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static pthread_mutex_t all_teams = PTHREAD_MUTEX_INITIALIZER;
static ik_team        *teams; /* all that somebody uses */

/* Where thread i of n is pinned to. */
static int cpu_of(const ik_cpus *cpus, int i, int n) {
  bool pin = n > 1 && n <= cpus->n && cpus->known;
  return pin ? cpus->cpu[i] : NOT_PINNED;
}

static bool would_be(const ik_team *t, const ik_cpus *cpus, int n) {
  bool same = t->wanted == n && t->look_out == (n <= cpus->n);
  for (int i = 0; i < n && same; i++) same = t->member[i].cpu == cpu_of(cpus, i, n);
  return same;
}

static ik_team *make(const ik_cpus *cpus, int n) {
  ik_team *t = ik_pages_alloc(sizeof *t + (size_t)n * sizeof *t->member);
  if (!t) return NULL;
  t->wanted = n, t->look_out = n <= cpus->n;
  for (int i = 0; i < n; i++)
    t->member[i] = (member){.team = t, .index = i, .cpu = cpu_of(cpus, i, n)};
  pthread_mutex_init(&t->use, NULL);
  start_members(t, n);
  t->next = teams, teams = t;
  return t;
}

ik_status ik_team_create(int threads, ik_diag *d, ik_team **out) {
  ik_cpus cpus = {.n = 1, .cores = 1, .nodes = 1};
  IK_ASSERT(threads >= 0);
  if (threads != 1) ik_cpus_order(&cpus);
  int n = threads ? threads : cpus.cores;
  if (cpus.known && n <= cpus.n) ik_cpus_spread(&cpus, n);
  pthread_mutex_lock(&all_teams);
  ik_team *t = teams;
  while (t && !would_be(t, &cpus, n)) t = t->next;
  if (!t) t = make(&cpus, n);
  if (t) t->users++;
  pthread_mutex_unlock(&all_teams);
  *out = t;
  if (t) return IK_OK;
  return ik_fail(d, IK_ERR_RESOURCE, IK_E072, IK_NOSPAN, "not enough memory for %d threads", n);
}

static void send_home(ik_team *t) {
  ik_team **at = &teams;
  while (*at != t) at = &(*at)->next;
  *at = t->next;
  give_out(t, NULL, NULL);
  for (int i = 1; i < t->n; i++) pthread_join(t->member[i].thread, NULL);
  let_go(t);
  pthread_mutex_destroy(&t->use);
  ik_pages_free(t);
}

void ik_team_destroy(ik_team **team) {
  ik_team *t = *team;
  if (!t) return;
  *team = NULL;
  ik_team_rest(t);
  pthread_mutex_lock(&all_teams);
  if (--t->users == 0) send_home(t);
  pthread_mutex_unlock(&all_teams);
}

int ik_team_threads(const ik_team *t) { return t->n; }

void ik_team_share(int64_t n, int thread, int nthreads, int64_t *lo, int64_t *hi) {
  int64_t each = n / nthreads, more = n % nthreads;
  *lo = each * thread + (thread < more ? thread : more);
  *hi = *lo + each + (thread < more);
}

/* ------------------------------------------------------------------------------ sharing */

static uint64_t from_to(uint64_t first, uint64_t end) { return first << 32 | end; }

void ik_team_deal(int64_t n, int nthreads, ik_team_part part[]) {
  for (int i = 0; i < nthreads; i++) {
    ik_team_part *p = &part[i];
    ik_team_share(n, i, nthreads, &p->lo, &p->hi);
    p->piece = ((p->hi - p->lo) >> 31) + 1;
    int64_t pieces = (p->hi - p->lo) / p->piece + ((p->hi - p->lo) % p->piece > 0);
    atomic_store(&p->left, from_to(0, (uint64_t)pieces));
  }
}

/* Both ends are in one word, so that who takes from the one sees what is gone from the other. */
static bool take_some(ik_team_part *p, bool from_end, int64_t *lo, int64_t *hi) {
  enum { SOME = 32 };
  uint64_t left = atomic_load(&p->left), first, end, n, rest;
  do {
    first = left >> 32, end = left & UINT32_MAX;
    if (first == end) return false;
    n = end - first < SOME ? 1 : (end - first) / SOME;
    rest = from_end ? from_to(first, end - n) : from_to(first + n, end);
  } while (!atomic_compare_exchange_weak(&p->left, &left, rest));
  if (from_end) first = end - n;
  *lo = p->lo + (int64_t)first * p->piece;
  *hi = p->hi - *lo > (int64_t)n * p->piece ? *lo + (int64_t)n * p->piece : p->hi;
  return true;
}

bool ik_team_take(ik_team_part part[], int thread, int nthreads, int64_t *lo, int64_t *hi) {
  if (take_some(&part[thread], false, lo, hi)) return true;
  for (int i = 1; i < nthreads; i++)
    if (take_some(&part[(thread + i) % nthreads], true, lo, hi)) return true;
  return false;
}

int ik_team_looks(const ik_team *t, int looks) {
  enum { FEW = 8 };
  return t->look_out || looks < FEW ? looks : FEW;
}

void ik_team_say(ik_team_progress *p, int64_t done) {
  atomic_store_explicit(&p->done, done, memory_order_release);
}

int64_t ik_team_said(const ik_team_progress *p) {
  return atomic_load_explicit(&p->done, memory_order_acquire);
}

void ik_team_await(const ik_team_progress *p, int64_t done, int looks) {
  for (int i = 0; ik_team_said(p) < done; i++)
    if (i < looks)
      ik_team_relax();
    else
      sched_yield();
}
