#include "target/cpu/cost.h"
#include "facts/nodes.h"
#include "target/cpu/drive.h"
#include "target/cpu/team.h"
#include <math.h>

/* Constants of a kind of machine.  Cycles are those of a core. */
typedef struct figures {
  double hertz;
  double compute; /* on the cycles that units and ports need at least */
  double loads;   /* vectors a cycle */
  double divide;  /* operations that a division counts for */
  double chain;   /* cycles of an operation that waits for the one before; 0: others fill the gap */
  /* Cycles of a line of the cache, by where the rings are: first level, second, beyond. */
  double near, line, far;
  double byte;    /* cycles of a byte of memory, with all cores at work */
  double alone;   /* of that, with one */
  double cached;  /* of that, where all fits into the caches */
  double overlap; /* of the shorter of computing and moving, what shows: 1 if both add up */
  double copy;    /* cycles of a vector that is copied into a ring */
  /* Cycles of a call of a kernel, of a row of it, of one that begins in memory, of one that begins
   * there and ends before the grid does, of a tile, of a pass. */
  double call, row, far_row, cut_row, tile, pass;
} figures;

/* Two cores of Emerald Rapids, AVX-512: compute, line and byte as fitted to prototypes, not to
 * plans of this engine. */
static const figures wide = {.hertz = 2.65e9,
                             .compute = 0.84,
                             .loads = 2,
                             .divide = 16,
                             .chain = 4,
                             .near = 0.2,
                             .line = 1.26,
                             .far = 8,
                             .byte = 0.126,
                             .alone = 1,
                             .cached = 1,
                             .overlap = 1,
                             .copy = 1.5,
                             .call = 60,
                             .row = 30,
                             .far_row = 120,
                             .cut_row = 120,
                             .tile = 1500,
                             .pass = 3000};
/* Two cores of Neoverse V1, NEON: fitted to plans; `ikat bench model` tells how well they serve. */
static const figures narrow = {.hertz = 2.6e9,
                               .compute = 0.79,
                               .loads = 1.63,
                               .divide = 1,
                               .chain = 0,
                               .near = 0.4,
                               .line = 2.19,
                               .far = 4,
                               .byte = 0.066,
                               .alone = 0.6,
                               .cached = 0.01,
                               .overlap = 0.15,
                               .copy = 1.8,
                               .call = 104,
                               .row = 2,
                               .far_row = 32,
                               .cut_row = 419,
                               .tile = 4200,
                               .pass = 500};

static const figures *figures_of(const ik_isa *isa) {
  return isa->vector_bytes < 32 ? &narrow : &wide;
}

static double share(int64_t tile, int lo, int hi, int64_t n) {
  double all = (double)tile + lo + hi;
  return fmin(all, (double)n + lo + hi) / (double)tile;
}

/* How much more than the tile a stage computes. */
static double redundancy(const ik_pass *p, const ik_pipe_stage *s) {
  double r = 1;
  for (int k = 0; k < IK_NROLES; k++)
    if (p->tile[k] < p->hi[k] - p->lo[k])
      r *= share(p->tile[k], s->ext[k][0], s->ext[k][1], p->n[k]);
  return r;
}

typedef struct work {
  double arithmetic, loads, stores, chain;
} work;

static double latency_of(ik_op op, const figures *m) {
  if (op == IK_OP_DIV || op == IK_OP_SQRT || op == IK_OP_MOD) return m->divide;
  return op >= IK_OP_EXP && op <= IK_OP_TABLE ? 200 : 1;
}

/* Per vector of one result. */
static work work_of(const ik_pipe_kernel *k, const figures *m, ik_arena *a) {
  work w = {0};
  for (int i = 0; i < k->nstmt; i++) {
    ik_nodes nodes;
    ik_nodes_of(k->stmt[i]->value, a, &nodes);
    for (int n = 0; n < nodes.n; n++) {
      const ik_expr *e = nodes.node[n];
      if (e->op == IK_OP_READ) w.loads++;
      if (ik_op_nargs(e->op) > 0) w.arithmetic += latency_of(e->op, m);
    }
    w.stores += k->store[i] >= 0;
  }
  w.chain = m->chain * w.arithmetic / (k->rows * k->planes * k->vectors);
  double jam = k->rows * k->planes;
  w.loads = w.loads > 3 ? 2 + (w.loads - 2) * (jam + 2) / (3 * jam) : w.loads;
  return w;
}

