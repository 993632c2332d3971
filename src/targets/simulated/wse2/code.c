#include "targets/simulated/wse2/code.h"
#include "base/bits.h"
#include "facts/nodes.h"
#include "targets/simulated/wse2/rule.h"
#include <string.h>

typedef struct maker {
  ik_arena      *a;
  ik_nodes       nodes;
  bool          *reads;  /* [nodes.n] a field, itself or one of its operands */
  bool          *places; /* [nodes.n] depends on where the cell is, fields aside */
  bool          *times;  /* [nodes.n] and on when */
  int           *users;  /* [nodes.n] operations of the element that take it, and the result */
  int           *last;   /* [nodes.n] the operation that uses it last */
  int           *at;     /* [nodes.n] value */
  ik_wse2_value *value;
  int            nvalue, cap;
  ik_wse2_op    *op;
  int            nop, op_cap;
  bool          *busy; /* registers */
  int            nreg, busy_cap;
} maker;

/* ---- what the element does, and what the host ---- */

static void look(maker *m) {
  for (int i = 0; i < m->nodes.n; i++) {
    ik_op op = m->nodes.node[i]->op;
    m->reads[i] = op == IK_OP_READ;
    m->places[i] = op == IK_OP_COORD || op == IK_OP_NOISE;
    m->times[i] = op == IK_OP_TIME || op == IK_OP_SCALAR;
    for (int k = 0; k < ik_op_nargs(op); k++) {
      m->reads[i] |= m->reads[m->nodes.arg[i][k]];
      m->places[i] |= m->places[m->nodes.arg[i][k]];
      m->times[i] |= m->times[m->nodes.arg[i][k]];
    }
  }
}

static bool is_narrow(ik_type t) { return t == IK_F32 || t == IK_BOOL; }

/* What depends on place and time together, the host would have to provide at every step: elements
 * compute it if they can. */
static bool is_better_computed(const maker *m, int node) {
  const ik_expr *e = m->nodes.node[node];
  bool           can = m->places[node] && m->times[node] && is_narrow(e->type);
  for (int k = 0; k < ik_op_nargs(e->op); k++) can = can && is_narrow(e->arg[k]->type);
  return can;
}

static bool is_operation(const maker *m, int node) {
  if (!m->reads[node]) return is_better_computed(m, node);
  return m->nodes.node[node]->op != IK_OP_READ;
}

/* Users come after their operands, so from the back: last uses are seen first. */
static void find_uses(maker *m) {
  m->users[m->nodes.n - 1] = 1;
  for (int i = m->nodes.n - 1; i >= 0; i--)
    for (int k = 0; m->users[i] && is_operation(m, i) && k < 3; k++) {
      int arg = m->nodes.arg[i][k];
      if (arg >= 0 && m->users[arg]++ == 0) m->last[arg] = i;
    }
}

/* ---- leaves ---- */

static bool is_same(const ik_expr *a, const ik_expr *b) {
  if (a == b) return true;
  return ik_op_nargs(a->op) == 0 && a->op == b->op && a->type == b->type && a->id == b->id &&
         a->level == b->level && ik_bits_of(a->value) == ik_bits_of(b->value) &&
         memcmp(a->off, b->off, sizeof a->off) == 0;
}

static int leaf(maker *m, int node) {
  const ik_expr *e = m->nodes.node[node];
  ik_wse2_source from = m->reads[node]    ? IK_WSE2_COLUMN
                        : m->places[node] ? IK_WSE2_MADE
                                          : IK_WSE2_NUMBER;
  for (int i = 0; i < m->nvalue; i++)
    if (m->value[i].source == from && is_same(m->value[i].leaf, e)) return i;
  IK_PUSH(m->a, m->value, m->nvalue, m->cap, ((ik_wse2_value){from, e->type, -1, e, 0}));
  return m->nvalue - 1;
}

/* ---- what is multiplied on arrival ---- */

static bool is_same_column(const ik_expr *a, const ik_expr *b) {
  return a->id == b->id && a->level == b->level && a->off[0] == b->off[0] && a->off[1] == b->off[1];
}

/* The read, if the node is a constant times a read. */
static int scaled_read(const maker *m, int node) {
  const int *arg = m->nodes.arg[node];
  if (m->nodes.node[node]->op != IK_OP_MUL) return -1;
  bool is_scaled = m->nodes.node[arg[0]]->op == IK_OP_CONST &&
                   m->nodes.node[arg[1]]->op == IK_OP_READ && m->users[arg[1]] == 1;
  return is_scaled ? arg[1] : -1;
}

/* No other operation takes a word of that element. */
static bool is_only_use(const maker *m, int read) {
  const ik_expr *e = m->nodes.node[read];
  for (int i = 0; i < m->nodes.n; i++) {
    const ik_expr *o = m->nodes.node[i];
    if (i != read && m->users[i] && o->op == IK_OP_READ && is_same_column(o, e)) return false;
  }
  return true;
}

