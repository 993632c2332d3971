#include "targets/cpu/choose.h"
#include "base/least.h"
#include "facts/memory.h"
#include "facts/nodes.h"
#include "runtime/memory.h"
#include "targets/cpu/strategy.h"
#include "targets/cpu/tally.h"
#include "targets/cpu/shape/shape.h"
#include <stdlib.h>
#include <string.h>

typedef struct block { /* of results that are computed at once */
  int planes, rows, vectors;
} block;

typedef struct search {
  const ik_choose *x;
  const ik_stmt   *list;
  bool             steps;
  ik_arena        *a;
  ik_choice       *out;
  int              n;
} search;

static int statements(const ik_stmt *list) {
  int n = 0;
  for (const ik_stmt *s = list; s; s = s->next) n += s->body ? statements(s->body) : 1;
  return n;
}

static int count_nodes(const ik_expr *e, bool reads, ik_arena *a) {
  ik_nodes nodes;
  int      n = 0;
  ik_nodes_of(e, a, &nodes);
  for (int i = 0; i < nodes.n; i++) n += !reads || nodes.node[i]->op == IK_OP_READ;
  return n;
}

/* Of the longest expression, all nodes or those that read: where there is much to add, several
 * vectors keep the units busy; where much is read, rows share it. */
static int longest_of(const ik_stmt *list, bool reads, ik_arena *a) {
  int most = 0;
  for (const ik_stmt *s = list; s; s = s->next) {
    int n = s->body ? longest_of(s->body, reads, a) : 0;
    if (s->value) n = count_nodes(s->value, reads, a);
    most = n > most ? n : most;
  }
  return most;
}

static bool is_above(const ik_expr *e, const ik_expr *f, int axis) {
  int apart = 0;
  for (int d = 0; d < IK_MAX_DIM; d++) apart += d != axis && e->off[d] != f->off[d];
  return e->id == f->id && e->level == f->level && !apart && e->off[axis] == f->off[axis] + 1;
}

/* How much is read that the same expression reads one plane further? */
static int shared_in(const ik_expr *e, int axis, ik_arena *a) {
  ik_nodes nodes;
  int      n = 0;
  ik_nodes_of(e, a, &nodes);
  for (int i = 0; i < nodes.n; i++)
    for (int k = 0; k < nodes.n && nodes.node[i]->op == IK_OP_READ; k++)
      n += nodes.node[k]->op == IK_OP_READ && is_above(nodes.node[i], nodes.node[k], axis);
  return n;
}

/* Does some cell need a division or a root? */
static bool divides(const ik_stmt *list, ik_arena *a) {
  bool is = false;
  for (const ik_stmt *s = list; s && !is; s = s->next) {
    ik_nodes nodes = {0};
    if (s->kind == IK_ASSIGN) ik_nodes_of(s->value, a, &nodes);
    for (int i = 0; i < nodes.n; i++) is |= ik_tally_divides(nodes.node[i]);
  }
  return is;
}

/* At most, of all expressions. */
static int shared_by_planes(const ik_stmt *list, int axis, ik_arena *a) {
  int most = 0;
  for (const ik_stmt *s = list; s; s = s->next) {
    if (s->body) most = ik_max_int(most, shared_by_planes(s->body, axis, a));
    if (s->value) most = ik_max_int(most, shared_in(s->value, axis, a));
  }
  return most;
}

/* Lowered as it would be; false: that many steps are not legal. */
static bool count(const ik_choose *x, const ik_stmt *list, bool steps, const ik_plan *p,
                  ik_arena *a, ik_pipeline_work *work, int64_t *scratch) {
  const ik_strategy *how = ik_strategy_of(p, steps);
  if (how->price) return how->price(x, list, p, a, work, scratch);
  ik_plan plan = *p;
  ik_pipe pipe;
  plan.layout = x->layout;
  ik_shape_passes(x->ir, list, steps ? plan.steps : 0, &plan, a, &pipe);
  *scratch = ik_pipe_scratch(&pipe);
  if (steps && pipe.steps != plan.steps) return false;
  *work = ik_cost_count(&pipe, x->isa, x->threads, a);
  return true;
}

/* What is lowered is priced and forgotten. */
bool ik_choose_price(const ik_choose *x, const ik_stmt *list, bool steps, const ik_plan *p,
                     ik_arena *a, ik_price *out) {
  ik_arena_mark    before = ik_arena_here(a);
  ik_pipeline_work work;
  bool             legal = count(x, list, steps, p, a, &work, &out->scratch);
  if (legal) out->time = ik_pipeline_work_time(&work, &x->figures);
  ik_arena_back(a, before);
  return legal;
}

