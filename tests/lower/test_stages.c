#include "lower/passes.h"

/* Blocks of the kernels of a step, two planes by one row by one vector if all goes well. */
static void blocks_of(const char *text, char *out, size_t size) {
  program p;
  size_t  len = 0;
  *out = 0;
  if (MUST_OPEN(&p, text)) {
    const ik_pass *pass = pass_of(&p, "planes=2");
    for (int i = 0; i < pass->nkernel; i++) {
      const ik_pipe_kernel *k = &pass->kernel[i];
      len += (size_t)snprintf(out + len, size - len, "%s %d %d %d; ",
                              p.ir->field[k->stmt[0]->field].name, k->planes, k->rows, k->vectors);
    }
  }
  program_close(&p);
}

#define CHECK_BLOCKS(text, expected)                                                               \
  do {                                                                                             \
    char blocks[256];                                                                              \
    blocks_of(text, blocks, sizeof blocks);                                                        \
    CHECK_STR(blocks, expected);                                                                   \
  } while (0)

#define TWO(made, read)                                                                            \
  "grid x = 64, y = 20, z = 20\nfield u : f32 = noise(1)\nboundary u = 0\nstep 3 {\n"              \
  "  a = sqrt(1 + " made ")\n  u' = sqrt(2 + " read ")\n}\n"

/* What is read in memory is read in its order where planes have nothing in common; of rings as many
 * planes are read as the others do. */
CASE(planes_that_share_nothing_are_made_one_by_one) {
  CHECK_BLOCKS(TWO("u[0, 0, 1] + u[0, 1, 0]", "a + a[0, 0, -1]"), "a 1 1 2; u 2 1 1; ");
  CHECK_BLOCKS(TWO("u[1, 0, 1] + u[0, 1, 0] + u", "a + a[0, 0, -1]"), "a 1 1 2; u 2 1 1; ");
  CHECK_BLOCKS(TWO("u[0, 1, 1] + u[0, 1, 0]", "a + a[0, 0, -1]"), "a 2 1 1; u 2 1 1; ");
  CHECK_BLOCKS(TWO("u[0, 1, 1] + u[0, 1, 0]", "a + a[0, 1, -1]"), "a 2 1 1; u 2 1 1; ");
}
