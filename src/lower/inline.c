#include "lower/inline.h"
#include "facts/nodes.h"
#include "lower/outliving.h"
#include <string.h>

enum { SHORT = 8, OFFSETS = 2, LONGEST = 96 }; /* operations of a temporary; of what reads it */

typedef struct work {
  const ik_ir *ir;
  ik_arena    *a;
  ik_stmt     *list;
  const bool  *across; /* those that other lists need; NULL: none */
} work;

/* ---- which ---- */

static bool is_plain(const ik_expr *e) {
  bool place = e->op == IK_OP_COORD || e->op == IK_OP_NOISE;
  bool dear =
      e->op == IK_OP_DIV || e->op == IK_OP_MOD || (e->op >= IK_OP_SQRT && e->op <= IK_OP_TABLE);
  return !place && !dear;
}

/* Operations of an expression; -1 if one is dear or depends on the place. */
static int length_of(const ik_expr *e, ik_arena *a) {
  ik_nodes nodes;
  int      n = 0;
  ik_nodes_of(e, a, &nodes);
  for (int i = 0; i < nodes.n; i++) {
    if (!is_plain(nodes.node[i])) return -1;
    n += ik_op_nargs(nodes.node[i]->op) > 0;
  }
  return n;
}

typedef struct uses {
  int n, off[OFFSETS + 1][IK_MAX_DIM]; /* different offsets, as many as matter */
  int longest;                         /* operations of a reader */
} uses;

static void add_use(uses *u, const int off[IK_MAX_DIM]) {
  for (int i = 0; i < u->n; i++)
    if (memcmp(u->off[i], off, sizeof u->off[i]) == 0) return;
  if (u->n <= OFFSETS) memcpy(u->off[u->n++], off, sizeof u->off[0]);
}

static uses uses_of(const work *w, int field) {
  uses u = {0};
  for (const ik_stmt *s = w->list; s; s = s->next) {
    ik_nodes nodes;
    bool     reads = false;
    ik_nodes_of(s->value, w->a, &nodes);
    for (int i = 0; i < nodes.n; i++)
      if (nodes.node[i]->op == IK_OP_READ && nodes.node[i]->id == field)
        add_use(&u, nodes.node[i]->off), reads = true;
    if (reads && nodes.n > u.longest) u.longest = nodes.n;
  }
  return u;
}

static int times_assigned(const work *w, int field) {
  int n = 0;
  for (const ik_stmt *s = w->list; s; s = s->next) n += s->kind == IK_ASSIGN && s->field == field;
  return n;
}

/* What it reads must be the same where it is put: nothing of it is assigned in the list, but for
 * other temporaries, once. */
static bool reads_what_changes(const work *w, const ik_stmt *temp) {
  ik_nodes nodes;
  ik_nodes_of(temp->value, w->a, &nodes);
  for (int i = 0; i < nodes.n; i++) {
    const ik_expr *e = nodes.node[i];
    if (e->op != IK_OP_READ) continue;
    bool once = w->ir->field[e->id].kind == IK_FIELD_TEMP && times_assigned(w, e->id) == 1;
    for (const ik_stmt *s = w->list; s && !once; s = s->next)
      if (s->kind == IK_ASSIGN && s->field == e->id && s->level == e->level) return true;
  }
  return false;
}

/* Kept in registers anyway if it is read at its own cell alone. */
static bool only_at_cell(const uses *u) {
  static const int nowhere[IK_MAX_DIM] = {0};
  return u->n == 1 && memcmp(u->off[0], nowhere, sizeof nowhere) == 0;
}

static bool is_worth(const work *w, const ik_stmt *s) {
  if (s->kind != IK_ASSIGN || w->ir->field[s->field].kind != IK_FIELD_TEMP) return false;
  if (w->across && w->across[s->field]) return false;
  if (times_assigned(w, s->field) != 1 || s->value->type != w->ir->field[s->field].type)
    return false;
  if (reads_what_changes(w, s)) return false;
  int  length = length_of(s->value, w->a);
  uses u = uses_of(w, s->field);
  return length >= 0 && length <= SHORT && u.n > 0 && u.n <= OFFSETS && !only_at_cell(&u) &&
         u.longest + OFFSETS * length <= LONGEST;
}

/* ---- putting it in place ---- */

typedef struct swap {
  ik_arena      *a;
  int            field; /* -1: move all reads by `off` */
  const ik_expr *value; /* of the field */
  const int     *off;
} swap;

static const ik_expr *rewrite(const swap *x, const ik_expr *e);

/* The value at another cell. */
static const ik_expr *moved(ik_arena *a, const ik_expr *e, const int off[IK_MAX_DIM]) {
  swap x = {a, -1, NULL, off};
  return rewrite(&x, e);
}

/* Operands before their users, each once, so that what was shared stays so. */
static const ik_expr *rewrite(const swap *x, const ik_expr *e) {
  ik_nodes nodes;
  ik_nodes_of(e, x->a, &nodes);
  const ik_expr **now = IK_NEW_N(x->a, const ik_expr *, nodes.n);
  for (int i = 0; i < nodes.n; i++) {
    ik_expr *copy = IK_NEW(x->a, ik_expr);
    *copy = *nodes.node[i];
    now[i] = copy;
    for (int k = 0; k < ik_op_nargs(copy->op); k++) copy->arg[k] = now[nodes.arg[i][k]];
    if (copy->op != IK_OP_READ) continue;
    if (x->field < 0)
      for (int d = 0; d < IK_MAX_DIM; d++) copy->off[d] += x->off[d];
    else if (copy->id == x->field)
      now[i] = moved(x->a, x->value, copy->off);
  }
  return now[nodes.n - 1];
}

static void put_in_place(work *w, const ik_stmt *temp) {
  for (ik_stmt *s = w->list; s; s = s->next) {
    swap x = {w->a, temp->field, temp->value, NULL};
    if (s != temp) s->value = rewrite(&x, s->value);
  }
  for (ik_stmt **at = &w->list; *at; at = &(*at)->next)
    if (*at == temp) {
      *at = temp->next;
      return;
    }
}

/* Fields on part of the axes are read at 0 along the others, whatever the cell. */
static bool moves_freely(const ik_ir *ir, const ik_expr *e, ik_arena *a) {
  ik_nodes nodes;
  ik_nodes_of(e, a, &nodes);
  for (int i = 0; i < nodes.n; i++)
    for (int d = 0; d < ir->ndim && nodes.node[i]->op == IK_OP_READ; d++)
      if (!ir->field[nodes.node[i]->id].on[d]) return false;
  return true;
}

/* The last ones first: what they read is then counted as it will be. */
static const ik_stmt *last_worth(const work *w) {
  const ik_stmt *found = NULL;
  for (const ik_stmt *s = w->list; s; s = s->next)
    if (is_worth(w, s) && moves_freely(w->ir, s->value, w->a)) found = s;
  return found;
}

const ik_stmt *ik_inline_temps(const ik_ir *ir, const ik_stmt *list, ik_arena *a) {
  work w = {ir, a, NULL, ik_outliving_temps(ir, a)};
  for (const ik_stmt *s = list; s; s = s->next)
    if (s->kind != IK_ASSIGN && s->kind != IK_REDUCE) return list;
  w.list = ik_stmt_copies(list, NULL, a);
  const ik_stmt *first = last_worth(&w);
  if (!first) return list;
  for (const ik_stmt *s = first; s; s = last_worth(&w)) put_in_place(&w, s);
  return w.list;
}
