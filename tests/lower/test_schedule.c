/* Schedules are played cell by cell: every array remembers which step wrote each cell, and every
 * read must find the one that it would find if whole steps followed each other.  Tiles of a front
 * are interleaved at random, box by box. */
#include "lower/schedule.h"
#include "base/least.h"
#include "base/mem.h"
#include "check.h"
#include <stdlib.h>
#include <string.h>

enum { ARRAYS = 5 };

static uint64_t seed = 1;
static int64_t  draw(int64_t n) {
   seed = seed * 6364136223846793005u + 1442695040888963407u;
   return (int64_t)((seed >> 33) % (uint64_t)n);
}

/* Sub-step p gives field p its new value.  It reads, around the cell, the fields before it at their
 * new value and all others at every level of their history; a field without u' is written in place
 * and read by its own sub-step at the cell alone.  So is the oldest level of a field whose next one
 * takes its place (fold.h). */
typedef struct world {
  ik_schedule s;
  int         history; /* 0: in place */
  bool        folded;
  int64_t     n[IK_MAX_DIM], cells;
  int64_t    *version[IK_SCHEDULE_SUBS][ARRAYS];
  int64_t     wrong, done;
} world;

static int64_t cell_of(const world *w, const int64_t at[IK_MAX_DIM]) {
  int64_t i = 0;
  for (int d = w->s.ndim - 1; d >= 0; d--) i = i * w->n[d] + at[d] - w->s.axis[d].lo;
  return i;
}

static int arrays(const world *w) { return w->history + !w->folded; }

static int64_t *slot(const world *w, int p, int64_t version) {
  int n = arrays(w);
  return w->version[p][w->history ? (version % n + n) % n : 0];
}

/* The cell o away from x; false: there is none. */
static bool move(const world *w, const int64_t x[IK_MAX_DIM], const int o[IK_MAX_DIM],
                 int64_t out[IK_MAX_DIM]) {
  for (int d = 0; d < w->s.ndim; d++) {
    const ik_schedule_axis *a = &w->s.axis[d];
    out[d] = x[d] + o[d];
    if (a->wraps) out[d] = a->lo + ((out[d] - a->lo) % w->n[d] + w->n[d]) % w->n[d];
    if (out[d] < a->lo || out[d] >= a->hi) return false;
  }
  return true;
}

static void check_reads(world *w, int p, int64_t step, const int64_t at[IK_MAX_DIM],
                        const int64_t x[IK_MAX_DIM]) {
  bool here = memcmp(at, x, sizeof(int64_t) * (size_t)w->s.ndim) == 0;
  for (int q = 0; q < w->s.nsub; q++) {
    int64_t newest = q < p ? step + 1 : step;
    if (!w->history && q == p && !here) continue;
    for (int64_t v = newest; v > newest - (w->history ? w->history : 1); v--) {
      bool oldest = v == step + 1 - w->history;
      if (w->folded && (oldest || v > step) && !(q == p && here)) continue;
      w->wrong += slot(w, q, v)[cell_of(w, at)] != v;
    }
  }
}

static void check_cell(world *w, const ik_schedule_box *b, const int64_t x[IK_MAX_DIM]) {
  int r[IK_MAX_DIM] = {0}, o[IK_MAX_DIM];
  for (int d = 0; d < w->s.ndim; d++) r[d] = w->s.axis[d].reach[b->sub];
  for (o[2] = -r[2]; o[2] <= r[2]; o[2]++)
    for (o[1] = -r[1]; o[1] <= r[1]; o[1]++)
      for (o[0] = -r[0]; o[0] <= r[0]; o[0]++) {
        int64_t at[IK_MAX_DIM] = {0};
        if (move(w, x, o, at)) check_reads(w, b->sub, b->step, at, x);
      }
}

