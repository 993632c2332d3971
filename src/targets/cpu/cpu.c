/* cpu: generated vector code on the cores of this machine. */
#include "base/elementary.h"
#include "base/least.h"
#include "base/mem.h"
#include "ir/apply.h"
#include "lower/fold.h"
#include "runtime/stepper.h"
#include "targets/cpu/code.h"
#include "targets/cpu/combine.h"
#include "targets/cpu/crew.h"
#include "targets/cpu/forecast.h"
#include "targets/cpu/remainder.h"
#include "targets/cpu/propose.h"
#include "targets/cpu/strategy.h"
#include "targets/cpu/touch.h"
#include "targets/roofs.h"
#include "targets/cpu/shape/shape.h"
#include <math.h>

typedef struct cpu_engine {
  ik_stepper         step;
  const ik_ir       *ir;
  ik_arena           arena;
  ik_isa             isa;
  int                threads;
  ik_compile         parts;
  ik_cpu_code        code;
  bool               uncompiled; /* no compiler could be started */
  bool               touched;    /* pages of arrays */
  ik_cpu_crew        crew;
  ik_remainder      *remainder;  /* what passes leave of the rows that they store */
  double            *partial;    /* of reductions */
  double           **partial_of; /* [reductions of a pass, at most] */
  ik_rt              rt;
  const ik_strategy *asked; /* NULL: the best */
  struct {
    const ik_special *how;   /* the strategy, if it is one of those; of the step loop `steps` */
    const ik_stmt    *steps; /* that takes longest */
    int               terms; /* of a number, see ik_plan */
    void             *data;  /* its own */
  } special;
  struct {
    ik_buf plan, loops, code;
  } text;
} cpu_engine;

static cpu_engine *of(ik_engine *x) { return (cpu_engine *)x; }

static ik_status no_memory(ik_diag *d) {
  return ik_fail(d, IK_ERR_RESOURCE, IK_E072, IK_NOSPAN, "no memory for the CPU engine");
}

/* Nobody is there to compile: what is said of the run is said of the interpreter. */
static void expect_interpreter(cpu_engine *x) {
  x->uncompiled = true;
  x->step.base.help = "reference interpreter: there is no C compiler";
  x->step.base.plan = NULL, x->step.base.strategy = "sweep", x->step.base.stride = 1,
  x->step.base.threads = 1;
}

/* Once: when a run begins again, all pages are there. */
static void touch_cpu(ik_engine *e) {
  cpu_engine *x = of(e);
  if (!x->touched) ik_touch(&x->parts, e->state, x->crew.team);
  x->touched = true;
}

static void ready_cpu(ik_engine *e, ik_diag *d) { ik_cpu_code_finish(&of(e)->code, d); }

/* ---- a pass ---- */

static int64_t rows_of(const ik_box *b) { return (b->hi[1] - b->lo[1]) * (b->hi[2] - b->lo[2]); }

static void run_pass(cpu_engine *x, const ik_pass *p) {
  double  **partial = x->partial_of;
  int64_t   at = 0;
  ik_state *s = x->step.base.state;
  for (int i = 0; i < p->nreduce; i++) {
    partial[i] = x->partial + at;
    at += rows_of(&p->reduce[i].stmt->box);
  }
  ik_drive drive = {.ir = x->ir,
                    .state = s,
                    .pass = p,
                    .kernel = x->code.fn[ik_compile_pass(&x->parts, p)],
                    .rt = &x->rt,
                    .t = s->t,
                    .partial = partial,
                    .remainder = ik_remainder_before(x->remainder, s, p, x->crew.team),
                    .spots = &x->step.spots,
                    .stream = true};
  ik_cpu_crew_drive(&x->crew, &drive);
  for (int i = 0; i < p->nreduce; i++) {
    const ik_stmt *q = p->reduce[i].stmt;
    s->scalar[q->scalar] =
        ik_combine_parts(q->reduce, q->value->type, partial[i], rows_of(&q->box));
  }
}

/* ---- lists ---- */

static void run_order(cpu_engine *x, const ik_sweep *o) {
  const ik_sweep_code *code = &x->code.sweep[ik_compile_sweep(&x->parts, o)];
  ik_remainder_forget(x->remainder);
  ik_sweep_run(o, code, x->step.base.state, &x->rt, x->crew.team, x->crew.room);
}

