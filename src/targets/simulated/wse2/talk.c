/* talk.c: who sends what to whom: the broadcasts of an element's program. */
#include "targets/simulated/wse2/maker.h"

/* ---- instructions ---- */

void ik_wse2_put(ik_wse2_maker *m, ik_wse2_instr i) { IK_PUSH(m->a, m->instr, m->n, m->cap, i); }

void ik_wse2_put_map(ik_wse2_maker *m, const char *what, ik_op op, int n, ik_wse2_operand dst,
                     const ik_wse2_operand *arg) {
  ik_wse2_map map = {.op = op, .n = n, .dst = dst};
  for (int k = 0; k < ik_op_nargs(op); k++) map.arg[k] = arg[k];
  ik_wse2_put(m, (ik_wse2_instr){.kind = IK_WSE2_MAP, .what = what, .map = map});
}

void ik_wse2_put_copy(ik_wse2_maker *m, const char *what, int n, ik_wse2_operand dst,
                      ik_wse2_operand from) {
  ik_wse2_put_map(m, what, IK_OP_CAST, n, dst, &from);
}

/* What is the same along an axis, all elements along it keep, and compute. */
bool ik_wse2_is_inside(const ik_wse2_maker *m, const ik_stmt *s) {
  for (int d = 0; d < 2; d++) {
    bool along = s->kind == IK_REDUCE || ik_wse2_ir_of(m)->field[s->field].on[d];
    if (along && (m->at[d] < s->box.lo[d] || m->at[d] >= s->box.hi[d])) return false;
  }
  return true;
}

/* ---- who sends what an element wants ---- */

ik_wse2_from ik_wse2_from_of(const ik_wse2_maker *m, const ik_expr *e) {
  int64_t      from[2];
  ik_wse2_from s = {0};
  s.there = ik_wse2_sender(ik_wse2_ir_of(m), e, m->at, from, &s.negated);
  s.dx = (int)(from[0] - m->at[0]), s.dy = (int)(from[1] - m->at[1]);
  s.direct = s.dx == e->off[0] && s.dy == e->off[1] && !s.negated;
  return s;
}

int ik_wse2_exchange_of(const ik_wse2_job *j, const ik_expr *e) {
  int i = 0;
  while (j->exchange[i].field != e->id || j->exchange[i].level != e->level) i++;
  return i;
}

/* Where an element shows images, what arrives is stored as it is and multiplied later. */
static bool is_raw(const ik_wse2_maker *m, const ik_wse2_job *j, const ik_wse2_exchange *x) {
  for (int i = 0; i < j->code->nvalue; i++) {
    const ik_wse2_value *v = &j->code->value[i];
    if (!ik_wse2_arrives(ik_wse2_ir_of(m), j, v) || v->leaf->id != x->field ||
        v->leaf->level != x->level)
      continue;
    ik_wse2_from s = ik_wse2_from_of(m, v->leaf);
    if (s.there && !s.direct) return true;
  }
  return false;
}

/* What lies along x goes on along y, so it must stay as it is. */
static ik_wse2_take_kind kind_of(const ik_wse2_exchange *x, const ik_wse2_value *v, bool raw) {
  bool stays = raw || (x->box && v->leaf->off[1] == 0);
  return v->source == IK_WSE2_SCALED && !stays ? IK_WSE2_SCALE : IK_WSE2_STORE;
}

/* Several may want the words of a slot; multiplied only if all want the same. */
static void add_want(ik_wse2_take *t, ik_wse2_take_kind kind, float coefficient) {
  bool other = t->kind == IK_WSE2_STORE || kind == IK_WSE2_STORE || t->coefficient != coefficient;
  t->kind = t->kind == IK_WSE2_DROP ? kind : other ? IK_WSE2_STORE : IK_WSE2_SCALE;
  t->coefficient = coefficient;
}

