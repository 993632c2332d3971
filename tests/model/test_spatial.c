#include "model/spatial.h"
#include "check.h"
#include "lang/program.h"
#include <stdlib.h>

typedef struct world {
  ik_arena    a;
  ik_diag     d;
  ik_machine *m;
} world;

static void open_world(world *w, const char *machine, const char *changes) {
  *w = (world){0};
  ik_arena_init(&w->a);
  if (setjmp(w->a.oom)) abort();
  CHECK_EQ(ik_machine_find(machine, &w->a, &w->d, &w->m), IK_OK);
  CHECK_EQ(ik_machine_vary(w->m, changes, &w->a, &w->d, &w->m), IK_OK);
}

static void close_world(world *w) {
  ik_diag_free(&w->d);
  ik_arena_free(&w->a);
}

/* ---- the wafer ---- */

/* The kernel of arXiv 2204.03775: 25 points, constant velocity. */
static ik_spatial_work wave(double x, double y, double z) {
  return (ik_spatial_work){.n = {x, y, z},
                           .type = IK_F32,
                           .steps = true,
                           .radius = {4, 4, 4},
                           .arrays = 2,
                           .flops = 51,
                           .slots = 53};
}

/* Table III: nz and ns of a step; the model is within 0.18 %. */
static const double table3[][2] = {{100, 8637},  {200, 16133}, {300, 23716}, {400, 31223},
                                   {500, 38342}, {700, 53143}, {1000, 75524}};

CASE(the_wafer_takes_what_table_3_says) {
  world w;
  open_world(&w, "wse2", "");
  for (size_t i = 0; i < sizeof table3 / sizeof *table3; i++) {
    ik_spatial_work k = wave(755, 994, table3[i][0]);
    ik_spatial_time t;
    CHECK(ik_spatial_of(w.m, &k, &t) && t.fits);
    CHECK_NEAR(t.seconds * 1e9 / table3[i][1], 1, 0.0019);
    CHECK_EQ((long)t.elements, 755 * 994);
  }
  close_world(&w);
}

CASE(short_columns_of_a_wafer_are_bound_by_overhead) {
  world           w;
  ik_spatial_work small = wave(755, 994, 2), large = wave(755, 994, 1000);
  ik_spatial_time t;
  open_world(&w, "wse2", "");
  CHECK(ik_spatial_of(w.m, &small, &t));
  CHECK_STR(t.kind, "overhead");
  CHECK(ik_spatial_of(w.m, &large, &t));
  CHECK_STR(t.kind, "compute");
  close_world(&w);
}

/* 503 TFLOP/s and 22 GFLOP/W at the full size. */
CASE(the_wafer_draws_what_the_paper_says) {
  world           w;
  ik_spatial_work k = wave(755, 994, 1000);
  ik_spatial_time t;
  open_world(&w, "wse2", "");
  CHECK(ik_spatial_of(w.m, &k, &t) && t.fits);
  double flops = 51 * 755.0 * 994 * 1000;
  CHECK_NEAR(flops / t.seconds / 1e12, 503, 6);
  CHECK_NEAR(flops / t.joules / 1e9, 22, 0.5);
  close_world(&w);
}

CASE(what_does_not_fit_a_wafer_is_refused_with_figures) {
  world           w;
  ik_spatial_time t;
  open_world(&w, "wse2", "");
  ik_spatial_work tall = wave(100, 100, 3300), wide = wave(756, 10, 10), twice = wave(9, 9, 9);
  ik_spatial_work cut = wave(100, 100, 1600); /* into more pieces than the paper's rule says */
  twice.type = IK_F64;
  CHECK(ik_spatial_of(w.m, &cut, &t) && t.fits);
  CHECK(ik_spatial_of(w.m, &tall, &t) && !t.fits && strstr(t.why, "49152"));
  CHECK(ik_spatial_of(w.m, &wide, &t) && !t.fits && strstr(t.why, "755 x 994"));
  CHECK(ik_spatial_of(w.m, &twice, &t) && !t.fits && strstr(t.why, "f64"));
  close_world(&w);
}

/* Twice as wide a fabric has four times the elements; a wider grid then fits. */
CASE(more_elements_hold_a_larger_grid) {
  world           w;
  ik_spatial_work k = wave(1510, 1988, 1000);
  ik_spatial_time t;
  open_world(&w, "wse2", "pes=x4");
  CHECK(ik_spatial_of(w.m, &k, &t) && t.fits);
  CHECK_NEAR(ik_spatial_elements(w.m, &k), 4.0 * 755 * 994, 1);
  close_world(&w);
  open_world(&w, "wse2", "pes=x3.9");
  CHECK(ik_spatial_of(w.m, &k, &t) && !t.fits);
  close_world(&w);
}