const ik_pipeline_work *ik_choose_count(const ik_choose *x, const ik_stmt *list, bool steps,
                                        const ik_plan *p, ik_arena *a) {
  ik_pipeline_work *out = IK_NEW(a, ik_pipeline_work);
  int64_t           scratch;
  count(x, list, steps, p, a, out, &scratch);
  return out;
}

static bool has_sweep(const ik_stmt *list) {
  for (const ik_stmt *s = list; s; s = s->next)
    if (s->kind == IK_SWEEP) return true;
  return false;
}

typedef struct look { /* along an axis */
  int axis, reach;
} look;

static void look_along(const ik_expr *e, void *ctx) {
  look *l = ctx;
  if (e->op == IK_OP_READ) l->reach = ik_max_int(l->reach, abs(e->off[l->axis]));
}

enum { DEEP = 3 };

/* How far statements look along an axis; a sweep has whole columns in work. */
static void find_reach(const ik_stmt *list, look *l) {
  for (const ik_stmt *s = list; s; s = s->next) {
    if (s->kind == IK_SWEEP) l->reach = ik_max_int(l->reach, DEEP);
    if (s->body) find_reach(s->body, l);
    if (s->value) ik_expr_each(s->value, look_along, l);
  }
}

static int outermost_reach(const search *s) {
  look l = {.axis = s->x->ir->ndim - 1};
  find_reach(s->list, &l);
  return l.reach;
}

static bool reads_many_planes(const search *s) {
  return s->x->ir->ndim > 2 && !has_sweep(s->list) && outermost_reach(s) >= DEEP;
}

/* Where vectors are lines of the cache, fields are read in place if many planes are read, one step
 * at a time, and rows are whole lines (shape/in_place.c).  Outside of step loops, copies are never
 * slower. */
static bool reads_in_place(const search *s, int steps) {
  const ik_traits *t = s->x->traits;
  if (t->near_row) return s->x->ir->n[0] >= t->near_row;
  return ik_traits_by_lines(t) && steps == 1 && s->x->ir->n[0] % (t->line / 4) == 0 &&
         reads_many_planes(s);
}

/* Several steps take arrays and rings that single ones do without. */
static bool has_memory(const search *s, int steps, int64_t scratch) {
  const ik_choose *x = s->x;
  double           need = (double)ik_memory_need(x->ir, x->layout, x->threads * scratch);
  for (int f = 0; f < x->ir->nfield; f++) {
    const ik_field        *q = &x->ir->field[f];
    const ik_layout_field *l = &x->layout->field[f];
    if (q->has_new) need += (double)l->bytes * (ik_pass_levels(q, steps) - 1);
  }
  return !x->memory || need <= (double)x->memory;
}

/* One candidate. */
static void consider(search *s, int steps, const int64_t tile[IK_MAX_DIM], const block *b) {
  ik_plan p = {.target = "cpu", .strategy = steps > 1 ? "fuse" : "sweep", .steps = steps};
  for (int d = 0; d < IK_MAX_DIM; d++) p.tile[d] = tile[d];
  p.cpu.planes = b->planes, p.cpu.rows = b->rows, p.cpu.vectors = b->vectors;
  p.cpu.vector_bytes = s->x->isa->vector_bytes, p.threads = s->x->threads, p.cpu.stream = true;
  p.cpu.shift = ik_traits_by_lines(s->x->traits); /* loads that cross a cache line cost two */
  p.cpu.in_place = s->steps && reads_in_place(s, steps), p.layout = s->x->layout;
  if (s->n == IK_CHOICES) return;
  ik_choice *out = &s->out[s->n];
  out->plan = p;
  s->n += ik_choose_price(s->x, s->list, s->steps, &p, s->a, &out->price) &&
          (steps == 1 ||
           (out->price.scratch <= s->x->room && has_memory(s, steps, out->price.scratch)));
}

/* Cells along an axis: of the fields that have most of them. */
static int64_t longest(const ik_ir *ir, int axis) {
  int64_t n = ir->n[axis];
  for (int f = 0; f < ir->nfield; f++) {
    const ik_field *q = &ir->field[f];
    if (q->kind == IK_FIELD_USER && q->box.hi[axis] - q->box.lo[axis] > n)
      n = q->box.hi[axis] - q->box.lo[axis];
  }
  return n;
}

