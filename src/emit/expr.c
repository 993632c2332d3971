#include "emit/expr.h"
#include "base/hash.h"
#include "facts/nodes.h"
#include <string.h>

typedef struct cell { /* of a block */
  int at[IK_NROLES], index;
} cell;

/* ---- values, each once ---- */

static bool same_bytes(const void *a, const void *b, size_t n) { return memcmp(a, b, n) == 0; }

static int *find(const ik_block *b, const ik_what *w) {
  uint64_t mask = (uint64_t)b->table.n - 1;
  for (uint64_t i = ik_hash(IK_HASH_INIT, w, sizeof *w) & mask;; i = (i + 1) & mask)
    if (!b->table.at[i] || same_bytes(&b->value[b->table.at[i] - 1].what, w, sizeof *w))
      return &b->table.at[i];
}

static void widen(ik_block *b) {
  b->table.n = b->table.n ? 2 * b->table.n : 1024;
  b->table.at = IK_NEW_N(b->a, int, b->table.n);
  for (int i = 0; i < b->n; i++) *find(b, &b->value[i].what) = i + 1;
}

/* Hoisting a read over stores is for planes that nobody writes. */
static ik_where where_is_read(const ik_block *b, int port) {
  int                  input = b->port[port].input;
  const ik_pipe_value *v = &b->kernel->input[input];
  if (v->on[IK_LANE] || ik_block_overwrites(b->pass, b->kernel, input)) return IK_PER_CELL;
  return v->on[IK_ROW] ? IK_PER_ROW : IK_PER_CALL;
}

static ik_where where_is(const ik_block *b, const ik_what *w) {
  static const ik_where of_role[] = {
      [IK_LANE] = IK_PER_CELL, [IK_ROW] = IK_PER_ROW, [IK_STREAM] = IK_PER_CALL};
  ik_where where = IK_PER_CALL;
  for (int i = 0; i < 4; i++)
    if (w->arg[i] >= 0 && b->value[w->arg[i]].where > where) where = b->value[w->arg[i]].where;
  switch (w->op) {
  case IK_OP_READ: return where_is_read(b, w->id);
  case IK_OP_COORD: return of_role[w->id];
  case IK_OP_NOISE:
  case IK_STORE: return IK_PER_CELL;
  default: return where;
  }
}

int ik_block_add(ik_block *b, const ik_what *w, int result) {
  if (2 * b->n >= b->table.n) widen(b);
  int *at = find(b, w);
  if (!*at) {
    ik_block_value v = {.what = *w, .where = where_is(b, w), .result = result};

    IK_PUSH(b->a, b->value, b->n, b->cap, v);
    *at = b->n;
  }
  return *at - 1;
}

static int intern(ik_block *b, const cell *c, ik_what w) { return ik_block_add(b, &w, c->index); }

static ik_what leaf(int op, ik_type t, int id) {
  return (ik_what){.op = op, .type = (int)t, .arg = {-1, -1, -1, -1}, .id = id};
}

static int constant(ik_block *b, const cell *c, ik_type t, double v) {
  ik_what w = leaf(IK_OP_CONST, t, 0);
  w.value = v;
  return intern(b, c, w);
}

static int operation(ik_block *b, const cell *c, ik_op op, ik_type t, int x, int y, int z) {
  ik_what w = leaf(op, t, 0);
  w.arg[0] = x, w.arg[1] = y, w.arg[2] = z;
  return intern(b, c, w);
}

/* A value that is made in f64 and wanted in another type. */
static int rounded(ik_block *b, const cell *c, ik_type t, int v) {
  return t == IK_F64 ? v : operation(b, c, IK_OP_CAST, t, v, -1, -1);
}

static int apply(ik_block *b, const cell *c, const ik_expr *e, const int arg[3]) {
  bool same = e->op == IK_OP_EQ, differ = e->op == IK_OP_NE;
  if ((same || differ) && e->arg[0]->type == IK_BOOL) { /* a ? b : !b, a ? !b : b */
    int opposite = operation(b, c, IK_OP_NOT, IK_BOOL, arg[1], -1, -1);
    return operation(b, c, IK_OP_SELECT, IK_BOOL, arg[0], same ? arg[1] : opposite,
                     same ? opposite : arg[1]);
  }
  ik_what w = leaf(e->op, e->type, e->op == IK_OP_TABLE ? e->id : 0);
  memcpy(w.arg, arg, 3 * sizeof *arg);
  return intern(b, c, w);
}

