/* shift.c: neighbours along a row from whole vectors.
 *
 * Vectors that lie across two lines of a cache cost two accesses each, and of the reads of a row
 * most do.  Those at multiples of the vector length do not (whoever calls the kernel sees to it),
 * and all others are made of two of them, which other reads and other results need as well.
 *
 * Of a result that is made of many operations those before the cell are loaded after all, from as
 * many on as the shape says. */
#include "emit/expr.h"

typedef struct shifter {
  ik_block *b;
  int       low, nrow; /* rows that are read */
  bool     *whole;     /* [nport * nrow] whole vectors of it are read */
  int      *now;       /* [n] where the values went */
  bool      much;      /* is computed for a result, in rows that share what they load */
} shifter;

static bool computes_much(const ik_block *b) {
  int ops = 0, rows = b->size.planes * b->size.rows;
  for (int i = 0; i < b->n; i++) {
    int op = b->value[i].what.op;
    ops += op < IK_NOPS && ik_op_nargs(op) > 0;
  }
  int from = b->shape->loaded_from;
  return from && rows > 1 && ops >= from * rows * b->size.vectors;
}

/* Lanes that a read begins behind a whole vector. */
static int lanes_behind(const shifter *s, const ik_what *w) {
  return ik_lanes_behind(w->at[IK_LANE], s->b->shape->lanes);
}

/* What is written in between is not for loading ahead.  Of rows that are read whole some begin
 * anywhere in a line: fewer loads of them are still fewer. */
static bool may_shift(const shifter *s, const ik_what *w) {
  if (w->op != IK_OP_READ) return false;
  int                   input = s->b->port[w->id].input;
  const ik_pipe_value  *v = &s->b->kernel->input[input];
  const ik_value_shape *how = &s->b->shape->input[input];
  return (how->aligned || how->ends.known) && v->on[IK_LANE] &&
         !ik_block_overwrites(s->b->pass, s->b->kernel, input);
}

static bool *row_of(const shifter *s, const ik_what *w) {
  return &s->whole[w->id * s->nrow + w->at[IK_ROW] - s->low];
}

static void find_rows(shifter *s) {
  const ik_block *b = s->b;
  int             high = 0;
  for (int i = 0; i < b->n; i++) {
    int row = b->value[i].what.at[IK_ROW];
    if (row < s->low) s->low = row;
    if (row > high) high = row;
  }
  s->nrow = high - s->low + 1;
  s->whole = IK_NEW_N(b->a, bool, b->nport * s->nrow);
  for (int i = 0; i < b->n; i++) {
    const ik_what *w = &b->value[i].what;
    if (may_shift(s, w) && lanes_behind(s, w) == 0) *row_of(s, w) = true;
  }
}

/* Two loads for one are worth it where they are shared: in rows that need whole vectors anyway.
 * Beyond known ends of rows nothing else is loaded. */
static bool is_shifted(const shifter *s, const ik_what *w) {
  int lanes = s->b->shape->lanes, behind = lanes_behind(s, w);
  if (!may_shift(s, w) || behind == 0) return false;
  if (s->b->shape->input[s->b->port[w->id].input].ends.known) return true;
  bool loaded =
      s->much && lanes * ik_type_bytes((ik_type)w->type) == s->b->shape->line && 2 * behind > lanes;
  return *row_of(s, w) && !loaded;
}

static void take_from_vectors(const shifter *s, ik_what *w, int result) {
  ik_what lo = *w, hi;
  lo.at[IK_LANE] -= lanes_behind(s, w);
  hi = lo;
  hi.at[IK_LANE] += s->b->shape->lanes;
  w->arg[0] = ik_block_add(s->b, &lo, result);
  w->arg[1] = ik_block_add(s->b, &hi, result);
}

static void move(shifter *s, int i, const ik_block_value *old) {
  ik_what w = old->what;
  for (int k = 0; k < 4; k++)
    if (w.arg[k] >= 0) w.arg[k] = s->now[w.arg[k]];
  if (is_shifted(s, &w)) take_from_vectors(s, &w, old->result);
  s->now[i] = ik_block_add(s->b, &w, old->result);
  s->b->value[s->now[i]].name = old->name;
}

static void clear(ik_block *b) {
  b->value = NULL, b->n = b->cap = 0;
  b->table = (ik_block_table){0};
}

/* The values are listed anew, because operands come before their users. */
void ik_block_shift(ik_block *b) {
  shifter               s = {.b = b, .much = computes_much(b)};
  int                   n = b->n;
  const ik_block_value *old = b->value;
  find_rows(&s);
  s.now = IK_NEW_N(b->a, int, n);
  clear(b);
  for (int i = 0; i < n; i++) move(&s, i, &old[i]);
}