static int widest(const ik_ir *ir) {
  int bytes = 1;
  for (int f = 0; f < ir->nfield; f++) bytes = ik_max_int(bytes, ik_type_bytes(ir->field[f].type));
  return bytes;
}

/* A sweep reads what it made of the level before, and much of what it read there: of so many rows
 * that these are in the first cache still.  vadvc f64 of rows of 2 KiB, four rows instead of eight:
 * 0.320 instead of 0.296 GPts/s with NEON.  Wide vectors wait for memory, and gain where the second
 * cache still has what the way back reads: 0.396 with one row, 0.381 with two, 0.361 with four. */
static bool fits_level(const search *s, int64_t lane, int64_t rows) {
  const ik_ir     *ir = s->x->ir;
  const ik_traits *t = s->x->traits;
  return rows <= t->near_rows || rows * (lane ? lane : ir->n[0]) * widest(ir) <= t->near_level;
}

/* As many tiles as it takes, of the same size, and of the same number for each thread. */
static int64_t even(int64_t n, int64_t tile, int threads) {
  if (!tile) return 0;
  int64_t tiles = (n + tile - 1) / tile;
  tiles = (tiles + threads - 1) / threads * threads;
  return tiles > n ? tile : (n + tiles - 1) / tiles;
}

/* Tiles for one number of steps.  The outermost axis is streamed, whole, or cut so that every
 * thread has something; the one below it is what overlaps. */
static void tiles_of(search *s, int steps, const block *b) {
  static const int64_t lanes[] = {0, 4096, 2048, 1024, 512, 256, 8192, 16384, 32768, 65536};
  static const int64_t planes[] = {0, 128, 64, 48, 32, 24, 16, 8, 4, 2, 1};
  const ik_ir         *ir = s->x->ir;
  bool                 flat = ir->ndim > 2 && outermost_reach(s) == 0, sweep = has_sweep(s->list);
  int64_t              outer = ir->ndim > 1 ? longest(ir, ir->ndim - 1) : 0;
  for (int cut = 0; cut < 2; cut++) {
    int64_t part = cut ? (outer + s->x->threads - 1) / s->x->threads : 0;
    if (cut && (s->x->threads < 2 || part < 2)) break;
    if (ir->ndim < 3)
      for (int i = 0; i < (ir->ndim == 1 ? 10 : 6); i++) { /* rows are not so long */
        if (lanes[i] && lanes[i] >= ir->n[0]) continue;
        consider(s, steps, (int64_t[]){lanes[i], part, 0}, b);
      }
    else
      for (int i = 0; i < (sweep ? 11 : 8); i++) {
        int64_t lane = ir->n[0] > 3000 ? 1024 : 0;
        if (planes[i] && (planes[i] >= ir->n[1] || (flat && b->rows > 2))) continue; /* streamed */
        if (sweep && !fits_level(s, lane, planes[i])) continue;
        int64_t row = even(ir->n[1], planes[i], cut ? 1 : s->x->threads);
        consider(s, steps, (int64_t[]){lane, row, part}, b);
      }
  }
}

static int by_seconds(const void *a, const void *b) {
  double x = ((const ik_choice *)a)->price.time.seconds,
         y = ((const ik_choice *)b)->price.time.seconds;
  return (x > y) - (x < y);
}

/* Do planes share most of what they read, and is it much?  Little is done with at once. */
static bool is_box(const search *s) {
  enum { MUCH = 16 };
  int reads = longest_of(s->list, true, s->a);
  return reads > MUCH && 2 * shared_by_planes(s->list, s->x->ir->ndim - 1, s->a) > reads;
}

/* Wide vectors are a line of the cache each: what is read from memory is best read in its order,
 * row by row, and so are planes in 3D; where rows share much of what they load, or much is added
 * up, several of them keep the units busy.  Planes of
 * boxes share most of what they read (box3d 512^3 f32 and 384^3 f64, of one plane and of two: 2.90
 * 3.05, 1.15 1.29).  Of narrow ones a line is several, and planes are what results share best,
 * unless so many are read that registers run out (wave f32 256^3 with NEON, of two planes and of
 * one: 0.49 0.65 GPts/s).  Where there are many statements, blocks of half the size are as fast and
 * compiled in half the time; where divisions and roots are waited for, or stages of a plane take
 * turns, they are faster (random-2 0.91 1.07, random-12 1.30 1.44, random-7 1.07 1.12, hdiff f64
 * 0.46 0.48, gradient2d 1.37 1.39), but a quarter of it is too little of f64, where a vector has
 * two lanes (random-4 of two planes and one vector 0.62, of two vectors 0.70 on Neoverse V1). */
