#include "facts/nodes.h"

typedef struct frame {
  const ik_expr *e;
  int            next; /* operand to visit */
} frame;

typedef struct walk {
  ik_arena *a;
  ik_nodes *out;
  int       cap, nslot;
  int      *slot; /* hash table over addresses, for lookup only: 1 + index; 0 is free */
} walk;

static int *find(const walk *w, const ik_expr *e) {
  uint64_t mask = (uint64_t)w->nslot - 1;
  uint64_t h = (uint64_t)(uintptr_t)e * UINT64_C(0x9E3779B97F4A7C15);
  for (uint64_t i = h >> 20 & mask;; i = (i + 1) & mask)
    if (!w->slot[i] || w->out->node[w->slot[i] - 1] == e) return &w->slot[i];
}

static void widen(walk *w) {
  w->nslot = w->nslot ? 2 * w->nslot : 64;
  w->slot = IK_NEW_N(w->a, int, w->nslot);
  for (int i = 0; i < w->out->n; i++) *find(w, w->out->node[i]) = i + 1;
}

static void append(walk *w, const ik_expr *e) {
  if (2 * w->out->n >= w->nslot - 2) widen(w);
  IK_PUSH(w->a, w->out->node, w->out->n, w->cap, e);
  *find(w, e) = w->out->n;
}

static void link_operands(walk *w) {
  w->out->arg = ik_arena_alloc(w->a, sizeof *w->out->arg * (size_t)w->out->n);
  for (int i = 0; i < w->out->n; i++) {
    const ik_expr *e = w->out->node[i];
    for (int k = 0; k < 3; k++)
      w->out->arg[i][k] = k < ik_op_nargs(e->op) ? *find(w, e->arg[k]) - 1 : -1;
  }
}

void ik_nodes_of(const ik_expr *e, ik_arena *a, ik_nodes *out) {
  *out = (ik_nodes){0};
  walk   w = {.a = a, .out = out};
  frame *stack = NULL;
  int    depth = 0, cap = 0;
  widen(&w);
  IK_PUSH(a, stack, depth, cap, ((frame){e, 0}));
  while (depth) {
    frame *f = &stack[depth - 1];
    if (*find(&w, f->e)) {
      depth--;
    } else if (f->next < ik_op_nargs(f->e->op)) {
      const ik_expr *arg = f->e->arg[f->next++];
      IK_PUSH(a, stack, depth, cap, ((frame){arg, 0}));
    } else {
      append(&w, f->e);
      depth--;
    }
  }
  link_operands(&w);
}

static bool is_chain(const ik_expr *e) {
  return e->op == IK_OP_FMA && e->arg[2]->op == IK_OP_FMA && e->arg[2]->arg[2]->op == IK_OP_FMA;
}

int ik_nodes_worth_a_name(const ik_expr *e, ik_arena *a, const ik_expr ***out) {
  ik_nodes nodes;
  ik_nodes_of(e, a, &nodes);
  int *uses = IK_NEW_N(a, int, nodes.n), n = 0;
  for (int i = 0; i < nodes.n; i++)
    for (int k = 0; k < ik_op_nargs(nodes.node[i]->op); k++) {
      bool goes_on = nodes.node[i]->op == IK_OP_FMA && k == 2;
      uses[nodes.arg[i][k]] += 1 + (is_chain(nodes.node[i]->arg[k]) && !goes_on);
    }
  *out = IK_NEW_N(a, const ik_expr *, nodes.n);
  for (int i = 0; i < nodes.n - 1; i++)
    if (uses[i] > 1 && ik_op_nargs(nodes.node[i]->op) > 0) (*out)[n++] = nodes.node[i];
  return n;
}

bool ik_nodes_read(const ik_expr *e, int field, ik_arena *a) {
  ik_nodes nodes;
  ik_nodes_of(e, a, &nodes);
  for (int i = 0; i < nodes.n; i++)
    if (nodes.node[i]->op == IK_OP_READ && nodes.node[i]->id == field) return true;
  return false;
}
