#include "apps/tune/duel.h"
#include "api/api.h"
#include "base/least.h"
#include "apps/bench/loops.h"
#include "apps/bench/stats.h"
#include <math.h>
#include <string.h>

enum { ROUNDS = 5 };

typedef struct duel {
  ik_run   *run;
  ik_loops *plain;
  ik_log   *log;
  int64_t   steps; /* of a timing */
  double    own[ROUNDS], loops[IK_PLAINS][ROUNDS];
} duel;

static int64_t steps_left(const duel *x) {
  const ik_loop *l = &x->run->loop;
  return l->at ? l->at->count - l->inside : 0;
}

/* Both stand at the same step.  A program that would end begins again. */
static ik_status line_up(duel *x) {
  if (steps_left(x) <= x->steps) {
    IK_TRY(ik_run_rewind(x->run, x->log));
    IK_TRY(ik_run_advance(x->run, 0, x->log));
  }
  IK_TRY(ik_engine_fetch_declared(x->run->engine, &x->log->d));
  ik_loops_load(x->plain, x->run->state);
  return IK_OK;
}

static ik_status advance(duel *x, double *seconds) {
  ik_stats_rest();
  double    t = ik_loop_clock();
  ik_status st = ik_run_advance(x->run, x->steps, x->log);
  *seconds = ik_loop_clock() - t;
  return st;
}

/* As many steps as take a slice, and as the engine makes in one go, but not all there are. */
static ik_status choose_steps(duel *x, double slice) {
  int64_t stride = ik_max(x->run->engine->stride, 1);
  double  s;
  x->steps = 1; /* waits for all that is compiled behind the rest */
  IK_TRY(advance(x, &s));
  x->steps = ik_min(stride, ik_max(steps_left(x) / 2, 1));
  IK_TRY(advance(x, &s));
  IK_TRY(advance(x, &s));
  double often = ceil(fmin(slice / fmax(s, 1e-9), 1e6));
  x->steps = ik_min(x->steps * (int64_t)often, ik_max(steps_left(x) / 2, 1));
  return IK_OK;
}

/* The first run of the plain loop does not count: threads that have slept may wake up on one core.
 */
static ik_status round_of(duel *x, int r) {
  IK_TRY(line_up(x));
  ik_loops_run(x->plain, 0, x->steps);
  ik_loops_load(x->plain, x->run->state);
  for (int way = 0; way < IK_PLAINS; way++) {
    double t = ik_loop_clock();
    ik_loops_run(x->plain, way, x->steps);
    x->loops[way][r] = ik_loop_clock() - t;
  }
  return advance(x, &x->own[r]);
}

static double ratio_of(const duel *x) {
  double best = INFINITY, ratio = 0;
  for (int way = 0; way < IK_PLAINS; way++) {
    double copy[ROUNDS];
    memcpy(copy, x->loops[way], sizeof copy);
    double s = ik_stats_median(copy, ROUNDS);
    if (s < best) best = s, ratio = ik_stats_ratio(x->loops[way], x->own, ROUNDS);
  }
  return ratio;
}

static ik_status fight(duel *x, ik_program *p, const ik_run_options *o, double slice) {
  IK_TRY(ik_run_create(p, o, x->log, &x->run));
  IK_TRY(ik_run_advance(x->run, 0, x->log));
  IK_TRY(ik_loops_open(p->ir, ik_max_int(o->threads, 1), o->cache, &x->log->d, &x->plain));
  IK_TRY(choose_steps(x, slice));
  for (int r = 0; r < ROUNDS; r++) IK_TRY(round_of(x, r));
  return IK_OK;
}

ik_status ik_tune_duel(ik_program *p, const ik_run_options *o, double slice, ik_log *log,
                       double *ratio) {
  duel x = {.log = log};
  *ratio = 0;
  if (ik_loops_missing(p->ir)) return IK_OK;
  ik_status st = fight(&x, p, o, slice);
  if (!st) *ratio = ratio_of(&x);
  ik_loops_close(&x.plain);
  ik_run_destroy(&x.run);
  return st;
}
