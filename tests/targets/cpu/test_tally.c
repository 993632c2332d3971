#include "targets/cpu/tally.h"
#include "lang/program.h"
#include "targets/cpu/shape/shape.h"

/* The kernel of a program's only pass, for blocks of so many rows (planes in 2D) and vectors. */
static ik_pipeline_stage tally_of(const char *text, int rows, int vectors) {
  ik_pipeline_stage out = {0};
  ik_plan           plan = {.target = "cpu", .strategy = "sweep", .steps = 1};
  program           p;
  plan.cpu.rows = rows, plan.cpu.vectors = vectors, plan.cpu.vector_bytes = 16, plan.threads = 1;
  if (MUST_OPEN(&p, text)) {
    ik_pipe pipe;
    ik_shape_passes(p.ir, p.ir->body->body, 1, &plan, &p.arena, &pipe);
    CHECK_EQ(pipe.n, 1);
    const ik_pass *pass = pipe.work[0].pass;
    CHECK_EQ(pass->nkernel, 1);
    out = ik_tally_kernel(pass, &pass->kernel[0], &p.arena);
  }
  program_close(&p);
  return out;
}

#define HEAD                                                                                       \
  "grid x = 64, y = 64\nfield u, v : f32 = noise(1)\nboundary u = 0\n"                             \
  "step 4 {\n"

/* Four rows look at six, and each at its own two neighbours. */
CASE(rows_that_several_results_read_are_loaded_once) {
  static const char star[] = HEAD "  u' = u/2 + u[1,0]/8 + u[-1,0]/8 + u[0,1]/8 + u[0,-1]/8\n}\n";
  CHECK_NEAR(tally_of(star, 1, 1).loads, 5, 0);
  CHECK_NEAR(tally_of(star, 4, 1).loads, (6 + 2 * 4) / 4., 0);
  CHECK_NEAR(tally_of(star, 4, 1).stores, 1, 0);
  CHECK_NEAR(tally_of(star, 4, 1).together, 4, 0);
}

/* Neighbours a whole vector away are those of the next vector. */
CASE(vectors_share_what_lies_a_vector_apart) {
  static const char far[] = HEAD "  u' = u + u[4,0] + u[0,1] + u[0,-1]\n}\n";
  CHECK_NEAR(tally_of(far, 1, 1).loads, 4, 0);
  CHECK_NEAR(tally_of(far, 1, 4).loads, (5 + 2 * 4) / 4., 0);
}

/* The flux between two rows belongs to both. */
CASE(what_several_results_need_is_computed_once) {
  static const char flux[] =
      HEAD "  v = max(abs(u[0,1] + u), abs(u + u[0,-1])) on interior(1)\n}\n";
  CHECK_NEAR(tally_of(flux, 1, 1).arithmetic, 5, 0);
  CHECK_NEAR(tally_of(flux, 4, 1).arithmetic, (2 * 5 + 4) / 4., 0);
}

/* What is the same along a row is made before it; what a statement made is not loaded. */
CASE(only_what_every_vector_does_counts) {
  static const char rows[] =
      HEAD "  a = sqrt(y + 2.0)*u\n  v = abs(a)/(y + 1.0) + a on interior(1)\n}\n";
  ik_pipeline_stage t = tally_of(rows, 1, 1);
  CHECK_NEAR(t.loads, 1, 0);
  CHECK_NEAR(t.arithmetic, 3, 0);
  CHECK_NEAR(t.divisions, 1, 0);
}

CASE(dividing_by_a_power_of_two_is_multiplying) {
  static const char by[] = "arithmetic plain\n" HEAD "  v = u/4 + (u + 1)/3\n}\n";
  CHECK_NEAR(tally_of(by, 1, 1).divisions, 1, 0);
}

/* Roots and remainders are taken by the unit that divides. */
CASE(roots_and_remainders_are_divisions) {
  static const char root[] = HEAD "  v = sqrt(u*u + 1)\n}\n";
  static const char rest[] =
      "grid x = 64, y = 64\nfield k : i32 = 7\nstep 4 { k' = mod(k + 5, 3) }\n";
  CHECK_NEAR(tally_of(root, 1, 1).divisions, 1, 0);
  CHECK_NEAR(tally_of(rest, 1, 1).divisions, 1, 0);
}
