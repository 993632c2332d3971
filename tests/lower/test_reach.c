#include "lower/passes.h"

/* ---- tiles ---- */

static int64_t planes_of(const char *text, const char *words, int threads) {
  program p;
  int64_t planes = 0;
  if (MUST_OPEN(&p, text)) {
    ik_plan plan = {.strategy = "sweep", .steps = 1, .planes = 1, .rows = 1, .vectors = 1};
    ik_pipe pipe;
    plan.vector_bytes = 16, plan.threads = threads;
    CHECK(ik_plan_read(words, &plan));
    ik_pipe_of(p.ir, p.ir->body->body, 1, &plan, &p.arena, &pipe);
    CHECK(pipe.n == 1 && pipe.work[0].kind == IK_WORK_PASS);
    planes = pipe.work[0].pass->tile[IK_STREAM];
  }
  program_close(&p);
  return planes;
}

#define FLAT(extra)                                                                                \
  "grid x = 20, y = 16, z = 10\nfield u : f32 = noise(1)\nboundary u = 0\n"                        \
  "step 4 {\n  u' = 0.5*u[1, 0, 0] + 0.25*u[0, 1, 0]" extra "\n}\n"

/* A tile takes time to open; whole planes need no other for each. */
CASE(planes_that_do_not_see_each_other_are_shared_among_threads) {
  CHECK_EQ(planes_of(FLAT(""), "tile=0,16,0", 1), 10);
  CHECK_EQ(planes_of(FLAT(""), "tile=0,16,0", 3), 4);
  CHECK_EQ(planes_of(FLAT(""), "tile=0,16,2", 10), 1);
  CHECK_EQ(planes_of(FLAT(""), "tile=0,16,0", 64), 1);
}

/* In the order of memory: all of a plane, then the next. */
CASE(parts_of_planes_are_tiles) {
  CHECK_EQ(planes_of(FLAT(""), "tile=0,8,0", 3), 1);
  CHECK_EQ(planes_of(FLAT(""), "tile=8,16,0", 3), 1);
}

CASE(planes_that_see_each_other_are_streamed) {
  CHECK_EQ(planes_of(FLAT(" + 0.1*u[0, 0, 1]"), "tile=0,8,0", 3), 10);
}

/* ---- in place ---- */

#define IN_PLACE(row)                                                                              \
  "grid x = 33, y = 17\nfield u : f32 = noise(1)\nfield v : f32 = noise(2)\nboundary u = copy\n"   \
  "boundary v = periodic\n"                                                                        \
  "step 2 {\n  v = 0.5*v\n  a = 0.5*u + 0.5*v\n  v = -u\n  u' = 0.3*a[0, " row "] + 0.3*a\n}\n"

static int passes_in(const char *text) {
  program p;
  int     n = 0;
  if (MUST_OPEN(&p, text)) n = passes_of(&p, true, "tile=0,0")->n;
  program_close(&p);
  return n;
}

/* v is overwritten at one end before what stands for it beyond the other is computed: the temporary
 * has a pass of its own if it has a row there.  That v is assigned twice takes two in any case. */
CASE(what_is_overwritten_in_place_has_no_images) {
  CHECK_EQ(passes_in(IN_PLACE("0")), 2);
  CHECK_EQ(passes_in(IN_PLACE("1")), 3);
}
