/* element.c: the meaning of instructions, whoever runs them. */
#include "targets/simulated/wse2/element.h"
#include "ir/apply.h"
#include <math.h>

static float load(const ik_wse2_operand *o, const float *memory, int i) {
  return o->at < 0 ? o->value : memory[o->at + i * o->stride];
}

void ik_wse2_map_one(const ik_wse2_map *m, float *memory, int i) {
  float  a = load(&m->arg[0], memory, i), b = load(&m->arg[1], memory, i);
  float *to = &memory[m->dst.at + i * m->dst.stride];
  switch (m->op) {
  case IK_OP_ADD: *to = a + b; break;
  case IK_OP_SUB: *to = a - b; break;
  case IK_OP_MUL: *to = a * b; break;
  case IK_OP_FMA: *to = fmaf(a, b, load(&m->arg[2], memory, i)); break;
  default: *to = (float)ik_apply(m->op, IK_F32, a, b, load(&m->arg[2], memory, i));
  }
}

void ik_wse2_map_run(const ik_wse2_map *m, float *memory) {
  for (int i = 0; i < m->n; i++) ik_wse2_map_one(m, memory, i);
}

/* The part to which the i-th word belongs; *i becomes its place in there. */
static const ik_wse2_take *part_of(const ik_wse2_takes *t, int *i) {
  const ik_wse2_take *k = t->take;
  for (; *i >= k->n; k++) *i -= k->n;
  return k;
}

const ik_wse2_take *ik_wse2_take_one(const ik_wse2_takes *t, float *memory, int i, float word) {
  const ik_wse2_take *k = part_of(t, &i);
  switch (k->kind) {
  case IK_WSE2_DROP: break;
  case IK_WSE2_STORE: memory[k->at + i] = word; break;
  case IK_WSE2_SCALE: memory[k->at + i] = word * k->coefficient; break;
  }
  return k;
}

float ik_wse2_combine(ik_reduce r, float own, float came) {
  static const ik_op op[] = {
      [IK_SUM] = IK_OP_ADD, [IK_MINIMUM] = IK_OP_MIN, [IK_MAXIMUM] = IK_OP_MAX};
  return (float)ik_apply(op[r], IK_F32, own, came, 0);
}

int ik_wse2_map_vectors(const ik_wse2_map *m) {
  int n = 0;
  for (int k = 0; k < ik_op_nargs(m->op); k++) n += m->arg[k].at >= 0 && m->arg[k].stride != 0;
  return n;
}
