/* spell.c: the values of a block as statements. */
#include "emit/expr.h"
#include <string.h>

typedef struct speller {
  const ik_block *b;
  ik_arena       *a;
  const ik_words *w;
  ik_block_form   form;
  ik_tree        *into;
  bool           *needed; /* [b->n] */
  bool           *done;   /* [b->n] */
  bool           *read;   /* [b->nport] */
} speller;

static ik_tree *name(const speller *s, const char *text) { return ik_tree_name(s->a, text); }
static ik_tree *whole(const speller *s, int64_t v) { return ik_tree_int(s->a, v); }

static const char *join(const speller *s, const char *stem, const char *suffix) {
  return ik_arena_printf(s->a, "%s%s", stem, suffix);
}

static const ik_pipe_value *input_at(const ik_block *b, int port) {
  return &b->kernel->input[b->port[port].input];
}

static const ik_pipe_value *output_at(const ik_block *b, int plane) {
  return &b->kernel->output[plane / b->size.planes];
}

static const ik_value_shape *input_shape(const ik_block *b, int port) {
  return &b->shape->input[b->port[port].input];
}

static const ik_value_shape *output_shape(const ik_block *b, int plane) {
  return &b->shape->output[plane / b->size.planes];
}

/* Is that computed in rows further on? */
static bool is_ahead(const ik_block *b, int plane) {
  for (int i = 0; i < b->kernel->nahead; i++)
    if (b->kernel->store[i] == plane / b->size.planes) return true;
  return false;
}

/* ---- what a form needs ---- */

static bool is_in_form(const speller *s, const ik_what *w) {
  if (w->op != IK_STORE) return false;
  int rows = is_ahead(s->b, w->id) ? s->b->kernel->rows_ahead : 0;
  return w->at[IK_ROW] - rows < s->form.rows &&
         w->at[IK_LANE] < s->form.vectors * s->b->shape->lanes;
}

/* What is left of a row is read as it is. */
static bool is_shifted(const speller *s, const ik_what *w) {
  return w->op == IK_OP_READ && w->arg[0] >= 0 && !s->form.part;
}

/* Vectors that blocks leave of a row, or part of one. */
static bool is_left(const speller *s) {
  return s->form.part || s->form.vectors < s->b->size.vectors;
}

/* -1: none */
static int operand(const speller *s, const ik_what *w, int k) {
  if (w->op == IK_OP_READ && !is_shifted(s, w)) return -1;
  return w->arg[k];
}

static void find_needed(speller *s) {
  const ik_block *b = s->b;
  for (int i = b->n - 1; i >= 0; i--) {
    const ik_what *w = &b->value[i].what;
    if (is_in_form(s, w)) s->needed[i] = true;
    for (int k = 0; k < 4 && s->needed[i]; k++)
      if (operand(s, w, k) >= 0) s->needed[operand(s, w, k)] = true;
  }
}

/* ---- where things are ---- */

/* row * pitch + lane, with the pitch in sight. */
static ik_tree *offset(const speller *s, int row, int64_t pitch, int lane) {
  if (row == 0 || pitch == 0) return whole(s, lane);
  ik_tree *rows = whole(s, row == -1 ? -pitch : pitch);
  if (row != 1 && row != -1) rows = ik_tree_binary(s->a, whole(s, row), "*", rows);
  return ik_tree_plus(s->a, rows, lane);
}

/* p[((y + row) & (rows - 1)) * pitch + x + lane], of planes that have few rows */
static ik_tree *few_elements(const speller *s, const ik_block_plane *p, const ik_pipe_value *v,
                             const int at[IK_NROLES]) {
  ik_tree *y = ik_tree_plus(s->a, name(s, s->w->given.y), at[IK_ROW]);
  ik_tree *row = ik_tree_binary(s->a, y, "&", whole(s, v->rows - 1));
  ik_tree *x = ik_tree_plus(s->a, name(s, s->w->given.x), at[IK_LANE]);
  row = ik_tree_binary(s->a, row, "*", whole(s, v->pitch));
  return ik_tree_index(s->a, name(s, p->origin), ik_tree_binary(s->a, row, "+", x));
}

