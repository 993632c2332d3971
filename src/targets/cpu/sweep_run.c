#include "targets/cpu/sweep_run.h"
#include "base/least.h"
#include "base/mem.h"
#include "base/pages.h"
#include "ir/bound.h"
#include "targets/cpu/value.h"
#include <string.h>

typedef struct order_thread {
  struct ik_rows *rows;  /* values of boundaries */
  const void    **in;    /* per read of a statement */
  int64_t        *still; /* the same */
  double         *made;  /* the same: a value that is nowhere in memory, of any type */
  void          **out;   /* per value: where results go */
} order_thread;

struct ik_sweep_room {
  int               threads;
  order_thread     *thread;
  void            **out;   /* arrays, per value, from cell (0, 0, 0) on */
  ik_team_progress *row;   /* of blocks: those that are done */
  ik_team_part     *part;  /* [threads] pieces that are left */
  void             *plane; /* results of a statement that reads what it overwrites */
};

enum part_of { ALL, COMPUTE, COPY };

typedef struct running {
  const ik_sweep      *o;
  const ik_sweep_code *code;
  const ik_ir         *ir;
  ik_state            *state;
  const ik_rt         *rt;
  ik_sweep_room       *room;
  int                  cut;   /* the axis along which threads share cells */
  int64_t              piece; /* cells along it that are taken at a time */
  int                  looks; /* at a block that one waits for */
  ik_team             *team;  /* all threads share each plane; NULL: they do not */
  ik_box               plane; /* that they share now, ... */
  int                  stmt;  /* ... the statement, ... */
  enum part_of         part;  /* ... and what they do */
} running;

typedef struct hand { /* one thread at it */
  running      *r;
  order_thread *t;
} hand;

/* ---- room ---- */

static int64_t reads_of(const ik_sweep *const *order, int n) {
  int64_t reads = 1;
  for (int i = 0; i < n; i++)
    for (int k = 0; k < order[i]->nstmt; k++) reads = ik_max(reads, order[i]->body[k].nread);
  return reads;
}

static int64_t values_of(const ik_sweep *const *order, int n) {
  int64_t values = 1;
  for (int i = 0; i < n; i++) values = ik_max(values, order[i]->nvalue);
  return values;
}

static int64_t rows_of(const ik_sweep *const *order, int n) {
  int64_t rows = 1;
  for (int i = 0; i < n; i++)
    if (order[i]->wave[0] >= 0) rows = ik_max(rows, ik_sweep_blocks(order[i], order[i]->wave[0]));
  return rows;
}

/* Laid out like the field, so that the same functions can write to it. */
static int64_t plane_bytes(const ik_ir *ir, const ik_sweep *const *order, int n) {
  int64_t bytes = 0;
  for (int i = 0; i < n; i++)
    for (int k = 0; k < order[i]->nstmt && order[i]->kind == IK_SWEEP_PLANES; k++) {
      const ik_field *f = &ir->field[order[i]->body[k].stmt->field];
      if (order[i]->body[k].beside)
        bytes = ik_max(bytes, ik_box_cells(&f->box) * ik_type_bytes(f->type));
    }
  return bytes;
}

int64_t ik_sweep_room_bytes(const ik_ir *ir, const ik_sweep *const *order, int n, int threads) {
  return plane_bytes(ir, order, n) + rows_of(order, n) * (int64_t)sizeof(ik_team_progress) +
         threads * (int64_t)sizeof(ik_team_part) +
         (threads + 1) * values_of(order, n) * (int64_t)sizeof(void *) +
         threads * reads_of(order, n) * (int64_t)(sizeof(void *) + 2 * sizeof(double));
}

static bool fill_room(ik_sweep_room *r, const ik_state *s, const ik_sweep *const *order, int n) {
  size_t  reads = (size_t)reads_of(order, n), values = (size_t)values_of(order, n);
  int64_t plane = plane_bytes(s->ir, order, n);
  r->thread = ik_calloc((size_t)r->threads, sizeof *r->thread);
  r->row = ik_calloc((size_t)rows_of(order, n), sizeof *r->row);
  r->part = ik_calloc((size_t)r->threads, sizeof *r->part);
  r->out = ik_calloc(values, sizeof *r->out);
  if (plane) r->plane = ik_pages_alloc((size_t)plane);
  if (!r->thread || !r->row || !r->part || !r->out || (plane && !r->plane)) return false;
  for (int i = 0; i < r->threads; i++) {
    order_thread *t = &r->thread[i];
    t->rows = ik_value_create(s);
    t->in = ik_calloc(reads, sizeof *t->in);
    t->still = ik_calloc(reads, sizeof *t->still);
    t->made = ik_calloc(reads, sizeof *t->made);
    t->out = ik_calloc(values, sizeof *t->out);
    if (!t->rows || !t->in || !t->still || !t->made || !t->out) return false;
  }
  return true;
}

