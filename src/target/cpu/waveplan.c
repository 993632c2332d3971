/* Which steps can be tiled in time, and with what tiles. */
#include "facts/nodes.h"
#include "target/cpu/wave.h"
#include <math.h>
#include <string.h>

static int     imax(int a, int b) { return a > b ? a : b; }
static int64_t max2(int64_t a, int64_t b) { return a > b ? a : b; }
static int64_t min2(int64_t a, int64_t b) { return a < b ? a : b; }

bool ik_wave_is(const char *strategy) {
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

static int further(const int ext[2], int low, int high) {
  return imax(ext[0] - low, ext[1] + high);
}

/* Reads from memory.  They are at the cell but along the stream; there, ports cover all planes of
 * results at once. */
static int kernel_reach(const ik_pipe *pipe, const ik_pass *p, const ik_pipe_stage *s, ik_role r) {
  const ik_pipe_kernel *k = &p->kernel[s->kernel];
  int                   reach = 0;
  for (int i = 0, end; i < k->nport; i = end) {
    const ik_pipe_buffer *b = &p->buffer[s->in[k->port[i].input]];
    for (end = i + 1; end < k->nport && k->port[end].input == k->port[i].input;) end++;
    if (b->ring || !is_written(pipe, b->field)) continue;
    bool along = r == IK_STREAM;
    int  low = along ? k->port[i].dz : 0, high = along ? k->port[end - 1].dz - k->planes + 1 : 0;
    reach = imax(reach, further(s->ext[r], low, high));
  }
  return reach;
}

/* At faces that reflect, what lies beyond is found on this side, no further away: the larger of
 * both sides holds for each. */
static int reach_of(const ik_pipe *pipe, const ik_pass *p, ik_role r) {
  int reach = 0;
  for (int f = 0; f < p->nphase; f++)
    for (int i = 0; i < p->phase[f].nstage; i++) {
      const ik_pipe_stage *s = &p->phase[f].stage[i];
      if (s->kind == IK_STAGE_FETCH && is_written(pipe, p->buffer[s->out[0]].field))
        reach = imax(reach, further(s->ext[r], 0, 0));
      if (s->kind == IK_STAGE_KERNEL) reach = imax(reach, kernel_reach(pipe, p, s, r));
    }
  return reach;
}

/* ---- the schedule ---- */

static bool wraps(const ik_ir *ir, int axis) {
  for (int f = 0; f < ir->nfield; f++)
    if (ir->field[f].bc[axis][0].kind == IK_BC_PERIODIC) return true;
  return false;
}

static void add_pass(const ik_pipe *pipe, int sub, ik_schedule *s) {
  const ik_pass *p = pipe->work[sub].pass;
  for (ik_role r = 0; r < IK_NROLES; r++) {
    if (p->axis[r] < 0) continue;
    ik_schedule_axis *a = &s->axis[p->axis[r]];
    a->lo = sub ? min2(a->lo, p->lo[r]) : p->lo[r];
    a->hi = sub ? max2(a->hi, p->hi[r]) : p->hi[r];
    a->reach[sub] = reach_of(pipe, p, r);
  }
}

/* Adding what sources give is a sub-step of its own, after all others. */
ik_schedule ik_wave_schedule(const ik_ir *ir, const ik_pipe *pipe, const ik_plan *plan) {
  ik_schedule s = {.ndim = ir->ndim, .band = plan->steps};
  s.kind = strcmp(plan->strategy, "hex") == 0 ? IK_SCHEDULE_HEX : IK_SCHEDULE_SKEW;
  s.nsub = pipe->n + (ir->ninject > 0);
  for (int i = 0; i < pipe->n; i++) add_pass(pipe, i, &s);
  for (int d = 0; d < ir->ndim; d++) {
    s.axis[d].width = d >= ir->ndim - 2 ? plan->tile[d] : 0;
    s.axis[d].wraps = wraps(ir, d);
    if (s.axis[d].wraps && d < ir->ndim - 1) s.axis[d].width = 0;
    if (ir->ninject) s.axis[d].lo = min2(s.axis[d].lo, 0);
    if (ir->ninject) s.axis[d].hi = max2(s.axis[d].hi, ir->n[d]);
  }
  return s;
}

/* Rings follow the stream whatever its length; lanes and rows of tiles are those of boxes. */
ik_plan ik_wave_passes(const ik_ir *ir, const ik_plan *plan) {
  ik_plan p = *plan;
  if (ir->ndim > 1) p.tile[ir->ndim - 1] = 0;
  p.steps = 1, p.stream = false;
  return p;
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

const char *ik_wave_illegal(const ik_ir *ir, const ik_stmt *body, const ik_pipe *pipe,
                            const ik_plan *plan) {
  const char *why = illegal_body(body);
  if (!why) why = illegal_passes(ir, pipe);
  if (!why) why = illegal_sources(ir);
  if (why) return why;
  ik_schedule s = ik_wave_schedule(ir, pipe, plan);
  why = illegal_ring(ir, &s);
  return why ? why : ik_schedule_illegal(&s);
}

/* ---- tiles by what the caches hold ---- */

/* Cycles: a byte from memory, a row of a kernel, a box. */
static const double BYTE = 0.126, ROW = 60, BOX = 3000, L2_PART = 0.6;

typedef struct fitting {
  ik_schedule s;
  int         turns; /* bands that a tile lasts */
  double      bytes; /* of all arrays that a cell has */
  double      lanes; /* cells of the axes that are not cut */
  double      room;  /* cells that the cache holds, of the axes that are */
  int         threads;
  double      best;
} fitting;

static double bytes_of(const ik_ir *ir, const ik_pipe *pipe) {
  double bytes = 0;
  for (int f = 0; f < ir->nfield; f++) {
    bool used = false;
    for (int i = 0; i < pipe->n && !used; i++) {
      const ik_pass *p = pipe->work[i].pass;
      for (int k = 0; k < p->nbuffer; k++) used |= p->buffer[k].memory && p->buffer[k].field == f;
    }
    const ik_field *q = &ir->field[f];
    if (used && q->on[0]) bytes += ik_type_bytes(q->type) * (q->has_new ? q->history + 1 : 1);
  }
  return bytes;
}

/* Cells along the next axis such that a tile's piece stays in the cache; at least a few. */
static int64_t inner_width(const fitting *f, int64_t outer, int steps, bool *fits) {
  int                     d = f->s.ndim - 2;
  const ik_schedule_axis *a = &f->s.axis[d];
  int64_t                 n = a->hi - a->lo, least = d ? 4 : 64, step = d ? 1 : 16;
  int64_t w = (int64_t)(f->room / (double)outer) - f->turns * steps * f->s.shift[d][f->s.nsub];
  *fits = w >= min2(least, n);
  if (a->wraps) return *fits = *fits && w >= n, 0;
  w = max2(w, least) / step * step;
  return w < n ? w : 0;
}

/* Cycles per cell and step besides arithmetic. */
static double cost_of(const fitting *f, int steps, const int64_t tile[2], bool fits) {
  int                     d = f->s.ndim - 1;
  const ik_schedule_axis *a = &f->s.axis[d];
  double n = (double)(a->hi - a->lo), w = (double)tile[1], lean = (double)f->s.shift[d][f->s.nsub];
  double inner = tile[0]         ? (double)tile[0]
                 : f->s.ndim > 1 ? (double)(f->s.axis[d - 1].hi - f->s.axis[d - 1].lo)
                                 : w;
  double rows = f->s.ndim > 2 ? f->lanes : inner;
  double bytes = f->bytes * (fits ? (w + lean * (steps + 2)) / w / (f->turns * steps) : 1);
  double tiles = fmax(n / w / f->turns, 1), rounds = ceil(tiles / f->threads) * f->threads / tiles;
  return (BYTE * bytes + ROW / rows + BOX / (w * (f->s.ndim > 1 ? inner * f->lanes : 1))) * rounds;
}

static void consider(fitting *f, int steps, int64_t width, ik_plan *plan) {
  int     d = f->s.ndim - 1;
  int64_t lean = f->s.shift[d][f->s.nsub], wide = width + lean * steps, tile[2] = {0, width};
  bool    fits = (double)wide <= f->room;
  if (width <= lean * steps || width > f->s.axis[d].hi - f->s.axis[d].lo) return;
  if (d) tile[0] = inner_width(f, wide + 2 * lean, steps, &fits);
  double cost = cost_of(f, steps, tile, fits);
  if (cost >= f->best) return;
  f->best = cost;
  plan->steps = steps, plan->tile[d] = width;
  if (d) plan->tile[d - 1] = tile[0];
}

void ik_wave_choose(const ik_ir *ir, const ik_pipe *pipe, int64_t steps, const ik_isa *isa,
                    ik_plan *plan) {
  static const int bands[] = {1, 2, 3, 4, 6, 8, 12, 16, 24, 32};
  int              outer = ir->ndim - 1;
  fitting          f = {.s = ik_wave_schedule(ir, pipe, plan), .lanes = 1, .best = INFINITY};
  ik_schedule_init(&f.s);
  f.turns = f.s.kind == IK_SCHEDULE_HEX ? 2 : 1;
  f.threads = imax(plan->threads, 1);
  f.bytes = bytes_of(ir, pipe);
  for (int d = 0; d < outer - 1; d++) f.lanes *= (double)(f.s.axis[d].hi - f.s.axis[d].lo);
  f.room = L2_PART * (double)isa->l2 / (fmax(f.bytes, 1) * f.lanes);
  for (int i = 0; i < 10 && bands[i] <= max2(steps / 2, 1); i++)
    for (int64_t width = 8; width <= 1 << 20; width += width / 4)
      consider(&f, bands[i], width, plan);
}

/* A few rows of hexagons, or enough bands for all threads to find a tile on a wavefront. */
int64_t ik_wave_stride(const ik_plan *plan) {
  int bands = strcmp(plan->strategy, "hex") == 0 ? 4 : 2 * imax(plan->threads, 2);
  return (int64_t)plan->steps * bands;
}
