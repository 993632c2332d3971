/* Slabs whose places are counted instead of computed. */
#include "targets/cpu/slabs.h"
#include "base/mem.h"
#include "check.h"
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

typedef struct yard {
  ik_schedule          s;
  ik_slabs             slabs;
  atomic_int          *times;    /* [slab][place] how often it was done */
  atomic_int_fast64_t *finished; /* [slab] places */
  atomic_int           early;    /* places done before what they wait for */
  atomic_int           shared;   /* slots that two had at the same time, or out of order */
  atomic_bool         *busy;     /* [slot] */
  atomic_int           left;     /* how often a slab was left to others */
} yard;

/* Planes of 20 rows, walked along; tiles of `width` rows that lean by `reach` a step. */
static void open_yard(yard *y, int64_t steps, int64_t band, int64_t width, int threads, int looks) {
  memset(y, 0, sizeof *y);
  y->s = (ik_schedule){
      .kind = IK_SCHEDULE_SKEW, .ndim = 3, .nsub = 1, .steps = steps, .band = band, .place = 1};
  y->s.axis[0] = (ik_schedule_axis){.hi = 4, .reach = {1}};
  y->s.axis[1] = (ik_schedule_axis){.hi = 20, .width = width, .reach = {1}};
  y->s.axis[2] = (ik_schedule_axis){.hi = 40, .reach = {1}};
  CHECK(!ik_schedule_illegal(&y->s) && ik_schedule_has_slabs(&y->s));
  ik_schedule_init(&y->s);
  CHECK(ik_slabs_create(&y->s, threads, looks, &y->slabs));
  y->times = ik_calloc((size_t)(y->slabs.slabs * y->slabs.places), sizeof *y->times);
  y->finished = ik_calloc((size_t)y->slabs.slabs, sizeof *y->finished);
  y->busy = ik_calloc((size_t)threads, sizeof *y->busy);
}

static void close_yard(yard *y) {
  ik_slabs_free(&y->slabs);
  ik_free(y->times), ik_free(y->finished), ik_free(y->busy);
}

/* By what the schedule asks for, whatever the slabs believe. */
static void do_place(yard *y, int slot) {
  const ik_slab   *at = &y->slabs.slot[slot];
  ik_schedule_wait wait[2];
  int              n = ik_schedule_waits(&y->s, at->slab, at->place, wait);
  for (int i = 0; i < n; i++)
    if (atomic_load(&y->finished[wait[i].slab]) < wait[i].places) atomic_fetch_add(&y->early, 1);
  if (atomic_load(&y->finished[at->slab]) != at->place) atomic_fetch_add(&y->shared, 1);
  if (atomic_exchange(&y->busy[slot], true)) atomic_fetch_add(&y->shared, 1);
  atomic_fetch_add(&y->times[at->slab * y->slabs.places + at->place], 1);
  if ((at->slab * 7 + at->place) % 5 == 0) sched_yield(); /* who comes first is never the same */
  atomic_store(&y->busy[slot], false);
  atomic_fetch_add(&y->finished[at->slab], 1);
}

static void walk(void *ctx, int thread, int nthreads) {
  yard *y = ctx;
  (void)nthreads;
  for (int slot; (slot = ik_slabs_take(&y->slabs, thread)) >= 0;)
    for (bool more = true; more;) {
      do_place(y, slot);
      more = ik_slabs_did(&y->slabs, slot, thread, thread % 3 ? 1 : 2);
      if (more && !ik_slabs_go_on(&y->slabs, slot, thread))
        more = false, atomic_fetch_add(&y->left, 1);
    }
}

static void check_done(yard *y) {
  int64_t other = 0;
  for (int64_t i = 0; i < y->slabs.slabs * y->slabs.places; i++) other += y->times[i] != 1;
  CHECK_EQ(other, 0);
  CHECK_EQ(y->early, 0);
  CHECK_EQ(y->shared, 0);
  CHECK_EQ(y->slabs.finished, y->slabs.slabs);
  CHECK_EQ(y->slabs.idle, 0);
  CHECK_EQ(ik_slabs_take(&y->slabs, 0), -1);
}

