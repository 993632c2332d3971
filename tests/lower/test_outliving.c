#include "lower/outliving.h"
#include "lang/program.h"
#include <string.h>

#define HEAD "grid x = 9, y = 8\nfield u, v : f32 = noise(1)\nboundary u, v = 0\n"

/* Names of those that leave their list, in order; "" without any. */
static const char *across(const char *text) {
  static char names[80];
  program     p;
  names[0] = 0;
  if (MUST_OPEN(&p, text)) {
    const bool *is = ik_outliving_temps(p.ir, &p.arena);
    for (int f = 0; is && f < p.ir->nfield; f++)
      if (is[f]) strcat(strcat(names, names[0] ? " " : ""), p.ir->field[f].name);
  }
  program_close(&p);
  return names;
}

CASE(within_a_list) {
  CHECK_STR(across(HEAD "a = u[1,0]\nv = a[-1,0]\n"), "");
  CHECK_STR(across(HEAD "step 2 {\n  a = u[1,0]\n  u' = a[-1,0] + a\n}\n"), "");
}

CASE(made_before_a_loop_and_read_in_it) {
  CHECK_STR(across(HEAD "a = u[1,0]\nstep 2 { u' = 0.5*a[-1,0] }\n"), "a");
  CHECK_STR(across(HEAD "a = u[1,0]\nb = a + u\nv = b[1,0]\nstep 2 { u' = 0.5*a }\n"), "a");
}

CASE(made_before_a_loop_and_read_after_it) {
  CHECK_STR(across(HEAD "a = u[1,0]\nstep 2 { u' = 0.5*u }\nv = a\ns = sum(a)\n"), "a");
}

CASE(read_by_a_reduction_alone) {
  CHECK_STR(across(HEAD "a = u[1,0]\nstep 2 {\n  u' = 0.5*u\n  s = sum(a*u)\n}\n"), "a");
}