static ik_status run_pipe(cpu_engine *x, const ik_pipe *p, ik_diag *d) {
  for (int i = 0; i < p->n; i++) {
    const ik_pipe_work *w = &p->work[i];
    switch (w->kind) {
    case IK_WORK_PASS: run_pass(x, w->pass); break;
    case IK_WORK_SET: ik_stepper_set(&x->step, w->stmt); break;
    case IK_WORK_SWEEP: run_order(x, w->sweep); break;
    case IK_WORK_INTERP: IK_TRY(ik_stepper_host(&x->step, w->stmt, w->stmt->next, d)); break;
    }
  }
  return IK_OK;
}

/* Lists that were compiled are claimed as a whole. */
static const ik_stmt *claim_cpu(ik_stepper *st, const ik_stmt *s, const ik_stmt *end, ik_diag *d) {
  cpu_engine            *x = of(&st->base);
  const ik_compile_part *part = ik_compile_find(&x->parts, s, end);
  if (part) ik_cpu_code_finish(&x->code, d);
  return part && !x->code.missing ? end : s;
}

static ik_status own_cpu(ik_stepper *st, const ik_stmt *first, const ik_stmt *end, ik_diag *d) {
  cpu_engine *x = of(&st->base);
  return run_pipe(x, &ik_compile_find(&x->parts, first, end)->pipe[0], d);
}

/* ---- steps ---- */

static ik_status take_steps(cpu_engine *x, const ik_pipe *p, ik_diag *d) {
  ik_state *s = x->step.base.state;
  int       last = p->steps - 1;
  ik_stepper_amounts(&x->step, 0, last);
  IK_TRY(run_pipe(x, p, d));
  ik_stepper_amounts(&x->step, last, 1);
  ik_state_skip(s, last);
  ik_stepper_inject(&x->step, last); /* the last step of a pass is in memory */
  ik_stepper_count(&x->step, p->steps);
  ik_state_rotate(s);
  return IK_OK;
}

static ik_status take_special(cpu_engine *x, int64_t most, int64_t *made, ik_diag *d) {
  ik_remainder_forget(x->remainder);
  *made = ik_min(most, x->step.quiet);
  return x->special.how->advance(x->special.data, *made, d);
}

/* Steps tiled in time; room for spots limits how many are made in one go, if any are met. */
static ik_status take_wave(cpu_engine *x, const ik_compile_part *part, int64_t most, int64_t *made,
                           ik_diag *d) {
  ik_time_tiles w = {.ir = x->ir,
                     .plan = &part->plan,
                     .pipe = &part->pipe[0],
                     .state = x->step.base.state,
                     .team = x->crew.team,
                     .part = x->crew.part,
                     .thread = x->crew.hand,
                     .rt = &x->rt};
  int64_t       few = ik_min(x->step.spots.rows, part->how->stride(&part->plan));
  int64_t       room = ik_min(most, few);
  bool          met = x->step.spots.added || x->step.quiet < room;
  for (int i = 0; i < w.pipe->n; i++)
    w.kernel[i] = x->code.fn[ik_compile_pass(&x->parts, w.pipe->work[i].pass)];
  ik_remainder_forget(x->remainder);
  *made = met ? room : x->step.quiet;
  if (met) w.spots = &x->step.spots, ik_stepper_amounts(&x->step, 0, *made);
  IK_TRY(part->how->advance(&w, *made, d));
  if (met) ik_stepper_count(&x->step, *made);
  return IK_OK;
}

static ik_status steps_cpu(ik_stepper *st, const ik_stmt *steps, int64_t most, int64_t *made,
                           ik_diag *d) {
  cpu_engine            *x = of(&st->base);
  const ik_compile_part *part = ik_compile_find(&x->parts, steps->body, NULL);
  if (x->special.how && steps == x->special.steps) return take_special(x, most, made, d);
  ik_cpu_code_finish(&x->code, d);
  if (!part || x->code.missing) return IK_OK;
  if (part->how->advance) return take_wave(x, part, most, made, d);
  int k = 0;
  while (part->pipe[k].steps > most) k++;
  if (ik_part_is_late(part, k)) ik_cpu_code_finish_late(&x->code, d);
  if (x->code.missing) return IK_OK;
  *made = part->pipe[k].steps;
  return take_steps(x, &part->pipe[k], d);
}

static void share_cpu(ik_engine *e, void (*work)(void *, int, int), void *ctx) {
  ik_team_run(of(e)->crew.team, work, ctx);
}