/* What is overwritten is the oldest level, or the value itself. */
static void write_cell(world *w, const ik_schedule_box *b, const int64_t x[IK_MAX_DIM]) {
  int64_t *v = &slot(w, b->sub, b->step + 1)[cell_of(w, x)];
  w->wrong += *v != b->step + 1 - arrays(w);
  *v = b->step + 1;
  w->done++;
}

static void each_cell(world *w, const ik_schedule_box *b,
                      void (*f)(world *w, const ik_schedule_box *b, const int64_t x[])) {
  int64_t x[IK_MAX_DIM];
  for (x[2] = b->lo[2]; x[2] < b->hi[2]; x[2]++)
    for (x[1] = b->lo[1]; x[1] < b->hi[1]; x[1]++)
      for (x[0] = b->lo[0]; x[0] < b->hi[0]; x[0]++) f(w, b, x);
}

/* ---- fronts ---- */

typedef struct list {
  ik_schedule_box *box;
  int64_t          n, cap, at;
} list;

static void collect(void *ctx, const ik_schedule_box *b) {
  list *l = ctx;
  if (l->n == l->cap) {
    l->cap = l->cap ? 2 * l->cap : 64;
    ik_schedule_box *more = ik_malloc((size_t)l->cap * sizeof *more);
    if (l->n) memcpy(more, l->box, (size_t)l->n * sizeof *more);
    ik_free(l->box);
    l->box = more;
  }
  l->box[l->n++] = *b;
}

/* So that a thread that has the first ones of every front stays in the same part of memory. */
static void check_numbers(const world *w, const list *tile, int64_t n) {
  int     along = w->s.ndim - 1;
  int64_t last = INT64_MIN;
  for (int64_t i = 0; i < n && !w->s.axis[along].wraps; i++) {
    if (!tile[i].n) continue;
    CHECK(tile[i].box[0].lo[along] > last);
    last = tile[i].box[0].lo[along];
  }
}

static void run_front(world *w, int64_t front) {
  int64_t n = ik_schedule_tiles(&w->s, front), left = n;
  list   *tile = ik_calloc((size_t)n, sizeof *tile);
  for (int64_t i = 0; i < n; i++) ik_schedule_visit(&w->s, front, i, collect, &tile[i]);
  check_numbers(w, tile, n);
  for (int64_t i = 0; i < n; i++) left -= !tile[i].n;
  while (left) {
    list *l = &tile[draw(n)];
    if (l->at == l->n) continue;
    for (int64_t some = 1 + draw(6); some && l->at < l->n; some--, l->at++) {
      each_cell(w, &l->box[l->at], check_cell);
      each_cell(w, &l->box[l->at], write_cell);
    }
    left -= l->at == l->n;
  }
  for (int64_t i = 0; i < n; i++) ik_free(tile[i].box);
  ik_free(tile);
}

/* ---- slabs ---- */

typedef struct walker {
  int64_t slab, place, sub; /* sub: of the place, the next; -1: the place has not begun */
} walker;

static bool may_begin(const world *w, const int64_t *done, const walker *k) {
  ik_schedule_wait wait[2];
  int              n = ik_schedule_waits(&w->s, k->slab, k->place, wait);
  for (int i = 0; i < n; i++) {
    CHECK(wait[i].slab < k->slab);
    if (done[wait[i].slab] < wait[i].places) return false;
  }
  return true;
}

static void next_box(world *w, int64_t *done, walker *k) {
  int64_t         begin, end;
  ik_schedule_box b;
  ik_schedule_subs(&w->s, k->slab, &begin, &end);
  if (k->sub < 0 && !may_begin(w, done, k)) return;
  if (k->sub < 0) k->sub = begin;
  if (ik_schedule_box_at(&w->s, k->slab, k->sub, k->place, &b)) {
    each_cell(w, &b, check_cell);
    each_cell(w, &b, write_cell);
  }
  if (++k->sub < end) return;
  k->sub = -1, k->place++, done[k->slab]++;
}

