#include "runtime/spots.h"
#include "base/least.h"
#include "base/mem.h"
#include <stdlib.h>
#include <string.h>

/* ---- the list ---- */

static int64_t taps_of(const ik_record *r) { return (int64_t)r->npoint * r->ntap; }

static int by_number(int64_t a, int64_t b) { return (a > b) - (a < b); }

static int by_cell(const ik_spot *a, const ik_spot *b) {
  int c = 0;
  for (int d = IK_MAX_DIM - 1; d >= 0 && !c; d--) c = by_number(a->at[d], b->at[d]);
  return c;
}

/* What is heard of a cell after the same steps is one spot. */
static int by_meaning(const ik_spot *a, const ik_spot *b) {
  int c = by_cell(a, b);
  if (!c) c = by_number(a->every, b->every);
  return c || !a->every ? c : by_number(a->field, b->field);
}

static int compare(const void *a, const void *b) {
  int c = by_meaning(a, b);
  return c ? c : by_number(((const ik_spot *)a)->place, ((const ik_spot *)b)->place);
}

static void add_taps(ik_spots *p, const ik_tap *tap, int64_t n, int field, int64_t every,
                     int64_t place) {
  for (int64_t k = 0; k < n; k++, place++) {
    if (every && tap[k].weight == 0) continue; /* nobody looks there */
    ik_spot q = {.field = field, .every = every, .place = place};
    memcpy(q.at, tap[k].at, sizeof q.at);
    p->spot[p->n++] = q;
  }
}

static void list(ik_spots *p, bool heard) {
  const ik_ir *ir = p->ir;
  int64_t      place = 0;
  for (int j = 0; j < ir->ninject; place += ir->inject[j++].ntap)
    add_taps(p, ir->inject[j].tap, ir->inject[j].ntap, ir->inject[j].field, 0, place);
  for (int i = 0; heard && i < ir->nrecord; place += taps_of(&ir->record[i++]))
    add_taps(p, ir->record[i].tap, taps_of(&ir->record[i]), ir->record[i].field,
             ir->record[i].every, place);
}

/* Taps of receivers that mean the same get the same place. */
static void merge(ik_spots *p) {
  int64_t n = 0;
  p->width = p->added;
  for (int64_t i = 0; i < p->n; i++) {
    ik_spot q = p->spot[i];
    bool    again = q.every && n && by_meaning(&p->spot[n - 1], &q) == 0;
    int64_t tap = q.place - p->added;
    if (again) q.place = p->spot[n - 1].place;
    if (q.every && !again) q.place = p->width++;
    if (q.every) p->place[tap] = q.place;
    if (!again) p->spot[n++] = q;
  }
  p->n = n;
}

/* ---- planes ---- */

/* A grid with one axis is a plane. */
static int plane_axis(const ik_ir *ir) { return ir->ndim > 1 ? ir->ndim - 1 : IK_MAX_DIM - 1; }

static int64_t planes_of(const ik_ir *ir) { return ir->ndim > 1 ? ir->n[ir->ndim - 1] : 1; }

static void find_planes(ik_spots *p) {
  int     axis = plane_axis(p->ir);
  int64_t i = 0;
  for (int64_t z = 0; z <= planes_of(p->ir); z++) {
    while (i < p->n && p->spot[i].at[axis] < z) i++;
    p->first[z] = i;
  }
}

/* The first of those from i up to end whose cell is not before. */
static int64_t seek(const ik_spots *p, int64_t i, int64_t end, const int64_t cell[IK_MAX_DIM]) {
  ik_spot q;
  memcpy(q.at, cell, sizeof q.at);
  while (i < end) {
    int64_t middle = i + (end - i) / 2;
    if (by_cell(&p->spot[middle], &q) < 0)
      i = middle + 1;
    else
      end = middle;
  }
  return i;
}

static bool holds(const int64_t lo[IK_MAX_DIM], const int64_t hi[IK_MAX_DIM], const ik_spot *q) {
  for (int d = 0; d < IK_MAX_DIM; d++)
    if (q->at[d] < lo[d] || q->at[d] >= hi[d]) return false;
  return true;
}

void ik_spots_each(const ik_spots *p, const int64_t lo[IK_MAX_DIM], const int64_t hi[IK_MAX_DIM],
                   void (*f)(void *ctx, const ik_spot *q), void *ctx) {
  int     axis = plane_axis(p->ir);
  int64_t from = ik_max(lo[axis], 0), to = ik_min(hi[axis], planes_of(p->ir));
  if (!p->n) return;
  for (int64_t z = from; z < to; z++) {
    int64_t i = p->first[z], end = p->first[z + 1];
    if (i == end) continue;
    int64_t begin[IK_MAX_DIM], last[IK_MAX_DIM];
    for (int d = 0; d < IK_MAX_DIM; d++) begin[d] = lo[d], last[d] = hi[d] - 1;
    begin[axis] = last[axis] = z;
    last[0]++; /* behind the last cell of the plane's part */
    i = seek(p, i, end, begin), end = seek(p, i, end, last);
    for (; i < end; i++)
      if (holds(lo, hi, &p->spot[i])) f(ctx, &p->spot[i]);
  }
}

/* ---- all of it ---- */

static bool make_room(ik_spots *p, int64_t taps) {
  p->spot = ik_calloc((size_t)(p->added + taps) + 1, sizeof *p->spot);
  p->first = ik_calloc((size_t)planes_of(p->ir) + 1, sizeof *p->first);
  p->place = ik_calloc((size_t)taps + 1, sizeof *p->place);
  return p->spot && p->first && p->place;
}

bool ik_spots_init(ik_spots *p, const ik_ir *ir, int64_t rows) {
  enum { MUCH = 8 << 20, ENOUGH = 64 }; /* numbers; steps, more than a pass has */
  bool    heard = rows > 1;
  int64_t taps = 0;
  *p = (ik_spots){.ir = ir};
  for (int j = 0; rows && j < ir->ninject; j++) p->added += ir->inject[j].ntap;
  for (int i = 0; heard && i < ir->nrecord; i++) taps += taps_of(&ir->record[i]);
  if (!make_room(p, taps)) return false;
  if (rows) list(p, heard);
  if (p->n) qsort(p->spot, (size_t)p->n, sizeof *p->spot, compare);
  merge(p);
  find_planes(p);
  p->rows = ik_min(rows, ik_max(ENOUGH, MUCH / (p->width + 1)));
  p->value = ik_calloc((size_t)p->width * (size_t)p->rows + 1, sizeof *p->value);
  return p->value != NULL;
}

void ik_spots_free(ik_spots *p) {
  ik_free(p->spot), ik_free(p->first), ik_free(p->place), ik_free(p->value);
}

void ik_spot_meet(const ik_spot *q, ik_type type, void *data, int64_t i, int64_t t, double *row) {
  double value;
  if (q->every && !ik_spot_is_heard(q, t)) return;
  ik_state_load_row(type, data, i, 1, &value);
  if (q->every) {
    row[q->place] = value;
  } else {
    value = ik_type_round(type, value + row[q->place]);
    ik_state_store_row(type, data, i, 1, &value);
  }
}

void ik_spots_hear(const ik_spots *p, const double *row, int64_t t, ik_recorder *rec) {
  const int64_t *place = p->place;
  for (int i = 0; i < p->ir->nrecord; place += taps_of(&p->ir->record[i++]))
    if (ik_recorder_listens(rec, i, t)) ik_recorder_hear(rec, i, row, place);
}
