/* Kernels for a GPU whose figures the model of these (model/gpu.h) has: the variants that have been
 * built and measured somewhere, in the sizes that fit; the best few of each strategy. */
#include "base/arena.h"
#include "facts/nodes.h"
#include "model/gpu.h"
#include "model/matrix.h"
#include "model/roofline.h"
#include "plan/candidate.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { KEEP = 4 };

typedef struct offer {
  const char *strategy, *unit;
  int         steps;
  double      alpha, sparsity, flops, peak, error; /* alpha and flops: without what tiles repeat */
  ik_plan     plan;
  bool        runnable; /* the plan says all */
  ik_gpu_cost cost;
} offer;

typedef struct desk {
  const ik_question *q;
  const ik_machine  *m;
  ik_arena          *a;
  ik_gpu             g;
  ik_gpu_stencil     s;
  const char        *unit; /* general-purpose one */
  double             peak, power;
  offer              best[KEEP]; /* of the strategy that is looked at */
  int                n;
} desk;

/* ---- the program as counts ---- */

static double instructions_of(const ik_question *q, ik_arena *a) {
  const ik_facts *f = q->facts;
  double          sum = 0;
  if (f->linear.linear && f->linear.constant && f->pattern.points > 0) return f->pattern.points;
  for (int i = 0; i < f->subject.n; i++) {
    ik_nodes nodes;
    if (!f->subject.work[i].main) continue;
    ik_nodes_of(f->subject.work[i].stmt->value, a, &nodes);
    for (int k = 0; k < nodes.n; k++) sum += ik_op_flops(nodes.node[k]->op) > 0;
  }
  return sum;
}

static void count_values(const ik_question *q, ik_gpu_stencil *s) {
  const ik_facts *f = q->facts;
  double          reads = 0;
  int             last = -1, levels = 0;
  for (int i = 0; i < f->bytes.n; i++) {
    const ik_traffic *t = &f->bytes.item[i];
    *(t->write ? &s->write : &s->read) += t->bytes;
    if (t->write) continue;
    reads++;
    levels = t->field == last ? levels + 1 : 1;
    if (f->subject.updated[t->field]) s->updated += t->field != last;
    if (f->subject.updated[t->field]) s->history = fmax(s->history, levels);
    last = t->field;
  }
  s->updated = fmax(s->updated, 1); /* what is read with neighbours takes their place */
  s->delayed = fmax(reads - s->updated, 0);
}

static void count_reach(const ik_question *q, ik_gpu_stencil *s) {
  const ik_tiling *t = &q->facts->depend.tiling;
  const ik_hull   *h = &q->facts->pattern.shape.hull;
  for (int d = 0; d < s->dims; d++)
    s->reach[d] = t->legal ? fmax(t->slope[d][0], t->slope[d][1]) : fmax(-h->lo[d], h->hi[d]);
}

/* Half precision is computed in single. */
static bool open_desk(desk *d) {
  static const double bytes[IK_NTYPES] = {[IK_F64] = 8, [IK_F32] = 4, [IK_F16] = 2};
  ik_type             type = ik_question_type(d->q);
  const ik_ir        *ir = d->q->ir;
  char                key[32];
  d->unit = ik_type_name(type == IK_F64 ? IK_F64 : IK_F32);
  if (!(bytes[type] > 0) || ir->ndim < 2 || !ik_gpu_of(d->m, d->unit, &d->g)) return false;
  snprintf(key, sizeof key, "peak.%s", d->unit);
  if (!ik_machine_number(d->m, key, "FLOP/s", &d->peak)) return false;
  if (!ik_machine_number(d->m, "power.tdp", "W", &d->power)) d->power = 0;
  d->s = (ik_gpu_stencil){.dims = ir->ndim, .value = bytes[type]};
  for (int k = 0; k < ir->ndim; k++) d->s.n[k] = (double)ir->n[k];
  d->s.fp = instructions_of(d->q, d->a);
  count_values(d->q, &d->s);
  count_reach(d->q, &d->s);
  return true;
}

static bool is_stencil(const ik_question *q) {
  const ik_subject *s = &q->facts->subject;
  return !s->nsweep && !s->nreduce && (s->steps || !s->loop);
}

