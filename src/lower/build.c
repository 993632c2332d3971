/* A list of statements as passes. */
#include "base/least.h"
#include "facts/nodes.h"
#include "ir/bound.h"
#include "lower/outliving.h"
#include "lower/delay.h"
#include "lower/fold.h"
#include "lower/inline.h"
#include "lower/shaper.h"
#include "lower/sweep.h"
#include <string.h>

/* ---- a target that has nothing to say ---- */

static int64_t plain_tile(const ik_draft *x, ik_role r, int64_t asked) {
  (void)x, (void)r;
  return asked;
}

static void leave_draft(ik_draft *x) { (void)x; }

static int one_plane(const ik_draft *x, int phase) {
  (void)x, (void)phase;
  return 1;
}

static void leave_kernel(ik_draft *x, const draft_unit *u, draft_kernel *k) {
  (void)x, (void)u, (void)k;
}

static void leave_stage(ik_draft *x, const draft_kernel *k, const draft_kernel *inside, int phase,
                        ik_pipe_stage *s) {
  (void)x, (void)k, (void)inside, (void)phase, (void)s;
}

static bool are_alike(const ik_pipe_kernel *a, const ik_pipe_kernel *b) {
  (void)a, (void)b;
  return true;
}

static const ik_shaper plain = {.tile = plain_tile,
                                .tiles = leave_draft,
                                .planes = one_plane,
                                .rings = leave_draft,
                                .kernel = leave_kernel,
                                .stage = leave_stage,
                                .phases = leave_draft,
                                .same = are_alike};

/* ---- one pass ---- */

/* The pass that does these ops, or NULL and why not. */
static ik_pass *build_pass(ik_draft *x) {
  x->pass = IK_NEW(x->a, ik_pass);
  x->pass->steps = x->steps;
  ik_draft_roles(x);
  ik_draft_values(x);
  ik_draft_units(x);
  x->pass->phase = IK_NEW_N(x->a, ik_pipe_phase, x->pass->nphase);
  ik_draft_tiles(x);
  ik_draft_edges(x);
  ik_draft_reach(x);
  if (x->why) return NULL;
  ik_draft_rings(x);
  ik_draft_stages(x);
  ik_draft_scratch(x);
  return x->why ? NULL : x->pass;
}

/* ---- what a pass can hold at all ---- */

static bool on_all_axes(const ik_ir *ir, int field) {
  for (int d = 0; d < ir->ndim; d++)
    if (!ir->field[field].on[d]) return false;
  return true;
}

/* Why a statement can be in no pass; NULL if it may be. */
static const char *unfit(const ik_ir *ir, const ik_stmt *s) {
  if (s->kind == IK_SWEEP) {
    for (int k = 0; k < s->naxes; k++)
      if (s->axis[k] == 0) return "the sweep goes along the first axis";
    if (s->naxes > 1) return "the sweep goes along several axes";
    for (const ik_stmt *b = s->body; b; b = b->next) {
      const char *why = b->kind == IK_ASSIGN ? unfit(ir, b) : "the sweep does more than assign";
      if (why) return why;
    }
    return NULL;
  }
  if (s->kind == IK_ASSIGN && !on_all_axes(ir, s->field)) return "the field is not on all axes";
  if (ik_box_cells(&s->box) == 0) return "there are no cells";
  return s->kind == IK_ASSIGN || s->kind == IK_REDUCE ? NULL : "it is not an assignment";
}

static bool sets_scalar(const ik_stmt *const *list, int n, int scalar) {
  for (int i = 0; i < n; i++)
    if (list[i]->kind == IK_REDUCE && list[i]->scalar == scalar) return true;
  return false;
}

static bool sets_any(const ik_stmt *const *list, int n) {
  for (int i = 0; i < n; i++)
    if (list[i]->kind == IK_REDUCE) return true;
  return false;
}

