#include "targets/cpu/compile.h"
#include "base/embed.h"
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
  ik_choose          choose;
  bool               fused;
  ik_arena          *a;
  ik_diag           *d;
  ik_compile        *out;
  int                cap_part, cap_pass, cap_sweep;
  bool               late; /* printing what is needed late */
} making;

/* ---- one list ---- */

static ik_status pick_plan(making *m, const ik_stmt *list, const ik_stmt *steps,
                           ik_compile_part *part) {
  ik_plan *plan = &part->plan;
  if (m->p->plan) return *plan = *m->p->plan, plan->layout = m->choose.layout, IK_OK;
  ik_choice *all = IK_NEW_N(m->a, ik_choice, IK_CHOICES);
  int        n = ik_choose_all(&m->choose, list, steps, m->fused, m->a, all);
  if (!n)
    return ik_fail(m->d, IK_ERR_UNSUPPORTED, IK_E082, IK_NOSPAN,
                   "cpu: no plan can run this program");
  part->nchoice = n, part->choice = all;
  *plan = all[0].plan, part->seconds = all[0].price.time.seconds;
  if (steps && m->asked && m->asked->plan) {
    plan->strategy = m->asked->name;
    m->asked->plan(&m->choose, list, steps->count, m->a, plan);
  }
  if (m->p->override &&
      (!ik_plan_read(m->p->override, plan) || plan->cpu.vector_bytes > m->choose.isa->vector_bytes))
    return ik_fail(m->d, IK_ERR_SOURCE, IK_E081, IK_NOSPAN, "'%s' is not a plan", m->p->override);
  return IK_OK;
}

/* Outside loops a list ends where the next loop begins: a copy with an end of its own.  The
 * lowering keeps pointers to statements, not to their place in a list. */
static const ik_stmt *cut(making *m, const ik_stmt *first, const ik_stmt *end) {
  ik_stmt *head = NULL, **tail = &head;
  for (const ik_stmt *s = first; s != end; s = s->next) {
    *tail = IK_NEW(m->a, ik_stmt);
    **tail = *s, (*tail)->next = NULL;
    tail = &(*tail)->next;
  }
  return head;
}

/* As many steps as are asked for, or as are legal. */
static void fit_steps(making *m, ik_compile_part *part) {
  ik_plan *plan = &part->plan;
  ik_pipe *pipe = &part->pipe[part->npipe++];
  ik_shape_passes(m->p->ir, part->list, part->steps ? plan->steps : 0, plan, m->a, pipe);
  if (!part->steps) return;
  if (pipe->steps < plan->steps) {
    plan->steps = pipe->steps;
    ik_shape_passes(m->p->ir, part->list, plan->steps, plan, m->a, pipe);
  }
  plan->strategy = plan->steps > 1 ? "fuse" : "sweep";
}

