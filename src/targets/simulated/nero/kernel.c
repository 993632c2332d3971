#include "targets/simulated/nero/kernel.h"
#include "targets/simulated/nero/refuse.h"

void ik_nero_each(const ik_nero_kernel *k, ik_nero_visit *f, void *ctx) {
  for (const ik_stmt *s = k->first; s != k->end; s = s->next) {
    if (s->kind == IK_ASSIGN) f(s, NULL, ctx);
    for (const ik_stmt *b = s->kind == IK_SWEEP ? s->body : NULL; b; b = b->next) f(b, s, ctx);
  }
}

const ik_nero_kernel *ik_nero_kernel_at(const ik_nero_program *p, const ik_stmt *s) {
  for (int i = 0; i < p->n; i++)
    if (p->kernel[i].first == s) return &p->kernel[i];
  return NULL;
}

/* ---- reads whose image is another cell ---- */

typedef struct images {
  const ik_ir  *ir;
  const bool   *assigned; /* [values] that are looked for */
  const ik_box *at;
  const char   *found; /* name of such a field */
} images;

/* Beyond a face with a VALUE nothing is read. */
static void find_image(const ik_expr *e, void *ctx) {
  images *m = ctx;
  if (e->op != IK_OP_READ || !m->assigned[ik_value_of(e->id, e->level)]) return;
  const ik_field *f = &m->ir->field[e->id];
  for (int d = 0; d < IK_MAX_DIM; d++) {
    bool low = m->at->lo[d] + e->off[d] < f->box.lo[d];
    bool high = m->at->hi[d] + e->off[d] > f->box.hi[d];
    if (!f->on[d]) continue;
    if ((low && f->bc[d][0].kind != IK_BC_VALUE) || (high && f->bc[d][1].kind != IK_BC_VALUE))
      m->found = f->name;
  }
}

/* The name of a field among `assigned` that the statement (or its body) reads so; NULL: none. */
static const char *reads_image(const ik_ir *ir, const ik_stmt *s, const bool *assigned) {
  images m = {.ir = ir, .assigned = assigned};
  for (const ik_stmt *b = s->kind == IK_SWEEP ? s->body : s; b; b = b->next) {
    m.at = &b->box;
    ik_expr_each(b->value, find_image, &m);
    if (b == s) break;
  }
  return m.found;
}

/* ---- cutting ---- */

typedef struct cutter {
  ik_nero_program *out;
  int              cap;
  int              values;
  ik_arena        *arena;
  ik_diag         *d;
  ik_nero_kernel  *open; /* the one that statements join; NULL: none */
  bool            *host; /* [values] that a statement of the host reads */
} cutter;

static void begin_kernel(cutter *c, const ik_stmt *s) {
  ik_nero_kernel k = {.first = s};
  k.assigned = IK_NEW_N(c->arena, bool, c->values);
  k.read = IK_NEW_N(c->arena, bool, c->values);
  k.enters = IK_NEW_N(c->arena, bool, c->values);
  k.loads = IK_NEW_N(c->arena, bool, c->values);
  k.keeps = IK_NEW_N(c->arena, bool, c->values);
  IK_PUSH(c->arena, c->out->kernel, c->out->n, c->cap, k);
  c->open = &c->out->kernel[c->out->n - 1];
}

static void note_read(const ik_expr *e, void *ctx) {
  ik_nero_kernel *k = ctx;
  if (e->op != IK_OP_READ) return;
  int v = ik_value_of(e->id, e->level);
  k->read[v] = true;
  if (!k->assigned[v]) k->enters[v] = true;
}

static void note_assign(ik_nero_kernel *k, const ik_stmt *s) {
  ik_expr_each(s->value, note_read, k);
  k->assigned[ik_value_of(s->field, s->level)] = true;
}

typedef struct beside {
  const ik_stmt  *sweep;
  ik_nero_kernel *k;
} beside;

static bool is_made_in(const ik_stmt *sweep, const ik_expr *read) {
  for (const ik_stmt *b = sweep->body; b; b = b->next)
    if (b->field == read->id && b->level == read->level) return true;
  return false;
}

