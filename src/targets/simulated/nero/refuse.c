#include "targets/simulated/nero/refuse.h"
#include "facts/nodes.h"

typedef struct look {
  const ik_ir *ir;
  ik_arena    *arena;
  ik_diag     *d;
  ik_status    status;
} look;

static void refuse(look *l, ik_span at, const char *what, const char *why) {
  l->status = ik_fail(l->d, IK_ERR_UNSUPPORTED, IK_E082, at, "NERO cannot run %s: %s", what, why);
}

static void look_at_type(look *l, ik_type t, ik_span at) {
  if (t != IK_F64 && t != IK_BF16) return;
  refuse(l, at, ik_type_name(t), "its pipelines have units for f32 and f16");
  ik_help(l->d, "fields can be declared f32 or f16, and f32(e) rounds the value of an expression");
}

/* Constants, the time and what follows from them alone are prepared by the host. */
static void look_at_types(const ik_expr *e, look *l) {
  ik_nodes nodes;
  ik_nodes_of(e, l->arena, &nodes);
  bool *reads = IK_NEW_N(l->arena, bool, nodes.n);
  for (int i = 0; i < nodes.n && !l->status; i++) {
    reads[i] = nodes.node[i]->op == IK_OP_READ;
    for (int k = 0; k < ik_op_nargs(nodes.node[i]->op); k++)
      reads[i] = reads[i] || reads[nodes.arg[i][k]];
    if (reads[i]) look_at_type(l, nodes.node[i]->type, nodes.node[i]->span);
  }
}

static void look_at_list(const ik_stmt *list, bool in_loop, look *l) {
  for (const ik_stmt *s = list; s && !l->status; s = s->next) switch (s->kind) {
    case IK_REDUCE:
      if (!in_loop) break;
      refuse(l, s->span, "a sum or extreme of a field in a loop",
             "nothing on the board joins its windows, and the host would wait for all of them");
      break;
    case IK_REPEAT:
      refuse(l, s->span, "'repeat'", "its test would need a value from all windows");
      break;
    case IK_ASSIGN:
      look_at_type(l, l->ir->field[s->field].type, l->ir->field[s->field].span);
      look_at_types(s->value, l);
      break;
    default: look_at_list(s->body, true, l);
    }
}

ik_status ik_nero_refuse(const ik_ir *ir, ik_arena *a, ik_diag *d) {
  look l = {ir, a, d, IK_OK};
  look_at_list(ir->body, false, &l);
  return l.status;
}

ik_status ik_nero_no_memory(ik_diag *d) {
  return ik_fail(d, IK_ERR_RESOURCE, IK_E072, IK_NOSPAN, "no memory to simulate NERO");
}
