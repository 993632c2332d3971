#include "lower/passes.h"

#define WIDENED(cells)                                                                             \
  "grid x = " cells ", y = 20\nfield u : f32 = noise(1)\nfield v : f64 = 0\nstep 3 { v = u }\n"

/* Elements ahead of itself at which a kernel asks for its first input; 0: it does not. */
static int64_t ahead_of(const char *text) {
  program p;
  int64_t ahead = MUST_OPEN(&p, text) ? pass_of(&p, "")->kernel[0].input[0].ahead : -1;
  program_close(&p);
  return ahead;
}

/* Rows of 8 KiB at most, in the widest of the types. */
CASE(rows_that_are_long_are_not_asked_for) {
  CHECK(ahead_of(WIDENED("1024")) > 0);
  CHECK_EQ(ahead_of(WIDENED("1025")), 0);
}
