#include "lower/fold.h"
#include "lang/program.h"

/* Does the first field's next level take the place of its oldest? */
static bool folds(const char *text) {
  program p;
  bool    is = MUST_OPEN(&p, text) && ik_fold_fields(p.ir, &p.arena)[0];
  program_close(&p);
  return is;
}

#define HEAD                                                                                       \
  "grid x = 9, y = 8\nfield u : f32, history 2 = noise(1)\nfield v : f32 = noise(2)\n"             \
  "boundary u, v = 0\n"

CASE(a_wave_does) {
  CHECK(folds(HEAD "step 3 { u' = 2*u - u[t-1] + v*laplacian(u) }\n"));
  CHECK(folds("grid x = 9, y = 8\nfield u : f32, history 3 = noise(1)\nboundary u = 0\n"
              "step 3 { u' = u[t-1, 1, 0] + 0.1*u[t-2] }\n"));
}

/* Boxes that meet nowhere and leave nothing out. */
CASE(a_wave_with_layers_does) {
  CHECK(folds("grid x = 40, y = 40, spacing = 1\nparam dt = 0.1\nfield u : f32, history 2 = 0\n"
              "boundary u = absorbing(8)\nstep 3 { u' = 2*u - u[t-1] + 0.1*laplacian(u) }\n"));
}

CASE(a_neighbour_of_the_oldest_is_read) {
  CHECK(!folds(HEAD "step 3 { u' = u - 0.1*u[t-1, 1, 0] }\n"));
}

CASE(somebody_else_reads_the_oldest) {
  CHECK(!folds(HEAD "step 3 {\n  u' = u - 0.1*u[t-1]\n  v' = u[t-1]\n}\n"));
  CHECK(!folds(HEAD "step 3 {\n  a = u[t-1]\n  u' = u - 0.1*a[1, 0]\n}\n"));
  CHECK(!folds(HEAD "step 3 {\n  u' = u - 0.1*u[t-1]\n  s = sum(u[t-1])\n}\n"));
  CHECK(!folds(HEAD "source u[t-1, 1, 1] at (2, 3) into v\n"
                    "step 3 {\n  u' = u - 0.1*u[t-1]\n  v' = v\n}\n"));
}

/* Tiles would make a neighbour's next level themselves, after its oldest has gone. */
CASE(a_neighbour_of_the_next_is_read) {
  CHECK(!folds(HEAD "step 3 {\n  u' = u - 0.1*u[t-1]\n  v' = u'[1, 0]\n}\n"));
}

CASE(there_is_no_older_level) {
  CHECK(!folds("grid x = 9\nfield u : f32 = noise(1)\nboundary u = 0\nstep 3 { u' = 0.5*u }\n"));
}