/* Does a statement need a number that these make? */
static bool waits_for(const ik_stmt *s, const ik_stmt *const *list, int n, ik_arena *a) {
  if (!sets_any(list, n)) return false;
  if (s->kind == IK_SWEEP) {
    for (const ik_stmt *b = s->body; b; b = b->next)
      if (waits_for(b, list, n, a)) return true;
    return false;
  }
  ik_nodes nodes;
  ik_nodes_of(s->value, a, &nodes);
  for (int k = 0; k < nodes.n; k++)
    if (nodes.node[k]->op == IK_OP_SCALAR && sets_scalar(list, n, nodes.node[k]->id)) return true;
  return false;
}

/* ---- a list ---- */

typedef struct known { /* what a statement's value is made of */
  const ik_stmt  *stmt;
  const ik_nodes *nodes;
} known;

typedef struct lowering {
  const ik_ir     *ir;
  const ik_plan   *plan;
  const ik_shaper *shaper;
  ik_arena        *a;
  int              steps;
  bool            *stored;
  const bool      *fold;
  const ik_stmt  **group; /* statements of the pass being gathered */
  int              ngroup, cap_group;
  known           *known;
  int              nknown, cap_known;
  ik_pipe_work    *work;
  int              nwork, cap_work;
} lowering;

static ik_draft *new_draft(const lowering *l) {
  ik_draft *x = IK_NEW(l->a, ik_draft);
  *x = (ik_draft){.ir = l->ir, .plan = l->plan, .a = l->a, .steps = l->steps};
  x->shaper = l->shaper, x->stored = l->stored, x->fold = l->fold;
  return x;
}

/* Each step has the same statements, and so have the groups that are tried. */
static const ik_nodes *nodes_of(lowering *l, const ik_stmt *s) {
  for (int i = 0; i < l->nknown; i++)
    if (l->known[i].stmt == s) return l->known[i].nodes;
  ik_nodes *nodes = IK_NEW(l->a, ik_nodes);
  ik_nodes_of(s->value, l->a, nodes);
  IK_PUSH(l->a, l->known, l->nknown, l->cap_known, ((known){s, nodes}));
  return nodes;
}

static void push_op(lowering *l, ik_draft *x, const ik_stmt *s, const ik_stmt *sweep, int step) {
  if (s->kind == IK_SWEEP) {
    for (const ik_stmt *b = s->body; b; b = b->next) push_op(l, x, b, s, step);
    return;
  }
  draft_op o = {.stmt = s, .sweep = sweep, .nodes = nodes_of(l, s), .step = step};
  IK_PUSH(x->a, x->op, x->nop, x->cap.op, o);
}

/* The pass of the first statements of the group, if one can do them. */
static ik_pass *pass_of(lowering *l, int n, const char **why) {
  ik_draft *x = new_draft(l);
  for (int i = 0; i < n; i++) push_op(l, x, l->group[i], NULL, 0);
  ik_pass *p = build_pass(x);
  *why = x->why;
  return p;
}

static void add_work(lowering *l, ik_pipe_work w) {
  IK_PUSH(l->a, l->work, l->nwork, l->cap_work, w);
}

/* What no pass can do. */
static void add_sweep(lowering *l, const ik_stmt *s, const char *why) {
  const ik_sweep *o = ik_sweep_of(l->ir, s, l->plan->threads, l->a);
  if (o && !o->nstmt) return;
  ik_work_kind kind = o ? IK_WORK_SWEEP : IK_WORK_INTERP;
  add_work(l, (ik_pipe_work){.kind = kind, .sweep = o, .stmt = s, .why = why});
}

/* The first statements of the group are a piece of work, and leave it. */
static void take(lowering *l, int n, ik_pass *p, const char *why) {
  if (p)
    add_work(l, (ik_pipe_work){.kind = IK_WORK_PASS, .pass = p, .stmt = l->group[0]});
  else
    add_sweep(l, l->group[0], why);
  l->ngroup -= n;
  memmove(l->group, l->group + n, (size_t)l->ngroup * sizeof l->group[0]);
}

