/* A tile is walked through along the stream, stage by stage, a few planes at a time. */
#include "target/cpu/drive.h"
#include "base/least.h"
#include "base/mem.h"
#include "target/cpu/combine.h"
#include "target/cpu/tile.h"
#include "target/cpu/value.h"
#include <string.h>

typedef struct run_of_planes { /* of one value, one after the other */
  int     n;
  int64_t shift;     /* bytes to the planes of the next call */
  char   *base;      /* NULL: no ring */
  int64_t ring_size; /* bytes */
} run_of_planes;

typedef struct run_of_soon { /* of planes to ask for: beyond the last, it is asked for again */
  int64_t     shift;
  const char *last;
} run_of_soon;

/* A kernel, and all that it is told.  Stages take turns while rows of theirs go through the first
 * cache: what is looked at in each turn is kept close together. */
struct ik_tile_call {
  ik_kernel_fn  *fn;
  ik_kernel_call c;
  int            stream; /* of c: it holds for one call */
  int            planes, dir;
  bool           steady; /* all planes exist: those of the next call follow them */
  run_of_planes *input, *output;
  run_of_soon   *soon_run;
  const void   **in, **soon;
  void         **out;
};

/* ---- what a thread owns ---- */

/* Room for n elements in place of `old`; what was in there is lost. */
static void *room(void *old, int *cap, int n, size_t bytes) {
  if (n <= *cap && old) return old;
  ik_free(old);
  void *made = ik_calloc((size_t)ik_max(n, 1), bytes);
  *cap = made ? n : 0;
  return made;
}

static size_t table_bytes(const ik_pipe_kernel *k) {
  int planes = k->nport + k->nsoon * k->soon_planes + k->noutput * k->planes;
  return (size_t)(k->ninput + k->noutput) * sizeof(run_of_planes) +
         (size_t)k->nsoon * sizeof(run_of_soon) + (size_t)planes * sizeof(void *);
}

static void lay_out(const ik_pipe_kernel *k, char *at, ik_tile_call *x) {
  x->input = (run_of_planes *)at, x->output = x->input + k->ninput;
  x->soon_run = (run_of_soon *)(x->output + k->noutput);
  x->in = (const void **)(x->soon_run + k->nsoon);
  x->soon = x->in + k->nport;
  x->out = (void **)(x->soon + k->nsoon * k->soon_planes);
}

static void open_calls(const ik_tile *t, const ik_pipe_phase *ph) {
  char *at = t->table;
  for (int i = 0; i < ph->nstage; i++) {
    t->call[i].steady = false;
    if (!t->stage[i].k) continue;
    lay_out(t->stage[i].k, at, &t->call[i]);
    at += table_bytes(t->stage[i].k);
  }
}

static bool fit_phase(ik_tile *t, const ik_pass *p, const ik_pipe_phase *ph) {
  int halos = 0, cells = 0, tables = 0;
  for (int i = 0; i < ph->nstage; i++) {
    if (ph->stage[i].kind == IK_STAGE_KERNEL)
      tables += (int)table_bytes(&p->kernel[ph->stage[i].kernel]);
    for (int k = 0; k < ph->stage[i].ndone; k++) {
      const int *halo = p->buffer[ph->stage[i].done[k]].halo[IK_LANE];
      halos++, cells += halo[0] + halo[1];
    }
  }
  t->stage = room(t->stage, &t->cap_stage, ph->nstage, sizeof *t->stage);
  t->halo = room(t->halo, &t->cap_halo, halos, sizeof *t->halo);
  t->cell = room(t->cell, &t->cap_cell, cells, sizeof *t->cell);
  t->call = room(t->call, &t->cap_call, ph->nstage, sizeof *t->call);
  t->table = room(t->table, &t->cap_table, tables, 1);
  return t->stage && t->halo && t->cell && t->call && t->table;
}

bool ik_drive_thread_fit(ik_drive_thread *th, const ik_state *s, const ik_pass *p) {
  if (!th->rows) th->rows = ik_value_create(s);
  if (!th->tile) th->tile = ik_calloc(1, sizeof *th->tile);
  ik_tile *t = th->tile;
  if (!th->rows || !t) return false;
  t->view = room(t->view, &t->cap_view, p->nbuffer, sizeof *t->view);
  bool ok = t->view != NULL;
  for (int i = 0; i < p->nphase && ok; i++) ok = fit_phase(t, p, &p->phase[i]);
  return ok;
}