/* Steps that one pass may make. */
static double deepest(const ik_question *q) { return q->facts->depend.tiling.legal ? q->steps : 1; }

/* ---- offers ---- */

static double seconds_of(const desk *d, const offer *o) {
  return ceil(d->q->steps / o->steps) * o->cost.time.seconds;
}

/* Keeps the best; equal ones stay in the order in which they came. */
static void consider(desk *d, const offer *o) {
  if (!o->cost.fits) return;
  int at = d->n < KEEP ? d->n : KEEP;
  while (at > 0 && seconds_of(d, o) < seconds_of(d, &d->best[at - 1])) at--;
  if (at == KEEP) return;
  if (d->n < KEEP) d->n++;
  memmove(&d->best[at + 1], &d->best[at], sizeof *o * (size_t)(d->n - 1 - at));
  d->best[at] = *o;
}

/* How busy each resource is: the rest is its slack. */
static const char *note_of(const desk *d, const offer *o) {
  static const ik_gpu_resource shown[] = {IK_GPU_ISSUE, IK_GPU_MATRIX, IK_GPU_SHARED, IK_GPU_L2,
                                          IK_GPU_MEMORY};
  const ik_gpu_time           *t = &o->cost.time;
  const char                  *text = "";
  if (o->cost.registers > 0)
    text = ik_arena_printf(d->a, "%.0f registers, %d x %d threads an SM; ", o->cost.registers,
                           o->cost.blocks, IK_GPU_LANES * o->plan.gpu.warps);
  for (size_t i = 0; i < sizeof shown / sizeof *shown; i++)
    if (t->busy[shown[i]] > 0)
      text = ik_arena_printf(d->a, "%s%s %.0f %%, ", text, ik_gpu_resource_name(shown[i]),
                             100 * t->busy[shown[i]] / t->seconds);
  return ik_arena_printf(d->a, "%swaits %.0f %%", text, 100 * t->idle / t->seconds);
}

static ik_candidate candidate_of(const desk *d, const offer *o) {
  const ik_gpu_time *t = &o->cost.time;
  bool               matrix = t->busy[IK_GPU_MATRIX] > 0;
  ik_candidate       c = {.machine = d->m->name, .strategy = o->strategy, .unit = o->unit};
  c.model = IK_MODEL_KERNELS;
  c.target = ik_machine_text(d->m, "kind");
  if (!c.target) c.target = "gpu";
  c.steps = o->steps, c.sparsity = o->sparsity, c.error = o->error;
  c.alpha = o->alpha * fmax(o->cost.computed, 1);
  c.flops = o->flops * fmax(o->cost.computed, 1);
  c.bytes = t->busy[IK_GPU_MEMORY] * d->g.memory / d->q->cells;
  c.intensity = c.bytes > 0 ? c.flops / c.bytes : INFINITY;
  c.ridge = ik_roofline_ridge(o->peak, d->g.memory);
  c.memory_bound = t->saturated == IK_GPU_MEMORY || t->saturated == IK_GPU_L2;
  c.launch_bound = t->saturated == IK_GPU_LAUNCH;
  c.bound = ik_gpu_resource_name(t->saturated);
  c.seconds = seconds_of(d, o), c.gstencils = d->q->cells * d->q->steps / c.seconds / 1e9;
  c.joules = d->power > 0 ? d->power * c.seconds : NAN;
  c.use_memory = 1 - t->slack[IK_GPU_MEMORY];
  c.use_unit = 1 - t->slack[matrix ? IK_GPU_MATRIX : IK_GPU_ISSUE];
  c.note = note_of(d, o);
  if (o->runnable) {
    ik_plan *p = IK_NEW(d->a, ik_plan);
    *p = o->plan, c.plan = p;
  }
  return c;
}

/* The best become candidates, and the next strategy begins. */
static void hand_in(desk *d, ik_candidates *out) {
  for (int i = 0; i < d->n; i++) {
    ik_candidate c = candidate_of(d, &d->best[i]);
    IK_PUSH(d->a, out->at, out->n, out->cap, c);
  }
  d->n = 0;
}

/* ---- general-purpose units ---- */

