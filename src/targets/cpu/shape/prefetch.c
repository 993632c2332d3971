/* What kernels prefetch while they compute, and when. */
#include "base/least.h"
#include "targets/cpu/shape/shape.h"
#include <string.h>

enum { MOST = 4 }; /* buffers that a kernel prefetches */
_Static_assert((int)IK_PIPE_PREFETCHED == 4 * (int)MOST, "each in up to four pieces");

/* ---- what it reads and stores itself ---- */

/* Does a later kernel of the same step read that, everywhere? */
static bool is_read_later(const ik_draft *x, const draft_unit *u, int buffer) {
  for (int i = 0; i < x->nread; i++) {
    const draft_read *r = &x->read[i];
    const draft_op   *op = &x->op[r->op];
    if (r->buffer == buffer && r->op > u->last && x->unit[op->unit].phase == u->phase &&
        op->step == x->op[u->last].step && !ik_shape_is_minor(x, &x->unit[op->unit]))
      return true;
  }
  return false;
}

/* Fields that are read where they lie in memory: rows follow each other, but every few kilobytes
 * the next ones lie elsewhere, where no hardware looks ahead.  Of planes with few rows those of the
 * planes that come next are prefetched; of others the rows that come next. */
static bool has_few_rows(const ik_draft *x) { return x->pass->tile[IK_ROW] <= 8; }

/* Where planes are long rows hardware looks ahead, and far enough: rows that are prefetched before
 * their turn fill the second cache (two rows of 32 KiB at a time with NEON, GPts/s with that and
 * not: 0.44 0.78; of 16 KiB 0.55 0.75, of 8 KiB 0.66 0.69, of 4 KiB 0.66 0.54). */
static bool has_long_rows(const ik_draft *x) {
  int bytes = 1;
  for (int i = 0; i < x->nbuffer; i++)
    bytes = ik_max_int(bytes, ik_type_bytes(x->buffer[i].b.type));
  return x->pass->axis[IK_ROW] < 0 &&
         x->pass->tile[IK_LANE] * bytes > ik_shape_traits(x)->streamed_row;
}

/* Some four rows ahead. */
static int64_t planes_ahead(const ik_draft *x, const draft_unit *u, const draft_buffer *b) {
  const ik_pass *p = x->pass;
  int64_t        rows = ik_min(p->tile[IK_ROW], 4), n = (4 + rows - 1) / rows;
  return ik_draft_stride(x, b, p->axis[IK_STREAM]) * p->phase[u->phase].dir * n;
}

/* Rows of so many bytes, at least two. */
static int64_t rows_of(const ik_pipe_value *v, int64_t bytes) {
  int64_t row = v->pitch * ik_type_bytes(v->type);
  return row ? ik_max((bytes + row - 1) / row, 2) : 0;
}

/* Wide vectors wait for memory: few rows, so that it is asked evenly (hdiff f32 with AVX-512: 1.88
 * instead of 1.59 GPts/s).  Narrow ones are busy, and each call costs. */
int64_t ik_shape_rows_in_turn(const ik_draft *x, const ik_pipe_value *v) {
  return rows_of(v, ik_shape_traits(x)->turn);
}

/* As soon as memory takes. */
static int64_t rows_ahead(const ik_draft *x, const ik_pipe_value *v) {
  return v->pitch * rows_of(v, ik_shape_traits(x)->flight);
}

/* Of a kernel that computes another ahead, beyond what it reads: so few that the first cache keeps
 * them (hdiff f64, four runs, with twice as many: 1.88x 1.95x 1.78x 1.86x of the plain loop instead
 * of 2.10x 2.12x 1.98x 1.99x). */
static int64_t rows_ahead_in_cache(const ik_draft *x, const draft_unit *u, const draft_kernel *k,
                                   int input) {
  int flight = 2 * ik_shape_traits(x)->flight;
  int reach = 0;
  for (int i = 0; i < x->nread; i++) {
    const draft_read *r = &x->read[i];
    if (ik_draft_is_of(u, r) && r->buffer == k->in[input])
      reach = ik_max_int(reach, r->off[IK_ROW] + ik_pipe_rows_ahead(&k->k, r->op - u->first));
  }
  return k->input[input].pitch * (rows_of(&k->input[input], flight) + reach);
}

