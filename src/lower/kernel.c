/* Kernels: what they read and make, and how much of it at a time. */
#include "base/least.h"
#include "ir/state.h"
#include "lower/draft.h"
#include <stdlib.h>
#include <string.h>

/* ---- values ---- */

int64_t ik_draft_stride(const ik_draft *x, const draft_buffer *b, int axis) {
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
  return ik_draft_on(x, b->b.field, IK_ROW) ? ik_draft_stride(x, b, axis) : 0;
}

/* Where planes are rows, one kernel reads both rings and what is apart. */
static bool is_aligned(const ik_draft *x, const draft_buffer *b, bool inside) {
  enum { LINE = 64 };
  bool in_ring = b->b.ring && !(b->b.apart && (inside || x->pass->axis[IK_ROW] < 0));
  return in_ring || ik_draft_stride(x, b, 1) * ik_type_bytes(b->b.type) % LINE == 0;
}

ik_pipe_value ik_draft_value(const ik_draft *x, const draft_buffer *b, int level, bool inside) {
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

/* ---- what it reads and makes ---- */

static void add_input(ik_draft *x, draft_kernel *k, const draft_read *r) {
  int i = 0, dz = r->off[IK_STREAM];
  while (i < k->k.ninput && k->in[i] != r->buffer) i++;
  if (i == IK_PIPE_INS) {
    ik_draft_refuse(x, "a statement reads too many fields");
    return;
  }
  if (i == k->k.ninput) {
    k->k.ninput++;
    k->in[i] = r->buffer, k->lo[i] = k->hi[i] = dz;
    k->input[i] = ik_draft_value(x, &x->buffer[r->buffer], r->expr->level, k->inside);
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

static void add_output(ik_draft *x, draft_kernel *k, int i, int op) {
  const draft_buffer *b = &x->buffer[x->op[op].target];
  const ik_stmt      *s = x->op[op].stmt;
  k->k.stmt[i] = s;
  k->k.store[i] = -1;
  if (!b->b.ring && !b->b.memory) return;
  k->k.store[i] = k->k.noutput;
  k->out[k->k.noutput] = x->op[op].target;
  ik_pipe_value *v = &k->output[k->k.noutput++];
  *v = ik_draft_value(x, b, s->level, k->inside);
  v->past = goes_past(x, b, op);
  k->k.stream |= v->past;
}

static void stay_in_caches(draft_kernel *k) {
  for (int i = 0; i < k->k.noutput; i++) k->output[i].past = false;
  k->k.stream = false;
}

/* Rows that have neighbours which nobody writes. */
static void set_kept(const ik_draft *x, const draft_unit *u, draft_kernel *k) {
  for (int i = 0; i < k->k.nstmt; i++) {
    ik_pipe_value *v = k->k.store[i] < 0 ? NULL : &k->output[k->k.store[i]];
    if (v && v->past && !k->inside) v->kept = ik_draft_kept(x, u->first + i, k->k.lanes);
    k->k.whole = k->k.whole || (v && v->kept);
  }
}

/* Beside results that stay in rings, stores past the caches gain with wide vectors (PCG f64 256^3
 * with AVX-512: 1.31 and 1.24 GPts/s without, 1.41 and 1.44 with them) and lose with narrow ones
 * (320^3 with NEON: 2.71 and 2.56). */
static void stay_with_rings(const ik_draft *x, draft_kernel *k) {
  bool rings = false;
  for (int i = 0; i < k->k.noutput; i++) rings = rings || x->buffer[k->out[i]].b.ring;
  if (rings && ik_draft_is_narrow(x)) stay_in_caches(k);
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
  return x->plan->vector_bytes / (wide ? 8 : 4);
}

bool ik_draft_is_of(const draft_unit *u, const draft_read *r) {
  return r->op >= u->first && r->op <= u->last && !r->in_register;
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

/* Half of the registers of the widest machine may hold constants. */
static int weights_of(const ik_draft *x, const draft_unit *u, int lanes) {
  enum { FIT = 16 };
  for (ik_type t = IK_F64; t <= IK_F32 && lanes > 1; t++)
    if (constants_of(x, u, t, FIT) > FIT) return (int)t;
  return -1;
}

/* Its kernel is kept small, too, since it takes as long to compile as the others. */
bool ik_draft_is_minor(const ik_draft *x, const draft_unit *u) {
  double all = 1;
  for (ik_role r = 0; r < IK_NROLES; r++) all *= (double)(x->pass->hi[r] - x->pass->lo[r]);
  return (double)ik_box_cells(&x->op[u->first].stmt->box) < 0.2 * all;
}

/* Registers that a result takes, about: what is stored lives longer than what it is made of. */
static int weight_of(const draft_kernel *k) {
  return ik_max_int(ik_max_int(k->k.noutput, (k->k.nstmt + 2) / 3), 1);
}

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
    if (v->known && !v->aligned && ik_draft_is_by_lines(x)) k->k.ragged = v->pitch;
  }
}

/* Vectors that are lines of the cache go row by row, in the order of memory. */
static void read_whole_rows(const ik_draft *x, draft_kernel *k) {
  if (ik_draft_is_by_lines(x)) k->k.rows = 1;
  if (x->lines)
    set_blocks(x->pass, &k->k);
  else
    set_ends(x, k);
  k->k.singles = ik_draft_is_by_lines(x) && k->k.vectors > 1 &&
                 (k->k.ends || x->pass->n[IK_LANE] % (k->k.vectors * k->k.lanes));
}

/* As many results at once as registers hold; along a row where rows have nothing in common. */
static void set_block(const ik_draft *x, const draft_unit *u, draft_kernel *k) {
  const ik_pass *p = x->pass;
  bool           shared = shares_reads(x, u), minor = ik_draft_is_minor(x, u);
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
  if (reads_whole_rows(k)) read_whole_rows(x, k);
}

/* ---- all of it ---- */

/* The level in whose array it lies, or may lie; that of a sum is 0. */
static int place_of(const ik_draft *x, const ik_pipe_buffer *b) {
  return b->level == 1 && x->fold[b->field] ? 1 - x->ir->field[b->field].history : b->level;
}

bool ik_draft_is_place(const ik_draft *x, const ik_pipe_buffer *a, const ik_pipe_buffer *b) {
  return a->field == b->field && place_of(x, a) == place_of(x, b);
}

/* Does it store where it reads?  In rings values have places of their own. */
static bool works_in_place(const ik_draft *x, const draft_kernel *k) {
  for (int i = 0; i < k->k.noutput; i++)
    for (int j = 0; j < k->k.ninput; j++) {
      const ik_pipe_buffer *out = &x->buffer[k->out[i]].b, *in = &x->buffer[k->in[j]].b;
      if (k->out[i] == k->in[j] || (!out->ring && !in->ring && ik_draft_is_place(x, in, out)))
        return true;
    }
  return false;
}

static void set_ports(ik_draft *x, draft_kernel *k) {
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

void ik_draft_kernel(ik_draft *x, const draft_unit *of, bool inside, draft_kernel *k) {
  const draft_unit *before = of > x->unit && of[-1].rolled ? &of[-1] : NULL;
  draft_unit        both = *of, *u = &both;
  if (before) both.first = before->first;
  int n = u->last - u->first + 1;
  *k = (draft_kernel){.k = {.nstmt = n, .dir = 1}, .inside = inside};
  if (before) {
    k->k.nlead = before->last - before->first + 1, k->k.lead = before->lead;
    k->k.whole = true;
  }
  k->k.stmt = IK_NEW_N(x->a, const ik_stmt *, n);
  k->k.store = IK_NEW_N(x->a, int, n);
  for (int i = 0; i < x->nread; i++)
    if (ik_draft_is_of(u, &x->read[i])) add_input(x, k, &x->read[i]);
  for (int i = 0; i < n; i++) add_output(x, k, i, u->first + i);
  stay_with_rings(x, k);
  for (ik_role r = 0; r < IK_NROLES; r++)
    k->k.wraps[r] = u->extended[r] && ik_draft_uses_place(x, u, r);
  set_block(x, u, k);
  set_kept(x, u, k);
  ik_draft_ask(x, u, k);
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

int ik_draft_share(ik_pass *p, const ik_pipe_kernel *k) {
  for (int i = 0; i < p->nkernel; i++)
    if (ik_pipe_same_kernel(&p->kernel[i], k)) return i;
  p->kernel[p->nkernel] = *k;
  return p->nkernel++;
}
