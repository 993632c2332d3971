#include "targets/cpu/kernels.h"
#include "emit/expr.h"
#include "targets/cpu/words.h"

typedef struct printer {
  ik_arena             *a;
  const ik_pass        *pass;
  const ik_pipe_kernel *kernel;
  ik_block             *block;
} printer;

static ik_tree *name(const printer *p, const char *s) { return ik_tree_name(p->a, s); }
static ik_tree *whole(const printer *p, int64_t v) { return ik_tree_int(p->a, v); }

static ik_tree *member(const printer *p, const char *s) {
  return ik_tree_member(p->a, name(p, "c"), s);
}

static void add(const printer *p, ik_tree *block, ik_tree *stmt) { ik_tree_add(p->a, block, stmt); }

/* ---- pointers: in variables of their own, so that no store makes the compiler read them again */

static void add_pointer(const printer *p, ik_tree *to, const char *before, ik_type t,
                        const char *variable, const char *from, int k) {
  const char *type = ik_arena_printf(p->a, "%s%s *", before, ik_cpu_words.element[t]);
  ik_tree    *value = ik_tree_index(p->a, member(p, from), whole(p, k));
  add(p, to, ik_tree_declare(p->a, type, variable, value));
}

static void add_pointers(const printer *p, ik_tree *to) {
  const ik_block       *b = p->block;
  const ik_pipe_kernel *k = p->kernel;
  for (int i = 0; i < b->nport; i++)
    if (b->port[i].used)
      add_pointer(p, to, "const ", k->input[b->port[i].input].type, b->port[i].plane.origin, "in",
                  i);
  for (int i = 0; i < k->noutput * b->size.planes; i++) {
    ik_type type = k->output[i / b->size.planes].type;
    if (b->output[i].origin) add_pointer(p, to, "", type, b->output[i].origin, "out", i);
    if (b->output[i].remainder)
      add_pointer(p, to, "const ", type, b->output[i].remainder, "remainder", i);
  }
  for (int i = 0; i < k->shape->prefetch.n * k->shape->prefetch.planes; i++)
    add_pointer(p, to, "const ", k->shape->prefetch.of[i / k->shape->prefetch.planes].type,
                b->prefetch[i].origin, "prefetch", i);
}

/* ---- loops along a row ---- */

static ik_tree *declare(const printer *p, const char *variable, ik_tree *value) {
  return ik_tree_declare(p->a, "int64_t", variable, value);
}

static ik_tree *declare_const(const printer *p, const char *variable, ik_tree *value) {
  return ik_tree_declare(p->a, "const int64_t", variable, value);
}

static ik_tree *compare(const printer *p, ik_tree *x, const char *op, const char *y) {
  return ik_tree_binary(p->a, x, op, name(p, y));
}

static ik_tree *step(const printer *p, const char *variable, int64_t by) {
  ik_tree *n = whole(p, by < 0 ? -by : by);
  return ik_tree_assign(p->a, name(p, variable), by < 0 ? "-=" : "+=", n);
}

/* x + width <= x1, or up to where blocks keep off the end of the row */
static ik_tree *fits(const printer *p, int64_t width) {
  ik_tree *end = ik_tree_plus(p->a, name(p, "x"), width);
  return compare(p, end, "<=", p->kernel->shape->row.ends ? "until" : "x1");
}

static int64_t width_of(const printer *p, ik_block_form f) {
  return (int64_t)f.vectors * p->kernel->shape->lanes;
}

/* for (; x + width <= x1; x += width) */
static void add_vector_loop(const printer *p, ik_block_form f, ik_tree *to) {
  ik_tree *body = ik_tree_block(p->a);
  int64_t  width = width_of(p, f);
  ik_block_emit(p->block, IK_PER_CELL, f, body);
  add(p, to, ik_tree_for(p->a, NULL, fits(p, width), step(p, "x", width), body));
}

/* Whole blocks, past the caches or not, from the split on, and single vectors; `from` is where they
 * end, unless that is the end of the row. */
static void add_blocks(const printer *p, ik_block_form f, ik_tree *to) {
  f.streaming = p->kernel->shape->streaming;
  add(p, to, declare(p, "x", name(p, "split")));
  add_vector_loop(p, f, to);
  f.vectors = 1;
  if (p->kernel->shape->row.singles) add_vector_loop(p, f, to);
  if (!p->kernel->shape->row.blocks)
    add(p, to, ik_tree_assign(p->a, name(p, "from"), "=", name(p, "x")));
}