/* Elements at a cell of the block: as many as a vector has, ... */
static ik_tree *elements(const speller *s, const ik_block_plane *p, const ik_pipe_value *v,
                         const int at[IK_NROLES]) {
  if (v->rows) return few_elements(s, p, v, at);
  return ik_tree_index(s->a, name(s, p->at), offset(s, at[IK_ROW], v->pitch, at[IK_LANE]));
}

/* ... or one for the whole row: cell x of it. */
static ik_tree *single_element(const speller *s, const ik_block_plane *p, int64_t pitch, int row,
                               int64_t x) {
  ik_tree *y = ik_tree_plus(s->a, name(s, s->w->given.y), row);
  ik_tree *i = pitch ? ik_tree_binary(s->a, y, "*", whole(s, pitch)) : whole(s, 0);
  return ik_tree_index(s->a, name(s, p->origin), ik_tree_plus(s->a, i, x));
}

static ik_tree *address(const speller *s, ik_tree *e) { return ik_tree_unary(s->a, "&", e); }

/* The index of the block's cell along a role, brought back into the grid where that is needed. */
static ik_tree *position(const speller *s, int role, int at) {
  const char *const first[] = {
      [IK_LANE] = s->w->given.x, [IK_ROW] = s->w->given.y, [IK_STREAM] = s->w->given.z};
  ik_tree *i = ik_tree_plus(s->a, name(s, first[role]), at), *n;
  if (!s->b->kernel->wraps[role]) return i;
  n = whole(s, s->b->pass->n[role]);
  i = ik_tree_binary(s->a, ik_tree_binary(s->a, i, "%", n), "+", n);
  return ik_tree_binary(s->a, i, "%", n);
}

/* ---- leaves ---- */

static const char *scalar_type(int t) {
  return t == IK_F32 ? "float" : t == IK_I32 ? "int32_t" : "double";
}

static ik_tree *set(const speller *s, int type, ik_tree *number) {
  return ik_tree_call(s->a, join(s, s->w->set, s->w->suffix[type]), 1, number);
}

static ik_tree *spell_weight(const speller *s, const ik_what *w) {
  ik_tree *number = ik_tree_index(s->a, name(s, s->w->given.weights), whole(s, w->id - 1));
  return ik_tree_call(s->a, join(s, s->w->weight, s->w->suffix[w->type]), 1, number);
}

static ik_tree *spell_const(const speller *s, const ik_what *w) {
  if (w->id) return spell_weight(s, w);
  if (w->type == IK_I32 || w->type == IK_BOOL) return set(s, w->type, whole(s, (int64_t)w->value));
  return set(s, w->type, ik_tree_number(s->a, w->type == IK_F32 ? IK_F32 : IK_F64, w->value));
}

static ik_tree *spell_scalar(const speller *s, const ik_what *w) {
  ik_tree *v = ik_tree_index(s->a, name(s, s->w->given.scalars), whole(s, w->id));
  if (w->type == IK_BOOL) return set(s, w->type, ik_tree_binary(s->a, v, "!=", whole(s, 0)));
  if (w->type == IK_F32 || w->type == IK_I32) v = ik_tree_cast(s->a, scalar_type(w->type), v);
  return set(s, w->type, v);
}

static ik_tree *spell_coord(const speller *s, const ik_what *w) {
  ik_tree *i = position(s, w->id, w->at[w->id]);
  if (w->id == IK_LANE)
    return ik_tree_call(s->a, join(s, s->w->index, s->w->suffix[w->type]), 1, i);
  return set(s, w->type, ik_tree_cast(s->a, scalar_type(w->type), i));
}

static ik_tree *spell_noise(const speller *s, const ik_what *w) {
  const ik_pass *pass = s->b->pass;
  ik_tree       *at[IK_MAX_DIM] = {whole(s, w->off[0]), whole(s, w->off[1]), whole(s, w->off[2])};
  for (int r = 0; r < IK_NROLES; r++)
    if (pass->axis[r] >= 0) {
      int64_t back = r == IK_LANE ? w->id * pass->n[r] : 0;
      at[pass->axis[r]] =
          ik_tree_plus(s->a, position(s, r, w->at[r]), w->off[pass->axis[r]] - back);
    }
  ik_tree *seed = ik_tree_number(s->a, IK_F64, w->value);
  return ik_tree_call(s->a, s->w->noise, 5, name(s, s->w->given.rt), seed, at[0], at[1], at[2]);
}

