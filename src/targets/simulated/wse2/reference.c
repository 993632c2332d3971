#include "targets/simulated/wse2/reference.h"
#include "base/least.h"
#include "base/mem.h"
#include "targets/simulated/wse2/values.h"

struct ik_wse2_reference {
  const ik_wse2_mapping *map;
  ik_state              *state;
  ik_state               ruled; /* the same values under the other program */
  ik_interp             *interp;
  ik_rows                rows;
  double                *row;  /* [IK_ROWS_CELLS] */
  float                 *part; /* of each element, in a reduction */
};

static int64_t elements(const ik_wse2_mapping *m) { return m->size[0] * m->size[1]; }

static int rows_of(const ik_wse2_mapping *m) {
  int most = 1;
  for (int i = 0; i < m->njob; i++)
    if (m->job[i].code) most = ik_max_int(most, ik_rows_need(m->job[i].code->stmt->value));
  return most;
}

int64_t ik_wse2_reference_bytes(const ik_wse2_mapping *m) {
  return ik_interp_bytes(m->rule) + elements(m) * (int64_t)sizeof(float) +
         (rows_of(m) + 1) * IK_ROWS_CELLS * (int64_t)sizeof(double);
}

ik_status ik_wse2_reference_create(ik_state *s, const ik_wse2_mapping *m, ik_diag *d,
                                   ik_wse2_reference **out) {
  ik_wse2_reference *r = *out = ik_calloc(1, sizeof *r);
  if (!r) return ik_fail(d, IK_ERR_RESOURCE, IK_E072, IK_NOSPAN, "no memory for the reference");
  *r = (ik_wse2_reference){.map = m, .state = s, .ruled = *s};
  r->ruled.ir = m->rule;
  bool rows = ik_rows_init(&r->rows, &r->ruled, rows_of(m));
  r->row = ik_calloc(IK_ROWS_CELLS, sizeof *r->row);
  r->part = ik_calloc((size_t)elements(m), sizeof *r->part);
  ik_status st = ik_interp_create(&r->ruled, d, &r->interp);
  if (!st && (!rows || !r->row || !r->part))
    st = ik_fail(d, IK_ERR_RESOURCE, IK_E072, IK_NOSPAN, "no memory for the reference's rows");
  if (st) ik_wse2_reference_destroy(out);
  return st;
}

void ik_wse2_reference_destroy(ik_wse2_reference **r) {
  if (!*r) return;
  ik_interp_destroy(&(*r)->interp);
  ik_rows_free(&(*r)->rows);
  ik_free((*r)->row), ik_free((*r)->part);
  ik_free(*r);
  *r = NULL;
}

/* One level of the columns of a row of elements. */
static void add_row(ik_wse2_reference *r, const ik_stmt *s, const int64_t at[IK_MAX_DIM], int n,
                    float *part) {
  const double *v = ik_rows_eval(&r->rows, s->value, at, n, r->state->t, r->row);
  bool          first = at[2] == s->box.lo[2];
  for (int i = 0; i < n; i++)
    part[i] = first ? (float)v[i] : ik_wse2_combine(s->reduce, part[i], (float)v[i]);
}

static void reduce(ik_wse2_reference *r, const ik_stmt *s) {
  const ik_box *b = &s->box;
  int64_t       at[IK_MAX_DIM], nx = b->hi[0] - b->lo[0];
  for (at[2] = b->lo[2]; at[2] < b->hi[2]; at[2]++)
    for (at[1] = b->lo[1]; at[1] < b->hi[1]; at[1]++)
      for (at[0] = b->lo[0]; at[0] < b->hi[0]; at[0] += IK_ROWS_CELLS)
        add_row(r, s, at, (int)ik_min(b->hi[0] - at[0], IK_ROWS_CELLS),
                r->part + (at[1] - b->lo[1]) * nx + at[0] - b->lo[0]);
  r->state->scalar[s->scalar] = ik_wse2_over_fabric(s->reduce, r->part, nx, b->hi[1] - b->lo[1]);
}

/* What stands for a statement in the program under the rule, which has the same shape. */
static const ik_stmt *ruled_one(const ik_stmt *list, const ik_stmt *ruled, const ik_stmt *s) {
  for (; list; list = list->next, ruled = ruled->next) {
    if (list == s) return ruled;
    const ik_stmt *inner = ruled_one(list->pre, ruled->pre, s);
    if (!inner) inner = ruled_one(list->body, ruled->body, s);
    if (inner) return inner;
  }
  return NULL;
}

void ik_wse2_reference_run(ik_wse2_reference *r, const ik_stmt *s) {
  const ik_stmt *ruled = ruled_one(r->map->ir->body, r->map->rule->body, s);
  r->ruled.t = r->state->t;
  if (ruled->kind == IK_REDUCE)
    reduce(r, ruled);
  else
    ik_interp_run(r->interp, ruled, ruled->next);
}
