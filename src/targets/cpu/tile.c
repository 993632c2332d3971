/* What does not change while a tile is walked through. */
#include "targets/cpu/tile.h"
#include "base/least.h"
#include "targets/cpu/value.h"
#include <string.h>

/* ---- views of buffers ---- */

static void open_roles(const ik_pass *p, ik_view *v) {
  for (ik_role r = 0; r < IK_NROLES; r++) {
    int axis = p->axis[r];
    v->on[r] = axis >= 0 && (!v->field || v->field->on[axis]);
    v->lo[r] = 0, v->hi[r] = v->on[r] ? p->n[r] : 1;
    if (v->on[r] && v->field) v->lo[r] = v->field->box.lo[axis], v->hi[r] = v->field->box.hi[axis];
  }
}

/* Cells beyond a face that are found by its boundary condition. */
static int mapped(const ik_tile *t, const ik_view *v, ik_role r, int side) {
  if (!v->on[r] || v->b->edge[r] != IK_EDGE_MAP || !v->b->ring) return 0; /* arrays have none */
  bool none = v->field->bc[t->p->axis[r]][side].kind == IK_BC_NONE; /* then nobody reads there */
  return none ? 0 : v->b->halo[r][side];
}

/* Cells of a ring plane.  Along an axis that the field is not on it has cell 0 alone. */
static void open_extent(const ik_tile *t, ik_view *v) {
  const int64_t size[IK_NROLES] = {t->p->pitch, t->p->ring_rows, 0};
  for (ik_role r = IK_LANE; r <= IK_ROW; r++) {
    int64_t first = v->on[r] ? t->lo[r] - t->p->before[r] : 0;
    v->first[r] = first, v->end[r] = v->on[r] ? first + size[r] : 1;
    if (!v->on[r] || v->b->edge[r] == IK_EDGE_VIRTUAL) continue;
    v->first[r] = ik_max(first, v->lo[r] - mapped(t, v, r, 0));
    v->end[r] = ik_min(v->end[r], v->hi[r] + mapped(t, v, r, 1));
  }
}

static int64_t origin(const ik_tile *t, const ik_view *v, int64_t row) {
  int64_t x = v->on[IK_LANE] ? t->lo[IK_LANE] - t->p->before[IK_LANE] : 0;
  int64_t y = v->on[IK_ROW] && !v->b->rows ? t->lo[IK_ROW] - t->p->before[IK_ROW] : 0;
  return y * row + x * v->bytes;
}

static void open_memory(const ik_tile *t, ik_view *v) {
  const ik_state *s = t->d->state;
  v->memory = ik_state_data(s, v->b->field, v->b->level);
  for (ik_role r = 0; r < IK_NROLES; r++) {
    v->stride[r] = v->on[r] ? ik_state_stride(s, v->b->field, t->p->axis[r]) * v->bytes : 0;
    v->memory -= v->lo[r] * v->stride[r];
  }
}

static void open_planes(const ik_tile *t, char *scratch, ik_view *v) {
  const ik_pipe_buffer *b = v->b;
  bool                  power = b->ring && (b->depth & (b->depth - 1)) == 0;
  int64_t               bytes = t->p->pitch * ik_pipe_rows(t->p, b) * v->bytes; /* of a plane */
  if (b->memory) open_memory(t, v);
  v->row = b->ring ? t->p->pitch * v->bytes : v->stride[IK_ROW];
  v->plane = b->ring ? bytes : v->stride[IK_STREAM];
  v->base = b->ring ? scratch + b->offset - origin(t, v, v->row) : v->memory;
  v->step = v->on[IK_STREAM] ? v->plane : 0;
  v->wrap = v->step && b->ring ? v->base + b->depth * v->plane : NULL;
  v->mask = !v->on[IK_STREAM] ? 0 : b->ring ? b->depth - 1 : -1;
  v->depth = v->on[IK_STREAM] && b->ring && !power ? b->depth : 0;
  v->bias = v->depth ? ((INT64_C(1) << 31) / v->depth + 1) * v->depth : 0;
  v->per_depth = v->depth ? UINT64_MAX / (uint64_t)v->depth + 1 : 0;
  /* A kernel knows one pitch, so planes that stand for a field in memory have the field's. */
  IK_ASSERT(b->ring || !b->spare || t->p->ring_rows == 1 || v->row <= t->p->pitch * v->bytes);
  v->spare = scratch + b->offset + b->depth * bytes - origin(t, v, v->row);
  v->spare_plane = bytes;
}

