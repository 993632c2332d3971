#include "targets/cpu/sweep.h"
#include "emit/expr.h"
#include "facts/nodes.h"
#include "targets/cpu/words.h"
#include "targets/cpu/shape/shape.h"
#include <string.h>

typedef struct printer {
  const ik_ir    *ir;
  const ik_sweep *order;
  ik_arena       *a;
  int             lanes;
  ik_block       *block;
} printer;

static const ik_block_form one_cell = {.rows = 1, .vectors = 1};
static const ik_block_size one_result = {.planes = 1, .rows = 1, .vectors = 1};

static ik_tree *name(const printer *p, const char *s) { return ik_tree_name(p->a, s); }
static ik_tree *whole(const printer *p, int64_t v) { return ik_tree_int(p->a, v); }
static void add(const printer *p, ik_tree *block, ik_tree *stmt) { ik_tree_add(p->a, block, stmt); }

static ik_tree *member(const printer *p, const char *s, int k) {
  return ik_tree_index(p->a, ik_tree_member(p->a, name(p, "c"), s), whole(p, k));
}

/* ---- what a function computes ---- */

/* One cell at a time: axis 0 lies along the lane, and so on. */
static const ik_pass *pass_of(const printer *p) {
  ik_pass *pass = IK_NEW(p->a, ik_pass);
  for (int r = 0; r < IK_NROLES; r++) pass->axis[r] = r < p->ir->ndim ? r : -1;
  return pass;
}

static ik_pipe_kernel *new_kernel(const printer *p, int nstmt, int nvalue) {
  ik_pipe_kernel *k = IK_NEW(p->a, ik_pipe_kernel);
  *k = (ik_pipe_kernel){.planes = 1, .shape = ik_shape_one_result(p->lanes, nvalue, p->a)};
  k->stmt = IK_NEW_N(p->a, const ik_stmt *, nstmt);
  k->store = IK_NEW_N(p->a, int, nstmt);
  return k;
}

static ik_pipe_value pipe_value(const printer *p, const ik_sweep_value *v) {
  const ik_field *f = &p->ir->field[v->field];
  ik_pipe_value   x = {.field = v->field, .level = v->level, .type = f->type};
  x.pitch = v->stride[1];
  for (int r = 0; r < IK_NROLES; r++) x.on[r] = r < p->ir->ndim && f->on[r];
  return x;
}

/* The planes of a value that a set reads, in order. */
static void add_ports(const printer *p, uint64_t set, int value, ik_pipe_kernel *k,
                      ik_pipe_port *port) {
  int  lo = 0, hi = 0;
  bool any = false;
  for (int i = 0; i < p->order->nstmt; i++)
    for (int r = 0; (set >> i & 1) && r < p->order->body[i].nread; r++) {
      const ik_sweep_read *q = &p->order->body[i].read[r];
      if (q->value != value) continue;
      if (!any || q->off[2] < lo) lo = q->off[2];
      if (!any || q->off[2] > hi) hi = q->off[2];
      any = true;
    }
  for (int dz = lo; any && dz <= hi; dz++) port[k->nport++] = (ik_pipe_port){value, dz};
}

static int planes_read(const printer *p) {
  int most = 1;
  for (int i = 0; i < p->order->nstmt; i++)
    for (int r = 0; r < p->order->body[i].nread; r++) {
      int reach = p->order->body[i].read[r].off[2];
      reach = reach < 0 ? -reach : reach;
      if (2 * reach + 1 > most) most = 2 * reach + 1;
    }
  return most;
}

static int output_for(const printer *p, ik_pipe_kernel *k, ik_pipe_value *output, int value) {
  const ik_sweep_value *v = &p->order->value[value];
  for (int i = 0; i < k->noutput; i++)
    if (output[i].field == v->field && output[i].level == v->level) return i;
  output[k->noutput] = pipe_value(p, v);
  return k->noutput++;
}