static offer general(const desk *d, int steps, ik_gpu_cost cost) {
  return (offer){.strategy = steps > 1 ? "fuse" : "sweep",
                 .unit = d->unit,
                 .steps = steps,
                 .alpha = 1,
                 .sparsity = 1,
                 .flops = ik_question_flops(d->q) * steps,
                 .peak = d->peak,
                 .cost = cost,
                 .plan = {.target = "cuda", .steps = steps},
                 .runnable = true};
}

static void consider_pipeline(desk *d, const ik_gpu_pipeline *p) {
  int t = p->levels * p->stages, dims = d->s.dims;
  if (t > deepest(d->q) || t < 2) return;
  offer    o = general(d, t, ik_gpu_pipeline_cost(&d->g, &d->s, p));
  ik_plan *k = &o.plan;
  k->strategy = "fuse";
  k->tile[0] = (int64_t)(IK_GPU_LANES * p->columns - 2 * d->s.reach[0] * t);
  if (dims > 2) k->tile[1] = (int64_t)(p->rows * p->across - 2 * d->s.reach[1] * (t - 1));
  k->tile[dims - 1] = o.cost.fits ? (int64_t)ceil(o.cost.segment) : 0;
  k->gpu = (ik_plan_gpu){IK_PLAN_PIPELINE,      p->columns, p->rows, p->levels,
                         p->stages * p->across, p->blocks};
  consider(d, &o);
}

/* A lane holds whole 16 bytes of a row; nobody has tried more than 20 columns in single or 16 in
 * double precision, or other numbers of warps: one big block or three small ones on an SM. */
static void consider_pipelines_2d(desk *d) {
  static const struct { int stages, blocks; } shape[] = {{8, 1}, {4, 3}};
  int chunk = (int)(IK_GPU_CHUNK / d->s.value), most = d->s.value < 8 ? 20 : 16;
  for (int i = 0; i < 2; i++)
    for (int levels = 1; levels <= 4; levels++)
      for (int x = chunk; x <= most; x += chunk)
        consider_pipeline(d, &(ik_gpu_pipeline){IK_GPU_SUMS, x, 1, levels, shape[i].stages, 1,
                                                shape[i].blocks, 0});
}

static void consider_pipelines_3d(desk *d) {
  static const int rows[] = {4, 6, 7, 8, 12, 16};
  int              half = (int)(IK_GPU_CHUNK / (2.0 * d->s.value));
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    for (int x = 2; x <= 4; x++)
      for (int levels = 1; levels <= 3; levels++)
        for (int stages = 2; stages <= 3; stages++)
          if (x % half == 0)
            consider_pipeline(d,
                              &(ik_gpu_pipeline){IK_GPU_SUMS, x, rows[i], levels, stages, 4, 1, 0});
}

static void consider_stream(desk *d, const ik_gpu_stream *p) {
  int dims = d->s.dims, later = p->steps - 1;
  if (p->steps > deepest(d->q)) return;
  offer    o = general(d, p->steps, ik_gpu_stream_cost(&d->g, &d->s, p));
  ik_plan *k = &o.plan;
  k->strategy = o.strategy;
  k->tile[0] = (int64_t)(p->tile[0] - 2 * d->s.reach[0] * later);
  if (dims > 2) k->tile[1] = (int64_t)(p->tile[1] - 2 * d->s.reach[1] * later);
  k->tile[dims - 1] = o.cost.fits ? (int64_t)ceil(o.cost.segment) : 0;
  int columns = (int)(IK_GPU_CHUNK / d->s.value);
  int warps = (int)(p->tile[0] * p->tile[1] / (columns * IK_GPU_LANES));
  k->gpu = (ik_plan_gpu){IK_PLAN_STREAM, columns, 1, p->steps, warps, 0};
  consider(d, &o);
}

/* Four and eight warps; in 3D as the wave's kernels. */
static void consider_streams(desk *d, int steps) {
  int lane = (int)(IK_GPU_CHUNK / d->s.value);
  for (int i = 1; i <= 2; i++)
    consider_stream(d, d->s.dims > 2 ? &(ik_gpu_stream){{64, 16 * i}, steps}
                                     : &(ik_gpu_stream){{128 * i * lane, 1}, steps});
}

