/* A symbol is held as the sum of its weights plus the sum of weight * (exp(i angle) - 1): what
 * makes long waves differ from a constant is then known to its last digits, however small it is.
 *
 * Powers are made by repeated squaring, which multiplies the relative error of G (half a unit in
 * the last place at best) by n: 1e-13 in a thousand steps, 1e-7 in a billion. */
#include "facts/amplification.h"
#include "facts/linear.h"
#include "facts/nodes.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { W = IK_SYMBOL_WAVES, MOST_UNKNOWNS = 64 };
typedef double waves[W];

/* ---- the step and its weights ---- */

typedef struct leaves {
  const double *scalar; /* NULL: not known yet, any number will do */
  const char   *why;
} leaves;

static double freeze(void *ctx, const ik_expr *leaf) {
  leaves *l = ctx;
  if (leaf->op == IK_OP_SCALAR) return l->scalar ? l->scalar[leaf->id] : 1;
  l->why = leaf->op == IK_OP_READ   ? "the step reads a field that it does not update"
           : leaf->op == IK_OP_TIME ? "the step depends on the time"
                                    : "the step is not the same in every cell";
  return NAN;
}

/* ---- does it apply? ---- */

static int count_unknowns(const ik_ir *ir, const ik_subject *s) {
  int n = 0;
  for (int f = 0; f < ir->nfield; f++)
    if (s->updated[f]) n += ir->field[f].history;
  return n;
}

static const char *refuse_kind(const ik_ir *ir, const ik_subject *s) {
  if (ir->ninject) return "a source adds to a field in each step";
  if (s->nsweep) return "the step contains a sweep";
  if (s->nreduce || s->nset) return "a scalar is computed within the step";
  for (int f = 0; f < ir->nfield; f++)
    if (s->updated[f] && ir->field[f].kind == IK_FIELD_HIDDEN) return "a boundary absorbs";
  int n = count_unknowns(ir, s);
  if (!n) return "the step updates no field";
  if (n > MOST_UNKNOWNS) return "too many fields and levels are updated";
  return NULL;
}

static bool is_whole(const ik_field *f, const ik_box *b) {
  for (int d = 0; d < IK_MAX_DIM; d++)
    if (b->lo[d] > f->box.lo[d] || b->hi[d] < f->box.hi[d]) return false;
  return true;
}

static bool is_everywhere(const ik_ir *ir, const ik_field *f) {
  for (int d = 0; d < ir->ndim; d++)
    if (!f->on[d]) return false;
  return true;
}

static const char *refuse_assign(const ik_ir *ir, const ik_stmt *st, const ik_form *form) {
  const ik_field *f = &ir->field[st->field];
  bool            stored = ik_is_stored(ir, st->field);
  if (!stored && !form->depends) return NULL; /* a coefficient with a name */
  if (!ik_type_is_float(f->type)) return "the step computes with integers";
  if (!is_everywhere(ir, f)) return "a field is not on all axes";
  if (!is_whole(f, &st->box)) return "the step is not the same in every cell";
  if (stored && !f->has_new && f->history > 1) return "a field with a history is updated in place";
  if (stored && st->level != f->has_new) return "a field is updated in two ways";
  return NULL;
}

/* Where nothing is read along an axis, its boundaries do not matter. */
static const char *refuse_boundary(const ik_ir *ir, const ik_linear_loop *s) {
  bool reaches[IK_MAX_DIM] = {false};
  for (int i = 0; i < s->subject.n; i++)
    for (int k = 0; k < s->pattern.work[i].nreads; k++)
      for (int d = 0; d < IK_MAX_DIM; d++) {
        const ik_hull *h = &s->pattern.work[i].reads[k].hull;
        reaches[d] |= h->lo[d] || h->hi[d];
      }
  for (int f = 0; f < ir->nfield; f++)
    for (int d = 0; d < ir->ndim; d++) {
      const ik_bc *bc = ir->field[f].bc[d];
      if (!s->subject.updated[f] || !reaches[d]) continue;
      if (bc[0].kind != IK_BC_PERIODIC || bc[1].kind != IK_BC_PERIODIC)
        return "a boundary is not periodic";
    }
  return NULL;
}