/* The statements of a set.  Inputs are all values of the order. */
static const ik_pipe_kernel *kernel_of_set(const printer *p, uint64_t set) {
  const ik_sweep *o = p->order;
  ik_pipe_kernel *k = new_kernel(p, o->nstmt, o->nvalue);
  ik_pipe_value  *input = IK_NEW_N(p->a, ik_pipe_value, o->nvalue);
  ik_pipe_value  *output = IK_NEW_N(p->a, ik_pipe_value, o->nvalue);
  ik_pipe_port   *port = IK_NEW_N(p->a, ik_pipe_port, o->nvalue * planes_read(p));
  for (int v = 0; v < o->nvalue; v++) input[v] = pipe_value(p, &o->value[v]);
  for (int v = 0; v < o->nvalue; v++) add_ports(p, set, v, k, port);
  k->input = input, k->ninput = o->nvalue, k->port = port, k->output = output;
  for (int i = 0; i < o->nstmt; i++) {
    if (!(set >> i & 1)) continue;
    int to = output_for(p, k, output, o->body[i].value);
    for (int j = 0; j < k->nstmt; j++)
      if (k->store[j] == to) k->store[j] = -1; /* the last one counts */
    k->store[k->nstmt] = to;
    k->stmt[k->nstmt++] = o->body[i].stmt;
  }
  return k;
}

static int value_of(const printer *p, const ik_pipe_value *v) {
  int i = 0;
  while (p->order->value[i].field != v->field || p->order->value[i].level != v->level) i++;
  return i;
}

/* ---- loops ---- */

static ik_tree *first_of(const printer *p, int axis) {
  if (p->order->dir[axis] > 0) return member(p, "lo", axis);
  return ik_tree_plus(p->a, member(p, "hi", axis), -1);
}

static ik_tree *is_inside(const printer *p, int axis, ik_tree *i) {
  bool up = p->order->dir[axis] > 0;
  return ik_tree_binary(p->a, i, up ? "<" : ">=", member(p, up ? "hi" : "lo", axis));
}

static ik_tree *step(const printer *p, int axis, ik_tree *i, int by) {
  return ik_tree_assign(p->a, i, p->order->dir[axis] > 0 ? "+=" : "-=", whole(p, by));
}

/* for (int64_t x = c->lo[0]; x < c->hi[0]; x += 1) */
static ik_tree *loop(const printer *p, int axis, ik_tree *body) {
  static const char *const variable[] = {"x", "y", "z"};
  ik_tree                 *i = name(p, variable[axis]);
  return ik_tree_for(p->a, ik_tree_declare(p->a, "int64_t", variable[axis], first_of(p, axis)),
                     is_inside(p, axis, i), step(p, axis, i, 1), body);
}

/* const double *u = (const double *)c->in[1] + (z - 1)*4800; */
static ik_tree *plane_pointer(const printer *p, const char *before, const char *from, int value,
                              int dz, const char *variable) {
  const ik_sweep_value *v = &p->order->value[value];
  ik_type               t = p->ir->field[v->field].type;
  const char           *type = ik_arena_printf(p->a, "%s%s *", before, ik_cpu_words.element[t]);
  ik_tree              *from_z = member(p, from, value);
  if (v->stride[2]) {
    ik_tree *z = ik_tree_plus(p->a, name(p, "z"), dz);
    from_z = ik_tree_binary(p->a, ik_tree_cast(p->a, type, from_z), "+",
                            ik_tree_binary(p->a, z, "*", whole(p, v->stride[2])));
  }
  return ik_tree_declare(p->a, type, variable, from_z);
}

static void add_plane_pointers(const printer *p, ik_tree *to) {
  const ik_block *b = p->block;
  for (int i = 0; i < b->nport; i++)
    if (b->port[i].used)
      add(p, to,
          plane_pointer(p, "const ", "in", b->port[i].input, b->port[i].dz,
                        b->port[i].plane.origin));
  for (int i = 0; i < b->kernel->noutput; i++)
    add(p, to,
        plane_pointer(p, "", "out", value_of(p, &b->kernel->output[i]), 0, b->output[i].origin));
}

/* ---- what the cell before has left, in a register ---- */

typedef struct carried {
  const ik_block_value *read, *result;
  const char           *variable;
} carried;

