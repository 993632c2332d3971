#include "apps/bench/growth.h"
#include "api/api.h"
#include "base/fp.h"
#include "base/json.h"
#include "base/mem.h"
#include "apps/bench/contender.h"
#include "runtime/memory.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LONGER = 4, ROUNDS = 100 };

#define CASE(name_, program_, ndim_, radius_, f64_, size_, small_)                                 \
  {                                                                                                \
    .name = name_,                                                                                 \
    .program = {.name = name_,                                                                     \
                .program = program_,                                                               \
                .ndim = ndim_,                                                                     \
                .radius = radius_,                                                                 \
                .f64 = f64_},                                                                      \
    .size = size_, .small = small_                                                                 \
  }
#define SIZE(x, y, z, steps)                                                                       \
  { {x, y, z}, 1, steps }

/* The greater grids take 4 to 9 GiB. */
static const ik_growth_case cases[] = {
    CASE("star2d-f32", "star", 2, 1, false, SIZE(8192, 8192, 1, 16), SIZE(48, 24, 1, 4)),
    CASE("star2d-f64", "star", 2, 1, true, SIZE(8192, 8192, 1, 16), SIZE(48, 24, 1, 4)),
    CASE("star3d-f32", "star", 3, 1, false, SIZE(384, 384, 384, 12), SIZE(24, 12, 8, 4)),
    CASE("star3d-f64", "star", 3, 1, true, SIZE(384, 384, 384, 12), SIZE(24, 12, 8, 4)),
    CASE("wave-f32", "wave", 3, 0, false, SIZE(384, 384, 384, 6), SIZE(24, 12, 12, 4)),
    CASE("hdiff-f32", "hdiff", 3, 0, false, SIZE(1024, 1024, 64, 12), SIZE(24, 12, 8, 4)),
};
enum { NCASE = sizeof cases / sizeof *cases };

/* Twice along each axis of three; along two axes four times and twice, the longer one outermost. */
ik_bench_size ik_growth_larger(const ik_bench_case *c, const ik_bench_size *s) {
  ik_bench_size n = *s;
  for (int d = 0; d < c->ndim; d++) n.n[d] *= 2;
  n.n[c->ndim - 1] *= c->ndim == 3 ? 1 : c->ndim == 2 ? 2 : 4;
  return n;
}

bool ik_growth_is_even(double ratio) { return fabs(ratio - 1) <= 0.1; }

/* ---- one case ---- */

typedef struct job {
  const ik_bench_options *o;
  ik_growth_row          *row;
  ik_program             *p[2];
  ik_contender            x[2]; /* the lesser grid, the greater */
  double                  short_s[2][ROUNDS], long_s[ROUNDS];
  int                     n;
} job;

static double points_of(const ik_bench_size *s) { /* of a timing */
  return (double)s->n[0] * (double)s->n[1] * (double)s->n[2] * s->steps;
}

static ik_status timed(ik_contender *x, int steps, ik_log *log, double *seconds) {
  double    t = ik_loop_clock();
  ik_status st = ik_contender_advance(x, steps, log);
  *seconds = ik_loop_clock() - t;
  return st;
}

/* As many steps as the engine makes in one go, some times over: the rest is another cost. */
static void whole_strides(ik_bench_size *s, int64_t stride) {
  int n = stride > 0 && stride < s->steps ? (int)stride : s->steps;
  s->steps = (s->steps + n - 1) / n * n;
}

static ik_status open_both(job *j, ik_log *log) {
  ik_run_options o;
  ik_run_options_init(&o);
  o.target = j->o->target ? j->o->target : "cpu", o.strategy = j->o->strategy;
  o.threads = j->o->threads, o.cache = j->o->cache, o.stop = j->o->stop, o.quiet_files = true;
  for (int k = 0; k < 2; k++) {
    const ik_bench_size *s = &j->row->size[k];
    IK_TRY(ik_contender_program(&j->row->c->program, s, log, &j->p[k]));
    IK_TRY(ik_contender_create(&j->x[k], j->p[k], s, &o, log));
    const ik_engine *e = j->x[k].run[0]->engine;
    snprintf(j->row->plan[k], sizeof j->row->plan[k], "%s", e->plan ? e->plan : "");
    whole_strides(&j->row->size[k], e->stride);
    IK_TRY(ik_contender_advance(&j->x[k], s->steps, log)); /* pages, caches */
  }
  j->row->strategy = j->x[0].run[0]->strategy;
  return IK_OK;
}