/* lanes of a vector from x up to `end`: end - x < lanes ? (int)(end - x) : lanes */
static ik_tree *lanes_up_to(const printer *p, const char *end) {
  ik_tree *left = compare(p, name(p, end), "-", "x"), *lanes = whole(p, p->kernel->shape->lanes);
  ik_tree *few = ik_tree_binary(p->a, left, "<", lanes);
  return ik_tree_choose(p->a, few, ik_tree_cast(p->a, "int", left), lanes);
}

/* const int n = ...; and the vector that has so many.  Whole vectors: const int skip = ..., as
 * well, for those that begin before x0. */
static ik_tree *part_of_vector(const printer *p) {
  ik_tree *body = ik_tree_block(p->a);
  bool     all = p->kernel->shape->row.whole;
  if (all) {
    ik_tree *before = compare(p, name(p, "x"), "<", "x0");
    ik_tree *skip = ik_tree_choose(p->a, before, lanes_up_to(p, "x0"), whole(p, 0));
    add(p, body, ik_tree_declare(p->a, "const int", "skip", skip));
  }
  add(p, body, ik_tree_declare(p->a, "const int", "n", lanes_up_to(p, all ? "x1" : "end")));
  ik_block_emit(p->block, IK_PER_CELL, (ik_block_form){.rows = 1, .vectors = 1, .part = true},
                body);
  return body;
}

/* What blocks leave of a row: the cells before the split, then those from `from` on; of whole
 * vectors, both of which begin where lines do, from w0 to w1.  One text for both, as most of the
 * time that it takes to compile a kernel goes by its length.  `between`, unless NULL, comes
 * between. */
static void add_rest(const printer *p, ik_tree *between, ik_tree *to) {
  ik_tree    *side = ik_tree_block(p->a), *last = name(p, "last"), *stream = name(p, "stream");
  bool        all = p->kernel->shape->row.whole;
  const char *from = all ? "w0" : "x0", *end = all ? "w1" : "x1";
  add(p, side, declare_const(p, "end", ik_tree_choose(p->a, last, name(p, end), name(p, "split"))));
  if (p->kernel->shape->streaming)
    add(p, side,
        ik_tree_declare(p->a, "const int", "stream_rest",
                        all ? stream : ik_tree_binary(p->a, last, "&", stream)));
  ik_tree *x = declare(p, "x", ik_tree_choose(p->a, last, name(p, "from"), name(p, from)));
  add(p, side,
      ik_tree_for(p->a, x, compare(p, name(p, "x"), "<", "end"),
                  step(p, "x", p->kernel->shape->lanes), part_of_vector(p)));
  if (between)
    add(p, side, ik_tree_if(p->a, ik_tree_binary(p->a, last, "==", whole(p, 0)), between, NULL));
  add(p, to,
      ik_tree_for(p->a, ik_tree_declare(p->a, "int", "last", whole(p, 0)),
                  ik_tree_binary(p->a, last, "<", whole(p, 2)), step(p, "last", 1), side));
}

/* if (x0 < split || from < x1) { rest }: short rows that are whole blocks are not kept waiting. */
static ik_tree *if_any_rest(const printer *p, ik_tree *rest) {
  bool     all = p->kernel->shape->row.whole;
  ik_tree *before = compare(p, name(p, all ? "w0" : "x0"), "<", "split");
  ik_tree *behind = compare(p, name(p, "from"), "<", all ? "w1" : "x1");
  return ik_tree_if(p->a, ik_tree_binary(p->a, before, "||", behind), rest, NULL);
}

/* ---- loops over rows ---- */

static ik_tree *row_loop(const printer *p, ik_tree *first, ik_tree *end, ik_tree *body) {
  return ik_tree_for(p->a, declare(p, "y", first), ik_tree_binary(p->a, name(p, "y"), "<", end),
                     step(p, "y", 1), body);
}

/* Rows that begin anywhere in a line of the cache: blocks begin at the first line of each, so that
 * only rows above and below are read across two (wave f32 with AVX-512, rows of 500, 600, 700 and
 * 1000 cells, from the same cell on and so: 1.34 1.50, 1.32 1.40, 1.22 1.29, 1.25 1.27 GPts/s,
 * medians of nine runs in turns). */
static void add_split(const printer *p, ik_tree *to) {
  ik_tree *row = ik_tree_binary(p->a, name(p, "y"), "*", whole(p, p->kernel->shape->row.ragged));
  ik_tree *at = ik_tree_binary(p->a, member(p, "split"), "+", row);
  ik_tree *left = ik_tree_binary(p->a, ik_tree_unary(p->a, "-", at), "&",
                                 whole(p, p->kernel->shape->lanes - 1));
  add(p, to, declare_const(p, "line", ik_tree_binary(p->a, member(p, "split"), "+", left)));
  ik_tree *inside = compare(p, name(p, "line"), "<", "x1");
  add(p, to,
      declare_const(p, "split", ik_tree_choose(p->a, inside, name(p, "line"), name(p, "x1"))));
}

