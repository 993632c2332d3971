#include "targets/simulated/wse2/map.h"
#include "base/least.h"
#include "ir/bound.h"
#include "targets/simulated/wse2/memory.h"
#include "targets/simulated/wse2/rule.h"
#include <stdlib.h>

#define REFUSE(d, at, ...) ik_fail(d, IK_ERR_UNSUPPORTED, IK_E082, at, "wse2: " __VA_ARGS__)

int ik_wse2_chunks(int64_t cells) { return 1 + (int)(cells / 401); }

const ik_wse2_job *ik_wse2_job_of(const ik_wse2_mapping *m, const ik_stmt *s) {
  for (int i = 0; i < m->njob; i++)
    if (m->job[i].stmt == s) return &m->job[i];
  return NULL;
}

/* ---- can elements compute it? ---- */

static bool is_known(ik_type t) { return t == IK_F32 || t == IK_BOOL; }

/* What the host makes once; what changes with time as well, it would have to send at every step. */
typedef struct depends {
  bool place, time;
} depends;

static void find_depends(const ik_expr *e, void *ctx) {
  depends *on = ctx;
  on->time |= e->op == IK_OP_TIME || e->op == IK_OP_SCALAR;
  on->place |= e->op == IK_OP_COORD || e->op == IK_OP_NOISE;
}

static ik_status check_given(const ik_expr *e, ik_diag *d) {
  depends on = {0};
  ik_expr_each(e, find_depends, &on);
  if (!on.place || !on.time) return IK_OK;
  return REFUSE(d, e->span,
                "a value that depends on place and time, but on no field, would have to be sent to "
                "all elements anew at every step");
}

static ik_status check_value(const ik_wse2_code *c, const ik_wse2_value *v, ik_diag *d) {
  if (!is_known(v->type))
    return REFUSE(d, c->stmt->span, "elements compute in f32; here %s is needed",
                  ik_type_name(v->type));
  return v->source == IK_WSE2_MADE ? check_given(v->leaf, d) : IK_OK;
}

static ik_status check_code(const ik_wse2_code *c, ik_diag *d) {
  for (int i = 0; i < c->nvalue; i++) IK_TRY(check_value(c, &c->value[i], d));
  for (int i = 0; i < c->nop; i++) {
    ik_op op = c->op[i].op;
    if (op == IK_OP_TABLE || (op == IK_OP_CAST && c->op[i].type == IK_BOOL))
      return REFUSE(d, c->stmt->span, "elements have no operation '%s'", ik_op_name(op));
  }
  return IK_OK;
}

static ik_status check_fields(const ik_ir *ir, ik_diag *d) {
  for (int f = 0; f < ir->nfield; f++)
    if (ir->field[f].type != IK_F32)
      return REFUSE(d, ir->field[f].span, "fields are f32 on this machine; '%s' is %s",
                    ir->field[f].name, ik_type_name(ir->field[f].type));
  return IK_OK;
}

/* ---- jobs ---- */

typedef struct mapper {
  ik_wse2_mapping *m;
  ik_arena        *a;
  ik_diag         *d;
  ik_wse2_job     *job;
  int              cap;
} mapper;

static ik_status check_job(mapper *p, ik_wse2_job *j) { return check_code(j->code, p->d); }

/* What elements cannot do is the host's, or nobody's. */
static ik_status leave_to_host(mapper *p, ik_wse2_job *j,
                               ik_status (*check)(mapper *, ik_wse2_job *)) {
  ik_diag *d = p->d, why = {0};
  if (j->must) return check(p, j);
  p->d = &why;
  if (check(p, j)) j->code = NULL, j->nexchange = 0;
  p->d = d;
  ik_diag_free(&why);
  return IK_OK;
}

static ik_status add_job(mapper *p, const ik_stmt *s, const ik_stmt *ruled, bool must, bool swept) {
  ik_wse2_job j = {.stmt = s, .code = ik_wse2_code_of(ruled, p->a), .swept = swept, .must = must};
  IK_TRY(leave_to_host(p, &j, check_job));
  IK_PUSH(p->a, p->job, p->m->njob, p->cap, j);
  return IK_OK;
}