/* The element hears itself when it sends; one product at most can be made of that. */
static bool is_heard(const maker *m, int read) {
  const ik_expr *e = m->nodes.node[read];
  bool           sent = false;
  for (int i = 0; i < m->nodes.n; i++) {
    const ik_expr *o = m->nodes.node[i];
    sent |= m->users[i] && ik_wse2_is_lateral(o) && o->id == e->id && o->level == e->level;
    int other = i < read ? scaled_read(m, i) : -1;
    if (other >= 0 && m->users[i] && is_same(m->nodes.node[other], e)) return false;
  }
  return sent && !e->off[2];
}

static bool is_scaled(const maker *m, int node) {
  int read = scaled_read(m, node);
  if (read < 0 || m->nodes.node[node]->type != IK_F32) return false;
  return ik_wse2_is_lateral(m->nodes.node[read]) ? is_only_use(m, read) : is_heard(m, read);
}

static int scaled(maker *m, int node) {
  const int    *arg = m->nodes.arg[node];
  ik_wse2_value v = {.source = IK_WSE2_SCALED, .type = IK_F32, .reg = -1};
  v.leaf = m->nodes.node[arg[1]], v.factor = (float)m->nodes.node[arg[0]]->value;
  IK_PUSH(m->a, m->value, m->nvalue, m->cap, v);
  return m->nvalue - 1;
}

/* ---- operations ---- */

static int take(maker *m) {
  for (int r = 0; r < m->nreg; r++)
    if (!m->busy[r]) return m->busy[r] = true, r;
  IK_PUSH(m->a, m->busy, m->nreg, m->busy_cap, true);
  return m->nreg - 1;
}

/* Cell by cell, so the result may take the place of what is used here for the last time. */
static void give_back(maker *m, int node) {
  for (int k = 0; k < ik_op_nargs(m->nodes.node[node]->op); k++) {
    int                  arg = m->nodes.arg[node][k];
    const ik_wse2_value *v = &m->value[m->at[arg]];
    if (m->last[arg] == node && v->source == IK_WSE2_REGISTER) m->busy[v->reg] = false;
  }
}

static int operate(maker *m, int node) {
  const ik_expr *e = m->nodes.node[node];
  ik_wse2_op     op = {.op = e->op, .type = e->type, .nin = ik_op_nargs(e->op)};
  for (int k = 0; k < op.nin; k++) op.in[k] = m->at[m->nodes.arg[node][k]];
  give_back(m, node);
  op.out = take(m);
  IK_PUSH(m->a, m->op, m->nop, m->op_cap, op);
  IK_PUSH(m->a, m->value, m->nvalue, m->cap,
          ((ik_wse2_value){IK_WSE2_REGISTER, e->type, op.out, NULL, 0}));
  return m->nvalue - 1;
}

/* The value of a node that somebody needs. */
static int value_of(maker *m, int node) {
  if (!is_operation(m, node)) return leaf(m, node);
  return is_scaled(m, node) ? scaled(m, node) : operate(m, node);
}

/* Reads that are only scaled are no values of their own. */
static bool is_part_of_scaled(const maker *m, int node) {
  return m->users[node] == 1 && m->last[node] > node && is_operation(m, m->last[node]) &&
         is_scaled(m, m->last[node]);
}

const ik_wse2_code *ik_wse2_code_of(const ik_stmt *s, ik_arena *a) {
  maker m = {.a = a};
  ik_nodes_of(s->value, a, &m.nodes);
  int n = m.nodes.n;
  m.reads = IK_NEW_N(a, bool, n), m.places = IK_NEW_N(a, bool, n), m.times = IK_NEW_N(a, bool, n);
  m.users = IK_NEW_N(a, int, n), m.last = IK_NEW_N(a, int, n), m.at = IK_NEW_N(a, int, n);
  look(&m);
  find_uses(&m);
  for (int i = 0; i < n; i++)
    if (m.users[i] && !is_part_of_scaled(&m, i)) m.at[i] = value_of(&m, i);
  ik_wse2_code *c = IK_NEW(a, ik_wse2_code);
  *c = (ik_wse2_code){s, m.nvalue, m.nop, m.nreg, m.value, m.op, m.at[n - 1]};
  return c;
}

bool ik_wse2_is_column(const ik_wse2_value *v) {
  return v->source == IK_WSE2_COLUMN || v->source == IK_WSE2_SCALED;
}

bool ik_wse2_is_received(const ik_wse2_value *v) {
  return v->source == IK_WSE2_SCALED ||
         (v->source == IK_WSE2_COLUMN && ik_wse2_is_lateral(v->leaf));
}

bool ik_wse2_code_waits(const ik_wse2_code *c, bool one_level) {
  for (int i = 0; i < c->nvalue; i++) {
    const ik_expr *e = c->value[i].leaf;
    if (!ik_wse2_is_column(&c->value[i]) || e->id != c->stmt->field || e->level != c->stmt->level)
      continue;
    if (e->off[0] || e->off[1] || (e->off[2] && !one_level)) return true;
  }
  return false;
}
