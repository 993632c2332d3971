/* Expressions: names, types, units and shifts.
 *
 * Offsets shift whatever they follow: f(u)[1,0] is f(u) one cell further along x.  So an expression
 * is lowered together with the shift that applies to it, and functions are expanded in place.
 */
#include "lang/lower.h"
#include "ir/apply.h"
#include "lang/fix.h"
#include <limits.h>
#include <math.h>
#include <string.h>

const ik_scope ik_scope_constant = {.constant = true};

enum { DEEPEST = 400, MOST_FAILED = 10000 };

static ik_value nothing(void) { return (ik_value){0}; }

/* ---- units ---- */

static bool same_dim(ik_dim a, ik_dim b) { return memcmp(&a, &b, sizeof a) == 0; }

static ik_quantity q_wild(void) { return (ik_quantity){.wild = true}; }

static ik_quantity q_times(ik_quantity a, ik_quantity b, int sign) {
  ik_quantity q = {.wild = a.wild || b.wild, .plain = a.plain && b.plain};
  for (int k = 0; k < IK_NDIM; k++) q.dim.e[k] = (signed char)(a.dim.e[k] + sign * b.dim.e[k]);
  return q;
}

ik_quantity ik_quantity_meet(ik_lower *lo, ik_quantity a, ik_quantity b, ik_span at) {
  if (a.wild || b.wild) return q_wild();
  if (a.plain) return b;
  if (b.plain || same_dim(a.dim, b.dim)) return a;
  ik_buf x = {0}, y = {0};
  ik_unit_name(a.dim, &x), ik_unit_name(b.dim, &y);
  ik_error(lo->d, IK_E025, at, "incompatible units: %s and %s", ik_buf_text(&x), ik_buf_text(&y));
  ik_help(lo->d, "what is added, subtracted or compared must have the same unit, or none");
  ik_buf_free(&x), ik_buf_free(&y);
  return q_wild();
}

static ik_quantity q_power(ik_quantity a, double n) {
  for (int k = 0; k < IK_NDIM; k++) {
    double e = a.dim.e[k] * n;
    if (!(fabs(e) <= SCHAR_MAX)) return q_wild(); /* no unit that anyone knows */
    a.dim.e[k] = (signed char)e;
  }
  return a;
}

/* ---- names ---- */

static bool scope_allows(ik_lower *lo, const ik_scope *s, bool allowed, ik_span at,
                         const char *name) {
  if (allowed) return true;
  if (!s->constant) {
    ik_error(lo->d, IK_E012, at,
             "'%s' cannot be used here: a boundary value may use parameters, coordinates and t",
             name);
    ik_help(lo->d, "for a number use a parameter:  param value = 1");
    return false;
  }
  ik_amplification *y = ik_lower_find(lo, name);
  ik_error(lo->d, IK_E023, at, "this must be a compile-time constant, and '%s' is not", name);
  if (y && y->kind == IK_SYM_AXIS)
    ik_help(lo->d, "the number of cells along %s is n%s", name, name);
  else
    ik_help(lo->d, "for a number use a parameter:  param n = 2");
  return false;
}

static ik_value plain_number(ik_lower *lo, double v, ik_span at) {
  return (ik_value){ik_node_const(lo, v, at), {.plain = true}};
}

static ik_value spacing_of(ik_lower *lo, int axis, ik_span at) {
  ik_quantity q = {.plain = !lo->spacing_unit};
  if (lo->spacing_unit) q.dim.e[IK_DIM_M] = 1;
  return (ik_value){ik_node_const(lo, lo->ir->spacing[axis], at), q};
}

/* pi, t, ndim, nx and dx for an axis x. */
static bool built_in(ik_lower *lo, const ik_ast *e, const ik_scope *s, ik_value *out) {
  const char *n = e->name;
  if (strcmp(n, "pi") == 0) return *out = plain_number(lo, 3.141592653589793, e->span), true;
  if (strcmp(n, "ndim") == 0) return *out = plain_number(lo, lo->ir->ndim, e->span), true;
  if (strcmp(n, "t") == 0) {
    *out = nothing();
    if (scope_allows(lo, s, s->coordinates, e->span, "t"))
      *out = (ik_value){ik_node_leaf(lo, IK_OP_TIME, IK_F64, 0, e->span), {.plain = true}};
    return true;
  }
  for (int d = 0; d < lo->ir->ndim; d++) {
    if (strcmp(n + 1, lo->ir->axis[d])) continue;
    if (n[0] == 'n') return *out = plain_number(lo, (double)lo->ir->n[d], e->span), true;
    if (n[0] == 'd') return *out = spacing_of(lo, d, e->span), true;
  }
  return false;
}

