#include "base/least.h"
#include "apps/bench/stats.h"
#include "runtime/memory.h"
#include "apps/tune/tune.h"
#include <math.h>
#include <string.h>

static double elapsed(const ik_tune_job *j) { return ik_loop_clock() - j->began; }

static bool stopped(const ik_tune_job *j) { return j->opt.stop && *j->opt.stop; }

static double median(const double *v, int n) {
  double copy[IK_TUNE_ROUNDS];
  memcpy(copy, v, (size_t)n * sizeof *v);
  return n ? ik_stats_median(copy, n) : 0;
}

double ik_tune_rate(const ik_tune_row *r) { return median(r->rate, r->n); }
double ik_tune_ratio(const ik_tune_row *r) { return median(r->ratio, r->n); }

/* ---- one run ---- */

static bool is_untuned(const ik_tune_row *r) { return r->words.len == 0; }

/* What a run has to say, the first steps of the untuned choice do. */
static ik_log *log_of(ik_tune_job *j) {
  if (j->per_step == 0) return j->log;
  ik_log_clear(j->quiet);
  return j->quiet;
}

static ik_status create(ik_tune_job *j, ik_tune_row *r) {
  ik_run_options o = j->opt;
  o.target = j->target->name;
  o.strategy = is_untuned(r) ? NULL : r->plan.strategy;
  o.plan = is_untuned(r) ? NULL : ik_buf_text(&r->words);
  o.wisdom = NULL, o.progress = NULL, o.quiet_files = true;
  ik_state *arrays = j->spares ? j->spare[--j->spares] : NULL;
  return ik_run_create_in(j->p, &o, &arrays, log_of(j), &r->run);
}

/* Back to the initial values. */
static ik_status rewind_run(const ik_tune_job *j, ik_run *run, ik_log *log) {
  return j->origin ? ik_run_follow(run, j->origin, log) : ik_run_rewind(run, log);
}

/* As many steps as the row's timing has; a program that ends before begins again, which is not
 * timed, but has its limit, too. */
static ik_status advance(const ik_tune_job *j, ik_tune_row *r, ik_log *log, double *seconds) {
  double end = ik_loop_clock() + 4 * j->slice;
  *seconds = 0, r->points = 0, r->did = 0;
  for (int64_t left = r->steps; left > 0 && (!r->did || ik_loop_clock() < end);) {
    if (ik_run_done(r->run)) IK_TRY(rewind_run(j, r->run, log));
    int64_t done = r->run->loop.done, points = r->run->loop.points;
    double  before = ik_loop_clock();
    IK_TRY(ik_run_advance(r->run, left, log));
    *seconds += ik_loop_clock() - before;
    int64_t n = r->run->loop.done - done;
    if (n < 1) n = 1; /* a program that repeats nothing */
    left -= n, r->did += n, r->points += r->run->loop.points - points;
  }
  return IK_OK;
}

static int64_t stride_of(const ik_tune_row *r) {
  return r->run->engine->stride > 0 ? r->run->engine->stride : 1;
}

static ik_status begin(ik_tune_job *j, ik_tune_row *r) {
  IK_ON_BEHALF(&r->run->access);
  if (j->origin) return ik_run_follow(r->run, j->origin, log_of(j));
  return ik_loop_start(&r->run->loop, &log_of(j)->d);
}

/* Pages, caches; and for the untuned choice, how long a step takes, by a single one first: it waits
 * for all that is compiled behind the rest, while others would be timed. */
static ik_status warm_up(ik_tune_job *j, ik_tune_row *r) {
  double  s;
  int64_t stride = stride_of(r);
  IK_TRY(begin(j, r));
  r->steps = 1;
  if (j->per_step == 0) IK_TRY(advance(j, r, log_of(j), &s));
  r->steps = stride;
  IK_TRY(advance(j, r, log_of(j), &s));
  if (j->per_step == 0) {
    IK_TRY(advance(j, r, log_of(j), &s));
    j->per_step = fmax(s / (double)r->did, 1e-9);
  }
  return IK_OK;
}

/* Arrays whose values others can be given are kept for the next run: new memory takes longer than
 * most timings. */
