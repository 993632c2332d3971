/* How a case is measured.
 *
 * First, on the small size, every strategy and both ways to compile the plain loop are held against
 * the interpreter.  Then, on the size that counts, rounds: in each of them the plain loop in both
 * ways and every strategy take their turn, one timing each.  Ratios are formed inside a round.
 * Strategies that do not fit into memory together are taken in groups, with the plain loop in
 * each.  As all strategies do the same number of steps from the same start, their hashes must
 * agree.
 */
#include "api/api.h"
#include "apps/bench/bench.h"
#include "apps/bench/contender.h"
#include "apps/bench/plain.h"
#include "apps/bench/stats.h"
#include "runtime/memory.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct job {
  ik_bench     *b;
  ik_bench_row *row;
  ik_program   *p; /* on the size that is timed */
  ik_plain      plain;
  ik_contender  who[IK_BENCH_LINES]; /* of the lines; n is 0 where there is none */
  ik_log       *log;
  bool          loaded;      /* the plain loop has its initial values */
  int           done, total; /* timings */
} job;

/* ---- what may go wrong ---- */

/* Of strategies that are near the interpreter, whatever they promise: a bf16 has 8 bits. */
static const double NEAR_ENOUGH = 0.02;

/* Sums in another order. */
static double plain_tolerance(const ik_bench_case *c) { return c->f64 ? 1e-10 : 1e-4; }

/* Keeps the first message of a log that nobody will read. */
static void note(ik_bench_line *l, ik_log *log) {
  ik_log_entry e = {.message = "failed"};
  ik_log_get(log, 0, &e);
  snprintf(l->failure, sizeof l->failure, "%s", e.message);
}

static bool stopped(const job *j) { return j->b->opt.stop && *j->b->opt.stop; }

static ik_status interrupted(const job *j) {
  return ik_fail(&j->log->d, IK_ERR_INTERRUPTED, IK_E073, IK_NOSPAN, "interrupted in case %s",
                 j->row->c->name);
}

static ik_run_options options(const job *j, const char *strategy) {
  ik_run_options o;
  ik_run_options_init(&o);
  o.target = j->b->target, o.strategy = strategy;
  o.threads = j->b->opt.threads;
  o.cache = j->b->opt.cache;
  o.quiet_files = true;
  o.stop = j->b->opt.stop;
  o.max_memory = ik_memory_free() / 5 * 4; /* others live here too */
  return o;
}

/* ---- against the interpreter ---- */

static ik_status open_plain(job *j, ik_plain *plain, const ik_bench_size *s, const ik_ir *ir) {
  return ik_plain_open(plain, j->row->c, s, ir, j->b->opt.threads, j->b->opt.cache, &j->log->d);
}

static ik_status check_way(job *j, ik_program *p, ik_plain *plain, int way) {
  const ik_bench_size *s = &j->row->c->small;
  ik_run_options       o = options(j, NULL);
  ik_contender         ref;
  o.target = ik_target_reference()->name;
  IK_TRY(ik_contender_create(&ref, p, s, &o, j->log));
  ik_plain_load(plain, ref.run[0]);
  ik_plain_run(plain, way, s->steps);
  ik_status st = ik_contender_advance(&ref, s->steps, j->log);
  double    error = st ? 0 : ik_plain_error(plain, ref.run[0]);
  if (error > j->row->plain_error) j->row->plain_error = error;
  ik_contender_free(&ref);
  return st;
}

static ik_status check_plain(job *j, ik_program *p) {
  ik_plain plain;
  IK_TRY(open_plain(j, &plain, &j->row->c->small, p->ir));
  ik_status st = IK_OK;
  for (int way = 0; !st && way < IK_PLAINS; way++) st = check_way(j, p, &plain, way);
  ik_plain_close(&plain);
  j->row->plain_wrong = !(j->row->plain_error <= plain_tolerance(j->row->c));
  return st;
}

/* Of the field that is farthest off. */
static double run_error(const ik_run *a, const ik_run *b) {
  const ik_ir *ir = a->program->ir;
  double       most = 0;
  for (int f = 0; f < ir->nfield; f++) {
    const ik_box *box = &ir->field[f].box;
    ik_deviation  dev = {0};
    if (ir->field[f].kind != IK_FIELD_USER) continue;
    for (int64_t z = box->lo[2]; z < box->hi[2]; z++)
      for (int64_t y = box->lo[1]; y < box->hi[1]; y++)
        ik_deviation_add(&dev, ir->field[f].type, ik_state_row(a->state, f, 0, y, z),
                         ik_state_row(b->state, f, 0, y, z), box->hi[0] - box->lo[0]);
    most = fmax(most, ik_deviation_of(&dev));
  }
  return most;
}

