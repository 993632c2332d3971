#include "targets/simulated/nero/window.h"
#include "base/mem.h"
#include "targets/simulated/nero/refuse.h"
#include <string.h>

/* ---- boxes ---- */

/* True if it has grown. */
static bool widen(ik_box *sum, const ik_box *b) {
  ik_box old = *sum;
  if (!ik_box_cells(b)) return false;
  for (int d = 0; d < IK_MAX_DIM && ik_box_cells(&old); d++)
    sum->lo[d] = ik_min(sum->lo[d], b->lo[d]), sum->hi[d] = ik_max(sum->hi[d], b->hi[d]);
  if (!ik_box_cells(&old)) *sum = *b;
  return memcmp(&old, sum, sizeof old) != 0;
}

static ik_box shifted(ik_box b, const int off[IK_MAX_DIM], const bool on[IK_MAX_DIM]) {
  for (int d = 0; d < IK_MAX_DIM; d++) {
    b.lo[d] = on[d] ? b.lo[d] + off[d] : 0;
    b.hi[d] = on[d] ? b.hi[d] + off[d] : 1;
  }
  return b;
}

/* ---- the windows of a kernel ---- */

static int64_t length(const ik_nero_kernel *k, const int64_t size[IK_MAX_DIM], int d) {
  int64_t all = k->cover.hi[d] - k->cover.lo[d];
  return k->whole[d] || size[d] <= 0 || size[d] > all ? all : size[d];
}

static int64_t count_along(const ik_nero_kernel *k, const int64_t size[IK_MAX_DIM], int d) {
  int64_t n = length(k, size, d);
  return n ? (k->cover.hi[d] - k->cover.lo[d] + n - 1) / n : 0;
}

int64_t ik_nero_window_count(const ik_nero_kernel *k, const int64_t size[IK_MAX_DIM]) {
  int64_t n = 1;
  for (int d = 0; d < IK_MAX_DIM; d++) n *= count_along(k, size, d);
  return n;
}

bool ik_nero_window_box(const ik_nero_kernel *k, const int64_t size[IK_MAX_DIM], int64_t i,
                        ik_box *out) {
  if (i >= ik_nero_window_count(k, size)) return false;
  for (int d = 0; d < IK_MAX_DIM; d++) {
    int64_t n = length(k, size, d), along = count_along(k, size, d);
    if (along == 0) return false; /* there would be no window i */
    out->lo[d] = k->cover.lo[d] + i % along * n;
    out->hi[d] = out->lo[d] + n;
    i /= along;
  }
  *out = ik_nero_meet(*out, &k->cover);
  return true;
}

/* ---- the kernel alone ---- */

static ik_stmt *copy_list(const ik_stmt *first, const ik_stmt *end, ik_arena *a) {
  ik_stmt *list = NULL, **tail = &list;
  for (const ik_stmt *s = first; s != end; s = s->next) {
    *tail = IK_NEW(a, ik_stmt);
    **tail = *s;
    (*tail)->body = copy_list(s->body, NULL, a);
    tail = &(*tail)->next;
  }
  *tail = NULL;
  return list;
}

void ik_nero_window_init(ik_nero_window *w, const ik_ir *ir, const ik_nero_kernel *k, ik_arena *a) {
  *w = (ik_nero_window){.kernel = k, .ir = *ir, .values = ik_values_of(ir)};
  w->ir.init = NULL, w->ir.ninject = 0;
  w->ir.body = copy_list(k->first, k->end, a);
  w->ir.field = IK_NEW_N(a, ik_field, ir->nfield);
  memcpy(w->ir.field, ir->field, (size_t)ir->nfield * sizeof *ir->field);
  w->need = IK_NEW_N(a, ik_box, w->values);
  w->capacity = IK_NEW_N(a, size_t, w->values);
  w->state.ir = &w->ir;
  w->state.slot = IK_NEW_N(a, ik_slot, ir->nfield);
  w->state.layout = IK_NEW_N(a, ik_layout_field, ir->nfield);
}

void ik_nero_window_free(ik_nero_window *w) {
  for (int f = 0; w->state.slot && f < w->ir.nfield; f++)
    for (int l = 0; l <= IK_MAX_HISTORY; l++) ik_free(w->state.slot[f].level[l]);
  *w = (ik_nero_window){0};
}

/* ---- which cells are needed ---- */

typedef struct demand {
  ik_nero_window *w;
  const ik_box   *at; /* computed by the statement whose reads are added */
  bool            grown;
} demand;