/* The plan is final after this: what it asks for has been lowered once. */
static ik_status plan_part(making *m, ik_compile_part *part) {
  const char *why = NULL;
  IK_TRY(pick_plan(m, part->list, part->steps, part));
  part->how = ik_strategy_of(&part->plan, part->steps);
  if (part->how->legal)
    why = part->how->legal(&m->choose, part, m->a);
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
static void lower_rest(making *m, ik_compile_part *part) {
  int n = part->pipe[0].steps;
  part->rest = rest_of(part);
  while (n > 1) {
    int fewer = n > 4 && part->npipe < IK_PART_PIPES - 2 ? n / 2 : 1;
    n = part->rest < n && part->rest > fewer ? part->rest : fewer;
    ik_shape_passes(m->p->ir, part->list, n, &part->plan, m->a, &part->pipe[part->npipe++]);
  }
}

static ik_status add_part(making *m, const ik_stmt *first, const ik_stmt *end,
                          const ik_stmt *steps) {
  ik_compile_part part = {.first = first, .end = end, .steps = steps};
  part.list = ik_inline_temps(m->p->ir, cut(m, first, end), m->a);
  if (!part.list) return IK_OK;
  IK_TRY(plan_part(m, &part));
  lower_rest(m, &part);
  IK_PUSH(m->a, m->out->part, m->out->n, m->cap_part, part);
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

/* ---- what they need ---- */

static void need_pass(making *m, const ik_pass *pass) {
  ik_compile *o = m->out;
  IK_PUSH(m->a, o->pass, o->npass, m->cap_pass, pass);
  if (pass->scratch_bytes > o->scratch_bytes) o->scratch_bytes = pass->scratch_bytes;
  o->most_reduce = ik_max_int(o->most_reduce, pass->nreduce);
  for (int i = 0; i < pass->nreduce; i++) {
    const ik_box *b = &pass->reduce[i].stmt->box;
    int64_t       rows = (b->hi[1] - b->lo[1]) * (b->hi[2] - b->lo[2]) * pass->nreduce;
    if (rows > o->partial_rows) o->partial_rows = rows;
  }
}

static void need_pipe(making *m, const ik_pipe *p) {
  for (int f = 0; f < m->p->ir->nfield; f++) m->out->stored[f] |= p->stored[f];
  for (int i = 0; i < p->n; i++) {
    if (p->work[i].kind == IK_WORK_INTERP) m->out->interpreted = true;
    if (p->work[i].kind == IK_WORK_PASS) need_pass(m, p->work[i].pass);
    if (p->work[i].kind == IK_WORK_SWEEP)
      IK_PUSH(m->a, m->out->sweep, m->out->nsweep, m->cap_sweep, p->work[i].sweep);
  }
}

static void need_pipes(making *m, bool late) {
  for (int i = 0; i < m->out->n; i++)
    for (int k = 0; k < m->out->part[i].npipe; k++)
      if (ik_part_is_late(&m->out->part[i], k) == late) need_pipe(m, &m->out->part[i].pipe[k]);
}

/* ---- code ---- */

enum { SLICES = 4 }; /* texts of the same number of lanes */

/* The axes are part of the text: coordinates, and what wraps. */
static bool same_text(const ik_pass *p, int i, const ik_pass *q, int j) {
  return !memcmp(p->axis, q->axis, sizeof p->axis) &&
         ik_pipe_same_kernel(&p->kernel[i], &q->kernel[j]) &&
         ik_shape_same(&p->kernel[i], &q->kernel[j]);
}

static ik_code_of earlier(const ik_compile *o, int p, int k) {
  for (int q = 0; q < p; q++)
    for (int j = 0; j < o->pass[q]->nkernel; j++)
      if (same_text(o->pass[p], k, o->pass[q], j)) return o->code[q][j];
  return (ik_code_of){p, k};
}

/* A kernel that an earlier pass has already is printed once. */
static void share_kernels(making *m) {
  ik_compile *o = m->out;
  o->code = IK_NEW_N(m->a, ik_code_of *, o->npass + 1);
  for (int p = 0; p < o->npass; p++) {
    o->code[p] = IK_NEW_N(m->a, ik_code_of, o->pass[p]->nkernel + 1);
    for (int k = 0; k < o->pass[p]->nkernel; k++) o->code[p][k] = earlier(o, p, k);
  }
}

/* Now, and here? */
static bool is_printed(const making *m, int p, int k) {
  const ik_compile *o = m->out;
  return (p >= o->late_pass) == m->late && o->code[p][k].pass == p && o->code[p][k].kernel == k;
}

typedef struct kernel_text { /* where a kernel is printed */
  int pass, kernel, slice;
  int weight; /* of its text, about: results by what each is made of */
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

/* All kernels of so many lanes that are printed now. */
static int list_kernels(const making *m, int lanes, kernel_text *out) {
  const ik_compile *o = m->out;
  int               n = 0;
  for (int p = 0; p < o->npass; p++)
    for (int k = 0; k < o->pass[p]->nkernel; k++)
      if (is_printed(m, p, k) && o->pass[p]->kernel[k].shape->lanes == lanes)
        out[n++] = (kernel_text){p, k, -1, weight_of(&o->pass[p]->kernel[k], m->a)};
  return n;
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

static bool is_in(const kernel_text *x, int n, int slice, int pass, int kernel) {
  for (int i = 0; i < n; i++)
    if (x[i].pass == pass && x[i].kernel == kernel) return x[i].slice == slice;
  return false;
}

/* The passes with only those kernels that belong into one text. */
static const ik_pass **passes_of(making *m, const kernel_text *x, int n, int slice) {
  const ik_compile *o = m->out;
  const ik_pass   **own = IK_NEW_N(m->a, const ik_pass *, o->npass);
  for (int p = 0; p < o->npass; p++) {
    ik_pass *copy = IK_NEW(m->a, ik_pass);
    *copy = *o->pass[p];
    copy->kernel = IK_NEW_N(m->a, ik_pipe_kernel, copy->nkernel + 1);
    memcpy(copy->kernel, o->pass[p]->kernel, (size_t)copy->nkernel * sizeof *copy->kernel);
    for (int k = 0; k < copy->nkernel; k++)
      if (!is_in(x, n, slice, p, k)) copy->kernel[k].shape = NULL;
    own[p] = copy;
  }
  return own;
}

static const ik_plan *plan_of(const ik_compile *o) {
  const ik_plan *plan = &o->part[o->n - 1].plan;
  for (int i = 0; i < o->n; i++)
    if (o->part[i].steps) plan = &o->part[i].plan;
  return plan;
}

static void print_slice(making *m, int lanes, const kernel_text *x, int n, int slice) {
  ik_compile *o = m->out;
  IK_ASSERT(o->ntext < IK_COMPILE_TEXTS);
  o->lanes[o->ntext] = lanes;
  ik_cpu_kernels(m->p->ir, passes_of(m, x, n, slice), o->npass, lanes, plan_of(o), m->p->ir->name,
                 m->a, &o->text[o->ntext++]);
}

static bool has_lanes(const ik_compile *o, int lanes, int vector_bytes) {
  for (int i = 0; i < o->nsweep; i++)
    if (ik_cpu_sweep_lanes(o->sweep[i], vector_bytes) == lanes) return true;
  return false;
}

/* Cells near faces are done one by one, others perhaps in vectors. */
static void print_sweeps(making *m) {
  ik_compile *o = m->out;
  if (!o->nsweep) return;
  const ik_plan *plan = plan_of(o);
  const int      lanes[] = {1, plan->cpu.vector_bytes / 8, plan->cpu.vector_bytes / 4};
  for (int i = 0; i < 3; i++)
    if (i == 0 || (lanes[i] > 1 && has_lanes(o, lanes[i], plan->cpu.vector_bytes)))
      ik_cpu_sweeps(m->p->ir, o->sweep, o->nsweep, lanes[i], plan, m->p->ir->name, m->a,
                    &o->text[o->ntext++]);
}

/* Much text is printed as several, so that several compilers work on it: one for each thread of the
 * run, as long as each has more to do than to read what all texts have in common. */
static void print_lanes(making *m, int lanes) {
  enum { COMMON = 300 };
  ik_compile *o = m->out;
  int         kernels = 0;
  int64_t     weight = 0;
  for (int i = m->late ? o->late_text : 0; i < o->ntext; i++)
    if (o->lanes[i] == lanes) return;
  for (int p = 0; p < o->npass; p++) kernels += o->pass[p]->nkernel;
  kernel_text *x = IK_NEW_N(m->a, kernel_text, kernels + 1);
  int          n = list_kernels(m, lanes, x);
  for (int i = 0; i < n; i++) weight += x[i].weight;
  int64_t slices = ik_min(ik_min(n, m->choose.threads), ik_min(SLICES, weight / COMMON));
  slices = ik_max(slices, 1);
  share_out(x, n, (int)slices);
  for (int i = 0; i < slices; i++) print_slice(m, lanes, x, n, i);
}

static void print_passes(making *m) {
  const ik_compile *o = m->out;
  for (int p = 0; p < o->npass; p++)
    for (int k = 0; k < o->pass[p]->nkernel; k++)
      if (is_printed(m, p, k)) print_lanes(m, o->pass[p]->kernel[k].shape->lanes);
}

static void print_all(making *m) {
  print_sweeps(m);
  share_kernels(m);
  print_passes(m);
  m->out->late_text = m->out->ntext, m->late = true;
  print_passes(m);
}

static ik_status plan_all(making *m) {
  *m->out = (ik_compile){.ir = m->p->ir, .layout = m->out->layout};
  m->out->stored = IK_NEW_N(m->a, bool, m->p->ir->nfield);
  IK_TRY(find_parts(m));
  return check_wave(m);
}

static making making_of(const ik_problem *p, const ik_isa *isa, int threads, bool fused,
                        ik_arena *a, ik_diag *d, ik_compile *out) {
  making m = {.p = p, .fused = fused, .a = a, .d = d, .out = out};
  m.asked = ik_strategy_find(p->strategy);
  out->layout = ik_cpu_layout_of(p->ir, a);
  m.choose = ik_choose_on(p->ir, out->layout, isa, threads, p->machine, a);
  m.choose.lines = !p->strategy;
  return m;
}

ik_status ik_compile_plan(const ik_problem *p, const ik_isa *isa, int threads, bool fused,
                          ik_arena *a, ik_diag *d, ik_compile *out) {
  making m = making_of(p, isa, threads, fused, a, d, out);
  return plan_all(&m);
}

ik_status ik_compile_of(const ik_problem *p, const ik_isa *isa, int threads, bool fused,
                        ik_arena *a, ik_diag *d, ik_compile *out) {
  making m = making_of(p, isa, threads, fused, a, d, out);
  IK_TRY(plan_all(&m));
  need_pipes(&m, false);
  out->late_pass = out->npass;
  need_pipes(&m, true);
  print_all(&m);
  for (int i = 0; i < out->ntext; i++)
    if (out->text[i].failed)
      return ik_fail(d, IK_ERR_RESOURCE, IK_E072, IK_NOSPAN, "no memory for the text of kernels");
  return IK_OK;
}

void ik_compile_free(ik_compile *p) {
  for (int i = 0; i < p->ntext; i++) ik_buf_free(&p->text[i]);
}

void ik_compile_expand(const char *text, ik_buf *out) {
  static const char        word[] = "#include \"";
  static const char *const file[] = {"kernel.h", "simd.h", "sweep.h"};
  while (*text) {
    const char *end = strchr(text, '\n');
    size_t      len = end ? (size_t)(end - text) + 1 : strlen(text);
    const char *name = strncmp(text, word, sizeof word - 1) ? NULL : text + sizeof word - 1;
    bool        found = false;
    for (int i = 0; name && i < 3; i++)
      if (strncmp(name, file[i], strlen(file[i])) == 0) {
        char path[64] = "src/targets/cpu/rt/";
        strcat(path, file[i]);
        const ik_embedded *e = ik_embed_find(path);
        IK_ASSERT(e);
        ik_buf_puts(out, e->data);
        found = true;
      }
    if (!found) ik_buf_write(out, text, len);
    text += len;
  }
}
