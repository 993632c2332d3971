/* How far: tiles, edges, how far behind the stream and beyond the tile each unit works, rings. */
#include "base/least.h"
#include "lower/shaper.h"
#include <limits.h>

/* ---- reads ---- */

static bool reflects(ik_bc_kind k) {
  return k == IK_BC_MIRROR || k == IK_BC_ANTIMIRROR || k == IK_BC_REFLECT || k == IK_BC_ANTIREFLECT;
}

/* Readers that have cells beyond a face themselves, as temporaries may, look further back. */
static void look_along(const ik_draft *x, draft_read *rd, ik_role r) {
  int     field = x->buffer[rd->buffer].b.field, off = rd->off[r];
  int64_t lo, hi, from, to;
  rd->hull[r][0] = off < 0 ? -off : 0;
  rd->hull[r][1] = off > 0 ? off : 0;
  if (field < 0 || !ik_draft_on(x, field, r)) return;
  ik_draft_range(x, &x->op[rd->op].stmt->box, r, &lo, &hi);
  ik_draft_range(x, &x->ir->field[field].box, r, &from, &to);
  int excess[2] = {ik_max_int((int)(from - lo), 0), ik_max_int((int)(hi - to), 0)};
  rd->beyond[r][0] = ik_max_int((int)(from - lo) - off, 0);
  rd->beyond[r][1] = ik_max_int((int)(hi - to) + off, 0);
  for (int side = 0; side < 2; side++) {
    if (!rd->beyond[r][side]) continue;
    ik_bc_kind kind = x->ir->field[field].bc[x->pass->axis[r]][side].kind;
    int        back = excess[side] + (reflects(kind) ? rd->beyond[r][side] : 0);
    if (reflects(kind) || kind == IK_BC_COPY)
      rd->hull[r][!side] = ik_max_int(rd->hull[r][!side], back);
  }
}

void ik_draft_look(const ik_draft *x, draft_read *r) {
  for (ik_role role = 0; role < IK_NROLES; role++) {
    r->off[role] = x->pass->axis[role] < 0 ? 0 : r->expr->off[x->pass->axis[role]];
    look_along(x, r, role);
  }
}

static bool is_beyond(const draft_read *rd, ik_role r) {
  return rd->beyond[r][0] || rd->beyond[r][1];
}

/* ---- tiles ---- */

static bool is_result(const ik_draft *x, int op) {
  return x->op[op].stmt->kind == IK_REDUCE || x->buffer[x->op[op].target].b.memory;
}

static void cover_results(ik_draft *x, ik_role r) {
  ik_pass *p = x->pass;
  bool     any = false;
  for (int i = 0; i < x->nop; i++) {
    int64_t lo, hi;
    if (!is_result(x, i)) continue;
    ik_draft_range(x, &x->op[i].stmt->box, r, &lo, &hi);
    if (!any || lo < p->lo[r]) p->lo[r] = lo;
    if (!any || hi > p->hi[r]) p->hi[r] = hi;
    any = true;
  }
}

static bool is_periodic(const ik_draft *x, int field, ik_role r) {
  if (field < 0 || !ik_draft_on(x, field, r)) return false;
  return x->ir->field[field].bc[x->pass->axis[r]][0].kind == IK_BC_PERIODIC;
}

/* Some periodic field is read across an end of this axis. */
static bool wraps(const ik_draft *x, ik_role r) {
  for (int i = 0; i < x->nread; i++) {
    if (!is_periodic(x, x->buffer[x->read[i].buffer].b.field, r)) continue;
    if (is_beyond(&x->read[i], r)) return true;
  }
  return false;
}

/* What stands for a cell beyond one end lies at the other: the only tile must have it. */
static void cover_periods(ik_draft *x, ik_role r) {
  if (!wraps(x, r)) return;
  for (int i = 0; i < x->nbuffer; i++) {
    int64_t lo, hi;
    if (!is_periodic(x, x->buffer[i].b.field, r)) continue;
    ik_draft_range(x, &x->ir->field[x->buffer[i].b.field].box, r, &lo, &hi);
    if (lo < x->pass->lo[r]) x->pass->lo[r] = lo;
    if (hi > x->pass->hi[r]) x->pass->hi[r] = hi;
  }
}

bool ik_draft_reads_along(const ik_draft *x, ik_role r) {
  for (int i = 0; i < x->nread; i++)
    if (x->read[i].off[r]) return true;
  return false;
}

