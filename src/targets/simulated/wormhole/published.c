/* published.c: published figures as data, and what the simulation says instead. */
#include "targets/simulated/wormhole/published.h"
#include "targets/simulated/wormhole/cycles.h"
#include "targets/simulated/wormhole/paper.h"
#include "targets/simulated/wormhole/stream.h"
#include <math.h>

#define PAPER "arXiv 2603.23343"

enum { TILES = 64, MOST_ROWS = 24, STREAM = 256 /* tiles of Figure 3 */ };

typedef struct study {
  const ik_machine   *machine;
  ik_wormhole_figures figures;
  ik_arena           *a;
  ik_diag            *d;
  ik_published_row   *row;
  int                 n;
} study;

static void add(study *s, ik_published_row r) { s->row[s->n++] = r; }

/* ---- simulating ---- */

typedef struct timed {
  ik_wormhole_map map;
  double          seconds; /* of the device */
} timed;

/* A round of the solver, or the kernel once. */
static ik_status time_case(study *s, ik_wormhole_case c, const char *override, timed *out) {
  const ik_ir *ir;
  int64_t      cycles;
  IK_TRY(ik_wormhole_paper(&c, s->a, s->d, &ir));
  IK_TRY(ik_wormhole_map_of(ir, s->machine, override, s->a, s->d, &out->map));
  IK_TRY(ik_wormhole_round(&out->map, s->d, &cycles));
  out->seconds = (double)cycles / s->figures.clock;
  return IK_OK;
}

/* ---- Section 7: the solver ---- */

static ik_status add_solver(study *s) {
  timed  bf16, f32;
  double host = s->figures.host;
  IK_TRY(time_case(s, (ik_wormhole_case){IK_WORMHOLE_SOLVER, IK_BF16, {8, 7}, TILES}, NULL, &bf16));
  IK_TRY(time_case(s, (ik_wormhole_case){IK_WORMHOLE_SOLVER, IK_F32, {8, 7}, TILES}, NULL, &f32));
  add(s, (ik_published_row){"Table 3 of " PAPER, "bf16, 8x7 cores, 64 tiles", "ms", 1.20,
                            1e3 * host * bf16.seconds, 0.02,
                            "the host's factor was calibrated on this table, one for both rows; "
                            "its text says 7 and 16 times slower than an H100, the table 4.3 and "
                            "8.75",
                            IK_CALIBRATED});
  add(s, (ik_published_row){"Table 3 of " PAPER, "f32, 8x7 cores, 64 tiles", "ms", 2.45,
                            1e3 * host * f32.seconds, 0.02, "calibrated, see bf16", IK_CALIBRATED});
  add(s, (ik_published_row){"Figure 13 of " PAPER, "share of the device in an iteration, bf16", "",
                            0.5, 1 / host, 0.1,
                            "text: approximately half; the inverse of the host's factor, which "
                            "was calibrated on Table 3",
                            IK_CALIBRATED});
  add(s, (ik_published_row){"Section 7.2 of " PAPER, "f32 over bf16, a tile", "x", 2,
                            f32.seconds / bf16.seconds, 0.05, "text: approximately 2 times slower",
                            IK_PREDICTED});
  add(s, (ik_published_row){"Section 7.2 of " PAPER, "tiles of a core, f32", "tiles", 64,
                            (double)f32.map.memory.levels, 1e-9,
                            "what is reserved was calibrated on both capacities", IK_CALIBRATED});
  add(s, (ik_published_row){"Section 7.2 of " PAPER, "tiles of a core, bf16", "tiles", 164,
                            (double)bf16.map.memory.levels, 1e-9, "calibrated, see f32",
                            IK_CALIBRATED});
  return IK_OK;
}

/* ---- Section 4: one unit or the other ---- */

static ik_status add_units(study *s) {
  int64_t fpu, sfpu;
  IK_TRY(ik_wormhole_stream(&s->figures, false, STREAM, s->d, &fpu));
  IK_TRY(ik_wormhole_stream(&s->figures, true, STREAM, s->d, &sfpu));
  add(s, (ik_published_row){"Figure 3 of " PAPER, "SFPU over FPU, addition in bf16", "x", 6,
                            (double)sfpu / (double)fpu, 0.02,
                            "text: around 6; the time of a synchronisation was calibrated on it",
                            IK_CALIBRATED});
  return IK_OK;
}

/* ---- Section 5: dot products ---- */

static ik_status time_dot(study *s, int i, int j, int tiles, const char *override, double *out) {
  timed t;
  IK_TRY(time_case(s, (ik_wormhole_case){IK_WORMHOLE_DOT, IK_F32, {i, j}, tiles}, override, &t));
  *out = t.seconds;
  return IK_OK;
}