/* ---- the cell ---- */

static int role_of(const ik_block *b, int axis) {
  for (int r = 0; r < IK_NROLES; r++)
    if (b->pass->axis[r] == axis) return r;
  return -1;
}

/* Along lanes, that of the first is wrapped when it is spelled; the others are here. */
static int coordinate(ik_block *b, const cell *c, ik_type t, int axis) {
  int role = role_of(b, axis);
  if (role < 0) return constant(b, c, t, 0); /* of an axis with a single cell */
  bool    wrap = role == IK_LANE && b->kernel->wraps[role];
  bool    made = t == IK_F64 || (!wrap && (t == IK_F32 || t == IK_I32)); /* as it is */
  ik_what w = leaf(IK_OP_COORD, made ? t : IK_F64, role);
  w.at[role] = c->at[role];
  int v = intern(b, c, w);
  if (wrap) {
    int n = constant(b, c, IK_F64, (double)b->pass->n[role]);
    v = operation(b, c, IK_OP_MOD, IK_F64, v, n, -1);
  }
  return made && !wrap ? v : rounded(b, c, t, v);
}

/* Lanes follow each other from the wrapped cell on; where they leave the grid, k periods back. */
static int noise(ik_block *b, const cell *c, const ik_expr *e) {
  ik_what w = leaf(IK_OP_NOISE, IK_F64, 0);
  w.value = e->value;
  memcpy(w.at, c->at, sizeof w.at), memcpy(w.off, e->off, sizeof w.off);
  int64_t n = b->pass->n[IK_LANE];
  if (b->kernel->wraps[IK_LANE]) w.id = (int)((n + b->shape->lanes - 2) / n);
  int v = intern(b, c, w);
  for (int k = w.id; k-- > 0;) {
    ik_what x = leaf(IK_OP_COORD, IK_F64, IK_LANE);
    x.at[IK_LANE] = c->at[IK_LANE], w.id = k;
    int end = constant(b, c, IK_F64, (double)((k + 1) * n)), at = intern(b, c, x);
    int inside = operation(b, c, IK_OP_LT, IK_BOOL, at, end, -1);
    v = operation(b, c, IK_OP_SELECT, IK_F64, inside, intern(b, c, w), v);
  }
  return rounded(b, c, e->type, v);
}

/* ---- fields ---- */

static int input_of(const ik_pipe_kernel *k, const ik_expr *e) {
  for (int i = 0; i < k->ninput; i++)
    if (k->input[i].field == e->id && k->input[i].level == e->level) return i;
  IK_ASSERT(!"what a kernel reads is an input");
  return -1;
}

static int port_of(const ik_block *b, int input, int dz) {
  for (int p = 0; p < b->nport; p++)
    if (b->port[p].input == input && b->port[p].dz == dz) return p;
  IK_ASSERT(!"every plane that is read has a port");
  return -1;
}

static int read_input(ik_block *b, const cell *c, const ik_expr *e) {
  int                  input = input_of(b->kernel, e);
  const ik_pipe_value *v = &b->kernel->input[input];
  ik_what              w = leaf(IK_OP_READ, e->type, 0);
  for (int r = 0; r < IK_NROLES; r++) {
    int axis = b->pass->axis[r];
    if (v->on[r]) w.at[r] = c->at[r] + (axis >= 0 ? e->off[axis] : 0);
  }
  w.id = port_of(b, input, w.at[IK_STREAM]);
  w.at[IK_STREAM] = 0; /* the port says it */
  b->port[w.id].used = true;
  return intern(b, c, w);
}

/* ---- statements ---- */

/* `done`: the values of the statements before, for this cell. */
static int leaf_value(ik_block *b, const cell *c, const ik_expr *e, int stmt, const int *done) {
  int s;
  switch (e->op) {
  case IK_OP_READ:
    s = ik_pipe_assigned_by(b->pass, b->kernel, stmt, e);
    return s >= 0 ? done[s] : read_input(b, c, e);
  case IK_OP_COORD: return coordinate(b, c, e->type, e->id);
  case IK_OP_NOISE: return noise(b, c, e);
  case IK_OP_CONST: return constant(b, c, e->type, e->value);
  case IK_OP_TIME:
    if (e->type != IK_F32 && e->type != IK_I32)
      return rounded(b, c, e->type, intern(b, c, leaf(IK_OP_TIME, IK_F64, 0)));
    __attribute__((fallthrough));
  default: return intern(b, c, leaf(e->op, e->type, e->id));
  }
}