CASE(all_places_are_done_once_and_in_order) {
  static const int threads[] = {1, 3, 8, 40};
  for (int t = 0; t < 4; t++)
    for (int looks = 0; looks < 300; looks += 150) {
      ik_diag  d = {0};
      ik_team *team = NULL;
      yard     y;
      CHECK_EQ(ik_team_create(threads[t], &d, &team), IK_OK);
      open_yard(&y, 9, 2, 3, ik_team_threads(team), looks);
      CHECK(y.slabs.slabs > 30 && y.slabs.places > 40);
      ik_team_run(team, walk, &y);
      check_done(&y);
      close_yard(&y);
      ik_team_destroy(&team);
      ik_diag_free(&d);
    }
}

CASE(threads_without_a_slab_go_home) {
  ik_diag  d = {0};
  ik_team *team = NULL;
  yard     y;
  CHECK_EQ(ik_team_create(8, &d, &team), IK_OK);
  open_yard(&y, 1, 1, 10, ik_team_threads(team), 0);
  CHECK(y.slabs.slabs < 8);
  ik_team_run(team, walk, &y);
  check_done(&y);
  close_yard(&y);
  ik_team_destroy(&team);
  ik_diag_free(&d);
}

static bool waits(const yard *y, int slot) {
  const ik_slab   *at = &y->slabs.slot[slot];
  ik_schedule_wait wait[2];
  int              n = ik_schedule_waits(&y->s, at->slab, at->place, wait);
  for (int i = 0; i < n; i++)
    if (ik_team_said(&y->slabs.done[wait[i].slab]) < wait[i].places) return true;
  return false;
}

/* Two workers in turns: the second slab is left where it has to wait, and whoever comes when it can
 * go on has it, at the place where it was left. */
CASE(who_has_to_wait_leaves_the_slab_to_another) {
  yard y;
  open_yard(&y, 1, 1, 5, 2, 0);
  int first = ik_slabs_take(&y.slabs, 0), steps = 0;
  while (y.slabs.slot[first].place < 4) do_place(&y, first), ik_slabs_did(&y.slabs, first, 0, 1);
  int second = ik_slabs_take(&y.slabs, 0);
  CHECK(second >= 0 && second != first);
  CHECK(y.slabs.slot[first].slab == 0 && y.slabs.slot[second].slab == 1);
  bool on = true;
  for (; on && steps < 100; steps++) {
    CHECK(!waits(&y, second));
    do_place(&y, second);
    CHECK(ik_slabs_did(&y.slabs, second, 0, 1));
    on = ik_slabs_go_on(&y.slabs, second, 0);
  }
  int64_t place = y.slabs.slot[second].place;
  CHECK(!on && waits(&y, second) && place == steps && place < 4);
  CHECK(!y.slabs.slot[second].taken && y.slabs.slot[second].open);
  while (waits(&y, second)) do_place(&y, first), ik_slabs_did(&y.slabs, first, 0, 1);
  CHECK_EQ(ik_slabs_take(&y.slabs, 0), second);
  CHECK(y.slabs.slot[second].slab == 1 && y.slabs.slot[second].place == place);
  CHECK(y.slabs.slot[first].taken);
  close_yard(&y);
}

/* One that others wait for is left at times, if somebody has nothing to do: only then. */
CASE(a_slab_that_others_wait_for_changes_hands) {
  enum { TURN = 32 };
  for (int idle = 0; idle < 2; idle++)
    for (int behind = 0; behind < 2; behind++) {
      yard y;
      open_yard(&y, 1, 1, 5, 3, 0);
      int first = ik_slabs_take(&y.slabs, 0), second = -1;
      y.slabs.idle = idle;
      for (int i = 0; i < TURN; i++) {
        CHECK_EQ(y.slabs.slot[first].place, i);
        do_place(&y, first);
        CHECK(ik_slabs_did(&y.slabs, first, 0, 1));
        if (i + 1 < TURN) CHECK(ik_slabs_go_on(&y.slabs, first, 0));
      }
      if (behind) {
        second = ik_slabs_take(&y.slabs, 0);
        while (ik_slabs_did(&y.slabs, second, 0, 1) && ik_slabs_go_on(&y.slabs, second, 0))
          continue;
        CHECK(y.slabs.slot[second].open && !y.slabs.slot[second].taken);
      }
      CHECK_EQ(ik_slabs_go_on(&y.slabs, first, 0), !(idle && behind));
      if (idle && behind) {
        CHECK_EQ(ik_slabs_take(&y.slabs, 0), first);
        do_place(&y, first);
        CHECK(ik_slabs_did(&y.slabs, first, 0, 1) &&
              ik_slabs_go_on(&y.slabs, first, 0)); /* for a while */
      }
      CHECK(y.slabs.slot[first].taken && y.slabs.slot[first].slab == 0);
      y.slabs.idle = 0;
      close_yard(&y);
    }
}