ik_sweep_room *ik_sweep_room_create(const ik_state *s, const ik_sweep *const *order, int n,
                                    int threads) {
  ik_sweep_room *r = ik_calloc(1, sizeof *r);
  if (!r) return NULL;
  r->threads = threads;
  if (!fill_room(r, s, order, n)) ik_sweep_room_destroy(&r);
  return r;
}

void ik_sweep_room_destroy(ik_sweep_room **room) {
  ik_sweep_room *r = *room;
  if (!r) return;
  for (int i = 0; r->thread && i < r->threads; i++) {
    order_thread *t = &r->thread[i];
    ik_value_destroy(&t->rows);
    ik_free(t->in), ik_free(t->still), ik_free(t->made), ik_free(t->out);
  }
  ik_free(r->thread), ik_free(r->row), ik_free(r->part), ik_free(r->out), ik_pages_free(r->plane);
  ik_free(r);
  *room = NULL;
}

/* ---- what cells near faces read ---- */

static int64_t index_of(const ik_sweep_value *v, const int64_t at[IK_MAX_DIM]) {
  return at[0] * v->stride[0] + at[1] * v->stride[1] + at[2] * v->stride[2];
}

/* Row cells at[0] .. at[0]+n-1.  False: they do not all find it in the same way, one after the
 * other; a single cell always does. */
static bool find_read(const hand *h, const ik_sweep_stmt *s, int k, const int64_t at[IK_MAX_DIM],
                      int64_t n) {
  const ik_sweep_read  *q = &s->read[k];
  const ik_sweep_value *v = &h->r->o->value[q->value];
  const ik_field       *f = &h->r->ir->field[v->field];
  const ik_expr        *value = NULL;
  const char           *array = h->r->room->out[q->value];
  int64_t               c[IK_MAX_DIM], bytes = ik_type_bytes(f->type);
  double                sign = 1;
  for (int d = 0; d < IK_MAX_DIM; d++) {
    c[d] = f->on[d] ? at[d] + q->off[d] : 0;
    if (d == 0 && n > 1 && f->on[0] && (c[0] < f->box.lo[0] || c[0] + n > f->box.hi[0]))
      return false;
    int side = f->on[d] ? ik_bound_fold(f, d, &c[d], &sign) : -1;
    if (side >= 0 && !value) value = f->bc[d][side].value;
  }
  if (n > 1 && (value ? !ik_value_is_uniform(value) : sign < 0)) return false;
  h->t->still[k] = value || sign < 0 || !f->on[0];
  h->t->in[k] = array + (index_of(v, c) - (h->t->still[k] ? 0 : at[0])) * bytes;
  if (value) {
    ik_value_row(h->t->rows, value, f->type, c, 1, h->r->state->t + v->level, sign, &h->t->made[k]);
    h->t->in[k] = &h->t->made[k];
  } else if (sign < 0) {
    double x;
    ik_state_load_row(f->type, h->t->in[k], 0, 1, &x);
    x = ik_type_round(f->type, -x);
    ik_state_store_row(f->type, &h->t->made[k], 0, 1, &x);
    h->t->in[k] = &h->t->made[k];
  }
  return true;
}

static bool find_reads(const hand *h, const ik_sweep_stmt *s, const int64_t at[IK_MAX_DIM],
                       int64_t n) {
  for (int k = 0; k < s->nread; k++)
    if (!find_read(h, s, k, at, n)) return false;
  return true;
}

static ik_sweep_call call_of(const running *r, const ik_box *b) {
  ik_sweep_call c = {.t = r->state->t, .scalar = r->state->scalar, .rt = r->rt};
  memcpy(c.lo, b->lo, sizeof c.lo), memcpy(c.hi, b->hi, sizeof c.hi);
  return c;
}