/* One element for all lanes. */
static ik_tree *spell_single(speller *s, const ik_what *w, ik_tree *e) {
  if (w->type != IK_F16 && w->type != IK_BF16) return set(s, w->type, e);
  const char *load = join(s, s->w->load.part, s->w->suffix[w->type]);
  ik_tree    *some = ik_tree_call(s->a, load, 2, address(s, e), whole(s, 1));
  return set(s, w->type, ik_tree_call(s->a, s->w->lane, 2, some, whole(s, 0)));
}

/* The last lanes of a vector, and the first of the next. */
static ik_tree *spell_shifted(const speller *s, const ik_what *w) {
  int                   lanes = ik_lanes_behind(w->at[IK_LANE], s->b->shape->lanes);
  const ik_block_value *lo = &s->b->value[w->arg[0]], *hi = &s->b->value[w->arg[1]];
  return ik_tree_call(s->a, join(s, s->w->load.shift, s->w->suffix[w->type]), 3, name(s, lo->name),
                      name(s, hi->name), whole(s, lanes));
}

/* The side on which a vector lies beside its block, and at the end of a row beyond it; -1: none. */
static int side_of(const speller *s, const ik_what *w) {
  if (w->at[IK_LANE] < 0) return 0;
  return w->at[IK_LANE] >= s->form.vectors * s->b->shape->lanes ? 1 : -1;
}

/* The vector, or what stands beyond the end of the row: x > 0, x < 448 */
static ik_tree *spell_known(const speller *s, const ik_what *w, ik_tree *e) {
  int      side = side_of(s, w);
  int64_t  last = s->b->pass->n[IK_LANE] - (int64_t)s->form.vectors * s->b->shape->lanes;
  ik_tree *inside =
      ik_tree_binary(s->a, name(s, s->w->given.x), side ? "<" : ">", whole(s, side ? last : 0));
  return ik_tree_call(
      s->a, join(s, s->w->load.if_inside, s->w->suffix[w->type]), 3, inside, address(s, e),
      ik_tree_number(s->a, (ik_type)w->type, input_shape(s->b, w->id)->ends.value[side]));
}

/* May cells of a row read there beyond an end of it? */
static bool is_beyond(const speller *s, const ik_what *w, int side) {
  const int64_t *range = s->b->shape->row.range;
  return side ? range[1] + w->at[IK_LANE] > s->b->pass->n[IK_LANE] : range[0] + w->at[IK_LANE] < 0;
}

/* The number beyond an end of the row, or its own last cell there. */
static ik_tree *end_of(const speller *s, const ik_what *w, int side) {
  const ik_row_ends *ends = &input_shape(s->b, w->id)->ends;
  if (!ends->copied[side]) return ik_tree_number(s->a, (ik_type)w->type, ends->value[side]);
  return single_element(s, &s->b->port[w->id].plane, input_at(s->b, w->id)->pitch, w->at[IK_ROW],
                        side ? s->b->pass->n[IK_LANE] - 1 : 0);
}

/* A vector at either end of a row, and what stands beyond in the lanes that lie there. */
static ik_tree *spell_ends(const speller *s, const ik_what *w, ik_tree *vector) {
  for (int side = 0; side < 2; side++) {
    int64_t     first = w->at[IK_LANE] - (side ? s->b->pass->n[IK_LANE] : 0);
    const char *f = join(s, side ? s->w->load.high : s->w->load.low, s->w->suffix[w->type]);
    if (is_beyond(s, w, side))
      vector = ik_tree_call(s->a, f, 3, vector, ik_tree_plus(s->a, name(s, s->w->given.x), first),
                            end_of(s, w, side));
  }
  return vector;
}

