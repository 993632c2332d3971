#include "check.h"
#include "model/pipeline.h"
#include <math.h>

/* Round figures, so that everything below can be done by hand. */
static const ik_pipeline_machine round_machine = {.hertz = 1e9,
                                                  .units = 2,
                                                  .loads = 2,
                                                  .compute = 1,
                                                  .divide = 10,
                                                  .function = 100,
                                                  .chain = 4,
                                                  .l1 = 1024,
                                                  .l2 = 65536,
                                                  .usable = 0.5,
                                                  .full = 1,
                                                  .near = 0.5,
                                                  .line = 2,
                                                  .far = 10,
                                                  .byte = 0.125,
                                                  .alone = 0.75,
                                                  .cores = 4,
                                                  .cached = 0.5,
                                                  .overlap = 1,
                                                  .copy = 3,
                                                  .call = 64,
                                                  .row = 8,
                                                  .far_row = 16,
                                                  .cut_row = 32,
                                                  .tile = 1000,
                                                  .pass = 500};

/* One kernel between rings, which computes 8 cells at once; rows of 64 cells, 16 of them. */
static const ik_pipeline_stage kernel = {.arithmetic = 12,
                                         .loads = 4,
                                         .stores = 1,
                                         .together = 16,
                                         .lines = 3,
                                         .redundancy = 1.5,
                                         .part = 1};

typedef struct world {
  ik_pipeline_machine m;
  ik_pipeline_stage   stage[2];
  ik_pipeline_phase   phase;
  ik_pipeline_pass    pass;
} world;

static void build(world *w) {
  *w = (world){.m = round_machine, .stage = {kernel}};
  w->phase = (ik_pipeline_phase){1, w->stage, 1, 8};
  w->pass = (ik_pipeline_pass){.nphase = 1,
                               .phase = &w->phase,
                               .vector_bytes = 64,
                               .lanes = 8,
                               .working_set = 512,
                               .tile_row = 64,
                               .tile_rows = 16,
                               .cells = 1e6,
                               .most_cells = 8000,
                               .most_tiles = 2,
                               .threads = 4};
}

static ik_pipeline_time time_of(const world *w) { return ik_pipeline_pass_time(&w->pass, &w->m); }

static double total(const ik_pipeline_time *t) {
  double sum = 0;
  for (int i = 0; i < IK_PIPELINE_RESOURCES; i++) sum += t->part[i];
  return sum;
}

/* The last of four threads is behind by half of 0.75, of two tiles each a quarter of that. */
CASE(threads_that_are_slow_are_waited_for) {
  world w;
  build(&w);
  w.m.spread = 0.75, w.pass.pieces = 2;
  ik_pipeline_time t = time_of(&w);
  CHECK_NEAR(t.part[IK_PIPELINE_WAITING], 12750e-9 * 0.375 / 4, 1e-18);
  CHECK_NEAR(t.seconds, 12750e-9 * (1 + 0.375 / 4) + 2500e-9, 1e-18);
  CHECK_NEAR(total(&t), t.seconds, 1e-18);
  w.pass.pieces = 0.5; /* half of the threads have nothing to do, and nobody to wait for them */
  CHECK_NEAR(time_of(&w).part[IK_PIPELINE_WAITING], 12750e-9 * 0.375, 1e-18);
  w.pass.pieces = 2, w.pass.threads = 2;
  CHECK_NEAR(time_of(&w).part[IK_PIPELINE_WAITING], 0, 0);
  w.pass.threads = 4, w.pass.pieces = 0;
  CHECK_NEAR(time_of(&w).part[IK_PIPELINE_WAITING], 0, 0);
}

/* Memory is shared: where it limits, those that are done leave it to the others. */
CASE(memory_is_not_waited_for) {
  world w;
  build(&w);
  w.m.spread = 0.75, w.pass.pieces = 1, w.m.overlap = 0;
  w.stage[0].bytes = 1e6;
  CHECK_NEAR(time_of(&w).part[IK_PIPELINE_WAITING], 0, 0);
}

/* 12 operations in two units: 6 cycles; loads 2, stores 1, a chain of 4 * 12 in 16 results: 3.
 * Lines: 3 at half a cycle.  (6 + 1.5) 1.5 = 11.25, a call 64/(8*16) and a row 8/8: 12.75 for each
 * of 1000 vectors; two tiles, a pass. */