bool ik_draft_must_be_whole(const ik_draft *x, ik_role r) {
  for (int i = 0; i < x->nop; i++) {
    if (r == IK_LANE && x->op[i].stmt->kind == IK_REDUCE) return true;
    if (r == IK_STREAM && x->op[i].sweep) return true;
  }
  return false;
}

static bool leaves_grid(const ik_draft *x, ik_role r) {
  return r != IK_STREAM && (x->pass->lo[r] < 0 || x->pass->hi[r] > x->pass->n[r]);
}

/* Results outside the grid: no tile may lie there all alone, where fields have no cells.  So tiles
 * are a little longer where the first or the last would. */
static int64_t reach_grid(const ik_draft *x, ik_role r, int64_t asked) {
  int64_t all = x->pass->hi[r] - x->pass->lo[r], below = -x->pass->lo[r];
  int64_t above = x->pass->hi[r] - x->pass->n[r], more = r == IK_LANE ? 16 : 1; /* whole lines */
  if (asked <= 0 || !leaves_grid(x, r)) return asked;
  while (asked < all && (asked <= below || (all % asked && all % asked <= above))) asked += more;
  return asked;
}

void ik_draft_tiles(ik_draft *x) {
  ik_pass *p = x->pass;
  for (ik_role r = 0; r < IK_NROLES; r++) {
    int64_t asked = p->axis[r] < 0 ? 0 : x->plan->tile[p->axis[r]];
    cover_results(x, r);
    if (p->axis[r] >= 0) asked = x->shaper->tile(x, r, asked);
    asked = ik_draft_must_be_whole(x, r) ? 0 : reach_grid(x, r, asked);
    x->whole[r] = asked <= 0 || asked >= p->hi[r] - p->lo[r];
    if (x->whole[r] && r != IK_STREAM) cover_periods(x, r);
    p->tile[r] = x->whole[r] ? p->hi[r] - p->lo[r] : asked;
    if (p->tile[r] < 1) p->tile[r] = 1;
  }
  x->shaper->tiles(x);
}

/* ---- edges ---- */

static bool in_sweep(const ik_draft *x, const draft_buffer *b) {
  return b->first >= 0 && x->op[b->first].sweep;
}

/* A field that a sweep assigns stays in memory: what is read there is new where the sweep has been,
 * and old where it has not. */
static bool stays_in_memory(const ik_draft *x, const draft_buffer *b) {
  if (b->b.field < 0 || x->ir->field[b->b.field].kind == IK_FIELD_TEMP) return false;
  if (in_sweep(x, b)) return true;
  for (int i = 0; i < x->nbuffer; i++)
    if (x->buffer[i].old >= 0 && &x->buffer[x->buffer[i].old] == b && in_sweep(x, &x->buffer[i]))
      return true;
  return false;
}

/* Along the stream, what lies beyond a face is made up: a plane that is in no array. */
static bool made_up(const ik_draft *x, const draft_read *r) {
  int field = x->buffer[r->buffer].b.field, axis = x->pass->axis[IK_STREAM];
  if (x->ir->field[field].kind == IK_FIELD_TEMP) return false;
  for (int side = 0; side < 2; side++) {
    if (!r->beyond[IK_STREAM][side]) continue;
    ik_bc_kind k = x->ir->field[field].bc[axis][side].kind;
    if (k == IK_BC_VALUE || k == IK_BC_ANTIMIRROR || k == IK_BC_ANTIREFLECT) return true;
  }
  return false;
}

/* Reads beyond the ends of lanes or rows, where arrays have no cells. */
static bool reads_beyond(const draft_read *r) {
  return is_beyond(r, IK_LANE) || is_beyond(r, IK_ROW);
}

static void choose_rings(ik_draft *x) {
  for (int i = 0; i < x->nread; i++) {
    const draft_read *r = &x->read[i];
    draft_buffer     *b = &x->buffer[r->buffer];
    if (r->in_register) continue;
    bool outside = reads_beyond(r);
    bool kept = x->steps > 1 && x->ir->field[b->b.field].has_new;
    if (stays_in_memory(x, b)) {
      if (outside || r->off[IK_LANE] || r->off[IK_ROW])
        ik_draft_refuse(x, "a sweep reads its own field across the swept axis");
      if (made_up(x, r)) ik_draft_refuse(x, "a sweep reads its own field beyond a face");
    } else if (b->first >= 0 || outside || kept || made_up(x, r)) {
      b->b.ring = true;
    }
  }
  for (int i = 0; i < x->nop; i++) {
    draft_buffer *b = &x->buffer[x->op[i].target];
    b->b.ring |= x->op[i].stmt->kind == IK_REDUCE || ik_draft_has_spots(x, b);
  }
}