static void open_face(const ik_tile *t, ik_view *v, ik_role r, int side) {
  const ik_bc *bc = &v->field->bc[t->p->axis[r]][side];
  if (bc->kind != IK_BC_VALUE) return;
  ik_face_value *f = &v->face[r][side];
  *f = (ik_face_value){.expr = bc->value, .uniform = ik_value_is_uniform(bc->value)};
  static const int64_t anywhere[IK_MAX_DIM] = {0};
  if (f->uniform) ik_value_row(t->rows, bc->value, IK_F64, anywhere, 1, v->t, 1, &f->value);
}

/* Arrays without padding have nothing beyond their faces. */
static bool is_padded(const ik_tile *t) {
  bool padded = true;
  for (int i = 0; i < t->p->nbuffer; i++) {
    const ik_pipe_buffer *b = &t->p->buffer[i];
    if (b->in_place.on)
      padded = padded && b->in_place.padded && t->d->state->slot[b->field].layout->filled;
  }
  return padded;
}

/* Is nothing of it in its ring? */
static bool is_elsewhere(const ik_tile *t, const ik_view *v) {
  return v->b->in_place.on && t->padded;
}

static void open_view(ik_tile *t, char *scratch, ik_view *v, const ik_pipe_buffer *b) {
  *v = (ik_view){.b = b, .bytes = ik_type_bytes(b->type), .t = t->d->t + b->version};
  v->field = b->field < 0 ? NULL : &t->d->ir->field[b->field];
  open_roles(t->p, v);
  open_extent(t, v);
  open_planes(t, scratch, v);
  for (ik_role r = 0; r < IK_NROLES; r++)
    for (int side = 0; side < 2; side++)
      if (v->on[r] && b->edge[r] == IK_EDGE_MAP) open_face(t, v, r, side);
  if (b->spare && !is_elsewhere(t, v)) ik_halo_blank(v);
}

enum { LINE = 16 }; /* elements, of any type */

static void inside_along(ik_tile *t, ik_role r) {
  int64_t lo = INT64_MIN / 2, hi = INT64_MAX / 2;
  for (int i = 0; i < t->p->nbuffer; i++) {
    const ik_view *v = &t->view[i];
    if (!v->b->in_place.on || !v->on[r] || (r == IK_LANE ? v->b->in_place.ends.known : t->padded))
      continue;
    lo = ik_max(lo, v->lo[r] + v->b->in_place.reach[r][0]);
    hi = ik_min(hi, v->hi[r] - v->b->in_place.reach[r][1]);
  }
  t->inside_lo[r] = lo, t->inside_hi[r] = hi;
}

/* Wide vectors are stored in lines of the cache; narrow ones need not be. */
static int grain_of(const ik_pass *p) {
  enum { NARROW = 4 };
  for (int i = 0; i < p->nkernel; i++)
    if (p->kernel[i].shape->lanes > NARROW) return LINE;
  return NARROW;
}