CASE(a_kernel_between_rings_by_hand) {
  world w;
  build(&w);
  ik_pipeline_time t = time_of(&w);
  CHECK_NEAR(t.seconds, (1000 * 12.75 + 2500) * 1e-9, 1e-18);
  CHECK_NEAR(t.part[IK_PIPELINE_ARITHMETIC], 9000e-9, 1e-18);
  CHECK_NEAR(t.part[IK_PIPELINE_LINES], 2250e-9, 1e-18);
  CHECK_NEAR(t.part[IK_PIPELINE_STARTS], 1500e-9, 1e-18);
  CHECK_NEAR(t.part[IK_PIPELINE_TILES], 2500e-9, 1e-18);
  CHECK(t.part[IK_PIPELINE_LOADS] == 0 && t.part[IK_PIPELINE_MEMORY] == 0);
  CHECK_NEAR(t.busy[IK_PIPELINE_LOADS], 3000e-9, 1e-18);
  CHECK_NEAR(t.busy[IK_PIPELINE_STORES], 1500e-9, 1e-18);
  CHECK_NEAR(t.busy[IK_PIPELINE_CHAIN], 4500e-9, 1e-18);
  CHECK_EQ(ik_pipeline_saturated(&t), IK_PIPELINE_ARITHMETIC);
  CHECK_NEAR(ik_pipeline_slack(&t, IK_PIPELINE_ARITHMETIC), 1 - 9000 / 15250.0, 1e-15);
  CHECK_NEAR(ik_pipeline_slack(&t, IK_PIPELINE_MEMORY), 1, 0);
}

/* A port that takes longer than the units shows in their place. */
CASE(the_longest_port_is_what_shows) {
  world w;
  build(&w);
  w.stage[0].loads = 20;
  ik_pipeline_time t = time_of(&w);
  CHECK_NEAR(t.part[IK_PIPELINE_LOADS], 15000e-9, 1e-18);
  CHECK(t.part[IK_PIPELINE_ARITHMETIC] == 0);
  CHECK_NEAR(t.busy[IK_PIPELINE_ARITHMETIC], 9000e-9, 1e-18);
  build(&w);
  w.stage[0].together = 2; /* 4 * 12 / 2 */
  t = time_of(&w);
  CHECK_NEAR(t.part[IK_PIPELINE_CHAIN], 36000e-9, 1e-18);
  CHECK_EQ(ik_pipeline_saturated(&t), IK_PIPELINE_CHAIN);
  build(&w);
  w.stage[0].divisions = 1, w.stage[0].functions = 1; /* 122 operations */
  t = time_of(&w);
  CHECK_NEAR(t.part[IK_PIPELINE_ARITHMETIC], 61 * 1.5e-6, 1e-18);
}

/* Layer conditions: in the first level, in half of the second, in three quarters, beyond it. */
CASE(lines_come_from_the_level_that_holds_the_rings) {
  static const struct {
    double bytes, cycles;
  } sets[] = {{1024, 0.5}, {1025, 2}, {32768, 2}, {49152, 6}, {65536, 10}, {1e9, 10}};
  world w;
  build(&w);
  for (int i = 0; i < 6; i++) {
    w.pass.working_set = sets[i].bytes;
    CHECK_NEAR(time_of(&w).part[IK_PIPELINE_LINES], 4.5e-6 * sets[i].cycles, 1e-17);
  }
  w.pass.by_rows = true;
  CHECK_NEAR(time_of(&w).part[IK_PIPELINE_LINES], 2.25e-6, 1e-18);
  w.pass.vector_bytes = 16; /* four of them in a line */
  CHECK_NEAR(time_of(&w).part[IK_PIPELINE_LINES], 2.25e-6 / 4, 1e-18);
}

/* Rings of four times what is full: two doublings, half of `far` more with each.  Not in 2-D. */
CASE(what_lies_behind_gets_slower) {
  world w;
  build(&w);
  w.pass.working_set = 4 * 65536;
  double plain = ik_pipeline_pass_time(&w.pass, &w.m).busy[IK_PIPELINE_LINES];
  w.m.deeper = 0.5;
  CHECK_NEAR(ik_pipeline_pass_time(&w.pass, &w.m).busy[IK_PIPELINE_LINES] / plain, 2, 1e-12);
  w.pass.working_set = 65536;
  CHECK_NEAR(ik_pipeline_pass_time(&w.pass, &w.m).busy[IK_PIPELINE_LINES] / plain, 1, 1e-12);
  w.pass.working_set = 4 * 65536, w.pass.tile_rows = 1;
  CHECK_NEAR(ik_pipeline_pass_time(&w.pass, &w.m).busy[IK_PIPELINE_LINES] / plain, 1, 1e-12);
}

