/* kernels.h: a pass by hand: the assignments of a small program as one kernel, arrays for what it
 * reads and writes that end where memory does, and the meaning of each cell by ik_apply(). */
#pragma once
#include "base/elementary.h"
#include "emit/expr.h"
#include "facts/nodes.h"
#include "ir/apply.h"
#include "ir/state.h"
#include "check.h"
#include "lang/lang.h"
#include "runtime/build.h"
#include "targets/cpu/isa.h"
#include "targets/cpu/kernels.h"
#include "targets/cpu/rt/kernel.h"
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MOST_STMTS = 16, MOST_VALUES = 32 };

typedef struct wanted {       /* of a block, and what else a test wants */
  int  planes, rows, vectors; /* 0: 1 */
  int  lanes;                 /* 0: what this machine likes */
  int  stream_axis;           /* 0: the last */
  bool stream, wrap;
  bool shift; /* inputs are rings, and neighbours come from shifted vectors */
} wanted;

typedef struct hand {
  ik_source       text;
  ik_arena        arena;
  ik_diag         diag;
  ik_ir          *ir;
  ik_pass         pass;
  ik_pipe_kernel  kernel;
  ik_plan         plan;
  ik_kernel_shape shape;
  ik_value_shape  input_shape[MOST_VALUES], output_shape[MOST_STMTS];
  const ik_stmt  *stmt[MOST_STMTS];
  int             store[MOST_STMTS];
  ik_pipe_value   input[MOST_VALUES], output[MOST_STMTS];
  int             lo[MOST_VALUES], hi[MOST_VALUES]; /* along the stream */
  ik_pipe_port    port[IK_PIPE_PORTS];
  int64_t         halo; /* of all arrays, along all axes */
} hand;

/* ---- the pass ---- */

static inline void hand_add_read(const ik_expr *e, void *ctx) {
  hand           *h = ctx;
  ik_pipe_kernel *k = &h->kernel;
  if (e->op != IK_OP_READ) return;
  for (int d = 0; d < IK_MAX_DIM; d++)
    if (llabs(e->off[d]) > h->halo) h->halo = llabs(e->off[d]);
  bool here = !e->off[0] && !e->off[1] && !e->off[2];
  for (int s = 0; here && s < k->nstmt; s++)
    if (h->stmt[s]->kind == IK_ASSIGN && h->stmt[s]->field == e->id &&
        h->stmt[s]->level == e->level)
      return;
  int i = 0, stream = h->pass.axis[IK_STREAM], dz = stream < 0 ? 0 : e->off[stream];
  while (i < k->ninput && (h->input[i].field != e->id || h->input[i].level != e->level)) i++;
  if (i == k->ninput) {
    h->input[i] = (ik_pipe_value){.field = e->id, .level = e->level, .type = e->type};
    h->lo[i] = h->hi[i] = dz;
    k->ninput++;
  }
  if (dz < h->lo[i]) h->lo[i] = dz;
  if (dz > h->hi[i]) h->hi[i] = dz;
}

static inline void hand_place(hand *h, ik_pipe_value *v) {
  for (int r = 0; r < IK_NROLES; r++) {
    int axis = h->pass.axis[r];
    v->on[r] = axis >= 0 && (v->field < 0 || h->ir->field[v->field].on[axis]);
  }
  int64_t width = v->on[IK_LANE] ? (h->pass.n[IK_LANE] + 2 * h->halo + 15) / 16 * 16 : 1;
  v->pitch = v->on[IK_ROW] ? width : 0;
}

static inline void hand_take(hand *h, const ik_stmt *list) {
  for (const ik_stmt *s = list; s; s = s->next) {
    if (s->body) hand_take(h, s->body);
    if (s->kind != IK_ASSIGN && s->kind != IK_REDUCE) continue;
    ik_pipe_kernel *k = &h->kernel;
    ik_expr_each(s->value, hand_add_read, h);
    h->output[k->noutput] = (ik_pipe_value){
        .field = s->kind == IK_REDUCE ? -1 : s->field, .level = s->level, .type = s->value->type};
    h->store[k->nstmt] = k->noutput++;
    h->stmt[k->nstmt++] = s;
  }
}

