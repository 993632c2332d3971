/* operand.c: where the operands of an element's instructions are, and what is done to have them
 * there. */
#include "base/least.h"
#include "ir/bound.h"
#include "targets/simulated/wse2/maker.h"

/* ---- cells beyond the ends of columns ---- */

static bool is_set_since(const ik_wse2_maker *m, int since, int word) {
  for (int i = since; i < m->n; i++)
    if (m->instr[i].map.dst.at == word) return true;
  return false;
}

/* What stands for a cell above or below is copied there; values come from the host. */
static void show_image(ik_wse2_maker *m, const ik_expr *e, int64_t z, int since) {
  const ik_field *f = &ik_wse2_ir_of(m)->field[e->id];
  int64_t         image = z;
  double          sign = 1;
  int             word = ik_wse2_word(m->l, e->id, e->level, z);
  if (ik_bound_fold(f, 2, &image, &sign) >= 0 || image == z || is_set_since(m, since, word)) return;
  ik_wse2_operand from = IK_WSE2_SCALAR(ik_wse2_word(m->l, e->id, e->level, image));
  ik_wse2_put_map(m, "image", sign < 0 ? IK_OP_NEG : IK_OP_CAST, 1, IK_WSE2_SCALAR(word), &from);
}

void ik_wse2_show_images(ik_wse2_maker *m, const ik_wse2_job *j, int64_t z, int64_t n) {
  int since = m->n;
  for (int i = 0; i < j->code->nvalue; i++) {
    const ik_expr *e = j->code->value[i].leaf;
    if (!ik_wse2_is_column(&j->code->value[i]) || !ik_wse2_ir_of(m)->field[e->id].on[2]) continue;
    const ik_box *b = &ik_wse2_ir_of(m)->field[e->id].box;
    int64_t       lo = z + e->off[2], hi = lo + n;
    for (int64_t k = lo; k < ik_min(hi, b->lo[2]); k++) show_image(m, e, k, since);
    for (int64_t k = ik_max(lo, b->hi[2]); k < hi; k++) show_image(m, e, k, since);
  }
}

/* ---- operands ---- */

static float boundary_value(const ik_wse2_maker *m, const ik_expr *e) {
  const ik_field *f = &ik_wse2_ir_of(m)->field[e->id];
  for (int d = 0; d < 2; d++) {
    int64_t i = m->at[d] + e->off[d];
    int     side = !f->on[d] ? -1 : i < f->box.lo[d] ? 0 : i >= f->box.hi[d] ? 1 : -1;
    if (side >= 0 && f->bc[d][side].kind == IK_BC_VALUE) return (float)f->bc[d][side].value->value;
  }
  return 0;
}

static ik_wse2_operand own_column(const ik_wse2_maker *m, const ik_wse2_piece *p,
                                  const ik_expr *e) {
  return ik_wse2_vector(ik_wse2_word(m->l, e->id, e->level, p->z + e->off[2]),
                        ik_wse2_ir_of(m)->field[e->id].on[2]);
}

static ik_wse2_operand in_slot(const ik_wse2_maker *m, const ik_wse2_piece *p, const ik_expr *e,
                               ik_wse2_from s) {
  int                     i = ik_wse2_exchange_of(p->job, e);
  const ik_wse2_exchange *x = &p->job->exchange[i];
  bool                    column = ik_wse2_ir_of(m)->field[e->id].on[2];
  int                     at = ik_wse2_slot_at(m->l, p->job, i, ik_wse2_slot(x, s.dx, s.dy));
  return ik_wse2_vector(column ? at + x->dz[0] + e->off[2] + (int)(p->z - p->base) : at, column);
}

static ik_wse2_operand to_scratch(ik_wse2_maker *m, const ik_wse2_piece *p, int k, ik_op op,
                                  const ik_wse2_operand *arg) {
  ik_wse2_operand to = IK_WSE2_AT(m->l->scratch + k * m->l->map->chunk);
  ik_wse2_put_map(m, "at the border", op, p->n, to, arg);
  return to;
}

/* The boundary's constant; it changes sign with the cells above and below that are negated. */
static ik_wse2_operand beyond(ik_wse2_maker *m, const ik_wse2_piece *p, const ik_expr *e,
                              float value, int k) {
  const ik_field *f = &ik_wse2_ir_of(m)->field[e->id];
  ik_wse2_operand to = IK_WSE2_AT(m->l->scratch + k * m->l->map->chunk);
  bool            filled = false;
  for (int i = 0; f->on[2] && value != 0 && i < p->n; i++) {
    int64_t z = p->z + e->off[2] + i;
    double  sign = 1;
    if (ik_bound_fold(f, 2, &z, &sign) >= 0 || sign > 0) continue;
    if (!filled) ik_wse2_put_copy(m, "at the border", p->n, to, IK_WSE2_CONST(value));
    filled = true;
    ik_wse2_put_copy(m, "at the border", 1, IK_WSE2_AT(to.at + i), IK_WSE2_CONST(-value));
  }
  return filled ? to : IK_WSE2_CONST(value);
}

/* A column from elsewhere; k: which operand of an operation it is. */
static ik_wse2_operand received(ik_wse2_maker *m, const ik_wse2_piece *p, const ik_wse2_value *v,
                                int k) {
  ik_wse2_from s = ik_wse2_from_of(m, v->leaf);
  bool         scaled = v->source == IK_WSE2_SCALED;
  float        factor = scaled ? v->factor : 1;
  if (!s.there) {
    float value = boundary_value(m, v->leaf);
    return beyond(m, p, v->leaf, factor * (s.negated ? -value : value), k);
  }
  bool            arrived = ik_wse2_is_scaled(m, p->job, v, s);
  bool            own = !s.dx && !s.dy && !arrived;
  ik_wse2_operand arg[2] = {own ? own_column(m, p, v->leaf) : in_slot(m, p, v->leaf, s)};
  if (arrived) return arg[0];
  arg[1] = IK_WSE2_CONST(s.negated ? -factor : factor);
  if (scaled) return to_scratch(m, p, k, IK_OP_MUL, arg);
  return s.negated ? to_scratch(m, p, k, IK_OP_NEG, arg) : arg[0];
}

ik_wse2_operand ik_wse2_operand_of(ik_wse2_maker *m, const ik_wse2_piece *p, int value, int k) {
  const ik_wse2_value *v = &p->job->code->value[value];
  switch (v->source) {
  case IK_WSE2_REGISTER: return IK_WSE2_AT(ik_wse2_register_at(m->l, v->reg, p->z, p->base));
  case IK_WSE2_MADE:
    return IK_WSE2_AT(ik_wse2_given_at(&m->l->made, v->leaf) + (int)(p->z - m->l->map->first[2]));
  case IK_WSE2_NUMBER:
    if (v->leaf->op == IK_OP_CONST) return IK_WSE2_CONST((float)v->leaf->value);
    return IK_WSE2_SCALAR(ik_wse2_given_at(&m->l->number, v->leaf));
  default: break;
  }
  return ik_wse2_arrives(ik_wse2_ir_of(m), p->job, v) ? received(m, p, v, k)
                                                      : own_column(m, p, v->leaf);
}
