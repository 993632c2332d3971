/* The state after s steps in terms of the state before is kept for the last few s, as deep as the
 * history goes: after s+1 steps a field is its pattern read through those. */
#include "facts/fuse.h"

enum { DEPTH = IK_MAX_HISTORY, MOST_PAIRS = 1 << 19 };

typedef struct past { /* ring over time: [time mod DEPTH][field]; time 0 is the level before */
  ik_arena   *a;
  int         nfield;
  ik_points **set;
} past;

static ik_points **at_time(const past *p, int time) {
  return &p->set[((time % DEPTH + DEPTH) % DEPTH) * p->nfield];
}

static void fill_before(past *p, const ik_ir *ir, const ik_subject *s) {
  p->set = IK_NEW_N(p->a, ik_points *, DEPTH * ir->nfield);
  for (int level = 0; level > -DEPTH; level--)
    for (int f = 0; f < ir->nfield; f++) {
      if (!s->updated[f]) continue;
      ik_point self = {f, level, {0}};
      ik_points_add(at_time(p, level)[f] = ik_points_new(p->a), &self);
    }
}

/* What a row of the pattern reads in the step that starts at `time`; NULL if that never changes. */
static const ik_points *source(const past *p, const ik_points_row *r, int time) {
  return r->level > 0 ? NULL : at_time(p, time + r->level)[r->field];
}

static ik_points *advance(const past *p, const ik_points *pattern, int time) {
  ik_points *next = ik_points_new(p->a);
  for (int i = 0; i < pattern->n; i++) {
    const ik_points *from = source(p, &pattern->row[i], time);
    if (from) ik_points_move(next, from, &pattern->row[i]);
  }
  return next;
}

/* Pairs of rows that the next step will combine: proportional to its time. */
static int64_t pairs(const past *p, const ik_ir *ir, const ik_points *const *after, int time) {
  int64_t sum = 0;
  for (int f = 0; f < ir->nfield; f++)
    for (int i = 0; after[f] && i < after[f]->n; i++) {
      const ik_points *from = source(p, &after[f]->row[i], time);
      if (from) sum += from->n;
    }
  return sum;
}

static void step(past *p, const ik_ir *ir, const ik_points *const *after, int time) {
  ik_points **next = IK_NEW_N(p->a, ik_points *, ir->nfield);
  for (int f = 0; f < ir->nfield; f++)
    if (after[f]) next[f] = advance(p, after[f], time);
  for (int f = 0; f < ir->nfield; f++) at_time(p, time + 1)[f] = next[f];
}

void ik_fuse_of(const ik_ir *ir, const ik_subject *s, const ik_patterns *p, ik_arena *a,
                ik_fused *out) {
  *out = (ik_fused){0};
  if (!s->steps || s->nsweep || s->nreduce || p->field < 0) return;
  past    ring = {.a = a, .nfield = ir->nfield};
  int64_t work = 0;
  fill_before(&ring, ir, s);
  for (int t = 1; t <= IK_FUSE_MAX; t++) {
    work += pairs(&ring, ir, p->after, t - 1);
    if (work > MOST_PAIRS) return;
    step(&ring, ir, p->after, t - 1);
    out->points[t] = ik_points_count(at_time(&ring, t)[p->field]);
    if (!out->points[1]) return; /* depends on nothing that changes */
    out->alpha[t] = (double)out->points[t] / (double)(t * out->points[1]);
    out->n = t;
  }
}

/* ---- weights ---- */

/* Reads at level 0, -1, ... of a step that starts at time `now` find what stands in `made` for
 * those times; before time 0 they stand for themselves, at a level that is older by `now`. */
static const ik_coefs *read_through(const ik_ir *ir, const ik_subject *s, const ik_coefs *pattern,
                                    const ik_coefs *const *const *made, int now, ik_arena *a) {
  const ik_coefs **value = IK_NEW_N(a, const ik_coefs *, ik_values_of(ir));
  for (int f = 0; f < ir->nfield; f++)
    for (int level = 0; s->updated[f] && level > -IK_MAX_HISTORY; level--) {
      int       time = now + level;
      ik_coefs *self = IK_NEW(a, ik_coefs);
      ik_coef  *one = IK_NEW(a, ik_coef);
      *one = (ik_coef){{f, time, {0}}, 1};
      *self = (ik_coefs){1, one};
      value[ik_value_of(f, level)] = time > 0 ? made[time][f] : self;
    }
  return ik_coefs_through(pattern, value, a);
}

const ik_coefs *ik_fuse_weights(const ik_ir *ir, const ik_subject *s, const ik_linear *l, int field,
                                int t, ik_arena *a) {
  const ik_coefs *const  *after = ik_linear_after(ir, s, l, a);
  const ik_coefs *const **made = IK_NEW_N(a, const ik_coefs *const *, t + 1);
  made[1] = after;
  for (int now = 1; now < t; now++) {
    const ik_coefs **next = IK_NEW_N(a, const ik_coefs *, ir->nfield);
    for (int f = 0; f < ir->nfield; f++)
      if (after[f]) next[f] = read_through(ir, s, after[f], made, now, a);
    made[now + 1] = next;
  }
  return made[t][field];
}
