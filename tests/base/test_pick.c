#include "base/pick.h"
#include "check.h"
#include <stdlib.h>

static const char source[] = "/* What it is. */\n"
                             "#include <math.h>\n\n"
                             "#define TWO 2\n\n"
                             "/* Twice. */\n"
                             "static int twice(int a) { return TWO * a; }\n\n"
                             "typedef struct pair {\n  int a, b;\n} pair;\n\n"
                             "static const int LIST[] = {1, 2};\n\n"
                             "int four_times(int a) {\n  return twice(twice(a));\n}\n\n"
                             "pair both(int a) { return (pair){a, LIST[0]}; } /* not twice */\n";

static void check_picked(const char *code, const char *want) {
  ik_arena a;
  ik_arena_init(&a);
  if (setjmp(a.oom)) abort();
  CHECK_STR(ik_pick(source, code, &a), want);
  ik_arena_free(&a);
}

CASE(what_a_part_needs_comes_with_it) {
  check_picked("x = four_times(3);",
               "\n#define TWO 2\n"
               "\n/* Twice. */\nstatic int twice(int a) { return TWO * a; }\n"
               "\nstatic int four_times(int a) {\n  return twice(twice(a));\n}\n");
  check_picked("both(1)",
               "\ntypedef struct pair {\n  int a, b;\n} pair;\n"
               "\nstatic const int LIST[] = {1, 2};\n"
               "\nstatic pair both(int a) { return (pair){a, LIST[0]}; } /* not twice */\n");
}

CASE(nothing_is_taken_for_comments_and_parts_of_words) {
  check_picked("/* four_times */ twice_(TWOS)", "");
  CHECK(ik_pick_has("a /* b */ c", "c") && !ik_pick_has("a /* b */ c", "b"));
  CHECK(!ik_pick_has("/* b", "b") && !ik_pick_has("abc", "b") && ik_pick_has("a.b", "b"));
}

CASE(definitions_stand_at_the_margin) {
  CHECK(ik_pick_defines(source, "twice") && ik_pick_defines(source, "TWO"));
  CHECK(ik_pick_defines(source, "pair") && ik_pick_defines(source, "LIST"));
  CHECK(!ik_pick_defines(source, "a") && !ik_pick_defines(source, "return"));
}
