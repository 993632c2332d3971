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

/* At its own cell the next level is what it should be. */
CASE(the_next_is_read_where_it_is_made) {
  CHECK(folds(HEAD "step 3 {\n  u' = u - 0.1*u[t-1]\n  v' = u'\n}\n"));
}

CASE(neighbours_along_every_axis_count) {
  static const char *const off[] = {"1, 0, 0", "0, 1, 0", "0, 0, -1"};
  for (int i = 0; i < 3; i++) {
    char text[400];
    snprintf(text, sizeof text,
             "grid x = 9, y = 8, z = 7\nfield u : f32, history 2 = noise(1)\nboundary u = 0\n"
             "step 3 { u' = u - 0.1*u[t-1, %s] }\n",
             off[i]);
    CHECK(!folds(text));
    snprintf(text, sizeof text,
             "grid x = 9, y = 8, z = 7\nfield u : f32, history 2 = noise(1)\nfield v : f32 = 0\n"
             "boundary u = 0\nstep 3 {\n  u' = u - 0.1*u[t-1]\n  v' = u'[%s]\n}\n",
             off[i]);
    CHECK(!folds(text));
  }
}

/* Given once more in a sweep, after the oldest has gone. */
CASE(a_sweep_gives_the_next) {
  CHECK(!folds(HEAD "step 3 {\n  sweep y up { u' = u - 0.1*u[t-1] }\n}\n"));
  CHECK(!folds(HEAD "step 3 {\n  u' = u - 0.1*u[t-1]\n  sweep y up { u' = 0.5*u' + u[t-1] }\n}\n"));
}

CASE(given_twice) {
  CHECK(!folds(HEAD "step 3 {\n  u' = u - 0.1*u[t-1]\n  u' = 0.5*u' + u[t-1]\n}\n"));
}

/* Wherever the field stands among others. */
CASE(the_last_field_folds_or_does_not) {
  for (int i = 0; i < 2; i++) {
    program p;
    char    text[400];
    snprintf(text, sizeof text,
             "grid x = 9, y = 8\nfield v : f32 = 0\nfield u : f32, history 2 = noise(1)\n"
             "boundary u, v = 0\nstep 3 {\n  u' = u - 0.1*u[t-1]\n%s}\n",
             i ? "  u' = 0.5*u' + u[t-1]\n" : "");
    if (MUST_OPEN(&p, text)) CHECK_EQ(ik_fold_fields(p.ir, &p.arena)[1], i == 0);
    program_close(&p);
  }
}

CASE(there_is_no_older_level) {
  CHECK(!folds("grid x = 9\nfield u : f32 = noise(1)\nboundary u = 0\nstep 3 { u' = 0.5*u }\n"));
}
