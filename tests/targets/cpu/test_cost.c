/* What the model is told of a pass. */
#include "targets/cpu/cost.h"
#include "lang/program.h"
#include "lower/sweep.h"
#include "targets/cpu/shape/shape.h"

static const ik_isa avx512 = {.vector_bytes = 64, .l1 = 48 << 10, .l2 = 2 << 20, .l3 = 16 << 20};

/* Of the statements of a program, or of its step. */
static ik_pipeline_work work_of(program *p, int64_t rows, int threads) {
  const ik_stmt *s = p->ir->body;
  bool           steps = s->kind == IK_STEPS;
  ik_plan        plan = {.target = "cpu", .strategy = "sweep", .steps = 1, .cpu.vector_bytes = 64};
  ik_pipe        pipe;
  plan.cpu.rows = plan.cpu.planes = plan.cpu.vectors = 1, plan.threads = threads,
  plan.tile[1] = rows;
  ik_shape_passes(p->ir, steps ? s->body : s, steps, &plan, &p->arena, &pipe);
  return ik_cost_count(&pipe, &avx512, threads, &p->arena);
}

static double working_set_of(const char *planes) {
  char    text[400];
  double  bytes = 0;
  program p;
  snprintf(text, sizeof text,
           "grid x = 64, y = 32, z = %s\nfield u, v : f32 = noise(1)\n"
           "sweep z up { at first { u = v } within { u = 0.5*u[0,0,-1] + v } }\n"
           "sweep z down { at first { v = u } within { v = 0.5*v[0,0,1] + u } }\n",
           planes);
  if (MUST_OPEN(&p, text)) {
    ik_pipeline_work w = work_of(&p, 0, 1);
    CHECK_EQ(w.npass, 1);
    CHECK_EQ(w.pass[0].nphase, 2);
    bytes = w.pass[0].working_set;
  }
  program_close(&p);
  return bytes;
}

/* The sweep back finds in a cache what the one before it has left there, of all planes. */
CASE(sweeps_come_back_to_whole_columns) {
  double few = working_set_of("64"), many = working_set_of("128");
  CHECK(many > 1.9 * few && many < 2 * few);
}

/* Both stages of the sweep back read u, and both write v: 64 planes more, of a row each. */
CASE(what_several_stages_share_is_come_back_to_once) {
  CHECK_NEAR(working_set_of("128") - working_set_of("64"), 2 * 4 * 64 * 64, 0);
}

static bool goes_by_rows(const char *step) {
  char    text[600];
  bool    is = false;
  program p;
  snprintf(
      text, sizeof text,
      "grid x = 64, y = 64, z = 64\nfield u : f32 = noise(1)\nfield v, w : f32\nboundary u, v = 0\n"
      "step 4 {\n%s\n}\n",
      step);
  if (MUST_OPEN(&p, text)) {
    ik_pipeline_work w = work_of(&p, 64, 1);
    CHECK_EQ(w.npass, 1);
    is = w.pass[0].by_rows;
  }
  program_close(&p);
  return is;
}

/* Rows of stages take turns, or the last stage computes the one before it a row ahead. */
CASE(stages_of_a_plane_take_turns_by_rows) {
  CHECK(goes_by_rows("a = u[1,0,0] + u[-1,0,0] + u[0,1,0] + u[0,-1,0]\n"
                     "w = a[1,0,0] + a[-1,0,0] + a[0,1,0] + a[0,-1,0] on interior(2)"));
  CHECK(goes_by_rows("a = u[1,0,0] + u[-1,0,0] + u[0,1,0] + u[0,-1,0]\n"
                     "b = a[1,0,0] + a[-1,0,0] + a[0,1,0] + a[0,-1,0]\n"
                     "w = b[1,0,0] + b[-1,0,0] + b[0,1,0] + b[0,-1,0] on interior(3)"));
  CHECK(!goes_by_rows("w = u[1,0,0] + u[-1,0,0] on interior(1)"));
}

/* Cells of the thread that has most of three, of so many rows, each of which is a tile. */
static double most_cells_of(const char *rows) {
  char    text[200];
  double  cells = 0;
  program p;
  snprintf(text, sizeof text,
           "grid x = 60, y = %s\nfield u : f32 = noise(1)\nboundary u = 0\n"
           "step 4 { u' = u[1,0] + u[-1,0] }\n",
           rows);
  if (MUST_OPEN(&p, text)) {
    ik_pipeline_work w = work_of(&p, 1, 3);
    CHECK_EQ(w.npass, 1);
    cells = w.pass[0].most_cells;
  }
  program_close(&p);
  return cells;
}

/* ... and a third where there are so many of them that one more makes no difference. */
CASE(threads_have_whole_tiles_up_to_4096) {
  CHECK_NEAR(most_cells_of("4"), 2 * 60, 0);
  CHECK_NEAR(most_cells_of("4096"), 1366 * 60, 0);
  CHECK_NEAR(most_cells_of("4097"), 4097 * 20, 0);
}

/* What is left to the interpreter takes its time, too: more statements than an order has room for.
 */
CASE(interpreted_cells_have_a_price) {
  char    text[4000] = "grid x = 1000\nfield u : f32 = noise(1)\nboundary u = 0\nsweep x up {\n";
  program p;
  for (int i = 0; i <= IK_SWEEP_STMTS; i++) strcat(text, "  u = 0.5*u[-1] + u\n");
  strcat(text, "}\n");
  if (MUST_OPEN(&p, text)) {
    ik_pipeline_work w = work_of(&p, 0, 1);
    CHECK_EQ(w.npass, 0);
    CHECK(w.single > 0);
  }
  program_close(&p);
}
