#define _GNU_SOURCE /* sched_getaffinity */
#include "targets/cpu/team.h"
#include "base/mem.h"
#include "check.h"
#include "targets/cpu/cpus.h"
#include <fenv.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

enum { MOST = 64 };

typedef struct tally {
  atomic_int calls[MOST], wrong;
  int        n;
} tally;

static void count(void *ctx, int thread, int nthreads) {
  tally *t = ctx;
  if (nthreads != t->n || thread < 0 || thread >= nthreads)
    atomic_fetch_add(&t->wrong, 1);
  else
    atomic_fetch_add(&t->calls[thread], 1);
}

static ik_team *create(int threads) {
  ik_diag  d = {0};
  ik_team *team = NULL;
  CHECK_EQ(ik_team_create(threads, &d, &team), IK_OK);
  ik_diag_free(&d);
  return team;
}

static void check_counts(int threads, int rounds, int pause_us) {
  cpu_set_t before, after;
  sched_getaffinity(0, sizeof before, &before);
  ik_team *team = create(threads);
  tally    t = {.n = ik_team_threads(team)};
  CHECK_EQ(t.n, threads);
  for (int r = 0; r < rounds; r++) {
    ik_team_run(team, count, &t);
    if (pause_us) usleep((useconds_t)pause_us);
  }
  CHECK_EQ(t.wrong, 0);
  for (int i = 0; i < t.n; i++) CHECK_EQ(t.calls[i], rounds);
  ik_team_destroy(&team);
  CHECK(!team);
  ik_team_destroy(&team);
  sched_getaffinity(0, sizeof after, &after);
  CHECK(CPU_EQUAL(&before, &after));
}

CASE(every_thread_works_once_each_round) {
  for (int n = 1; n <= 4; n++) check_counts(n, 5000, 0);
}

CASE(sleepers_are_woken) { /* the pause is long enough for all to fall asleep */
  check_counts(2, 100, 300);
  check_counts(5, 100, 300);
}

CASE(more_threads_than_processors) { check_counts(MOST, 200, 0); }

CASE(a_team_without_work_goes_home) {
  for (int i = 0; i < 100; i++) {
    ik_team *team = create(3);
    ik_team_destroy(&team);
  }
}

CASE(zero_is_one_for_each_core) {
  ik_cpus cpus;
  ik_cpus_count(&cpus);
  ik_team *team = create(0);
  CHECK_EQ(ik_team_threads(team), cpus.cores);
  ik_team_destroy(&team);
}

/* What one round writes without any atomics, the next one reads on other threads. */
typedef struct ring {
  int64_t value[MOST][8], next[MOST][8];
} ring;

static void pass_on(void *ctx, int thread, int nthreads) {
  ring *r = ctx;
  r->next[thread][0] = r->value[(thread + 1) % nthreads][0] + 1;
}

static void take_over(void *ctx, int thread, int nthreads) {
  (void)nthreads;
  ring *r = ctx;
  r->value[thread][0] = r->next[thread][0];
}

CASE(results_are_seen_by_all) {
  ik_team *team = create(4);
  ring     r = {0};
  for (int i = 0; i < 4; i++) r.value[i][0] = 100 * i;
  for (int k = 0; k < 2000; k++) ik_team_run(team, pass_on, &r), ik_team_run(team, take_over, &r);
  for (int i = 0; i < 4; i++) CHECK_EQ(r.value[i][0], 100 * i + 2000);
  ik_team_destroy(&team);
}

typedef struct places {
  cpu_set_t at[MOST];
} places;

static void note_place(void *ctx, int thread, int nthreads) {
  (void)nthreads;
  sched_getaffinity(0, sizeof(cpu_set_t), &((places *)ctx)->at[thread]);
}

CASE(each_thread_has_its_processor_and_the_caller_gets_its_own_back) {
  cpu_set_t before, after, together;
  ik_cpus   cpus;
  sched_getaffinity(0, sizeof before, &before);
  ik_cpus_count(&cpus);
  int      n = cpus.n < MOST ? cpus.n : MOST;
  ik_team *team = create(n);
  places   p;
  for (int again = 0; again < 2; again++) {
    ik_team_run(team, note_place, &p);
    CPU_ZERO(&together);
    for (int i = 0; i < n; i++) {
      if (n > 1) CHECK_EQ(CPU_COUNT(&p.at[i]), 1);
      CPU_OR(&together, &together, &p.at[i]);
    }
    CHECK(n > 1 ? CPU_COUNT(&together) == n : CPU_EQUAL(&together, &before));
    if (again)
      ik_team_destroy(&team);
    else
      ik_team_rest(team);
    sched_getaffinity(0, sizeof after, &after);
    CHECK(CPU_EQUAL(&before, &after));
  }
}