/* Bytes per cell that a phase reads from memory, or writes there. */
static int memory_bytes(const ik_pass *p, const ik_pipe_phase *ph) {
  bool seen[IK_PIPE_PORTS] = {false};
  int  bytes = 0;
  for (int i = 0; i < ph->nstage; i++) {
    const ik_pipe_stage  *s = &ph->stage[i];
    const ik_pipe_kernel *k = s->kind == IK_STAGE_KERNEL ? &p->kernel[s->kernel] : NULL;
    for (int n = 0; k && n < k->ninput + k->noutput; n++) {
      int b = n < k->ninput ? s->in[n] : s->out[n - k->ninput];
      if (b >= IK_PIPE_PORTS || seen[b] || p->buffer[b].ring) continue;
      seen[b] = true, bytes += ik_type_bytes(p->buffer[b].type);
    }
  }
  return bytes;
}

/* Planes that are asked for before they are copied into a ring lie in a cache meanwhile. */
static int waiting_bytes(const ik_pass *p) {
  int bytes = 0;
  for (int f = 0; f < p->nphase; f++)
    for (int i = 0; i < p->phase[f].nstage; i++) {
      const ik_pipe_stage *s = &p->phase[f].stage[i];
      if (s->kind == IK_STAGE_FETCH && s->asked) bytes += ik_type_bytes(p->buffer[s->out[0]].type);
    }
  return bytes;
}

/* Bytes that a tile comes back to: planes of rings, and what later phases see of it again.  Planes
 * that stand for what lies beyond a face are used now and then. */
static double working_set(const ik_pass *p) {
  double ring = waiting_bytes(p), again = 0;
  for (int i = 0; i < p->nbuffer; i++)
    if (p->buffer[i].ring) ring += p->buffer[i].depth * ik_type_bytes(p->buffer[i].type);
  for (int i = 1; i < p->nphase; i++) again += memory_bytes(p, &p->phase[i]);
  for (int r = 0; r < IK_NROLES; r++)
    again *= (double)(p->tile[r] < p->n[r] ? p->tile[r] : p->n[r]);
  return ring * (double)(p->pitch * p->ring_rows) + again;
}

/* Cycles of a cache line that comes from where the rings are.  The second level gets slower before
 * it is full: from 1.25 of 2 MiB on. */
static double line_cycles(const ik_pass *p, const ik_isa *isa) {
  const figures *m = figures_of(isa);
  double         bytes = working_set(p), l2 = (double)isa->l2;
  if (bytes <= (double)isa->l1 || p->phase[0].rows)
    return m->near; /* stages take turns row by row */
  return m->line + (m->far - m->line) * fmin(1, fmax(0, (bytes / l2 - 0.62) / 0.38));
}

/* Of the cells of the pass, those that a stage has: the first level of a sweep is one of many. */
static double part_of(const ik_pass *p, const ik_pipe_stage *s) {
  double part = 1;
  for (int r = 0; r < IK_NROLES; r++)
    part *= fmin(1, (double)(s->hi[r] - s->lo[r]) / (double)(p->hi[r] - p->lo[r]));
  return part;
}

static double kernel_cycles(const ik_pass *p, const ik_pipe_stage *s, const ik_isa *isa,
                            ik_arena *a) {
  const ik_pipe_kernel *k = &p->kernel[s->kernel];
  const figures        *m = figures_of(isa);
  work                  w = work_of(k, m, a);
  double c = fmax(fmax(w.arithmetic / 2, w.loads / m->loads), fmax(w.stores, w.chain)), lines = 0;
  for (int i = 0; i < k->ninput; i++)
    if (p->buffer[s->in[i]].ring) lines += p->tile[IK_ROW] > 1 ? k->nport / k->ninput : 1;
  lines += w.stores;
  double line =
      line_cycles(p, isa) * isa->vector_bytes / 64.0; /* it holds several narrow vectors */
  return (m->compute * c + line * lines) * redundancy(p, s) * part_of(p, s);
}

