/* Which steps can be tiled in time, and with what tiles. */
#include "facts/nodes.h"
#include "base/least.h"
#include "lower/fold.h"
#include "model/tiled.h"
#include "targets/cpu/cost.h"
#include "targets/cpu/compile.h"
#include "targets/cpu/strategy.h"
#include "targets/cpu/shape/shape.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool is_skewed(const ik_plan *plan) {
  return ik_strategy_find(plan->strategy)->schedule == IK_SCHEDULE_SKEW;
}

/* ---- how far a pass reads ---- */

static bool pass_writes(const ik_pass *p, int field) {
  for (int i = 0; i < p->nkernel; i++)
    for (int k = 0; k < p->kernel[i].noutput; k++)
      if (p->kernel[i].output[k].field == field) return true;
  return false;
}

/* What no pass of the step writes may be read anywhere, at any time. */
static bool is_written(const ik_pipe *pipe, int field) {
  for (int i = 0; i < pipe->n; i++)
    if (pass_writes(pipe->work[i].pass, field)) return true;
  return false;
}

/* At faces that reflect, what lies beyond is found on this side, no further away: the larger of
 * both sides holds for each. */
static int reach_of(const ik_pipe *pipe, const ik_pass *p, ik_role r) {
  int reach = 0;
  for (int i = 0; i < p->nbuffer; i++) {
    const ik_pipe_buffer *b = &p->buffer[i];
    if (b->field >= 0 && is_written(pipe, b->field))
      reach = ik_max_int(reach, ik_max_int(b->need[r][0], b->need[r][1]));
  }
  return reach;
}

/* ---- the schedule ---- */

static bool wraps(const ik_ir *ir, int axis) {
  for (int f = 0; f < ir->nfield; f++)
    if (ir->field[f].bc[axis][0].kind == IK_BC_PERIODIC) return true;
  return false;
}

/* While its last stage works on a plane, how far from there a stage reads and writes memory. */
static int stage_ahead(const ik_pass *p, const ik_pipe_stage *s) {
  int ahead = ik_pipe_lag(&p->phase[0]) - s->lag, far = ahead;
  if (s->kind != IK_STAGE_KERNEL) return ahead;
  const ik_pipe_kernel *k = &p->kernel[s->kernel];
  for (int i = 0; i < k->nport; i++) {
    const ik_pipe_buffer *b = &p->buffer[s->in[k->port[i].input]];
    if (!b->ring || b->in_place.on) far = ik_max_int(far, abs(ahead + k->port[i].dz));
  }
  return far;
}

static int ahead_of(const ik_pass *p) {
  int far = 0;
  for (int i = 0; i < p->phase[0].nstage; i++)
    far = ik_max_int(far, stage_ahead(p, &p->phase[0].stage[i]));
  return far;
}

static void add_pass(const ik_pipe *pipe, int sub, ik_schedule *s) {
  const ik_pass *p = pipe->work[sub].pass;
  for (ik_role r = 0; r < IK_NROLES; r++) {
    if (p->axis[r] < 0) continue;
    ik_schedule_axis *a = &s->axis[p->axis[r]];
    a->lo = sub ? ik_min(a->lo, p->lo[r]) : p->lo[r];
    a->hi = sub ? ik_max(a->hi, p->hi[r]) : p->hi[r];
    a->reach[sub] = reach_of(pipe, p, r);
    if (s->place && r == IK_STREAM) a->reach[sub] = ik_max_int(a->reach[sub], ahead_of(p));
  }
}

/* A slab is a tile of each pass: as wide as planned, whole along other axes. */
static bool holds_slab(const ik_ir *ir, const ik_pass *p, const ik_plan *plan) {
  if (p->nphase != 1 || p->phase[0].dir < 0 || p->axis[IK_STREAM] != ir->ndim - 1) return false;
  for (ik_role r = IK_LANE; r <= IK_ROW; r++) {
    int64_t wide = p->hi[r] - p->lo[r];
    if (p->axis[r] == ir->ndim - 2) wide = ik_min(wide, plan->tile[ir->ndim - 2]);
    if (!ik_pass_has_room(p, r, wide)) return false;
  }
  return true;
}

/* Planes that passes do at a time, if all of them walk once along the last axis; else 0. */
static int place_of(const ik_ir *ir, const ik_pipe *pipe, const ik_plan *plan) {
  int planes = 1;
  for (int i = 0; i < pipe->n; i++) {
    const ik_pass *p = pipe->work[i].pass;
    if (!holds_slab(ir, p, plan)) return 0;
    planes = ik_max_int(planes, p->phase[0].planes);
  }
  return planes;
}