void ik_drive_thread_free(ik_drive_thread *th) {
  ik_tile *t = th->tile;
  ik_value_destroy(&th->rows);
  if (t) {
    ik_free(t->view), ik_free(t->stage), ik_free(t->halo), ik_free(t->cell), ik_free(t->call);
    ik_free(t->table);
    ik_free(t);
  }
  th->tile = NULL;
}

/* ---- kernels ---- */

/* Of what is apart, planes that have images are in memory as well. */
static const void *find_input(const ik_tile *t, const ik_view *v, int64_t z, bool inner, int port,
                              bool inside) {
  bool exists = inner || !v->on[IK_STREAM] || v->b->edge[IK_STREAM] == IK_EDGE_NONE ||
                (z >= v->lo[IK_STREAM] && z < v->hi[IK_STREAM]);
  bool in_memory = exists || v->b->edge[IK_STREAM] == IK_EDGE_VIRTUAL;
  if (inside && v->b->apart && in_memory) return ik_move_source(v, z);
  return exists ? ik_view_plane(v, z) : ik_halo_plane(t, v, z, port);
}

/* One plane of results needs of each input all ports but the last planes - 1.  Ports of an input
 * are planes one after the other. */
static void find_inputs(const ik_tile *t, const ik_tile_stage *s, int64_t z, bool all, bool inside,
                        const void **in) {
  const ik_pipe_port *port = s->k->port;
  bool                inner = z >= s->inner_lo && z < s->inner_hi;
  for (int i = 0, end, n = 0; i < s->k->nport; i = end) {
    const ik_view *v = &t->view[s->s->in[port[i].input]];
    for (end = i + 1; end < s->k->nport && port[end].input == port[i].input;) end++;
    int  last = port[end - 1].dz - (all ? 0 : s->k->planes - 1), first = n;
    bool steady = inner && !(inside && v->b->apart);
    for (; i < end && port[i].dz <= last; i++, n++)
      in[n] = steady && n > first ? ik_view_next(v, (char *)in[n - 1])
                                  : find_input(t, v, z + port[i].dz, inner, i, inside);
  }
}

static void find_outputs(const ik_tile *t, const ik_tile_stage *s, int64_t z, int planes,
                         void **out) {
  for (int i = 0; i < s->k->noutput; i++) {
    const ik_view *v = &t->view[s->s->out[i]];
    char          *at = ik_view_plane(v, z);
    for (int k = 0; k < planes; k++, at = ik_view_next(v, at)) out[i * planes + k] = at;
  }
}

/* Do the results' rows all reach a line of the cache at the split? */
static bool are_aligned(const ik_tile *t, const ik_tile_stage *s, int64_t z, int planes,
                        int64_t split) {
  uintptr_t at = 0;
  for (int i = 0; i < s->k->noutput; i++) {
    const ik_view *v = &t->view[s->s->out[i]];
    int64_t        first = s->lo[IK_ROW] * v->row + split * v->bytes;
    for (int k = 0; s->k->output[i].past && k < planes; k++)
      at |= (uintptr_t)(ik_view_plane(v, z + k) + first);
  }
  return at % 64 == 0;
}

static void find_soon(const ik_tile *t, const ik_tile_stage *s, const ik_tile_code *c, int64_t z,
                      const void **soon) {
  int planes = c->k->soon_planes;
  for (int i = 0; i < c->k->nsoon; i++)
    for (int j = 0; j < planes; j++)
      soon[i * planes + j] =
          ik_move_source(&t->view[s->s->soon[i]], z + j + c->soon_ahead) + c->soon_at[i];
}

typedef struct piece { /* of a plane of results */
  int64_t x0, x1, y0, y1;
  bool    inside; /* what is apart is read where it lies */
} piece;

static void prepare(const ik_tile *t, const ik_tile_stage *s, int64_t z, int planes, const piece *q,
                    ik_tile_call *x) {
  const ik_tile_code *code = &s->code[q->inside];
  int64_t             split = ik_max(q->x0, ik_min(s->split, q->x1));
  find_inputs(t, s, z, planes == s->k->planes, q->inside, x->in);
  find_outputs(t, s, z, planes, x->out);
  find_soon(t, s, code, z, x->soon);
  x->fn = planes == code->k->planes ? code->all : code->one;
  x->stream = s->stream && are_aligned(t, s, z, planes, split);
  x->c = (ik_kernel_call){.in = x->in,
                          .out = x->out,
                          .soon = x->soon,
                          .x0 = q->x0,
                          .split = split,
                          .x1 = q->x1,
                          .y0 = q->y0,
                          .y1 = q->y1,
                          .z = z,
                          .t = t->d->t + s->s->step,
                          .scalar = t->d->state->scalar,
                          .rt = t->d->rt};
}