CASE(weak_scaling_is_flat_and_strong_scaling_hits_the_fixed_part) {
  world           w;
  ik_spatial_work k = wave(200, 200, 1000);
  ik_spatial_time t, u;
  open_world(&w, "wse2", "");
  CHECK(ik_spatial_of(w.m, &k, &t));
  ik_spatial_work many = ik_spatial_weak(w.m, &k, 4e6), few = ik_spatial_strong(w.m, &k, 4e6);
  CHECK(ik_spatial_of(w.m, &many, &u) && u.fits);
  CHECK_NEAR(u.seconds, t.seconds, 1e-12);
  CHECK_NEAR(u.elements, 4e6, 1);
  CHECK(ik_spatial_of(w.m, &few, &u) && u.fits);
  CHECK_NEAR(few.n[2], 10, 1e-9);
  CHECK(u.seconds < t.seconds / 20 && u.seconds > u.fixed);
  CHECK_NEAR(u.seconds, (1105.4 + 10 * 75.279) * 1e-9, 1e-13);
  close_world(&w);
}

/* Sums go over the rows and a column, there and back: they, not the columns, limit a large fabric.
 */
CASE(reductions_cross_the_fabric) {
  world           w;
  ik_spatial_work k = wave(200, 200, 100);
  ik_spatial_time t, u;
  open_world(&w, "wse2", "");
  CHECK(ik_spatial_of(w.m, &k, &t));
  k.reductions = 2;
  CHECK(ik_spatial_of(w.m, &k, &u));
  CHECK_NEAR(u.seconds - t.seconds, 2 * 400 * 4 / 0.85e9, 1e-12);
  ik_spatial_work many = ik_spatial_weak(w.m, &k, 4e8);
  CHECK(ik_spatial_of(w.m, &many, &u) && u.fits && u.seconds > 20 * t.seconds);
  close_world(&w);
}

/* ---- tiles ---- */

/* Conjugate gradients of arXiv 2603.23343 on 8 x 7 cores with 64 tiles each. */
static ik_spatial_work gradients(ik_type type) {
  return (ik_spatial_work){
      .n = {512, 112, 64}, .type = type, .arrays = 5, .tile_ops = 27, .reductions = 3};
}

CASE(an_iteration_on_tiles_takes_what_table_3_says) {
  world           w;
  ik_spatial_work half = gradients(IK_BF16), full = gradients(IK_F32);
  ik_spatial_time t;
  open_world(&w, "wormhole-n300d", "");
  CHECK(ik_spatial_of(w.m, &half, &t) && t.fits);
  CHECK_NEAR(t.seconds, 1.190e-3, 1e-6);
  CHECK_NEAR(t.seconds / 1.20e-3, 1, 0.01);
  CHECK_EQ((long)t.elements, 56);
  CHECK(ik_spatial_of(w.m, &full, &t) && t.fits);
  CHECK_NEAR(t.seconds / 2.45e-3, 1, 0.01);
  full.n[2] = 100;
  CHECK(ik_spatial_of(w.m, &full, &t) && !t.fits && strstr(t.why, "1499136"));
  close_world(&w);
}

CASE(more_cores_make_longer_reductions) {
  world           w;
  ik_spatial_work k = gradients(IK_F32);
  ik_spatial_time t, u, v;
  open_world(&w, "wormhole-n300d", "");
  CHECK(ik_spatial_of(w.m, &k, &t));
  ik_spatial_work weak = ik_spatial_weak(w.m, &k, 56 * 64),
                  strong = ik_spatial_strong(w.m, &k, 56 * 64);
  CHECK(ik_spatial_of(w.m, &weak, &u) && ik_spatial_of(w.m, &strong, &v));
  CHECK(u.fixed > 3 * t.fixed && u.seconds > t.seconds);
  CHECK(v.seconds < u.seconds && v.seconds > v.fixed);
  close_world(&w);
}

/* ---- the FPGA ---- */

typedef struct point {
  const char *name;
  ik_type     type;
  bool        sweeps;
  int         reads;
  double      flops, window, one, elements; /* GFLOP/s of one element; how many there are */
} point;