/* What is read in a ring has all of its cells from this pass. */
static void check_whole(ik_draft *x) {
  for (int i = 0; i < x->nbuffer; i++) {
    const draft_buffer *b = &x->buffer[i];
    int64_t             cells = 0;
    if (b->first < 0 || !b->b.ring || b->b.field < 0) continue;
    const ik_field *f = &x->ir->field[b->b.field];
    for (int k = b->first; k <= b->last; k++)
      if (x->op[k].target == i) cells += ik_box_cells(&x->op[k].stmt->box);
    if (f->kind != IK_FIELD_TEMP && cells != ik_box_cells(&f->box))
      ik_draft_refuse(x, "a field is read of which only a part was assigned");
  }
}

static void set_edges(ik_draft *x) {
  for (int i = 0; i < x->nbuffer; i++)
    for (ik_role r = 0; r < IK_NROLES; r++) {
      ik_pipe_buffer *b = &x->buffer[i].b;
      if (b->field < 0 || !ik_draft_on(x, b->field, r)) continue;
      if (x->ir->field[b->field].kind == IK_FIELD_TEMP)
        b->edge[r] = IK_EDGE_NONE;
      else
        b->edge[r] = b->ring && x->virtual_axis[r] && is_periodic(x, b->field, r) ? IK_EDGE_VIRTUAL
                                                                                  : IK_EDGE_MAP;
    }
}

void ik_draft_edges(ik_draft *x) {
  choose_rings(x);
  check_whole(x);
  for (ik_role r = 0; r < IK_NROLES; r++)
    x->virtual_axis[r] = (r == IK_STREAM || !x->whole[r]) && wraps(x, r);
  set_edges(x);
}

/* ---- beyond the tile ---- */

static void grow(int need[IK_NROLES][2], ik_role r, int side, int by) {
  need[r][side] = ik_max_int(need[r][side], by);
}

static void unit_needs(ik_draft *x, draft_unit *u) {
  for (int i = u->first; i <= u->last; i++)
    for (ik_role r = 0; r < IK_NROLES; r++)
      for (int side = 0; side < 2; side++)
        grow(u->ext, r, side, x->buffer[x->op[i].target].need[r][side]);
}

/* Pieces of one value are needed as far as the value is. */
static void unit_asks(ik_draft *x, const draft_unit *u) {
  for (int k = 0; k < x->nread; k++) {
    const draft_read *rd = &x->read[k];
    if (rd->op < u->first || rd->op > u->last || rd->in_register) continue;
    for (ik_role r = 0; r < IK_NROLES; r++)
      for (int side = 0; side < 2; side++)
        grow(x->buffer[rd->buffer].need, r, side, u->ext[r][side] + rd->hull[r][side]);
  }
}

static void extents(ik_draft *x) {
  for (int u = x->nunit - 1; u >= 0; u--) {
    unit_needs(x, &x->unit[u]);
    unit_asks(x, &x->unit[u]);
  }
}

static bool is_read_beyond(const ik_draft *x, int b, ik_role r) {
  for (int k = 0; k < x->nread; k++)
    if (x->read[k].buffer == b && is_beyond(&x->read[k], r)) return true;
  return false;
}

static bool goes_along(const ik_draft *x, const ik_stmt *sweep, ik_role r) {
  for (int k = 0; sweep && k < sweep->naxes; k++)
    if (sweep->axis[k] == x->pass->axis[r]) return true;
  return false;
}

/* Images beyond a periodic end are computed like the cells they stand for: what is read around them
 * must have images, too.  What a sweep makes depends on the cells that it came through, and would
 * begin with its images. */
