/* Calls of kernels: which planes they read and write. */
#include "base/least.h"
#include "targets/cpu/tile.h"

/* ---- tables ---- */

size_t ik_call_bytes(const ik_pipe_kernel *k) {
  int planes =
      k->nport + k->shape->prefetch.n * k->shape->prefetch.planes + 2 * k->noutput * k->planes;
  return (size_t)(k->ninput + k->noutput) * sizeof(ik_call_run) +
         (size_t)k->shape->prefetch.n * sizeof(ik_call_prefetch) + (size_t)planes * sizeof(void *);
}

static void lay_out(const ik_pipe_kernel *k, char *at, ik_tile_call *x) {
  x->input = (ik_call_run *)at, x->output = x->input + k->ninput;
  x->prefetch_run = (ik_call_prefetch *)(x->output + k->noutput);
  x->in = (const void **)(x->prefetch_run + k->shape->prefetch.n);
  x->prefetch = x->in + k->nport;
  x->remainder = x->prefetch + k->shape->prefetch.n * k->shape->prefetch.planes;
  x->out = (void **)(x->remainder + k->noutput * k->planes);
}

void ik_call_open(const ik_tile *t, const ik_pipe_phase *ph) {
  char *at = t->table;
  for (int i = 0; i < ph->nstage; i++) {
    t->call[i].steady = false;
    if (!t->stage[i].k) continue;
    lay_out(t->stage[i].k, at, &t->call[i]);
    at += ik_call_bytes(t->stage[i].k);
  }
}

/* ---- planes ---- */

/* Of what is read in place, planes that have images are in memory as well; of what has padding, one
 * that stands for all beyond the ends. */
static const void *find_input(const ik_tile *t, const ik_view *v, int64_t z, bool inner, int port,
                              bool inside) {
  bool exists = inner || !v->on[IK_STREAM] || v->b->edge[IK_STREAM] == IK_EDGE_NONE ||
                (z >= v->lo[IK_STREAM] && z < v->hi[IK_STREAM]);
  bool in_memory = exists || v->b->edge[IK_STREAM] == IK_EDGE_VIRTUAL;
  if (inside && v->b->in_place.on && in_memory) return ik_move_source(v, z);
  if (inside && v->b->in_place.on && t->padded)
    return v->memory + (v->lo[IK_STREAM] - 1) * v->stride[IK_STREAM];
  return exists ? ik_view_plane(v, z) : ik_halo_plane(t, v, z, port);
}

static bool is_inner(const ik_tile_stage *s, int64_t z) {
  return z >= s->inner_lo && z < s->inner_hi;
}

/* One plane of results needs of each input all ports but the last planes - 1.  Ports of an input
 * are planes one after the other. */