/* Empty if it is not worth calls of its own. */
static void open_inside(ik_tile *t) {
  enum { WORTH = 8 };
  int64_t *lo = t->inside_lo, *hi = t->inside_hi;
  t->grain = grain_of(t->p);
  inside_along(t, IK_LANE);
  inside_along(t, IK_ROW);
  lo[IK_LANE] += ik_tile_mod(-lo[IK_LANE], t->grain);
  hi[IK_LANE] -= ik_tile_mod(hi[IK_LANE], t->grain);
  if (hi[IK_LANE] - lo[IK_LANE] < WORTH * t->grain || hi[IK_ROW] <= lo[IK_ROW])
    hi[IK_LANE] = lo[IK_LANE];
}

void ik_tile_open(ik_tile *t, const ik_drive *d, const int64_t lo[IK_NROLES],
                  const int64_t hi[IK_NROLES], const ik_drive_thread *th) {
  t->d = d, t->p = d->pass, t->rows = th->rows;
  IK_ASSERT(t->p->nbuffer <= t->cap_view);
  for (ik_role r = 0; r < IK_NROLES; r++) t->lo[r] = lo[r], t->hi[r] = hi[r];
  t->padded = is_padded(t);
  for (int i = 0; i < t->p->nbuffer; i++) open_view(t, th->scratch, &t->view[i], &t->p->buffer[i]);
  open_inside(t);
}

/* ---- stages ---- */

/* What the tile needs of the cells from lo to hi. */
static void cut(const ik_tile *t, const ik_pipe_stage *s, ik_role r, int64_t *lo, int64_t *hi) {
  *lo = ik_max(*lo, t->lo[r] - s->ext[r][0]);
  *hi = ik_min(*hi, t->hi[r] + s->ext[r][1]);
}

/* What the stage leaves complete of a buffer.  A value may be given box by box, of which the stage
 * has the last: that is what the tile needs of the whole field, whatever of it is in that box. */
static void complete(const ik_tile *t, const ik_tile_stage *s, const ik_view *v,
                     int64_t lo[IK_NROLES], int64_t hi[IK_NROLES]) {
  for (ik_role r = 0; r < IK_NROLES; r++) {
    bool none = t->p->axis[r] < 0, wraps = v->b->edge[r] == IK_EDGE_VIRTUAL;
    lo[r] = none ? t->lo[r] : s->lo[r], hi[r] = none ? t->hi[r] : s->hi[r];
    if (!v->on[r]) continue;
    lo[r] = wraps ? INT64_MIN / 2 : v->lo[r]; /* all planes exist, as images */
    hi[r] = wraps ? INT64_MAX / 2 : v->hi[r];
    cut(t, s->s, r, &lo[r], &hi[r]);
  }
}

static bool is_empty(const int64_t lo[IK_NROLES], const int64_t hi[IK_NROLES]) {
  for (ik_role r = 0; r < IK_NROLES; r++)
    if (lo[r] >= hi[r]) return true;
  return false;
}

static void open_halo(ik_tile *t, ik_tile_stage *s, const ik_view *v) {
  ik_halo *h = &t->halo[t->nhalo];
  *h = (ik_halo){.v = v, .cell = t->cell + t->ncell};
  complete(t, s, v, h->lo, h->hi);
  for (int side = 0; side < 2; side++) {
    bool lane = side ? h->hi[IK_LANE] == v->hi[IK_LANE] : h->lo[IK_LANE] == v->lo[IK_LANE];
    bool row = side ? h->hi[IK_ROW] == v->hi[IK_ROW] : h->lo[IK_ROW] == v->lo[IK_ROW];
    if (lane && mapped(t, v, IK_LANE, side))
      h->ncell += ik_halo_cells(t, v, side, h->cell + h->ncell);
    h->face[side] = row && mapped(t, v, IK_ROW, side) && !ik_halo_rows_once(v, side);
  }
  bool planes = h->lo[IK_STREAM] < h->hi[IK_STREAM]; /* rows may all lie beyond the field */
  if (!planes || (!h->ncell && !h->face[0] && !h->face[1])) return;
  t->ncell += h->ncell, t->nhalo++, s->nhalo++;
  bool only = s->begin == s->end;
  s->begin = only ? h->lo[IK_STREAM] : ik_min(s->begin, h->lo[IK_STREAM]);
  s->end = only ? h->hi[IK_STREAM] : ik_max(s->end, h->hi[IK_STREAM]);
}

