#include "targets/cpu/compile.h"
#include "base/least.h"
#include "facts/nodes.h"
#include "lower/inline.h"
#include "targets/cpu/kernels.h"
#include "targets/cpu/layout.h"
#include "targets/cpu/strategy.h"
#include "targets/cpu/sweep.h"
#include "targets/cpu/shape/shape.h"
#include <string.h>

typedef struct making {
  const ik_problem  *p;
  const ik_strategy *asked; /* NULL: the best */
  bool               fused;
  ik_diag           *d;
  ik_compile        *out;
  int                cap_part;
} making;

/* ---- one list ---- */

static ik_status pick_plan(making *m, const ik_stmt *list, const ik_stmt *steps,
                           ik_compile_part *part) {
  ik_plan *plan = &part->plan;
  if (m->p->plan) return *plan = *m->p->plan, plan->layout = m->out->choose.layout, IK_OK;
  ik_choice *all = IK_NEW_N(m->out->a, ik_choice, IK_CHOICES);
  int        n = ik_choose_all(&m->out->choose, list, steps, m->fused, m->out->a, all);
  if (!n)
    return ik_fail(m->d, IK_ERR_UNSUPPORTED, IK_E082, IK_NOSPAN,
                   "cpu: no plan can run this program");
  part->nchoice = n, part->choice = all;
  *plan = all[0].plan, part->seconds = all[0].price.time.seconds;
  if (steps && m->asked && m->asked->plan) {
    plan->strategy = m->asked->name;
    m->asked->plan(&m->out->choose, list, steps->count, m->out->a, plan);
  }
  if (m->p->override && (!ik_plan_read(m->p->override, plan) ||
                         plan->cpu.vector_bytes > m->out->choose.isa->vector_bytes))
    return ik_fail(m->d, IK_ERR_SOURCE, IK_E081, IK_NOSPAN, "'%s' is not a plan", m->p->override);
  return IK_OK;
}

/* As many steps as are asked for, or as are legal. */
static void fit_steps(making *m, ik_compile_part *part) {
  ik_plan *plan = &part->plan;
  ik_pipe *pipe = &part->pipe[part->npipe++];
  ik_shape_passes(m->p->ir, part->list, part->steps ? plan->steps : 0, plan, m->out->a, pipe);
  if (!part->steps) return;
  if (pipe->steps < plan->steps) {
    plan->steps = pipe->steps;
    ik_shape_passes(m->p->ir, part->list, plan->steps, plan, m->out->a, pipe);
  }
  plan->strategy = plan->steps > 1 ? "fuse" : "sweep";
}

/* The plan is final after this: what it asks for has been lowered once. */
static ik_status plan_part(making *m, ik_compile_part *part) {
  const char *why = NULL;
  IK_TRY(pick_plan(m, part->list, part->steps, part));
  part->how = ik_strategy_of(&part->plan, part->steps);
  if (part->how->legal)
    why = part->how->legal(&m->out->choose, part, m->out->a);
  else
    fit_steps(m, part);
  return why ? ik_strategy_refuse(part->how, why, m->d) : IK_OK;
}

/* Several steps, if the loop ends with so many less than others: they need no kernels that these do
 * not have, while a single step has its own. */
static int rest_of(const ik_compile_part *part) {
  int64_t rest = part->pipe[0].steps > 1 ? part->steps->count % part->pipe[0].steps : 0;
  return rest > 1 ? (int)rest : 0;
}

/* Fewer steps than planned, for what is left of a run. */
static void lower_rest(ik_compile *c, ik_compile_part *part) {
  int n = part->pipe[0].steps;
  part->rest = rest_of(part);
  while (n > 1) {
    int fewer = n > 4 && part->npipe < IK_PART_PIPES - 2 ? n / 2 : 1;
    n = part->rest < n && part->rest > fewer ? part->rest : fewer;
    ik_shape_passes(c->ir, part->list, n, &part->plan, c->a, &part->pipe[part->npipe++]);
  }
}