static bool has_new_value(ik_lower *lo, int field, int level, const ik_scope *s, ik_span at) {
  const char *name = lo->ir->field[field].name;
  if (level == 1 && s->in_step && field < lo->nuser && lo->is_new[field]) return true;
  if (field >= lo->nuser) {
    ik_error(lo->d, IK_E033, at, "'%s' is a temporary and has no new value", name);
    if (at.len == (int)strlen(name) + 1)
      ik_lang_fix(lo->d, at, name);
    else
      ik_help(lo->d, "leave out the prime");
  } else if (level > 1) {
    ik_error(lo->d, IK_E033, at, "'%s' has no such time level: %s' is the newest", name, name);
    ik_help(lo->d, "there are %s', %s and, with a history, %s[t-1] and older ones", name, name,
            name);
  } else if (!s->in_step) {
    ik_error(lo->d, IK_E033, at, "%s' exists only inside a step", name);
    ik_help(lo->d, "outside, the newest value is called  %s", name);
  } else {
    ik_error(lo->d, IK_E033, at, "%s' is read before this step assigns it", name);
    ik_help(lo->d, "move the statement that assigns %s' before this one, or read  %s", name, name);
  }
  return false;
}

/* u at a level, with the offsets given and the shift around it. */
static ik_value read_field(ik_lower *lo, int field, int level, const int off[IK_MAX_DIM],
                           const ik_scope *s, ik_span at) {
  const ik_field *f = &lo->ir->field[field];
  int             o[IK_MAX_DIM];
  if (!scope_allows(lo, s, s->fields, at, f->name)) return nothing();
  if (level < 0 && -level >= f->history) {
    ik_error(lo->d, IK_E031, at, "'%s' stores %d time level%s, so %s[t%d] is not available",
             f->name, f->history, f->history == 1 ? "" : "s", f->name, level);
    ik_note_add(lo->d, f->span, "declared here");
    if (f->kind == IK_FIELD_USER)
      ik_lower_fix_history(lo, f->name, 1 - level);
    else
      ik_help(lo->d, "a temporary has one time level; declare a field to store more");
    return nothing();
  }
  if (level > 0 && !has_new_value(lo, field, level, s, at)) return nothing();
  for (int d = 0; d < IK_MAX_DIM; d++) o[d] = off[d] + s->shift[d];
  return (ik_value){ik_node_read(lo, field, level, o, at), q_wild()};
}

static const ik_binding *find_binding(const ik_scope *s, const char *name) {
  for (const ik_binding *b = s->bindings; b; b = b->next)
    if (strcmp(b->name, name) == 0) return b;
  return NULL;
}

/* An argument is lowered where it was written, but under the shift of where it is used. */
static ik_scope argument_scope(const ik_scope *s, const ik_binding *b) {
  ik_scope outer = *s->outer;
  if (b->standard) outer.bindings = NULL;
  memcpy(outer.shift, s->shift, sizeof outer.shift);
  return outer;
}

/* `c = 2*c[-1]` as the first that a sweep says of c. */
static bool read_too_early(ik_lower *lo, const ik_ast *e) {
  if (!lo->sweep || !lo->naming || strcmp(lo->naming, e->name)) return false;
  ik_error(lo->d, IK_E044, e->span, "'%s' is read before the sweep assigns it", e->name);
  ik_help(lo->d, "give it a first value:  at first { %s = 0 } within { %s = ... }", e->name,
          e->name);
  return true;
}

