/* Built-in functions: elementary ones, conversions, reductions, difference operators, wavelets; and
 * the functions that a program defines. */
#include "lang/lower.h"
#include "base/mem.h"
#include "io/signal.h"
#include "ir/apply.h"
#include "lang/fix.h"
#include <math.h>
#include <string.h>

enum { MOST_ARGS = 4, HIGHEST_ORDER = 32 };

typedef struct call call;
typedef ik_value    handler(ik_lower *lo, const call *c, const ik_scope *s);

typedef struct function {
  const char *name;
  handler    *run;
  int         id;                 /* for the handler: an op, a type, a reduction */
  int         required;           /* arguments that must be given */
  const char *arg[MOST_ARGS + 1]; /* names, NULL at the end; "..." takes any number more */
} function;

struct call {
  const function *f;
  const ik_ast   *e;
  const ik_ast   *arg[MOST_ARGS]; /* NULL: not given */
};

static ik_value nothing(void) { return (ik_value){0}; }
static ik_value wild(ik_node *r) { return (ik_value){r, {.wild = true}}; }

/* ---- elementary functions ---- */

static bool is_number(ik_quantity q) {
  static const ik_dim none = {{0}};
  return q.wild || q.plain || memcmp(&q.dim, &none, sizeof none) == 0;
}

static ik_value number_argument(ik_lower *lo, const ik_ast *e, const ik_scope *s) {
  ik_value v = ik_express(lo, e, s);
  if (!v.node || is_number(v.q)) return v;
  ik_buf u = {0};
  ik_unit_name(v.q.dim, &u);
  ik_error(lo->d, IK_E025, e->span, "this function takes a dimensionless number, not a value in %s",
           ik_buf_text(&u));
  ik_help(lo->d, "divide it by a value in the same unit, as in  exp(x/(1 m))");
  ik_buf_free(&u);
  return nothing();
}

static ik_value call_elementary(ik_lower *lo, const call *c, const ik_scope *s) {
  ik_value v = number_argument(lo, c->arg[0], s);
  return (ik_value){ik_node_op1(lo, (ik_op)c->f->id, v.node, c->e->span), v.q};
}

static ik_value call_abs(ik_lower *lo, const call *c, const ik_scope *s) {
  ik_value v = ik_express(lo, c->arg[0], s);
  return (ik_value){ik_node_op1(lo, IK_OP_ABS, v.node, c->e->span), v.q};
}

static ik_value call_sqrt(ik_lower *lo, const call *c, const ik_scope *s) {
  ik_value v = ik_express(lo, c->arg[0], s);
  for (int k = 0; k < IK_NDIM; k++) v.q.dim.e[k] /= 2;
  return (ik_value){ik_node_op1(lo, IK_OP_SQRT, v.node, c->e->span), v.q};
}

static ik_value call_two(ik_lower *lo, const call *c, const ik_scope *s) {
  ik_value a = ik_express(lo, c->arg[0], s), b = ik_express(lo, c->arg[1], s);
  if (!a.node || !b.node) return nothing();
  if (c->f->id == IK_OP_MOD && !(a.node->e.type == IK_I32 || a.node->weak)) {
    ik_error(lo->d, IK_E032, c->e->span, "mod takes whole numbers; this is %s",
             ik_type_name(a.node->e.type));
    ik_help(lo->d, "convert it first, as in  mod(int(u), 2)");
    return nothing();
  }
  return (ik_value){ik_node_op2(lo, (ik_op)c->f->id, a.node, b.node, c->e->span), a.q};
}

static ik_value call_convert(ik_lower *lo, const call *c, const ik_scope *s) {
  ik_value v = ik_express(lo, c->arg[0], s);
  if (!v.node) return nothing();
  if (v.node->e.type == IK_BOOL) /* true is 1 */
    v.node = ik_node_select(lo, v.node, ik_node_const(lo, 1, c->e->span),
                            ik_node_const(lo, 0, c->e->span), c->e->span);
  ik_type t = (ik_type)c->f->id;
  if (v.node && ik_node_is_const(v.node))
    v.node = ik_node_const(lo, ik_apply(IK_OP_CAST, t, v.node->e.value, 0, 0), c->e->span);
  return (ik_value){ik_node_cast(lo, t, v.node, c->e->span), v.q};
}