/* Results whose ports all lie within their fields, or need not. */
static void open_inner(const ik_tile *t, ik_tile_stage *s) {
  s->inner_lo = INT64_MIN / 2, s->inner_hi = INT64_MAX / 2;
  for (int i = 0; i < s->k->nport; i++) {
    const ik_pipe_port *port = &s->k->port[i];
    const ik_view      *v = &t->view[s->s->in[port->input]];
    ik_edge             edge = v->b->edge[IK_STREAM];
    if (!v->on[IK_STREAM] || edge == IK_EDGE_NONE || (edge == IK_EDGE_VIRTUAL && v->b->ring))
      continue;
    s->inner_lo = ik_max(s->inner_lo, v->lo[IK_STREAM] - port->dz);
    s->inner_hi = ik_min(s->inner_hi, v->hi[IK_STREAM] - port->dz);
  }
}

/* The kernel stores all that may go past the caches in the same way. */
static bool may_stream(const ik_tile *t, const ik_tile_stage *s) {
  bool aligned = t->d->stream && s->k->shape->streaming;
  for (int i = 0; i < s->k->noutput; i++) {
    const ik_view *v = &t->view[s->s->out[i]];
    bool           rows = s->hi[IK_ROW] - s->lo[IK_ROW] > 1;
    if (s->k->shape->output[i].streaming) aligned = aligned && !(rows && v->row % 64);
  }
  return aligned;
}

static ik_tile_code code_of(const ik_tile *t, int kernel) {
  return (ik_tile_code){.k = &t->p->kernel[kernel],
                        .all = t->d->kernel[2 * kernel],
                        .one = t->d->kernel[2 * kernel + 1]};
}

const ik_tile *ik_tile_prefetched(const ik_tile *t, const ik_pipe_kernel *k, int i) {
  return k->shape->prefetch.in_turns && !k->shape->prefetch.of[i].own && t->d->first
             ? t->d->first->tile
             : t;
}

/* Of a kernel that prefetches lines as they follow each other in memory: those of a plane that is
 * read next, of the first step from where the step before this one has left off. */
static void open_lines(const ik_tile *t, const ik_tile_stage *s, int i, int dir, ik_tile_code *c) {
  const ik_prefetched *q = &c->k->shape->prefetch.of[i];
  const ik_tile       *of = ik_tile_prefetched(t, c->k, i);
  const ik_view       *v = &of->view[s->s->prefetch[i]];
  int64_t              lo = ik_max(s->s->lo[IK_ROW], of->lo[IK_ROW]) + q->from;
  int64_t              done = (of == t ? 0 : t->d->part * t->p->tile[IK_ROW]) - s->lo[IK_ROW];
  int                  look = q->next ? 0 : v->b->in_place.reach[IK_STREAM][dir > 0];
  c->prefetch_ahead[i] = dir * (int64_t)(look + c->k->planes);
  if (of != t) c->prefetch_ahead[i] += t->d->first_planes;
  c->prefetch_at[i] = lo * v->stride[IK_ROW] + done * q->pitch * v->bytes;
}