static ik_value name_value(ik_lower *lo, const ik_ast *e, const ik_scope *s) {
  static const int  here[IK_MAX_DIM] = {0};
  const ik_binding *b = find_binding(s, e->name);
  if (b && !b->ast) return b->value;
  if (b) {
    ik_scope outer = argument_scope(s, b);
    return ik_express(lo, b->ast, &outer);
  }
  ik_value          v;
  ik_amplification *y = ik_lower_find(lo, e->name);
  if (!y) {
    if (built_in(lo, e, s, &v)) return v;
    if (!read_too_early(lo, e)) ik_lower_unknown(lo, e->name, e->span, "name");
    return nothing();
  }
  y->used = true;
  switch (y->kind) {
  case IK_SYM_PARAM: return y->value;
  case IK_SYM_FIELD: return read_field(lo, y->id, 0, here, s, e->span);
  case IK_SYM_SCALAR:
    if (!scope_allows(lo, s, s->fields, e->span, e->name)) return nothing();
    return (ik_value){ik_node_leaf(lo, IK_OP_SCALAR, lo->ir->scalar[y->id].type, y->id, e->span),
                      q_wild()};
  case IK_SYM_AXIS:
    if (!scope_allows(lo, s, s->coordinates, e->span, e->name)) return nothing();
    return (ik_value){ik_node_coord(lo, y->id, s->shift[y->id], e->span), {.plain = true}};
  default: break;
  }
  ik_error(lo->d, IK_E012, e->span, "'%s' is a %s, which has no value by itself", e->name,
           y->kind == IK_SYM_DEF ? "function" : "pattern of weights");
  ik_note_add(lo->d, y->span, "declared here");
  ik_help(lo->d, y->kind == IK_SYM_DEF ? "call it:  %s(u)" : "apply it:  stencil(u, %s)", e->name);
  return nothing();
}

/* ---- offsets ---- */

/* The field that an expression names, possibly through arguments of functions; -1 if it is none.
 * `*at` is the scope in which it stands. */
static int named_field(ik_lower *lo, const ik_ast *e, const ik_scope *s, ik_scope *at) {
  *at = *s;
  while (e->kind == IK_AST_NAME) {
    const ik_binding *b = find_binding(at, e->name);
    if (!b) {
      ik_amplification *y = ik_lower_find(lo, e->name);
      if (!y || y->kind != IK_SYM_FIELD) return -1;
      y->used = true;
      return y->id;
    }
    if (!b->ast) return -1;
    *at = argument_scope(at, b);
    e = b->ast;
  }
  return -1;
}

/* t, t-1, t-2 ...: the level; false if the expression is something else. */
static bool time_entry(ik_lower *lo, const ik_ast *e, int *level, bool *ok) {
  const ik_ast *base = e->kind == IK_AST_BINARY ? e->a : e;
  bool          is_t = base->kind == IK_AST_NAME && strcmp(base->name, "t") == 0;
  if (!is_t || (e->kind != IK_AST_NAME &&
                (e->kind != IK_AST_BINARY || (e->op != IK_AST_SUB && e->op != IK_AST_ADD))))
    return false;
  int64_t k = 0;
  *ok =
      e->kind == IK_AST_NAME || ik_express_integer(lo, e->b, "a time level", 0, IK_MAX_HISTORY, &k);
  *level = e->kind == IK_AST_BINARY && e->op == IK_AST_ADD ? (int)k : -(int)k;
  return true;
}

static int axes_of(const ik_field *f, int ndim, int axes[IK_MAX_DIM]) {
  int n = 0;
  for (int d = 0; d < ndim; d++)
    if (!f || f->on[d]) axes[n++] = d;
  return n;
}

static bool wrong_offsets(ik_lower *lo, const ik_ast *e, const ik_field *f, int given, int n) {
  ik_error(lo->d, IK_E030, e->span, "%d offset%s given, but %s%s%s has %d ax%ss", given,
           given == 1 ? "" : "s", f ? "'" : "", f ? f->name : "the grid", f ? "'" : "", n,
           n == 1 ? "i" : "e");
  if (f) ik_note_add(lo->d, f->span, "declared here");
  ik_span end = {e->span.src, e->span.off + e->span.len - 1, 0};
  if (given && given < n)
    ik_lang_fix(lo->d, end, n - given == 1 ? ",0" : ",0,0");
  else
    ik_help(lo->d, "one offset for each axis, as in  %s%s", f ? f->name : "u",
            n == 1   ? "[-1]"
            : n == 2 ? "[-1,0]"
                     : "[-1,0,0]");
  return false;
}