/* The longest beginning of the group that one pass can do, if all of it is too much. */
static void take_first(lowering *l) {
  const char *why, *too_much;
  ik_pass    *p = pass_of(l, 1, &why), *more;
  int         n = 1;
  while ((more = pass_of(l, n + 1, &too_much))) p = more, n++;
  take(l, n, p, why);
}

/* Mostly one pass can do the whole group, and that is tried first.  What is left of it at last is
 * the pass that is given. */
static ik_pass *last_pass(lowering *l, const char **why) {
  ik_pass *p;
  while (!(p = pass_of(l, l->ngroup, why)) && l->ngroup > 1) take_first(l);
  return p;
}

static void close_group(lowering *l) {
  const char *why = NULL;
  if (!l->ngroup) return;
  ik_pass *p = last_pass(l, &why);
  take(l, l->ngroup, p, why);
}

/* Adds a statement to the pass being gathered, or begins another. */
static void gather(lowering *l, const ik_stmt *s) {
  const char *why = unfit(l->ir, s);
  if (why) {
    close_group(l);
    add_sweep(l, s, why);
    return;
  }
  if (waits_for(s, l->group, l->ngroup, l->a)) {
    last_pass(l, &why); /* of what is left then it may need nothing */
    if (waits_for(s, l->group, l->ngroup, l->a)) close_group(l);
  }
  IK_PUSH(l->a, l->group, l->ngroup, l->cap_group, s);
}

static void lower_list(lowering *l, const ik_stmt *list) {
  l->nwork = l->ngroup = 0;
  for (const ik_stmt *s = list; s; s = s->next) {
    if (s->kind == IK_SET) {
      close_group(l);
      add_work(l, (ik_pipe_work){.kind = IK_WORK_SET, .stmt = s});
    } else {
      gather(l, s);
    }
  }
  close_group(l);
}

/* ---- temporaries that leave their pass ---- */

static bool pass_makes(const ik_pass *p, int field) {
  for (int i = 0; i < p->nkernel; i++)
    for (int k = 0; k < p->kernel[i].nstmt; k++)
      if (p->kernel[i].stmt[k]->kind == IK_ASSIGN && p->kernel[i].stmt[k]->field == field)
        return true;
  return false;
}

static bool stmt_touches(const ik_stmt *s, int field, ik_arena *a) {
  for (const ik_stmt *b = s->body; b; b = b->next)
    if (stmt_touches(b, field, a)) return true;
  if (s->kind == IK_ASSIGN && s->field == field) return true;
  if (!s->value) return false;
  ik_nodes nodes;
  ik_nodes_of(s->value, a, &nodes);
  for (int k = 0; k < nodes.n; k++)
    if (nodes.node[k]->op == IK_OP_READ && nodes.node[k]->id == field) return true;
  return false;
}

static bool pass_touches(const ik_pass *p, int field, ik_arena *a) {
  for (int i = 0; i < p->nkernel; i++)
    for (int k = 0; k < p->kernel[i].nstmt; k++)
      if (stmt_touches(p->kernel[i].stmt[k], field, a)) return true;
  return false;
}

static bool work_touches(const ik_pipe_work *w, int field, ik_arena *a) {
  if (w->kind == IK_WORK_PASS) return pass_touches(w->pass, field, a);
  return w->stmt && stmt_touches(w->stmt, field, a);
}

/* Marks what is made in one piece of work and touched in another.  True if that is news. */
static bool mark_stored(lowering *l) {
  bool news = false;
  for (int f = 0; f < l->ir->nfield; f++) {
    int  users = 0;
    bool outside = false;
    if (l->ir->field[f].kind != IK_FIELD_TEMP || l->stored[f]) continue;
    for (int i = 0; i < l->nwork; i++)
      if (work_touches(&l->work[i], f, l->a)) {
        users++;
        outside = outside || l->work[i].kind != IK_WORK_PASS || !pass_makes(l->work[i].pass, f);
      }
    if (users > 1 || outside) l->stored[f] = news = true;
  }
  return news;
}

