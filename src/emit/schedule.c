/* schedule.c: in which order the values of a block are computed. */
#include "emit/expr.h"
#include <stdlib.h>

typedef struct range {
  int lo, hi;
} range;

static void include(range *r, int v) {
  if (v < r->lo) r->lo = v;
  if (v > r->hi) r->hi = v;
}

static int length(range r) { return r.hi - r.lo + 1; }

static bool is_load(const ik_block_value *v) {
  return v->what.op == IK_OP_READ && v->where == IK_PER_CELL;
}

static int plane_of(const ik_block *b, const ik_block_value *v) { return b->port[v->what.id].dz; }
static int row_of(const ik_block_value *v) { return v->what.at[IK_ROW]; }

/* Rows arrive as a sum of neighbours names them: the higher axis goes slower. */
static int set_arrivals_of_loads(ik_block *b) {
  range planes = {0, 0}, rows = {0, 0};
  for (int i = 0; i < b->n; i++)
    if (is_load(&b->value[i]))
      include(&planes, plane_of(b, &b->value[i])), include(&rows, row_of(&b->value[i]));
  bool planes_slower = b->pass->axis[IK_STREAM] > b->pass->axis[IK_ROW];
  for (int i = 0; i < b->n; i++) {
    ik_block_value *v = &b->value[i];
    if (!is_load(v)) continue;
    int z = plane_of(b, v) - planes.lo, y = row_of(v) - rows.lo;
    v->arrival = planes_slower ? z * length(rows) + y : y * length(planes) + z;
  }
  return length(planes) * length(rows);
}

/* An operation comes when the last row that it needs has arrived ... */
static void set_arrival(ik_block *b, ik_block_value *v) {
  for (int k = 0; k < 4; k++) {
    int a = v->what.arg[k];
    if (a >= 0 && b->value[a].arrival > v->arrival) v->arrival = b->value[a].arrival;
  }
}

/* ... and there, takes turns with those of the other results, behind its operands. */
static void set_place(const ik_block *b, ik_block_value *v, int *next) {
  v->place = *next;
  for (int k = 0; k < 4; k++) {
    int a = v->what.arg[k];
    if (a >= 0 && b->value[a].arrival == v->arrival && b->value[a].place >= v->place)
      v->place = b->value[a].place + 1;
  }
  *next = v->place + 1;
}

typedef struct turn {
  int arrival, place, index;
} turn;

static int compare_turns(const void *x, const void *y) {
  const turn *a = x, *b = y;
  if (a->arrival != b->arrival) return a->arrival < b->arrival ? -1 : 1;
  if (a->place != b->place) return a->place < b->place ? -1 : 1;
  return a->index < b->index ? -1 : a->index > b->index;
}

/* Where results go to planes that are read as well, they do so after all reads. */
static bool stores_wait(const ik_block *b) {
  for (int i = 0; i < b->kernel->ninput; i++)
    if (ik_block_overwrites(b->pass, b->kernel, i)) return true;
  return false;
}

void ik_block_schedule(ik_block *b) {
  int   rows = set_arrivals_of_loads(b), nresult = b->size.planes * b->size.rows * b->size.vectors;
  int   narrival = rows + 1; /* the last is for stores that wait */
  bool  wait = stores_wait(b);
  int  *next = IK_NEW_N(b->a, int, nresult *narrival), n = 0;
  turn *turns = IK_NEW_N(b->a, turn, b->n);
  for (int i = 0; i < b->n; i++) {
    ik_block_value *v = &b->value[i];
    if (v->where != IK_PER_CELL || v->what.arg[0] < 0 || is_load(v)) continue;
    set_arrival(b, v);
    if (wait && v->what.op == IK_STORE) v->arrival = rows;
    set_place(b, v, &next[v->result * narrival + v->arrival]);
    turns[n++] = (turn){v->arrival, v->place, i};
  }
  qsort(turns, (size_t)n, sizeof *turns, compare_turns);
  b->norder = n;
  b->order = IK_NEW_N(b->a, int, n);
  for (int i = 0; i < n; i++) b->order[i] = turns[i].index;
}