static ik_value call_noise(ik_lower *lo, const call *c, const ik_scope *s) {
  int64_t id;
  if (!ik_express_integer(lo, c->arg[0], "the id of noise()", 0, 1000000, &id)) return nothing();
  if (!s->coordinates) {
    ik_error(lo->d, IK_E023, c->e->span,
             "noise() varies from cell to cell, and a single number is needed");
    return nothing();
  }
  ik_node *r = ik_node_leaf(lo, IK_OP_NOISE, IK_F64, 0, c->e->span);
  if (r) r->e.value = (double)id, memcpy(r->e.off, s->shift, sizeof r->e.off);
  return wild(r);
}

/* ---- reductions ---- */

/* The value goes to a hidden scalar by a statement in front of the one that asks for it. */
static ik_node *reduce(ik_lower *lo, ik_reduce op, ik_node *v, const ik_scope *s, ik_span at) {
  if (!v) return NULL;
  if (!s->reductions) {
    ik_error(lo->d, IK_E035, at,
             s->constant ? "this must be a compile-time constant, and a reduction is not"
                         : "a reduction is not allowed here");
    if (s->constant)
      ik_help(lo->d, "a scalar is computed during the run:  scalar total = sum(u)");
    else
      ik_help(lo->d, "assign it to a name in a statement before:  total = %.*s",
              at.len < 60 ? at.len : 3, at.src->text + at.off);
    return NULL;
  }
  if (!v->cells || v->e.type == IK_BOOL) {
    ik_error(lo->d, IK_E035, at, "a reduction needs a number for each cell, this is %s",
             v->e.type == IK_BOOL ? "a condition" : "a single number");
    ik_help(lo->d, "it reduces a field, as in  sum(u)");
    return NULL;
  }
  if (lo->step) lo->ir->flops_written += ik_chain_count(v) + 1;
  return ik_stage_reduce(lo, lo->list, op, v, at);
}

static ik_scope reduced_scope(const ik_scope *s) {
  ik_scope in = *s;
  in.reductions = false;
  memset(in.shift, 0, sizeof in.shift);
  return in;
}

static ik_value call_sum(ik_lower *lo, const call *c, const ik_scope *s) {
  ik_scope in = reduced_scope(s);
  return wild(reduce(lo, IK_SUM, ik_express(lo, c->arg[0], &in).node, s, c->e->span));
}

static ik_value call_dot(ik_lower *lo, const call *c, const ik_scope *s) {
  ik_scope in = reduced_scope(s);
  ik_node *a = ik_express(lo, c->arg[0], &in).node, *b = ik_express(lo, c->arg[1], &in).node;
  return wild(reduce(lo, IK_SUM, ik_node_op2(lo, IK_OP_MUL, a, b, c->e->span), s, c->e->span));
}

static ik_value call_norm(ik_lower *lo, const call *c, const ik_scope *s) {
  ik_scope in = reduced_scope(s);
  ik_node *a = ik_express(lo, c->arg[0], &in).node;
  ik_node *sum = reduce(lo, IK_SUM, ik_node_op2(lo, IK_OP_MUL, a, a, c->e->span), s, c->e->span);
  return wild(ik_node_op1(lo, IK_OP_SQRT, sum, c->e->span));
}

static ik_value call_mean(ik_lower *lo, const call *c, const ik_scope *s) {
  ik_value v = call_sum(lo, c, s);
  double   cells = (double)(lo->ir->n[0] * lo->ir->n[1] * lo->ir->n[2]);
  return wild(ik_node_op2(lo, IK_OP_DIV, v.node, ik_node_const(lo, cells, c->e->span), c->e->span));
}

