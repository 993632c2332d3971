/* How many results a kernel computes at a time, and how it stores them. */
#include "base/least.h"
#include "targets/cpu/shape/shape.h"
#include <stdlib.h>
#include <string.h>

/* ---- how values lie ---- */

/* Where planes are rows, one kernel reads both rings and what is apart. */
static bool is_aligned(const ik_draft *x, const draft_buffer *b, bool inside) {
  bool in_ring = b->b.ring && !(b->b.apart && (inside || x->pass->axis[IK_ROW] < 0));
  return in_ring ||
         ik_draft_stride(x, b, 1) * ik_type_bytes(b->b.type) % ik_shape_traits(x)->line == 0;
}

void ik_shape_value(const ik_draft *x, const draft_buffer *b, bool inside, ik_pipe_value *v) {
  v->aligned = is_aligned(x, b, inside);
  if (!b->b.known || !inside) return;
  v->known = true;
  memcpy(v->beyond, b->b.beyond, sizeof v->beyond);
  memcpy(v->copied, b->b.copied, sizeof v->copied);
}

static void shape_values(const ik_draft *x, draft_kernel *k) {
  for (int i = 0; i < k->k.ninput; i++)
    ik_shape_value(x, &x->buffer[k->in[i]], k->inside, &k->input[i]);
  for (int i = 0; i < k->k.noutput; i++)
    ik_shape_value(x, &x->buffer[k->out[i]], k->inside, &k->output[i]);
}

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
static bool goes_past(const ik_draft *x, const draft_buffer *b, int op) {
  bool wide = b->b.type == IK_F32 || b->b.type == IK_F64;
  return x->plan->stream && wide && !b->b.ring &&
         (!ik_shape_traits(x)->bypass || is_cold(x, b, x->unit[x->op[op].unit].phase));
}

static void stay_in_caches(draft_kernel *k) {
  for (int i = 0; i < k->k.noutput; i++) k->output[i].past = false;
  k->k.stream = false;
}

/* Rows that have neighbours which nobody writes. */
static void set_kept(const ik_draft *x, const draft_unit *u, draft_kernel *k) {
  for (int i = 0; i < k->k.nstmt; i++) {
    ik_pipe_value *v = k->k.store[i] < 0 ? NULL : &k->output[k->k.store[i]];
    if (v && v->past && !k->inside) v->kept = ik_shape_remainder(x, u->first + i, k->k.lanes);
    k->k.whole = k->k.whole || (v && v->kept);
  }
}

static void set_streaming(const ik_draft *x, const draft_unit *u, draft_kernel *k) {
  for (int i = 0; i < k->k.nstmt; i++) {
    int                 op = u->first + i;
    const draft_buffer *b = &x->buffer[x->op[op].target];
    ik_pipe_value      *v = k->k.store[i] < 0 ? NULL : &k->output[k->k.store[i]];
    if (v) v->past = goes_past(x, b, op), k->k.stream |= v->past;
  }
}

/* Beside results that stay in rings, stores past the caches gain with wide vectors (PCG f64 256^3
 * with AVX-512: 1.31 and 1.24 GPts/s without, 1.41 and 1.44 with them) and lose with narrow ones
 * (320^3 with NEON: 2.71 and 2.56). */
static void stay_with_rings(const ik_draft *x, draft_kernel *k) {
  bool rings = false;
  for (int i = 0; i < k->k.noutput; i++) rings = rings || x->buffer[k->out[i]].b.ring;
  if (rings && !ik_shape_traits(x)->bypass) stay_in_caches(k);
}

/* ---- how much at a time ---- */

static bool is_wide(ik_type t) { return t == IK_F64 || t == IK_F16 || t == IK_BF16; }

static int lanes_of(const ik_draft *x, const draft_unit *u) {
  bool wide = false;
  for (int i = u->first; i <= u->last; i++) {
    const ik_nodes *nodes = x->op[i].nodes;
    for (int k = 0; k < nodes->n; k++) wide = wide || is_wide(nodes->node[k]->type);
    wide = wide || is_wide(x->buffer[x->op[i].target].b.type);
  }
  return ik_shape_traits(x)->vector / (wide ? 8 : 4);
}

/* Does an earlier read of the unit load the same?  Reads are in the order of ops. */
static bool is_repeated(const ik_draft *x, const draft_unit *u, int i) {
  const draft_read *r = &x->read[i];
  for (int k = i - 1; k >= 0 && x->read[k].op >= u->first; k--)
    if (ik_draft_is_of(u, &x->read[k]) && x->read[k].buffer == r->buffer &&
        !memcmp(x->read[k].off, r->off, sizeof r->off))
      return true;
  return false;
}

/* Do results in neighbouring rows or planes have enough reads in common? */
static bool shares_reads(const ik_draft *x, const draft_unit *u) {
  int shared = 0, all = 0;
  for (int i = 0; i < x->nread; i++) {
    const draft_read *r = &x->read[i];
    if (!ik_draft_is_of(u, r) || is_repeated(x, u, i)) continue;
    shared += r->off[IK_ROW] || r->off[IK_STREAM], all++;
  }
  return 4 * shared > all;
}

