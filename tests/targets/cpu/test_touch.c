/* Whose cells are whose, and that all pages are there afterwards. */
#define _GNU_SOURCE /* mincore */
#include "targets/cpu/touch.h"
#include "base/mem.h"
#include "check.h"
#include "random/trial.h"
#include "targets/cpu/drive.h"
#include "targets/cpu/isa.h"
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

typedef struct planned {
  trial      t; /* the program */
  ik_compile parts;
  ik_isa     isa;
} planned;

static bool open_plan(planned *p, const char *text, const char *how, int threads) {
  static const ik_plan any = {.target = "cpu", .strategy = "sweep", .steps = 1};
  memset(p, 0, sizeof *p);
  if (!trial_open(&p->t, "touch", text)) return false;
  ik_plan words = any;
  words.cpu.rows = words.cpu.vectors = words.cpu.planes = 1, words.cpu.vector_bytes = 16;
  CHECK(ik_plan_read(how, &words));
  p->isa = ik_isa_local(), p->isa.vector_bytes = 16;
  ik_problem problem = {.ir = p->t.ir, .plan = &words, .threads = threads};
  problem.strategy = words.strategy;
  ik_status st =
      ik_compile_plan(&problem, &p->isa, threads, true, &p->t.arena, &p->t.diag, &p->parts);
  CHECK_EQ(st, IK_OK);
  if (!st) ik_compile_lower(&p->parts);
  return !st;
}

static void close_plan(planned *p) {
  ik_compile_free(&p->parts);
  trial_close(&p->t);
}

/* The box that has a cell; it must be one. */
static int64_t box_of(const ik_homes *h, const int64_t at[IK_MAX_DIM]) {
  int64_t found = -1, n = 0;
  for (int64_t i = 0; i < h->n; i++) {
    ik_box b = ik_homes_box(h, i);
    bool   in = true;
    for (int d = 0; d < IK_MAX_DIM; d++) in = in && b.lo[d] <= at[d] && at[d] < b.hi[d];
    if (in) found = i, n++;
  }
  CHECK_EQ(n, 1);
  return found;
}

static int64_t box_at(const ik_homes *h, int64_t x, int64_t y, int64_t z) {
  return box_of(h, (int64_t[]){x, y, z});
}

#define HEAT(more)                                                                                 \
  "grid x = 64, y = 40, z = 20\nfield u, k : f32 = noise(1)\nfield l : f32, on (x+1, y, z)\n"      \
  "boundary u = 0\nboundary k, l = copy\nstep 8 { u' = u + k*laplacian(u) " more " }\n"

static void each_cell_has_a_home(const char *text, const char *how, int threads, int64_t n) {
  static planned p;
  if (open_plan(&p, text, how, threads))
    for (int f = 0; f < p.t.ir->nfield; f++) {
      const ik_box *b = &p.t.ir->field[f].box;
      ik_homes      h = ik_homes_of(&p.parts, f, threads);
      CHECK_EQ(h.n, n);
      for (int64_t z = b->lo[2]; z < b->hi[2]; z++)
        for (int64_t y = b->lo[1]; y < b->hi[1]; y++) box_at(&h, b->lo[0], y, z);
      box_at(&h, b->hi[0] - 1, b->hi[1] - 1, b->hi[2] - 1);
    }
  close_plan(&p);
}

CASE(tiles_of_passes_are_homes) {
  each_cell_has_a_home(HEAT("+ l"), "sweep tile=0,10,5", 3, 16);
  each_cell_has_a_home(HEAT("+ l"), "sweep tile=32,0,0", 3, 2);
  each_cell_has_a_home(HEAT("+ l"), "fuse steps=2 tile=0,20,0", 3, 2);
}

/* Fronts are dealt along the last axis. */
CASE(fronts_have_equal_parts_of_the_last_axis) {
  each_cell_has_a_home(HEAT("+ l"), "hex steps=2 tile=0,0,8", 3, 3);
  each_cell_has_a_home(HEAT("+ l"), "skew steps=2 tile=0,0,6", 4, 4);
  each_cell_has_a_home(HEAT("+ l"), "hex steps=2 tile=0,0,8", 100, 20);
}

CASE(slabs_are_taken_in_turn) {
  static planned p;
  if (open_plan(&p, HEAT(""), "skew steps=2 tile=0,8,0", 2)) {
    ik_homes h = ik_homes_of(&p.parts, 0, 2);
    CHECK(h.turns && !h.pass && h.axis == 1 && h.width == 8 && h.n == 5);
  }
  close_plan(&p);
}

#define SWEEP(body) "grid x = 256, y = 256\nfield u, w : f64 = noise(1)\nboundary u = 0\n" body