/* One statement, cells of one row. */
static bool call_row(const hand *h, int stmt, const int64_t at[IK_MAX_DIM], int64_t n) {
  const ik_sweep_stmt  *s = &h->r->o->body[stmt];
  const ik_sweep_value *v = &h->r->o->value[s->value];
  ik_box                b = {{at[0], at[1], at[2]}, {at[0] + n, at[1] + 1, at[2] + 1}};
  if (!find_reads(h, s, at, n)) return false;
  int64_t row = at[1] * v->stride[1] + at[2] * v->stride[2];
  void   *to = (char *)h->t->out[s->value] + row * ik_type_bytes(h->r->ir->field[v->field].type);
  ik_sweep_call c = call_of(h->r, &b);
  c.in = h->t->in, c.still = h->t->still, c.out = &to;
  h->r->code->cell[stmt](&c);
  return true;
}

typedef void cell_fn(const hand *h, const ik_box *b, int64_t at[IK_MAX_DIM], void *ctx);

static int64_t place(const ik_sweep *o, const ik_box *b, int axis, int64_t i) {
  return o->dir[axis] > 0 ? b->lo[axis] + i : b->hi[axis] - 1 - i;
}

/* Calls `f` for each row of a box, in order. */
static void each_row(const hand *h, const ik_box *b, cell_fn *f, void *ctx) {
  const ik_sweep *o = h->r->o;
  int64_t         at[IK_MAX_DIM];
  for (int64_t k = 0; k < b->hi[2] - b->lo[2]; k++)
    for (int64_t j = 0; j < b->hi[1] - b->lo[1]; j++) {
      at[0] = b->lo[0], at[1] = place(o, b, 1, j), at[2] = place(o, b, 2, k);
      f(h, b, at, ctx);
    }
}

static void row_of_one(const hand *h, const ik_box *b, int64_t at[IK_MAX_DIM], void *ctx) {
  int     stmt = *(const int *)ctx;
  int64_t n = b->hi[0] - b->lo[0];
  if (call_row(h, stmt, at, n)) return;
  for (int64_t i = 0; i < n; i++) {
    at[0] = place(h->r->o, b, 0, i);
    call_row(h, stmt, at, 1);
  }
}

/* Cell by cell, all statements of each. */
static void row_of_several(const hand *h, const ik_box *b, int64_t at[IK_MAX_DIM], void *ctx) {
  uint64_t active = *(const uint64_t *)ctx;
  for (int64_t i = 0; i < b->hi[0] - b->lo[0]; i++) {
    at[0] = place(h->r->o, b, 0, i);
    for (int s = 0; s < h->r->o->nstmt; s++)
      if (active >> s & 1) call_row(h, s, at, 1);
  }
}

/* ---- boxes ---- */

static void call_set(const hand *h, int set, const ik_box *b) {
  ik_sweep_call c = call_of(h->r, b);
  c.in = (const void *const *)h->r->room->out, c.out = h->t->out;
  h->r->code->set[set](&c);
}

typedef void region_fn(const hand *h, const ik_sweep_region *g, const ik_box *b, void *ctx);

/* The part of a box in the `i`-th region along an axis, in its direction; false: it is empty. */
static bool meet(const ik_sweep *o, const ik_box *b, int d, int i, int index[IK_MAX_DIM],
                 ik_box *out) {
  index[d] = o->dir[d] > 0 ? i : o->ncut[d] - 2 - i;
  out->lo[d] = ik_max(b->lo[d], o->cut[d][index[d]]);
  out->hi[d] = b->hi[d] < o->cut[d][index[d] + 1] ? b->hi[d] : o->cut[d][index[d] + 1];
  return out->lo[d] < out->hi[d];
}

/* Calls `f` for what a box has of each region, in order. */
static void each_region(const hand *h, const ik_box *b, region_fn *f, void *ctx) {
  const ik_sweep *o = h->r->o;
  int             at[IK_MAX_DIM];
  ik_box          part;
  for (int k = 0; k + 1 < o->ncut[2]; k++) {
    if (!meet(o, b, 2, k, at, &part)) continue;
    for (int j = 0; j + 1 < o->ncut[1]; j++) {
      if (!meet(o, b, 1, j, at, &part)) continue;
      for (int i = 0; i + 1 < o->ncut[0]; i++)
        if (meet(o, b, 0, i, at, &part))
          f(h, &o->region[(at[2] * (o->ncut[1] - 1) + at[1]) * (o->ncut[0] - 1) + at[0]], &part,
            ctx);
    }
  }
}

/* Part of a region, all statements of it. */
static void run_part(const hand *h, const ik_sweep_region *g, const ik_box *b, void *ctx) {
  uint64_t active = g->active;
  int      only = active ? __builtin_ctzll(active) : 0;
  (void)ctx;
  if (g->set >= 0)
    call_set(h, g->set, b);
  else if (active & (active - 1))
    each_row(h, b, row_of_several, &active);
  else if (active)
    each_row(h, b, row_of_one, &only);
}