static const char *obstacle(const ik_ir *ir, const ik_stmt *steps, ik_arena *a) {
  leaves                l = {NULL, NULL};
  const ik_linear_loop *s = ik_linear_loop_of(ir, steps, freeze, &l, a);
  const char           *why = refuse_kind(ir, &s->subject);
  for (int i = 0; !why && i < s->subject.n; i++)
    why = refuse_assign(ir, s->subject.work[i].stmt, &s->linear.form[i]);
  if (why) return why;
  if (!s->linear.linear) return "the step is not linear in the fields it updates";
  if (l.why) return l.why;
  if (s->linear.input >= 0) return "the step reads a field that it does not update";
  if (!s->linear.homogeneous) return "the step adds something that no field is a factor of";
  return refuse_boundary(ir, s);
}

static const char *judge(const ik_ir *ir, const ik_stmt *steps, ik_arena *a) {
  if (setjmp(a->oom)) return "there is not enough memory to find out";
  return obstacle(ir, steps, a);
}

const char *ik_amplification_illegal(const ik_ir *ir, const ik_stmt *steps) {
  ik_arena a;
  ik_arena_init(&a);
  const char *why = judge(ir, steps, &a);
  ik_arena_free(&a);
  return why;
}

/* ---- turns ---- */

/* exp(2 pi i j/n) - 1 from half the angle: exact to the last digits for small ones. */
static ik_cplx turn_exactly(int64_t j, int64_t n) {
  static const ik_hull once = {{1}, {1}};
  ik_phases            p;
  double               half[IK_MAX_DIM] = {(double)j / (double)n};
  p.ndim = 0;
  ik_phases_fill(&p, 1, &once, half);
  ik_cplx h = p.axis[0][1 + IK_ANGLES_RADIUS];
  return (ik_cplx){-2 * h.im * h.im, 2 * h.im * h.re};
}

static ik_turns turns_of(int64_t n, ik_arena *a) {
  ik_turns t = {.n = n};
  while (INT64_C(1) << 2 * t.shift < n) t.shift++;
  int64_t  nlow = INT64_C(1) << t.shift, nhigh = (n / 2 >> t.shift) + 1;
  ik_cplx *low = IK_NEW_N(a, ik_cplx, nlow), *high = IK_NEW_N(a, ik_cplx, nhigh);
  for (int64_t j = 0; j < nlow; j++) low[j] = turn_exactly(j, n);
  for (int64_t j = 0; j < nhigh; j++) high[j] = turn_exactly(j << t.shift, n);
  t.low = low, t.high = high;
  return t;
}

/* (1 + a) (1 + b) - 1 */
static ik_cplx both_turns(ik_cplx a, ik_cplx b) { return ik_plus(ik_plus(a, b), ik_times(a, b)); }

/* 0 <= j < n.  Both parts turn the same way, so that nothing cancels. */
static ik_cplx turn(const ik_turns *t, int64_t j) {
  bool back = j > t->n - j;
  if (back) j = t->n - j;
  ik_cplx m = both_turns(t->low[j & ((INT64_C(1) << t->shift) - 1)], t->high[j >> t->shift]);
  if (back) m.im = -m.im;
  return m;
}

/* ---- sums of weights ---- */

typedef struct list { /* of terms, growing */
  ik_arena              *a;
  ik_amplification_term *term;
  int                    n, cap;
} list;

static int compare_offsets(const int64_t a[IK_MAX_DIM], const int64_t b[IK_MAX_DIM]) {
  for (int d = 0; d < IK_MAX_DIM; d++)
    if (a[d] != b[d]) return a[d] < b[d] ? -1 : 1;
  return 0;
}

static int compare_terms(const void *a, const void *b) {
  const ik_amplification_term *x = a, *y = b;
  return compare_offsets(x->off, y->off);
}

static void merge(list *l) {
  int n = 0;
  if (l->n) qsort(l->term, (size_t)l->n, sizeof *l->term, compare_terms);
  for (int i = 0; i < l->n; i++)
    if (n && compare_terms(&l->term[n - 1], &l->term[i]) == 0)
      l->term[n - 1].weight += l->term[i].weight;
    else
      l->term[n++] = l->term[i];
  l->n = n;
}

/* What rounding may have done to a sum of these weights. */
static double slack(const list *l) {
  double sum = 0;
  for (int i = 0; i < l->n; i++) sum += fabs(l->term[i].weight);
  return 4 * 0x1p-52 * sum;
}