static block choose_block(search *s, int steps) {
  int              reach = outermost_reach(s), ndim = s->x->ir->ndim;
  bool             much = longest_of(s->list, false, s->a) > 24;
  bool             flat = ndim < 3 || reach == 0, deep = !flat && reach >= DEEP;
  const ik_traits *t = s->x->traits;
  if (t->by_planes) {
    bool many = statements(s->list) > 1;
    bool sweep = has_sweep(s->list), slow = !sweep && divides(s->list, s->a);
    bool planes = !flat && !deep && !sweep && shared_by_planes(s->list, ndim - 1, s->a) > 0;
    bool turns = !sweep && ndim > 2 && flat && many;
    bool shared = !flat && longest_of(s->list, true, s->a) > 16;
    int  rows = planes || deep || (!flat && !shared) ? 1 : many || ndim > 2 ? 2 : 4;
    bool few = slow && (rows > 2 || (planes && widest(s->x->ir) < 8));
    return (block){planes ? 2 : 1, rows, few ? 1 : slow || turns ? 2 : 4};
  }
  bool in_order = deep || (ndim > 2 && steps == 1) || (!flat && !much);
  if (ik_traits_by_lines(t) && !flat && !in_order && is_box(s)) return (block){2, 4, 2};
  return (block){1, in_order ? 1 : 4, in_order && !flat ? 4 : 2};
}

/* Without those whose rings have no room; if that is true of all, the one with the smallest rings
 * is left. */
static int keep_fitting(ik_choice *all, int n, int64_t room) {
  int64_t least = INT64_MAX;
  int     kept = 0;
  for (int i = 0; i < n; i++) least = ik_min(least, all[i].price.scratch);
  for (int i = 0; i < n; i++)
    if (all[i].price.scratch <= ik_max(room, least)) all[kept++] = all[i];
  return kept;
}

static int64_t padding_of(const ik_layout *l) {
  int64_t sum = 0;
  for (int f = 0; f < l->ir->nfield; f++)
    if (l->ir->field[f].kind == IK_FIELD_USER) sum += ik_layout_padding_bytes(&l->field[f]);
  return sum;
}

/* A twelfth of the fields, or what padding leaves of a tenth, so that a run needs no more than that
 * on top of them, and no more than may lie in the last cache; of small fields as much as lies in
 * caches anyway. */
static int64_t room_of(const ik_ir *ir, const ik_layout *l, const ik_isa *isa, int threads,
                       ik_arena *a) {
  enum { SMALL = 64 << 20 };
  ik_memory m;
  ik_memory_of(ir, a, &m);
  int64_t left = ik_max(0, m.total / 1000 * 99 - padding_of(l)); /* and some bytes for each row */
  int64_t part = ik_min(m.total / 12, left) / ik_max_int(threads, 1);
  return m.total < SMALL ? ik_max(part, 2 * isa->l2) : ik_min(part, 32 * isa->l2);
}

ik_choose ik_choose_on(const ik_ir *ir, const ik_layout *layout, const ik_isa *isa, int threads,
                       const ik_machine *m, ik_arena *a) {
  int bytes = isa->vector_bytes;
  return (ik_choose){.ir = ir,
                     .isa = isa,
                     .traits = ik_traits_for(bytes, a),
                     .threads = threads,
                     .room = room_of(ir, layout, isa, threads, a),
                     .figures = m ? ik_fit_cpu(m, bytes, a) : *ik_fit_kind(bytes, isa->cpu, a),
                     .layout = layout};
}

/* ---- more tiles than threads ---- */

static double even_seconds(const ik_choice *c) {
  return c->price.time.seconds - c->price.time.part[IK_PIPELINE_WAITING];
}

static bool is_better(const search *s, int a, int b) {
  double x = even_seconds(&s->out[a]), y = even_seconds(&s->out[b]);
  return x < y || (x == y && a < b);
}

/* The best of n that are not as good as that one (-1: of all); -1: there is none. */
static int next_best(const search *s, int n, int than) {
  int best = -1;
  for (int i = 0; i < n; i++)
    if ((than < 0 || is_better(s, than, i)) && (best < 0 || is_better(s, i, best))) best = i;
  return best;
}

