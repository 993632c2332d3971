/* wse2: a wafer of processing elements, simulated.  The values come from values.h, the time from
 * ledger.h. */
#include "base/mem.h"
#include "targets/hosted.h"
#include "targets/simulated/wse2/ledger.h"
#include "targets/simulated/wse2/print.h"
#include "targets/simulated/wse2/reference.h"
#include "targets/simulated/wse2/values.h"
#include <string.h>
#include <unistd.h>

typedef enum way {
  VALUES,    /* values of all elements without their clock, the time from a patch */
  CYCLES,    /* all elements cycle by cycle */
  REFERENCE, /* the interpreter under the rule */
} way;

typedef struct wse2_engine {
  ik_hosted          hosted;
  way                way;
  int                threads;
  ik_arena           arena; /* of the mapping */
  const ik_machine  *machine;
  ik_wse2_timing     timing;
  ik_wse2_mapping    map;
  ik_wse2_layout     layout;
  ik_wse2_reference *reference;
  ik_wse2_values    *values;
  ik_wse2_ledger    *ledger;
  ik_wse2_list       list; /* at hand */
  ik_buf             plan, loops, code;
} wse2_engine;

static const ik_wse2_code **codes(const ik_wse2_mapping *m, ik_arena *a, int *n) {
  const ik_wse2_code **code = IK_NEW_N(a, const ik_wse2_code *, m->njob);
  *n = 0;
  for (int i = 0; i < m->njob; i++)
    if (m->job[i].code) code[(*n)++] = m->job[i].code;
  return code;
}

/* ---- opening ---- */

static ik_status no_memory(ik_diag *d) {
  return ik_fail(d, IK_ERR_RESOURCE, IK_E072, IK_NOSPAN, "no memory for the wafer's program");
}

/* What an element in the middle does in the first loop. */
static void say_code(wse2_engine *x) {
  const ik_stmt *s = x->map.ir->body;
  int64_t        at[2];
  for (int d = 0; d < 2; d++) at[d] = x->map.first[d] + x->map.size[d] / 2;
  while (s && !ik_stmt_is_loop(s)) s = s->next;
  if (s)
    ik_wse2_program_print(
        ik_wse2_program_of(&x->layout, s->body, NULL, at, s->kind == IK_STEPS, &x->arena),
        &x->code);
  ik_wse2_map_print(&x->map, &x->loops);
  x->hosted.step.base.loops = ik_buf_text(&x->loops),
  x->hosted.step.base.code = ik_buf_text(&x->code);
}

static void say_plan(wse2_engine *x) {
  const ik_wse2_mapping *m = &x->map;
  ik_buf_printf(&x->plan, "broadcast on %lld x %lld elements, columns of %lld cell%s in %d piece%s",
                (long long)m->size[0], (long long)m->size[1], (long long)m->column,
                m->column == 1 ? "" : "s", m->chunks, m->chunks == 1 ? "" : "s");
  x->hosted.step.base.plan = ik_buf_text(&x->plan);
}

/* The problem's, if that is a wafer. */
static ik_status find_machine(wse2_engine *x, const ik_problem *p, ik_diag *d) {
  const char *kind = p->machine ? ik_machine_text(p->machine, "kind") : NULL;
  ik_machine *wse2;
  x->machine = p->machine;
  if (kind && strcmp(kind, "wafer") == 0) return IK_OK;
  IK_TRY(ik_machine_find("wse2", &x->arena, d, &wse2));
  x->machine = wse2;
  return IK_OK;
}

static ik_status map_program(wse2_engine *x, const ik_problem *p, ik_diag *d) {
  int ncode;
  if (setjmp(x->arena.oom)) return no_memory(d);
  IK_TRY(find_machine(x, p, d));
  IK_TRY(ik_wse2_timing_of(x->machine, d, &x->timing));
  IK_TRY(ik_wse2_map_of(p->ir, &x->timing, &x->arena, d, &x->map));
  if (x->way == CYCLES && x->map.formula)
    return ik_fail(d, IK_ERR_UNSUPPORTED, IK_E082, IK_NOSPAN,
                   "wse2: strategy 'cycles' needs boundaries along the fabric that are constants");
  ik_wse2_layout_of(&x->map, &x->arena, &x->layout);
  const ik_wse2_code **code = codes(&x->map, &x->arena, &ncode);
  x->hosted.step.base.bytes = ik_interp_bytes(p->ir);
  if (x->way == REFERENCE) x->hosted.step.base.bytes += ik_wse2_reference_bytes(&x->map);
  if (x->way == VALUES) x->hosted.step.base.bytes += ik_wse2_values_bytes(code, ncode, x->threads);
  ik_hosted_model(&x->hosted, p, x->way == REFERENCE ? NULL : x->machine);
  say_plan(x);
  if (x->way != REFERENCE) say_code(x);
  return IK_OK;
}

