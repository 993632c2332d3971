#include "check.h"
#include "apps/probe/probe.h"

/* A rig whose clock goes on by what the timings take, and no faster. */
typedef struct fake {
  double now;     /* s */
  double each;    /* s, of a unit of work */
  double ahead;   /* s, of a timing beside its work */
  int    calls;   /* timings so far */
  int    slow;    /* of so many timings all but one take ten times as long; 0: none */
  bool   nothing; /* does no work */
} fake;

static double fake_time(void *self, const ik_probe_item *it, long repeats, double *work) {
  fake *f = self;
  *work = f->nothing ? 0 : (double)repeats * it->threads;
  double s = f->ahead + f->each * (double)repeats;
  if (f->slow && f->calls % f->slow) s *= 10;
  f->calls++;
  f->now += s;
  return s;
}

static double fake_clock(void *self) { return ((fake *)self)->now; }

static ik_probe_list two_items(void) {
  return (ik_probe_list){.n = 2,
                         .item = {{.key = "rate", .rate = true, .threads = 2},
                                  {.key = "time", .what = "a step", .threads = 1}}};
}

static ik_status measure(ik_probe_list *l, fake *f, const ik_probe_hooks *h) {
  static const ik_probe_hooks none;
  ik_probe_rig                rig = {fake_time, fake_clock, f};
  return ik_probe_measure(l, &rig, f->now, h ? h : &none);
}

CASE(rates_and_times_are_work_over_time_and_back) {
  ik_probe_list l = two_items();
  fake          f = {.each = 1e-8};
  CHECK_EQ(measure(&l, &f, NULL), IK_OK);
  CHECK_EQ(l.item[0].n, IK_PROBE_ROUNDS);
  CHECK_EQ(l.item[1].n, IK_PROBE_ROUNDS);
  for (int i = 0; i < IK_PROBE_ROUNDS; i++) {
    CHECK_NEAR(l.item[0].sample[i], 2e8, 1);
    CHECK_NEAR(l.item[1].sample[i], 1e-8, 1e-16);
  }
}

CASE(repeats_make_a_timing_long_enough) {
  ik_probe_list l = two_items();
  fake          f = {.each = 1e-9};
  CHECK_EQ(measure(&l, &f, NULL), IK_OK);
  CHECK_NEAR((double)l.item[0].repeats * f.each, IK_PROBE_TIMING, 1e-3 * IK_PROBE_TIMING);
  f.each = 0.5; /* and not longer than once */
  CHECK_EQ(measure(&l, &f, NULL), IK_OK);
  CHECK_EQ(l.item[0].repeats, 1);
  CHECK(l.item[0].n <= IK_PROBE_ROUNDS); /* those of before are gone */
}

CASE(a_clock_that_stands_still_ends_nevertheless) {
  ik_probe_list l = two_items();
  fake          f = {.each = 0};
  CHECK_EQ(measure(&l, &f, NULL), IK_OK);
  CHECK_EQ(l.item[0].n, 0);
}

CASE(what_disturbs_most_timings_disturbs_no_sample) {
  ik_probe_list l = two_items();
  fake          f = {.each = 1e-8, .slow = IK_PROBE_TRIES / 2};
  CHECK_EQ(measure(&l, &f, NULL), IK_OK);
  for (int i = 0; i < l.item[1].n; i++) CHECK_NEAR(l.item[1].sample[i], 1e-8, 1e-16);
  CHECK(l.item[1].n >= IK_PROBE_LEAST);
}

/* How uneven cores are is what disturbs: the best of eight timings would never show it. */
CASE(the_slowest_core_is_timed_once_a_round) {
  ik_probe_list l = {.n = 1, .item = {{.key = "time.slowest", .threads = 4}}};
  fake          f = {.each = 1e-8};
  l.item[0].kind = IK_PROBE_SLOWEST;
  CHECK_EQ(measure(&l, &f, NULL), IK_OK);
  int ready = f.calls - IK_PROBE_ROUNDS; /* to find out how long a timing takes */
  CHECK(ready > 0 && ready < 20);
  f = (fake){.each = 1e-8};
  l.item[0].kind = IK_PROBE_PEAK_F32;
  CHECK_EQ(measure(&l, &f, NULL), IK_OK);
  CHECK_EQ(f.calls, ready + IK_PROBE_ROUNDS * IK_PROBE_TRIES);
  f = (fake){.each = 1e-8, .slow = 2};
  l.item[0].kind = IK_PROBE_SLOWEST;
  CHECK_EQ(measure(&l, &f, NULL), IK_OK);
  CHECK_EQ(l.item[0].n, IK_PROBE_ROUNDS);
  int slow = 0;
  for (int i = 0; i < l.item[0].n; i++) slow += l.item[0].sample[i] > 2e-9 * 4;
  CHECK(slow > 0);
}

CASE(a_slow_machine_has_fewer_rounds) {
  ik_probe_list l = two_items();
  fake          f = {.now = 100, .each = 1.0};
  CHECK_EQ(measure(&l, &f, NULL), IK_OK);
  CHECK(l.item[0].n >= IK_PROBE_LEAST && l.item[0].n < IK_PROBE_ROUNDS);
  CHECK(f.now - 100 < IK_PROBE_LIMIT + 2);
  l = two_items();
  f = (fake){.each = 10.0};
  CHECK_EQ(measure(&l, &f, NULL), IK_OK);
  CHECK_EQ(l.item[0].n, IK_PROBE_LEAST);
}

CASE(what_cannot_be_measured_has_no_samples) {
  ik_probe_list l = two_items();
  fake          f = {.each = 1e-8, .nothing = true};
  CHECK_EQ(measure(&l, &f, NULL), IK_OK);
  CHECK_EQ(l.item[0].n, 0);
  CHECK_EQ(l.item[1].n, 0);
}

typedef struct watcher {
  int                   calls, last, total, stop_at;
  volatile sig_atomic_t stop;
  bool                  named; /* every call had a name, and one more done than before */
} watcher;

static void watch(const char *what, int done, int total, void *user) {
  watcher *w = user;
  w->named = w->named && what[0] && done == w->calls;
  w->last = done, w->total = total;
  if (++w->calls == w->stop_at) w->stop = 1;
}

CASE(progress_is_told_before_each_timing) {
  ik_probe_list  l = two_items();
  fake           f = {.each = 1e-8};
  watcher        w = {.named = true};
  ik_probe_hooks h = {.stop = &w.stop, .progress = watch, .user = &w};
  l.item[1].key[0] = 0; /* has its description then */
  CHECK_EQ(measure(&l, &f, &h), IK_OK);
  CHECK(w.named);
  CHECK_EQ(w.calls, w.total);
  CHECK_EQ(w.last, w.total - 1);
}

CASE(it_stops_when_told_to_wherever_it_is) {
  for (int at = 1; at < 2 * (IK_PROBE_ROUNDS + 1); at++) {
    ik_probe_list  l = two_items();
    fake           f = {.each = 1e-8};
    watcher        w = {.stop_at = at};
    ik_probe_hooks h = {.stop = &w.stop, .progress = watch, .user = &w};
    CHECK_EQ(measure(&l, &f, &h), IK_ERR_INTERRUPTED);
    CHECK_EQ(w.calls, at);
  }
}
