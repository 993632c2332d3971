/* The finished tables: kernels, shared by all steps that do the same, and the stages that use them.
 */
#include "base/least.h"
#include "ir/state.h"
#include "lower/draft.h"
#include <stdlib.h>
#include <string.h>

/* ---- a kernel ---- */

/* Elements of an array between neighbours along an axis.  Between slices, as a rule: arrays of a
 * caller have no gaps, and no program has any of whose passes one walks along another axis. */
static int64_t stride_of(const ik_draft *x, const draft_buffer *b, int axis) {
  int64_t       stride = 1;
  const ik_box *box = &x->ir->field[b->b.field].box;
  for (int d = 0; d < axis; d++) stride *= box->hi[d] - box->lo[d];
  bool slices = axis == x->ir->ndim - 1 && axis == x->pass->axis[IK_STREAM];
  return slices ? stride + ik_state_gap(x->ir, b->b.field) : stride;
}

static int64_t row_pitch(const ik_draft *x, const draft_buffer *b, bool inside) {
  int axis = x->pass->axis[IK_ROW];
  if (axis < 0) return 0;
  if (b->b.ring && !(b->b.apart && inside)) return x->pass->pitch;
  return ik_draft_on(x, b->b.field, IK_ROW) ? stride_of(x, b, axis) : 0;
}

/* Where planes are rows, one kernel reads both rings and what is apart. */
static bool is_aligned(const ik_draft *x, const draft_buffer *b, bool inside) {
  enum { LINE = 64 };
  bool in_ring = b->b.ring && !(b->b.apart && (inside || x->pass->axis[IK_ROW] < 0));
  return in_ring || stride_of(x, b, 1) * ik_type_bytes(b->b.type) % LINE == 0;
}

/* As the kernel sees it that reads rings, or the one that reads what is apart in arrays. */
static ik_pipe_value value_of(const ik_draft *x, const draft_buffer *b, int level, bool inside) {
  ik_pipe_value v = {.field = b->b.field, .level = level, .type = b->b.type};
  v.pitch = row_pitch(x, b, inside), v.aligned = is_aligned(x, b, inside);
  v.rows = b->b.rows;
  if (b->b.known && inside) {
    v.known = true;
    memcpy(v.beyond, b->b.beyond, sizeof v.beyond), memcpy(v.copied, b->b.copied, sizeof v.copied);
  }
  for (ik_role r = 0; r < IK_NROLES; r++)
    v.on[r] = ik_draft_on(x, b->b.field, r) || x->pass->axis[r] < 0;
  if (!v.on[IK_ROW]) v.pitch = 0;
  return v;
}

typedef struct kernel_draft {
  ik_pipe_kernel k;
  bool           inside;
  int            in[IK_PIPE_INS], out[IK_PIPE_OUTS]; /* buffers */
  int            lo[IK_PIPE_INS], hi[IK_PIPE_INS];   /* stream offsets read */
  ik_pipe_value  input[IK_PIPE_INS], output[IK_PIPE_OUTS];
  int            soon_of[IK_PIPE_SOON]; /* buffers */
  ik_pipe_value  soon[IK_PIPE_SOON];
} kernel_draft;

static void add_input(ik_draft *x, kernel_draft *k, const draft_read *r) {
  int i = 0, dz = r->off[IK_STREAM];
  while (i < k->k.ninput && k->in[i] != r->buffer) i++;
  if (i == IK_PIPE_INS) {
    ik_draft_refuse(x, "a statement reads too many fields");
    return;
  }
  if (i == k->k.ninput) {
    k->k.ninput++;
    k->in[i] = r->buffer, k->lo[i] = k->hi[i] = dz;
    k->input[i] = value_of(x, &x->buffer[r->buffer], r->expr->level, k->inside);
  }
  k->lo[i] = ik_min_int(k->lo[i], dz), k->hi[i] = ik_max_int(k->hi[i], dz);
}

/* Does the second cache keep what a tile has of a field from one phase to the next? */
static bool is_kept(const ik_draft *x, const draft_buffer *b) {
  enum { KEPT = 1 << 17 };
  int64_t bytes = ik_type_bytes(b->b.type);
  for (ik_role r = 0; r < IK_NROLES; r++) bytes *= x->pass->tile[r];
  return bytes <= KEPT;
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
         (ik_draft_is_narrow(x) || is_cold(x, b, x->unit[x->op[op].unit].phase));
}

static void add_output(ik_draft *x, kernel_draft *k, int i, int op) {
  const draft_buffer *b = &x->buffer[x->op[op].target];
  const ik_stmt      *s = x->op[op].stmt;
  k->k.stmt[i] = s;
  k->k.store[i] = -1;
  if (!b->b.ring && !b->b.memory) return;
  k->k.store[i] = k->k.noutput;
  k->out[k->k.noutput] = x->op[op].target;
  ik_pipe_value *v = &k->output[k->k.noutput++];
  *v = value_of(x, b, s->level, k->inside);
  v->past = goes_past(x, b, op);
  k->k.stream |= v->past;
}

static void stay_in_caches(kernel_draft *k) {
  for (int i = 0; i < k->k.noutput; i++) k->output[i].past = false;
  k->k.stream = false;
}