/* Results outside the grid: as in a pass, no tile may lie there all alone. */
static bool leaves_grid(const ik_pipe *pipe, int axis) {
  for (int i = 0; i < pipe->n; i++) {
    const ik_pass *p = pipe->work[i].pass;
    for (ik_role r = IK_LANE; r <= IK_ROW; r++)
      if (p->axis[r] == axis && (p->lo[r] < 0 || p->hi[r] > p->n[r])) return true;
  }
  return false;
}

/* Adding what sources give is a sub-step of its own, after all others.  What receivers hear has no
 * reader: they do so in the last one, wherever they are. */
ik_schedule ik_time_tiles_schedule(const ik_ir *ir, const ik_pipe *pipe, const ik_plan *plan) {
  ik_schedule s = {.ndim = ir->ndim, .band = plan->steps};
  s.kind = ik_strategy_find(plan->strategy)->schedule;
  s.nsub = pipe->n + (ir->ninject > 0);
  s.place = s.kind == IK_SCHEDULE_SKEW ? place_of(ir, pipe, plan) : 0;
  for (int i = 0; i < pipe->n; i++) add_pass(pipe, i, &s);
  for (int d = 0; d < ir->ndim; d++) {
    s.axis[d].width = d >= ir->ndim - 2 ? plan->tile[d] : 0;
    s.axis[d].wraps = wraps(ir, d);
    if ((s.axis[d].wraps && d < ir->ndim - 1) || leaves_grid(pipe, d)) s.axis[d].width = 0;
    if (!ir->ninject && !ir->nrecord) continue;
    s.axis[d].lo = ik_min(s.axis[d].lo, 0), s.axis[d].hi = ik_max(s.axis[d].hi, ir->n[d]);
  }
  return s;
}

int ik_time_tiles_slabs(const ik_ir *ir, const ik_pipe *pipe, const ik_plan *plan) {
  ik_schedule s = ik_time_tiles_schedule(ir, pipe, plan);
  return ik_schedule_has_slabs(&s) ? (int)(s.band * s.nsub) : 0;
}

/* Rings follow the stream whatever its length; lanes and rows of tiles are those of boxes. */
ik_plan ik_time_tiles_passes(const ik_ir *ir, const ik_plan *plan) {
  ik_plan p = *plan;
  bool    slabs = ir->ndim > 2 && !plan->tile[ir->ndim - 1] && plan->tile[ir->ndim - 2];
  if (slabs && is_skewed(plan)) p.cpu.band = plan->steps;
  if (ir->ndim > 1) p.tile[ir->ndim - 1] = 0;
  p.steps = 1, p.cpu.stream = false;
  return p;
}

/* Tiles of smaller rings; false: they are small. */
static bool make_smaller(const ik_ir *ir, ik_plan *plan) {
  static const int64_t least[] = {256, 8}; /* lanes, rows */
  for (int d = ir->ndim - 2; d >= 0; d--) {
    int64_t n = plan->tile[d] ? plan->tile[d] : ir->n[d];
    if (n < 2 * least[d]) continue;
    plan->tile[d] = n / 2;
    return true;
  }
  return false;
}

/* So of a plan whose tiles are slabs. */
static bool make_fewer(const ik_ir *ir, ik_plan *plan) {
  int64_t *width = &plan->tile[ir->ndim - 2];
  if (plan->steps < 2 && *width < 2) return false;
  if (plan->steps > 1)
    plan->steps--;
  else
    *width /= 2;
  return true;
}

/* ---- legality ---- */

/* A kernel that makes more than its tile for others to read must not store that. */
static bool writes_beyond(const ik_pass *p) {
  for (int i = 0; i < p->phase[0].nstage; i++) {
    const ik_pipe_stage *s = &p->phase[0].stage[i];
    bool                 beyond = false;
    if (s->kind != IK_STAGE_KERNEL) continue;
    for (ik_role r = 0; r < IK_NROLES; r++) beyond = beyond || s->ext[r][0] || s->ext[r][1];
    for (int k = 0; beyond && k < p->kernel[s->kernel].noutput; k++)
      if (!p->buffer[s->out[k]].ring) return true;
  }
  return false;
}

static const char *illegal_body(const ik_stmt *body) {
  if (!body) return "there is nothing to do in a step";
  for (const ik_stmt *s = body; s; s = s->next) {
    if (s->kind == IK_SWEEP) return "a sweep needs all cells along its axis before the next step";
    if (s->kind == IK_REDUCE) return "a reduction needs all cells before the next step";
    if (s->kind != IK_ASSIGN) return "a scalar is computed within the step";
  }
  return NULL;
}

