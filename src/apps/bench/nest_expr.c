/* nest_expr.c: an expression of the IR as C has it, with as few parentheses as keep its order. */
#include "apps/bench/nest.h"
#include <ctype.h>
#include <math.h>
#include <string.h>

/* How tightly C binds. */
enum { CHOICE = 1, OR, AND, EQUAL, LESS, SUM, PRODUCT, SIGN, ATOM };

typedef struct speller {
  const ik_nest *n;
  ik_arena      *a;
  ik_buf        *out;
} speller;

const char *ik_nest_type(ik_type t) {
  switch (t) {
  case IK_F64: return "double";
  case IK_F32: return "float";
  case IK_I32: return "int";
  default: return "bool";
  }
}

/* ---- names ---- */

/* The index makes it one that nothing else has. */
static const char *name_of(const char *wanted, int index, const char *end, ik_arena *a) {
  char *name = ik_arena_printf(a, "%s_%d%s", wanted, index, end);
  for (char *c = name; *c; c++)
    if (!isalnum((unsigned char)*c)) *c = '_';
  return name;
}

const char *ik_nest_array_name(const ik_nest *n, int field, int level, ik_arena *a) {
  const char *end = level > 0 ? "_new" : level < 0 ? ik_arena_printf(a, "_old%d", -level) : "";
  return name_of(n->ir->field[field].name, field, end, a);
}

const char *ik_nest_index_name(const ik_nest *n, int field, ik_arena *a) {
  return name_of(n->ir->field[field].name, field, "_at", a);
}

const char *ik_nest_scalar_name(const ik_nest *n, int scalar, ik_arena *a) {
  return name_of(n->ir->scalar[scalar].name, scalar, "_s", a);
}

/* ---- leaves ---- */

static void put_float(const speller *s, ik_type t, double v) {
  char *text = ik_arena_printf(s->a, t == IK_F32 ? "%.9g" : "%.17g", fabs(v));
  if (signbit(v)) ik_buf_putc(s->out, '-');
  if (isnan(v) || isinf(v)) {
    ik_buf_puts(s->out, isnan(v) ? "NAN" : "INFINITY");
    return;
  }
  ik_buf_printf(s->out, "%s%s%s", text, strpbrk(text, ".e") ? "" : ".0", t == IK_F32 ? "f" : "");
}

static void put_const(const speller *s, const ik_expr *e) {
  if (e->type == IK_F64 || e->type == IK_F32)
    put_float(s, e->type, e->value);
  else if (e->value == INT32_MIN)
    ik_buf_puts(s->out, "INT_MIN");
  else
    ik_buf_printf(s->out, "%lld", (long long)e->value);
}

static void put_at(const speller *s, const int off[IK_MAX_DIM]) {
  static const char axis[] = "xyz";
  for (int d = 0; d < IK_MAX_DIM; d++) {
    ik_buf_printf(s->out, "%s%c", d ? ", " : "", axis[d]);
    if (off[d])
      ik_buf_printf(s->out, " %c %d", off[d] < 0 ? '-' : '+', off[d] < 0 ? -off[d] : off[d]);
  }
}

static void put_read(const speller *s, const ik_expr *e) {
  ik_buf_puts(s->out, ik_nest_array_name(s->n, e->id, e->level, s->a));
  if (s->n->field[e->id].local) return;
  ik_buf_printf(s->out, "[%s(", ik_nest_index_name(s->n, e->id, s->a));
  put_at(s, e->off);
  ik_buf_puts(s->out, ")]");
}

/* ---- operations ---- */

static int binding(const ik_expr *e) {
  bool whole = e->type == IK_I32;
  switch (e->op) {
  case IK_OP_CONST: return signbit(e->value) ? SIGN : ATOM;
  case IK_OP_COORD:
  case IK_OP_TIME:
  case IK_OP_CAST: return SIGN;
  case IK_OP_NEG: return whole ? ATOM : SIGN;
  case IK_OP_ADD:
  case IK_OP_SUB:
  case IK_OP_FMA: return whole ? ATOM : SUM;
  case IK_OP_MUL:
  case IK_OP_DIV: return whole ? ATOM : PRODUCT;
  case IK_OP_LT:
  case IK_OP_LE: return LESS;
  case IK_OP_EQ:
  case IK_OP_NE: return EQUAL;
  case IK_OP_NOT: return SIGN;
  case IK_OP_AND: return AND;
  case IK_OP_OR: return OR;
  case IK_OP_SELECT: return CHOICE;
  default: return ATOM;
  }
}

static void put(const speller *s, const ik_expr *e, int least);

static void put_infix(const speller *s, const ik_expr *e, const char *sign) {
  int b = binding(e);
  put(s, e->arg[0], b);
  ik_buf_puts(s->out, sign);
  put(s, e->arg[1], b + 1);
}

static void put_call(const speller *s, const ik_expr *e, const char *function, const char *end) {
  ik_buf_printf(s->out, "%s%s(", function, end);
  for (int i = 0; i < ik_op_nargs(e->op); i++) {
    if (i) ik_buf_puts(s->out, ", ");
    put(s, e->arg[i], CHOICE);
  }
  ik_buf_putc(s->out, ')');
}

/* The end of a function of math.h. */
static const char *math_end(const ik_expr *e) { return e->type == IK_F32 ? "f" : ""; }
static const char *our_end(const ik_expr *e) {
  return e->type == IK_F32 ? "_f32" : e->type == IK_I32 ? "_i32" : "_f64";
}