/* The entries of u[t-1, 0, 1]: a level and one offset for each axis of the field. */
static bool read_offsets(ik_lower *lo, const ik_ast *e, const ik_field *f, int off[IK_MAX_DIM],
                         int *level, bool *has_level) {
  int axes[IK_MAX_DIM], n = axes_of(f, lo->ir->ndim, axes), given = 0;
  for (const ik_ast *x = e->args; x; x = x->next) {
    bool ok = true;
    if (x == e->args && time_entry(lo, x, level, &ok)) {
      *has_level = true;
      if (!ok) return false;
      continue;
    }
    int64_t k;
    if (!ik_express_integer(lo, x, "an offset", -1000000, 1000000, &k)) return false;
    if (given < n) off[axes[given]] = (int)k;
    given++;
  }
  if (given == n || (given == 0 && *has_level)) return true;
  return wrong_offsets(lo, e, f, given, n);
}

static ik_value index_value(ik_lower *lo, const ik_ast *e, const ik_scope *s) {
  const ik_ast *base = e->a;
  int           off[IK_MAX_DIM] = {0}, level = 0, prime = 0;
  bool          has_level = false;
  if (base->kind == IK_AST_PRIME) prime = 1, base = base->a;
  if (base->kind == IK_AST_INDEX) { /* u[t-1][1,0] */
    ik_scope in;
    int      f = named_field(lo, base->a, s, &in);
    int      none[IK_MAX_DIM] = {0};
    if (f >= 0 && base->args && !base->args->next &&
        !read_offsets(lo, base, &lo->ir->field[f], none, &level, &has_level))
      return nothing();
    if (has_level) base = base->a;
  }
  ik_scope in;
  int      f = named_field(lo, base, s, &in);
  bool     second = false;
  if (!read_offsets(lo, e, f >= 0 ? &lo->ir->field[f] : NULL, off, &level, &second))
    return nothing();
  if (f >= 0) return read_field(lo, f, prime ? 1 : level, off, &in, e->span);
  if (second || prime) {
    ik_error(lo->d, IK_E012, e->span, "only fields have time levels");
    ik_help(lo->d, "put the time level directly after the field, as in  u[t-1]");
    return nothing();
  }
  ik_scope shifted = *s;
  for (int d = 0; d < IK_MAX_DIM; d++) shifted.shift[d] += off[d];
  return ik_express(lo, base, &shifted);
}

static ik_value prime_value(ik_lower *lo, const ik_ast *e, const ik_scope *s) {
  static const int here[IK_MAX_DIM] = {0};
  ik_scope         in;
  int              f = named_field(lo, e->a, s, &in);
  if (f >= 0) return read_field(lo, f, 1, here, &in, e->span);
  ik_error(lo->d, IK_E012, e->span, "' denotes the new value of a field, and this is not a field");
  ik_help(lo->d, "put it directly after the field, as in  u'");
  return nothing();
}

/* ---- operators ---- */

static const struct {
  ik_op op;
  bool  swap, negate;
} binary_op[] = {
    [IK_AST_ADD] = {IK_OP_ADD, 0, 0}, [IK_AST_SUB] = {IK_OP_SUB, 0, 0},
    [IK_AST_MUL] = {IK_OP_MUL, 0, 0}, [IK_AST_DIV] = {IK_OP_DIV, 0, 0},
    [IK_AST_LT] = {IK_OP_LT, 0, 0},   [IK_AST_LE] = {IK_OP_LE, 0, 0},
    [IK_AST_GT] = {IK_OP_LT, 1, 0},   [IK_AST_GE] = {IK_OP_LE, 1, 0},
    [IK_AST_EQ] = {IK_OP_EQ, 0, 0},   [IK_AST_NE] = {IK_OP_NE, 0, 0},
    [IK_AST_AND] = {IK_OP_AND, 0, 0}, [IK_AST_OR] = {IK_OP_OR, 0, 0},
};

/* `nodes` were made for a.  Its power shares them, but whoever walks the tree meets them n times.
 */