static ik_status add_part(making *m, const ik_stmt *first, const ik_stmt *end,
                          const ik_stmt *steps) {
  ik_compile_part part = {.first = first, .end = end, .steps = steps};
  part.list = ik_inline_temps(m->p->ir, ik_stmt_copies(first, end, m->out->a), m->out->a);
  if (!part.list) return IK_OK;
  IK_TRY(plan_part(m, &part));
  IK_PUSH(m->out->a, m->out->part, m->out->n, m->cap_part, part);
  return IK_OK;
}

/* ---- the lists of a program ---- */

/* Setting initial values is done once; compiling takes longer than interpreting small ones. */
static bool worth_compiling(const ik_stmt *s) {
  return s->kind == IK_ASSIGN && ik_box_cells(&s->box) > 2000000;
}

static ik_status find_parts(making *m) {
  const ik_ir *ir = m->p->ir;
  for (const ik_stmt *s = ir->init; s; s = s->next)
    if (worth_compiling(s)) IK_TRY(add_part(m, s, s->next, NULL));
  for (const ik_stmt *s = ir->body; s;) {
    const ik_stmt *end = s;
    while (end && !ik_stmt_is_loop(end)) end = end->next;
    if (end != s) IK_TRY(add_part(m, s, end, NULL));
    s = end;
    if (s && s->kind == IK_STEPS) IK_TRY(add_part(m, s->body, NULL, s));
    if (s && s->kind == IK_REPEAT && s->pre) IK_TRY(add_part(m, s->pre, NULL, NULL));
    if (s && s->kind == IK_REPEAT) IK_TRY(add_part(m, s->body, NULL, NULL));
    if (s) s = s->next;
  }
  return IK_OK;
}

/* Sweeps outside of step loops have wavefronts of their own. */
static ik_status check_wave(const making *m) {
  if (!m->asked || !m->asked->plan) return IK_OK;
  for (int i = 0; i < m->out->n; i++)
    if (m->out->part[i].steps || (m->asked->sweeps && ik_part_wave(&m->out->part[i]))) return IK_OK;
  return ik_strategy_refuse(m->asked, "there is no step loop", m->d);
}

const ik_compile_part *ik_compile_find(const ik_compile *p, const ik_stmt *first,
                                       const ik_stmt *end) {
  for (int i = 0; i < p->n; i++)
    if (p->part[i].first == first && p->part[i].end == end) return &p->part[i];
  return NULL;
}

const ik_compile_part *ik_compile_main(const ik_compile *p) {
  const ik_compile_part *main = NULL;
  for (const ik_compile_part *x = p->part; x < p->part + p->n; x++)
    if (!main || x->steps || (x->seconds > main->seconds && !main->steps)) main = x;
  return main;
}

int ik_compile_pass(const ik_compile *p, const ik_pass *pass) {
  int i = 0;
  while (p->pass[i] != pass) i++;
  return i;
}

int ik_compile_sweep(const ik_compile *p, const ik_sweep *sweep) {
  int i = 0;
  while (p->sweep[i] != sweep) i++;
  return i;
}

const ik_sweep *ik_part_wave(const ik_compile_part *p) {
  const ik_sweep *best = NULL;
  for (int i = 0; i < p->pipe[0].n && !p->steps; i++) {
    const ik_sweep *o = p->pipe[0].work[i].sweep;
    bool            wave = o && o->wave[0] >= 0;
    if (wave && (!best || ik_box_cells(&o->box) > ik_box_cells(&best->box))) best = o;
  }
  return best;
}

/* Which lists there are, and the best way to run each. */
ik_status ik_compile_plan(const ik_problem *p, const ik_isa *isa, int threads, bool fused,
                          ik_arena *a, ik_diag *d, ik_compile *c) {
  *c = (ik_compile){.ir = p->ir, .a = a, .layout = ik_cpu_layout_of(p->ir, a)};
  c->choose = ik_choose_on(p->ir, c->layout, isa, threads, p->machine, a);
  c->choose.slabs = !p->strategy, c->choose.memory = p->memory;
  c->stored = IK_NEW_N(a, bool, p->ir->nfield);
  making m = {.p = p, .asked = ik_strategy_find(p->strategy), .fused = fused, .d = d, .out = c};
  IK_TRY(find_parts(&m));
  return check_wave(&m);
}

/* ---- passes ---- */

typedef struct room { /* of the lists of passes and sweeps */
  int passes, sweeps;
} room;

