#include "facts/bytes.h"
#include "facts/nodes.h"

typedef struct touched {
  bool read, written;
} touched;

/* Temporaries of the step need no memory; those that were made before it do. */
static bool is_in_memory(const ik_ir *ir, const ik_subject *x, int field) {
  return ik_is_stored(ir, field) || !ik_subject_makes(x, field);
}

static void touch(const ik_ir *ir, const ik_subject *x, const ik_stmt *s, touched *t, ik_arena *a) {
  ik_nodes nodes;
  ik_nodes_of(s->value, a, &nodes);
  for (int i = 0; i < nodes.n; i++) {
    const ik_expr *e = nodes.node[i];
    if (e->op != IK_OP_READ || !is_in_memory(ir, x, e->id)) continue;
    touched *v = &t[ik_value_of(e->id, e->level)];
    if (!v->written) v->read = true;
  }
  if (s->kind == IK_ASSIGN && ik_is_stored(ir, s->field))
    t[ik_value_of(s->field, s->level)].written = true;
}

static double bytes_per_cell(const ik_ir *ir, int field) {
  const ik_field *f = &ir->field[field];
  double          bytes = ik_type_bytes(f->type);
  for (int d = 0; d < ir->ndim; d++)
    if (!f->on[d]) bytes /= (double)ir->n[d];
  return bytes;
}

void ik_bytes_of(const ik_ir *ir, const ik_subject *s, ik_arena *a, ik_bytes *out) {
  touched    *t = IK_NEW_N(a, touched, ik_values_of(ir));
  ik_traffic *item = NULL;
  int         cap = 0;
  *out = (ik_bytes){0};
  for (int i = 0; i < s->n; i++)
    if (s->work[i].main) touch(ir, s, s->work[i].stmt, t, a);
  for (int write = 0; write < 2; write++)
    for (int f = 0; f < ir->nfield; f++)
      for (int level = 1; level > -IK_MAX_HISTORY; level--) {
        const touched *v = &t[ik_value_of(f, level)];
        if (write ? !v->written : !v->read) continue;
        ik_traffic x = {f, level, write, bytes_per_cell(ir, f)};
        IK_PUSH(a, item, out->n, cap, x);
        out->cell += x.bytes;
      }
  out->item = item;
}
