#include "ir/state.h"
#include "lower/passes.h"

#define LINES "tile=0,16 rows=4 vectors=4 bytes=64 shift=1 in_place=1 "

/* How the last pass of a step loop has field u, as ik_pipe_print() says it. */
static void rows_of(const char *text, const char *words, char *out, size_t size) {
  program p;
  snprintf(out, size, "none");
  if (MUST_OPEN(&p, text)) {
    const char *at = strstr(passes_text(&p, true, words), " u@0 ");
    const char *ring = at ? strchr(at, ',') : NULL;
    if (ring) snprintf(out, size, "%.*s", (int)strcspn(ring + 2, "\n"), ring + 2);
  }
  program_close(&p);
}

#define CHECK_ROWS(words, text, expected)                                                          \
  do {                                                                                             \
    char rows[256];                                                                                \
    rows_of(text, LINES words, rows, sizeof rows);                                                 \
    CHECK_STR(rows, expected);                                                                     \
  } while (0)

#define U(n, type, beyond, stmt)                                                                   \
  "grid x = " n ", y = 40, z = 30\nfield u : " type " = noise(1)\nboundary u = " beyond            \
  "\nstep 4 {\n  " stmt "\n}\n"
#define STAR "u' = u[-4, 0, 0] + u[4, 0, 0] + u[0, 4, 0] + u[0, 0, 4] - u[0, 0, -4]"

#define WHOLE "ring of 9 planes near faces, rows whole and 9 spare, memory level 0"
#define RING  "ring of 9 planes and 9 spare, memory level 0"

CASE(rows_of_whole_lines_between_numbers_are_read_where_they_lie) {
  CHECK_ROWS("sweep", U("512", "f32", "0", STAR), WHOLE);
  CHECK_ROWS("sweep", U("16", "f64", "-2.5", STAR), WHOLE);
}

CASE(others_are_copied) {
  CHECK_ROWS("sweep", U("520", "f32", "0", STAR), RING);
  CHECK_ROWS("sweep", U("512", "f32", "y", STAR), RING);
  CHECK_ROWS("sweep", U("512", "f32", "1e39", STAR), RING);
  CHECK_ROWS("sweep", U("512", "bf16", "0", STAR), RING);
  CHECK_ROWS("sweep", U("512", "f32", "0", STAR " on interior(1, 0, 0)"), RING);
  CHECK_ROWS("sweep", U("512", "f32", "0", STAR " + u[9, 0, 0]"), RING);
  CHECK_ROWS("sweep tile=256", U("512", "f32", "0", STAR), RING);
  CHECK_ROWS("sweep shift=0", U("512", "f32", "0", STAR), RING);
  CHECK_ROWS("sweep in_place=0", U("512", "f32", "0", STAR), RING);
  CHECK_ROWS("sweep bytes=32", U("512", "f32", "0", STAR), RING);
  CHECK_ROWS("fuse steps=2", U("512", "f32", "0", STAR), RING);
}

/* A kernel reads all of them whole, or none. */
CASE(one_that_cannot_keeps_the_others_from_it) {
#define TWO(v)                                                                                     \
  "grid x = 64, y = 40, z = 30\nfield u, v : f32 = noise(1)\nboundary u = 0\nboundary v = " v      \
  "\nstep 4 {\n  " STAR " + v[1, 0, 0]\n}\n"
  CHECK_ROWS("sweep", TWO("1"), WHOLE);
  CHECK_ROWS("sweep", TWO("mirror"), RING);
  CHECK_ROWS(
      "sweep",
      "grid x = 64, y = 40, z = 30\nfield u : f32 = noise(1)\nfield v : f32, on (x+1, y, z) = 1\n"
      "boundary u, v = 0\nstep 4 {\n  " STAR " + v[0, 1, 0]\n}\n",
      RING);
}

/* Whatever else the pass writes. */
CASE(what_is_only_read_is_read_where_it_lies) {
  CHECK_ROWS("sweep",
             "grid x = 64, y = 40, z = 30\nfield u, v : f32 = noise(1)\nboundary u = 0\n"
             "step 4 {\n  v = u[-4, 0, 0] + u[0, 4, 0] + u[0, 0, 4] - u[0, 0, -4]\n}\n",
             WHOLE);
}

/* The second statement reads images of v', which are made of images of u, in a ring.  The sweep
 * comes after all that. */
#define THEN(last)                                                                                 \
  "grid x = 64, y = 40, z = 30\nfield u, v, w, p, q : f32 = noise(1)\nboundary u, v = periodic\n"  \
  "step 4 {\n  v' = 0.5*v + 0.25*u\n  p' = v'[0, 0, 1]\n"                                          \
  "  sweep z up { at first { " last " = q }\n within { " last " = q + 1 } }\n}\n"

CASE(what_a_later_sweep_overwrites_is_copied) {
  static const char whole[] =
      "ring of 4 planes near faces, rows whole, memory level 0, stream wraps";
  static const char ring[] = "ring of 4 planes, memory level 0, stream wraps";
  CHECK_ROWS("sweep", THEN("w"), whole);
  CHECK_ROWS("sweep", THEN("u"), ring);
  CHECK_ROWS("sweep bytes=16", THEN("w"), whole);
  CHECK_ROWS("sweep bytes=16", THEN("u"), ring);
}