static void run_box(const hand *h, const ik_box *b) { each_region(h, b, run_part, NULL); }

/* ---- in blocks ---- */

/* The part [lo, hi) of `b` that is block `i` along an axis, in its direction. */
static void cut_block(const ik_sweep *o, int d, int64_t i, ik_box *b) {
  int64_t size = o->block[d], lo = b->lo[d], hi = b->hi[d];
  if (o->dir[d] > 0) {
    b->lo[d] = lo + i * size;
    b->hi[d] = lo + (i + 1) * size < hi ? lo + (i + 1) * size : hi;
  } else {
    b->hi[d] = hi - i * size;
    b->lo[d] = ik_max(hi - (i + 1) * size, lo);
  }
}

static int64_t blocks_of(const ik_sweep *o, const ik_box *b, int d) {
  return (b->hi[d] - b->lo[d] + o->block[d] - 1) / o->block[d];
}

static void run_blocks(const hand *h, const ik_box *b) {
  const ik_sweep *o = h->r->o;
  for (int64_t k = 0; k < blocks_of(o, b, 2); k++)
    for (int64_t j = 0; j < blocks_of(o, b, 1); j++)
      for (int64_t i = 0; i < blocks_of(o, b, 0); i++) {
        ik_box part = *b;
        cut_block(o, 0, i, &part), cut_block(o, 1, j, &part), cut_block(o, 2, k, &part);
        run_box(h, &part);
      }
}

/* ---- as the sweep says ---- */

/* One statement at one index of the sweep: does a boundary lead back to that index, beside the
 * cell? */
static bool overwrites_reads(const running *r, const ik_sweep_stmt *s,
                             const int64_t index[IK_MAX_DIM]) {
  const ik_sweep *o = r->o;
  const ik_field *f = &r->ir->field[s->stmt->field];
  for (int k = 0; s->beside && k < s->nread; k++) {
    const ik_sweep_read *q = &s->read[k];
    bool                 beside = false, here = q->value == s->value;
    for (int d = 0; d < IK_MAX_DIM && here; d++) {
      int64_t at = index[d] + q->off[d];
      double  sign = 1;
      if (!ik_sweep_is_swept(o, d))
        beside = beside || q->off[d];
      else if (f->on[d])
        here = ik_bound_fold(f, d, &at, &sign) < 0 && at == index[d];
    }
    if (here && beside) return true;
  }
  return false;
}

/* Part of a region, one statement of it. */
static void run_alone(const hand *h, const ik_sweep_region *g, const ik_box *b, void *ctx) {
  int stmt = *(const int *)ctx;
  if (g->inside >> stmt & 1)
    call_set(h, stmt, b);
  else if (g->active >> stmt & 1)
    each_row(h, b, row_of_one, ctx);
}

static void copy_row(const hand *h, const ik_box *b, int64_t at[IK_MAX_DIM], void *ctx) {
  const ik_sweep_stmt *s = &h->r->o->body[*(const int *)ctx];
  int64_t              bytes = ik_type_bytes(h->r->ir->field[s->stmt->field].type);
  int64_t              first = index_of(&h->r->o->value[s->value], at) * bytes;
  int64_t              n = h->r->o->value[s->value].stride[0] ? b->hi[0] - b->lo[0] : 1;
  memcpy((char *)h->r->room->out[s->value] + first, (char *)h->t->out[s->value] + first,
         (size_t)(n * bytes));
}

/* A statement for all cells at an index of the sweep. */
static void run_plane(const hand *h, int stmt, const ik_box *b) {
  const ik_sweep_stmt  *s = &h->r->o->body[stmt];
  const ik_sweep_value *v = &h->r->o->value[s->value];
  bool                  apart = overwrites_reads(h->r, s, b->lo);
  int64_t               first = v->first * ik_type_bytes(h->r->ir->field[v->field].type);
  if (apart) h->t->out[s->value] = (char *)h->r->room->plane + first;
  if (h->r->part != COPY) each_region(h, b, run_alone, &stmt);
  if (apart && h->r->part != COMPUTE) each_row(h, b, copy_row, &stmt);
  h->t->out[s->value] = h->r->room->out[s->value];
}

