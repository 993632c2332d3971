/* published.c: published figures as data, and what the simulation says instead. */
#include "targets/simulated/wse2/published.h"
#include "sim/crew.h"
#include "targets/simulated/wse2/golden.h"
#include "targets/simulated/wse2/paper.h"
#include "targets/simulated/wse2/protocol.h"
#include <stdatomic.h>

enum { NX = 10, NY = 9, INNER_X = 4, INNER_Y = 4 }; /* the inner one has all of its neighbours */

#define PAPER   "arXiv 2204.03775"
#define COURANT 0.13125 /* (V dt/h)^2 of the golden values; time does not depend on it */

#define STEPS3 100000

/* Table III: 755 x 994 columns, STEPS3 steps.  Table II: nz = 1000, 1000 steps. */
static const struct {
  int         nz, b;
  double      seconds;
  const char *row;
} table3[] = {
    {100, 100, 0.8637, "nz = 100"},   {200, 200, 1.6133, "nz = 200"},
    {300, 300, 2.3716, "nz = 300"},   {400, 400, 3.1223, "nz = 400"},
    {500, 250, 3.8342, "nz = 500"},   {700, 350, 5.3143, "nz = 700"},
    {1000, 334, 7.5524, "nz = 1000"},
};
static const struct {
  int         nx, ny;
  double      gcells;
  const char *row;
} table2[] = {
    {200, 200, 533.64, "200 x 200"},  {400, 400, 2097.60, "400 x 400"},
    {600, 600, 4731.53, "600 x 600"}, {755, 500, 4956.17, "755 x 500"},
    {755, 600, 5945.40, "755 x 600"}, {755, 900, 8922.08, "755 x 900"},
    {755, 990, 9782.14, "755 x 990"}, {755, 994, 9862.78, "755 x 994"},
};
enum { N3 = sizeof table3 / sizeof *table3, N2 = sizeof table2 / sizeof *table2 };
enum { LARGEST = N3 - 1, MOST_ROWS = 64, LONGEST = 64 /* line of the broadcast */ };

double ik_wse2_published_seconds(int nz) {
  int k = 0;
  while (k < N3 && table3[k].nz != nz) k++;
  IK_ASSERT(k < N3);
  return table3[k].seconds / STEPS3;
}

typedef struct column { /* one row of Table III */
  ik_wse2_wave           wave;
  const ik_wse2_program *program;
  ik_wse2_patch         *patch;
  const ik_wse2_counts  *inner;
  double                 seconds; /* of a step */
} column;

typedef struct study {
  ik_wse2_timing    timing;
  column            column[N3];
  ik_wse2_golden    golden[IK_WSE2_GOLDEN];
  int               lines, stuck; /* on which the broadcast was tried; of these that failed */
  ik_published_row *row;
  int               n;
} study;

/* ----------------------------------------------------------------------------- simulating */

typedef struct errand {
  study     *s;
  atomic_int next, failed;
} errand;

/* The longest columns first. */
static void run_columns(void *ctx, ik_crew *crew, int thread) {
  errand *e = ctx;
  (void)crew, (void)thread;
  for (int k; (k = N3 - 1 - atomic_fetch_add(&e->next, 1)) >= 0;)
    if (ik_wse2_patch_run(e->s->column[k].patch, 1, NULL) != IK_MESH_ENDED) e->failed = 1;
}

/* All that the arena gives, which may leave this place for good, before all that must be freed. */
static study begin(ik_arena *a) {
  study s = {.row = IK_NEW_N(a, ik_published_row, MOST_ROWS)};
  for (int k = 0; k < N3; k++) {
    s.column[k].wave = ik_wse2_wave_of(table3[k].nz, COURANT);
    s.column[k].program = ik_wse2_wave_program(&s.column[k].wave, a);
  }
  return s;
}

static ik_status make_patches(study *s, ik_diag *d) {
  for (int k = 0; k < N3; k++) {
    column *c = &s->column[k];
    IK_TRY(ik_wse2_wave_patch_of(&c->wave, c->program, &s->timing, NX, NY, d, &c->patch));
  }
  return IK_OK;
}

static ik_status simulate(study *s, int threads, ik_diag *d) {
  IK_TRY(make_patches(s, d));
  errand e = {.s = s};
  ik_crew_run(threads < N3 ? threads : N3, run_columns, &e);
  IK_ASSERT(!e.failed);
  for (int k = 0; k < N3; k++) {
    column *c = &s->column[k];
    c->seconds = (double)ik_wse2_patch_total(c->patch).cycles / s->timing.clock;
    c->inner = ik_wse2_patch_counts(c->patch, INNER_X, INNER_Y);
  }
  return IK_OK;
}

/* ----------------------------------------------------------------------------- counting */

/* Cells that a program works on, those beyond nz included. */
static double cells_of(const column *c) { return (double)c->wave.chunks * c->wave.b; }

