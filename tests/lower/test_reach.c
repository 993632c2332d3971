#include "lower/passes.h"

/* ---- tiles ---- */

static int64_t planes_of(const char *text, const char *words) {
  program p;
  int64_t planes = MUST_OPEN(&p, text) ? pass_of(&p, words)->tile[IK_STREAM] : 0;
  program_close(&p);
  return planes;
}

#define FLAT(extra)                                                                                \
  "grid x = 20, y = 16, z = 10\nfield u : f32 = noise(1)\nboundary u = 0\n"                        \
  "step 4 {\n  u' = 0.5*u[1, 0, 0] + 0.25*u[0, 1, 0]" extra "\n}\n"

/* In the order of memory: all of a plane, then the next. */
CASE(planes_that_do_not_see_each_other_are_tiles) {
  CHECK_EQ(planes_of(FLAT(""), "tile=0,16,0"), 1);
  CHECK_EQ(planes_of(FLAT(""), "tile=0,8,0"), 1);
  CHECK_EQ(planes_of(FLAT(""), "tile=8,16,5"), 1);
}

CASE(planes_that_see_each_other_are_streamed) {
  CHECK_EQ(planes_of(FLAT(" + 0.1*u[0, 0, 1]"), "tile=0,8,0"), 10);
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
