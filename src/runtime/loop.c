#include "runtime/loop.h"
#include "base/least.h"
#include "base/mem.h"
#include "runtime/load.h"
#include <string.h>
#include <time.h>

double ik_loop_clock(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- creation ---- */

static int64_t rounds_of(const ik_stmt *body) {
  int64_t n = 0;
  for (const ik_stmt *s = body; s; s = s->next)
    if (s->kind == IK_STEPS || s->kind == IK_REPEAT) n += s->count;
  return n;
}

/* Unless one is asked for: every 25 times that the engine goes through memory, so that looking
 * costs little beside it; at the end if it makes all steps at once. */
static int64_t steps_between_checks(int64_t asked, int64_t stride) {
  if (asked > 0) return asked > 100 && stride > 0 ? 100 : asked;
  return stride > 0 ? 25 * stride : INT64_MAX;
}

static bool list_repeats(ik_loop *l) {
  for (const ik_stmt *s = l->ir->body; s; s = s->next) l->nrepeat += s->kind == IK_REPEAT;
  l->repeat = ik_calloc((size_t)l->nrepeat, sizeof *l->repeat);
  if (!l->repeat) return false;
  ik_repeat *next = l->repeat;
  for (const ik_stmt *s = l->ir->body; s; s = s->next)
    if (s->kind == IK_REPEAT) *next++ = (ik_repeat){.stmt = s};
  return true;
}

ik_status ik_loop_create(ik_loop *l, ik_engine *x, int64_t check_every, const ik_loop_hooks *h,
                         ik_diag *d) {
  const ik_ir *ir = x->state->ir;
  *l = (ik_loop){.ir = ir, .engine = x, .hooks = *h, .at = ir->body};
  l->check_every = steps_between_checks(check_every, x->stride);
  l->total = rounds_of(ir->body);
  if (!ik_watch_init(&l->watch, ir) || !ik_units_init(&l->units, ir) || !list_repeats(l)) {
    ik_loop_free(l);
    return ik_fail(d, IK_ERR_RESOURCE, IK_E072, IK_NOSPAN, "not enough memory for the run");
  }
  ik_status st = ik_recorder_create(&l->recorder, ir, d);
  if (st) ik_loop_free(l);
  return st;
}

void ik_loop_free(ik_loop *l) {
  ik_watch_free(&l->watch);
  ik_units_free(&l->units);
  ik_recorder_free(&l->recorder);
  ik_free(l->repeat);
  l->repeat = NULL, l->nrepeat = 0;
}

/* ---- what is done between steps ---- */

static bool stopped(const ik_loop *l) { return l->hooks.stop && *l->hooks.stop; }

/* What is counted where the run stands. */
static const char *unit_here(const ik_loop *l) {
  return l->at && l->at->kind == IK_REPEAT ? "round" : "step";
}

static ik_status interrupted(const ik_loop *l, ik_diag *d) {
  return ik_fail(d, IK_ERR_INTERRUPTED, IK_E073, IK_NOSPAN, "interrupted after %s %lld of %lld",
                 unit_here(l), (long long)l->done, (long long)l->total);
}

static void show(ik_loop *l, bool always) {
  if (!l->hooks.progress || (!always && l->seconds - l->last_shown < 0.1)) return;
  l->last_shown = l->seconds;
  ik_loop_progress p = {l->done, l->total, l->seconds, l->watch.max_abs, l->watch.field};
  l->hooks.progress(&p, l->hooks.user);
}

static ik_status outputs(ik_loop *l, ik_diag *d) {
  const ik_state *s = l->engine->state;
  for (int i = 0; l->hooks.output && i < l->ir->noutput; i++)
    if (l->ir->output[i].every && s->t % l->ir->output[i].every == 0)
      IK_TRY(l->hooks.output(i, s, d, l->hooks.user));
  return IK_OK;
}

static ik_status check(ik_loop *l, ik_diag *d) {
  return ik_watch_check(&l->watch, l->engine, l->done, unit_here(l), d);
}

/* So many times through a unit have been done. */
static void count(ik_loop *l, const ik_stmt *first, int64_t times) {
  ik_unit *u = first ? ik_units_find(&l->units, first) : NULL;
  if (!u) return;
  u->times += times;
  l->points += times * u->points;
}

static int64_t until(int64_t every, int64_t done) { return every - done % every; }

/* Steps until something is due: a check, an output, the end of what was asked for. */
static int64_t chunk(const ik_loop *l, int64_t left) {
  int64_t t = l->engine->state->t, n = ik_min(left, until(l->check_every, t));
  for (int i = 0; i < l->ir->noutput; i++)
    if (l->ir->output[i].every) n = ik_min(n, until(l->ir->output[i].every, t));
  return n;
}

/* Never more than a tenth of a second without looking up, as far as one can tell; but as many as
 * the engine makes in one go (0: all). */
static int64_t within_patience(const ik_loop *l, int64_t n, int64_t stride) {
  if (!stride) return n;
  int64_t most = l->each > 0 ? (int64_t)(0.1 / l->each) / stride * stride : stride;
  if (most < stride) most = stride;
  return most < n ? most : n;
}

/* So many steps or rounds have taken so long. */
static void passed(ik_loop *l, int64_t n, double seconds, int64_t *budget) {
  l->seconds += seconds, l->inside += n, l->done += n;
  if (n) l->each = seconds / (double)n;
  if (*budget > 0) *budget -= n;
}

/* ---- loops ---- */

static ik_status advance_steps(ik_loop *l, const ik_stmt *s, int64_t *budget, ik_diag *d) {
  while (l->inside < s->count && *budget) {
    if (stopped(l)) return interrupted(l, d);
    int64_t left = s->count - l->inside, n;
    if (*budget > 0 && *budget < left) left = *budget;
    n = within_patience(l, chunk(l, left), l->engine->stride);
    double    before = ik_loop_clock();
    ik_status st = l->engine->ops->steps(l->engine, s, n, &l->recorder, d);
    if (st) return st;
    passed(l, n, ik_loop_clock() - before, budget);
    count(l, s->body, n);
    bool due = l->engine->state->t % l->check_every == 0 || l->inside == s->count;
    if (due) IK_TRY(check(l, d));
    IK_TRY(outputs(l, d));
    show(l, false);
  }
  return IK_OK;
}

static ik_repeat *repeat_of(ik_loop *l, const ik_stmt *s) {
  ik_repeat *r = l->repeat;
  while (r->stmt != s) r++;
  return r;
}

/* Rounds until something is due, and none if there are none to make: then the test alone tells
 * whether another one is needed. */
static ik_status some_rounds(ik_loop *l, const ik_stmt *s, int64_t budget, ik_rounds *out,
                             ik_diag *d) {
  ik_engine *x = l->engine;
  int64_t    n = s->count - l->inside;
  if (budget >= 0) n = ik_min(n, budget);
  if (n) {
    n = within_patience(l, ik_min(n, until(l->check_every, l->inside)), 1);
    return ik_engine_rounds(x, s, n, out, d);
  }
  double holds;
  IK_TRY(x->ops->run(x, s->pre, NULL, d));
  IK_TRY(x->ops->scalar(x, s->value, &holds, d));
  *out = (ik_rounds){.over = holds != 0};
  return IK_OK;
}

static ik_status advance_rounds(ik_loop *l, const ik_stmt *s, int64_t *budget, bool *finished,
                                ik_diag *d) {
  ik_repeat *r = repeat_of(l, s);
  for (;;) {
    if (stopped(l)) return interrupted(l, d);
    ik_rounds some;
    double    before = ik_loop_clock();
    IK_TRY(some_rounds(l, s, *budget, &some, d));
    passed(l, some.done, ik_loop_clock() - before, budget);
    bool tested = some.over || !some.done; /* and no round after that */
    count(l, s->pre, some.done + tested);
    count(l, s->body, some.done);
    r->rounds += some.done, r->converged = some.over;
    *finished = r->over = some.over || (tested && l->inside >= s->count);
    if (some.done && l->inside % l->check_every == 0) IK_TRY(check(l, d));
    if (tested) break;
    show(l, false);
  }
  if (!*finished) return IK_OK;
  l->total -= s->count - l->inside; /* the rounds that were not needed */
  if (!r->converged)
    ik_warn(d, IK_W002, s->value->span,
            "the condition is still false after %lld rounds, the maximum", (long long)s->count);
  return check(l, d);
}

/* ---- statements outside loops ---- */

/* All statements up to the next loop: an engine may compute them together. */
static ik_status run_until_loop(ik_loop *l, const ik_stmt **at, ik_diag *d) {
  const ik_stmt *first = *at;
  double         before = ik_loop_clock();
  while (*at && !ik_stmt_is_loop(*at)) *at = (*at)->next;
  ik_status st = l->engine->ops->run(l->engine, first, *at, d);
  l->seconds += ik_loop_clock() - before;
  if (!st) count(l, first, 1);
  return st;
}

/* The values of an array that the user bound are the initial ones. */
static bool is_given(const ik_loop *l, const ik_stmt *s) {
  return (s->kind == IK_ASSIGN || s->kind == IK_LOAD) && s->level == 0 &&
         l->engine->state->slot[s->field].bound;
}

static ik_status start(ik_loop *l, ik_diag *d) {
  if (l->started) return IK_OK;
  l->started = true;
  ik_engine_touch(l->engine);
  for (const ik_stmt *s = l->ir->init; s; s = s->next) {
    if (is_given(l, s)) continue;
    if (s->kind != IK_LOAD) {
      IK_TRY(l->engine->ops->run(l->engine, s, s->next, d));
      continue;
    }
    IK_TRY(ik_load(l->engine->state, s, d));
    ik_engine_dirty(l->engine, s->field, s->level);
  }
  ik_engine_ready(l->engine, d);
  return check(l, d);
}

static ik_status advance(ik_loop *l, int64_t budget, ik_diag *d) {
  IK_TRY(start(l, d));
  while (l->at) {
    bool finished = true;
    if (!ik_stmt_is_loop(l->at)) {
      IK_TRY(run_until_loop(l, &l->at, d));
      continue;
    }
    if (l->at->kind == IK_STEPS) {
      IK_TRY(advance_steps(l, l->at, &budget, d));
      finished = l->inside == l->at->count;
    } else {
      IK_TRY(advance_rounds(l, l->at, &budget, &finished, d));
    }
    if (!finished) break;
    l->at = l->at->next, l->inside = 0, l->each = 0;
  }
  return l->at ? IK_OK : check(l, d);
}

/* The caller goes on with what is its own: an engine that pins it to a core lets it go. */
ik_status ik_loop_start(ik_loop *l, ik_diag *d) {
  ik_status st = start(l, d);
  ik_engine_pause(l->engine);
  return st;
}

typedef struct copy {
  const ik_state *from, *to;
} copy;

/* Levels that have a value between two steps, as far as both have memory for them. */
static void copy_share(void *ctx, int thread, int threads) {
  const copy *c = ctx;
  for (int f = 0; f < c->from->ir->nfield; f++) {
    const ik_slot *a = &c->from->slot[f], *b = &c->to->slot[f];
    int64_t        cells = b->layout->cells;
    int            levels = ik_min_int(a->first + a->nlevel, b->first + b->nlevel) - 1;
    if (!a->nlevel || !b->nlevel) continue;
    for (int k = 0; k < levels; k++)
      ik_state_copy(c->from, c->to, f, -k, cells * thread / threads,
                    cells * (thread + 1) / threads);
  }
}

/* The step first: by it an engine with memory of its own knows which array a level is in. */
static ik_status copy_state(ik_engine *from, ik_engine *to, ik_diag *d) {
  ik_state *a = from->state, *b = to->state;
  IK_TRY(ik_engine_fetch_all(from, d));
  b->t = a->t, b->injected = a->injected;
  ik_engine_share(to, copy_share, &(copy){a, b});
  for (int f = 0; f < b->ir->nfield; f++)
    for (int k = 0; k < b->slot[f].first + b->slot[f].nlevel - 1; k++) ik_engine_dirty(to, f, -k);
  if (b->ir->nscalar) memcpy(b->scalar, a->scalar, (size_t)b->ir->nscalar * sizeof *b->scalar);
  return IK_OK;
}

ik_status ik_loop_follow(ik_loop *l, const ik_loop *other, ik_diag *d) {
  if (!l->started) ik_engine_touch(l->engine), ik_engine_ready(l->engine, d);
  IK_TRY(copy_state(other->engine, l->engine, d));
  ik_recorder_follow(&l->recorder, &other->recorder);
  ik_watch_follow(&l->watch, &other->watch, l->ir);
  for (int i = 0; i < l->units.n; i++) l->units.unit[i].times = other->units.unit[i].times;
  for (int i = 0; i < l->nrepeat; i++) l->repeat[i] = other->repeat[i];
  l->at = other->at, l->inside = other->inside, l->started = other->started;
  l->done = other->done, l->total = other->total, l->points = other->points;
  l->each = 0;
  ik_engine_pause(l->engine);
  return IK_OK;
}

bool ik_loop_is_operator(const ik_loop *l) {
  for (const ik_stmt *s = l->ir->body; s; s = s->next)
    if (ik_stmt_is_loop(s)) return false;
  return true;
}

ik_status ik_loop_advance(ik_loop *l, int64_t n, ik_diag *d) {
  if (l->started && !l->at && n && ik_loop_is_operator(l)) l->at = l->ir->body;
  ik_status st = advance(l, n, d);
  ik_engine_pause(l->engine);
  ik_status settled = ik_engine_settle(l->engine, d);
  show(l, true);
  return st ? st : settled;
}
