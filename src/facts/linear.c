/* Forwards over the nodes: what depends on updated fields, whether linearly, and the value of all
 * with those fields at zero.  Backwards: the weight of each node in the result, so that a chain of
 * n terms costs n. */
#include "facts/linear.h"
#include "facts/evaluate.h"
#include "facts/nodes.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct mark {
  bool   depends, linear, constant, pure; /* pure: no rest */
  double value, weight;
} mark;

typedef struct made { /* a value that a statement before has made */
  bool   yes, depends, constant;
  double value;
} made;

typedef struct context {
  const ik_ir      *ir;
  const ik_subject *s;
  int               input; /* see ik_linear */
  ik_frozen         frozen;
  void             *ctx;
  ik_arena         *a;
  made             *value;  /* by ik_value_of */
  bool             *unsafe; /* [nscalar] depends on updated fields */
} context;

/* ---- leaves ---- */

static const mark from_state = {true, true, true, true, 0, 0};
static const mark not_linear = {true, false, false, false, NAN, 0};

static mark frozen_leaf(const context *c, const ik_expr *e) {
  return (mark){.linear = true, .value = c->frozen ? c->frozen(c->ctx, e) : NAN};
}

static mark mark_read(const context *c, const ik_expr *e) {
  const made *m = &c->value[ik_value_of(e->id, e->level)];
  if (m->yes && !m->depends)
    return (mark){.linear = true, .constant = m->constant, .value = m->value};
  if (m->yes || c->s->updated[e->id] || e->id == c->input) return from_state;
  /* A temporary that is made here, but not yet, is one that a sweep carries along; one that was
   * made before the loop is like a field that the step does not update. */
  bool carried = !ik_is_stored(c->ir, e->id) && ik_subject_makes(c->s, e->id);
  return carried ? from_state : frozen_leaf(c, e);
}

static mark mark_leaf(const context *c, const ik_expr *e) {
  switch (e->op) {
  case IK_OP_CONST: return (mark){.linear = true, .constant = true, .value = e->value};
  case IK_OP_READ: return mark_read(c, e);
  case IK_OP_SCALAR: return c->unsafe[e->id] ? not_linear : frozen_leaf(c, e);
  default: return frozen_leaf(c, e);
  }
}

/* ---- operations ---- */

/* A sum: what depends must be linear; a rest is left if one side does not depend, unless zero. */
static void mark_sum(mark *m, const mark *a, const mark *b) {
  bool zero_a = !a->depends && a->constant && a->value == 0;
  bool zero_b = !b->depends && b->constant && b->value == 0;
  m->linear = a->linear && b->linear;
  m->constant = (!a->depends || a->constant) && (!b->depends || b->constant);
  m->pure = (a->depends ? a->pure : zero_a) && (b->depends ? b->pure : zero_b);
}

static void mark_product(mark *m, const mark *a, const mark *b) {
  m->linear = a->linear && b->linear && !(a->depends && b->depends);
  m->constant = a->constant && b->constant;
  m->pure = a->depends ? a->pure : b->pure;
}

static void mark_fma(mark *m, const mark *a, const mark *b, const mark *c) {
  mark product = {.depends = a->depends || b->depends,
                  .constant = a->constant && b->constant,
                  .linear = true,
                  .value = a->value * b->value};
  if (product.depends) mark_product(&product, a, b);
  mark_sum(m, &product, c);
}

/* The node depends on updated fields. */
static void mark_dependent(mark *m, const ik_expr *e, const mark *a, const mark *b, const mark *c) {
  switch (e->op) {
  case IK_OP_ADD:
  case IK_OP_SUB: mark_sum(m, a, b); break;
  case IK_OP_MUL: mark_product(m, a, b); break;
  case IK_OP_FMA: mark_fma(m, a, b, c); break;
  case IK_OP_DIV:
    mark_product(m, a, b);
    m->linear &= !b->depends;
    break;
  case IK_OP_NEG: *m = (mark){true, a->linear, a->constant, a->pure, m->value, 0}; break;
  case IK_OP_CAST: /* rounding is no part of the algebra, truncation to an integer is */
    *m = (mark){true, a->linear && ik_type_is_float(e->type), a->constant, a->pure, m->value, 0};
    break;
  case IK_OP_SELECT: /* linear in each branch; which one it is is a coefficient of 0 or 1 */
    mark_sum(m, b, c);
    m->linear &= !a->depends;
    m->constant &= a->constant;
    break;
  default: m->linear = m->constant = m->pure = false;
  }
}

