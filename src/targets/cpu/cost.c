#include "targets/cpu/cost.h"
#include "targets/cpu/drive.h"
#include "targets/cpu/tally.h"
#include "targets/cpu/team.h"
#include <math.h>

/* ---- a stage ---- */

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

/* Of the cells of the pass, those that a stage has: the first level of a sweep is one of many. */
static double part_of(const ik_pass *p, const ik_pipe_stage *s) {
  double part = 1;
  for (int r = 0; r < IK_NROLES; r++)
    part *= fmin(1, (double)(s->hi[r] - s->lo[r]) / (double)(p->hi[r] - p->lo[r]));
  return part;
}

/* Of the rows of a tile, those that a stage only begins with. */
static double heads_of(const ik_pass *p, const ik_pipe_stage *s) {
  double rows = s->ext[IK_ROW][0] + s->ext[IK_ROW][1];
  return s->first_rows ? rows / ((double)p->tile[IK_ROW] + rows) : 1;
}

static const ik_pipeline_stage *count_kernels(const ik_pass *p, ik_arena *a) {
  ik_pipeline_stage *kernel = IK_NEW_N(a, ik_pipeline_stage, p->nkernel);
  for (int i = 0; i < p->nkernel; i++) kernel[i] = ik_tally_kernel(p, &p->kernel[i], a);
  return kernel;
}

/* Rows of planes above and below come from rings as well. */
static double count_lines(const ik_pass *p, const ik_pipe_stage *s) {
  const ik_pipe_kernel *k = &p->kernel[s->kernel];
  double                lines = 0;
  for (int i = 0; i < k->ninput; i++)
    if (p->buffer[s->in[i]].ring) lines += p->tile[IK_ROW] > 1 ? k->nport / k->ninput : 1;
  return lines;
}

/* Does a stage read, in memory, what lies where an output goes, or a level that gives way to it? */
static bool reads_level(const ik_pass *p, const ik_pipe_stage *s, const ik_pipe_buffer *out,
                        bool older) {
  for (int i = 0; i < p->kernel[s->kernel].ninput; i++) {
    const ik_pipe_buffer *in = &p->buffer[s->in[i]];
    bool                  is = older ? out->level == 1 && in->level < 0 : in->level == out->level;
    if (!in->ring && in->field == out->field && is) return true;
  }
  return false;
}

/* How often a line that is stored moves: once past the caches, or where it has been read as an
 * older level.  Updates in place count twice; the constants were fitted so. */
static int moves_of(const ik_pass *p, const ik_pipe_stage *s, int output) {
  const ik_pipe_buffer *out = &p->buffer[s->out[output]];
  if (reads_level(p, s, out, false)) return 2;
  return p->kernel[s->kernel].shape->output[output].streaming || reads_level(p, s, out, true) ? 1
                                                                                              : 2;
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
    if (!p->buffer[s->out[i]].ring) bytes += ik_type_bytes(k->output[i].type) * moves_of(p, s, i);
  return bytes;
}

/* Of a row that is read where it lies only the ends are copied, or nothing of most. */
static double copied_part(const ik_pass *p, const ik_pipe_stage *s) {
  enum { ENDS = 64 };
  const ik_pipe_buffer *b = s->kind == IK_STAGE_FETCH ? &p->buffer[s->out[0]] : NULL;
  if (!b || !b->in_place.on) return 1;
  return b->in_place.ends.known ? 1.0 / ENDS : fmin(1, ENDS / (double)p->tile[IK_LANE]);
}

/* Nothing of it is copied, even near faces.  The planes that are read pass through the second cache
 * all the same, which costs what a copy does, but not around the tile. */
static bool is_padded(const ik_pass *p, const ik_pipe_stage *s) {
  return s->kind == IK_STAGE_FETCH && p->buffer[s->out[0]].in_place.padded;
}

static ik_pipeline_stage count_stage(const ik_pass *p, const ik_pipe_stage *s,
                                     const ik_pipeline_stage *kernel) {
  bool              copies = s->kind != IK_STAGE_KERNEL;
  ik_pipeline_stage out =
      copies ? (ik_pipeline_stage){.copies = true} : kernel[s->inside < 0 ? s->kernel : s->inside];
  if (!copies) out.lines = count_lines(p, s) + out.stores;
  double copied = copied_part(p, s); /* its bytes are all read, by whomever */
  out.redundancy = is_padded(p, s) ? 1 : redundancy(p, s);
  out.part = part_of(p, s) * heads_of(p, s) * copied, out.bytes = stage_bytes(p, s) / copied;
  return out;
}

/* ---- the working set ---- */

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

/* Planes that are prefetched before they are copied into a ring lie in a cache meanwhile. */
static int waiting_bytes(const ik_pass *p) {
  int bytes = 0;
  for (int f = 0; f < p->nphase; f++)
    for (int i = 0; i < p->phase[f].nstage; i++) {
      const ik_pipe_stage *s = &p->phase[f].stage[i];
      if (s->kind == IK_STAGE_FETCH && s->prefetched)
        bytes += ik_type_bytes(p->buffer[s->out[0]].type);
    }
  return bytes;
}