static void put_cast(const speller *s, const ik_expr *e) {
  const ik_expr *of = e->arg[0];
  if (e->type == IK_I32 && ik_type_is_float(of->type)) {
    put_call(s, e, "to_i32", "");
    return;
  }
  ik_buf_printf(s->out, "(%s)", ik_nest_type(e->type));
  put(s, of, SIGN);
}

/* The addend first: a chain then reads from left to right, and needs no parentheses. */
static void put_fma(const speller *s, const ik_expr *e) {
  put(s, e->arg[2], SUM);
  ik_buf_puts(s->out, " + ");
  put(s, e->arg[0], PRODUCT);
  ik_buf_putc(s->out, '*');
  put(s, e->arg[1], SIGN);
}

static void put_choice(const speller *s, const ik_expr *e) {
  put(s, e->arg[0], OR);
  ik_buf_puts(s->out, " ? ");
  put(s, e->arg[1], OR);
  ik_buf_puts(s->out, " : ");
  put(s, e->arg[2], CHOICE);
}

static void put_noise(const speller *s, const ik_expr *e) {
  ik_buf_printf(s->out, "(%s)noise(%.17g, ", ik_nest_type(e->type), e->value);
  put_at(s, e->off);
  ik_buf_putc(s->out, ')');
}

static void put_table(const speller *s, const ik_expr *e) {
  ik_buf_printf(s->out, "(%s)table_at(table_%d, %d, ", ik_nest_type(e->type), e->id,
                s->n->ir->table[e->id].n);
  put(s, e->arg[0], CHOICE);
  ik_buf_putc(s->out, ')');
}

/* Whole numbers wrap, which C leaves open. */
static bool put_whole(const speller *s, const ik_expr *e) {
  switch (e->type == IK_I32 ? e->op : IK_NOPS) {
  case IK_OP_NEG: put_call(s, e, "neg", "_i32"); return true;
  case IK_OP_ADD: put_call(s, e, "add", "_i32"); return true;
  case IK_OP_SUB: put_call(s, e, "sub", "_i32"); return true;
  case IK_OP_MUL: put_call(s, e, "mul", "_i32"); return true;
  case IK_OP_DIV: put_call(s, e, "div", "_i32"); return true;
  case IK_OP_ABS: put_call(s, e, "abs", "_i32"); return true;
  case IK_OP_FLOOR: put(s, e->arg[0], ATOM); return true;
  case IK_OP_FMA:
    ik_buf_puts(s->out, "add_i32(mul_i32(");
    put(s, e->arg[0], CHOICE), ik_buf_puts(s->out, ", ");
    put(s, e->arg[1], CHOICE), ik_buf_puts(s->out, "), ");
    put(s, e->arg[2], CHOICE), ik_buf_putc(s->out, ')');
    return true;
  default: return false;
  }
}

static void put_operation(const speller *s, const ik_expr *e) {
  if (put_whole(s, e)) return;
  switch (e->op) {
  case IK_OP_NEG: ik_buf_putc(s->out, '-'), put(s, e->arg[0], ATOM); break;
  case IK_OP_ADD: put_infix(s, e, " + "); break;
  case IK_OP_SUB: put_infix(s, e, " - "); break;
  case IK_OP_MUL: put_infix(s, e, "*"); break;
  case IK_OP_DIV: put_infix(s, e, "/"); break;
  case IK_OP_FMA: put_fma(s, e); break;
  case IK_OP_LT: put_infix(s, e, " < "); break;
  case IK_OP_LE: put_infix(s, e, " <= "); break;
  case IK_OP_EQ: put_infix(s, e, " == "); break;
  case IK_OP_NE: put_infix(s, e, " != "); break;
  case IK_OP_NOT: ik_buf_putc(s->out, '!'), put(s, e->arg[0], ATOM); break;
  case IK_OP_AND: put_infix(s, e, " & "); break; /* no branch: neither side has effects */
  case IK_OP_OR: put_infix(s, e, " | "); break;
  case IK_OP_SELECT: put_choice(s, e); break;
  case IK_OP_CAST: put_cast(s, e); break;
  case IK_OP_TABLE: put_table(s, e); break;
  case IK_OP_ABS: put_call(s, e, "fabs", math_end(e)); break;
  case IK_OP_MIN:
  case IK_OP_MAX:
  case IK_OP_MOD: put_call(s, e, ik_op_name(e->op), our_end(e)); break;
  default: put_call(s, e, ik_op_name(e->op), math_end(e)); /* exp, sqrt, ...: as math.h has them */
  }
}

static void put_value(const speller *s, const ik_expr *e) {
  switch (e->op) {
  case IK_OP_CONST: put_const(s, e); break;
  case IK_OP_READ: put_read(s, e); break;
  case IK_OP_SCALAR: ik_buf_puts(s->out, ik_nest_scalar_name(s->n, e->id, s->a)); break;
  case IK_OP_COORD: ik_buf_printf(s->out, "(%s)%c", ik_nest_type(e->type), "xyz"[e->id]); break;
  case IK_OP_TIME: ik_buf_printf(s->out, "(%s)t", ik_nest_type(e->type)); break;
  case IK_OP_NOISE: put_noise(s, e); break;
  default: put_operation(s, e);
  }
}

static void put(const speller *s, const ik_expr *e, int least) {
  bool loose = binding(e) < least;
  if (loose) ik_buf_putc(s->out, '(');
  put_value(s, e);
  if (loose) ik_buf_putc(s->out, ')');
}

void ik_nest_write_expr(const ik_nest *n, const ik_expr *e, ik_arena *a, ik_buf *out) {
  speller s = {n, a, out};
  put(&s, e, CHOICE);
}