static inline void hand_roles(hand *h, const wanted *s) {
  int n = h->ir->ndim, stream = s->stream_axis ? s->stream_axis : n - 1;
  h->pass.axis[IK_LANE] = 0;
  h->pass.axis[IK_STREAM] = n == 1 ? -1 : stream;
  h->pass.axis[IK_ROW] = n == 3 ? 3 - stream : -1;
  for (int r = 0; r < IK_NROLES; r++)
    h->pass.n[r] = h->pass.axis[r] < 0 ? 1 : h->ir->n[h->pass.axis[r]];
}

static inline ik_status hand_compile(hand *h) {
  ik_program_ast tree;
  if (setjmp(h->arena.oom)) abort();
  IK_TRY(ik_lang_parse(&h->text, &h->arena, &h->diag, &tree));
  IK_TRY(ik_lang_lower(&tree, &(ik_lower_options){.steps = -1, .name = "test"}, &h->arena, &h->diag,
                       &h->ir));
  return ik_ir_verify(h->ir, &h->diag);
}

static inline void hand_complain(const hand *h, const char *file, int line) {
  ik_buf b = {0};
  ik_diag_render(&h->diag, false, &b);
  check_fail(file, line, "%s", ik_buf_text(&b));
  ik_buf_free(&b);
}

static inline void hand_close(hand *h) {
  ik_diag_free(&h->diag);
  ik_arena_free(&h->arena);
}

static inline int at_least_1(int n) { return n > 1 ? n : 1; }

/* A vector of the widest type fits a register; halves are held as f64. */
static inline bool hand_is_wide(const hand *h) {
  bool narrow = h->output[0].type == IK_F32;
  for (int i = 0; i < h->kernel.ninput; i++)
    narrow = narrow && (h->input[i].type == IK_F32 || h->input[i].type == IK_I32);
  return !narrow;
}

static inline bool hand_open(hand *h, const char *text, wanted s) {
  *h = (hand){.text = {"test.ik", text, strlen(text)}, .halo = s.wrap ? 20 : 0};
  ik_arena_init(&h->arena);
  if (hand_compile(h)) return hand_complain(h, __FILE__, __LINE__), false;
  ik_pipe_kernel *k = &h->kernel;
  int             bytes = ik_isa_local().vector_bytes;
  *k = (ik_pipe_kernel){.stmt = h->stmt, .store = h->store, .input = h->input};
  k->output = h->output, k->port = h->port;
  k->planes = at_least_1(s.planes), k->shape = &h->shape;
  h->shape = (ik_kernel_shape){.line = 64, .prefetch_from = 32, .loaded_from = 24, .weights = -1};
  h->shape.input = h->input_shape, h->shape.output = h->output_shape;
  h->shape.rows = at_least_1(s.rows), h->shape.vectors = at_least_1(s.vectors);
  h->shape.streaming = s.stream, h->shape.shift = s.shift;

  hand_roles(h, &s);
  hand_take(h, h->ir->body);
  for (int i = 0; i < k->ninput; i++)
    hand_place(h, &h->input[i]), h->input_shape[i].aligned = s.shift;
  for (int i = 0; i < k->noutput; i++) hand_place(h, &h->output[i]);
  h->shape.lanes = s.lanes ? s.lanes : bytes / (hand_is_wide(h) ? 8 : 4);
  for (int i = 0; i < k->ninput; i++)
    for (int dz = h->lo[i]; dz < h->hi[i] + k->planes; dz++)
      h->port[k->nport++] = (ik_pipe_port){i, dz};
  h->pass.nkernel = 1, h->pass.kernel = k;
  for (int r = 0; r < IK_NROLES; r++) k->wraps[r] = s.wrap;
  h->plan = (ik_plan){.target = "cpu", .strategy = "plain", .steps = 1, .cpu.rows = h->shape.rows};
  h->plan.cpu.vectors = h->shape.vectors, h->plan.cpu.vector_bytes = bytes;
  return true;
}

