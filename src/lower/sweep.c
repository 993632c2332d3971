#include "lower/sweep.h"
#include "facts/nodes.h"
#include "ir/bound.h"
#include <stdlib.h>
#include <string.h>

enum { MOST_REGIONS = 1 << 18 };

typedef struct work {
  const ik_ir *ir;
  ik_arena    *a;
  ik_sweep    *o;
  int          cap_value, cap_stmt, cap_set;
  int          operations; /* of all statements */
} work;

int64_t ik_sweep_blocks(const ik_sweep *o, int axis) {
  return (o->box.hi[axis] - o->box.lo[axis] + o->block[axis] - 1) / o->block[axis];
}

bool ik_sweep_is_swept(const ik_sweep *o, int axis) {
  for (int k = 0; k < o->naxes; k++)
    if (o->axis[k] == axis) return true;
  return false;
}

/* ---- statements, and what they touch ---- */

static int value_of(work *w, int field, int level) {
  ik_sweep       *o = w->o;
  const ik_field *f = &w->ir->field[field];
  ik_sweep_value  v = {.field = field, .level = level};
  int64_t         stride = 1;
  for (int i = 0; i < o->nvalue; i++)
    if (o->value[i].field == field && o->value[i].level == level) return i;
  for (int d = 0; d < IK_MAX_DIM; d++) {
    v.stride[d] = f->on[d] ? stride : 0;
    v.first -= v.stride[d] * f->box.lo[d];
    stride *= f->box.hi[d] - f->box.lo[d];
  }
  IK_PUSH(w->a, o->value, o->nvalue, w->cap_value, v);
  return o->nvalue - 1;
}

static bool is_beside(const ik_sweep *o, const ik_sweep_read *r) {
  for (int d = 0; d < IK_MAX_DIM; d++)
    if (r->off[d] && !ik_sweep_is_swept(o, d)) return true;
  return false;
}

static bool same_read(const ik_sweep_read *x, const ik_sweep_read *y) {
  return x->value == y->value && !memcmp(x->off, y->off, sizeof x->off);
}

static void add_read(work *w, ik_sweep_stmt *s, int *cap, const ik_expr *e) {
  ik_sweep_read r = {.value = value_of(w, e->id, e->level)};
  memcpy(r.off, e->off, sizeof r.off);
  for (int i = 0; i < s->nread; i++)
    if (same_read(&s->read[i], &r)) return;
  if (r.value == s->value && is_beside(w->o, &r)) s->beside = true;
  IK_PUSH(w->a, s->read, s->nread, *cap, r);
}

/* What of its box the sweep comes to. */
static ik_box box_of(const ik_sweep *o, const ik_stmt *s) {
  ik_box b = s->box;
  for (int k = 0; k < o->naxes; k++) {
    int d = o->axis[k];
    if (o->stmt->box.lo[d] > b.lo[d]) b.lo[d] = o->stmt->box.lo[d];
    if (o->stmt->box.hi[d] < b.hi[d]) b.hi[d] = o->stmt->box.hi[d];
  }
  return b;
}

static bool is_wide(ik_type t) { return t == IK_F64 || t == IK_F16 || t == IK_BF16; }

static void add_stmt(work *w, const ik_stmt *s) {
  ik_sweep_stmt x = {.stmt = s, .box = box_of(w->o, s)};
  ik_nodes      nodes;
  int           cap = 0;
  if (!ik_box_cells(&x.box)) return;
  x.value = value_of(w, s->field, s->level);
  ik_nodes_of(s->value, w->a, &nodes);
  for (int i = 0; i < nodes.n; i++) {
    w->o->row.wide = w->o->row.wide || is_wide(nodes.node[i]->type);
    w->operations += ik_op_nargs(nodes.node[i]->op) > 0;
    if (nodes.node[i]->op == IK_OP_READ) add_read(w, &x, &cap, nodes.node[i]);
  }
  IK_PUSH(w->a, w->o->body, w->o->nstmt, w->cap_stmt, x);
}

static void add_statements(work *w) {
  const ik_stmt *s = w->o->stmt;
  if (s->kind == IK_ASSIGN)
    add_stmt(w, s);
  else
    for (const ik_stmt *b = s->body; b; b = b->next) add_stmt(w, b);
}

static void set_box(ik_sweep *o) {
  for (int i = 0; i < o->nstmt; i++)
    for (int d = 0; d < IK_MAX_DIM; d++) {
      const ik_box *b = &o->body[i].box;
      if (!i || b->lo[d] < o->box.lo[d]) o->box.lo[d] = b->lo[d];
      if (!i || b->hi[d] > o->box.hi[d]) o->box.hi[d] = b->hi[d];
    }
}

