/* Which steps can be tiled in time, and with what tiles. */
#include "facts/nodes.h"
#include "base/least.h"
#include "lower/fold.h"
#include "targets/cpu/time_tiles_run.h"
#include "targets/cpu/shape/shape.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool ik_time_tiles_is(const char *strategy) {
  return strategy && (strcmp(strategy, "hex") == 0 || strcmp(strategy, "skew") == 0);
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

/* A line is a tile of each pass: as wide as planned, whole along other axes. */
static bool holds_line(const ik_ir *ir, const ik_pass *p, const ik_plan *plan) {
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
    if (!holds_line(ir, p, plan)) return 0;
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

/* Adding what sources give is a sub-step of its own, after all others. */
ik_schedule ik_time_tiles_schedule(const ik_ir *ir, const ik_pipe *pipe, const ik_plan *plan) {
  ik_schedule s = {.ndim = ir->ndim, .band = plan->steps};
  s.kind = strcmp(plan->strategy, "hex") == 0 ? IK_SCHEDULE_HEX : IK_SCHEDULE_SKEW;
  s.nsub = pipe->n + (ir->ninject > 0);
  s.place = s.kind == IK_SCHEDULE_SKEW ? place_of(ir, pipe, plan) : 0;
  for (int i = 0; i < pipe->n; i++) add_pass(pipe, i, &s);
  for (int d = 0; d < ir->ndim; d++) {
    s.axis[d].width = d >= ir->ndim - 2 ? plan->tile[d] : 0;
    s.axis[d].wraps = wraps(ir, d);
    if ((s.axis[d].wraps && d < ir->ndim - 1) || leaves_grid(pipe, d)) s.axis[d].width = 0;
    if (ir->ninject) s.axis[d].lo = ik_min(s.axis[d].lo, 0);
    if (ir->ninject) s.axis[d].hi = ik_max(s.axis[d].hi, ir->n[d]);
  }
  return s;
}

int ik_time_tiles_lines(const ik_ir *ir, const ik_pipe *pipe, const ik_plan *plan) {
  ik_schedule s = ik_time_tiles_schedule(ir, pipe, plan);
  return ik_schedule_has_lines(&s) ? (int)(s.band * s.nsub) : 0;
}

/* Rings follow the stream whatever its length; lanes and rows of tiles are those of boxes. */
ik_plan ik_time_tiles_passes(const ik_ir *ir, const ik_plan *plan) {
  ik_plan p = *plan;
  bool    lines = ir->ndim > 2 && !plan->tile[ir->ndim - 1] && plan->tile[ir->ndim - 2];
  if (lines && strcmp(plan->strategy, "skew") == 0) p.band = plan->steps;
  if (ir->ndim > 1) p.tile[ir->ndim - 1] = 0;
  p.steps = 1, p.stream = false;
  return p;
}

bool ik_time_tiles_smaller(const ik_ir *ir, ik_plan *plan) {
  static const int64_t least[] = {256, 8}; /* lanes, rows */
  for (int d = ir->ndim - 2; d >= 0; d--) {
    int64_t n = plan->tile[d] ? plan->tile[d] : ir->n[d];
    if (n < 2 * least[d]) continue;
    plan->tile[d] = n / 2;
    return true;
  }
  return false;
}

bool ik_time_tiles_fewer(const ik_ir *ir, ik_plan *plan) {
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

static void find_read(const ik_expr *e, void *ctx) {
  if (e->op == IK_OP_READ) *(bool *)ctx = true;
}

static const char *illegal_sources(const ik_ir *ir) {
  bool reads = false;
  for (int j = 0; j < ir->ninject; j++) ik_expr_each(ir->inject[j].value, find_read, &reads);
  return reads ? "a source depends on a field" : NULL;
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

/* ---- tiles by what the caches hold ---- */

/* Cycles: of a byte from memory and from the last cache, of a cell fetched into a ring, of a row of
 * a kernel, of a box, of a place of a line.  The first is measured (cost.c), the others are about
 * right. */
static const double BYTE = 0.126, FAR_BYTE = 0.06, FETCH = 0.3, ROW = 60, BOX = 3000, PLACE = 500;
static const double PART = 0.6, FULL = 0.85; /* of a cache, for boxes and for lines */

typedef struct fitting {
  const ik_isa *isa;
  ik_schedule   s;
  int           turns;    /* bands that a tile lasts */
  double        bytes;    /* of all arrays that a cell has, ... */
  double        made;     /* ... of those that steps write, ... */
  double        beside;   /* ... and of others, for each slice before and behind that is read */
  bool          in_place; /* nothing is copied into rings */
  double        lanes;    /* cells of the axes that are not cut */
  int           threads;
  double        best;
} fitting;

static bool is_used(const ik_pipe *pipe, int field) {
  for (int i = 0; i < pipe->n; i++) {
    const ik_pass *p = pipe->work[i].pass;
    for (int k = 0; k < p->nbuffer; k++)
      if (p->buffer[k].memory && p->buffer[k].field == field) return true;
  }
  return false;
}

/* Of a cell, in all arrays of a field that steps use. */
static double field_bytes(const ik_ir *ir, const ik_pipe *pipe, const bool *fold, int field) {
  const ik_field *q = &ir->field[field];
  if (!q->on[0] || !is_used(pipe, field)) return 0;
  return ik_type_bytes(q->type) * (q->has_new ? q->history + !fold[field] : 1);
}

/* Slices before and behind a cell's that passes read of a field. */
static int slices_beside(const ik_pipe *pipe, int field) {
  int most = 0;
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

static void count_bytes(const ik_ir *ir, const ik_pipe *pipe, ik_arena *a, fitting *out) {
  const bool *fold = ik_fold_fields(ir, a);
  for (int f = 0; f < ir->nfield; f++) {
    double bytes = field_bytes(ir, pipe, fold, f);
    out->bytes += bytes;
    if (is_written(pipe, f))
      out->made += bytes;
    else
      out->beside += bytes * slices_beside(pipe, f);
  }
}

typedef struct shape {   /* of tiles along an axis */
  double n, width, lean; /* cells; of a tile; that edges move in a step */
} shape;

static shape shape_of(const fitting *f, int d, int64_t width) {
  if (d < 0) return (shape){1, 1, 0};
  double n = (double)(f->s.axis[d].hi - f->s.axis[d].lo);
  bool   cut = width > 0 && (double)width < n;
  return (shape){n, cut ? (double)width : n, cut ? (double)f->s.shift[d][f->s.nsub] : 0};
}

/* Bytes from memory, and from the last cache, as cycles per cell and step.  A piece moves along the
 * inner axis: if all that it meets stays near, each cell is loaded once in the life of a tile; if
 * only what a step needs does, what moves out of it has to be loaded again. */
static double memory_cost(const fitting *f, int steps, shape o, shape i) {
  double life = f->turns * steps, cell = f->bytes * f->lanes;
  double wide = o.width + o.lean * (steps + 2), box = wide * (i.width + 2 * i.lean) * cell;
  double span = wide * fmin(i.width + i.lean * life, i.n) * cell;
  double once = f->bytes * wide / o.width / life, again = once + f->bytes * i.lean / i.width;
  double l2 = PART * (double)f->isa->l2, l3 = PART * (double)f->isa->l3;
  if (span <= l2) return BYTE * once;
  if (box <= l2) return BYTE * again;
  if (span <= l3) return BYTE * once + FAR_BYTE * f->bytes;
  return BYTE * f->bytes;
}

static double cost_of(const fitting *f, int steps, shape o, shape i) {
  double rows = f->s.ndim > 2 ? f->lanes : f->s.ndim > 1 ? i.width : o.width;
  double around = (1 + 2 * o.lean / o.width) * (1 + 2 * i.lean / i.width);
  double tiles = fmax(o.n / o.width / 2, 1); /* at a time: every second, or less */
  double idle = ceil(tiles / f->threads) * f->threads / tiles;
  double start = ROW / rows + BOX / (o.width * i.width * f->lanes);
  return (memory_cost(f, steps, o, i) + FETCH * around + start) * idle;
}

/* Of a line in work: slices between the first step and the last, the one that is asked for, and of
 * what steps write those that the next step reads as well.  (wave f32 768^3 with AVX-512, two steps
 * of 16 rows, 0.85 of the second cache, and of 12: 2.07 1.81 GPts/s, medians of three.) */
static double line_bytes(const fitting *f, int steps, shape i) {
  double lean = (double)f->s.shift[f->s.ndim - 1][f->s.nsub];
  double slices = lean * (steps - 1) + 3, wide = i.width + i.lean * (steps - 1);
  return (slices * f->bytes + lean * f->made + f->beside) * wide * f->lanes;
}

/* What is asked for must be there until the last step has used it.  Of eighth order, three steps
 * are slower than two (wave f32 with AVX-512, GPts/s, medians of three: 384^3, two of 32 rows and
 * three of 18, 2.50 1.95; 512^3, of 24 and 15, 2.13 1.83). */
static bool is_long(const fitting *f, int steps) {
  enum { SLICES = 10 };
  return f->s.shift[f->s.ndim - 1][f->s.nsub] * steps > SLICES ||
         f->s.nsub * steps > IK_SCHEDULE_BAND;
}

/* A place of a line has rows. */
static double line_cost(const fitting *f, int steps, shape i) {
  double wide = i.width + i.lean * steps;
  double once = f->bytes * wide / i.width / steps, lines = i.n / i.width;
  double around = f->in_place ? 0 : FETCH * (1 + 2 * i.lean / i.width);
  if (is_long(f, steps) || line_bytes(f, steps, i) > FULL * (double)f->isa->l2) return INFINITY;
  double start = ROW / f->lanes + PLACE / (i.width * f->lanes);
  return (BYTE * once + around + start) * fmax(1, f->threads / lines);
}

static bool has_lines(const fitting *f, shape o, shape i) {
  return f->s.ndim > 2 && f->s.place && !f->s.axis[f->s.ndim - 1].wraps && o.width >= o.n &&
         i.width < i.n;
}

static void consider(fitting *f, int steps, int64_t outer, int64_t inner, ik_plan *plan) {
  int   d = f->s.ndim - 1;
  shape o = shape_of(f, d, outer), i = shape_of(f, d - 1, inner);
  if (o.width <= o.lean * steps) return; /* too narrow for its slopes */
  double cost = has_lines(f, o, i) ? line_cost(f, steps, i) : cost_of(f, steps, o, i);
  if (cost >= f->best) return;
  f->best = cost;
  plan->steps = steps, plan->tile[d] = o.width < o.n ? outer : 0;
  if (d) plan->tile[d - 1] = inner;
}

static int64_t cells(const fitting *f, int d) { return f->s.axis[d].hi - f->s.axis[d].lo; }

static void consider_widths(fitting *f, int steps, ik_plan *plan) {
  int     d = f->s.ndim - 1;
  int64_t unit = d > 1 ? ik_max_int(plan->rows, 1) : 16; /* rows that kernels do together; a line */
  bool    cut = d && !f->s.axis[d - 1].wraps;
  for (int64_t outer = 8; outer < 2 * cells(f, d); outer += outer / 4) {
    consider(f, steps, outer, 0, plan);
    for (int64_t inner = d > 1 ? 8 : 64; cut && inner < cells(f, d - 1); inner += inner / 4)
      consider(f, steps, outer, ik_max(inner / unit, 1) * unit, plan);
  }
  for (int64_t inner = 8; d > 1 && cut && inner < cells(f, d - 1); inner += 4)
    consider(f, steps, 0, ik_max(inner / unit, 1) * unit, plan);
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

static fitting fitting_of(const ik_ir *ir, const ik_pipe *pipe, const ik_plan *plan,
                          const ik_isa *isa, ik_arena *a) {
  fitting f = {
      .isa = isa, .s = ik_time_tiles_schedule(ir, pipe, plan), .lanes = 1, .best = INFINITY};
  ik_schedule_init(&f.s);
  f.turns = f.s.kind == IK_SCHEDULE_HEX ? 2 : 1;
  f.threads = plan->threads;
  count_bytes(ir, pipe, a, &f), f.in_place = !ik_time_tiles_copies(pipe);
  for (int d = 0; d < ir->ndim - 2; d++) f.lanes *= (double)cells(&f, d);
  return f;
}

void ik_time_tiles_choose(const ik_ir *ir, const ik_pipe *pipe, int64_t steps, const ik_isa *isa,
                          ik_arena *a, ik_plan *plan) {
  static const int bands[] = {1, 2, 3, 4, 6, 8, 12, 16, 24, 32};
  fitting          f = fitting_of(ir, pipe, plan, isa, a);
  for (int i = 0; i < 10 && bands[i] <= ik_max(steps / 2, 1); i++)
    consider_widths(&f, bands[i], plan);
}

void ik_time_tiles_plan(const ik_ir *ir, const ik_stmt *list, int64_t steps, const char *strategy,
                        const ik_isa *isa, ik_arena *a, ik_plan *plan) {
  ik_pipe pipe;
  plan->strategy = strategy, plan->steps = 1, plan->stream = false;
  memset(plan->tile, 0, sizeof plan->tile);
  ik_shape_passes(ir, list, 1, plan, a, &pipe);
  if (!ik_time_tiles_illegal(ir, list, &pipe, plan))
    ik_time_tiles_choose(ir, &pipe, steps, isa, a, plan);
}

bool ik_time_tiles_has_lines(const ik_ir *ir, const ik_stmt *list, const ik_plan *plan,
                             ik_arena *a) {
  ik_arena_mark before = ik_arena_here(a);
  ik_plan       passes = ik_time_tiles_passes(ir, plan);
  ik_pipe       pipe;
  ik_shape_passes(ir, list, 1, &passes, a, &pipe);
  bool legal = !ik_time_tiles_illegal(ir, list, &pipe, plan);
  bool lines = legal && ik_time_tiles_lines(ir, &pipe, plan) > 0;
  ik_arena_back(a, before);
  return lines;
}

/* Bytes of a cell that a step reads from memory and writes there. */
static void step_bytes(const ik_pipe *pipe, double *reads, double *writes) {
  *reads = *writes = 0;
  for (int i = 0; i < pipe->n; i++) {
    const ik_pass *p = pipe->work[i].pass;
    for (int k = 0; k < p->nbuffer; k++) {
      const ik_pipe_buffer *b = &p->buffer[k];
      if (b->memory) *(b->level > 0 ? writes : reads) += ik_type_bytes(b->type);
    }
  }
}

static bool asks_in_turns(const ik_pipe *pipe) {
  for (int i = 0; i < pipe->n; i++)
    for (int k = 0; k < pipe->work[i].pass->nkernel; k++)
      if (pipe->work[i].pass->kernel[k].shape->prefetch.in_turns) return true;
  return false;
}

/* A line reads each array once, with what leans out of it, and writes those that its steps make. */
ik_time_tiles_load ik_time_tiles_load_of(const ik_ir *ir, const ik_pipe *pipe, const ik_plan *plan,
                                         const ik_isa *isa, ik_arena *a) {
  fitting f = fitting_of(ir, pipe, plan, isa, a);
  shape   i = shape_of(&f, ir->ndim - 2, plan->tile[ir->ndim - 2]);
  double  steps = plan->steps, once = (i.width + i.lean * steps) / i.width / steps, reads, writes;
  step_bytes(pipe, &reads, &writes);
  double bytes = reads * once + fmin(writes, f.bytes / steps);
  return (ik_time_tiles_load){.share = bytes / (reads + writes),
                              .set = line_bytes(&f, plan->steps, i) / (FULL * (double)isa->l2),
                              .fresh = asks_in_turns(pipe) ? once : 1};
}

/* A few rows of hexagons, or enough bands for all threads to find a tile on a wavefront. */
int64_t ik_time_tiles_stride(const ik_plan *plan) {
  int bands = strcmp(plan->strategy, "hex") == 0 ? 4 : 2 * ik_max_int(plan->threads, 2);
  return (int64_t)plan->steps * bands;
}