static int evaluate(ik_block *b, const cell *c, const ik_nodes *nodes, int stmt, const int *done,
                    int *of_node) {
  for (int i = 0; i < nodes->n; i++) {
    const ik_expr *e = nodes->node[i];
    if (ik_op_nargs(e->op) == 0) {
      of_node[i] = leaf_value(b, c, e, stmt, done);
      continue;
    }
    int arg[3] = {-1, -1, -1};
    for (int k = 0; k < ik_op_nargs(e->op); k++) arg[k] = of_node[nodes->arg[i][k]];
    of_node[i] = apply(b, c, e, arg);
  }
  return of_node[nodes->n - 1];
}

static void store(ik_block *b, const cell *c, int output, ik_type t, int v) {
  ik_what w = leaf(IK_STORE, t, output * b->size.planes + c->at[IK_STREAM]);
  w.arg[0] = v;
  w.at[IK_LANE] = c->at[IK_LANE], w.at[IK_ROW] = c->at[IK_ROW];
  intern(b, c, w);
}

static const char *name_of_value(const ik_block *b, int field, int level) {
  const ik_field *f = &b->ir->field[field];
  if (f->kind == IK_FIELD_TEMP || level == 0) return f->name;
  if (level == 1) return ik_arena_printf(b->a, "%s_new", f->name);
  if (level == -1) return ik_arena_printf(b->a, "%s_old", f->name);
  return ik_arena_printf(b->a, "%s_old%d", f->name, -level);
}

static const char *name_of_result(const ik_block *b, const ik_stmt *s) {
  if (s->kind == IK_REDUCE) return b->ir->scalar[s->scalar].name;
  return name_of_value(b, s->field, s->level);
}

/* ", x -3" as "_xm3". */
static const char *name_at(const ik_block *b, const char *name, const char *axis, int at) {
  return ik_arena_printf(b->a, "%s_%s%s%d", name, axis, at < 0 ? "m" : "", at < 0 ? -at : at);
}

static void name_result(ik_block *b, const cell *c, const ik_stmt *s, int v) {
  ik_block_value *value = &b->value[v];
  if (value->name || ik_op_nargs((ik_op)value->what.op) == 0) return;
  const char *name = name_of_result(b, s);
  if (value->where == IK_PER_CELL) {
    if (b->size.planes > 1) name = name_at(b, name, "z", c->at[IK_STREAM]);
    if (b->pass->axis[IK_ROW] >= 0) name = name_at(b, name, "y", c->at[IK_ROW]);
    name = name_at(b, name, "x", c->at[IK_LANE]);
  }
  value->name = ik_names_add(&b->names, name);
}

static void evaluate_cell(ik_block *b, const cell *c, const ik_nodes *nodes, int *of_node,
                          int *done) {
  const ik_pipe_kernel *k = b->kernel;
  for (int s = 0; s < k->nstmt; s++) {
    cell at = *c;
    at.at[IK_ROW] += ik_pipe_rows_ahead(k, s);
    done[s] = evaluate(b, &at, &nodes[s], s, done, of_node);
    name_result(b, &at, k->stmt[s], done[s]);
    if (k->store[s] >= 0) store(b, &at, k->store[s], k->output[k->store[s]].type, done[s]);
  }
}

static void evaluate_all(ik_block *b) {
  const ik_pipe_kernel *k = b->kernel;
  ik_nodes             *nodes = IK_NEW_N(b->a, ik_nodes, k->nstmt);
  int                   most = 0, *done = IK_NEW_N(b->a, int, k->nstmt), index = 0;
  for (int s = 0; s < k->nstmt; s++) {
    ik_nodes_of(k->stmt[s]->value, b->a, &nodes[s]);
    if (nodes[s].n > most) most = nodes[s].n;
  }
  int *of_node = IK_NEW_N(b->a, int, most);
  for (int z = 0; z < b->size.planes; z++)
    for (int y = 0; y < b->size.rows; y++)
      for (int v = 0; v < b->size.vectors; v++) {
        cell c = {{[IK_LANE] = v * b->shape->lanes, [IK_ROW] = y, [IK_STREAM] = z}, index++};
        evaluate_cell(b, &c, nodes, of_node, done);
      }
}

/* ---- comparisons that only choose ---- */