static void leave(ik_tune_job *j, ik_tune_row *r) {
  if (r->run && j->origin && j->spares < IK_TUNE_GROUP)
    ik_run_leave(&r->run, &j->spare[j->spares++]);
  ik_run_destroy(&r->run);
}

/* What a plan cannot do ends it and nothing else. */
static ik_status or_without(ik_tune_job *j, ik_tune_row *r, ik_status st) {
  if (!st || st == IK_ERR_INTERRUPTED || is_untuned(r)) return st;
  r->failed = true;
  leave(j, r);
  return IK_OK;
}

static ik_status enter(ik_tune_job *j, ik_tune_row *r) {
  ik_status st = create(j, r);
  if (!st) st = warm_up(j, r);
  return or_without(j, r, st);
}

static void tell(const ik_tune_job *j, const ik_tune_row *r) {
  int percent = (int)fmin(100, 100 * elapsed(j) / j->t.budget);
  if (j->t.progress) j->t.progress(ik_buf_text(&r->text), percent, 100, j->t.user);
}

/* About a slice, in whole strides. */
static int64_t steps_of(const ik_tune_job *j, const ik_tune_row *r) {
  int64_t stride = stride_of(r), steps = (int64_t)fmin(ceil(j->slice / j->per_step), 1e6);
  return (steps + stride - 1) / stride * stride;
}

/* *rate is 0 if it failed. */
static ik_status time_row(ik_tune_job *j, ik_tune_row *r, double *rate) {
  double s = 0;
  *rate = 0;
  tell(j, r);
  if (!r->run) IK_TRY(enter(j, r));
  if (r->failed) return IK_OK;
  r->steps = steps_of(j, r);
  IK_TRY(or_without(j, r, advance(j, r, log_of(j), &s)));
  if (!r->failed && s > 0) *rate = (double)r->points / s;
  if (j->alone) leave(j, r);
  return IK_OK;
}

/* ---- rounds ---- */

static void note(ik_tune_row *r, double rate, double base) {
  if (r->n == IK_TUNE_ROUNDS || rate <= 0 || base <= 0) return;
  r->rate[r->n] = rate;
  r->ratio[r->n++] = rate / base;
}

typedef struct group { /* of rows that are timed together */
  ik_tune_row *row[IK_TUNE_GROUP];
  int          n;
} group;

static double best_of(const group *g) {
  double best = 1; /* the untuned choice */
  for (int i = 0; i < g->n; i++) best = fmax(best, ik_tune_ratio(g->row[i]));
  return best;
}

/* One that is behind is not timed again: others need the time.  Held against those that were timed
 * with it: a ratio to a timing that was disturbed says little.  A single one may have been, too. */
static bool is_out(const group *g, const ik_tune_row *r) {
  return r->failed || (r->n && ik_tune_ratio(r) < (r->n == 1 ? 0.85 : 0.92) * best_of(g));
}

/* Every other round the untuned choice is the last: nobody has the better place for good. */
static ik_status round_of(ik_tune_job *j, const group *g, bool last) {
  double base = 0, rate[IK_TUNE_GROUP] = {0};
  if (!last) IK_TRY(time_row(j, &j->row[0], &base));
  for (int i = 0; i < g->n; i++)
    if (!is_out(g, g->row[i])) IK_TRY(time_row(j, g->row[i], &rate[i]));
  if (last) IK_TRY(time_row(j, &j->row[0], &base));
  note(&j->row[0], base, base);
  for (int i = 0; i < g->n; i++) {
    note(g->row[i], rate[i], base);
    if (is_out(g, g->row[i])) leave(j, g->row[i]);
  }
  return IK_OK;
}

static bool all_out(const group *g) {
  for (int i = 0; i < g->n; i++)
    if (!is_out(g, g->row[i])) return false;
  return true;
}

/* All are created before one is warmed up: their compilers run side by side. */
static ik_status enter_all(ik_tune_job *j, const group *g) {
  if (j->alone) return IK_OK;
  for (int i = 0; i < g->n; i++) IK_TRY(or_without(j, g->row[i], create(j, g->row[i])));
  for (int i = 0; i < g->n; i++)
    if (!g->row[i]->failed) IK_TRY(or_without(j, g->row[i], warm_up(j, g->row[i])));
  return IK_OK;
}

