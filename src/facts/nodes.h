/* nodes.h: the nodes of an expression as a list, each once, operands before their users.
 * Analyses walk the list forwards or backwards instead of recursing, so shared operands cost
 * nothing and a chain of any length is fine. */
#pragma once
#include "base/arena.h"
#include "ir/ir.h"

typedef struct ik_nodes {
  int             n;
  const ik_expr **node; /* [n]; the last is the expression itself */
  int (*arg)[3];        /* [n] where the operands stand in the list; -1 beyond their number */
} ik_nodes;

void ik_nodes_of(const ik_expr *e, ik_arena *a, ik_nodes *out);

/* Those that a text gives a name: what is an operand twice, and long chains of fused operations
 * within others.  Their number; the expression itself and leaves are none of them. */
int ik_nodes_worth_a_name(const ik_expr *e, ik_arena *a, const ik_expr ***out);
/* Does it read the field? */
bool ik_nodes_read(const ik_expr *e, int field, ik_arena *a);