/* As the model gives them, 34 and 30 operations a cell: nero_model_errors of the digest. */
static const point points[] = {{"hdiff f32", IK_F32, false, 1, 34, 16 * 64 * 8, 30.341, 16},
                               {"hdiff f16", IK_F16, false, 1, 34, 64 * 8 * 64, 77.91, 16},
                               {"vadvc f32", IK_F32, true, 5, 30, 64 * 2 * 64, 8.362, 14},
                               {"vadvc f16", IK_F16, true, 5, 30, 32 * 16 * 64, 16.725, 14}};

CASE(windows_stream_as_fast_as_published) {
  world w;
  open_world(&w, "nero-hbm", "");
  for (size_t i = 0; i < sizeof points / sizeof *points; i++) {
    const point    *p = &points[i];
    double          windows = 16 * 14 * 64; /* no element is idle at the end */
    ik_spatial_work k = {.n = {p->window, windows, 1},
                         .type = p->type,
                         .arrays = 2,
                         .reads = p->reads,
                         .sweeps = p->sweeps};
    ik_spatial_time t;
    CHECK(ik_spatial_of(w.m, &k, &t) && t.fits);
    double rate = p->flops * p->window * windows / t.seconds / 1e9;
    CHECK_NEAR(rate / p->elements / p->one, 1, 0.002);
  }
  close_world(&w);
}

/* 76800 cells are ten windows of 8192: no more elements work than there are windows. */
CASE(no_more_elements_work_than_there_are_windows) {
  world           w;
  ik_spatial_work k = {.n = {320, 240, 1}, .type = IK_F32, .arrays = 2, .reads = 1};
  ik_spatial_time t, one;
  open_world(&w, "nero-hbm", "");
  CHECK(ik_spatial_of(w.m, &k, &t) && t.fits && t.elements == 10);
  k.elements = 1;
  CHECK(ik_spatial_of(w.m, &k, &one) && one.fits);
  CHECK_NEAR(one.seconds / t.seconds, 10, 1e-9);
  k.elements = 11;
  CHECK(ik_spatial_of(w.m, &k, &t) && !t.fits);
  close_world(&w);
}

/* On DDR4 four elements share a channel: 145.8 and 34.1 GFLOP/s are published. */
CASE(a_shared_channel_limits) {
  world           w;
  ik_spatial_work k = {.n = {256, 256, 64}, .type = IK_F32, .arrays = 2, .reads = 1};
  ik_spatial_time t;
  open_world(&w, "nero-ddr4", "");
  CHECK(ik_spatial_of(w.m, &k, &t) && t.fits);
  CHECK_STR(t.bound, "channel");
  CHECK_STR(t.kind, "memory");
  CHECK_NEAR(34 * 256 * 256 * 64 / t.seconds / 145.8e9, 1, 0.06);
  k.reads = 5, k.sweeps = true;
  CHECK(ik_spatial_of(w.m, &k, &t) && t.fits);
  CHECK_NEAR(30 * 256 * 256 * 64 / t.seconds / 34.1e9, 1, 0.02);
  close_world(&w);
}

/* ---- programs ---- */

static bool work_of(program *p, const char *text, ik_spatial_work *out) {
  ik_facts f;
  if (!program_open(p, text)) return false;
  if (setjmp(p->arena.oom)) abort();
  CHECK_EQ(ik_facts_of(p->ir, p->ir->flops_written, &p->arena, &p->diag, &f), IK_OK);
  ik_spatial_work_of(p->ir, &f, out);
  return true;
}

CASE(the_papers_kernels_are_recognised) {
  program         p;
  ik_spatial_work w;
  if (work_of(&p,
              "grid x = 20, y = 20, z = 30\nfield u : f32, history 2\nboundary u = 0\n"
              "step 1 { u' = 2*u - u[t-1] + 0.01*laplacian(u, order = 8) }\n",
              &w)) {
    CHECK(w.radius[0] == 4 && w.radius[1] == 4 && w.radius[2] == 4 && w.arrays == 2);
    CHECK_NEAR(w.slots, 53, 2); /* 20 products, 20 sums, 8 fma, 4 sends, what is left */
    CHECK(w.type == IK_F32 && w.n[2] == 30 && !w.sweeps && !w.reductions);
  }
  program_close(&p);
  if (work_of(&p,
              "grid x = 64, y = 16, z = 4\nfield p : f32 = 1\nfield q : f32\nboundary p = 0\n"
              "q = 6*p - p[0,0,-1] - p[0,0,1] - p[-1,0,0] - p[1,0,0] - p[0,-1,0] - p[0,1,0]\n",
              &w))
    CHECK_NEAR(w.tile_ops, 14, 0); /* 7 of arithmetic, 2 copies of rows, 5 around transposing */
  program_close(&p);
}
