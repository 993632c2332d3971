#include "facts/facts.h"
#include <math.h>

/* ---- what is known before the run ---- */

typedef struct definitions { /* of one field or scalar in the whole program */
  const ik_expr *leaf;
  int            count;
  const ik_stmt *last;
} definitions;

static void count_definition(const ik_stmt *s, void *ctx) {
  definitions *x = ctx;
  bool         scalar = x->leaf->op == IK_OP_SCALAR;
  bool         sets_scalar = s->kind == IK_SET || s->kind == IK_REDUCE;
  bool         sets_field = s->kind == IK_ASSIGN || s->kind == IK_LOAD;
  if (scalar ? !sets_scalar || s->scalar != x->leaf->id
             : !sets_field || s->field != x->leaf->id || s->level != x->leaf->level)
    return;
  x->count++;
  x->last = s;
}

static bool whole(const ik_field *f, const ik_stmt *s) {
  for (int d = 0; d < IK_MAX_DIM; d++)
    if (f->on[d] && (s->box.lo[d] > f->box.lo[d] || s->box.hi[d] < f->box.hi[d])) return false;
  return true;
}

double ik_facts_known(void *ctx, const ik_expr *leaf) {
  const ik_ir *ir = ctx;
  definitions  x = {.leaf = leaf};
  if (leaf->op != IK_OP_READ && leaf->op != IK_OP_SCALAR) return NAN;
  if (leaf->op == IK_OP_READ && ir->field[leaf->id].kind == IK_FIELD_HIDDEN) return 0;
  ik_ir_each_stmt(ir, count_definition, &x);
  if (x.count != 1 || x.last->kind == IK_LOAD || x.last->kind == IK_REDUCE) return NAN;
  if (leaf->op == IK_OP_READ && !whole(&ir->field[leaf->id], x.last)) return NAN;
  return x.last->value->op == IK_OP_CONST ? x.last->value->value : NAN;
}

/* ---- the sum ---- */

static double cfl_of(const ik_ir *ir, const ik_facts *f, ik_arena *a) {
  double factor;
  int    field = f->pattern.field;
  if (!f->stability.known || field < 0) return NAN;
  const ik_coefs *after = ik_linear_after(ir, &f->subject, &f->linear, a)[field];
  return after && ik_cfl_of(ir->ndim, field, after, &factor) ? factor : NAN;
}

ik_status ik_facts_of(const ik_ir *ir, int64_t flops_written, ik_arena *a, ik_diag *d,
                      ik_facts *out) {
  const ik_subject *s = &out->subject;
  ik_subject_of(ir, a, &out->subject);
  ik_pattern_of(ir, s, a, &out->pattern);
  ik_fuse_of(ir, s, &out->pattern, a, &out->fused);
  ik_flops_of(s, flops_written, a, &out->flops);
  ik_bytes_of(ir, s, a, &out->bytes);
  out->intensity = out->bytes.cell > 0 ? (double)out->flops.cell / out->bytes.cell : 0;
  ik_linear_of(ir, s, &out->pattern, ik_facts_known, (void *)ir, a, &out->linear);
  ik_extents_of(ir, s, &out->pattern, a, &out->extents);
  ik_depend_of(ir, s, &out->pattern, a, &out->depend);
  ik_stability_of(ir, s, &out->linear, a, &out->stability);
  out->cfl = cfl_of(ir, out, a);
  ik_memory_of(ir, a, &out->memory);
  if (out->memory.total < 0)
    return ik_error(d, IK_E027, IK_NOSPAN, "the fields together are larger than can be addressed");
  return IK_OK;
}
