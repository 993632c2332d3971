#include "targets/simulated/wormhole/code.h"
#include <string.h>

typedef struct maker {
  const ik_ir    *ir;
  const ik_rule  *rule;
  const ik_stmt  *stmt;
  ik_arena       *a;
  ik_diag        *d;
  ik_wormhole_op *op;
  int             n, room;
} maker;

/* ---- entries ---- */

static const ik_wormhole_op blank = {.arg = {-1, -1, -1}};

static bool same_number(const ik_expr *a, const ik_expr *b) {
  if (a == b) return true;
  if (!a || !b || a->op != b->op || a->type != b->type) return false;
  return (a->op == IK_OP_CONST && a->value == b->value) ||
         (a->op == IK_OP_SCALAR && a->id == b->id);
}

static bool same_op(const ik_wormhole_op *a, const ik_wormhole_op *b) {
  return a->kind == b->kind && memcmp(a->arg, b->arg, sizeof a->arg) == 0 && a->op == b->op &&
         a->type == b->type && a->field == b->field && a->level == b->level && a->dz == b->dz &&
         a->side == b->side && same_number(a->number, b->number);
}

/* The entry like `op`: one that is there, or a new one. */
static int entry(maker *m, ik_wormhole_op op) {
  for (int i = 0; i < m->n; i++)
    if (same_op(&m->op[i], &op)) return i;
  IK_PUSH(m->a, m->op, m->n, m->room, op);
  return m->n - 1;
}

static int entry_of(maker *m, ik_wormhole_kind kind, int arg, ik_wormhole_side side) {
  ik_wormhole_op op = blank;
  op.kind = kind, op.arg[0] = arg, op.side = side;
  return entry(m, op);
}

/* ---- reads ---- */

static ik_status refuse(maker *m, const ik_expr *e, const char *why) {
  return ik_fail(m->d, IK_ERR_UNSUPPORTED, IK_E082, e->span, "wormhole cannot run this: %s", why);
}

static bool is_zero(const ik_bc *bc) {
  return bc->kind == IK_BC_VALUE && bc->value->op == IK_OP_CONST && bc->value->value == 0;
}

/* Along one axis: does the statement read beyond a face, and is there anything but zero? */
static bool finds_more_than_zero(const maker *m, const ik_expr *e, int axis) {
  const ik_field *f = &m->ir->field[e->id];
  const ik_box   *b = &m->stmt->box;
  bool            low = b->lo[axis] + e->off[axis] < f->box.lo[axis];
  bool            high = b->hi[axis] + e->off[axis] > f->box.hi[axis];
  return (low && !is_zero(&f->bc[axis][0])) || (high && !is_zero(&f->bc[axis][1]));
}

static ik_status check_read(maker *m, const ik_expr *e) {
  int axes = 0, far = 0;
  for (int d = 0; d < IK_MAX_DIM; d++) {
    int off = e->off[d] < 0 ? -e->off[d] : e->off[d];
    axes += off > 0, far += off > 1;
    if (off && finds_more_than_zero(m, e, d))
      return refuse(m, e, "beyond a face of the grid its cores can only put zero");
  }
  if (far) return refuse(m, e, "its tiles can be moved by one cell, not further (radius 1)");
  if (axes > 1) return refuse(m, e, "its tiles can be moved along one axis at a time, not across");
  return IK_OK;
}

static ik_wormhole_side side_of(const ik_expr *e) {
  if (e->off[0]) return e->off[0] < 0 ? IK_WORMHOLE_NORTH : IK_WORMHOLE_SOUTH;
  return e->off[1] < 0 ? IK_WORMHOLE_WEST : IK_WORMHOLE_EAST;
}

static ik_status make_read(maker *m, const ik_expr *e, int *out) {
  ik_wormhole_op op = blank;
  IK_TRY(check_read(m, e));
  op.kind = IK_WORMHOLE_READ, op.field = e->id, op.level = e->level, op.dz = e->off[2];
  op.type = m->ir->field[e->id].type;
  *out = entry(m, op);
  if (!e->off[0] && !e->off[1]) return IK_OK;
  ik_wormhole_side s = side_of(e);
  if (!ik_wormhole_is_across(s)) return *out = entry_of(m, IK_WORMHOLE_SHIFT, *out, s), IK_OK;
  int turned = entry_of(m, IK_WORMHOLE_TRANSPOSE, *out, 0);
  *out = entry_of(m, IK_WORMHOLE_TRANSPOSE, entry_of(m, IK_WORMHOLE_SHIFT, turned, s), 0);
  return IK_OK;
}

/* ---- expressions ---- */

static ik_status refuse_type(maker *m, const ik_expr *e) {
  ik_fail(m->d, IK_ERR_UNSUPPORTED, IK_E082, e->span,
          "wormhole cannot run this: it is %s, and its units compute in f32 and bf16",
          ik_type_name(e->type));
  if (e->type == IK_F64)
    ik_help(m->d, "an operand of type f64 promotes the expression to f64: wrap it in f32()");
  return IK_ERR_UNSUPPORTED;
}

