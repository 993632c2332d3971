#include "plan/fit.h"
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

/* ---- what a description says ---- */

static const ik_fit_constant constants[] = {
#define CONSTANT(key, unit, member, least, most)                                                   \
  { key, unit, offsetof(ik_pipeline_machine, member), least, most }
    CONSTANT("clock", "Hz", hertz, 0, 0),
    CONSTANT("cpu.cores", "", cores, 0, 0),
    CONSTANT("model.units", "vectors/cycle", units, 0.5, 4),
    CONSTANT("model.loads", "vectors/cycle", loads, 0.5, 4),
    CONSTANT("model.compute", "", compute, 0.5, 4),
    CONSTANT("model.divide", "", divide, 1, 60),
    CONSTANT("model.function", "", function, 0, 0), /* of which the programs have none */
    CONSTANT("model.chain", "cycles", chain, 0.01, 4),
    CONSTANT("model.usable", "", usable, 0.25, 16),
    CONSTANT("model.full", "", full, 0.5, 64),
    CONSTANT("model.near", "cycles", near, 0, 0),
    CONSTANT("model.line", "cycles", line, 0.05, 8),
    CONSTANT("model.far", "cycles", far, 0.2, 100),
    CONSTANT("model.deeper", "", deeper, 0.001, 1),
    CONSTANT("model.byte", "cycles", byte, 0.005, 2),
    CONSTANT("model.alone", "", alone, 0.3, 1),
    CONSTANT("model.cached", "", cached, 0.05, 1),
    CONSTANT("model.overlap", "", overlap, 0.02, 1),
    CONSTANT("model.copy", "cycles", copy, 0.2, 60),
    CONSTANT("model.call", "cycles", call, 20, 4000),
    CONSTANT("model.row", "cycles", row, 1, 200),
    CONSTANT("model.row.far", "cycles", far_row, 1, 400),
    CONSTANT("model.row.cut", "cycles", cut_row, 1, 600),
    CONSTANT("model.tile", "cycles", tile, 1, 20000),
    CONSTANT("model.pass", "cycles", pass, 100, 100000),
    CONSTANT("model.box", "cycles", box, 0, 0), /* tiles in time are not among the fitted plans */
    CONSTANT("model.place", "cycles", place, 0, 0),
    CONSTANT("model.boxes", "", boxes, 0, 0),
    CONSTANT("model.slabs", "", slabs, 0, 0),
    CONSTANT("model.slices", "", slices, 0, 0),
    CONSTANT("model.wake", "cycles", wake, 0, 0), /* no plan is better for it */
    CONSTANT("model.spread", "", spread, 0, 0),
    CONSTANT("interp.node", "cycles", interp.node, 0, 0), /* the interpreter is fitted apart */
    CONSTANT("interp.cell", "cycles", interp.cell, 0, 0),
    CONSTANT("interp.round", "cycles", interp.round, 0, 0),
    CONSTANT("interp.divide", "cycles", interp.divide, 0, 0),
    CONSTANT("interp.call", "cycles", interp.call, 0, 0),
    CONSTANT("interp.function", "cycles", interp.function, 0, 0),
    CONSTANT("interp.edge", "cycles", interp.edge, 0, 0),
    CONSTANT("interp.reduce", "cycles", interp.reduce, 0, 0),
#undef CONSTANT
};
enum { CONSTANTS = sizeof constants / sizeof *constants };

const ik_fit_constant *ik_fit_constants(int *n) { return *n = CONSTANTS, constants; }

double *ik_fit_value(ik_pipeline_machine *m, const ik_fit_constant *c) {
  return (double *)((char *)m + c->at);
}

static double number(const ik_machine *m, const char *key, const char *unit) {
  double v;
  return ik_machine_number(m, key, unit, &v) && v > 0 && isfinite(v) ? v : NAN;
}

static double either(double a, double b) { return isnan(a) ? b : a; }

/* With how many threads a figure was measured that has no suffix. */
static double threads_of(const ik_machine *m) {
  return either(number(m, "probe.threads", ""), number(m, "cpu.cores", ""));
}

/* Of a bandwidth: KEY with all threads, KEY.one, KEY.2, KEY.4, ...; all of it relative to all
 * threads.  Two points say no more than ALONE does. */
static ik_sharing read_sharing(const ik_machine *m, const char *key) {
  enum { MOST = 1 << 20 }; /* threads */
  ik_sharing s = {0};
  double     all = number(m, key, "B/s"), threads = threads_of(m);
  if (!(all / threads > 0) || threads > MOST) return s;
  for (int cores = 1; s.n < IK_SHARING_POINTS - 1; cores *= 2) {
    char name[48];
    snprintf(name, sizeof name, cores > 1 ? "%s.%d" : "%s.one", key, cores);
    double rate = number(m, name, "B/s"), before = s.n ? s.cores[s.n - 1] : 0;
    if (before < threads && threads <= cores) s.cores[s.n] = threads, s.cost[s.n++] = 1;
    if (cores == threads) continue;
    if (isnan(rate) && cores > threads) break;
    if (!isnan(rate)) s.cores[s.n] = cores, s.cost[s.n++] = cores / rate / (threads / all);
  }
  return s.n > 2 ? s : (ik_sharing){0};
}

static ik_pipeline_machine read_constants(const ik_machine *m) {
  ik_pipeline_machine out = {0};
  for (const ik_fit_constant *c = constants; c < constants + CONSTANTS; c++)
    IK_ASSERT(ik_machine_number(m, c->key, c->unit, ik_fit_value(&out, c)));
  out.bytes = read_sharing(m, "memory.bandwidth"), out.lines = read_sharing(m, "l3.bandwidth");
  return out;
}

/* ---- what was measured ---- */

