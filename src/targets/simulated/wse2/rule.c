#include "targets/simulated/wse2/rule.h"
#include "facts/nodes.h"
#include <stdlib.h>

bool ik_wse2_is_lateral(const ik_expr *read) {
  return read->op == IK_OP_READ && (read->off[0] || read->off[1]);
}

/* ---- sums as lists of terms ---- */

typedef enum term_kind {
  FABRIC, /* a neighbour in the plane times something local; or the own cell, heard with them */
  COLUMN, /* another cell of the own column times something local */
  LOCAL,  /* anything that reads no neighbour in the plane */
  INNER,  /* a sum over the fabric, times something local */
  OTHER,
} term_kind;

typedef struct term { /* sign * coef * value */
  term_kind kind;
  int       coef, value; /* nodes; coef is -1 without */
  bool      negative;
  int       text; /* position in the sum */
} term;

typedef struct sum {
  term *term;
  int   n, cap;
} sum;

typedef struct rewriter {
  ik_arena       *a;
  ik_nodes        nodes;
  bool           *lateral; /* [nodes.n] it or one of its operands is a neighbour in the plane */
  bool           *fabric;  /* [nodes.n] became a sum over the fabric */
  const ik_expr **done;    /* [nodes.n] */
} rewriter;

static const ik_expr *rewrite(rewriter *r, int node);

static bool is_sum(const ik_expr *e) {
  return e->type == IK_F32 && (e->op == IK_OP_ADD || e->op == IK_OP_SUB || e->op == IK_OP_FMA);
}

static bool is_lateral(const rewriter *r, int node) { return node >= 0 && r->lateral[node]; }

static void push(rewriter *r, sum *s, int coef, int value, bool negative) {
  if (is_lateral(r, coef) && !is_lateral(r, value)) {
    int swap = coef;
    coef = value, value = swap;
  }
  IK_PUSH(r->a, s->term, s->n, s->cap, ((term){OTHER, coef, value, negative, 0}));
}

/* From the last term, at the root, to the first. */
static void collect(rewriter *r, int node, sum *s) {
  for (;;) {
    const ik_expr *e = r->nodes.node[node];
    const int     *arg = r->nodes.arg[node];
    if (is_sum(e) && e->op == IK_OP_FMA) {
      push(r, s, arg[0], arg[1], false);
      node = arg[2];
    } else if (is_sum(e)) {
      push(r, s, -1, arg[1], e->op == IK_OP_SUB);
      node = arg[0];
    } else if (e->op == IK_OP_MUL) {
      push(r, s, arg[0], arg[1], false);
      break;
    } else {
      push(r, s, -1, e->op == IK_OP_NEG ? arg[0] : node, e->op == IK_OP_NEG);
      break;
    }
  }
  for (int i = 0; i < s->n; i++) s->term[i].text = s->n - 1 - i;
}

/* ---- what kind of sum is it? ---- */

static term_kind kind_of(const rewriter *r, const term *t) {
  const ik_expr *v = r->nodes.node[t->value];
  if (is_lateral(r, t->coef)) return OTHER;
  if (r->lateral[t->value]) {
    if (v->op == IK_OP_READ) return FABRIC;
    return r->fabric[t->value] ? INNER : OTHER;
  }
  return v->op == IK_OP_READ && v->off[2] ? COLUMN : LOCAL;
}

static int count(const sum *s, term_kind k) {
  int n = 0;
  for (int i = 0; i < s->n; i++) n += s->term[i].kind == k;
  return n;
}

static bool is_same_column(const ik_expr *a, const ik_expr *b) {
  return a->op == IK_OP_READ && b->op == IK_OP_READ && a->id == b->id && a->level == b->level;
}

/* The own cell of a field whose neighbours arrive comes with them. */
static void hear_itself(const rewriter *r, sum *s) {
  for (int i = 0; i < s->n; i++)
    for (int k = 0; s->term[i].kind == LOCAL && k < s->n; k++)
      if (s->term[k].kind == FABRIC &&
          is_same_column(r->nodes.node[s->term[i].value], r->nodes.node[s->term[k].value]))
        s->term[i].kind = FABRIC;
}

static void classify(rewriter *r, sum *s) {
  for (int i = 0; i < s->n; i++) {
    if (s->term[i].coef >= 0) rewrite(r, s->term[i].coef);
    rewrite(r, s->term[i].value);
    s->term[i].kind = kind_of(r, &s->term[i]);
  }
  hear_itself(r, s);
}

/* ---- the order of the wafer ---- */

typedef struct placed {
  term t;
  int  key[7]; /* kind, field, level, direction and place within it */
} placed;

/* East, west, south, north as the words flow; then diagonals.  The own cell is in front. */
static int direction(const ik_expr *v) {
  if (v->off[0] && v->off[1]) return 4;
  if (v->off[0]) return v->off[0] < 0 ? 0 : 1;
  return v->off[1] == 0 ? -1 : v->off[1] < 0 ? 2 : 3;
}

static placed place(const rewriter *r, const term *t) {
  const ik_expr *v = r->nodes.node[t->value];
  placed         p = {.t = *t, .key = {t->kind == INNER ? -1 : (int)t->kind}};
  if (t->kind != FABRIC && t->kind != COLUMN) return p;
  int dir = direction(v);
  p.key[1] = v->id, p.key[2] = -v->level, p.key[3] = dir;
  p.key[4] = dir == 4 ? v->off[1] : abs(v->off[0] + v->off[1]);
  p.key[5] = dir == 4 ? v->off[0] : 0, p.key[6] = v->off[2];
  return p;
}

static int compare(const void *pa, const void *pb) {
  const placed *a = pa, *b = pb;
  for (int k = 0; k < 7; k++)
    if (a->key[k] != b->key[k]) return a->key[k] < b->key[k] ? -1 : 1;
  return a->t.text - b->t.text;
}

