#include "model/pipeline.h"
#include <math.h>

enum { LINE_BYTES = 64 };

/* Second levels of all threads that hold what is kept from one pass to the next: as much again lies
 * in what the cores share. */
#define KEPT 2.0

static double above_zero(double v) { return v > 0 ? v : 0; }

/* What never ends if nothing moves. */
static double over(double amount, double rate) {
  return !(amount > 0) ? 0 : rate > 0 ? amount / rate : INFINITY;
}

/* ---- a stage, in cycles of a vector ---- */

typedef double split[IK_PIPELINE_RESOURCES];

static double operations(const ik_pipeline_stage *s, const ik_pipeline_machine *m) {
  return above_zero(s->arithmetic) + above_zero(s->divisions) * above_zero(m->divide) +
         above_zero(s->functions) * above_zero(m->function);
}

/* The layer condition: rings that a level holds are served by it.  The second level gets slower
 * before it is full; where what lies behind it is as fast, that counts as part of it.  Where
 * planes have rows, what lies behind gets slower, too, the more of it is in use (measured on
 * Neoverse N1, bench/results/neoverse-n1.md; in 2-D it does not). */
static double line_cycles(const ik_pipeline_pass *p, const ik_pipeline_machine *m) {
  if (p->working_set <= m->l1 || p->by_rows) return above_zero(m->near);
  double beyond = (p->working_set / m->l2 - m->usable) / (m->full - m->usable);
  double part = fmin(1, fmax(0, beyond)); /* of the lines that come from beyond */
  double line = above_zero(m->line), deeper = p->tile_rows > 1 ? above_zero(m->deeper) : 0;
  double more = above_zero(log2(p->working_set / (m->full * m->l2)));
  double far = above_zero(m->far) * ik_sharing_at(&m->lines, p->threads) * (1 + deeper * more);
  return line + (far - line) * part;
}

/* Ports work side by side: the one that takes longest is what shows. */
static double port_cycles(const ik_pipeline_stage *s, const ik_pipeline_machine *m, split port) {
  double all = operations(s, m), most = 0;
  port[IK_PIPELINE_ARITHMETIC] = over(all, m->units);
  port[IK_PIPELINE_LOADS] = over(s->loads, m->loads);
  port[IK_PIPELINE_STORES] = above_zero(s->stores);
  port[IK_PIPELINE_CHAIN] = above_zero(m->chain) * all / fmax(1, s->together);
  for (int i = 0; i <= IK_PIPELINE_CHAIN; i++) most = fmax(most, port[i]);
  return most;
}

typedef struct sums { /* cycles of a vector, bytes of a cell */
  double core, bytes, nearby;
  split  part, busy; /* of `core` */
} sums;

static void add_cycles(sums *x, ik_pipeline_resource r, double cycles) {
  x->core += cycles, x->part[r] += cycles, x->busy[r] += cycles;
}

static void add_kernel(const ik_pipeline_stage *s, const ik_pipeline_machine *m, double line,
                       sums *x) {
  split  port = {0};
  double factor = s->redundancy * s->part, compute = above_zero(m->compute);
  double c = port_cycles(s, m, port), lines = line * above_zero(s->lines);
  int    longest = 0;
  x->core += (compute * c + lines) * s->redundancy * s->part;
  for (int i = 0; i <= IK_PIPELINE_CHAIN; i++) {
    x->busy[i] += compute * port[i] * factor;
    if (port[i] > port[longest]) longest = i;
  }
  x->part[longest] += compute * c * factor;
  x->part[IK_PIPELINE_LINES] += lines * factor, x->busy[IK_PIPELINE_LINES] += lines * factor;
}