/* One row at a time, in blocks of vectors.  Whole vectors at its ends are read and stored in their
 * turn; others come when their lines are in a cache. */
static void add_plain_rows(const printer *p, ik_tree *to) {
  ik_block_form f = {.rows = 1, .vectors = p->block->size.vectors};
  ik_tree      *body = ik_tree_block(p->a), *blocks = ik_tree_block(p->a);
  ik_tree      *rest = ik_tree_block(p->a);
  bool          all = p->kernel->shape->row.blocks;
  ik_block_emit(p->block, IK_PER_ROW, f, body);
  if (p->kernel->shape->row.ragged) add_split(p, body);
  if (!all) add(p, body, declare(p, "from", name(p, "split")));
  add_blocks(p, f, all ? body : blocks);
  if (p->kernel->shape->row.whole) {
    add_rest(p, blocks, body);
  } else if (!all) {
    add(p, body, blocks);
    add_rest(p, NULL, rest);
    add(p, body, if_any_rest(p, rest));
  }
  add(p, to, row_loop(p, name(p, "y0"), name(p, "y1"), body));
}

/* if (rows == n) { blocks } */
static ik_tree *jammed_part(const printer *p, ik_block_form f) {
  ik_tree *body = ik_tree_block(p->a);
  add(p, body, declare_const(p, "y", name(p, "top")));
  ik_block_emit(p->block, IK_PER_ROW, f, body);
  add_blocks(p, f, body);
  return ik_tree_if(p->a, ik_tree_binary(p->a, name(p, "rows"), "==", whole(p, f.rows)), body,
                    NULL);
}

/* Several rows at a time as far as blocks go; what they leave, row by row. */
static void add_jammed_rows(const printer *p, ik_tree *to) {
  int           n = p->block->size.rows;
  ik_block_form f = {.rows = n, .vectors = p->block->size.vectors};
  ik_tree      *body = ik_tree_block(p->a), *rest = ik_tree_block(p->a);
  ik_tree      *left = compare(p, name(p, "y1"), "-", "top");
  ik_tree      *few = ik_tree_binary(p->a, left, "<", whole(p, n));
  add(p, body, declare_const(p, "rows", ik_tree_choose(p->a, few, left, whole(p, n))));
  add(p, body, declare(p, "from", name(p, "split")));
  add(p, body, jammed_part(p, f));
  ik_block_emit(p->block, IK_PER_ROW, (ik_block_form){.rows = 1, .vectors = 1}, rest);
  add_rest(p, NULL, rest);
  ik_tree *end = ik_tree_binary(p->a, name(p, "top"), "+", name(p, "rows"));
  ik_tree *rows = ik_tree_block(p->a);
  add(p, rows, row_loop(p, name(p, "top"), end, rest));
  add(p, body, if_any_rest(p, rows));
  add(p, to,
      ik_tree_for(p->a, declare(p, "top", name(p, "y0")), compare(p, name(p, "top"), "<", "y1"),
                  step(p, "top", n), body));
}

/* Cell by cell: each may read what the one before has written. */
static void add_cells(const printer *p, ik_tree *to) {
  ik_block_form f = {.rows = 1, .vectors = 1};
  ik_tree      *row = ik_tree_block(p->a), *cell = ik_tree_block(p->a);
  ik_tree      *inside = compare(p, name(p, "x"), "<", "x1");
  ik_block_emit(p->block, IK_PER_ROW, f, row);
  ik_block_emit(p->block, IK_PER_CELL, f, cell);
  add(p, row, ik_tree_for(p->a, declare(p, "x", name(p, "x0")), inside, step(p, "x", 1), cell));
  add(p, to, row_loop(p, name(p, "y0"), name(p, "y1"), row));
}

/* ---- functions ---- */

static ik_tree *function(const printer *p, const char *symbol, ik_tree *body) {
  ik_tree *f = ik_tree_function(p->a, "void", symbol, body);
  add(p, f, ik_tree_declare(p->a, "const ik_kernel_call *", "c", NULL));
  return f;
}

static void add_weights(const printer *p, ik_tree *to) {
  const ik_block *b = p->block;
  if (!b->weights.n) return;
  ik_type  type = (ik_type)p->kernel->shape->weights;
  ik_tree *call = ik_tree_call(p->a, "IK_WEIGHTS", 1, name(p, ik_cpu_words.element[type]));
  for (int i = 0; i < b->weights.n; i++)
    ik_tree_add(p->a, call, ik_tree_number(p->a, type, b->weights.of[i]));
  add(p, to, ik_tree_do(p->a, call));
}