static ik_status make_values(wse2_engine *x, ik_diag *d) {
  int ncode;
  if (setjmp(x->arena.oom)) return no_memory(d);
  const ik_wse2_code **code = codes(&x->map, &x->arena, &ncode);
  return ik_wse2_values_create(x->hosted.step.base.state, code, ncode, x->threads, d, &x->values);
}

static ik_status attach_wse2(ik_engine *e, ik_state *s, ik_diag *d) {
  wse2_engine *x = (wse2_engine *)e;
  IK_TRY(ik_hosted_attach(&x->hosted, s, d));
  if (x->way == REFERENCE) return ik_wse2_reference_create(s, &x->map, d, &x->reference);
  IK_TRY(ik_wse2_ledger_create(&x->layout, &x->timing, x->machine, d, &x->ledger));
  e->simulated = ik_wse2_ledger_simulated(x->ledger);
  return x->way == VALUES ? make_values(x, d) : IK_OK;
}

static void destroy_wse2(ik_engine **e) {
  wse2_engine *x = (wse2_engine *)*e;
  if (!x) return;
  ik_wse2_ledger_destroy(&x->ledger);
  ik_wse2_values_destroy(&x->values);
  ik_wse2_reference_destroy(&x->reference);
  ik_stepper_free(&x->hosted.step);
  ik_buf_free(&x->plan), ik_buf_free(&x->loops), ik_buf_free(&x->code);
  ik_arena_free(&x->arena);
  ik_free(x);
  *e = NULL;
}

/* ---- running ---- */

static void sweep(wse2_engine *x, const ik_stmt *s) {
  int64_t lo = s->box.lo[2], n = s->box.hi[2] - lo;
  for (int64_t i = 0; i < n; i++) {
    int64_t z = s->dir[0] > 0 ? lo + i : lo + n - 1 - i;
    for (const ik_stmt *b = s->body; b; b = b->next) {
      ik_box part = b->box;
      if (z < part.lo[2] || z >= part.hi[2]) continue;
      part.lo[2] = z, part.hi[2] = z + 1;
      ik_wse2_values_assign(x->values, ik_wse2_job_of(&x->map, b)->code, &part);
    }
  }
}

/* Initial values, numbers, and what elements cannot compute are not theirs. */
static bool is_elements(const wse2_engine *x, const ik_stmt *s) {
  if (s->kind == IK_SWEEP) s = s->body;
  const ik_wse2_job *j = s ? ik_wse2_job_of(&x->map, s) : NULL;
  return j && j->code;
}

static void run_elements(wse2_engine *x, const ik_stmt *s) {
  const ik_wse2_job *j = ik_wse2_job_of(&x->map, s);
  if (x->reference)
    ik_wse2_reference_run(x->reference, s);
  else if (s->kind == IK_SWEEP)
    sweep(x, s);
  else if (s->kind == IK_ASSIGN)
    ik_wse2_values_assign(x->values, j->code, &s->box);
  else
    ik_wse2_values_reduce(x->values, j->code);
}

/* ---- time ---- */

/* Up to a statement that the host does, or needs what was reduced. */
static const ik_stmt *together(const wse2_engine *x, const ik_stmt *s, const ik_stmt *end) {
  for (; s != end && is_elements(x, s); s = s->next)
    if (s->kind == IK_REDUCE) return s->next;
  return s;
}

static ik_status replay(wse2_engine *x, const ik_stmt *first, const ik_stmt *end, ik_diag *d) {
  ik_wse2_list part = {first, end, x->list.step && first == x->list.first};
  ik_wse2_time t;
  IK_TRY(ik_wse2_replay(&x->layout, &x->timing, x->list.first, part, x->hosted.step.base.state,
                        x->hosted.step.host, ik_wse2_ledger_watch(x->ledger, part), d, &t));
  return ik_wse2_ledger_note(x->ledger, part, &t, d);
}

