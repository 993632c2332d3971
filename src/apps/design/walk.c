#include "apps/design/walk.h"
#include "base/mem.h"
#include <math.h>
#include <stdlib.h>

/* ---- what does not depend on the hardware ---- */

static bool same_shape(const ik_hex_problem *a, const ik_hex_problem *b) {
  bool same = a->dims == b->dims && a->iter_s == b->iter_s && a->words == b->words;
  for (int i = 0; i < a->dims && same; i++) same = a->s[i] == b->s[i];
  return same;
}

static bool has_meaning(const ik_hex_problem *p, const ik_design_search *s) {
  ik_hex_machine m = s->machine;
  m.sms = m.vector_units = 1, m.shared_words = m.block_words;
  return isfinite(ik_hex_ideal(p, &m));
}

static void find_groups(ik_walk *w) {
  for (int i = 0; i < w->n; i++) {
    const ik_hex_problem *p = &w->s->problem[i];
    int                   g = 0;
    w->group_of[i] = -1;
    if (!has_meaning(p, w->s)) continue;
    while (g < w->ngroup && !same_shape(&w->group[g].p, p)) g++;
    if (g == w->ngroup) w->group[w->ngroup++].p = *p;
    w->group_of[i] = g;
  }
}

static bool fill_tiles(int dims, int64_t words, ik_hextile_list *list, ik_walk_tiles *out) {
  if (out->list) return true;
  if (!ik_hextile_all(dims, words, list)) return false;
  size_t n = (size_t)list->n + 1;
  out->list = list;
  out->moved = ik_calloc(n, sizeof *out->moved);
  out->words = ik_calloc(n, sizeof *out->words);
  if (!out->moved || !out->words) return false;
  for (int i = 0; i < list->n; i++) {
    const ik_hex_tile *t = &list->tile[i];
    out->moved[i] = ik_hex_moved(dims, t);
    out->words[i] = (int64_t)ik_hex_footprint(dims, t);
  }
  return true;
}

typedef struct place { /* of a tile in the order of a group */
  int    t, tile;
  double step_j;
} place;

static int compare(const void *a, const void *b) {
  const place *x = a, *y = b;
  if (x->t != y->t) return x->t - y->t;
  if (x->step_j != y->step_j) return x->step_j < y->step_j ? -1 : 1;
  return x->tile - y->tile;
}

static bool sort_group(const ik_hextile_list *l, ik_walk_shape *g) {
  place *p = ik_calloc((size_t)l->n + 1, sizeof *p);
  if (!p) return false;
  for (int i = 0; i < l->n; i++) p[i] = (place){l->tile[i].t, i, g->step_j[i]};
  qsort(p, (size_t)l->n, sizeof *p, compare);
  for (int i = 0; i < l->n; i++) g->order[i] = p[i].tile;
  ik_free(p);
  return true;
}

/* Without this, energy does not count, and of each height one tile is enough. */
static bool counts_energy(const ik_design_search *s) {
  return s->goal != IK_DESIGN_TIME || s->max_power > 0;
}

static bool fill_group(const ik_walk *w, ik_walk_shape *g) {
  const ik_hextile_list *l = w->tiles[g->p.dims].list;
  size_t                 n = (size_t)l->n + 1;
  g->slabs = ik_calloc(n, sizeof *g->slabs), g->width = ik_calloc(n, sizeof *g->width);
  g->step_j = ik_calloc(n, sizeof *g->step_j), g->order = ik_calloc(n, sizeof *g->order);
  if (!g->slabs || !g->width || !g->step_j || !g->order) return false;
  for (int i = 0; i < l->n; i++) {
    g->slabs[i] = ik_hex_slabs(&g->p, &l->tile[i]);
    g->width[i] = ik_hex_ceil(g->p.s[0], ik_hex_pitch_of(&l->tile[i], w->s->reading.pitch));
    if (counts_energy(w->s)) g->step_j[i] = ik_power_step(&w->s->power, &g->p, &l->tile[i]);
  }
  return sort_group(l, g);
}

