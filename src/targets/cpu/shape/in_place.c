/* Fields that are read where they lie: of those only what is near faces is copied into a
 * ring, since beyond faces there is nothing in memory. */
#include "base/least.h"
#include "targets/cpu/shape/shape.h"
#include <math.h>

static bool has_rows(const ik_draft *x) { return x->pass->axis[IK_ROW] >= 0; }

static bool is_written(const ik_draft *x, const ik_pipe_buffer *b) {
  for (int i = 0; i < x->nbuffer; i++) {
    const draft_buffer *w = &x->buffer[i];
    if (w->first >= 0 && w->b.memory && w->b.field == b->field && w->b.level == b->level)
      return true;
  }
  return false;
}

/* How far its readers look; false if one of them goes in order, or later. */
static bool find_reach(const ik_draft *x, int buffer, int reach[IK_NROLES][2]) {
  for (int k = 0; k < x->nread; k++) {
    const draft_read *r = &x->read[k];
    const draft_op   *op = &x->op[r->op];
    if (r->buffer != buffer) continue;
    if (op->sweep || x->unit[op->unit].phase != x->buffer[buffer].phase) return false;
    for (ik_role role = 0; role < IK_NROLES; role++) {
      reach[role][0] = ik_max_int(reach[role][0], -r->off[role]);
      reach[role][1] = ik_max_int(reach[role][1], r->off[role]);
    }
  }
  return true;
}

/* Rows of arrays often fall on the same set of a small cache: a few are no problem.  Narrow vectors
 * wait less for them than a copy takes (5 rows of 16 KiB with NEON: 2.5 instead of 2.3 GPts/s, of
 * 16 KiB and a line 2.8 instead of 2.4); and where vectors are lines of the cache, the plan has
 * counted the planes. */
static bool is_near(const ik_draft *x, const int reach[IK_NROLES][2]) {
  enum { FAR = 16 };
  if (reach[IK_LANE][0] > FAR || reach[IK_LANE][1] > FAR) return false;
  if (has_rows(x) && ik_traits_by_lines(ik_shape_traits(x))) return x->steps <= 1;
  return reach[IK_STREAM][0] + reach[IK_STREAM][1] < ik_shape_traits(x)->copied_planes;
}

/* ---- rows that are read whole ---- */

/* Where vectors are lines of the cache, neighbours along a row are made of pairs of them
 * (emit/shift.c).  If a row is nothing but whole lines, only the first pair and the last reach
 * beyond it: a kernel that knows what stands there needs no copy of its ends. */
static bool has_whole_rows(const ik_draft *x) {
  const int      line = ik_shape_traits(x)->line;
  const ik_pass *p = x->pass;
  int64_t        n = p->n[IK_LANE], lo, hi;
  bool           whole = p->tile[IK_LANE] >= n && n % (line / 4) == 0;
  for (int i = 0; i < x->nop; i++) {
    ik_draft_range(x, &x->op[i].stmt->box, IK_LANE, &lo, &hi);
    whole = whole && lo == 0 && hi == n;
  }
  return whole && x->steps <= 1 && x->plan->cpu.shift;
}

/* Do results read it beyond a face of lanes?  Temporaries may have some there themselves. */
static bool is_read_beyond(const ik_draft *x, int buffer, int side) {
  int64_t lo, hi;
  for (int i = 0; i < x->nread; i++) {
    const draft_read *r = &x->read[i];
    if (r->buffer != buffer) continue;
    ik_draft_range(x, &x->op[r->op].stmt->box, IK_LANE, &lo, &hi);
    lo += r->off[IK_LANE], hi += r->off[IK_LANE];
    if (side ? hi > x->pass->n[IK_LANE] : lo < 0) return true;
  }
  return false;
}

/* The number beyond a face; false: something else stands there. */
static bool find_number(const ik_draft *x, const ik_pipe_buffer *b, ik_role r, int side,
                        double *out) {
  const ik_bc *bc = &x->ir->field[b->field].bc[x->pass->axis[r]][side];
  if (bc->kind != IK_BC_VALUE || bc->value->op != IK_OP_CONST) return false;
  *out = ik_type_round(b->type, bc->value->value);
  return isfinite(*out);
}

/* What stands beyond a face of lanes, if it is one number, or the cell there. */
static bool find_beyond(const ik_draft *x, int buffer, int side, bool lines) {
  ik_pipe_buffer *b = &x->buffer[buffer].b;
  const ik_bc    *bc = &x->ir->field[b->field].bc[0][side];
  if (!is_read_beyond(x, buffer, side)) return true;
  b->in_place.ends.copied[side] = bc->kind == IK_BC_COPY;
  if (b->in_place.ends.copied[side]) return !lines;
  bool near = !lines || b->in_place.reach[IK_LANE][side] <= ik_shape_traits(x)->line / 8;
  return find_number(x, b, IK_LANE, side, &b->in_place.ends.value[side]) && near;
}

