#include "model/gpu.h"
#include <math.h>
#include <stdio.h>

/* ---- the machine ---- */

/* The peak is of the whole device, so that a machine with another number of anything else has the
 * same. */
static bool arithmetic_of(const ik_machine *m, const char *type, ik_gpu *g) {
  char   clock[32], peak_key[32];
  double peak;
  snprintf(clock, sizeof clock, "clock.%s", type);
  snprintf(peak_key, sizeof peak_key, "peak.%s", type);
  if (!ik_machine_number(m, clock, "Hz", &g->clock) ||
      !ik_machine_number(m, peak_key, "FLOP/s", &peak))
    return false;
  g->slots = 2 * IK_GPU_LANES * g->schedulers * g->sms * g->clock / peak;
  return g->clock > 0 && g->slots > 0;
}

bool ik_gpu_of(const ik_machine *m, const char *type, ik_gpu *out) {
  ik_gpu g;
  struct {
    const char *key, *unit;
    double     *to;
  } need[] = {
      {"gpu.sms", "", &g.sms},
      {"gpu.schedulers", "", &g.schedulers},
      {"memory.bandwidth", "B/s", &g.memory},
      {"l2.bandwidth", "B/s", &g.l2},
      {"shared.bandwidth", "B/cycle", &g.shared},
      {"gpu.registers", "", &g.registers},
      {"gpu.registers.thread", "", &g.per_thread},
      {"gpu.shared", "B", &g.shared_size},
      {"gpu.shared.block", "B", &g.block},
      {"gpu.warps", "", &g.warps},
      {"gpu.blocks", "", &g.blocks},
      {"time.launch", "s", &g.launch},
      {"model.stall.row", "cycle", &g.stall_row},
      {"model.stall.memory", "cycle", &g.stall_memory},
      {"model.stall.matrix", "cycle", &g.stall_matrix},
      {"model.share.memory", "", &g.share_memory},
      {"model.share.dense", "", &g.share_dense},
      {"model.share.sparse", "", &g.share_sparse},
  };
  for (size_t i = 0; i < sizeof need / sizeof *need; i++)
    if (!ik_machine_number(m, need[i].key, need[i].unit, need[i].to)) return false;
  if (!arithmetic_of(m, type, &g)) return false;
  *out = g;
  return true;
}

/* ---- counts to time ---- */

const char *ik_gpu_resource_name(ik_gpu_resource r) {
  static const char *const names[] = {"memory", "L2", "shared memory", "issue", "matrix", "launch"};
  return r >= 0 && r < IK_GPU_RESOURCES ? names[r] : "";
}

static double over(double amount, double rate) {
  if (!(amount > 0)) return 0;
  return rate > 0 ? amount / rate : INFINITY;
}

ik_gpu_time ik_gpu_meet(const ik_gpu *g, const ik_gpu_load *l) {
  double      waits = over(l->waits, g->clock), latency = over(l->latency, g->clock);
  ik_gpu_time t = {.busy = {[IK_GPU_MEMORY] = over(l->memory, g->memory),
                            [IK_GPU_L2] = over(l->l2, g->l2),
                            [IK_GPU_SHARED] = over(l->shared, g->shared * l->sms * g->clock),
                            [IK_GPU_ISSUE] = over(l->issue, g->clock),
                            [IK_GPU_MATRIX] = fmax(l->matrix, 0),
                            [IK_GPU_LAUNCH] = fmax(g->launch, 0)}};
  for (int r = 0; r < IK_GPU_RESOURCES; r++) {
    double idle = r == IK_GPU_MEMORY || r == IK_GPU_L2      ? latency
                  : r == IK_GPU_ISSUE || r == IK_GPU_MATRIX ? waits
                                                            : 0;
    if (r && !(t.busy[r] + idle > t.seconds)) continue;
    t.seconds = t.busy[r] + idle, t.saturated = (ik_gpu_resource)r, t.idle = idle;
  }
  for (int r = 0; r < IK_GPU_RESOURCES; r++)
    t.slack[r] = t.seconds > 0 ? 1 - t.busy[r] / t.seconds : 1;
  return t;
}

