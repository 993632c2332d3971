/* `ikat bench model`: how well the model of the CPU predicts, and how good its choice is.
 *
 * Programs, sizes, types and numbers of threads; of each every plan that the planner knows of is
 * measured as `ikat tune` would, keeping nothing.  Those within 20 % of the best are held against
 * what was predicted for them; the untuned choice is held against the best of all, and against a
 * plain loop.  With --fit the constants of the model are fitted to what was measured, and kept.
 */
#include "base/fp.h"
#include "base/least.h"
#include "base/mem.h"
#include "apps/bench/contender.h"
#include "apps/tune/duel.h"
#include "apps/tune/fitting.h"
#include "apps/tune/model_page.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct point { /* of the grid */
  ik_bench_case c;
  ik_bench_size size;
  int           threads;
} point;

typedef struct result {
  int    plans, near;  /* measured; of these, within 20 % of the best and predicted */
  double best, chosen; /* cells a second, in thousand millions */
  double squares;      /* of relative errors of those near the best */
  double against;      /* the choice over the plain loop; 0: there is none */
} result;

/* ---- the grid ---- */

enum { POINTS = 128 };

typedef struct family { /* of cases: one program on some grids */
  const char *name, *program;
  int         dim, radius;
  int64_t     size[3][3]; /* in the second level, beyond it, in memory */
} family;

/* Of one size: two types, with one thread and two, or with those that are asked for.  These share
 * the memory and what is before it: what lies there grows with them along the last axis. */
static void add(point *all, int *n, const family *f, int k, int threads) {
  int64_t more = k == 2 && threads > 2 ? ik_min(threads / 2, 8) : 1;
  for (int i = 0; i < (threads ? 2 : 4) && *n < POINTS; i++) {
    point *p = &all[(*n)++];
    *p = (point){.c = {.name = f->name, .program = f->program}};
    p->c.ndim = f->dim, p->c.radius = f->radius, p->c.f64 = i % 2;
    p->threads = threads ? threads : i < 2 ? 2 : 1;
    for (int d = 0; d < 3; d++) p->size.n[d] = f->size[k][d] * (d == f->dim - 1 ? more : 1);
    p->size.sets = 1;
  }
}

/* Without those that nobody asked for; there must be some. */
static ik_status keep_wanted(point *all, const char *only, ik_diag *d, int *n) {
  const char *names[POINTS];
  int         all_of_them = *n;
  *n = 0;
  for (int i = 0; i < all_of_them; i++) {
    names[i] = all[i].c.name;
    if (ik_bench_wanted(&all[i].c, only)) all[(*n)++] = all[i];
  }
  return *n ? IK_OK : ik_bench_no_case(only, names, all_of_them, d);
}

/* Of one thread, a fit does with one type. */
static int keep_some(point *all, int n) {
  int kept = 0;
  for (int i = 0; i < n; i++)
    if (all[i].threads > 1 || !all[i].c.f64) all[kept++] = all[i];
  return kept;
}

#define FLAT                                                                                       \
  {                                                                                                \
    {512, 512, 1}, {2048, 2048, 1}, { 8192, 4096, 1 }                                              \
  }
#define CUBE                                                                                       \
  {                                                                                                \
    {64, 64, 64}, {128, 128, 128}, { 320, 320, 320 }                                               \
  }

static const family families[] = {
    {"star2d-r1", "star", 2, 1, FLAT},
    {"box2d-r1", "box", 2, 1, FLAT},
    {"star2d-r2", "star", 2, 2, FLAT},
    {"star3d-r1", "star", 3, 1, CUBE},
    {"box3d-r1", "box", 3, 1, CUBE},
    {"wave", "wave", 3, 0, CUBE},
    {"pcg", "pcg", 3, 0, CUBE},
    {"hdiff", "hdiff", 3, 0, {{256, 256, 8}, {256, 256, 64}, {256, 256, 256}}},
    {"vadvc", "vadvc", 3, 0, {{256, 32, 64}, {256, 256, 64}, {256, 1024, 64}}},
};
enum { FAMILIES = sizeof families / sizeof *families };

/* `threads` 0: one and two. */
static int make_grid(point *all, bool small, bool fit, int threads) {
  int n = 0;
  for (int k = 0; k < (small ? 1 : 3); k++)
    for (int f = 0; f < (small ? 2 : FAMILIES); f++) add(all, &n, &families[f], k, threads);
  if (fit && !threads) n = keep_some(all, n);
  return n;
}