static hand hand_of(running *r, int thread) {
  order_thread *t = &r->room->thread[thread];
  memcpy(t->out, r->room->out, (size_t)r->o->nvalue * sizeof *t->out);
  return (hand){r, t};
}

/* More pieces than threads, so that who is done can take some, where these have all the rows that
 * are computed in turn, and are not too short a part of rows. */
static int64_t piece_of(const running *r, const ik_box *b, int threads) {
  enum { EACH = 4, ALONG_ROWS = 256 };
  int64_t n = b->hi[r->cut] - b->lo[r->cut], piece = n / (EACH * (int64_t)threads);
  int64_t least = r->cut == 0 ? ALONG_ROWS : r->cut == 1 ? r->o->row.turns : 1;
  return piece >= least ? piece - piece % least : (n + threads - 1) / threads;
}

/* Threads take pieces of a box along an axis. */
static void share_box(running *r, ik_team *team, int cut, const ik_box *b, ik_team_work *work) {
  int threads = ik_team_threads(team);
  r->cut = cut, r->piece = piece_of(r, b, threads);
  ik_team_deal((b->hi[cut] - b->lo[cut] + r->piece - 1) / r->piece, threads, r->room->part);
  ik_team_run(team, work, r);
}

/* What a thread does next of a box; false: nothing is left. */
static bool take(const running *r, int thread, int nthreads, const ik_box *b, ik_box *out) {
  int64_t lo, hi, end = b->hi[r->cut];
  if (!ik_team_take(r->room->part, thread, nthreads, &lo, &hi)) return false;
  *out = *b;
  out->lo[r->cut] = b->lo[r->cut] + lo * r->piece;
  out->hi[r->cut] = ik_min(b->lo[r->cut] + hi * r->piece, end);
  return true;
}

static void share_plane(void *ctx, int thread, int nthreads) {
  running *r = ctx;
  hand     h = hand_of(r, thread);
  ik_box   b;
  while (take(r, thread, nthreads, &r->plane, &b)) run_plane(&h, r->stmt, &b);
}

/* Of some axes the last that has cells for all threads, or the one that has most; -1: none. */
static int axis_to_cut(const ik_box *b, const bool among[IK_MAX_DIM], int threads) {
  int best = -1;
  for (int d = IK_MAX_DIM - 1; d >= 0; d--) {
    int64_t n = b->hi[d] - b->lo[d];
    if (!among[d] || n < 2) continue;
    if (n >= threads) return d;
    if (best < 0 || n > b->hi[best] - b->lo[best]) best = d;
  }
  return best;
}

/* All threads compute a part of a plane, and copy a part if results were put aside. */
static void run_plane_together(running *r, int stmt, const ik_box *b) {
  static const bool any[IK_MAX_DIM] = {true, true, true};
  int               cut = axis_to_cut(b, any, ik_team_threads(r->team));
  r->plane = *b, r->stmt = stmt, r->part = COMPUTE;
  share_box(r, r->team, ik_max_int(cut, 0), b, share_plane);
  if (!overwrites_reads(r, &r->o->body[stmt], b->lo)) return;
  r->part = COPY;
  share_box(r, r->team, ik_max_int(cut, 0), b, share_plane);
}

static void run_planes(const hand *h, const ik_box *b) {
  for (int i = 0; i < h->r->o->nstmt; i++) {
    ik_box part = *b;
    bool   any = true;
    for (int d = 0; d < IK_MAX_DIM; d++) {
      const ik_box *own = &h->r->o->body[i].box;
      part.lo[d] = ik_max(part.lo[d], own->lo[d]);
      if (own->hi[d] < part.hi[d]) part.hi[d] = own->hi[d];
      any = any && part.lo[d] < part.hi[d];
    }
    if (any && h->r->team)
      run_plane_together(h->r, i, &part);
    else if (any)
      run_plane(h, i, &part);
  }
}

/* The cells of a box: the sweep's outermost axis first; in LINES the last one goes along regions.
 */
static void run_index(const hand *h, const ik_box *b, int k) {
  const ik_sweep *o = h->r->o;
  if (k == o->naxes || (o->kind == IK_SWEEP_LINES && k == o->naxes - 1)) {
    o->kind == IK_SWEEP_LINES ? run_box(h, b) : run_planes(h, b);
    return;
  }
  int d = o->axis[k];
  for (int64_t i = 0; i < b->hi[d] - b->lo[d]; i++) {
    ik_box part = *b;
    part.lo[d] = place(o, b, d, i), part.hi[d] = part.lo[d] + 1;
    run_index(h, &part, k + 1);
  }
}