static void pause_cpu(ik_engine *e) { ik_team_rest(of(e)->crew.team); }

static void dirty_cpu(ik_engine *e, int field, int level) {
  (void)level;
  ik_remainder_release(of(e)->remainder, field);
}

/* ---- what it should take ---- */

static bool forecast_cpu(const ik_engine *e, const ik_unit *u, int64_t times, ik_forecast *out) {
  const cpu_engine *x = (const cpu_engine *)e;
  if (e->no_forecast) return false;
  return ik_cpu_forecast_add(&x->parts, u, times, x->code.missing || x->uncompiled, out);
}

/* ---- life ---- */

static double table_at(const void *program, int id, double at) {
  return ik_apply_table(&((const ik_ir *)program)->table[id], at);
}

/* Made at a time. */
static int64_t steps_of(const ik_compile_part *p) {
  if (!p->steps) return 1;
  return p->how->stride ? p->how->stride(&p->plan) : p->pipe[0].steps;
}

static int64_t most_steps(const ik_compile *p) {
  int64_t most = 1;
  for (int i = 0; i < p->n; i++) most = ik_max(most, steps_of(&p->part[i]));
  return most;
}

static void destroy_cpu(ik_engine **e) {
  if (!*e) return;
  cpu_engine *x = of(*e);
  if (x->special.how) x->special.how->destroy(&x->special.data);
  ik_cpu_code_free(&x->code);
  ik_cpu_crew_free(&x->crew);
  ik_remainder_destroy(&x->remainder);
  ik_stepper_free(&x->step);
  ik_free(x->partial), ik_free(x->partial_of);
  ik_compile_free(&x->parts);
  ik_buf_free(&x->text.plan), ik_buf_free(&x->text.loops), ik_buf_free(&x->text.code);
  ik_arena_free(&x->arena);
  ik_free(x);
  *e = NULL;
}

/* ---- shape of the arrays ---- */

/* Passes find slices as they walk along them; the code of orders knows where cells lie, and special
 * strategies see arrays as one. */
static bool can_be_padded(const cpu_engine *x) {
  bool padded = !x->special.how && !x->parts.nsweep;
  for (int p = 0; p < x->parts.npass; p++)
    padded &= x->parts.pass[p]->axis[IK_STREAM] == x->ir->ndim - 1;
  return padded;
}

/* What passes want to find beyond the faces of fields. */
static void fill_padding(const ik_pass *p, ik_layout *l) {
  for (const ik_pipe_buffer *b = p->buffer; b < p->buffer + p->nbuffer; b++)
    if (b->in_place.padded) ik_layout_fill(l, b->field, b->in_place.padding);
}

/* Levels of a field beyond the first that passes of several steps make. */
static int ahead_of(const cpu_engine *x, int field) {
  const ik_field *f = &x->ir->field[field];
  int             levels = 1;
  for (int i = 0; f->has_new && i < x->parts.n; i++)
    levels = ik_max_int(levels, ik_pass_levels(f, x->parts.part[i].pipe[0].steps));
  return levels - 1;
}

/* What lowering has found out goes into the layout.  Special strategies have arrays of their own,
 * and write no level where another is. */
static void lay_out(cpu_engine *x) {
  const bool *fold = ik_fold_fields(x->ir, &x->arena);
  ik_layout  *l = x->parts.layout;
  if (!can_be_padded(x)) ik_layout_unpad(l);
  for (int p = 0; p < x->parts.npass; p++) fill_padding(x->parts.pass[p], l);
  for (int f = 0; f < x->ir->nfield; f++) {
    if (x->parts.stored[f]) ik_layout_store(l, f);
    int ahead = ahead_of(x, f);
    if (ahead)
      ik_layout_ahead(l, f, ahead);
    else if (fold[f] && !x->special.how)
      ik_layout_fold(l, f);
  }
}

/* ---- what it says of itself ---- */

static int64_t bytes_of(const cpu_engine *x) {
  int64_t n = ik_cpu_crew_bytes(&x->parts, x->threads) + x->parts.partial_rows * 8;
  n += ik_remainder_bytes(x->ir, x->parts.pass, x->parts.npass);
  return x->parts.interpreted ? n + ik_interp_bytes(x->ir) : n;
}

