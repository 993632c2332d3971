#include "facts/depend.h"
#include "facts/nodes.h"

typedef struct search {
  const ik_ir       *ir;
  const ik_subject  *s;
  const ik_patterns *p;
  ik_arena          *a;
  bool             **scalar; /* [subject.n][nscalar] which scalars a statement reads */
  ik_dep            *dep;
  int                n, cap;
} search;

static void add(search *x, ik_dep d) { IK_PUSH(x->a, x->dep, x->n, x->cap, d); }

static void find_scalars(search *x) {
  x->scalar = IK_NEW_N(x->a, bool *, x->s->n);
  for (int i = 0; i < x->s->n; i++) {
    ik_nodes nodes;
    x->scalar[i] = IK_NEW_N(x->a, bool, x->ir->nscalar);
    ik_nodes_of(x->s->work[i].stmt->value, x->a, &nodes);
    for (int k = 0; k < nodes.n; k++)
      if (nodes.node[k]->op == IK_OP_SCALAR) x->scalar[i][nodes.node[k]->id] = true;
  }
}

/* ---- reads of a field, level by level ---- */

typedef struct level_reads {
  int     field, level;
  ik_hull hull;
} level_reads;

/* Calls `f` for each level of each field that statement `i` reads. */
static void each_level(search *x, int i, int other,
                       void (*f)(search *x, int reader, int writer, const level_reads *r)) {
  const ik_pattern *p = &x->p->work[i];
  for (int k = 0; k < p->nreads; k++) {
    const ik_point *q = p->reads[k].point;
    for (int b = 0, e, n = p->reads[k].n; b < n; b = e) {
      for (e = b; e < n && q[e].level == q[b].level;) e++;
      level_reads r = {q[b].field, q[b].level, ik_hull_of(q + b, e - b)};
      f(x, i, other, &r);
    }
  }
}

static bool makes(const ik_stmt *s, int field, int level) {
  return s->kind == IK_ASSIGN && s->field == field && s->level == level;
}

/* A statement of a sweep also reads what itself and later ones made at earlier levels. */
static void read_against_write(search *x, int reader, int writer, const level_reads *r) {
  const ik_work *rw = &x->s->work[reader], *ww = &x->s->work[writer];
  ik_dep         d = {.field = r->field, .level = r->level, .scalar = -1, .hull = r->hull};
  bool           together = rw->sweep && rw->sweep == ww->sweep;
  if (makes(ww->stmt, r->field, r->level)) {
    d.kind = writer < reader || together ? IK_DEP_FLOW : IK_DEP_ANTI;
    d.from = d.kind == IK_DEP_FLOW ? writer : reader;
    d.to = d.kind == IK_DEP_FLOW ? reader : writer;
    add(x, d);
  }
  /* u' of this step is u of the next, and u[t-1] of the one after; so is u assigned in place. */
  bool in_place = writer >= reader && !together && r->level == 0 && makes(ww->stmt, r->field, 0) &&
                  ik_is_stored(x->ir, r->field);
  if (x->s->steps && ((r->level < 1 && makes(ww->stmt, r->field, 1)) || in_place)) {
    d.kind = IK_DEP_FLOW, d.from = writer, d.to = reader, d.distance = 1 - r->level;
    add(x, d);
  }
}

static bool meet(const ik_box *a, const ik_box *b) {
  for (int d = 0; d < IK_MAX_DIM; d++)
    if (a->lo[d] >= b->hi[d] || b->lo[d] >= a->hi[d]) return false;
  return true;
}

static void write_against_write(search *x, int first, int second) {
  const ik_stmt *a = x->s->work[first].stmt, *b = x->s->work[second].stmt;
  if (b->kind == IK_ASSIGN && makes(a, b->field, b->level) && meet(&a->box, &b->box))
    add(x, (ik_dep){IK_DEP_OUTPUT, first, second, 0, b->field, b->level, -1, {{0}, {0}}});
}

static void scalar_against(search *x, int i, int j) {
  const ik_stmt *s = x->s->work[j].stmt;
  if (s->kind == IK_ASSIGN) return;
  ik_dep d = {.field = -1, .scalar = s->scalar};
  if (x->scalar[i][s->scalar]) {
    d.kind = j < i ? IK_DEP_FLOW : IK_DEP_ANTI;
    d.from = j < i ? j : i, d.to = j < i ? i : j;
    add(x, d);
  }
  const ik_stmt *other = x->s->work[i].stmt;
  if (i < j && other->kind != IK_ASSIGN && other->scalar == s->scalar) {
    d.kind = IK_DEP_OUTPUT, d.from = i, d.to = j;
    add(x, d);
  }
}

static void find_deps(search *x) {
  for (int i = 0; i < x->s->n; i++)
    for (int j = 0; j < x->s->n; j++) {
      each_level(x, i, j, read_against_write);
      if (j < i) write_against_write(x, j, i);
      scalar_against(x, i, j);
    }
}

/* ---- time tiling ---- */

static const char *obstacle(const ik_subject *s) {
  if (!s->steps) return "there is no time-step loop";
  if (s->nsweep) return "a sweep needs all cells along its axis before the next step";
  if (s->nreduce) return "a reduction needs all cells before the next step";
  if (s->nset) return "a scalar is computed within the step";
  return NULL;
}

static void steepen(int *slope, int cells, int steps) {
  int need = (cells + steps - 1) / steps;
  if (need > *slope) *slope = need;
}

/* All statements count here: the layers at faces are tiled with the rest. */
static void find_slopes(const ik_ir *ir, const ik_subject *s, ik_arena *a, ik_tiling *out) {
  const ik_points *const *after = ik_pattern_after(ir, s, false, a);
  for (int f = 0; f < ir->nfield; f++) {
    int             n = 0;
    const ik_point *p = after[f] ? ik_points_list(after[f], a, &n) : NULL;
    for (int i = 0; i < n; i++) {
      if (!s->updated[p[i].field] || p[i].level > 0) continue;
      for (int d = 0; d < IK_MAX_DIM; d++)
        for (int side = 0; side < 2; side++) {
          int cells = side ? p[i].off[d] : -p[i].off[d];
          if (cells > 0) steepen(&out->slope[d][side], cells, 1 - p[i].level);
        }
    }
  }
}

static void find_wraps(const ik_ir *ir, const ik_subject *s, ik_tiling *out) {
  for (int f = 0; f < ir->nfield; f++)
    for (int d = 0; s->updated[f] && d < ir->ndim; d++)
      if (ir->field[f].bc[d][0].kind == IK_BC_PERIODIC) out->wraps[d] = true;
}

void ik_depend_of(const ik_ir *ir, const ik_subject *s, const ik_patterns *p, ik_arena *a,
                  ik_depend *out) {
  search x = {.ir = ir, .s = s, .p = p, .a = a};
  *out = (ik_depend){0};
  find_scalars(&x);
  find_deps(&x);
  out->n = x.n, out->dep = x.dep;
  out->tiling.why = obstacle(s);
  out->tiling.legal = !out->tiling.why;
  if (!out->tiling.legal) return;
  find_slopes(ir, s, a, &out->tiling);
  find_wraps(ir, s, &out->tiling);
}