/* The untuned choice begins with the same values as those that it is held against: what has died
 * away is denormal, and arithmetic on that is many times slower. */
static ik_status begin_again(ik_tune_job *j) {
  return j->row[0].run ? rewind_run(j, j->row[0].run, log_of(j)) : IK_OK;
}

static ik_status rounds(ik_tune_job *j, const group *g, int least, int most, double until) {
  ik_status st = begin_again(j);
  if (!st) st = enter_all(j, g);
  for (int i = 0; !st && i < most && !all_out(g); i++) {
    if (i >= least && elapsed(j) > until) break;
    st = round_of(j, g, i % 2);
  }
  for (int i = 0; i < g->n; i++) {
    g->row[i]->failed |= !g->row[i]->n; /* nothing that could be counted: not once more */
    leave(j, g->row[i]);
  }
  return st;
}

/* How many runs there is memory for beside those that are there, for as many as the compilers of a
 * group have processors. */
static int room(const ik_tune_job *j, const ik_run *one, int there) {
  const ik_engine *e = one->engine;
  int64_t          need = ik_memory_need(j->p->ir, e->layout, e->bytes);
  int64_t          free = ik_memory_free() / 5 * 4; /* others live here too */
  if (j->opt.max_memory > 0) free = j->opt.max_memory - need * there;
  int64_t n = free / (need > 0 ? need : 1), most = ik_max(3, ik_min(e->threads, IK_TUNE_GROUP));
  return n < 0 ? 0 : (int)ik_min(n, most);
}

/* How many of `most` rows there is time for, warmed up and in `least` rounds; one always. */
static int in_time(const ik_tune_job *j, int most, int least, double until) {
  double one = fmax(j->slice, j->per_step);
  while (most > 1 && elapsed(j) + one * (most + least * (most + 1)) > until) most--;
  return most;
}

/* ---- the first time: all, and what lies near the best ---- */

/* The next rows that nobody has timed yet, from `first` on. */
static group next_group(ik_tune_job *j, int first, int most) {
  group g = {0};
  for (int i = first; i < j->nrow && g.n < most; i++)
    if (!j->row[i].n && !j->row[i].failed) g.row[g.n++] = &j->row[i];
  return g;
}

/* false: there were none. */
static ik_status time_next(ik_tune_job *j, int first, int size, double until, bool *any) {
  enum { LEAST = 1, MOST = 2 };
  group g = next_group(j, first, j->t.all ? size : in_time(j, size, LEAST, until));
  *any = g.n > 0;
  return *any ? rounds(j, &g, LEAST, MOST, until) : IK_OK;
}

static ik_tune_row *leader(ik_tune_job *j) {
  ik_tune_row *best = &j->row[0];
  for (ik_tune_row *r = j->row; r < j->row + j->nrow; r++)
    if (ik_tune_ratio(r) > ik_tune_ratio(best)) best = r;
  return best;
}

/* Neighbours of the best so far, or where all of these are done, what is left. */
static ik_status climb(ik_tune_job *j, int size, double until) {
  for (bool any = true; any && elapsed(j) < until;) {
    ik_tune_row *r = leader(j);
    if (!r->near) r->near = j->nrow, ik_tune_surround(j, &r->plan);
    IK_TRY(time_next(j, r->near, size, until, &any));
    if (!any) IK_TRY(time_next(j, 1, size, until, &any));
  }
  return IK_OK;
}

static double limited(double slice) { return fmin(fmax(slice, 0.005), 0.2); }

static ik_status first_time(ik_tune_job *j, int size) {
  double until = 0.4 * j->t.budget;
  j->slice = limited(j->t.budget / 300);
  IK_TRY(round_of(j, &(group){0}, false));
  for (bool any = true, first = true; any && (first || j->t.all || elapsed(j) < until);
       first = false)
    IK_TRY(time_next(j, 1, size, until, &any));
  return j->t.all ? IK_OK : climb(j, size, 0.75 * j->t.budget);
}

/* ---- the second time: the best ---- */