static ik_tree *spell_read(speller *s, const ik_what *w) {
  if (is_shifted(s, w)) return spell_shifted(s, w);
  const ik_pipe_value  *v = input_at(s->b, w->id);
  const char           *suffix = s->w->suffix[w->type];
  const ik_block_plane *p = &s->b->port[w->id].plane;
  if (!v->on[IK_LANE]) return spell_single(s, w, single_element(s, p, v->pitch, w->at[IK_ROW], 0));
  s->read[w->id] = true;
  ik_tree *e = elements(s, p, v, w->at);
  bool     known = input_shape(s->b, w->id)->ends.known;
  if (known && !s->b->shape->row.ends && side_of(s, w) >= 0) return spell_known(s, w, e);
  ik_tree *vector = ik_tree_call(s->a, join(s, s->w->load.whole, suffix), 1, address(s, e));
  return known && s->form.part ? spell_ends(s, w, vector) : vector;
}

/* ---- operations ---- */

static const char *function_of(const speller *s, const ik_what *w) {
  const ik_words *words = s->w;
  int             operand = s->b->value[w->arg[0]].what.type;
  switch (w->op) {
  case IK_OP_NOT:
  case IK_OP_AND:
  case IK_OP_OR: return words->op[w->op];
  case IK_OP_LT:
  case IK_OP_LE:
  case IK_OP_EQ:
  case IK_OP_NE: return join(s, words->op[w->op], words->suffix[operand]);
  case IK_OP_CAST:
    return ik_arena_printf(s->a, "%s%s%s", words->op[w->op], words->suffix[w->type],
                           words->suffix[operand]);
  default: return join(s, words->op[w->op], words->suffix[w->type]);
  }
}

static ik_tree *spell_operation(const speller *s, const ik_what *w) {
  const char *f =
      w->compare ? join(s, s->w->choose[w->compare], s->w->suffix[w->type]) : function_of(s, w);
  ik_tree *call = ik_tree_call(s->a, f, 0);
  if (s->w->runtime[w->op]) ik_tree_add(s->a, call, name(s, s->w->given.rt));
  if (w->op == IK_OP_TABLE) ik_tree_add(s->a, call, whole(s, w->id));
  for (int k = 0; k < 4 && w->arg[k] >= 0; k++)
    ik_tree_add(s->a, call, name(s, s->b->value[w->arg[k]].name));
  return call;
}

static ik_tree *spell(speller *s, const ik_what *w) {
  switch (w->op) {
  case IK_OP_CONST: return spell_const(s, w);
  case IK_OP_SCALAR: return spell_scalar(s, w);
  case IK_OP_TIME:
    return set(s, w->type, ik_tree_cast(s->a, scalar_type(w->type), name(s, s->w->given.step)));
  case IK_OP_COORD: return spell_coord(s, w);
  case IK_OP_NOISE: return spell_noise(s, w);
  case IK_OP_READ: return spell_read(s, w);
  default: return spell_operation(s, w);
  }
}

/* ---- statements ---- */

static void add_value(speller *s, int i) {
  const ik_block_value *v = &s->b->value[i];
  const char           *type = join(s, "const ", s->w->type[v->what.type]);
  ik_tree_add(s->a, s->into, ik_tree_declare(s->a, type, v->name, spell(s, &v->what)));
  s->done[i] = true;
}

/* Is that an output that may go past the caches? */
static bool may_stream(const speller *s, int output) {
  return output_shape(s->b, output)->streaming;
}

typedef enum way { ALL, REST, MIDDLE } way; /* lanes of a vector: up to `part`, from `skip` to it */

/* What is ahead has nothing beside it: whole vectors will do. */
static way way_of(const speller *s, int output) {
  if (!s->form.part) return ALL;
  if (!s->b->shape->row.whole) return REST;
  return is_ahead(s->b, output) ? ALL : MIDDLE;
}

static const char *how_to_store(const speller *s, int output) {
  const ik_words   *w = s->w;
  const char *const how[][2] = {[ALL] = {w->store.whole, w->store.whole},
                                [REST] = {w->store.part, w->store.rest},
                                [MIDDLE] = {w->store.middle, w->store.middle_streaming}};
  return how[way_of(s, output)][may_stream(s, output)];
}