static ik_status add_methods(study *s) {
  double one, first, second;
  IK_TRY(time_dot(s, 1, 1, TILES, NULL, &one));
  IK_TRY(time_dot(s, 8, 7, TILES, NULL, &first));
  IK_TRY(time_dot(s, 8, 7, TILES, "method=2", &second));
  const char *axis = "its axis goes from 0.10 to 0.12; values are not in the text";
  add(s, (ik_published_row){"Figure 5 of " PAPER, "1 core, 64 tiles of f32", "ms", NAN, 1e3 * one,
                            0, axis, IK_PREDICTED});
  add(s, (ik_published_row){"Figure 5 of " PAPER, "56 cores, method 1", "ms", NAN, 1e3 * first, 0,
                            axis, IK_PREDICTED});
  add(s, (ik_published_row){"Figure 5 of " PAPER, "method 1 over method 2, 56 cores", "%", 1.8,
                            100 * (second / first - 1), 0.1,
                            "a difference of two times: their ratio is 1.016, published 1.018",
                            IK_PREDICTED});
  return IK_OK;
}

static ik_status add_routes(study *s) {
  static const struct {
    int               tiles;
    const char       *row, *note;
    double            published, bar;
    ik_published_kind kind;
  } rows[] = {
      {1, "centre over naive, 1 tile", "the fixed time of an iteration was calibrated on it", 15,
       0.02, IK_CALIBRATED},
      {4, "centre over naive, 4 tiles", "not in the text; it decays", NAN, 0, IK_PREDICTED},
      {64, "centre over naive, 64 tiles", "not in the text; it decays", NAN, 0, IK_PREDICTED},
      {128, "centre over naive, 128 tiles", "text: negligible", 0, 0, IK_PREDICTED},
  };
  double fixed; /* of an iteration */
  if (!ik_machine_number(s->figures.machine, "simulation.dot", "s", &fixed)) fixed = 0;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    double naive, centre;
    IK_TRY(time_dot(s, 8, 7, rows[i].tiles, "method=2", &naive));
    IK_TRY(time_dot(s, 8, 7, rows[i].tiles, "method=2 route=centre", &centre));
    add(s, (ik_published_row){"Figure 6 of " PAPER, rows[i].row, "%", rows[i].published,
                              100 * ((naive + fixed) / (centre + fixed) - 1), rows[i].bar,
                              rows[i].note, rows[i].kind});
  }
  return IK_OK;
}

/* ---- weak scaling ---- */

static ik_status add_scaling(study *s) {
  static const struct {
    const char      *table, *row, *note;
    ik_wormhole_case large;
    int              few; /* cores along both axes, to compare with */
  } rows[] = {
      {"Figure 11 of " PAPER,
       "operator, bf16, 64 tiles: 8x7 over 2x2 cores",
       "text: weak scales almost perfectly",
       {IK_WORMHOLE_OPERATOR, IK_BF16, {8, 7}, 64},
       2},
      {"Figure 12 of " PAPER,
       "solver, f32, 64 tiles: 8x7 over 4x4 cores",
       "text: exhibits good weak scaling; 4x4 is the smallest that it names for f32",
       {IK_WORMHOLE_SOLVER, IK_F32, {8, 7}, 64},
       4},
      {"Figure 12 of " PAPER,
       "solver, bf16, 164 tiles: 8x7 over 2x2 cores",
       "text: scales well, both strongly and weakly",
       {IK_WORMHOLE_SOLVER, IK_BF16, {8, 7}, 164},
       2},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    ik_wormhole_case c = rows[i].large;
    timed            small, large;
    IK_TRY(time_case(s, c, NULL, &large));
    c.cores[0] = c.cores[1] = rows[i].few;
    IK_TRY(time_case(s, c, NULL, &small));
    add(s, (ik_published_row){rows[i].table, rows[i].row, "x", 1, large.seconds / small.seconds,
                              0.02, rows[i].note, .kind = IK_PREDICTED});
  }
  return IK_OK;
}

ik_status ik_wormhole_published(const ik_machine *m, ik_arena *a, ik_diag *d,
                                const ik_published_row **rows, int *n) {
  study s = {.machine = m, .a = a, .d = d, .row = IK_NEW_N(a, ik_published_row, MOST_ROWS)};
  IK_TRY(ik_wormhole_figures_of(m, a, d, &s.figures));
  IK_TRY(add_solver(&s));
  IK_TRY(add_units(&s));
  IK_TRY(add_methods(&s));
  IK_TRY(add_routes(&s));
  IK_TRY(add_scaling(&s));
  *rows = s.row, *n = s.n;
  return IK_OK;
}