/* Of several that can go on, the oldest; a new one only if none of them can. */
CASE(the_oldest_slab_comes_first) {
  yard y;
  open_yard(&y, 1, 1, 4, 4, 0);
  int slot[3];
  for (int k = 0; k < 3; k++) {
    slot[k] = ik_slabs_take(&y.slabs, 0);
    CHECK_EQ(y.slabs.slot[slot[k]].slab, k);
    for (int i = 0; i < 12 - 4 * k && !waits(&y, slot[k]); i++)
      ik_slabs_did(&y.slabs, slot[k], 0, 1);
  }
  for (int k = 0; k < 3; k++) CHECK(!waits(&y, slot[k]));
  y.slabs.slot[slot[1]].taken = y.slabs.slot[slot[2]].taken = false; /* they were left */
  CHECK_EQ(ik_slabs_take(&y.slabs, 0), slot[1]);
  CHECK_EQ(ik_slabs_take(&y.slabs, 0), slot[2]);
  CHECK_EQ(y.slabs.next, 3);
  close_yard(&y);
}

/* Thread 1 is slow: what it takes is the youngest, and a new slab if there can be one. */
CASE(a_slow_thread_takes_the_youngest_slab) {
  yard y;
  open_yard(&y, 1, 1, 4, 4, 0);
  y.slabs.pace[0] = 1;
  y.slabs.pace[1] = 1.5;
  int slot[3];
  for (int k = 0; k < 3; k++) {
    slot[k] = ik_slabs_take(&y.slabs, 0);
    for (int i = 0; i < 12 - 4 * k && !waits(&y, slot[k]); i++)
      ik_slabs_did(&y.slabs, slot[k], 0, 1);
  }
  for (int k = 0; k < 3; k++) y.slabs.slot[slot[k]].taken = false;
  int fresh = ik_slabs_take(&y.slabs, 1);
  CHECK_EQ(y.slabs.slot[fresh].slab, 3);
  CHECK_EQ(ik_slabs_take(&y.slabs, 1), slot[2]);
  CHECK_EQ(ik_slabs_take(&y.slabs, 0), slot[0]);
  y.slabs.pace[1] = 1.3; /* that is not slow */
  CHECK_EQ(ik_slabs_take(&y.slabs, 1), slot[1]);
  close_yard(&y);
}

/* It gives up what others wait for much sooner than another thread would. */
CASE(a_slow_thread_leaves_what_others_wait_for) {
  for (int slow = 0; slow < 2; slow++) {
    yard y;
    open_yard(&y, 1, 1, 5, 3, 0);
    y.slabs.pace[0] = 1;
    y.slabs.pace[1] = 1 + slow;
    int first = ik_slabs_take(&y.slabs, 1);
    for (int i = 0; i < 8; i++) CHECK(ik_slabs_did(&y.slabs, first, 1, 1 + slow));
    int second = ik_slabs_take(&y.slabs, 0);
    while (ik_slabs_did(&y.slabs, second, 0, 1) && ik_slabs_go_on(&y.slabs, second, 0)) continue;
    CHECK(!y.slabs.slot[second].taken);
    y.slabs.idle = 1;
    CHECK_EQ(ik_slabs_go_on(&y.slabs, first, 1), !slow);
    y.slabs.idle = 0;
    close_yard(&y);
  }
}

CASE(slabs_without_memory_are_refused) {
  yard     y;
  ik_slabs s;
  open_yard(&y, 2, 1, 5, 2, 0);
  for (long n = 0; n < 3; n++) {
    ik_mem_fail_after(n);
    bool ok = ik_slabs_create(&y.s, 2, 0, &s);
    ik_mem_fail_after(-1);
    CHECK(!ok);
  }
  close_yard(&y);
}