static bool is_last_of_step(const ik_draft *x, const draft_unit *u) {
  return u->last + 1 == x->nop || x->op[u->last + 1].step != x->op[u->last].step;
}

/* Are its rows read whole, where they lie, by vectors that are lines of the cache? */
static bool reads_in_lines(const ik_draft *x, const draft_kernel *k) {
  return k->shape->row.blocks || (k->shape->row.ends && ik_traits_by_lines(ik_shape_traits(x)));
}

/* In slabs it is the first step that reads memory, but for a few rows: all steps prefetch what will
 * be read next, a part each, so that memory is at work all the time. */
static bool goes_in_turns(const ik_draft *x, const draft_unit *u, const draft_kernel *k) {
  return reads_in_lines(x, k) && x->plan->cpu.band > 1 && is_last_of_step(x, u) &&
         k->k.ninput <= MOST;
}

/* The last of several kernels prefetches: as a rule it has most to do meanwhile. */
static void set_input_prefetch(const ik_draft *x, const draft_unit *u, draft_kernel *k) {
  if (has_long_rows(x) || k->shape->prefetch.in_turns) return;
  for (int i = 0; i < k->k.ninput; i++) {
    const draft_buffer  *b = &x->buffer[k->in[i]];
    const ik_pipe_value *in = &k->input[i];
    ik_value_shape      *v = &k->shape->input[i];
    if (b->b.ring || !in->on[IK_LANE] || is_read_later(x, u, k->in[i])) continue;
    v->near = !has_few_rows(x) && k->k.nahead;
    if (v->near)
      v->prefetch = rows_ahead_in_cache(x, u, k, i);
    else if (!has_few_rows(x))
      v->prefetch = rows_ahead(x, in);
    else if (ik_draft_on(x, b->b.field, IK_STREAM))
      v->prefetch = planes_ahead(x, u, b);
  }
}

static bool reads_place(const ik_draft *x, const draft_kernel *k, const draft_buffer *b) {
  for (int i = 0; i < k->k.ninput; i++)
    if (ik_draft_is_place(x, &x->buffer[k->in[i]].b, &b->b)) return true;
  return false;
}

/* Lines that are stored in part, or not past the caches, are read first: they are prefetched,
 * unless the kernel reads them anyway. */
static void set_output_prefetch(const ik_draft *x, const draft_unit *u, draft_kernel *k) {
  if (has_long_rows(x)) return;
  for (int i = 0; i < k->k.noutput; i++) {
    const draft_buffer *b = &x->buffer[k->out[i]];
    if (b->b.ring || x->pass->axis[IK_STREAM] < 0 || reads_place(x, k, b)) continue;
    if (!has_few_rows(x))
      k->shape->output[i].prefetch = rows_ahead(x, &k->output[i]);
    else if (ik_draft_on(x, b->b.field, IK_STREAM))
      k->shape->output[i].prefetch = planes_ahead(x, u, b);
  }
}

/* ---- what comes after that ---- */

/* Is this buffer copied into a ring, and its planes large enough to prefetch them? */
static bool is_fetched(const ik_draft *x, const draft_buffer *b, int phase) {
  if (b->first >= 0 || !b->b.ring || b->phase != phase) return false;
  bool whole = b->b.in_place.ends.known && ik_traits_by_lines(ik_shape_traits(x));
  if (b->b.in_place.on && !whole && x->pass->axis[IK_ROW] >= 0) return false;
  if (x->pass->axis[IK_STREAM] < 0 || (x->pass->axis[IK_ROW] >= 0 && has_few_rows(x))) return false;
  return ik_draft_on_all(x, b->b.field);
}

typedef struct piece { /* of what is prefetched: rows of a tile, from its first on */
  int64_t from, rows;
  bool    next, own; /* see ik_prefetched */
} piece;