/* Some walkers, who take the slabs in order.  Returns how many were in work at the same time. */
static int64_t run_slabs(world *w) {
  enum { MOST = 5 };
  int64_t  slabs = ik_schedule_slabs(&w->s), places = ik_schedule_places(&w->s), next = 0, most = 0;
  int64_t *done = ik_calloc((size_t)slabs + 1, sizeof *done);
  int      n = 1 + (int)draw(MOST);
  walker   k[MOST];
  for (int i = 0; i < n; i++) k[i] = (walker){.slab = next++, .sub = -1};
  for (int64_t left = slabs; left;) {
    walker *one = &k[draw(n)];
    int64_t busy = 0;
    if (one->slab >= slabs) continue;
    next_box(w, done, one);
    for (int i = 0; i < n; i++) busy += k[i].slab < slabs && k[i].place > 0;
    most = busy > most ? busy : most;
    if (one->place < places) continue;
    *one = (walker){.slab = next++, .sub = -1};
    left--;
  }
  ik_free(done);
  return most;
}

/* ---- worlds ---- */

static void open_world(world *w) {
  w->cells = 1;
  for (int d = 0; d < w->s.ndim; d++) {
    w->n[d] = w->s.axis[d].hi - w->s.axis[d].lo;
    w->cells *= w->n[d];
  }
  for (int p = 0; p < w->s.nsub; p++)
    for (int v = 0; v < arrays(w); v++) {
      int64_t *a = ik_malloc((size_t)w->cells * sizeof *a);
      int      n = arrays(w);
      for (int64_t i = 0; i < w->cells; i++) a[i] = -v;
      w->version[p][(n - v) % n] = a;
    }
}

static void close_world(world *w) {
  for (int p = 0; p < w->s.nsub; p++)
    for (int v = 0; v < arrays(w); v++) ik_free(w->version[p][v]);
}

static world random_world(ik_schedule_kind kind, int ndim) {
  static const int64_t most[] = {0, 300, 40, 16};
  static const int     subs[] = {1, 1, 1, 2, 3};
  world                w = {.s = {.kind = kind, .ndim = ndim}};
  w.s.nsub = subs[draw(5)], w.s.band = 1 + draw(8), w.s.steps = draw(3 * w.s.band + 3);
  w.history = (int)draw(4);
  w.folded = w.history > 1 && draw(2);
  for (int d = 0; d < ndim; d++) {
    ik_schedule_axis *a = &w.s.axis[d];
    a->lo = draw(3) - 1, a->hi = a->lo + 1 + draw(most[ndim]);
    a->width = draw(4) ? 1 + draw(draw(2) ? 8 : most[ndim]) : 0;
    a->wraps = draw(4) == 0;
    int steep = (int)draw(ndim == 3 ? 3 : 5);
    for (int p = 0; p < w.s.nsub; p++) a->reach[p] = draw(2) ? steep : (int)draw(steep + 1);
    if (a->wraps && (d != ndim - 1 || kind != IK_SCHEDULE_HEX)) a->width = 0;
  }
  return w;
}

/* With an outermost axis that is whole, walked along. */
static world random_slabs(int ndim) {
  world w = random_world(IK_SCHEDULE_SKEW, ndim);
  do {
    w = random_world(IK_SCHEDULE_SKEW, ndim);
    w.s.place = 1 + draw(3), w.s.axis[ndim - 1].width = 0;
  } while (!ik_schedule_has_slabs(&w.s));
  return w;
}

static void describe(const world *w) {
  printf("%s, %d sub-steps, %d steps in bands of %d, history %d%s, places of %d\n",
         w->s.kind == IK_SCHEDULE_HEX ? "hex" : "skew", w->s.nsub, (int)w->s.steps, (int)w->s.band,
         w->history, w->folded ? " folded" : "", (int)w->s.place);
  for (int d = 0; d < w->s.ndim; d++) {
    const ik_schedule_axis *a = &w->s.axis[d];
    printf("  %d:%d width %d%s, reach", (int)a->lo, (int)a->hi, (int)a->width,
           a->wraps ? ", wraps" : "");
    for (int p = 0; p < w->s.nsub; p++) printf(" %d", a->reach[p]);
    printf("\n");
  }
}