/* A fetch of 4 bytes a cell: a copy of 3 cycles, 4 * 8 * 0.125 = 4 cycles of memory, a call of 0.5,
 * a row of 16/8 or 32/8. */
CASE(what_comes_from_memory) {
  world w;
  build(&w);
  w.stage[0] = (ik_pipeline_stage){.copies = true, .redundancy = 1, .part = 1, .bytes = 4};
  ik_pipeline_time t = time_of(&w);
  CHECK_NEAR(t.seconds, (1000 * (5.5 + 4) + 2500) * 1e-9, 1e-18);
  CHECK_NEAR(t.part[IK_PIPELINE_MEMORY], 4e-6, 1e-18);
  CHECK_NEAR(t.part[IK_PIPELINE_LINES], 3e-6, 1e-18);
  w.pass.fresh = 0.25; /* the rest is where it is read, from the step before */
  CHECK_NEAR(time_of(&w).part[IK_PIPELINE_LINES], 0.75e-6, 1e-18);
  w.pass.fresh = 0, w.pass.cut = true;
  CHECK_NEAR(time_of(&w).part[IK_PIPELINE_STARTS], 4.5e-6, 1e-18);
  w.pass.cells = 1000; /* 4000 bytes are in the caches */
  CHECK_NEAR(time_of(&w).part[IK_PIPELINE_MEMORY], 2e-6, 1e-18);
}

/* Half of the bytes are in a cache from the step before. */
CASE(a_share_of_the_bytes_moves) {
  world w, half;
  build(&w), build(&half);
  w.stage[0].bytes = 8, half.stage[0].bytes = 16, half.pass.share = 0.5;
  ik_pipeline_time a = ik_pipeline_pass_time(&w.pass, &w.m);
  ik_pipeline_time b = ik_pipeline_pass_time(&half.pass, &half.m);
  CHECK(a.seconds == b.seconds);
  CHECK(a.busy[IK_PIPELINE_MEMORY] > 0 && a.busy[IK_PIPELINE_MEMORY] == b.busy[IK_PIPELINE_MEMORY]);
}

/* The shorter one shows in part, and whatever shows adds up to the whole. */
CASE(computing_and_moving_overlap) {
  world w;
  build(&w);
  w.m.overlap = 0.25;
  w.stage[0].bytes = 4;
  ik_pipeline_time t = time_of(&w); /* rows begin in memory: 13.75 cycles against 4 */
  CHECK_NEAR(t.seconds, (1000 * (13.75 + 1) + 2500) * 1e-9, 1e-18);
  CHECK_NEAR(t.part[IK_PIPELINE_MEMORY], 1e-6, 1e-18);
  CHECK_NEAR(t.busy[IK_PIPELINE_MEMORY], 4e-6, 1e-18);
  CHECK_NEAR(total(&t), t.seconds, 1e-18);
  w.stage[0].bytes = 40; /* 40 against 13.75 */
  t = time_of(&w);
  CHECK_NEAR(t.seconds, (1000 * (40 + 13.75 / 4) + 2500) * 1e-9, 1e-17);
  CHECK_NEAR(t.part[IK_PIPELINE_ARITHMETIC], 9e-6 / 4, 1e-18);
  CHECK_NEAR(total(&t), t.seconds, 1e-17);
  CHECK_EQ(ik_pipeline_saturated(&t), IK_PIPELINE_MEMORY);
}

/* One core cannot use all of the memory; with more of them each has less. */
CASE(cores_share_the_memory) {
  world w;
  build(&w);
  w.stage[0].bytes = 4;
  static const double cost[] = {3, 3, 3, 4, 4}; /* cycles: 0.75 of it up to three cores */
  for (int t = 1; t <= 5; t++) {
    w.pass.threads = t;
    CHECK_NEAR(time_of(&w).part[IK_PIPELINE_MEMORY], cost[t - 1] * 1e-6, 1e-18);
  }
}

/* What was measured by cores goes before that law: two need 1.25 times as long as one, and eight,
 * which nobody measured, as much longer than four as four need than two. */