static void call(ik_tile_call *x) {
  x->c.stream = x->stream;
  x->fn(&x->c);
  x->c.stream = 0; /* profilers see calls, not jumps */
}

/* ---- the next call of a stage ---- */

static run_of_planes run_of(const ik_view *v, int n, int shift) {
  bool ring = v->b->ring && v->on[IK_STREAM];
  return (run_of_planes){n, shift * v->step, ring ? v->base : NULL, v->b->depth * v->plane};
}

static void note_runs(const ik_tile *t, const ik_tile_stage *s, ik_tile_call *x) {
  const ik_pipe_kernel *k = s->k;
  int                   shift = x->dir * x->planes;
  for (int i = 0; i < k->ninput; i++) x->input[i] = run_of(&t->view[s->s->in[i]], 0, shift);
  for (int i = 0; i < k->nport; i++) x->input[k->port[i].input].n++;
  for (int i = 0; i < k->noutput; i++)
    x->output[i] = run_of(&t->view[s->s->out[i]], x->planes, shift);
  for (int i = 0; i < k->nsoon; i++) {
    const ik_view *v = &t->view[s->s->soon[i]];
    int64_t        last = x->dir > 0 ? v->hi[IK_STREAM] - 1 : v->lo[IK_STREAM];
    x->soon_run[i].shift = shift * v->stride[IK_STREAM];
    x->soon_run[i].last = ik_move_source(v, last) + s->code[false].soon_at[i];
  }
}

static char *moved(const run_of_planes *r, const void *plane) {
  char *at = (char *)plane + r->shift;
  if (!r->base) return at;
  return at < r->base ? at + r->ring_size : at >= r->base + r->ring_size ? at - r->ring_size : at;
}

static const char *moved_soon(const run_of_soon *r, const char *plane) {
  const char *at = plane + r->shift;
  return r->shift < 0 ? (at < r->last ? r->last : at) : (at > r->last ? r->last : at);
}

static bool is_inner(const ik_tile_stage *s, int64_t z) {
  return z >= s->inner_lo && z < s->inner_hi;
}

/* Moves on to the next planes, without a look at views. */
static void move_on(const ik_pipe_kernel *k, ik_tile_call *x) {
  int n = 0;
  for (int i = 0; i < k->ninput; i++)
    for (int end = n + x->input[i].n; n < end; n++) x->in[n] = moved(&x->input[i], x->in[n]);
  n = 0;
  for (int i = 0; i < k->noutput; i++)
    for (int end = n + x->planes; n < end; n++) x->out[n] = moved(&x->output[i], x->out[n]);
  for (int i = 0; i < k->nsoon * k->soon_planes; i++)
    x->soon[i] = moved_soon(&x->soon_run[i / k->soon_planes], x->soon[i]);
  x->c.z += x->dir * x->planes;
}

/* The stage's call for whole rows, of rings. */
static ik_tile_call *next_call(const ik_tile *t, const ik_tile_stage *s, int64_t z, int planes,
                               int dir, int64_t y0, int64_t y1) {
  ik_tile_call *x = &t->call[s - t->stage];
  bool          all = planes == s->k->planes, steady = all && is_inner(s, z);
  if (steady && x->steady && z == x->c.z + dir * planes) {
    move_on(s->k, x);
    x->stream = s->stream && are_aligned(t, s, z, planes, x->c.split);
  } else {
    prepare(t, s, z, planes, &(piece){s->lo[IK_LANE], s->hi[IK_LANE], y0, y1, false}, x);
    x->planes = planes, x->dir = dir, x->steady = steady;
    if (steady) note_runs(t, s, x);
  }
  x->c.y0 = y0, x->c.y1 = y1;
  return x;
}

static void run_piece(const ik_tile *t, const ik_tile_stage *s, int64_t z, int planes,
                      const piece *q) {
  const void  *in[IK_PIPE_PORTS], *soon[IK_PIPE_SOON * IK_TILE_OUTS];
  void        *out[IK_TILE_OUTS];
  ik_tile_call x = {.in = in, .soon = soon, .out = out};
  if (q->x0 >= q->x1 || q->y0 >= q->y1) return;
  prepare(t, s, z, planes, q, &x);
  call(&x);
}