static void run_cells(const hand *h, const ik_box *b) {
  if (h->r->o->kind == IK_SWEEP_BLOCKS)
    run_blocks(h, b);
  else
    run_index(h, b, 0);
}

/* ---- by several threads ---- */

/* Rows of blocks in turn; a block when the one above it is done, and so all behind it are. */
static void run_wave(void *ctx, int thread, int nthreads) {
  running          *r = ctx;
  hand              h = hand_of(r, thread);
  const ik_sweep   *o = r->o;
  ik_team_progress *row = r->room->row;
  int64_t           rows = ik_sweep_blocks(o, o->wave[0]), columns = ik_sweep_blocks(o, o->wave[1]);
  for (int64_t j = thread; j < rows; j += nthreads)
    for (int64_t i = 0; i < columns; i++) {
      ik_box b = o->box;
      cut_block(o, o->wave[0], j, &b), cut_block(o, o->wave[1], i, &b);
      if (j) ik_team_await(&row[j - 1], i + 1, r->looks);
      run_blocks(&h, &b);
      ik_team_say(&row[j], i + 1);
    }
}

static void run_pieces(void *ctx, int thread, int nthreads) {
  running *r = ctx;
  hand     h = hand_of(r, thread);
  ik_box   b;
  while (take(r, thread, nthreads, &r->o->box, &b)) run_cells(&h, &b);
}

/* By the caller; each plane of it perhaps by all. */
static void run_whole(running *r) {
  hand h = hand_of(r, 0);
  run_cells(&h, &r->o->box);
}

static bool is_worth_a_team(const ik_sweep *o) {
  enum { CELLS = 4096 };
  return ik_box_cells(&o->box) * o->nstmt >= CELLS;
}

static void find_arrays(const running *r) {
  for (int i = 0; i < r->o->nvalue; i++) {
    const ik_sweep_value *v = &r->o->value[i];
    int64_t               first = v->first * ik_type_bytes(r->ir->field[v->field].type);
    r->room->out[i] = (char *)ik_state_data(r->state, v->field, v->level) + first;
  }
}

static void run_wavefronts(running *r, ik_team *team) {
  r->looks = ik_team_looks(team, 512);
  for (int64_t i = 0; i < ik_sweep_blocks(r->o, r->o->wave[0]); i++)
    ik_team_say(&r->room->row[i], 0);
  ik_team_run(team, run_wave, r);
}

/* Cells at an index of the sweep: are they enough to start all threads for them? */
static bool has_large_planes(const ik_sweep *o) {
  enum { CELLS = 16384 };
  int64_t n = 1;
  for (int d = 0; d < IK_MAX_DIM; d++)
    if (!ik_sweep_is_swept(o, d)) n *= o->box.hi[d] - o->box.lo[d];
  return o->kind == IK_SWEEP_PLANES && n >= CELLS;
}

ik_sweep_way ik_sweep_way_of(const ik_sweep *o, int threads) {
  int axis = axis_to_cut(&o->box, o->free, threads);
  /* along axis 0 threads would share lines of the cache */
  bool enough = axis > 0 && o->box.hi[axis] - o->box.lo[axis] >= threads;
  if (threads == 1 || !is_worth_a_team(o)) return (ik_sweep_way){IK_SWEEP_ALONE, axis};
  if (!enough && o->wave[0] >= 0) return (ik_sweep_way){IK_SWEEP_WAVES, o->wave[0]};
  if (!enough && has_large_planes(o)) return (ik_sweep_way){IK_SWEEP_EACH, -1};
  return (ik_sweep_way){axis < 0 ? IK_SWEEP_ALONE : IK_SWEEP_PIECES, axis};
}

void ik_sweep_run(const ik_sweep *o, const ik_sweep_code *code, ik_state *s, const ik_rt *rt,
                  ik_team *team, ik_sweep_room *room) {
  running      r = {.o = o, .code = code, .ir = s->ir, .state = s, .rt = rt, .room = room};
  ik_sweep_way way = ik_sweep_way_of(o, ik_team_threads(team));
  find_arrays(&r);
  switch (way.kind) {
  case IK_SWEEP_WAVES: run_wavefronts(&r, team); break;
  case IK_SWEEP_PIECES: share_box(&r, team, way.axis, &o->box, run_pieces); break;
  case IK_SWEEP_EACH: r.team = team, run_whole(&r); break;
  case IK_SWEEP_ALONE: run_whole(&r); break;
  }
}
