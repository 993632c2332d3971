#include "lang/program.h"
#include "lower/pipe.h"

/* The kernels as ik_pipe_print() has them, from their statements on; with vectors of so many bytes.
 */
static void kernels_of(const char *text, int bytes, bool place, char *out, size_t size) {
  program p;
  ik_pipe pipe = {0};
  ik_buf  shown = {0};
  ik_plan plan = {.steps = 1, .planes = 1, .rows = 1, .vectors = 1, .vector_bytes = bytes};
  plan.tile[1] = 16, plan.threads = 1, plan.stream = true, plan.place = place;
  snprintf(out, size, "none");
  if (MUST_OPEN(&p, text)) {
    ik_pipe_of(p.ir, p.ir->body->body, 0, &plan, &p.arena, &pipe);
    ik_pipe_print(p.ir, &pipe, &shown);
    size_t len = 0;
    for (const char *at = ik_buf_text(&shown); (at = strstr(at, "lanes: ")); at++)
      len += (size_t)snprintf(out + len, size - len, "%s%.*s", len ? "; " : "",
                              (int)strcspn(at + 7, "\n"), at + 7);
  }
  ik_buf_free(&shown);
  program_close(&p);
}

#define CHECK_KERNELS(bytes, text, expected)                                                       \
  do {                                                                                             \
    char kernel[256];                                                                              \
    kernels_of(text, bytes, false, kernel, sizeof kernel);                                         \
    CHECK_STR(kernel, expected);                                                                   \
  } while (0)

#define HEAD                                                                                       \
  "param n = 3\ngrid x = 128, y = 40, z = 4\nfield in : f32 = noise(1)\nfield out : f32 = in\n"    \
  "field w : f32 = in\nboundary in, w = mirror\nrepeat until n < 0 max n {\n"                      \
  "  a = in[1, 0, 0] + in[-1, 0, 0]*in[0, 1, 0]\n"
#define INNER " on interior(2, 2, 0)\n"
#define OUT   "  out = in - a[0, 1, 0] + a[1, 0, 0]*a[-1, -1, 0]"

CASE(a_temporary_is_computed_a_row_ahead_of_its_reader) {
  CHECK_KERNELS(64, HEAD OUT INNER "}\n",
                "a; a, out, the first 1 1 rows ahead, 4 cells of a row kept");
  CHECK_KERNELS(64, HEAD "  out = in - a[0, 2, 0] + a[1, 0, 0]*a[-1, 1, 0]*a" INNER "}\n",
                "a; a, out, the first 1 2 rows ahead, 4 cells of a row kept");
}

CASE(narrow_vectors_are_not) {
  CHECK_KERNELS(16, HEAD OUT INNER "}\n", "a; out");
  CHECK_KERNELS(32, HEAD OUT INNER "}\n", "a; out");
  char kernel[256];
  kernels_of(HEAD OUT INNER "}\n", 64, true, kernel, sizeof kernel);
  CHECK_STR(kernel, "a; out");
}

/* In the row that comes first, a neighbour along the row is wanted: it is not there yet. */
CASE(neighbours_in_the_row_ahead_forbid_it) {
  CHECK_KERNELS(64, HEAD "  out = in - a[0, 1, 0] + a[1, 1, 0]*a[-1, 0, 0]" INNER "}\n",
                "a; out, 4 cells of a row kept");
}

/* The next plane makes the reader wait; the one before does not. */
CASE(other_planes_forbid_it) {
  CHECK_KERNELS(64,
                HEAD "  out = in - a[0, 1, 0] + a[1, 0, 1]*a[-1, 0, 0] on interior(2, 2, 1)\n}\n",
                "a; out, 4 cells of a row kept");
  CHECK_KERNELS(64,
                HEAD "  out = in - a[0, 1, 0] + a[1, 0, -1]*a[-1, 0, 0] on interior(2, 2, 1)\n}\n",
                "a; out, 4 cells of a row kept");
}

CASE(another_reader_forbids_it) {
  CHECK_KERNELS(64, HEAD OUT INNER "  w = 2*a[0, 1, 0] + a[1, 0, 0] on interior(3, 2, 0)\n}\n",
                "a; out, 4 cells of a row kept; w, 6 cells of a row kept");
}

/* It would read rows that are overwritten by then: read in memory, as nothing lies beyond a face.
 */
CASE(what_is_overwritten_is_not_read_later) {
  CHECK_KERNELS(64,
                "param n = 3\ngrid x = 128, y = 40, z = 4\nfield in : f32 = noise(1)\n"
                "repeat until n < 0 max n {\n  a = in[1, 0, 0] + in[-1, 0, 0]*in[0, 1, 0]\n"
                "  in = 2*a[0, 1, 0] + a[1, 0, 0]*a[-1, -1, 0] on interior(2, 2, 0)\n}\n",
                "a; in, 4 cells of a row kept");
}

CASE(rows_that_are_written_whole_or_by_several_have_nothing_to_keep) {
  CHECK_KERNELS(
      64, HEAD "  out = in - a[0, 1, 0] + a*a[0, -1, 0]*a[0, -2, 0] on interior(0, 2, 0)\n}\n",
      "a; a, out, the first 1 1 rows ahead");
  CHECK_KERNELS(64, HEAD "  out = in on x = 0 .. 1\n  out = w on x = 2 .. 120\n}\n", "out; out");
}