static bool is_comparison(int op) {
  return op == IK_OP_LT || op == IK_OP_LE || op == IK_OP_EQ || op == IK_OP_NE;
}

/* A comparison for one choice, in the same loop and of the same type, becomes part of it. */
static void join_choices(ik_block *b) {
  int *uses = IK_NEW_N(b->a, int, b->n);
  for (int i = 0; i < b->n; i++)
    for (int k = 0; k < 4; k++)
      if (b->value[i].what.arg[k] >= 0) uses[b->value[i].what.arg[k]]++;
  for (int i = 0; i < b->n; i++) {
    ik_what *w = &b->value[i].what;
    if (w->op != IK_OP_SELECT) continue;
    const ik_block_value *c = &b->value[w->arg[0]];
    if (!is_comparison(c->what.op) || uses[w->arg[0]] != 1 || c->where != b->value[i].where ||
        b->value[c->what.arg[0]].what.type != w->type)
      continue;
    w->compare = c->what.op;
    w->arg[3] = w->arg[2], w->arg[2] = w->arg[1];
    w->arg[1] = c->what.arg[1], w->arg[0] = c->what.arg[0];
  }
}

/* ---- names ---- */

static const char *name_of_leaf(const ik_block *b, const ik_what *w, int *nconst) {
  const char *name;
  switch (w->op) {
  case IK_OP_CONST: return ik_arena_printf(b->a, "k%d", (*nconst)++);
  case IK_OP_SCALAR: return b->ir->scalar[w->id].name;
  case IK_OP_TIME: return "step";
  case IK_OP_COORD: name = ik_arena_printf(b->a, "at_%s", b->ir->axis[b->pass->axis[w->id]]); break;
  case IK_OP_NOISE: name = "noise"; break;
  default: name = b->port[w->id].plane.origin;
  }
  if (b->pass->axis[IK_ROW] >= 0) name = name_at(b, name, "y", w->at[IK_ROW]);
  return name_at(b, name, "x", w->at[IK_LANE]);
}

static void name_values(ik_block *b) {
  int nconst = 0, nother = 0;
  for (int i = 0; i < b->n; i++) {
    ik_block_value *v = &b->value[i];
    if (v->name || v->what.op == IK_STORE) continue;
    bool        leaf = v->what.op == IK_OP_READ || v->what.arg[0] < 0;
    const char *name =
        leaf ? name_of_leaf(b, &v->what, &nconst) : ik_arena_printf(b->a, "t%d", nother++);
    v->name = ik_names_add(&b->names, name);
  }
}

static ik_block_plane name_plane(ik_block *b, const char *name) {
  const char *origin = ik_names_add(&b->names, name);
  return (ik_block_plane){.origin = origin,
                          .at = ik_names_add(&b->names, ik_arena_printf(b->a, "%s_at", origin))};
}

static void name_ports(ik_block *b) {
  for (int p = 0; p < b->nport; p++) {
    const ik_pipe_value *v = &b->kernel->input[b->port[p].input];
    const char          *name = name_of_value(b, v->field, v->level);
    int                  dz = b->port[p].dz;
    if (dz) name = ik_arena_printf(b->a, "%s_%c%d", name, dz < 0 ? 'm' : 'p', dz < 0 ? -dz : dz);
    b->port[p].plane = name_plane(b, name);
  }
}

static void name_outputs(ik_block *b) {
  const ik_pipe_kernel *k = b->kernel;
  b->output = IK_NEW_N(b->a, ik_block_plane, k->noutput * b->size.planes);
  for (int s = 0; s < k->nstmt; s++)
    for (int z = 0; k->store[s] >= 0 && z < b->size.planes; z++) {
      const char *name = ik_arena_printf(b->a, "out_%s", name_of_result(b, k->stmt[s]));
      if (z) name = ik_arena_printf(b->a, "%s_p%d", name, z);
      ik_block_plane *p = &b->output[k->store[s] * b->size.planes + z];
      *p = name_plane(b, name);
      if (b->shape->output[k->store[s]].remainder)
        p->remainder = ik_names_add(&b->names, ik_arena_printf(b->a, "remainder%s", p->origin + 3));
    }
}

