/* A tile is walked through along the stream, stage by stage, a few planes at a time. */
#include "targets/cpu/drive.h"
#include "base/least.h"
#include "base/mem.h"
#include "targets/cpu/combine.h"
#include "targets/cpu/tile.h"
#include "targets/cpu/value.h"
#include <string.h>

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
  int halos = 0, cells = 0, tables = 0;
  for (int i = 0; i < ph->nstage; i++) {
    if (ph->stage[i].kind == IK_STAGE_KERNEL)
      tables += (int)ik_call_bytes(&p->kernel[ph->stage[i].kernel]);
    for (int k = 0; k < ph->stage[i].ndone; k++) {
      const int *halo = p->buffer[ph->stage[i].done[k]].halo[IK_LANE];
      halos++, cells += halo[0] + halo[1];
    }
  }
  t->stage = room(t->stage, &t->cap_stage, ph->nstage, sizeof *t->stage);
  t->halo = room(t->halo, &t->cap_halo, halos, sizeof *t->halo);
  t->cell = room(t->cell, &t->cap_cell, cells, sizeof *t->cell);
  t->call = room(t->call, &t->cap_call, ph->nstage, sizeof *t->call);
  t->table = room(t->table, &t->cap_table, tables, sizeof *t->table);
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

static void run_kernel(const ik_tile *t, const ik_tile_stage *s, int64_t z0, int64_t z1, int dir) {
  while (z0 < z1) {
    int     planes = z1 - z0 < s->k->planes ? 1 : s->k->planes;
    int64_t z = dir > 0 ? z0 : z1 - planes;
    ik_call_planes(t, s, z, planes, dir);
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

static void reduce(const ik_tile *t, const ik_tile_stage *s, int64_t z0, int64_t z1) {
  for (int r = 0; r < t->p->nreduce; r++)
    if (makes(t, s, &t->p->reduce[r])) reduce_planes(t, s, r, z0, z1);
}

/* ---- the walk ---- */

static void work(const ik_tile *t, const ik_tile_stage *s, int64_t z0, int64_t z1,
                 const ik_pipe_phase *ph) {
  switch (s->kind) {
  case IK_STAGE_FETCH:
    for (int64_t z = z0; z < z1; z++) ik_move_fetch(t, s, z);
    break;
  case IK_STAGE_KERNEL:
    run_kernel(t, s, z0, z1, ph->dir);
    reduce(t, s, z0, z1);
    break;
  case IK_STAGE_STORE:
    for (int64_t z = z0; z < z1; z++) ik_move_store(t, s, z);
    break;
  case IK_STAGE_SPOTS: ik_move_spots(t, s, z0, z1); break;
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
static void find_walk(ik_tile *t, const ik_pipe_phase *ph) {
  int64_t anchor = 0;
  t->at = INT64_MAX, t->end = INT64_MIN;
  for (int i = 0; i < ph->nstage; i++) {
    const ik_tile_stage *s = &t->stage[i];
    if (s->begin >= s->end) continue;
    anchor = enters(t, ph, s);
    t->at = ik_min(t->at, anchor), t->end = ik_max(t->end, leaves(t, ph, s));
  }
  if (t->at < t->end) t->at -= ik_tile_mod(t->at - anchor, ph->planes);
}

/* A plane of all stages, some rows at a time: up to row y of the tile, and of what stages behind it
 * need so much more.  But for their rows, the calls of a stage are all the same. */
static void run_rows(const ik_tile *t, const ik_pipe_phase *ph, int64_t z) {
  for (int i = 0; i < ph->nstage; i++) {
    const ik_tile_stage *s = &t->stage[i];
    if (z >= s->begin && z < s->end) ik_call_next(t, s, z, 1, ph->dir);
  }
  for (int64_t y = t->lo[IK_ROW] + ph->rows, done = INT64_MIN;; done = y, y += ph->rows) {
    for (int i = 0; i < ph->nstage; i++) {
      const ik_tile_stage *s = &t->stage[i];
      ik_kernel_call      *c = &t->call[i].c;
      int64_t              more = s->s->ext[IK_ROW][1];
      c->y0 = done == INT64_MIN ? s->lo[IK_ROW] : ik_max(s->lo[IK_ROW], done + more);
      c->y1 = y < t->hi[IK_ROW] ? ik_min(s->hi[IK_ROW], y + more) : s->hi[IK_ROW];
      if (z >= s->begin && z < s->end && c->y0 < c->y1) ik_call(&t->call[i]);
    }
    if (y >= t->hi[IK_ROW]) return;
  }
}

/* Goes on up to a position. */
static void walk(ik_tile *t, const ik_pipe_phase *ph, int64_t end) {
  for (; ph->rows && t->at < end; t->at++)
    run_rows(t, ph, mirrored(t, ph, t->at - ph->stage[0].lag));
  for (int64_t n; t->at < end; t->at += n) {
    n = ik_min(ph->planes, end - t->at);
    for (int i = 0; i < ph->nstage; i++) {
      const ik_tile_stage *s = &t->stage[i];
      int64_t              z = mirrored(t, ph, t->at - s->lag);
      int64_t              z0 = ik_max(ph->dir > 0 ? z : z - n + 1, s->begin);
      int64_t              z1 = ik_min(ph->dir > 0 ? z + n : z + 1, s->end);
      if (z0 < z1) run_stage(t, s, z0, z1, ph);
    }
  }
}

/* ---- tiles ---- */

/* No tile may see what another left behind.  Where errors are looked for, it finds NaNs. */
static void spoil(const ik_drive *d, const ik_drive_thread *th) {
#ifdef __SANITIZE_ADDRESS__
  memset(th->scratch, 0xff, (size_t)d->pass->scratch_bytes);
#else
  (void)d, (void)th;
#endif
}

static void open_tile(const ik_drive *d, const int64_t lo[IK_NROLES], const int64_t hi[IK_NROLES],
                      ik_drive_thread *th) {
  spoil(d, th);
  ik_tile_open(th->tile, d, lo, hi, th);
}

static void open_phase(ik_tile *t, const ik_pipe_phase *ph) {
  ik_tile_open_phase(t, ph);
  ik_call_open(t, ph);
  find_walk(t, ph);
}

static void run_tile(const ik_drive *d, const int64_t lo[IK_NROLES], const int64_t hi[IK_NROLES],
                     ik_drive_thread *th) {
  open_tile(d, lo, hi, th);
  for (int i = 0; i < d->pass->nphase; i++) {
    open_phase(th->tile, &d->pass->phase[i]);
    walk(th->tile, &d->pass->phase[i], th->tile->end);
  }
}

void ik_drive_open(const ik_drive *d, const int64_t lo[IK_NROLES], const int64_t hi[IK_NROLES],
                   ik_drive_thread *th) {
  const ik_pipe_phase *ph = &d->pass->phase[0];
  IK_ASSERT(d->pass->nphase == 1 && ph->dir > 0);
  for (ik_role r = IK_LANE; r <= IK_ROW; r++)
    IK_ASSERT(ik_pass_has_room(d->pass, r, hi[r] - lo[r]));
  open_tile(d, lo, hi, th);
  open_phase(th->tile, ph);
}

/* Where a walk ends, all stages are done: halos of the last planes as well. */
void ik_drive_on(const ik_drive_thread *th, int64_t z) {
  ik_tile             *t = th->tile;
  const ik_pipe_phase *ph = &t->p->phase[0];
  walk(t, ph, z >= t->hi[IK_STREAM] ? t->end : ik_min(z + ik_pipe_lag(ph), t->end));
}

void ik_drive_finish(const ik_drive *d) {
  if (d->stream) ik_move_fence();
}

int64_t ik_drive_tiles(const ik_pass *p) {
  return ik_pass_tiles(p, IK_LANE) * ik_pass_tiles(p, IK_ROW) * ik_pass_tiles(p, IK_STREAM);
}

void ik_drive_tile(const ik_pass *p, int64_t tile, int64_t lo[IK_NROLES], int64_t hi[IK_NROLES]) {
  for (ik_role r = 0; r < IK_NROLES; r++) {
    int64_t along = ik_pass_tiles(p, r);
    lo[r] = p->lo[r] + tile % along * p->tile[r];
    hi[r] = ik_min(p->hi[r], lo[r] + p->tile[r]);
    tile /= along;
  }
}

void ik_drive_some(const ik_drive *d, int64_t first, int64_t end, ik_drive_thread *th) {
  int64_t lo[IK_NROLES], hi[IK_NROLES];
  for (int64_t i = first; i < end; i++) {
    ik_drive_tile(d->pass, i, lo, hi);
    run_tile(d, lo, hi, th);
  }
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
  ik_drive_finish(d);
}
