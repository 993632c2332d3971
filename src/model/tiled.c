#include "model/tiled.h"
#include <math.h>

typedef struct traffic { /* of the bytes of a step */
  double share;          /* from memory, and to it */
  double nearby;         /* between the last cache and the second */
} traffic;

double ik_tiled_slab_bytes(const ik_tiled *t) {
  double slices = t->slices * (t->steps - 1) + 3;
  double wide = t->inner.width + t->inner.lean * (t->steps - 1);
  return (slices * t->bytes + t->slices * t->made + t->beside) * wide * t->lanes;
}

/* Of what a slab reads, that which no step before it has read. */
static double fresh_of(const ik_tiled *t) {
  return (t->inner.width + t->inner.lean * t->steps) / t->inner.width / t->steps;
}

/* What is prefetched must be there until the last step has used it.  Of eighth order, three steps
 * are slower than two where memory is fast enough (wave f32 with AVX-512 on two cores, GPts/s,
 * medians of three: 384^3, two of 32 rows and three of 18, 2.50 1.95; 512^3, of 24 and 15, 2.13
 * 1.83), and faster where sixteen cores share it (of 16 rows, 7.7 to 8.2 and 9.1 to 9.7). */
static bool keeps_prefetched(const ik_tiled *t, const ik_pipeline_machine *m) {
  return t->prefetched && t->slices * t->steps <= m->slices;
}

static traffic traffic_of_slab(const ik_tiled *t) {
  double bytes = t->reads * fresh_of(t) + fmin(t->writes, t->bytes / t->steps);
  return (traffic){bytes / (t->reads + t->writes), 0};
}

/* A tile moves along the inner axis: if all that it meets stays near, each cell is loaded once in
 * its life; if only what a step needs does, what moves out of it has to be loaded again. */
static traffic traffic_of_boxes(const ik_tiled *t, const ik_pipeline_machine *m) {
  const ik_tiled_axis *o = &t->outer, *i = &t->inner;
  double               life = t->turns * t->steps, cell = t->bytes * t->lanes;
  double wide = o->width + o->lean * (t->steps + 2), box = wide * (i->width + 2 * i->lean) * cell;
  double span = wide * fmin(i->width + i->lean * life, i->n) * cell;
  double once = fmin(1, wide / o->width / life), again = fmin(1, once + i->lean / i->width);
  if (span <= m->boxes * t->l2) return (traffic){once, 0};
  if (box <= m->boxes * t->l2) return (traffic){again, 0};
  if (span <= m->boxes * t->l3) return (traffic){once, 1};
  return (traffic){1, 0};
}

/* Of what is copied into rings, or read in place instead, how much more a tile has than its cells:
 * along the inner axis passes that were counted with such tiles know it themselves. */
static double around_of(const ik_tiled *t, bool cut) {
  double outer = 1 + 2 * t->outer.lean / t->outer.width;
  return cut ? outer * (1 + 2 * t->inner.lean / t->inner.width) : outer;
}

/* Rows of a pass's planes, or where there are none the length of rows, and so its rings; false: it
 * was counted with such tiles. */
static bool cut_pass(const ik_tiled *t, ik_pipeline_pass *p) {
  const ik_tiled_axis *a = t->ndim > 1 ? &t->inner : &t->outer;
  double              *cells = t->ndim > 2 ? &p->tile_rows : &p->tile_row;
  if (!(*cells > a->width)) return false;
  p->working_set *= (a->width + 2 * a->lean) / *cells, *cells = a->width;
  p->cut |= t->ndim < 3;
  return true;
}

/* Tiles that can be done at the same time: every second of a front, or all slabs. */
static double pieces_of(const ik_tiled *t) {
  return t->slabs ? t->inner.n / t->inner.width : fmax(1, t->outer.n / t->outer.width / 2);
}

/* Fronts wait for the thread that has one piece more than others; slabs of later steps go on. */
static double idle_of(const ik_tiled *t) {
  double each = pieces_of(t) / t->threads;
  return t->slabs ? fmax(1, 1 / each) : ceil(each) / each;
}

/* Boxes of a step, or places of its slabs; of one pass. */
static double count_of(const ik_tiled *t) {
  double inner = t->inner.n / t->inner.width;
  return inner * (t->slabs ? t->outer.n : t->outer.n / t->outer.width);
}

void ik_tiled_apply(const ik_tiled *t, const ik_pipeline_machine *m, ik_pipeline_work *step) {
  traffic moves = t->slabs ? traffic_of_slab(t) : traffic_of_boxes(t, m);
  double  set = ik_tiled_slab_bytes(t) / (m->slabs * t->l2), idle = idle_of(t);
  for (int i = 0; i < step->npass; i++) {
    ik_pipeline_pass *p = &step->pass[i];
    bool              cut = cut_pass(t, p);
    p->share = moves.share, p->nearby = moves.nearby;
    p->fresh = t->slabs ? (keeps_prefetched(t, m) ? fresh_of(t) : 1) : around_of(t, cut);
    if (t->slabs) p->working_set = set * m->usable * t->l2;
    p->most_cells = p->cells / t->threads * idle;
    p->most_tiles = count_of(t) / t->threads * idle;
    p->pieces = pieces_of(t) / t->threads;
    p->tile_cycles = t->slabs ? m->place : m->box;
  }
}
