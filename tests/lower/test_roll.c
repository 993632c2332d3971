#include "lang/program.h"
#include "lower/pipe.h"

/* The kernel that comes last, as ik_pipe_print() has it, from its statements on; of vectors of so
 * many bytes. */
static void last_kernel(const char *text, int bytes, bool place, char *out, size_t size) {
  program p;
  ik_pipe pipe = {0};
  ik_buf  shown = {0};
  ik_plan plan = {.steps = 1, .planes = 1, .rows = 1, .vectors = 1, .vector_bytes = bytes};
  plan.tile[1] = 16, plan.threads = 1, plan.stream = true, plan.place = place;
  snprintf(out, size, "none");
  if (MUST_OPEN(&p, text)) {
    ik_pipe_of(p.ir, p.ir->body->body, 0, &plan, &p.arena, &pipe);
    ik_pipe_print(p.ir, &pipe, &shown);
    const char *at = ik_buf_text(&shown), *last = NULL;
    for (; (at = strstr(at, "lanes: ")); at++) last = at + 7;
    if (last) snprintf(out, size, "%.*s", (int)strcspn(last, "\n"), last);
  }
  ik_buf_free(&shown);
  program_close(&p);
}

#define CHECK_LAST(bytes, text, expected)                                                          \
  do {                                                                                             \
    char kernel[128];                                                                              \
    last_kernel(text, bytes, false, kernel, sizeof kernel);                                        \
    CHECK_STR(kernel, expected);                                                                   \
  } while (0)

#define HEAD                                                                                       \
  "param n = 3\ngrid x = 128, y = 40, z = 4\nfield in : f32 = noise(1)\nfield out : f32 = in\n"    \
  "field w : f32 = in\nboundary in, w = mirror\nrepeat until n < 0 max n {\n"                      \
  "  a = in[1, 0, 0] + in[-1, 0, 0]*in[0, 1, 0]\n"
#define INNER " on interior(2, 2, 0)\n"
#define OUT   "  out = in - a[0, 1, 0] + a[1, 0, 0]*a[-1, -1, 0]"

CASE(a_temporary_is_computed_a_row_ahead_of_its_reader) {
  CHECK_LAST(64, HEAD OUT INNER "}\n", "a, out, the first 1 1 rows ahead, 4 cells of a row kept");
  CHECK_LAST(64, HEAD "  out = in - a[0, 2, 0] + a[1, 0, 0]*a[-1, 1, 0]*a" INNER "}\n",
             "a, out, the first 1 2 rows ahead, 4 cells of a row kept");
}

CASE(narrow_vectors_are_not) {
  CHECK_LAST(16, HEAD OUT INNER "}\n", "out");
  CHECK_LAST(32, HEAD OUT INNER "}\n", "out");
  char kernel[128];
  last_kernel(HEAD OUT INNER "}\n", 64, true, kernel, sizeof kernel);
  CHECK_STR(kernel, "out");
}

/* In the row that comes first, a neighbour along the row is wanted: it is not there yet. */
CASE(neighbours_in_the_row_ahead_forbid_it) {
  CHECK_LAST(64, HEAD "  out = in - a[0, 1, 0] + a[1, 1, 0]" INNER "}\n",
             "out, 4 cells of a row kept");
}

CASE(other_planes_forbid_it) {
  CHECK_LAST(64, HEAD "  out = in - a[0, 1, 0] + a[1, 0, 1] on interior(2, 2, 1)\n}\n",
             "out, 4 cells of a row kept");
}

CASE(another_reader_forbids_it) {
  CHECK_LAST(64, HEAD OUT INNER "  w = 2*a[0, 1, 0] + a[1, 0, 0] on interior(3, 2, 0)\n}\n",
             "w, 6 cells of a row kept");
}

/* It would read rows of `in` that are overwritten by then. */
CASE(what_is_overwritten_is_not_read_later) {
  CHECK_LAST(64, HEAD "  in = 2*a[0, 1, 0] + a[1, 0, 0]" INNER "}\n", "in, 4 cells of a row kept");
}

CASE(rows_that_are_written_whole_or_by_several_have_nothing_to_keep) {
  CHECK_LAST(64,
             HEAD "  out = in - a[0, 1, 0] + a*a[0, -1, 0]*a[0, -2, 0] on interior(0, 2, 0)\n}\n",
             "a, out, the first 1 1 rows ahead");
  CHECK_LAST(64, HEAD "  out = in on x = 0 .. 1\n  out = w on x = 2 .. 120\n}\n", "out");
}