static ik_status round_of(job *j, ik_log *log) {
  const ik_bench_size *s = j->row->size;
  if (j->o->stop && *j->o->stop)
    return ik_fail(&log->d, IK_ERR_INTERRUPTED, IK_E073, IK_NOSPAN, "interrupted in case %s",
                   j->row->c->name);
  for (int k = 0; k < 2; k++) IK_TRY(timed(&j->x[k], s[k].steps, log, &j->short_s[k][j->n]));
  IK_TRY(timed(&j->x[0], LONGER * s[0].steps, log, &j->long_s[j->n]));
  j->n++;
  return IK_OK;
}

static void finish(job *j) {
  ik_growth_row *r = j->row;
  double         more = points_of(&r->size[1]) / points_of(&r->size[0]);
  r->by_size = more * ik_stats_ratio(j->short_s[0], j->short_s[1], j->n);
  r->by_steps = ik_stats_ratio(j->long_s, j->short_s[0], j->n) / LONGER;
  for (int k = 0; k < 2; k++)
    r->rate[k] = points_of(&r->size[k]) / ik_stats_median(j->short_s[k], j->n) / 1e9;
}

/* What one case cannot do is kept in its row; an interruption ends all. */
static ik_status measure(const ik_bench_options *o, ik_growth_row *row) {
  job     j = {.o = o, .row = row};
  ik_log *log = ik_log_create();
  if (!log) return IK_ERR_RESOURCE;
  ik_status st = open_both(&j, log);
  for (int again = 0; !st && j.n < o->rounds;) {
    ik_quiet q = ik_quiet_begin();
    st = round_of(&j, log);
    if (!st && !ik_quiet_was(&q, o->threads) && again++ < o->rounds) j.n--;
  }
  if (!st) finish(&j);
  if (st) {
    ik_log_entry e = {.message = "failed"};
    ik_log_get(log, 0, &e);
    snprintf(row->failure, sizeof row->failure, "%s", e.message);
  }
  for (int k = 0; k < 2; k++) {
    ik_contender_free(&j.x[k]);
    if (j.p[k]) ik_program_destroy(&j.p[k]);
  }
  ik_log_destroy(&log);
  return st == IK_ERR_INTERRUPTED ? st : IK_OK;
}

/* ---- results ---- */

static void grid_text(const ik_bench_case *c, const ik_bench_size *s, char out[48]) {
  int len = snprintf(out, 48, "%lld", (long long)s->n[0]);
  for (int d = 1; d < c->ndim; d++)
    len += snprintf(out + len, 48 - (size_t)len, " x %lld", (long long)s->n[d]);
}

static const char *verdict(double ratio) { return ik_growth_is_even(ratio) ? "yes" : "no"; }

static void put_row(const ik_growth_row *r, ik_buf *out) {
  char grid[2][48];
  for (int k = 0; k < 2; k++) grid_text(&r->c->program, &r->size[k], grid[k]);
  ik_buf_printf(out, "%-12s ", r->c->name);
  if (*r->failure) {
    ik_buf_printf(out, "failed: %s\n", r->failure);
    return;
  }
  ik_buf_printf(out, "%-18s %8.3g  %-20s %8.3g %8.2f %5s %10.2f %5s\n", grid[0], r->rate[0],
                grid[1], r->rate[1], r->by_size, verdict(r->by_size), r->by_steps,
                verdict(r->by_steps));
  for (int k = 0; k < 2 && *r->plan[k]; k++)
    ik_buf_printf(out, "%14s%s: %s\n", "", k ? "greater" : "lesser", r->plan[k]);
}

void ik_growth_text(const ik_bench_options *o, const ik_growth_row *row, int n, ik_buf *out) {
  int even = 0, measured = 0;
  ik_buf_printf(out, "threads %d, rounds %d, medians, ikat %s\n", o->threads, o->rounds,
                ik_version());
  if (o->small) ik_buf_puts(out, "size small: these figures say nothing about speed\n");
  ik_buf_printf(out, "%-12s %-18s %8s  %-20s %8s %8s %5s %10s %5s\n", "case", "grid", "GPts/s",
                "8 times the cells", "GPts/s", "ratio", "even", "step of 4n", "even");
  for (const ik_growth_row *r = row; r < row + n; r++) {
    put_row(r, out);
    measured += !*r->failure;
    even += !*r->failure && ik_growth_is_even(r->by_size) && ik_growth_is_even(r->by_steps);
  }
  ik_buf_printf(out, "%d of %d cases grow evenly, within 10 %%\n", even, measured);
}

