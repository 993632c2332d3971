/* How results are stored: past the caches, in whole lines. */
#include "targets/cpu/shape/shape.h"

/* ---- streaming stores ---- */

/* Does the second cache keep what a tile has of a field from one phase to the next? */
static bool is_kept(const ik_draft *x, const draft_buffer *b) {
  int64_t bytes = ik_type_bytes(b->b.type);
  for (ik_role r = 0; r < IK_NROLES; r++) bytes *= x->pass->tile[r];
  return bytes <= ik_shape_traits(x)->kept_tile;
}

/* Nobody has read what it overwrites, or so long ago that the lines are in no cache. */
static bool is_cold(const ik_draft *x, const draft_buffer *b, int phase) {
  for (int i = 0; b->old >= 0 && i < x->nread; i++)
    if (x->read[i].buffer == b->old &&
        (x->unit[x->op[x->read[i].op].unit].phase == phase || is_kept(x, b)))
      return false;
  return true;
}

/* May it be stored past the caches?  With narrow vectors such stores are as a rule like others, and
 * a compiler that has them in a block of their own is the better for it (wave f32 320^3 with NEON:
 * 0.42 instead of 0.33 GPts/s). */
static bool may_stream(const ik_draft *x, const draft_buffer *b, int op) {
  bool wide = b->b.type == IK_F32 || b->b.type == IK_F64;
  return x->plan->cpu.stream && wide && !b->b.ring &&
         (!ik_shape_traits(x)->bypass || is_cold(x, b, x->unit[x->op[op].unit].phase));
}

void ik_shape_store_in_caches(draft_kernel *k) {
  for (int i = 0; i < k->k.noutput; i++) k->shape->output[i].streaming = false;
  k->shape->streaming = false;
}

static void find_streaming(const ik_draft *x, const draft_unit *u, draft_kernel *k) {
  for (int i = 0; i < k->k.nstmt; i++) {
    int  op = u->first + i;
    bool streaming = k->k.store[i] >= 0 && may_stream(x, &x->buffer[x->op[op].target], op);
    if (streaming) k->shape->output[k->k.store[i]].streaming = k->shape->streaming = true;
  }
}

/* Beside results that stay in rings, stores past the caches gain with wide vectors (PCG f64 256^3
 * with AVX-512: 1.31 and 1.24 GPts/s without, 1.41 and 1.44 with them) and lose with narrow ones
 * (320^3 with NEON: 2.71 and 2.56). */
static void stay_with_rings(const ik_draft *x, draft_kernel *k) {
  bool rings = false;
  for (int i = 0; i < k->k.noutput; i++) rings = rings || x->buffer[k->out[i]].b.ring;
  if (rings && !ik_shape_traits(x)->bypass) ik_shape_store_in_caches(k);
}

void ik_shape_streaming(const ik_draft *x, const draft_unit *u, draft_kernel *k) {
  find_streaming(x, u, k);
  stay_with_rings(x, k);
}

/* ---- remainders of rows ---- */

/* Of rows so long two lines do not matter, and of shorter ones both ends may be in one. */
static bool is_middling(int64_t cells, int bytes, int line) {
  return cells * bytes >= 4 * line && cells * bytes <= 128 * line;
}

/* Cells of a row that nobody writes: of a field that is no level of several, whose rows are lines,
 * and one statement for all of it. */
static int remainder_of(const ik_draft *x, int op, int lanes) {
  const draft_buffer *b = &x->buffer[x->op[op].target];
  const ik_stmt      *s = x->op[op].stmt;
  int                 bytes = ik_type_bytes(b->b.type), line = ik_shape_traits(x)->line;
  if (!ik_shape_has_line_vectors(x) || b->b.ring || !b->b.memory || b->first != b->last) return 0;
  const ik_field *f = &x->ir->field[b->b.field];
  if (f->has_new || f->kind == IK_FIELD_TEMP || ik_draft_is_injected(x, b->b.field)) return 0;
  if (lanes * bytes != line || !x->whole[IK_LANE]) return 0;
  if (f->box.lo[0] % lanes || (f->box.hi[0] - f->box.lo[0]) % lanes) return 0;
  int64_t lo = s->box.lo[0], hi = s->box.hi[0];
  if (!is_middling(hi - lo, bytes, line)) return 0;
  return (int)((lo - f->box.lo[0]) % lanes + (f->box.hi[0] - hi) % lanes);
}

void ik_shape_remainders(const ik_draft *x, const draft_unit *u, draft_kernel *k) {
  for (int i = 0; i < k->k.nstmt && !k->inside; i++) {
    ik_value_shape *v = k->k.store[i] < 0 ? NULL : &k->shape->output[k->k.store[i]];
    if (v && v->streaming) v->remainder = remainder_of(x, u->first + i, k->shape->lanes);
    if (v && v->remainder) k->shape->row.whole = true;
  }
}