static ik_status check_sweep(const mapper *p, const ik_stmt *s) {
  for (int k = 0; k < s->naxes; k++)
    if (s->axis[k] != 2)
      return REFUSE(p->d, s->span,
                    "a sweep along %s goes from element to element, which would work one after the "
                    "other; a sweep along the third axis stays within each",
                    p->m->ir->axis[s->axis[k]]);
  return IK_OK;
}

static ik_status add_jobs(mapper *p, const ik_stmt *s, const ik_stmt *ruled, bool must,
                          bool swept) {
  for (; s; s = s->next, ruled = ruled->next) {
    if (s->kind == IK_ASSIGN || s->kind == IK_REDUCE) IK_TRY(add_job(p, s, ruled, must, swept));
    if (s->kind == IK_SWEEP) IK_TRY(check_sweep(p, s));
    bool inside = must || ik_stmt_is_loop(s);
    IK_TRY(add_jobs(p, s->pre, ruled->pre, inside, swept));
    IK_TRY(add_jobs(p, s->body, ruled->body, inside || s->kind == IK_SWEEP,
                    swept || s->kind == IK_SWEEP));
  }
  return IK_OK;
}

/* ---- who sends what to whom ---- */

bool ik_wse2_sender(const ik_ir *ir, const ik_expr *read, const int64_t at[2], int64_t from[2],
                    bool *negated) {
  const ik_field *f = &ir->field[read->id];
  double          sign = 1;
  bool            there = true;
  for (int d = 0; d < 2; d++) {
    from[d] = at[d] + read->off[d];
    if (f->on[d] && ik_bound_fold(f, d, &from[d], &sign) >= 0) there = false;
  }
  *negated = sign < 0;
  return there;
}

bool ik_wse2_arrives(const ik_ir *ir, const ik_wse2_job *j, const ik_wse2_value *v) {
  if (!ik_wse2_is_column(v) || ik_wse2_is_received(v)) return ik_wse2_is_column(v);
  const ik_field *f = &ir->field[v->leaf->id];
  const ik_box   *b = &j->stmt->box;
  for (int d = 0; d < 2; d++)
    if (f->on[d] && (b->lo[d] < f->box.lo[d] || b->hi[d] > f->box.hi[d])) return true;
  return false;
}

static ik_status check_face(const mapper *p, const ik_field *f, int axis, int side) {
  const ik_bc *bc = &f->bc[axis][side];
  if (bc->kind == IK_BC_PERIODIC && axis < 2)
    return REFUSE(p->d, bc->span.src ? bc->span : f->span,
                  "'%s' is periodic along %s, and the fabric has no links from its last element to "
                  "the first",
                  f->name, p->m->ir->axis[axis]);
  bool constant = bc->kind != IK_BC_VALUE || bc->value->op == IK_OP_CONST;
  bool zero = bc->kind == IK_BC_VALUE && constant && bc->value->value == 0;
  p->m->formula |= axis < 2 && !constant;
  p->m->scratch |= axis < 2 && !zero;
  return bc->kind == IK_BC_VALUE ? check_given(bc->value, p->d) : IK_OK;
}

/* Of all faces beyond which cells are read. */
static ik_status check_faces(const mapper *p, const ik_expr *e, const ik_box *b) {
  const ik_field *f = &p->m->ir->field[e->id];
  for (int d = 0; d < IK_MAX_DIM; d++) {
    if (!f->on[d]) continue;
    if (b->lo[d] + e->off[d] < f->box.lo[d]) IK_TRY(check_face(p, f, d, 0));
    if (b->hi[d] + e->off[d] > f->box.hi[d]) IK_TRY(check_face(p, f, d, 1));
  }
  return IK_OK;
}

