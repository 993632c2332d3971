#include "lang/program.h"
#include "lower/pipe.h"

/* Pieces of work, of how many steps, and kernels of the first: "1 of 2, kernels 2". */
static void shape_of(const char *text, int steps, char *out, size_t size) {
  program p;
  ik_pipe pipe = {0};
  ik_plan plan = {.steps = steps, .planes = 1, .rows = 1, .vectors = 1, .vector_bytes = 16};
  plan.tile[0] = 16, plan.threads = 1;
  snprintf(out, size, "none");
  if (MUST_OPEN(&p, text)) {
    ik_pipe_of(p.ir, p.ir->body->body, steps, &plan, &p.arena, &pipe);
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