/* ---- dependences ---- */

/* On which sides of a cell a read may look along an axis: bits of sides. */
enum { BEHIND = 1, SAME = 2, AHEAD = 4 };

static int side_of(int64_t distance) { return distance < 0 ? BEHIND : distance > 0 ? AHEAD : SAME; }

static int turned(int sides) {
  return (sides & SAME) | (sides & BEHIND ? AHEAD : 0) | (sides & AHEAD ? BEHIND : 0);
}

/* Cells from `lo` to `hi` that read beyond a face find others by its boundary, or none at all. */
static int sides_beyond(const ik_field *f, int d, int off, int64_t lo, int64_t hi) {
  int sides = 0;
  for (int64_t i = lo; i < hi && sides != (BEHIND | SAME | AHEAD); i++) {
    double  sign = 1;
    int64_t at = i + off;
    if (ik_bound_fold(f, d, &at, &sign) < 0) sides |= side_of(at - i);
  }
  return sides;
}

static int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }
static int64_t most(int64_t a, int64_t b) { return a > b ? a : b; }

static int sides_of(const ik_field *f, const ik_box *b, int off, int d) {
  int64_t lo = b->lo[d], hi = b->hi[d], in = f->box.lo[d] - off, out = f->box.hi[d] - off;
  if (!f->on[d])
    return (lo < 0 ? AHEAD : 0) | (lo <= 0 && hi > 0 ? SAME : 0) | (hi > 1 ? BEHIND : 0);
  int sides = most(lo, in) < least(hi, out) ? side_of(off) : 0;
  sides |= sides_beyond(f, d, off, lo, least(hi, in));
  return sides | sides_beyond(f, d, off, most(lo, most(in, out)), hi);
}

/* One pair of a read and an assignment of what it reads, for one choice of sides: would any order
 * along all axes have the same of the two first? */
static bool is_kept(const ik_sweep *o, int reader, int writer, const int side[IK_MAX_DIM]) {
  int first = SAME, all = 0;
  for (int d = 0; d < IK_MAX_DIM; d++) all |= side[d];
  for (int k = 0; k < o->naxes && first == SAME; k++) first = side[o->axis[k]];
  if (all == SAME) return true;
  bool written = first == BEHIND || (first == SAME && writer < reader);
  return !(all & (written ? AHEAD : BEHIND));
}

static bool each_side_is_kept(const ik_sweep *o, int reader, int writer,
                              const int sides[IK_MAX_DIM]) {
  int side[IK_MAX_DIM];
  for (side[0] = BEHIND; side[0] <= AHEAD; side[0] *= 2)
    for (side[1] = BEHIND; side[1] <= AHEAD; side[1] *= 2)
      for (side[2] = BEHIND; side[2] <= AHEAD; side[2] *= 2)
        if ((side[0] & sides[0]) && (side[1] & sides[1]) && (side[2] & sides[2]) &&
            !is_kept(o, reader, writer, side))
          return false;
  return true;
}

/* False: it finds no cell, or one that the statements leave alone. */
static bool depends(const work *w, int reader, const ik_sweep_read *r, int sides[IK_MAX_DIM]) {
  const ik_sweep *o = w->o;
  bool            found = false, assigned = false;
  for (int i = 0; i < o->nstmt; i++) assigned = assigned || o->body[i].value == r->value;
  for (int d = 0; d < IK_MAX_DIM && assigned; d++) {
    sides[d] =
        sides_of(&w->ir->field[o->value[r->value].field], &o->body[reader].box, r->off[d], d);
    if (o->dir[d] < 0) sides[d] = turned(sides[d]);
    if (!sides[d]) return false;
    found = true;
  }
  return found;
}

static bool is_monotone(const work *w) {
  const ik_sweep *o = w->o;
  int             sides[IK_MAX_DIM];
  for (int i = 0; i < o->nstmt; i++)
    for (int k = 0; k < o->body[i].nread; k++) {
      if (!depends(w, i, &o->body[i].read[k], sides)) continue;
      for (int j = 0; j < o->nstmt; j++)
        if (o->body[j].value == o->body[i].read[k].value && !each_side_is_kept(o, i, j, sides))
          return false;
    }
  return true;
}