static ik_tree *kernel_function(const printer *p, const char *symbol) {
  ik_tree          *body = ik_tree_block(p->a);
  const char *const bounds[] = {"x0", "split", "x1", "y0", "y1", "z", "w0", "w1"};
  enum { SPLIT = 1 };
  add_pointers(p, body);
  for (int i = 0; i < (p->kernel->shape->row.whole ? 8 : 6); i++)
    if (!(i == SPLIT && p->kernel->shape->row.ragged))
      add(p, body, declare_const(p, bounds[i], member(p, bounds[i])));
  if (p->kernel->shape->row.ends) add(p, body, declare_const(p, "until", member(p, "until")));
  if (p->kernel->shape->streaming)
    add(p, body, ik_tree_declare(p->a, "const int", "stream", member(p, "stream")));
  add_weights(p, body);
  ik_block_form all = {.rows = p->block->size.rows, .vectors = p->block->size.vectors};
  ik_block_emit(p->block, IK_PER_CALL, all, body);
  if (p->kernel->shape->lanes == 1)
    add_cells(p, body);
  else if (p->block->size.rows == 1)
    add_plain_rows(p, body);
  else
    add_jammed_rows(p, body);
  return function(p, symbol, body);
}

/* With one plane at a time the kernel is its own twin. */
static ik_tree *twin_function(const printer *p, const char *symbol, const char *twin) {
  ik_tree *body = ik_tree_block(p->a);
  add(p, body, ik_tree_do(p->a, ik_tree_call(p->a, symbol, 1, name(p, "c"))));
  return function(p, twin, body);
}

static const char *count(ik_arena *a, int n, const char *what) {
  return ik_arena_printf(a, "%d %s%s", n, what, n == 1 ? "" : "s");
}

/* "u', v: 1 plane x 4 rows x 2 vectors at a time" */
static ik_tree *comment_of(const ik_ir *ir, const ik_pipe_kernel *k, ik_arena *a) {
  const char *text = "";
  for (int i = 0; i < k->nstmt; i++) {
    const ik_stmt *s = k->stmt[i];
    bool           field = s->kind == IK_ASSIGN;
    text = ik_arena_printf(a, "%s%s%s%s", text, i ? ", " : "",
                           field ? ir->field[s->field].name : ir->scalar[s->scalar].name,
                           field && s->level == 1 ? "'" : "");
  }
  return ik_tree_comment(
      a, ik_arena_printf(a, "%s: %s x %s x %s at a time", text, count(a, k->planes, "plane"),
                         count(a, k->shape->rows, "row"), count(a, k->shape->vectors, "vector")));
}

static void add_kernel(printer *p, const ik_ir *ir, const char *symbol, ik_tree *file) {
  const ik_pipe_kernel *k = p->kernel;
  const char           *twin = ik_arena_printf(p->a, "%s_one", symbol);
  add(p, file, ik_tree_blank(p->a));
  add(p, file, comment_of(ir, k, p->a));
  p->block =
      ik_block_of(ir, p->pass, k, (ik_block_size){k->planes, k->shape->rows, k->shape->vectors},
                  &ik_cpu_words, p->a);
  add(p, file, kernel_function(p, symbol));
  add(p, file, ik_tree_blank(p->a));
  if (k->planes == 1) {
    add(p, file, twin_function(p, symbol, twin));
    return;
  }
  p->block = ik_block_of(ir, p->pass, k, (ik_block_size){1, 1, 1}, &ik_cpu_words, p->a);
  add(p, file, kernel_function(p, twin));
}

/* ---- the file ---- */

/* The arena may jump away, so what is not in it is the caller's: `out` holds it for a moment. */
static const char *plan_text(const ik_ir *ir, const ik_plan *plan, ik_arena *a, ik_buf *out) {
  size_t before = out->len;
  ik_plan_print(plan, ir, out);
  const char *text = ik_arena_dup(a, ik_buf_text(out) + before, out->len - before);
  out->len = before;
  return text;
}

void ik_cpu_kernels(const ik_ir *ir, const ik_pass *const *pass, const ik_code_of *which, int n,
                    int lanes, const ik_plan *plan, const char *title, ik_arena *a, ik_buf *out) {
  const char *text = ik_arena_printf(a, "plan    %s\n", plan_text(ir, plan, a, out));
  ik_tree    *file = ik_cpu_file(title, ir, text, lanes, plan->cpu.vector_bytes, a);
  for (const ik_code_of *w = which; w < which + n; w++) {
    printer p = {.a = a, .pass = pass[w->pass], .kernel = &pass[w->pass]->kernel[w->kernel]};
    add_kernel(&p, ir, ik_arena_printf(a, "ikat_p%d_k%d", w->pass, w->kernel), file);
  }
  ik_cpu_file_print(file, out);
}