/* Adds up to twice the precision.  An error of e in this makes the mean of a wave equation grow by
 * e n^2/2.  So weights as written count to the last digit: the interpreter, too, follows what they
 * miss a whole number by.  Weights that were computed here do not have that digit, and what is a
 * whole number but for it is taken for one: then u stays u where nothing happens. */
static void add_up(const list *l, bool as_written, ik_amplification_sum *out) {
  double sum = 0, missing = 0;
  for (int i = 0; i < l->n; i++) {
    double w = l->term[i].weight, next = sum + w, part = next - sum;
    missing += (sum - (next - part)) + (w - part);
    sum = next;
  }
  bool whole = fabs(sum - round(sum)) <= slack(l);
  out->total = whole ? round(sum) : sum;
  out->excess = whole && !as_written ? 0 : sum - out->total + missing;
}

static bool is_symmetric(const list *l, const int64_t n[IK_MAX_DIM]) {
  double most = slack(l);
  for (int i = 0; i < l->n; i++) {
    ik_amplification_term mirror;
    for (int d = 0; d < IK_MAX_DIM; d++) mirror.off[d] = (n[d] - l->term[i].off[d]) % n[d];
    const ik_amplification_term *m =
        bsearch(&mirror, l->term, (size_t)l->n, sizeof mirror, compare_terms);
    if (!(fabs(l->term[i].weight - (m ? m->weight : 0)) <= most)) return false;
  }
  return true;
}

/* The value at level -m is u less the m changes since then. */
static ik_amplification_sum sum_of(const ik_ir *ir, const ik_coefs *after, const ik_unknown *v,
                                   bool as_written, ik_amplification *s, ik_arena *a) {
  static const int64_t here[IK_MAX_DIM] = {0};
  list                 l = {.a = a};
  for (int i = 0; i < after->n; i++) {
    const ik_coef *c = &after->c[i];
    if (c->at.field != v->field || v->back > -c->at.level) continue;
    ik_amplification_term t = {.shift = -1, .weight = v->back ? -c->weight : c->weight};
    for (int d = 0; d < IK_MAX_DIM; d++) t.off[d] = (c->at.off[d] % ir->n[d] + ir->n[d]) % ir->n[d];
    IK_PUSH(a, l.term, l.n, l.cap, t);
  }
  ik_amplification_sum sum;
  add_up(&l, as_written, &sum);
  merge(&l);
  s->real &= is_symmetric(&l, ir->n);
  sum.n = l.n, sum.term = l.term;
  if (l.n && compare_offsets(l.term[0].off, here) == 0) sum.term++, sum.n--;
  return sum;
}

/* ---- the whole ---- */

static bool is_number(const ik_expr *e) { return e->op == IK_OP_CONST || e->op == IK_OP_SCALAR; }

static bool is_term(const ik_expr *a, const ik_expr *b) {
  return (is_number(a) && b->op == IK_OP_READ) || (is_number(b) && a->op == IK_OP_READ);
}

/* Sums of numbers times values from before the step: then the weights are these numbers. */
static bool keeps_weights(const ik_ir *ir, const ik_expr *e) {
  const ik_field *f = &ir->field[e->id];
  switch (e->op) {
  case IK_OP_CONST:
  case IK_OP_SCALAR:
  case IK_OP_NEG:
  case IK_OP_ADD:
  case IK_OP_SUB: return true;
  case IK_OP_MUL:
  case IK_OP_FMA: return is_term(e->arg[0], e->arg[1]);
  case IK_OP_READ: return f->has_new && e->level <= 0;
  default: return false;
  }
}

/* ... each value once: numbers are then not added up, either. */
static bool is_as_written(const ik_ir *ir, const ik_linear_loop *s, int field, ik_arena *a) {
  int      i = 0, reads = 0;
  ik_nodes n;
  while (s->subject.work[i].stmt->field != field) i++;
  ik_nodes_of(s->subject.work[i].stmt->value, a, &n);
  for (int k = 0; k < n.n; k++) {
    if (!keeps_weights(ir, n.node[k])) return false;
    reads += n.node[k]->op == IK_OP_READ;
  }
  return reads == s->linear.form[i].reads.n;
}

