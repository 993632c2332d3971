/* Planes between memory and rings, and sources. */
#include "base/least.h"
#include "targets/cpu/clones.h"
#include "targets/cpu/tile.h"
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

enum { LINE = 64 };

/* ---- copies ---- */

typedef uint64_t line __attribute__((vector_size(LINE), aligned(1), may_alias));
typedef uint64_t part __attribute__((vector_size(LINE / 4), aligned(1), may_alias));

/* Where a line has no register, and no clone of a function has one, a compiler takes it apart into
 * words. */
static inline __attribute__((always_inline)) void copy_line(char *to, const char *from) {
#ifdef __x86_64__
  *(line *)to = *(const line *)from;
#else
  for (int k = 0; k < 4; k++) ((part *)to)[k] = ((const part *)from)[k];
#endif
}

typedef struct rows { /* to copy */
  char       *to;
  const char *from;
  int64_t     n;           /* rows */
  int64_t     bytes;       /* of a row */
  int64_t     pitch, leap; /* from row to row: of what is copied to, and from */
} rows;

IK_BY_PROCESSOR static void copy_rows(const rows *r) {
  char       *to = r->to;
  const char *from = r->from;
  int64_t     whole = r->bytes / LINE * LINE;
  for (int64_t y = 0; y < r->n; y++, to += r->pitch, from += r->leap) {
    for (int64_t i = 0; i < whole; i += LINE) copy_line(to + i, from + i);
    if (whole < r->bytes) memcpy(to + whole, from + whole, (size_t)(r->bytes - whole));
  }
}

#ifdef __SSE2__
/* Whole lines, past the caches: what is left at the ends goes the usual way. */
static void copy_streaming(char *to, const char *from, size_t n) {
  size_t head = -(uintptr_t)to % LINE;
  if (head > n) head = n;
  memcpy(to, from, head);
  size_t i = head;
  for (; i + LINE <= n; i += LINE)
    for (size_t k = i; k < i + LINE; k += sizeof(__m128i))
      _mm_stream_si128((__m128i *)(to + k), _mm_loadu_si128((const __m128i *)(from + k)));
  memcpy(to + i, from + i, n - i);
}
void ik_move_fence(void) { _mm_sfence(); }
#else
static void copy_streaming(char *to, const char *from, size_t n) { memcpy(to, from, n); }
void ik_move_fence(void) {}
#endif

/* ---- fetch ---- */

/* An index in memory: images along virtual axes are not there. */
static int64_t home(const ik_view *v, ik_role r, int64_t i) {
  return v->on[r] && v->b->edge[r] == IK_EDGE_VIRTUAL ? ik_view_wrap(v, r, i) : i;
}

/* Cells x to end of rows whose cell 0 is at the places that `r` says. */
static void fetch_cells(const ik_view *v, int64_t x, int64_t end, const rows *r) {
  for (int64_t n; x < end; x += n) {
    int64_t at = home(v, IK_LANE, x);
    rows    q = *r;
    n = ik_min(end - x, v->hi[IK_LANE] - at);
    q.to += x * v->bytes, q.from += at * v->bytes, q.bytes = n * v->bytes;
    copy_rows(&q);
  }
}

/* Do kernels read arrays for all results of a row, from its first to its last? */
static bool are_rows_inside(const ik_tile *t) {
  return t->inside_lo[IK_LANE] <= t->results[0] && t->inside_hi[IK_LANE] >= t->results[1];
}

/* As far as kernels look there, and a vector more. */
static void fetch_ends(const ik_tile *t, const ik_tile_stage *s, const ik_view *v, const rows *r) {
  if (are_rows_inside(t)) return;
  int64_t lo = s->lo[IK_LANE], hi = s->hi[IK_LANE];
  int64_t left = t->inside_lo[IK_LANE] + v->b->in_place.reach[IK_LANE][1] + t->grain;
  int64_t right = t->inside_hi[IK_LANE] - v->b->in_place.reach[IK_LANE][0] - t->grain;
  if (left >= right) left = right = hi;
  fetch_cells(v, lo, ik_max(lo, ik_min(left, hi)), r);
  fetch_cells(v, ik_min(hi, ik_max(right, lo)), hi, r);
}

/* How many planes or rows are near a face: those that results there read, and those that stand for
 * what lies beyond, are read in the ring. */
static int64_t near(const ik_view *v, ik_role r) {
  const int *look = v->b->in_place.reach[r], *halo = v->b->halo[r];
  return ik_max_int(ik_max_int(look[0], look[1]), ik_max_int(halo[0], halo[1])) + 1;
}

static bool is_near(const ik_view *v, ik_role r, int64_t i, int64_t lo, int64_t hi) {
  return v->on[r] && (i < lo + near(v, r) || i >= hi - near(v, r));
}

/* Is all of plane z copied? */
static bool is_whole(const ik_tile *t, const ik_view *v, int64_t z) {
  bool nothing = t->inside_lo[IK_LANE] == t->inside_hi[IK_LANE];
  return !v->b->in_place.on || nothing || is_near(v, IK_STREAM, z, t->inner_lo, t->inner_hi);
}

const char *ik_move_source(const ik_view *v, int64_t z) {
  int64_t at = home(v, IK_STREAM, z);
  return v->memory +
         ik_max(v->lo[IK_STREAM], ik_min(at, v->hi[IK_STREAM] - 1)) * v->stride[IK_STREAM];
}

