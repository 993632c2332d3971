/* Nodes of expressions: made here and nowhere else, so that constants are folded, types found and
 * conversions inserted in one place. */
#include "lang/lower.h"
#include "ir/apply.h"
#include "lang/fix.h"
#include <limits.h>
#include <math.h>
#include <string.h>

enum { MOST_NODES = 1000000 };

static ik_node *new_node(ik_lower *lo, ik_op op, ik_type t, ik_span at) {
  if (++lo->nodes > MOST_NODES) {
    if (!lo->exploded) {
      ik_error(lo->d, IK_E005, at, "this program expands to more than %d operations", MOST_NODES);
      ik_help(lo->d, "assign a part that is used often to a name: it is then computed once");
    }
    lo->exploded = true;
    return NULL;
  }
  ik_node *r = IK_NEW(lo->a, ik_node);
  r->e = (ik_expr){.op = op, .type = t, .span = at};
  return r;
}

static bool later(const int *a, const int *b) {
  for (int d = IK_MAX_DIM - 1; d >= 0; d--)
    if (a[d] != b[d]) return a[d] > b[d];
  return false;
}

static void take_operand(ik_node *r, int k, ik_node *a) {
  r->e.arg[k] = &a->e;
  r->cells = r->cells || a->cells;
  if (a->reads && (!r->reads || later(a->reach, r->reach)))
    memcpy(r->reach, a->reach, sizeof r->reach);
  r->reads = r->reads || a->reads;
}

ik_node *ik_node_const(ik_lower *lo, double v, ik_span at) {
  ik_node *r = new_node(lo, IK_OP_CONST, IK_F64, at);
  if (r) r->e.value = v, r->weak = true;
  return r;
}

ik_node *ik_node_leaf(ik_lower *lo, ik_op op, ik_type t, int id, ik_span at) {
  ik_node *r = new_node(lo, op, t, at);
  if (!r) return NULL;
  r->e.id = id;
  r->weak = op == IK_OP_COORD || op == IK_OP_TIME;
  r->cells = op == IK_OP_COORD || op == IK_OP_NOISE;
  return r;
}

static ik_type compute_type(const ik_lower *lo, ik_type t) {
  if (!ik_type_is_float(t)) return t;
  if (lo->compute != IK_NTYPES) return lo->compute;
  return t == IK_F16 || t == IK_BF16 ? IK_F32 : t;
}

ik_node *ik_node_read(ik_lower *lo, int field, int level, const int off[IK_MAX_DIM], ik_span at) {
  const ik_field *f = &lo->ir->field[field];
  ik_node        *r = new_node(lo, IK_OP_READ, f->type, at);
  if (!r) return NULL;
  r->e.id = field, r->e.level = level;
  for (int d = 0; d < IK_MAX_DIM; d++) r->e.off[d] = r->reach[d] = f->on[d] ? off[d] : 0;
  r->cells = r->reads = true;
  return ik_node_cast(lo, compute_type(lo, f->type), r, at);
}

static bool is_choice_of_numbers(const ik_node *a) {
  return a->weak && a->e.op == IK_OP_SELECT && a->e.arg[1]->op == IK_OP_CONST &&
         a->e.arg[2]->op == IK_OP_CONST;
}

ik_node *ik_node_cast(ik_lower *lo, ik_type t, ik_node *a, ik_span at) {
  if (!a || (a->e.type == t && !a->weak)) return a;
  if (ik_node_is_const(a)) { /* a number simply becomes one of that type */
    double   v = a->weak ? a->e.value : ik_type_round(a->e.type, a->e.value);
    ik_node *r = ik_node_const(lo, v, at);
    if (r) r->e.type = t, r->weak = false;
    return r;
  }
  if (a->e.type == t) { /* weak, already of this type */
    a->weak = false;
    return a;
  }
  if (is_choice_of_numbers(a)) /* the numbers become ones of that type */
    return ik_node_select(lo, (ik_node *)a->e.arg[0],
                          ik_node_cast(lo, t, (ik_node *)a->e.arg[1], at),
                          ik_node_cast(lo, t, (ik_node *)a->e.arg[2], at), at);
  ik_node *r = new_node(lo, IK_OP_CAST, t, at);
  if (r) take_operand(r, 0, a);
  return r;
}

