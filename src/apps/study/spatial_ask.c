/* What models and simulations say of a program on a machine, as far as that takes no time. */
#include "apps/study/spatial.h"
#include "targets/simulated/nero/setup.h"
#include "targets/simulated/wormhole/cycles.h"
#include "targets/simulated/wse2/cycles.h"
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

/* ---- the wafer: a patch of it, however large the grid ---- */

/* Elements of a patch along an axis; cycles of all of them: a fifth of a second's worth, or 10 ms.
 * The program of an element has every level of a sweep, which takes its time as well. */
enum { PATCH = 12, CYCLES = 10000000, FEW_CYCLES = 500000 };

static bool is_short(const ik_spatial_case *c, double cycles) {
  bool sweeps = c->program->facts.subject.nsweep > 0;
  return cycles * PATCH * PATCH <= (c->brief ? FEW_CYCLES : CYCLES) && !(c->brief && sweeps);
}

/* Elements that are simulated, and of how many. */
static const char *part_of(const ik_wse2_layout *l, const ik_wse2_time *t, ik_arena *a) {
  long long x = l->map->size[0], y = l->map->size[1];
  if (t->nx == x && t->ny == y)
    return ik_arena_printf(a, "all %lld x %lld elements, cycle by cycle", x, y);
  return ik_arena_printf(a,
                         "a patch of %d x %d of the %lld x %lld elements, cycle by cycle, the "
                         "others by the same schedule",
                         t->nx, t->ny, x, y);
}

static ik_status add_cycles(const ik_wse2_layout *l, const ik_wse2_timing *t, ik_wse2_list list,
                            ik_diag *d, ik_wse2_time *time, double *cycles) {
  double longer;
  IK_TRY(ik_wse2_time_of(l, t, list, 0, NULL, d, time));
  IK_TRY(ik_wse2_longer_way(l, t, list, time, d, &longer));
  *cycles += (double)time->cycles + longer;
  return IK_OK;
}

/* What is repeated, and what tells whether it is; without a loop, all. */
static ik_status count_cycles(const ik_spatial_case *c, const ik_wse2_layout *l,
                              const ik_wse2_timing *t, ik_diag *d, ik_wse2_time *time,
                              double *cycles) {
  const ik_subject *s = &c->program->facts.subject;
  const ik_stmt    *body = s->loop ? s->loop->body : c->program->ir->body;
  *cycles = 0;
  if (s->loop && s->loop->pre)
    IK_TRY(add_cycles(l, t, (ik_wse2_list){s->loop->pre, NULL, false}, d, time, cycles));
  return add_cycles(l, t, (ik_wse2_list){body, NULL, s->steps}, d, time, cycles);
}

static ik_status map_wafer(const ik_spatial_case *c, ik_spatial_answer *x, ik_diag *d) {
  ik_wse2_timing  timing;
  ik_wse2_mapping map;
  ik_wse2_layout  layout;
  ik_wse2_time    time;
  double          cycles;
  IK_TRY(ik_wse2_timing_of(x->machine, d, &timing));
  IK_TRY(ik_wse2_map_of(c->program->ir, &timing, c->a, d, &map));
  if (!x->known || !is_short(c, x->time.seconds * timing.clock)) return IK_OK;
  ik_wse2_layout_of(&map, c->a, &layout);
  IK_TRY(count_cycles(c, &layout, &timing, d, &time, &cycles));
  x->simulated = cycles / timing.clock;
  x->run = timing.run_seconds;
  x->part = part_of(&layout, &time, c->a);
  return IK_OK;
}

static void ask_wafer(const ik_spatial_case *c, ik_spatial_answer *x) {
  ik_diag why = {0};
  if (map_wafer(c, x, &why)) note_refusal(c, &why, x);
  ik_diag_free(&why);
}

/* ---- the chip: all cores and tiles of a round, without their values ---- */

static ik_status map_chip(const ik_spatial_case *c, ik_spatial_answer *x, ik_diag *d) {
  ik_wormhole_map map;
  int64_t         cycles;
  IK_TRY(ik_wormhole_map_of(c->program->ir, x->machine, NULL, c->a, d, &map));
  IK_TRY(ik_wormhole_round(&map, d, &cycles));
  x->simulated = (double)cycles / map.figures.clock * map.figures.host;
  x->part = "a round on all cores, tile by tile, without values";
  return IK_OK;
}

static void ask_chip(const ik_spatial_case *c, ik_spatial_answer *x) {
  ik_diag why = {0};
  if (map_chip(c, x, &why)) note_refusal(c, &why, x);
  ik_diag_free(&why);
}

/* ---- the board: a window ---- */

enum { QUICK = 20000 }; /* cells of which a step is simulated in no time */

static bool is_quick(const ik_spatial_case *c) { return ik_spatial_cells(&c->work) <= QUICK; }

/* To know whether it can run the program, a small window will do; its time is that of the window
 * known to be good. */
static ik_nero_override override_of(const ik_spatial_case *c, const ik_machine *m, bool timed) {
  const char      *window = ik_spatial_window(m, &c->work);
  ik_nero_override w = {.has_window = true, .window = {8, 2, 0}, .elements = 1};
  if (!timed || !window) return w;
  w.elements = 0;
  sscanf(window, "%" SCNd64 "x%" SCNd64 "x%" SCNd64, &w.window[0], &w.window[1], &w.window[2]);
  return w;
}

static void ask_board(const ik_spatial_case *c, ik_spatial_answer *x) {
  ik_diag          why = {0};
  ik_nero_setup    s;
  double           channel;
  bool             shared = ik_machine_number(x->machine, "channel", "B/s", &channel);
  bool             timed = !shared || is_quick(c); /* one element is simulated, or all together */
  ik_nero_override override = override_of(c, x->machine, timed);
  if (ik_nero_setup_of(x->machine, c->program->ir, &override, c->a, &why, &s))
    note_refusal(c, &why, x);
  else
    for (int i = 0; i < s.work.n && timed; i++) x->simulated += ik_nero_kernel_seconds(&s, i);
  if (x->simulated > 0) x->run = ik_nero_link_seconds(&s);
  if (x->simulated > 0)
    x->part = shared ? "a window on all elements, which share a channel, word by word"
                     : "a window on one element, word by word; the others do the same";
  ik_diag_free(&why);
}

/* ---- all ---- */

const ik_spatial_answer *ik_spatial_ask(const ik_spatial_case *c, const ik_machine *m) {
  static void (*const ask[])(const ik_spatial_case *, ik_spatial_answer *) = {
      [IK_SPATIAL_WAFER] = ask_wafer, [IK_SPATIAL_TILES] = ask_chip, [IK_SPATIAL_FPGA] = ask_board};
  ik_spatial_answer *x = IK_NEW(c->a, ik_spatial_answer);
  x->machine = m, x->target = target_of(m);
  x->known = ik_spatial_of(m, &c->work, &x->time);
  if (x->target && ask[ik_spatial_kind_of(m)]) ask[ik_spatial_kind_of(m)](c, x);
  if (!x->refused && x->known && !x->time.fits) x->refused = x->time.why;
  return x;
}