/* min and max of several values, or over all cells of one. */
static ik_value call_extreme(ik_lower *lo, const call *c, const ik_scope *s) {
  ik_op op = (ik_op)c->f->id;
  if (!c->e->args->next) {
    ik_scope in = reduced_scope(s);
    ik_node *v = ik_express(lo, c->arg[0], &in).node;
    return wild(reduce(lo, op == IK_OP_MIN ? IK_MINIMUM : IK_MAXIMUM, v, s, c->e->span));
  }
  ik_value v = ik_express(lo, c->e->args, s);
  for (const ik_ast *x = c->e->args->next; x && v.node; x = x->next) {
    ik_value w = ik_express(lo, x, s);
    if (w.node) v.q = ik_quantity_meet(lo, v.q, w.q, c->e->span);
    v.node = ik_node_op2(lo, op, v.node, w.node, c->e->span);
  }
  return v;
}

/* ---- differences ---- */

static double factorial(int n) {
  double f = 1;
  for (int k = 2; k <= n; k++) f *= k;
  return f;
}

/* Central weights of order 2m at distance k, for spacing 1. */
static double second_derivative(int m, int k) {
  if (k == 0) {
    double w = 0;
    for (int j = 1; j <= m; j++) w -= 2 * second_derivative(m, j);
    return w;
  }
  double sign = k % 2 ? 1 : -1;
  return sign * 2 * factorial(m) * factorial(m) /
         ((double)k * k * factorial(m - k) * factorial(m + k));
}

static double first_derivative(int m, int k) {
  double sign = k % 2 ? 1 : -1;
  return sign * factorial(m) * factorial(m) / (k * factorial(m - k) * factorial(m + k));
}

/* Weight of the pair of cells k = 1..m half cells 2k-1 away from the point between two cells. */
static double staggered(int m, int k) {
  double odd = 1;
  for (int j = 1; j <= m; j++) odd *= 2 * j - 1;
  double sign = k % 2 ? 1 : -1;
  return sign * odd * odd /
         (pow(4, m - 1) * factorial(m + k - 1) * factorial(m - k) * (2.0 * k - 1) * (2.0 * k - 1));
}

/* sum + w * (the argument, `off` cells along the axis) */
static ik_node *add_tap(ik_lower *lo, ik_node *sum, double w, const ik_ast *arg, int axis, int off,
                        const ik_scope *s, ik_span at) {
  ik_scope in = *s;
  in.shift[axis] += off;
  in.reductions = false;
  ik_node *v = ik_express(lo, arg, &in).node;
  ik_node *p = ik_node_op2(lo, IK_OP_MUL, ik_node_const(lo, w, at), v, at);
  return sum ? ik_node_op2(lo, IK_OP_ADD, sum, p, at) : p;
}

static bool order_of(ik_lower *lo, const ik_ast *e, int *m) {
  int64_t order = 2;
  if (e && !ik_express_integer(lo, e, "an order", 2, HIGHEST_ORDER, &order)) return false;
  if (order % 2 == 0) return *m = (int)order / 2, true;
  ik_error(lo->d, IK_E024, e->span, "an order must be even, not %d", (int)order);
  ik_lang_fix(lo->d, e->span, ik_arena_printf(lo->a, "%d", (int)order + 1));
  return false;
}

static bool axis_of(ik_lower *lo, const ik_ast *e, int *axis) {
  ik_amplification *y = e->kind == IK_AST_NAME ? ik_lower_find(lo, e->name) : NULL;
  if (y && y->kind == IK_SYM_AXIS) return *axis = y->id, true;
  ik_error(lo->d, IK_E014, e->span, "expected an axis of the grid");
  ik_lower_help_axes(lo);
  return false;
}

static ik_node *second_along(ik_lower *lo, const call *c, ik_node *sum, int m, int axis,
                             const ik_scope *s) {
  double h = lo->ir->spacing[axis];
  for (int k = -m; k <= m; k++) {
    double w = second_derivative(m, k < 0 ? -k : k) / (h * h);
    sum = add_tap(lo, sum, w, c->arg[0], axis, k, s, c->e->span);
    if (!sum) return NULL;
  }
  return sum;
}

