#include "targets/cpu/tally.h"
#include "emit/expr.h"
#include "facts/nodes.h"
#include <math.h>

/* ---- values, each once ---- */

typedef struct seen { /* hashes of values, 0: nothing */
  uint64_t *slot, mask;
} seen;

static uint64_t mix(uint64_t h, uint64_t word) {
  h = (h ^ word) * UINT64_C(0x9e3779b97f4a7c15);
  return h ^ h >> 29;
}

static bool is_new(const seen *s, uint64_t h) {
  if (!h) h = 1;
  uint64_t i = h & s->mask;
  while (s->slot[i] && s->slot[i] != h) i = (i + 1) & s->mask;
  bool fresh = !s->slot[i];
  s->slot[i] = h;
  return fresh;
}

static seen room_for(int64_t n, ik_arena *a) {
  uint64_t slots = 64;
  while (slots < 2 * (uint64_t)n) slots *= 2;
  return (seen){IK_NEW_N(a, uint64_t, slots), slots - 1};
}

/* ---- one result ---- */

typedef struct value {
  uint64_t what;   /* two that are computed alike from the same cells have the same */
  bool     varies; /* along lanes; else it is made once for a row */
} value;

typedef struct cell { /* of a block, from its first */
  int at[IK_NROLES];
} cell;

typedef struct tally {
  const ik_pass        *p;
  const ik_pipe_kernel *k;
  const ik_nodes       *nodes;  /* [nstmt] */
  value                *of;     /* [most nodes of a statement] */
  value                *done;   /* [nstmt] */
  bool                 *wanted; /* [most nodes of a statement] */
  seen                  seen;
  ik_pipeline_stage    *out;
} tally;

static value read_of(const tally *t, const cell *c, const ik_expr *e) {
  value v = {.what = mix(mix(IK_OP_READ, (uint64_t)e->id), (uint64_t)e->level)};
  for (int i = 0; i < t->k->ninput; i++) {
    const ik_pipe_value *in = &t->k->input[i];
    if (in->field != e->id || in->level != e->level) continue;
    v.varies = in->on[IK_LANE];
    for (ik_role r = 0; r < IK_NROLES; r++) {
      int axis = t->p->axis[r], at = in->on[r] ? c->at[r] + (axis < 0 ? 0 : e->off[axis]) : 0;
      v.what = mix(v.what, (uint64_t)at);
    }
  }
  return v;
}

static value leaf(const tally *t, const cell *c, const ik_expr *e, int stmt) {
  union {
    double   number;
    uint64_t bits;
  } x = {e->value};
  value v = {.what = mix(mix(mix((uint64_t)e->op, (uint64_t)e->type), (uint64_t)e->id), x.bits)};
  int   made = e->op == IK_OP_READ ? ik_pipe_assigned_by(t->p, t->k, stmt, e) : -1;
  if (made >= 0) return t->done[made];
  if (e->op == IK_OP_READ) return read_of(t, c, e);
  v.varies = e->op == IK_OP_NOISE || (e->op == IK_OP_COORD && e->id == 0);
  for (ik_role r = 0; r < IK_NROLES; r++) /* coordinates differ from cell to cell */
    if (e->op == IK_OP_NOISE || (e->op == IK_OP_COORD && e->id == t->p->axis[r]))
      v.what = mix(v.what, (uint64_t)c->at[r]);
  return v;
}

/* By a power of two compilers multiply. */
bool ik_tally_divides(const ik_expr *e) {
  int exponent;
  if (e->op == IK_OP_SQRT || e->op == IK_OP_MOD) return true;
  return e->op == IK_OP_DIV &&
         (e->arg[1]->op != IK_OP_CONST || fabs(frexp(e->arg[1]->value, &exponent)) != 0.5);
}

/* They also subtract what is negated. */
static void count(const ik_expr *e, ik_pipeline_stage *out) {
  if (e->op == IK_OP_READ) out->loads++;
  if (ik_op_nargs(e->op) == 0 || e->op == IK_OP_NEG) return;
  if (ik_tally_divides(e))
    out->divisions++;
  else if (e->op >= IK_OP_EXP && e->op <= IK_OP_TABLE)
    out->functions++;
  else
    out->arithmetic++;
}

static value value_of(const tally *t, const ik_nodes *nodes, int i) {
  const ik_expr *e = nodes->node[i];
  value          v = {.what = mix((uint64_t)e->op, (uint64_t)e->type)};
  for (int k = 0; k < ik_op_nargs(e->op); k++) {
    const value *arg = &t->of[nodes->arg[i][k]];
    v.what = mix(v.what, arg->what), v.varies |= arg->varies;
  }
  return v;
}

/* What the value of a statement wants. */
static void count_wanted(tally *t, const ik_nodes *nodes) {
  for (int i = 0; i < nodes->n; i++) t->wanted[i] = i == nodes->n - 1;
  for (int i = nodes->n - 1; i >= 0; i--) {
    if (!t->wanted[i] || !t->of[i].varies || !is_new(&t->seen, t->of[i].what)) continue;
    count(nodes->node[i], t->out);
    for (int k = 0; k < ik_op_nargs(nodes->node[i]->op); k++) t->wanted[nodes->arg[i][k]] = true;
  }
}

static value evaluate(tally *t, const cell *c, int stmt) {
  const ik_nodes *nodes = &t->nodes[stmt];
  for (int i = 0; i < nodes->n; i++)
    t->of[i] =
        ik_op_nargs(nodes->node[i]->op) ? value_of(t, nodes, i) : leaf(t, c, nodes->node[i], stmt);
  count_wanted(t, nodes);
  return t->of[nodes->n - 1];
}

/* ---- a block ---- */

static const ik_nodes *nodes_of(const ik_pipe_kernel *k, ik_arena *a, int *most, int64_t *all) {
  ik_nodes *nodes = IK_NEW_N(a, ik_nodes, k->nstmt);
  for (int s = 0; s < k->nstmt; s++) {
    ik_nodes_of(k->stmt[s]->value, a, &nodes[s]);
    *most = nodes[s].n > *most ? nodes[s].n : *most, *all += nodes[s].n;
  }
  return nodes;
}

ik_pipeline_stage ik_tally_kernel(const ik_pass *p, const ik_pipe_kernel *k, ik_arena *a) {
  ik_pipeline_stage out = {.together = k->shape->rows * k->planes * k->shape->vectors};
  int               most = 0;
  int64_t           all = 0;
  tally             t = {.p = p, .k = k, .nodes = nodes_of(k, a, &most, &all), .out = &out};
  t.of = IK_NEW_N(a, value, most), t.done = IK_NEW_N(a, value, k->nstmt);
  t.wanted = IK_NEW_N(a, bool, most);
  t.seen = room_for(all * (int64_t)out.together, a);
  for (int z = 0; z < k->planes; z++)
    for (int y = 0; y < k->shape->rows; y++)
      for (int v = 0; v < k->shape->vectors; v++) {
        cell c = {{[IK_LANE] = v * k->shape->lanes, [IK_ROW] = y, [IK_STREAM] = z}};
        for (int s = 0; s < k->nstmt; s++) {
          cell at = c;
          at.at[IK_ROW] += ik_pipe_rows_ahead(k, s);
          t.done[s] = evaluate(&t, &at, s);
        }
      }
  out.arithmetic /= out.together, out.divisions /= out.together;
  out.functions /= out.together, out.loads /= out.together;
  for (int s = 0; s < k->nstmt; s++) out.stores += k->store[s] >= 0;
  return out;
}