static void need_pass(ik_compile *c, room *r, const ik_pass *pass) {
  IK_PUSH(c->a, c->pass, c->npass, r->passes, pass);
  c->scratch_bytes = ik_max(c->scratch_bytes, pass->scratch_bytes);
  c->most_reduce = ik_max_int(c->most_reduce, pass->nreduce);
  for (int i = 0; i < pass->nreduce; i++) {
    const ik_box *b = &pass->reduce[i].stmt->box;
    int64_t       rows = (b->hi[1] - b->lo[1]) * (b->hi[2] - b->lo[2]);
    c->partial_rows = ik_max(c->partial_rows, rows * pass->nreduce);
  }
}

static void need_pipe(ik_compile *c, room *r, const ik_pipe *p) {
  for (int f = 0; f < c->ir->nfield; f++) c->stored[f] |= p->stored[f];
  for (int i = 0; i < p->n; i++) {
    const ik_pipe_work *w = &p->work[i];
    if (w->kind == IK_WORK_INTERP) c->interpreted = true;
    if (w->kind == IK_WORK_PASS) need_pass(c, r, w->pass);
    if (w->kind == IK_WORK_SWEEP) IK_PUSH(c->a, c->sweep, c->nsweep, r->sweeps, w->sweep);
  }
}

static void need_pipes(ik_compile *c, room *r, bool late) {
  for (int i = 0; i < c->n; i++)
    for (int k = 0; k < c->part[i].npipe; k++)
      if (ik_part_is_late(&c->part[i], k) == late) need_pipe(c, r, &c->part[i].pipe[k]);
}

void ik_compile_lower(ik_compile *c) {
  room r = {0};
  for (int i = 0; i < c->n; i++) lower_rest(c, &c->part[i]);
  need_pipes(c, &r, false);
  c->late_pass = c->npass;
  need_pipes(c, &r, true);
}

/* ---- code ---- */

enum { SLICES = 4 }; /* texts of the same number of lanes */

/* The axes are part of the text: coordinates, and what wraps. */
static bool same_text(const ik_pass *p, int i, const ik_pass *q, int j) {
  return !memcmp(p->axis, q->axis, sizeof p->axis) &&
         ik_pipe_same_kernel(&p->kernel[i], &q->kernel[j]) &&
         ik_shape_same(&p->kernel[i], &q->kernel[j]);
}

static ik_code_of earlier(const ik_compile *c, int p, int k) {
  for (int q = 0; q < p; q++)
    for (int j = 0; j < c->pass[q]->nkernel; j++)
      if (same_text(c->pass[p], k, c->pass[q], j)) return c->code[q][j];
  return (ik_code_of){p, k};
}

/* A kernel that an earlier pass has already is printed once. */
static void share_kernels(ik_compile *c) {
  c->code = IK_NEW_N(c->a, ik_code_of *, c->npass + 1);
  for (int p = 0; p < c->npass; p++) {
    c->code[p] = IK_NEW_N(c->a, ik_code_of, c->pass[p]->nkernel + 1);
    for (int k = 0; k < c->pass[p]->nkernel; k++) c->code[p][k] = earlier(c, p, k);
  }
}

typedef struct kernel_text { /* where a kernel is printed */
  ik_code_of of;
  int        slice, lanes;
  int        weight; /* of its text, about: results by what each is made of */
} kernel_text;

static int weight_of(const ik_pipe_kernel *k, ik_arena *a) {
  int nodes = 0;
  for (int i = 0; i < k->nstmt; i++) {
    ik_nodes of;
    ik_nodes_of(k->stmt[i]->value, a, &of);
    nodes += of.n;
  }
  return nodes *
         (k->planes * k->shape->rows * k->shape->vectors + 2); /* the rest of a row, and a twin */
}

/* The heaviest that has no slice yet goes into the lightest slice. */
static void share_out(kernel_text *x, int n, int slices) {
  int64_t weight[SLICES] = {0};
  for (int done = 0; done < n; done++) {
    int next = -1, light = 0;
    for (int i = 0; i < n; i++)
      if (x[i].slice < 0 && (next < 0 || x[i].weight > x[next].weight)) next = i;
    for (int i = 1; i < slices; i++)
      if (weight[i] < weight[light]) light = i;
    x[next].slice = light, weight[light] += x[next].weight;
  }
}