bool ik_walk_create(const ik_design_search *s, const int *shared_kb, ik_hextile_list *list,
                    ik_walk *out) {
  *out = (ik_walk){.s = s, .n = s->n};
  for (int m = 0; m < IK_DESIGN_SHARED; m++) out->room[m] = shared_kb[m] * 1024 / 4;
  out->group = ik_calloc((size_t)s->n + 1, sizeof *out->group);
  out->group_of = ik_calloc((size_t)s->n + 1, sizeof *out->group_of);
  if (!out->group || !out->group_of) return false;
  find_groups(out);
  for (int g = 0; g < out->ngroup; g++) {
    int d = out->group[g].p.dims;
    if (!fill_tiles(d, s->machine.block_words, &list[d], &out->tiles[d])) return false;
    if (!fill_group(out, &out->group[g])) return false;
  }
  return true;
}

void ik_walk_free(ik_walk *w) {
  for (int g = 0; g < w->ngroup; g++) {
    ik_free(w->group[g].slabs), ik_free(w->group[g].width);
    ik_free(w->group[g].step_j), ik_free(w->group[g].order);
  }
  for (int d = 0; d < 4; d++) ik_free(w->tiles[d].moved), ik_free(w->tiles[d].words);
  ik_free(w->group), ik_free(w->group_of);
}

/* ---- what a thread needs ---- */

bool ik_walk_scratch_create(const ik_walk *w, ik_walk_scratch *out) {
  *out = (ik_walk_scratch){0};
  for (int d = 1; d <= 3; d++) {
    const ik_hextile_list *l = w->tiles[d].list;
    if (l && !(out->row_sum[d] = ik_calloc((size_t)l->n + 1, sizeof *out->row_sum[d])))
      return false;
  }
  return true;
}

void ik_walk_scratch_free(ik_walk_scratch *x) {
  for (int d = 1; d <= 3; d++) ik_free(x->row_sum[d]);
  for (int m = 0; m < IK_DESIGN_SHARED; m++) ik_free(x->offers[m].at);
  ik_free(x->way);
}

void ik_walk_units(const ik_walk *w, int vector_units, ik_walk_scratch *x) {
  for (int d = 1; d <= 3; d++)
    if (w->tiles[d].list) ik_hextile_row_sums(d, w->tiles[d].list, vector_units, x->row_sum[d]);
}

/* ---- the walk ---- */

static ik_walk_offer *last_of(ik_walk_offers *o) { return o->n ? &o->at[o->n - 1] : NULL; }

/* The least time so far of a height. */
static double least_so_far(ik_walk_offers *o, int t) {
  const ik_walk_offer *last = last_of(o);
  return last && last->t == t ? last->wave_s : INFINITY;
}

static bool grow(ik_walk_offers *o) {
  int   cap = o->cap ? 2 * o->cap : 256;
  void *at = ik_realloc(o->at, (size_t)cap * sizeof *o->at);
  if (at) o->at = at, o->cap = cap;
  return at;
}

/* What fits into one size fits into all larger ones, so that times fall from one to the next. */
static void offer(ik_walk_scratch *x, int shared, ik_walk_offer it) {
  for (int m = shared; m < IK_DESIGN_SHARED; m++) {
    ik_walk_offers *o = &x->offers[m];
    ik_walk_offer  *last = last_of(o);
    if (it.wave_s >= least_so_far(o, it.t)) return;
    if (last && last->t == it.t && last->step_j == it.step_j)
      *last = it; /* as thrifty, and faster */
    else if (o->n < o->cap || grow(o))
      o->at[o->n++] = it;
    else
      x->failed = true;
  }
}

typedef struct visit { /* one tile on one number of multiprocessors and vector units */
  int     tile, t, dims, sms;
  int64_t words, slabs, width;
  double  transfer, compute, step_j;
} visit;

/* No k is faster than this: k tiles take at least k times the longer part, and k times the rounds
 * is at least the tiles of one multiprocessor.  A little less, since rounding may go either way. */