/* ---- several steps in one pass ---- */

static bool reads_new(const ik_stmt *list, int field, ik_arena *a) {
  for (const ik_stmt *s = list; s; s = s->next) {
    ik_nodes nodes;
    ik_nodes_of(s->value, a, &nodes);
    for (int k = 0; k < nodes.n; k++)
      if (nodes.node[k]->op == IK_OP_READ && nodes.node[k]->id == field &&
          nodes.node[k]->level == 1)
        return true;
  }
  return false;
}

static bool reads_fields(const ik_expr *e, ik_arena *a) {
  ik_nodes nodes;
  ik_nodes_of(e, a, &nodes);
  for (int k = 0; k < nodes.n; k++)
    if (nodes.node[k]->op == IK_OP_READ) return true;
  return false;
}

static bool can_repeat(const ik_ir *ir, const ik_stmt *list, ik_arena *a) {
  for (const ik_stmt *s = list; s; s = s->next) {
    if (s->kind != IK_ASSIGN || unfit(ir, s)) return false;
    if (ir->field[s->field].kind != IK_FIELD_TEMP && s->level != 1) return false;
  }
  for (int f = 0; f < ir->nfield; f++) {
    const ik_field *q = &ir->field[f];
    if (q->has_new && !ik_stmt_covers(list, f, 1, q->box)) return false;
  }
  for (int f = 0; f < ir->nfield; f++) /* the same in every step, but for its boundary */
    if (!ir->field[f].has_new && ik_bound_changes(&ir->field[f])) return false;
  for (int j = 0; j < ir->ninject; j++)
    if (reads_new(list, ir->inject[j].field, a) || reads_fields(ir->inject[j].value, a))
      return false;
  return list != NULL;
}

static ik_pass *several_steps(lowering *l, const ik_stmt *list) {
  ik_draft *x = new_draft(l);
  x->fold = IK_NEW_N(l->a, bool, l->ir->nfield + 1); /* tiles that overlap read what is old */
  for (int k = 0; k < l->steps; k++)
    for (const ik_stmt *s = list; s; s = s->next) push_op(l, x, s, NULL, k);
  return build_pass(x);
}

/* ---- all of it ---- */

int64_t ik_pipe_scratch(const ik_pipe *p) {
  int64_t most = 0;
  for (int i = 0; i < p->n; i++)
    if (p->work[i].kind == IK_WORK_PASS) most = ik_max(most, p->work[i].pass->scratch_bytes);
  return most;
}

void ik_pipe_of(const ik_ir *ir, const ik_stmt *list, int steps, const ik_plan *plan,
                const ik_shaper *shaper, ik_arena *a, ik_pipe *out) {
  lowering l = {.ir = ir, .plan = plan, .shaper = shaper ? shaper : &plain, .a = a, .steps = steps};
  const bool *across = ik_outliving_temps(ir, a);
  list = ik_delay(ir, ik_inline_temps(ir, list, a), a);
  l.stored = IK_NEW_N(a, bool, ir->nfield + 1);
  l.fold = ik_fold_fields(ir, a);
  for (int f = 0; across && f < ir->nfield; f++) l.stored[f] = across[f];
  if (steps > 1 && can_repeat(ir, list, a)) {
    ik_pass *p = several_steps(&l, list);
    if (p) add_work(&l, (ik_pipe_work){.kind = IK_WORK_PASS, .pass = p, .stmt = list});
  }
  if (!l.nwork) {
    l.steps = steps > 0;
    do lower_list(&l, list);
    while (mark_stored(&l));
  }
  *out = (ik_pipe){.n = l.nwork, .work = l.work, .steps = l.steps, .stored = l.stored};
}