static void find_free_axes(const work *w) {
  ik_sweep *o = w->o;
  int       sides[IK_MAX_DIM];
  for (int d = 0; d < IK_MAX_DIM; d++) o->free[d] = true;
  for (int i = 0; i < o->nstmt; i++)
    for (int k = 0; k < o->body[i].nread; k++)
      if (depends(w, i, &o->body[i].read[k], sides))
        for (int d = 0; d < IK_MAX_DIM; d++) o->free[d] = o->free[d] && sides[d] == SAME;
}

/* Across the sweep up, or down where `down` has a bit. */
static void set_directions(ik_sweep *o, int down) {
  for (int d = 0; d < IK_MAX_DIM; d++) o->dir[d] = down >> d & 1 ? -1 : 1;
  for (int k = 0; k < o->naxes; k++) o->dir[o->axis[k]] = o->stmt->dir[k];
}

/* Across the sweep either direction will do, if one does for all. */
static void choose_kind(const work *w) {
  ik_sweep *o = w->o;
  o->kind = IK_SWEEP_BLOCKS;
  for (int down = 0; down < 1 << IK_MAX_DIM; down++) {
    set_directions(o, down);
    if (is_monotone(w)) return;
  }
  set_directions(o, 0);
  o->kind = o->naxes == w->ir->ndim ? IK_SWEEP_LINES : IK_SWEEP_PLANES;
}

/* Rows lie along axis 0.  Where a statement is done for all cells of an index at a time, none of
 * them reads what another one writes. */
static void find_vectors(ik_sweep *o) {
  bool row = o->box.hi[0] - o->box.lo[0] > 1;
  switch (o->kind) {
  case IK_SWEEP_BLOCKS: o->row.vectors = row && o->free[0]; break;
  case IK_SWEEP_LINES: o->row.vectors = row && o->free[0] && o->axis[o->naxes - 1] == 0; break;
  case IK_SWEEP_PLANES: o->row.vectors = row && !ik_sweep_is_swept(o, 0); break;
  }
}

/* Cells of a row that wait for each other leave time for those of other rows, of which those of a
 * wavefront wait as well, but less; while registers last. */
static void choose_rows(const work *w) {
  enum { FEW = 16, SOME = 48 };
  ik_sweep *o = w->o;
  bool      chains = o->kind == IK_SWEEP_BLOCKS && !o->free[0] && w->ir->ndim > 1;
  o->row.turns = !chains || w->operations > SOME ? 1 : w->operations > FEW || !o->free[1] ? 2 : 4;
}

/* ---- blocks ---- */

static int64_t within(int64_t v, int64_t lo, int64_t hi) { return v < lo ? lo : v > hi ? hi : v; }

static int64_t halved(int64_t n) { return (n + 1) / 2; }

/* In a wavefront a thread has a row of blocks, and begins a block after the one before it: with
 * fewer rows than threads some have nothing to do, and with c columns for each thread all of them
 * together wait for a part 1/(c+1) of the time.  While blocks take microseconds. */
static void cut_for_threads(ik_sweep *o, int threads) {
  enum { COLUMNS_EACH = 4, CELLS = 2048 };
  int64_t *row = &o->block[o->wave[0]], *column = &o->block[o->wave[1]];
  while (o->block[0] * o->block[1] * o->block[2] >= 2 * CELLS) {
    if (*row > 1 && ik_sweep_blocks(o, o->wave[0]) < threads)
      *row = halved(*row);
    else if (*column > 1 && ik_sweep_blocks(o, o->wave[1]) < COLUMNS_EACH * (int64_t)threads)
      *column = halved(*column);
    else
      return;
  }
}

/* Blocks are large enough to be worth a look at the neighbours, which takes some hundred
 * nanoseconds, and small enough that the first ones, during which other threads wait, are a small
 * part of all. */
static void choose_blocks(ik_sweep *o, int threads) {
  enum { COLUMNS = 16, ROWS = 32, WIDE = 1024, NARROW = 64, HIGH = 64, LOW = 4 };
  int     nwave = 0, wave[2];
  int64_t n[IK_MAX_DIM];
  for (int d = 0; d < IK_MAX_DIM; d++) n[d] = o->box.hi[d] - o->box.lo[d];
  for (int d = 0; d < IK_MAX_DIM; d++) o->block[d] = d ? HIGH : n[d];
  for (int d = IK_MAX_DIM - 1; d >= 0 && o->kind == IK_SWEEP_BLOCKS; d--)
    if (!o->free[d] && n[d] > 1 && nwave < 2) wave[nwave++] = d;
  o->wave[0] = o->wave[1] = -1;
  if (nwave == 2) {
    int row = o->wave[0] = wave[0], column = o->wave[1] = wave[1];
    o->block[row] = within(n[row] / ROWS, LOW, HIGH);
    o->block[column] = within(n[column] / COLUMNS, column ? LOW : NARROW, column ? HIGH : WIDE);
  }
  for (int d = 0; d < IK_MAX_DIM; d++) o->block[d] = least(o->block[d], n[d]);
  if (nwave == 2) cut_for_threads(o, threads);
}