static int64_t within(int64_t v, int64_t lo, int64_t hi) { return ik_max(lo, ik_min(v, hi)); }

/* Rows of arrays and of rings lie differently: a kernel can read the one or the other, so planes
 * that are in no array make it read rings. */
static bool reads_arrays(const ik_tile *t, const ik_tile_stage *s, int64_t z, int planes) {
  bool inner = z >= s->inner_lo && z + planes <= s->inner_hi;
  return s->apart && (t->p->axis[IK_ROW] < 0 || inner);
}

/* Of what is apart, the ends of rows and the rows near faces come from rings.  Ends come last: the
 * lines that they are stored to are in a cache by then. */
static void run_pieces(const ik_tile *t, const ik_tile_stage *s, int64_t z, int planes) {
  int64_t x0 = s->lo[IK_LANE], x1 = s->hi[IK_LANE], y0 = s->lo[IK_ROW], y1 = s->hi[IK_ROW];
  int64_t left = within(t->inside_lo[IK_LANE], x0, x1);
  int64_t right = within(t->inside_hi[IK_LANE], left, x1);
  int64_t top = within(t->inside_lo[IK_ROW], y0, y1);
  int64_t end = within(t->inside_hi[IK_ROW], top, y1);
  run_piece(t, s, z, planes, &(piece){x0, x1, y0, top, false});
  run_piece(t, s, z, planes, &(piece){left, right, top, end, true});
  run_piece(t, s, z, planes, &(piece){x0, left, top, end, false});
  run_piece(t, s, z, planes, &(piece){right, x1, top, end, false});
  run_piece(t, s, z, planes, &(piece){x0, x1, end, y1, false});
}

static void run_kernel(const ik_tile *t, const ik_tile_stage *s, int64_t z0, int64_t z1, int dir) {
  while (z0 < z1) {
    int     planes = z1 - z0 < s->k->planes ? 1 : s->k->planes;
    int64_t z = dir > 0 ? z0 : z1 - planes;
    if (reads_arrays(t, s, z, planes))
      run_pieces(t, s, z, planes);
    else
      call(next_call(t, s, z, planes, dir, s->lo[IK_ROW], s->hi[IK_ROW]));
    if (dir > 0)
      z0 += planes;
    else
      z1 -= planes;
  }
}

/* ---- reductions ---- */

/* Rows of the tile alone: what a stage computes beyond it is another tile's. */
static void reduce_planes(const ik_tile *t, const ik_tile_stage *s, int r, int64_t z0, int64_t z1) {
  const ik_pipe_reduce *from = &t->p->reduce[r];
  const ik_view        *v = &t->view[from->buffer];
  const ik_box         *b = &from->stmt->box;
  int                   row = t->p->axis[IK_ROW], stream = t->p->axis[IK_STREAM];
  int64_t               y0 = ik_max(s->lo[IK_ROW], t->lo[IK_ROW]), n = b->hi[0] - b->lo[0];
  int64_t               y1 = ik_min(s->hi[IK_ROW], t->hi[IK_ROW]);
  ik_combine_rows       x = {.n = n, .rows = y1 - y0, .pitch = v->row};
  int64_t               at[IK_MAX_DIM] = {b->lo[0], b->lo[1], b->lo[2]};
  z0 = ik_max(z0, t->lo[IK_STREAM]), z1 = ik_min(z1, t->hi[IK_STREAM]);
  x.apart = row == 2 ? b->hi[1] - b->lo[1] : 1;
  for (int64_t z = z0; z < z1; z++) {
    if (row >= 0) at[row] = y0;
    if (stream >= 0) at[stream] = z;
    x.first = ik_view_plane(v, z) + y0 * v->row + b->lo[0] * v->bytes;
    ik_combine(from->stmt->reduce, v->b->type, &x,
               &t->d->partial[r][(at[2] - b->lo[2]) * (b->hi[1] - b->lo[1]) + at[1] - b->lo[1]]);
  }
}

static bool makes(const ik_tile *t, const ik_tile_stage *s, const ik_pipe_reduce *r) {
  return &t->p->phase[r->phase].stage[r->stage] == s->s;
}

static bool is_reduced(const ik_tile *t, const ik_tile_stage *s) {
  for (int r = 0; r < t->p->nreduce; r++)
    if (makes(t, s, &t->p->reduce[r])) return true;
  return false;
}

static void reduce(const ik_tile *t, const ik_tile_stage *s, int64_t z0, int64_t z1) {
  for (int r = 0; r < t->p->nreduce; r++)
    if (makes(t, s, &t->p->reduce[r])) reduce_planes(t, s, r, z0, z1);
}