/* remainder ? &remainder[y * n + (last ? n - lanes : 0)] : 0 */
static ik_tree *spell_remainder(const speller *s, int output) {
  const char *remainder = s->b->output[output].remainder;
  int64_t     n = output_shape(s->b, output)->remainder;
  if (!remainder) return whole(s, 0);
  ik_tree *row = ik_tree_binary(s->a, name(s, s->w->given.y), "*", whole(s, n));
  ik_tree *side = ik_tree_choose(s->a, name(s, s->w->given.last), whole(s, n - s->b->shape->lanes),
                                 whole(s, 0));
  ik_tree *at = ik_tree_index(s->a, name(s, remainder), ik_tree_binary(s->a, row, "+", side));
  return ik_tree_choose(s->a, name(s, remainder), address(s, at), whole(s, 0));
}

static void add_store(speller *s, const ik_what *w, const char *how, ik_tree *into) {
  ik_tree *to = elements(s, &s->b->output[w->id], output_at(s->b, w->id), w->at);
  ik_tree *call = ik_tree_call(s->a, join(s, how, s->w->suffix[w->type]), 2, address(s, to),
                               name(s, s->b->value[w->arg[0]].name));
  way      lanes = way_of(s, w->id);
  bool     streaming = lanes != ALL && may_stream(s, w->id);
  if (lanes == MIDDLE) ik_tree_add(s->a, call, name(s, s->w->given.skip));
  if (lanes != ALL) ik_tree_add(s->a, call, name(s, s->w->given.part));
  if (streaming) ik_tree_add(s->a, call, name(s, s->w->given.stream_rest));
  if (streaming && lanes == MIDDLE) ik_tree_add(s->a, call, spell_remainder(s, w->id));
  ik_tree_add(s->a, into, ik_tree_do(s->a, call));
}

/* Operations have their turns; all else comes when it is first wanted. */
static void add_operands(speller *s, const ik_what *w) {
  for (int j = 0; j < 4; j++) {
    int a = operand(s, w, j);
    if (a < 0 || s->b->value[a].where != IK_PER_CELL || s->done[a]) continue;
    add_operands(s, &s->b->value[a].what);
    add_value(s, a);
  }
}

/* The stores from order[from] up to order[end], in one way or in two.  A loop for each way would
 * have compilers take half as long again over a kernel. */
static void add_stores(speller *s, int from, int end) {
  ik_tree *plain = ik_tree_block(s->a), *streaming = ik_tree_block(s->a);
  for (int k = from; k < end; k++) {
    const ik_what *w = &s->b->value[s->b->order[k]].what;
    if (!s->needed[s->b->order[k]]) continue;
    bool goes = s->form.streaming && may_stream(s, w->id);
    add_store(s, w, how_to_store(s, w->id), goes ? plain : s->into);
    if (goes) add_store(s, w, s->w->store.streaming, streaming);
  }
  if (streaming->nchild)
    ik_tree_add(s->a, s->into, ik_tree_if(s->a, name(s, s->w->given.streams), streaming, plain));
}

static void add_in_order(speller *s) {
  for (int k = 0, end; k < s->b->norder; k = end) {
    int first = s->b->order[k];
    for (end = k; end < s->b->norder; end++) { /* stores that follow each other are one piece */
      int            i = s->b->order[end];
      const ik_what *w = &s->b->value[i].what;
      if (end > k && (w->op != IK_STORE || s->b->value[first].what.op != IK_STORE)) break;
      if (s->needed[i]) add_operands(s, w);
    }
    if (s->b->value[first].what.op == IK_STORE)
      add_stores(s, k, end);
    else if (s->needed[first])
      add_value(s, first);
  }
}

/* How many planes of the same input come after that of a port. */
static int newer_planes(const ik_block *b, int port) {
  int n = 0;
  while (port + n + 1 < b->nport && b->port[port + n + 1].input == b->port[port].input) n++;
  return n;
}

typedef struct fetch { /* what is prefetched of a plane */
  const char *how, *plane;
  ik_type     type;
  int64_t     pitch, ahead; /* elements between rows; from the block to what is meant */
  int         rows, parts;  /* of a block; of a row, of which this is one */
  int         lines;        /* see ik_prefetched */
} fetch;

/* The rows of a block, a cache line at a time.  Lines as they follow each other are for blocks that
 * are complete. */
