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
  if (MUST_OPEN(&p, ik_buf_text(&text))) weights = pass_of(&p, "sweep")->kernel[0].weights;
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
    vectors = pass_of(&p, "sweep vectors=2")->kernel[0].vectors;
  ik_buf_free(&text);
  program_close(&p);
  return vectors;
}

CASE(results_that_registers_cannot_hold_come_in_smaller_blocks) {
  CHECK_EQ(vectors_of(8), 2);
  CHECK_EQ(vectors_of(9), 1);
}