/* ---- the walk ---- */

static void work(const ik_tile *t, const ik_tile_stage *s, int64_t z0, int64_t z1,
                 const ik_pipe_phase *ph) {
  int64_t next = ph->dir * (int64_t)ph->planes;
  switch (s->kind) {
  case IK_STAGE_FETCH:
    for (int64_t z = z0; z < z1; z++) ik_move_fetch(t, s, z, z + next);
    break;
  case IK_STAGE_KERNEL:
    run_kernel(t, s, z0, z1, ph->dir);
    reduce(t, s, z0, z1);
    break;
  case IK_STAGE_STORE:
    for (int64_t z = z0; z < z1; z++) ik_move_store(t, s, z);
    break;
  case IK_STAGE_INJECT: ik_move_inject(t, s, z0, z1); break;
  }
}

static void run_stage(const ik_tile *t, const ik_tile_stage *s, int64_t z0, int64_t z1,
                      const ik_pipe_phase *ph) {
  int64_t a = ik_max(z0, s->lo[IK_STREAM]), b = ik_min(z1, s->hi[IK_STREAM]);
  if (a < b && !s->idle) work(t, s, a, b, ph);
  for (int i = 0; i < s->nhalo; i++) {
    const ik_halo *h = &s->halo[i];
    int64_t        from = ik_max(z0, h->lo[IK_STREAM]), to = ik_min(z1, h->hi[IK_STREAM]);
    for (int64_t z = from; z < to; z++) ik_halo_fill(t, h, z);
  }
}

/* A walk downwards is one upwards with planes numbered from the tile's other end. */
static int64_t mirrored(const ik_tile *t, const ik_pipe_phase *ph, int64_t z) {
  return ph->dir > 0 ? z : t->lo[IK_STREAM] + t->hi[IK_STREAM] - 1 - z;
}

/* First plane of a stage, in the order of the walk, as a position of the walk. */
static int64_t enters(const ik_tile *t, const ik_pipe_phase *ph, const ik_tile_stage *s) {
  return mirrored(t, ph, ph->dir > 0 ? s->begin : s->end - 1) + s->lag;
}
static int64_t leaves(const ik_tile *t, const ik_pipe_phase *ph, const ik_tile_stage *s) {
  return enters(t, ph, s) + s->end - s->begin;
}

/* From which position to which: until all stages are done, and such that the last one, which writes
 * to memory, begins with a whole group of planes. */
static void find_walk(const ik_tile *t, const ik_pipe_phase *ph, int64_t *begin, int64_t *end) {
  int64_t anchor = 0;
  *begin = INT64_MAX, *end = INT64_MIN;
  for (int i = 0; i < ph->nstage; i++) {
    const ik_tile_stage *s = &t->stage[i];
    if (s->begin >= s->end) continue;
    anchor = enters(t, ph, s);
    *begin = ik_min(*begin, anchor), *end = ik_max(*end, leaves(t, ph, s));
  }
  if (*begin < *end) *begin -= ik_tile_mod(*begin - anchor, ph->planes);
}

/* Positions from p on at which one stage alone has something to do, and halos of nobody are due. */
static int64_t alone(const ik_tile *t, const ik_pipe_phase *ph, int64_t p) {
  const ik_tile_stage *one = NULL;
  int64_t              end = INT64_MAX;
  for (int i = 0; i < ph->nstage; i++) {
    const ik_tile_stage *s = &t->stage[i];
    int64_t              from = enters(t, ph, s), to = leaves(t, ph, s);
    if (to <= p || s->begin >= s->end) continue;
    if (from > p) end = ik_min(end, from);
    if (from > p) continue;
    if (one || s->nhalo || s->kind != IK_STAGE_KERNEL || is_reduced(t, s)) return 0;
    one = s, end = ik_min(end, to);
  }
  return one ? end - p : 0;
}

/* A plane of all stages, some rows at a time: up to row y of the tile, and of what stages behind it
 * need so much more.  But for their rows, the calls of a stage are all the same. */
