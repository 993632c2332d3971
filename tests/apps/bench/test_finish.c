#include "apps/bench/bench.h"
#include "check.h"

static const ik_bench_case problem = {
    .name = "some-f32", .special = "spectral", .against_best = true};

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

CASE(the_best_with_the_same_bits) {
  ik_bench_row row = finished();
  CHECK(ik_bench_best(&row, false) == &row.line[1]);
  CHECK(ik_bench_best(&row, true) == &row.line[2]);
  CHECK_NEAR(ik_bench_compared(&row, &row.line[1]), 4, 1e-12);
  row.line[1].wrong = true;
  CHECK(ik_bench_best(&row, false) == &row.line[0]);
}

CASE(a_special_strategy_is_compared_with_the_best_other) {
  ik_bench_row row = finished();
  CHECK_NEAR(ik_bench_compared(&row, &row.line[2]), 4, 1e-12);
  row.line[0].n = row.line[1].n = 0;
  CHECK(ik_bench_compared(&row, &row.line[2]) == 0);
}

/* ---- goals ---- */

CASE(goals_are_found_by_kind_of_machine) {
  static const char text[] = "# kind suite case strategy must aim\n"
                             "wide cpu star same-bits 4 6   # why\n\n"
                             "narrow cpu * same-bits 1 1.5\n"
                             "any examples * same-bits 0.95 1.5\n"
                             "wide cpu broken same-bits 4\n"
                             "wide cpu star spectral 10 50";
  ik_bench_goal     g;
  CHECK(ik_bench_goal_find(text, "wide", "cpu", "star", "same-bits", &g));
  CHECK(g.must == 4 && g.aim == 6);
  CHECK(ik_bench_goal_find(text, "narrow", "cpu", "star", "same-bits", &g) && g.must == 1);
  CHECK(ik_bench_goal_find(text, "narrow", "examples", "heat", "same-bits", &g) && g.must == 0.95);
  CHECK(ik_bench_goal_find(text, "wide", "cpu", "star", "spectral", &g) && g.aim == 50);
  CHECK(!ik_bench_goal_find(text, "wide", "cpu", "other", "same-bits", &g));
  CHECK(!ik_bench_goal_find(text, "wide", "cpu", "broken", "same-bits", &g));
  CHECK(!ik_bench_goal_find(text, "narrow", "cpu", "star", "spectral", &g));
}

/* Every case has a goal on both kinds of machines; nobody sees it unless it is asked for. */
CASE(goals_are_for_developers) {
  static const char *const suites[] = {"cpu", "examples"};
  for (int s = 0; s < 2; s++)
    for (int bytes = 16; bytes <= 64; bytes += 48) {
      const ik_bench_suite *suite = ik_bench_suite_find(suites[s]);
      for (int i = 0; i < suite->ncase; i++) {
        ik_bench_row  row = finished();
        ik_bench      b = {.suite = suite, .row = &row, .nrow = 1, .target = "cpu"};
        ik_bench_goal g;
        row.c = &suite->cases[i], row.size = &row.c->full;
        b.limits.vector_bytes = bytes, b.opt.rounds = 1;
        int goals = 0;
        for (int k = 0; k < row.nline; k++) goals += ik_bench_goal_of(&b, &row, &row.line[k], &g);
        CHECK(goals >= 1);
        ik_bench_write_text(&b, &b.text);
        CHECK(!strstr(ik_buf_text(&b.text), "must ") && !strstr(ik_buf_text(&b.text), "goals"));
        CHECK(strstr(ik_buf_text(&b.text), "limit of one pass"));
        ik_buf_free(&b.text);
        b.opt.goals = true;
        ik_bench_write_text(&b, &b.text);
        CHECK(strstr(ik_buf_text(&b.text), "must ") &&
              strstr(ik_buf_text(&b.text), "goals (bench"));
        ik_buf_free(&b.text);
      }
    }
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