/* Does a vector hold nothing but products with zero? */
static bool is_nothing(const ik_wse2_broadcast *b, int at) {
  for (int d = 0; d < IK_WSE2_DIRECTIONS; d++)
    for (int k = 0; k <= IK_WSE2_RADIUS; k++)
      for (int i = 0; i < b->from[d][k].n; i++) {
        const ik_wse2_take *t = &b->from[d][k].take[i];
        if (t->at == at && t->kind == IK_WSE2_SCALE && t->coefficient == 0) return true;
      }
  return false;
}

/* Additions of such vectors, words in all. */
static int64_t needless_additions(const ik_wse2_program *p) {
  const ik_wse2_broadcast *last = NULL;
  int64_t                  n = 0;
  for (int i = 0; i < p->n; i++) {
    const ik_wse2_instr *in = &p->instr[i];
    if (in->kind == IK_WSE2_BROADCAST) last = in->broadcast;
    if (in->kind == IK_WSE2_MAP && in->map.op == IK_OP_ADD && is_nothing(last, in->map.arg[1].at))
      n += in->map.n;
  }
  return n;
}

typedef struct per_cell {    /* as an inner element counted it */
  double executed, required; /* floating-point operations */
  double received;           /* words from the fabric that matter */
  double words;              /* of memory for the required operations */
} per_cell;

static per_cell count_cells(const study *s) {
  const column         *c = &s->column[LARGEST];
  const ik_wse2_counts *n = c->inner;
  double products = (double)n->fabric_dropped; /* with zero: a load and a store each */
  double sums = (double)needless_additions(c->program);
  double cells = cells_of(c);
  return (per_cell){
      .executed = (double)n->flops / cells,
      .required = ((double)n->flops - products - sums) / cells,
      .received = (double)n->fabric_received / cells,
      .words = ((double)(n->loads + n->stores) - 2 * products - 3 * sums) / cells,
  };
}

/* ----------------------------------------------------------------------------- rows */

static void put(study *s, ik_published_row r) {
  IK_ASSERT(s->n < MOST_ROWS);
  s->row[s->n++] = r;
}

static void put_table3(study *s) {
  for (int k = 0; k < N3; k++)
    put(s, (ik_published_row){"Table III of " PAPER, table3[k].row, "us a step",
                              table3[k].seconds / STEPS3 * 1e6, s->column[k].seconds * 1e6, 0.01,
                              "sim.stall and sim.overhead were calibrated on these rows",
                              IK_CALIBRATED});
  for (int k = 0; k < N3; k++)
    put(s, (ik_published_row){"Table III of " PAPER, table3[k].row, "cells of a block", table3[k].b,
                              s->column[k].wave.b, 1e-9, NULL, IK_PREDICTED});
}

/* Seconds of a run of so many steps with the longest columns. */
static double run_seconds(const study *s, double steps) {
  return s->column[LARGEST].seconds * steps + s->timing.run_seconds;
}

static void put_table2(study *s) {
  for (int k = 0; k < N2; k++) {
    double cells = 1e6 * table2[k].nx * table2[k].ny; /* nz = 1000, 1000 steps */
    put(s, (ik_published_row){"Table II of " PAPER, table2[k].row, "Gcell/s", table2[k].gcells,
                              cells / run_seconds(s, 1000) * 1e-9, 0.015,
                              k ? "sim.run was calibrated on this table"
                                : "sim.run was calibrated on this table; no model explains why "
                                  "this row is faster than the others",
                              IK_CALIBRATED});
  }
}

static void put_work(study *s, per_cell w) {
  const char *table = "Table IV and Section VI of " PAPER;
  put(s,
      (ik_published_row){table, "executed, by an inner element", "FLOP a cell", 57, w.executed,
                         1e-9, "57 follows from Table IV: three products with zero", IK_PREDICTED});
  put(s, (ik_published_row){table, "required", "FLOP a cell", 51, w.required, 1e-9, NULL,
                            IK_PREDICTED});
  put(s, (ik_published_row){table, "from the fabric", "words a cell", 17, w.received, 1e-9, NULL,
                            IK_PREDICTED});
  put(s, (ik_published_row){table, "of memory", "words a cell", 112, w.words, 0.01,
                            "the first addition needs no accumulator", IK_PREDICTED});
  put(s, (ik_published_row){table, "intensity, memory", "FLOP/B", 0.11, w.required / (4 * w.words),
                            0.05, "published with two digits", IK_PREDICTED});
  put(s, (ik_published_row){table, "intensity, fabric", "FLOP/B", 0.75,
                            w.required / (4 * w.received), 1e-9, NULL, IK_PREDICTED});
}