static int64_t run_fronts(world *w) {
  int64_t widest = 0;
  for (int64_t f = 0; f < ik_schedule_fronts(&w->s); f++) {
    int64_t n = ik_schedule_tiles(&w->s, f);
    widest = n > widest ? n : widest;
    run_front(w, f);
  }
  return widest;
}

/* Returns how many tiles were at the same time at most. */
static int64_t play(world *w) {
  CHECK(!ik_schedule_illegal(&w->s));
  ik_schedule_init(&w->s);
  open_world(w);
  int64_t widest = ik_schedule_has_slabs(&w->s) ? run_slabs(w) : run_fronts(w);
  CHECK_EQ(w->wrong, 0);
  CHECK_EQ(w->done, w->cells * w->s.steps * w->s.nsub);
  if (w->wrong || w->done != w->cells * w->s.steps * w->s.nsub) describe(w);
  close_world(w);
  return widest;
}

static void play_many(ik_schedule_kind kind, int ndim, uint64_t count) {
  int64_t  widest = 0;
  uint64_t n = check_count(count);
  seed = check_seed();
  for (uint64_t i = 0; i < n; i++) {
    world w = random_world(kind, ndim);
    widest = ik_max(widest, play(&w));
  }
  CHECK(widest > 1 || n < count);
}

static void play_slabs(int ndim, uint64_t count) {
  int64_t  most = 0;
  uint64_t n = check_count(count);
  seed = check_seed();
  for (uint64_t i = 0; i < n; i++) {
    world w = random_slabs(ndim);
    most = ik_max(most, play(&w));
  }
  CHECK(most > 2 || n < count);
}

CASE(hexagons_1d) { play_many(IK_SCHEDULE_HEX, 1, 400); }
CASE(hexagons_2d) { play_many(IK_SCHEDULE_HEX, 2, 200); }
CASE(hexagons_3d) { play_many(IK_SCHEDULE_HEX, 3, 60); }
CASE(skewed_1d) { play_many(IK_SCHEDULE_SKEW, 1, 400); }
CASE(skewed_2d) { play_many(IK_SCHEDULE_SKEW, 2, 200); }
CASE(skewed_3d) { play_many(IK_SCHEDULE_SKEW, 3, 60); }
CASE(slabs_2d) { play_slabs(2, 300); }
CASE(slabs_3d) { play_slabs(3, 80); }

/* ---- what they look like ---- */

/* All tiles of a row start together. */
CASE(hexagons_start_together) {
  world w = {.s = {.kind = IK_SCHEDULE_HEX, .ndim = 1, .nsub = 1, .steps = 8, .band = 2}};
  w.s.axis[0] = (ik_schedule_axis){.hi = 60, .width = 15, .reach = {1}};
  w.history = 1;
  CHECK_EQ(play(&w), 2);
  CHECK_EQ(w.s.tiles, 4);
  CHECK_EQ(ik_schedule_fronts(&w.s), 5);
  CHECK_EQ(ik_schedule_tiles(&w.s, 0), 2);
  CHECK_EQ(ik_schedule_tiles(&w.s, 1), 2);
}

CASE(wavefronts_fill_up) {
  world w = {.s = {.kind = IK_SCHEDULE_SKEW, .ndim = 1, .nsub = 1, .steps = 8, .band = 2}};
  w.s.axis[0] = (ik_schedule_axis){.hi = 60, .width = 10, .reach = {1}};
  w.history = 1;
  CHECK_EQ(play(&w), 4);
  CHECK_EQ(w.s.tiles, 7);
  CHECK_EQ(ik_schedule_tiles(&w.s, 0), 1);
  CHECK_EQ(ik_schedule_tiles(&w.s, 6), 4);
}

