#include "targets/simulated/nero/search.h"
#include "base/least.h"
#include <stdlib.h>

/* ---- the windows that there are ---- */

typedef struct sizes {
  int     n;
  int64_t size[128];
} sizes;

static sizes sizes_along(const ik_nero_work *w, int d) {
  sizes   s = {0};
  int64_t all = 1;
  bool    whole = true; /* all kernels have it whole: nothing to choose */
  for (int i = 0; i < w->n; i++) {
    all = ik_max(all, w->extent[i][d]);
    whole = whole && w->whole[i][d];
  }
  for (int64_t n = 1; n < all && !whole; n *= 2) {
    s.size[s.n++] = n;
    if (3 * n < 2 * all && n > 1) s.size[s.n++] = 3 * n / 2;
  }
  s.size[s.n++] = all;
  return s;
}

/* The smaller share first; then what may be faster. */
static int compare(const void *a, const void *b) {
  const ik_nero_design *x = a, *y = b;
  if (x->share != y->share) return x->share < y->share ? -1 : 1;
  if (x->least != y->least) return x->least < y->least ? -1 : 1;
  for (int d = IK_MAX_DIM - 1; d >= 0; d--)
    if (x->size[d] != y->size[d]) return x->size[d] < y->size[d] ? -1 : 1;
  return 0;
}

static void list_designs(const ik_nero_work *w, const ik_nero_board *b, ik_arena *a,
                         ik_nero_windows *out) {
  sizes s[IK_MAX_DIM] = {sizes_along(w, 0), sizes_along(w, 1), sizes_along(w, 2)};
  out->design = IK_NEW_N(a, ik_nero_design, s[0].n * s[1].n * s[2].n);
  for (int i = 0; i < s[0].n * s[1].n * s[2].n; i++) {
    int64_t size[IK_MAX_DIM] = {s[0].size[i % s[0].n], s[1].size[i / s[0].n % s[1].n],
                                s[2].size[i / s[0].n / s[1].n]};
    ik_nero_design_of(w, b, size, &out->design[out->n]);
    if (out->design[out->n].elements > 0) out->n++;
  }
  qsort(out->design, (size_t)out->n, sizeof *out->design, compare);
}

/* ---- what need not be tried ---- */

/* Do the streams of the two, which is all that is simulated, have the same lengths? */
static bool is_alike(const ik_nero_work *w, const ik_nero_design *x, const ik_nero_design *y) {
  for (int i = 0; i < w->n; i++) {
    int64_t a[IK_MAX_DIM], b[IK_MAX_DIM], levels, others;
    ik_nero_design_window(w, i, x->size, a), ik_nero_design_window(w, i, y->size, b);
    if (ik_nero_words_of(&w->shape[i], a, &levels) != ik_nero_words_of(&w->shape[i], b, &others) ||
        levels != others || ik_nero_lag(&w->shape[i], a) != ik_nero_lag(&w->shape[i], b) ||
        ik_nero_design_windows(w, i, x->size) != ik_nero_design_windows(w, i, y->size))
      return false;
  }
  return true;
}

/* Nothing new can come of the i-th: one before it, which takes no more, is as fast. */
static bool is_settled(const ik_nero_work *w, const ik_nero_windows *all, int i, double best) {
  if (best > 0 && all->design[i].least >= best) return true;
  for (int k = 0; k < i; k++)
    if (all->design[k].cycles > 0 && is_alike(w, &all->design[i], &all->design[k])) return true;
  return false;
}

/* ---- the front ---- */

/* Designs come by share: one is on the front if it is faster than all before it, unless the next
 * with the same share is faster still. */
static void find_front(ik_nero_windows *out) {
  for (int i = 0; i < out->n; i++) {
    const ik_nero_design *x = &out->design[i];
    const ik_nero_design *last = out->nfront ? &out->design[out->front[out->nfront - 1]] : NULL;
    if (x->cycles <= 0 || (last && x->cycles >= last->cycles)) continue;
    if (last && x->share == last->share) out->nfront--;
    out->front[out->nfront++] = i;
  }
}

bool ik_nero_search(const ik_nero_work *w, const ik_nero_board *b, int budget, ik_arena *a,
                    ik_nero_windows *out) {
  double best = 0; /* cycles of the fastest so far */
  *out = (ik_nero_windows){0};
  list_designs(w, b, a, out);
  out->front = IK_NEW_N(a, int, out->n);
  for (int i = 0; i < out->n; i++) {
    ik_nero_design *x = &out->design[i];
    if (budget >= 0 && out->evaluations == budget) break;
    if (budget >= 0 && is_settled(w, out, i, best)) continue;
    if (!ik_nero_design_simulate(w, b, 1, x)) return false;
    out->evaluations++;
    if (best == 0 || x->cycles < best) best = x->cycles;
  }
  find_front(out);
  return true;
}

double ik_nero_behind(const ik_nero_windows *w, const ik_nero_design *x) {
  double behind = 0;
  for (int i = 0; i < w->nfront; i++) {
    const ik_nero_design *f = &w->design[w->front[i]];
    if (f->share <= x->share && x->cycles / f->cycles - 1 > behind)
      behind = x->cycles / f->cycles - 1;
  }
  return behind;
}

/* ---- the whole board ---- */

/* Index of the least bound of the designs that are not simulated yet; -1: none is left. */
static int next_to_try(const ik_nero_windows *all, const double *bound) {
  int next = -1;
  for (int i = 0; i < all->n; i++)
    if (all->design[i].used == 0 && (next < 0 || bound[i] < bound[next])) next = i;
  return next;
}

bool ik_nero_fastest(const ik_nero_work *w, const ik_nero_board *b, int budget, ik_arena *a,
                     ik_nero_windows *out, ik_nero_design *best) {
  *out = (ik_nero_windows){0}, *best = (ik_nero_design){0};
  list_designs(w, b, a, out);
  double *bound = IK_NEW_N(a, double, out->n);
  for (int i = 0; i < out->n; i++)
    bound[i] = ik_nero_design_bound(w, b, ik_nero_design_busy(w, &out->design[i]), &out->design[i]);
  for (int i; out->evaluations < budget && (i = next_to_try(out, bound)) >= 0; out->evaluations++) {
    ik_nero_design *x = &out->design[i];
    if (best->used && bound[i] >= best->board) break;
    if (!ik_nero_design_simulate(w, b, ik_nero_design_busy(w, x), x)) return false;
    if (!best->used || x->board < best->board) *best = *x;
  }
  return true;
}