/* ---- regions ---- */

static int compare_cuts(const void *x, const void *y) {
  int64_t a = *(const int64_t *)x, b = *(const int64_t *)y;
  return a < b ? -1 : a > b;
}

static void add_cut(work *w, int d, int *cap, int64_t at) {
  ik_sweep *o = w->o;
  if (at >= o->box.lo[d] && at <= o->box.hi[d]) IK_PUSH(w->a, o->cut[d], o->ncut[d], *cap, at);
}

static void cut_axis(work *w, int d) {
  ik_sweep *o = w->o;
  int       cap = 0, n = 0;
  for (int i = 0; i < o->nstmt; i++) {
    const ik_sweep_stmt *s = &o->body[i];
    add_cut(w, d, &cap, s->box.lo[d]), add_cut(w, d, &cap, s->box.hi[d]);
    for (int k = 0; k < s->nread; k++) {
      const ik_field *f = &w->ir->field[o->value[s->read[k].value].field];
      if (!f->on[d]) continue;
      add_cut(w, d, &cap, f->box.lo[d] - s->read[k].off[d]);
      add_cut(w, d, &cap, f->box.hi[d] - s->read[k].off[d]);
    }
  }
  qsort(o->cut[d], (size_t)o->ncut[d], sizeof *o->cut[d], compare_cuts);
  for (int i = 0; i < o->ncut[d]; i++)
    if (!n || o->cut[d][i] != o->cut[d][n - 1]) o->cut[d][n++] = o->cut[d][i];
  o->ncut[d] = n;
}

static bool holds(const ik_box *outer, const ik_box *b) {
  for (int d = 0; d < IK_MAX_DIM; d++)
    if (b->lo[d] < outer->lo[d] || b->hi[d] > outer->hi[d]) return false;
  return true;
}

static bool reads_inside(const work *w, const ik_sweep_stmt *s, const ik_box *b) {
  for (int k = 0; k < s->nread; k++) {
    const ik_field *f = &w->ir->field[w->o->value[s->read[k].value].field];
    for (int d = 0; d < IK_MAX_DIM; d++)
      if (f->on[d] && (b->lo[d] + s->read[k].off[d] < f->box.lo[d] ||
                       b->hi[d] + s->read[k].off[d] > f->box.hi[d]))
        return false;
  }
  return true;
}

static int set_of(work *w, uint64_t active) {
  ik_sweep *o = w->o;
  for (int i = 0; i < o->nset; i++)
    if (o->set[i] == active) return i;
  IK_PUSH(w->a, o->set, o->nset, w->cap_set, active);
  return o->nset - 1;
}

static void set_region(work *w, const ik_box *b, ik_sweep_region *r) {
  const ik_sweep *o = w->o;
  for (int i = 0; i < o->nstmt; i++) {
    if (!holds(&o->body[i].box, b)) continue;
    r->active |= (uint64_t)1 << i;
    if (reads_inside(w, &o->body[i], b)) r->inside |= (uint64_t)1 << i;
  }
  bool together = o->kind != IK_SWEEP_PLANES && r->active && r->active == r->inside;
  r->set = together ? set_of(w, r->active) : -1;
}

static void make_regions(work *w) {
  ik_sweep *o = w->o;
  int64_t   n = 1;
  int       i[IK_MAX_DIM];
  for (int d = 0; d < IK_MAX_DIM; d++) n *= o->ncut[d] - 1;
  o->region = IK_NEW_N(w->a, ik_sweep_region, n);
  for (int k = 0; k < o->nstmt && o->kind == IK_SWEEP_PLANES; k++) set_of(w, (uint64_t)1 << k);
  n = 0;
  for (i[2] = 0; i[2] + 1 < o->ncut[2]; i[2]++)
    for (i[1] = 0; i[1] + 1 < o->ncut[1]; i[1]++)
      for (i[0] = 0; i[0] + 1 < o->ncut[0]; i[0]++) {
        ik_box b;
        for (int d = 0; d < IK_MAX_DIM; d++)
          b.lo[d] = o->cut[d][i[d]], b.hi[d] = o->cut[d][i[d] + 1];
        set_region(w, &b, &o->region[n++]);
      }
}