/* The greatest distance, to either side, that words for a read travel along an axis. */
static void reach_of(const ik_ir *ir, const ik_expr *e, const ik_box *b, int axis, int64_t out[2]) {
  const ik_field *f = &ir->field[e->id];
  double          sign = 1;
  out[0] = out[1] = 0;
  for (int64_t i = b->lo[axis]; i < b->hi[axis]; i++) {
    int64_t from = i + e->off[axis];
    if (f->on[axis] && ik_bound_fold(f, axis, &from, &sign) >= 0) continue;
    out[0] = ik_max(out[0], i - from), out[1] = ik_max(out[1], from - i);
  }
}

static ik_wse2_exchange *exchange_of(mapper *p, ik_wse2_job *j, int *cap, const ik_expr *e) {
  ik_wse2_exchange *x = (ik_wse2_exchange *)j->exchange;
  for (int i = 0; i < j->nexchange; i++)
    if (x[i].field == e->id && x[i].level == e->level) return &x[i];
  IK_PUSH(p->a, x, j->nexchange, *cap,
          ((ik_wse2_exchange){.field = e->id, .level = e->level, .scaled = true}));
  j->exchange = x;
  return &x[j->nexchange - 1];
}

static ik_status add_read(mapper *p, ik_wse2_job *j, int *cap, const ik_wse2_value *v) {
  const ik_expr    *e = v->leaf;
  int64_t           reach[2][2];
  ik_wse2_exchange *x = exchange_of(p, j, cap, e);
  for (int d = 0; d < 2; d++) {
    reach_of(p->m->ir, e, &j->stmt->box, d, reach[d]);
    int64_t most = ik_max(reach[d][0], reach[d][1]);
    if (most > IK_WSE2_RADIUS)
      return REFUSE(p->d, e->span, "words travel %d elements at most, and '%s' is read %lld away",
                    IK_WSE2_RADIUS, p->m->ir->field[e->id].name, (long long)most);
    for (int side = 0; side < 2; side++)
      x->reach[2 * d + side] = ik_max_int(x->reach[2 * d + side], (int)reach[d][side]);
  }
  x->box |= ik_max(reach[0][0], reach[0][1]) > 0 && ik_max(reach[1][0], reach[1][1]) > 0;
  p->m->scratch |= x->box;
  x->scaled = x->scaled && v->source == IK_WSE2_SCALED;
  x->dz[0] = ik_max_int(x->dz[0], -e->off[2]), x->dz[1] = ik_max_int(x->dz[1], e->off[2]);
  return IK_OK;
}

static ik_status add_exchanges(mapper *p, ik_wse2_job *j) {
  int cap = 0;
  for (int i = 0; i < j->code->nvalue; i++) {
    const ik_wse2_value *v = &j->code->value[i];
    if (ik_wse2_is_column(v)) IK_TRY(check_faces(p, v->leaf, &j->stmt->box));
    if (ik_wse2_arrives(p->m->ir, j, v)) IK_TRY(add_read(p, j, &cap, v));
  }
  for (int i = 0; i < j->nexchange; i++) {
    p->m->scratch |= ik_wse2_is_silent(&j->exchange[i]);
    for (int d = 0; d < IK_WSE2_DIRECTIONS; d++)
      p->m->radius[d] = ik_max_int(p->m->radius[d], j->exchange[i].reach[d]);
  }
  return IK_OK;
}

/* ---- statements that share their broadcasts ---- */

static bool reads(const ik_wse2_job *j, int field, int level) {
  for (int i = 0; i < j->code->nvalue; i++) {
    const ik_expr *e = j->code->value[i].leaf;
    if (ik_wse2_is_column(&j->code->value[i]) && e->id == field && e->level == level) return true;
  }
  return false;
}

static bool is_joinable(const ik_wse2_job *j) {
  return j->code && !j->swept && j->nexchange && j->stmt->kind == IK_ASSIGN &&
         !ik_wse2_code_waits(j->code, false);
}

static ik_wse2_exchange *same_exchange(const ik_wse2_job *j, const ik_wse2_exchange *x) {
  for (int i = 0; i < j->nexchange; i++)
    if (j->exchange[i].field == x->field && j->exchange[i].level == x->level)
      return (ik_wse2_exchange *)&j->exchange[i];
  return NULL;
}

