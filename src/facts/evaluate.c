#include "facts/evaluate.h"
#include "ir/apply.h"
#include <math.h>

double ik_evaluate(const ik_ir *ir, const ik_expr *e, const double v[3]) {
  if (e->op == IK_OP_SELECT) return isnan(v[0]) ? NAN : v[0] != 0 ? v[1] : v[2];
  for (int k = 0; k < ik_op_nargs(e->op); k++)
    if (isnan(v[k])) return NAN;
  if (e->op == IK_OP_TABLE) return ik_apply_table(&ir->table[e->id], v[0]);
  return ik_apply(e->op, e->type, v[0], v[1], v[2]);
}