/* Rows that have neighbours which nobody writes. */
static void set_kept(const ik_draft *x, const draft_unit *u, kernel_draft *k) {
  for (int i = 0; i < k->k.nstmt; i++) {
    ik_pipe_value *v = k->k.store[i] < 0 ? NULL : &k->output[k->k.store[i]];
    if (v && v->past && !k->inside) v->kept = ik_draft_kept(x, u->first + i, k->k.lanes);
    k->k.whole = k->k.whole || (v && v->kept);
  }
}

/* Beside results that stay in rings, stores past the caches gain with wide vectors (PCG f64 256^3
 * with AVX-512: 1.31 and 1.24 GPts/s without, 1.41 and 1.44 with them) and lose with narrow ones
 * (320^3 with NEON: 2.71 and 2.56). */
static void stay_with_rings(const ik_draft *x, kernel_draft *k) {
  bool rings = false;
  for (int i = 0; i < k->k.noutput; i++) rings = rings || x->buffer[k->out[i]].b.ring;
  if (rings && ik_draft_is_narrow(x)) stay_in_caches(k);
}

static bool is_wide(ik_type t) { return t == IK_F64 || t == IK_F16 || t == IK_BF16; }

static int lanes_of(const ik_draft *x, const draft_unit *u) {
  bool wide = false;
  for (int i = u->first; i <= u->last; i++) {
    const ik_nodes *nodes = x->op[i].nodes;
    for (int k = 0; k < nodes->n; k++) wide = wide || is_wide(nodes->node[k]->type);
    wide = wide || is_wide(x->buffer[x->op[i].target].b.type);
  }
  return x->plan->vector_bytes / (wide ? 8 : 4);
}

static bool is_of(const draft_unit *u, const draft_read *r) {
  return r->op >= u->first && r->op <= u->last && !r->in_register;
}

/* Does an earlier read of the unit load the same?  Reads are in the order of ops. */
static bool is_repeated(const ik_draft *x, const draft_unit *u, int i) {
  const draft_read *r = &x->read[i];
  for (int k = i - 1; k >= 0 && x->read[k].op >= u->first; k--)
    if (is_of(u, &x->read[k]) && x->read[k].buffer == r->buffer &&
        !memcmp(x->read[k].off, r->off, sizeof r->off))
      return true;
  return false;
}