static void add_wants(const ik_wse2_maker *m, const ik_wse2_job *j, int exchange,
                      ik_wse2_wants *w) {
  const ik_wse2_exchange *x = &j->exchange[exchange];
  bool                    raw = is_raw(m, j, x);
  for (int i = 0; i < j->code->nvalue; i++) {
    const ik_wse2_value *v = &j->code->value[i];
    if (!ik_wse2_arrives(ik_wse2_ir_of(m), j, v) || ik_wse2_exchange_of(j, v->leaf) != exchange)
      continue;
    ik_wse2_from      s = ik_wse2_from_of(m, v->leaf);
    ik_wse2_take_kind kind = kind_of(x, v, raw);
    bool              own = !s.dx && !s.dy;
    if (!s.there || (own && kind == IK_WSE2_STORE)) continue; /* at hand */
    add_want(&w->take[ik_wse2_slot(x, s.dx, s.dy)], kind, v->factor);
    w->heard |= own && x->scaled && !x->box;
  }
}

void ik_wse2_make_wants(ik_wse2_maker *m) {
  m->inside = false;
  m->wants = IK_NEW_N(m->a, ik_wse2_wants, m->job->nexchange);
  for (int i = 0; i < m->job->nexchange; i++) {
    int slots = ik_wse2_slots(&m->job->exchange[i]);
    m->wants[i].take = IK_NEW_N(m->a, ik_wse2_take, slots);
    for (int k = 0; k < slots; k++) m->wants[i].take[k].at = ik_wse2_slot_at(m->l, m->job, i, k);
  }
  for (int k = 0; k < m->njob; k++) {
    if (!ik_wse2_is_inside(m, m->job[k].stmt)) continue;
    m->inside = true;
    for (int i = 0; i < m->job->nexchange; i++)
      if (!ik_wse2_is_silent(&m->job->exchange[i])) add_wants(m, &m->job[k], i, &m->wants[i]);
  }
}

static ik_wse2_take wanted(const ik_wse2_maker *m, int exchange, int slot, int n) {
  ik_wse2_take t = m->wants[exchange].take[slot];
  t.n = n;
  return t;
}

bool ik_wse2_is_scaled(const ik_wse2_maker *m, const ik_wse2_job *j, const ik_wse2_value *v,
                       ik_wse2_from s) {
  int                     i = ik_wse2_exchange_of(j, v->leaf);
  const ik_wse2_exchange *x = &j->exchange[i];
  if (v->source != IK_WSE2_SCALED || ik_wse2_is_silent(x) || !s.there || !s.direct) return false;
  const ik_wse2_take *t = &m->wants[i].take[ik_wse2_slot(x, s.dx, s.dy)];
  return t->kind == IK_WSE2_SCALE && t->coefficient == v->factor;
}

int ik_wse2_first_slot(const ik_wse2_exchange *x, int d) {
  static const int step[IK_WSE2_DIRECTIONS][2] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}};
  return ik_wse2_slot(x, step[d][0], step[d][1]) - 1;
}

/* ---- broadcasts ---- */

static ik_wse2_takes one_take(ik_wse2_maker *m, ik_wse2_take t) {
  ik_wse2_take *p = IK_NEW(m->a, ik_wse2_take);
  *p = t;
  return (ik_wse2_takes){1, p};
}

static void drop_all(ik_wse2_maker *m, ik_wse2_broadcast *b) {
  for (int d = 0; d < IK_WSE2_DIRECTIONS; d++)
    for (int k = 0; k <= IK_WSE2_RADIUS; k++)
      b->from[d][k] = one_take(m, (ik_wse2_take){IK_WSE2_DROP, b->n, 0, 0});
}

static ik_wse2_broadcast *begin(ik_wse2_maker *m, int at, int n) {
  ik_wse2_broadcast *b = IK_NEW(m->a, ik_wse2_broadcast);
  b->at = at, b->n = n;
  drop_all(m, b);
  return b;
}

static void put_broadcast(ik_wse2_maker *m, const ik_wse2_broadcast *b, const char *what) {
  ik_wse2_put(m, (ik_wse2_instr){.kind = IK_WSE2_BROADCAST, .what = what, .broadcast = b});
}

void ik_wse2_put_await(ik_wse2_maker *m) {
  ik_wse2_put(m, (ik_wse2_instr){.kind = IK_WSE2_AWAIT, .what = "await"});
}

static int sent_words(const ik_wse2_maker *m, const ik_wse2_exchange *x, const ik_wse2_piece *p) {
  return ik_wse2_ir_of(m)->field[x->field].on[2] ? p->n + x->dz[0] + x->dz[1] : 1;
}