/* What is fetched next when results are made: each step has its rows, planes or part. */
static void open_prefetch(const ik_tile *t, const ik_tile_stage *s, int dir, ik_tile_code *c) {
  const ik_pipe_kernel *k = c->k;
  bool                  has_rows = t->p->axis[IK_ROW] >= 0;
  int                   parts = ik_max_int(k->shape->prefetch.parts, 1);
  int64_t turn = s->s->step / parts, part = s->s->step - turn * k->shape->prefetch.parts;
  int64_t ahead =
      (has_rows ? 0 : turn * k->shape->prefetch.planes) + dir * (int64_t)(s->s->lag + k->planes);
  for (int i = 0; i < k->shape->prefetch.n; i++) {
    const ik_view *v = &t->view[s->s->prefetch[i]];
    int64_t        lanes = s->split + ((s->hi[IK_LANE] - s->split) * part - s->split) / parts;
    c->prefetch_ahead[i] = ahead;
    c->prefetch_at[i] = (has_rows ? turn * k->shape->prefetch.rows : 0) * v->stride[IK_ROW];
    if (k->shape->prefetch.of[i].lines) open_lines(t, s, i, dir, c);
    if (k->shape->prefetch.parts > 1) c->prefetch_at[i] += lanes * v->bytes;
  }
}

static void open_kernel(const ik_tile *t, ik_tile_stage *s) {
  s->k = &t->p->kernel[s->s->kernel];
  s->code[false] = code_of(t, s->s->kernel);
  s->code[true] = s->s->inside < 0 ? s->code[false] : code_of(t, s->s->inside);
  IK_ASSERT(s->k->noutput * s->k->planes <= IK_TILE_OUTS);
  s->stream = may_stream(t, s);
  for (int i = 0; i < s->k->ninput; i++) s->in_place |= t->view[s->s->in[i]].b->in_place.on;
  open_inner(t, s);
}

/* Along axes that a field is not on there is cell 0 alone; along the stream, all planes are it, and
 * it is fetched where the walk begins. */
static void narrow(const ik_tile *t, ik_tile_stage *s, const ik_view *v, int dir) {
  for (ik_role r = IK_LANE; r <= IK_ROW; r++)
    if (!v->on[r]) s->lo[r] = 0, s->hi[r] = 1;
  if (v->on[IK_STREAM]) return;
  const int *ext = s->s->ext[IK_STREAM];
  s->lo[IK_STREAM] = dir > 0 ? t->lo[IK_STREAM] - ext[0] : t->hi[IK_STREAM] - 1 + ext[1];
  s->hi[IK_STREAM] = s->lo[IK_STREAM] + 1;
}

/* The rows that the next stage needs to begin with. */
static void cut_heads(const ik_tile *t, ik_tile_stage *s) {
  const ik_pipe_stage *next = s->s + 1;
  int64_t              lo = next->lo[IK_ROW], hi = next->hi[IK_ROW];
  cut(t, next, IK_ROW, &lo, &hi);
  s->hi[IK_ROW] = ik_min(s->hi[IK_ROW], lo + t->p->kernel[next->kernel].rows_ahead);
}

static void set_range(const ik_tile *t, ik_tile_stage *s, const ik_pipe_stage *from, int dir) {
  for (ik_role r = 0; r < IK_NROLES; r++) {
    s->lo[r] = from->lo[r], s->hi[r] = from->hi[r];
    cut(t, from, r, &s->lo[r], &s->hi[r]);
  }
  if (from->kind == IK_STAGE_FETCH) narrow(t, s, &t->view[from->out[0]], dir);
  if (from->kind == IK_STAGE_SPOTS) complete(t, s, &t->view[from->in[0]], s->lo, s->hi);
  if (from->first_rows) cut_heads(t, s);
  s->idle = is_empty(s->lo, s->hi) ||
            (from->kind == IK_STAGE_FETCH && is_elsewhere(t, &t->view[from->out[0]]));
  s->begin = s->idle ? t->lo[IK_STREAM] : s->lo[IK_STREAM];
  s->end = s->idle ? t->lo[IK_STREAM] : s->hi[IK_STREAM];
}

/* Along lanes, a stage whose results stay in rings does whole vectors: what it computes beyond what
 * is needed is not read by anyone, and rows begin where cache lines do. */
