#include "lower/schedule.h"
#include "base/least.h"

static int64_t ceil_div(int64_t a, int64_t b) { return (a + b - 1) / b; }

static int outer(const ik_schedule *s) { return s->ndim - 1; }

static bool is_cut(const ik_schedule_axis *a) { return a->width && a->width < a->hi - a->lo; }

bool ik_schedule_has_slabs(const ik_schedule *s) {
  const ik_schedule_axis *a = &s->axis[outer(s)];
  return s->kind == IK_SCHEDULE_SKEW && s->place && s->ndim > 1 && !is_cut(a) && !a->wraps &&
         is_cut(a - 1) && s->band * s->nsub <= IK_SCHEDULE_BAND;
}

/* The axis that tiles are apart along. */
static int apart(const ik_schedule *s) {
  return ik_schedule_has_slabs(s) ? outer(s) - 1 : outer(s);
}

const char *ik_schedule_illegal(const ik_schedule *s) {
  for (int d = 0; d < s->ndim; d++) {
    const ik_schedule_axis *a = &s->axis[d];
    if (!a->wraps || !is_cut(a)) continue;
    if (d != outer(s)) return "a periodic axis cannot be cut into skewed tiles";
    if (s->kind != IK_SCHEDULE_HEX) return "the outermost axis is periodic";
  }
  return NULL;
}

/* ---- how far edges move ---- */

/* Along a slab, by whole places. */
static void sum_shifts(ik_schedule *s, int d) {
  const int *reach = s->axis[d].reach;
  int64_t    unit = d == outer(s) && ik_schedule_has_slabs(s) ? s->place : 1;
  s->shift[d][0] = 0;
  for (int i = 0; i < s->nsub; i++) {
    int64_t moved = ik_max(reach[i], reach[(i + 1) % s->nsub]);
    s->shift[d][i + 1] = s->shift[d][i] + ceil_div(moved, unit) * unit;
  }
}

/* From a sub-step that is the first of its step to the n-th after it. */
static int64_t shift(const ik_schedule *s, int d, int64_t n) {
  return n / s->nsub * s->shift[d][s->nsub] + s->shift[d][n % s->nsub];
}

static int64_t band_subs(const ik_schedule *s) { return s->band * s->nsub; }
static int64_t bands(const ik_schedule *s) { return ceil_div(s->steps, s->band); }

/* ---- hexagons ---- */

/* How far an edge moves in a band. */
static int64_t swing(const ik_schedule *s) { return shift(s, outer(s), band_subs(s) - 1); }

/* Cells of the narrow ends of all tiles together, if there are n. */
static int64_t flats(const ik_schedule *s, int64_t n) {
  const ik_schedule_axis *a = &s->axis[outer(s)];
  return a->hi - a->lo - (a->wraps ? n : n - 1) * swing(s);
}

/* Tiles of about the width asked for, none of which is too narrow: between two tiles of a row there
 * is at least what the last sub-step of a band and the first of the next reach. */
static int64_t count_hexagons(const ik_schedule *s) {
  int                     d = outer(s);
  const ik_schedule_axis *a = &s->axis[d];
  int64_t                 n = a->width ? (a->hi - a->lo) / a->width : 1;
  int64_t                 least = ik_max(shift(s, d, s->nsub) - shift(s, d, s->nsub - 1), 1);
  int64_t                 most = (a->hi - a->lo + (a->wraps ? 0 : swing(s))) / (least + swing(s));
  n = ik_min(n, most);
  if (a->wraps) n -= n % 2;
  return ik_max(n, 1);
}

/* The edge between tiles i-1 and i when the even ones are widest. */
static int64_t edge_at_rest(const ik_schedule *s, int64_t i) {
  const ik_schedule_axis *a = &s->axis[outer(s)];
  int64_t                 sides = (i + 1) / 2 * 2 - !a->wraps; /* of even tiles below that move */
  return a->lo + i * flats(s, s->tiles) / s->tiles + sides * swing(s);
}

/* Ends that do not wrap stay where they are. */
static int64_t hex_edge(const ik_schedule *s, int64_t i, int64_t sub) {
  const ik_schedule_axis *a = &s->axis[outer(s)];
  bool                    ring = a->wraps && s->tiles > 1;
  int64_t                 n = band_subs(s), moved = shift(s, outer(s), sub % n);
  if (!ring && i == 0) return a->lo;
  if (!ring && i == s->tiles) return a->hi;
  if (sub / n % 2) moved = swing(s) - moved;
  return edge_at_rest(s, i) + (i % 2 ? -moved : moved);
}