static void check_extended(ik_draft *x, const draft_unit *u, ik_role r) {
  if (goes_along(x, x->op[u->first].sweep, r))
    ik_draft_refuse(x, "what a sweep makes is read beyond a periodic end");
  for (int i = u->first; i <= u->last; i++) {
    int64_t lo, hi;
    ik_draft_range(x, &x->op[i].stmt->box, r, &lo, &hi);
    if (lo > 0 || hi < x->pass->n[r])
      ik_draft_refuse(x, "a periodic axis is not covered by one statement");
    if ((lo < 0 || hi > x->pass->n[r]) && ik_draft_uses_place(x, u, r))
      ik_draft_refuse(x, "a temporary beyond a periodic end depends on its place");
  }
  for (int k = 0; k < x->nread; k++) {
    const draft_read *rd = &x->read[k];
    draft_buffer     *b = &x->buffer[rd->buffer];
    if (rd->op < u->first || rd->op > u->last || b->b.field < 0) continue;
    const ik_field *f = &x->ir->field[b->b.field];
    if (!ik_draft_on(x, b->b.field, r)) continue;
    if (f->kind == IK_FIELD_TEMP) {
      if (b->first < 0)
        ik_draft_refuse(x,
                        "a temporary that another pass made has no images beyond a periodic end");
      continue;
    }
    int axis = x->pass->axis[r];
    if (!is_periodic(x, b->b.field, r) && is_read_beyond(x, rd->buffer, r))
      ik_draft_refuse(x, "fields with and without a periodic boundary are read around a cell");
    if (f->box.lo[axis] != 0 || f->box.hi[axis] != x->pass->n[r])
      ik_draft_refuse(x, "a field is larger than its periodic axis");
    if (b->first < 0) b->b.ring = true;
    b->b.edge[r] = IK_EDGE_VIRTUAL;
  }
}

/* A field with another boundary than a periodic one, which somebody looks at. */
static bool is_bounded(const ik_draft *x, int b, ik_role r) {
  int field = x->buffer[b].b.field;
  if (field < 0 || x->ir->field[field].kind == IK_FIELD_TEMP || is_periodic(x, field, r))
    return false;
  return is_read_beyond(x, b, r);
}

/* Is a value read by a unit that computes images beyond a periodic end? */
static bool feeds_images(const ik_draft *x, int b, ik_role r) {
  for (int k = 0; k < x->nread; k++)
    if (x->read[k].buffer == b && x->unit[x->op[x->read[k].op].unit].extended[r]) return true;
  return false;
}

/* Are images beyond a periodic end read, or what is computed of them? */
static bool has_images(const ik_draft *x, const draft_unit *u, ik_role r) {
  bool any = false;
  for (int i = u->first; x->virtual_axis[r] && i <= u->last; i++) {
    int b = x->op[i].target;
    any = any || (is_periodic(x, x->buffer[b].b.field, r) && is_read_beyond(x, b, r)) ||
          feeds_images(x, b, r);
  }
  return any;
}

static bool leaves_registers(const ik_draft *x, int b) {
  for (int k = 0; k < x->nread; k++)
    if (x->read[k].buffer == b && !x->read[k].in_register) return true;
  return x->buffer[b].b.memory;
}

/* Readers first. */
static void extend(ik_draft *x) {
  for (int u = x->nunit - 1; u >= 0; u--)
    for (ik_role r = 0; r < IK_NROLES; r++) {
      draft_unit *v = &x->unit[u];
      v->extended[r] = has_images(x, v, r);
      if (v->extended[r]) check_extended(x, v, r);
      for (int i = v->first; v->extended[r] && i <= v->last; i++) {
        int b = x->op[i].target;
        if (is_bounded(x, b, r))
          ik_draft_refuse(x,
                          "a field without a periodic boundary is computed with one that has it");
        x->buffer[b].b.edge[r] = IK_EDGE_VIRTUAL;
        x->buffer[b].b.ring |= leaves_registers(x, b); /* images have no place in memory */
      }
    }
}

/* What is overwritten in place may be read by its own tile alone, cell by cell. */
static void check_in_place(ik_draft *x) {
  for (int i = 0; i < x->nbuffer; i++) {
    const draft_buffer *b = &x->buffer[i];
    if (b->first < 0 || !b->b.memory || b->old < 0) continue;
    for (ik_role r = 0; r < IK_NROLES; r++) {
      const int *before = x->buffer[b->old].need[r], *after = b->need[r];
      bool       along = in_sweep(x, b) && r == IK_STREAM; /* what was there is meant */
      bool       images = is_read_beyond(x, b->old, r) ||  /* which are other cells */
                    feeds_images(x, b->old, r);
      if (!along && (images || before[0] || before[1] || after[0] || after[1]))
        ik_draft_refuse(x, "a field is read around a cell and overwritten in place");
    }
  }
}

/* ---- behind ---- */

