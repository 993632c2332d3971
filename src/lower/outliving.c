#include "lower/outliving.h"
#include "facts/nodes.h"

enum { SEVERAL = -1 };

typedef struct walk {
  const ik_ir *ir;
  ik_arena    *a;
  int         *list; /* [nfield] number of the one that touches it; 0: none so far; SEVERAL */
  int          now;  /* number of the list in sight */
} walk;

static void touch(walk *w, int field) {
  if (w->ir->field[field].kind != IK_FIELD_TEMP || w->list[field] == SEVERAL) return;
  bool other = w->list[field] && w->list[field] != w->now;
  w->list[field] = other ? SEVERAL : w->now;
}

static void see(walk *w, const ik_stmt *s) {
  ik_nodes nodes;
  if (s->kind == IK_ASSIGN) touch(w, s->field);
  for (const ik_stmt *b = s->body; b; b = b->next) see(w, b);
  if (!s->value) return;
  ik_nodes_of(s->value, w->a, &nodes);
  for (int i = 0; i < nodes.n; i++)
    if (nodes.node[i]->op == IK_OP_READ) touch(w, nodes.node[i]->id);
}

/* A list ends where a loop begins. */
static void see_block(walk *w, const ik_stmt *s) {
  for (w->now++; s; s = s->next) {
    if (!ik_stmt_is_loop(s)) {
      see(w, s);
      continue;
    }
    see_block(w, s->pre);
    see_block(w, s->body);
    w->now++;
  }
}

static bool has_temporaries(const ik_ir *ir) {
  for (int f = 0; f < ir->nfield; f++)
    if (ir->field[f].kind == IK_FIELD_TEMP) return true;
  return false;
}

const bool *ik_outliving_temps(const ik_ir *ir, ik_arena *a) {
  if (!has_temporaries(ir)) return NULL;
  walk w = {.ir = ir, .a = a, .list = IK_NEW_N(a, int, ir->nfield)};
  for (const ik_stmt *s = ir->init; s; s = s->next) w.now++, see(&w, s);
  see_block(&w, ir->body);
  bool *across = IK_NEW_N(a, bool, ir->nfield);
  for (int f = 0; f < ir->nfield; f++) across[f] = w.list[f] == SEVERAL;
  return across;
}
