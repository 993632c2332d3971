#include "apps/design/corners.h"
#include "base/mem.h"
#include <string.h>

bool ik_corners_create(const ik_design_search *s, ik_corners *out) {
  size_t n = (size_t)s->n + 1;
  *out = (ik_corners){.s = s};
  out->first = ik_calloc(IK_DESIGN_SHARED * n, sizeof *out->first);
  out->count = ik_calloc(IK_DESIGN_SHARED * n, sizeof *out->count);
  out->index = ik_calloc(n, sizeof *out->index);
  out->problem = ik_calloc(n, sizeof *out->problem);
  return out->first && out->count && out->index && out->problem;
}

void ik_corners_free(ik_corners *c) {
  ik_free(c->way), ik_free(c->edge);
  ik_free(c->first), ik_free(c->count);
  ik_free(c->index), ik_free(c->problem);
}

void ik_corners_clear(ik_corners *c) {
  c->n = 0;
  memset(c->count, 0, IK_DESIGN_SHARED * (size_t)c->s->n * sizeof *c->count);
}

static bool make_room(ik_corners *c, int n) {
  if (c->n + n <= c->cap) return true;
  int   cap = 2 * (c->n + n);
  void *way = ik_realloc(c->way, (size_t)cap * sizeof *c->way);
  if (way) c->way = way;
  void *edge = ik_realloc(c->edge, (size_t)cap * sizeof *c->edge);
  if (edge) c->edge = edge;
  if (way && edge) c->cap = cap;
  c->failed |= !way || !edge;
  return way && edge;
}

void ik_corners_add(ik_corners *c, int shared, int problem, ik_pick_way *way, int n) {
  int at = shared * c->s->n + problem;
  if (!make_room(c, n)) return;
  c->first[at] = c->n;
  c->count[at] = ik_pick_corners(way, n, c->way + c->n);
  c->n += c->count[at];
}

void ik_corners_choose(ik_corners *c, int shared, int part, ik_design_plan *out) {
  int n = 0;
  for (int i = 0; i < c->s->n; i++) {
    int at = shared * c->s->n + i;
    if (part >= 0 && c->s->part[i] != part) continue;
    c->index[n] = i;
    c->problem[n++] = (ik_pick_problem){c->way + c->first[at], c->count[at], c->s->weight[i], -1};
  }
  ik_pick_product(c->problem, n, c->edge);
  for (int i = 0; i < n; i++) {
    const ik_pick_problem *p = &c->problem[i];
    if (p->chosen < 0) continue;
    const ik_pick_way *w = &p->corner[p->chosen];
    out[c->index[i]] = (ik_design_plan){w->time_s, w->tile, w->k};
  }
}