static ik_value call_laplacian(ik_lower *lo, const call *c, const ik_scope *s) {
  int m;
  if (!order_of(lo, c->arg[1], &m)) return nothing();
  ik_node *sum = NULL;
  for (int d = 0; d < lo->ir->ndim; d++) {
    sum = second_along(lo, c, sum, m, d, s);
    if (!sum) return nothing();
  }
  return wild(sum);
}

static ik_value call_d2(ik_lower *lo, const call *c, const ik_scope *s) {
  int m, axis;
  if (!axis_of(lo, c->arg[1], &axis) || !order_of(lo, c->arg[2], &m)) return nothing();
  return wild(second_along(lo, c, NULL, m, axis, s));
}

static ik_value call_d(ik_lower *lo, const call *c, const ik_scope *s) {
  int m, axis;
  if (!axis_of(lo, c->arg[1], &axis) || !order_of(lo, c->arg[2], &m)) return nothing();
  ik_node *sum = NULL;
  for (int k = -m; k <= m; k++) {
    if (k == 0) continue;
    double w = (k < 0 ? -1 : 1) * first_derivative(m, k < 0 ? -k : k) / lo->ir->spacing[axis];
    sum = add_tap(lo, sum, w, c->arg[0], axis, k, s, c->e->span);
    if (!sum) return nothing();
  }
  return wild(sum);
}

/* Half a cell ahead (id 1: between this cell and the next) or behind (id 0). */
static ik_value call_staggered(ik_lower *lo, const call *c, const ik_scope *s) {
  int m, axis, ahead = c->f->id;
  if (!axis_of(lo, c->arg[1], &axis) || !order_of(lo, c->arg[2], &m)) return nothing();
  ik_node *sum = NULL;
  for (int k = 1 - m; k <= m; k++) {
    int    pair = k > 0 ? k : 1 - k; /* distance in half cells: 2*pair - 1 */
    double w = (k > 0 ? 1 : -1) * staggered(m, pair) / lo->ir->spacing[axis];
    sum = add_tap(lo, sum, w, c->arg[0], axis, k - 1 + ahead, s, c->e->span);
    if (!sum) return nothing();
  }
  return wild(sum);
}

static ik_value call_stencil(ik_lower *lo, const call *c, const ik_scope *s) {
  const ik_ast     *name = c->arg[1];
  ik_amplification *y = name->kind == IK_AST_NAME ? ik_lower_find(lo, name->name) : NULL;
  if (!y || y->kind != IK_SYM_WEIGHTS) {
    ik_error(lo->d, IK_E014, name->span, "expected the name of a pattern of weights");
    ik_help(lo->d, "declare one:  weights w = star(1, 0.2)");
    return nothing();
  }
  if (!y->weights) return nothing(); /* its declaration is wrong, and that has been said */
  y->used = true;
  ik_node *sum = NULL;
  for (int k = 0; k < y->weights->n; k++) {
    ik_scope in = *s;
    in.reductions = false;
    for (int d = 0; d < IK_MAX_DIM; d++) in.shift[d] += y->weights->off[k][d];
    sum = add_tap(lo, sum, y->weights->w[k], c->arg[0], 0, 0, &in, c->e->span);
    if (!sum) return nothing();
  }
  return wild(sum ? sum : ik_node_const(lo, 0, c->e->span));
}

/* ---- wavelets: functions of t*dt ---- */

static bool wavelet_time(ik_lower *lo, const call *c, const ik_scope *s, ik_node **time,
                         double *dt) {
  if (!s->wavelets) {
    ik_error(lo->d, IK_E012, c->e->span, "'%s' is a wavelet and is allowed only in a source",
             c->f->name);
    ik_help(lo->d, "as in  source %.*s at %s into u", c->e->span.len < 60 ? c->e->span.len : 0,
            c->e->span.src->text + c->e->span.off,
            lo->ir->ndim == 1   ? "3"
            : lo->ir->ndim == 2 ? "(3, 3)"
                                : "(3, 3, 3)");
    return false;
  }
  ik_amplification *y = ik_lower_find(lo, "dt");
  if (y && ik_lower_is_poison(y)) return false;
  if (!y || y->kind != IK_SYM_PARAM) {
    ik_error(lo->d, IK_E061, c->e->span, "a wavelet needs the time step dt");
    ik_lang_fix_line(lo->d, lo->source, "declare it:", "param dt = 1 ms");
    return false;
  }
  y->used = true;
  *dt = y->value.node->e.value;
  *time = ik_node_op2(lo, IK_OP_MUL, ik_node_leaf(lo, IK_OP_TIME, IK_F64, 0, c->e->span),
                      ik_node_const(lo, *dt, c->e->span), c->e->span);
  return *time != NULL;
}