/* May `next` share the broadcasts of the jobs from `first` on? */
static bool may_join(const ik_wse2_job *first, int n, const ik_wse2_job *next) {
  if (first[n - 1].stmt->next != next->stmt || !is_joinable(first) || !is_joinable(next))
    return false;
  for (int i = 0; i < n; i++)
    if (reads(next, first[i].stmt->field, first[i].stmt->level) ||
        reads(&first[i], next->stmt->field, next->stmt->level))
      return false;
  bool same = first->nexchange == next->nexchange;
  for (int i = 0; same && i < next->nexchange; i++)
    same = same_exchange(first, &next->exchange[i]) != NULL;
  return same;
}

/* What travels serves both. */
static void join(ik_wse2_job *first, ik_wse2_job *next) {
  for (int i = 0; i < next->nexchange; i++) {
    const ik_wse2_exchange *from = &next->exchange[i];
    ik_wse2_exchange       *x = same_exchange(first, from);
    for (int d = 0; d < IK_WSE2_DIRECTIONS; d++)
      x->reach[d] = ik_max_int(x->reach[d], from->reach[d]);
    for (int side = 0; side < 2; side++) x->dz[side] = ik_max_int(x->dz[side], from->dz[side]);
    x->box |= from->box, x->scaled &= from->scaled;
  }
  next->exchange = first->exchange;
}

static void join_jobs(mapper *p) {
  ik_wse2_job *j = p->job;
  for (int i = 0, n; i < p->m->njob; i += n) {
    for (n = 1; i + n < p->m->njob && may_join(&j[i], n, &j[i + n]); n++) join(&j[i], &j[i + n]);
    j[i].together = n;
    p->m->scratch |= n > 1; /* they may want the same words with different coefficients */
  }
}

/* ---- the fabric ---- */

/* Fields have extent 1 along axes that they are not on, so their boxes widen nothing there. */
static void lay_out(ik_wse2_mapping *m) {
  int64_t end[IK_MAX_DIM];
  for (int d = 0; d < IK_MAX_DIM; d++) {
    m->first[d] = 0, end[d] = m->ir->n[d];
    for (int f = 0; f < m->ir->nfield; f++) {
      m->first[d] = ik_min(m->first[d], m->ir->field[f].box.lo[d]);
      end[d] = ik_max(end[d], m->ir->field[f].box.hi[d]);
    }
  }
  m->column = end[2] - m->first[2];
  for (int d = 0; d < 2; d++) {
    int radius = ik_max_int(m->radius[2 * d], m->radius[2 * d + 1]);
    m->size[d] = ik_max(end[d] - m->first[d], radius + 1);
  }
}

static ik_status check_fabric(ik_wse2_mapping *m, const ik_wse2_timing *t, ik_diag *d) {
  m->fabric[0] = t->nx, m->fabric[1] = t->ny;
  if (m->size[0] <= t->nx && m->size[1] <= t->ny) return IK_OK;
  return REFUSE(d, IK_NOSPAN, "the program needs %lld x %lld elements, and the fabric has %d x %d",
                (long long)m->size[0], (long long)m->size[1], t->nx, t->ny);
}

ik_status ik_wse2_map_of(const ik_ir *ir, const ik_wse2_timing *t, ik_arena *a, ik_diag *d,
                         ik_wse2_mapping *out) {
  *out = (ik_wse2_mapping){.ir = ir, .rule = ik_wse2_rule(ir, a)};
  mapper p = {.m = out, .a = a, .d = d};
  IK_TRY(check_fields(ir, d));
  IK_TRY(add_jobs(&p, ir->body, out->rule->body, false, false));
  for (int i = 0; i < out->njob; i++)
    if (p.job[i].code) IK_TRY(leave_to_host(&p, &p.job[i], add_exchanges));
  join_jobs(&p);
  out->job = p.job;
  lay_out(out);
  IK_TRY(check_fabric(out, t, d));
  return ik_wse2_memory_plan(out, t, a, d);
}
