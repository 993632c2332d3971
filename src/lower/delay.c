#include "lower/delay.h"
#include "facts/nodes.h"
#include <string.h>

typedef struct use { /* what a statement touches */
  ik_nodes nodes;
  bool     pointwise; /* an assignment to a field of the program, of cells that look at none but
                         themselves */
} use;

typedef struct work {
  const ik_ir *ir;
  ik_arena    *a;
  int          n;
  ik_stmt    **stmt; /* [n] */
  use         *use;
} work;

static bool is_pointwise(const ik_ir *ir, const ik_stmt *s, const ik_nodes *nodes) {
  if (s->kind != IK_ASSIGN || s->level != 0 || ir->field[s->field].kind != IK_FIELD_USER)
    return false;
  for (int i = 0; i < nodes->n; i++) {
    const ik_expr *e = nodes->node[i];
    if (e->op == IK_OP_READ && (e->off[0] || e->off[1] || e->off[2] || e->level)) return false;
  }
  return true;
}

static bool reads(const use *u, ik_op op, int id) {
  for (int i = 0; i < u->nodes.n; i++)
    if (u->nodes.node[i]->op == op && u->nodes.node[i]->id == id) return true;
  return false;
}

static bool touches(const work *w, int i, int field) {
  return (w->stmt[i]->kind == IK_ASSIGN && w->stmt[i]->field == field) ||
         reads(&w->use[i], IK_OP_READ, field);
}

/* May statement i be done after statement k? */
static bool may_pass(const work *w, int i, int k) {
  const ik_stmt *s = w->stmt[k];
  if (touches(w, k, w->stmt[i]->field)) return false;
  if (s->kind == IK_ASSIGN) return !reads(&w->use[i], IK_OP_READ, s->field);
  return !reads(&w->use[i], IK_OP_SCALAR, s->scalar);
}

/* Words per cell that statement i adds to what the statements from `first` to `end` move. */
static int words(const work *w, int i, int first, int end) {
  int n = 0;
  for (int f = 0; f < w->ir->nfield; f++) {
    bool shared = false;
    for (int k = first; k < end; k++) shared = shared || (k != i && touches(w, k, f));
    if (!shared) n += reads(&w->use[i], IK_OP_READ, f) + (w->stmt[i]->field == f);
  }
  return n;
}

/* Statements between two that set numbers are done together, as far as possible. */
static int segment_end(const work *w, int i) {
  while (i < w->n && w->stmt[i]->kind != IK_SET) i++;
  return i;
}
static int segment_begin(const work *w, int i) {
  while (i > 0 && w->stmt[i - 1]->kind != IK_SET) i--;
  return i;
}

static bool has_company(const work *w, int i, int first, int end) {
  for (int k = first; k < end; k++)
    if (w->use[k].pointwise && !memcmp(&w->stmt[k]->box, &w->stmt[i]->box, sizeof(ik_box)))
      return true;
  return false;
}

/* Where statement i is done with least to move: before the statement that is returned. */
static int best_place(const work *w, int i) {
  int now = words(w, i, segment_begin(w, i), segment_end(w, i)), best = i + 1;
  for (int k = i + 1; k < w->n && may_pass(w, i, k); k++) {
    int end = segment_end(w, k + 1), n = words(w, i, k + 1, end);
    if (w->stmt[k]->kind != IK_SET || n >= now || !has_company(w, i, k + 1, end)) continue;
    now = n, best = k + 1;
  }
  return best;
}

static void move_before(work *w, int i, int to) {
  ik_stmt *s = w->stmt[i];
  use      u = w->use[i];
  for (int k = i; k + 1 < to; k++) w->stmt[k] = w->stmt[k + 1], w->use[k] = w->use[k + 1];
  w->stmt[to - 1] = s, w->use[to - 1] = u;
}

/* False if there is a statement that has others inside. */
static bool open_list(work *w, const ik_stmt *list) {
  for (const ik_stmt *s = list; s; s = s->next) {
    if (s->body || !s->value) return false;
    w->n++;
  }
  w->stmt = IK_NEW_N(w->a, ik_stmt *, w->n + 1);
  w->use = IK_NEW_N(w->a, use, w->n + 1);
  int i = 0;
  for (const ik_stmt *s = list; s; s = s->next, i++) {
    w->stmt[i] = IK_NEW(w->a, ik_stmt);
    *w->stmt[i] = *s;
    ik_nodes_of(s->value, w->a, &w->use[i].nodes);
    w->use[i].pointwise = is_pointwise(w->ir, s, &w->use[i].nodes);
  }
  return true;
}

const ik_stmt *ik_delay(const ik_ir *ir, const ik_stmt *list, ik_arena *a) {
  work w = {.ir = ir, .a = a};
  bool moved = false;
  if (!open_list(&w, list)) return list;
  for (int i = w.n - 1; i >= 0; i--) {
    int to = w.use[i].pointwise ? best_place(&w, i) : i + 1;
    if (to > i + 1) move_before(&w, i, to), moved = true;
  }
  if (!moved) return list;
  for (int i = 0; i < w.n; i++) w.stmt[i]->next = i + 1 < w.n ? w.stmt[i + 1] : NULL;
  return w.stmt[0];
}