/* Of calls and rows of all stages of a phase. */
static double start_cycles(const ik_pipeline_pass *p, const ik_pipeline_phase *f,
                           const ik_pipeline_machine *m) {
  double row = fmax(1, p->tile_row) / fmax(1, f->lanes), plane = row * fmax(1, p->tile_rows);
  double sum = 0;
  double far = above_zero(p->cut ? m->cut_row : m->far_row);
  for (int i = 0; i < f->nstage; i++) {
    const ik_pipeline_stage *s = &f->stage[i];
    double                   rows = (s->bytes > 0 ? far : above_zero(m->row)) / row;
    sum += (above_zero(m->call) / (plane * fmax(1, f->planes)) + rows) * s->part;
  }
  return sum;
}

static sums sum_stages(const ik_pipeline_pass *p, const ik_pipeline_machine *m) {
  sums   x = {0};
  double line = line_cycles(p, m) * p->vector_bytes / LINE_BYTES; /* it holds several narrow ones */
  double fresh = p->fresh > 0 ? p->fresh : 1;
  for (int i = 0; i < p->nphase; i++) {
    const ik_pipeline_phase *f = &p->phase[i];
    for (const ik_pipeline_stage *s = f->stage; s < f->stage + f->nstage; s++) {
      if (s->copies)
        add_cycles(&x, IK_PIPELINE_LINES, above_zero(m->copy) * s->redundancy * fresh);
      else
        add_kernel(s, m, line, &x);
      x.bytes += above_zero(s->bytes) * s->part;
    }
    add_cycles(&x, IK_PIPELINE_STARTS, start_cycles(p, f, m));
  }
  x.nearby = x.bytes * above_zero(p->nearby);
  if (p->share > 0) x.bytes *= p->share;
  return x;
}

/* ---- a pass ---- */

static double vectors(const ik_pipeline_pass *p) { return p->most_cells / fmax(1, p->lanes); }

/* Cores share the memory, and one alone cannot use all of it. */
double ik_pipeline_byte_share(const ik_pipeline_machine *m, double threads) {
  if (m->bytes.n) return ik_sharing_at(&m->bytes, threads);
  return fmax(above_zero(m->alone), fmin(1, over(threads, m->cores)));
}

static double byte_cycles(const ik_pipeline_pass *p, const ik_pipeline_machine *m, const sums *x) {
  double share = ik_pipeline_byte_share(m, p->threads);
  double byte = above_zero(m->byte) * p->lanes * share, cached = byte * above_zero(m->cached);
  bool   fits = p->cells * x->bytes <= KEPT * m->l2 * p->threads;
  return x->bytes * (fits ? cached : byte) + x->nearby * cached;
}

static double tile_cycles(const ik_pipeline_pass *p, const ik_pipeline_machine *m) {
  return above_zero(p->tile_cycles > 0 ? p->tile_cycles : m->tile) * p->most_tiles;
}

/* Of a vector: what is hidden behind the longer does not show. */
static double vector_cycles(const ik_pipeline_machine *m, double core, double memory) {
  return fmax(core, memory) + above_zero(m->overlap) * fmin(core, memory);
}

/* That much longer computes the thread that is last.  Two hardly ever wait for each other. */
static double lag_of(const ik_pipeline_pass *p, const ik_pipeline_machine *m) {
  double many = fmax(0, 1 - over(2, p->threads));
  double pieces = fmax(1, p->pieces);
  return p->pieces > 0 ? above_zero(m->spread) * many / (pieces * pieces) : 0;
}

/* From cycles of a vector to seconds of the pass. */
static void finish(const ik_pipeline_pass *p, const ik_pipeline_machine *m, const sums *x,
                   double memory, ik_pipeline_time *t) {
  double overlap = above_zero(m->overlap), scale = vectors(p) / m->hertz;
  double core_shows = x->core >= memory ? 1 : overlap;
  for (int i = 0; i < IK_PIPELINE_RESOURCES; i++) {
    t->part[i] = scale * core_shows * x->part[i];
    t->busy[i] = scale * x->busy[i];
  }
  t->part[IK_PIPELINE_MEMORY] = scale * memory * (x->core >= memory ? overlap : 1);
  t->busy[IK_PIPELINE_MEMORY] = scale * memory;
  double tiles = tile_cycles(p, m) + above_zero(m->pass);
  t->part[IK_PIPELINE_TILES] = t->busy[IK_PIPELINE_TILES] = tiles / m->hertz;
}