/* ---- ends of rows, with narrow vectors ---- */

#define NEAR "u' = u[-3, 0, 0] + u[2, 0, 0] + u[0, 2, 0] + u[0, 0, 1] - u[0, 0, -1]"

#define KNOWN "ring of 3 planes near faces, rows whole and 3 spare, memory level 0"
#define ENDS  "ring of 3 planes near faces and 3 spare, memory level 0"

CASE(ends_are_known_between_numbers_and_where_the_last_cell_is_copied) {
  CHECK_ROWS("sweep bytes=16", U("512", "f32", "0", NEAR), KNOWN);
  CHECK_ROWS("sweep bytes=16 shift=0", U("7", "f64", "-2.5", NEAR), KNOWN);
  CHECK_ROWS("sweep bytes=32 tile=16,16", U("520", "f32", "1", NEAR " on x = 3 .. 9"), KNOWN);
  CHECK_ROWS("sweep bytes=16", U("33", "f32", "copy", NEAR),
             "ring of 3 planes near faces, rows whole, memory level 0");
}

CASE(others_are_copied_into_rings) {
  CHECK_ROWS("sweep bytes=16", U("512", "f32", "y", NEAR), ENDS);
  CHECK_ROWS("sweep bytes=16", U("512", "f32", "1e39", NEAR), ENDS);
  CHECK_ROWS("sweep bytes=16", U("512", "bf16", "0", NEAR), ENDS);
  CHECK_ROWS("sweep bytes=8", U("512", "f32", "0", NEAR), ENDS);
  CHECK_ROWS("sweep bytes=16", U("512", "f32", "mirror", NEAR),
             "ring of 3 planes near faces, memory level 0");
}

/* A temporary has cells beyond the grid, where it reads what stands there, however near. */
CASE(what_cells_beyond_the_grid_read_is_known_or_not) {
#define BEYOND(bc)                                                                                 \
  "grid x = 64, y = 40, z = 30\nfield u : f32 = noise(1)\nboundary u { x = " bc                    \
  "; y = 0; z = 0 }\nstep 4 {\n  a = u + u[0, 0, 1]\n  u' = a[1, 0, 0] + a[-1, 0, 0]\n}\n"
  CHECK_ROWS("sweep bytes=16", BEYOND("0"),
             "ring of 2 planes near faces, rows whole and 2 spare, memory level 0");
  CHECK_ROWS("sweep bytes=16", BEYOND("mirror"),
             "ring of 2 planes near faces and 2 spare, memory level 0");
}

/* ---- arrays with what stands beyond their faces ---- */

static void rows_with_gaps(int64_t gap, const char *text, const char *words, char *out,
                           size_t size) {
  ik_layout_padding_always = gap;
  rows_of(text, words, out, size);
  ik_layout_padding_always = 0;
}

#define CHECK_GAPS(gap, words, text, expected)                                                     \
  do {                                                                                             \
    char rows[256];                                                                                \
    rows_with_gaps(gap, text, LINES words, rows, sizeof rows);                                     \
    CHECK_STR(rows, expected);                                                                     \
  } while (0)

#define FACES(x, y, z, stmt)                                                                       \
  "grid x = 64, y = 40, z = 30\nfield u : f32 = noise(1)\nboundary u { x = " x "; y = " y          \
  "; z = " z " }\nstep 4 {\n  " stmt "\n}\n"
#define FRAMED(n)                                                                                  \
  "ring of 9 planes near faces, rows whole, or " n " beyond them and 9 spare, memory level 0"

/* Four rows of 64 cells. */
CASE(gaps_that_are_wide_enough_have_one_number) {
  CHECK_GAPS(256, "sweep", FACES("1", "2", "2", STAR), FRAMED("2"));
  CHECK_GAPS(255, "sweep", FACES("1", "2", "2", STAR), WHOLE);
  CHECK_GAPS(256, "sweep", FACES("1", "2", "3", STAR), WHOLE);
  CHECK_GAPS(256, "sweep", FACES("1", "0", "-0.0", STAR), WHOLE);
  CHECK_GAPS(256, "sweep", FACES("1", "2", "mirror", STAR),
             "ring of 9 planes near faces, rows whole, memory level 0");
  CHECK_GAPS(256, "sweep", FACES("mirror", "2", "2", STAR), RING);
}

/* What keeps rows from being read as whole lines does not matter where all has a frame. */
CASE(other_rows_are_read_where_they_lie_if_arrays_have_frames) {
  CHECK_GAPS(2084, "sweep", U("521", "f32", "0", STAR), FRAMED("0"));
  CHECK_GAPS(2083, "sweep", U("521", "f32", "0", STAR), RING);
  CHECK_GAPS(12, "sweep", U("3", "f64", "2", STAR), FRAMED("2"));
  CHECK_GAPS(2048, "sweep", U("512", "f32", "0", STAR " on interior(1, 0, 0)"), FRAMED("0"));
  CHECK_GAPS(2048, "sweep", U("512", "f32", "0", STAR " + u[16, 0, 0]"), FRAMED("0"));
  CHECK_GAPS(2048, "sweep", U("512", "f32", "0", STAR " + u[17, 0, 0]"), RING);
  CHECK_GAPS(2048, "sweep", U("512", "bf16", "0", STAR), RING);
  CHECK_GAPS(2048, "sweep in_place=0", U("521", "f32", "0", STAR), RING);
  CHECK_GAPS(2048, "fuse steps=2", U("512", "f32", "0", STAR), RING);
}

