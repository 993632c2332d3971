#include "apps/probe/probe.h"
#include <math.h>

typedef struct course {
  ik_probe_list        *list;
  const ik_probe_rig   *rig;
  const ik_probe_hooks *hooks;
  int                   done;
} course;

static double now(const course *c) { return c->rig->clock(c->rig->self); }

/* Before each timing; false: told to stop. */
static bool go_on(course *c, const ik_probe_item *it) {
  const ik_probe_hooks *h = c->hooks;
  if (h->stop && *h->stop) return false;
  int total = c->list->n * (1 + IK_PROBE_ROUNDS);
  if (h->progress) h->progress(it->key[0] ? it->key : it->what, c->done, total, h->user);
  c->done++;
  return true;
}

/* How often it must be done for a timing that the clock resolves.  Also wakes processors and
 * threads, and has pages made: this round does not count. */
static void calibrate(const course *c, ik_probe_item *it) {
  double work = 0, seconds = 0;
  it->n = 0;
  for (it->repeats = 1;; it->repeats *= 4) {
    seconds = c->rig->time(c->rig->self, it, it->repeats, &work);
    if (!(work > 0)) {
      it->repeats = 0;
      return;
    }
    if (seconds >= IK_PROBE_TIMING / 8 || it->repeats > 1L << 40) break;
  }
  double more = IK_PROBE_TIMING / fmax(seconds, 1e-9);
  it->repeats = (long)fmax(1, ceil((double)it->repeats * more));
}

/* The best of some timings, which are so short that one of them goes undisturbed even where others
 * use the processor, too: whatever disturbs can only slow down.  How uneven cores are is what
 * disturbs: as it comes. */
static void sample(const course *c, ik_probe_item *it) {
  double began = now(c), least = INFINITY;
  int    tries = it->kind == IK_PROBE_SLOWEST ? 1 : IK_PROBE_TRIES;
  for (int i = 0; i < tries && it->repeats; i++) {
    double work = 0, seconds = c->rig->time(c->rig->self, it, it->repeats, &work);
    if (seconds > 0 && work > 0) least = fmin(least, seconds / work);
    if (now(c) - began > IK_PROBE_TURN) break;
  }
  if (isfinite(least) && least > 0) it->sample[it->n++] = it->rate ? 1 / least : least;
}

static ik_status each(course *c, void (*what)(const course *, ik_probe_item *)) {
  for (ik_probe_item *it = c->list->item; it < c->list->item + c->list->n; it++) {
    if (!go_on(c, it)) return IK_ERR_INTERRUPTED;
    what(c, it);
  }
  return IK_OK;
}

ik_status ik_probe_measure(ik_probe_list *l, const ik_probe_rig *rig, double began,
                           const ik_probe_hooks *h) {
  course c = {l, rig, h, 0};
  double longest = 0;
  IK_TRY(each(&c, calibrate));
  for (int round = 0; round < IK_PROBE_ROUNDS; round++) {
    double start = now(&c);
    if (round >= IK_PROBE_LEAST && start + longest > began + IK_PROBE_LIMIT) break;
    IK_TRY(each(&c, sample));
    longest = fmax(longest, now(&c) - start);
  }
  return h->stop && *h->stop ? IK_ERR_INTERRUPTED : IK_OK;
}