static void widen(const ik_tile *t, ik_tile_stage *s) {
  if (t->d->exact) return;
  for (int i = 0; i < (s->k ? s->k->noutput : 1); i++)
    if (!t->view[s->s->out[i]].b->ring || !t->view[s->s->out[i]].on[IK_LANE]) return;
  int64_t lo = s->lo[IK_LANE] - ik_tile_mod(s->lo[IK_LANE], LINE);
  int64_t hi = s->hi[IK_LANE] + ik_tile_mod(-s->hi[IK_LANE], LINE);
  int64_t first = t->lo[IK_LANE] - t->p->before[IK_LANE];
  if (!s->s->loose) lo = ik_max(lo, s->s->lo[IK_LANE]), hi = ik_min(hi, s->s->hi[IK_LANE]);
  s->lo[IK_LANE] = ik_max(lo, first);
  s->hi[IK_LANE] = ik_min(hi, first + t->p->pitch);
}

/* Long rows that begin in the middle of a cache line: the rest of it first.  Whole vectors begin
 * with one. */
static void set_split(ik_tile_stage *s) {
  enum { LONG = 8 * LINE };
  int64_t at = s->lo[IK_LANE] + ik_tile_mod(-s->lo[IK_LANE], LINE);
  bool    in_turn = s->k && s->k->shape->lanes == 1;
  s->split = s->hi[IK_LANE] - at >= LONG && !in_turn ? at : s->lo[IK_LANE];
  if (s->k && s->k->shape->row.whole) s->split = ik_min(at, s->w1);
}

/* Vectors at the ends of rows: of the lines that have results, or of what the stage before has
 * begun with and this one goes on with. */
static void set_vectors(const ik_tile *t, ik_tile_stage *s) {
  const ik_tile_stage *ahead = s->k->nahead ? s - 1 : s;
  s->w0 = ahead->lo[IK_LANE] - ik_tile_mod(ahead->lo[IK_LANE], s->k->shape->lanes);
  s->w1 = ahead->hi[IK_LANE] + ik_tile_mod(-ahead->hi[IK_LANE], s->k->shape->lanes);
  s->remainder =
      t->d->remainder && s->lo[IK_LANE] == s->s->lo[IK_LANE] && s->hi[IK_LANE] == s->s->hi[IK_LANE];
}

static void open_stage(ik_tile *t, ik_tile_stage *s, const ik_pipe_stage *from, int dir) {
  *s = (ik_tile_stage){.s = from, .lag = from->lag, .kind = from->kind, .halo = t->halo + t->nhalo};
  set_range(t, s, from, dir);
  if (from->kind == IK_STAGE_KERNEL) open_kernel(t, s);
  if (from->kind == IK_STAGE_KERNEL || from->kind == IK_STAGE_FETCH) widen(t, s);
  if (s->k && s->k->shape->row.whole) set_vectors(t, s);
  set_split(s);
  for (int i = 0; s->k && i < 2; i++) open_prefetch(t, s, dir, &s->code[i]);
  for (int i = 0; i < from->ndone; i++) {
    const ik_view *v = &t->view[from->done[i]];
    if (v->b->ring && !is_elsewhere(t, v)) open_halo(t, s, v);
  }
}

void ik_tile_open_phase(ik_tile *t, const ik_pipe_phase *ph) {
  t->nhalo = t->ncell = 0;
  t->inner_lo = INT64_MIN / 2, t->inner_hi = INT64_MAX / 2;
  t->results[0] = INT64_MAX, t->results[1] = INT64_MIN;
  for (int i = 0; i < ph->nstage; i++) {
    const ik_tile_stage *s = &t->stage[i];
    open_stage(t, &t->stage[i], &ph->stage[i], ph->dir);
    if (!s->in_place || t->padded) continue;
    t->inner_lo = ik_max(t->inner_lo, s->inner_lo), t->inner_hi = ik_min(t->inner_hi, s->inner_hi);
    t->results[0] = ik_min(t->results[0], s->lo[IK_LANE]);
    t->results[1] = ik_max(t->results[1], s->hi[IK_LANE]);
  }
}