/* ---- types ---- */

static bool is_whole(const ik_node *r) {
  if (r->e.op == IK_OP_SELECT && r->weak)
    return is_whole((const ik_node *)r->e.arg[1]) && is_whole((const ik_node *)r->e.arg[2]);
  return ik_node_is_const(r) && r->e.value == floor(r->e.value) && fabs(r->e.value) < 2147483648.0;
}

/* The type in which two operands meet. */
static ik_type meet(const ik_node *a, const ik_node *b) {
  if (a->weak && b->weak) return IK_F64;
  if (a->weak || b->weak) {
    const ik_node *w = a->weak ? a : b, *s = a->weak ? b : a;
    bool           whole = is_whole(w) || w->e.op == IK_OP_COORD || w->e.op == IK_OP_TIME;
    return s->e.type == IK_I32 && !whole ? IK_F64 : s->e.type;
  }
  ik_type x = a->e.type, y = b->e.type;
  if (x == y) return x;
  if (x == IK_I32) return y;
  if (y == IK_I32) return x;
  return x == IK_F64 || y == IK_F64 ? IK_F64 : IK_F32;
}

static bool gives_bool(ik_op op) {
  return (op >= IK_OP_LT && op <= IK_OP_NE) || op == IK_OP_NOT || op == IK_OP_AND || op == IK_OP_OR;
}

static bool takes_bool(ik_op op) { return op == IK_OP_NOT || op == IK_OP_AND || op == IK_OP_OR; }

static bool only_float(ik_op op) {
  return op == IK_OP_SQRT || op == IK_OP_FLOOR || (op >= IK_OP_EXP && op <= IK_OP_TABLE);
}

/* The remedy: what stands at `at`, put into a pattern such as "%.*s != 0". */
static bool check_bool(ik_lower *lo, ik_op op, const ik_node *a) {
  if (takes_bool(op) == (a->e.type == IK_BOOL)) return true;
  if (a->e.type == IK_BOOL) {
    ik_error(lo->d, IK_E032, a->e.span, "expected a number, found a condition");
    ik_lang_fix_around(lo->d, a->e.span, "(if ", " then 1 else 0)");
  } else {
    ik_error(lo->d, IK_E032, a->e.span, "expected a condition, found a number");
    ik_lang_fix_around(lo->d, a->e.span, "", " != 0");
  }
  return false;
}

/* Constants of one type; the result is a constant again.  `b` is NULL for one operand. */
static ik_node *folded(ik_lower *lo, ik_op op, const ik_node *a, const ik_node *b, ik_span at) {
  ik_type t = gives_bool(op) ? IK_BOOL : a->e.type;
  double  x = a->weak ? a->e.value : ik_type_round(a->e.type, a->e.value);
  double  y = !b ? 0 : b->weak ? b->e.value : ik_type_round(b->e.type, b->e.value);
  double  v = ik_apply(op, t, x, y, 0);
  if (!isfinite(v) && isfinite(x) && isfinite(y)) {
    ik_error(lo->d, IK_E036, at, "this constant expression is not finite");
    ik_help(lo->d, "check the parameters it depends on");
    return NULL;
  }
  ik_node *r = ik_node_const(lo, v, at);
  if (r) r->e.type = t, r->weak = a->weak && t != IK_BOOL;
  return r;
}

ik_node *ik_node_op1(ik_lower *lo, ik_op op, ik_node *a, ik_span at) {
  if (!a || !check_bool(lo, op, a)) return NULL;
  if (only_float(op) && a->e.type == IK_I32) a = ik_node_cast(lo, IK_F64, a, at);
  if (a && ik_node_is_const(a)) return folded(lo, op, a, NULL, at);
  ik_node *r = a ? new_node(lo, op, a->e.type, at) : NULL;
  if (!r) return NULL;
  r->weak = a->weak;
  take_operand(r, 0, a);
  return r;
}

