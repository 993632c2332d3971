#include "check.h"
#include "random/trial.h"

#define HEAT(steps)                                                                                \
  "grid x = 70, y = 40\nfield u : f32 = noise(1)\nboundary u = 0\nstep " steps                     \
  " { u' = u + 0.1*laplacian(u) }\n"

/* The passes of a run, three steps each if that is all: as --dump loops has them, in a line; then
 * those for which kernels are printed. */
static void passes_of(const char *text, char *out, size_t size) {
  static trial a, b;
  ik_plan      plan = {.target = "cpu", .strategy = "fuse", .steps = 3, .rows = 2, .vectors = 1};
  size_t       len = 0;
  plan.vector_bytes = 16, plan.threads = 2;
  *out = 0;
  if (trial_open(&a, "parts", text) && trial_engine(&a, "cpu", &plan)) {
    for (const char *at = a.engine->loops; (at = strstr(at, "pass 0: ")); at++)
      len += (size_t)snprintf(out + len, size - len, "%.*s, ", (int)strcspn(at + 8, "\n"), at + 8);
    for (int p = 0; p < 4; p++) {
      char name[32];
      snprintf(name, sizeof name, "void ikat_p%d_k0(", p);
      if (strstr(a.engine->code, name))
        len += (size_t)snprintf(out + len, size - len, "kernels of %d; ", p);
    }
    CHECK(trial_go(&a) && trial_is_compiled(&a));
    CHECK(trial_open(&b, "parts", text) && trial_play(&b, "ref", NULL) && trial_same(&a, &b));
    trial_close(&b);
  }
  trial_close(&a);
}

#define CHECK_PASSES(text, expected)                                                               \
  do {                                                                                             \
    char passes[256];                                                                              \
    passes_of(text, passes, sizeof passes);                                                        \
    CHECK_STR(passes, expected);                                                                   \
  } while (0)

/* The two steps at the end are in kernels of the three; a single one would have its own. */
CASE(several_steps_at_the_end_need_no_kernels_of_their_own) {
  CHECK_PASSES(HEAT("8"), "3 steps, 2 steps, 1 step, kernels of 0; kernels of 2; ");
  CHECK_PASSES(HEAT("9"), "3 steps, 1 step, kernels of 0; kernels of 1; ");
  CHECK_PASSES(HEAT("10"), "3 steps, 1 step, kernels of 0; kernels of 1; ");
}
