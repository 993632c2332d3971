#include "apps/bench/bench.h"
#include "api/api.h"
#include "base/fp.h"
#include "base/least.h"
#include "base/mem.h"
#include "apps/bench/stats.h"
#include "machine/machine.h"
#include "runtime/memory.h"
#include "targets/cpu/isa.h"
#include <stdio.h>
#include <string.h>

void ik_bench_options_init(ik_bench_options *o) {
  *o = (ik_bench_options){.threads = 2, .rounds = 5};
}

const char *const *ik_bench_list(const char *suite) {
  static const char    *names[64];
  const ik_bench_suite *s = ik_bench_suite_find(suite);
  for (int i = 0; s && i <= s->ncase; i++) names[i] = i < s->ncase ? s->cases[i].name : NULL;
  return s ? names : NULL;
}

/* ---- what is asked for ---- */

static ik_status check_options(const ik_bench_options *o, ik_diag *d) {
  const ik_bench_suite *s = ik_bench_suite_find(o->suite);
  if (!s) {
    ik_error(d, IK_E082, IK_NOSPAN, "there is no suite '%s'", o->suite);
    ik_help(d, "there are 'cpu', 'examples', 'growth', 'model' and 'papers'");
    return IK_ERR_SOURCE;
  }
  if (o->threads < 1 || o->rounds < 1 || o->rounds > IK_BENCH_ROUNDS)
    return ik_error(d, IK_E081, IK_NOSPAN, "threads start at 1, rounds go from 1 to %d",
                    IK_BENCH_ROUNDS);
  for (int i = 0; i < s->ncase; i++)
    if (ik_bench_wanted(&s->cases[i], o->only)) return IK_OK;
  return ik_bench_no_case(o->only, ik_bench_list(o->suite), s->ncase, d);
}

/* The model of the processor, as far as the system tells. */
static void name_machine(ik_bench *b) {
  ik_arena a;
  ik_arena_init(&a);
  snprintf(b->machine, sizeof b->machine, "this machine");
  if (!setjmp(a.oom)) {
    const char *title = ik_machine_text(ik_machine_local("", &a), "title");
    if (title) snprintf(b->machine, sizeof b->machine, "%s", title);
  }
  ik_arena_free(&a);
}

static void begin_row(const ik_bench *b, const ik_bench_case *c, ik_bench_row *row) {
  row->c = c;
  row->size = b->opt.small ? &c->small : &c->full;
  row->points = (double)row->size->sets * row->size->steps;
  for (int k = 0; k < 3; k++) row->points *= (double)row->size->n[k];
}

/* ---- the run ---- */

static ik_status wrong(const ik_bench_row *row, const char *who, double error, ik_diag *d) {
  return ik_fail(d, IK_ERR_NUMERIC, IK_E074, IK_NOSPAN,
                 "case %s: the result of the %s is wrong (it is off by %.3g of the greatest value)",
                 row->c->name, who, error);
}

static ik_status judge(const ik_bench_row *row, ik_diag *d) {
  ik_status st = IK_OK;
  char      who[64];
  if (row->plain_wrong) st = wrong(row, "plain loop", row->plain_error, d);
  for (const ik_bench_line *l = row->line; l < row->line + row->nline; l++) {
    snprintf(who, sizeof who, "strategy '%s'", l->strategy);
    if (l->wrong) st = wrong(row, who, l->error, d);
  }
  return st;
}

static ik_status run_cases(ik_bench *b, ik_log *log) {
  ik_status first = IK_OK;
  for (int i = 0; i < b->suite->ncase; i++) {
    if (!ik_bench_wanted(&b->suite->cases[i], b->opt.only)) continue;
    ik_bench_row *row = &b->row[b->nrow];
    begin_row(b, &b->suite->cases[i], row);
    IK_TRY(ik_bench_measure(b, row, log));
    b->nrow++;
    ik_bench_finish(&b->limits, row);
    ik_cores_add(&b->cores, &row->cores);
    ik_status st = judge(row, &log->d);
    if (!first) first = st;
  }
  return first;
}

/* Of two arrays, of which the caches hold little, if there is room for that. */
static int64_t bytes_of_limits(bool small) {
  enum { SMALL = 8 << 20, FULL = 1 << 30, TIMES = 8 };
  ik_isa isa = ik_isa_local();
  return small ? SMALL : ik_max(FULL, ik_min(TIMES * isa.l3 * isa.cpus, ik_memory_free() / 4));
}

static ik_status measure_limits(ik_bench *b, ik_log *log) {
  const int64_t bytes = bytes_of_limits(b->opt.small);
  const double  seconds = b->opt.small ? 0.001 : 0.04;
  if (b->opt.progress) b->opt.progress("limits of this machine", 0, 1, b->opt.user);
  IK_TRY(ik_limits_open(b->opt.threads, &log->d, &b->rig));
  IK_TRY(ik_limits_measure(b->rig, bytes, seconds, &log->d, &b->limits));
  b->cores = b->limits.cores;
  return IK_OK;
}

static ik_status measure_all(ik_bench *b, ik_log *log) {
  ik_quiet  q = ik_quiet_begin();
  ik_status st = measure_limits(b, log);
  if (!st) st = run_cases(b, log);
  ik_limits_close(&b->rig);
  b->stolen = ik_quiet_share(&q, b->opt.threads);
  return st;
}

static ik_status run_suite(ik_bench *b, ik_log *log) {
  const ik_target *t;
  const char      *strategy;
  IK_TRY(ik_target_find(b->target, &log->d, &t));
  IK_TRY(ik_target_strategy(t, b->opt.strategy, &log->d, &strategy));
  b->row = ik_calloc((size_t)b->suite->ncase, sizeof *b->row);
  if (!b->row) return ik_log_no_memory(log);
  name_machine(b);
  return measure_all(b, log);
}

ik_status ik_bench_run(const ik_bench_options *o, ik_log *log, ik_bench **out) {
  IK_OWN_ARITHMETIC;
  ik_bench_options opt;
  *out = NULL;
  ik_bench_options_init(&opt);
  if (o) opt = *o;
  IK_TRY(check_options(&opt, &log->d));
  ik_bench *b = ik_calloc(1, sizeof *b);
  if (!b) return ik_log_no_memory(log);
  b->opt = opt, b->suite = ik_bench_suite_find(opt.suite);
  b->target = opt.target ? opt.target : "cpu";
  ik_status st = run_suite(b, log);
  if (b->nrow)
    *out = b;
  else
    ik_bench_destroy(&b);
  return st;
}

void ik_bench_destroy(ik_bench **bench) {
  ik_bench *b = *bench;
  if (!b) return;
  ik_free(b->row);
  ik_buf_free(&b->text);
  ik_free(b);
  *bench = NULL;
}

/* ---- results ---- */

const char *ik_bench_text(ik_bench *b) {
  long before = ik_mem_refused();
  ik_buf_free(&b->text);
  ik_bench_write_text(b, &b->text);
  return ik_answer(&b->text, before);
}

const char *ik_bench_json(ik_bench *b) {
  long before = ik_mem_refused();
  ik_buf_free(&b->text);
  ik_bench_write_json(b, &b->text);
  return ik_answer(&b->text, before);
}

ik_status ik_bench_report(ik_bench *b, const char *directory, const char *command, ik_log *log,
                          const char **path) {
  ik_buf_free(&b->text);
  ik_status st = ik_bench_write_page(b, directory, command, &b->text, &log->d);
  if (path) *path = st ? NULL : ik_buf_text(&b->text);
  return st;
}