/* So with narrow vectors; a temporary has a row beyond the grid, and looks a row further there. */
CASE(rows_beyond_the_grid_count) {
#define HIGHER "a = u[0, 1, 0] + u[0, 0, 1]\n  u' = a[0, 1, 0] + a[0, -1, 0]"
  CHECK_GAPS(
      128, "sweep bytes=16", FACES("0", "0", "0", HIGHER),
      "ring of 2 planes near faces, rows whole, or 0 beyond them and 2 spare, memory level 0");
  CHECK_GAPS(127, "sweep bytes=16", FACES("0", "0", "0", HIGHER),
             "ring of 2 planes near faces, rows whole and 2 spare, memory level 0");
}

/* ---- kernels ---- */

/* The kernel that reads whole rows. */
static const ik_pipe_kernel *kernel_of(program *p, const char *words) {
  const ik_pass *pass = pass_of(p, words);
  for (int i = 0; i < pass->nkernel; i++)
    if (pass->kernel[i].shape->row.blocks || pass->kernel[i].shape->row.ends)
      return &pass->kernel[i];
  check_fail(__FILE__, __LINE__, "no kernel reads whole rows");
  return NULL;
}

/* Of 48 cells: three vectors of f32 at a time, row by row, each of which prefetches the same row of
 * a plane to come. */
CASE(rows_are_nothing_but_blocks) {
  program p;
  if (MUST_OPEN(&p, U("48", "f32", "0.5", STAR))) {
    const ik_pipe_kernel *k = kernel_of(&p, LINES);
    CHECK(k && k->shape->rows == 1 && k->shape->vectors == 3 && k->shape->prefetch.n == 1);
    CHECK(k && k->shape->prefetch.of[0].lines == 0 && k->shape->prefetch.of[0].pitch == 48);
    CHECK(k && k->shape->input[0].ends.known && k->shape->input[0].ends.value[0] == 0.5 &&
          k->shape->input[0].ends.value[1] == 0.5);
  }
  program_close(&p);
}

/* Seven vectors in blocks of up to three, and one that is left. */
CASE(rows_have_blocks_and_single_vectors) {
  program p;
  if (MUST_OPEN(&p, U("112", "f32", "0", STAR))) {
    const ik_pipe_kernel *k = kernel_of(&p, LINES "vectors=3");
    CHECK(k && k->shape->row.blocks && k->shape->vectors == 3 && k->shape->row.singles);
    CHECK(k && k->shape->prefetch.of[0].lines == 0 && k->shape->prefetch.of[0].pitch == 112);
    k = kernel_of(&p, LINES "vectors=1");
    CHECK(k && k->shape->row.blocks && k->shape->vectors == 1 && !k->shape->row.singles);
  }
  program_close(&p);
}

/* Rows of 501 cells begin anywhere in a line: blocks at the next one, past what reads beyond. */
CASE(rows_that_are_no_lines_have_ends) {
  program p;
  ik_layout_padding_always = 4 * 512;
  if (MUST_OPEN(&p, U("501", "f32", "0", STAR))) {
    const ik_pipe_kernel *k = kernel_of(&p, LINES "vectors=4 rows=2");
    CHECK(k && !k->shape->row.blocks && k->shape->row.ends && k->shape->row.singles &&
          k->shape->row.ragged == 501 && k->shape->rows == 1);
    CHECK(k && k->shape->row.look[0] == 4 && k->shape->row.look[1] == 4 &&
          !k->shape->input[0].aligned);
  }
  program_close(&p);
  if (MUST_OPEN(&p, U("512", "f32", "0", STAR " on interior(1, 0, 0)"))) {
    const ik_pipe_kernel *k = kernel_of(&p, LINES);
    CHECK(k && k->shape->row.ends && k->shape->row.ragged == 0 && k->shape->input[0].aligned);
  }
  program_close(&p);
  ik_layout_padding_always = 0;
}

CASE(blocks_keep_off_the_ends_that_they_read_beyond) {
  program p;
  if (MUST_OPEN(&p, U("50", "f32", "copy", NEAR))) {
    const ik_pipe_kernel *k = kernel_of(&p, "tile=0,16 rows=2 in_place=1");
    CHECK(k && !k->shape->row.blocks && k->shape->rows == 2 && k->shape->row.look[0] == 3 &&
          k->shape->row.look[1] == 2);
    CHECK(k && k->shape->input[0].ends.known && k->shape->input[0].ends.copied[0] &&
          k->shape->input[0].ends.copied[1]);
  }
  program_close(&p);
}
