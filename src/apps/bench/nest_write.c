/* nest_write.c: nests and sums as C functions, and the round that calls them. */
#include "apps/bench/nest_writer.h"
#include "ir/spell.h"
#include <string.h>

/* ---- assignments ---- */

/* A statement that reads its own neighbours: all cells are read before any is written. */
static void put_spare(ik_nest_writer *w, const ik_stmt *s) {
  int         f = s->field, last = w->ir->ndim - 1;
  const char *spare = ik_nest_cell(w, f, ik_nest_any_array_name(w, f, w->n->field[f].n - 1));
  const char *cell = ik_nest_cell(w, f, ik_nest_array_name(w->n, f, s->level, w->a));
  int         n = ik_nest_open_box(w, &s->box, last, true, "");
  LINE_OF(s->value, ";", "%s = ", spare);
  ik_nest_close_axes(w, n);
  n = ik_nest_open_box(w, &s->box, last, true, "");
  LINE("%s = %s;", cell, spare);
  ik_nest_close_axes(w, n);
}

static void write_nest(ik_nest_writer *w, const ik_stmt *first, const ik_stmt *end) {
  bool spare = ik_nest_reads_itself(first, NULL);
  ik_nest_forget_uses(w);
  for (const ik_stmt *s = first; s != end; s = s->next) ik_nest_use_statement(w, s);
  if (spare) w->written[w->n->field[first->field].first + w->n->field[first->field].n - 1] = true;
  ik_nest_begin_function(w);
  ik_nest_declare_rest(w);
  if (spare) {
    put_spare(w, first);
  } else {
    int n = ik_nest_open_box(w, &first->box, w->ir->ndim - 1, true, "");
    for (const ik_stmt *s = first; s != end; s = s->next) ik_nest_put_assign(w, first, s);
    ik_nest_close_axes(w, n);
  }
  ik_nest_end_function(w);
}

/* ---- scalars ---- */

static void write_set(ik_nest_writer *w, const ik_stmt *s) {
  ik_nest_forget_uses(w);
  ik_nest_use_statement(w, s);
  ik_nest_begin_function(w);
  LINE_OF(s->value, ";", "p->scalar[%d] = ", s->scalar);
  ik_nest_end_function(w);
}

/* Sums of single precision are formed in double, as anybody would. */
static void put_reduction(ik_nest_writer *w, const ik_stmt *s) {
  static const char *const sign[] = {"+", "min", "max"};
  ik_type                  t = s->value->type;
  const char *type = t == IK_I32 ? "int" : s->reduce == IK_SUM ? "double" : ik_spell_type(t);
  const char *begin = s->reduce == IK_SUM ? "0"
                      : t == IK_I32       ? "INT_MAX"
                      : t == IK_F32       ? "FLT_MAX"
                                          : "DBL_MAX";
  const char *clause = ik_arena_printf(w->a, " reduction(%s : r)", sign[s->reduce]);
  if (t == IK_I32 && s->reduce == IK_SUM) type = "unsigned";
  if (t == IK_I32 && s->reduce == IK_MAXIMUM) begin = "INT_MIN";
  LINE("%s r = %s%s;", type, s->reduce == IK_MAXIMUM && t != IK_I32 ? "-" : "", begin);
  int n = ik_nest_open_box(w, &s->box, w->ir->ndim - 1, true, clause);
  LINE_OF(s->value, ";", "const %s v = ", ik_spell_type(t));
  if (s->reduce == IK_SUM)
    LINE("r += (%s)v;", type);
  else
    LINE("r = v %c r ? v : r;", s->reduce == IK_MINIMUM ? '<' : '>');
  ik_nest_close_axes(w, n);
  LINE("p->scalar[%d] = (%s)r;", s->scalar, ik_spell_type(t));
}

static void write_reduce(ik_nest_writer *w, const ik_stmt *s) {
  ik_nest_forget_uses(w);
  ik_nest_use_statement(w, s);
  ik_nest_begin_function(w);
  ik_nest_declare_rest(w);
  put_reduction(w, s);
  ik_nest_end_function(w);
}

/* ---- statements ---- */

static const ik_stmt *write_assigns(ik_nest_writer *w, const ik_stmt *first) {
  const ik_stmt *end = ik_nest_end(first, NULL);
  if (ik_box_cells(&first->box) == 0) return end;
  for (const ik_stmt *s = first; s != end; s = s->next) ik_nest_fill_for(w, s->value, &s->box);
  write_nest(w, first, end);
  for (const ik_stmt *s = first; s != end; s = s->next) ik_nest_forget_field(w, s);
  return end;
}

