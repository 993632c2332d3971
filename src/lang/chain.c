/* The order of arithmetic.
 *
 * `arithmetic chain`: a maximal sum is flattened.  Constants are multiplied through, in f64; terms
 * that are the same read are merged; terms with coefficient zero go.  The rest is one chain of fma,
 * ordered by the last offset that a term reads, slowest axis first (ties as in the text, terms
 * without reads in front), so that an engine that receives a field plane by plane can add each
 * plane's share when it arrives.  A term coef*f1*...*fn enters as fma(coef*f1*...*f(n-1), fn, sum),
 * products taken from the left; as a plain addition if it is a single factor with coefficient 1.
 * Products of two values are not multiplied out.  Everything else follows the expression tree.
 *
 * `arithmetic plain`: every operation as written; only constants are folded.
 */
#include "lang/lower.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A chain of any length would be a tree too deep to walk. */
enum { MOST_TERMS = 8000, MOST_FACTORS = 1000 };

static ik_node *arg(const ik_node *r, int k) { return (ik_node *)r->e.arg[k]; }

/* ---- collecting terms ---- */

static bool same_read(const ik_node *a, const ik_node *b) {
  if (a == b) return true;
  if (a->e.op != b->e.op || a->e.type != b->e.type) return false;
  if (a->e.op == IK_OP_CAST) return same_read(arg(a, 0), arg(b, 0));
  if (a->e.op != IK_OP_READ) return false;
  return a->e.id == b->e.id && a->e.level == b->e.level &&
         memcmp(a->e.off, b->e.off, sizeof a->e.off) == 0;
}

static void add_term(ik_lower *lo, ik_terms *out, ik_term t) {
  if (out->n > MOST_TERMS) return; /* chain() will say so */
  for (int i = 0; i < out->n; i++) {
    ik_term *u = &out->term[i];
    bool     same = u->nfactor == t.nfactor &&
                (t.nfactor == 0 || (t.nfactor == 1 && same_read(u->factor[0], t.factor[0])));
    if (!same) continue;
    u->coef += t.coef;
    return;
  }
  IK_PUSH(lo->a, out->term, out->n, out->cap, t);
}

/* Splits a product into its constant part and the other factors. */
static void factors(ik_lower *lo, ik_node *r, ik_type type, ik_term *t) {
  if (r->e.type == type) {
    switch (r->e.op) {
    case IK_OP_CONST: t->coef *= r->e.value; return;
    case IK_OP_NEG:
      t->coef = -t->coef;
      factors(lo, arg(r, 0), type, t);
      return;
    case IK_OP_MUL:
      factors(lo, arg(r, 0), type, t);
      factors(lo, arg(r, 1), type, t);
      return;
    case IK_OP_DIV:
      if (!ik_node_is_const(arg(r, 1))) break;
      t->coef /= arg(r, 1)->e.value;
      factors(lo, arg(r, 0), type, t);
      return;
    default: break;
    }
  }
  IK_PUSH(lo->a, t->factor, t->nfactor, t->cap, r);
}

static bool is_sum(const ik_node *r) { return r->e.op == IK_OP_ADD || r->e.op == IK_OP_SUB; }

static void collect(ik_lower *lo, ik_node *r, double coef, ik_terms *out) {
  if (is_sum(r)) {
    collect(lo, arg(r, 0), coef, out);
    collect(lo, arg(r, 1), r->e.op == IK_OP_SUB ? -coef : coef, out);
    return;
  }
  ik_term t = {.coef = 1};
  factors(lo, r, r->e.type, &t);
  t.coef *= coef;
  /* a constant times a sum: multiplied through */
  if (t.nfactor == 1 && is_sum(t.factor[0]) && t.factor[0]->e.type == r->e.type)
    collect(lo, t.factor[0], t.coef, out);
  else
    add_term(lo, out, t);
}

void ik_chain_terms(ik_lower *lo, ik_node *r, ik_terms *out) {
  *out = (ik_terms){0};
  collect(lo, r, 1, out);
  int kept = 0;
  for (int i = 0; i < out->n; i++)
    if (out->term[i].coef != 0) out->term[kept++] = out->term[i];
  out->n = kept;
}

/* The reverse, for those who change terms: a tree that says the same. */
ik_node *ik_chain_sum(ik_lower *lo, const ik_terms *t, ik_type type, ik_span at) {
  ik_node *sum = NULL;
  for (int i = 0; i < t->n; i++) {
    ik_node *p = ik_node_const(lo, t->term[i].coef, at);
    for (int k = 0; k < t->term[i].nfactor; k++)
      p = ik_node_op2(lo, IK_OP_MUL, p, t->term[i].factor[k], at);
    sum = sum ? ik_node_op2(lo, IK_OP_ADD, sum, p, at) : p;
  }
  return sum ? sum : ik_node_cast(lo, type, ik_node_const(lo, 0, at), at);
}

/* ---- ordering ---- */

typedef struct ordered {
  const ik_term *term;
  int            text; /* position in the text */
  bool           reads;
  int            reach[IK_MAX_DIM];
} ordered;

static int compare_reach(const int *a, const int *b) {
  for (int d = IK_MAX_DIM - 1; d >= 0; d--)
    if (a[d] != b[d]) return a[d] < b[d] ? -1 : 1;
  return 0;
}

static int compare_terms(const void *pa, const void *pb) {
  const ordered *a = pa, *b = pb;
  if (a->reads != b->reads) return a->reads ? 1 : -1;
  int c = a->reads ? compare_reach(a->reach, b->reach) : 0;
  return c ? c : a->text - b->text;
}

