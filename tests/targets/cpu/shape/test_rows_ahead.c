#include "lower/passes.h"

/* The kernels as ik_shape_print() has them, from their statements on; without their blocks. */
static void kernels_of(const char *text, const char *words, char *out, size_t size) {
  program p;
  size_t  len = 0;
  snprintf(out, size, "none");
  if (MUST_OPEN(&p, text))
    for (const char *at = passes_text(&p, false, words), *block; (at = strstr(at, "statements: "));
         at++) {
      at += strlen("statements: "), block = strstr(at, " lanes") + strlen(" lanes");
      int names = (int)(strstr(at, " planes x") - 3 - at);
      len += (size_t)snprintf(out + len, size - len, "%s%.*s%.*s", len ? "; " : "", names, at,
                              (int)strcspn(block, "\n"), block);
    }
  program_close(&p);
}

#define CHECK_KERNELS(bytes, text, expected)                                                       \
  do {                                                                                             \
    char kernel[256];                                                                              \
    kernels_of(text, "tile=0,16 stream=1 bytes=" #bytes, kernel, sizeof kernel);                   \
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
                "a; a, out, the first 1 1 rows ahead, a remainder of 4 cells");
  CHECK_KERNELS(64, HEAD "  out = in - a[0, 2, 0] + a[1, 0, 0]*a[-1, 1, 0]*a" INNER "}\n",
                "a; a, out, the first 1 2 rows ahead, a remainder of 4 cells");
}

CASE(narrow_vectors_are_not) {
  CHECK_KERNELS(16, HEAD OUT INNER "}\n", "a; out");
  CHECK_KERNELS(32, HEAD OUT INNER "}\n", "a; out");
  char kernel[256];
  kernels_of(HEAD OUT INNER "}\n", "tile=0,16 stream=1 bytes=64 in_place=1", kernel, sizeof kernel);
  CHECK_STR(kernel, "a; out");
}

/* In the row that comes first, a neighbour along the row is wanted: it is not there yet. */
CASE(neighbours_in_the_row_ahead_forbid_it) {
  CHECK_KERNELS(64, HEAD "  out = in - a[0, 1, 0] + a[1, 1, 0]*a[-1, 0, 0]" INNER "}\n",
                "a; out, a remainder of 4 cells");
}

/* The next plane makes the reader wait; the one before does not. */
CASE(other_planes_forbid_it) {
  CHECK_KERNELS(64,
                HEAD "  out = in - a[0, 1, 0] + a[1, 0, 1]*a[-1, 0, 0] on interior(2, 2, 1)\n}\n",
                "a; out, a remainder of 4 cells");
  CHECK_KERNELS(64,
                HEAD "  out = in - a[0, 1, 0] + a[1, 0, -1]*a[-1, 0, 0] on interior(2, 2, 1)\n}\n",
                "a; out, a remainder of 4 cells");
}

CASE(another_reader_forbids_it) {
  CHECK_KERNELS(64, HEAD OUT INNER "  w = 2*a[0, 1, 0] + a[1, 0, 0] on interior(3, 2, 0)\n}\n",
                "a; out, a remainder of 4 cells; w, a remainder of 6 cells");
}

/* It would read rows that are overwritten by then: read in memory, as nothing lies beyond a face.
 */
CASE(what_is_overwritten_is_not_read_later) {
  CHECK_KERNELS(64,
                "param n = 3\ngrid x = 128, y = 40, z = 4\nfield in : f32 = noise(1)\n"
                "repeat until n < 0 max n {\n  a = in[1, 0, 0] + in[-1, 0, 0]*in[0, 1, 0]\n"
                "  in = 2*a[0, 1, 0] + a[1, 0, 0]*a[-1, -1, 0] on interior(2, 2, 0)\n}\n",
                "a; in, a remainder of 4 cells");
}

CASE(rows_that_are_written_whole_or_by_several_have_nothing_to_keep) {
  CHECK_KERNELS(
      64, HEAD "  out = in - a[0, 1, 0] + a*a[0, -1, 0]*a[0, -2, 0] on interior(0, 2, 0)\n}\n",
      "a; a, out, the first 1 1 rows ahead");
  CHECK_KERNELS(64, HEAD "  out = in on x = 0 .. 1\n  out = w on x = 2 .. 120\n}\n", "out; out");
}

/* Two lines of 2060 cells are not worth asking for: as many as the lines of a short row are. */
CASE(ends_of_long_rows_are_not_kept) {
#define ROW(n)                                                                                     \
  "param n = 3\ngrid x = " n ", y = 40, z = 4\nfield in : f32 = noise(1)\nfield out : f32 = in\n"  \
  "repeat until n < 0 max n {\n  out = in on interior(2, 2, 0)\n}\n"
  CHECK_KERNELS(64, ROW("2048"), "out, a remainder of 4 cells");
  CHECK_KERNELS(64, ROW("2064"), "out");
}
