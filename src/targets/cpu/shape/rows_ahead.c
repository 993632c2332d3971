/* What is computed a row ahead of its reader, so that it is a value there and its rows are in the
 * first cache when they are read again.
 *
 * This is for vectors as wide as a line of the cache.  hdiff in f32 and f64 with AVX-512, by hand,
 * against the plain loop: 1.88x and 1.79x as two kernels that store lines at the ends of rows in
 * part, 2.12x and 1.88x with whole lines, 2.18x and 2.22x with whole lines and as one kernel.
 *
 * Such a kernel has rows one by one, as each reads what the one before has stored; and it loads
 * neighbours instead of shifting them (f32 and f64: 2.02 and 1.13 instead of 1.86 and 1.01 GPts/s).
 */
#include "targets/cpu/shape/shape.h"

bool ik_shape_has_line_vectors(const ik_draft *x) {
  return ik_traits_by_lines(ik_shape_traits(x)) && x->pass->axis[IK_ROW] >= 0 &&
         !x->plan->cpu.in_place;
}

static bool reads(const draft_unit *u, const draft_read *r) {
  return r->op >= u->first && r->op <= u->last;
}

static bool makes(const ik_draft *x, const draft_unit *u, int buffer) {
  for (int i = u->first; i <= u->last; i++)
    if (x->op[i].target == buffer) return true;
  return false;
}

/* Values of cells alone, of one plane after the other. */
static bool is_plain(const ik_draft *x, const draft_unit *u) {
  for (int i = u->first; i <= u->last; i++)
    if (x->op[i].sweep || x->op[i].stmt->kind != IK_ASSIGN) return false;
  for (ik_role r = 0; r < IK_NROLES; r++)
    if (u->extended[r]) return false;
  return x->pass->phase[u->phase].planes == 1;
}

static bool has_images(const ik_pipe_buffer *b) {
  for (ik_role r = 0; r < IK_NROLES; r++)
    if (b->edge[r] == IK_EDGE_VIRTUAL) return true;
  return false;
}

/* The row in which `b` wants `a` first, where it wants the cell below its own and no other; others
 * do not want it.  False if it is not like that. */
static bool find_rows_ahead(const ik_draft *x, const draft_unit *a, const draft_unit *b,
                            int *ahead) {
  *ahead = -1;
  for (int i = 0; i < x->nread; i++) {
    const draft_read *r = &x->read[i];
    if (!makes(x, a, r->buffer) || r->in_register) continue;
    if (!reads(b, r) || r->off[IK_STREAM]) return false;
    if (r->off[IK_ROW] > *ahead) *ahead = r->off[IK_ROW];
  }
  for (int i = 0; i < x->nread; i++) {
    const draft_read *r = &x->read[i];
    if (makes(x, a, r->buffer) && r->off[IK_ROW] == *ahead && r->off[IK_LANE]) return false;
  }
  return *ahead >= 0;
}

/* Wherever `b` has a cell, `a` has one so many rows further on. */
static bool covers(const ik_draft *x, const draft_unit *a, const draft_unit *b, int ahead) {
  for (ik_role r = 0; r < IK_NROLES; r++) {
    int64_t lo, hi, from, to;
    int     on = r == IK_ROW ? ahead : 0;
    ik_draft_range(x, &x->op[a->first].stmt->box, r, &lo, &hi);
    ik_draft_range(x, &x->op[b->first].stmt->box, r, &from, &to);
    if (lo > from + on || hi < to + on) return false;
  }
  return true;
}

/* Is something of it made up beyond a face, or an image?  That it reads what is overwritten cannot
 * be: it looks around, and such programs are no pass (reach.c). */
static bool is_made_up(const ik_draft *x, const draft_unit *a) {
  for (int i = a->first; i <= a->last; i++) {
    const ik_pipe_buffer *made = &x->buffer[x->op[i].target].b;
    if (ik_draft_has_halo(made) || has_images(made)) return true;
  }
  return false;
}

static bool may_go_ahead(ik_draft *x, int unit, int *ahead) {
  const draft_unit *a = &x->unit[unit], *b = a + 1;
  if (a->phase != b->phase || a->lag != b->lag || x->op[a->first].step != x->op[b->first].step)
    return false;
  if (!is_plain(x, a) || !is_plain(x, b) || !ik_draft_is_loose(x, unit)) return false;
  if (b->last - a->first >= IK_PIPE_OUTS) return false;
  return find_rows_ahead(x, a, b, ahead) && covers(x, a, b, *ahead) && !is_made_up(x, a);
}

/* Reads of the row ahead are values now; so many rows of the others are enough. */
static void go_ahead(ik_draft *x, draft_unit *a) {
  int first = a->rows_ahead, rows = 1;
  for (int i = 0; i < x->nread; i++) {
    draft_read *r = &x->read[i];
    if (!makes(x, a, r->buffer) || reads(a, r)) continue;
    if (r->off[IK_ROW] < first) first = r->off[IK_ROW];
    r->in_register = r->off[IK_ROW] == a->rows_ahead;
  }
  while (rows < a->rows_ahead - first + 1) rows *= 2;
  for (int i = a->first; i <= a->last; i++) x->buffer[x->op[i].target].b.rows = rows;
  a->ahead = true;
}

/* Two at a time: what is computed ahead has nothing ahead of it. */
void ik_shape_rows_ahead(ik_draft *x) {
  if (!ik_shape_has_line_vectors(x)) return;
  for (int u = x->nunit - 2; u >= 0; u--) {
    draft_unit *a = &x->unit[u];
    if (!a[1].ahead && may_go_ahead(x, u, &a->rows_ahead)) go_ahead(x, a);
  }
}