static void add_prefetch(speller *s, fetch f) {
  int64_t line = s->b->shape->line / ik_type_bytes(f.type);
  int64_t width = (int64_t)s->form.vectors * s->b->shape->lanes, end = width;
  if (f.lines) end = is_left(s) ? 0 : f.lines * line;
  if (width * ik_type_bytes(f.type) < s->b->shape->prefetch_from) return;
  for (int r = 0; r < f.rows && r < s->form.rows; r++)
    for (int64_t x = 0; x < end; x += line * f.parts) {
      ik_tree *i = whole(s, r * f.pitch + x / f.parts + f.ahead);
      ik_tree *at = address(s, ik_tree_index(s->a, name(s, f.plane), i));
      ik_tree_add(s->a, s->into, ik_tree_do(s->a, ik_tree_call(s->a, f.how, 1, at)));
    }
}

static fetch fetch_of(const ik_pipe_value *v, int64_t ahead, const char *how, const char *plane) {
  return (fetch){
      .how = how, .plane = plane, .type = v->type, .pitch = v->pitch, .ahead = ahead, .parts = 1};
}

/* Of the planes of an input, those that no block before has seen; and what is fetched next. */
static void prefetch_reads(speller *s) {
  const ik_block    *b = s->b;
  const ik_prefetch *p = &b->shape->prefetch;
  for (int i = 0; i < b->nport; i++) {
    const ik_value_shape *v = input_shape(b, i);
    bool                  seen = newer_planes(b, i) >= b->size.planes;
    const char           *how = v->near ? s->w->prefetch.near : s->w->prefetch.load;
    fetch                 f = fetch_of(input_at(b, i), v->prefetch, how, b->port[i].plane.at);
    f.rows = s->form.rows;
    if (v->prefetch && !seen && s->read[i]) add_prefetch(s, f);
  }
  for (int i = 0; i < p->n * p->planes; i++) {
    const ik_prefetched *v = &p->of[i / p->planes];
    add_prefetch(s, (fetch){.how = s->w->prefetch.load,
                            .plane = b->prefetch[i].at,
                            .type = v->type,
                            .pitch = v->pitch,
                            .rows = p->rows,
                            .parts = p->parts,
                            .lines = v->lines});
  }
}

/* Between the operations: all at once it would be asked for faster than memory answers, and loads
 * from the caches would have to wait behind it.  (With AVX-512, two threads, medians of five in
 * turns, behind the operations and between them: wave f32 0.85 0.92 GPts/s, hdiff f32 1.53 1.64, 7
 * points f64 1.16 1.20.) */
static void prefetch_between(speller *s) {
  ik_tree *work = s->into, *asked = ik_tree_block(s->a);
  s->into = asked;
  prefetch_reads(s);
  s->into = ik_tree_block(s->a);
  for (int i = 0, k = 0; i < work->nchild; i++) {
    ik_tree_add(s->a, s->into, work->child[i]);
    for (; k * work->nchild < (i + 1) * asked->nchild; k++)
      ik_tree_add(s->a, s->into, asked->child[k]);
  }
}

/* Of what is left of a row: is the line read before it is stored?  n < lanes, or remainder == 0 */
static ik_tree *is_read_first(const speller *s) {
  const ik_block *b = s->b;
  for (int o = 0; o < b->kernel->noutput * b->size.planes; o++)
    if (b->output[o].remainder)
      return ik_tree_binary(s->a, name(s, b->output[o].remainder), "==", whole(s, 0));
  return ik_tree_binary(s->a, name(s, s->w->given.part), "<", whole(s, b->shape->lanes));
}

/* What goes past the caches is not read before: of what is left of rows, not the whole vectors. */
static void prefetch_stores(speller *s) {
  const ik_block *b = s->b;
  ik_tree        *into = s->into, *asked = ik_tree_block(s->a);
  for (int o = 0; o < b->kernel->noutput * b->size.planes; o++) {
    int64_t ahead = output_shape(b, o)->prefetch;
    fetch   f = fetch_of(output_at(b, o), ahead, s->w->prefetch.store, b->output[o].at);
    f.rows = s->form.rows;
    if (!b->output[o].at || !ahead) continue;
    s->into = may_stream(s, o) && (s->form.part || s->form.streaming) ? asked : into;
    add_prefetch(s, f);
  }
  s->into = into;
  if (!asked->nchild) return;
  ik_tree *no = ik_tree_binary(s->a, name(s, s->w->given.streams), "==", whole(s, 0));
  ik_tree_add(s->a, into, ik_tree_if(s->a, s->form.part ? is_read_first(s) : no, asked, NULL));
}