static const char *illegal_passes(const ik_ir *ir, const ik_pipe *pipe) {
  if (pipe->n + (ir->ninject > 0) > IK_SCHEDULE_SUBS) return "the step has too many passes";
  for (int i = 0; i < pipe->n; i++) {
    if (pipe->work[i].kind != IK_WORK_PASS) return pipe->work[i].why;
    if (writes_beyond(pipe->work[i].pass)) return "values are made for neighbouring tiles as well";
  }
  return NULL;
}

static const char *illegal_sources(const ik_ir *ir) {
  for (int j = 0; j < ir->ninject; j++)
    if (ik_expr_has(ir->inject[j].value, IK_OP_READ)) return "a source depends on a field";
  return NULL;
}

/* A ring of tiles is as long as the grid. */
static const char *illegal_ring(const ik_ir *ir, const ik_schedule *s) {
  const ik_schedule_axis *a = &s->axis[ir->ndim - 1];
  bool                    cut = a->width && a->width < a->hi - a->lo;
  if (!a->wraps || !cut || (a->lo == 0 && a->hi == ir->n[ir->ndim - 1])) return NULL;
  return "a field is larger than the periodic axis that is cut";
}

const char *ik_time_tiles_illegal(const ik_ir *ir, const ik_stmt *body, const ik_pipe *pipe,
                                  const ik_plan *plan) {
  const char *why = illegal_body(body);
  if (!why) why = illegal_passes(ir, pipe);
  if (!why) why = illegal_sources(ir);
  if (why) return why;
  ik_schedule s = ik_time_tiles_schedule(ir, pipe, plan);
  why = illegal_ring(ir, &s);
  return why ? why : ik_schedule_illegal(&s);
}

/* ---- what tiles save and cost ---- */

/* Slices before and behind a cell's that passes read of a field; -1: they do not use it. */
static int slices_beside(const ik_pipe *pipe, int field) {
  int most = -1;
  for (int i = 0; i < pipe->n; i++) {
    const ik_pass *p = pipe->work[i].pass;
    for (int k = 0; k < p->nbuffer; k++) {
      const int *need = p->buffer[k].need[IK_STREAM];
      if (p->buffer[k].memory && p->buffer[k].field == field)
        most = ik_max_int(most, need[0] + need[1]);
    }
  }
  return most;
}

/* Of a cell, in all arrays of the fields that steps use. */
static void count_arrays(const ik_ir *ir, const ik_pipe *pipe, ik_arena *a, ik_tiled *out) {
  const bool *fold = ik_fold_fields(ir, a);
  for (int f = 0; f < ir->nfield; f++) {
    const ik_field *q = &ir->field[f];
    int             slices = slices_beside(pipe, f);
    if (!q->on[0] || slices < 0) continue;
    double bytes = ik_type_bytes(q->type) * (q->has_new ? q->history + !fold[f] : 1);
    out->bytes += bytes;
    if (is_written(pipe, f))
      out->made += bytes;
    else
      out->beside += bytes * slices;
  }
}

/* Bytes of a cell that a step reads from memory and writes there. */
static void count_traffic(const ik_pipe *pipe, ik_tiled *out) {
  for (int i = 0; i < pipe->n; i++) {
    const ik_pass *p = pipe->work[i].pass;
    for (int k = 0; k < p->nbuffer; k++) {
      const ik_pipe_buffer *b = &p->buffer[k];
      if (b->memory) *(b->level > 0 ? &out->writes : &out->reads) += ik_type_bytes(b->type);
    }
  }
}

static bool prefetches_in_turns(const ik_pipe *pipe) {
  for (int i = 0; i < pipe->n; i++)
    for (int k = 0; k < pipe->work[i].pass->nkernel; k++)
      if (pipe->work[i].pass->kernel[k].shape->prefetch.in_turns) return true;
  return false;
}

static int64_t cells(const ik_schedule *s, int d) { return s->axis[d].hi - s->axis[d].lo; }

static ik_tiled_axis axis_of(const ik_schedule *s, int d, int64_t width) {
  if (d < 0) return (ik_tiled_axis){1, 1, 0};
  int64_t n = cells(s, d);
  bool    cut = width > 0 && width < n;
  double  lean = cut ? (double)s->shift[d][s->nsub] : 0;
  return (ik_tiled_axis){(double)n, (double)(cut ? width : n), lean};
}

static void set_tiles(ik_tiled *t, const ik_schedule *s, int64_t steps, int64_t outer,
                      int64_t inner) {
  int d = s->ndim - 1;
  t->steps = (double)steps;
  t->outer = axis_of(s, d, outer), t->inner = axis_of(s, d - 1, inner);
  t->slabs = s->ndim > 2 && s->place && !s->axis[d].wraps && t->outer.width >= t->outer.n &&
             t->inner.width < t->inner.n;
}