static ik_unknown *list_unknowns(const ik_ir *ir, const ik_subject *s, int n, ik_arena *a) {
  ik_unknown *var = IK_NEW_N(a, ik_unknown, n);
  int         k = 0;
  for (int f = 0; f < ir->nfield; f++)
    for (int back = 0; s->updated[f] && back < ir->field[f].history; back++)
      var[k++] = (ik_unknown){f, back};
  return var;
}

static void number_shifts(ik_amplification *s, ik_amplification_sum *sum, ik_arena *a) {
  int64_t *shift = NULL;
  int      cap = 0;
  for (int i = 0; i < s->nvar * s->nvar; i++)
    for (int k = 0; k < sum[i].n; k++) {
      ik_amplification_term *t = &sum[i].term[k];
      if (!t->off[0]) continue;
      for (t->shift = 0; t->shift < s->nshift && shift[t->shift] != t->off[0];) t->shift++;
      if (t->shift == s->nshift) IK_PUSH(a, shift, s->nshift, cap, t->off[0]);
    }
  s->shift = shift;
}

void ik_amplification_of(const ik_ir *ir, const ik_stmt *steps, const double *scalar, ik_arena *a,
                         ik_amplification *out) {
  leaves                 l = {scalar, NULL};
  const ik_linear_loop  *s = ik_linear_loop_of(ir, steps, freeze, &l, a);
  const ik_coefs *const *after = ik_linear_after(&s->ir, &s->subject, &s->linear, a);
  int                    n = count_unknowns(ir, &s->subject);
  ik_amplification_sum  *sum = IK_NEW_N(a, ik_amplification_sum, n * n);
  *out = (ik_amplification){.nvar = n, .sum = sum, .real = true};
  out->var = list_unknowns(ir, &s->subject, n, a);
  for (int r = 0; r < n; r += ir->field[out->var[r].field].history) {
    int  field = out->var[r].field;
    bool as_written = is_as_written(ir, s, field, a);
    for (int v = 0; v < n; v++)
      sum[r * n + v] = sum_of(ir, after[field], &out->var[v], as_written, out, a);
  }
  number_shifts(out, sum, a);
  for (int d = 0; d < IK_MAX_DIM; d++) out->axis[d] = turns_of(ir->n[d], a);
}

/* ---- G(k) for a row of waves ---- */

typedef struct desk { /* scratch; a real number has one plane, a complex one two */
  int    planes;
  waves *turn;      /* [nshift][2] exp(i angle) - 1 along axis 0 */
  waves *g, *other; /* [nvar][nvar][planes] */
  waves *x;         /* [nvar][2] */
} desk;

static desk lay_out(const ik_amplification *s, double *scratch) {
  desk k = {.planes = s->real ? 1 : 2, .turn = (waves *)scratch};
  k.g = k.turn + 2 * s->nshift;
  k.other = k.g + k.planes * s->nvar * s->nvar;
  k.x = k.other + k.planes * s->nvar * s->nvar;
  return k;
}

int64_t ik_amplification_scratch(const ik_amplification *s) {
  return W * (2 * (int64_t)s->nshift + 4 * s->nvar * s->nvar + 2 * s->nvar);
}

void ik_amplification_turn(const ik_amplification *s, int64_t first, double *scratch) {
  desk    k = lay_out(s, scratch);
  int64_t n = s->axis[0].n;
  for (int i = 0; i < s->nshift; i++) {
    int64_t j = s->shift[i] * first % n;
    for (int w = 0; w < W; w++) {
      ik_cplx m = turn(&s->axis[0], j);
      k.turn[2 * i][w] = m.re, k.turn[2 * i + 1][w] = m.im;
      j = j + s->shift[i] < n ? j + s->shift[i] : j + s->shift[i] - n;
    }
  }
}

static void add_constant(waves *to, int planes, ik_cplx c) {
  for (int w = 0; w < W; w++) to[0][w] += c.re;
  for (int w = 0; planes == 2 && w < W; w++) to[1][w] += c.im;
}

static void add_turned(waves *restrict to, int planes, ik_cplx c, const waves *restrict turn) {
  for (int w = 0; w < W; w++) to[0][w] += c.re * turn[0][w] - c.im * turn[1][w];
  for (int w = 0; planes == 2 && w < W; w++) to[1][w] += c.re * turn[1][w] + c.im * turn[0][w];
}