static bool option(ik_lower *lo, const ik_ast *e, double otherwise, double *out) {
  *out = otherwise;
  return !e || ik_express_constant(lo, e, out, NULL);
}

static ik_node *k_(ik_lower *lo, double v, const call *c) {
  return ik_node_const(lo, v, c->e->span);
}

/* (1 - 2a) exp(-a), a = (pi f (t - delay))^2 */
static ik_value call_ricker(ik_lower *lo, const call *c, const ik_scope *s) {
  ik_node *time;
  double   dt, f, delay;
  ik_span  at = c->e->span;
  if (!wavelet_time(lo, c, s, &time, &dt) || !option(lo, c->arg[0], 0, &f)) return nothing();
  if (!(f > 0)) {
    ik_error(lo->d, IK_E024, c->arg[0]->span, "a frequency must be positive");
    ik_lang_fix(lo->d, c->arg[0]->span, "10 Hz");
    return nothing();
  }
  if (!option(lo, c->arg[1], 1.2 / f, &delay)) return nothing();
  lo->frequency = fmax(lo->frequency, 2.5 * f); /* beyond, less than 1/30 of the peak is left */
  ik_node *x = ik_node_op2(lo, IK_OP_SUB, time, k_(lo, delay, c), at);
  x = ik_node_op2(lo, IK_OP_MUL, k_(lo, 3.141592653589793 * f, c), x, at);
  ik_node *a = ik_node_op2(lo, IK_OP_MUL, x, x, at);
  ik_node *front =
      ik_node_op2(lo, IK_OP_SUB, k_(lo, 1, c), ik_node_op2(lo, IK_OP_MUL, k_(lo, 2, c), a, at), at);
  ik_node *back = ik_node_op1(lo, IK_OP_EXP, ik_node_op1(lo, IK_OP_NEG, a, at), at);
  return wild(ik_node_op2(lo, IK_OP_MUL, front, back, at));
}

/* exp(-((t - delay)/width)^2) */
static ik_value call_gaussian(ik_lower *lo, const call *c, const ik_scope *s) {
  ik_node *time;
  double   dt, width, delay;
  ik_span  at = c->e->span;
  if (!wavelet_time(lo, c, s, &time, &dt) || !option(lo, c->arg[0], 0, &width)) return nothing();
  if (!(width > 0)) {
    ik_error(lo->d, IK_E024, c->arg[0]->span, "a width must be positive");
    ik_lang_fix(lo->d, c->arg[0]->span, "10 ms");
    return nothing();
  }
  if (!option(lo, c->arg[1], 4 * width, &delay)) return nothing();
  lo->frequency = fmax(lo->frequency, 0.59 / width); /* as much is left of exp(-(pi f width)^2) */
  ik_node *x = ik_node_op2(lo, IK_OP_SUB, time, k_(lo, delay, c), at);
  x = ik_node_op2(lo, IK_OP_DIV, x, k_(lo, width, c), at);
  ik_node *a = ik_node_op2(lo, IK_OP_MUL, x, x, at);
  return wild(ik_node_op1(lo, IK_OP_EXP, ik_node_op1(lo, IK_OP_NEG, a, at), at));
}

