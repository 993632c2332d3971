/* What a schedule is made of, and what a slab in work needs. */
#include "targets/cpu/time_tiles_run.h"
#include "lang/program.h"
#include "targets/cpu/cost.h"
#include "targets/cpu/shape/shape.h"

typedef struct waves {
  program p;
  ik_plan plan;
  ik_pipe pipe;
} waves;

/* The passes are those of `words`, the schedule is that of `tile`. */
static bool open_waves(waves *x, const char *text, const char *words, int64_t tile) {
  *x = (waves){
      .plan = {.strategy = "skew", .steps = 2, .cpu.planes = 1, .cpu.rows = 1, .cpu.vectors = 1}};
  x->plan.cpu.vector_bytes = 16, x->plan.threads = 1;
  if (!MUST_OPEN(&x->p, text)) return false;
  CHECK(ik_plan_read(words, &x->plan));
  ik_plan passes = ik_time_tiles_passes(x->p.ir, &x->plan);
  ik_shape_passes(x->p.ir, x->p.ir->body->body, 1, &passes, &x->p.arena, &x->pipe);
  if (tile) x->plan.tile[1] = tile;
  return true;
}

static ik_schedule schedule_of(const char *text, const char *words, int64_t tile) {
  waves       x;
  ik_schedule s = {0};
  if (open_waves(&x, text, words, tile)) s = ik_time_tiles_schedule(x.p.ir, &x.pipe, &x.plan);
  program_close(&x.p);
  return s;
}

#define TILE "skew steps=2 tile=0,8,0"
#define STEP(stmt)                                                                                 \
  "grid x = 16, y = 40, z = 30\nfield u, v, w : f32 = noise(1)\nboundary u, v = 0\nstep 8 {\n"     \
  "  " stmt "\n}\n"

/* ---- schedules ---- */

CASE(both_sides_say_how_far_a_pass_reads) {
  CHECK_EQ(schedule_of(STEP("u' = u + 0.5*u[0, 1, 0]"), TILE, 0).axis[1].reach[0], 1);
  CHECK_EQ(schedule_of(STEP("u' = u + 0.5*u[0, -2, 0]"), TILE, 0).axis[1].reach[0], 2);
  CHECK_EQ(schedule_of(STEP("u' = u[0, 3, 0] + 0.5*u[0, -2, 0]"), TILE, 0).axis[1].reach[0], 3);
  CHECK_EQ(schedule_of(STEP("u' = u + 0.5*v[0, 1, 0]"), TILE, 0).axis[1].reach[0], 0);
}

#define FACES(on)                                                                                  \
  "grid x = 16, y = 40, z = 30\nfield u : f32, on (" on ") = noise(1)\nboundary u = 0\nstep 8 {\n" \
  "  u' = u + 0.5*u[0, 1, 0]\n}\n"

/* A tile might lie there all alone. */
CASE(axes_that_results_leave_are_not_cut) {
  CHECK_EQ(schedule_of(FACES("x, y, z"), TILE, 0).axis[1].width, 8);
  CHECK_EQ(schedule_of(FACES("x+1, y, z"), TILE, 0).axis[1].width, 8);
  CHECK_EQ(schedule_of(FACES("x, y+1, z"), TILE, 0).axis[1].width, 0);
}

/* In place, cells near faces are none of the step. */
CASE(axes_end_where_results_do) {
  ik_schedule s = schedule_of(STEP("u = 2*u on interior(1)"), TILE, 0);
  for (int d = 0; d < 3; d++) CHECK_EQ(s.axis[d].lo, 1);
  CHECK(s.axis[0].hi == 15 && s.axis[1].hi == 39 && s.axis[2].hi == 29);
}

/* And none where tiles have no room for those of the schedule. */
CASE(a_place_has_the_planes_that_passes_do_at_a_time) {
  CHECK_EQ(schedule_of(STEP("u' = u + 0.5*u[0, 1, 1]"), TILE, 0).place, 1);
  CHECK_EQ(schedule_of(STEP("u' = u + 0.5*u[0, 1, 1]"), TILE " planes=2", 0).place, 2);
  CHECK_EQ(schedule_of(STEP("u' = u + 0.5*u[0, 1, 1]"), TILE, 16).place, 0);
}

/* ---- slabs ---- */

static const ik_pipeline_machine machine = {.hertz = 2.5e9,
                                            .units = 2,
                                            .loads = 2,
                                            .compute = 1,
                                            .usable = 0.7,
                                            .full = 1,
                                            .near = 0.1,
                                            .line = 0.1,
                                            .far = 40,
                                            .byte = 0.126,
                                            .cores = 2,
                                            .cached = 0.5,
                                            .overlap = 0.4,
                                            .copy = 4,
                                            .call = 200,
                                            .row = 16,
                                            .far_row = 16,
                                            .cut_row = 28,
                                            .pass = 5000,
                                            .box = 3000,
                                            .place = 500,
                                            .boxes = 0.6,
                                            .slabs = 0.85};

/* Of the second cache, what a slab in work needs. */
static double bytes_of_line(waves *x, const ik_isa *isa) {
  ik_pipeline_work step = ik_cost_count(&x->pipe, isa, x->plan.threads, &x->p.arena);
  ik_choose        c = {.ir = x->p.ir, .isa = isa, .figures = machine};
  ik_time_tiles_count(&c, &x->pipe, &x->plan, &x->p.arena, &step);
  return step.pass[0].working_set / machine.usable * machine.slabs;
}

static double set_of(const char *text) {
  waves  x;
  ik_isa isa = {.vector_bytes = 16, .l1 = 48 << 10, .l2 = 1 << 20, .l3 = 16 << 20};
  double set = 0;
  if (open_waves(&x, text, TILE, 0)) set = bytes_of_line(&x, &isa);
  program_close(&x.p);
  return set;
}

