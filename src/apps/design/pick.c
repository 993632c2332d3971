#include "apps/design/pick.h"
#include <stdlib.h>

int ik_pick_fastest(const ik_pick_way *w, int n) {
  int best = n > 0 ? 0 : -1;
  for (int i = 1; i < n; i++)
    if (w[i].time_s < w[best].time_s ||
        (w[i].time_s == w[best].time_s && w[i].energy_j < w[best].energy_j))
      best = i;
  return best;
}

int ik_pick_thriftiest(const ik_pick_way *w, int n) {
  int best = n > 0 ? 0 : -1;
  for (int i = 1; i < n; i++)
    if (w[i].energy_j < w[best].energy_j ||
        (w[i].energy_j == w[best].energy_j && w[i].time_s < w[best].time_s))
      best = i;
  return best;
}

/* ---- corners ---- */

typedef struct hull {
  ik_pick_way *w, *out;
  int          n;
} hull;

/* Below zero if `w` lies under the straight line from a to b, and by how much. */
static double above(const ik_pick_way *a, const ik_pick_way *b, const ik_pick_way *w) {
  return (b->time_s - a->time_s) * (w->energy_j - a->energy_j) -
         (b->energy_j - a->energy_j) * (w->time_s - a->time_s);
}

/* Of the first `n` ways the corners between a and b.  Only what lies under the straight line can be
 * one, and is moved to the front; that times shrink between ends makes an end of it, whatever
 * rounding does. */
static void corners_between(hull *h, int n, ik_pick_way a, ik_pick_way b) {
  int    kept = 0, lowest = -1;
  double least = 0;
  for (int i = 0; i < n; i++) {
    double v = above(&a, &b, &h->w[i]);
    if (v >= 0 || h->w[i].time_s <= a.time_s || h->w[i].time_s >= b.time_s) continue;
    ik_pick_way way = h->w[i];
    h->w[i] = h->w[kept], h->w[kept] = way;
    if (v < least) least = v, lowest = kept;
    kept++;
  }
  if (lowest < 0) return;
  ik_pick_way c = h->w[lowest];
  corners_between(h, kept, a, c);
  h->out[h->n++] = c;
  corners_between(h, kept, c, b);
}

int ik_pick_corners(ik_pick_way *w, int n, ik_pick_way *out) {
  int  first = ik_pick_fastest(w, n), last = ik_pick_thriftiest(w, n);
  hull h = {w, out, 0};
  if (first < 0) return 0;
  ik_pick_way a = w[first], b = w[last];
  out[h.n++] = a;
  if (!(a.time_s < b.time_s && b.energy_j < a.energy_j)) return h.n;
  corners_between(&h, n, a, b);
  out[h.n++] = b;
  return h.n;
}

/* ---- products ---- */

/* Steepest first; of a problem the edges get flatter, so that they stay in their order. */
static int by_slope(const void *a, const void *b) {
  const ik_pick_edge *x = a, *y = b;
  if (x->slope != y->slope) return x->slope < y->slope ? -1 : 1;
  return (x->problem > y->problem) - (x->problem < y->problem);
}

static int edges_of(const ik_pick_problem *p, int problem, ik_pick_edge *out) {
  int n = 0;
  for (int i = 1; i < p->n && p->weight != 0; i++) {
    double time_s = p->corner[i].time_s - p->corner[i - 1].time_s;
    double energy_j = p->corner[i].energy_j - p->corner[i - 1].energy_j;
    out[n++] = (ik_pick_edge){energy_j / time_s, p->weight * time_s, p->weight * energy_j, problem};
  }
  return n;
}

void ik_pick_product(ik_pick_problem *p, int n, ik_pick_edge *edge) {
  double time_s = 0, energy_j = 0;
  int    edges = 0, best = 0;
  for (int i = 0; i < n; i++) {
    p[i].chosen = p[i].n > 0 ? 0 : -1;
    edges += edges_of(&p[i], i, edge + edges);
    if (p[i].n < 1 || p[i].weight == 0) continue;
    time_s += p[i].weight * p[i].corner[0].time_s;
    energy_j += p[i].weight * p[i].corner[0].energy_j;
  }
  qsort(edge, (size_t)edges, sizeof *edge, by_slope);
  double least = time_s * energy_j;
  for (int e = 0; e < edges; e++) {
    time_s += edge[e].time_s, energy_j += edge[e].energy_j;
    if (time_s * energy_j < least) least = time_s * energy_j, best = e + 1;
  }
  for (int e = 0; e < best; e++) p[edge[e].problem].chosen++;
}