/* The samples of a file, as a table of the program. */
static bool read_wavelet(ik_lower *lo, const ik_ast *file, ik_samples *t, ik_signal *s) {
  const char *path = ik_path_of(lo, file);
  if (!path || ik_signal_read(path, file->span, s, lo->d)) return false;
  bool    ok = s->n <= INT32_MAX;
  double *v = ok ? IK_NEW_N(lo->a, double, s->n) : NULL;
  if (!ok) ik_error(lo->d, IK_E063, file->span, "'%s' has too many samples for a wavelet", path);
  if (ok) memcpy(v, s->value, (size_t)s->n * sizeof *v);
  *t = (ik_samples){.name = path, .n = (int)s->n, .value = v};
  ik_free(s->value);
  return ok;
}

/* Samples from a file, linear in between, zero before the first and after the last. */
static ik_value call_wavelet(ik_lower *lo, const call *c, const ik_scope *s) {
  ik_node   *time;
  double     dt, sampling;
  ik_span    here = c->e->span;
  ik_samples t;
  ik_signal  signal;
  if (!wavelet_time(lo, c, s, &time, &dt)) return nothing();
  if (c->arg[0]->kind != IK_AST_STRING) {
    ik_error(lo->d, IK_E014, c->arg[0]->span, "expected the name of a file, in quotes");
    return nothing();
  }
  if (!read_wavelet(lo, c->arg[0], &t, &signal)) return nothing();
  if (!option(lo, c->arg[1], signal.dt_s > 0 ? signal.dt_s : dt, &sampling)) return nothing();
  IK_PUSH(lo->a, lo->ir->table, lo->ir->ntable, lo->captable, t);
  bool late = signal.from_s != 0;
  if (late) time = ik_node_op2(lo, IK_OP_SUB, time, k_(lo, signal.from_s, c), here);
  ik_node *at = sampling == dt && !late
                    ? ik_node_leaf(lo, IK_OP_TIME, IK_F64, 0, here)
                    : ik_node_op2(lo, IK_OP_DIV, time, k_(lo, sampling, c), here);
  ik_node *r = ik_node_op1(lo, IK_OP_TABLE, at, c->e->span);
  if (r) r->e.id = lo->ir->ntable - 1;
  return wild(r);
}

/* ---- the table ---- */

static const function functions[] = {
    {"abs", call_abs, 0, 1, {"x"}},
    {"sqrt", call_sqrt, 0, 1, {"x"}},
    {"exp", call_elementary, IK_OP_EXP, 1, {"x"}},
    {"log", call_elementary, IK_OP_LOG, 1, {"x"}},
    {"sin", call_elementary, IK_OP_SIN, 1, {"x"}},
    {"cos", call_elementary, IK_OP_COS, 1, {"x"}},
    {"tan", call_elementary, IK_OP_TAN, 1, {"x"}},
    {"tanh", call_elementary, IK_OP_TANH, 1, {"x"}},
    {"atan", call_elementary, IK_OP_ATAN, 1, {"x"}},
    {"floor", call_elementary, IK_OP_FLOOR, 1, {"x"}},
    {"mod", call_two, IK_OP_MOD, 2, {"a", "b"}},
    {"min", call_extreme, IK_OP_MIN, 1, {"a", "..."}},
    {"max", call_extreme, IK_OP_MAX, 1, {"a", "..."}},
    {"f64", call_convert, IK_F64, 1, {"x"}},
    {"f32", call_convert, IK_F32, 1, {"x"}},
    {"f16", call_convert, IK_F16, 1, {"x"}},
    {"bf16", call_convert, IK_BF16, 1, {"x"}},
    {"int", call_convert, IK_I32, 1, {"x"}},
    {"noise", call_noise, 0, 1, {"id"}},
    {"sum", call_sum, 0, 1, {"x"}},
    {"mean", call_mean, 0, 1, {"x"}},
    {"norm", call_norm, 0, 1, {"x"}},
    {"dot", call_dot, 0, 2, {"a", "b"}},
    {"laplacian", call_laplacian, 0, 1, {"u", "order"}},
    {"d", call_d, 0, 2, {"u", "axis", "order"}},
    {"d2", call_d2, 0, 2, {"u", "axis", "order"}},
    {"dfwd", call_staggered, 1, 2, {"u", "axis", "order"}},
    {"dbwd", call_staggered, 0, 2, {"u", "axis", "order"}},
    {"stencil", call_stencil, 0, 2, {"u", "weights"}},
    {"ricker", call_ricker, 0, 1, {"f", "delay"}},
    {"gaussian", call_gaussian, 0, 1, {"width", "delay"}},
    {"wavelet", call_wavelet, 0, 1, {"file", "dt"}},
};
enum { NFUNCTIONS = sizeof functions / sizeof *functions };