static void demand_read(const ik_expr *e, void *ctx) {
  demand *m = ctx;
  if (e->op != IK_OP_READ) return;
  ik_box b = shifted(*m->at, e->off, m->w->ir.field[e->id].on);
  if (widen(&m->w->need[ik_value_of(e->id, e->level)], &b)) m->grown = true;
}

/* `s` is the copy, `from` the statement as the program has it. */
static bool demand_stmt(ik_nero_window *w, ik_stmt *s, const ik_stmt *from, const bool *whole) {
  const ik_box *wanted = &w->need[ik_value_of(s->field, s->level)];
  s->box = w->boundless ? *wanted : ik_nero_meet(from->box, wanted);
  for (int d = 0; whole && ik_box_cells(wanted) && d < IK_MAX_DIM; d++)
    if (whole[d]) s->box.lo[d] = from->box.lo[d], s->box.hi[d] = from->box.hi[d];
  demand m = {w, &s->box, false};
  if (!ik_box_cells(&s->box)) return false;
  if (widen(&w->need[ik_value_of(s->field, s->level)], &s->box)) m.grown = true;
  ik_expr_each(s->value, demand_read, &m);
  return m.grown;
}

static bool demand_backwards(ik_nero_window *w, ik_stmt *s, const ik_stmt *from,
                             const bool *whole) {
  if (!s) return false;
  bool later = demand_backwards(w, s->next, from->next, whole);
  if (s->kind == IK_ASSIGN) return demand_stmt(w, s, from, whole) || later;
  while (demand_backwards(w, s->body, from->body, w->kernel->whole)) continue;
  return later;
}

/* ---- buffers ---- */

static ik_box hull_of_need(const ik_nero_window *w, int field) {
  ik_box b = {{0}, {0}};
  for (int l = 1; l > -IK_MAX_HISTORY; l--) widen(&b, &w->need[ik_value_of(field, l)]);
  return b;
}

/* All levels of a field lie alike, as the interpreter wants it. */
static void shape_field(ik_nero_window *w, int f) {
  ik_field *q = &w->ir.field[f];
  ik_slot  *s = &w->state.slot[f];
  q->box = hull_of_need(w, f);
  w->state.layout[f] = ik_layout_at(&w->ir, NULL, f);
  s->layout = &w->state.layout[f];
  s->first = (short)s->layout->first, s->nlevel = s->layout->levels;
}

typedef struct put_down {
  ik_box *box;
  int     value;
} put_down;

static void add_result(const ik_stmt *s, const ik_stmt *sweep, void *ctx) {
  put_down *p = ctx;
  (void)sweep;
  if (ik_value_of(s->field, s->level) == p->value) widen(p->box, &s->box);
}

ik_box ik_nero_window_out(const ik_nero_window *w, int value) {
  ik_box   all = {{0}, {0}};
  put_down p = {&all, value};
  if (w->kernel->keeps[value]) ik_nero_each(w->kernel, add_result, &p);
  return ik_nero_meet(all, &w->box);
}

static ik_box results_of(const ik_nero_window *w, int v) {
  static const int here[IK_MAX_DIM] = {0};
  if (!w->boundless) return ik_nero_window_out(w, v);
  return w->kernel->keeps[v] ? shifted(w->box, here, w->ir.field[ik_nero_field(v)].on)
                             : (ik_box){{0}, {0}};
}

void ik_nero_window_place(ik_nero_window *w, const ik_box *box) {
  w->box = *box;
  memset(w->need, 0, (size_t)w->values * sizeof *w->need);
  for (int v = 0; v < w->values; v++) {
    ik_box out = results_of(w, v);
    widen(&w->need[v], &out);
  }
  demand_backwards(w, w->ir.body, w->kernel->first, NULL);
  for (int f = 0; f < w->ir.nfield; f++) shape_field(w, f);
}

void ik_nero_window_reach(ik_nero_window *w) {
  ik_box b = w->kernel->cover;
  for (int d = 0; d < IK_MAX_DIM; d++)
    if (!w->kernel->whole[d]) b.hi[d] = ik_min(b.hi[d], b.lo[d] + 1);
  w->boundless = true;
  ik_nero_window_place(w, &b);
  w->boundless = false;
}

static bool is_held(const ik_nero_window *w, int value) {
  return w->need[value].hi[0] > w->need[value].lo[0];
}

int64_t ik_nero_window_bytes(const ik_nero_window *w) {
  int64_t sum = 0;
  for (int v = 0; v < w->values; v++)
    if (is_held(w, v)) sum += (int64_t)w->state.slot[ik_nero_field(v)].layout->bytes;
  return sum;
}