static bool is_known(const ik_draft *x, int buffer, bool lines) {
  const ik_pipe_buffer *b = &x->buffer[buffer].b;
  const ik_box         *box = &x->ir->field[b->field].box;
  bool                  whole = box->lo[0] == 0 && box->hi[0] == x->pass->n[IK_LANE];
  return whole && (b->type == IK_F32 || b->type == IK_F64) && find_beyond(x, buffer, 0, lines) &&
         find_beyond(x, buffer, 1, lines);
}

static bool may_be_in_place(const ik_draft *x, const draft_buffer *b) {
  if (b->first >= 0 || !b->b.ring || !b->b.memory || b->across || is_written(x, &b->b))
    return false;
  return x->ir->field[b->b.field].kind != IK_FIELD_TEMP && ik_draft_on_all(x, b->b.field);
}

/* A kernel reads all its rows whole, or none. */
static bool choose_lines(ik_draft *x) {
  bool all = has_whole_rows(x);
  for (int i = 0; i < x->nbuffer && all; i++) {
    draft_buffer *b = &x->buffer[i];
    if (may_be_in_place(x, b)) all = find_reach(x, i, b->b.in_place.reach) && is_known(x, i, true);
  }
  for (int i = 0; i < x->nbuffer && all; i++) {
    ik_in_place *q = &x->buffer[i].b.in_place;
    q->on = q->whole = q->ends.known = may_be_in_place(x, &x->buffer[i]);
  }
  return all;
}

static void choose_near(ik_draft *x) {
  for (int i = 0; i < x->nbuffer; i++) {
    draft_buffer *b = &x->buffer[i];
    b->b.in_place.on = may_be_in_place(x, b) && find_reach(x, i, b->b.in_place.reach) &&
                       is_near(x, b->b.in_place.reach);
  }
}

/* With narrow vectors, or in other rows, it is the cells that blocks leave at the ends of rows
 * which know what stands beyond: all that is read in place is read so, or nothing.  Images beyond
 * periodic ends read images; and one lane has no part of a vector. */
static void choose_ends(ik_draft *x) {
  bool all = ik_shape_traits(x)->vector > 8 && !x->virtual_axis[IK_LANE];
  for (int i = 0; i < x->nbuffer && all; i++)
    all = !x->buffer[i].b.in_place.on || is_known(x, i, false);
  for (int i = 0; i < x->nbuffer; i++)
    x->buffer[i].b.in_place.ends.known = all && x->buffer[i].b.in_place.on;
}

/* ---- padding ---- */

/* Cells beyond a face that are read: temporaries may have some there that look further. */
static int beyond(const ik_pipe_buffer *b, ik_role r, int side) {
  return ik_max_int(b->in_place.reach[r][side], b->halo[r][side]);
}

/* What stands beyond the faces of rows and of the stream. */
static bool find_padding(const ik_draft *x, ik_pipe_buffer *b) {
  bool   any = false;
  double here;
  for (ik_role r = IK_ROW; r <= IK_STREAM; r++)
    for (int side = 0; side < 2; side++) {
      if (!beyond(b, r, side)) continue;
      if (!find_number(x, b, r, side, &here)) return false;
      if (any && (here != b->in_place.padding || signbit(here) != signbit(b->in_place.padding)))
        return false;
      b->in_place.padding = here, any = true;
    }
  return true;
}

/* Slices of arrays are planes, whose rows are those of the grid. */
static bool can_pad(const ik_draft *x, const ik_pipe_buffer *b) {
  const ik_pass  *p = x->pass;
  ik_layout_field f = ik_layout_at(x->ir, x->plan->layout, b->field);
  int64_t         rows = ik_max_int(beyond(b, IK_ROW, 0), beyond(b, IK_ROW, 1));
  bool            slices = p->axis[IK_STREAM] == 2 && p->axis[IK_ROW] == 1;
  return slices && ik_layout_can_fill(&f, rows * f.stride[1]);
}

/* All that is read in place has padding, or nothing has: kernels read either arrays or rings.  Wide
 * vectors read rows that are no whole lines where they lie if all of them lie there, or not at all.
 */
static void choose_padding(ik_draft *x, bool lines) {
  bool all = true;
  for (int i = 0; i < x->nbuffer && all; i++) {
    ik_pipe_buffer *b = &x->buffer[i].b;
    if (b->in_place.on) all = b->in_place.ends.known && find_padding(x, b) && can_pad(x, b);
  }
  for (int i = 0; i < x->nbuffer; i++) {
    ik_in_place *q = &x->buffer[i].b.in_place;
    q->padded = all && q->on;
    if (!all && !lines && ik_traits_by_lines(ik_shape_traits(x))) q->on = q->ends.known = false;
  }
}

/* Copying a field into a ring takes time: it is done near faces alone.  Where planes have rows,
 * those of arrays lie elsewhere than those of rings: that is for the plan to decide. */
void ik_shape_in_place(ik_draft *x) {
  bool rows = has_rows(x), lines = false;
  if (rows && !x->plan->cpu.in_place) return;
  if (rows && ik_traits_by_lines(ik_shape_traits(x))) lines = choose_lines(x);
  if (!lines) choose_near(x);
  if (!lines && rows) choose_ends(x);
  if (rows) choose_padding(x, lines);
}
