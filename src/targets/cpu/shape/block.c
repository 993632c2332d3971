/* How many results a kernel computes at a time. */
#include "base/least.h"
#include "targets/cpu/shape/shape.h"
#include <stdlib.h>
#include <string.h>

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
static void shrink_block(const ik_traits *t, draft_kernel *k) {
  ik_kernel_shape *s = k->shape;
  int              weight = weight_of(k);
  while (weight * k->k.planes * s->rows * s->vectors > t->registers) {
    bool wide = s->vectors > 1 && s->vectors * s->lanes * 4 > t->line;
    if (wide || (s->rows == 1 && k->k.planes == 1 && s->vectors > 1))
      s->vectors /= 2;
    else if (s->rows > 1)
      s->rows /= 2;
    else if (k->k.planes > 1)
      k->k.planes = 1;
    else
      break;
  }
}

static bool reads_lines(const ik_draft *x, const draft_kernel *k) {
  for (int i = 0; i < k->k.ninput; i++)
    if (x->buffer[k->in[i]].b.in_place.whole) return true;
  return false;
}

static bool reads_whole_rows(const draft_kernel *k) {
  for (int i = 0; i < k->k.ninput; i++)
    if (k->shape->input[i].ends.known) return true;
  return false;
}

/* Blocks, then single vectors, up to the ends of rows. */
static void set_blocks(const ik_pass *p, ik_kernel_shape *s) {
  s->row.blocks = true;
  s->vectors = (int)ik_min(s->vectors, p->n[IK_LANE] / s->lanes);
}

/* Lanes of the results of all kernels of the pass. */
static void set_range(const ik_draft *x, ik_row_shape *row) {
  for (int i = 0; i < x->nop; i++) {
    int64_t lo, hi;
    ik_draft_range(x, &x->op[i].stmt->box, IK_LANE, &lo, &hi);
    row->range[0] = i ? ik_min(row->range[0], lo) : lo;
    row->range[1] = i ? ik_max(row->range[1], hi) : hi;
  }
}

/* Blocks read nothing beyond the ends of rows. */
static void set_ends(const ik_draft *x, draft_kernel *k) {
  ik_row_shape *row = &k->shape->row;
  bool          by_lines = ik_traits_by_lines(ik_shape_traits(x));
  row->ends = true;
  set_range(x, row);
  for (int i = 0; i < k->k.ninput; i++) {
    const ik_value_shape *v = &k->shape->input[i];
    const int            *reach = x->buffer[k->in[i]].b.in_place.reach[IK_LANE];
    for (int side = 0; side < 2 && v->ends.known; side++)
      row->look[side] = ik_max_int(row->look[side], reach[side]);
    if (v->ends.known && !v->aligned && by_lines) row->ragged = k->input[i].pitch;
  }
}

/* Vectors that are lines of the cache go row by row, in the order of memory. */
static void read_whole_rows(const ik_draft *x, draft_kernel *k) {
  ik_kernel_shape *s = k->shape;
  bool             by_lines = ik_traits_by_lines(ik_shape_traits(x));
  if (by_lines) s->rows = 1;
  if (reads_lines(x, k))
    set_blocks(x->pass, s);
  else
    set_ends(x, k);
  bool left = s->row.ends || x->pass->n[IK_LANE] % (s->vectors * s->lanes);
  s->row.singles = by_lines && s->vectors > 1 && left;
}

/* As many results at once as registers hold; along a row where rows have nothing in common. */
void ik_shape_block(const ik_draft *x, const draft_unit *u, draft_kernel *k) {
  const ik_pass   *p = x->pass;
  ik_kernel_shape *s = k->shape;
  bool             shared = shares_reads(x, u);
  bool             rows = shared && p->axis[IK_ROW] >= 0 && p->tile[IK_ROW] > 1;
  int              planes = p->phase[u->phase].planes;
  k->k.planes = shared ? planes : 1;
  s->rows = rows ? ik_max_int(x->plan->cpu.rows, 1) : 1;
  s->vectors = shared ? ik_max_int(x->plan->cpu.vectors, 1) : 4;
  if (shared && k->k.planes == 1) s->vectors *= planes;
  s->lanes = lanes_of(x, u);
  s->shift = x->plan->cpu.shift && s->lanes > 1;
  s->weights = weights_of(x, u, s->lanes);
  if (k->k.nahead) s->rows = 1, s->shift = false; /* see rows_ahead.c */
  if (ik_shape_is_minor(x, u)) {
    k->k.planes = s->rows = s->vectors = 1;
    ik_shape_store_in_caches(k);
  }
  shrink_block(ik_shape_traits(x), k);
  if (reads_whole_rows(k)) read_whole_rows(x, k);
}
