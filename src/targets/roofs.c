#include "targets/roofs.h"
#include "facts/memory.h"
#include <math.h>
#include <stdio.h>

/* ---- the program ---- */

ik_type ik_roofs_type(const ik_ir *ir) {
  ik_type first = IK_F64;
  for (int f = ir->nfield - 1; f >= 0; f--)
    if (ir->field[f].kind == IK_FIELD_USER) first = ir->field[f].type;
  for (int f = 0; f < ir->nfield; f++)
    if (ir->field[f].kind == IK_FIELD_USER && ir->field[f].has_new) return ir->field[f].type;
  return first;
}

/* Integers and half precision are computed in vectors of 32-bit numbers. */
static const char *unit_of(ik_type t) { return t == IK_F64 ? "f64" : "f32"; }

/* ---- levels ---- */

typedef struct level {
  const char *name;
  double      rate; /* B/s of all threads; not above 0: not known */
  double      size; /* bytes */
} level;

/* The nearest level that has room for the fields holds them; memory has room for all. */
static void add_levels(const level *from, int n, double fields, ik_roofs *r) {
  bool held = false;
  for (int i = 0; i < n; i++) {
    if (!(from[i].rate > 0)) continue;
    if (!held) r->holds = r->nlevel;
    held |= from[i].size >= fields;
    r->level[r->nlevel].name = from[i].name;
    r->level[r->nlevel++].rate = from[i].rate;
  }
}

static double number(const ik_machine *m, const char *key, const char *unit) {
  double v;
  return ik_machine_number(m, key, unit, &v) && v > 0 ? v : 0;
}

static double peak_of(const ik_machine *m, const char *unit) {
  char key[32];
  snprintf(key, sizeof key, "peak.%s", unit);
  return number(m, key, "FLOP/s");
}

/* Cores have units and caches of their own, and share the memory: one alone can use much of it. */
static void measured_roofs(const ik_machine *m, int threads, double fields, ik_roofs *r) {
  double all = number(m, "probe.threads", ""), memory = number(m, "memory.bandwidth", "B/s");
  double one = number(m, "memory.bandwidth.one", "B/s"), part = all > 0 ? threads / all : 1;
  level  levels[] = {
       {"L1", part * number(m, "l1.bandwidth", "B/s"), threads * number(m, "cache.l1d", "B")},
       {"L2", part * number(m, "l2.bandwidth", "B/s"), threads * number(m, "cache.l2", "B")},
       {"L3", fmin(1, part) * number(m, "l3.bandwidth", "B/s"), number(m, "cache.l3", "B")},
       {"memory", one > 0 ? fmin(memory, threads * one) : memory, INFINITY}};
  r->peak = part * peak_of(m, r->type);
  r->measured = true;
  add_levels(levels, 4, fields, r);
}

/* ---- as estimated ---- */

/* The model has one rate for all caches, which hold twice what the second levels do. */
static void estimated_roofs(const ik_pipeline_machine *f, int threads, int vector_bytes,
                            double fields, double l2, ik_roofs *r) {
  double lanes = vector_bytes / (r->type[1] == '6' ? 8.0 : 4.0);
  double share = ik_pipeline_byte_share(f, threads);
  double memory = f->byte > 0 ? threads * f->hertz / (f->byte * share) : 0;
  level  levels[] = {{"caches", f->cached > 0 ? memory / f->cached : 0, 2 * l2 * threads},
                     {"memory", memory, INFINITY}};
  r->peak = 2 * lanes * f->units * f->hertz * threads; /* fused multiply-adds */
  add_levels(levels, 2, fields, r);
}

ik_roofs ik_roofs_cpu(const ik_ir *ir, const ik_machine *m, const ik_pipeline_machine *fit,
                      int threads, int vector_bytes, ik_arena *a) {
  ik_roofs  r = {.type = unit_of(ik_roofs_type(ir))};
  ik_memory memory;
  ik_memory_of(ir, a, &memory);
  double fields = (double)memory.total;
  if (m && peak_of(m, r.type) > 0 && number(m, "memory.bandwidth", "B/s") > 0) {
    measured_roofs(m, threads, fields, &r);
  } else {
    double l2 = number(m ? m : ik_machine_local("", a), "cache.l2", "B");
    estimated_roofs(fit, threads, vector_bytes, fields, l2, &r);
  }
  return r;
}

ik_roofs ik_roofs_machine(const ik_ir *ir, const ik_machine *m) {
  ik_roofs r = {.type = unit_of(ik_roofs_type(ir)), .machine = "published figures"};
  level    memory = {"memory", number(m, "memory.bandwidth", "B/s"), INFINITY};
  r.peak = peak_of(m, r.type);
  add_levels(&memory, 1, 0, &r);
  return r;
}

const char *ik_roofs_basis(bool measured) {
  return measured ? "figures measured on this machine by ikat machine probe"
                  : "estimates for a processor of this kind; ikat machine probe measures this one";
}