/* Bytes per cell of the tile that a stage moves from or to memory. */
static double stage_bytes(const ik_pass *p, const ik_pipe_stage *s) {
  double bytes = 0;
  if (s->kind == IK_STAGE_FETCH || s->kind == IK_STAGE_STORE) {
    const ik_pipe_buffer *b = &p->buffer[s->out[0]];
    return ik_type_bytes(b->type) * redundancy(p, s) * (s->kind == IK_STAGE_STORE ? 2 : 1);
  }
  if (s->kind != IK_STAGE_KERNEL) return 0;
  const ik_pipe_kernel *k = &p->kernel[s->kernel];
  for (int i = 0; i < k->ninput; i++)
    if (!p->buffer[s->in[i]].ring && k->input[i].on[IK_LANE])
      bytes += ik_type_bytes(k->input[i].type) * redundancy(p, s);
  for (int i = 0; i < k->noutput; i++)
    if (!p->buffer[s->out[i]].ring) bytes += ik_type_bytes(k->output[i].type) * (k->stream ? 1 : 2);
  return bytes;
}

/* Beginning calls and rows, per vector. */
static double starts(const ik_pass *p, const ik_pipe_phase *f, int lanes, const figures *m) {
  double row = (double)p->tile[IK_LANE] / lanes, plane = row * (double)p->tile[IK_ROW], sum = 0;
  bool   cut = p->tile[IK_LANE] < p->hi[IK_LANE] - p->lo[IK_LANE];
  double far_row = cut ? m->cut_row : m->far_row;
  for (int i = 0; i < f->nstage; i++) {
    const ik_pipe_stage *s = &f->stage[i];
    double               rows = (stage_bytes(p, s) > 0 ? far_row : m->row) / row;
    sum += (m->call / (plane * f->planes) + rows) * part_of(p, s);
  }
  return sum;
}

/* Cells of a tile; those at the end of an axis are smaller. */
static double tile_cells(const ik_pass *p, int64_t tile) {
  double cells = 1;
  for (int r = 0; r < IK_NROLES; r++) {
    int64_t all = p->hi[r] - p->lo[r], n = (all + p->tile[r] - 1) / p->tile[r];
    cells *= fmin((double)p->tile[r], (double)(all - tile % n * p->tile[r]));
    tile /= n;
  }
  return cells;
}

/* Of the thread that has most. */
static double most_cells(const ik_pass *p, double cells, int threads) {
  enum { MANY = 4096 };
  int64_t tiles = ik_drive_tiles(p);
  double  most = 0;
  if (tiles > MANY) return cells / threads;
  for (int t = 0; t < threads; t++) {
    int64_t lo, hi;
    double  sum = 0;
    ik_team_share(tiles, t, threads, &lo, &hi);
    while (lo < hi) sum += tile_cells(p, lo++);
    most = fmax(most, sum);
  }
  return most;
}

static double pass_seconds(const ik_pass *p, const ik_isa *isa, int threads, ik_arena *a) {
  const figures *m = figures_of(isa);
  double         cycles = 0, bytes = 0, cells = 1;
  int            lanes = 1;
  for (int f = 0; f < p->nphase; f++) {
    for (int i = 0; i < p->phase[f].nstage; i++) {
      const ik_pipe_stage *s = &p->phase[f].stage[i];
      if (s->kind == IK_STAGE_KERNEL) {
        cycles += kernel_cycles(p, s, isa, a);
        lanes = p->kernel[s->kernel].lanes > lanes ? p->kernel[s->kernel].lanes : lanes;
      } else {
        cycles += m->copy * redundancy(p, s);
      }
      bytes += stage_bytes(p, s) * part_of(p, s);
    }
    cycles += starts(p, &p->phase[f], lanes, m);
  }
  for (int r = 0; r < IK_NROLES; r++) cells *= (double)(p->hi[r] - p->lo[r]);
  double memory = m->byte * bytes * lanes * (threads > 1 ? 1 : m->alone);
  if (cells * bytes <= 2.0 * (double)isa->l2 * threads) memory *= m->cached;
  double per_vector = fmax(cycles, memory) + m->overlap * fmin(cycles, memory);
  double tiles = ceil((double)ik_drive_tiles(p) / threads);
  return (most_cells(p, cells, threads) / lanes * per_vector + m->tile * tiles + m->pass) /
         m->hertz;
}

double ik_cost_of(const ik_pipe *p, const ik_isa *isa, int threads, ik_arena *a) {
  double s = 0;
  for (int i = 0; i < p->n; i++) {
    const ik_pipe_work *w = &p->work[i];
    if (w->kind == IK_WORK_PASS) s += pass_seconds(w->pass, isa, threads, a);
    if (w->kind == IK_WORK_INTERP) s += (double)ik_box_cells(&w->stmt->box) * 20e-9;
  }
  return p->steps > 1 ? s / p->steps : s;
}
