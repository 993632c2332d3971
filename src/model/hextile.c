#include "model/hextile.h"
#include "base/mem.h"
#include <math.h>
#include <stdlib.h>

enum { WARP = 32 };

/* ---- every tile ---- */

typedef struct walk {
  int              dims;
  int64_t          words;
  ik_hex_tile      tile;
  ik_hextile_list *out; /* tile == NULL: only count */
} walk;

static bool fits(const walk *w) { return ik_hex_footprint(w->dims, &w->tile) <= (double)w->words; }

static void walk_t(walk *w) {
  for (w->tile.t = 2; fits(w); w->tile.t += 2) {
    if (w->out->tile) w->out->tile[w->out->n] = w->tile;
    w->out->n++;
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
      walk_t(w);
    else
      walk_side(w, axis + 1);
}

bool ik_hextile_all(int dims, int64_t block_words, ik_hextile_list *out) {
  *out = (ik_hextile_list){0};
  if (dims < 1 || dims > 3) return true;
  walk w = {.dims = dims, .out = out};
  w.words = block_words < IK_HEXTILE_WORDS ? block_words : IK_HEXTILE_WORDS;
  walk_side(&w, 0);
  if (!out->n) return true;
  out->tile = ik_calloc((size_t)out->n, sizeof *out->tile);
  out->n = 0;
  if (out->tile) walk_side(&w, 0);
  return out->tile;
}

void ik_hextile_list_free(ik_hextile_list *l) {
  ik_free(l->tile);
  *l = (ik_hextile_list){0};
}

/* A tile that is two steps higher has one more row, which is two points wider. */
void ik_hextile_row_sums(int dims, const ik_hextile_list *l, int vector_units, int64_t *out) {
  int64_t sum = 0;
  for (int i = 0; i < l->n; i++) {
    const ik_hex_tile *t = &l->tile[i];
    int64_t            widest = ik_hex_row(dims, t, (int64_t)t->s[0] + t->t - 2);
    sum = (t->t == 2 ? 0 : sum) + ik_hex_ceil(widest, vector_units);
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

static void time_all(const ik_hex_problem *p, const ik_hex_machine *m, const ik_hex_reading *r,
                     const ik_hextile_list *l, const int64_t *sums, double within,
                     ik_hextile_set *out) {
  double least = INFINITY;
  for (int i = 0; i < l->n; i++) {
    ik_hex_time t = ik_hex_time_with(p, m, &l->tile[i], r, sums[i]);
    if (!t.k) continue;
    out->near[out->tried++] = (ik_hextile_choice){l->tile[i], t.k, t.time_s};
    least = fmin(least, t.time_s);
  }
  out->n = keep(out->near, out->tried, least * (1 + within));
  qsort(out->near, (size_t)out->n, sizeof *out->near, compare);
}

bool ik_hextile_search(const ik_hex_problem *p, const ik_hex_machine *m, const ik_hex_reading *r,
                       double within, ik_hextile_set *out) {
  ik_hextile_list l;
  *out = (ik_hextile_set){0};
  if (m->vector_units < 1) return true;
  if (!ik_hextile_all(p->dims, m->block_words, &l)) return false;
  int64_t *sums = ik_calloc((size_t)l.n + 1, sizeof *sums);
  out->near = ik_calloc((size_t)l.n + 1, sizeof *out->near);
  bool ok = sums && out->near;
  if (ok) {
    ik_hextile_row_sums(p->dims, &l, m->vector_units, sums);
    time_all(p, m, r, &l, sums, within, out);
  } else
    ik_hextile_set_free(out);
  ik_free(sums);
  ik_hextile_list_free(&l);
  return ok;
}

void ik_hextile_set_free(ik_hextile_set *s) {
  ik_free(s->near);
  *s = (ik_hextile_set){0};
}