CASE(a_narrow_mask_is_respected) {
  cpu_set_t before, one;
  ik_cpus   cpus;
  sched_getaffinity(0, sizeof before, &before);
  ik_cpus_count(&cpus);
  CPU_ZERO(&one);
  CPU_SET(cpus.cpu[cpus.n - 1], &one);
  CHECK_EQ(sched_setaffinity(0, sizeof one, &one), 0);
  ik_team *all = create(0), *two = create(2);
  CHECK_EQ(ik_team_threads(all), 1);
  CHECK_EQ(ik_team_threads(two), 2);
  places p;
  ik_team_run(two, note_place, &p);
  CHECK(CPU_EQUAL(&p.at[0], &one) && CPU_EQUAL(&p.at[1], &one));
  ik_team_destroy(&all), ik_team_destroy(&two);
  sched_setaffinity(0, sizeof before, &before);
}

static void *run_elsewhere(void *team) {
  tally t = {.n = 3};
  for (int i = 0; i < 100; i++) ik_team_run(team, count, &t);
  CHECK_EQ(t.calls[0] + t.calls[1] + t.calls[2], 300);
  return NULL;
}

CASE(the_caller_may_change) {
  cpu_set_t before, after;
  sched_getaffinity(0, sizeof before, &before);
  ik_team  *team = create(3);
  tally     t = {.n = 3};
  pthread_t other;
  ik_team_run(team, count, &t);
  CHECK_EQ(pthread_create(&other, NULL, run_elsewhere, team), 0);
  pthread_join(other, NULL);
  ik_team_run(team, count, &t);
  CHECK_EQ(t.calls[0], 2);
  ik_team_destroy(&team);
  sched_getaffinity(0, sizeof after, &after);
  CHECK(CPU_EQUAL(&before, &after));
}

/* Teams of more threads than processors are placed by the system, and so is their caller. */
CASE(who_is_not_pinned_stays_where_it_goes) {
  cpu_set_t before, one, after;
  ik_cpus   cpus;
  sched_getaffinity(0, sizeof before, &before);
  ik_cpus_count(&cpus);
  CPU_ZERO(&one);
  CPU_SET(cpus.cpu[cpus.n - 1], &one);
  ik_team *team = create(cpus.n + 1);
  tally    t = {.n = cpus.n + 1};
  if (t.n <= MOST) ik_team_run(team, count, &t);
  CHECK_EQ(sched_setaffinity(0, sizeof one, &one), 0);
  ik_team_rest(team);
  sched_getaffinity(0, sizeof after, &after);
  CHECK(CPU_EQUAL(&after, &one));
  ik_team_destroy(&team);
  sched_setaffinity(0, sizeof before, &before);
}

static void note_signals(void *ctx, int thread, int nthreads) {
  (void)nthreads;
  sigset_t blocked;
  pthread_sigmask(SIG_SETMASK, NULL, &blocked);
  ((int *)ctx)[thread] = sigismember(&blocked, SIGINT);
}

CASE(signals_are_left_to_the_caller) {
  ik_team *team = create(3);
  int      blocked[3] = {9, 9, 9};
  ik_team_run(team, note_signals, blocked);
  CHECK_EQ(blocked[0], 0);
  CHECK_EQ(blocked[1], 1);
  CHECK_EQ(blocked[2], 1);
  ik_team_destroy(&team);
}

static void note_rounding(void *ctx, int thread, int nthreads) {
  (void)nthreads;
  ((int *)ctx)[thread] = fegetround();
}

CASE(threads_do_not_round_as_whoever_starts_them) {
  int rounding[3] = {0}, before = fegetround();
  CHECK_EQ(fesetround(FE_UPWARD), 0);
  ik_team *team = create(3);
  ik_team_run(team, note_rounding, rounding);
  fesetround(before);
  CHECK(rounding[1] == FE_TONEAREST && rounding[2] == FE_TONEAREST);
  CHECK_EQ(rounding[0], FE_UPWARD); /* that is the caller */
  ik_team_destroy(&team);
}