/* ---- what all kernels have in common ---- */

/* Registers beside values: addresses, counters, what the compiler needs.  With 28, all kernels that
 * [1] and [5] list fit, and star2d2r of [1] fits in 252 of the 252 to 255 that it has. */
enum { SPARE = 28 };
/* Instructions of a warp and row for loops, addresses and barriers [4, star2d1r fp32: ~45]. */
enum { HOUSEKEEPING = 45 };

static bool is_stencil(const ik_gpu_stencil *s) {
  if (s->dims < 2 || s->dims > 3) return false;
  for (int d = 0; d < s->dims; d++)
    if (!(s->n[d] >= 1 && s->reach[d] >= 0)) return false;
  return s->fp >= 0 && s->value > 0 && s->updated >= 1 && s->delayed >= 0 && s->read >= 0 &&
         s->write >= 0;
}

static double cells_of(const ik_gpu_stencil *s) {
  return s->n[0] * s->n[1] * (s->dims > 2 ? s->n[2] : 1);
}

static double words(const ik_gpu_stencil *s) { return fmax(s->value / 4, 1); } /* 32-bit ones */
static double fields(const ik_gpu_stencil *s) { return s->updated + s->delayed; }
static double streamed_reach(const ik_gpu_stencil *s) { return s->reach[s->dims - 1]; }
static double streamed_cells(const ik_gpu_stencil *s) { return s->n[s->dims - 1]; }

/* Registers are given to warps in units of 8 a thread. */
static double granule(double registers) { return 8 * ceil(registers / 8); }

static double resident(const ik_gpu *g, const ik_gpu_cost *c, double warps) {
  double by_registers = g->registers / (granule(c->registers) * IK_GPU_LANES * warps);
  double by_shared = c->shared > 0 ? g->shared_size / c->shared : INFINITY;
  if (c->registers > g->per_thread || c->shared > g->block) return 0;
  return floor(fmin(fmin(by_registers, by_shared), fmin(g->blocks, g->warps / warps)));
}

/* Tiles along an axis.  The first and the last one are pushed inside, so that they lose nothing at
 * the grid's end [4.3]. */
static double tiles_of(double n, double width, double halo) {
  return fmax(1, ceil((n - 2 * halo) / (width - 2 * halo)));
}

typedef struct cut { /* of all strips into segments */
  double steps;      /* rows or planes that the busiest block goes through */
  double pieces;     /* all segments */
  double working;    /* blocks that have one at a time */
  double sms;        /* with such a block */
} cut;

/* Equal pieces of one long row of strips; a block may end one strip and begin another [4.4]. */
static cut cut_evenly(double strips, double rows, double slots, double per_sm, double fill) {
  double total = strips * rows, used = fmin(slots, total);
  double pieces = used + strips - 1;
  return (cut){(total + pieces * fill) / used, pieces, used, ceil(used / per_sm)};
}

/* Every strip into as many chunks as there is room for [1]. */
static cut cut_in_chunks(double strips, double rows, double slots, double per_sm, double fill) {
  double chunks = fmax(1, floor(slots / strips)), pieces = strips * chunks;
  double working = fmin(pieces, slots);
  return (cut){ceil(pieces / slots) * (ceil(rows / chunks) + fill), pieces, working,
               ceil(working / per_sm)};
}

static ik_gpu_cost no_fit(ik_gpu_cost c) {
  c.fits = false, c.time.seconds = INFINITY;
  return c;
}

/* B of a cell that memory takes when a pass makes t steps. */
static double written(const ik_gpu_stencil *s, double t) {
  return s->write * fmin(t, fmax(s->history, 1));
}