static const ik_plan *plan_of(const ik_compile *c) {
  const ik_plan *plan = &c->part[c->n - 1].plan;
  for (int i = 0; i < c->n; i++)
    if (c->part[i].steps) plan = &c->part[i].plan;
  return plan;
}

static ik_buf *new_text(ik_compile *c, int lanes) {
  IK_ASSERT(c->ntext < IK_COMPILE_TEXTS);
  c->lanes[c->ntext] = lanes;
  return &c->text[c->ntext++];
}

static void print_slice(ik_compile *c, int lanes, const kernel_text *x, int n, int slice) {
  ik_code_of *which = IK_NEW_N(c->a, ik_code_of, n + 1);
  int         some = 0;
  for (int i = 0; i < n; i++)
    if (x[i].slice == slice) which[some++] = x[i].of;
  ik_cpu_kernels(c->ir, c->pass, which, some, lanes, plan_of(c), c->ir->name, c->a,
                 new_text(c, lanes));
}

/* Cells near faces are done one by one, others perhaps in vectors. */
static void print_sweeps(ik_compile *c) {
  if (!c->nsweep) return;
  const ik_plan *plan = plan_of(c);
  const int      bytes = plan->cpu.vector_bytes, lanes[] = {1, bytes / 8, bytes / 4};
  for (int i = 0; i < 3; i++) {
    bool any = i == 0;
    for (int k = 0; k < c->nsweep && lanes[i] > 1; k++)
      any |= ik_cpu_sweep_lanes(c->sweep[k], bytes) == lanes[i];
    if (any)
      ik_cpu_sweeps(c->ir, c->sweep, c->nsweep, lanes[i], plan, c->ir->name, c->a, new_text(c, 0));
  }
}

/* Much text is printed as several, so that several compilers work on it: one for each thread of the
 * run, as long as each has more to do than to read what all texts have in common. */
static void print_lanes(ik_compile *c, int lanes, kernel_text *x, int n) {
  enum { COMMON = 300 };
  int64_t weight = 0;
  for (int i = 0; i < n; i++) weight += x[i].weight;
  int64_t slices = ik_min(ik_min(n, c->choose.threads), ik_min(SLICES, weight / COMMON));
  slices = ik_max(slices, 1);
  share_out(x, n, (int)slices);
  for (int i = 0; i < slices; i++) print_slice(c, lanes, x, n, i);
}

/* Of passes from one up to another, the kernels that no pass before has; a text has kernels of the
 * same number of lanes. */
static void print_passes(ik_compile *c, int from, int to) {
  kernel_text *x = NULL;
  int          n = 0, cap = 0;
  for (int p = from; p < to; p++)
    for (int k = 0; k < c->pass[p]->nkernel; k++) {
      const ik_pipe_kernel *q = &c->pass[p]->kernel[k];
      kernel_text           t = {{p, k}, -1, q->shape->lanes, weight_of(q, c->a)};
      if (c->code[p][k].pass == p && c->code[p][k].kernel == k) IK_PUSH(c->a, x, n, cap, t);
    }
  kernel_text *same = IK_NEW_N(c->a, kernel_text, n + 1);
  for (int i = 0; i < n; i++) {
    int lanes = x[i].lanes, some = 0;
    for (int k = i; k < n; k++)
      if (lanes && x[k].lanes == lanes) same[some++] = x[k], x[k].lanes = 0;
    if (some) print_lanes(c, lanes, same, some);
  }
}

ik_status ik_compile_emit(ik_compile *c, ik_diag *d) {
  print_sweeps(c);
  share_kernels(c);
  print_passes(c, 0, c->late_pass);
  c->late_text = c->ntext;
  print_passes(c, c->late_pass, c->npass);
  for (int i = 0; i < c->ntext; i++)
    if (c->text[i].failed)
      return ik_fail(d, IK_ERR_RESOURCE, IK_E072, IK_NOSPAN, "no memory for the text of kernels");
  return IK_OK;
}

void ik_compile_free(ik_compile *p) {
  for (int i = 0; i < p->ntext; i++) ik_buf_free(&p->text[i]);
}
