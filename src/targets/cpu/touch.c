#include "targets/cpu/touch.h"
#include "base/least.h"
#include "targets/cpu/drive.h"
#include "targets/cpu/strategy.h"
#include "targets/cpu/sweep_run.h"
#include <unistd.h>

/* ---- who is where ---- */

static int64_t ceil_div(int64_t a, int64_t b) { return (a + b - 1) / b; }

/* `width` 0: as many as there are threads. */
static ik_homes cut(const ik_ir *ir, int axis, int64_t width, int threads) {
  int64_t n = ir->n[axis], each = width ? width : ik_max(ceil_div(n, threads), 1);
  return (ik_homes){.axis = axis, .width = each, .n = ceil_div(n, each), .turns = width > 0};
}

/* Does a pass write a field to memory, or read it there? */
static bool meets(const ik_pass *p, int field, bool writes) {
  for (int i = 0; i < p->nbuffer; i++) {
    const ik_pipe_buffer *b = &p->buffer[i];
    if (b->field == field && b->memory && (b->version > 0 || !writes)) return true;
  }
  return false;
}

static bool sweeps(const ik_sweep *o, int field, bool writes) {
  for (int i = 0; i < o->nstmt; i++)
    if (o->body[i].stmt->field == field) return true;
  for (int i = 0; i < o->nvalue && !writes; i++)
    if (o->value[i].field == field) return true;
  return false;
}

static ik_homes of_sweep(const ik_ir *ir, const ik_sweep *o, int threads) {
  ik_sweep_way w = ik_sweep_way_of(o, threads);
  if (w.kind == IK_SWEEP_WAVES) return cut(ir, o->wave[0], o->block[o->wave[0]], threads);
  return cut(ir, w.axis < 0 ? ir->ndim - 1 : w.axis, 0, threads);
}

/* Where the first work of a list that writes the field has it, or else reads it. */
static bool find_work(const ik_ir *ir, const ik_pipe *p, int field, bool writes, int threads,
                      ik_homes *out) {
  for (int i = 0; i < p->n; i++) {
    const ik_pipe_work *w = &p->work[i];
    if (w->kind == IK_WORK_PASS && meets(w->pass, field, writes))
      return *out = (ik_homes){.pass = w->pass, .n = ik_drive_tiles(w->pass)}, true;
    if (w->kind == IK_WORK_SWEEP && sweeps(w->sweep, field, writes))
      return *out = of_sweep(ir, w->sweep, threads), true;
  }
  return false;
}

ik_homes ik_homes_of(const ik_compile *parts, int field, int threads) {
  const ik_ir           *ir = parts->ir;
  const ik_compile_part *main = ik_compile_main(parts);
  ik_homes               equal = cut(ir, ir->ndim - 1, 0, threads), h;
  if (!main) return equal;
  if (main->steps && main->how->advance) {
    bool slabs = ik_time_tiles_slabs(ir, &main->pipe[0], &main->plan) > 0;
    return slabs ? cut(ir, ir->ndim - 2, main->plan.tile[ir->ndim - 2], threads) : equal;
  }
  if (find_work(ir, &main->pipe[0], field, true, threads, &h)) return h;
  return find_work(ir, &main->pipe[0], field, false, threads, &h) ? h : equal;
}

static void set_range(ik_box *b, int axis, int64_t lo, int64_t hi, bool first, bool last) {
  b->lo[axis] = first ? INT64_MIN : lo, b->hi[axis] = last ? INT64_MAX : hi;
}

ik_box ik_homes_box(const ik_homes *h, int64_t i) {
  const ik_pass *p = h->pass;
  int64_t        lo[IK_NROLES], hi[IK_NROLES];
  ik_box         b;
  for (int d = 0; d < IK_MAX_DIM; d++) set_range(&b, d, 0, 0, true, true);
  if (!p) {
    set_range(&b, h->axis, i * h->width, (i + 1) * h->width, i == 0, i == h->n - 1);
    return b;
  }
  ik_drive_tile(p, i, lo, hi);
  for (ik_role r = 0; r < IK_NROLES; r++)
    if (p->axis[r] >= 0)
      set_range(&b, p->axis[r], lo[r], hi[r], lo[r] == p->lo[r], hi[r] == p->hi[r]);
  return b;
}

/* ---- pages ---- */

typedef struct touching {
  const ik_compile *parts;
  const ik_state   *state;
  int64_t           page; /* bytes */
} touching;

/* Of a field, what a box has.  Where the field is not on an axis, all of it belongs to the first
 * boxes along that.  false: nothing. */
static bool meet(const ik_field *f, ik_box *b) {
  for (int d = 0; d < IK_MAX_DIM; d++) {
    if (!f->on[d] && b->lo[d] != INT64_MIN) return false;
    b->lo[d] = f->on[d] ? ik_max(b->lo[d], f->box.lo[d]) : 0;
    b->hi[d] = f->on[d] ? ik_min(b->hi[d], f->box.hi[d]) : 1;
    if (b->lo[d] >= b->hi[d]) return false;
  }
  return true;
}

/* Rows are often shorter than pages: `last` is the one that was touched last. */
static void touch_row(int64_t page, char *row, int64_t bytes, uintptr_t *last) {
  uintptr_t first = (uintptr_t)row / (uintptr_t)page;
  for (char *p = row; p < row + bytes; p = (char *)(++first * (uintptr_t)page)) {
    if (first != *last) *p = 0;
    *last = first;
  }
}

static void touch_box(const touching *t, int field, char *data, const ik_box *b) {
  const ik_layout_field *l = t->state->slot[field].layout;
  int64_t                n = (b->hi[0] - b->lo[0]) * l->element;
  uintptr_t              last = 0;
  for (int64_t z = b->lo[2]; z < b->hi[2]; z++)
    for (int64_t y = b->lo[1]; y < b->hi[1]; y++) {
      int64_t at = ik_state_index(t->state, field, (int64_t[]){b->lo[0], y, z});
      touch_row(t->page, data + at * l->element, n, &last);
    }
}

static void touch_arrays(const touching *t, int field, ik_box b) {
  const ik_slot *s = &t->state->slot[field];
  if (!meet(&t->state->ir->field[field], &b)) return;
  for (int i = 0; i < IK_STATE_ARRAYS; i++)
    if (s->owned[i] && !(i == 1 && s->bound))
      touch_box(t, field, (char *)s->owned[i] + ik_layout_before(s->layout), &b);
}

static void touch(void *ctx, int thread, int threads) {
  const touching *t = ctx;
  for (int f = 0; f < t->state->ir->nfield; f++) {
    ik_homes h = ik_homes_of(t->parts, f, threads);
    int64_t  lo = thread, hi = h.n, step = threads;
    if (!h.turns) ik_team_share(h.n, thread, threads, &lo, &hi), step = 1;
    for (int64_t i = lo; i < hi; i += step) touch_arrays(t, f, ik_homes_box(&h, i));
  }
}

void ik_touch(const ik_compile *parts, const ik_state *s, ik_team *team) {
  ik_team_run(team, touch, &(touching){parts, s, sysconf(_SC_PAGESIZE)});
  ik_team_rest(team);
}