/* ---- parallelograms ---- */

/* Of n sub-steps along axis d. */
static int64_t count_skewed(const ik_schedule *s, int d, int64_t subs) {
  const ik_schedule_axis *a = &s->axis[d];
  if (!is_cut(a)) return 1;
  return ceil_div(a->hi - a->lo + shift(s, d, subs - 1), a->width);
}

/* The low edge of one of n. */
static int64_t skewed_edge(const ik_schedule *s, int d, int64_t i, int64_t n, int64_t sub) {
  const ik_schedule_axis *a = &s->axis[d];
  if (i == 0) return a->lo;
  if (i == n) return a->hi;
  return ik_max(a->lo, ik_min(a->hi, a->lo + i * a->width - shift(s, d, sub)));
}

/* Tiles as wide as a band leans, the step to the next band included. */
static int64_t lean(const ik_schedule *s) {
  int d = apart(s);
  return s->tiles > 1 ? ceil_div(shift(s, d, band_subs(s)), s->axis[d].width) : 0;
}

/* ---- a tile ---- */

typedef struct tile {
  const ik_schedule *s;
  int64_t            index;      /* along the outermost axis */
  int64_t            begin, end; /* sub-steps */
  void (*f)(void *ctx, const ik_schedule_box *b);
  void *ctx;
} tile;

static void outer_range(const tile *t, int64_t sub, int64_t *lo, int64_t *hi) {
  const ik_schedule *s = t->s;
  if (s->kind == IK_SCHEDULE_HEX) {
    *lo = hex_edge(s, t->index, sub);
    *hi = hex_edge(s, t->index + 1, sub);
  } else {
    *lo = skewed_edge(s, outer(s), t->index, s->tiles, sub - t->begin);
    *hi = skewed_edge(s, outer(s), t->index + 1, s->tiles, sub - t->begin);
  }
}

static ik_schedule_box whole_box(const ik_schedule *s) {
  ik_schedule_box b = {0};
  for (int d = 0; d < IK_MAX_DIM; d++) {
    b.lo[d] = d < s->ndim ? s->axis[d].lo : 0;
    b.hi[d] = d < s->ndim ? s->axis[d].hi : 1;
  }
  return b;
}

static bool is_empty(const ik_schedule *s, const ik_schedule_box *b) {
  for (int d = 0; d < s->ndim; d++)
    if (b->lo[d] >= b->hi[d]) return true;
  return false;
}

static void set_sub(const ik_schedule *s, int64_t sub, ik_schedule_box *b) {
  b->step = sub / s->nsub, b->sub = (int)(sub % s->nsub);
}

static void visit(const tile *t, ik_schedule_box *b, int64_t lo, int64_t hi) {
  int d = outer(t->s);
  b->lo[d] = lo, b->hi[d] = hi;
  if (!is_empty(t->s, b)) t->f(t->ctx, b);
}

/* What lies beyond the end of an axis that wraps is at its other end; of others nothing does. */
static void visit_sub(const tile *t, ik_schedule_box *b, int64_t sub) {
  const ik_schedule_axis *a = &t->s->axis[outer(t->s)];
  int64_t                 lo, hi;
  set_sub(t->s, sub, b);
  outer_range(t, sub, &lo, &hi);
  visit(t, b, lo, ik_min(hi, a->hi));
  visit(t, b, ik_max(lo - (a->hi - a->lo), a->lo), hi - (a->hi - a->lo));
}

static void visit_tile(const tile *t) {
  const ik_schedule *s = t->s;
  int                inner = s->ndim - 2;
  ik_schedule_box    b = whole_box(s);
  int64_t            n = inner < 0 ? 1 : count_skewed(s, inner, t->end - t->begin);
  for (int64_t i = 0; i < n; i++)
    for (int64_t sub = t->begin; sub < t->end; sub++) {
      if (inner >= 0) {
        b.lo[inner] = skewed_edge(s, inner, i, n, sub - t->begin);
        b.hi[inner] = skewed_edge(s, inner, i + 1, n, sub - t->begin);
      }
      visit_sub(t, &b, sub);
    }
}

/* ---- all of it ---- */

void ik_schedule_init(ik_schedule *s) {
  IK_ASSERT(s->nsub >= 1 && s->nsub <= IK_SCHEDULE_SUBS && s->band >= 1);
  IK_ASSERT(!ik_schedule_illegal(s));
  for (int d = 0; d < s->ndim; d++) sum_shifts(s, d);
  s->tiles =
      s->kind == IK_SCHEDULE_HEX ? count_hexagons(s) : count_skewed(s, apart(s), band_subs(s));
}

