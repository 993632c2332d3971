#include "targets/cpu/remainder.h"
#include "base/mem.h"
#include "base/pages.h"
#include <string.h>

typedef struct entry { /* an output of a pass */
  const ik_pass       *pass;
  const ik_pipe_value *value;
  int                  buffer;
  int                  cells;  /* of a row that nobody writes: ik_value_shape.remainder */
  int64_t              x0, x1; /* that it writes of a row */
  char                *data;
  const void          *from; /* the array that they were in */
  int                  runs; /* of the pass on it, since somebody else wrote */
} entry;

struct ik_remainder {
  const ik_ir *ir;
  int          n, nbuffer; /* entries; most buffers of a pass */
  entry       *entry;
  char       **at; /* [nbuffer] */
};

/* ---- what there is ---- */

static void visit_stage(const ik_pass *p, const ik_pipe_stage          *s,
                        void (*found)(const entry *e, void *ctx), void *ctx) {
  const ik_pipe_kernel *k = s->kind == IK_STAGE_KERNEL ? &p->kernel[s->kernel] : NULL;
  for (int o = 0; k && o < k->noutput; o++)
    if (k->shape->output[o].remainder)
      found(&(entry){.pass = p,
                     .value = &k->output[o],
                     .cells = k->shape->output[o].remainder,
                     .buffer = s->out[o],
                     .x0 = s->lo[IK_LANE],
                     .x1 = s->hi[IK_LANE]},
            ctx);
}

static void visit(const ik_pass *const *pass, int n, void (*found)(const entry *e, void *ctx),
                  void *ctx) {
  for (int i = 0; i < n; i++)
    for (int f = 0; f < pass[i]->nphase; f++)
      for (int s = 0; s < pass[i]->phase[f].nstage; s++)
        visit_stage(pass[i], &pass[i]->phase[f].stage[s], found, ctx);
}

static int64_t cells_along(const ik_field *f, int axis) {
  return f->box.hi[axis] - f->box.lo[axis];
}

static int64_t bytes_of(const ik_ir *ir, const entry *e) {
  const ik_field *f = &ir->field[e->value->field];
  return cells_along(f, 1) * cells_along(f, 2) * e->cells * ik_type_bytes(f->type);
}

typedef struct sum {
  const ik_ir *ir;
  int64_t      bytes;
} sum;

static void add_bytes(const entry *e, void *ctx) {
  sum *s = ctx;
  s->bytes += bytes_of(s->ir, e);
}

int64_t ik_remainder_bytes(const ik_ir *ir, const ik_pass *const *pass, int n) {
  sum s = {.ir = ir};
  visit(pass, n, add_bytes, &s);
  return s.bytes;
}

/* ---- life ---- */

static void count(const entry *e, void *ctx) {
  (void)e;
  ++*(int *)ctx;
}

static void add(const entry *e, void *ctx) {
  ik_remainder *k = ctx;
  k->entry[k->n] = *e;
  k->entry[k->n++].data = ik_pages_alloc((size_t)bytes_of(k->ir, e));
}

ik_remainder *ik_remainder_create(const ik_ir *ir, const ik_pass *const *pass, int n) {
  int           most = 0;
  ik_remainder *k = ik_calloc(1, sizeof *k);
  if (!k) return NULL;
  k->ir = ir;
  for (int i = 0; i < n; i++)
    k->nbuffer = pass[i]->nbuffer > k->nbuffer ? pass[i]->nbuffer : k->nbuffer;
  visit(pass, n, count, &most);
  k->entry = ik_calloc((size_t)most + 1, sizeof *k->entry);
  k->at = ik_calloc((size_t)k->nbuffer + 1, sizeof *k->at);
  if (k->entry) visit(pass, n, add, k);
  bool ok = k->entry && k->at;
  for (int i = 0; i < k->n; i++) ok = ok && k->entry[i].data;
  if (!ok) ik_remainder_destroy(&k);
  return k;
}