/* Nobody has built a pipeline in half precision. */
static void consider_depths(desk *d) {
  if (d->s.dims > 2) consider_streams(d, 2);
  if (d->s.value < 4) return;
  if (d->s.dims > 2)
    consider_pipelines_3d(d);
  else
    consider_pipelines_2d(d);
}

/* What is not a stencil step (sums over all cells, sweeps along an axis) goes once through memory,
 * and through the launch queue once more after every reduction. */
static void consider_pass(desk *d) {
  ik_gpu g = d->g;
  g.launch *= 1 + d->q->facts->subject.nreduce;
  double      lanes = IK_GPU_LANES * g.schedulers * g.sms;
  ik_gpu_load l = {.memory = d->q->facts->bytes.cell * d->q->cells,
                   .issue = g.slots * d->s.fp * d->q->cells / lanes,
                   .sms = g.sms};
  offer       o = general(d, 1, (ik_gpu_cost){.fits = true, .computed = 1});
  o.cost.time = ik_gpu_meet(&g, &l), o.runnable = false;
  consider(d, &o);
}

/* ---- matrix units ---- */

/* The fp64 unit does steps one behind the other, each by warps of its own, up to three of them; the
 * others do steps as one wider stencil. */
static void consider_blocks(desk *d, const ik_matrix_instruction *u, double peak, int fused,
                            int stages) {
  const ik_fused *k = &d->q->facts->fused;
  ik_gpu_blocks   p = {peak / 2, u->tile.k, fused, stages, 0, u->sparse};
  if (u->value < 8) p.columns = u->value < 4 ? 8 : 4; /* what can be loaded as fragments */
  if (fused * stages > deepest(d->q)) return;
  double products = ik_gpu_blocks_products(&d->s, &p), reach = 2 * d->s.reach[0] * fused;
  offer  o = {.strategy = u->sparse ? "matrix-sparse" : "matrix-band",
              .unit = u->unit,
              .steps = fused * stages,
              .alpha = k->alpha[fused],
              .sparsity = fmin(1, (double)k->points[fused] / products),
              .flops = 2 * products * stages,
              .peak = peak,
              .error = u->error,
              .cost = ik_gpu_blocks_cost(&d->g, &d->s, &p),
              .runnable = !u->sparse};
  o.plan = (ik_plan){
      .target = "cuda",
      .strategy = "matrix-band",
      .steps = o.steps,
      .tile = {(int64_t)(IK_GPU_STRIP - reach * (stages - 1)), (int64_t)ceil(o.cost.segment)},
      .gpu = {IK_PLAN_BAND, IK_GPU_STRIP / (IK_GPU_STRIP_WARPS * IK_GPU_LANES), 2, fused,
              IK_GPU_STRIP_WARPS * stages, 0}};
  consider(d, &o);
}

static void hand_in_unit(desk *d, const ik_matrix_instruction *u, ik_candidates *out) {
  char   key[48];
  double peak;
  snprintf(key, sizeof key, "peak.%s", u->unit);
  if (strcmp(u->type, ik_type_name(ik_question_type(d->q))) || (u->value == 8 && u->tile.m < 16) ||
      !ik_machine_number(d->m, key, "FLOP/s", &peak))
    return;
  for (int fused = 1; fused <= d->q->facts->fused.n; fused++)
    for (int stages = 1; stages <= (u->value == 8 ? 3 : 1); stages++)
      consider_blocks(d, u, peak, fused, stages);
  hand_in(d, out);
}

/* ---- all ---- */

bool ik_candidates_gpu(const ik_question *q, const ik_machine *m, ik_arena *a, ik_candidates *out) {
  desk d = {.q = q, .m = m, .a = a};
  if (!open_desk(&d)) return false;
  if (!is_stencil(q)) {
    consider_pass(&d);
    hand_in(&d, out);
    return true;
  }
  consider_streams(&d, 1);
  hand_in(&d, out);
  consider_depths(&d);
  hand_in(&d, out);
  for (const ik_matrix_instruction *u = ik_matrix_instructions; u->unit; u++)
    if (d.s.dims == 2 && ik_question_is_matrix(q)) hand_in_unit(&d, u, out);
  return true;
}
