#include "facts/flops.h"
#include "facts/nodes.h"

int64_t ik_flops_of_expr(const ik_expr *e, ik_arena *a) {
  ik_nodes nodes;
  int64_t  sum = 0;
  ik_nodes_of(e, a, &nodes);
  for (int i = 0; i < nodes.n; i++) sum += ik_op_flops(nodes.node[i]->op);
  return sum;
}

void ik_flops_of(const ik_subject *s, int64_t written, ik_arena *a, ik_flops *out) {
  *out = (ik_flops){.written = written};
  for (int i = 0; i < s->n; i++) {
    const ik_stmt *st = s->work[i].stmt;
    int64_t        flops = ik_flops_of_expr(st->value, a);
    if (st->kind == IK_SET) { /* once per step, whatever the grid */
      out->step += (double)flops;
      continue;
    }
    if (st->kind == IK_REDUCE) flops++; /* the value joins the sum, or is compared */
    out->step += (double)flops * (double)ik_box_cells(&st->box);
    if (s->work[i].main) out->cell += flops;
  }
}