/* Cycles in which memory is idle though it is what a pipeline waits for. */
static double pauses(const ik_gpu *g, double bytes) {
  return over(bytes, g->memory) * (1 / g->share_memory - 1) * g->clock;
}

static void finish(const ik_gpu *g, const ik_gpu_stencil *s, const cut *k, double steps,
                   const ik_gpu_load *l, ik_gpu_cost *c) {
  c->fits = true;
  c->segment = c->strips * streamed_cells(s) / k->pieces;
  c->time = ik_gpu_meet(g, l);
  c->rate = cells_of(s) * steps / c->time.seconds;
}

/* ---- time pipeline of warps ---- */

static double pipeline_steps(const ik_gpu_pipeline *p) { return (double)p->levels * p->stages; }

/* A level keeps 2 r partial sums or rows of what it updates, and r rows of what only travels; a
 * row that arrives is held beside the sums, in 3D only some lines of its plane. */
static double pipeline_registers(const ik_gpu_stencil *s, const ik_gpu_pipeline *p) {
  double r = streamed_reach(s), kept = 2 * r * s->updated + r * s->delayed;
  double arriving = s->dims > 2 ? 3 : p->form == IK_GPU_SUMS ? 1 : 0;
  return words(s) * p->columns * (kept * p->rows * p->levels + arriving * fields(s)) + SPARE;
}

/* A ring of rows or planes in transit; FastStencil's have a power of two [1]. */
static double pipeline_shared(const ik_gpu_stencil *s, const ik_gpu_pipeline *p) {
  double slots = p->stages + 2;
  if (p->form == IK_GPU_QUEUE) slots = exp2(ceil(log2(slots)));
  return slots * fields(s) * IK_GPU_LANES * p->columns * p->rows * p->across * s->value;
}

/* Cycles of a scheduler for one warp and row (plane): arithmetic; 2 r shuffles and as many selects
 * a level, of each 32-bit word; a row in and out through shared memory, and rows at the borders of
 * warps [4, star2d1r fp32]. */
static double pipeline_issue(const ik_gpu *g, const ik_gpu_stencil *s, const ik_gpu_pipeline *p) {
  double fp = s->fp * p->columns * p->rows * p->levels, others = p->others;
  double chunks = p->columns * s->value / IK_GPU_CHUNK;
  double borders = s->dims > 2 ? 4 * s->reach[1] * p->levels * s->updated * chunks : 0;
  if (!(others > 0))
    others = 4 * s->reach[0] * words(s) * p->levels * p->rows * s->updated +
             2 * chunks * p->rows * fields(s) + borders + HOUSEKEEPING;
  return p->form == IK_GPU_SUMS ? g->slots * fp + others : fmax(g->slots * fp, fp + others);
}

/* B of one block and row: every stage takes and gives a row, memory gives and takes one. */
static double pipeline_traffic(const ik_gpu_stencil *s, const ik_gpu_pipeline *p) {
  double line = IK_GPU_LANES * p->columns * s->value;
  double borders = s->dims > 2 ? 4 * s->reach[1] * p->levels * p->stages * s->updated : 0;
  return line * p->across * ((2.0 * p->stages + 2) * p->rows * fields(s) + borders);
}

typedef struct extent { /* of the cells that a block works on, and of those that are of use */
  double x, y, useful_x, useful_y;
} extent;

/* Along x a lane loses r cells a step; along y the first step may load what it likes [1, 3D]. */
static extent pipeline_extent(const ik_gpu_stencil *s, const ik_gpu_pipeline *p) {
  double t = pipeline_steps(p);
  extent e = {.x = IK_GPU_LANES * p->columns, .y = p->rows * p->across};
  e.useful_x = e.x - 2 * s->reach[0] * t;
  e.useful_y = s->dims > 2 ? e.y - 2 * s->reach[1] * (t - 1) : e.y;
  return e;
}