/* Do results in neighbouring rows or planes have enough reads in common? */
static bool shares_reads(const ik_draft *x, const draft_unit *u) {
  int shared = 0, all = 0;
  for (int i = 0; i < x->nread; i++) {
    const draft_read *r = &x->read[i];
    if (!is_of(u, r) || is_repeated(x, u, i)) continue;
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
    for (int k = i - 1; is_of(u, &x->read[i]) && k >= 0 && x->read[k].op >= u->first; k--)
      if (is_of(u, &x->read[k]) && is_next_plane(&x->read[i], &x->read[k])) return true;
  return false;
}

static bool reads_memory(const ik_draft *x, const draft_unit *u) {
  for (int i = 0; i < x->nread; i++)
    if (is_of(u, &x->read[i]) && x->buffer[x->read[i].buffer].first < 0) return true;
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

/* Half of the registers of the widest machine may hold constants. */
static int weights_of(const ik_draft *x, const draft_unit *u, int lanes) {
  enum { FIT = 16 };
  for (ik_type t = IK_F64; t <= IK_F32 && lanes > 1; t++)
    if (constants_of(x, u, t, FIT) > FIT) return (int)t;
  return -1;
}

/* A small part of what the pass computes, like the layer at a face: its kernel is kept small, too,
 * since it takes as long to compile as the others. */
static bool is_minor(const ik_draft *x, const draft_unit *u) {
  double all = 1;
  for (ik_role r = 0; r < IK_NROLES; r++) all *= (double)(x->pass->hi[r] - x->pass->lo[r]);
  return (double)ik_box_cells(&x->op[u->first].stmt->box) < 0.2 * all;
}

/* Registers that a result takes, about: what is stored lives longer than what it is made of. */
static int weight_of(const kernel_draft *k) {
  return ik_max_int(ik_max_int(k->k.noutput, (k->k.nstmt + 2) / 3), 1);
}

/* Does a block reach over half a line of a cache, so that it asks for each but twice? */
static bool is_wide_block(const ik_pipe_kernel *k) { return k->vectors * k->lanes * 4 >= 32; }

/* Fewer results at once, until registers hold them; rows before lines of a cache are cut. */
static void shrink_block(ik_pipe_kernel *k, int weight) {
  enum { MOST = 16 };
  while (weight * k->planes * k->rows * k->vectors > MOST) {
    bool wide = k->vectors > 1 && k->vectors * k->lanes * 4 > 64;
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

static bool reads_whole_rows(const kernel_draft *k) {
  for (int i = 0; i < k->k.ninput; i++)
    if (k->input[i].known) return true;
  return false;
}

/* Of rows that are a multiple of its vectors: row by row, nothing is left. */
static void set_blocks(const ik_pass *p, ik_pipe_kernel *k) {
  k->blocks = true, k->rows = 1;
  while (p->n[IK_LANE] % (k->vectors * k->lanes)) k->vectors--;
}

/* Blocks read nothing beyond the ends of rows. */
static void set_ends(const ik_draft *x, kernel_draft *k) {
  int64_t lo, hi;
  k->k.ends = true;
  for (int i = 0; i < x->nop; i++) {
    ik_draft_range(x, &x->op[i].stmt->box, IK_LANE, &lo, &hi);
    k->k.range[0] = i ? ik_min(k->k.range[0], lo) : lo;
    k->k.range[1] = i ? ik_max(k->k.range[1], hi) : hi;
  }
  for (int i = 0; i < k->k.ninput; i++)
    for (int side = 0; side < 2 && k->input[i].known; side++)
      k->k.look[side] = ik_max_int(k->k.look[side], x->buffer[k->in[i]].b.look[IK_LANE][side]);
}

/* As many results at once as registers hold; along a row where rows have nothing in common. */
static void set_block(const ik_draft *x, const draft_unit *u, kernel_draft *k) {
  const ik_pass *p = x->pass;
  bool           shared = shares_reads(x, u), minor = is_minor(x, u);
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
  shrink_block(&k->k, weight_of(k));
  if (reads_whole_rows(k) && ik_draft_is_by_lines(x)) set_blocks(p, &k->k);
  if (reads_whole_rows(k) && !k->k.blocks) set_ends(x, k);
}

/* Does another kernel of the same step read that, everywhere: one behind this, or one before? */
static bool is_read_by(const ik_draft *x, const draft_unit *u, int buffer, bool behind) {
  for (int i = 0; i < x->nread; i++) {
    const draft_read *r = &x->read[i];
    const draft_op   *op = &x->op[r->op];
    if (r->buffer == buffer && (behind ? r->op > u->last : r->op < u->first) &&
        x->unit[op->unit].phase == u->phase && op->step == x->op[u->last].step &&
        !is_minor(x, &x->unit[op->unit]))
      return true;
  }
  return false;
}

/* Fields that are read where they lie in memory: rows follow each other, but every few kilobytes
 * the next ones lie elsewhere, where no hardware looks ahead.  Of planes with few rows those of the
 * planes that come next are asked for; of others the rows that come next. */
static bool has_few_rows(const ik_draft *x) { return x->pass->tile[IK_ROW] <= 8; }

/* Where planes are long rows hardware looks ahead, and far enough: rows that are asked for before
 * their turn fill the second cache (two rows of 32 KiB at a time with NEON, GPts/s asked for and
 * not: 0.44 0.78; of 16 KiB 0.55 0.75, of 8 KiB 0.66 0.69, of 4 KiB 0.66 0.54). */
static bool has_long_rows(const ik_draft *x) {
  enum { LONG = 8192 };
  int bytes = 1;
  for (int i = 0; i < x->nbuffer; i++)
    bytes = ik_max_int(bytes, ik_type_bytes(x->buffer[i].b.type));
  return x->pass->axis[IK_ROW] < 0 && x->pass->tile[IK_LANE] * bytes > LONG;
}

/* Some four rows ahead, and whole groups of planes. */
static int64_t planes_ahead(const ik_draft *x, const draft_unit *u, const kernel_draft *k,
                            const draft_buffer *b) {
  const ik_pass *p = x->pass;
  int64_t        rows = ik_min(p->tile[IK_ROW], 4), n = (4 + rows - 1) / rows;
  if (k->k.planes > 1) n = 3 * k->k.planes;
  return stride_of(x, b, p->axis[IK_STREAM]) * p->phase[u->phase].dir * n;
}

/* Rows of so many bytes, at least two. */
static int64_t rows_of(const ik_pipe_value *v, int64_t bytes) {
  int64_t row = v->pitch * ik_type_bytes(v->type);
  return row ? ik_max((bytes + row - 1) / row, 2) : 0;
}

/* Rows that each stage handles before the next one does.  Wide vectors wait for memory: few rows,
 * so that it is asked evenly (hdiff f32 with AVX-512: 1.88 instead of 1.59 GPts/s).  Narrow ones
 * are busy, and each call costs. */
static int64_t rows_at_a_time(const ik_draft *x, const ik_pipe_value *v) {
  enum { FEW = 2048, MANY = 8192 };
  return rows_of(v, ik_draft_is_narrow(x) ? MANY : FEW);
}

/* As soon as memory takes.  What other kernels have read before is in a cache by now: what they
 * will read after these rows. */
static int64_t rows_ahead(const ik_draft *x, const ik_pipe_value *v, bool seen) {
  enum { SOON = 2048 };
  return v->pitch * (rows_of(v, SOON) + (seen ? rows_at_a_time(x, v) : 0));
}

/* Of a kernel that computes another ahead, beyond what it reads: so few that the first cache keeps
 * them (hdiff f64, four runs, with twice as many: 1.88x 1.95x 1.78x 1.86x of the plain loop instead
 * of 2.10x 2.12x 1.98x 1.99x). */
static int64_t rows_ahead_of_lead(const ik_draft *x, const draft_unit *u, const kernel_draft *k,
                                  int input) {
  enum { SOON = 4096 };
  int reach = 0;
  for (int i = 0; i < x->nread; i++) {
    const draft_read *r = &x->read[i];
    if (is_of(u, r) && r->buffer == k->in[input])
      reach = ik_max_int(reach, r->off[IK_ROW] + ik_pipe_lead(&k->k, r->op - u->first));
  }
  return k->input[input].pitch * (rows_of(&k->input[input], SOON) + reach);
}

static bool is_last_of_step(const ik_draft *x, const draft_unit *u) {
  return u->last + 1 == x->nop || x->op[u->last + 1].step != x->op[u->last].step;
}

/* In lines it is the first step that reads memory, but for a few rows: all steps ask for what will
 * be read next, a part each, so that memory is at work all the time. */
static bool asks_in_turns(const ik_draft *x, const draft_unit *u, const kernel_draft *k) {
  return k->k.blocks && x->plan->band > 1 && is_last_of_step(x, u) && k->k.ninput <= IK_PIPE_ASKED;
}

/* The last of several kernels asks: as a rule it has most to do meanwhile. */
static void set_ahead(const ik_draft *x, const draft_unit *u, kernel_draft *k) {
  if (has_long_rows(x) || k->k.in_turns) return;
  for (int i = 0; i < k->k.ninput; i++) {
    const draft_buffer *b = &x->buffer[k->in[i]];
    ik_pipe_value      *v = &k->input[i];
    if (b->b.ring || !v->on[IK_LANE] || is_read_by(x, u, k->in[i], true)) continue;
    v->near = !has_few_rows(x) && k->k.nlead;
    if (!has_few_rows(x) && k->k.nlead)
      v->ahead = rows_ahead_of_lead(x, u, k, i);
    else if (!has_few_rows(x))
      v->ahead = rows_ahead(x, v, is_read_by(x, u, k->in[i], false));
    else if (ik_draft_on(x, b->b.field, IK_STREAM))
      v->ahead = planes_ahead(x, u, k, b);
  }
}

/* The level in whose array it lies, or may lie. */
static int place_of(const ik_draft *x, const ik_pipe_buffer *b) {
  return b->level == 1 && x->fold[b->field] ? 1 - x->ir->field[b->field].history : b->level;
}

static bool is_place(const ik_draft *x, const ik_pipe_buffer *a, const ik_pipe_buffer *b) {
  return a->field == b->field && (a->field < 0 || place_of(x, a) == place_of(x, b));
}

static bool reads_place(const ik_draft *x, const kernel_draft *k, const draft_buffer *b) {
  for (int i = 0; i < k->k.ninput; i++)
    if (is_place(x, &x->buffer[k->in[i]].b, &b->b)) return true;
  return false;
}

/* Lines that are stored in part, or not past the caches, are read first: they are asked for, unless
 * the kernel reads them anyway. */
static void set_output_ahead(const ik_draft *x, const draft_unit *u, kernel_draft *k) {
  if (has_long_rows(x)) return;
  for (int i = 0; i < k->k.noutput; i++) {
    const draft_buffer *b = &x->buffer[k->out[i]];
    if (b->b.ring || x->pass->axis[IK_STREAM] < 0 || reads_place(x, k, b)) continue;
    if (!has_few_rows(x))
      k->output[i].ahead = rows_ahead(x, &k->output[i], false);
    else if (ik_draft_on(x, b->b.field, IK_STREAM))
      k->output[i].ahead = planes_ahead(x, u, k, b);
  }
}

/* Does it store where it reads?  In rings values have places of their own. */
static bool works_in_place(const ik_draft *x, const kernel_draft *k) {
  for (int i = 0; i < k->k.noutput; i++)
    for (int j = 0; j < k->k.ninput; j++) {
      const ik_pipe_buffer *out = &x->buffer[k->out[i]].b, *in = &x->buffer[k->in[j]].b;
      if (k->out[i] == k->in[j] || (!out->ring && !in->ring && is_place(x, in, out))) return true;
    }
  return false;
}

/* Is this buffer copied into a ring, and its planes large enough to ask for them early? */
static bool is_fetched(const ik_draft *x, const draft_buffer *b, int phase) {
  if (b->first >= 0 || !b->b.ring || b->phase != phase) return false;
  bool whole = b->b.known && ik_draft_is_by_lines(x);
  if (b->b.apart && !whole && x->pass->axis[IK_ROW] >= 0) return false;
  if (x->pass->axis[IK_STREAM] < 0 || (x->pass->axis[IK_ROW] >= 0 && has_few_rows(x))) return false;
  return ik_draft_on_all(x, b->b.field);
}

typedef struct asked { /* rows of a tile, from its first on */
  int64_t from, rows;
  bool    next, own; /* see ik_pipe_value */
} asked;

/* In the order of memory, a few lines with each block. */
static void ask_for_rows(const ik_draft *x, kernel_draft *k, int buffer, asked q) {
  enum { LINE = 64 };
  const draft_buffer *b = &x->buffer[buffer];
  ik_pipe_value       v = value_of(x, b, b->b.version, false);
  int64_t             line = LINE / ik_type_bytes(v.type), width = k->k.vectors * k->k.lanes;
  int64_t             calls = x->pass->tile[IK_ROW] * (q.own ? 1 : x->plan->band);
  if (q.rows <= 0) return;
  v.from = (int)q.from, v.next = q.next, v.own = q.own;
  v.lines = (int)((width / line * q.rows + calls - 1) / calls);
  v.pitch = x->pass->n[IK_LANE] / width * v.lines * line;
  k->soon_of[k->k.nsoon] = buffer, k->soon[k->k.nsoon++] = v;
}

/* Rows that a step of a line leans out of the one before, downwards: the line before has left them.
 */
static int64_t lean_of(const ik_draft *x, const kernel_draft *k) {
  int64_t lean = 0;
  for (int i = 0; i < k->k.ninput; i++) {
    const int *look = x->buffer[k->in[i]].b.look[IK_ROW];
    lean = ik_max(lean, ik_max_int(look[0], look[1]));
  }
  return lean;
}

/* Has the step before read these rows, as a later level? */
static bool is_seen_before(const ik_draft *x, const kernel_draft *k, const ik_pipe_buffer *b) {
  for (int i = 0; i < k->k.ninput; i++) {
    const ik_pipe_buffer *c = &x->buffer[k->in[i]].b;
    if (c->field == b->field && c->level == b->level + 1 && c->look[IK_ROW][0] >= lean_of(x, k))
      return true;
  }
  return false;
}

/* Are rows beside the tile read of other planes than that of the results, further on? */
static bool reads_corners(const ik_draft *x, int buffer) {
  for (int i = 0; i < x->nread; i++) {
    const draft_read *r = &x->read[i];
    if (r->buffer == buffer && r->off[IK_ROW] && r->off[IK_STREAM] > 0) return true;
  }
  return false;
}

/* In lines each row is asked for at the place before the one that reads it first: of the last plane
 * those of the first step, by all steps, and those that later ones lean out of it; beside the tile,
 * of the plane of the next results.  What comes earlier takes the room of others, and may be gone
 * again (wave f32 with AVX-512, with what is beside the tile asked for four planes too early, and
 * so: 768^3 1.57 1.65, 384^3 1.85 1.93 GPts/s, medians of six benches in turns). */
static void ask_in_turns(const ik_draft *x, kernel_draft *k, int buffer) {
  const ik_pipe_buffer *b = &x->buffer[buffer].b;
  const int            *look = b->look[IK_ROW];
  bool                  later = b->look[IK_STREAM][1] > 0 && !reads_corners(x, buffer);
  int64_t               rows = x->pass->tile[IK_ROW], lean = ik_min(lean_of(x, k), rows);
  int64_t               first = later ? 0 : -look[0], last = rows + (later ? 0 : look[1]);
  if (is_seen_before(x, k, b)) lean = first;
  ask_for_rows(x, k, buffer, (asked){.from = lean, .rows = last - lean});
  ask_for_rows(x, k, buffer, (asked){.from = first, .rows = lean - first, .own = true});
  if (!later) return;
  ask_for_rows(x, k, buffer, (asked){.from = -look[0], .rows = look[0], .next = true, .own = true});
  ask_for_rows(x, k, buffer, (asked){.from = rows, .rows = look[1], .next = true, .own = true});
}

/* What is read in place is read beside the tile as well, by nobody before: the kernel asks for that
 * together with its own rows, which follow each other in memory.  Until their turn comes the first
 * cache has seen more than it holds. */
static void ask_for_all(const ik_draft *x, kernel_draft *k, int buffer) {
  const int *look = x->buffer[buffer].b.look[IK_ROW];
  int64_t    rows = x->pass->tile[IK_ROW] + look[0] + look[1];
  ask_for_rows(x, k, buffer, (asked){.from = -look[0], .rows = rows, .own = true});
}

static void ask_for_planes(const ik_draft *x, kernel_draft *k, int buffer) {
  const draft_buffer *b = &x->buffer[buffer];
  ik_pipe_value       v = value_of(x, b, b->b.version, false);
  v.pitch = x->pass->axis[IK_ROW] >= 0 ? stride_of(x, b, x->pass->axis[IK_ROW]) : 0;
  k->soon_of[k->k.nsoon] = buffer, k->soon[k->k.nsoon++] = v;
}

static bool is_input(const kernel_draft *k, int buffer) {
  for (int i = 0; i < k->k.ninput; i++)
    if (k->in[i] == buffer) return true;
  return false;
}

static bool is_asked_for(const ik_draft *x, const draft_unit *u, const kernel_draft *k,
                         int buffer) {
  const draft_buffer *b = &x->buffer[buffer];
  if (!k->k.in_turns) return is_fetched(x, b, u->phase);
  bool in_place = b->first < 0 && b->b.memory && (b->b.known || !b->b.ring);
  return in_place && is_input(k, buffer) && ik_draft_on_all(x, b->b.field);
}

/* One kernel of each step asks.  A pass of fewer steps than planned, for what is left of a run,
 * asks for less than it might: so it has the kernels of the others. */
static void set_soon(const ik_draft *x, const draft_unit *u, kernel_draft *k) {
  bool has_rows = x->pass->axis[IK_ROW] >= 0;
  int  steps = x->steps ? ik_max_int(x->plan->steps, 1) : 1;
  int  rows = has_rows ? k->k.rows : k->k.planes;
  int  each = (rows + steps - 1) / steps;
  if (!is_last_of_step(x, u) || !is_wide_block(&k->k) || has_long_rows(x)) return;
  k->k.soon_planes = has_rows ? k->k.planes : each;
  k->k.soon_rows = has_rows ? each : 1;
  k->k.soon_parts = (steps + rows - 1) / rows;
  for (int i = 0, n = 0; i < x->nbuffer && n < IK_PIPE_ASKED; i++) {
    if (!is_asked_for(x, u, k, i)) continue;
    if (k->k.in_turns)
      ask_in_turns(x, k, i);
    else if (k->k.blocks)
      ask_for_all(x, k, i);
    else
      ask_for_planes(x, k, i);
    n++;
  }
}

static void set_ports(ik_draft *x, kernel_draft *k) {
  int n = 0;
  for (int i = 0; i < k->k.ninput; i++) n += k->hi[i] - k->lo[i] + k->k.planes;
  if (n > IK_PIPE_PORTS) {
    ik_draft_refuse(x, "a statement reads too many planes");
    return;
  }
  ik_pipe_port *port = IK_NEW_N(x->a, ik_pipe_port, n);
  for (int i = 0; i < k->k.ninput; i++)
    for (int dz = k->lo[i]; dz < k->hi[i] + k->k.planes; dz++)
      port[k->k.nport++] = (ik_pipe_port){i, dz};
  k->k.port = port;
}

static const ik_pipe_value *kept_values(const ik_draft *x, const ik_pipe_value *v, int n) {
  ik_pipe_value *kept = IK_NEW_N(x->a, ik_pipe_value, n + 1);
  memcpy(kept, v, (size_t)n * sizeof *v);
  return kept;
}

/* Of the unit, and of the one before it where that is computed ahead. */
static void make_kernel(ik_draft *x, const draft_unit *of, bool inside, kernel_draft *k) {
  const draft_unit *before = of > x->unit && of[-1].rolled ? &of[-1] : NULL;
  draft_unit        both = *of, *u = &both;
  if (before) both.first = before->first;
  int n = u->last - u->first + 1;
  *k = (kernel_draft){.k = {.nstmt = n, .dir = 1}, .inside = inside};
  if (before) {
    k->k.nlead = before->last - before->first + 1, k->k.lead = before->lead;
    k->k.whole = true;
  }
  k->k.stmt = IK_NEW_N(x->a, const ik_stmt *, n);
  k->k.store = IK_NEW_N(x->a, int, n);
  for (int i = 0; i < x->nread; i++)
    if (is_of(u, &x->read[i])) add_input(x, k, &x->read[i]);
  for (int i = 0; i < n; i++) add_output(x, k, i, u->first + i);
  stay_with_rings(x, k);
  for (ik_role r = 0; r < IK_NROLES; r++)
    k->k.wraps[r] = u->extended[r] && ik_draft_uses_place(x, u, r);
  set_block(x, u, k);
  set_kept(x, u, k);
  k->k.in_turns = asks_in_turns(x, u, k);
  set_ahead(x, u, k);
  set_output_ahead(x, u, k);
  set_soon(x, u, k);
  set_ports(x, k);
  k->k.twice = !works_in_place(x, k);
  k->k.input = kept_values(x, k->input, k->k.ninput);
  k->k.output = kept_values(x, k->output, k->k.noutput);
  k->k.soon = kept_values(x, k->soon, k->k.nsoon);
}

/* ---- the same kernel for every step ---- */

static bool same_values(const ik_pipe_value *a, const ik_pipe_value *b, int n) {
  for (int i = 0; i < n; i++)
    if (a[i].field != b[i].field || a[i].level != b[i].level || a[i].type != b[i].type ||
        a[i].pitch != b[i].pitch || a[i].ahead != b[i].ahead || a[i].near != b[i].near ||
        a[i].aligned != b[i].aligned || a[i].rows != b[i].rows || a[i].past != b[i].past ||
        a[i].kept != b[i].kept || a[i].known != b[i].known || a[i].lines != b[i].lines ||
        a[i].from != b[i].from || a[i].next != b[i].next || a[i].own != b[i].own ||
        memcmp(a[i].on, b[i].on, sizeof a[i].on))
      return false;
  return true;
}

static bool same_ports(const ik_pipe_kernel *a, const ik_pipe_kernel *b) {
  if (a->nport != b->nport) return false;
  for (int i = 0; i < a->nport; i++)
    if (a->port[i].input != b->port[i].input || a->port[i].dz != b->port[i].dz) return false;
  return true;
}

bool ik_pipe_same_kernel(const ik_pipe_kernel *a, const ik_pipe_kernel *b) {
  if (a->nstmt != b->nstmt || a->ninput != b->ninput || a->noutput != b->noutput ||
      a->nsoon != b->nsoon || a->in_turns != b->in_turns || a->soon_planes != b->soon_planes ||
      a->soon_rows != b->soon_rows || a->soon_parts != b->soon_parts || a->planes != b->planes ||
      a->rows != b->rows || a->vectors != b->vectors || a->stream != b->stream ||
      a->shift != b->shift || a->twice != b->twice || a->nlead != b->nlead || a->lead != b->lead ||
      a->ends != b->ends || memcmp(a->range, b->range, sizeof a->range) ||
      memcmp(a->wraps, b->wraps, sizeof a->wraps))
    return false;
  for (int i = 0; i < a->nstmt; i++)
    if (a->stmt[i]->value != b->stmt[i]->value || a->store[i] != b->store[i]) return false;
  return same_ports(a, b) && same_values(a->input, b->input, a->ninput) &&
         same_values(a->output, b->output, a->noutput) && same_values(a->soon, b->soon, a->nsoon);
}

/* Is what `stmt` reads there the cell that `made` is computed for? */
static bool is_that_cell(const ik_pass *p, const ik_pipe_kernel *k, int stmt, int made,
                         const ik_expr *e) {
  int ahead = ik_pipe_lead(k, made) - ik_pipe_lead(k, stmt);
  for (int d = 0; d < IK_MAX_DIM; d++)
    if (e->off[d] != (d == p->axis[IK_ROW] ? ahead : 0)) return false;
  return true;
}

int ik_pipe_assigned_by(const ik_pass *p, const ik_pipe_kernel *k, int stmt, const ik_expr *e) {
  for (int s = stmt - 1; s >= 0; s--)
    if (k->stmt[s]->kind == IK_ASSIGN && k->stmt[s]->field == e->id &&
        k->stmt[s]->level == e->level && is_that_cell(p, k, stmt, s, e))
      return s;
  return -1;
}

static int share_kernel(ik_pass *p, const ik_pipe_kernel *k) {
  for (int i = 0; i < p->nkernel; i++)
    if (ik_pipe_same_kernel(&p->kernel[i], k)) return i;
  p->kernel[p->nkernel] = *k;
  return p->nkernel++;
}

/* ---- stages ---- */

static ik_pipe_stage *add_stage(ik_pass *p, int phase, ik_pipe_stage s) {
  ik_pipe_phase *f = &p->phase[phase];
  f->stage[f->nstage] = s;
  return &f->stage[f->nstage++];
}

static void set_range(const ik_draft *x, ik_pipe_stage *s, const ik_box *b, const bool *far) {
  for (ik_role r = 0; r < IK_NROLES; r++) {
    ik_draft_range(x, b, r, &s->lo[r], &s->hi[r]);
    if (far[r]) s->lo[r] = -IK_DRAFT_FAR, s->hi[r] = IK_DRAFT_FAR;
  }
}

static void add_fetches(ik_draft *x) {
  for (int i = 0; i < x->nbuffer; i++) {
    const draft_buffer *b = &x->buffer[i];
    if (b->first >= 0 || !b->b.ring) continue;
    ik_pipe_stage s = {.kind = IK_STAGE_FETCH, .out = {i}, .ndone = 1, .done = {i}};
    bool          far[IK_NROLES];
    for (ik_role r = 0; r < IK_NROLES; r++) far[r] = b->b.edge[r] == IK_EDGE_VIRTUAL;
    memcpy(s.ext, b->need, sizeof s.ext);
    set_range(x, &s, &x->ir->field[b->b.field].box, far);
    add_stage(x->pass, b->phase, s);
  }
}

static bool has_source(const ik_draft *x, const draft_buffer *b) {
  if (x->steps <= 1 || b->b.field < 0 || b->b.version >= x->steps) return false;
  return x->ir->field[b->b.field].kind != IK_FIELD_TEMP && ik_draft_is_injected(x, b->b.field);
}

/* After the last piece of a buffer: sources, halos, the way to memory. */
static void finish(ik_draft *x, int unit, const ik_pipe_stage *s, ik_pipe_stage *made) {
  const draft_unit *u = &x->unit[unit];
  for (int i = u->first; i <= u->last; i++) {
    int                 t = x->op[i].target;
    const draft_buffer *b = &x->buffer[t];
    if (!b->b.ring || b->last != i) continue;
    if (has_source(x, b)) {
      ik_pipe_stage inject = *s;
      inject.kind = IK_STAGE_INJECT;
      inject.in[0] = t, inject.ndone = 1, inject.done[0] = t;
      add_stage(x->pass, u->phase, inject);
    } else {
      made->done[made->ndone++] = t;
    }
    if (!b->b.memory) continue;
    ik_pipe_stage store = {.kind = IK_STAGE_STORE, .step = s->step, .in = {t}, .out = {t}};
    bool          far[IK_NROLES] = {0};
    store.lag = s->lag;
    set_range(x, &store, &x->ir->field[b->b.field].box, far);
    add_stage(x->pass, u->phase, store);
  }
}

static void add_reduces(ik_draft *x, const draft_unit *u, int stage) {
  ik_pass *p = x->pass;
  for (int i = u->first; i <= u->last; i++)
    if (x->op[i].stmt->kind == IK_REDUCE)
      p->reduce[p->nreduce++] = (ik_pipe_reduce){u->phase, stage, x->op[i].stmt, x->op[i].target};
}

static void mark_asked(ik_pipe_phase *ph, int buffer) {
  for (int i = 0; i < ph->nstage; i++)
    if (ph->stage[i].kind == IK_STAGE_FETCH && ph->stage[i].out[0] == buffer)
      ph->stage[i].asked = true;
}

static bool reads_apart(const ik_draft *x, const kernel_draft *k) {
  for (int i = 0; i < k->k.ninput; i++)
    if (x->buffer[k->in[i]].b.apart) return true;
  return false;
}

/* Where planes have rows, cells far from faces have a kernel of their own.  Of a single step, what
 * is left to the other is little, and it is kept small. */
static int add_inside(ik_draft *x, const draft_unit *u, kernel_draft *k) {
  if (x->pass->axis[IK_ROW] < 0 || !reads_apart(x, k)) return -1;
  kernel_draft *inside = IK_NEW(x->a, kernel_draft);
  make_kernel(x, u, true, inside);
  for (int i = 0; i < inside->k.nsoon; i++)
    mark_asked(&x->pass->phase[u->phase], inside->soon_of[i]);
  if (x->steps <= 1) {
    k->k.rows = k->k.vectors = 1, k->k.nsoon = 0;
    memcpy(k->soon_of, inside->soon_of, sizeof k->soon_of);
  }
  return share_kernel(x->pass, &inside->k);
}

static void add_unit(ik_draft *x, int unit) {
  draft_unit   *u = &x->unit[unit];
  kernel_draft *k = IK_NEW(x->a, kernel_draft);
  ik_pipe_stage s = {.kind = IK_STAGE_KERNEL, .step = x->op[u->first].step, .lag = u->lag};
  make_kernel(x, u, false, k);
  if (x->why) return;
  s.inside = add_inside(x, u, k);
  s.kernel = share_kernel(x->pass, &k->k);
  memcpy(s.in, k->in, sizeof s.in), memcpy(s.out, k->out, sizeof s.out);
  memcpy(s.soon, k->soon_of, sizeof s.soon), memcpy(s.ext, u->ext, sizeof s.ext);
  s.loose = ik_draft_is_loose(x, unit), s.heads = u->rolled;
  set_range(x, &s, &x->op[u->first].stmt->box, u->extended);
  int at = x->pass->phase[u->phase].nstage;
  for (int i = 0; i < k->k.nsoon; i++) mark_asked(&x->pass->phase[u->phase], k->soon_of[i]);
  ik_pipe_stage *made = add_stage(x->pass, u->phase, s);
  finish(x, unit, &s, made);
  add_reduces(x, u, at);
}

static void set_directions(ik_draft *x) {
  for (int i = 0; i < x->pass->nphase; i++) x->pass->phase[i].dir = 1;
  for (int i = 0; i < x->nop; i++) {
    const ik_stmt *s = x->op[i].sweep;
    for (int k = 0; s && k < s->naxes; k++)
      if (s->axis[k] == x->pass->axis[IK_STREAM])
        x->pass->phase[x->unit[x->op[i].unit].phase].dir = s->dir[k];
  }
}

/* ---- rows at a time ---- */

static bool is_reduced(const ik_pass *p, int phase) {
  for (int i = 0; i < p->nreduce; i++)
    if (p->reduce[i].phase == phase) return true;
  return false;
}

bool ik_draft_has_halo(const ik_pipe_buffer *b) {
  for (ik_role r = 0; r < IK_NROLES; r++)
    if (b->halo[r][0] || b->halo[r][1]) return true;
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
static bool is_rolled_up(const ik_pipe_phase *ph) { return ph->nstage == 2 && ph->stage[0].heads; }

static void set_rows(const ik_draft *x) {
  ik_pass *p = x->pass;
  for (int i = 0; i < p->nphase; i++) {
    const ik_pipe_stage *last = &p->phase[i].stage[p->phase[i].nstage - 1];
    const ik_pipe_value *v = p->kernel[last->kernel].output;
    if (goes_row_by_row(p, i) && !is_rolled_up(&p->phase[i]))
      p->phase[i].rows = (int)rows_at_a_time(x, v);
  }
}

void ik_draft_stages(ik_draft *x) {
  ik_pass *p = x->pass;
  p->kernel = IK_NEW_N(x->a, ik_pipe_kernel, 2 * x->nunit + 1);
  p->reduce = IK_NEW_N(x->a, ik_pipe_reduce, x->nop + 1);
  for (int i = 0; i < p->nphase; i++)
    p->phase[i].stage = IK_NEW_N(x->a, ik_pipe_stage, x->nbuffer * 3 + x->nunit + 1);
  set_directions(x);
  add_fetches(x);
  for (int u = 0; u < x->nunit && !x->why; u++) add_unit(x, u);
  p->nbuffer = x->nbuffer;
  p->buffer = IK_NEW_N(x->a, ik_pipe_buffer, x->nbuffer + 1);
  for (int i = 0; i < x->nbuffer; i++) {
    const draft_buffer *b = &x->buffer[i];
    p->buffer[i] = b->b;
    if (b->first < 0) memcpy(p->buffer[i].need, b->need, sizeof b->need);
  }
  if (!x->why) set_rows(x);
}