/* x/parts, rounded down: for powers of two in one instruction. */
static ik_tree *part_of(const speller *s, int parts) {
  ik_tree *x = name(s, s->w->given.x);
  if (parts <= 1) return x;
  bool power = (parts & (parts - 1)) == 0;
  return power ? ik_tree_binary(s->a, x, ">>", whole(s, __builtin_ctz((unsigned)parts)))
               : ik_tree_binary(s->a, x, "/", whole(s, parts));
}

/* A pointer to a plane, moved to the block: by `i` elements along its row. */
static void add_pointer(const speller *s, const char *before, ik_type t, int64_t pitch, ik_tree *i,
                        const ik_block_plane *p, ik_tree *into) {
  const char *type = ik_arena_printf(s->a, "%s%s *", before, s->w->element[t]);
  if (pitch) {
    ik_tree *row = ik_tree_binary(s->a, name(s, s->w->given.y), "*", whole(s, pitch));
    i = ik_tree_binary(s->a, row, "+", i);
  }
  ik_tree *first = address(s, ik_tree_index(s->a, name(s, p->origin), i));
  ik_tree_add(s->a, into, ik_tree_declare(s->a, type, p->at, first));
}

/* x/64*80: as many elements as all blocks before have prefetched; or a part of x. */
static ik_tree *prefetched_before(const speller *s, const ik_prefetched *v) {
  const ik_kernel_shape *shape = s->b->shape;
  if (!v->lines) return part_of(s, shape->prefetch.parts);
  int      width = s->b->size.vectors * shape->lanes;
  ik_tree *blocks = ik_tree_binary(s->a, name(s, s->w->given.x), "/", whole(s, width));
  return ik_tree_binary(s->a, blocks, "*",
                        whole(s, v->lines * (shape->line / ik_type_bytes(v->type))));
}

/* The planes that the statements turned out to use.  A pointer for each, and constants from there
 * on: compilers take much longer over an index in each load, and find nothing better. */
static void add_pointers(const speller *s, ik_tree *into) {
  const ik_block    *b = s->b;
  const ik_prefetch *f = &b->shape->prefetch;
  ik_tree           *x = name(s, s->w->given.x);
  for (int p = 0; p < b->nport; p++) {
    const ik_pipe_value *v = input_at(b, p);
    if (s->read[p] && !v->rows)
      add_pointer(s, "const ", v->type, v->pitch, x, &b->port[p].plane, into);
  }
  for (int o = 0; o < b->kernel->noutput * b->size.planes; o++) {
    const ik_pipe_value *v = output_at(b, o);
    if (b->output[o].at && !v->rows) add_pointer(s, "", v->type, v->pitch, x, &b->output[o], into);
  }
  for (int i = 0; i < f->n * f->planes; i++) {
    const ik_prefetched *v = &f->of[i / f->planes];
    add_pointer(s, "const ", v->type, v->pitch, prefetched_before(s, v), &b->prefetch[i], into);
  }
}

void ik_block_emit(const ik_block *b, ik_where where, ik_block_form f, ik_tree *into) {
  speller s = {.b = b, .a = b->a, .w = b->words, .form = f};
  s.needed = IK_NEW_N(b->a, bool, b->n);
  s.done = IK_NEW_N(b->a, bool, b->n);
  s.read = IK_NEW_N(b->a, bool, b->nport);
  s.into = ik_tree_block(b->a);
  find_needed(&s);
  if (where == IK_PER_CELL) {
    add_in_order(&s);
    prefetch_between(&s), prefetch_stores(&s);
    add_pointers(&s, into);
  } else {
    for (int i = 0; i < b->n; i++)
      if (s.needed[i] && b->value[i].where == where) add_value(&s, i);
  }
  for (int i = 0; i < s.into->nchild; i++) ik_tree_add(b->a, into, s.into->child[i]);
}
