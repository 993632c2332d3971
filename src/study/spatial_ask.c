/* What models and simulations say of a program on a machine, as far as that takes no time. */
#include "study/spatial.h"
#include "target/nero/setup.h"
#include "target/wse2/cycles.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

ik_spatial_case ik_spatial_case_of(const ik_program *p, double steps, ik_arena *a) {
  ik_spatial_case c = {.program = p, .steps = steps, .a = a};
  ik_spatial_work_of(p->ir, &p->facts, &c.work);
  return c;
}

/* The target that simulates it: of the same name, as far as that goes. */
static const ik_target *target_of(const ik_machine *m) {
  for (const ik_target *const *t = ik_targets; *t; t++)
    if ((*t)->simulated && !strncmp(m->name, (*t)->name, strlen((*t)->name))) return *t;
  return NULL;
}

static void note_refusal(const ik_spatial_case *c, const ik_diag *why, ik_spatial_answer *x) {
  if (why->nmsg) x->refused = ik_arena_printf(c->a, "%s", ik_buf_text(&why->msg[0].text));
}

/* ---- any target: a step on a small grid ---- */

enum { QUICK = 20000 }; /* cells of which a step is simulated in no time */

static bool is_quick(const ik_spatial_case *c) { return ik_spatial_cells(&c->work) <= QUICK; }

/* Goes on for a step, and tells how long that took by the machine's clock; below 0: it failed. */
static double advance(ik_engine *e, ik_loop *l, int64_t steps, ik_diag *d) {
  double before = e->simulated->seconds;
  return ik_loop_advance(l, steps, d) ? -1 : e->simulated->seconds - before;
}

/* Seconds of a step (of a round; of all, where nothing is repeated).  The first may have to bear
 * what a run costs in any case: the second counts, if there is one. */
static double time_step(ik_engine *e, ik_loop *l, ik_diag *d) {
  double seconds = advance(e, l, 0, d);
  for (int i = 0; i < 2 && l->at && seconds >= 0; i++) seconds = advance(e, l, 1, d);
  return fmax(seconds, 0);
}

static double simulate(const ik_spatial_case *c, ik_engine *e, ik_diag *d) {
  ik_loop_hooks none = {0};
  ik_state     *state = NULL;
  ik_loop       loop;
  double        seconds = 0;
  if (!is_quick(c) || ik_state_create(c->program->ir, d, &state)) return 0;
  bool attached = !e->ops->attach(e, state, d) && e->simulated;
  if (attached && !ik_loop_create(&loop, e, 0, &none, d)) {
    seconds = time_step(e, &loop, d);
    ik_loop_free(&loop);
  }
  ik_state_destroy(&state);
  return seconds;
}

static void ask_target(const ik_spatial_case *c, ik_spatial_answer *x) {
  ik_problem problem = {.ir = c->program->ir, .facts = &c->program->facts, .machine = x->machine};
  ik_diag    why = {0};
  ik_engine *engine = NULL;
  if (!x->target->open(&problem, &why, &engine))
    x->simulated = simulate(c, engine, &why);
  else
    note_refusal(c, &why, x);
  if (engine) engine->ops->destroy(&engine);
  ik_diag_free(&why);
}

/* ---- the wafer: a patch of it, however large the grid ---- */

enum { PATCH = 12, CYCLES = 10000000 }; /* along an axis; of all elements, half a second's worth */

static ik_status add_cycles(const ik_wse2_layout *l, const ik_wse2_timing *t, ik_wse2_list list,
                            ik_diag *d, double *cycles) {
  ik_wse2_time time;
  double       longer;
  IK_TRY(ik_wse2_time_of(l, t, list, 0, NULL, d, &time));
  IK_TRY(ik_wse2_longer_way(l, t, list, &time, d, &longer));
  *cycles += (double)time.cycles + longer;
  return IK_OK;
}

