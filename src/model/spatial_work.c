/* What a program asks of a spatial machine, from its facts. */
#include "model/spatial.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Neighbours of one array, as one statement reads it. */
typedef struct neighbours {
  int  points, radius;       /* radius: in the plane; 0: none there */
  int  reach[4];             /* the same in each direction */
  int  above, rows, columns; /* in its own column, along x, along y */
  int  lateral;              /* of other columns */
  bool diagonal;
} neighbours;

static void see(const ik_point *p, neighbours *n) {
  int x = abs(p->off[0]), y = abs(p->off[1]), far = x > y ? x : y;
  n->points++;
  if (far > n->radius) n->radius = far;
  for (int d = 0; d < 2; d++) {
    int *reach = &n->reach[2 * d + (p->off[d] > 0)];
    if (abs(p->off[d]) > *reach) *reach = abs(p->off[d]);
  }
  n->above += !far && p->off[2];
  n->lateral += far > 0;
  n->diagonal |= x && y;
  n->rows += x != 0;
  n->columns += y != 0;
}

/* A statement at a border (the layer at a face) is broadcast for by all elements, as far along the
 * column as it goes; what it computes is computed beside the others. */
typedef struct part {
  bool   main;
  double share; /* of the column */
} part;

/* In each direction r + 1 senders, whose words are multiplied and added, and a send.  For diagonals
 * words go along x, and then all that came along y. */
static double broadcast_slots(const neighbours *n) {
  double r = n->radius, line = 2 * (r + 1) + 2, star = 0;
  for (int d = 0; d < 4; d++) star += n->reach[d] ? 2 * (n->reach[d] + 1) + 1 : 0;
  return n->diagonal ? line + (2 * r + 1) * line + 2 * n->lateral : star;
}

static void add_array(const neighbours *n, part p, ik_spatial_work *w, double *covered) {
  if (n->radius) w->slots += p.share * broadcast_slots(n);
  for (int d = 0; d < 4; d++) w->broadcasts += n->diagonal ? 0.5 : 0.25 * (n->reach[d] > 0);
  if (!p.main) return;
  w->slots += n->above;
  *covered += 2.0 * (n->radius ? n->points : n->above);
  w->tile_ops += n->rows + (n->columns ? 1 + 2 * n->columns : 0);
}

/* Points of one field come level by level. */
static void add_reads(const ik_reads *r, part p, ik_spatial_work *w, double *covered) {
  neighbours n = {0};
  for (int i = 0; i < r->n; i++) {
    if (i && r->point[i].level != r->point[i - 1].level) {
      add_array(&n, p, w, covered);
      n = (neighbours){0};
    }
    see(&r->point[i], &n);
    for (int d = 0; d < IK_MAX_DIM; d++)
      if (abs(r->point[i].off[d]) > w->radius[d]) w->radius[d] = abs(r->point[i].off[d]);
  }
  add_array(&n, p, w, covered);
}

static part part_of(const ik_ir *ir, const ik_work *w) {
  double cells = (double)(w->stmt->box.hi[2] - w->stmt->box.lo[2]);
  return (part){w->main, w->main ? 1 : fmin(cells / (double)ir->n[2], 1)};
}

static int arrays_of(const ik_ir *ir) {
  int n = 0;
  for (int f = 0; f < ir->nfield; f++)
    if (ik_is_stored(ir, f)) n += ir->field[f].history;
  return n;
}

static ik_type type_of(const ik_ir *ir, const ik_facts *f) {
  int shown = f->pattern.field;
  for (int i = 0; i < ir->nfield && shown < 0; i++)
    if (ir->field[i].kind == IK_FIELD_USER) shown = i;
  return shown < 0 ? IK_F32 : ir->field[shown].type;
}

void ik_spatial_work_of(const ik_ir *ir, const ik_facts *f, ik_spatial_work *out) {
  const ik_subject *s = &f->subject;
  double            covered = 0; /* operations that broadcasts and columns have done already */
  *out = (ik_spatial_work){
      .type = type_of(ir, f), .arrays = arrays_of(ir), .steps = s->steps, .flops = f->flops.cell};
  for (int d = 0; d < IK_MAX_DIM; d++) out->n[d] = (double)ir->n[d];
  for (int i = 0; i < s->n; i++)
    for (int k = 0; k < f->pattern.work[i].nreads; k++)
      add_reads(&f->pattern.work[i].reads[k], part_of(ir, &s->work[i]), out, &covered);
  out->slots += fmax(out->flops - covered, 1);
  out->reductions = s->nreduce;
  out->tile_ops += out->flops + s->nreduce; /* a reduction adds tile to tile */
  out->sweeps = s->nsweep > 0;
  for (int i = 0; i < f->bytes.n; i++) out->reads += !f->bytes.item[i].write;
}