static bool is_next_plane(const draft_read *r, const draft_read *q) {
  return r->buffer == q->buffer && r->off[IK_LANE] == q->off[IK_LANE] &&
         r->off[IK_ROW] == q->off[IK_ROW] && abs(r->off[IK_STREAM] - q->off[IK_STREAM]) == 1;
}

/* Does a result read a cell that one in the next plane reads as well?  Reads are in the order of
 * ops. */
static bool shares_planes(const ik_draft *x, const draft_unit *u) {
  for (int i = 0; i < x->nread; i++)
    for (int k = i - 1; ik_draft_is_of(u, &x->read[i]) && k >= 0 && x->read[k].op >= u->first; k--)
      if (ik_draft_is_of(u, &x->read[k]) && is_next_plane(&x->read[i], &x->read[k])) return true;
  return false;
}

static bool reads_memory(const ik_draft *x, const draft_unit *u) {
  for (int i = 0; i < x->nread; i++)
    if (ik_draft_is_of(u, &x->read[i]) && x->buffer[x->read[i].buffer].first < 0) return true;
  return false;
}

/* Planes that have nothing in common are computed one by one, where memory is read in its order
 * (random-4 with NEON: 0.388 instead of 0.365 GPts/s); of rings, as many as others do. */
static bool goes_plane_by_plane(const ik_draft *x, const draft_unit *u) {
  return x->pass->phase[u->phase].planes > 1 && reads_memory(x, u) && !shares_planes(x, u);
}

static bool is_known(const double *v, int n, double value) {
  for (int i = 0; i < n; i++)
    if (v[i] == value) return true;
  return false;
}

/* Different constants of a type, as far as they matter. */
static int constants_of(const ik_draft *x, const draft_unit *u, ik_type type, int most) {
  double *seen = IK_NEW_N(x->a, double, most + 1);
  int     n = 0;
  for (int i = u->first; i <= u->last; i++) {
    const ik_nodes *nodes = x->op[i].nodes;
    for (int k = 0; k < nodes->n && n <= most; k++) {
      const ik_expr *e = nodes->node[k];
      if (e->op == IK_OP_CONST && e->type == type && !is_known(seen, n, e->value))
        seen[n++] = e->value;
    }
  }
  return n;
}

/* Constants that are too many for registers. */
static int weights_of(const ik_draft *x, const draft_unit *u, int lanes) {
  int most = ik_shape_traits(x)->constants;
  for (ik_type t = IK_F64; t <= IK_F32 && lanes > 1; t++)
    if (constants_of(x, u, t, most) > most) return (int)t;
  return -1;
}

/* Its kernel is kept small, too, since it takes as long to compile as the others. */
bool ik_shape_is_minor(const ik_draft *x, const draft_unit *u) {
  double all = 1;
  for (ik_role r = 0; r < IK_NROLES; r++) all *= (double)(x->pass->hi[r] - x->pass->lo[r]);
  return (double)ik_box_cells(&x->op[u->first].stmt->box) < 0.2 * all;
}

/* Registers that a result takes, about: what is stored lives longer than what it is made of. */
static int weight_of(const draft_kernel *k) {
  return ik_max_int(ik_max_int(k->k.noutput, (k->k.nstmt + 2) / 3), 1);
}

/* Fewer results at once, until registers hold them; rows before lines of a cache are cut. */
static void shrink_block(const ik_traits *t, ik_pipe_kernel *k, int weight) {
  while (weight * k->planes * k->rows * k->vectors > t->registers) {
    bool wide = k->vectors > 1 && k->vectors * k->lanes * 4 > t->line;
    if (wide || (k->rows == 1 && k->planes == 1 && k->vectors > 1))
      k->vectors /= 2;
    else if (k->rows > 1)
      k->rows /= 2;
    else if (k->planes > 1)
      k->planes = 1;
    else
      break;
  }
}

static bool reads_whole_rows(const draft_kernel *k) {
  for (int i = 0; i < k->k.ninput; i++)
    if (k->input[i].known) return true;
  return false;
}

/* Blocks, then single vectors, up to the ends of rows. */
static void set_blocks(const ik_pass *p, ik_pipe_kernel *k) {
  k->blocks = true;
  k->vectors = (int)ik_min(k->vectors, p->n[IK_LANE] / k->lanes);
}

