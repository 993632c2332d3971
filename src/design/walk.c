#include "design/walk.h"
#include "base/mem.h"
#include <math.h>

/* ---- what does not depend on the hardware ---- */

static bool same_shape(const ik_hex_problem *a, const ik_hex_problem *b) {
  bool same = a->dims == b->dims && a->iter_s == b->iter_s;
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
    if (t->t / 2 > out->heights) out->heights = t->t / 2;
  }
  return true;
}

static bool fill_group(const ik_walk *w, ik_walk_shape *g) {
  const ik_hextile_list *l = w->tiles[g->p.dims].list;
  g->slabs = ik_calloc((size_t)l->n + 1, sizeof *g->slabs);
  g->width = ik_calloc((size_t)l->n + 1, sizeof *g->width);
  if (!g->slabs || !g->width) return false;
  for (int i = 0; i < l->n; i++) {
    g->slabs[i] = ik_hex_slabs(&g->p, &l->tile[i]);
    g->width[i] = ik_hex_ceil(g->p.s[0], ik_hex_pitch_of(&l->tile[i], w->s->reading.pitch));
  }
  return true;
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
  for (int g = 0; g < w->ngroup; g++) ik_free(w->group[g].slabs), ik_free(w->group[g].width);
  for (int d = 0; d < 4; d++) ik_free(w->tiles[d].moved), ik_free(w->tiles[d].words);
  ik_free(w->group), ik_free(w->group_of);
}

/* ---- what a thread needs ---- */

bool ik_walk_scratch_create(const ik_walk *w, ik_walk_scratch *out) {
  int heights = 1;
  *out = (ik_walk_scratch){0};
  for (int d = 1; d <= 3; d++) {
    const ik_walk_tiles *t = &w->tiles[d];
    if (!t->list) continue;
    if (t->heights > heights) heights = t->heights;
    out->row_sum[d] = ik_calloc((size_t)t->list->n + 1, sizeof *out->row_sum[d]);
    if (!out->row_sum[d]) return false;
  }
  out->best = ik_calloc((size_t)heights, sizeof *out->best);
  return out->best;
}

void ik_walk_scratch_free(ik_walk_scratch *x) {
  for (int d = 1; d <= 3; d++) ik_free(x->row_sum[d]);
  ik_free(x->best);
}

void ik_walk_units(const ik_walk *w, int vector_units, ik_walk_scratch *x) {
  for (int d = 1; d <= 3; d++)
    if (w->tiles[d].list) ik_hextile_row_sums(d, w->tiles[d].list, vector_units, x->row_sum[d]);
}

/* ---- the walk ---- */

static void clear(ik_walk_best *best, int heights) {
  for (int h = 0; h < heights; h++)
    for (int m = 0; m < IK_DESIGN_SHARED; m++)
      best[h].wave_s[m] = INFINITY, best[h].tile[m] = -1, best[h].k[m] = 0;
}

/* What fits into one size fits into all larger ones, so that times fall from one to the next. */
static void offer(ik_walk_best *b, int shared, double wave_s, int tile, int k) {
  for (int m = shared; m < IK_DESIGN_SHARED && wave_s < b->wave_s[m]; m++)
    b->wave_s[m] = wave_s, b->tile[m] = tile, b->k[m] = k;
}

typedef struct visit { /* one tile on one number of multiprocessors and vector units */
  int     tile, dims, sms;
  int64_t words, slabs, width;
  double  transfer, compute;
} visit;

/* No k is faster than this: k tiles take at least k times the longer part, and k times the rounds
 * is at least the tiles of one multiprocessor.  A little less, since rounding may go either way. */
static double least_wave(const visit *v, double launch_s) {
  double longer = v->transfer > v->compute ? v->transfer : v->compute;
  double all = longer * (double)v->slabs * (double)ik_hex_ceil(v->width, v->sms);
  return (launch_s + all) * (1 - 1e-12);
}

/* Of the k with the same rounds the smallest is best in time and in memory. */
static void try_all_k(const ik_walk *w, const visit *v, ik_walk_best *b, int shared) {
  int64_t before = INT64_MAX;
  for (int k = 1; k <= w->s->machine.max_blocks && before > 1; k++) {
    while (shared < IK_DESIGN_SHARED && w->room[shared] < k * v->words) shared++;
    if (shared == IK_DESIGN_SHARED) return;
    int64_t rounds = ik_hex_ceil(ik_hex_ceil(v->width, k), v->sms);
    if (rounds == before) continue;
    before = rounds;
    double batch = ik_hex_batch(v->dims, v->transfer, v->compute, v->slabs, k);
    offer(b, shared, ik_hex_wave(w->s->machine.launch_s, batch, rounds), v->tile, k);
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
  double link_s = ik_hex_link_s(&m, w->s->reading.link);
  x->dims = g->p.dims;
  clear(x->best, tiles->heights);
  for (int i = 0; i < tiles->list->n; i++) {
    int           t = tiles->list->tile[i].t;
    int           shared = smallest_room(w, tiles->words[i]);
    ik_walk_best *b = &x->best[t / 2 - 1];
    if (shared == IK_DESIGN_SHARED) continue;
    visit v = {i, g->p.dims, sms, tiles->words[i], g->slabs[i], g->width[i], 0, 0};
    v.transfer = ik_hex_transfer(tiles->moved[i], link_s, base->sync_s);
    v.compute = ik_hex_compute(row_sum[i], g->p.iter_s, t, base->sync_s);
    if (least_wave(&v, base->launch_s) < b->wave_s[shared]) try_all_k(w, &v, b, shared);
  }
}

ik_design_plan ik_walk_plan(const ik_walk *w, int problem, int shared, const ik_walk_scratch *x) {
  ik_design_plan out = {.time_s = INFINITY, .tile = -1};
  int64_t        steps = w->s->problem[problem].steps;
  for (int h = 0; h < w->tiles[x->dims].heights; h++) {
    const ik_walk_best *b = &x->best[h];
    int64_t             waves = ik_hex_waves_of(steps, 2 * (h + 1), w->s->reading.waves);
    double              time_s = (double)waves * b->wave_s[shared];
    if (time_s < out.time_s) out = (ik_design_plan){time_s, b->tile[shared], b->k[shared]};
  }
  return out;
}
