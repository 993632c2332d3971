/* Tiles in the order of memory, planes that are made together, rows of rings, turns of stages. */
#include "base/least.h"
#include "targets/cpu/shape/shape.h"

/* ---- tiles ---- */

/* A plane is a single row where nothing is read along the rows, so that rings are short. */
static bool one_row(const ik_draft *x) {
  return ik_draft_reads_along(x, IK_STREAM) && !ik_draft_reads_along(x, IK_ROW) &&
         x->pass->axis[IK_STREAM] < x->pass->axis[IK_ROW];
}

/* Whole columns are kept between one walk and the next: of a few rows only. */
static int64_t few_rows(int64_t asked) {
  enum { MOST = 8 };
  return asked <= 0 || asked > MOST ? 1 : asked;
}

/* Nothing looks from plane to plane: tiles are planes, in the order of memory. */
static bool is_flat(const ik_draft *x) {
  return x->pass->axis[IK_STREAM] == 2 && x->steps <= 1 && !ik_draft_reads_along(x, IK_STREAM) &&
         ik_draft_reads_along(x, IK_ROW) && !ik_draft_must_be_whole(x, IK_STREAM);
}

/* Cells of a tile along a role. */
int64_t ik_shape_tile(const ik_draft *x, ik_role r, int64_t asked) {
  if (r != IK_ROW) return asked;
  if (one_row(x)) return 1;
  return x->pass->nphase > 1 ? few_rows(asked) : asked;
}

void ik_shape_tiles(ik_draft *x) {
  if (is_flat(x)) x->pass->tile[IK_STREAM] = 1;
}

/* ---- planes and rows ---- */

int ik_shape_planes(const ik_draft *x, int phase) {
  const ik_pass *p = x->pass;
  for (int i = 0; i < x->nop; i++)
    if (x->unit[x->op[i].unit].phase == phase && x->op[i].sweep) return 1;
  if (p->axis[IK_STREAM] < 0) return 1;
  if (p->axis[IK_ROW] >= 0 && p->tile[IK_ROW] > 1) return ik_max_int(x->plan->cpu.planes, 1);
  return ik_max_int(x->plan->cpu.rows, 1);
}

/* Elements to a multiple of which rows of the tile begin: a line of the cache, or, of short rows,
 * which would take half as many lines again for a cell on either side, a vector.  Measured with
 * vectors of 16 bytes: rows of up to 3 KiB are up to 12 % faster so, those from 4 KiB on up to 13 %
 * slower. */
static int grain_of_rows(const ik_draft *x) {
  const ik_traits *t = ik_shape_traits(x);
  int              least = 8;
  for (int i = 0; i < x->nbuffer; i++)
    if (x->buffer[i].b.ring && ik_type_bytes(x->buffer[i].b.type) < 8) least = 4;
  bool is_short = x->pass->tile[IK_LANE] * least < t->short_row;
  return is_short ? ik_max_int(t->vector / least, 1) : t->line / 4;
}

/* Rows begin at whole grains. */
void ik_shape_ring_rows(ik_draft *x) {
  ik_pass *p = x->pass;
  int64_t  grain = grain_of_rows(x), after = p->pitch - p->before[IK_LANE];
  int64_t  first = (p->lo[IK_LANE] % grain + grain) % grain;
  p->before[IK_LANE] = (int)((p->before[IK_LANE] + grain - 1) / grain * grain + first);
  p->pitch = (p->before[IK_LANE] + after + grain - 1) / grain * grain;
}

/* ---- turns of stages ---- */

static bool is_reduced(const ik_pass *p, int phase) {
  for (int i = 0; i < p->nreduce; i++)
    if (p->reduce[i].phase == phase) return true;
  return false;
}

/* Does a stage of the phase read the memory that this one writes? */
static bool is_overwritten(const ik_pass *p, const ik_pipe_phase *ph, const ik_pipe_buffer *out) {
  for (int i = 0; i < ph->nstage && !out->ring; i++)
    for (int k = 0; k < p->kernel[ph->stage[i].kernel].ninput; k++) {
      const ik_pipe_buffer *in = &p->buffer[ph->stage[i].in[k]];
      if (!in->ring && in->field == out->field && in->level == out->level) return true;
    }
  return false;
}

/* Kernels alone, on the same plane, that leave nothing to be done for whole planes. */
static bool goes_row_by_row(const ik_pass *p, int phase) {
  const ik_pipe_phase *ph = &p->phase[phase];
  if (p->axis[IK_ROW] < 0 || ph->planes > 1 || ph->nstage < 2 || is_reduced(p, phase)) return false;
  for (int i = 0; i < ph->nstage; i++) {
    const ik_pipe_stage *s = &ph->stage[i];
    if (s->kind != IK_STAGE_KERNEL || s->lag != ph->stage[0].lag) return false;
    for (int k = 0; k < s->ndone; k++)
      if (ik_draft_has_halo(&p->buffer[s->done[k]])) return false;
    for (int k = 0; k < p->kernel[s->kernel].noutput; k++)
      if (is_overwritten(p, ph, &p->buffer[s->out[k]])) return false;
  }
  return true;
}

/* Of two stages the second of which computes the first one's rows nothing is left to take turns. */
static bool is_left_behind(const ik_pipe_phase *ph) {
  return ph->nstage == 2 && ph->stage[0].first_rows;
}

void ik_shape_phases(ik_draft *x) {
  ik_pass *p = x->pass;
  for (int i = 0; i < p->nphase; i++) {
    const ik_pipe_stage *last = &p->phase[i].stage[p->phase[i].nstage - 1];
    const ik_pipe_value *v = p->kernel[last->kernel].output;
    if (goes_row_by_row(p, i) && !is_left_behind(&p->phase[i]))
      p->phase[i].rows = (int)ik_shape_rows_in_turn(x, v);
  }
}