/* Along the stream and its direction: how far ahead and back a read looks. */
static void ahead_back(const ik_draft *x, const draft_read *r, int *ahead, int *back) {
  const ik_stmt *sweep = x->op[r->op].sweep;
  int            down = 0;
  for (int k = 0; sweep && k < sweep->naxes; k++)
    if (sweep->axis[k] == x->pass->axis[IK_STREAM]) down = sweep->dir[k] < 0;
  *ahead = r->hull[IK_STREAM][!down], *back = r->hull[IK_STREAM][down];
}

static bool raise_lag(int *lag, int to) {
  if (*lag >= to) return false;
  *lag = to;
  return true;
}

/* A reader waits for what it reads in the same phase; a writer in place waits for who reads the
 * old value; pieces of one value are made together. */
static bool settle_lags(ik_draft *x) {
  bool changed = false;
  for (int k = 0; k < x->nread; k++) {
    const draft_read   *r = &x->read[k];
    draft_unit         *u = &x->unit[x->op[r->op].unit];
    const draft_buffer *b = &x->buffer[r->buffer];
    int                 ahead, back;
    ahead_back(x, r, &ahead, &back);
    if (r->in_register || !b->b.ring || b->phase != u->phase) continue;
    bool own =
        b->first >= 0 && x->op[b->first].sweep && x->op[b->first].sweep == x->op[r->op].sweep;
    if (own && ahead)
      ik_draft_refuse(x, "a sweep reads what it has not made yet");
    else
      changed |= raise_lag(&u->lag, (b->first < 0 ? 0 : b->lag) + ahead);
  }
  for (int i = 0; i < x->nop; i++) {
    draft_unit   *u = &x->unit[x->op[i].unit];
    draft_buffer *b = &x->buffer[x->op[i].target];
    changed |= raise_lag(&b->lag, u->lag);
    changed |= raise_lag(&u->lag, b->lag);
    for (int k = 0; b->old >= 0 && k < x->nread; k++)
      if (x->read[k].buffer == b->old && x->op[x->read[k].op].unit < x->op[i].unit &&
          x->unit[x->op[x->read[k].op].unit].phase == u->phase)
        changed |= raise_lag(&u->lag, x->unit[x->op[x->read[k].op].unit].lag);
  }
  return changed;
}

static void find_phases(ik_draft *x) {
  for (int i = 0; i < x->nbuffer; i++)
    if (x->buffer[i].first >= 0)
      x->buffer[i].phase = x->unit[x->op[x->buffer[i].first].unit].phase;
    else
      x->buffer[i].phase = x->pass->nphase;
  for (int k = 0; k < x->nread; k++) {
    draft_buffer *b = &x->buffer[x->read[k].buffer];
    int           phase = x->unit[x->op[x->read[k].op].unit].phase;
    if (b->first < 0 && phase < b->phase) b->phase = phase;
  }
  for (int k = 0; k < x->nread; k++) {
    draft_buffer *b = &x->buffer[x->read[k].buffer];
    if (x->unit[x->op[x->read[k].op].unit].phase != b->phase) b->across = true;
  }
}

void ik_draft_reach(ik_draft *x) {
  find_phases(x);
  extents(x);
  extend(x);
  check_in_place(x);
  for (int round = 0; !x->why && settle_lags(x); round++)
    if (round > 2 * x->nop + 8) ik_draft_refuse(x, "the order of the statements has a cycle");
}

/* ---- rings ---- */

static int round_up(int n) {
  int p = 1;
  while (p < n) p *= 2;
  return p;
}

/* Planes between the oldest that anybody still reads and the newest. */
static void set_depths(ik_draft *x) {
  for (int i = 0; i < x->nbuffer; i++)
    if (x->buffer[i].b.ring) x->buffer[i].b.depth = x->shaper->planes(x, x->buffer[i].phase);
  for (int k = 0; k < x->nread; k++) {
    const draft_read *r = &x->read[k];
    const draft_unit *u = &x->unit[x->op[r->op].unit];
    draft_buffer     *b = &x->buffer[r->buffer];
    int               ahead, back;
    if (!b->b.ring || r->in_register || b->phase != u->phase) continue;
    ahead_back(x, r, &ahead, &back);
    int lag = b->first < 0 ? 0 : b->lag;
    b->b.depth = ik_max_int(b->b.depth, u->lag - lag + back + x->shaper->planes(x, u->phase));
  }
  for (int i = 0; i < x->nbuffer; i++) {
    draft_buffer *b = &x->buffer[i];
    int64_t       most = x->pass->hi[IK_STREAM] - x->pass->lo[IK_STREAM] + b->need[IK_STREAM][0] +
                   b->need[IK_STREAM][1];
    if (!b->b.ring) continue;
    if (b->across) b->b.depth = (int)most;
    if (x->pass->tile[IK_ROW] == 1) b->b.depth = round_up(b->b.depth);
    if (b->b.depth < 1) b->b.depth = 1;
  }
}