static void run_rows(const ik_tile *t, const ik_pipe_phase *ph, int64_t z) {
  for (int i = 0; i < ph->nstage; i++) {
    const ik_tile_stage *s = &t->stage[i];
    if (z >= s->begin && z < s->end) next_call(t, s, z, 1, ph->dir, 0, 0);
  }
  for (int64_t y = t->lo[IK_ROW] + ph->rows, done = INT64_MIN;; done = y, y += ph->rows) {
    for (int i = 0; i < ph->nstage; i++) {
      const ik_tile_stage *s = &t->stage[i];
      ik_kernel_call      *c = &t->call[i].c;
      int64_t              more = s->s->ext[IK_ROW][1];
      c->y0 = done == INT64_MIN ? s->lo[IK_ROW] : ik_max(s->lo[IK_ROW], done + more);
      c->y1 = y < t->hi[IK_ROW] ? ik_min(s->hi[IK_ROW], y + more) : s->hi[IK_ROW];
      if (z >= s->begin && z < s->end && c->y0 < c->y1) call(&t->call[i]);
    }
    if (y >= t->hi[IK_ROW]) return;
  }
}

static void walk(const ik_tile *t, const ik_pipe_phase *ph) {
  int64_t begin, end, n;
  find_walk(t, ph, &begin, &end);
  if (ph->rows) {
    for (int64_t p = begin; p < end; p++) run_rows(t, ph, mirrored(t, ph, p - ph->stage[0].lag));
    return;
  }
  for (int64_t p = begin; p < end; p += n) {
    n = ph->planes == 1 ? ik_max(alone(t, ph, p), 1) : ph->planes;
    for (int i = 0; i < ph->nstage; i++) {
      const ik_tile_stage *s = &t->stage[i];
      int64_t              z = mirrored(t, ph, p - s->lag);
      int64_t              z0 = ik_max(ph->dir > 0 ? z : z - n + 1, s->begin);
      int64_t              z1 = ik_min(ph->dir > 0 ? z + n : z + 1, s->end);
      if (z0 < z1) run_stage(t, s, z0, z1, ph);
    }
  }
}

/* ---- tiles ---- */

int64_t ik_drive_tiles(const ik_pass *p) {
  int64_t n = 1;
  for (ik_role r = 0; r < IK_NROLES; r++) n *= (p->hi[r] - p->lo[r] + p->tile[r] - 1) / p->tile[r];
  return n;
}

/* No tile may see what another left behind.  Where errors are looked for, it finds NaNs. */
static void spoil(const ik_drive *d, const ik_drive_thread *th) {
#ifdef __SANITIZE_ADDRESS__
  memset(th->scratch, 0xff, (size_t)d->pass->scratch_bytes);
#else
  (void)d, (void)th;
#endif
}

static void run_tile(const ik_drive *d, const int64_t lo[IK_NROLES], const int64_t hi[IK_NROLES],
                     ik_drive_thread *th) {
  ik_tile *t = th->tile;
  spoil(d, th);
  ik_tile_open(t, d, lo, hi, th);
  for (int i = 0; i < d->pass->nphase; i++) {
    ik_tile_open_phase(t, &d->pass->phase[i]);
    open_calls(t, &d->pass->phase[i]);
    walk(t, &d->pass->phase[i]);
  }
  if (d->stream) ik_move_fence();
}

void ik_drive_tile(const ik_drive *d, int64_t tile, ik_drive_thread *th) {
  const ik_pass *p = d->pass;
  int64_t        lo[IK_NROLES], hi[IK_NROLES];
  for (ik_role r = 0; r < IK_NROLES; r++) {
    int64_t n = (p->hi[r] - p->lo[r] + p->tile[r] - 1) / p->tile[r];
    lo[r] = p->lo[r] + tile % n * p->tile[r];
    hi[r] = ik_min(p->hi[r], lo[r] + p->tile[r]);
    tile /= n;
  }
  run_tile(d, lo, hi, th);
}

void ik_drive_box(const ik_drive *d, const int64_t lo[IK_NROLES], const int64_t hi[IK_NROLES],
                  ik_drive_thread *th) {
  const int64_t *n = d->pass->tile;
  int64_t        from[IK_NROLES], to[IK_NROLES];
  for (int64_t z = lo[IK_STREAM]; z < hi[IK_STREAM]; z += n[IK_STREAM])
    for (int64_t y = lo[IK_ROW]; y < hi[IK_ROW]; y += n[IK_ROW])
      for (int64_t x = lo[IK_LANE]; x < hi[IK_LANE]; x += n[IK_LANE]) {
        from[IK_LANE] = x, from[IK_ROW] = y, from[IK_STREAM] = z;
        for (ik_role r = 0; r < IK_NROLES; r++) to[r] = ik_min(hi[r], from[r] + n[r]);
        run_tile(d, from, to, th);
      }
}