static void mark_forwards(const context *c, const ik_nodes *n, mark *m) {
  for (int i = 0; i < n->n; i++) {
    const ik_expr *e = n->node[i];
    int            nargs = ik_op_nargs(e->op);
    if (!nargs) {
      m[i] = mark_leaf(c, e);
      continue;
    }
    const mark *arg[3] = {NULL, NULL, NULL};
    double      v[3] = {0};
    m[i] = (mark){.linear = true, .constant = true};
    for (int k = 0; k < nargs; k++) {
      arg[k] = &m[n->arg[i][k]];
      v[k] = arg[k]->value;
      m[i].depends |= arg[k]->depends;
      m[i].constant &= arg[k]->constant;
    }
    m[i].value = ik_evaluate(c->ir, e, v);
    if (m[i].depends) mark_dependent(&m[i], e, arg[0], arg[1], arg[2]);
  }
}

/* ---- weights ---- */

static void pass(mark *to, double weight) {
  if (to->depends) to->weight += weight;
}

static void pass_product(mark *a, mark *b, double w) {
  pass(a, w * b->value);
  pass(b, w * a->value);
}

static void pass_select(const mark *condition, mark *yes, mark *no, double w) {
  bool unknown = isnan(condition->value);
  pass(yes, unknown ? NAN : condition->value ? w : 0);
  pass(no, unknown ? NAN : condition->value ? 0 : w);
}

static void weigh_backwards(const ik_nodes *n, mark *m) {
  m[n->n - 1].weight = 1;
  for (int i = n->n - 1; i >= 0; i--) {
    if (!m[i].depends) continue;
    int    k[3];
    double w = m[i].weight;
    for (int j = 0; j < 3; j++) k[j] = n->arg[i][j] < 0 ? i : n->arg[i][j];
    mark *a = &m[k[0]], *b = &m[k[1]], *c = &m[k[2]];
    switch (n->node[i]->op) {
    case IK_OP_ADD: pass(a, w), pass(b, w); break;
    case IK_OP_SUB: pass(a, w), pass(b, -w); break;
    case IK_OP_NEG: pass(a, -w); break;
    case IK_OP_CAST: pass(a, w); break;
    case IK_OP_MUL: pass_product(a, b, w); break;
    case IK_OP_DIV: pass(a, w / b->value); break;
    case IK_OP_FMA: pass_product(a, b, w), pass(c, w); break;
    case IK_OP_SELECT: pass_select(a, b, c, w); break;
    default: break; /* leaves; others are not linear */
    }
  }
}

/* ---- lists of weights ---- */

/* Numbered as they come: equal points are then added up in that order, whatever the sort does. */
typedef struct numbered {
  ik_coef c;
  int     order;
} numbered;

typedef struct pile {
  ik_arena *a;
  numbered *item;
  int       n, cap;
} pile;

static void put(pile *p, const ik_point *at, double weight) {
  numbered x = {{*at, weight}, p->n};
  IK_PUSH(p->a, p->item, p->n, p->cap, x);
}

static int compare(const void *a, const void *b) {
  const numbered *x = a, *y = b;
  int             c = ik_point_compare(&x->c.at, &y->c.at);
  return c ? c : x->order - y->order;
}

static ik_coefs merged(pile *p) {
  ik_coef *out = IK_NEW_N(p->a, ik_coef, p->n);
  int      n = 0;
  if (p->n) qsort(p->item, (size_t)p->n, sizeof *p->item, compare);
  for (int i = 0; i < p->n; i++) {
    const ik_coef *c = &p->item[i].c;
    if (n && ik_point_compare(&out[n - 1].at, &c->at) == 0)
      out[n - 1].weight += c->weight;
    else
      out[n++] = *c;
  }
  return (ik_coefs){n, out};
}

static ik_coefs collect(const ik_nodes *n, const mark *m, ik_arena *a) {
  pile p = {.a = a};
  for (int i = 0; i < n->n; i++) {
    const ik_expr *e = n->node[i];
    if (e->op != IK_OP_READ || !m[i].depends) continue;
    ik_point at = {e->id, e->level, {e->off[0], e->off[1], e->off[2]}};
    put(&p, &at, m[i].weight);
  }
  return merged(&p);
}

ik_coefs *ik_coefs_through(const ik_coefs *reads, const ik_coefs *const *value, ik_arena *a) {
  pile      p = {.a = a};
  ik_coefs *out = IK_NEW(a, ik_coefs);
  for (int i = 0; i < reads->n; i++) {
    const ik_coef  *r = &reads->c[i];
    const ik_coefs *v = value[ik_value_of(r->at.field, r->at.level)];
    if (!v) put(&p, &r->at, r->weight);
    for (int k = 0; v && k < v->n; k++) {
      ik_point at = v->c[k].at;
      for (int d = 0; d < IK_MAX_DIM; d++) at.off[d] += r->at.off[d];
      put(&p, &at, r->weight * v->c[k].weight);
    }
  }
  *out = merged(&p);
  return out;
}