/* A sweep that looks to the side for its own results needs all of them in one window. */
static void note_beside(const ik_expr *e, void *ctx) {
  beside *b = ctx;
  if (e->op != IK_OP_READ || !is_made_in(b->sweep, e)) return;
  for (int d = 0; d < IK_MAX_DIM; d++)
    if (e->off[d]) b->k->whole[d] = true;
}

static ik_status join_sweep(cutter *c, const ik_stmt *s) {
  bool *made = IK_NEW_N(c->arena, bool, c->values);
  for (int i = 0; i < s->naxes; i++) c->open->whole[s->axis[i]] = true;
  for (const ik_stmt *b = s->body; b; b = b->next) {
    beside side = {s, c->open};
    ik_expr_each(b->value, note_beside, &side);
    note_assign(c->open, b);
    made[ik_value_of(b->field, b->level)] = true;
  }
  const char *name = reads_image(c->out->ir, s, made);
  if (!name) return IK_OK;
  return ik_fail(
      c->d, IK_ERR_UNSUPPORTED, IK_E082, s->span,
      "NERO cannot run this sweep: it reads '%s', which it is just making, beyond a face "
      "of the grid",
      name);
}

static ik_status join(cutter *c, const ik_stmt *s) {
  if (c->open && reads_image(c->out->ir, s, c->open->assigned)) c->open = NULL;
  if (!c->open) begin_kernel(c, s);
  c->open->end = s->next;
  if (s->kind == IK_SWEEP) return join_sweep(c, s);
  return note_assign(c->open, s), IK_OK;
}

/* ---- what goes to memory ---- */

static void cover_stmt(const ik_stmt *s, const ik_stmt *sweep, void *ctx) {
  ik_nero_kernel *k = ctx;
  (void)sweep;
  if (!k->keeps[ik_value_of(s->field, s->level)] || !ik_box_cells(&s->box)) return;
  bool first = !ik_box_cells(&k->cover);
  for (int d = 0; d < IK_MAX_DIM; d++) {
    if (first || s->box.lo[d] < k->cover.lo[d]) k->cover.lo[d] = s->box.lo[d];
    if (first || s->box.hi[d] > k->cover.hi[d]) k->cover.hi[d] = s->box.hi[d];
  }
}

static bool is_read_later(const cutter *c, int kernel, int value) {
  for (int i = kernel + 1; i < c->out->n; i++)
    if (c->out->kernel[i].read[value]) return true;
  return false;
}

/* Kernels lie in the order of the program.  A temporary that is read after its kernel is kept, be
 * it in a loop that follows. */
static void settle_memory(cutter *c) {
  bool *kept = IK_NEW_N(c->arena, bool, c->values);
  for (int i = 0; i < c->out->n; i++) {
    ik_nero_kernel *k = &c->out->kernel[i];
    for (int v = 0; v < c->values; v++) {
      bool stored = ik_is_stored(c->out->ir, ik_nero_field(v));
      k->loads[v] = stored || kept[v];
      k->keeps[v] = k->assigned[v] && (stored || c->host[v] || is_read_later(c, i, v));
      kept[v] = kept[v] || k->keeps[v];
    }
    ik_nero_each(k, cover_stmt, k);
  }
}

static void note_host(const ik_expr *e, void *ctx) {
  if (e->op == IK_OP_READ) ((bool *)ctx)[ik_value_of(e->id, e->level)] = true;
}

static ik_status cut_list(cutter *c, const ik_stmt *list) {
  c->open = NULL;
  for (const ik_stmt *s = list; s; s = s->next) {
    if (s->kind == IK_ASSIGN || s->kind == IK_SWEEP)
      IK_TRY(join(c, s));
    else
      c->open = NULL;
    if (s->kind == IK_REDUCE) ik_expr_each(s->value, note_host, c->host);
    if (s->kind == IK_STEPS) IK_TRY(cut_list(c, s->body));
  }
  c->open = NULL;
  return IK_OK;
}

ik_status ik_nero_cut(const ik_ir *ir, ik_arena *a, ik_diag *d, ik_nero_program *out) {
  cutter c = {.out = out, .values = ik_values_of(ir), .arena = a, .d = d};
  *out = (ik_nero_program){.ir = ir};
  c.host = IK_NEW_N(a, bool, c.values);
  IK_TRY(ik_nero_refuse(ir, a, d));
  IK_TRY(cut_list(&c, ir->body));
  settle_memory(&c);
  return IK_OK;
}