/* Numbers are rounded when they enter the tiles, so there is no harm in a choice between some that
 * the language has as f64. */
static bool has_type(const ik_expr *e) {
  if (e->type == IK_F64) return e->op == IK_OP_SELECT;
  return e->type != IK_F16 && e->type != IK_I32;
}

static ik_status check_math(maker *m, const ik_expr *e) {
  if (!ik_rule_reads_field(e)) return refuse(m, e, "what varies from cell to cell must be a field");
  if (e->op == IK_OP_TABLE) return refuse(m, e, "its units have no tables");
  return has_type(e) ? IK_OK : refuse_type(m, e);
}

/* What a conversion between the types of fields and of arithmetic does is done on the way into and
 * out of the units; only f32 that becomes bf16 changes, when it is packed. */
static bool is_packing(const maker *m, const ik_expr *e) {
  return e->op == IK_OP_CAST && e->type == IK_BF16 && m->rule->type == IK_F32;
}

static ik_status make(maker *m, const ik_expr *e, int *out) {
  ik_wormhole_op op = blank;
  if (ik_rule_is_number(e)) {
    op.kind = IK_WORMHOLE_NUMBER, op.number = e;
    return *out = entry(m, op), IK_OK;
  }
  if (e->op == IK_OP_READ) return make_read(m, e, out);
  IK_TRY(check_math(m, e));
  for (int k = 0; k < ik_op_nargs(e->op); k++) IK_TRY(make(m, e->arg[k], &op.arg[k]));
  if (e->op == IK_OP_CAST && !is_packing(m, e)) return *out = op.arg[0], IK_OK;
  op.kind = IK_WORMHOLE_MATH, op.op = e->op, op.type = e->type;
  return *out = entry(m, op), IK_OK;
}

/* ---- circular buffers ---- */

int ik_wormhole_operands(const ik_wormhole_op *op) {
  int  n = 0;
  bool free = op->kind == IK_WORMHOLE_READ || op->kind == IK_WORMHOLE_NUMBER ||
              (op->kind == IK_WORMHOLE_MATH && op->op == IK_OP_CAST);
  for (int k = 0; !free && k < 3; k++) n += op->arg[k] >= 0;
  return n;
}

/* Results of MATH that are needed at the same time, at most. */
static int live(const maker *m) {
  int *last = IK_NEW_N(m->a, int, m->n), most = 0;
  for (int i = 0; i < m->n; i++)
    for (int k = 0; k < 3; k++)
      if (m->op[i].arg[k] >= 0) last[m->op[i].arg[k]] = i;
  for (int i = 0; i < m->n; i++) {
    int n = m->op[i].kind == IK_WORMHOLE_MATH;
    for (int j = 0; j < i; j++) n += m->op[j].kind == IK_WORMHOLE_MATH && last[j] > i;
    if (n > most) most = n;
  }
  return most;
}

/* A tile for what is read, one for what is moved (a transposed tile goes back to where it came
 * from), those of results on the way, and one for the result. */
static int staging(const maker *m) {
  int n = live(m) + 1;
  for (int i = 0; i < m->n; i++) {
    const ik_wormhole_op *op = &m->op[i];
    n += op->kind == IK_WORMHOLE_READ || op->kind == IK_WORMHOLE_SHIFT;
    n += op->kind == IK_WORMHOLE_TRANSPOSE && m->op[op->arg[0]].kind == IK_WORMHOLE_READ;
  }
  return n;
}

/* ---- statements ---- */

static bool reads_own_neighbour(const maker *m) {
  for (int i = 0; i < m->n; i++) {
    const ik_wormhole_op *op = &m->op[i];
    bool                  own =
        op->kind == IK_WORMHOLE_READ && op->field == m->stmt->field && op->level == m->stmt->level;
    if (!own) continue;
    if (op->dz) return true;
    for (int j = i + 1; j < m->n; j++)
      if (m->op[j].kind != IK_WORMHOLE_MATH && m->op[j].arg[0] == i) return true;
  }
  return false;
}

/* On the levels that it is for. */
static bool covers_tiles(const ik_ir *ir, const ik_box *b) {
  bool whole = ir->n[0] % IK_WORMHOLE_ROWS == 0 && ir->n[1] % IK_WORMHOLE_COLUMNS == 0;
  for (int d = 0; d < 2; d++) whole = whole && b->lo[d] == 0 && b->hi[d] == ir->n[d];
  return whole;
}

ik_status ik_wormhole_compile(const ik_ir *ir, const ik_rule *r, const ik_stmt *s, ik_arena *a,
                              ik_diag *d, ik_wormhole_code *out) {
  maker m = {.ir = ir, .rule = r, .stmt = s, .a = a, .d = d};
  *out = (ik_wormhole_code){.stmt = s};
  IK_TRY(make(&m, s->value, &out->result));
  out->op = m.op, out->n = m.n;
  out->staging = staging(&m);
  out->spare = s->kind == IK_ASSIGN && reads_own_neighbour(&m);
  out->partial = !covers_tiles(ir, &s->box);
  return IK_OK;
}
