#include "plan/fit.h"
#include <math.h>
#include <pthread.h>
#include <stddef.h>

/* ---- what a description says ---- */

static const struct {
  const char *key, *unit;
  size_t      at;
} constants[] = {
#define CONSTANT(key, unit, member)                                                                \
  { key, unit, offsetof(ik_pipeline_machine, member) }
    CONSTANT("clock", "Hz", hertz),
    CONSTANT("cpu.cores", "", cores),
    CONSTANT("model.units", "vectors/cycle", units),
    CONSTANT("model.loads", "vectors/cycle", loads),
    CONSTANT("model.compute", "", compute),
    CONSTANT("model.divide", "", divide),
    CONSTANT("model.function", "", function),
    CONSTANT("model.chain", "cycles", chain),
    CONSTANT("model.usable", "", usable),
    CONSTANT("model.full", "", full),
    CONSTANT("model.near", "cycles", near),
    CONSTANT("model.line", "cycles", line),
    CONSTANT("model.far", "cycles", far),
    CONSTANT("model.byte", "cycles", byte),
    CONSTANT("model.alone", "", alone),
    CONSTANT("model.cached", "", cached),
    CONSTANT("model.overlap", "", overlap),
    CONSTANT("model.copy", "cycles", copy),
    CONSTANT("model.call", "cycles", call),
    CONSTANT("model.row", "cycles", row),
    CONSTANT("model.row.far", "cycles", far_row),
    CONSTANT("model.row.cut", "cycles", cut_row),
    CONSTANT("model.tile", "cycles", tile),
    CONSTANT("model.pass", "cycles", pass),
#undef CONSTANT
};

static double *member(ik_pipeline_machine *m, size_t at) { return (double *)((char *)m + at); }

static ik_pipeline_machine read_constants(const ik_machine *m) {
  ik_pipeline_machine out = {0};
  for (size_t i = 0; i < sizeof constants / sizeof *constants; i++)
    IK_ASSERT(
        ik_machine_number(m, constants[i].key, constants[i].unit, member(&out, constants[i].at)));
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
} measured;

static double number(const ik_machine *m, const char *key, const char *unit) {
  double v;
  return ik_machine_number(m, key, unit, &v) && v > 0 && isfinite(v) ? v : NAN;
}

static double either(double a, double b) { return isnan(a) ? b : a; }

static measured read_measured(const ik_machine *m) {
  double memory = number(m, "memory.bandwidth", "B/s"), l1 = number(m, "l1.bandwidth", "B/s");
  double clock = number(m, "clock", "Hz");
  double threads = either(number(m, "probe.threads", ""), number(m, "cpu.cores", ""));
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
  };
}

/* ---- the two machines ---- */

typedef struct kind {
  const char         *machine;
  int                 vector_bytes;
  bool                loaded;
  ik_pipeline_machine figures;
  measured            measured;
} kind;

static kind            kinds[] = {{.machine = "neoverse-v1", .vector_bytes = 16},
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

static const kind *kind_of(int vector_bytes, ik_arena *a) {
  kind *k = &kinds[vector_bytes >= 32];
  if (!is_loaded(k)) load(k, a);
  return k;
}

const ik_pipeline_machine *ik_fit_kind(int vector_bytes, ik_arena *a) {
  return &kind_of(vector_bytes, a)->figures;
}

/* ---- another machine ---- */

static void scale(double *constant, double here, double there) {
  if (here > 0 && there > 0) *constant *= here / there;
}

ik_pipeline_machine ik_fit_cpu(const ik_machine *m, int vector_bytes, ik_arena *a) {
  const kind         *k = kind_of(vector_bytes, a);
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
  out.alone = fmin(1, out.alone), out.usable = fmin(0.95 * out.full, out.usable);
  return out;
}