/* The value that a cell leaves in what is an input as well; NULL: none. */
static const ik_block_value *result_for(const ik_block *b, const ik_pipe_value *input) {
  for (int i = 0; i < b->n; i++) {
    const ik_what *w = &b->value[i].what;
    if (w->op != IK_NOPS) continue;
    const ik_pipe_value *to = &b->kernel->output[w->id];
    if (to->field == input->field && to->level == input->level) return &b->value[w->arg[0]];
  }
  return NULL;
}

static bool is_cell_before(const printer *p, const ik_what *w) {
  const ik_block *b = p->block;
  if (w->op != IK_OP_READ || w->at[IK_LANE] != -p->order->dir[0] || w->at[IK_ROW]) return false;
  return !b->port[w->id].dz && b->kernel->input[b->port[w->id].input].on[IK_LANE];
}

/* Each with a variable that nobody else has. */
static int find_carried(const printer *p, carried *out) {
  ik_block *b = p->block;
  int       n = 0;
  for (int i = 0; i < b->n && p->order->kind != IK_SWEEP_PLANES; i++) {
    const ik_what *w = &b->value[i].what;
    if (!is_cell_before(p, w)) continue;
    const ik_block_port  *port = &b->port[w->id];
    const ik_block_value *result = result_for(b, &b->kernel->input[port->input]);
    if (!result) continue;
    const char *variable = ik_arena_printf(p->a, "%s_before", port->plane.origin);
    out[n++] = (carried){&b->value[i], result, ik_names_add(&b->names, variable)};
  }
  return n;
}

/* In row `y`. */
static void declare_carried(const printer *p, const carried *c, ik_tree *y, ik_tree *to) {
  const ik_block      *b = p->block;
  const ik_what       *w = &c->read->what;
  const ik_pipe_value *v = &b->kernel->input[b->port[w->id].input];
  ik_tree             *at = ik_tree_plus(p->a, first_of(p, 0), w->at[IK_LANE]);
  const char          *load =
      ik_arena_printf(p->a, "%s%s", ik_cpu_words.load.whole, ik_cpu_words.suffix[w->type]);
  if (v->pitch)
    at = ik_tree_binary(p->a, ik_tree_binary(p->a, y, "*", whole(p, v->pitch)), "+", at);
  ik_tree *element = ik_tree_index(p->a, name(p, b->port[w->id].plane.origin), at);
  add(p, to,
      ik_tree_declare(p->a, ik_cpu_words.type[w->type], c->variable,
                      ik_tree_call(p->a, load, 1, ik_tree_unary(p->a, "&", element))));
}

/* The statements of a cell, with loads of what the cell before has left replaced. */
static void add_cell(const printer *p, const carried *c, int n, ik_tree *body) {
  ik_tree *plain = ik_tree_block(p->a);
  ik_block_emit(p->block, IK_PER_CELL, one_cell, plain);
  for (int i = 0; i < plain->nchild; i++) {
    ik_tree *s = plain->child[i];
    for (int k = 0; k < n; k++)
      if (s->kind == IK_TREE_DECLARE && !strcmp(s->text, c[k].read->name))
        s = ik_tree_declare(p->a, s->type, s->text, name(p, c[k].variable));
    add(p, body, s);
  }
  for (int k = 0; k < n; k++)
    add(p, body, ik_tree_assign(p->a, name(p, c[k].variable), "=", name(p, c[k].result->name)));
}

/* ---- functions ---- */

static ik_tree *function(const printer *p, const char *symbol, ik_tree *body) {
  ik_tree *f = ik_tree_function(p->a, "void", symbol, body);
  add(p, f, ik_tree_declare(p->a, "const ik_sweep_call *", "c", NULL));
  return f;
}