/* What passes through a cache from one plane to the next: lines that are read once. */
static int passing_bytes(const ik_pass *p) {
  int bytes = 0;
  for (int i = 0; i < p->phase[0].nstage; i++) {
    const ik_pipe_stage *s = &p->phase[0].stage[i];
    for (int k = 0; s->kind == IK_STAGE_KERNEL && k < p->kernel[s->kernel].ninput; k++) {
      const ik_pipe_buffer *b = &p->buffer[s->in[k]];
      if (!b->ring) bytes += ik_type_bytes(b->type);
    }
  }
  return bytes;
}

/* Bytes that a tile comes back to, and what comes between: planes of rings, and what later phases
 * see of it again.  Planes that stand for what lies beyond a face are used now and then. */
static double working_set(const ik_pass *p) {
  double ring = waiting_bytes(p) + passing_bytes(p), again = 0;
  for (int i = 0; i < p->nbuffer; i++) {
    const ik_pipe_buffer *b = &p->buffer[i];
    double                part = (double)ik_pipe_rows(p, b) / (double)p->ring_rows;
    if (b->ring && !b->shared) ring += b->depth * ik_type_bytes(b->type) * part;
  }
  for (int i = 1; i < p->nphase; i++) again += memory_bytes(p, &p->phase[i]);
  for (int r = 0; r < IK_NROLES; r++)
    again *= (double)(p->tile[r] < p->n[r] ? p->tile[r] : p->n[r]);
  return ring * (double)(p->pitch * p->ring_rows) + again;
}

/* ---- threads ---- */

/* Cells of a tile; those at the end of an axis are smaller. */
static double tile_cells(const ik_pass *p, int64_t tile) {
  double cells = 1;
  for (ik_role r = 0; r < IK_NROLES; r++) {
    int64_t all = p->hi[r] - p->lo[r], n = ik_pass_tiles(p, r);
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

/* ---- a pass, and all ---- */

/* Vectors are those of the kernels up to here. */
static ik_pipeline_phase count_phase(const ik_pass *p, const ik_pipe_phase *f,
                                     const ik_pipeline_stage *kernel, ik_arena *a, double lanes) {
  ik_pipeline_stage *stage = IK_NEW_N(a, ik_pipeline_stage, f->nstage);
  for (int i = 0; i < f->nstage; i++) {
    stage[i] = count_stage(p, &f->stage[i], kernel);
    if (!stage[i].copies) lanes = fmax(lanes, p->kernel[f->stage[i].kernel].shape->lanes);
  }
  return (ik_pipeline_phase){f->nstage, stage, f->planes, lanes};
}

static ik_pipeline_pass count_pass(const ik_pass *p, const ik_isa *isa, int threads, ik_arena *a) {
  const ik_pipeline_stage *kernel = count_kernels(p, a);
  ik_pipeline_phase       *phase = IK_NEW_N(a, ik_pipeline_phase, p->nphase);
  ik_pipeline_pass         out = {.nphase = p->nphase,
                                  .phase = phase,
                                  .vector_bytes = isa->vector_bytes,
                                  .lanes = 1,
                                  .working_set = working_set(p),
                                  .by_rows = p->phase[0].rows > 0 || p->phase[0].stage[0].first_rows,
                                  .tile_row = (double)p->tile[IK_LANE],
                                  .tile_rows = (double)p->tile[IK_ROW],
                                  .cut = p->tile[IK_LANE] < p->hi[IK_LANE] - p->lo[IK_LANE],
                                  .cells = 1,
                                  .threads = threads};
  for (int f = 0; f < p->nphase; f++) {
    phase[f] = count_phase(p, &p->phase[f], kernel, a, out.lanes);
    out.lanes = phase[f].lanes;
  }
  for (int r = 0; r < IK_NROLES; r++) out.cells *= (double)(p->hi[r] - p->lo[r]);
  out.most_cells = most_cells(p, out.cells, threads);
  out.pieces = (double)ik_drive_tiles(p) / threads;
  out.most_tiles = ceil(out.pieces);
  return out;
}

/* Seconds of what is done cell by cell. */
static double single_seconds(const ik_pipe_work *w) {
  bool single = w->kind == IK_WORK_INTERP || w->kind == IK_WORK_SWEEP;
  return single ? (double)ik_box_cells(&w->stmt->box) * (w->sweep ? 2e-9 : 20e-9) : 0;
}

ik_pipeline_work ik_cost_count(const ik_pipe *p, const ik_isa *isa, int threads, ik_arena *a) {
  ik_pipeline_pass *pass = IK_NEW_N(a, ik_pipeline_pass, p->n);
  ik_pipeline_work  out = {.pass = pass, .steps = p->steps};
  out.l1 = (double)isa->l1, out.l2 = (double)isa->l2;
  for (int i = 0; i < p->n; i++) {
    const ik_pipe_work *w = &p->work[i];
    if (w->kind == IK_WORK_PASS) pass[out.npass++] = count_pass(w->pass, isa, threads, a);
    out.single += single_seconds(w);
  }
  return out;
}
