#include "base/buf.h"
#include <locale.h>
#include "base/text.h"
#include "check.h"

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

CASE(numbers_have_a_point_in_any_locale) {
  const char *old = setlocale(LC_NUMERIC, NULL);
  bool        comma = setlocale(LC_NUMERIC, "de_DE.UTF-8") != NULL; /* where it is installed */
  ik_buf      b = {0};
  ik_buf_double(&b, 0.25);
  CHECK_STR(ik_buf_text(&b), "0.25");
  CHECK(ik_strtod("1.5", NULL) == 1.5);
  ik_buf_free(&b);
  if (comma) setlocale(LC_NUMERIC, old);
}