static ik_status compare(const job *j, ik_bench_line *l, ik_contender *x, ik_contender *ref,
                         ik_log *log) {
  const ik_bench_case *c = j->row->c;
  IK_TRY(ik_contender_advance(x, c->small.steps, log));
  IK_TRY(ik_contender_advance(ref, c->small.steps, log));
  IK_TRY(ik_engine_fetch_declared(x->run[0]->engine, &log->d));
  IK_TRY(ik_engine_fetch_declared(ref->run[0]->engine, &log->d));
  double bound = ik_engine_bound(x->run[0]->engine, c->small.steps);
  l->approximate = bound > 0;
  l->identical = ik_state_hash(x->run[0]->state) == ik_state_hash(ref->run[0]->state);
  l->error = run_error(x->run[0], ref->run[0]);
  l->wrong = l->approximate ? !(l->error <= fmin(bound, NEAR_ENOUGH)) : !l->identical;
  return IK_OK;
}

static ik_status check_strategy(job *j, ik_program *p, ik_bench_line *l, ik_log *log) {
  ik_run_options o = options(j, l->strategy);
  ik_contender   x = {0}, ref = {0};
  ik_status      st = ik_contender_create(&x, p, &j->row->c->small, &o, log);
  o.target = ik_target_reference()->name, o.strategy = NULL;
  if (!st) st = ik_contender_create(&ref, p, &j->row->c->small, &o, log);
  if (!st) st = compare(j, l, &x, &ref, log);
  ik_contender_free(&x), ik_contender_free(&ref);
  return st;
}

/* A strategy that cannot serve this program is absent; one that fails is told of. */
static void add_strategy(job *j, ik_program *p, const char *strategy) {
  ik_bench_line *l = &j->row->line[j->row->nline];
  ik_log        *log = ik_log_create();
  if (!log || j->row->nline == IK_BENCH_LINES) return ik_log_destroy(&log);
  *l = (ik_bench_line){.strategy = strategy};
  ik_status st = check_strategy(j, p, l, log);
  if (st) note(l, log);
  if (st != IK_ERR_UNSUPPORTED) j->row->nline++;
  ik_log_destroy(&log);
}

static ik_status check_small(job *j) {
  const ik_target *t;
  ik_program      *p;
  IK_TRY(ik_target_find(j->b->target, &j->log->d, &t));
  IK_TRY(ik_contender_program(j->row->c, &j->row->c->small, j->log, &p));
  j->row->no_plain = ik_plain_missing(j->row->c, p->ir);
  ik_status   st = j->row->no_plain ? IK_OK : check_plain(j, p);
  const char *only = j->b->opt.strategy;
  for (const char *const *s = t->strategies; !st && !j->row->no_plain && *s; s++)
    if (!only || !strcmp(*s, only)) add_strategy(j, p, *s);
  ik_program_destroy(&p);
  return st;
}

/* ---- rounds ---- */

static void tell(job *j, const char *what) {
  char text[96];
  snprintf(text, sizeof text, "%s: %s", j->row->c->name, what);
  if (j->b->opt.progress) j->b->opt.progress(text, j->done, j->total, j->b->opt.user);
}

static double time_plain(job *j, int way) {
  tell(j, way ? "plain loop, fast math" : "plain loop");
  double t = ik_loop_clock();
  ik_plain_run(&j->plain, way, j->row->size->steps);
  return ik_loop_clock() - t;
}

/* Negative if it fails, which ends the timings of this strategy. */
static double time_strategy(job *j, int i, ik_log *log) {
  tell(j, j->row->line[i].strategy);
  ik_stats_rest();
  double    t = ik_loop_clock();
  ik_status st = ik_contender_advance(&j->who[i], j->row->size->steps, log);
  double    s = ik_loop_clock() - t;
  j->done++;
  if (!st) return s;
  note(&j->row->line[i], log);
  ik_contender_free(&j->who[i]);
  j->row->line[i].n = 0;
  return -1;
}

static ik_status round_of(job *j, int first, int end, ik_log *log) {
  double plain[IK_PLAINS];
  for (int way = 0; way < IK_PLAINS; way++) {
    if (stopped(j)) return interrupted(j);
    plain[way] = time_plain(j, way);
  }
  for (int i = first; i < end; i++) {
    ik_bench_line *l = &j->row->line[i];
    if (!j->who[i].n) continue;
    double s = time_strategy(j, i, log);
    if (stopped(j)) return interrupted(j);
    if (s < 0) continue;
    for (int way = 0; way < IK_PLAINS; way++) l->plain[way][l->n] = plain[way];
    l->seconds[l->n++] = s;
  }
  return IK_OK;
}

/* The plain loop begins where the first strategy does; after as many steps they must agree. */
static ik_status check_large(job *j, ik_contender *x, ik_log *log) {
  IK_TRY(ik_engine_fetch_declared(x->run[0]->engine, &log->d));
  ik_plain_load(&j->plain, x->run[0]);
  ik_plain_run(&j->plain, 0, j->row->size->steps);
  j->loaded = true;
  IK_TRY(ik_contender_advance(x, j->row->size->steps, log));
  IK_TRY(ik_engine_fetch_declared(x->run[0]->engine, &log->d));
  double error = ik_plain_error(&j->plain, x->run[0]);
  if (error > j->row->plain_error) j->row->plain_error = error;
  j->row->plain_wrong |= !(error <= plain_tolerance(j->row->c));
  return IK_OK;
}