/* Tiles of a plan but for its cuts along the outermost axis. */
static int64_t columns_of(const ik_ir *ir, const ik_plan *p) {
  int64_t n = 1;
  for (int d = 0; d < ir->ndim - 1; d++)
    if (p->tile[d]) n *= (longest(ir, d) + p->tile[d] - 1) / p->tile[d];
  return n;
}

/* So many tiles in all, or some more. */
static void consider_cut(search *s, const ik_plan *p, int64_t tiles) {
  int     outer = s->x->ir->ndim - 1;
  int64_t columns = columns_of(s->x->ir, p), parts = (tiles + columns - 1) / columns;
  int64_t n = longest(s->x->ir, outer), part = (n + parts - 1) / parts, tile[IK_MAX_DIM];
  block   b = {p->cpu.planes, p->cpu.rows, p->cpu.vectors};
  memcpy(tile, p->tile, sizeof tile);
  if (parts < 2 || part < 2 || part == tile[outer]) return;
  tile[outer] = part;
  consider(s, p->steps, tile, &b);
}

/* The plans that would be the best if all threads were as fast, cut along the stream, so that those
 * that are done can take from others. */
static void consider_cuts(search *s) {
  enum { BEST = 4 };
  static const int each[] = {2, 4, 8};
  int              n = s->n, best = -1;
  if (s->x->threads < 3 || s->x->ir->ndim < 2 || has_sweep(s->list)) return;
  for (int i = 0; i < BEST && (best = next_best(s, n, best)) >= 0; i++)
    for (int k = 0; k < 3; k++)
      consider_cut(s, &s->out[best].plan, (int64_t)each[k] * s->x->threads);
}

/* Of which passes of several steps write several levels, and one in place none. */
static bool has_long_history(const ik_ir *ir) {
  for (int f = 0; f < ir->nfield; f++)
    if (ir->field[f].has_new && ir->field[f].history > 1) return true;
  return false;
}

static bool copies(const search *s, const ik_plan *p) {
  ik_arena_mark before = ik_arena_here(s->a);
  ik_pipe       pipe;
  ik_shape_passes(s->x->ir, s->list, 1, p, s->a, &pipe);
  bool any = ik_time_tiles_copies(&pipe);
  ik_arena_back(s->a, before);
  return any;
}

/* In slabs, if wide vectors read many planes, whatever their rows, all
 * of them in place, and what the last cache holds is too little.  Narrow vectors do not wait for
 * memory (wave f32 320^3 with NEON, in slabs and not: 0.59 0.64 GPts/s), and where rings have what
 * is near faces slabs wait for the one that copies it (256^3 with AVX-512: 1.12 1.45). */
static void consider_slabs(search *s, const ik_stmt *loop) {
  ik_choice *out = &s->out[s->n];
  ik_memory  m;
  ik_memory_of(s->x->ir, s->a, &m);
  if (!s->n || s->n == IK_CHOICES || !ik_traits_by_lines(s->x->traits)) return;
  if (m.total <= s->x->isa->l3 * s->x->threads || !reads_many_planes(s)) return;
  out->plan = s->out[0].plan, out->plan.cpu.in_place = true;
  if (copies(s, &out->plan)) return;
  out->plan.strategy = "skew";
  ik_time_tiles_plan(s->x, s->list, loop->count, s->a, &out->plan);
  s->n += out->plan.steps > 1 && ik_time_tiles_has_slabs(s->x, s->list, &out->plan, s->a) &&
          ik_choose_price(s->x, s->list, true, &out->plan, s->a, &out->price);
}

int ik_choose_all(const ik_choose *x, const ik_stmt *list, const ik_stmt *loop, bool fused,
                  ik_arena *a, ik_choice out[IK_CHOICES]) {
  static const int fuse[] = {1, 2, 3, 4, 6, 8, 12, 16};
  search           s = {x, list, loop != NULL, a, out, 0};
  int              many = statements(list);
  bool             several = loop && fused;
  for (int i = 0; i < 8; i++) {
    if (fuse[i] > 1 && (!several || fuse[i] > loop->count || many * fuse[i] > 64)) break;
    int   before = s.n;
    block b = choose_block(&s, fuse[i]);
    tiles_of(&s, fuse[i], &b);
    if (s.n == before) break; /* what no tile can do with few steps, none can with more */
  }
  consider_cuts(&s);
  if (several && x->slabs && has_long_history(x->ir)) consider_slabs(&s, loop);
  int n = keep_fitting(out, s.n, x->room);
  qsort(out, (size_t)n, sizeof *out, by_seconds);
  return n;
}