ik_pipeline_time ik_pipeline_pass_time(const ik_pipeline_pass *p, const ik_pipeline_machine *m) {
  ik_pipeline_time t = {.seconds = INFINITY};
  if (!(m->hertz > 0)) return t;
  sums   x = sum_stages(p, m);
  double memory = byte_cycles(p, m, &x);
  double even = vector_cycles(m, x.core, memory);
  double last = vector_cycles(m, x.core * (1 + lag_of(p, m)), memory);
  t.seconds = (vectors(p) * last + tile_cycles(p, m) + above_zero(m->pass)) / m->hertz;
  t.bytes = p->cells * x.bytes;
  finish(p, m, &x, memory, &t);
  t.part[IK_PIPELINE_WAITING] = t.busy[IK_PIPELINE_WAITING] = vectors(p) * (last - even) / m->hertz;
  return t;
}

/* ---- sums, and what they say ---- */

static void add_time(ik_pipeline_time *sum, const ik_pipeline_time *more) {
  sum->seconds += more->seconds, sum->bytes += more->bytes;
  for (int i = 0; i < IK_PIPELINE_RESOURCES; i++)
    sum->part[i] += more->part[i], sum->busy[i] += more->busy[i];
}

static void divide_time(ik_pipeline_time *t, double steps) {
  t->seconds /= steps, t->bytes /= steps;
  for (int i = 0; i < IK_PIPELINE_RESOURCES; i++) t->part[i] /= steps, t->busy[i] /= steps;
}

ik_pipeline_time ik_pipeline_work_time(const ik_pipeline_work *w, const ik_pipeline_machine *m) {
  ik_pipeline_machine here = *m;
  ik_pipeline_time    sum = {.seconds = w->single};
  sum.part[IK_PIPELINE_SINGLE] = sum.busy[IK_PIPELINE_SINGLE] = w->single;
  here.l1 = w->l1, here.l2 = w->l2;
  for (int i = 0; i < w->npass; i++) {
    ik_pipeline_time t = ik_pipeline_pass_time(&w->pass[i], &here);
    add_time(&sum, &t);
  }
  if (w->steps > 1) divide_time(&sum, w->steps);
  return sum;
}

double ik_pipeline_ridge(const ik_pipeline_machine *m, double lanes) {
  return over(above_zero(m->units) * above_zero(lanes) * above_zero(m->byte), m->compute);
}

ik_pipeline_resource ik_pipeline_saturated(const ik_pipeline_time *t) {
  int most = 0;
  for (int i = 1; i < IK_PIPELINE_RESOURCES; i++)
    if (t->busy[i] > t->busy[most]) most = i;
  return (ik_pipeline_resource)most;
}

double ik_pipeline_slack(const ik_pipeline_time *t, ik_pipeline_resource r) {
  return t->seconds > 0 && t->busy[r] > 0 ? fmax(0, 1 - t->busy[r] / t->seconds) : 1;
}

const char *ik_pipeline_name(ik_pipeline_resource r) {
  static const char *const name[] = {"arithmetic",        "loads",           "stores", "chains",
                                     "cache lines",       "memory",          "starts", "tiles",
                                     "threads that wait", "cells one by one"};
  return name[r];
}

const char *ik_pipeline_kind(ik_pipeline_resource r) {
  switch (r) {
  case IK_PIPELINE_LINES: return "cache";
  case IK_PIPELINE_MEMORY: return "memory";
  case IK_PIPELINE_STARTS:
  case IK_PIPELINE_WAITING:
  case IK_PIPELINE_TILES: return "overhead";
  default: return "compute";
  }
}
