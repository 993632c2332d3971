#include "own.h"
#include "base/mem.h"
#include "runtime/stepper.h"
#include "targets/target.h"
#include <string.h>

int64_t own_free = INT64_MAX;
int     own_fetches, own_fails;

typedef bool flags[IK_MAX_HISTORY + 1]; /* of the levels of a field, the newest first */

typedef struct own_engine {
  ik_stepper  step;
  ik_engine  *inner;
  ik_state   *own;          /* that it works on */
  flags      *here, *there; /* [nfield] is a level in the run's state, in the own one? */
  ik_recorder unheard;      /* of the inner engine */
  double     *tap;
  void       *row; /* a level, its cells one after the other */
} own_engine;

/* ---- copies ---- */

static bool has(const ik_state *s, int field, int level) {
  const ik_slot *slot = &s->slot[field];
  return 1 - level >= slot->first && 1 - level < slot->first + slot->nlevel;
}

/* A level 1 that is folded lives within a step, and some temporaries within a list. */
static bool is_copied(const own_engine *x, int field, int level) {
  return has(x->step.base.state, field, level) && has(x->own, field, level) &&
         !(level == 1 && x->own->slot[field].layout->folded);
}

static void turn(flags *f, int nlevel) {
  bool oldest = (*f)[nlevel - 1];
  memmove(*f + 1, *f, (size_t)nlevel - 1);
  (*f)[0] = oldest;
}

/* Levels take turns with t, which is zero again when a run begins again. */
static void catch_up(own_engine *x) {
  const ik_state *s = x->step.base.state;
  for (; x->own->t < s->t; ik_state_rotate(x->own))
    for (int f = 0; f < s->ir->nfield; f++)
      if (s->ir->field[f].has_new)
        turn(&x->here[f], s->slot[f].nlevel), turn(&x->there[f], s->slot[f].nlevel);
  x->own->t = s->t;
}

static void each_level(own_engine *x, void (*f)(own_engine *x, int field, int level)) {
  for (int field = 0; field < x->step.base.state->ir->nfield; field++)
    for (int level = 1; level > -IK_MAX_HISTORY; level--)
      if (is_copied(x, field, level)) f(x, field, level);
}

static void copy(own_engine *x, int field, int level, ik_state *from, ik_state *to) {
  ik_state_copy_out(from, field, level, x->row);
  ik_state_copy_in(to, field, level, x->row);
}

static void take(own_engine *x, int field, int level) {
  bool *there = &x->there[field][1 - level];
  if (!*there) copy(x, field, level, x->step.base.state, x->own);
  *there = true;
}

/* Not a number, -1, true. */
static void spoil(own_engine *x, int field, int level) {
  memset(ik_state_data(x->step.base.state, field, level), 0xff,
         (size_t)x->step.base.state->slot[field].layout->bytes);
  x->here[field][1 - level] = false;
}

static ik_status fetch_own(ik_engine *e, int field, int level, ik_diag *d) {
  own_engine *x = (own_engine *)e;
  if (own_fails && --own_fails == 0)
    return ik_fail(d, IK_ERR_RESOURCE, IK_E072, IK_NOSPAN, "the device does not answer");
  catch_up(x);
  if (!is_copied(x, field, level) || x->here[field][1 - level]) return IK_OK;
  copy(x, field, level, x->own, e->state);
  x->here[field][1 - level] = true;
  own_fetches++;
  return IK_OK;
}

static void dirty_own(ik_engine *e, int field, int level) {
  own_engine *x = (own_engine *)e;
  catch_up(x);
  x->here[field][1 - level] = true, x->there[field][1 - level] = false;
}

static void pass_numbers(const ik_state *from, ik_state *to) {
  memcpy(to->scalar, from->scalar, (size_t)from->ir->nscalar * sizeof(double));
  to->injected = from->injected;
}

/* What the host has said is dirty; from now on its copies are old. */
static void go_in(own_engine *x) {
  catch_up(x);
  each_level(x, take);
  pass_numbers(x->step.base.state, x->own);
}

static void come_out(own_engine *x) {
  while (x->step.base.state->t < x->own->t) ik_state_rotate(x->step.base.state);
  pass_numbers(x->own, x->step.base.state);
  each_level(x, spoil);
}

/* ---- computing ---- */