static ordered order_of(const ik_term *t, int text) {
  ordered o = {.term = t, .text = text};
  for (int k = 0; k < t->nfactor; k++) {
    const ik_node *f = t->factor[k];
    if (f->reads && (!o.reads || compare_reach(f->reach, o.reach) > 0))
      memcpy(o.reach, f->reach, sizeof o.reach);
    o.reads = o.reads || f->reads;
  }
  return o;
}

/* ---- building ---- */

static const ik_expr *op_node(ik_lower *lo, ik_op op, ik_type t, const ik_expr *a, const ik_expr *b,
                              const ik_expr *c, ik_span at) {
  ik_expr *e = IK_NEW(lo->a, ik_expr);
  *e = (ik_expr){.op = op, .type = t, .arg = {a, b, c}, .span = at};
  return e;
}

static const ik_expr *constant(ik_lower *lo, ik_type t, double v, ik_span at) {
  ik_expr *e = IK_NEW(lo->a, ik_expr);
  *e = (ik_expr){.op = IK_OP_CONST, .type = t, .value = ik_type_round(t, v), .span = at};
  return e;
}

/* coef * f[0] * ... * f[n-1], from the left; a coefficient of one costs nothing. */
static const ik_expr *product(ik_lower *lo, ik_type t, double coef, ik_node *const *f, int n,
                              ik_span at) {
  if (n == 0) return constant(lo, t, coef, at);
  const ik_expr *p = ik_chain_finish(lo, f[0]);
  if (coef == -1)
    p = op_node(lo, IK_OP_NEG, t, p, NULL, NULL, at);
  else if (coef != 1)
    p = op_node(lo, IK_OP_MUL, t, constant(lo, t, coef, at), p, NULL, at);
  for (int k = 1; k < n; k++) p = op_node(lo, IK_OP_MUL, t, p, ik_chain_finish(lo, f[k]), NULL, at);
  return p;
}

static const ik_expr *add_to(ik_lower *lo, ik_type t, const ik_expr *sum, const ik_term *m,
                             ik_span at) {
  int n = m->nfactor;
  if (!sum) return product(lo, t, m->coef, m->factor, n, at);
  if (n == 0) return op_node(lo, IK_OP_ADD, t, sum, constant(lo, t, m->coef, at), NULL, at);
  const ik_expr *last = ik_chain_finish(lo, m->factor[n - 1]);
  if (n == 1 && m->coef == 1) return op_node(lo, IK_OP_ADD, t, sum, last, NULL, at);
  if (n == 1 && m->coef == -1) return op_node(lo, IK_OP_SUB, t, sum, last, NULL, at);
  return op_node(lo, IK_OP_FMA, t, product(lo, t, m->coef, m->factor, n - 1, at), last, sum, at);
}

static bool is_too_long(const ik_terms *t) {
  bool longest = t->n > MOST_TERMS;
  for (int i = 0; i < t->n; i++) longest = longest || t->term[i].nfactor > MOST_FACTORS;
  return longest;
}

static const ik_expr *chain(ik_lower *lo, ik_node *r) {
  ik_terms t;
  ik_chain_terms(lo, r, &t);
  if (is_too_long(&t)) {
    ik_error(lo->d, IK_E005, r->e.span, "a sum of more than %d terms, or a product of more than %d",
             MOST_TERMS, MOST_FACTORS);
    ik_help(lo->d, "give a part of it a name of its own");
    return constant(lo, r->e.type, 0, r->e.span);
  }
  if (t.n == 0) return constant(lo, r->e.type, 0, r->e.span);
  /* a lone factor: nothing to order, and its own tree decides */
  ordered *o = IK_NEW_N(lo->a, ordered, t.n);
  for (int i = 0; i < t.n; i++) o[i] = order_of(&t.term[i], i);
  qsort(o, (size_t)t.n, sizeof *o, compare_terms);
  const ik_expr *sum = NULL;
  for (int i = 0; i < t.n; i++) sum = add_to(lo, r->e.type, sum, o[i].term, r->e.span);
  return sum;
}

static const ik_expr *as_written(ik_lower *lo, ik_node *r) {
  ik_expr *e = IK_NEW(lo->a, ik_expr);
  *e = r->e;
  if (e->op == IK_OP_CONST) e->value = ik_type_round(e->type, e->value);
  for (int k = 0; k < ik_op_nargs(e->op); k++) e->arg[k] = ik_chain_finish(lo, arg(r, k));
  return e;
}

static bool is_chained(const ik_lower *lo, const ik_node *r) {
  if (lo->ir->arithmetic != IK_CHAIN || !ik_type_is_float(r->e.type)) return false;
  switch (r->e.op) {
  case IK_OP_ADD:
  case IK_OP_SUB:
  case IK_OP_MUL:
  case IK_OP_NEG: return true;
  case IK_OP_DIV: return ik_node_is_const(arg(r, 1));
  default: return false;
  }
}

const ik_expr *ik_chain_finish(ik_lower *lo, ik_node *r) {
  if (!r->done) r->done = is_chained(lo, r) ? chain(lo, r) : as_written(lo, r);
  return r->done;
}

int ik_chain_count(const ik_node *r) {
  int n = ik_op_flops(r->e.op);
  for (int k = 0; k < ik_op_nargs(r->e.op); k++) n += ik_chain_count(arg(r, k));
  return n;
}