static inline void hand_text(hand *h, ik_buf *out) {
  const ik_pass *pass = &h->pass;
  ik_code_of     first = {0, 0};
  ik_cpu_kernels(h->ir, &pass, &first, 1, h->shape.lanes, &h->plan, "test.ik", &h->arena, out);
}

/* ---- arrays: the last element that exists is the last before a page that does not ---- */

enum { GUARD = 64 }; /* elements before the first and behind the last */

typedef struct array {
  char         *map;
  size_t        mapped;
  char         *first; /* element 0 */
  ik_pipe_value v;
  int64_t       n[IK_NROLES], width;
  int64_t       halo;
} array;

static inline int64_t array_at(const array *a, int64_t x, int64_t y, int64_t z) {
  int64_t i = 0;
  if (a->v.on[IK_STREAM]) i = z + a->halo;
  if (a->v.on[IK_ROW]) i = i * (a->n[IK_ROW] + 2 * a->halo) + y + a->halo;
  return i * a->width + (a->v.on[IK_LANE] ? x + a->halo : 0);
}

static inline void array_open(array *a, const hand *h, const ik_pipe_value *v) {
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  *a = (array){.v = *v, .halo = h->halo};
  memcpy(a->n, h->pass.n, sizeof a->n);
  a->width = v->on[IK_LANE] ? (a->n[IK_LANE] + 2 * a->halo + 15) / 16 * 16 : 1;
  int64_t end = array_at(a, a->n[IK_LANE] + a->halo - 1, a->n[IK_ROW] + a->halo - 1,
                         a->n[IK_STREAM] + a->halo - 1) +
                1;
  size_t bytes = (size_t)(end + 2 * GUARD) * (size_t)ik_type_bytes(v->type);
  a->mapped = (bytes + page - 1) / page * page + page;
  a->map = mmap(NULL, a->mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (a->map == MAP_FAILED) abort();
  memset(a->map, 0xff, a->mapped - page); /* no number: what is not to be used would show */
  a->first = a->map + a->mapped - page - bytes + GUARD * ik_type_bytes(v->type);
  mprotect(a->map + a->mapped - page, page, PROT_NONE);
}

static inline void array_close(array *a) { munmap(a->map, a->mapped); }

static inline void *array_plane(const array *a, int64_t z) {
  return a->first + array_at(a, 0, 0, z) * ik_type_bytes(a->v.type);
}

static inline double array_get(const array *a, int64_t x, int64_t y, int64_t z) {
  double v;
  ik_state_load_row(a->v.type, a->first, array_at(a, x, y, z), 1, &v);
  return v;
}

static inline uint32_t hand_random(uint32_t *s) { return (*s = *s * 1664525u + 1013904223u) >> 8; }

/* Between -2 and 2; whole numbers between -8 and 8; bools. */
static inline double hand_value(ik_type t, uint32_t *seed) {
  double u = (double)hand_random(seed) / 0x1p24;
  if (t == IK_BOOL) return u < 0.5;
  return t == IK_I32 ? floor(u * 17) - 8 : ik_type_round(t, 4 * u - 2);
}

static inline void array_fill(array *a, uint32_t *seed) {
  int64_t hx = a->v.on[IK_LANE] ? a->halo : 0, hy = a->v.on[IK_ROW] ? a->halo : 0,
          hz = a->v.on[IK_STREAM] ? a->halo : 0;
  for (int64_t z = -hz; z < (a->v.on[IK_STREAM] ? a->n[IK_STREAM] : 1) + hz; z++)
    for (int64_t y = -hy; y < (a->v.on[IK_ROW] ? a->n[IK_ROW] : 1) + hy; y++)
      for (int64_t x = -hx; x < (a->v.on[IK_LANE] ? a->n[IK_LANE] : 1) + hx; x++) {
        double v = hand_value(a->v.type, seed);
        ik_state_store_row(a->v.type, a->first, array_at(a, x, y, z), 1, &v);
      }
}

/* ---- what a cell is ---- */

typedef struct cells { /* the arrays of a kernel */
  const hand   *h;
  array         in[MOST_VALUES], out[MOST_STMTS];
  const double *scalar;
  int64_t       t;
} cells;

static inline double hand_noise(double seed, int64_t x, int64_t y, int64_t z) {
  return seed + (double)(x + 100 * y + 10000 * z) / 0x1p20;
}

static inline double hand_table(const void *ir, int id, double at) {
  return ik_apply_table(&((const ik_ir *)ir)->table[id], at);
}

static inline int64_t cells_wrap(const cells *c, int role, int64_t i) {
  int64_t n = c->h->pass.n[role];
  return c->h->kernel.wraps[role] ? ((i % n) + n) % n : i;
}

static inline double cells_eval(const cells *c, int stmt, const ik_expr *e,
                                const int64_t at[IK_NROLES]);

static inline double cells_read(const cells *c, int stmt, const ik_expr *e,
                                const int64_t at[IK_NROLES]) {
  const ik_pass *p = &c->h->pass;
  int64_t        to[IK_NROLES];
  bool           here = !e->off[0] && !e->off[1] && !e->off[2];
  for (int s = stmt - 1; here && s >= 0; s--)
    if (c->h->stmt[s]->kind == IK_ASSIGN && c->h->stmt[s]->field == e->id &&
        c->h->stmt[s]->level == e->level)
      return cells_eval(c, s, c->h->stmt[s]->value, at);
  for (int r = 0; r < IK_NROLES; r++) to[r] = at[r] + (p->axis[r] < 0 ? 0 : e->off[p->axis[r]]);
  for (int i = 0; i < c->h->kernel.ninput; i++)
    if (c->in[i].v.field == e->id && c->in[i].v.level == e->level)
      return array_get(&c->in[i], to[IK_LANE], to[IK_ROW], to[IK_STREAM]);
  abort();
}

static inline double cells_leaf(const cells *c, int stmt, const ik_expr *e,
                                const int64_t at[IK_NROLES]) {
  int64_t by_axis[IK_MAX_DIM] = {0};
  for (int r = 0; r < IK_NROLES; r++)
    if (c->h->pass.axis[r] >= 0) by_axis[c->h->pass.axis[r]] = cells_wrap(c, r, at[r]);
  switch (e->op) {
  case IK_OP_CONST: return e->value;
  case IK_OP_SCALAR: return c->scalar[e->id];
  case IK_OP_TIME: return ik_type_round(e->type, (double)c->t);
  case IK_OP_COORD: return ik_type_round(e->type, (double)by_axis[e->id]);
  case IK_OP_NOISE:
    return ik_type_round(e->type, hand_noise(e->value, by_axis[0] + e->off[0],
                                             by_axis[1] + e->off[1], by_axis[2] + e->off[2]));
  default: return cells_read(c, stmt, e, at);
  }
}

static inline double cells_eval(const cells *c, int stmt, const ik_expr *e,
                                const int64_t at[IK_NROLES]) {
  double v[3] = {0};
  if (ik_op_nargs(e->op) == 0) return cells_leaf(c, stmt, e, at);
  for (int k = 0; k < ik_op_nargs(e->op); k++) v[k] = cells_eval(c, stmt, e->arg[k], at);
  if (e->op == IK_OP_TABLE)
    return ik_type_round(e->type, ik_apply_table(&c->h->ir->table[e->id], v[0]));
  return ik_apply(e->op, e->type, v[0], v[1], v[2]);
}