CASE(shares_cover_everything_once) {
  static const int64_t sizes[] = {0, 1, 2, 7, 64, 1000003, INT64_MAX};
  for (int i = 0; i < 7; i++)
    for (int n = 1; n <= 9; n++) {
      int64_t at = 0, lo, hi;
      for (int t = 0; t < n; t++, at = hi) {
        ik_team_share(sizes[i], t, n, &lo, &hi);
        CHECK_EQ(lo, at);
        CHECK(hi - lo == sizes[i] / n || hi - lo == sizes[i] / n + 1);
      }
      CHECK_EQ(at, sizes[i]);
    }
}

enum { PIECES = 40 };

typedef struct dealt {
  ik_team_part part[4];
  atomic_int   taken[PIECES];
} dealt;

static void take_all(void *ctx, int thread, int nthreads) {
  dealt  *d = ctx;
  int64_t lo, hi;
  while (ik_team_take(d->part, thread, nthreads, &lo, &hi))
    for (; lo < hi; lo++) atomic_fetch_add(&d->taken[lo], 1);
}

CASE(what_is_dealt_is_taken_once) {
  ik_team *team = create(4);
  for (int n = 0; n < PIECES; n++) {
    dealt d = {0};
    ik_team_deal(n, 4, d.part);
    ik_team_run(team, take_all, &d);
    for (int i = 0; i < PIECES; i++) CHECK_EQ(d.taken[i], i < n);
  }
  ik_team_destroy(&team);
}

static void check_taken(int line, ik_team_part part[], int thread, int n, int64_t first,
                        int64_t end) {
  int64_t lo = -1, hi = -1;
  if (!ik_team_take(part, thread, n, &lo, &hi) || lo != first || hi != end)
    check_fail(__FILE__, line, "thread %d got %lld to %lld, not %lld to %lld", thread,
               (long long)lo, (long long)hi, (long long)first, (long long)end);
}
#define CHECK_TAKEN(part, thread, n, first, end) check_taken(__LINE__, part, thread, n, first, end)

/* One at a time of its own, in order, then what others would have done last. */
CASE(whoever_is_done_takes_from_others) {
  static const int expected[] = {0, 1, 2, 3, 7, 6};
  ik_team_part     part[2] = {0};
  int64_t          lo, hi;
  ik_team_deal(8, 2, part);
  for (int i = 0; i < 6; i++) CHECK_TAKEN(part, 0, 2, expected[i], expected[i] + 1);
  CHECK_TAKEN(part, 1, 2, 4, 5);
  CHECK_TAKEN(part, 0, 2, 5, 6);
  CHECK(!ik_team_take(part, 0, 2, &lo, &hi) && !ik_team_take(part, 1, 2, &lo, &hi));
}

/* The last 64 of a part are taken one by one, and what is far from done many at a time. */
CASE(of_many_some_are_taken_at_a_time) {
  ik_team_part part[2] = {0};
  ik_team_deal(128, 2, part);
  CHECK_TAKEN(part, 0, 2, 0, 2);
  CHECK_TAKEN(part, 0, 2, 2, 3);
  ik_team_deal(6400, 2, part);
  CHECK_TAKEN(part, 1, 2, 3200, 3300);
  CHECK_TAKEN(part, 1, 2, 3300, 3396);
  ik_team_deal(6401, 1, part);
  CHECK_TAKEN(part, 0, 1, 0, 200);
}

/* From the end of the next thread's part, whatever is left there. */
CASE(thieves_leave_the_beginning) {
  ik_team_part part[3] = {0};
  int64_t      lo = 0, hi = 0;
  ik_team_deal(3 * 320, 3, part);
  while (hi < 320) CHECK(ik_team_take(part, 0, 3, &lo, &hi) && hi <= 320);
  CHECK_TAKEN(part, 0, 3, 640 - 10, 640);
  CHECK_TAKEN(part, 1, 3, 320, 320 + 9);
  CHECK_TAKEN(part, 0, 3, 630 - 9, 630);
  CHECK_TAKEN(part, 2, 3, 640, 640 + 10);
}