/* Made and warmed up, so that its memory is there and the next one sees what is left. */
static ik_status enter(job *j, int i, ik_log *log) {
  ik_bench_row  *row = j->row;
  ik_run_options o = options(j, row->line[i].strategy);
  tell(j, "first steps");
  IK_TRY(ik_contender_create(&j->who[i], j->p, row->size, &o, log));
  const ik_engine *e = j->who[i].run[0]->engine;
  row->line[i].peak_bytes = row->size->sets * ik_memory_need(j->p->ir, e->layout, e->bytes);
  snprintf(row->line[i].plan, sizeof row->line[i].plan, "%s", e->plan ? e->plan : "");
  if (!j->loaded) return check_large(j, &j->who[i], log);
  return ik_contender_advance(&j->who[i], row->size->steps, log);
}

/* As many strategies as fit, from `first` on; returns where the next group begins. */
static int enter_group(job *j, int first) {
  int i = first;
  for (bool some = false; i < j->row->nline && !stopped(j); i++) {
    ik_bench_line *l = &j->row->line[i];
    ik_log        *log = ik_log_create();
    if (!log) return i;
    ik_status st = *l->failure ? IK_OK : enter(j, i, log);
    bool      full = st == IK_ERR_RESOURCE && some;
    if (st && !full) note(l, log);
    if (st) ik_contender_free(&j->who[i]);
    some |= j->who[i].n > 0;
    ik_log_destroy(&log);
    if (full) break;
  }
  return i;
}

static ik_status take_hash(job *j, int i) {
  const ik_run *r = j->who[i].run[0];
  IK_TRY(ik_engine_fetch_declared(r->engine, &j->log->d));
  j->row->line[i].hash = ik_state_hash(r->state);
  return IK_OK;
}

static ik_status leave_group(job *j, int first, int end) {
  ik_status st = IK_OK;
  for (int i = first; i < end; i++) {
    if (!j->who[i].n) continue;
    if (!st) st = take_hash(j, i);
    ik_contender_free(&j->who[i]);
  }
  return st;
}

/* The timings of a round are as if it had not been. */
static void forget(job *j, int round, int first, int end) {
  for (int i = first; i < end; i++) {
    ik_bench_line *l = &j->row->line[i];
    if (l->n > round) l->n = round, j->done--;
  }
}

/* Slow cores change with time. */
static void look_at_cores(job *j) {
  ik_stats_rest();
  ik_cores now = ik_limits_look(j->b->rig);
  ik_cores_add(&j->row->cores, &now);
}

/* Rounds in which others had the cores are done again, as many of them as are asked for. */
static ik_status time_group(job *j, int first, int end) {
  ik_log   *log = ik_log_create();
  ik_status st = log ? IK_OK : ik_log_no_memory(j->log);
  int       rounds = j->b->opt.rounds, again = 0;
  for (int r = 0; !st && r < rounds; r++) {
    look_at_cores(j);
    ik_quiet q = ik_quiet_begin();
    st = round_of(j, first, end, log);
    if (st || again == rounds || ik_quiet_was(&q, j->b->opt.threads)) continue;
    forget(j, r--, first, end);
    again++, j->row->again++;
  }
  ik_log_destroy(&log);
  return st;
}

static ik_status time_all(job *j) {
  const ik_bench_row *row = j->row;
  ik_status           st = open_plain(j, &j->plain, row->size, j->p->ir);
  j->total = row->nline * j->b->opt.rounds;
  for (int first = 0, end; !st && first < row->nline; first = end) {
    end = enter_group(j, first);
    st = stopped(j) ? interrupted(j) : time_group(j, first, end);
    ik_status left = leave_group(j, first, end);
    st = st ? st : left;
  }
  ik_plain_close(&j->plain);
  return st;
}

/* All that give the bits of the interpreter on the small size must give the same on this one. */
static void compare_hashes(ik_bench_row *row) {
  const ik_bench_line *first = NULL;
  for (ik_bench_line *l = row->line; l < row->line + row->nline; l++) {
    if (!l->n || l->approximate) continue;
    if (first && l->hash != first->hash) l->wrong = true;
    if (!first) first = l;
  }
}

ik_status ik_bench_measure(ik_bench *b, ik_bench_row *row, ik_log *log) {
  job j = {.b = b, .row = row, .log = log};
  tell(&j, "compile and compare");
  ik_status st = check_small(&j);
  if (st || row->no_plain) return st;
  IK_TRY(ik_contender_program(row->c, row->size, log, &j.p));
  row->declared_bytes = row->size->sets * ik_state_bytes(j.p->ir);
  row->bytes = j.p->facts.bytes.cell, row->flops = (double)j.p->facts.flops.cell;
  st = time_all(&j);
  compare_hashes(row);
  ik_program_destroy(&j.p);
  return st;
}