/* By core and cycle, as the constants are: what is faster only because the clock is, or because
 * there are more cores, is the same.  NaN: not known. */
typedef struct measured {
  double hertz, threads;
  double units, loads;          /* bytes a cycle */
  double near, line, far, byte; /* cycles of a byte */
  double alone, usable;
  double chain, pass; /* cycles */
  double slowest;     /* of all threads, over their mean */
} measured;

static measured read_measured(const ik_machine *m) {
  double memory = number(m, "memory.bandwidth", "B/s"), l1 = number(m, "l1.bandwidth", "B/s");
  double clock = number(m, "clock", "Hz");
  double threads = threads_of(m);
  double cycles = clock * threads; /* a second, of all cores */
  return (measured){
      .hertz = clock,
      .threads = threads,
      .units = number(m, "peak.f32", "FLOP/s") / cycles, /* all units at work, no dependence */
      .loads = l1 / cycles,                              /* vectors from the first level */
      .near = cycles / l1,
      .line = cycles / number(m, "l2.bandwidth", "B/s"),
      .far = cycles / either(number(m, "l3.bandwidth", "B/s"), memory), /* what is behind L2 */
      .byte = cycles / memory,
      .alone = memory / (threads * number(m, "memory.bandwidth.one", "B/s")),
      .usable = number(m, "cache.l2.plan", "B") / number(m, "cache.l2", "B"),
      .chain = number(m, "time.fma.f32", "s") * clock, /* a sum waits for the one before */
      .pass = number(m, "time.barrier", "s") * clock,  /* threads meet at its end */
      .slowest = number(m, "time.slowest", ""),
  };
}

/* ---- the machines of the fits ---- */

typedef struct kind {
  const char         *machine;
  const char         *cpu; /* part of its title; NULL: whatever has such vectors */
  int                 vector_bytes;
  bool                loaded;
  ik_pipeline_machine figures;
  measured            measured;
} kind;

/* Those of one processor first. */
static kind kinds[] = {{.machine = "neoverse-n1", .cpu = "Neoverse N1", .vector_bytes = 16},
                       {.machine = "neoverse-v1", .vector_bytes = 16},
                       {.machine = "generic-cpu", .vector_bytes = 64}};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static bool is_loaded(const kind *k) {
  pthread_mutex_lock(&lock);
  bool loaded = k->loaded;
  pthread_mutex_unlock(&lock);
  return loaded;
}

/* Whoever runs out of memory here leaves without the lock; two that come at once read the same. */
static void load(kind *k, ik_arena *a) {
  ik_diag     quiet = {0};
  ik_machine *m;
  IK_ASSERT(ik_machine_find(k->machine, a, &quiet, &m) == IK_OK);
  ik_pipeline_machine figures = read_constants(m);
  measured            known = read_measured(m);
  pthread_mutex_lock(&lock);
  if (!k->loaded) k->figures = figures, k->measured = known, k->loaded = true;
  pthread_mutex_unlock(&lock);
}

static bool suits(const kind *k, int vector_bytes, const char *cpu) {
  if ((k->vector_bytes >= 32) != (vector_bytes >= 32)) return false;
  return !k->cpu || (cpu && strstr(cpu, k->cpu));
}

static const kind *kind_of(int vector_bytes, const char *cpu, ik_arena *a) {
  kind *k = kinds;
  while (!suits(k, vector_bytes, cpu)) k++;
  if (!is_loaded(k)) load(k, a);
  return k;
}

const ik_pipeline_machine *ik_fit_kind(int vector_bytes, const char *cpu, ik_arena *a) {
  return &kind_of(vector_bytes, cpu, a)->figures;
}

/* ---- another machine ---- */

static void scale(double *constant, double here, double there) {
  if (here > 0 && there > 0) *constant *= here / there;
}

/* Those that `ikat bench model --fit` found on the machine itself, with vectors of that width; what
 * it cannot have found is left aside. */
static void take_own(const ik_machine *m, int vector_bytes, ik_pipeline_machine *out) {
  double v;
  if (!ik_machine_number(m, "model.vector", "B", &v) || v != vector_bytes) return;
  for (const ik_fit_constant *c = constants; c < constants + CONSTANTS; c++)
    if (ik_machine_number(m, c->key, c->unit, &v) && c->most > 0 && v >= c->least && v <= c->most)
      *ik_fit_value(out, c) = v;
}

ik_pipeline_machine ik_fit_cpu(const ik_machine *m, int vector_bytes, ik_arena *a) {
  const kind         *k = kind_of(vector_bytes, ik_machine_text(m, "title"), a);
  ik_pipeline_machine out = k->figures;
  measured            here = read_measured(m), there = k->measured;
  double              vector = (double)vector_bytes / k->vector_bytes; /* constants count vectors */
  out.hertz = either(here.hertz, out.hertz);
  if (here.byte > 0) out.cores = here.threads; /* those that shared it when it was measured */
  scale(&out.units, here.units, there.units * vector);
  scale(&out.loads, here.loads, there.loads * vector);
  scale(&out.near, here.near, there.near);
  scale(&out.line, here.line, there.line);
  scale(&out.far, here.far, there.far);
  scale(&out.byte, here.byte, there.byte);
  scale(&out.alone, here.alone, there.alone);
  scale(&out.usable, here.usable, there.usable);
  scale(&out.chain, here.chain, there.chain);
  scale(&out.pass, here.pass, there.pass);
  if (here.byte > 0) out.bytes = read_sharing(m, "memory.bandwidth");
  if (here.far > 0) out.lines = read_sharing(m, "l3.bandwidth");
  if (here.slowest >= 1) out.spread = here.slowest - 1;
  take_own(m, vector_bytes, &out);
  out.alone = fmin(1, out.alone), out.usable = fmin(0.95 * out.full, out.usable);
  return out;
}
