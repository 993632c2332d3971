#include "targets/simulated/wormhole/schedule.h"
#include "sim/server.h"

enum { TILE = IK_WORMHOLE_TILE };

/* ---- costs ---- */

ik_wormhole_cost ik_wormhole_cost_of(const ik_wormhole_map *m, int operands) {
  const ik_wormhole_figures *f = &m->figures;
  int64_t                    tile = (int64_t)TILE * ik_wormhole_bytes(m);
  bool                       fpu = m->rule.type == IK_BF16 || m->rule.tf32;
  ik_wormhole_cost c = {operands * tile / (fpu ? f->pack : f->copy), f->sync, tile / f->pack};
  if (!fpu) c.unit += TILE / IK_WORMHOLE_LANES * (operands + 3);
  return c;
}

static ik_wormhole_cost sum(ik_wormhole_cost a, ik_wormhole_cost b) {
  return (ik_wormhole_cost){a.unpack + b.unpack, a.unit + b.unit, a.pack + b.pack};
}

/* A tile from or to DRAM, if the field is not resident. */
static int64_t stream_cycles(const ik_wormhole_map *m, int field, int rate) {
  int64_t bytes = (int64_t)TILE * ik_type_bytes(m->ir->field[field].type);
  return m->resident[field] ? 0 : ik_server_ceil(bytes, rate);
}

static ik_wormhole_cost entry_cost(const ik_wormhole_map *m, const ik_wormhole_op *op) {
  int n = ik_wormhole_operands(op);
  if (op->kind == IK_WORMHOLE_READ)
    return (ik_wormhole_cost){.unpack = stream_cycles(m, op->field, m->figures.dram_read)};
  return n ? ik_wormhole_cost_of(m, n) : (ik_wormhole_cost){0};
}

/* A copy where the statement only moves, an addition into the partial result, a choice where only
 * some elements are meant. */
static ik_wormhole_cost finish_cost(const ik_wormhole_map *m, const ik_wormhole_code *c) {
  ik_wormhole_kind last = c->op[c->result].kind;
  bool             moves = last == IK_WORMHOLE_READ || last == IK_WORMHOLE_NUMBER;
  ik_wormhole_cost n = {0};
  if (c->partial) n = ik_wormhole_cost_of(m, 3);
  if (c->stmt->kind == IK_REDUCE) return sum(n, ik_wormhole_cost_of(m, 2));
  n.pack += stream_cycles(m, c->stmt->field, m->figures.dram_write);
  return moves ? sum(n, ik_wormhole_cost_of(m, 1)) : n;
}

/* ---- the list ---- */

typedef struct writer {
  const ik_wormhole_map *m;
  ik_wormhole_schedule  *s;
  ik_arena              *a;
} writer;

static void add(writer *w, ik_wormhole_action v) {
  IK_PUSH(w->a, w->s->action, w->s->n, w->s->room, v);
}

static void add_op(writer *w, const ik_wormhole_code *c, int i, int64_t k) {
  ik_wormhole_action v = {.kind = IK_WORMHOLE_DO_OP, .code = c, .op = i, .k = k};
  ik_wormhole_send   s = {c, i, w->s->n, k};
  v.cost = entry_cost(w->m, &c->op[i]);
  add(w, v);
  if (c->op[i].kind != IK_WORMHOLE_SHIFT) return;
  IK_PUSH(w->a, w->s->send, w->s->nsend, w->s->send_room, s);
  v.kind = IK_WORMHOLE_DO_PATCH, v.cost = (ik_wormhole_cost){0};
  add(w, v);
}

static void add_plain(writer *w, ik_wormhole_do kind, const ik_wormhole_code *c, int64_t cycles) {
  add(w, (ik_wormhole_action){
             .kind = kind, .code = c, .cost = {.unit = cycles}, .sends = w->s->nsend});
}

static void add_fold(writer *w, const ik_wormhole_code *c, bool root) {
  ik_wormhole_action v = {.kind = IK_WORMHOLE_DO_FOLD, .code = c, .root = root};
  for (int i = 0; i < w->m->figures.fold; i++) v.cost = sum(v.cost, ik_wormhole_cost_of(w->m, 2));
  add(w, v);
}

static void add_reduction(writer *w, const ik_wormhole_code *c) {
  const ik_wormhole_figures *f = &w->m->figures;
  ik_wormhole_action         v = {.code = c};
  if (!w->m->rule.whole_tiles) add_fold(w, c, false);
  for (v.op = 0; v.op < IK_WORMHOLE_CHILDREN; v.op++) {
    v.kind = IK_WORMHOLE_DO_HEAR, v.cost = (ik_wormhole_cost){0};
    add(w, v);
    v.kind = IK_WORMHOLE_DO_MERGE, v.cost = ik_wormhole_cost_of(w->m, 2);
    v.cost.unit += f->relay;
    add(w, v);
  }
  add_plain(w, IK_WORMHOLE_DO_TELL, c, 0);
  if (w->m->rule.whole_tiles) add_fold(w, c, true);
  add_plain(w, IK_WORMHOLE_DO_RESULT, c, f->result);
  add_plain(w, IK_WORMHOLE_DO_AWAIT, c, 0);
}

static void add_statement(writer *w, const ik_wormhole_code *c) {
  add_plain(w, IK_WORMHOLE_DO_BEGIN, c, 0);
  for (int64_t k = c->stmt->box.lo[2]; k < c->stmt->box.hi[2]; k++) {
    for (int i = 0; i < c->n; i++) add_op(w, c, i, k);
    add(w, (ik_wormhole_action){
               .kind = IK_WORMHOLE_DO_FINISH, .code = c, .k = k, .cost = finish_cost(w->m, c)});
  }
  add_plain(w, IK_WORMHOLE_DO_JOIN, c, 0);
  if (c->stmt->kind == IK_REDUCE) add_reduction(w, c);
  if (!w->m->fused || c->spare) add_plain(w, IK_WORMHOLE_DO_SYNC, c, 0);
}

void ik_wormhole_schedule_of(const ik_wormhole_map *m, const ik_stmt *first, const ik_stmt *end,
                             ik_arena *a, ik_wormhole_schedule *out) {
  writer w = {m, out, a};
  *out = (ik_wormhole_schedule){0};
  for (const ik_stmt *s = first; s != end; s = s->next) {
    if (s->kind == IK_SET) add(&w, (ik_wormhole_action){.kind = IK_WORMHOLE_DO_SET, .set = s});
    if (s->kind == IK_ASSIGN || s->kind == IK_REDUCE) add_statement(&w, ik_wormhole_code_of(m, s));
  }
}

const char *ik_wormhole_action_name(const ik_wormhole_action *v) {
  static const char *const names[] = {"set",  "begin",  "operation", "patch", "finish",
                                      "join", "sync",   "fold",      "hear",  "merge",
                                      "tell", "result", "await"};
  static const char *const kinds[] = {"read", "number", "transpose", "shift"};
  if (v->kind != IK_WORMHOLE_DO_OP) return names[v->kind];
  const ik_wormhole_op *op = &v->code->op[v->op];
  return op->kind == IK_WORMHOLE_MATH ? ik_op_name(op->op) : kinds[op->kind];
}
