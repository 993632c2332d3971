#include "bench/bench.h"
#include "check.h"

static const ik_bench_case problem = {.name = "some-f32",
                                      .goal = {2, 4, NULL},
                                      .special = "spectral",
                                      .special_goal = {10, 50, NULL},
                                      .against_best = true};

/* Three rounds of a plain loop that takes 4 s with one set of options and 2 s with the other. */
static ik_bench_line timed(const char *strategy, double seconds, bool approximate) {
  ik_bench_line l = {.strategy = strategy, .n = 3, .approximate = approximate};
  for (int i = 0; i < l.n; i++) {
    l.seconds[i] = seconds;
    l.plain[0][i] = 4, l.plain[1][i] = 2;
  }
  return l;
}

static ik_bench_row finished(void) {
  ik_limits    l = {.bandwidth = 100, .gflops = {50, 25}};
  ik_bench_row row = {.c = &problem, .points = 8e9, .bytes = 8, .flops = 9, .nline = 3};
  row.line[0] = timed("sweep", 1, false);
  row.line[1] = timed("fuse", 0.5, false);
  row.line[2] = timed("spectral", 0.125, true);
  ik_bench_finish(&l, &row);
  return row;
}

CASE(the_faster_way_to_compile_counts) {
  ik_bench_row row = finished();
  CHECK_EQ(row.plain, 1);
  CHECK_NEAR(row.plain_rate, 4, 1e-12);
  CHECK_NEAR(row.line[0].ratio, 2, 1e-12);
  CHECK_NEAR(row.line[1].ratio, 4, 1e-12);
  CHECK_NEAR(row.line[1].rate, 16, 1e-12);
}

CASE(the_limit_is_the_lower_one) {
  ik_bench_row row = finished();
  CHECK(!row.memory_bound);
  CHECK_NEAR(row.limit, 50.0 / 9, 1e-12);
  ik_limits l = {.bandwidth = 10, .gflops = {50, 25}};
  ik_bench_finish(&l, &row);
  CHECK(row.memory_bound);
  CHECK_NEAR(row.limit, 1.25, 1e-12);
}

CASE(the_best_with_the_same_bits_has_the_goal) {
  ik_bench_row  row = finished();
  ik_bench_goal g;
  double        ratio;
  CHECK(ik_bench_best(&row, false) == &row.line[1]);
  CHECK(ik_bench_best(&row, true) == &row.line[2]);
  CHECK(!ik_bench_goal_of(&row, &row.line[0], &g, &ratio));
  CHECK(ik_bench_goal_of(&row, &row.line[1], &g, &ratio));
  CHECK_NEAR(g.must, 2, 0);
  CHECK_NEAR(ratio, 4, 1e-12);
  row.line[1].wrong = true;
  CHECK(ik_bench_best(&row, false) == &row.line[0]);
}

CASE(a_special_strategy_is_held_against_the_best_other) {
  ik_bench_row  row = finished();
  ik_bench_goal g;
  double        ratio;
  CHECK(ik_bench_goal_of(&row, &row.line[2], &g, &ratio));
  CHECK_NEAR(g.must, 10, 0);
  CHECK_NEAR(ratio, 4, 1e-12);
  row.line[0].n = row.line[1].n = 0;
  CHECK(!ik_bench_goal_of(&row, &row.line[2], &g, &ratio));
}

CASE(names_are_matched_word_by_word) {
  ik_bench_case c = {.name = "star2d-r1-f32"};
  CHECK(ik_bench_wanted(&c, NULL));
  CHECK(ik_bench_wanted(&c, "star2d"));
  CHECK(ik_bench_wanted(&c, "star2d-r1"));
  CHECK(ik_bench_wanted(&c, "star2d-r1-f32"));
  CHECK(!ik_bench_wanted(&c, "star"));
  CHECK(!ik_bench_wanted(&c, "star2d-r1-f64"));
}
