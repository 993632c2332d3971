#include "model/interpreter.h"
#include "facts/nodes.h"
#include <math.h>

enum { ROW = 256 }; /* cells that the interpreter takes at a time */

typedef struct shape { /* how a statement's box is walked */
  double rows, length; /* of a row */
  double begins;       /* pieces of rows that are begun */
  bool   swept;        /* index by index: expressions are looked at before each */
} shape;

static bool has_axis(const ik_stmt *sweep, int d) {
  for (int k = 0; k < sweep->naxes; k++)
    if (sweep->axis[k] == d) return true;
  return false;
}

static shape shape_of(const ik_stmt *s, const ik_stmt *sweep) {
  double cells = (double)ik_box_cells(&s->box), length = (double)(s->box.hi[0] - s->box.lo[0]);
  shape  x = {.swept = sweep};
  if (!(cells > 0)) return x;
  x.length = sweep && has_axis(sweep, 0) ? 1 : length;
  x.rows = cells / x.length;
  x.begins = x.rows * ceil(x.length / ROW);
  return x;
}

/* ---- one node, for all cells ---- */

/* Cells of a row that lie beyond a face of the field. */
static double beyond(const ik_ir *ir, const ik_stmt *s, const ik_expr *e) {
  const ik_box *f = &ir->field[e->id].box;
  int64_t       lo = s->box.lo[0] + e->off[0], hi = s->box.hi[0] + e->off[0];
  int64_t       n = (lo < f->lo[0] ? f->lo[0] - lo : 0) + (hi > f->hi[0] ? hi - f->hi[0] : 0);
  return ir->field[e->id].on[0] ? (double)n : 1;
}

static bool is_called(ik_op op, ik_type t) {
  bool product = op == IK_OP_MUL || op == IK_OP_DIV || op == IK_OP_FMA;
  bool common = t == IK_F64 || t == IK_F32 || t == IK_BOOL || (t == IK_I32 && !product);
  return !common || op == IK_OP_SQRT || op == IK_OP_MOD || op == IK_OP_ABS || op == IK_OP_FLOOR ||
         op == IK_OP_CAST;
}

static bool is_function(ik_op op) {
  switch (op) {
  case IK_OP_EXP:
  case IK_OP_LOG:
  case IK_OP_SIN:
  case IK_OP_COS:
  case IK_OP_TAN:
  case IK_OP_TANH:
  case IK_OP_ATAN:
  case IK_OP_POW:
  case IK_OP_NOISE:
  case IK_OP_TABLE: return true;
  default: return false;
  }
}

static bool is_narrow(ik_type t) { return t != IK_F64 && t != IK_BOOL; }

static void count_read(const ik_ir *ir, const ik_stmt *s, const ik_expr *e, const shape *x,
                       double times, ik_interpreter *c) {
  double cells = x->rows * x->length, edge = beyond(ir, s, e) * cells;
  edge /= (double)(s->box.hi[0] - s->box.lo[0]);
  c->edge += times * edge;
  if (is_narrow(ir->field[e->id].type)) c->round += times * (cells - edge);
}

static void count_node(const ik_ir *ir, const ik_stmt *s, const ik_expr *e, const shape *x,
                       double times, ik_interpreter *c) {
  double cells = times * x->rows * x->length;
  c->node += times * x->begins * (x->swept ? 2 : 1);
  if (e->op == IK_OP_READ) {
    count_read(ir, s, e, x, times, c);
    return;
  }
  if (is_function(e->op))
    c->function += cells;
  else if (is_called(e->op, e->type))
    c->call += cells;
  else if (e->op == IK_OP_DIV)
    c->divide += cells;
  else
    c->cell += cells;
  if (is_narrow(e->type)) c->round += cells;
}

/* ---- statements ---- */

/* A constant factor of an fma is taken as it is. */
static bool is_factor(const ik_expr *user, int operand) {
  return user->op == IK_OP_FMA && operand == 0 && user->arg[0]->op == IK_OP_CONST;
}

/* Users stand behind their operands: backwards, it is known how often a node is evaluated. */
static void count_expr(const ik_ir *ir, const ik_stmt *s, const shape *x, ik_arena *a,
                       ik_interpreter *c) {
  ik_nodes nodes;
  ik_nodes_of(s->value, a, &nodes);
  double *times = IK_NEW_N(a, double, nodes.n + 1);
  times[nodes.n - 1] = 1;
  for (int i = nodes.n - 1; i >= 0; i--) {
    if (times[i] > 0) count_node(ir, s, nodes.node[i], x, times[i], c);
    for (int k = 0; k < 3; k++)
      if (nodes.arg[i][k] >= 0 && !is_factor(nodes.node[i], k)) times[nodes.arg[i][k]] += times[i];
  }
}

static void count_list(const ik_ir *ir, const ik_stmt *s, const ik_stmt *end, const ik_stmt *sweep,
                       ik_arena *a, ik_interpreter *c) {
  for (; s != end; s = s->next) {
    shape x = shape_of(s, sweep);
    if (s->kind == IK_SWEEP) count_list(ir, s->body, NULL, s, a, c);
    if (s->kind == IK_SET) x = (shape){1, 1, 1, false};
    if (s->kind != IK_ASSIGN && s->kind != IK_REDUCE && s->kind != IK_SET) continue;
    count_expr(ir, s, &x, a, c);
    c->node += x.begins; /* a row is stored, or added up */
    if (s->kind == IK_REDUCE) c->reduce += x.rows * x.length;
    if (s->kind == IK_ASSIGN && is_narrow(ir->field[s->field].type))
      c->round += x.rows * x.length;
    else
      c->cell += x.rows * x.length;
  }
}

void ik_interpreter_count(const ik_ir *ir, const ik_stmt *first, const ik_stmt *end, ik_arena *a,
                          ik_interpreter *count) {
  *count = (ik_interpreter){0};
  count_list(ir, first, end, NULL, a, count);
}

void ik_interpreter_count_points(const ik_ir *ir, ik_arena *a, ik_interpreter *c) {
  *c = (ik_interpreter){0};
  for (int j = 0; j < ir->ninject; j++) {
    const ik_inject *q = &ir->inject[j];
    ik_stmt          s = {.kind = IK_SET, .box = {.hi = {1, 1, 1}}, .value = q->value};
    shape            x = {.rows = q->ntap, .length = 1, .begins = q->ntap};
    count_expr(ir, &s, &x, a, c);
    c->call += q->ntap;
  }
  for (int i = 0; i < ir->nrecord; i++)
    c->call += (double)ir->record[i].npoint * ir->record[i].ntap / (double)ir->record[i].every;
}

double ik_interpreter_cycles(const ik_interpreter *n, const ik_interpreter *c) {
  return n->node * c->node + n->cell * c->cell + n->round * c->round + n->divide * c->divide +
         n->call * c->call + n->function * c->function + n->edge * c->edge + n->reduce * c->reduce;
}