static double least_wave(const visit *v, double launch_s) {
  double longer = v->transfer > v->compute ? v->transfer : v->compute;
  double all = longer * (double)v->slabs * (double)ik_hex_ceil(v->width, v->sms);
  return (launch_s + all) * (1 - 1e-12);
}

/* Of the k with the same rounds the smallest is best in time and in memory. */
static void try_all_k(const ik_walk *w, const visit *v, ik_walk_scratch *x, int shared) {
  int64_t before = INT64_MAX;
  for (int k = 1; k <= w->s->machine.max_blocks && before > 1; k++) {
    while (shared < IK_DESIGN_SHARED && w->room[shared] < k * v->words) shared++;
    if (shared == IK_DESIGN_SHARED) return;
    int64_t rounds = ik_hex_ceil(ik_hex_ceil(v->width, k), v->sms);
    if (rounds == before) continue;
    before = rounds;
    double batch = ik_hex_batch(v->dims, v->transfer, v->compute, v->slabs, k);
    double wave = ik_hex_wave(w->s->machine.launch_s, batch, rounds);
    offer(x, shared, (ik_walk_offer){wave, v->step_j, v->tile, k, v->t});
  }
}

static int smallest_room(const ik_walk *w, int64_t words) {
  int m = 0;
  while (m < IK_DESIGN_SHARED && w->room[m] < words) m++;
  return m;
}

void ik_walk_group(const ik_walk *w, int group, int sms, ik_walk_scratch *x) {
  const ik_walk_shape  *g = &w->group[group];
  const ik_walk_tiles  *tiles = &w->tiles[g->p.dims];
  const int64_t        *row_sum = x->row_sum[g->p.dims];
  const ik_hex_machine *base = &w->s->machine;
  ik_hex_machine        m = *base;
  m.sms = sms;
  double  link_s = ik_hex_link_s(&m, w->s->reading.link);
  int64_t each = ik_hex_words(&g->p);
  for (int shared = 0; shared < IK_DESIGN_SHARED; shared++) x->offers[shared].n = 0;
  for (int at = 0; at < tiles->list->n; at++) {
    int     i = g->order[at], t = tiles->list->tile[i].t;
    int64_t words = tiles->words[i] * each;
    int     shared = smallest_room(w, words);
    if (words > base->block_words || shared == IK_DESIGN_SHARED) continue;
    visit v = {i, t, g->p.dims, sms, words, g->slabs[i], g->width[i], 0, 0, g->step_j[i]};
    v.transfer = ik_hex_transfer(tiles->moved[i] * each, link_s, base->sync_s);
    v.compute = ik_hex_compute(row_sum[i], g->p.iter_s, t, base->sync_s);
    if (least_wave(&v, base->launch_s) < least_so_far(&x->offers[shared], t))
      try_all_k(w, &v, x, shared);
  }
}

/* ---- one problem ---- */

static bool make_room(ik_walk_scratch *x, int n) {
  if (n <= x->ways) return true;
  void *way = ik_realloc(x->way, (size_t)(2 * n) * sizeof *x->way);
  if (way) x->way = way, x->ways = 2 * n;
  x->failed |= !way;
  return way;
}

int ik_walk_ways(const ik_walk *w, int problem, int shared, double static_w, ik_walk_scratch *x) {
  const ik_walk_offers *o = &x->offers[shared];
  int64_t               steps = w->s->problem[problem].steps, waves = 0;
  bool                  limited = w->s->max_power > 0;
  double                spare_w = w->s->max_power - static_w;
  if ((limited && !(spare_w > 0)) || !make_room(x, o->n)) return 0;
  for (int i = 0; i < o->n; i++) {
    const ik_walk_offer *it = &o->at[i];
    if (!i || it->t != it[-1].t) waves = ik_hex_waves_of(steps, it->t, w->s->reading.waves);
    double time_s = (double)waves * it->wave_s, dynamic_j = (double)steps * it->step_j;
    if (limited) time_s = fmax(time_s, dynamic_j / spare_w);
    x->way[i] = (ik_pick_way){time_s, static_w * time_s + dynamic_j, it->tile, it->k};
  }
  return o->n;
}
