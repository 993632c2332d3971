#include "lang/program.h"
#include "lower/pipe.h"
#include "targets/cpu/shape/shape.h"

/* Pieces of work, of how many steps, and kernels of the first: "1 of 2, kernels 2". */
static void shape_of(const char *text, int steps, char *out, size_t size) {
  program p;
  ik_pipe pipe = {0};
  ik_plan plan = {
      .steps = steps, .cpu.planes = 1, .cpu.rows = 1, .cpu.vectors = 1, .cpu.vector_bytes = 16};
  plan.tile[0] = 16, plan.threads = 1;
  snprintf(out, size, "none");
  if (MUST_OPEN(&p, text)) {
    ik_shape_passes(p.ir, p.ir->body->body, steps, &plan, &p.arena, &pipe);
    bool pass = pipe.n > 0 && pipe.work[0].kind == IK_WORK_PASS;
    snprintf(out, size, "%d of %d, kernels %d", pipe.n, pipe.steps,
             pass ? pipe.work[0].pass->nkernel : 0);
  }
  program_close(&p);
}

#define CHECK_SHAPE(text, steps, expected)                                                         \
  do {                                                                                             \
    char shape[64];                                                                                \
    shape_of(text, steps, shape, sizeof shape);                                                    \
    CHECK_STR(shape, expected);                                                                    \
  } while (0)

#define HEAD                                                                                       \
  "grid x = 99\nfield u, v, k : f64 = noise(1)\nboundary u = 0.5\nboundary k = copy\n"             \
  "boundary v = periodic\n"

/* No image beyond the end of v is computed here: they are read, of what lies in memory. */
CASE(ends_of_all_kinds_share_a_pass) {
  CHECK_SHAPE(HEAD "step 3 {\n  u' = u[-1] + u[1] + v\n  v' = k*v[1] + u\n}\n", 1,
              "1 of 1, kernels 1");
  CHECK_SHAPE(HEAD "step 3 {\n  a = u[-2] + u[2]\n  b = a*a[1]*exp(a[2])\n"
                   "  u' = sqrt(b[1] + b[-2] + v*v)\n  v' = k*v[1] + u\n}\n",
              1, "1 of 1, kernels 3");
}

/* The second step reads v' beyond its end and so wants images of u', which has none. */
CASE(images_of_what_has_a_boundary_do_not) {
  CHECK_SHAPE(HEAD "step 4 {\n  u' = u[-1] + u[1] + v\n  v' = k*v[1] + u\n}\n", 2,
              "1 of 1, kernels 1");
  CHECK_SHAPE(HEAD "step 4 {\n  v' = k*v[1] + v\n}\n", 2, "1 of 2, kernels 2");
}

#define SWEEP(axes, off)                                                                           \
  "grid x = 40, y = 30\nfield u : f64 = noise(1)\nboundary u = 0\nstep 3 {\n"                      \
  "  sweep " axes " { at first { u = 1 }\n within { u = 0.5*u[" off "] } }\n}\n"

CASE(a_sweep_along_one_axis_but_the_first_is_a_pass) {
  CHECK_SHAPE(SWEEP("y up", "0, -1"), 1, "1 of 1, kernels 2");
  CHECK_SHAPE(SWEEP("x up", "-1, 0"), 1, "1 of 1, kernels 0");
  CHECK_SHAPE("grid x = 40, y = 30\nfield u : f64 = noise(1)\nboundary u = 0\nstep 3 {\n"
              "  sweep y up, x up { u = 0.5*u[0, -1] }\n}\n",
              1, "1 of 1, kernels 0");
}

#define ALONG_Z                                                                                    \
  "grid x = 32, y = 20, z = 10\nfield u, v, w : f32 = noise(1)\nboundary u = periodic\n"           \
  "boundary w = copy\nstep 4 {\n  u' = 0.5*u on y = 0 .. 9\n  v' = u'[0, 1, 0]\n"                  \
  "  w' = 0.5*w[0, 0, 1]\n}\n"

/* The first two alone would be walked along y, where u' has no images, being made of two pieces;
 * all together, as in several steps, are walked along z. */
CASE(all_statements_are_tried_as_one_pass_first) {
  CHECK_SHAPE(ALONG_Z, 1, "1 of 1, kernels 3");
  CHECK_SHAPE(ALONG_Z, 2, "1 of 2, kernels 4");
}

#define SOURCE(value)                                                                              \
  "grid x = 99\nfield u, v : f64 = noise(1)\nboundary u = 0\nsource " value                        \
  " at (2) into u\nstep 4 { u' = u[-1] + u[1] + v }\n"

/* What a source adds in the second step would be made of values that no array has yet. */
CASE(a_source_that_reads_fields_is_for_one_step_at_a_time) {
  CHECK_SHAPE(SOURCE("2.5"), 2, "1 of 2, kernels 2");
  CHECK_SHAPE(SOURCE("v[7]"), 2, "1 of 1, kernels 1");
}

/* What another step updates has a value of the step before, which is the one that is given here. */
CASE(what_a_step_overwrites_in_place_is_stored) {
  program p;
  ik_pipe pipe = {0};
  ik_plan plan = {
      .steps = 1, .cpu.planes = 1, .cpu.rows = 1, .cpu.vectors = 1, .cpu.vector_bytes = 16};
  int stored = 0;
  plan.threads = 1;
  if (MUST_OPEN(&p, "grid x = 99\nfield u : f32, history 2 = noise(1)\nboundary u = 0\n"
                    "step 3 { u = 0.5*u }\nstep 3 { u' = u - 0.1*u[t-1, 1] }\n")) {
    ik_shape_passes(p.ir, p.ir->body->body, 1, &plan, &p.arena, &pipe);
    CHECK(pipe.n == 1 && pipe.work[0].kind == IK_WORK_PASS);
    const ik_pipe_kernel *k = &pipe.work[0].pass->kernel[0];
    for (int i = 0; i < k->nstmt; i++) stored += k->store[i] >= 0;
    CHECK_EQ(stored, 2); /* u, and u' as what it is then */
  }
  program_close(&p);
}