static void describe_passes(cpu_engine *x) {
  ik_engine             *e = &x->step.base;
  const ik_compile      *c = &x->parts;
  const ik_compile_part *main = ik_compile_main(c);
  const ik_sweep        *wave = main ? ik_part_wave(main) : NULL;
  for (const ik_compile_part *p = c->part; p < c->part + c->n; p++)
    for (int k = 0; k < p->npipe; k++) ik_shape_print(x->ir, &p->pipe[k], &x->text.loops);
  for (int i = 0; i < c->ntext; i++) ik_buf_puts(&x->text.code, ik_buf_text(&c->text[i]));
  if (wave) {
    ik_buf_puts(&x->text.plan, "skew: ");
    ik_sweep_describe(x->ir, wave, &x->text.plan);
  } else if (main) {
    ik_plan_print(&main->plan, x->ir, &x->text.plan);
  }
  e->stride = main ? steps_of(main) : 1;
  e->strategy = wave ? "skew" : main ? main->plan.strategy : "sweep";
  e->plan = ik_buf_text(&x->text.plan);
  e->loops = ik_buf_text(&x->text.loops), e->code = ik_buf_text(&x->text.code);
}

/* As long as that says something of the last step. */
static void describe_bound(const ik_engine *e, int64_t steps, ik_buf *out) {
  double one = ik_engine_bound(e, 1), all = ik_engine_bound(e, steps);
  ik_buf_printf(out, ", within %.2g of the interpreter", all < 1 ? all : one);
  if (!(all < 1))
    ik_buf_printf(out, " after one step; of %lld steps nothing is promised", (long long)steps);
}

static void describe_special(cpu_engine *x) {
  ik_engine        *e = &x->step.base;
  ik_buf           *plan = &x->text.plan;
  const ik_special *how = x->special.how;
  const ik_stmt    *steps = x->special.steps;
  int               terms = x->special.terms;
  double            one = how->bound(x->ir, steps, terms, 1);
  e->bytes += how->bytes(x->ir, steps, x->threads, terms);
  e->bound_step = how->bound(x->ir, steps, terms, 2) - one, e->bound_fixed = one - e->bound_step;
  e->stride = how->stride, e->strategy = x->asked->name;
  e->no_forecast = "the model of the CPU does not cover this strategy";
  ik_buf_free(plan);
  ik_buf_puts(plan, x->asked->name);
  if (terms > 1) ik_buf_printf(plan, ", numbers in %d terms", terms);
  describe_bound(e, steps->count, plan);
  e->plan = ik_buf_text(plan);
}

static void describe(cpu_engine *x, const ik_problem *p) {
  ik_engine *e = &x->step.base;
  e->bytes = bytes_of(x), e->layout = x->parts.layout;
  describe_passes(x);
  if (x->special.how)
    describe_special(x);
  else
    ik_cpu_forecast_price(&x->parts);
  e->roofs = ik_roofs_cpu(p->ir, p->machine, &x->parts.choose.figures, x->threads,
                          x->isa.vector_bytes, &x->arena);
  e->basis = ik_roofs_basis(e->roofs.measured);
}

/* ---- strategies of a special form ---- */

static void find_steps(const ik_stmt *s, void *ctx) {
  cpu_engine *x = ctx;
  if (s->kind == IK_STEPS && (!x->special.steps || s->count > x->special.steps->count))
    x->special.steps = s;
}

/* An override that is no plan is complained of elsewhere. */
static int terms_of(const ik_problem *p) {
  ik_plan plan = {.cpu.vector_bytes = 8, .cpu.terms = p->plan ? p->plan->cpu.terms : 0};
  if (p->override) ik_plan_read(p->override, &plan);
  return ik_max_int(plan.cpu.terms, 1);
}

static ik_status find_special(cpu_engine *x, const ik_problem *p, ik_diag *d) {
  x->asked = ik_strategy_find(p->strategy);
  const ik_special *how = x->special.how = x->asked ? x->asked->special : NULL;
  x->special.terms = terms_of(p);
  if (!how) return IK_OK;
  ik_ir_each_stmt(x->ir, find_steps, x);
  const ik_stmt *steps = x->special.steps;
  const char    *why = steps ? how->illegal(x->ir, steps) : "there is no step loop";
  return why ? ik_strategy_refuse(x->asked, why, d) : IK_OK;
}

/* ---- at work ---- */

/* What is needed late is compiled meanwhile and later. */
static void build(cpu_engine *x) {
  x->code.parts = &x->parts, x->code.arena = &x->arena, x->code.vector_bytes = x->isa.vector_bytes;
  if (!ik_cpu_code_start(&x->code)) expect_interpreter(x);
}

