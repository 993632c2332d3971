#include "lower/passes.h"

/* ---- constants ---- */

/* Of a sum of `n` neighbours, each with a weight of its own. */
static int weights_of(int n) {
  program p;
  ik_buf  text = {0};
  int     weights = -2;
  ik_buf_puts(&text, "grid x = 64\nfield u : f64 = noise(1)\nboundary u = 0\nstep 2 { u' = ");
  for (int i = 0; i < n; i++) ik_buf_printf(&text, "%s%d.5*u[%d]", i ? " + " : "", i + 2, i - 8);
  ik_buf_puts(&text, " }\n");
  if (MUST_OPEN(&p, ik_buf_text(&text))) weights = pass_of(&p, "sweep")->kernel[0].shape->weights;
  ik_buf_free(&text);
  program_close(&p);
  return weights;
}

CASE(sixteen_constants_fit_into_registers) {
  CHECK_EQ(weights_of(16), -1);
  CHECK_EQ(weights_of(17), IK_F64);
}

/* ---- blocks ---- */

/* Vectors of a block of one row that makes `n` results a cell. */
static int vectors_of(int n) {
  program p;
  ik_buf  text = {0};
  int     vectors = -1;
  ik_buf_puts(&text, "grid x = 64\n");
  for (int i = 0; i < n; i++) ik_buf_printf(&text, "field f%d : f64 = noise(%d)\n", i, i);
  ik_buf_puts(&text, "step 2 {\n");
  for (int i = 0; i < n; i++) ik_buf_printf(&text, "  f%d' = 2*f%d\n", i, i);
  ik_buf_puts(&text, "}\n");
  if (MUST_OPEN(&p, ik_buf_text(&text)))
    vectors = pass_of(&p, "sweep vectors=2")->kernel[0].shape->vectors;
  ik_buf_free(&text);
  program_close(&p);
  return vectors;
}

CASE(results_that_registers_cannot_hold_come_in_smaller_blocks) {
  CHECK_EQ(vectors_of(8), 2);
  CHECK_EQ(vectors_of(9), 1);
}

/* Rows of a block of two rows and two vectors that makes `n` results a cell. */
static int rows_of(int n) {
  program p;
  ik_buf  text = {0};
  int     rows = -1;
  ik_buf_puts(&text, "grid x = 64, y = 20, z = 10\n");
  for (int i = 0; i < n; i++) ik_buf_printf(&text, "field f%d : f32 = noise(%d)\n", i, i);
  for (int i = 0; i < n; i++) ik_buf_printf(&text, "boundary f%d = 0\n", i);
  ik_buf_puts(&text, "step 2 {\n");
  for (int i = 0; i < n; i++)
    ik_buf_printf(&text, "  f%d' = f%d[0, 1, 0] + f%d[0, 0, 1]\n", i, i, i);
  ik_buf_puts(&text, "}\n");
  if (MUST_OPEN(&p, ik_buf_text(&text)))
    rows = pass_of(&p, "sweep rows=2 vectors=2")->kernel[0].shape->rows;
  ik_buf_free(&text);
  program_close(&p);
  return rows;
}

CASE(where_rows_have_reads_in_common_it_is_rows_that_go) {
  CHECK_EQ(rows_of(4), 2);
  CHECK_EQ(rows_of(5), 1);
}

/* ---- past the caches ---- */

#define LATER(planes)                                                                              \
  "grid x = 64, y = 16, z = " planes "\nfield u, v, w : f32 = noise(1)\nboundary w = copy\n"       \
  "step 3 {\n  v = 2*u\n  sweep z up { u = 0.5*v; w = 0.5*w[0, 0, -1] + u }\n}\n"

/* Is u, which the phase before has read, stored past the caches? */
static bool goes_past(const char *text) {
  program p;
  int     found = 0;
  bool    past = false;
  if (MUST_OPEN(&p, text)) {
    const ik_pass *pass = pass_of(&p, "stream=1 bytes=64 tile=0,8,0");
    CHECK_EQ(pass->nphase, 2);
    for (int i = 0; i < pass->nkernel; i++)
      for (int k = 0; k < pass->kernel[i].noutput; k++) {
        const ik_pipe_value *v = &pass->kernel[i].output[k];
        if (strcmp(p.ir->field[v->field].name, "u")) continue;
        past = pass->kernel[i].shape->output[k].streaming, found++;
      }
    CHECK_EQ(found, 1);
  }
  program_close(&p);
  return past;
}

/* Of a tile of 64 by 8 cells the second cache keeps 64 planes, and no more. */
CASE(what_the_second_cache_has_kept_stays_there) {
  CHECK(!goes_past(LATER("64")));
  CHECK(goes_past(LATER("65")));
}

/* ---- what a kernel cannot hold ---- */

/* Why a step is no pass; "" if it is one. */
static void refusal_of(const char *text, char *out, size_t size) {
  program p;
  *out = 0;
  if (MUST_OPEN(&p, text)) {
    const ik_pipe *pipe = passes_of(&p, true, "sweep in_place=1 tile=0,8,0");
    CHECK_EQ(pipe->n, 1);
    if (pipe->n && pipe->work[0].why) snprintf(out, size, "%s", pipe->work[0].why);
  }
  program_close(&p);
}

#define CHECK_REFUSAL(text, expected)                                                              \
  do {                                                                                             \
    char why[80];                                                                                  \
    refusal_of(text, why, sizeof why);                                                             \
    CHECK_STR(why, expected);                                                                      \
  } while (0)

static void check_fields(int n, const char *expected) {
  ik_buf text = {0};
  ik_buf_puts(&text, "grid x = 64, y = 16, z = 8\nfield u : f64 = 0\n");
  for (int i = 0; i < n; i++) ik_buf_printf(&text, "field f%d : f64 = noise(%d)\n", i, i);
  ik_buf_puts(&text, "step 2 {\n  u = 1");
  for (int i = 0; i < n; i++) ik_buf_printf(&text, " + f%d", i);
  ik_buf_puts(&text, "\n}\n");
  CHECK_REFUSAL(ik_buf_text(&text), expected);
  ik_buf_free(&text);
}

#define FAR(down)                                                                                  \
  "grid x = 64, y = 16, z = 300\nfield u : f32 = noise(1)\nboundary u = 0\nstep 2 {\n"             \
  "  u' = u[0, 0, -" down "] + u[0, 1, 127]\n}\n"

CASE(statements_that_read_too_much_are_no_pass) {
  check_fields(32, "");
  check_fields(33, "a statement reads too many fields");
  CHECK_REFUSAL(FAR("128"), "");
  CHECK_REFUSAL(FAR("129"), "a statement reads too many planes");
}