static ik_status grow(ik_nero_window *w, int v, ik_diag *d) {
  ik_slot *s = &w->state.slot[ik_nero_field(v)];
  size_t   bytes = (size_t)s->layout->bytes;
  void   **buffer = &s->level[1 - ik_nero_level(v)];
  if (w->capacity[v] >= bytes) return IK_OK;
  ik_free(*buffer);
  *buffer = ik_malloc(bytes);
  w->capacity[v] = *buffer ? bytes : 0;
  if (*buffer) return IK_OK;
  return ik_nero_no_memory(d);
}

/* ---- in, through, out ---- */

/* The cells lo <= x < hi of a row that begins at `at` lie in the field: copied as they are. */
static void copy_row(int v, const ik_state *to, void *into, const ik_state *from,
                     const int64_t at[IK_MAX_DIM], int64_t n) {
  int         f = ik_nero_field(v);
  size_t      bytes = (size_t)ik_type_bytes(from->ir->field[f].type);
  const char *data = ik_state_data(from, f, ik_nero_level(v));
  memcpy((char *)into + (size_t)ik_state_index(to, f, at) * bytes,
         data + (size_t)ik_state_index(from, f, at) * bytes, (size_t)n * bytes);
}

static bool is_inside(const ik_field *f, const int64_t at[IK_MAX_DIM], int d) {
  return at[d] >= f->box.lo[d] && at[d] < f->box.hi[d];
}

static void load_row(ik_nero_window *w, const ik_nero_memory *m, int v, int64_t at[IK_MAX_DIM],
                     int64_t end) {
  const ik_field *from = &m->state->ir->field[ik_nero_field(v)];
  void           *into = ik_state_data(&w->state, ik_nero_field(v), ik_nero_level(v));
  while (at[0] < end) {
    if (is_inside(from, at, 0) && is_inside(from, at, 1) && is_inside(from, at, 2)) {
      int64_t n = ik_min(end, from->box.hi[0]) - at[0];
      copy_row(v, &w->state, into, m->state, at, n);
      at[0] += n;
      continue;
    }
    double beyond = ik_interp_read(m->interp, ik_nero_field(v), ik_nero_level(v), at);
    ik_state_store_row(from->type, into, ik_state_index(&w->state, ik_nero_field(v), at), 1,
                       &beyond);
    at[0]++;
  }
}

ik_status ik_nero_window_load(ik_nero_window *w, const ik_nero_memory *m, ik_diag *d) {
  for (int v = 0; v < w->values; v++) {
    const ik_box *b = &w->need[v];
    int64_t       at[IK_MAX_DIM];
    if (!is_held(w, v)) continue;
    IK_TRY(grow(w, v, d));
    if (!w->kernel->loads[v]) continue;
    for (at[2] = b->lo[2]; at[2] < b->hi[2]; at[2]++)
      for (at[1] = b->lo[1]; at[1] < b->hi[1]; at[1]++) {
        at[0] = b->lo[0];
        load_row(w, m, v, at, b->hi[0]);
      }
  }
  return IK_OK;
}

ik_status ik_nero_window_compute(ik_nero_window *w, const ik_nero_memory *m, ik_diag *d) {
  ik_interp *pipeline;
  w->state.scalar = m->state->scalar, w->state.t = m->state->t;
  ik_status st = ik_interp_create(&w->state, d, &pipeline);
  if (!st) ik_interp_run(pipeline, w->ir.body, NULL);
  ik_interp_destroy(&pipeline);
  return st;
}

void *ik_nero_window_target(const ik_nero_window *w, const ik_nero_memory *m, int value) {
  if (ik_nero_goes_aside(w->kernel, value)) return m->result[value];
  return ik_state_data(m->state, ik_nero_field(value), ik_nero_level(value));
}

void ik_nero_window_store(const ik_nero_window *w, const ik_nero_memory *m) {
  for (int v = 0; v < w->values; v++) {
    if (!w->kernel->keeps[v]) continue;
    ik_box  b = ik_nero_window_out(w, v);
    void   *into = ik_nero_window_target(w, m, v);
    int64_t at[IK_MAX_DIM] = {b.lo[0]};
    for (at[2] = b.lo[2]; at[2] < b.hi[2]; at[2]++)
      for (at[1] = b.lo[1]; at[1] < b.hi[1]; at[1]++)
        copy_row(v, m->state, into, &w->state, at, b.hi[0] - b.lo[0]);
  }
}