static void write_other(ik_nest_writer *w, const ik_stmt *s) {
  if (s->kind == IK_SET) write_set(w, s), ik_nest_forget_scalar(w);
  if (s->kind == IK_REDUCE) {
    ik_nest_fill_for(w, s->value, &s->box);
    write_reduce(w, s);
    ik_nest_forget_scalar(w);
  }
  if (s->kind != IK_SWEEP) return;
  for (const ik_stmt *b = s->body; b; b = b->next) ik_nest_fill_for(w, b->value, &b->box);
  ik_nest_write_sweep(w, s);
  for (const ik_stmt *b = s->body; b; b = b->next) ik_nest_forget_field(w, b);
}

static void write_list(ik_nest_writer *w, const ik_stmt *s) {
  while (s)
    if (s->kind == IK_ASSIGN)
      s = write_assigns(w, s);
    else
      write_other(w, s), s = s->next;
}

static void put_tap(ik_nest_writer *w, const ik_inject *j, const ik_tap *tap) {
  const char *u = ik_nest_cell(w, j->field, ik_nest_array_name(w->n, j->field, 1, w->a));
  LINE("{");
  w->indent++;
  LINE("const long x = %lld, y = %lld, z = %lld;", (long long)tap->at[0], (long long)tap->at[1],
       (long long)tap->at[2]);
  LINE_OF(j->value, "));", "%s += (%s)(%.17g*(", u, ik_spell_type(w->ir->field[j->field].type),
          tap->weight);
  ik_nest_close_axes(w, 1);
}

static void write_source(ik_nest_writer *w, const ik_inject *j) {
  ik_nest_forget_uses(w);
  ik_expr_each(j->value, ik_nest_use, w);
  w->written[ik_nest_array(w->n, j->field, 1)] = true;
  for (int k = 0; k < j->ntap; k++) {
    ik_box cell = ik_nest_cell_of(&j->tap[k]);
    ik_nest_fill_for(w, j->value, &cell);
  }
  ik_nest_begin_function(w);
  for (int k = 0; k < j->ntap; k++) put_tap(w, j, &j->tap[k]);
  ik_nest_end_function(w);
}

/* ---- the loop ---- */

static void put_rotations(ik_nest_writer *w) {
  for (int f = 0; f < w->ir->nfield; f++)
    if (w->ir->field[f].has_new)
      LINE("  rotate(p->a + %d, %d);", w->n->field[f].first, w->ir->field[f].history + 1);
  LINE("  p->t++;");
}

static void write_steps(ik_nest_writer *w, const ik_stmt *s) {
  write_list(w, s->body);
  for (int j = 0; j < w->ir->ninject; j++) write_source(w, &w->ir->inject[j]);
  LINE("long plain_run(plain *p, long rounds) {");
  w->indent++;
  LINE("for (long k = 0; k < rounds; k++) {");
  PUT("%s", ik_buf_text(&w->round));
  put_rotations(w);
  LINE("}\n  return rounds;");
  w->indent--;
  LINE("}");
}

static void write_repeat(ik_nest_writer *w, const ik_stmt *s) {
  ik_buf before = {0};
  write_list(w, s->pre);
  before = w->round, w->round = (ik_buf){0};
  ik_nest_forget_faces(w);
  write_list(w, s->body);
  ik_nest_forget_uses(w);
  ik_expr_each(s->value, ik_nest_use, w);
  LINE("static bool holds(const plain *p) {");
  w->indent++;
  ik_nest_declare_scalars(w);
  ik_nest_declare_time(w);
  LINE_OF(s->value, ";", "return ");
  w->indent--;
  LINE("}\n");
  LINE("long plain_run(plain *p, long rounds) {\n  for (long k = 0;; k++) {");
  PUT("%s", ik_buf_text(&before));
  LINE("    if (holds(p) || k == rounds) return k;");
  PUT("%s", ik_buf_text(&w->round));
  LINE("  }\n}");
  w->out->failed |= before.failed;
  ik_buf_free(&before);
}

static void write_indices(ik_nest_writer *w) {
  for (int f = 0; f < w->ir->nfield; f++) {
    const long *s = w->n->field[f].stride;
    if (!w->n->field[f].local)
      LINE("#define %s(x, y, z) ((x)*%ldL + (y)*%ldL + (z)*%ldL)",
           ik_nest_index_name(w->n, f, w->a), s[0], s[1], s[2]);
  }
}

void ik_nest_write(const ik_nest *n, ik_arena *a, ik_buf *out) {
  ik_nest_writer w = {.n = n, .ir = n->ir, .a = a, .out = out};
  w.filled = IK_NEW_N(a, bool, n->narray + 1);
  w.used = IK_NEW_N(a, bool, n->narray + 1);
  w.written = IK_NEW_N(a, bool, n->narray + 1);
  w.scalar = IK_NEW_N(a, bool, n->ir->nscalar + 1);
  write_indices(&w);
  ik_spell_tables(n->ir, "table_", out);
  ik_nest_write_faces(&w);
  ik_nest_write_begin(&w);
  if (n->loop->kind == IK_STEPS)
    write_steps(&w, n->loop);
  else
    write_repeat(&w, n->loop);
  out->failed |= w.round.failed;
  ik_buf_free(&w.round);
}
