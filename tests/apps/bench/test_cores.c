#include "apps/bench/bench.h"
#include "check.h"

CASE(limits_are_the_sum_of_what_threads_did) {
  CHECK_NEAR(ik_cores_sum((double[]){10, 5, 10, 4}, 4), 29, 0);
  CHECK_NEAR(ik_cores_sum((double[]){10, 5}, 1), 10, 0);
}

CASE(slow_is_far_below_the_fastest) {
  double   some[] = {10, 5.5, 9, 10, 4.5, 7.01}, none[] = {8, 10, 7.01};
  ik_cores c = ik_cores_of(some, 6), n = ik_cores_of(none, 3);
  CHECK_EQ(c.threads, 6);
  CHECK_EQ(c.looks, 1);
  CHECK_EQ(c.slow_looks, 1);
  CHECK_EQ(c.fewest, 2);
  CHECK_EQ(c.most, 2);
  CHECK_NEAR(c.slowest, 0.45, 1e-12);
  CHECK_NEAR(c.fastest_slow, 0.55, 1e-12);
  CHECK_EQ(n.looks, 1);
  CHECK_EQ(n.slow_looks, 0);
  CHECK_EQ(n.most, 0);
  CHECK_NEAR(n.slowest, 0.701, 1e-12);
  CHECK_NEAR(n.fastest_slow, 0, 0);
}

/* Wherever it is among them, and of as few as two. */
CASE(each_thread_counts) {
  ik_cores first = ik_cores_of((double[]){4, 10}, 2), last = ik_cores_of((double[]){10, 4}, 2);
  ik_cores edge = ik_cores_of((double[]){10, 7}, 2);
  CHECK_EQ(first.most, 1);
  CHECK_EQ(last.most, 1);
  CHECK_NEAR(first.slowest, 0.4, 1e-12);
  CHECK_NEAR(last.slowest, 0.4, 1e-12);
  CHECK_EQ(edge.looks, 1);
  CHECK_EQ(edge.most, 0);
}

CASE(one_thread_has_nothing_to_be_compared_with) {
  CHECK_EQ(ik_cores_of((double[]){10}, 1).looks, 0);
  CHECK_EQ(ik_cores_of((double[]){0, 0}, 2).looks, 0);
  CHECK_EQ(ik_cores_of((double[]){0, 0}, 2).threads, 2);
}

static ik_cores look(double a, double b, double c) {
  return ik_cores_of((double[]){1, a, b, c}, 4);
}

/* The fewest and the most are those of looks in which some were slow. */
CASE(looks_are_added) {
  ik_cores all = {0}, unknown = {.threads = 4};
  ik_cores more[] = {look(1, 0.8, 1), look(0.5, 0.6, 1), unknown, look(1, 1, 0.4), look(1, 1, 0.9)};
  for (int i = 0; i < 5; i++) ik_cores_add(&all, &more[i]);
  CHECK_EQ(all.threads, 4);
  CHECK_EQ(all.looks, 4);
  CHECK_EQ(all.slow_looks, 2);
  CHECK_EQ(all.fewest, 1);
  CHECK_EQ(all.most, 2);
  CHECK_NEAR(all.slowest, 0.4, 1e-12);
  CHECK_NEAR(all.fastest_slow, 0.6, 1e-12);
  ik_cores none = {0};
  ik_cores_add(&none, &unknown);
  CHECK_EQ(none.looks, 0);
  ik_cores_add(&none, &more[4]), ik_cores_add(&none, &all);
  CHECK_EQ(none.looks, 5);
  CHECK_EQ(none.fewest, 1);
}

static void has_line(const ik_cores *c, const char *line) {
  ik_buf out = {0};
  ik_cores_text(c, &out);
  CHECK_STR(ik_buf_text(&out), line);
  ik_buf_free(&out);
}

CASE(a_line_if_some_are_slow) {
  ik_cores even = look(1, 0.8, 1), one = look(1, 1, 0.49), two = look(0.5, 1, 0.55);
  has_line(&even, "");
  has_line(&one, "cores      1 of 4 at 0.49 of the fastest, all busy, in 1 of 1 looks: "
                 "they may share a physical core with others\n");
  ik_cores_add(&one, &two), ik_cores_add(&one, &even);
  has_line(&one,
           "cores      1 to 2 of 4 at 0.49 to 0.55 of the fastest, all busy, in 2 of 3 looks: "
           "they may share a physical core with others\n");
}

CASE(unknown_is_null) {
  ik_cores known = look(1, 0.5, 0.25), even = look(1, 1, 0.75), unknown = {.threads = 4};
  ik_buf   out = {0};
  ik_json  j = {.out = &out};
  ik_json_open(&j, NULL, '[');
  const ik_cores *all[] = {&unknown, &known, &even};
  for (int i = 0; i < 3; i++) {
    ik_json_open(&j, NULL, '{');
    ik_cores_json(all[i], &j);
    ik_json_close(&j, '}');
  }
  ik_json_close(&j, ']');
  CHECK_STR(
      ik_buf_text(&out),
      "[{\"cores\": null}, {\"cores\": {\"threads\": 4, \"looks\": 1, \"looks_with_slow\": 1, "
      "\"fewest_slow\": 2, \"most_slow\": 2, \"slowest\": 0.25, \"fastest_slow\": 0.5}}, "
      "{\"cores\": {\"threads\": 4, \"looks\": 1, \"looks_with_slow\": 0, "
      "\"fewest_slow\": 0, \"most_slow\": 0, \"slowest\": 0.75, \"fastest_slow\": null}}]");
  ik_buf_free(&out);
}

/* ---- in the output of the suite ---- */

static ik_bench_row rows[2];

static ik_bench bench_with(double stolen) {
  ik_bench b = {.suite = ik_bench_suite_find("cpu"), .row = rows, .nrow = 2, .target = "cpu"};
  for (int i = 0; i < 2; i++) {
    rows[i] = (ik_bench_row){.c = &b.suite->cases[i], .size = &b.suite->cases[i].full};
    rows[i].again = 1 + i;
  }
  b.opt.rounds = 1, b.stolen = stolen;
  return b;
}

static bool text_has(double stolen, const char *what) {
  ik_bench b = bench_with(stolen);
  b.cores = look(1, 0.5, 1);
  ik_bench_write_text(&b, &b.text);
  bool has = strstr(ik_buf_text(&b.text), what);
  ik_buf_free(&b.text);
  return has;
}

CASE(what_was_stolen_is_said_where_the_system_counts) {
  CHECK(text_has(0.0125, "\nstolen     1.2 % of the threads' time; rounds done again: 3\n"));
  CHECK(!text_has(0, "stolen"));
  CHECK(!text_has(NAN, "stolen"));
  CHECK(text_has(NAN, "\ncores      1 of 4 at 0.50 of the fastest"));
}

CASE(the_object_has_both) {
  ik_bench b = bench_with(NAN);
  b.cores = look(0.25, 0.5, 1), rows[1].cores = look(1, 0.5, 1);
  ik_bench_write_json(&b, &b.text);
  const char *text = ik_buf_text(&b.text), *cases = strstr(text, "\"cases\"");
  CHECK(cases != NULL);
  CHECK(strstr(text, "\"most_slow\": 2") && strstr(text, "\"most_slow\": 2") < cases);
  CHECK(strstr(cases, "\"cores\": null") && strstr(cases, "\"most_slow\": 1"));
  CHECK(strstr(text, "\"stolen_share\": null") != NULL);
  ik_buf_free(&b.text);
}