/* Vectors, and what is left of a row. */
static void add_vectors(const printer *p, ik_tree *to) {
  ik_tree *body = ik_tree_block(p->a), *part = ik_tree_block(p->a), *x = name(p, "x");
  ik_tree *end = member(p, "hi", 0);
  ik_tree *fits = ik_tree_binary(p->a, ik_tree_plus(p->a, x, p->lanes), "<=", end);
  ik_tree *left = ik_tree_cast(p->a, "int", ik_tree_binary(p->a, end, "-", x));
  ik_block_emit(p->block, IK_PER_CELL, one_cell, body);
  add(p, part, ik_tree_declare(p->a, "const int", "n", left));
  ik_block_emit(p->block, IK_PER_CELL, (ik_block_form){.rows = 1, .vectors = 1, .part = true},
                part);
  add(p, to, ik_tree_declare(p->a, "int64_t", "x", member(p, "lo", 0)));
  add(p, to,
      ik_tree_for(p->a, NULL, fits, ik_tree_assign(p->a, x, "+=", whole(p, p->lanes)), body));
  add(p, to, ik_tree_if(p->a, ik_tree_binary(p->a, x, "<", end), part, NULL));
}

static ik_tree *one_row(const printer *p) {
  ik_tree *body = ik_tree_block(p->a), *cell = ik_tree_block(p->a);
  carried *c = IK_NEW_N(p->a, carried, p->block->n + 1);
  ik_block_emit(p->block, IK_PER_ROW, one_cell, body);
  if (p->lanes > 1) {
    add_vectors(p, body);
    return body;
  }
  int n = find_carried(p, c);
  for (int k = 0; k < n; k++) declare_carried(p, &c[k], name(p, "y"), body);
  add_cell(p, c, n, cell);
  add(p, body, loop(p, 0, cell));
  return body;
}

/* The cells of several rows in turn, one of each: each row is a chain of cells that wait for the
 * one before, and the chains do not wait for each other, or but a little. */
static ik_tree *rows_in_turn(const printer *p) {
  ik_tree *body = ik_tree_block(p->a), *cells = ik_tree_block(p->a);
  for (int r = 0; r < p->order->row.turns; r++) {
    carried *c = IK_NEW_N(p->a, carried, p->block->n + 1);
    ik_tree *y = ik_tree_plus(p->a, name(p, "top"), r * p->order->dir[1]);
    ik_tree *cell = ik_tree_block(p->a);
    int      n = find_carried(p, c);
    for (int k = 0; k < n; k++) declare_carried(p, &c[k], y, body);
    add(p, cell, ik_tree_declare(p->a, "const int64_t", "y", y));
    ik_block_emit(p->block, IK_PER_ROW, one_cell, cell);
    add_cell(p, c, n, cell);
    add(p, cells, cell);
  }
  add(p, body, loop(p, 0, cells));
  return body;
}

/* for (; top + 3 < c->hi[1]; top += 4) and what is left, one by one */
static void add_rows_in_turn(const printer *p, ik_tree *to) {
  int      rows = p->order->row.turns;
  ik_tree *top = name(p, "top"), *rest = ik_tree_block(p->a);
  ik_tree *last = ik_tree_plus(p->a, top, (rows - 1) * p->order->dir[1]);
  add(p, to, ik_tree_declare(p->a, "int64_t", "top", first_of(p, 1)));
  add(p, to,
      ik_tree_for(p->a, NULL, is_inside(p, 1, last), step(p, 1, top, rows), rows_in_turn(p)));
  add(p, rest, ik_tree_declare(p->a, "const int64_t", "y", top));
  add(p, rest, one_row(p));
  add(p, to, ik_tree_for(p->a, NULL, is_inside(p, 1, top), step(p, 1, top, 1), rest));
}

static ik_tree *set_function(printer *p, uint64_t set, const char *symbol) {
  ik_tree *plane = ik_tree_block(p->a), *all = ik_tree_block(p->a);
  p->block = ik_block_of(p->ir, pass_of(p), kernel_of_set(p, set), one_result, &ik_cpu_words, p->a);
  add_plane_pointers(p, plane);
  ik_block_emit(p->block, IK_PER_CALL, one_cell, plane);
  if (p->order->row.turns > 1)
    add_rows_in_turn(p, plane);
  else
    add(p, plane, p->ir->ndim > 1 ? loop(p, 1, one_row(p)) : one_row(p));
  add(p, all, p->ir->ndim > 2 ? loop(p, 2, plane) : plane);
  return function(p, symbol, all);
}

/* ---- cells near faces ---- */