/* All but the tiles, which may be none yet. */
static ik_tiled tiled_of(const ik_ir *ir, const ik_pipe *pipe, const ik_schedule *s,
                         const ik_isa *isa, int threads, ik_arena *a) {
  ik_tiled t = {.ndim = ir->ndim, .lanes = 1, .threads = threads};
  t.l2 = (double)isa->l2, t.l3 = (double)isa->l3;
  t.turns = s->kind == IK_SCHEDULE_HEX ? 2 : 1, t.subs = s->nsub;
  t.slices = (double)s->shift[ir->ndim - 1][s->nsub];
  for (int d = 0; d < ir->ndim - 2; d++) t.lanes *= (double)cells(s, d);
  count_arrays(ir, pipe, a, &t), count_traffic(pipe, &t);
  t.prefetched = prefetches_in_turns(pipe);
  return t;
}

void ik_time_tiles_count(const ik_choose *x, const ik_pipe *pipe, const ik_plan *plan, ik_arena *a,
                         ik_pipeline_work *step) {
  ik_schedule s = ik_time_tiles_schedule(x->ir, pipe, plan);
  ik_schedule_init(&s);
  ik_tiled t = tiled_of(x->ir, pipe, &s, x->isa, plan->threads, a);
  int      d = x->ir->ndim - 1;
  set_tiles(&t, &s, plan->steps, s.axis[d].width, d ? s.axis[d - 1].width : 0);
  ik_tiled_apply(&t, &x->figures, step);
}

/* ---- the best of them ---- */

typedef struct search {
  ik_schedule                s;
  ik_tiled                   tiles; /* in work */
  const ik_pipeline_machine *m;
  ik_pipeline_work           step;     /* without tiles */
  ik_pipeline_pass          *pass;     /* [step.npass] room for those with tiles */
  bool                       in_place; /* nothing is copied into rings */
  double                     best;     /* seconds */
} search;

static double seconds_of(search *x) {
  const ik_tiled *t = &x->tiles;
  bool            many = t->subs * t->steps > IK_SCHEDULE_BAND;
  if (t->slabs && (many || ik_tiled_slab_bytes(t) > x->m->slabs * t->l2)) return INFINITY;
  ik_pipeline_work step = x->step;
  memcpy(x->pass, step.pass, (size_t)step.npass * sizeof *step.pass);
  step.pass = x->pass;
  ik_tiled_apply(t, x->m, &step);
  return ik_pipeline_work_time(&step, x->m).seconds;
}

static void consider(search *x, int steps, int64_t outer, int64_t inner, ik_plan *plan) {
  int             d = x->s.ndim - 1;
  const ik_tiled *t = &x->tiles;
  set_tiles(&x->tiles, &x->s, steps, outer, inner);
  x->tiles.prefetched = x->in_place && steps > 1;
  if (t->outer.width <= t->outer.lean * steps) return; /* too narrow for its slopes */
  double seconds = seconds_of(x);
  if (seconds >= x->best) return;
  x->best = seconds;
  plan->steps = steps, plan->tile[d] = t->outer.width < t->outer.n ? outer : 0;
  if (d) plan->tile[d - 1] = inner;
}

static void consider_widths(search *x, int steps, ik_plan *plan) {
  int     d = x->s.ndim - 1;
  int64_t unit = d > 1 ? ik_max_int(plan->cpu.rows, 1)
                       : 16; /* rows that kernels do together; a line of the cache */
  bool    cut = d && !x->s.axis[d - 1].wraps;
  for (int64_t outer = 8; outer < 2 * cells(&x->s, d); outer += outer / 4) {
    consider(x, steps, outer, 0, plan);
    for (int64_t inner = d > 1 ? 8 : 64; cut && inner < cells(&x->s, d - 1); inner += inner / 4)
      consider(x, steps, outer, ik_max(inner / unit, 1) * unit, plan);
  }
  for (int64_t inner = 8; d > 1 && cut && inner < cells(&x->s, d - 1); inner += 4)
    consider(x, steps, 0, ik_max(inner / unit, 1) * unit, plan);
}

bool ik_time_tiles_copies(const ik_pipe *pipe) {
  bool any = false;
  for (int i = 0; i < pipe->n; i++) {
    const ik_pass *p = pipe->work[i].pass;
    for (int k = 0; p && k < p->nbuffer; k++)
      any |= p->buffer[k].ring && p->buffer[k].memory && !p->buffer[k].in_place.padded;
  }
  return any;
}