/* More than a word has room for. */
CASE(parts_may_be_as_large_as_numbers) {
  static const int64_t sizes[] = {INT64_MAX, ((int64_t)1 << 33) - 1, ((int64_t)1 << 32) + 1};
  ik_team_part         part[2] = {0};
  for (int i = 0; i < 3; i++)
    for (int n = 1; n <= 2; n++) {
      int64_t lo, hi, at = 0, end = sizes[i], turns = 0;
      ik_team_deal(sizes[i], n, part);
      while (ik_team_take(part, 0, n, &lo, &hi) && ++turns < 100000) {
        CHECK(lo < hi && (lo == at || hi == end));
        if (lo == at)
          at = hi;
        else
          end = lo;
      }
      CHECK_EQ(at, end);
      CHECK(turns > 400 && turns < 2000);
    }
}

/* Who is waited for may need the processor. */
CASE(threads_that_share_processors_look_a_few_times) {
  ik_cpus cpus;
  ik_cpus_count(&cpus);
  ik_team *all = create(cpus.n), *more = create(cpus.n + 1);
  CHECK_EQ(ik_team_looks(all, 500), 500);
  CHECK(ik_team_looks(more, 500) < 50 && ik_team_looks(more, 500) > 0);
  CHECK_EQ(ik_team_looks(more, 2), 2);
  ik_team_destroy(&all), ik_team_destroy(&more);
}

typedef struct chain {
  ik_team_progress done[2 * MOST];
  int              looks;
} chain;

/* Each link when the one before it is done, as rows of blocks are. */
static void run_chain(void *ctx, int thread, int nthreads) {
  chain *c = ctx;
  for (int i = 0; i < 200; i++) {
    int before = thread ? thread - 1 : nthreads - 1;
    ik_team_await(&c->done[before], i + (thread > 0), c->looks);
    ik_team_say(&c->done[thread], i + 1);
  }
}

CASE(many_threads_wait_for_each_other) {
  static chain c;
  for (int n = 2; n <= 2 * MOST; n *= 4) {
    ik_team *team = create(n);
    c = (chain){.looks = ik_team_looks(team, 2000)};
    ik_team_run(team, run_chain, &c);
    for (int i = 0; i < n; i++) CHECK_EQ(c.done[i].done, 200);
    ik_team_destroy(&team);
  }
}

CASE(no_memory_is_an_error) {
  ik_diag  d = {0};
  ik_team *team = NULL;
  ik_mem_fail_after(0);
  CHECK_EQ(ik_team_create(2, &d, &team), IK_ERR_RESOURCE);
  CHECK_EQ(d.msg[0].code, IK_E072);
  CHECK(!team);
  ik_diag_free(&d);
}

/* ---- one team for all ---- */

typedef struct user {
  pthread_t thread;
  ik_team  *team;
  tally     t;
  int       rounds;
} user;

static void *use(void *arg) {
  user *u = arg;
  for (int r = 0; r < u->rounds; r++) ik_team_run(u->team, count, &u->t);
  ik_team_rest(u->team);
  return NULL;
}

CASE(engines_that_want_as_many_threads_share_them) {
  ik_team *a = create(3), *b = create(3), *c = create(2);
  CHECK(a == b);
  CHECK(a != c);
  ik_team_destroy(&a);
  tally t = {.n = 3};
  ik_team_run(b, count, &t);
  for (int i = 0; i < 3; i++) CHECK_EQ(t.calls[i], 1);
  ik_team_destroy(&b), ik_team_destroy(&c);
}

/* Also where all processors have one, which decides how threads wait. */
CASE(a_thread_for_each_processor_is_shared_too) {
  ik_cpus cpus;
  ik_cpus_count(&cpus);
  ik_team *a = create(cpus.n), *b = create(cpus.n), *c = create(1), *d = create(1);
  CHECK(a == b && c == d);
  ik_team_destroy(&a), ik_team_destroy(&b), ik_team_destroy(&c), ik_team_destroy(&d);
}

CASE(callers_take_turns) {
  enum { USERS = 3, ROUNDS = 2000 };
  user u[USERS] = {0};
  for (int i = 0; i < USERS; i++) {
    u[i].team = create(2), u[i].t.n = 2, u[i].rounds = ROUNDS;
    CHECK_EQ(pthread_create(&u[i].thread, NULL, use, &u[i]), 0);
  }
  for (int i = 0; i < USERS; i++) {
    pthread_join(u[i].thread, NULL);
    CHECK_EQ(u[i].t.wrong, 0);
    for (int k = 0; k < 2; k++) CHECK_EQ(u[i].t.calls[k], ROUNDS);
  }
  for (int i = 0; i < USERS; i++) ik_team_destroy(&u[i].team);
}