static void put_object(const ik_growth_row *r, ik_json *j) {
  static const char *const which[] = {"grid", "larger_grid"};
  static const char *const plan[] = {"plan", "larger_plan"};
  ik_json_open(j, NULL, '{');
  ik_json_str(j, "name", r->c->name);
  if (*r->failure) ik_json_str(j, "failure", r->failure);
  ik_json_str(j, "strategy", r->strategy);
  for (int k = 0; k < 2; k++) {
    ik_json_open(j, which[k], '[');
    for (int d = 0; d < r->c->program.ndim; d++) ik_json_int(j, NULL, r->size[k].n[d]);
    ik_json_close(j, ']');
    ik_json_str(j, plan[k], r->plan[k]);
  }
  ik_json_int(j, "steps", r->size[0].steps);
  ik_json_num(j, "gstencils_per_s", r->rate[0]);
  ik_json_num(j, "larger_gstencils_per_s", r->rate[1]);
  ik_json_num(j, "size_ratio", r->by_size);
  ik_json_num(j, "step_ratio", r->by_steps);
  ik_json_close(j, '}');
}

void ik_growth_json(const ik_bench_options *o, const ik_growth_row *row, int n, ik_buf *out) {
  ik_json j = {.out = out};
  ik_json_open(&j, NULL, '{');
  ik_json_str(&j, "suite", "growth");
  ik_json_str(&j, "version", ik_version());
  ik_json_str(&j, "size", o->small ? "small" : "full");
  ik_json_int(&j, "threads", o->threads);
  ik_json_int(&j, "rounds", o->rounds);
  ik_json_open(&j, "cases", '[');
  for (int i = 0; i < n; i++) put_object(&row[i], &j);
  ik_json_close(&j, ']');
  ik_json_close(&j, '}');
}

/* ---- all ---- */

static ik_status run_cases(const ik_bench_options *o, ik_growth_row *row, int *n) {
  for (int i = 0; i < NCASE; i++) {
    const ik_growth_case *c = &cases[i];
    if (!ik_bench_wanted(&c->program, o->only)) continue;
    ik_growth_row *r = &row[*n];
    *r = (ik_growth_row){.c = c, .size = {o->small ? c->small : c->size}};
    r->size[1] = ik_growth_larger(&c->program, &r->size[0]);
    if (o->progress) o->progress(c->name, i, NCASE, o->user);
    IK_TRY(measure(o, r));
    ++*n;
  }
  return IK_OK;
}

static ik_status check_options(const ik_bench_options *o, ik_diag *d) {
  if (o->threads < 1 || o->rounds < 1 || o->rounds > ROUNDS)
    return ik_error(d, IK_E081, IK_NOSPAN, "threads start at 1, rounds go from 1 to %d", ROUNDS);
  const char *names[NCASE];
  for (int i = 0; i < NCASE; i++) {
    if (ik_bench_wanted(&cases[i].program, o->only)) return IK_OK;
    names[i] = cases[i].program.name;
  }
  return ik_bench_no_case(o->only, names, NCASE, d);
}

ik_status ik_bench_growth(const ik_bench_options *o, ik_log *log, bool json, const char **text) {
  IK_OWN_ARITHMETIC;
  ik_growth_row row[NCASE];
  int           n = 0;
  IK_TRY(check_options(o, &log->d));
  ik_status st = run_cases(o, row, &n);
  if (st) return ik_fail(&log->d, st, IK_E073, IK_NOSPAN, "interrupted after %d cases", n);
  ik_buf_free(&log->text);
  if (json)
    ik_growth_json(o, row, n, &log->text);
  else
    ik_growth_text(o, row, n, &log->text);
  if (text) *text = ik_buf_text(&log->text);
  return log->text.failed ? ik_log_no_memory(log) : IK_OK;
}