/* Planes of a buffer from the first to the last that a kernel may look at together, in whichever
 * phase it works. */
static int span_of(const ik_draft *x, int buffer) {
  int lo = INT_MAX, hi = INT_MIN, planes = 1;
  for (int k = 0; k < x->nread; k++) {
    const draft_read *r = &x->read[k];
    if (r->buffer != buffer || r->in_register) continue;
    lo = ik_min_int(lo, r->off[IK_STREAM]), hi = ik_max_int(hi, r->off[IK_STREAM]);
    planes = ik_max_int(planes, x->shaper->planes(x, x->unit[x->op[r->op].unit].phase));
  }
  return hi - lo + planes;
}

/* Values made up along the stream need a plane of their own each.  Kernels have a port for every
 * plane of the span: any of them may be made up, whether a statement reads it or not. */
static void set_spares(ik_draft *x) {
  for (int k = 0; k < x->nread; k++) {
    const draft_read *r = &x->read[k];
    draft_buffer     *b = &x->buffer[r->buffer];
    if (b->b.spare || r->in_register || !b->b.ring || b->b.edge[IK_STREAM] != IK_EDGE_MAP) continue;
    if (made_up(x, r)) b->b.spare = span_of(x, r->buffer);
  }
}

/* How far beyond its faces a field is read: further than the offsets where a temporary has cells
 * outside the grid. */
static void set_halos(ik_draft *x) {
  for (int k = 0; k < x->nread; k++) {
    const draft_read *rd = &x->read[k];
    draft_buffer     *b = &x->buffer[rd->buffer];
    for (ik_role r = 0; r < IK_NROLES && !rd->in_register; r++)
      for (int side = 0; side < 2; side++)
        b->b.halo[r][side] = ik_max_int(b->b.halo[r][side], rd->beyond[r][side]);
  }
}

/* That a ring has beyond a tile: what is needed there; of a tile as large as all results, no more
 * than the field has, and what stands beyond its faces. */
static int cells_beyond(const ik_draft *x, const draft_buffer *b, ik_role r, int side) {
  int     halo = b->b.halo[r][side], need = ik_max_int(b->need[r][side], halo);
  int64_t lo, hi;
  if (!x->whole[r] || x->virtual_axis[r] || b->b.field < 0 || !ik_draft_on(x, b->b.field, r))
    return need;
  ik_draft_range(x, &x->ir->field[b->b.field].box, r, &lo, &hi);
  int64_t more = side ? hi - x->pass->hi[r] : x->pass->lo[r] - lo;
  return (int)ik_min(need, ik_max(more, 0) + halo);
}

/* Room beyond the box of a temporary, too, whose cells may lie outside the grid. */
static void set_geometry(ik_draft *x) {
  ik_pass *p = x->pass;
  int      before[IK_NROLES] = {0}, after[IK_NROLES] = {0};
  for (int i = 0; i < x->nbuffer; i++)
    for (ik_role r = 0; r < IK_NROLES; r++) {
      const draft_buffer *b = &x->buffer[i];
      if (!b->b.ring) continue;
      before[r] = ik_max_int(before[r], cells_beyond(x, b, r, 0));
      after[r] = ik_max_int(after[r], cells_beyond(x, b, r, 1));
    }
  p->before[IK_LANE] = before[IK_LANE], p->before[IK_ROW] = before[IK_ROW];
  p->pitch = p->before[IK_LANE] + p->tile[IK_LANE] + after[IK_LANE];
  p->ring_rows = p->before[IK_ROW] + p->tile[IK_ROW] + after[IK_ROW];
}

void ik_draft_rings(ik_draft *x) {
  for (int i = 0; i < x->pass->nphase; i++) x->pass->phase[i].planes = x->shaper->planes(x, i);
  set_depths(x);
  set_spares(x);
  set_halos(x);
  set_geometry(x);
  x->shaper->rings(x);
}
