#include "facts/zero.h"

typedef struct zeros {
  const ik_ir *ir;
  bool        *zero; /* [nfield] as far as is known */
  bool         changed;
} zeros;

static bool is_zero(const zeros *z, const ik_expr *e);

/* A value beyond a face may be read, at whatever offset. */
static bool reads_zero(const zeros *z, const ik_expr *e) {
  const ik_field *f = &z->ir->field[e->id];
  if (!z->zero[e->id]) return false;
  for (int d = 0; d < IK_MAX_DIM; d++)
    for (int side = 0; side < 2; side++)
      if (f->bc[d][side].kind == IK_BC_VALUE && f->bc[d][side].value &&
          !is_zero(z, f->bc[d][side].value))
        return false;
  return true;
}

static bool is_zero(const zeros *z, const ik_expr *e) {
  switch (e->op) {
  case IK_OP_CONST: return e->value == 0;
  case IK_OP_READ: return reads_zero(z, e);
  case IK_OP_MUL: return is_zero(z, e->arg[0]) || is_zero(z, e->arg[1]);
  case IK_OP_FMA: return (is_zero(z, e->arg[0]) || is_zero(z, e->arg[1])) && is_zero(z, e->arg[2]);
  case IK_OP_ADD:
  case IK_OP_SUB:
  case IK_OP_MIN:
  case IK_OP_MAX: return is_zero(z, e->arg[0]) && is_zero(z, e->arg[1]);
  case IK_OP_SELECT: return is_zero(z, e->arg[1]) && is_zero(z, e->arg[2]);
  case IK_OP_DIV: return is_zero(z, e->arg[0]) && !is_zero(z, e->arg[1]); /* 0/0 is none */
  case IK_OP_NEG:
  case IK_OP_ABS:
  case IK_OP_FLOOR:
  case IK_OP_SQRT:
  case IK_OP_SIN:
  case IK_OP_TAN:
  case IK_OP_TANH:
  case IK_OP_ATAN:
  case IK_OP_CAST: return is_zero(z, e->arg[0]);
  default: return false;
  }
}

static void set_field(zeros *z, int field) {
  z->changed = z->changed || z->zero[field];
  z->zero[field] = false;
}

static void look(const ik_stmt *s, void *ctx) {
  zeros *z = ctx;
  if (s->kind == IK_LOAD || (s->kind == IK_ASSIGN && !is_zero(z, s->value))) set_field(z, s->field);
}

const bool *ik_zero_of(const ik_ir *ir, ik_arena *a) {
  zeros z = {.ir = ir, .zero = IK_NEW_N(a, bool, ir->nfield + 1)};
  for (int f = 0; f < ir->nfield; f++) z.zero[f] = true;
  do {
    z.changed = false;
    ik_ir_each_stmt(ir, look, &z);
    for (int i = 0; i < ir->ninject; i++)
      if (!is_zero(&z, ir->inject[i].value)) set_field(&z, ir->inject[i].field);
  } while (z.changed);
  return z.zero;
}

static bool assigns(const ik_stmt *list, int field) {
  for (const ik_stmt *s = list; s; s = s->next)
    if ((s->kind == IK_ASSIGN && s->field == field) || assigns(s->body, field)) return true;
  return false;
}

bool ik_zero_is_odd(const ik_ir *ir, const bool *zero, int field) {
  if (!zero[field] || ir->field[field].kind != IK_FIELD_USER) return false;
  for (const ik_stmt *s = ir->body; s; s = s->next)
    if (ik_stmt_is_loop(s) && s->count > 1 && assigns(s->body, field)) return true;
  return false;
}