static double pipeline_strips(const ik_gpu_stencil *s, const ik_gpu_pipeline *p, const extent *e) {
  double y = s->dims > 2 ? s->n[1] : 1, halo = (e->y - e->useful_y) / 2;
  if (p->form == IK_GPU_QUEUE) return ceil(s->n[0] / e->useful_x) * ceil(y / e->useful_y);
  return tiles_of(s->n[0], e->x, (e->x - e->useful_x) / 2) * tiles_of(y, e->y, halo);
}

static bool is_pipeline(const ik_gpu_pipeline *p) {
  return p->columns > 0 && p->rows > 0 && p->levels > 0 && p->stages > 0 && p->across > 0 &&
         p->blocks > 0;
}

static cut pipeline_cut(const ik_gpu *g, const ik_gpu_stencil *s, const ik_gpu_pipeline *p,
                        double strips) {
  double rows = streamed_cells(s), slots = p->blocks * g->sms;
  double early = streamed_reach(s) * pipeline_steps(p), fill = 2 * early + p->stages;
  if (p->form == IK_GPU_SUMS) return cut_evenly(strips, rows, slots, p->blocks, fill);
  return cut_in_chunks(strips, rows, slots, p->blocks, fill + early);
}

/* Memory gives each value once; what neighbours load again comes from the L2. */
static ik_gpu_load pipeline_load(const ik_gpu *g, const ik_gpu_stencil *s, const ik_gpu_pipeline *p,
                                 const extent *e, const cut *k, double strips) {
  double t = pipeline_steps(p), warps = (double)p->stages * p->across * p->blocks;
  double barriers = s->dims > 2 ? p->levels + 2 : 1; /* [1]: 3 to 5 of a plane */
  double lines = s->dims > 2 ? e->y + 2 * s->reach[1] : 1;
  double rows = strips * streamed_cells(s) + k->pieces * 2 * streamed_reach(s) * t;
  double out = cells_of(s) * written(s, t), in = cells_of(s) * s->read;
  return (ik_gpu_load){.memory = in + out,
                       .l2 = fmax(in, rows * lines * e->x * s->read) + out,
                       .shared = k->steps * k->working * pipeline_traffic(s, p),
                       .issue = k->steps * warps / g->schedulers * pipeline_issue(g, s, p),
                       .waits = k->steps * barriers * g->stall_row,
                       .latency = pauses(g, in + out),
                       .sms = k->sms};
}

ik_gpu_cost ik_gpu_pipeline_cost(const ik_gpu *g, const ik_gpu_stencil *s,
                                 const ik_gpu_pipeline *p) {
  ik_gpu_cost c = {.blocks = p->blocks};
  if (!is_stencil(s) || !is_pipeline(p)) return no_fit(c);
  extent e = pipeline_extent(s, p);
  c.registers = pipeline_registers(s, p), c.shared = pipeline_shared(s, p);
  if (!(e.useful_x > 0 && e.useful_y > 0)) return no_fit(c);
  if (!(resident(g, &c, (double)p->stages * p->across) >= p->blocks)) return no_fit(c);
  c.strips = pipeline_strips(s, p, &e);
  cut         k = pipeline_cut(g, s, p, c.strips);
  ik_gpu_load l = pipeline_load(g, s, p, &e, &k, c.strips);
  c.computed = k.steps * k.working * e.x * e.y / cells_of(s);
  finish(g, s, &k, pipeline_steps(p), &l, &c);
  return c;
}

/* ---- tiles that stream ---- */

/* In 2D a row is a plane of one line, and there is nothing across. */
static double across_reach(const ik_gpu_stencil *s) { return s->dims > 2 ? s->reach[1] : 0; }
static double across_cells(const ik_gpu_stencil *s) { return s->dims > 2 ? s->n[1] : 1; }

/* Each step but the first works on a tile that is smaller by its reach. */
static extent stream_extent(const ik_gpu_stencil *s, const ik_gpu_stream *p) {
  extent e = {.x = p->tile[0], .y = p->tile[1]};
  e.useful_x = e.x - 2 * s->reach[0] * (p->steps - 1);
  e.useful_y = e.y - 2 * across_reach(s) * (p->steps - 1);
  return e;
}