/* What is repeated, and what tells whether it is; without a loop, all. */
static ik_status count_cycles(const ik_spatial_case *c, const ik_wse2_layout *l,
                              const ik_wse2_timing *t, ik_diag *d, double *cycles) {
  const ik_subject *s = &c->program->facts.subject;
  const ik_stmt    *body = s->loop ? s->loop->body : c->program->ir->body;
  *cycles = 0;
  if (s->loop && s->loop->pre)
    IK_TRY(add_cycles(l, t, (ik_wse2_list){s->loop->pre, NULL, false}, d, cycles));
  return add_cycles(l, t, (ik_wse2_list){body, NULL, s->steps}, d, cycles);
}

static ik_status map_wafer(const ik_spatial_case *c, ik_spatial_answer *x, ik_diag *d) {
  ik_wse2_timing  timing;
  ik_wse2_mapping map;
  ik_wse2_layout  layout;
  double          cycles;
  IK_TRY(ik_wse2_timing_of(x->machine, d, &timing));
  IK_TRY(ik_wse2_map_of(c->program->ir, &timing, c->a, d, &map));
  if (!x->known || x->time.seconds * timing.clock * PATCH * PATCH > CYCLES) return IK_OK;
  ik_wse2_layout_of(&map, c->a, &layout);
  IK_TRY(count_cycles(c, &layout, &timing, d, &cycles));
  x->simulated = cycles / timing.clock;
  return IK_OK;
}

static void ask_wafer(const ik_spatial_case *c, ik_spatial_answer *x) {
  ik_diag why = {0};
  if (map_wafer(c, x, &why)) note_refusal(c, &why, x);
  ik_diag_free(&why);
}

/* ---- the board: a window ---- */

/* To know whether it can run the program, a small window will do; its time is that of the window
 * known to be good. */
static ik_nero_wish wish_of(const ik_spatial_case *c, const ik_machine *m, bool timed) {
  const char  *window = ik_spatial_window(m, &c->work);
  ik_nero_wish w = {.has_window = true, .window = {8, 2, 0}, .elements = 1};
  if (!timed || !window) return w;
  w.elements = 0;
  sscanf(window, "%" SCNd64 "x%" SCNd64 "x%" SCNd64, &w.window[0], &w.window[1], &w.window[2]);
  return w;
}

static void ask_board(const ik_spatial_case *c, ik_spatial_answer *x) {
  ik_diag       why = {0};
  ik_nero_setup s;
  double        channel;
  bool          shared = ik_machine_number(x->machine, "channel", "B/s", &channel);
  bool          timed = !shared || is_quick(c); /* one element is simulated, or all together */
  ik_nero_wish  wish = wish_of(c, x->machine, timed);
  if (ik_nero_setup_of(x->machine->name, c->program->ir, &wish, c->a, &why, &s))
    note_refusal(c, &why, x);
  else
    for (int i = 0; i < s.work.n && timed; i++) x->simulated += ik_nero_kernel_seconds(&s, i);
  ik_diag_free(&why);
}

/* ---- all ---- */

const ik_spatial_answer *ik_spatial_ask(const ik_spatial_case *c, const ik_machine *m) {
  static void (*const ask[])(const ik_spatial_case *,
                             ik_spatial_answer *) = {[IK_SPATIAL_NONE] = ask_target,
                                                     [IK_SPATIAL_WAFER] = ask_wafer,
                                                     [IK_SPATIAL_TILES] = ask_target,
                                                     [IK_SPATIAL_FPGA] = ask_board};
  ik_spatial_answer *x = IK_NEW(c->a, ik_spatial_answer);
  x->machine = m, x->target = target_of(m);
  x->known = ik_spatial_of(m, &c->work, &x->time);
  if (x->target && !c->varied) ask[ik_spatial_kind_of(m)](c, x);
  if (!x->refused && x->known && !x->time.fits) x->refused = x->time.why;
  return x;
}