static ik_prefetched prefetched(const draft_buffer *b, int64_t pitch) {
  return (ik_prefetched){
      .field = b->b.field, .level = b->b.version, .type = b->b.type, .pitch = pitch};
}

static void add(draft_kernel *k, int buffer, ik_prefetched v) {
  ik_prefetch *p = &k->shape->prefetch;
  k->prefetch[p->n] = buffer, p->of[p->n++] = v;
}

/* Complete ones of a row, at least: those that keep off its ends begin at a line. */
static int64_t blocks_of(const ik_draft *x, const ik_kernel_shape *s) {
  int64_t n = x->pass->n[IK_LANE];
  if (s->row.ends) n -= s->row.look[1] + s->row.look[0] + s->lanes - 1;
  return n / (s->vectors * s->lanes);
}

/* In the order of memory, a few lines with each block. */
static void prefetch_rows(const ik_draft *x, draft_kernel *k, int buffer, piece q) {
  const draft_buffer *b = &x->buffer[buffer];
  int64_t             line = ik_shape_traits(x)->line / ik_type_bytes(b->b.type);
  int64_t             blocks = blocks_of(x, k->shape);
  int64_t             calls = x->pass->tile[IK_ROW] * (q.own ? 1 : x->plan->cpu.band) * blocks;
  if (q.rows <= 0 || blocks <= 0) return;
  int64_t       lines = (q.rows * x->pass->n[IK_LANE] + calls * line - 1) / (calls * line);
  ik_prefetched v = prefetched(b, blocks * lines * line);
  v.lines = (int)lines, v.from = (int)q.from, v.next = q.next, v.own = q.own;
  add(k, buffer, v);
}

/* Rows that a step of a wavefront leans out of the one before, downwards: the wavefront before has
 * left them. */
static int64_t lean_of(const ik_draft *x, const draft_kernel *k) {
  int64_t lean = 0;
  for (int i = 0; i < k->k.ninput; i++) {
    const int *look = x->buffer[k->in[i]].b.in_place.reach[IK_ROW];
    lean = ik_max(lean, ik_max_int(look[0], look[1]));
  }
  return lean;
}

/* Has the step before read these rows, as a later level? */
static bool is_seen_before(const ik_draft *x, const draft_kernel *k, const ik_pipe_buffer *b) {
  for (int i = 0; i < k->k.ninput; i++) {
    const ik_pipe_buffer *c = &x->buffer[k->in[i]].b;
    if (c->field == b->field && c->level == b->level + 1 &&
        c->in_place.reach[IK_ROW][0] >= lean_of(x, k))
      return true;
  }
  return false;
}

/* Are rows beside the tile read of other planes than that of the results, further on? */
static bool reads_corners(const ik_draft *x, int buffer) {
  for (int i = 0; i < x->nread; i++) {
    const draft_read *r = &x->read[i];
    if (r->buffer == buffer && r->off[IK_ROW] && r->off[IK_STREAM] > 0) return true;
  }
  return false;
}

/* In a wavefront each row is prefetched one plane before its first use: of the last plane those of
 * the first step, by all steps, and those that later ones lean out of it; beside the tile, of the
 * plane of the next results.  What comes earlier takes the room of others, and may be gone again
 * (wave f32 with AVX-512, with what is beside the tile prefetched four planes too early, and so:
 * 768^3 1.57 1.65, 384^3 1.85 1.93 GPts/s, medians of six benches in turns). */
static void prefetch_in_turns(const ik_draft *x, draft_kernel *k, int buffer) {
  const ik_pipe_buffer *b = &x->buffer[buffer].b;
  const int            *look = b->in_place.reach[IK_ROW];
  bool                  later = b->in_place.reach[IK_STREAM][1] > 0 && !reads_corners(x, buffer);
  int64_t               rows = x->pass->tile[IK_ROW], lean = ik_min(lean_of(x, k), rows);
  int64_t               first = later ? 0 : -look[0], last = rows + (later ? 0 : look[1]);
  if (is_seen_before(x, k, b)) lean = first;
  prefetch_rows(x, k, buffer, (piece){.from = lean, .rows = last - lean});
  prefetch_rows(x, k, buffer, (piece){.from = first, .rows = lean - first, .own = true});
  if (!later) return;
  prefetch_rows(x, k, buffer,
                (piece){.from = -look[0], .rows = look[0], .next = true, .own = true});
  prefetch_rows(x, k, buffer, (piece){.from = rows, .rows = look[1], .next = true, .own = true});
}