CASE(sweeps_have_homes_as_they_are_shared) {
  static planned p;
  if (open_plan(&p, SWEEP("step 3 { sweep x up { u = 0.5*u[-1,0] + 0.1*u } }\n"), "sweep", 4)) {
    ik_homes h = ik_homes_of(&p.parts, 0, 4);
    CHECK(!h.turns && !h.pass && h.axis == 1 && h.width == 64 && h.n == 4);
  }
  close_plan(&p);
  if (open_plan(&p, SWEEP("step 3 { sweep x up, y up { u = u[-1,0] + u[0,-1] } }\n"), "sweep", 4)) {
    ik_homes h = ik_homes_of(&p.parts, 0, 4);
    CHECK(h.turns && !h.pass && h.axis == 1 && h.width == 8 && h.n == 32);
  }
  close_plan(&p);
}

/* Nobody computes `w`. */
CASE(what_the_main_loop_does_not_meet_is_shared_equally) {
  static planned p;
  if (open_plan(&p, SWEEP("step 3 { u' = 0.5*u }\n"), "sweep tile=0,8", 3)) {
    ik_homes u = ik_homes_of(&p.parts, 0, 3), w = ik_homes_of(&p.parts, 1, 3);
    CHECK(u.pass && u.n == 32);
    CHECK(!w.pass && !w.turns && w.axis == 1 && w.n == 3 && w.width == 86);
  }
  close_plan(&p);
}

/* ---- pages ---- */

static bool is_there(const void *at) {
  unsigned char in = 0;
  uintptr_t     page = (uintptr_t)sysconf(_SC_PAGESIZE), first = (uintptr_t)at / page * page;
  CHECK_EQ(mincore((void *)first, page, &in), 0);
  return in & 1;
}

/* Of a level, the pages that are there. */
static int64_t pages_there(const ik_state *s, int field, int level, int64_t *all) {
  const char *data = ik_state_data(s, field, level);
  int64_t     page = sysconf(_SC_PAGESIZE), n = 0;
  *all = 0;
  for (int64_t at = 0; at < s->slot[field].layout->bytes; at += page, ++*all)
    n += is_there(data + at);
  return n;
}

#define LARGE                                                                                      \
  "grid x = 1200, y = 1100\nfield u : f32, history 2 = noise(1)\nfield v : f64 = 1\n"              \
  "field w : f32, on (x) = 2\nboundary u = 0\n"                                                    \
  "step 4 { u' = 1.5*u - 0.5*u[t-1] + 0.1*laplacian(u) + v + w }\n"

static void check_pages(const char *how, int threads) {
  static trial t;
  ik_plan      words = {.target = "cpu", .strategy = "sweep", .steps = 1, .threads = threads};
  words.cpu.rows = words.cpu.vectors = words.cpu.planes = 1, words.cpu.vector_bytes = 16;
  CHECK(ik_plan_read(how, &words));
  if (trial_open(&t, "touch", LARGE) && trial_engine(&t, "cpu", &words) &&
      !t.engine->ops->attach(t.engine, t.state, &t.diag)) {
    int64_t all, there = pages_there(t.state, 1, 0, &all);
    CHECK(there < all / 2);
    ik_engine_touch(t.engine);
    for (int f = 0; f < t.ir->nfield; f++)
      for (int k = 0; k < t.state->slot[f].nlevel; k++) {
        int level = 1 - t.state->slot[f].first - k;
        there = pages_there(t.state, f, level, &all);
        CHECK_EQ(there, all);
        const char *data = ik_state_data(t.state, f, level);
        for (int64_t i = 0; i < t.state->slot[f].layout->bytes; i++)
          if (data[i]) return check_fail(__FILE__, __LINE__, "not zero");
      }
  } else {
    CHECK(!"an engine");
  }
  trial_close(&t);
}

CASE(all_pages_are_touched_and_stay_zero) {
  check_pages("sweep tile=0,16", 3);
  check_pages("sweep tile=200,100", 5);
  check_pages("hex steps=2 tile=0,60", 2);
  check_pages("sweep tile=0,0", 1);
}

/* An array of the caller's is not ours to write to, nor is one that stands for it. */
CASE(what_is_bound_is_left_alone) {
  static trial t;
  static float bound[1200 * 1100];
  for (int gap = 0; gap < 2; gap++) {
    ik_layout_padding_always = gap ? 16 : 0;
    if (trial_open(&t, "touch", LARGE) && trial_engine(&t, "cpu", NULL) &&
        !t.engine->ops->attach(t.engine, t.state, &t.diag)) {
      for (int i = 0; i < 1200 * 1100; i++) bound[i] = 1;
      ik_state_bind(t.state, 0, bound);
      ik_engine_touch(t.engine);
      int64_t wrong = 0;
      for (int64_t y = 0; y < 1100; y++)
        for (int64_t x = 0; x < 1200; x++)
          wrong += ik_state_get(t.state, 0, 0, (int64_t[]){x, y, 0}) != 1;
      CHECK_EQ(wrong, 0);
    } else {
      CHECK(!"an engine");
    }
    trial_close(&t);
  }
  ik_layout_padding_always = 0;
}