/* Assignments to every other field; sums and the rest are the host's. */
static const ik_stmt *claim_half(ik_stepper *x, const ik_stmt *s, const ik_stmt *end, ik_diag *d) {
  (void)x, (void)end, (void)d;
  return s->kind == IK_ASSIGN && s->field % 2 == 0 ? s->next : s;
}

static ik_status run_own(ik_engine *e, const ik_stmt *first, const ik_stmt *end, ik_diag *d) {
  own_engine *x = (own_engine *)e;
  go_in(x);
  ik_status st = x->inner->ops->run(x->inner, first, end, d);
  come_out(x);
  return st;
}

static ik_status steps_own(ik_engine *e, const ik_stmt *steps, int64_t n, ik_recorder *rec,
                           ik_diag *d) {
  own_engine *x = (own_engine *)e;
  for (int64_t most; n > 0; n -= most) {
    most = ik_recorder_until(rec, e->state->t, n);
    for (int i = 0; i < x->unheard.ir->nrecord; i++) x->unheard.trace[i].nsample = 0;
    go_in(x);
    ik_status st = x->inner->ops->steps(x->inner, steps, most, &x->unheard, d);
    come_out(x);
    if (st) return st;
    IK_TRY(ik_engine_sample(e, rec, d));
  }
  return IK_OK;
}

static ik_status rounds_own(ik_engine *e, const ik_stmt *repeat, int64_t most, ik_rounds *out,
                            ik_diag *d) {
  own_engine *x = (own_engine *)e;
  go_in(x);
  ik_status st = ik_engine_rounds(x->inner, repeat, most, out, d);
  come_out(x);
  return st;
}

static ik_status scalar_own(ik_engine *e, const ik_expr *v, double *out, ik_diag *d) {
  own_engine *x = (own_engine *)e;
  pass_numbers(e->state, x->own);
  return x->inner->ops->scalar(x->inner, v, out, d);
}

static ik_status look_own(ik_engine *e, int field, double *most, ik_diag *d) {
  own_engine *x = (own_engine *)e;
  go_in(x);
  return ik_engine_look(x->inner, field, most, d);
}

static ik_status sample_own(ik_engine *e, ik_recorder *rec, ik_diag *d) {
  own_engine *x = (own_engine *)e;
  (void)d;
  for (int i = 0; i < rec->ir->nrecord; i++) {
    const ik_record *r = &rec->ir->record[i];
    if (!ik_recorder_listens(rec, i, e->state->t)) continue;
    for (int k = 0; k < r->npoint * r->ntap; k++)
      x->tap[k] = ik_state_get(x->own, r->field, 0, r->tap[k].at);
    ik_recorder_hear(rec, i, x->tap, NULL);
  }
  return IK_OK;
}

/* ---- the rest is the inner engine's ---- */

static void ready_own(ik_engine *e, ik_diag *d) { ik_engine_ready(((own_engine *)e)->inner, d); }

static void pause_own(ik_engine *e) { ik_engine_pause(((own_engine *)e)->inner); }

static bool forecast_own(const ik_engine *e, const ik_unit *u, int64_t times, ik_forecast *out) {
  const ik_engine *inner = ((const own_engine *)e)->inner;
  return inner->ops->forecast(inner, u, times, out);
}

/* ---- life ---- */

static ik_status no_memory(ik_diag *d) {
  return ik_fail(d, IK_ERR_RESOURCE, IK_E072, IK_NOSPAN, "no memory for an engine's own");
}

static ik_status attach_own(ik_engine *e, ik_state *s, ik_diag *d) {
  own_engine  *x = (own_engine *)e;
  const ik_ir *ir = s->ir;
  int64_t      most = 0, taps = 0;
  IK_TRY(ik_stepper_attach(&x->step, s, 0, d));
  IK_TRY(ik_stepper_need_host(&x->step, d));
  IK_TRY(ik_state_create_in(ir, x->inner->layout, d, &x->own));
  IK_TRY(x->inner->ops->attach(x->inner, x->own, d));
  IK_TRY(ik_recorder_create(&x->unheard, ir, d));
  for (int f = 0; f < ir->nfield; f++)
    most = most > s->slot[f].layout->bytes ? most : s->slot[f].layout->bytes;
  for (int i = 0; i < ir->nrecord; i++) {
    int64_t n = (int64_t)ir->record[i].npoint * ir->record[i].ntap;
    taps = n > taps ? n : taps;
  }
  x->here = ik_calloc((size_t)ir->nfield, sizeof *x->here);
  x->there = ik_calloc((size_t)ir->nfield, sizeof *x->there);
  x->row = ik_malloc((size_t)most);
  x->tap = ik_calloc((size_t)taps, sizeof *x->tap);
  if (!x->here || !x->there || !x->row || !x->tap) return no_memory(d);
  each_level(x, take);
  each_level(x, spoil);
  return IK_OK;
}