/* The values of vadvc grow: it begins again before they are not finite. */
static ik_status compile(const point *x, ik_log *log, ik_program **p) {
  IK_TRY(ik_contender_program(&x->c, &x->size, log, p));
  ik_status st = IK_OK;
  if (!strcmp(x->c.program, "vadvc")) st = ik_program_set(*p, "rounds", "20", log);
  if (!st) st = ik_program_compile(*p, log);
  if (st) ik_program_destroy(p);
  return st;
}

/* ---- one point ---- */

static result judge(const ik_tune_job *j) {
  result r = {0};
  r.chosen = ik_tune_rate(&j->row[0]) / 1e9;
  for (int i = 0; i < j->nrow; i++) {
    r.plans += j->row[i].n > 0;
    r.best = fmax(r.best, r.chosen * ik_tune_ratio(&j->row[i]));
  }
  for (int i = 0; i < j->nrow; i++) {
    double rate = r.chosen * ik_tune_ratio(&j->row[i]), said = ik_tune_predicted(j, &j->row[i]);
    if (rate * 1.2 < r.best || rate <= 0 || said <= 0) continue;
    r.near++, r.squares += (said / rate - 1) * (said / rate - 1);
  }
  return r;
}

static void grid_text(const point *x, char out[48]) {
  snprintf(out, 48, "%lld x %lld x %lld", (long long)x->size.n[0], (long long)x->size.n[1],
           (long long)x->size.n[2]);
}

static const char *type_of(const point *x) { return x->c.f64 ? "f64" : "f32"; }

static void add_to_page(const point *x, const ik_tune_job *j, ik_model_page *page) {
  char grid[48], what[96];
  grid_text(x, grid);
  snprintf(what, sizeof what, "%s, %s, %s, %d threads", x->c.name, grid, type_of(x), x->threads);
  ik_model_page_add(page, what, j);
}

typedef struct pages { /* what becomes of all cases */
  ik_model_page page;
  ik_fitting    fitting;
} pages;

static ik_status measure(const point *x, const ik_run_options *o, const ik_tune_options *t,
                         ik_log *log, pages *all, result *out) {
  ik_program  *p;
  ik_tune_job *j;
  IK_TRY(compile(x, log, &p));
  ik_run_options opt = *o;
  opt.threads = x->threads, opt.wisdom = NULL, opt.quiet_files = true;
  ik_status st = ik_tune_open(p, &opt, t, log, &j);
  if (!st) st = ik_tune_look(j);
  if (!st) *out = judge(j);
  if (!st && t->report) add_to_page(x, j, &all->page);
  if (!st && t->fit) st = ik_fitting_add(&all->fitting, x->c.name, j, &log->d);
  ik_tune_close(&j);
  if (!st) st = ik_tune_duel(p, &opt, t->budget / 100, log, &out->against);
  ik_program_destroy(&p);
  return st;
}

/* ---- all ---- */

typedef struct total {
  int    cases, good, near;
  double squares;
  int    beside, slower; /* cases with a plain loop; those where it wins */
  ik_buf names;          /* of these */
} total;

static void put_head(ik_buf *out) {
  ik_buf_printf(out, "%-9s %-16s %-4s %7s %6s %12s %12s %10s %8s\n", "program", "grid", "type",
                "threads", "plans", "best GPts/s", "chosen", "error rms", "x plain");
}

static void put_row(const point *x, const result *r, ik_buf *out) {
  char grid[48];
  grid_text(x, grid);
  ik_buf_printf(out, "%-9s %-16s %-4s %7d %6d %12.3g %10.1f %% %8.1f %% ", x->c.name, grid,
                type_of(x), x->threads, r->plans, r->best, 100 * r->chosen / r->best,
                100 * sqrt(r->squares / fmax(r->near, 1)));
  if (r->against > 0)
    ik_buf_printf(out, "%6.2fx\n", r->against);
  else
    ik_buf_printf(out, "%7s\n", "-");
}

/* As printed, with two digits: less would be noise. */
static bool is_slower(const result *r) { return r->against > 0 && r->against < 0.995; }

static void count(const point *x, const result *r, total *t) {
  char grid[48];
  t->cases++, t->good += r->chosen * 1.1 >= r->best, t->near += r->near, t->squares += r->squares;
  t->beside += r->against > 0;
  if (!is_slower(r)) return;
  grid_text(x, grid);
  ik_buf_printf(&t->names, "%s %s %s %s with %d (%.2fx)", t->slower++ ? "," : ":", x->c.name, grid,
                type_of(x), x->threads, r->against);
}

