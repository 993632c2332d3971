#include "lower/passes.h"

static int passes_in(const char *text) {
  program p;
  int     n = MUST_OPEN(&p, text) ? passes_of(&p, true, "")->n : 0;
  program_close(&p);
  return n;
}

#define PIECES(between)                                                                            \
  "grid x = 40, y = 20\nfield u, v, w : f32 = noise(1)\nstep 3 {\n"                                \
  "  u = 2*v on y = 0 .. 9\n" between "  u = 3 on y = 10 .. 19\n}\n"

/* Also where nothing is read but the piece that is there. */
CASE(what_is_read_between_its_pieces_gets_the_rest_in_another_pass) {
  CHECK_EQ(passes_in(PIECES("")), 1);
  CHECK_EQ(passes_in(PIECES("  w = 2*v\n")), 1);
  CHECK_EQ(passes_in(PIECES("  w = 2*u\n")), 2);
  CHECK_EQ(passes_in(PIECES("  w = 2*u on y = 0 .. 9\n")), 2);
}