void ik_coefs_extend(ik_hull *h, const ik_coefs *c) {
  for (int i = 0; i < c->n; i++)
    for (int d = 0; d < IK_MAX_DIM; d++) {
      int o = c->c[i].at.off[d];
      if (o < h->lo[d]) h->lo[d] = o;
      if (o > h->hi[d]) h->hi[d] = o;
    }
}

/* ---- statements ---- */

static ik_form form_of(const context *c, const ik_expr *e) {
  ik_nodes n;
  ik_nodes_of(e, c->a, &n);
  mark *m = IK_NEW_N(c->a, mark, n.n);
  mark_forwards(c, &n, m);
  const mark *r = &m[n.n - 1];
  ik_form     f = {r->depends, r->linear, r->constant, r->depends && r->pure, r->value, {0}};
  if (!r->depends || !r->linear) return f;
  weigh_backwards(&n, m);
  f.reads = collect(&n, m, c->a);
  return f;
}

/* Of several statements that make a value on disjoint boxes, the main one gives its number. */
static void remember(context *c, const ik_work *w, const ik_form *f) {
  made *m = &c->value[ik_value_of(w->stmt->field, w->stmt->level)];
  if (!m->yes || w->main) m->value = f->rest;
  m->depends = f->depends || (m->yes && m->depends);
  m->constant = f->constant && (!m->yes || m->constant);
  m->yes = true;
}

static void add_statement(context *c, const ik_work *w, ik_form *f, ik_linear *out) {
  *f = form_of(c, w->stmt->value);
  if (w->stmt->kind != IK_ASSIGN) {
    c->unsafe[w->stmt->scalar] |= f->depends;
    return;
  }
  remember(c, w, f);
  if (!f->linear && !out->breaker) out->breaker = w->stmt;
  out->linear &= f->linear;
  out->constant &= !f->depends || f->constant;
  if (ik_is_stored(c->ir, w->stmt->field) || f->depends) out->homogeneous &= f->homogeneous;
}

/* Not with a sweep: what its results depend on is not listed. */
static int find_input(const ik_ir *ir, const ik_subject *s, const ik_patterns *p) {
  if (s->nsweep) return -1;
  for (int f = 0; f < ir->nfield; f++)
    for (int i = 0; i < p->effective[f].nreads; i++)
      if (s->updated[p->effective[f].reads[i].field]) return -1;
  return p->source >= 0 && ik_is_stored(ir, p->source) ? p->source : -1;
}

void ik_linear_of(const ik_ir *ir, const ik_subject *s, const ik_patterns *p, ik_frozen frozen,
                  void *ctx, ik_arena *a, ik_linear *out) {
  ik_form *form = IK_NEW_N(a, ik_form, s->n);
  made    *value = IK_NEW_N(a, made, ik_values_of(ir));
  context  c = {ir, s, find_input(ir, s, p), frozen, ctx, a, value, IK_NEW_N(a, bool, ir->nscalar)};
  /* A scalar may be read before the statement that computes it, as it was a step ago; so twice. */
  for (int round = 0; round < 2; round++) {
    memset(value, 0, sizeof *value * (size_t)ik_values_of(ir));
    *out = (ik_linear){true, true, true, c.input, NULL, form};
    for (int i = 0; i < s->n; i++) add_statement(&c, &s->work[i], &form[i], out);
    if (!s->nset && !s->nreduce) break;
  }
  out->constant &= out->linear;
  out->homogeneous &= out->linear;
}

const ik_coefs *const *ik_linear_after(const ik_ir *ir, const ik_subject *s, const ik_linear *l,
                                       ik_arena *a) {
  const ik_coefs **value = IK_NEW_N(a, const ik_coefs *, ik_values_of(ir));
  const ik_coefs **last = IK_NEW_N(a, const ik_coefs *, ir->nfield);
  for (int i = 0; i < s->n; i++) {
    const ik_stmt *st = s->work[i].stmt;
    if (st->kind != IK_ASSIGN || !s->work[i].main) continue;
    const ik_coefs *c = ik_coefs_through(&l->form[i].reads, value, a);
    if (!s->work[i].sweep) value[ik_value_of(st->field, st->level)] = c;
    if (s->updated[st->field]) last[st->field] = c;
  }
  return last;
}

const ik_linear_loop *ik_linear_loop_of(const ik_ir *ir, const ik_stmt *loop, ik_frozen frozen,
                                        void *ctx, ik_arena *a) {
  ik_linear_loop *s = IK_NEW(a, ik_linear_loop);
  s->ir = *ir, s->loop = *loop;
  s->loop.next = NULL, s->ir.body = &s->loop;
  ik_subject_of(&s->ir, a, &s->subject);
  ik_pattern_of(&s->ir, &s->subject, a, &s->pattern);
  ik_linear_of(&s->ir, &s->subject, &s->pattern, frozen, ctx, a, &s->linear);
  return s;
}
