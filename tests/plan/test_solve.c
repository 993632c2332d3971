#include "plan/solve.h"
#include "check.h"
#include <math.h>
#include <string.h>

enum { SAMPLES = 96, GROUPS = 4 };

typedef struct world {
  ik_arena          arena;
  ik_pipeline_stage stage[SAMPLES][2];
  ik_pipeline_phase phase[SAMPLES];
  ik_pipeline_pass  pass[SAMPLES];
  ik_pipeline_work  work[SAMPLES];
  ik_solve_sample   sample[SAMPLES];
} world;

/* Passes of many kinds: bound by ports, lines, memory, starts; in caches and beyond. */
static void build(world *w, const ik_pipeline_machine *truth) {
  for (int i = 0; i < SAMPLES; i++) {
    double tile = 64 << (i % 5), cells = 1e5 * (1 + i * i);
    w->stage[i][0] = (ik_pipeline_stage){.copies = true, .redundancy = 1, .part = 1, .bytes = 4};
    w->stage[i][1] = (ik_pipeline_stage){.arithmetic = 3 + i % 29,
                                         .divisions = i % 7 == 0,
                                         .loads = 2 + i % 11,
                                         .stores = 1,
                                         .together = 1 + i % 8,
                                         .lines = 1 + i % 6,
                                         .redundancy = 1 + 0.1 * (i % 3),
                                         .part = 1,
                                         .bytes = 4 * (1 + i % 5)};
    w->phase[i] = (ik_pipeline_phase){i % 2 + 1, &w->stage[i][1 - i % 2], 1, 4};
    w->pass[i] = (ik_pipeline_pass){.nphase = 1, .phase = &w->phase[i], .vector_bytes = 16};
    w->pass[i].lanes = 4, w->pass[i].working_set = 1e4 * pow(1.08, i);
    w->pass[i].tile_row = tile, w->pass[i].tile_rows = 1 + i % 4, w->pass[i].cut = i % 3 == 0;
    w->pass[i].cells = cells, w->pass[i].threads = 1 + i % 2;
    w->pass[i].most_cells = cells / w->pass[i].threads, w->pass[i].most_tiles = cells / tile;
    w->work[i] = (ik_pipeline_work){1, &w->pass[i], 0, 1, 65536, 1 << 20};
    w->sample[i] = (ik_solve_sample){.work = &w->work[i], .weight = 1, .group = i % GROUPS};
    w->sample[i].seconds = ik_pipeline_work_time(&w->work[i], truth).seconds;
  }
}

static world *open_world(ik_pipeline_machine *truth) {
  static world w;
  ik_arena_init(&w.arena);
  *truth = *ik_fit_kind(16, NULL, &w.arena);
  truth->byte *= 2.3, truth->compute *= 1.7, truth->row *= 3, truth->copy *= 0.6, truth->far *= 4;
  build(&w, truth);
  return &w;
}

/* What a machine does that the model describes is found, from far away. */
CASE(constants_of_a_machine_are_found) {
  ik_pipeline_machine truth;
  world              *w = open_world(&truth);
  ik_pipeline_machine m = *ik_fit_kind(16, NULL, &w->arena);
  double              before = ik_solve_error(w->sample, SAMPLES, -1, &m);
  ik_solve(w->sample, SAMPLES, -1, &m);
  CHECK(before > 0.2);
  CHECK(ik_solve_error(w->sample, SAMPLES, -1, &m) < 0.03);
  CHECK_NEAR(ik_solve_error(w->sample, SAMPLES, -1, &truth), 0, 1e-12);
  ik_arena_free(&w->arena);
}

/* What is left out is not seen: nonsense there changes nothing. */
CASE(a_group_is_left_out) {
  ik_pipeline_machine truth;
  world              *w = open_world(&truth);
  ik_pipeline_machine a = *ik_fit_kind(16, NULL, &w->arena), b = a;
  ik_solve(w->sample, SAMPLES, 1, &a);
  for (int i = 1; i < SAMPLES; i += GROUPS) w->sample[i].seconds *= 50;
  ik_solve(w->sample, SAMPLES, 1, &b);
  CHECK(memcmp(&a, &b, sizeof a) == 0);
  CHECK(ik_solve_error(w->sample, SAMPLES, 1, &b) > 3);
  CHECK(ik_solve_error(w->sample, SAMPLES, 0, &b) < 0.05);
  ik_arena_free(&w->arena);
}

/* Measurements that no machine could have given end within the bounds of the constants. */
CASE(bounds_hold) {
  ik_pipeline_machine truth;
  world              *w = open_world(&truth);
  ik_pipeline_machine m = truth;
  for (int i = 0; i < SAMPLES; i++) w->sample[i].seconds *= i % 2 ? 1e-3 : 1e3;
  ik_solve(w->sample, SAMPLES, -1, &m);
  int                    n;
  const ik_fit_constant *c = ik_fit_constants(&n);
  for (int i = 0; i < n; i++) {
    double v = *ik_fit_value(&m, &c[i]);
    if (c[i].most > 0) CHECK(v >= c[i].least && v <= c[i].most);
    if (!(c[i].most > 0)) CHECK(v == *ik_fit_value(&truth, &c[i]));
  }
  CHECK(m.usable <= 0.95 * m.full);
  ik_arena_free(&w->arena);
}