CASE(bytes_cost_what_was_measured_with_so_many_cores) {
  world w;
  build(&w);
  w.stage[0].bytes = 4;
  w.m.bytes = (ik_sharing){.n = 3, .cores = {1, 2, 4}, .cost = {0.5, 0.625, 1}};
  static const struct {
    double threads, share;
  } by[] = {{1, 0.5}, {2, 0.625}, {3, 0.8125}, {4, 1}, {8, 1.6}};
  for (int i = 0; i < 5; i++) {
    w.pass.threads = by[i].threads;
    CHECK_NEAR(ik_pipeline_byte_share(&w.m, by[i].threads), by[i].share, 1e-12);
    CHECK_NEAR(time_of(&w).part[IK_PIPELINE_MEMORY], 4e-6 * by[i].share, 1e-17);
  }
  w.m.bytes.n = 0; /* unless there is nothing */
  CHECK_NEAR(ik_pipeline_byte_share(&w.m, 1), 0.75, 0);
  CHECK_NEAR(ik_pipeline_byte_share(&w.m, 4), 1, 0);
  CHECK_NEAR(ik_pipeline_byte_share(&w.m, 8), 1, 0);
}

/* 4.5 lines of ten cycles, or of less with fewer cores; of what the second level has as ever. */
CASE(lines_from_beyond_cost_what_was_measured_with_so_many_cores) {
  world w;
  build(&w);
  w.m.lines = (ik_sharing){.n = 3, .cores = {1, 2, 4}, .cost = {0.5, 0.75, 1}};
  static const double far[] = {5, 7.5, 8.75, 10};
  for (int t = 1; t <= 4; t++) {
    w.pass.threads = t;
    w.pass.working_set = 65536; /* all of it from beyond */
    CHECK_NEAR(time_of(&w).part[IK_PIPELINE_LINES], 4.5e-6 * far[t - 1], 1e-17);
    w.pass.working_set = 49152; /* half of it */
    CHECK_NEAR(time_of(&w).part[IK_PIPELINE_LINES], 4.5e-6 * (2 + far[t - 1]) / 2, 1e-17);
    w.pass.working_set = 32768;
    CHECK_NEAR(time_of(&w).part[IK_PIPELINE_LINES], 9e-6, 1e-17);
  }
}

/* Eight lanes, two units: 16 operations a cycle; 8 bytes a cycle. */
CASE(ridge) {
  CHECK_NEAR(ik_pipeline_ridge(&round_machine, 8), 2, 1e-15);
  CHECK(ik_pipeline_ridge(&round_machine, NAN) == 0);
}

CASE(sums_and_steps) {
  world w;
  build(&w);
  ik_pipeline_pass    pass[] = {w.pass, w.pass, w.pass};
  ik_pipeline_work    work = {.npass = 3, .pass = pass, .steps = 3, .l1 = w.m.l1, .l2 = w.m.l2};
  ik_pipeline_machine other = w.m;
  other.l1 = other.l2 = NAN; /* the work's count */
  ik_pipeline_time one = time_of(&w), sum = ik_pipeline_work_time(&work, &other);
  CHECK_NEAR(sum.seconds, one.seconds, 1e-20);
  for (int i = 0; i < IK_PIPELINE_RESOURCES; i++) {
    CHECK_NEAR(sum.part[i], one.part[i], 1e-20);
    CHECK_NEAR(sum.busy[i], one.busy[i], 1e-20);
    CHECK(ik_pipeline_name((ik_pipeline_resource)i)[0] != 0);
  }
  CHECK_STR(ik_pipeline_name(IK_PIPELINE_SINGLE), "cells one by one");
  CHECK_STR(ik_pipeline_kind(IK_PIPELINE_SINGLE), "compute");
  CHECK_STR(ik_pipeline_kind(IK_PIPELINE_LINES), "cache");
  CHECK_STR(ik_pipeline_kind(IK_PIPELINE_MEMORY), "memory");
  CHECK_STR(ik_pipeline_kind(IK_PIPELINE_STARTS), "overhead");
  work.single = 6;
  sum = ik_pipeline_work_time(&work, &other);
  CHECK_NEAR(sum.seconds, one.seconds + 2, 1e-15);
  CHECK_NEAR(sum.part[IK_PIPELINE_SINGLE], 2, 1e-15);
}

/* ---- properties, over stages of many kinds ---- */

static unsigned long state;

static double any(double lo, double hi) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return lo + (hi - lo) * (double)(state >> 33 & 0xfffff) / 0xfffff;
}