/* ", x -1" as "_xm1". */
static const char *name_of_read(const printer *p, const ik_sweep_read *r) {
  const ik_sweep_value *v = &p->order->value[r->value];
  const char           *s = p->ir->field[v->field].name;
  if (v->level) s = ik_arena_printf(p->a, "%s_%s", s, v->level > 0 ? "new" : "old");
  for (int d = 0; d < p->ir->ndim; d++)
    if (r->off[d])
      s = ik_arena_printf(p->a, "%s_%s%s%d", s, p->ir->axis[d], r->off[d] < 0 ? "m" : "",
                          r->off[d] < 0 ? -r->off[d] : r->off[d]);
  return s;
}

/* The program as one cell sees it: every read is of a field of its own; the last is the result. */
static const ik_ir *view_of(const printer *p, const ik_sweep_stmt *s) {
  ik_ir *view = IK_NEW(p->a, ik_ir);
  *view = *p->ir;
  view->nfield = s->nread + 1;
  view->field = IK_NEW_N(p->a, ik_field, view->nfield);
  for (int i = 0; i < s->nread; i++) {
    view->field[i] = p->ir->field[p->order->value[s->read[i].value].field];
    view->field[i].name = name_of_read(p, &s->read[i]);
  }
  view->field[s->nread] = p->ir->field[s->stmt->field];
  return view;
}

static int index_of_read(const printer *p, const ik_sweep_stmt *s, const ik_expr *e) {
  for (int i = 0; i < s->nread; i++) {
    const ik_sweep_value *v = &p->order->value[s->read[i].value];
    if (v->field == e->id && v->level == e->level && !memcmp(s->read[i].off, e->off, sizeof e->off))
      return i;
  }
  IK_ASSERT(!"every read of a statement is in its list");
  return -1;
}

/* Operands before their users, each once. */
static const ik_expr *value_in_view(const printer *p, const ik_sweep_stmt *s) {
  ik_nodes nodes;
  ik_nodes_of(s->stmt->value, p->a, &nodes);
  ik_expr *copy = IK_NEW_N(p->a, ik_expr, nodes.n);
  for (int i = 0; i < nodes.n; i++) {
    copy[i] = *nodes.node[i];
    for (int k = 0; k < ik_op_nargs(copy[i].op); k++) copy[i].arg[k] = &copy[nodes.arg[i][k]];
    if (copy[i].op != IK_OP_READ) continue;
    copy[i].id = index_of_read(p, s, nodes.node[i]);
    copy[i].level = 0;
    memset(copy[i].off, 0, sizeof copy[i].off);
  }
  return &copy[nodes.n - 1];
}

static const ik_pipe_kernel *kernel_of_cell(const printer *p, const ik_sweep_stmt *s) {
  ik_pipe_kernel *k = new_kernel(p, 1, s->nread + 1);
  ik_pipe_value  *value = IK_NEW_N(p->a, ik_pipe_value, s->nread + 1);
  ik_pipe_port   *port = IK_NEW_N(p->a, ik_pipe_port, s->nread + 1);
  ik_stmt        *stmt = IK_NEW(p->a, ik_stmt);
  for (int i = 0; i <= s->nread; i++) {
    int v = i < s->nread ? s->read[i].value : s->value;
    value[i] = (ik_pipe_value){.field = i, .type = p->ir->field[p->order->value[v].field].type};
    value[i].on[IK_LANE] = true;
    port[i] = (ik_pipe_port){i, 0};
  }
  *stmt = *s->stmt, stmt->field = s->nread, stmt->level = 0, stmt->value = value_in_view(p, s);
  k->stmt[0] = stmt, k->nstmt = 1;
  k->input = value, k->ninput = k->nport = s->nread, k->port = port;
  k->output = &value[s->nread], k->noutput = 1;
  return k;
}

/* const double *u_xm1 = (const double *)c->in[0] - x*c->still[0]; */
static void add_read_pointers(const printer *p, ik_tree *to) {
  const ik_block *b = p->block;
  for (int i = 0; i < b->nport; i++) {
    if (!b->port[i].used) continue;
    const char *type = ik_arena_printf(
        p->a, "const %s *", ik_cpu_words.element[b->kernel->input[b->port[i].input].type]);
    ik_tree *back = ik_tree_binary(p->a, name(p, "x"), "*", member(p, "still", i));
    add(p, to,
        ik_tree_declare(
            p->a, type, b->port[i].plane.origin,
            ik_tree_binary(p->a, ik_tree_cast(p->a, type, member(p, "in", i)), "-", back)));
  }
}