/* ---- building ---- */

static const ik_expr *op(rewriter *r, ik_op o, const ik_expr *x, const ik_expr *y,
                         const ik_expr *z) {
  ik_expr *e = IK_NEW(r->a, ik_expr);
  *e = (ik_expr){.op = o, .type = IK_F32, .arg = {x, y, z}, .span = x->span};
  return e;
}

static const ik_expr *constant(rewriter *r, double v, ik_span at) {
  ik_expr *e = IK_NEW(r->a, ik_expr);
  *e = (ik_expr){.op = IK_OP_CONST, .type = IK_F32, .value = v, .span = at};
  return e;
}

/* What an element multiplies with; where the sum says nothing, one. */
static const ik_expr *factor(rewriter *r, const term *t) {
  if (t->coef >= 0) return r->done[t->coef];
  return constant(r, t->negative ? -1 : 1, r->done[t->value]->span);
}

static const ik_expr *begin(rewriter *r, const term *t) {
  const ik_expr *v = r->done[t->value];
  if (t->kind != INNER) return constant(r, 0, v->span);
  if (t->coef >= 0) return op(r, IK_OP_MUL, r->done[t->coef], v, NULL);
  return t->negative ? op(r, IK_OP_NEG, v, NULL, NULL) : v;
}

static const ik_expr *add(rewriter *r, const ik_expr *acc, const term *t) {
  const ik_expr *v = r->done[t->value];
  if (t->kind == FABRIC)
    return op(r, IK_OP_ADD, acc, op(r, IK_OP_MUL, factor(r, t), v, NULL), NULL);
  if (t->coef >= 0) return op(r, IK_OP_FMA, r->done[t->coef], v, acc);
  return op(r, t->negative ? IK_OP_SUB : IK_OP_ADD, acc, v, NULL);
}

static const ik_expr *in_order(rewriter *r, const sum *s) {
  placed *p = IK_NEW_N(r->a, placed, s->n);
  for (int i = 0; i < s->n; i++) p[i] = place(r, &s->term[i]);
  qsort(p, (size_t)s->n, sizeof *p, compare);
  const ik_expr *acc = begin(r, &p[0].t);
  for (int i = p[0].t.kind == INNER; i < s->n; i++) acc = add(r, acc, &p[i].t);
  return acc;
}

/* The operand along which a sum grows; -1: it is none. */
static int grows_along(const ik_expr *e) {
  if (!is_sum(e)) return -1;
  return e->op == IK_OP_FMA ? 2 : 0;
}

/* The same operation on rewritten operands.  A sum stays one, whatever its parts could be. */
static const ik_expr *as_it_stands(rewriter *r, int node) {
  const ik_expr *first = NULL, **to = &first;
  for (int along = 0; along >= 0;) {
    ik_expr *e = IK_NEW(r->a, ik_expr);
    *e = *r->nodes.node[node];
    along = grows_along(e);
    for (int k = 0; k < ik_op_nargs(e->op); k++)
      if (k != along) e->arg[k] = rewrite(r, r->nodes.arg[node][k]);
    *to = e;
    if (along >= 0) to = &e->arg[along], node = r->nodes.arg[node][along];
  }
  return first;
}

/* Over the fabric, or going on from one that is. */
static bool is_wafer_sum(const sum *s) {
  int fabric = count(s, FABRIC), inner = count(s, INNER);
  return count(s, OTHER) == 0 && ((fabric > 0 && inner == 0) || (fabric == 0 && inner == 1));
}

static const ik_expr *rewrite(rewriter *r, int node) {
  if (r->done[node]) return r->done[node];
  const ik_expr *e = r->nodes.node[node];
  sum            s = {0};
  if (!r->lateral[node]) return r->done[node] = e;
  if (is_sum(e)) {
    collect(r, node, &s);
    classify(r, &s);
  }
  r->fabric[node] = s.n && is_wafer_sum(&s);
  return r->done[node] = r->fabric[node] ? in_order(r, &s) : as_it_stands(r, node);
}

/* ---- statements ---- */

static const ik_expr *rewrite_value(const ik_expr *e, ik_arena *a) {
  rewriter r = {.a = a};
  ik_nodes_of(e, a, &r.nodes);
  r.lateral = IK_NEW_N(a, bool, r.nodes.n);
  r.fabric = IK_NEW_N(a, bool, r.nodes.n);
  r.done = IK_NEW_N(a, const ik_expr *, r.nodes.n);
  for (int i = 0; i < r.nodes.n; i++) {
    r.lateral[i] = ik_wse2_is_lateral(r.nodes.node[i]);
    for (int k = 0; k < 3; k++) r.lateral[i] |= is_lateral(&r, r.nodes.arg[i][k]);
  }
  return rewrite(&r, r.nodes.n - 1);
}

static ik_stmt *rewrite_list(const ik_stmt *list, ik_arena *a) {
  ik_stmt *first = NULL, **end = &first;
  for (const ik_stmt *s = list; s; s = s->next) {
    ik_stmt *copy = IK_NEW(a, ik_stmt);
    *copy = *s;
    if (s->value) copy->value = rewrite_value(s->value, a);
    copy->body = rewrite_list(s->body, a), copy->pre = rewrite_list(s->pre, a);
    *end = copy, end = &copy->next;
  }
  return first;
}

const ik_ir *ik_wse2_rule(const ik_ir *ir, ik_arena *a) {
  if (ir->arithmetic == IK_PLAIN) return ir;
  ik_ir *out = IK_NEW(a, ik_ir);
  *out = *ir;
  out->body = rewrite_list(ir->body, a);
  return out;
}