static void put_total(const total *t, ik_buf *out) {
  ik_buf_printf(
      out,
      "%d cases; plans within 20 %% of the best: predicted with an error of %.1f %% rms (at "
      "most 15 %% is asked for)\nthe choice without measuring is within 10 %% of the best in "
      "%.0f %% of the cases (at least 90 %% is asked for)\n"
      "it is slower than the plain loop in %d of %d (none is asked for)%s\n",
      t->cases, 100 * sqrt(t->squares / fmax(t->near, 1)), 100.0 * t->good / fmax(t->cases, 1),
      t->slower, t->beside, ik_buf_text(&t->names));
}

static void json_row(const point *x, const result *r, ik_json *j) {
  ik_json_open(j, NULL, '{');
  ik_json_str(j, "program", x->c.name), ik_json_str(j, "type", type_of(x));
  ik_json_open(j, "grid", '[');
  for (int d = 0; d < x->c.ndim; d++) ik_json_int(j, NULL, x->size.n[d]);
  ik_json_close(j, ']');
  ik_json_int(j, "threads", x->threads), ik_json_int(j, "plans", r->plans);
  ik_json_num(j, "best_gstencils_per_s", r->best);
  ik_json_num(j, "chosen_gstencils_per_s", r->chosen);
  ik_json_num(j, "rms_error", sqrt(r->squares / fmax(r->near, 1)));
  if (r->against > 0) ik_json_num(j, "ratio_to_plain", r->against);
  ik_json_close(j, '}');
}

static void json_total(const total *t, ik_json *j) {
  ik_json_num(j, "rms_error", sqrt(t->squares / fmax(t->near, 1)));
  ik_json_num(j, "good_choices", t->good / fmax(t->cases, 1));
  ik_json_int(j, "beside_plain", t->beside);
  ik_json_int(j, "slower_than_plain", t->slower);
}

static void end_json(const total *t, int n, ik_json *j) {
  ik_json_close(j, ']');
  ik_json_bool(j, "complete", t->cases == n);
  json_total(t, j);
}

static void end_text(const total *t, int n, bool stopped, ik_buf *out) {
  if (stopped) ik_buf_printf(out, "stopped before the end: %d of %d cases\n", t->cases, n);
  put_total(t, out);
}

static ik_status run_grid(const ik_run_options *o, const ik_tune_options *t, bool small, bool json,
                          ik_log *log, pages *kept, ik_buf *out) {
  point  *all = ik_calloc(POINTS, sizeof *all);
  ik_json j = {.out = out};
  total   sum = {0};
  if (!all) return ik_log_no_memory(log);
  int       n = make_grid(all, small, t->fit, o->threads);
  ik_status st = keep_wanted(all, t->only, &log->d, &n);
  if (json) ik_json_open(&j, NULL, '{'), ik_json_open(&j, "cases", '[');
  if (!json) put_head(out);
  for (int i = 0; i < n && !st; i++) {
    result r = {0};
    if (t->progress) t->progress(all[i].c.name, i, n, t->user);
    ik_tune_options quiet = *t;
    quiet.progress = NULL, quiet.dry_run = true, quiet.all = !small;
    st = measure(&all[i], o, &quiet, log, kept, &r);
    if (st || !(r.best > 0)) continue;
    count(&all[i], &r, &sum);
    if (json)
      json_row(&all[i], &r, &j);
    else
      put_row(&all[i], &r, out);
  }
  if (json)
    end_json(&sum, n, &j);
  else
    end_text(&sum, n, st != IK_OK, out);
  if (t->fit && !st) st = ik_fitting_finish(&kept->fitting, &log->d, json ? &j : NULL, out);
  if (json) ik_json_close(&j, '}');
  out->failed |= sum.names.failed;
  ik_buf_free(&sum.names);
  ik_free(all);
  return st;
}

ik_status ik_tune_model(const ik_run_options *o, const ik_tune_options *t, bool small, ik_log *log,
                        bool json, const char **text) {
  IK_OWN_ARITHMETIC;
  ik_tune_options tune;
  ik_run_options  run;
  pages           all = {0};
  ik_tune_options_init(&tune), ik_run_options_init(&run);
  if (t) tune = *t;
  if (o) run = *o;
  if (!(tune.budget > 0)) tune.budget = small ? 0.5 : 1;
  ik_buf_free(&log->text);
  ik_status st = tune.fit ? ik_fitting_open(&all.fitting, run.figures, &log->d) : IK_OK;
  if (!st) st = run_grid(&run, &tune, small, json, log, &all, &log->text);
  if (!st && tune.report)
    st = ik_model_page_write(&all.page, tune.report, json ? "" : ik_buf_text(&log->text), &log->d);
  ik_model_page_free(&all.page);
  if (tune.fit) ik_fitting_close(&all.fitting);
  if (text) *text = ik_buf_text(&log->text);
  return st;
}