static void put_rates(study *s, per_cell w) {
  const char *table = "Section V of " PAPER;
  double      columns = (double)s->timing.nx * s->timing.ny, flops = columns * 1e6 * w.required;
  double      rate = flops / run_seconds(s, 1000), longest = run_seconds(s, 1e7);
  double      sustained = flops * 1e4 / longest;
  double      watts = ik_wse2_joules(&s->timing, longest, flops * 1e4) / longest;
  put(s, (ik_published_row){table, "755 x 994 x 1000", "TFLOP/s", 503, rate * 1e-12, 0.015, NULL,
                            IK_CALIBRATED});
  put(s, (ik_published_row){table, "an element", "MFLOP/s", 670.3, rate / columns * 1e-6, 0.015,
                            NULL, IK_CALIBRATED});
  put(s, (ik_published_row){table, "times an A100", "", 228, 17.4186 / run_seconds(s, 1000), 0.015,
                            "the A100's time as published", IK_CALIBRATED});
  put(s,
      (ik_published_row){table, "10 000 000 steps", "s", 754, longest, 0.01, NULL, IK_CALIBRATED});
  put(s, (ik_published_row){table, "average power", "kW", 22.8, watts * 1e-3, 0.01,
                            "energy.flop was calibrated on this figure", IK_CALIBRATED});
  put(s, (ik_published_row){table, "efficiency", "GFLOP/W", 22, sustained / watts * 1e-9, 0.025,
                            "published with two digits", IK_CALIBRATED});
}

static void put_profile(study *s) {
  const char           *table = "Section V-C of " PAPER;
  const ik_wse2_counts *n = s->column[LARGEST].inner;
  double                cycles = (double)n->cycles;
  put(s, (ik_published_row){table, "busy", "%", 69.6, 100 * (double)n->issued / cycles, 0,
                            "cycles that issue a word of a vector; what the profiler calls busy is "
                            "not known",
                            IK_PREDICTED});
  put(s, (ik_published_row){table, "idle for memory", "%", 11.6,
                            100 * (double)n->memory_stalls / cycles, 0,
                            "follows from sim.stall; not fitted", IK_PREDICTED});
}

static void put_golden(study *s) {
  static const char *const rows[IK_WSE2_GOLDEN][2] = {{"least, 2 steps", "greatest, 2 steps"},
                                                      {"least, 10 steps", "greatest, 10 steps"}};
  for (int k = 0; k < IK_WSE2_GOLDEN; k++) {
    const ik_wse2_golden *is = &s->golden[k], *should = &ik_wse2_golden_published[k];
    double                of[2][2] = {{should->low, is->low}, {should->high, is->high}};
    for (int i = 0; i < 2; i++)
      put(s, (ik_published_row){"The vendor's example, 10 x 10 x 10", rows[k][i], "", of[i][0],
                                of[i][1], 1e-5, "the example itself allows 0.01", IK_PREDICTED});
  }
}

static void put_protocol(study *s) {
  put(s, (ik_published_row){"The broadcast of Section IV-C of " PAPER, "end as they should",
                            "lines", s->lines, s->lines - s->stuck, 1e-9,
                            "radius 1 to 8, every length from radius + 1 to 64, every direction: "
                            "nobody is stuck, every word comes from whom it should; all of them "
                            "should, the paper tries none",
                            IK_PROVED});
}

static void put_all(study *s) {
  per_cell w = count_cells(s);
  put_table3(s);
  put_table2(s);
  put_work(s, w);
  put_rates(s, w);
  put_profile(s);
  put_golden(s);
  put_protocol(s);
}

ik_status ik_wse2_published(const ik_machine *m, int threads, ik_arena *a, ik_diag *d,
                            const ik_published_row **rows, int *n) {
  study s = begin(a);
  IK_TRY(ik_wse2_timing_of(m, d, &s.timing));
  IK_TRY(ik_wse2_golden_run(&s.timing, a, d, s.golden));
  if (!ik_wse2_prove_all(LONGEST, &s.lines, &s.stuck))
    return ik_fail(d, IK_ERR_RESOURCE, IK_E072, IK_NOSPAN, "no memory for lines of elements");
  ik_status st = simulate(&s, threads, d);
  if (!st) put_all(&s);
  for (int k = 0; k < N3; k++) ik_wse2_patch_destroy(&s.column[k].patch);
  *rows = s.row;
  *n = s.n;
  return st;
}

ik_status ik_wse2_workload(const ik_machine *m, int nx, int ny, int nz, int threads, ik_arena *a,
                           ik_diag *d, int64_t *element_cycles) {
  ik_wse2_timing t;
  ik_wse2_wave   w = ik_wse2_wave_of(nz, COURANT);
  ik_wse2_patch *p;
  IK_TRY(ik_wse2_timing_of(m, d, &t));
  IK_TRY(ik_wse2_wave_patch(&w, &t, nx, ny, a, d, &p));
  ik_mesh_end end = ik_wse2_patch_run(p, threads, NULL);
  IK_ASSERT(end == IK_MESH_ENDED);
  *element_cycles = ik_wse2_patch_total(p).cycles * nx * ny;
  ik_wse2_patch_destroy(&p);
  return IK_OK;
}
