#include "base/text.h"
#include "base/arena.h"
#include "base/buf.h"
#include "check.h"
#include <locale.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

CASE(distances) {
  CHECK_EQ(ik_edit_distance("", ""), 0);
  CHECK_EQ(ik_edit_distance("abc", ""), 3);
  CHECK_EQ(ik_edit_distance("", "abc"), 3);
  CHECK_EQ(ik_edit_distance("grid", "grid"), 0);
  CHECK_EQ(ik_edit_distance("grid", "gird"), 1); /* neighbours swapped */
  CHECK_EQ(ik_edit_distance("grid", "grids"), 1);
  CHECK_EQ(ik_edit_distance("grid", "grit"), 1);
  CHECK_EQ(ik_edit_distance("kitten", "sitting"), 3);
  CHECK_EQ(ik_edit_distance("lap", "boundary"), 7);
}

CASE(distance_is_symmetric) {
  const char *w[] = {"laplacian", "laplace", "lapalcian", "boundary", "bound", "x", ""};
  for (int i = 0; i < 7; i++)
    for (int j = 0; j < 7; j++)
      CHECK_EQ(ik_edit_distance(w[i], w[j]), ik_edit_distance(w[j], w[i]));
}

CASE(long_texts) {
  char a[200], b[200];
  memset(a, 'a', sizeof a), memset(b, 'a', sizeof b);
  a[63] = 0, b[63] = 0, b[10] = 'b';
  CHECK_EQ(ik_edit_distance(a, b), 1);
  a[63] = 'a', a[150] = 0;
  CHECK_EQ(ik_edit_distance(a, b), 150);
  CHECK_EQ(ik_edit_distance(a, a), 0);
}

CASE(nearest_name) {
  const char *names[] = {"periodic", "mirror", "fixed", "open", "u"};
  CHECK_STR(ik_nearest("peroidic", names, 5), "periodic");
  CHECK_STR(ik_nearest("miror", names, 5), "mirror");
  CHECK_STR(ik_nearest("opn", names, 5), "open");
  CHECK_STR(ik_nearest("fixed", names, 5), "fixed");
}

CASE(nothing_near_enough) {
  const char *names[] = {"periodic", "u", "x"};
  CHECK(!ik_nearest("laplacian", names, 3));
  CHECK(!ik_nearest("v", names, 3)); /* every one-letter name is one step away */
  CHECK(!ik_nearest("", names, 3));
  CHECK(!ik_nearest("periodic", names, 0));
}

/* Of a locale with a comma, what numbers need; none has to be installed. */
static bool set_comma(const char *dir) {
  static const uint32_t head[] = {0x20031114, 6, 32, 34, 36, 40, 44, 48};
  static const char     rest[] = ",\0.\0\3\3\0\0,\0\0\0.\0\0\0UTF-8"; /* narrow, then wide */
  char                  path[64];
  snprintf(path, sizeof path, "%s/comma", dir);
  mkdir(path, 0700);
  snprintf(path, sizeof path, "%s/comma/LC_NUMERIC", dir);
  FILE *f = fopen(path, "wb");
  if (!f) return false;
  bool ok = fwrite(head, sizeof head, 1, f) == 1 && fwrite(rest, sizeof rest, 1, f) == 1;
  setenv("LOCPATH", dir, 1);
  return fclose(f) == 0 && ok && setlocale(LC_NUMERIC, "comma");
}

static void check_numbers(void) {
  ik_arena a;
  ik_buf   b = {0};
  char     s[8];
  ik_arena_init(&a);
  ik_buf_double(&b, 0.25);
  ik_buf_printf(&b, " %.2f", 1.5);
  CHECK_STR(ik_buf_text(&b), "0.25 1.50");
  CHECK_STR(ik_arena_printf(&a, "%g", 2.5), "2.5");
  CHECK_EQ(ik_format(s, sizeof s, "%g", 3.5), 3);
  CHECK_STR(s, "3.5");
  CHECK(ik_strtod("1.5", NULL) == 1.5);
  ik_buf_free(&b);
  ik_arena_free(&a);
}

CASE(numbers_have_a_point_in_any_locale) {
  char dir[] = "/tmp/ikat-test.XXXXXX", path[64], s[8];
  CHECK(mkdtemp(dir) != NULL);
  CHECK(set_comma(dir));
  snprintf(s, sizeof s, "%g", 1.5);
  CHECK_STR(s, "1,5"); /* of the program around us; and still afterwards */
  check_numbers();
  snprintf(s, sizeof s, "%g", 1.5);
  CHECK_STR(s, "1,5");
  setlocale(LC_NUMERIC, "C");
  unsetenv("LOCPATH");
  snprintf(path, sizeof path, "%s/comma/LC_NUMERIC", dir), remove(path);
  snprintf(path, sizeof path, "%s/comma", dir), rmdir(path), rmdir(dir);
}
