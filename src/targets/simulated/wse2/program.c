/* program.c: the computing of an element's program, statement by statement. */
#include "targets/simulated/wse2/program.h"
#include "base/least.h"
#include "targets/simulated/wse2/maker.h"
#include <math.h>

/* ---- computing ---- */

static bool uses_received(const ik_wse2_maker *m, const ik_wse2_job *j, const ik_wse2_op *op) {
  for (int k = 0; k < op->nin; k++)
    if (ik_wse2_arrives(ik_wse2_ir_of(m), j, &j->code->value[op->in[k]])) return true;
  return false;
}

/* The operation after which nothing that arrived is needed; -1: from the beginning. */
static int last_use(const ik_wse2_maker *m, const ik_wse2_job *j) {
  int i = j->code->nop - 1;
  if (ik_wse2_arrives(ik_wse2_ir_of(m), j, &j->code->value[j->code->result])) return i + 1;
  while (i >= 0 && !uses_received(m, j, &j->code->op[i])) i--;
  return i;
}

/* Adds the words that an element hears of itself in a direction, before the first of a neighbour:
 * they were multiplied by zero. */
static void add_heard(ik_wse2_maker *m, ik_wse2_piece *p, const ik_wse2_op *op) {
  const ik_wse2_value *acc = &p->job->code->value[op->in[0]], *v = &p->job->code->value[op->in[1]];
  if (op->op != IK_OP_ADD || acc->source != IK_WSE2_REGISTER || v->source != IK_WSE2_SCALED) return;
  ik_wse2_from from = ik_wse2_from_of(m, v->leaf);
  if (!from.there || !from.direct) return;
  int                     i = ik_wse2_exchange_of(p->job, v->leaf), d = 0;
  const ik_wse2_exchange *x = &p->job->exchange[i];
  if (!m->wants[i].heard) return;
  int slot = ik_wse2_slot(x, from.dx, from.dy);
  while (!x->reach[d] || slot > ik_wse2_first_slot(x, d) + x->reach[d]) d++;
  bool first = !(p->heard & 1u << d);
  p->heard |= 1u << d;
  if (!first || ik_wse2_first_slot(x, d) == ik_wse2_slot(x, 0, 0)) return;
  bool            column = ik_wse2_ir_of(m)->field[x->field].on[2];
  int             at = ik_wse2_slot_at(m->l, p->job, i, ik_wse2_first_slot(x, d));
  ik_wse2_operand arg[2] = {
      ik_wse2_operand_of(m, p, op->in[0], 0),
      ik_wse2_vector(column ? at + x->dz[0] + (int)(p->z - p->base) : at, column)};
  ik_wse2_put_map(m, "add received", IK_OP_ADD, p->n, arg[0], arg);
}

static const char *name_of(const ik_wse2_maker *m, const ik_wse2_job *j, const ik_wse2_op *op) {
  if (uses_received(m, j, op)) return "add received";
  return op->op == IK_OP_FMA ? "fma" : ik_op_name(op->op);
}

static void compute_one(ik_wse2_maker *m, ik_wse2_piece *p, const ik_wse2_op *op,
                        ik_wse2_operand dst) {
  ik_wse2_operand arg[3];
  add_heard(m, p, op);
  for (int k = 0; k < op->nin; k++) arg[k] = ik_wse2_operand_of(m, p, op->in[k], k);
  ik_wse2_put_map(m, name_of(m, p->job, op), op->op, p->n, dst, arg);
}

/* Where the result of a piece goes: to its place, or into the register that waits. */
static ik_wse2_operand result_place(const ik_wse2_maker *m, const ik_wse2_piece *p, bool waits) {
  const ik_stmt *s = p->job->stmt;
  if (waits || s->kind == IK_REDUCE) return IK_WSE2_AT(ik_wse2_register_at(m->l, 0, p->z, p->base));
  return ik_wse2_vector(ik_wse2_word(m->l, s->field, s->level, p->z),
                        ik_wse2_ir_of(m)->field[s->field].on[2]);
}

/* The part of a piece that a statement is done for; none has n <= 0. */
static ik_wse2_piece part_of(const ik_wse2_maker *m, const ik_wse2_piece *p, const ik_wse2_job *j) {
  ik_wse2_piece part = {.job = j, .base = p->z};
  int64_t       end = ik_min(p->z + p->n, j->stmt->box.hi[2]);
  part.z = ik_max(p->z, j->stmt->box.lo[2]);
  part.n = ik_wse2_is_inside(m, j->stmt) ? (int)(end - part.z) : 0;
  return part;
}

/* The next piece goes out as soon as there is room for what will arrive. */
static void compute_part(ik_wse2_maker *m, ik_wse2_piece *p, const ik_wse2_piece *next,
                         bool waits) {
  const ik_wse2_code *c = p->job->code;
  ik_wse2_operand     to = result_place(m, p, waits);
  int                 free_after = last_use(m, p->job);
  if (free_after < 0 && next) ik_wse2_send_all(m, next);
  for (int i = 0; i < c->nop; i++) {
    int reg = ik_wse2_register_at(m->l, c->op[i].out, p->z, p->base);
    compute_one(m, p, &c->op[i], i == c->nop - 1 ? to : IK_WSE2_AT(reg));
    if (i == free_after && next) ik_wse2_send_all(m, next);
  }
  if (c->nop == 0) ik_wse2_put_copy(m, "copy", p->n, to, ik_wse2_operand_of(m, p, c->result, 0));
  if (free_after == c->nop && next) ik_wse2_send_all(m, next);
}