/* ---- all of it ---- */

const ik_sweep *ik_sweep_of(const ik_ir *ir, const ik_stmt *s, int threads, ik_arena *a) {
  work w = {.ir = ir, .a = a, .o = IK_NEW(a, ik_sweep)};
  w.o->stmt = s;
  if (s->kind != IK_ASSIGN && s->kind != IK_SWEEP) return NULL;
  w.o->naxes = s->kind == IK_SWEEP ? s->naxes : 0;
  memcpy(w.o->axis, s->axis, sizeof w.o->axis);
  add_statements(&w);
  if (w.o->nstmt > IK_SWEEP_STMTS) return NULL;
  if (!w.o->nstmt) return w.o;
  set_box(w.o);
  choose_kind(&w);
  find_free_axes(&w);
  find_vectors(w.o);
  choose_rows(&w);
  choose_blocks(w.o, threads);
  int64_t regions = 1;
  for (int d = 0; d < IK_MAX_DIM; d++) cut_axis(&w, d), regions *= w.o->ncut[d];
  if (regions > MOST_REGIONS) return NULL;
  make_regions(&w);
  return w.o;
}

/* ---- text ---- */

void ik_sweep_describe(const ik_ir *ir, const ik_sweep *o, ik_buf *out) {
  for (int k = 0; k < o->naxes; k++)
    ik_buf_printf(out, "%s%s %s", k ? ", " : "", ir->axis[o->axis[k]],
                  o->stmt->dir[k] > 0 ? "up" : "down");
  if (!o->naxes) ik_buf_puts(out, "all cells");
  if (o->wave[0] < 0) return;
  ik_buf_printf(out, " in wavefronts of %lld", (long long)o->block[0]);
  for (int d = 1; d < ir->ndim; d++) ik_buf_printf(out, " x %lld", (long long)o->block[d]);
  ik_buf_puts(out, " cells");
}

static void print_set(const ik_ir *ir, const ik_sweep *o, uint64_t set, ik_buf *out) {
  const char *comma = ": ";
  for (int i = 0; i < o->nstmt; i++)
    if (set >> i & 1) {
      ik_buf_printf(out, "%s%s%s", comma, ir->field[o->body[i].stmt->field].name,
                    o->body[i].stmt->level == 1 ? "'" : "");
      comma = ", ";
    }
}

static int64_t cells_of(const ik_sweep *o, int set) {
  int64_t                n = 0;
  int                    i[IK_MAX_DIM];
  const ik_sweep_region *r = o->region;
  for (i[2] = 0; i[2] + 1 < o->ncut[2]; i[2]++)
    for (i[1] = 0; i[1] + 1 < o->ncut[1]; i[1]++)
      for (i[0] = 0; i[0] + 1 < o->ncut[0]; i[0]++, r++) {
        int64_t cells = 1;
        for (int d = 0; d < IK_MAX_DIM; d++) cells *= o->cut[d][i[d] + 1] - o->cut[d][i[d]];
        bool ours = o->kind == IK_SWEEP_PLANES ? r->inside >> set & 1 : r->set == set;
        if (ours) n += cells;
      }
  return n;
}

void ik_sweep_print(const ik_ir *ir, const ik_sweep *o, ik_buf *out) {
  static const char *const kinds[] = {"in blocks", "in lines", "statement after statement"};
  ik_sweep_describe(ir, o, out);
  ik_buf_printf(out, ", %s%s", kinds[o->kind], o->row.vectors ? ", vectors" : "");
  if (o->row.turns > 1) ik_buf_printf(out, ", %d rows in turn", o->row.turns);
  ik_buf_putc(out, '\n');
  for (int d = 0; d < ir->ndim; d++)
    ik_buf_printf(out, "    %s: %lld:%lld %s, %d region%s%s\n", ir->axis[d],
                  (long long)o->box.lo[d], (long long)o->box.hi[d], o->dir[d] > 0 ? "up" : "down",
                  o->ncut[d] - 1, o->ncut[d] == 2 ? "" : "s", o->free[d] ? ", free" : "");
  for (int i = 0; i < o->nset; i++) {
    ik_buf_printf(out, "    %lld cells inside", (long long)cells_of(o, i));
    print_set(ir, o, o->set[i], out);
    ik_buf_putc(out, '\n');
  }
}
