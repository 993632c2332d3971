#include "facts/extents.h"

static ik_extent beyond(const ik_field *f, const ik_box *written) {
  ik_extent x = {{0}, {0}};
  for (int d = 0; d < IK_MAX_DIM; d++) {
    if (!f->on[d]) continue;
    if (f->box.lo[d] < written->lo[d]) x.lo[d] = written->lo[d] - f->box.lo[d];
    if (f->box.hi[d] > written->hi[d]) x.hi[d] = f->box.hi[d] - written->hi[d];
  }
  return x;
}

static ik_hull hull_of(const ik_pattern *p) {
  ik_hull h = {{0}, {0}};
  for (int i = 0; i < p->nreads; i++)
    for (int d = 0; d < IK_MAX_DIM; d++) {
      const ik_hull *r = &p->reads[i].hull;
      if (!i || r->lo[d] < h.lo[d]) h.lo[d] = r->lo[d];
      if (!i || r->hi[d] > h.hi[d]) h.hi[d] = r->hi[d];
    }
  return h;
}

static ik_box footprint(const ik_stmt *s, const ik_pattern *p, const ik_hull *h) {
  ik_box b = {{0}, {0}};
  if (!p->nreads) return b; /* reads nothing: no cells */
  for (int d = 0; d < IK_MAX_DIM; d++) {
    b.lo[d] = s->box.lo[d] + h->lo[d];
    b.hi[d] = s->box.hi[d] + h->hi[d];
  }
  return b;
}

void ik_extents_of(const ik_ir *ir, const ik_subject *s, const ik_patterns *p, ik_arena *a,
                   ik_extents *out) {
  ik_extent *temp = IK_NEW_N(a, ik_extent, ir->nfield);
  ik_hull   *hull = IK_NEW_N(a, ik_hull, s->n);
  ik_box    *read = IK_NEW_N(a, ik_box, s->n);
  for (int f = 0; f < ir->nfield; f++)
    if (!ik_is_stored(ir, f)) temp[f] = beyond(&ir->field[f], &s->written);
  for (int i = 0; i < s->n; i++) {
    hull[i] = hull_of(&p->work[i]);
    read[i] = footprint(s->work[i].stmt, &p->work[i], &hull[i]);
  }
  *out = (ik_extents){temp, hull, read};
}
