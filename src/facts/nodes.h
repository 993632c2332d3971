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
