/* A tile is walked through along the stream, stage by stage, a few planes at a time. */
#include "target/cpu/drive.h"
#include "base/least.h"
#include "base/mem.h"
#include "target/cpu/combine.h"
#include "target/cpu/tile.h"
#include "target/cpu/value.h"
#include <string.h>

struct ik_tile_call { /* a kernel, and all that it is told */
  ik_kernel_fn  *fn;
  ik_kernel_call c;
  int            stream; /* of c: it holds for one call */
  const void    *in[IK_PIPE_PORTS], *soon[IK_PIPE_SOON * IK_TILE_OUTS];
  void          *out[IK_TILE_OUTS];
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

static bool fit_phase(ik_tile *t, const ik_pass *p, const ik_pipe_phase *ph) {
  int halos = 0, cells = 0;
  for (int i = 0; i < ph->nstage; i++)
    for (int k = 0; k < ph->stage[i].ndone; k++) {
      const int *halo = p->buffer[ph->stage[i].done[k]].halo[IK_LANE];
      halos++, cells += halo[0] + halo[1];
    }
  t->stage = room(t->stage, &t->cap_stage, ph->nstage, sizeof *t->stage);
  t->halo = room(t->halo, &t->cap_halo, halos, sizeof *t->halo);
  t->cell = room(t->cell, &t->cap_cell, cells, sizeof *t->cell);
  t->call = room(t->call, &t->cap_call, ph->rows ? ph->nstage : 0, sizeof *t->call);
  return t->stage && t->halo && t->cell && t->call;
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

/* One plane of results needs of each input all ports but the last planes - 1. */
static void find_inputs(const ik_tile *t, const ik_tile_stage *s, int64_t z, bool all, bool inside,
                        const void **in) {
  const ik_pipe_port *port = s->k->port;
  bool                inner = z >= s->inner_lo && z < s->inner_hi;
  for (int i = 0, end, n = 0; i < s->k->nport; i = end) {
    const ik_view *v = &t->view[s->s->in[port[i].input]];
    for (end = i + 1; end < s->k->nport && port[end].input == port[i].input;) end++;
    int last = port[end - 1].dz - (all ? 0 : s->k->planes - 1);
    for (; i < end && port[i].dz <= last; i++)
      in[n++] = find_input(t, v, z + port[i].dz, inner, i, inside);
  }
}

static void find_outputs(const ik_tile *t, const ik_tile_stage *s, int64_t z, int planes,
                         void **out) {
  for (int i = 0; i < s->k->noutput; i++)
    for (int k = 0; k < planes; k++)
      out[i * planes + k] = ik_view_plane(&t->view[s->s->out[i]], z + k);
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

/* What is fetched next when these results are made: each step has its rows, planes or part. */
static void find_soon(const ik_tile *t, const ik_tile_stage *s, const ik_pipe_kernel *k, int64_t z,
                      int dir, const void **soon) {
  bool    has_rows = t->p->axis[IK_ROW] >= 0;
  int64_t turn = s->s->step / ik_max_int(k->soon_parts, 1),
          part = s->s->step - turn * k->soon_parts;
  int64_t row = has_rows ? turn * k->soon_rows : 0, plane = has_rows ? 0 : turn * k->soon_planes;
  for (int i = 0; i < k->nsoon; i++) {
    const ik_view *v = &t->view[s->s->soon[i]];
    int64_t lanes = s->split + ((s->hi[IK_LANE] - s->split) * part - s->split) / k->soon_parts;
    int64_t in_plane = row * v->stride[IK_ROW] + (k->soon_parts > 1 ? lanes * v->bytes : 0);
    for (int j = 0; j < k->soon_planes; j++)
      soon[i * k->soon_planes + j] =
          ik_move_source(v, z + j + plane + dir * (int64_t)(s->s->lag + k->planes)) + in_plane;
  }
}

/* How many planes of results, from z on, have inputs and outputs that lie as far apart as the first
 * two: none beyond a face, no ring begins anew. */
static int64_t straight(const ik_tile *t, const ik_tile_stage *s, int64_t z, int64_t n, int dir) {
  const ik_pipe_kernel *k = s->k;
  if (k->planes > 1 || k->nsoon || s->apart || z < s->inner_lo || z >= s->inner_hi) return 1;
  n = dir > 0 ? ik_min(z + n, s->inner_hi) - z : z - ik_max(z - n, s->inner_lo - 1);
  for (int i = 0; i < k->nport + k->noutput; i++) {
    bool           in = i < k->nport;
    const ik_view *v = &t->view[in ? s->s->in[k->port[i].input] : s->s->out[i - k->nport]];
    int64_t        slot = ik_view_slot(v, z + (in ? k->port[i].dz : 0));
    if (v->on[IK_STREAM] && v->b->ring) n = ik_min(n, dir > 0 ? v->b->depth - slot : slot + 1);
  }
  return n;
}

static void advance(const ik_tile *t, const ik_tile_stage *s, int dir, const void **in,
                    void **out) {
  for (int i = 0; i < s->k->nport; i++) {
    const ik_view *v = &t->view[s->s->in[s->k->port[i].input]];
    if (v->on[IK_STREAM]) in[i] = (const char *)in[i] + dir * v->plane;
  }
  for (int i = 0; i < s->k->noutput; i++)
    out[i] = (char *)out[i] + dir * t->view[s->s->out[i]].plane;
}

typedef struct piece { /* of a plane of results */
  int64_t x0, x1, y0, y1;
  bool    inside; /* what is apart is read where it lies */
} piece;

static void prepare(const ik_tile *t, const ik_tile_stage *s, int64_t z, int planes, int dir,
                    const piece *q, ik_tile_call *x) {
  const ik_tile_code *code = &s->code[q->inside];
  int64_t             split = ik_max(q->x0, ik_min(s->split, q->x1));
  find_inputs(t, s, z, planes == s->k->planes, q->inside, x->in);
  find_outputs(t, s, z, planes, x->out);
  find_soon(t, s, code->k, z, dir, x->soon);
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

/* n groups of so many planes; n > 1: straight ones. */
static void run_piece(const ik_tile *t, const ik_tile_stage *s, int64_t z, int planes, int64_t n,
                      int dir, const piece *q) {
  ik_tile_call x;
  if (q->x0 >= q->x1 || q->y0 >= q->y1) return;
  prepare(t, s, z, planes, dir, q, &x);
  call(&x);
  for (int64_t i = 1; i < n; i++) {
    x.c.z += dir;
    advance(t, s, dir, x.in, x.out);
    x.stream = s->stream && are_aligned(t, s, x.c.z, planes, x.c.split);
    call(&x);
  }
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
static void run_groups(const ik_tile *t, const ik_tile_stage *s, int64_t z, int planes, int64_t n,
                       int dir, int64_t y0, int64_t y1) {
  int64_t x0 = s->lo[IK_LANE], x1 = s->hi[IK_LANE], left = x0, right = x0, top = y0, end = y0;
  if (reads_arrays(t, s, z, planes)) {
    left = within(t->inside_lo[IK_LANE], x0, x1), right = within(t->inside_hi[IK_LANE], left, x1);
    top = within(t->inside_lo[IK_ROW], y0, y1), end = within(t->inside_hi[IK_ROW], top, y1);
  }
  run_piece(t, s, z, planes, n, dir, &(piece){x0, x1, y0, top, false});
  run_piece(t, s, z, planes, n, dir, &(piece){left, right, top, end, true});
  run_piece(t, s, z, planes, n, dir, &(piece){x0, left, top, end, false});
  run_piece(t, s, z, planes, n, dir, &(piece){right, x1, top, end, false});
  run_piece(t, s, z, planes, n, dir, &(piece){x0, x1, end, y1, false});
}

static void run_kernel(const ik_tile *t, const ik_tile_stage *s, int64_t z0, int64_t z1, int dir) {
  while (z0 < z1) {
    int     planes = z1 - z0 < s->k->planes ? 1 : s->k->planes;
    int64_t z = dir > 0 ? z0 : z1 - planes, n = straight(t, s, z, z1 - z0, dir);
    run_groups(t, s, z, planes, n, dir, s->lo[IK_ROW], s->hi[IK_ROW]);
    if (dir > 0)
      z0 += planes * n;
    else
      z1 -= planes * n;
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
  switch (s->s->kind) {
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
  return mirrored(t, ph, ph->dir > 0 ? s->begin : s->end - 1) + s->s->lag;
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
    if (one || s->nhalo || s->s->kind != IK_STAGE_KERNEL || is_reduced(t, s)) return 0;
    one = s, end = ik_min(end, to);
  }
  return one ? end - p : 0;
}

/* A plane of all stages, some rows at a time: up to row y of the tile, and of what stages behind it
 * need so much more.  But for their rows, the calls of a stage are all the same. */
static void run_rows(const ik_tile *t, const ik_pipe_phase *ph, int64_t z) {
  for (int i = 0; i < ph->nstage; i++) {
    const ik_tile_stage *s = &t->stage[i];
    const piece          all = {s->lo[IK_LANE], s->hi[IK_LANE], 0, 0, false};
    if (z >= s->begin && z < s->end) prepare(t, s, z, 1, ph->dir, &all, &t->call[i]);
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
      int64_t              z = mirrored(t, ph, p - s->s->lag);
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