static const function *find_function(const char *name) {
  for (int i = 0; i < NFUNCTIONS; i++)
    if (strcmp(functions[i].name, name) == 0) return &functions[i];
  return NULL;
}

bool ik_operator_is_known(const char *name) { return find_function(name) != NULL; }

int         ik_operator_count(void) { return NFUNCTIONS; }
const char *ik_operator_name(int i) { return functions[i].name; }

/* ---- arguments ---- */

static int find_argument(const char *const *names, int n, const char *label) {
  for (int i = 0; i < n; i++)
    if (strcmp(names[i], label) == 0) return i;
  return -1;
}

/* "write  laplacian(u, order)" */
static void help_arguments(ik_lower *lo, const ik_ast *e, const char *const *names, int n) {
  ik_buf all = {0};
  for (int i = 0; i < n; i++) ik_buf_printf(&all, "%s%s", i ? ", " : "", names[i]);
  ik_help(lo->d, "its arguments are  %s(%s)", e->name, ik_buf_text(&all));
  ik_buf_free(&all);
}

/* Where the name of an argument stands, which is before its value. */
static ik_span label_span(const ik_ast *x) {
  const char *s = x->span.src->text;
  int         off = x->span.off, len = (int)strlen(x->label);
  while (off > 0 && strncmp(s + off, x->label, (size_t)len)) off--;
  return (ik_span){x->span.src, off, len};
}

static void wrong_count(ik_lower *lo, const ik_ast *e, int least, int most, int given) {
  if (least == most)
    ik_error(lo->d, IK_E014, e->span, "'%s' takes %d argument%s, not %d", e->name, least,
             least == 1 ? "" : "s", given);
  else
    ik_error(lo->d, IK_E014, e->span, "'%s' takes %d to %d arguments, not %d", e->name, least, most,
             given);
}

/* Puts what stands in the brackets in the order of the names. */
static bool sort_arguments(ik_lower *lo, const ik_ast *e, const char *const *names, int n,
                           int required, const ik_ast **out) {
  int given = 0;
  for (const ik_ast *x = e->args; x; x = x->next, given++) {
    int k = x->label ? find_argument(names, n, x->label) : given;
    if (k < 0) {
      ik_error(lo->d, IK_E014, label_span(x), "'%s' has no argument named '%s'", e->name, x->label);
      help_arguments(lo, e, names, n);
      return false;
    }
    if (k >= n) {
      int all = given;
      for (const ik_ast *y = x; y; y = y->next) all++;
      wrong_count(lo, e, required, n, all);
      help_arguments(lo, e, names, n);
      return false;
    }
    if (out[k]) {
      ik_error(lo->d, IK_E014, x->label ? label_span(x) : x->span,
               "the argument '%s' is given twice", names[k]);
      ik_note_add(lo->d, out[k]->span, "first here");
      help_arguments(lo, e, names, n);
      return false;
    }
    out[k] = x;
  }
  for (int k = 0; k < required; k++)
    if (!out[k]) {
      wrong_count(lo, e, required, n, given);
      help_arguments(lo, e, names, n);
      return false;
    }
  return true;
}

static ik_value call_built_in(ik_lower *lo, const function *f, const ik_ast *e, const ik_scope *s) {
  call c = {.f = f, .e = e};
  int  n = 0;
  while (n < MOST_ARGS && f->arg[n] && strcmp(f->arg[n], "...")) n++;
  bool any = f->arg[n] && strcmp(f->arg[n], "...") == 0;
  if (any && e->args) {
    c.arg[0] = e->args;
    return f->run(lo, &c, s);
  }
  if (!sort_arguments(lo, e, f->arg, n, f->required, c.arg)) return nothing();
  return f->run(lo, &c, s);
}

