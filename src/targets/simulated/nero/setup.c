#include "targets/simulated/nero/setup.h"
#include "base/least.h"
#include "ir/state.h"
#include "targets/simulated/nero/refuse.h"

static ik_status refuse_streams(const ik_nero_work *w, ik_diag *d) {
  for (int i = 0; i < w->n; i++) {
    int streams = ik_max_int(w->shape[i].in, w->shape[i].out);
    if (streams > IK_NERO_WIDE)
      return ik_fail(d, IK_ERR_UNSUPPORTED, IK_E082, IK_NOSPAN,
                     "NERO cannot run this program: a kernel of it has %d streams, and an element "
                     "has at most %d",
                     streams, IK_NERO_WIDE);
  }
  return IK_OK;
}

/* Of all stacks of memory, the design uses some. */
static ik_status refuse_grid(const ik_nero_board *b, const ik_ir *ir, ik_diag *d) {
  double share = b->stacks > 0 ? b->stacks_used / b->stacks : 1, GiB = 1 << 30;
  double bytes = (double)ik_state_bytes(ir);
  if (bytes >= 0 && bytes <= b->memory * share) return IK_OK;
  return ik_fail(d, IK_ERR_UNSUPPORTED, IK_E082, IK_NOSPAN,
                 "NERO has no room for this grid: its fields take %.2f GiB, and the memory that "
                 "elements read has %.2f",
                 bytes / GiB, b->memory * share / GiB);
}

static ik_status look_at(const ik_machine *board, const ik_ir *ir, ik_arena *a, ik_diag *d,
                         ik_nero_setup *out) {
  *out = (ik_nero_setup){0};
  IK_TRY(ik_nero_board_of(board, d, &out->board));
  IK_TRY(refuse_grid(&out->board, ir, d));
  IK_TRY(ik_nero_cut(ir, a, d, &out->program));
  ik_nero_work_of(&out->program, a, &out->work);
  return refuse_streams(&out->work, d);
}

/* Even one element is too large.  Multipliers and logic are as many for any window. */
static ik_status refuse_size(const ik_nero_setup *s, const ik_nero_design *x, ik_diag *d) {
  ik_nero_resource r = x->scarce;
  double           room = ik_nero_free(&s->board, r), all = s->board.has.of[r];
  if (r != IK_NERO_BRAM && r != IK_NERO_URAM)
    return ik_fail(d, IK_ERR_UNSUPPORTED, IK_E082, IK_NOSPAN,
                   "NERO has no room for this program, whatever the window: an element takes %.0f "
                   "%s for its arithmetic, and %.0f of %.0f are free",
                   x->area.of[r], ik_nero_resource_name(r), room, all);
  return ik_fail(d, IK_ERR_UNSUPPORTED, IK_E082, IK_NOSPAN,
                 "NERO has no room for windows of %lld x %lld x %lld cells: an element takes %.0f "
                 "%s, and %.0f of %.0f are free for elements",
                 (long long)x->size[0], (long long)x->size[1], (long long)x->size[2], x->area.of[r],
                 ik_nero_resource_name(r), room, all);
}

static ik_status choose_window(ik_nero_setup *s, ik_arena *a, ik_diag *d) {
  ik_nero_windows      w;
  static const int64_t least[IK_MAX_DIM] = {1, 1, 1};
  if (!ik_nero_fastest(&s->work, &s->board, IK_NERO_BUDGET, a, &w, &s->design))
    return ik_nero_no_memory(d);
  s->tried = w.evaluations, s->possible = w.n;
  if (s->design.elements > 0) return IK_OK;
  ik_nero_design_of(&s->work, &s->board, least, &s->design);
  return refuse_size(s, &s->design, d);
}

static ik_status take_window(ik_nero_setup *s, const ik_nero_override *override, ik_diag *d) {
  int64_t size[IK_MAX_DIM];
  for (int i = 0; i < IK_MAX_DIM; i++) {
    int64_t all = 1;
    for (int k = 0; k < s->work.n; k++) all = ik_max(all, s->work.extent[k][i]);
    size[i] = override->window[i] ? ik_min(all, override->window[i]) : all;
  }
  ik_nero_design_of(&s->work, &s->board, size, &s->design);
  return s->design.elements > 0 ? IK_OK : refuse_size(s, &s->design, d);
}

/* As many as fit, as were asked for, and as have a window to do. */
static ik_status choose_elements(ik_nero_setup *s, const ik_nero_override *override, ik_diag *d) {
  if (override->elements > s->design.elements)
    return ik_fail(d, IK_ERR_UNSUPPORTED, IK_E082, IK_NOSPAN,
                   "NERO has room for %d elements with windows of %lld x %lld x %lld cells, not "
                   "for %d",
                   s->design.elements, (long long)s->design.size[0], (long long)s->design.size[1],
                   (long long)s->design.size[2], override->elements);
  s->design.used = ik_nero_design_busy(&s->work, &s->design);
  if (override->elements) s->design.used = ik_min_int(s->design.used, override->elements);
  return IK_OK;
}

ik_status ik_nero_setup_of(const ik_machine *board, const ik_ir *ir,
                           const ik_nero_override *override, ik_arena *a, ik_diag *d,
                           ik_nero_setup *out) {
  IK_TRY(look_at(board, ir, a, d, out));
  out->all_words = override->all_words;
  IK_TRY(override->has_window ? take_window(out, override, d) : choose_window(out, a, d));
  IK_TRY(choose_elements(out, override, d));
  out->cycles = IK_NEW_N(a, ik_nero_cycles, out->work.n);
  bool ok =
      ik_nero_design_measure(&out->work, &out->board, out->design.used, &out->design, out->cycles);
  return ok ? IK_OK : ik_nero_no_memory(d);
}

double ik_nero_kernel_seconds(const ik_nero_setup *s, int kernel) {
  return ik_nero_design_board(&s->work, &s->board, kernel, s->design.used, s->design.size,
                              s->cycles[kernel].period) /
         s->board.clock;
}

double ik_nero_kernel_joules(const ik_nero_setup *s, int kernel) {
  bool sweeps = s->work.shape[kernel].sweeps;
  return ik_nero_kernel_seconds(s, kernel) * s->design.used *
         (sweeps ? s->board.sweep_power : s->board.power);
}

double ik_nero_link_seconds(const ik_nero_setup *s) {
  const ik_ir *ir = s->program.ir;
  double       bytes = 0;
  for (int f = 0; f < ir->nfield; f++)
    if (ir->field[f].kind == IK_FIELD_USER) bytes += (double)ik_state_field_bytes(ir, f);
  return 2 * bytes / s->board.link;
}