/* The row after those, from y on, that are fetched as row y is. */
static int64_t alike(const ik_tile *t, const ik_tile_stage *s, const ik_view *v, int64_t y) {
  const int64_t turn[] = {t->inside_lo[IK_ROW] + near(v, IK_ROW),
                          t->inside_hi[IK_ROW] - near(v, IK_ROW)};
  int64_t       end = s->hi[IK_ROW];
  for (int i = 0; i < 2; i++)
    if (turn[i] > y && turn[i] < end) end = turn[i];
  return home(v, IK_ROW, end - 1) - home(v, IK_ROW, y) == end - 1 - y
             ? end
             : y + v->hi[IK_ROW] - home(v, IK_ROW, y);
}

void ik_move_fetch(const ik_tile *t, const ik_tile_stage *s, int64_t z) {
  const ik_view *v = &t->view[s->s->out[0]];
  const char    *from = ik_move_source(v, z);
  char          *to = ik_view_plane(v, z);
  bool           whole = is_whole(t, v, z);
  for (int64_t y = s->lo[IK_ROW], end; y < s->hi[IK_ROW]; y = end) {
    rows r = {.to = to + y * v->row, .pitch = v->row, .leap = v->stride[IK_ROW]};
    end = alike(t, s, v, y);
    r.from = from + home(v, IK_ROW, y) * v->stride[IK_ROW], r.n = end - y;
    if (whole || is_near(v, IK_ROW, y, t->inside_lo[IK_ROW], t->inside_hi[IK_ROW]))
      fetch_cells(v, s->lo[IK_LANE], s->hi[IK_LANE], &r);
    else
      fetch_ends(t, s, v, &r);
  }
}

/* ---- store ---- */

void ik_move_store(const ik_tile *t, const ik_tile_stage *s, int64_t z) {
  const ik_view *v = &t->view[s->s->in[0]];
  int64_t        x = s->lo[IK_LANE] * v->bytes;
  size_t         n = (size_t)((s->hi[IK_LANE] - s->lo[IK_LANE]) * v->bytes);
  const char    *from = ik_view_plane(v, z) + x;
  char          *to = v->memory + z * v->stride[IK_STREAM] + x;
  for (int64_t y = s->lo[IK_ROW]; y < s->hi[IK_ROW]; y++) {
    if (t->d->stream)
      copy_streaming(to + y * v->stride[IK_ROW], from + y * v->row, n);
    else
      memcpy(to + y * v->stride[IK_ROW], from + y * v->row, n);
  }
}

/* ---- sources and receivers ---- */

typedef struct visit { /* of a plane */
  const ik_tile       *t;
  const ik_tile_stage *s;
  const ik_view       *v;
  int64_t              z;
} visit;

/* The first image of its cell, and how far it is to the next; only virtual axes have more than the
 * cell itself. */
static int64_t first_image(const visit *w, const ik_spot *q, ik_role r, int64_t *period) {
  int     axis = w->t->p->axis[r];
  int64_t at = axis < 0 ? 0 : q->at[axis], n = w->v->hi[r] - w->v->lo[r];
  bool    images = w->v->b->edge[r] == IK_EDGE_VIRTUAL;
  *period = images ? n : INT64_MAX / 4;
  return images ? w->s->lo[r] + ik_tile_mod(at - w->s->lo[r], n) : at;
}

static bool is_result(const ik_tile *t, int64_t x, int64_t y, int64_t z) {
  return x >= t->lo[IK_LANE] && x < t->hi[IK_LANE] && y >= t->lo[IK_ROW] && y < t->hi[IK_ROW] &&
         z >= t->lo[IK_STREAM] && z < t->hi[IK_STREAM];
}

/* Wherever the tile has it, sources add to a cell; one tile hears it. */
static void meet(void *ctx, const ik_spot *q) {
  const visit   *w = ctx;
  const ik_view *v = w->v;
  const int64_t *hi = w->s->hi;
  int            step = w->s->s->step;
  double        *row = ik_spots_row(w->t->d->spots, step);
  int64_t        across, down, first = first_image(w, q, IK_LANE, &across);
  if (q->field != v->b->field) return;
  for (int64_t y = first_image(w, q, IK_ROW, &down); y < hi[IK_ROW]; y += down)
    for (int64_t x = first; x < hi[IK_LANE]; x += across)
      if (!q->every || is_result(w->t, x, y, w->z))
        ik_spot_meet(q, v->b->type, ik_view_plane(v, w->z) + y * v->row + x * v->bytes, 0,
                     w->t->d->t + step + 1, row);
}

void ik_move_spots(const ik_tile *t, const ik_tile_stage *s, int64_t z0, int64_t z1) {
  const ik_view *v = &t->view[s->s->in[0]];
  int64_t        lo[IK_MAX_DIM] = {0}, hi[IK_MAX_DIM] = {1, 1, 1};
  for (int64_t z = z0; z < z1; z++) {
    for (ik_role r = 0; r < IK_NROLES; r++) {
      bool images = v->b->edge[r] == IK_EDGE_VIRTUAL;
      int  axis = t->p->axis[r];
      if (axis < 0) continue;
      lo[axis] = images ? v->lo[r] : s->lo[r], hi[axis] = images ? v->hi[r] : s->hi[r];
      if (r == IK_STREAM) lo[axis] = home(v, r, z), hi[axis] = lo[axis] + 1;
    }
    ik_spots_each(t->d->spots, lo, hi, meet, &(visit){t, s, v, z});
  }
}
