#include "model/hextile.h"
#include "base/mem.h"
#include <math.h>
#include <stdlib.h>

enum { WARP = 32 };

/* ---- every tile ---- */

typedef struct walk {
  int         dims;
  int64_t     words;
  ik_hex_tile tile;
  void (*column)(struct walk *w); /* for each choice of sides: all t, from 2 on */
  void *ctx;
} walk;

static bool fits(const walk *w) { return ik_hex_footprint(w->dims, &w->tile) <= (double)w->words; }

static void list_column(walk *w) { /* tile == NULL: only count */
  ik_hextile_list *out = w->ctx;
  for (w->tile.t = 2; fits(w); w->tile.t += 2) {
    if (out->tile) out->tile[out->n] = w->tile;
    out->n++;
  }
}

/* With the sides behind `axis` as small as they can be, with which the walk begins. */
static bool smallest_fits(walk *w, int axis) {
  for (int i = axis + 1; i < w->dims; i++) w->tile.s[i] = i == w->dims - 1 ? WARP : 1;
  w->tile.t = 2;
  return fits(w);
}

static void walk_side(walk *w, int axis) {
  bool innermost = axis == w->dims - 1;
  int  step = innermost ? WARP : 1;
  for (w->tile.s[axis] = step; smallest_fits(w, axis); w->tile.s[axis] += step)
    if (innermost)
      w->column(w);
    else
      walk_side(w, axis + 1);
}

static void walk_all(int dims, int64_t block_words, void (*column)(walk *), void *ctx) {
  walk w = {.dims = dims, .column = column, .ctx = ctx};
  w.words = block_words < IK_HEXTILE_WORDS ? block_words : IK_HEXTILE_WORDS;
  if (dims >= 1 && dims <= 3) walk_side(&w, 0);
}

bool ik_hextile_all(int dims, int64_t block_words, ik_hextile_list *out) {
  *out = (ik_hextile_list){0};
  walk_all(dims, block_words, list_column, out);
  if (!out->n) return true;
  out->tile = ik_calloc((size_t)out->n, sizeof *out->tile);
  out->n = 0;
  if (out->tile) walk_all(dims, block_words, list_column, out);
  return out->tile;
}

void ik_hextile_list_free(ik_hextile_list *l) {
  ik_free(l->tile);
  *l = (ik_hextile_list){0};
}

/* Passes of the vector units over the widest row of a tile. */
static int64_t widest_row(int dims, const ik_hex_tile *t, int vector_units) {
  return ik_hex_ceil(ik_hex_row(dims, t, (int64_t)t->s[0] + t->t - 2), vector_units);
}

/* A tile that is two steps higher has one more row, which is two points wider. */
void ik_hextile_row_sums(int dims, const ik_hextile_list *l, int vector_units, int64_t *out) {
  int64_t sum = 0;
  for (int i = 0; i < l->n; i++) {
    const ik_hex_tile *t = &l->tile[i];
    sum = (t->t == 2 ? 0 : sum) + widest_row(dims, t, vector_units);
    out[i] = sum;
  }
}

/* ---- the best ones ---- */

static int sign(int64_t v) { return (v > 0) - (v < 0); }

static int compare(const void *a, const void *b) {
  const ik_hextile_choice *x = a, *y = b;
  if (x->time_s != y->time_s) return x->time_s < y->time_s ? -1 : 1;
  for (int i = 0; i < 3; i++)
    if (x->tile.s[i] != y->tile.s[i]) return sign((int64_t)x->tile.s[i] - y->tile.s[i]);
  return sign((int64_t)x->tile.t - y->tile.t);
}

/* Keeps the choices at or below `limit`, in their order. */
static int keep(ik_hextile_choice *c, int n, double limit) {
  int kept = 0;
  for (int i = 0; i < n; i++)
    if (c[i].time_s <= limit) c[kept++] = c[i];
  return kept;
}

typedef struct search {
  const ik_hex_problem *p;
  const ik_hex_machine *m;
  const ik_hex_reading *r;
  double                ideal, least; /* s */
  double                limit;        /* of what is near, as a multiple of the least */
  ik_hextile_set       *out;
  int                   cap;
  bool                  no_memory;
} search;

/* Not even with every vector unit at work all the time are tiles of these sides and of `t` steps or
 * more near the best.  Of each formula the least it can be: waves 2 and 2 S_t/t, width S_1/(2s +
 * t), rows (2s + t - 2) t/4 of them in a tile, no launches, transfers or idle places. */
static bool is_hopeless(const search *x, const ik_hex_tile *t) {
  double twice = 2 * (double)t->s[0] + t->t, longer = fmax(1, (double)t->t / (double)x->p->steps);
  return x->ideal * longer * (twice - 2) / twice * (1 - 1e-9) > x->least * x->limit;
}

static void note(search *x, ik_hextile_choice c) {
  if (x->out->tried == x->cap) {
    int   cap = x->cap ? 2 * x->cap : 1024;
    void *more = ik_realloc(x->out->near, (size_t)cap * sizeof c);
    if (!more) {
      x->no_memory = true;
      return;
    }
    x->out->near = more, x->cap = cap;
  }
  x->out->near[x->out->tried++] = c;
  x->least = fmin(x->least, c.time_s);
}

/* A tile that is two steps higher has one more row, as in ik_hextile_row_sums(). */
static void time_column(walk *w) {
  search *x = w->ctx;
  int64_t sum = 0;
  for (w->tile.t = 2; fits(w) && !x->no_memory && !is_hopeless(x, &w->tile); w->tile.t += 2) {
    sum += widest_row(w->dims, &w->tile, x->m->vector_units);
    ik_hex_time t = ik_hex_time_with(x->p, x->m, &w->tile, x->r, sum);
    if (t.k) note(x, (ik_hextile_choice){w->tile, t.k, t.time_s});
  }
}

bool ik_hextile_search(const ik_hex_problem *p, const ik_hex_machine *m, const ik_hex_reading *r,
                       double within, ik_hextile_set *out) {
  search x = {p, m, r, ik_hex_ideal(p, m), INFINITY, 1 + within, out, 0, false};
  *out = (ik_hextile_set){0};
  if (m->vector_units < 1) return true;
  walk_all(p->dims, m->block_words / ik_hex_words(p), time_column, &x);
  if (x.no_memory) {
    ik_hextile_set_free(out);
    return false;
  }
  out->n = keep(out->near, out->tried, x.least * x.limit);
  if (out->n) qsort(out->near, (size_t)out->n, sizeof *out->near, compare);
  return true;
}

void ik_hextile_set_free(ik_hextile_set *s) {
  ik_free(s->near);
  *s = (ik_hextile_set){0};
}