#define FAR "u' = u[0, 4, 0] - u[0, -4, 0] + u[0, 0, 4] - u[0, 0, -4]"

CASE(a_line_needs_what_it_only_writes) {
  CHECK(set_of(STEP(FAR)) > 0);
  CHECK(set_of(STEP(FAR "\n  v' = 2*u")) > set_of(STEP(FAR)));
}

CASE(a_line_needs_the_slices_beside_that_it_reads) {
  double here = set_of(STEP(FAR " + w")), around = set_of(STEP(FAR " + w[0, 0, 3] on interior(4)"));
  CHECK(here > set_of(STEP(FAR)));
  CHECK(around > here);
}

/* ---- tiles ---- */

/* Steps and tile that are chosen for two threads with two megabytes of the second cache each, where
 * the copy of a vector takes so many cycles. */
static ik_plan chosen_with(const char *text, const char *strategy, double copy) {
  program   p;
  ik_isa    isa = {.vector_bytes = 64, .l1 = 48 << 10, .l2 = 2 << 20, .l3 = 16 << 20};
  ik_choose c = {.isa = &isa, .figures = machine};
  ik_plan   plan = {.strategy = strategy,
                    .cpu.planes = 1,
                    .cpu.rows = 1,
                    .cpu.vectors = 1,
                    .cpu.vector_bytes = 64,
                    .threads = 2};
  plan.cpu.in_place = plan.cpu.shift = true, c.figures.copy = copy;
  c.ir = MUST_OPEN(&p, text) ? p.ir : NULL;
  if (c.ir) ik_time_tiles_plan(&c, p.ir->body->body, 32, &p.arena, &plan);
  program_close(&p);
  return plan;
}

static ik_plan chosen(const char *text, const char *strategy) {
  return chosen_with(text, strategy, machine.copy);
}

#define WAVE(n, order)                                                                             \
  "grid x = " n ", y = " n ", z = " n "\nfield u : f32, history 2\nfield v : f32 = 0.1\n"          \
  "boundary u = 0\nstep 32 { u' = 2*u - u[t-1] + v*laplacian(u, order = " order ") }\n"

/* Slabs are for parallelograms alone. */
CASE(hexagons_are_cut_along_the_last_axis) {
  CHECK(chosen(WAVE("256", "2"), "hex").tile[2] > 0);
  CHECK(chosen(WAVE("128", "4"), "hex").tile[2] > 0);
  CHECK_EQ(chosen(WAVE("256", "2"), "skew").tile[2], 0);
}

/* Eight rows with four more on each side would be fetched twice. */
CASE(tiles_are_wider_than_what_is_fetched_around_them) {
  CHECK(chosen(WAVE("512", "8"), "hex").tile[1] > 8);
  CHECK(chosen(WAVE("512", "8"), "skew").tile[1] > 8);
}

#define PASSES "  u = u + v[1, 0, 0]\n  v = v + 0.5*u[1, 0, 0]\n"

/* Of sixteen passes at most: with five, three steps, however dear copies are. */
CASE(bands_of_lines_have_few_passes) {
  ik_plan plan =
      chosen_with("grid x = 512, y = 512, z = 512\nfield u, v : f32 = noise(1)\n"
                  "boundary u, v = 0\nstep 32 {\n" PASSES PASSES "  u = u + v[0, 0, 1]\n}\n",
                  "skew", 60);
  CHECK(plan.tile[1] > 0 && plan.tile[2] == 0);
  CHECK(plan.steps > 1 && 5 * plan.steps <= IK_SCHEDULE_BAND);
}

static int band_of(const char *words) {
  waves x;
  int   band = -1;
  if (open_waves(&x, STEP("u' = u + 0.5*u[0, 1, 1]"), words, 0))
    band = ik_time_tiles_passes(x.p.ir, &x.plan).cpu.band;
  program_close(&x.p);
  return band;
}

/* Slabs ask for what their next place reads; boxes come in no such order. */
CASE(passes_know_the_steps_of_lines_alone) {
  CHECK_EQ(band_of("skew steps=2 tile=0,8,0"), 2);
  CHECK_EQ(band_of("skew steps=2 tile=0,8,8"), 0);
  CHECK_EQ(band_of("skew steps=2 tile=0,0,8"), 0);
  CHECK_EQ(band_of("hex steps=2 tile=0,8,0"), 0);
}

/* A slab of the wave, with so much of the second cache. */
static ik_plan line_with(int64_t l2, double *bytes) {
  waves  x;
  ik_isa isa = {.vector_bytes = 64, .l1 = 48 << 10, .l2 = l2, .l3 = 16 << 20};
  if (open_waves(&x, WAVE("512", "8"), "skew steps=1 tile=0,0,0 bytes=64 shift=1 in_place=1", 0)) {
    x.plan.threads = 2;
    ik_choose c = {.ir = x.p.ir, .isa = &isa, .figures = machine};
    ik_time_tiles_choose(&c, &x.pipe, 32, &x.p.arena, &x.plan);
    *bytes = bytes_of_line(&x, &isa);
  }
  program_close(&x.p);
  return x.plan;
}

/* To the last byte: with a cache that the best slab fills it is chosen, with a smaller one not. */
CASE(lines_fill_their_share_of_the_second_cache) {
  double  bytes, same;
  ik_plan plan = line_with(2 << 20, &bytes);
  CHECK(plan.tile[1] > 8 && plan.tile[2] == 0 && bytes <= 0.85 * (2 << 20));
  int64_t least = (int64_t)ceil((bytes - 1e-3) / 0.85);
  CHECK_EQ(line_with(least, &same).tile[1], plan.tile[1]);
  CHECK(line_with(least - 2, &same).tile[1] < plan.tile[1]);
}
