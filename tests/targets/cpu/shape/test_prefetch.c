#include "lower/passes.h"

#define WIDENED(cells)                                                                             \
  "grid x = " cells ", y = 20\nfield u : f32 = noise(1)\nfield v : f64 = 0\nstep 3 { v = u }\n"

/* Elements ahead of itself at which a kernel asks for its first input; 0: it does not. */
static int64_t ahead_of(const char *text) {
  program p;
  int64_t ahead = MUST_OPEN(&p, text) ? pass_of(&p, "")->kernel[0].shape->input[0].prefetch : -1;
  program_close(&p);
  return ahead;
}

#define LEAD(row)                                                                                  \
  "grid x = 128, y = 40, z = 4\nfield in : f32 = noise(1)\nfield out, w : f32 = in\nstep 3 {\n"    \
  "  a = in[1, 0, 0] + in[-1, 0, 0]*in[0, 1, 0]\n"                                                 \
  "  out = in - a[0, 1, 0] + a[1, 0, 0]*a[-1, -1, 0] + w[0, " row ", 0] on interior(2, 2, 0)\n}\n"

/* Rows beyond those that it reads, of a kernel that computes another ahead. */
static int64_t rows_ahead_of(const char *text, const char *field) {
  program p;
  int64_t rows = -1;
  if (MUST_OPEN(&p, text)) {
    const ik_pass *pass = pass_of(&p, "tile=0,16 bytes=64");
    for (int i = 0; i < pass->nkernel; i++)
      for (int k = 0; pass->kernel[i].nahead && k < pass->kernel[i].ninput; k++) {
        const ik_pipe_value *v = &pass->kernel[i].input[k];
        if (!strcmp(p.ir->field[v->field].name, field))
          rows = pass->kernel[i].shape->input[k].prefetch / v->pitch;
      }
  }
  program_close(&p);
  return rows;
}

/* 4 KiB are eight rows. */
CASE(what_is_read_further_on_is_asked_for_further_on) {
  CHECK_EQ(rows_ahead_of(LEAD("-1"), "w"), 8);
  CHECK_EQ(rows_ahead_of(LEAD("0"), "w"), 8);
  CHECK_EQ(rows_ahead_of(LEAD("2"), "w"), 8 + 2);
  CHECK_EQ(rows_ahead_of(LEAD("2"), "in"), 8 + 1 + 1); /* a row on, for the row that leads by one */
}

/* Rows of 8 KiB at most, in the widest of the types. */
CASE(rows_that_are_long_are_not_asked_for) {
  CHECK(ahead_of(WIDENED("1024")) > 0);
  CHECK_EQ(ahead_of(WIDENED("1025")), 0);
}