static void destroy_own(ik_engine **e) {
  own_engine *x = (own_engine *)*e;
  if (!x) return;
  if (x->inner) x->inner->ops->destroy(&x->inner);
  ik_stepper_free(&x->step);
  ik_state_destroy(&x->own);
  ik_recorder_free(&x->unheard);
  ik_free(x->here), ik_free(x->there), ik_free(x->tap), ik_free(x->row);
  ik_free(x);
  *e = NULL;
}

static const ik_engine_ops full = {.attach = attach_own,
                                   .ready = ready_own,
                                   .run = run_own,
                                   .steps = steps_own,
                                   .rounds = rounds_own,
                                   .scalar = scalar_own,
                                   .pause = pause_own,
                                   .fetch = fetch_own,
                                   .dirty = dirty_own,
                                   .look = look_own,
                                   .sample = sample_own,
                                   .destroy = destroy_own,
                                   .forecast = forecast_own},
                           plain = {.attach = attach_own,
                                    .ready = ready_own,
                                    .run = run_own,
                                    .steps = steps_own,
                                    .scalar = scalar_own,
                                    .pause = pause_own,
                                    .fetch = fetch_own,
                                    .dirty = dirty_own,
                                    .destroy = destroy_own,
                                    .forecast = forecast_own},
                           halves = {.attach = attach_own,
                                     .run = ik_stepper_run,
                                     .steps = ik_stepper_steps,
                                     .scalar = ik_stepper_scalar,
                                     .fetch = fetch_own,
                                     .dirty = dirty_own,
                                     .destroy = destroy_own,
                                     .forecast = forecast_own};

static ik_status own_half(ik_stepper *x, const ik_stmt *first, const ik_stmt *end, ik_diag *d) {
  return run_own(&x->base, first, end, d);
}

static const ik_stepper_ops half = {.claim = claim_half, .own = own_half};

extern const ik_target ik_target_ref, ik_target_cpu, ik_target_wse2, ik_target_wormhole;

static ik_status open_of(const ik_target *inner, const ik_engine_ops *ops, const ik_problem *p,
                         ik_diag *d, ik_engine **out) {
  ik_problem  problem = *p;
  own_engine *x = ik_calloc(1, sizeof *x);
  *out = NULL;
  if (!x) return no_memory(d);
  problem.strategy = NULL;
  ik_status st = inner->open(&problem, d, &x->inner);
  if (st) {
    ik_free(x);
    return st;
  }
  ik_engine *e = *out = &x->step.base;
  *e = *x->inner;
  e->ops = ops, e->layout = NULL, x->step.does = &half;
  e->device = (ik_device){"the second memory", ik_layout_bytes(p->ir, x->inner->layout), own_free};
  return IK_OK;
}

static ik_status open_full(const ik_problem *p, ik_diag *d, ik_engine **out) {
  return open_of(&ik_target_ref, &full, p, d, out);
}

static ik_status open_plain(const ik_problem *p, ik_diag *d, ik_engine **out) {
  const char *way = p->strategy ? p->strategy : "interpreted";
  if (!strcmp(way, "halves")) return open_of(&ik_target_ref, &halves, p, d, out);
  return open_of(strcmp(way, "compiled") ? &ik_target_ref : &ik_target_cpu, &plain, p, d, out);
}

static bool probe(ik_buf *why) {
  (void)why;
  return true;
}

static const char *const strategies[] = {"interpreted", "compiled", "halves", NULL};

const ik_target ik_target_wormhole = {.name = "own",
                                      .help = "the interpreter with memory of its own",
                                      .strategies = strategies,
                                      .probe = probe,
                                      .open = open_full};
const ik_target ik_target_wse2 = {.name = "own-plain",
                                  .help = "an engine with memory of its own that can do little",
                                  .strategies = strategies,
                                  .probe = probe,
                                  .open = open_plain};