static void prefetch_planes(const ik_draft *x, draft_kernel *k, int buffer) {
  const draft_buffer *b = &x->buffer[buffer];
  int                 axis = x->pass->axis[IK_ROW];
  add(k, buffer, prefetched(b, axis >= 0 ? ik_draft_stride(x, b, axis) : 0));
}

static bool is_input(const draft_kernel *k, int buffer) {
  for (int i = 0; i < k->k.ninput; i++)
    if (k->in[i] == buffer) return true;
  return false;
}

static bool is_prefetched(const ik_draft *x, const draft_unit *u, const draft_kernel *k,
                          int buffer) {
  const draft_buffer *b = &x->buffer[buffer];
  if (!k->shape->prefetch.in_turns) return is_fetched(x, b, u->phase);
  bool in_place = b->first < 0 && b->b.memory && (b->b.in_place.ends.known || !b->b.ring);
  return in_place && is_input(k, buffer) && ik_draft_on_all(x, b->b.field);
}

/* One kernel of each step prefetches.  A pass of fewer steps than planned, for what is left of a
 * run, prefetches less than it might: so it has the kernels of the others. */
static void set_prefetch(const ik_draft *x, const draft_unit *u, draft_kernel *k) {
  ik_prefetch *p = &k->shape->prefetch;
  bool         has_rows = x->pass->axis[IK_ROW] >= 0;
  int          steps = x->steps ? ik_max_int(x->plan->steps, 1) : 1;
  int          rows = has_rows ? k->shape->rows : k->k.planes;
  int          each = (rows + steps - 1) / steps;
  bool         wide = k->shape->vectors * k->shape->lanes * 4 >= k->shape->prefetch_from;
  if (!is_last_of_step(x, u) || !wide || has_long_rows(x)) return;
  p->of = IK_NEW_N(x->a, ik_prefetched, IK_PIPE_PREFETCHED);
  p->planes = has_rows ? k->k.planes : each, p->rows = has_rows ? each : 1;
  p->parts = (steps + rows - 1) / rows;
  for (int i = 0, n = 0; i < x->nbuffer && n < MOST; i++) {
    if (!is_prefetched(x, u, k, i)) continue;
    if (p->in_turns)
      prefetch_in_turns(x, k, i);
    else
      prefetch_planes(x, k, i);
    n++;
  }
}

void ik_shape_prefetch(const ik_draft *x, const draft_unit *u, draft_kernel *k) {
  k->shape->prefetch.in_turns = goes_in_turns(x, u, k);
  set_input_prefetch(x, u, k);
  set_output_prefetch(x, u, k);
  set_prefetch(x, u, k);
}

/* ---- who prefetches what ---- */

static void mark_prefetched(ik_pipe_phase *ph, int buffer) {
  for (int i = 0; i < ph->nstage; i++)
    if (ph->stage[i].kind == IK_STAGE_FETCH && ph->stage[i].out[0] == buffer)
      ph->stage[i].prefetched = true;
}

/* Where one of two kernels prefetches nothing it is the other who says what. */
void ik_shape_stage(ik_draft *x, const draft_kernel *k, const draft_kernel *inside, int phase,
                    ik_pipe_stage *s) {
  const draft_kernel *who = inside && !k->shape->prefetch.n ? inside : k;
  memcpy(s->prefetch, who->prefetch, sizeof s->prefetch);
  for (int i = 0; i < who->shape->prefetch.n; i++)
    mark_prefetched(&x->pass->phase[phase], who->prefetch[i]);
}
