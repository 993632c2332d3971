/* nest_cells.c: what all functions of the plain loop have: what they use, loops over cells. */
#include "apps/bench/nest_writer.h"
#include "ir/spell.h"
#include <string.h>

const char ik_nest_axes[] = "xyz";

void ik_nest_begin_line(ik_nest_writer *w) { ik_buf_pad(w->out, ' ', 2 * w->indent); }

void ik_nest_put_expr(ik_nest_writer *w, const ik_expr *e) {
  ik_nest_write_expr(w->n, e, w->a, w->out);
}

/* ---- what a function uses ---- */

void ik_nest_forget_uses(ik_nest_writer *w) {
  w->time = false;
  memset(w->used, 0, (size_t)w->n->narray + 1);
  memset(w->written, 0, (size_t)w->n->narray + 1);
  memset(w->scalar, 0, (size_t)w->ir->nscalar + 1);
}

void ik_nest_use(const ik_expr *e, void *ctx) {
  ik_nest_writer *w = ctx;
  if (e->op == IK_OP_SCALAR) w->scalar[e->id] = true;
  if (e->op == IK_OP_TIME) w->time = true;
  if (e->op == IK_OP_READ && !w->n->field[e->id].local)
    w->used[ik_nest_array(w->n, e->id, e->level)] = true;
}

void ik_nest_use_statement(ik_nest_writer *w, const ik_stmt *s) {
  ik_expr_each(s->value, ik_nest_use, w);
  if (s->kind == IK_ASSIGN && !w->n->field[s->field].local)
    w->written[ik_nest_array(w->n, s->field, s->level)] = true;
}

const char *ik_nest_any_array_name(ik_nest_writer *w, int field, int k) {
  const ik_nest_field *x = &w->n->field[field];
  const ik_field      *f = &w->ir->field[field];
  if (x->spare && k == x->n - 1)
    return ik_arena_printf(w->a, "%s_spare", ik_nest_index_name(w->n, field, w->a));
  return ik_nest_array_name(w->n, field, f->has_new - k, w->a);
}

static void declare_arrays(ik_nest_writer *w, int field) {
  const ik_nest_field *x = &w->n->field[field];
  for (int k = 0; k < x->n; k++) {
    bool written = w->written[x->first + k];
    if (!written && !w->used[x->first + k]) continue;
    LINE("%s%s *restrict %s = p->a[%d];", written ? "" : "const ",
         ik_spell_type(w->ir->field[field].type), ik_nest_any_array_name(w, field, k),
         x->first + k);
  }
}

void ik_nest_declare_scalars(ik_nest_writer *w) {
  for (int i = 0; i < w->ir->nscalar; i++)
    if (w->scalar[i]) {
      const char *type = ik_spell_type(w->ir->scalar[i].type);
      LINE("const %s %s = (%s)p->scalar[%d];", type, ik_nest_scalar_name(w->n, i, w->a), type, i);
    }
}

void ik_nest_declare_time(ik_nest_writer *w) {
  if (w->time) LINE("const long t = p->t;");
}

void ik_nest_begin_function(ik_nest_writer *w) {
  LINE("static void part_%d(plain *p) {", w->nfunction);
  w->indent++;
  for (int f = 0; f < w->ir->nfield; f++) declare_arrays(w, f);
  ik_nest_declare_scalars(w);
  ik_nest_declare_time(w);
}

void ik_nest_end_function(ik_nest_writer *w) {
  w->indent--;
  LINE("}\n");
  ik_buf_printf(&w->round, "    part_%d(p);\n", w->nfunction++);
}

/* ---- loops over cells ---- */

void ik_nest_put_simd(ik_nest_writer *w, const char *reduction) {
  LINE("#pragma omp simd%s", reduction);
}

void ik_nest_open_axis(ik_nest_writer *w, const ik_box *b, int d) {
  if (ik_nest_extent(b, d) == 1)
    LINE("{ const long %c = %lld;", ik_nest_axes[d], (long long)b->lo[d]);
  else
    LINE("for (long %c = %lld; %c < %lld; %c++) {", ik_nest_axes[d], (long long)b->lo[d],
         ik_nest_axes[d], (long long)b->hi[d], ik_nest_axes[d]);
  w->indent++;
}

void ik_nest_close_axes(ik_nest_writer *w, int count) {
  for (; count > 0; count--) {
    w->indent--;
    LINE("}");
  }
}

/* Threads share the outermost axis that has something to share; two of them where that is little.
 */
void ik_nest_put_parallel(ik_nest_writer *w, const ik_box *b, int d, bool more,
                          const char *reduction) {
  enum { ENOUGH = 64 };
  bool both = more && ik_nest_extent(b, d) < ENOUGH && ik_nest_extent(b, d - 1) > 1;
  LINE("#pragma omp parallel for%s%s num_threads(p->threads) schedule(static)%s",
       d == 0 ? " simd" : "", both ? " collapse(2)" : "", reduction);
}

/* Loops from axis `from` down to x; returns how many were opened. */
int ik_nest_open_box(ik_nest_writer *w, const ik_box *b, int from, bool parallel,
                     const char *reduction) {
  int top = from;
  while (top > 0 && ik_nest_extent(b, top) == 1) top--;
  for (int d = from; d >= 0; d--) {
    bool shared = parallel && d == top && ik_nest_extent(b, d) > 1;
    if (shared) ik_nest_put_parallel(w, b, d, d > 1, reduction);
    if (d == 0 && ik_nest_extent(b, 0) > 1 && !shared) ik_nest_put_simd(w, reduction);
    ik_nest_open_axis(w, b, d);
  }
  return from + 1;
}

/* Axes beyond the grid's have one cell. */
void ik_nest_declare_rest(ik_nest_writer *w) {
  for (int d = w->ir->ndim; d < IK_MAX_DIM; d++) LINE("const long %c = 0;", ik_nest_axes[d]);
}

/* ---- assignments ---- */

const char *ik_nest_cell(ik_nest_writer *w, int field, const char *array) {
  return ik_arena_printf(w->a, "%s[%s(x, y, z)]", array, ik_nest_index_name(w->n, field, w->a));
}

static bool is_first(const ik_stmt *first, const ik_stmt *s) {
  for (const ik_stmt *p = first; p != s; p = p->next)
    if (p->field == s->field) return false;
  return true;
}

void ik_nest_put_assign(ik_nest_writer *w, const ik_stmt *first, const ik_stmt *s) {
  const char *name = ik_nest_array_name(w->n, s->field, s->level, w->a);
  if (!w->n->field[s->field].local)
    LINE_OF(s->value, ";", "%s = ", ik_nest_cell(w, s->field, name));
  else if (is_first(first, s))
    LINE_OF(s->value, ";", "%s %s = ", ik_spell_type(s->value->type), name);
  else
    LINE_OF(s->value, ";", "%s = ", name);
}