/* What a slab reads at its next place, of the slab before, is done; at the last all of it is. */
CASE(slabs_follow_a_place_further_behind_than_they_must) {
  ik_schedule      s = {.kind = IK_SCHEDULE_SKEW, .ndim = 2, .nsub = 1, .steps = 2, .band = 2};
  ik_schedule_wait wait[2];
  s.place = 1;
  s.axis[0] = (ik_schedule_axis){.hi = 40, .width = 8, .reach = {2}};
  s.axis[1] = (ik_schedule_axis){.hi = 20, .reach = {2}};
  ik_schedule_init(&s);
  CHECK_EQ(ik_schedule_places(&s), 22);
  CHECK_EQ(ik_schedule_waits(&s, 0, 5, wait), 0);
  CHECK_EQ(ik_schedule_waits(&s, 3, 5, wait), 1);
  CHECK(wait[0].slab == 2 && wait[0].places == 7);
  CHECK_EQ(ik_schedule_waits(&s, 3, 21, wait), 1);
  CHECK_EQ(wait[0].places, 22);
}

/* A tile that is wider than the axis leaves it whole, and then it may wrap. */
CASE(whole_axes_may_wrap) {
  world w = {.s = {.kind = IK_SCHEDULE_SKEW, .ndim = 2, .nsub = 1, .steps = 5, .band = 3}};
  w.s.axis[0] = (ik_schedule_axis){.hi = 9, .width = 20, .wraps = true, .reach = {2}};
  w.s.axis[1] = (ik_schedule_axis){.hi = 9, .width = 9, .wraps = true, .reach = {2}};
  w.history = 2;
  CHECK_EQ(play(&w), 1);
  w.s.axis[0].width = 5;
  CHECK_STR(ik_schedule_illegal(&w.s), "a periodic axis cannot be cut into skewed tiles");
  w.s.axis[0].width = 0, w.s.axis[1].width = 5;
  CHECK_STR(ik_schedule_illegal(&w.s), "the outermost axis is periodic");
  w.s.kind = IK_SCHEDULE_HEX;
  CHECK(!ik_schedule_illegal(&w.s));
}

/* Would the play notice?  Tiles for a smaller reach than there is must fail it. */
static int64_t wrong_if_too_flat(ik_schedule_kind kind) {
  world w = {.s = {.kind = kind, .ndim = 1, .nsub = 1, .steps = 12, .band = 4}};
  w.s.axis[0] = (ik_schedule_axis){.hi = 200, .width = 20, .reach = {1}};
  w.history = 1;
  ik_schedule_init(&w.s);
  open_world(&w);
  w.s.axis[0].reach[0] = 2;
  for (int64_t f = 0; f < ik_schedule_fronts(&w.s); f++) run_front(&w, f);
  close_world(&w);
  return w.wrong;
}

static int64_t wrong_in_slabs(int across, int along) {
  world w = {.s = {.kind = IK_SCHEDULE_SKEW, .ndim = 2, .nsub = 1, .steps = 12, .band = 3}};
  w.s.axis[0] = (ik_schedule_axis){.hi = 50, .width = 10, .reach = {2 - across}};
  w.s.axis[1] = (ik_schedule_axis){.hi = 60, .reach = {2 - along}};
  w.s.place = 1, w.history = 2, w.folded = true;
  ik_schedule_init(&w.s);
  open_world(&w);
  w.s.axis[0].reach[0] = w.s.axis[1].reach[0] = 2;
  run_slabs(&w);
  close_world(&w);
  return w.wrong;
}

CASE(slabs_that_keep_too_little_distance_are_noticed) {
  CHECK_EQ(wrong_in_slabs(0, 0), 0);
  CHECK(wrong_in_slabs(1, 0) > 0);
  CHECK(wrong_in_slabs(0, 1) > 0);
}

CASE(too_flat_tiles_are_noticed) {
  CHECK(wrong_if_too_flat(IK_SCHEDULE_HEX) > 0);
  CHECK(wrong_if_too_flat(IK_SCHEDULE_SKEW) > 0);
}