static void find_inputs(const ik_tile *t, const ik_tile_stage *s, int64_t z, bool all, bool inside,
                        const void **in) {
  const ik_pipe_port *port = s->k->port;
  bool                inner = is_inner(s, z);
  for (int i = 0, end, n = 0; i < s->k->nport; i = end) {
    const ik_view *v = &t->view[s->s->in[port[i].input]];
    for (end = i + 1; end < s->k->nport && port[end].input == port[i].input;) end++;
    int  last = port[end - 1].dz - (all ? 0 : s->k->planes - 1), first = n;
    bool steady = inner && !(inside && v->b->in_place.on);
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

/* What rows of results leave, where whole lines can be stored. */
static void find_remainder(const ik_tile *t, const ik_tile_stage *s, int64_t z, int planes,
                           ik_tile_call *x) {
  for (int i = 0; s->k->shape->row.whole && i < s->k->noutput; i++) {
    const ik_view *v = &t->view[s->s->out[i]];
    int64_t        n = s->k->shape->output[i].remainder * v->bytes;
    const char    *at = s->remainder && x->stream && n ? t->d->remainder[s->s->out[i]] : NULL;
    for (int k = 0; k < planes; k++)
      x->remainder[i * planes + k] = at ? at + (z + k) * (v->hi[IK_ROW] - v->lo[IK_ROW]) * n : NULL;
  }
}

/* Do the results' rows all reach a line of the cache at the split? */
static bool are_aligned(const ik_tile *t, const ik_tile_stage *s, int64_t z, int planes,
                        int64_t split) {
  uintptr_t at = 0;
  for (int i = 0; i < s->k->noutput; i++) {
    const ik_view *v = &t->view[s->s->out[i]];
    int64_t        first = s->lo[IK_ROW] * v->row + split * v->bytes;
    for (int k = 0; s->k->shape->output[i].streaming && k < planes; k++)
      at |= (uintptr_t)(ik_view_plane(v, z + k) + first);
  }
  return at % 64 == 0;
}

static void find_prefetch(const ik_tile *t, const ik_tile_stage *s, const ik_tile_code *c,
                          int64_t z, const void **prefetch) {
  int planes = c->k->shape->prefetch.planes;
  for (int i = 0; i < c->k->shape->prefetch.n; i++) {
    const ik_view *v = &ik_tile_prefetched(t, c->k, i)->view[s->s->prefetch[i]];
    for (int j = 0; j < planes; j++)
      prefetch[i * planes + j] =
          ik_move_source(v, z + j + c->prefetch_ahead[i]) + c->prefetch_at[i];
  }
}

typedef struct piece { /* of a plane of results */
  int64_t x0, x1, y0, y1;
  bool    inside; /* away from faces: what can be is read in place */
} piece;

/* Kernels that know the ends of rows compute whole vectors of what has a value, and no more. */
static piece cut_ends(const ik_tile_stage *s, const ik_pipe_kernel *k, piece q) {
  int64_t lo = s->s->lo[IK_LANE], hi = s->s->hi[IK_LANE];
  if (!k->shape->row.ends) return q;
  q.x0 = ik_max(q.x0, lo - ik_tile_mod(lo, k->shape->lanes));
  q.x1 = ik_min(q.x1, hi + ik_tile_mod(-hi, k->shape->lanes));
  return q;
}

/* Where whole blocks begin: at a line of the cache, and where they read no end of a row. */
static int64_t split_of(const ik_tile *t, const ik_tile_stage *s, const ik_pipe_kernel *k,
                        const piece *q) {
  int64_t near = k->shape->row.ends ? k->shape->row.look[0] : INT64_MIN / 2;
  if (!k->shape->row.ragged) near += ik_tile_mod(-near, t->grain);
  return ik_max(q->x0, ik_min(ik_max(s->split, near), q->x1));
}

static void prepare(const ik_tile *t, const ik_tile_stage *s, int64_t z, int planes,
                    const piece *all, ik_tile_call *x) {
  const ik_tile_code *code = &s->code[all->inside];
  const piece         cut = cut_ends(s, code->k, *all), *q = &cut;
  int64_t             split = split_of(t, s, code->k, q);
  IK_ASSERT(!code->k->shape->row.blocks || (q->x0 == 0 && q->x1 == t->p->n[IK_LANE]));
  find_inputs(t, s, z, planes == s->k->planes, q->inside, x->in);
  find_outputs(t, s, z, planes, x->out);
  find_prefetch(t, s, code, z, x->prefetch);
  x->fn = planes == code->k->planes ? code->all : code->one;
  x->stream = s->stream && are_aligned(t, s, z, planes, split);
  find_remainder(t, s, z, planes, x);
  x->c = (ik_kernel_call){.in = x->in,
                          .out = x->out,
                          .prefetch = x->prefetch,
                          .remainder = x->remainder,
                          .w0 = s->w0,
                          .w1 = s->w1,
                          .x0 = q->x0,
                          .split = split,
                          .until = ik_min(q->x1, t->p->n[IK_LANE] - code->k->shape->row.look[1]),
                          .x1 = q->x1,
                          .y0 = q->y0,
                          .y1 = q->y1,
                          .z = z,
                          .t = t->d->t + s->s->step,
                          .scalar = t->d->state->scalar,
                          .rt = t->d->rt};
}

void ik_call(ik_tile_call *x) {
  x->c.stream = x->stream;
  x->fn(&x->c);
  x->c.stream = 0; /* profilers see calls, not jumps */
}

/* ---- the next call of a stage ---- */

static ik_call_run run_of(const ik_view *v, int n, int shift) {
  bool ring = v->b->ring && v->on[IK_STREAM];
  return (ik_call_run){n, shift * v->step, ring ? v->base : NULL, v->b->depth * v->plane};
}

static void note_runs(const ik_tile *t, const ik_tile_stage *s, ik_tile_call *x) {
  const ik_pipe_kernel *k = s->k;
  int                   shift = x->dir * x->planes;
  for (int i = 0; i < k->ninput; i++) x->input[i] = run_of(&t->view[s->s->in[i]], 0, shift);
  for (int i = 0; i < k->nport; i++) x->input[k->port[i].input].n++;
  for (int i = 0; i < k->noutput; i++)
    x->output[i] = run_of(&t->view[s->s->out[i]], x->planes, shift);
  for (int i = 0; i < k->shape->prefetch.n; i++) {
    const ik_view *v = &ik_tile_prefetched(t, k, i)->view[s->s->prefetch[i]];
    int64_t        last = x->dir > 0 ? v->hi[IK_STREAM] - 1 : v->lo[IK_STREAM];
    x->prefetch_run[i].shift = shift * v->stride[IK_STREAM];
    x->prefetch_run[i].last = ik_move_source(v, last) + s->code[false].prefetch_at[i];
  }
}

static char *moved(const ik_call_run *r, const void *plane) {
  char *at = (char *)plane + r->shift;
  if (!r->base) return at;
  return at < r->base ? at + r->ring_size : at >= r->base + r->ring_size ? at - r->ring_size : at;
}

static const char *moved_prefetch(const ik_call_prefetch *r, const char *plane) {
  const char *at = plane + r->shift;
  return r->shift < 0 ? (at < r->last ? r->last : at) : (at > r->last ? r->last : at);
}

/* Moves on to the next planes, without a look at views. */
static void move_on(const ik_pipe_kernel *k, ik_tile_call *x) {
  int n = 0;
  for (int i = 0; i < k->ninput; i++)
    for (int end = n + x->input[i].n; n < end; n++) x->in[n] = moved(&x->input[i], x->in[n]);
  n = 0;
  for (int i = 0; i < k->noutput; i++)
    for (int end = n + x->planes; n < end; n++) x->out[n] = moved(&x->output[i], x->out[n]);
  for (int i = 0; i < k->shape->prefetch.n * k->shape->prefetch.planes; i++)
    x->prefetch[i] =
        moved_prefetch(&x->prefetch_run[i / k->shape->prefetch.planes], x->prefetch[i]);
  x->c.z += x->dir * x->planes;
}

ik_tile_call *ik_call_next(const ik_tile *t, const ik_tile_stage *s, int64_t z, int planes,
                           int dir) {
  const piece   all = {s->lo[IK_LANE], s->hi[IK_LANE], s->lo[IK_ROW], s->hi[IK_ROW], false};
  ik_tile_call *x = &t->call[s - t->stage];
  bool          steady = planes == s->k->planes && is_inner(s, z);
  if (steady && x->steady && z == x->c.z + dir * planes) {
    move_on(s->k, x);
    x->stream = s->stream && are_aligned(t, s, z, planes, x->c.split);
    find_remainder(t, s, z, planes, x);
  } else {
    prepare(t, s, z, planes, &all, x);
    x->planes = planes, x->dir = dir, x->steady = steady;
    if (steady) note_runs(t, s, x);
  }
  return x;
}

/* ---- what is read in arrays ---- */

static void run_piece(const ik_tile *t, const ik_tile_stage *s, int64_t z, int planes,
                      const piece *q) {
  const void *in[IK_PIPE_PORTS], *prefetch[IK_PIPE_PREFETCHED * IK_TILE_OUTS],
      *remainder[IK_TILE_OUTS];
  void        *out[IK_TILE_OUTS];
  ik_tile_call x = {.in = in, .prefetch = prefetch, .remainder = remainder, .out = out};
  if (q->x0 >= q->x1 || q->y0 >= q->y1) return;
  prepare(t, s, z, planes, q, &x);
  ik_call(&x);
}

static int64_t within(int64_t v, int64_t lo, int64_t hi) { return ik_max(lo, ik_min(v, hi)); }

/* Rows of arrays and of rings lie differently: a kernel can read the one or the other, so planes
 * that are in no array, nor in its padding, make it read rings. */
static bool reads_arrays(const ik_tile *t, const ik_tile_stage *s, int64_t z, int planes) {
  bool inner = z >= s->inner_lo && z + planes <= s->inner_hi;
  return s->in_place && (t->p->axis[IK_ROW] < 0 || inner || t->padded);
}

/* Of what is read in place, the ends of rows and the rows near faces come from rings.  Ends come
 * last: the lines that they are stored to are in a cache by then. */
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

void ik_call_planes(const ik_tile *t, const ik_tile_stage *s, int64_t z, int planes, int dir) {
  if (reads_arrays(t, s, z, planes))
    run_pieces(t, s, z, planes);
  else
    ik_call(ik_call_next(t, s, z, planes, dir));
}