static double haloed(const ik_gpu_stencil *s, const extent *e) {
  return (e->x + 2 * s->reach[0]) * (e->y + 2 * across_reach(s));
}

/* Lanes hold 16 B of a row: a queue of planes for every step, and what travels with it. */
static double stream_registers(const ik_gpu_stencil *s, const ik_gpu_stream *p) {
  double queue = 2 * streamed_reach(s) * s->updated + 1;
  return IK_GPU_CHUNK / 4.0 * (queue * p->steps + fields(s)) + SPARE;
}

/* Planes wait in shared memory: r behind, 3 that are on their way [4, wave: 7]. */
static double stream_shared(const ik_gpu_stencil *s, const ik_gpu_stream *p, const extent *e) {
  double cells = haloed(s, e) + e->x * e->y * (p->steps - 1);
  return s->updated * s->value * cells * (streamed_reach(s) + 3);
}

static double stream_warps(const ik_gpu_stencil *s, const extent *e) {
  return ceil(e->x * e->y * s->value / (IK_GPU_CHUNK * IK_GPU_LANES));
}

/* 16-byte accesses of a lane, plane and step: the lines above and below, its own with both
 * neighbours, and the result [4, wave: shared 490]. */
static double stream_accesses(const ik_gpu_stencil *s) {
  return s->updated * (2 * across_reach(s) + 3 + 1);
}

/* Planes of a block on which it computes: a segment begins with planes that are only loaded. */
static double stream_planes(const ik_gpu_stencil *s, const cut *k) {
  return k->steps - 2 * streamed_reach(s) * k->pieces / k->working;
}

static ik_gpu_load stream_load(const ik_gpu *g, const ik_gpu_stencil *s, const ik_gpu_stream *p,
                               const extent *e, const cut *k, int blocks) {
  double warps = stream_warps(s, e), lane = IK_GPU_CHUNK / s->value, out = written(s, p->steps);
  double one = s->read / fields(s); /* of what a cell reads, taken as equally large */
  double in = one * (s->updated * haloed(s, e) + s->delayed * e->x * e->y);
  double step = g->slots * s->fp * lane + stream_accesses(s) + fields(s);
  double planes = stream_planes(s, k), stall = g->stall_memory + (p->steps - 1) * g->stall_row;
  return (ik_gpu_load){
      .memory = cells_of(s) * (s->read + out),
      .l2 = cells_of(s) * (in / (e->useful_x * e->useful_y) + out),
      .shared =
          planes * k->working * warps * IK_GPU_LANES * stream_accesses(s) * IK_GPU_CHUNK * p->steps,
      .issue = planes * warps * blocks / g->schedulers * (step * p->steps + HOUSEKEEPING),
      .waits = k->steps * stall,
      .latency = k->steps * stall,
      .sms = k->sms};
}

ik_gpu_cost ik_gpu_stream_cost(const ik_gpu *g, const ik_gpu_stencil *s, const ik_gpu_stream *p) {
  ik_gpu_cost c = {0};
  if (!is_stencil(s) || p->tile[0] < 1 || p->tile[1] < 1 || p->steps < 1) return no_fit(c);
  extent e = stream_extent(s, p);
  c.registers = stream_registers(s, p), c.shared = stream_shared(s, p, &e);
  double blocks = resident(g, &c, stream_warps(s, &e));
  if (!(e.useful_x > 0 && e.useful_y > 0 && blocks >= 1)) return no_fit(c);
  c.blocks = (int)blocks;
  c.strips = ceil(s->n[0] / e.useful_x) * ceil(across_cells(s) / e.useful_y);
  cut         k = cut_evenly(c.strips, streamed_cells(s), blocks * g->sms, blocks,
                             2 * streamed_reach(s) * p->steps);
  ik_gpu_load l = stream_load(g, s, p, &e, &k, c.blocks);
  c.computed = stream_planes(s, &k) * k.working * e.x * e.y / cells_of(s);
  finish(g, s, &k, p->steps, &l, &c);
  return c;
}

