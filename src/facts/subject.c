#include "facts/subject.h"

static const ik_stmt *find_loop(const ik_ir *ir) {
  const ik_stmt *steps = NULL, *repeat = NULL;
  for (const ik_stmt *s = ir->body; s; s = s->next) {
    if (s->kind == IK_STEPS && (!steps || s->count > steps->count)) steps = s;
    if (s->kind == IK_REPEAT && !repeat) repeat = s;
  }
  return steps ? steps : repeat;
}

typedef struct collector {
  ik_arena   *a;
  ik_subject *out;
  ik_work    *work;
  int         cap;
} collector;

static void collect(collector *c, const ik_stmt *s, const ik_stmt *end, const ik_stmt *sweep) {
  for (; s != end; s = s->next) {
    switch (s->kind) {
    case IK_SWEEP:
      c->out->nsweep++;
      collect(c, s->body, NULL, s);
      continue;
    case IK_REDUCE: c->out->nreduce++; break;
    case IK_SET: c->out->nset++; break;
    case IK_ASSIGN: break;
    default: continue; /* the main block has no loops here, and loads stand in init alone */
    }
    IK_PUSH(c->a, c->work, c->out->n, c->cap, ((ik_work){s, sweep, false}));
  }
}

static bool counts(const ik_ir *ir, const ik_stmt *s) {
  return s->kind == IK_REDUCE || (s->kind == IK_ASSIGN && ik_is_stored(ir, s->field));
}

static bool on_axis(const ik_ir *ir, const ik_stmt *s, int d) {
  return s->kind == IK_ASSIGN ? ir->field[s->field].on[d] : d < ir->ndim;
}

/* Along axes that no such statement is on, one cell. */
static void find_written(const ik_ir *ir, const ik_work *work, ik_subject *out) {
  for (int d = 0; d < IK_MAX_DIM; d++) {
    bool any = false;
    out->written.lo[d] = 0, out->written.hi[d] = 1;
    for (int i = 0; i < out->n; i++) {
      const ik_stmt *s = work[i].stmt;
      if (!counts(ir, s) || !on_axis(ir, s, d)) continue;
      if (!any || s->box.lo[d] < out->written.lo[d]) out->written.lo[d] = s->box.lo[d];
      if (!any || s->box.hi[d] > out->written.hi[d]) out->written.hi[d] = s->box.hi[d];
      any = true;
    }
  }
}

static bool holds_middle(const ik_ir *ir, const ik_stmt *s, const ik_box *written) {
  if (s->kind == IK_SET) return true;
  for (int d = 0; d < IK_MAX_DIM; d++) {
    int64_t middle = written->lo[d] + (written->hi[d] - written->lo[d]) / 2;
    if (on_axis(ir, s, d) && (middle < s->box.lo[d] || middle >= s->box.hi[d])) return false;
  }
  return true;
}

/* Where nothing stored is written in the middle (two far corners, say) all is main. */
static void find_main(const ik_ir *ir, ik_work *work, ik_subject *out) {
  bool any = false;
  for (int i = 0; i < out->n; i++) {
    work[i].main = holds_middle(ir, work[i].stmt, &out->written);
    any |= work[i].main && counts(ir, work[i].stmt);
  }
  for (int i = 0; i < out->n && !any; i++) work[i].main = true;
}

/* What follows from the statements that were collected. */
static void finish(collector *c, const ik_ir *ir) {
  ik_subject *out = c->out;
  out->steps = out->loop && out->loop->kind == IK_STEPS;
  out->work = c->work;
  bool *updated = IK_NEW_N(c->a, bool, ir->nfield);
  for (int i = 0; c->work && i < out->n; i++) {
    const ik_stmt *s = c->work[i].stmt;
    if (s->kind == IK_ASSIGN && ik_is_stored(ir, s->field)) updated[s->field] = true;
  }
  out->updated = updated;
  find_written(ir, c->work, out);
  find_main(ir, c->work, out);
}

void ik_subject_of(const ik_ir *ir, ik_arena *a, ik_subject *out) {
  *out = (ik_subject){.loop = find_loop(ir)};
  collector c = {a, out, NULL, 0};
  if (out->loop) {
    collect(&c, out->loop->pre, NULL, NULL);
    collect(&c, out->loop->body, NULL, NULL);
  } else {
    collect(&c, ir->body, NULL, NULL);
  }
  finish(&c, ir);
}

void ik_subject_of_list(const ik_ir *ir, const ik_stmt *first, const ik_stmt *end, ik_arena *a,
                        ik_subject *out) {
  *out = (ik_subject){0};
  collector c = {a, out, NULL, 0};
  collect(&c, first, end, NULL);
  finish(&c, ir);
}

bool ik_subject_makes(const ik_subject *s, int field) {
  for (int i = 0; i < s->n; i++)
    if (s->work[i].stmt->kind == IK_ASSIGN && s->work[i].stmt->field == field) return true;
  return false;
}