void ik_time_tiles_choose(const ik_choose *c, const ik_pipe *pipe, int64_t steps, ik_arena *a,
                          ik_plan *plan) {
  static const int bands[] = {1, 2, 3, 4, 6, 8, 12, 16, 24, 32};
  search           x = {.s = ik_time_tiles_schedule(c->ir, pipe, plan), .m = &c->figures};
  ik_schedule_init(&x.s);
  x.best = INFINITY;
  x.tiles = tiled_of(c->ir, pipe, &x.s, c->isa, plan->threads, a);
  x.in_place = !ik_time_tiles_copies(pipe);
  x.step = ik_cost_count(pipe, c->isa, plan->threads, a);
  x.pass = IK_NEW_N(a, ik_pipeline_pass, x.step.npass + 1);
  for (int i = 0; i < 10 && bands[i] <= ik_max(steps / 2, 1); i++)
    consider_widths(&x, bands[i], plan);
}

/* Where it is illegal it has no tiles. */
void ik_time_tiles_plan(const ik_choose *x, const ik_stmt *list, int64_t steps, ik_arena *a,
                        ik_plan *plan) {
  ik_pipe pipe;
  plan->steps = 1, plan->cpu.stream = false;
  memset(plan->tile, 0, sizeof plan->tile);
  ik_shape_passes(x->ir, list, 1, plan, a, &pipe);
  if (!ik_time_tiles_illegal(x->ir, list, &pipe, plan))
    ik_time_tiles_choose(x, &pipe, steps, a, plan);
}

/* ---- lowered ---- */

static bool lower(const ik_choose *x, const ik_stmt *list, const ik_plan *plan, ik_arena *a,
                  ik_pipe *pipe) {
  ik_plan passes = ik_time_tiles_passes(x->ir, plan);
  passes.layout = x->layout;
  ik_shape_passes(x->ir, list, 1, &passes, a, pipe);
  return !ik_time_tiles_illegal(x->ir, list, pipe, plan);
}

bool ik_time_tiles_has_slabs(const ik_choose *x, const ik_stmt *list, const ik_plan *plan,
                             ik_arena *a) {
  ik_arena_mark before = ik_arena_here(a);
  ik_pipe       pipe;
  bool slabs = lower(x, list, plan, a, &pipe) && ik_time_tiles_slabs(x->ir, &pipe, plan) > 0;
  ik_arena_back(a, before);
  return slabs;
}

bool ik_time_tiles_price(const ik_choose *x, const ik_stmt *list, const ik_plan *plan, ik_arena *a,
                         ik_pipeline_work *work, int64_t *scratch) {
  ik_pipe pipe;
  if (!lower(x, list, plan, a, &pipe)) return false;
  int slabs = ik_time_tiles_slabs(x->ir, &pipe, plan);
  *scratch = ik_pipe_scratch(&pipe);
  *scratch = slabs ? *scratch * slabs : ik_min(*scratch, x->room);
  *work = ik_cost_count(&pipe, x->isa, x->threads, a);
  ik_time_tiles_count(x, &pipe, plan, a, work);
  return true;
}

/* Less of it, until there is room for its rings; false: there is, or it cannot be less.  Boxes are
 * run in tiles of any size, slabs are tiles. */
static bool reduce(const ik_choose *x, ik_compile_part *part, ik_plan *passes) {
  const ik_pipe *pipe = &part->pipe[0];
  int            slabs = ik_time_tiles_slabs(x->ir, pipe, &part->plan);
  part->hands = ik_max_int(slabs, 1);
  if (ik_pipe_scratch(pipe) * part->hands <= x->room) return false;
  if (!slabs) return make_smaller(x->ir, passes);
  bool less = make_fewer(x->ir, &part->plan);
  *passes = ik_time_tiles_passes(x->ir, &part->plan);
  return less;
}

const char *ik_time_tiles_legal(const ik_choose *x, ik_compile_part *part, ik_arena *a) {
  ik_plan     passes = ik_time_tiles_passes(x->ir, &part->plan);
  const char *why;
  part->npipe = 1;
  do {
    ik_shape_passes(x->ir, part->list, 1, &passes, a, &part->pipe[0]);
    why = ik_time_tiles_illegal(x->ir, part->list, &part->pipe[0], &part->plan);
  } while (!why && reduce(x, part, &passes));
  return why;
}

/* A few rows of hexagons, or enough bands for all threads to find a tile on a wavefront. */
int64_t ik_time_tiles_stride(const ik_plan *plan) {
  int bands = is_skewed(plan) ? 2 * ik_max_int(plan->threads, 2) : 4;
  return (int64_t)plan->steps * bands;
}
