/* Kernels: what they read and make. */
#include "base/least.h"
#include "lower/shaper.h"
#include <string.h>

/* ---- values ---- */

int64_t ik_draft_stride(const ik_draft *x, const draft_buffer *b, int axis) {
  bool padded = axis == x->pass->axis[IK_STREAM];
  return ik_layout_at(x->ir, padded ? x->plan->layout : NULL, b->b.field).stride[axis];
}

static int64_t row_pitch(const ik_draft *x, const draft_buffer *b, bool inside) {
  int axis = x->pass->axis[IK_ROW];
  if (axis < 0) return 0;
  if (b->b.ring && !(b->b.in_place.on && inside)) return x->pass->pitch;
  return ik_draft_on(x, b->b.field, IK_ROW) ? ik_draft_stride(x, b, axis) : 0;
}

ik_pipe_value ik_draft_value(const ik_draft *x, const draft_buffer *b, int level, bool inside) {
  ik_pipe_value v = {.field = b->b.field, .level = level, .type = b->b.type};
  v.pitch = row_pitch(x, b, inside), v.rows = b->b.rows;
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

static void add_output(ik_draft *x, draft_kernel *k, int i, int op) {
  const draft_buffer *b = &x->buffer[x->op[op].target];
  const ik_stmt      *s = x->op[op].stmt;
  k->k.stmt[i] = s;
  k->k.store[i] = -1;
  if (!b->b.ring && !b->b.memory) return;
  k->k.store[i] = k->k.noutput;
  k->out[k->k.noutput] = x->op[op].target;
  k->output[k->k.noutput++] = ik_draft_value(x, b, s->level, k->inside);
}

bool ik_draft_is_of(const draft_unit *u, const draft_read *r) {
  return r->op >= u->first && r->op <= u->last && !r->in_register;
}

/* ---- all of it ---- */

/* The level in whose array it lies, or may lie; that of a sum is 0. */
static int place_of(const ik_draft *x, const ik_pipe_buffer *b) {
  return b->level == 1 && x->fold[b->field] ? 1 - x->ir->field[b->field].history : b->level;
}

bool ik_draft_is_place(const ik_draft *x, const ik_pipe_buffer *a, const ik_pipe_buffer *b) {
  return a->field == b->field && place_of(x, a) == place_of(x, b);
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
  const draft_unit *before = of > x->unit && of[-1].ahead ? &of[-1] : NULL;
  draft_unit        both = *of, *u = &both;
  if (before) both.first = before->first;
  int n = u->last - u->first + 1;
  *k = (draft_kernel){.k = {.nstmt = n, .planes = 1}, .inside = inside};
  if (before) k->k.nahead = before->last - before->first + 1, k->k.rows_ahead = before->rows_ahead;
  k->k.stmt = IK_NEW_N(x->a, const ik_stmt *, n);
  k->k.store = IK_NEW_N(x->a, int, n);
  for (int i = 0; i < x->nread; i++)
    if (ik_draft_is_of(u, &x->read[i])) add_input(x, k, &x->read[i]);
  for (int i = 0; i < n; i++) add_output(x, k, i, u->first + i);
  for (ik_role r = 0; r < IK_NROLES; r++)
    k->k.wraps[r] = u->extended[r] && ik_draft_uses_place(x, u, r);
  x->shaper->kernel(x, u, k);
  set_ports(x, k);
  k->k.input = kept_values(x, k->input, k->k.ninput);
  k->k.output = kept_values(x, k->output, k->k.noutput);
  k->k.shape = k->shape;
}

/* ---- the same kernel for every step ---- */

static bool same_values(const ik_pipe_value *a, const ik_pipe_value *b, int n) {
  for (int i = 0; i < n; i++)
    if (a[i].field != b[i].field || a[i].level != b[i].level || a[i].type != b[i].type ||
        a[i].pitch != b[i].pitch || a[i].rows != b[i].rows ||
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
      a->planes != b->planes || a->nahead != b->nahead || a->rows_ahead != b->rows_ahead ||
      memcmp(a->wraps, b->wraps, sizeof a->wraps))
    return false;
  for (int i = 0; i < a->nstmt; i++)
    if (a->stmt[i]->value != b->stmt[i]->value || a->store[i] != b->store[i]) return false;
  return same_ports(a, b) && same_values(a->input, b->input, a->ninput) &&
         same_values(a->output, b->output, a->noutput);
}

/* Is what `stmt` reads there the cell that `made` is computed for? */
static bool is_that_cell(const ik_pass *p, const ik_pipe_kernel *k, int stmt, int made,
                         const ik_expr *e) {
  int ahead = ik_pipe_rows_ahead(k, made) - ik_pipe_rows_ahead(k, stmt);
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

int ik_draft_share(ik_draft *x, const ik_pipe_kernel *k) {
  ik_pass *p = x->pass;
  for (int i = 0; i < p->nkernel; i++)
    if (ik_pipe_same_kernel(&p->kernel[i], k) && x->shaper->same(&p->kernel[i], k)) return i;
  p->kernel[p->nkernel] = *k;
  return p->nkernel++;
}