/* ---- output blocks on the matrix unit ---- */

static double padded(double v, double to) { return to * ceil(v / to); }

/* [3, SPIDER]: 16 outputs in a row, for each of the pattern's rows. */
static double band_products(double rx, double ry, int k) {
  return (2 * ry + 1) * padded(16 + 2 * rx, k);
}

double ik_gpu_blocks_products(const ik_gpu_stencil *s, const ik_gpu_blocks *p) {
  double rx = s->reach[0] * p->fused, ry = s->reach[1] * p->fused, least = INFINITY;
  if (!is_stencil(s) || p->k < 1 || p->fused < 1) return INFINITY;
  if (p->sparse) return band_products(rx, ry, p->k);
  for (int bx = 1; bx <= 8; bx *= 2) {
    double width = padded(bx + 2 * rx, IK_GPU_CHUNK / s->value), height = 8.0 / bx + 2 * ry;
    if (!p->columns || p->columns == bx) least = fmin(least, padded(width * height, p->k));
  }
  return least;
}

/* Rows at a time.  A block of one stage has half as many warps as one of two: two of them fit. */
enum { PAIR = 2 };

static ik_gpu_load blocks_load(const ik_gpu *g, const ik_gpu_stencil *s, const ik_gpu_blocks *p,
                               const cut *k, double slots) {
  double rx = s->reach[0] * p->fused, ry = s->reach[1] * p->fused;
  double share = p->sparse ? g->share_sparse : s->value < 8 ? g->share_dense : 1;
  double useful = IK_GPU_STRIP - 2 * rx * (p->stages - 1);
  double outputs = k->steps * IK_GPU_STRIP * p->stages; /* of a block */
  return (ik_gpu_load){.memory = cells_of(s) * (s->read + s->write),
                       .l2 = cells_of(s) * (s->read * (IK_GPU_STRIP + 2 * rx) / useful + s->write),
                       .shared = outputs * k->working * s->value * 2 * (1 + ry / PAIR),
                       .matrix = outputs * slots * ik_gpu_blocks_products(s, p) / (p->rate * share),
                       .waits = k->steps / PAIR * (s->value < 8 ? g->stall_row : g->stall_matrix),
                       .latency = pauses(g, cells_of(s) * (s->read + s->write)),
                       .sms = k->sms};
}

ik_gpu_cost ik_gpu_blocks_cost(const ik_gpu *g, const ik_gpu_stencil *s, const ik_gpu_blocks *p) {
  ik_gpu_cost c = {.blocks = p->stages == 1 ? 2 : 1};
  if (!isfinite(ik_gpu_blocks_products(s, p)) || s->dims != 2 || p->stages < 1 || !(p->rate > 0))
    return no_fit(c);
  double rx = s->reach[0] * p->fused, ry = s->reach[1] * p->fused, slots = c.blocks * g->sms;
  double useful = IK_GPU_STRIP - 2 * rx * (p->stages - 1);
  c.shared = s->value * (IK_GPU_STRIP + 2 * rx) * (2 * ry + 2 * PAIR) * p->stages;
  if (!(useful > 0) || IK_GPU_STRIP_WARPS * p->stages * c.blocks > g->warps ||
      c.shared > g->block || c.shared * c.blocks > g->shared_size)
    return no_fit(c);
  c.strips = ceil(s->n[0] / useful);
  cut         k = cut_evenly(c.strips, s->n[1], slots, c.blocks, (2 * ry + PAIR) * p->stages);
  ik_gpu_load l = blocks_load(g, s, p, &k, slots);
  c.computed = k.steps * k.working * IK_GPU_STRIP / cells_of(s);
  finish(g, s, &k, (double)p->fused * p->stages, &l, &c);
  return c;
}