int64_t ik_schedule_fronts(const ik_schedule *s) {
  if (!s->steps) return 0;
  if (s->kind == IK_SCHEDULE_HEX) return bands(s) + (s->tiles > 1);
  return s->tiles + (bands(s) - 1) * (lean(s) + 1);
}

/* SKEW: the first and last band of a front that have a tile there. */
static void front_bands(const ik_schedule *s, int64_t front, int64_t *first, int64_t *last) {
  int64_t apart = lean(s) + 1;
  *first = front < s->tiles ? 0 : ceil_div(front - s->tiles + 1, apart);
  *last = ik_min(front / apart, bands(s) - 1);
}

int64_t ik_schedule_tiles(const ik_schedule *s, int64_t front) {
  int64_t first, last;
  if (s->kind == IK_SCHEDULE_HEX)
    return s->tiles == 1 ? 1 : front % 2 ? s->tiles / 2 : (s->tiles + 1) / 2;
  front_bands(s, front, &first, &last);
  return last - first + 1;
}

void ik_schedule_visit(const ik_schedule *s, int64_t front, int64_t number,
                       void (*f)(void *ctx, const ik_schedule_box *b), void *ctx) {
  int64_t n = band_subs(s), all = s->steps * s->nsub, first, last;
  tile    t = {.s = s, .f = f, .ctx = ctx};
  if (s->kind == IK_SCHEDULE_HEX && s->tiles > 1) {
    t.index = 2 * number + front % 2;
    t.begin = ik_max(front - 1, 0) * n, t.end = ik_min((front + 1) * n, all);
  } else if (s->kind == IK_SCHEDULE_HEX) {
    t.begin = front * n, t.end = ik_min(t.begin + n, all);
  } else {
    front_bands(s, front, &first, &last);
    t.index = front - (last - number) * (lean(s) + 1);
    t.begin = (last - number) * n, t.end = ik_min(t.begin + n, all);
  }
  visit_tile(&t);
}

/* ---- slabs ---- */

int64_t ik_schedule_slabs(const ik_schedule *s) { return bands(s) * s->tiles; }

int64_t ik_schedule_places(const ik_schedule *s) {
  const ik_schedule_axis *a = &s->axis[outer(s)];
  return ceil_div(a->hi - a->lo + shift(s, outer(s), band_subs(s) - 1), s->place);
}

void ik_schedule_subs(const ik_schedule *s, int64_t slab, int64_t *begin, int64_t *end) {
  *begin = slab / s->tiles * band_subs(s);
  *end = ik_min(*begin + band_subs(s), s->steps * s->nsub);
}

int64_t ik_schedule_behind(const ik_schedule *s, int64_t sub) { return shift(s, outer(s), sub); }

static int64_t within(const ik_schedule_axis *a, int64_t x) {
  return ik_max(a->lo, ik_min(a->hi, x));
}

bool ik_schedule_box_at(const ik_schedule *s, int64_t slab, int64_t sub, int64_t place,
                        ik_schedule_box *b) {
  int                     d = apart(s), along = outer(s);
  const ik_schedule_axis *a = &s->axis[along];
  int64_t                 i = slab % s->tiles, behind = sub - slab / s->tiles * band_subs(s);
  *b = whole_box(s);
  set_sub(s, sub, b);
  b->lo[d] = skewed_edge(s, d, i, s->tiles, behind);
  b->hi[d] = skewed_edge(s, d, i + 1, s->tiles, behind);
  if (place >= 0) {
    int64_t at = a->lo + place * s->place - shift(s, along, behind);
    b->lo[along] = within(a, at), b->hi[along] = within(a, at + s->place);
  }
  return !is_empty(s, b);
}

int ik_schedule_waits(const ik_schedule *s, int64_t slab, int64_t place, ik_schedule_wait out[2]) {
  int64_t band = slab / s->tiles, i = slab % s->tiles;
  int64_t ahead = shift(s, outer(s), band_subs(s)) / s->place;
  int     n = 0;
  if (i) out[n++] = (ik_schedule_wait){slab - 1, ik_min(place + 2, ik_schedule_places(s))};
  if (band)
    out[n++] = (ik_schedule_wait){(band - 1) * s->tiles + ik_min(i + lean(s), s->tiles - 1),
                                  ik_min(place + 1 + ahead, ik_schedule_places(s))};
  return n;
}