static ik_value power_value(ik_lower *lo, const ik_ast *e, ik_value a, ik_value b, int64_t nodes) {
  if (!a.node || !b.node) return nothing();
  bool constant = ik_node_is_const(b.node);
  if (!constant && !a.q.plain && !a.q.wild) {
    ik_error(lo->d, IK_E025, e->span, "a value with a unit needs a constant exponent");
    return nothing();
  }
  if (!b.q.plain && !b.q.wild && !same_dim(b.q.dim, (ik_dim){{0}})) {
    ik_error(lo->d, IK_E025, e->b->span, "an exponent must be dimensionless");
    return nothing();
  }
  ik_quantity q = constant && !a.q.wild && !a.q.plain ? q_power(a.q, b.node->e.value) : a.q;
  double      n = b.node->e.value;
  if (constant && n == floor(n) && fabs(n) <= 64 && !ik_node_is_const(a.node)) {
    lo->nodes += (int64_t)fabs(n) * nodes;
    return (ik_value){ik_node_power(lo, a.node, (int64_t)n, e->span), q};
  }
  return (ik_value){ik_node_op2(lo, IK_OP_POW, a.node, b.node, e->span), q};
}

static ik_value combine(ik_lower *lo, const ik_ast *e, ik_value a, ik_value b) {
  if (!a.node || !b.node) return nothing();
  ik_quantity q = q_wild();
  if (e->op == IK_AST_MUL || e->op == IK_AST_DIV)
    q = q_times(a.q, b.q, e->op == IK_AST_MUL ? 1 : -1);
  else if (e->op != IK_AST_AND && e->op != IK_AST_OR)
    q = ik_quantity_meet(lo, a.q, b.q, e->span);
  ik_node *x = binary_op[e->op].swap ? b.node : a.node,
          *y = binary_op[e->op].swap ? a.node : b.node;
  if (e->op == IK_AST_DIV && ik_node_is_const(y) && y->e.value == 0) {
    ik_error(lo->d, IK_E036, e->b->span, "division by zero");
    ik_help(lo->d, "check the parameters it depends on");
    return nothing();
  }
  return (ik_value){ik_node_op2(lo, binary_op[e->op].op, x, y, e->span), q};
}

/* a + b - c ... leans to the left: walked in a loop, so that a sum may be as long as it likes. */
static ik_value binary_value(ik_lower *lo, const ik_ast *e, const ik_scope *s) {
  const ik_ast **spine = NULL;
  int            n = 0, cap = 0;
  for (; e->kind == IK_AST_BINARY && e->op != IK_AST_POW; e = e->a)
    IK_PUSH(lo->a, spine, n, cap, e);
  ik_value v = ik_express(lo, e, s);
  while (n-- > 0) v = combine(lo, spine[n], v, ik_express(lo, spine[n]->b, s));
  return v;
}

static ik_value raised_value(ik_lower *lo, const ik_ast *e, const ik_scope *s) {
  int64_t  before = lo->nodes;
  ik_value a = ik_express(lo, e->a, s);
  int64_t  nodes = lo->nodes - before;
  return power_value(lo, e, a, ik_express(lo, e->b, s), nodes);
}

static ik_value if_value(ik_lower *lo, const ik_ast *e, const ik_scope *s) {
  ik_value c = ik_express(lo, e->a, s);
  if (!c.node) return nothing();
  if (ik_node_is_const(c.node) && c.node->e.type == IK_BOOL) /* the other need not make sense */
    return ik_express(lo, c.node->e.value != 0 ? e->b : e->c, s);
  ik_value a = ik_express(lo, e->b, s), b = ik_express(lo, e->c, s);
  if (!a.node || !b.node) return nothing();
  return (ik_value){ik_node_select(lo, c.node, a.node, b.node, e->span),
                    ik_quantity_meet(lo, a.q, b.q, e->span)};
}

