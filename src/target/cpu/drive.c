/* A tile is walked through along the stream, stage by stage, a few planes at a time. */
#include "target/cpu/drive.h"
#include "base/least.h"
#include "base/mem.h"
#include "target/cpu/combine.h"
#include "target/cpu/tile.h"
#include "target/cpu/value.h"

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
  return t->stage && t->halo && t->cell;
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
    ik_free(t->view), ik_free(t->stage), ik_free(t->halo), ik_free(t->cell);
    ik_free(t);
  }
  th->tile = NULL;
}

/* ---- kernels ---- */

static const void *find_input(const ik_tile *t, const ik_view *v, int64_t z, bool inner, int port) {
  bool exists = inner || !v->on[IK_STREAM] || v->b->edge[IK_STREAM] == IK_EDGE_NONE ||
                (z >= v->lo[IK_STREAM] && z < v->hi[IK_STREAM]);
  return exists ? ik_view_plane(v, z) : ik_halo_plane(t, v, z, port);
}

/* One plane of results needs of each input all ports but the last planes - 1. */
static void find_inputs(const ik_tile *t, const ik_tile_stage *s, int64_t z, bool all,
                        const void **in) {
  const ik_pipe_port *port = s->k->port;
  bool                inner = z >= s->inner_lo && z < s->inner_hi;
  for (int i = 0, end, n = 0; i < s->k->nport; i = end) {
    const ik_view *v = &t->view[s->s->in[port[i].input]];
    for (end = i + 1; end < s->k->nport && port[end].input == port[i].input;) end++;
    int last = port[end - 1].dz - (all ? 0 : s->k->planes - 1);
    for (; i < end && port[i].dz <= last; i++) in[n++] = find_input(t, v, z + port[i].dz, inner, i);
  }
}

/* Returns whether the results' rows all reach a line of the cache at the split. */
static bool find_outputs(const ik_tile *t, const ik_tile_stage *s, int64_t z, int planes,
                         void **out) {
  uintptr_t at = 0;
  for (int i = 0; i < s->k->noutput; i++) {
    const ik_view *v = &t->view[s->s->out[i]];
    for (int k = 0; k < planes; k++) {
      char *plane = ik_view_plane(v, z + k);
      out[i * planes + k] = plane;
      at |= (uintptr_t)(plane + s->lo[IK_ROW] * v->row + s->split * v->bytes);
    }
  }
  return at % 64 == 0;
}

/* Planes that are fetched next when these results are made; of a block, each step has its rows. */
static void find_soon(const ik_tile *t, const ik_tile_stage *s, int64_t z, int planes, int dir,
                      const void **soon) {
  int64_t ahead = s->s->lag + s->k->planes, row = s->s->step * s->k->soon_rows;
  for (int i = 0; i < s->k->nsoon; i++) {
    const ik_view *v = &t->view[s->s->soon[i]];
    for (int k = 0; k < planes; k++)
      soon[i * planes + k] = ik_move_source(v, z + k + dir * ahead) + row * v->stride[IK_ROW];
  }
}

static void call(const ik_tile *t, const ik_tile_stage *s, int64_t z, int planes, int dir) {
  const void *in[IK_PIPE_PORTS], *soon[IK_PIPE_SOON * IK_TILE_OUTS];
  void       *out[IK_TILE_OUTS];
  bool        all = planes == s->k->planes;
  find_inputs(t, s, z, all, in);
  find_soon(t, s, z, planes, dir, soon);
  bool           aligned = find_outputs(t, s, z, planes, out);
  ik_kernel_call c = {.in = in,
                      .out = out,
                      .soon = soon,
                      .x0 = s->lo[IK_LANE],
                      .x1 = s->split,
                      .y0 = s->lo[IK_ROW],
                      .y1 = s->hi[IK_ROW],
                      .z = z,
                      .t = t->d->t + s->s->step,
                      .scalar = t->d->state->scalar,
                      .rt = t->d->rt};
  ik_kernel_fn  *f = all ? s->all : s->one;
  if (c.x0 < c.x1) f(&c);
  c.x0 = s->split, c.x1 = s->hi[IK_LANE], c.stream = s->stream && aligned;
  f(&c);
}

static void run_kernel(const ik_tile *t, const ik_tile_stage *s, int64_t z0, int64_t z1, int dir) {
  while (z0 < z1) {
    int planes = z1 - z0 < s->k->planes ? 1 : s->k->planes;
    call(t, s, dir > 0 ? z0 : z1 - planes, planes, dir);
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
  z0 = ik_max(z0, t->lo[IK_STREAM]), z1 = ik_min(z1, t->hi[IK_STREAM]);
  for (int64_t z = z0; z < z1; z++)
    for (int64_t y = y0; y < y1; y++) {
      int64_t at[IK_MAX_DIM] = {b->lo[0], b->lo[1], b->lo[2]};
      if (row >= 0) at[row] = y;
      if (stream >= 0) at[stream] = z;
      const char *values = ik_view_plane(v, z) + y * v->row + b->lo[0] * v->bytes;
      int64_t     index = (at[2] - b->lo[2]) * (b->hi[1] - b->lo[1]) + at[1] - b->lo[1];
      t->d->partial[r][index] = ik_combine_row(from->stmt->reduce, v->b->type, values, n);
    }
}

static void reduce(const ik_tile *t, const ik_tile_stage *s, int64_t z0, int64_t z1) {
  for (int r = 0; r < t->p->nreduce; r++)
    if (&t->p->phase[t->p->reduce[r].phase].stage[t->p->reduce[r].stage] == s->s)
      reduce_planes(t, s, r, z0, z1);
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
  if (a < b) work(t, s, a, b, ph);
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

static void walk(const ik_tile *t, const ik_pipe_phase *ph) {
  int64_t begin, end;
  find_walk(t, ph, &begin, &end);
  for (int64_t p = begin; p < end; p += ph->planes)
    for (int i = 0; i < ph->nstage; i++) {
      const ik_tile_stage *s = &t->stage[i];
      int64_t              z = mirrored(t, ph, p - s->s->lag);
      int64_t              z0 = ik_max(ph->dir > 0 ? z : z - ph->planes + 1, s->begin);
      int64_t              z1 = ik_min(ph->dir > 0 ? z + ph->planes : z + 1, s->end);
      if (z0 < z1) run_stage(t, s, z0, z1, ph);
    }
}

/* ---- tiles ---- */

int64_t ik_drive_tiles(const ik_pass *p) {
  int64_t n = 1;
  for (ik_role r = 0; r < IK_NROLES; r++) n *= (p->hi[r] - p->lo[r] + p->tile[r] - 1) / p->tile[r];
  return n;
}

static void run_tile(const ik_drive *d, const int64_t lo[IK_NROLES], const int64_t hi[IK_NROLES],
                     ik_drive_thread *th) {
  ik_tile *t = th->tile;
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