static void compute(ik_wse2_maker *m, const ik_wse2_piece *p, const ik_wse2_piece *next,
                    bool waits) {
  int last = m->njob - 1;
  while (last >= 0 && part_of(m, p, &m->job[last]).n <= 0) last--;
  if (last < 0 && next) ik_wse2_send_all(m, next);
  for (int k = 0; k <= last; k++) {
    ik_wse2_piece part = part_of(m, p, &m->job[k]);
    if (part.n > 0) compute_part(m, &part, k == last ? next : NULL, waits);
  }
}

/* ---- reductions ---- */

static float neutral(ik_reduce r) {
  return r == IK_SUM ? -0.0f : r == IK_MINIMUM ? INFINITY : -INFINITY;
}

/* The cells of a piece into the element's own result. */
static void add_up(ik_wse2_maker *m, const ik_wse2_piece *p) {
  static const ik_op op[] = {
      [IK_SUM] = IK_OP_ADD, [IK_MINIMUM] = IK_OP_MIN, [IK_MAXIMUM] = IK_OP_MAX};
  const ik_stmt  *s = p->job->stmt;
  ik_wse2_operand word = IK_WSE2_SCALAR(m->l->partial);
  ik_wse2_operand arg[2] = {word, result_place(m, p, true)};
  int             done = p->z == s->box.lo[2];
  if (!m->inside) {
    if (done) ik_wse2_put_copy(m, "nothing to add", 1, word, IK_WSE2_CONST(neutral(s->reduce)));
    return;
  }
  if (done) ik_wse2_put_copy(m, "begin sum", 1, word, arg[1]);
  arg[1].at += done;
  if (p->n > done) ik_wse2_put_map(m, "sum", op[s->reduce], p->n - done, word, arg);
}

static void reduce(ik_wse2_maker *m, const ik_stmt *s) {
  ik_wse2_reduce r = {s->reduce, m->l->partial};
  ik_wse2_put(m, (ik_wse2_instr){.kind = IK_WSE2_REDUCE, .what = "reduce", .reduce = r});
}

/* ---- statements ---- */

static void store_all(ik_wse2_maker *m, const ik_wse2_piece *p, int64_t lo, int n) {
  const ik_stmt *s = p->job->stmt;
  if (!m->inside) return;
  ik_wse2_put_copy(m, "store", n, IK_WSE2_AT(ik_wse2_word(m->l, s->field, s->level, lo)),
                   IK_WSE2_AT(ik_wse2_register_at(m->l, 0, lo, lo)));
}

/* Statements that go together, for the cells lo .. lo + n - 1 of columns. */
static void statements(ik_wse2_maker *m, const ik_wse2_job *j, int njob, int64_t lo, int64_t n) {
  int  chunk = m->l->map->chunk;
  bool waits = ik_wse2_code_waits(j->code, n == 1);
  bool ahead = j->nexchange == 1 && !j->exchange[0].box; /* a piece may arrive during another */
  bool sent = false;
  ik_wse2_piece p = {.job = j, .z = lo, .base = lo};
  m->job = j, m->njob = njob;
  ik_wse2_make_wants(m);
  for (int k = 0; k < njob; k++) {
    int64_t from = ik_max(lo, j[k].stmt->box.lo[2]);
    ik_wse2_show_images(m, &j[k], from, ik_min(lo + n, j[k].stmt->box.hi[2]) - from);
  }
  for (int64_t done = 0; done < n; done += p.n, p.z += p.n) {
    p.n = (int)ik_min(n - done, chunk), p.base = p.z;
    ik_wse2_piece next = p;
    next.z += p.n, next.n = (int)ik_min(n - done - p.n, chunk);
    if (done == 0 || !ahead) sent = ik_wse2_send_all(m, &p);
    if (sent) ik_wse2_put_await(m);
    compute(m, &p, ahead && next.n ? &next : NULL, waits);
    if (j->stmt->kind == IK_REDUCE) add_up(m, &p);
  }
  if (j->stmt->kind == IK_REDUCE)
    reduce(m, j->stmt);
  else if (waits)
    store_all(m, &p, lo, (int)n);
}

static void sweep(ik_wse2_maker *m, const ik_stmt *s) {
  int64_t lo = s->box.lo[2], n = s->box.hi[2] - lo;
  for (int64_t i = 0; i < n; i++) {
    int64_t z = s->dir[0] > 0 ? lo + i : lo + n - 1 - i;
    for (const ik_stmt *b = s->body; b; b = b->next)
      if (z >= b->box.lo[2] && z < b->box.hi[2])
        statements(m, ik_wse2_job_of(m->l->map, b), 1, z, 1);
  }
}

static void all_cells(ik_wse2_maker *m, const ik_wse2_job *j) {
  int64_t lo = j->stmt->box.lo[2], hi = j->stmt->box.hi[2];
  for (int k = 1; k < j->together; k++)
    lo = ik_min(lo, j[k].stmt->box.lo[2]), hi = ik_max(hi, j[k].stmt->box.hi[2]);
  statements(m, j, j->together, lo, hi - lo);
}

const ik_wse2_program *ik_wse2_program_of(const ik_wse2_layout *l, const ik_stmt *first,
                                          const ik_stmt *end, const int64_t at[2], bool step,
                                          ik_arena *a) {
  ik_wse2_maker m = {.l = l, .at = at, .a = a};
  if (step) ik_wse2_put(&m, (ik_wse2_instr){.kind = IK_WSE2_STEP, .what = "begin step"});
  for (const ik_stmt *s = first; s != end; s = s->next) {
    const ik_wse2_job *j = ik_wse2_job_of(l->map, s);
    if (s->kind == IK_SWEEP) sweep(&m, s);
    if (j && j->code && j->together) all_cells(&m, j);
  }
  ik_wse2_program *p = IK_NEW(a, ik_wse2_program);
  *p = (ik_wse2_program){m.n, m.instr, l->words};
  return p;
}