static ik_tree *cell_function(printer *p, const ik_sweep_stmt *s, const char *symbol) {
  ik_tree *row = ik_tree_block(p->a), *cell = ik_tree_block(p->a);
  p->block =
      ik_block_of(view_of(p, s), pass_of(p), kernel_of_cell(p, s), one_result, &ik_cpu_words, p->a);
  const char *type =
      ik_arena_printf(p->a, "%s *", ik_cpu_words.element[p->block->kernel->output[0].type]);
  if (p->ir->ndim > 1) add(p, row, ik_tree_declare(p->a, "const int64_t", "y", first_of(p, 1)));
  if (p->ir->ndim > 2) add(p, row, ik_tree_declare(p->a, "const int64_t", "z", first_of(p, 2)));
  add(p, row, ik_tree_declare(p->a, type, p->block->output[0].origin, member(p, "out", 0)));
  ik_block_emit(p->block, IK_PER_CALL, one_cell, row);
  ik_block_emit(p->block, IK_PER_ROW, one_cell, row);
  add_read_pointers(p, cell);
  ik_block_emit(p->block, IK_PER_CELL, one_cell, cell);
  add(p, row, loop(p, 0, cell));
  return function(p, symbol, row);
}

/* ---- the file ---- */

static void comment(const printer *p, const char *what, uint64_t set, ik_tree *file) {
  const char *text = what;
  for (int i = 0; i < p->order->nstmt; i++)
    if (set >> i & 1)
      text = ik_arena_printf(p->a, "%s%s%s%s", text, text == what ? ": " : ", ",
                             p->ir->field[p->order->body[i].stmt->field].name,
                             p->order->body[i].stmt->level == 1 ? "'" : "");
  add(p, file, ik_tree_blank(p->a));
  add(p, file, ik_tree_comment(p->a, text));
}

static void add_sets(printer *p, int index, ik_tree *file) {
  const ik_sweep *o = p->order;
  for (int i = 0; i < o->nset; i++) {
    comment(p, "inside", o->set[i], file);
    add(p, file, set_function(p, o->set[i], ik_arena_printf(p->a, "ikat_s%d_set%d", index, i)));
  }
}

static void add_single_cells(printer *p, int index, ik_tree *file) {
  const ik_sweep *o = p->order;
  for (int i = 0; i < o->nstmt; i++) {
    comment(p, "near faces", (uint64_t)1 << i, file);
    add(p, file, cell_function(p, &o->body[i], ik_arena_printf(p->a, "ikat_s%d_cell%d", index, i)));
  }
}

/* The arena may jump away, so what is not in it is the caller's: `out` holds it for a moment. */
static const char *described(const printer *p, ik_buf *out) {
  size_t before = out->len;
  ik_sweep_describe(p->ir, p->order, out);
  const char *text = ik_arena_dup(p->a, ik_buf_text(out) + before, out->len - before);
  out->len = before;
  return text;
}

void ik_cpu_sweeps(const ik_ir *ir, const ik_sweep *const *order, int n, int lanes,
                   const ik_plan *plan, const char *title, ik_arena *a, ik_buf *out) {
  printer  p = {.ir = ir, .a = a, .lanes = lanes};
  ik_tree *file = ik_cpu_file(title, ir, "", lanes, plan->cpu.vector_bytes, a);
  add(&p, file, ik_tree_line(a, "#include \"sweep.h\""));
  for (int i = 0; i < n; i++) {
    bool sets = ik_cpu_sweep_lanes(order[i], plan->cpu.vector_bytes) == lanes;
    p.order = order[i];
    if (!sets && lanes > 1) continue;
    add(&p, file, ik_tree_blank(a));
    add(&p, file, ik_tree_comment(a, described(&p, out)));
    if (sets) add_sets(&p, i, file);
    if (lanes == 1) add_single_cells(&p, i, file);
  }
  ik_cpu_file_print(file, out);
}