static ik_status attach(cpu_engine *x, ik_state *s, ik_diag *d) {
  ik_engine *e = &x->step.base;
  IK_TRY(ik_stepper_attach(&x->step, s, most_steps(&x->parts), d));
  IK_TRY(ik_cpu_crew_create(&x->crew, &x->parts, s, x->threads, d));
  x->threads = x->crew.threads;
  if (!x->uncompiled) e->threads = x->threads;
  if (e->threads > 1) e->launch = x->parts.choose.figures.wake / x->parts.choose.figures.hertz;
  x->partial = ik_calloc((size_t)x->parts.partial_rows + 1, sizeof *x->partial);
  x->partial_of = ik_calloc((size_t)x->parts.most_reduce + 1, sizeof *x->partial_of);
  x->remainder = ik_remainder_create(x->ir, x->parts.pass, x->parts.npass);
  if (!x->partial || !x->partial_of || !x->remainder) return no_memory(d);
  return x->special.how ? x->special.how->create(s, x->special.steps, x->crew.team,
                                                 x->special.terms, d, &x->special.data)
                        : IK_OK;
}

/* ---- the way of a program, on one screen ---- */

/* To its text, so that memory can be planned before any is taken ... */
static ik_status make(cpu_engine *x, const ik_problem *p, ik_diag *d) {
  ik_compile *c = &x->parts;
  bool        fused = !x->asked || x->asked->fuses;
  if (setjmp(x->arena.oom)) return no_memory(d);
  /* plan: statements -> lists, each with the way to run it */
  IK_TRY(ik_compile_plan(p, &x->isa, x->threads, fused, &x->arena, d, c));
  /* lower: plans -> passes, with kernels as shape/ likes them */
  ik_compile_lower(c);
  /* shape: passes -> arrays as they want to find them */
  lay_out(x);
  /* emit: passes -> C */
  IK_TRY(ik_compile_emit(c, d));
  describe(x, p);
  return IK_OK;
}

/* ... and from there to its steps. */
static ik_status attach_cpu(ik_engine *e, ik_state *s, ik_diag *d) {
  cpu_engine *x = of(e);
  /* build: C -> functions, by compilers that run while arrays are filled */
  build(x);
  /* attach: functions, arrays -> threads that make steps */
  return attach(x, s, d);
}

static const ik_stepper_ops does = {.claim = claim_cpu, .own = own_cpu, .steps = steps_cpu};

static const ik_engine_ops ops = {.attach = attach_cpu,
                                  .touch = touch_cpu,
                                  .ready = ready_cpu,
                                  .run = ik_stepper_run,
                                  .steps = ik_stepper_steps,
                                  .scalar = ik_stepper_scalar,
                                  .share = share_cpu,
                                  .pause = pause_cpu,
                                  .dirty = dirty_cpu,
                                  .destroy = destroy_cpu,
                                  .forecast = forecast_cpu};

static ik_status open_cpu(const ik_problem *p, ik_diag *d, ik_engine **out) {
  cpu_engine *x = ik_calloc(1, sizeof *x);
  *out = NULL;
  if (!x) return no_memory(d);
  ik_arena_init(&x->arena);
  x->step.base.ops = &ops, x->step.does = &does;
  x->ir = p->ir;
  x->code.cache_dir = p->cache_dir;
  x->isa = ik_isa_local();
  if (p->plan) x->isa.vector_bytes = p->plan->cpu.vector_bytes;
  x->threads = p->threads > 0 ? p->threads : x->isa.cores;
  x->rt = (ik_rt){ik_exp,  ik_log, ik_sin,         ik_cos,   ik_tan, ik_tanh,
                  ik_atan, ik_pow, ik_apply_noise, table_at, p->ir};
  *out = &x->step.base;
  ik_status st = find_special(x, p, d);
  if (!st) st = make(x, p, d);
  if (st) destroy_cpu(out);
  return st;
}

static bool probe_cpu(ik_buf *why) {
  (void)why;
  return true;
}

extern const ik_target ik_target_cpu;
const ik_target        ik_target_cpu = {
           .name = "cpu",
           .help = "generated vector code on the cores of this machine",
           .strategies = ik_plan_strategies,
           .probe = probe_cpu,
           .open = open_cpu,
           .propose = ik_cpu_propose,
           .place = ik_cpu_place,
};