static bool is_one(const ik_node *r) { return ik_node_is_const(r) && r->e.value == 1; }

ik_node *ik_node_op2(ik_lower *lo, ik_op op, ik_node *a, ik_node *b, ik_span at) {
  if (!a || !b || !check_bool(lo, op, a) || !check_bool(lo, op, b)) return NULL;
  bool weak = a->weak && b->weak;
  if (!takes_bool(op)) {
    ik_type t = meet(a, b);
    if (only_float(op) && t == IK_I32) t = IK_F64;
    if (!weak) a = ik_node_cast(lo, t, a, a->e.span), b = ik_node_cast(lo, t, b, b->e.span);
  }
  if (a && b && ik_node_is_const(a) && ik_node_is_const(b)) return folded(lo, op, a, b, at);
  if (a && b && op == IK_OP_MUL && is_one(a)) return b; /* exact, so nothing changes */
  if (a && b && op == IK_OP_MUL && is_one(b)) return a;
  ik_node *r = a && b ? new_node(lo, op, gives_bool(op) ? IK_BOOL : a->e.type, at) : NULL;
  if (!r) return NULL;
  r->weak = weak && !gives_bool(op);
  take_operand(r, 0, a), take_operand(r, 1, b);
  return r;
}

ik_node *ik_node_select(ik_lower *lo, ik_node *c, ik_node *a, ik_node *b, ik_span at) {
  if (!c || !a || !b) return NULL;
  if (c->e.type != IK_BOOL) {
    ik_error(lo->d, IK_E032, c->e.span, "expected a condition, found a number");
    ik_lang_fix_around(lo->d, c->e.span, "", " != 0");
    return NULL;
  }
  if ((a->e.type == IK_BOOL) != (b->e.type == IK_BOOL)) {
    const ik_node *odd = a->e.type == IK_BOOL ? a : b;
    ik_error(lo->d, IK_E032, odd->e.span,
             "this branch is a condition, and the other one is a number");
    ik_help(lo->d, "both must be numbers, as in  if a > 0 then u else 0");
    return NULL;
  }
  if (ik_node_is_const(c)) return c->e.value != 0 ? a : b;
  bool weak = a->weak && b->weak;
  if (!weak && a->e.type != IK_BOOL) {
    ik_type t = meet(a, b);
    a = ik_node_cast(lo, t, a, a->e.span), b = ik_node_cast(lo, t, b, b->e.span);
  }
  ik_node *r = a && b ? new_node(lo, IK_OP_SELECT, a->e.type, at) : NULL;
  if (!r) return NULL;
  r->weak = weak && a->e.type != IK_BOOL;
  take_operand(r, 0, c), take_operand(r, 1, a), take_operand(r, 2, b);
  return r;
}

ik_node *ik_node_coord(ik_lower *lo, int axis, int shift, ik_span at) {
  ik_node *x = ik_node_leaf(lo, IK_OP_COORD, IK_F64, axis, at);
  return shift ? ik_node_op2(lo, IK_OP_ADD, x, ik_node_const(lo, shift, at), at) : x;
}

/* a^n by squaring: a^5 = (a^2)^2 * a. */
ik_node *ik_node_power(ik_lower *lo, ik_node *a, int64_t n, ik_span at) {
  if (!a) return NULL;
  if (n < 0)
    return ik_node_op2(lo, IK_OP_DIV, ik_node_const(lo, 1, at), ik_node_power(lo, a, -n, at), at);
  if (n == 0) return ik_node_const(lo, 1, at);
  if (n == 1) return a;
  ik_node *half = ik_node_power(lo, a, n / 2, at);
  ik_node *square = ik_node_op2(lo, IK_OP_MUL, half, half, at);
  return n % 2 ? ik_node_op2(lo, IK_OP_MUL, square, a, at) : square;
}
