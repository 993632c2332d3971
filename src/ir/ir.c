#include "ir/ir.h"
#include "base/num.h"
#include <math.h>
#include <string.h>

static const struct {
  const char *name;
  int         bytes;
  bool        is_float;
} types[] = {
    [IK_F64] = {"f64", 8, true},   [IK_F32] = {"f32", 4, true},  [IK_F16] = {"f16", 2, true},
    [IK_BF16] = {"bf16", 2, true}, [IK_I32] = {"i32", 4, false}, [IK_BOOL] = {"bool", 1, false},
};

static const struct {
  const char *name;
  int         nargs, flops;
} ops[] = {
#define IK_OP(NAME, text, nargs, flops) {text, nargs, flops},
#include "ir/ops.h"
#undef IK_OP
};

static const char *const boundaries[] = {
    [IK_BC_NONE] = "none",
    [IK_BC_VALUE] = "value",
    [IK_BC_PERIODIC] = "periodic",
    [IK_BC_MIRROR] = "mirror",
    [IK_BC_ANTIMIRROR] = "antimirror",
    [IK_BC_REFLECT] = "reflect",
    [IK_BC_ANTIREFLECT] = "antireflect",
    [IK_BC_COPY] = "copy",
};

int         ik_type_bytes(ik_type t) { return types[t].bytes; }
const char *ik_type_name(ik_type t) { return types[t].name; }
bool        ik_type_is_float(ik_type t) { return types[t].is_float; }
const char *ik_op_name(ik_op op) { return ops[op].name; }
int         ik_op_nargs(ik_op op) { return ops[op].nargs; }
int         ik_op_flops(ik_op op) { return ops[op].flops; }
const char *ik_bc_name(ik_bc_kind k) { return boundaries[k]; }

int ik_type_find(const char *name) {
  for (int i = 0; i < IK_NTYPES; i++)
    if (strcmp(types[i].name, name) == 0) return i;
  return -1;
}

/* Toward zero to a whole number, then modulo 2^32; what is not finite becomes 0. */
static double round_i32(double v) {
  v = trunc(v);
  if (v >= -0x1p31 && v < 0x1p31) return v + 0.0; /* -0 becomes 0 */
  if (!isfinite(v)) return 0;
  v = fmod(v, 0x1p32);
  if (v >= 0x1p31) return v - 0x1p32;
  if (v < -0x1p31) return v + 0x1p32;
  return v + 0.0;
}

double ik_type_round(ik_type t, double v) {
  switch (t) {
  case IK_F64: return v;
  case IK_F32: return ik_round_f32(v);
  case IK_F16: return ik_round_f16(v);
  case IK_BF16: return ik_round_bf16(v);
  case IK_I32: return round_i32(v);
  default: return v != 0;
  }
}

static void each(const ik_stmt *s, void (*f)(const ik_stmt *s, void *ctx), void *ctx) {
  for (; s; s = s->next) {
    f(s, ctx);
    each(s->pre, f, ctx);
    each(s->body, f, ctx);
  }
}

void ik_ir_each_stmt(const ik_ir *ir, void (*f)(const ik_stmt *s, void *ctx), void *ctx) {
  each(ir->init, f, ctx);
  each(ir->body, f, ctx);
}

static bool overlaps(const ik_box *a, const ik_box *b) {
  for (int d = 0; d < IK_MAX_DIM; d++)
    if (a->lo[d] >= b->hi[d] || b->lo[d] >= a->hi[d]) return false;
  return true;
}

ik_stmt *ik_stmt_copies(const ik_stmt *list, const ik_stmt *end, ik_arena *a) {
  ik_stmt *head = NULL, **tail = &head;
  for (const ik_stmt *s = list; s != end; s = s->next) {
    *tail = IK_NEW(a, ik_stmt);
    **tail = *s, (*tail)->next = NULL;
    tail = &(*tail)->next;
  }
  return head;
}

/* A statement that gives some cell of a box a value. */
static const ik_stmt *find_assign(const ik_stmt *s, int field, int level, const ik_box *b) {
  for (; s; s = s->next) {
    const ik_stmt *in = s->body ? find_assign(s->body, field, level, b) : NULL;
    if (in) return in;
    if (s->kind == IK_ASSIGN && s->field == field && s->level == level && overlaps(&s->box, b))
      return s;
  }
  return NULL;
}

/* Cuts off what lies outside of the first assignment found and looks at the rest of it again. */
bool ik_stmt_covers(const ik_stmt *list, int field, int level, ik_box b) {
  if (ik_box_cells(&b) == 0) return true;
  const ik_stmt *s = find_assign(list, field, level, &b);
  if (!s) return false;
  for (int d = 0; d < IK_MAX_DIM; d++) {
    ik_box below = b, above = b;
    below.hi[d] = s->box.lo[d], above.lo[d] = s->box.hi[d];
    if (!ik_stmt_covers(list, field, level, below) || !ik_stmt_covers(list, field, level, above))
      return false;
    if (b.lo[d] < s->box.lo[d]) b.lo[d] = s->box.lo[d];
    if (b.hi[d] > s->box.hi[d]) b.hi[d] = s->box.hi[d];
  }
  return true;
}

void ik_expr_each(const ik_expr *e, void (*f)(const ik_expr *e, void *ctx), void *ctx) {
  for (int i = 0; i < ik_op_nargs(e->op); i++) ik_expr_each(e->arg[i], f, ctx);
  f(e, ctx);
}

bool ik_expr_has(const ik_expr *e, ik_op op) {
  bool has = e->op == op;
  for (int i = 0; i < ik_op_nargs(e->op) && !has; i++) has = ik_expr_has(e->arg[i], op);
  return has;
}

const ik_param *ik_ir_param(const ik_ir *ir, const char *name) {
  for (int i = 0; i < ir->nparam; i++)
    if (strcmp(ir->param[i].name, name) == 0) return &ir->param[i];
  return NULL;
}

void ik_ir_time(const ik_ir *ir, int64_t t, const char *before, ik_buf *out) {
  const ik_param *dt = ik_ir_param(ir, "dt");
  if (dt && t)
    ik_buf_printf(out, "%st = %.4g%s", before, (double)t * dt->value, dt->unit ? " s" : "");
}
