/* wormhole: a simulated Tenstorrent Wormhole die as a target, and the interpreter under its rule.
 */
#include "base/mem.h"
#include "targets/hosted.h"
#include "targets/simulated/wormhole/account.h"

typedef struct wormhole_engine {
  ik_hosted            hosted; /* by it: initial values, scalars, sources */
  ik_arena             arena;
  ik_wormhole_map      map;
  bool                 ruled; /* no chip: the interpreter computes under the rule */
  ik_wormhole_chip    *chip;
  ik_wormhole_account *account;
  ik_buf               plan;
} wormhole_engine;

static ik_status no_memory(ik_diag *d) {
  return ik_fail(d, IK_ERR_RESOURCE, IK_E072, IK_NOSPAN, "no memory for wormhole");
}

/* ---- engine ---- */

static ik_status attach_wormhole(ik_engine *e, ik_state *s, ik_diag *d) {
  wormhole_engine *x = (wormhole_engine *)e;
  IK_TRY(ik_hosted_attach(&x->hosted, s, d));
  if (x->ruled) return ik_interp_follow(x->hosted.step.host, &x->map.rule, d);
  return ik_wormhole_chip_create(&x->map, x->hosted.step.host, d, &x->chip);
}

/* Initial values are the host's, and everything where there is no chip. */
static const ik_stmt *claim_wormhole(ik_stepper *st, const ik_stmt *s, const ik_stmt *end,
                                     ik_diag *d) {
  (void)d;
  bool on_chip = !((wormhole_engine *)st)->ruled && ik_rule_holds(st->base.state->ir, s);
  return on_chip ? end : s;
}

static ik_status own_wormhole(ik_stepper *st, const ik_stmt *first, const ik_stmt *end,
                              ik_diag *d) {
  wormhole_engine *x = (wormhole_engine *)st;
  ik_state        *state = st->base.state;
  ik_wormhole_upload(x->chip, state, first, end);
  for (const ik_stmt *s = first; s != end; s = s->next) {
    if (s->kind == IK_SET) IK_TRY(ik_stepper_host(st, s, s->next, d));
    if (s->kind != IK_ASSIGN && s->kind != IK_REDUCE) continue;
    double v = ik_wormhole_compute(x->chip, ik_wormhole_code_of(&x->map, s));
    if (s->kind == IK_REDUCE) state->scalar[s->scalar] = v;
  }
  ik_wormhole_download(x->chip, state, first, end);
  return ik_wormhole_account_add(x->account, first, end, d);
}

static void pause_wormhole(ik_engine *e) {
  wormhole_engine *x = (wormhole_engine *)e;
  if (x->account) ik_wormhole_account_validate(x->account);
}

static void destroy_wormhole(ik_engine **e) {
  wormhole_engine *x = (wormhole_engine *)*e;
  if (!x) return;
  ik_wormhole_account_free(x->account);
  ik_wormhole_chip_destroy(&x->chip);
  ik_stepper_free(&x->hosted.step);
  ik_arena_free(&x->arena), ik_buf_free(&x->plan);
  ik_free(x);
  *e = NULL;
}

static const ik_stepper_ops does = {.claim = claim_wormhole, .own = own_wormhole};

static const ik_engine_ops ops = {.attach = attach_wormhole,
                                  .run = ik_stepper_run,
                                  .steps = ik_stepper_steps,
                                  .scalar = ik_stepper_scalar,
                                  .pause = pause_wormhole,
                                  .destroy = destroy_wormhole,
                                  .forecast = ik_hosted_forecast};

/* ---- target ---- */

static ik_status set_up(wormhole_engine *x, const ik_problem *p, ik_diag *d) {
  ik_engine *e = &x->hosted.step.base;
  if (setjmp(x->arena.oom)) return no_memory(d);
  IK_TRY(ik_wormhole_map_of(p->ir, p->machine, p->override, &x->arena, d, &x->map));
  ik_wormhole_map_print(&x->map, &x->plan);
  e->plan = ik_buf_text(&x->plan);
  e->bytes = ik_interp_bytes(p->ir);
  ik_hosted_model(&x->hosted, p, x->ruled ? NULL : x->map.figures.machine);
  if (x->ruled) return IK_OK;
  e->bytes += ik_wormhole_chip_bytes(&x->map);
  x->account = ik_wormhole_account_of(&x->map, &x->arena);
  e->simulated = ik_wormhole_account_show(x->account);
  return IK_OK;
}

static ik_status open_engine(const ik_problem *p, bool ruled, ik_diag *d, ik_engine **out) {
  wormhole_engine *x = ik_calloc(1, sizeof *x);
  *out = NULL;
  if (!x) return no_memory(d);
  ik_arena_init(&x->arena);
  x->hosted.step.does = &does;
  x->hosted.step.base = (ik_engine){.ops = &ops, .stride = 1, .strategy = "tiles"};
  x->ruled = ruled;
  *out = &x->hosted.step.base;
  ik_status st = set_up(x, p, d);
  if (st) destroy_wormhole(out);
  return st;
}

static ik_status open_wormhole(const ik_problem *p, ik_diag *d, ik_engine **out) {
  return open_engine(p, false, d, out);
}

static ik_status open_rule(const ik_problem *p, ik_diag *d, ik_engine **out) {
  return open_engine(p, true, d, out);
}

static const char *const strategies[] = {"tiles", NULL};

static const ik_target rule = {
    .name = "wormhole/rule",
    .help = "the interpreter under wormhole's rule",
    .strategies = strategies,
    .probe = ik_hosted_probe,
    .open = open_rule,
};

extern const ik_target ik_target_wormhole;
const ik_target        ik_target_wormhole = {
           .name = "wormhole",
           .help = "a die of Tenstorrent Wormhole: tiles of 64 x 16 cells, f32 and bf16",
           .simulated = true,
           .strategies = strategies,
           .probe = ik_hosted_probe,
           .open = open_wormhole,
           .rule = &rule,
};