/* Of those that are not in the group and were not timed again yet; NULL: none is worth it. */
static ik_tune_row *best_but(ik_tune_job *j, const group *g) {
  ik_tune_row *best = NULL;
  for (ik_tune_row *r = j->row + 1; r < j->row + j->nrow; r++) {
    int k = 0;
    while (k < g->n && g->row[k] != r) k++;
    if (k == g->n && r->n && !r->again && ik_tune_ratio(r) >= IK_TUNE_GAIN &&
        (!best || ik_tune_ratio(r) > ik_tune_ratio(best)))
      best = r;
  }
  return best;
}

static group finalists(ik_tune_job *j, int most) {
  enum { FEW = 3 };
  group        g = {0};
  ik_tune_row *r;
  while (g.n < ik_min_int(most, FEW) && (r = best_but(j, &g))) g.row[g.n++] = r;
  return g;
}

static bool has_won(const ik_tune_row *r, int least) {
  return r->n >= least && ik_tune_ratio(r) >= IK_TUNE_GAIN;
}

/* *n: how many there were. */
static ik_status time_finalists(ik_tune_job *j, int size, int *n) {
  enum { LEAST = 3, MOST = 11 };
  double until = j->t.all ? elapsed(j) + j->t.budget : j->t.budget;
  group  g = finalists(j, in_time(j, size, LEAST, until));
  *n = g.n;
  for (int i = 0; i < g.n; i++) g.row[i]->n = 0, g.row[i]->again = true;
  IK_TRY(rounds(j, &g, LEAST, MOST, until));
  for (int i = 0; i < g.n; i++)
    if (has_won(g.row[i], LEAST) && ik_tune_ratio(g.row[i]) > ik_tune_ratio(j->winner))
      j->winner = g.row[i];
  return IK_OK;
}

/* Rows of a group share the timings of the untuned choice: if those were disturbed, all of the
 * group seem to win.  Where all are timed, nobody is believed the first time. */
static ik_status second_time(ik_tune_job *j, int size) {
  int n;
  j->slice = limited(j->t.budget / 100);
  do IK_TRY(time_finalists(j, size, &n));
  while (n && j->t.all);
  return IK_OK;
}

/* ---- all of it ---- */

/* The log has what ended it, in the words of the quiet one if need be. */
static ik_status ended(ik_tune_job *j, ik_status st) {
  for (int i = 0; i < j->nrow; i++) leave(j, &j->row[i]);
  ik_run_destroy(&j->origin);
  while (j->spares) ik_state_destroy(&j->spare[--j->spares]);
  if (stopped(j)) st = IK_ERR_INTERRUPTED;
  if (!st || ik_log_errors(j->log)) return st;
  if (st == IK_ERR_INTERRUPTED)
    return ik_fail(&j->log->d, st, IK_E073, IK_NOSPAN, "interrupted; nothing was saved");
  for (int i = 0; i < j->quiet->d.nmsg; i++) {
    const ik_message *m = &j->quiet->d.msg[i];
    if (!m->warning) ik_fail(&j->log->d, st, m->code, m->span, "%s", ik_buf_text(&m->text));
  }
  return st;
}

/* The first run becomes the origin if there is memory for it, the untuned choice and another. */
static ik_status begin_all(ik_tune_job *j) {
  ik_tune_row *r = &j->row[0];
  IK_TRY(create(j, r));
  IK_TRY(begin(j, r));
  if (room(j, r->run, 1) < 2) return warm_up(j, r);
  j->origin = r->run, r->run = NULL;
  return enter(j, r);
}

ik_status ik_tune_begin(ik_tune_job *j) {
  j->began = ik_loop_clock();
  j->winner = &j->row[0], j->nrow = 1;
  ik_status st = begin_all(j);
  return st ? ended(j, st) : st;
}

ik_status ik_tune_measure(ik_tune_job *j) {
  int size = room(j, j->row[0].run, j->origin ? 2 : 1);
  j->alone = size == 0;
  if (j->alone) leave(j, &j->row[0]), size = 1;
  ik_status st = first_time(j, size);
  if (!st) st = second_time(j, size);
  return ended(j, st);
}
