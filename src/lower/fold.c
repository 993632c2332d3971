#include "lower/fold.h"

typedef struct walk {
  const ik_ir   *ir;
  bool          *fold; /* [nfield] nothing speaks against it so far */
  const ik_stmt *stmt; /* whose value is looked at; NULL: it belongs to none */
} walk;

static int oldest(const ik_field *f) { return 1 - f->history; }

static bool makes_next(const ik_stmt *s, int field) {
  return s && s->kind == IK_ASSIGN && s->field == field && s->level == 1;
}

static void see_read(const ik_expr *e, void *ctx) {
  walk *w = ctx;
  if (e->op != IK_OP_READ) return;
  bool here = !e->off[0] && !e->off[1] && !e->off[2];
  if (e->level == oldest(&w->ir->field[e->id]) && !(here && makes_next(w->stmt, e->id)))
    w->fold[e->id] = false;
  if (e->level == 1 && !here) w->fold[e->id] = false;
}

/* Levels that lie in the same place are given by different statements: the order of these would
 * count.  In a sweep, and of what is given in part or twice, the order of cells would. */
static void see_stmt(const ik_stmt *s, void *ctx) {
  walk *w = ctx;
  w->stmt = s;
  if (s->value) ik_expr_each(s->value, see_read, w);
  for (const ik_stmt *b = s->body; b && s->kind == IK_SWEEP; b = b->next)
    if (b->kind == IK_ASSIGN) w->fold[b->field] = false;
  for (int f = 0; f < w->ir->nfield && s->kind == IK_STEPS; f++) {
    const ik_field *q = &w->ir->field[f];
    int64_t         cells = 0;
    for (const ik_stmt *b = s->body; b; b = b->next) {
      if (makes_next(b, f)) cells += ik_box_cells(&b->box);
      if (b->kind == IK_ASSIGN && b->field == f && b->level == oldest(q)) w->fold[f] = false;
    }
    if (cells != ik_box_cells(&q->box) || !ik_stmt_covers(s->body, f, 1, q->box))
      w->fold[f] = false;
  }
}

/* Those that have an older level; false: there are none. */
static bool find_candidates(walk *w) {
  bool any = false;
  for (int f = 0; f < w->ir->nfield; f++)
    any |= w->fold[f] = w->ir->field[f].has_new && w->ir->field[f].history > 1;
  return any;
}

const bool *ik_fold_fields(const ik_ir *ir, ik_arena *a) {
  walk w = {.ir = ir, .fold = IK_NEW_N(a, bool, ir->nfield + 1)};
  if (!find_candidates(&w)) return w.fold;
  for (int f = 0; f < ir->nfield; f++)
    for (int k = 0; k < 2 * IK_MAX_DIM; k++)
      if (ir->field[f].bc[k / 2][k % 2].value)
        ik_expr_each(ir->field[f].bc[k / 2][k % 2].value, see_read, &w);
  for (int i = 0; i < ir->ninject; i++) ik_expr_each(ir->inject[i].value, see_read, &w);
  ik_ir_each_stmt(ir, see_stmt, &w);
  return w.fold;
}