static ik_value express(ik_lower *lo, const ik_ast *e, const ik_scope *s) {
  ik_value a;
  switch (e->kind) {
  case IK_AST_NUMBER:
    return (ik_value){ik_node_const(lo, e->value, e->span), {.dim = e->dim, .plain = !e->unit}};
  case IK_AST_NAME: return name_value(lo, e, s);
  case IK_AST_CALL: return ik_operator_call(lo, e, s);
  case IK_AST_INDEX: return index_value(lo, e, s);
  case IK_AST_PRIME: return prime_value(lo, e, s);
  case IK_AST_UNARY:
    a = ik_express(lo, e->a, s);
    return (ik_value){ik_node_op1(lo, e->op == IK_AST_NOT ? IK_OP_NOT : IK_OP_NEG, a.node, e->span),
                      a.q};
  case IK_AST_BINARY: return e->op == IK_AST_POW ? raised_value(lo, e, s) : binary_value(lo, e, s);
  case IK_AST_IF: return if_value(lo, e, s);
  case IK_AST_STRING:
    ik_error(lo->d, IK_E032, e->span, "expected a number, found a string");
    ik_lang_fix(lo->d, e->span, e->name);
    break;
  case IK_AST_TUPLE:
  case IK_AST_LIST:
    ik_error(lo->d, IK_E032, e->span, "expected one number, found several");
    ik_lang_fix(lo->d, e->span, "1");
    break;
  }
  return nothing();
}

ik_value ik_express(ik_lower *lo, const ik_ast *e, const ik_scope *s) {
  if (lo->exploded) return nothing();
  if (++lo->depth > DEEPEST) {
    lo->exploded = true;
    ik_error(lo->d, IK_E005, e->span, "this expression is nested too deeply");
    ik_help(lo->d, "assign a part of it to a name and use that name");
  }
  ik_value v = lo->exploded ? nothing() : express(lo, e, s);
  /* What failed has had its message and made no node: functions that call functions twice would
   * meet it 2^n times, and the bound on nodes would never end that. */
  if (!v.node && ++lo->failed > MOST_FAILED) lo->exploded = true;
  lo->depth--;
  return v;
}

/* ---- results ---- */

const ik_expr *ik_express_finish(ik_lower *lo, ik_node *r, ik_type t) {
  if (!r) return NULL;
  if (t != IK_NTYPES && (t == IK_BOOL) != (r->e.type == IK_BOOL)) {
    ik_error(lo->d, IK_E032, r->e.span,
             t == IK_BOOL ? "expected a condition, found a number"
                          : "expected a number, found a condition");
    ik_lang_fix_around(lo->d, r->e.span, t == IK_BOOL ? "" : "if ",
                       t == IK_BOOL ? " != 0" : " then 1 else 0");
    return NULL;
  }
  if (t != IK_NTYPES) r = ik_node_cast(lo, t, r, r->e.span);
  return r ? ik_chain_finish(lo, r) : NULL;
}

const ik_expr *ik_express_as(ik_lower *lo, const ik_ast *e, const ik_scope *s, ik_type t) {
  return ik_express_finish(lo, ik_express(lo, e, s).node, t);
}

bool ik_express_constant_in(ik_lower *lo, const ik_ast *e, const ik_scope *s, double *out,
                            ik_quantity *q) {
  ik_value v = ik_express(lo, e, s);
  if (!v.node) return false;
  if (v.node->e.type == IK_BOOL) {
    ik_error(lo->d, IK_E032, e->span, "expected a number, found a condition");
    ik_lang_fix_around(lo->d, e->span, "if ", " then 1 else 0");
    return false;
  }
  IK_ASSERT(ik_node_is_const(v.node)); /* all that such a scope allows is folded */
  *out = v.node->e.value;
  if (q) *q = v.q;
  return true;
}

bool ik_express_constant(ik_lower *lo, const ik_ast *e, double *out, ik_quantity *q) {
  return ik_express_constant_in(lo, e, &ik_scope_constant, out, q);
}

bool ik_express_integer(ik_lower *lo, const ik_ast *e, const char *what, int64_t least,
                        int64_t most, int64_t *out) {
  double v;
  if (!ik_express_constant(lo, e, &v, NULL)) return false;
  if (v == floor(v) && v >= (double)least && v <= (double)most) return *out = (int64_t)v, true;
  double near = fmin(fmax(floor(v + 0.5), (double)least), (double)most);
  ik_error(lo->d, IK_E024, e->span, "%s must be a whole number from %lld to %lld, not %g", what,
           (long long)least, (long long)most, v);
  ik_lang_fix(lo->d, e->span, ik_arena_printf(lo->a, "%.0f", near));
  return false;
}