/* ---- functions of the program ---- */

/* Whether this stands in the body of the function; its arguments, as in f(f(u)), do not. */
static bool is_open(const ik_amplification *y, const ik_scope *s) {
  for (; s; s = s->outer)
    if (s->function == y) return true;
  return false;
}

static ik_value call_defined(ik_lower *lo, ik_amplification *y, const ik_ast *e,
                             const ik_scope *s) {
  const char   *names[IK_MOST_PARAMETERS] = {0};
  const ik_ast *arg[IK_MOST_PARAMETERS] = {0};
  ik_binding    bind[IK_MOST_PARAMETERS];
  int           n = 0, required = 0;
  y->used = true;
  if (is_open(y, s)) {
    ik_error(lo->d, IK_E015, e->span, "'%s' calls itself", y->name);
    ik_note_add(lo->d, y->span, "defined here");
    ik_help(lo->d, "a function is expanded where it is called; write the expression without it");
    return nothing();
  }
  for (const ik_name *p = y->def->names; p && n < IK_MOST_PARAMETERS; p = p->next) {
    names[n++] = p->text;
    if (!p->value) required = n;
  }
  if (!sort_arguments(lo, e, names, n, required, arg)) {
    ik_note_add(lo->d, y->span, "defined here");
    return nothing();
  }
  int k = 0;
  for (const ik_name *p = y->def->names; k < n; p = p->next, k++)
    bind[k] = (ik_binding){.name = p->text,
                           .ast = arg[k] ? arg[k] : p->value,
                           .standard = !arg[k],
                           .next = k + 1 < n ? &bind[k + 1] : NULL};
  ik_scope in = *s;
  in.bindings = n ? bind : NULL, in.outer = s, in.function = y;
  return ik_express(lo, y->def->value, &in);
}

/* Words that look like functions and have their places. */
static bool is_elsewhere(ik_lower *lo, const ik_ast *e, const ik_scope *s) {
  static const struct {
    const char *name, *where, *example;
  } table[] = {
      {"file", "alone on the right of '='", "field c : f64 = file(\"c.npy\")"},
      {"star", "in weights", "weights w = star(1, 0.2)"},
      {"box", "in weights", "weights w = box(1, 0.1)"},
      {"sparse", "in weights", "weights w = sparse(\"w.npy\")"},
      {"absorbing", "in a boundary", "boundary u = absorbing(20)"},
      {"sponge", "in a boundary", "boundary u = sponge(20)"},
  };
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    if (strcmp(table[i].name, e->name)) continue;
    ik_error(lo->d, IK_E012, (ik_span){e->span.src, e->span.off, (int)strlen(e->name)},
             "'%s' is allowed only %s", e->name, table[i].where);
    if (s->wavelets && strcmp(e->name, "file") == 0)
      ik_help(lo->d, "the samples of a signal are read by  wavelet(\"w.txt\")");
    else
      ik_help(lo->d, "for example  %s", table[i].example);
    return true;
  }
  return false;
}

ik_value ik_operator_call(ik_lower *lo, const ik_ast *e, const ik_scope *s) {
  ik_amplification *y = ik_lower_find(lo, e->name);
  if (y && y->kind == IK_SYM_DEF) return call_defined(lo, y, e, s);
  const function *f = find_function(e->name);
  if (f) return call_built_in(lo, f, e, s);
  if (y && ik_lower_is_poison(y)) return nothing();
  if (y && y->kind == IK_SYM_FIELD) {
    ik_error(lo->d, IK_E012, e->span, "'%s' is a field, not a function", e->name);
    ik_help(lo->d, "a neighbour is written with offsets in square brackets, as in  %s%s", e->name,
            lo->ir->ndim == 1   ? "[-1]"
            : lo->ir->ndim == 2 ? "[-1,0]"
                                : "[-1,0,0]");
    return nothing();
  }
  if (!is_elsewhere(lo, e, s)) ik_lower_unknown(lo, e->name, e->span, "function");
  return nothing();
}