static void name_prefetched(ik_block *b) {
  const ik_prefetch *p = &b->shape->prefetch;
  b->prefetch = IK_NEW_N(b->a, ik_block_plane, p->n * p->planes);
  for (int i = 0; i < p->n * p->planes; i++) {
    const ik_prefetched *v = &p->of[i / p->planes];
    const char          *what = v->next ? "beside" : v->own && p->in_turns ? "lean" : "prefetch";
    const char *name = ik_arena_printf(b->a, "%s_%s", what, name_of_value(b, v->field, v->level));
    if (i % p->planes) name = ik_arena_printf(b->a, "%s_p%d", name, i % p->planes);
    b->prefetch[i] = name_plane(b, name);
  }
}

/* ---- the block ---- */

/* Fewer planes of results need of each input all ports but the last ones. */
static void make_ports(ik_block *b) {
  const ik_pipe_kernel *k = b->kernel;
  b->port = IK_NEW_N(b->a, ik_block_port, k->nport);
  for (int p = 0, end; p < k->nport; p = end) {
    for (end = p + 1; end < k->nport && k->port[end].input == k->port[p].input;) end++;
    for (int i = p; i < end - (k->planes - b->size.planes); i++)
      b->port[b->nport++] = (ik_block_port){.input = k->port[i].input, .dz = k->port[i].dz};
  }
}

static bool same_memory(const ik_pipe_buffer *x, const ik_pipe_buffer *y) {
  return x == y || (x->memory && y->memory && x->field == y->field && x->level == y->level);
}

static bool stage_overwrites(const ik_pass *pass, const ik_pipe_stage *s, int noutput, int input) {
  for (int o = 0; o < noutput; o++)
    if (same_memory(&pass->buffer[s->in[input]], &pass->buffer[s->out[o]])) return true;
  return false;
}

static bool is_used(const ik_pass *pass, const ik_pipe_stage *s, const ik_pipe_kernel *k) {
  if (s->kind != IK_STAGE_KERNEL) return false;
  return k == &pass->kernel[s->kernel] || (s->inside >= 0 && k == &pass->kernel[s->inside]);
}

bool ik_block_overwrites(const ik_pass *pass, const ik_pipe_kernel *k, int input) {
  for (int o = 0; o < k->noutput; o++)
    if (k->output[o].field == k->input[input].field && k->output[o].level == k->input[input].level)
      return true;
  for (int p = 0; p < pass->nphase; p++)
    for (int s = 0; s < pass->phase[p].nstage; s++) {
      const ik_pipe_stage *st = &pass->phase[p].stage[s];
      if (is_used(pass, st, k) && stage_overwrites(pass, st, k->noutput, input)) return true;
    }
  return false;
}

/* Only what each cell computes wants it, not something that is computed before. */
static bool is_for_cells(const ik_block *b, int constant) {
  for (int i = 0; i < b->n; i++)
    for (int k = 0; k < 4; k++)
      if (b->value[i].what.arg[k] == constant && b->value[i].where != IK_PER_CELL) return false;
  return true;
}

/* Constants stay in registers through the loops; those of the type that the kernel names are read
 * from an array when their row comes, once for all results. */
static void spread_constants(ik_block *b) {
  double *weight = IK_NEW_N(b->a, double, b->n + 1);
  for (int i = 0; i < b->n; i++) {
    ik_block_value *v = &b->value[i];
    if (v->what.op != IK_OP_CONST || v->what.type != b->shape->weights || !is_for_cells(b, i))
      continue;
    weight[b->weights.n++] = v->what.value;
    v->what.id = b->weights.n, v->where = IK_PER_CELL;
  }
  b->weights.of = weight;
}

ik_block *ik_block_of(const ik_ir *ir, const ik_pass *pass, const ik_pipe_kernel *k,
                      ik_block_size size, const ik_words *w, ik_arena *a) {
  const char *const given[] = {"c",      "n",       "rt",   "x",     "y",   "z",
                               "x0",     "x1",      "y0",   "y1",    "top", "rows",
                               "from",   "weights", "last", "split", "end", "stream_rest",
                               "stream", "skip",    "w0",   "w1",    NULL};
  ik_block         *b = IK_NEW(a, ik_block);
  *b = (ik_block){
      .ir = ir, .pass = pass, .kernel = k, .shape = k->shape, .words = w, .a = a, .size = size};
  ik_names_init(&b->names, a, given);
  make_ports(b);
  name_ports(b);
  name_outputs(b);
  name_prefetched(b);
  evaluate_all(b);
  if (b->shape->shift) ik_block_shift(b);
  if (b->shape->weights >= 0) spread_constants(b);
  join_choices(b);
  name_values(b);
  ik_block_schedule(b);
  return b;
}
