#include "target/cpu/cost.h"
#include "facts/nodes.h"
#include "target/cpu/drive.h"
#include <math.h>

/* Cycles per vector and step = 0.84 compute + 1.26 per cache line between L1 and L2 + 0.126 per
 * byte of memory traffic: measured on two cores of an Emerald Rapids machine at 2.65 GHz. */
static const double COMPUTE = 0.84, LINE = 1.26, FAR_LINE = 8, BYTE = 0.126, HERTZ = 2.65e9;
static const double CALL = 60, ROW = 30, FAR_ROW = 120, TILE = 1500, BARRIER = 3000; /* cycles: of a
   call of a kernel, of a row of it, of a row that begins in memory, of a tile, of a pass */

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

static double latency_of(ik_op op) {
  if (op == IK_OP_DIV || op == IK_OP_SQRT || op == IK_OP_MOD) return 16;
  return op >= IK_OP_EXP && op <= IK_OP_TABLE ? 200 : 1;
}

/* Per vector of one result. */
static work work_of(const ik_pipe_kernel *k, ik_arena *a) {
  work w = {0};
  for (int i = 0; i < k->nstmt; i++) {
    ik_nodes nodes;
    ik_nodes_of(k->stmt[i]->value, a, &nodes);
    for (int n = 0; n < nodes.n; n++) {
      const ik_expr *e = nodes.node[n];
      if (e->op == IK_OP_READ) w.loads++;
      if (ik_op_nargs(e->op) > 0) w.arithmetic += latency_of(e->op);
    }
    w.stores += k->store[i] >= 0;
  }
  w.chain = 4 * w.arithmetic / (k->rows * k->planes * k->vectors);
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

/* Bytes that a tile comes back to: planes of rings, and what later phases see of it again.  Planes
 * that stand for what lies beyond a face are used now and then. */
static double working_set(const ik_pass *p) {
  double ring = 0, again = 0;
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
  double bytes = working_set(p), l2 = (double)isa->l2;
  if (bytes <= (double)isa->l1) return 0.2;
  return LINE + (FAR_LINE - LINE) * fmin(1, fmax(0, (bytes / l2 - 0.62) / 0.38));
}

static double kernel_cycles(const ik_pass *p, const ik_pipe_stage *s, const ik_isa *isa,
                            ik_arena *a) {
  const ik_pipe_kernel *k = &p->kernel[s->kernel];
  work                  w = work_of(k, a);
  double                c = fmax(fmax(w.arithmetic / 2, w.loads / 2), fmax(w.stores, w.chain));
  double                lines = 0;
  for (int i = 0; i < k->ninput; i++)
    if (p->buffer[s->in[i]].ring) lines += p->tile[IK_ROW] > 1 ? k->nport / k->ninput : 1;
  lines += w.stores;
  double line =
      line_cycles(p, isa) * isa->vector_bytes / 64.0; /* it holds several narrow vectors */
  return (COMPUTE * c + line * lines) * redundancy(p, s);
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
static double starts(const ik_pass *p, const ik_pipe_phase *f, int lanes) {
  double row = (double)p->tile[IK_LANE] / lanes, plane = row * (double)p->tile[IK_ROW], sum = 0;
  for (int i = 0; i < f->nstage; i++)
    sum += CALL / (plane * f->planes) + (stage_bytes(p, &f->stage[i]) > 0 ? FAR_ROW : ROW) / row;
  return sum;
}

static double pass_seconds(const ik_pass *p, const ik_isa *isa, int threads, ik_arena *a) {
  double cycles = 0, bytes = 0, cells = 1;
  int    lanes = 1;
  for (int f = 0; f < p->nphase; f++) {
    for (int i = 0; i < p->phase[f].nstage; i++) {
      const ik_pipe_stage *s = &p->phase[f].stage[i];
      if (s->kind == IK_STAGE_KERNEL) {
        cycles += kernel_cycles(p, s, isa, a);
        lanes = p->kernel[s->kernel].lanes;
      } else {
        cycles += 1.5 * redundancy(p, s);
      }
      bytes += stage_bytes(p, s);
    }
    cycles += starts(p, &p->phase[f], lanes);
  }
  for (int r = 0; r < IK_NROLES; r++) cells *= (double)(p->hi[r] - p->lo[r]);
  double tiles = (double)ik_drive_tiles(p), rounds = ceil(tiles / threads);
  double per_vector = cycles + BYTE * bytes * lanes;
  return ((cells / lanes * per_vector / tiles + TILE) * rounds + BARRIER) / HERTZ;
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