/* Blocks read nothing beyond the ends of rows. */
static void set_ends(const ik_draft *x, draft_kernel *k) {
  int64_t lo, hi;
  k->k.ends = true;
  for (int i = 0; i < x->nop; i++) {
    ik_draft_range(x, &x->op[i].stmt->box, IK_LANE, &lo, &hi);
    k->k.range[0] = i ? ik_min(k->k.range[0], lo) : lo;
    k->k.range[1] = i ? ik_max(k->k.range[1], hi) : hi;
  }
  for (int i = 0; i < k->k.ninput; i++) {
    const ik_pipe_value *v = &k->input[i];
    for (int side = 0; side < 2 && v->known; side++)
      k->k.look[side] = ik_max_int(k->k.look[side], x->buffer[k->in[i]].b.look[IK_LANE][side]);
    if (v->known && !v->aligned && ik_traits_by_lines(ik_shape_traits(x))) k->k.ragged = v->pitch;
  }
}

/* Vectors that are lines of the cache go row by row, in the order of memory. */
static void read_whole_rows(const ik_draft *x, draft_kernel *k) {
  if (ik_traits_by_lines(ik_shape_traits(x))) k->k.rows = 1;
  if (x->lines)
    set_blocks(x->pass, &k->k);
  else
    set_ends(x, k);
  k->k.singles = ik_traits_by_lines(ik_shape_traits(x)) && k->k.vectors > 1 &&
                 (k->k.ends || x->pass->n[IK_LANE] % (k->k.vectors * k->k.lanes));
}

/* As many results at once as registers hold; along a row where rows have nothing in common. */
static void set_block(const ik_draft *x, const draft_unit *u, draft_kernel *k) {
  const ik_pass *p = x->pass;
  bool           shared = shares_reads(x, u), minor = ik_shape_is_minor(x, u);
  k->k.planes = shared && !goes_plane_by_plane(x, u) ? p->phase[u->phase].planes : 1;
  k->k.rows =
      shared && p->axis[IK_ROW] >= 0 && p->tile[IK_ROW] > 1 ? ik_max_int(x->plan->rows, 1) : 1;
  k->k.vectors = shared ? ik_max_int(x->plan->vectors, 1) : 4;
  if (shared && k->k.planes == 1) k->k.vectors *= p->phase[u->phase].planes;
  k->k.lanes = lanes_of(x, u);
  k->k.shift = x->plan->shift && k->k.lanes > 1;
  k->k.weights = weights_of(x, u, k->k.lanes);
  if (k->k.nlead) k->k.rows = 1, k->k.shift = false; /* see roll.c */
  if (minor) k->k.planes = k->k.rows = k->k.vectors = 1, stay_in_caches(k);
  shrink_block(ik_shape_traits(x), &k->k, weight_of(k));
  if (reads_whole_rows(k)) read_whole_rows(x, k);
}

/* ---- all of it ---- */

static bool reads_in_place(const ik_draft *x, const draft_kernel *k) {
  for (int i = 0; i < k->k.ninput; i++)
    if (x->buffer[k->in[i]].b.apart) return true;
  return false;
}

/* Of a single step, what is left to the kernel that reads rings is little, and it is kept small. */
static bool is_for_faces(const ik_draft *x, const draft_kernel *k) {
  return x->steps <= 1 && !k->inside && x->pass->axis[IK_ROW] >= 0 && reads_in_place(x, k);
}

void ik_shape_kernel(ik_draft *x, const draft_unit *u, draft_kernel *k) {
  k->k.whole = k->k.nlead > 0;
  shape_values(x, k);
  set_streaming(x, u, k);
  stay_with_rings(x, k);
  set_block(x, u, k);
  set_kept(x, u, k);
  ik_shape_prefetch(x, u, k);
  if (is_for_faces(x, k)) k->k.rows = k->k.vectors = 1, k->k.nsoon = 0;
}

/* ---- the same kernel for every step ---- */

static bool same_values(const ik_pipe_value *a, const ik_pipe_value *b, int n) {
  for (int i = 0; i < n; i++)
    if (a[i].ahead != b[i].ahead || a[i].near != b[i].near || a[i].aligned != b[i].aligned ||
        a[i].past != b[i].past || a[i].kept != b[i].kept || a[i].known != b[i].known)
      return false;
  return true;
}

static bool same_prefetches(const ik_pipe_kernel *a, const ik_pipe_kernel *b) {
  if (a->nsoon != b->nsoon || a->in_turns != b->in_turns || a->soon_planes != b->soon_planes ||
      a->soon_rows != b->soon_rows || a->soon_parts != b->soon_parts)
    return false;
  for (int i = 0; i < a->nsoon; i++) {
    const ik_pipe_value *v = &a->soon[i], *w = &b->soon[i];
    if (v->field != w->field || v->level != w->level || v->pitch != w->pitch ||
        v->lines != w->lines || v->from != w->from || v->next != w->next || v->own != w->own)
      return false;
  }
  return true;
}

bool ik_shape_same(const ik_pipe_kernel *a, const ik_pipe_kernel *b) {
  return a->rows == b->rows && a->vectors == b->vectors && a->stream == b->stream &&
         a->shift == b->shift && a->ends == b->ends &&
         !memcmp(a->range, b->range, sizeof a->range) &&
         same_values(a->input, b->input, a->ninput) &&
         same_values(a->output, b->output, a->noutput) && same_prefetches(a, b);
}