/* The own column of a piece. */
static ik_wse2_broadcast *begin_column(ik_wse2_maker *m, const ik_wse2_piece *p,
                                       const ik_wse2_exchange *x) {
  int at = ik_wse2_word(m->l, x->field, x->level, p->z - x->dz[0]);
  return begin(m, at, sent_words(m, x, p));
}

static void send_star(ik_wse2_maker *m, const ik_wse2_piece *p, int exchange) {
  const ik_wse2_exchange *x = &p->job->exchange[exchange];
  ik_wse2_broadcast      *b = begin_column(m, p, x);
  bool                    heard = m->wants[exchange].heard;
  for (int d = 0; d < IK_WSE2_DIRECTIONS; d++) {
    b->on[d] = x->reach[d] > 0;
    for (int k = 0; m->inside && b->on[d] && k <= x->reach[d]; k++) {
      ik_wse2_take t = wanted(m, exchange, ik_wse2_first_slot(x, d) + k, b->n);
      if (k == 0 && t.kind == IK_WSE2_DROP && heard) t.kind = IK_WSE2_SCALE, t.coefficient = 0;
      b->from[d][k] = one_take(m, t);
    }
  }
  put_broadcast(m, b, "broadcast");
}

/* Along x: all is stored, side by side. */
static void send_row(ik_wse2_maker *m, const ik_wse2_piece *p, int exchange) {
  const ik_wse2_exchange *x = &p->job->exchange[exchange];
  ik_wse2_broadcast      *b = begin_column(m, p, x);
  int                     own = ik_wse2_slot_at(m->l, p->job, exchange, ik_wse2_slot(x, 0, 0));
  ik_wse2_put_copy(m, "own column", b->n, ik_wse2_vector(own, true), ik_wse2_vector(b->at, true));
  for (int d = IK_WSE2_EAST; d <= IK_WSE2_WEST; d++) {
    b->on[d] = x->reach[d] > 0;
    for (int k = 1; k <= x->reach[d]; k++) {
      int slot = ik_wse2_slot(x, d == IK_WSE2_EAST ? -k : k, 0);
      int at = ik_wse2_slot_at(m->l, p->job, exchange, slot);
      b->from[d][k] = one_take(m, (ik_wse2_take){IK_WSE2_STORE, b->n, at, 0});
    }
  }
  put_broadcast(m, b, "broadcast along x");
}

/* Then what lies there along y. */
static void send_rows(ik_wse2_maker *m, const ik_wse2_piece *p, int exchange) {
  const ik_wse2_exchange *x = &p->job->exchange[exchange];
  int row = 1 + x->reach[IK_WSE2_EAST] + x->reach[IK_WSE2_WEST], west = -x->reach[IK_WSE2_EAST];
  int words = ik_wse2_slot_words(m->l->map, x);
  ik_wse2_broadcast *b =
      begin(m, ik_wse2_slot_at(m->l, p->job, exchange, ik_wse2_slot(x, west, 0)), row * words);
  for (int d = IK_WSE2_SOUTH; d <= IK_WSE2_NORTH; d++) {
    b->on[d] = x->reach[d] > 0;
    for (int k = 1; m->inside && k <= x->reach[d]; k++) {
      ik_wse2_take *t = IK_NEW_N(m->a, ik_wse2_take, row);
      int           first = ik_wse2_slot(x, west, d == IK_WSE2_SOUTH ? -k : k);
      for (int i = 0; i < row; i++) t[i] = wanted(m, exchange, first + i, words);
      b->from[d][k] = (ik_wse2_takes){row, t};
    }
  }
  put_broadcast(m, b, "broadcast along y");
}

static void send(ik_wse2_maker *m, const ik_wse2_piece *p, int exchange) {
  if (!p->job->exchange[exchange].box) {
    send_star(m, p, exchange);
    return;
  }
  send_row(m, p, exchange);
  ik_wse2_put_await(m);
  send_rows(m, p, exchange);
}

/* All exchanges of a piece but the wait for the last; false if there is none. */
bool ik_wse2_send_all(ik_wse2_maker *m, const ik_wse2_piece *p) {
  bool sent = false;
  for (int i = 0; i < p->job->nexchange; i++) {
    if (ik_wse2_is_silent(&p->job->exchange[i])) continue;
    if (sent) ik_wse2_put_await(m);
    send(m, p, i);
    sent = true;
  }
  return sent;
}