void ik_remainder_destroy(ik_remainder **k) {
  if (!*k) return;
  for (int i = 0; i < (*k)->n; i++) ik_pages_free((*k)->entry[i].data);
  ik_free((*k)->entry), ik_free((*k)->at);
  ik_free(*k);
  *k = NULL;
}

/* ---- cells ---- */

typedef struct putting {
  const ik_state *s;
  const entry    *e;
} putting;

/* The cells of a line before x0, then those behind x1. */
static void put_row(const putting *p, int64_t row, const char *from) {
  const ik_field *f = &p->s->ir->field[p->e->value->field];
  int64_t         bytes = ik_type_bytes(f->type), lanes = 64 / bytes, n = p->e->cells;
  int64_t         left = (p->e->x0 - f->box.lo[0]) % lanes;
  char           *to = p->e->data + row * n * bytes;
  const char     *cell = from - f->box.lo[0] * bytes; /* 0 */
  memcpy(to, cell + (p->e->x0 - left) * bytes, (size_t)(left * bytes));
  memcpy(to + left * bytes, cell + p->e->x1 * bytes, (size_t)((n - left) * bytes));
}

static void put_rows(void *ctx, int thread, int nthreads) {
  const putting  *p = ctx;
  const ik_field *f = &p->s->ir->field[p->e->value->field];
  int             row = p->e->pass->axis[IK_ROW], plane = p->e->pass->axis[IK_STREAM];
  int64_t         rows = cells_along(f, row), lo, hi, at[IK_MAX_DIM];
  ik_team_share(rows * cells_along(f, plane), thread, nthreads, &lo, &hi);
  for (int64_t i = lo; i < hi; i++) {
    at[row] = f->box.lo[row] + i % rows, at[plane] = f->box.lo[plane] + i / rows;
    put_row(p, i, ik_state_row(p->s, p->e->value->field, 0, at[1], at[2]));
  }
}

/* ---- turns ---- */

static bool writes(const ik_pass *p, int field) {
  for (int f = 0; f < p->nphase; f++)
    for (int i = 0; i < p->phase[f].nstage; i++) {
      const ik_pipe_stage *s = &p->phase[f].stage[i];
      int n = s->kind == IK_STAGE_KERNEL ? p->kernel[s->kernel].noutput : s->kind == IK_STAGE_STORE;
      for (int o = 0; o < n; o++)
        if (p->buffer[s->out[o]].memory && p->buffer[s->out[o]].field == field) return true;
    }
  return false;
}

static char *place_of(const ik_ir *ir, const entry *e) {
  const ik_field *f = &ir->field[e->value->field];
  int             row = e->pass->axis[IK_ROW], plane = e->pass->axis[IK_STREAM];
  int64_t         first = f->box.lo[plane] * cells_along(f, row) + f->box.lo[row];
  return e->data - first * e->cells * ik_type_bytes(f->type);
}

char *const *ik_remainder_before(ik_remainder *k, const ik_state *s, const ik_pass *p,
                                 ik_team *team) {
  enum { AGAIN = 2 };
  for (int b = 0; b < k->nbuffer; b++) k->at[b] = NULL;
  for (int i = 0; i < k->n; i++) {
    entry *e = &k->entry[i];
    if (e->pass != p) {
      if (writes(p, e->value->field)) e->runs = 0;
      continue;
    }
    const void *from = ik_state_data(s, e->value->field, 0);
    if (e->from != from) e->from = from, e->runs = 0;
    if (e->runs < AGAIN && ++e->runs == AGAIN) ik_team_run(team, put_rows, &(putting){s, e});
    if (e->runs == AGAIN) k->at[e->buffer] = place_of(k->ir, e);
  }
  return k->at;
}

void ik_remainder_release(ik_remainder *k, int field) {
  for (int i = 0; k && i < k->n; i++)
    if (k->entry[i].value->field == field) k->entry[i].runs = 0;
}

void ik_remainder_forget(ik_remainder *k) {
  for (int i = 0; k && i < k->n; i++) k->entry[i].runs = 0;
}
