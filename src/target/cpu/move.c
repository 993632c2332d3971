/* Planes between memory and rings, and sources. */
#include "base/least.h"
#include "target/cpu/clones.h"
#include "target/cpu/tile.h"
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

enum { LINE = 64 };

/* ---- copies ---- */

typedef uint64_t line __attribute__((vector_size(LINE), aligned(1), may_alias));

/* Copies a row while the one that will be needed next comes closer, from `next`: nothing if that is
 * the row itself. */
IK_BY_PROCESSOR static void copy_row(char *to, const char *from, const char *next, int64_t n) {
  if (next == from) {
    memcpy(to, from, (size_t)n);
    return;
  }
  int64_t i = 0;
  for (; i + LINE <= n; i += LINE) {
    *(line *)(to + i) = *(const line *)(from + i);
    __builtin_prefetch(next + i, 0, 2);
  }
  memcpy(to + i, from + i, (size_t)(n - i));
}

#ifdef __SSE2__
/* Whole lines, past the caches: what is left at the ends goes the usual way. */
static void copy_past(char *to, const char *from, size_t n) {
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
static void copy_past(char *to, const char *from, size_t n) { memcpy(to, from, n); }
void        ik_move_fence(void) {}
#endif

/* ---- fetch ---- */

/* An index in memory: images along virtual axes are not there. */
static int64_t home(const ik_view *v, ik_role r, int64_t i) {
  return v->on[r] && v->b->edge[r] == IK_EDGE_VIRTUAL ? ik_view_wrap(v, r, i) : i;
}

/* `jump` bytes behind a row is the one that is fetched next. */
static void fetch_cells(const ik_view *v, int64_t x, int64_t end, const char *from, char *to,
                        int64_t jump) {
  for (int64_t n; x < end; x += n) {
    const char *source = from + home(v, IK_LANE, x) * v->bytes;
    n = end - x;
    if (n > v->hi[IK_LANE] - home(v, IK_LANE, x)) n = v->hi[IK_LANE] - home(v, IK_LANE, x);
    copy_row(to + x * v->bytes, source, source + jump, n * v->bytes);
  }
}

typedef struct ends {  /* of rows: as far as kernels look there, and a vector more */
  int64_t left, right; /* cells from lo to left, and from right to hi */
  int     lines;       /* > 0: both ends are in so many lines, from lo on and up to hi */
} ends;

static ends find_ends(const ik_tile *t, const ik_tile_stage *s, const ik_view *v) {
  enum { FEW = 2 };
  int64_t lo = s->lo[IK_LANE], hi = s->hi[IK_LANE];
  ends    e = {t->inside_lo[IK_LANE] + v->b->look[IK_LANE][1] + t->grain,
               t->inside_hi[IK_LANE] - v->b->look[IK_LANE][0] - t->grain, 0};
  if (e.left >= e.right) e.left = e.right = hi;
  e.left = ik_min(e.left, hi), e.right = ik_max(e.right, lo);
  int64_t most = ik_max(e.left - lo, hi - e.right) * v->bytes, n = (most + LINE - 1) / LINE;
  bool    inside = lo >= v->lo[IK_LANE] && hi <= v->hi[IK_LANE] && (hi - lo) * v->bytes >= n * LINE;
  if (n > 0 && n <= FEW && inside) e.lines = (int)n;
  return e;
}

static inline void copy_line(char *to, const char *from) { *(line *)to = *(const line *)from; }

/* No hardware looks ahead from the end of one row to that of the next. */
static void fetch_ends(const ik_tile_stage *s, const ik_view *v, const ends *e, const char *from,
                       char *to, int64_t jump) {
  int64_t lo = s->lo[IK_LANE], hi = s->hi[IK_LANE], first = lo * v->bytes, last = hi * v->bytes;
  for (int i = 0; i < e->lines; i++) {
    copy_line(to + first + i * LINE, from + first + i * LINE);
    copy_line(to + last - (i + 1) * LINE, from + last - (i + 1) * LINE);
    __builtin_prefetch(from + first + i * LINE + jump, 0, 2);
    __builtin_prefetch(from + last - (i + 1) * LINE + jump, 0, 2);
  }
  if (e->lines) return;
  fetch_cells(v, lo, e->left, from, to, 0);
  fetch_cells(v, e->right, hi, from, to, 0);
}

/* Is the plane or row i near a face?  Those that results there read, and those that stand for what
 * lies beyond, are read in the ring. */
static bool is_near(const ik_view *v, ik_role r, int64_t i, int64_t lo, int64_t hi) {
  const int *look = v->b->look[r], *halo = v->b->halo[r];
  int        far = ik_max_int(ik_max_int(look[0], look[1]), ik_max_int(halo[0], halo[1])) + 1;
  return v->on[r] && (i < lo + far || i >= hi - far);
}

/* Is all of plane z copied? */
static bool is_whole(const ik_tile *t, const ik_view *v, int64_t z) {
  bool nothing = t->inside_lo[IK_LANE] == t->inside_hi[IK_LANE];
  return !v->b->apart || nothing || is_near(v, IK_STREAM, z, t->inner_lo, t->inner_hi);
}

const char *ik_move_source(const ik_view *v, int64_t z) {
  int64_t at = home(v, IK_STREAM, z);
  return v->memory +
         ik_max(v->lo[IK_STREAM], ik_min(at, v->hi[IK_STREAM] - 1)) * v->stride[IK_STREAM];
}

void ik_move_fetch(const ik_tile *t, const ik_tile_stage *s, int64_t z, int64_t next) {
  const ik_view *v = &t->view[s->s->out[0]];
  const char    *from = ik_move_source(v, z);
  char          *to = ik_view_plane(v, z);
  bool    whole = is_whole(t, v, z), exists = next >= s->lo[IK_STREAM] && next < s->hi[IK_STREAM];
  int64_t jump = exists ? ik_move_source(v, next) - from : 0;
  ends    e = v->b->apart ? find_ends(t, s, v) : (ends){0};
  for (int64_t y = s->lo[IK_ROW]; y < s->hi[IK_ROW]; y++) {
    bool        asked = s->s->asked && y >= t->lo[IK_ROW] && y < t->hi[IK_ROW];
    const char *source = from + home(v, IK_ROW, y) * v->stride[IK_ROW];
    if (whole || is_near(v, IK_ROW, y, t->inside_lo[IK_ROW], t->inside_hi[IK_ROW]))
      fetch_cells(v, s->lo[IK_LANE], s->hi[IK_LANE], source, to + y * v->row, asked ? 0 : jump);
    else
      fetch_ends(s, v, &e, source, to + y * v->row, jump);
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
      copy_past(to + y * v->stride[IK_ROW], from + y * v->row, n);
    else
      memcpy(to + y * v->stride[IK_ROW], from + y * v->row, n);
  }
}

/* ---- sources ---- */

/* The first image of a tap from `lo` on; only virtual axes have more than the tap itself. */
static int64_t first_image(const ik_view *v, ik_role r, int64_t at, int64_t lo, int64_t *period) {
  int64_t n = v->hi[r] - v->lo[r];
  bool    images = v->on[r] && v->b->edge[r] == IK_EDGE_VIRTUAL;
  *period = images ? n : INT64_MAX / 4;
  if (images) return lo + ik_tile_mod(at - lo, n);
  return at >= lo ? at : INT64_MAX / 2;
}

static void add(const ik_view *v, int64_t x, int64_t y, int64_t z, double amount) {
  char  *at = ik_view_plane(v, z) + y * v->row + x * v->bytes;
  double sum;
  ik_state_load_row(v->b->type, at, 0, 1, &sum);
  sum = ik_type_round(v->b->type, sum + amount);
  ik_state_store_row(v->b->type, at, 0, 1, &sum);
}

static void inject_tap(const ik_tile *t, const ik_tile_stage *s, const ik_tap *tap,
                       const int64_t planes[2], double amount) {
  const ik_view *v = &t->view[s->s->in[0]];
  const int64_t  lo[IK_NROLES] = {s->lo[IK_LANE], s->lo[IK_ROW], planes[0]};
  const int64_t  hi[IK_NROLES] = {s->hi[IK_LANE], s->hi[IK_ROW], planes[1]};
  int64_t        at[IK_NROLES], step[IK_NROLES];
  for (ik_role r = 0; r < IK_NROLES; r++) {
    int64_t i = v->on[r] ? tap->at[t->p->axis[r]] : 0;
    at[r] = first_image(v, r, i, lo[r], &step[r]);
  }
  for (int64_t z = at[IK_STREAM]; z < hi[IK_STREAM]; z += step[IK_STREAM])
    for (int64_t y = at[IK_ROW]; y < hi[IK_ROW]; y += step[IK_ROW])
      for (int64_t x = at[IK_LANE]; x < hi[IK_LANE]; x += step[IK_LANE]) add(v, x, y, z, amount);
}

void ik_move_inject(const ik_tile *t, const ik_tile_stage *s, int64_t z0, int64_t z1) {
  const ik_ir  *ir = t->d->ir;
  const int64_t planes[2] = {z0, z1};
  int64_t       total = 0, tap = 0;
  for (int j = 0; j < ir->ninject; j++) total += ir->inject[j].ntap;
  for (int j = 0; j < ir->ninject; j++) {
    const ik_inject *from = &ir->inject[j];
    for (int k = 0; k < from->ntap; k++, tap++)
      if (from->field == t->p->buffer[s->s->in[0]].field)
        inject_tap(t, s, &from->tap[k], planes, t->d->inject[s->s->step * total + tap]);
  }
}