static void make_any(world *w) {
  build(w);
  for (int i = 0; i < 2; i++)
    w->stage[i] = (ik_pipeline_stage){.copies = any(0, 1) > 0.8,
                                      .arithmetic = any(0, 60),
                                      .divisions = any(0, 2),
                                      .loads = any(0, 30),
                                      .stores = any(0, 4),
                                      .together = any(1, 16),
                                      .lines = any(0, 9),
                                      .redundancy = any(1, 2),
                                      .part = any(0, 1),
                                      .bytes = any(0, 40)};
  w->phase.nstage = 2;
  w->pass.working_set = any(0, 1e5), w->pass.cells = any(1e3, 1e6);
  w->pass.threads = floor(any(1, 9)), w->m.overlap = any(0, 1);
  w->pass.most_cells = w->pass.cells / w->pass.threads;
}

CASE(more_of_anything_is_never_slower) {
  state = 1;
  for (int i = 0; i < 2000; i++) {
    world w;
    make_any(&w);
    double        was = time_of(&w).seconds * (1 + 1e-12);
    double *const less[] = {&w.m.byte, &w.m.near, &w.m.line, &w.m.far,  &w.m.chain,   &w.m.copy,
                            &w.m.call, &w.m.row,  &w.m.tile, &w.m.pass, &w.m.overlap, &w.m.far_row};
    double *const more[] = {&w.m.hertz, &w.m.units, &w.m.loads, &w.m.l1, &w.m.l2};
    for (int k = 0; k < 12; k++) {
      double keep = *less[k];
      if (less[k] == &w.m.near || less[k] == &w.m.line) continue; /* levels in order, below */
      *less[k] *= 0.5;
      CHECK(time_of(&w).seconds <= was);
      *less[k] = keep;
    }
    for (int k = 0; k < 5; k++) {
      double keep = *more[k];
      *more[k] *= 2;
      CHECK(time_of(&w).seconds <= was);
      *more[k] = keep;
    }
    w.m.near /= 2, w.m.line /= 2, w.m.far /= 2;
    CHECK(time_of(&w).seconds <= was);
  }
}

CASE(more_threads_are_never_slower) {
  state = 2;
  for (int i = 0; i < 500; i++) {
    world w;
    make_any(&w);
    double was = INFINITY;
    for (int t = 1; t < 70; t++) {
      w.pass.threads = t, w.pass.most_cells = w.pass.cells / t, w.pass.most_tiles = ceil(24.0 / t);
      double s = time_of(&w).seconds;
      CHECK(s <= was * (1 + 1e-12));
      was = s;
    }
  }
}

CASE(parts_add_up_and_nothing_is_busy_for_longer) {
  state = 3;
  for (int i = 0; i < 2000; i++) {
    world w;
    make_any(&w);
    ik_pipeline_time t = time_of(&w);
    CHECK_NEAR(total(&t) / t.seconds, 1, 1e-12);
    ik_pipeline_resource most = ik_pipeline_saturated(&t);
    for (int r = 0; r < IK_PIPELINE_RESOURCES; r++) {
      double slack = ik_pipeline_slack(&t, (ik_pipeline_resource)r);
      CHECK(t.busy[r] <= t.seconds * (1 + 1e-12) && t.busy[r] <= t.busy[most]);
      CHECK(slack >= 0 && slack <= 1 && slack >= ik_pipeline_slack(&t, most));
    }
  }
}

CASE(odd_input) {
  ik_pipeline_machine none = {0};
  ik_pipeline_pass    nothing = {0};
  world               w;
  build(&w);
  ik_pipeline_time t = ik_pipeline_pass_time(&w.pass, &none);
  CHECK(isinf(t.seconds));
  ik_pipeline_time zero = {0};
  CHECK(ik_pipeline_slack(&zero, IK_PIPELINE_MEMORY) == 1);
  t = ik_pipeline_pass_time(&nothing, &w.m);
  CHECK_NEAR(t.seconds, 500e-9, 1e-18); /* a pass over nothing */
  w.stage[0].arithmetic = NAN, w.stage[0].loads = -4, w.m.line = NAN;
  t = time_of(&w);
  CHECK(isfinite(t.seconds) && t.busy[IK_PIPELINE_ARITHMETIC] == 0);
  build(&w);
  w.m.units = 0;
  CHECK(isinf(time_of(&w).seconds));
}