static ik_cplx turn_across(const ik_amplification *s, const int64_t k[IK_MAX_DIM],
                           const ik_amplification_term *t) {
  ik_cplx m = turn(&s->axis[1], t->off[1] * k[1] % s->axis[1].n);
  if (!t->off[2]) return m;
  return both_turns(m, turn(&s->axis[2], t->off[2] * k[2] % s->axis[2].n));
}

/* All but the total: the sum of weight * (exp(i angle) - 1).  With p of the axes across and x of
 * axis 0, p x - 1 = p (x - 1) + (p - 1): terms of the same x are added up first. */
static void fill_entry(const ik_amplification *s, const ik_amplification_sum *sum,
                       const int64_t k[IK_MAX_DIM], const desk *y, waves *to) {
  ik_cplx rest = {sum->excess, 0};
  memset(to, 0, sizeof *to * (size_t)y->planes);
  for (int i = 0; i < sum->n;) {
    ik_cplx along = {0, 0};
    int     shift = sum->term[i].shift;
    for (; i < sum->n && sum->term[i].shift == shift; i++) {
      double  weight = sum->term[i].weight;
      ik_cplx m = turn_across(s, k, &sum->term[i]);
      rest = ik_plus(rest, (ik_cplx){weight * m.re, weight * m.im});
      along = ik_plus(along, (ik_cplx){weight + weight * m.re, weight * m.im});
    }
    if (shift >= 0) add_turned(to, y->planes, along, &y->turn[2 * shift]);
  }
  add_constant(to, y->planes, rest);
}

/* u' is the sums; u' - u the same less one u, which is taken off before anything is rounded; older
 * changes move on. */
static void fill_row(const ik_amplification *s, int r, const int64_t k[IK_MAX_DIM], const desk *y) {
  int    n = s->nvar, back = s->var[r].back;
  bool   changes = r + 1 < n && s->var[r + 1].back == 1;
  size_t bytes = sizeof(waves) * (size_t)y->planes;
  for (int v = 0; v < n; v++) {
    waves *to = y->g + (r * n + v) * y->planes;
    double total = s->sum[(back ? r - 1 : r) * n + v].total, before = v == r - 1;
    if (!back) fill_entry(s, &s->sum[r * n + v], k, y, to);
    if (!back && changes) memcpy(to + n * y->planes, to, bytes); /* as row r + 1 begins */
    if (back > 1) memset(to, 0, bytes);
    add_constant(to, y->planes, (ik_cplx){!back ? total : back == 1 ? total - before : before, 0});
  }
}

/* ---- powers ---- */

static void add_product(waves *restrict to, const waves *restrict a, const waves *restrict b,
                        int planes_a, int planes_b) {
  if (planes_a == 1) {
    for (int p = 0; p < planes_b; p++)
      for (int w = 0; w < W; w++) to[p][w] += a[0][w] * b[p][w];
    return;
  }
  for (int w = 0; w < W; w++) {
    double re = a[0][w] * b[0][w] - a[1][w] * b[1][w];
    double im = a[0][w] * b[1][w] + a[1][w] * b[0][w];
    to[0][w] += re, to[1][w] += im;
  }
}

/* to = a * b, where `b` has `columns` columns of `planes` planes. */
static void multiply(const desk *y, int n, const waves *a, const waves *b, int columns, int planes,
                     waves *to) {
  memset(to, 0, sizeof *to * (size_t)(n * columns * planes));
  for (int r = 0; r < n; r++)
    for (int c = 0; c < columns; c++)
      for (int v = 0; v < n; v++)
        add_product(to + (r * columns + c) * planes, a + (r * n + v) * y->planes,
                    b + (v * columns + c) * planes, y->planes, planes);
}

void ik_amplification_power(const ik_amplification *s, const int64_t k[IK_MAX_DIM], int64_t n,
                            double *scratch, double *x) {
  desk   y = lay_out(s, scratch);
  size_t bytes = sizeof(waves) * (size_t)(2 * s->nvar);
  for (int r = 0; r < s->nvar; r++) fill_row(s, r, k, &y);
  while (n > 0) {
    if (n & 1) {
      multiply(&y, s->nvar, y.g, (const waves *)x, 1, 2, y.x);
      memcpy(x, y.x, bytes);
    }
    if (n >>= 1) {
      multiply(&y, s->nvar, y.g, y.g, s->nvar, y.planes, y.other);
      waves *squared = y.other;
      y.other = y.g, y.g = squared;
    }
  }
}