/* ---- what the loop asks for ---- */

static const ik_stmt *claim_wse2(ik_stepper *st, const ik_stmt *s, const ik_stmt *end, ik_diag *d) {
  wse2_engine *x = (wse2_engine *)st;
  (void)d;
  if (x->way == CYCLES) return together(x, s, end);
  return is_elements(x, s) ? s->next : s;
}

static ik_status own_wse2(ik_stepper *st, const ik_stmt *first, const ik_stmt *end, ik_diag *d) {
  wse2_engine *x = (wse2_engine *)st;
  if (x->way == CYCLES) return replay(x, first, end, d);
  run_elements(x, first);
  return IK_OK;
}

static bool is_step(const ik_ir *ir, const ik_stmt *first) {
  for (const ik_stmt *s = ir->body; s; s = s->next)
    if (s->kind == IK_STEPS && s->body == first) return true;
  return false;
}

static bool has_elements(const wse2_engine *x, const ik_stmt *s, const ik_stmt *end) {
  while (s != end && !is_elements(x, s)) s = s->next;
  return s != end;
}

static ik_status run_wse2(ik_engine *e, const ik_stmt *first, const ik_stmt *end, ik_diag *d) {
  wse2_engine *x = (wse2_engine *)e;
  x->list = (ik_wse2_list){first, end, is_step(e->state->ir, first)};
  if (x->way == VALUES && has_elements(x, first, end))
    IK_TRY(ik_wse2_ledger_add(x->ledger, x->list, d));
  return ik_stepper_run(e, first, end, d);
}

static const ik_stepper_ops does = {.claim = claim_wse2, .own = own_wse2};

static const ik_engine_ops ops = {.attach = attach_wse2,
                                  .run = run_wse2,
                                  .steps = ik_stepper_steps,
                                  .scalar = ik_stepper_scalar,
                                  .destroy = destroy_wse2,
                                  .forecast = ik_hosted_forecast};

/* Both broadcast; the second counts the cycles of all elements, not of a patch. */
static const char *const strategies[] = {"broadcast", "cycles", NULL};

static int processors(void) {
  long n = sysconf(_SC_NPROCESSORS_ONLN);
  return n > 0 && n < 256 ? (int)n : 1;
}

static ik_status open_as(const ik_problem *p, way w, ik_diag *d, ik_engine **out) {
  *out = NULL;
  IK_TRY(ik_hosted_no_override(p, "wse2", d));
  wse2_engine *x = ik_calloc(1, sizeof *x);
  if (!x) return no_memory(d);
  ik_arena_init(&x->arena);
  x->hosted.step.does = &does;
  x->hosted.step.base = (ik_engine){.ops = &ops, .stride = 1, .strategy = p->strategy};
  if (!p->strategy) x->hosted.step.base.strategy = strategies[0];
  x->way = w, x->threads = p->threads > 0 ? p->threads : processors();
  *out = &x->hosted.step.base;
  ik_status st = map_program(x, p, d);
  if (st) destroy_wse2(out);
  return st;
}

static ik_status open_wse2(const ik_problem *p, ik_diag *d, ik_engine **out) {
  bool cycles = p->strategy && strcmp(p->strategy, "cycles") == 0;
  return open_as(p, cycles ? CYCLES : VALUES, d, out);
}

static ik_status open_rule(const ik_problem *p, ik_diag *d, ik_engine **out) {
  return open_as(p, REFERENCE, d, out);
}

static const ik_target rule = {
    .name = "wse2/rule",
    .help = "the interpreter under the arithmetic of the wafer",
    .strategies = strategies,
    .probe = ik_hosted_probe,
    .open = open_rule,
};

extern const ik_target ik_target_wse2;
const ik_target        ik_target_wse2 = {
           .name = "wse2",
           .help = "a wafer of elements: x, y on its fabric, z in their memories",
           .simulated = true,
           .strategies = strategies,
           .probe = ik_hosted_probe,
           .open = open_wse2,
           .rule = &rule,
};
