#include "apps/bench/stats.h"
#include "check.h"

CASE(median_of_odd_and_even) {
  double odd[] = {5, 1, 3}, even[] = {4, 1, 3, 2}, one[] = {7};
  CHECK_NEAR(ik_stats_median(odd, 3), 3, 0);
  CHECK_NEAR(ik_stats_median(even, 4), 2.5, 0);
  CHECK_NEAR(ik_stats_median(one, 1), 7, 0);
  CHECK(isnan(ik_stats_median(one, 0)));
}

/* A machine at half its speed in the second round: both sides take twice as long, and the ratio of
 * the medians would not be what any round showed. */
CASE(ratio_is_formed_inside_rounds) {
  double plain[] = {2, 4, 2, 6, 2}, own[] = {1, 2, 1, 2, 0.5};
  CHECK_NEAR(ik_stats_ratio(plain, own, 3), 2, 0);
  CHECK_NEAR(ik_stats_ratio(plain, own, 5), 2, 0);
  double slow[] = {1, 10, 10}, fast[] = {1, 1, 100};
  CHECK_NEAR(ik_stats_ratio(slow, fast, 3), 1, 0);
  CHECK(isnan(ik_stats_ratio(plain, own, 0)));
}

CASE(stolen_ticks_are_the_eighth_number) {
  CHECK_NEAR(ik_quiet_ticks("cpu  1663315 23098 130329 1620564 11846 0 851 7756 0 0\ncpu0 1"), 7756,
             0);
  CHECK_NEAR(ik_quiet_ticks("cpu  1 2 3 4 5 6 7 0"), 0, 0);
  CHECK(isnan(ik_quiet_ticks("cpu  1 2 3 4 5 6 7\n")));
  CHECK(isnan(ik_quiet_ticks("cpu0 1 2 3 4 5 6 7 8\n")));
  CHECK(isnan(ik_quiet_ticks("")));
}

CASE(more_than_a_thirtieth_stolen_is_not_quiet) {
  ik_quiet now = ik_quiet_begin(), long_ago = now, much = now;
  long_ago.since -= 3600;
  CHECK(ik_quiet_was(&long_ago, 1));
  much.stolen -= 121, much.since -= 3600; /* of a core, of which 120 s may be gone */
  CHECK(!ik_quiet_was(&much, 1));
  CHECK(ik_quiet_was(&much, 2));
  CHECK(ik_quiet_share(&much, 1) > 1.0 / 30 && ik_quiet_share(&much, 2) < 1.0 / 30);
}

CASE(where_nobody_says_all_is_quiet) {
  ik_quiet nobody = {.stolen = NAN, .since = ik_quiet_begin().since - 3600};
  CHECK(isnan(ik_quiet_share(&nobody, 1)));
  CHECK(ik_quiet_was(&nobody, 1));
}

CASE(deviation_is_relative_to_the_greatest) {
  double       a[] = {1, -4.5, 0}, b[] = {1.25, -4, 0};
  float        c[] = {1, 2}, e[] = {1, 2};
  ik_deviation d = {0}, same = {0}, zero = {0};
  ik_deviation_add(&d, IK_F64, a, b, 3);
  CHECK_NEAR(ik_deviation_of(&d), 0.125, 0);
  ik_deviation_add(&same, IK_F32, c, e, 2);
  CHECK_NEAR(ik_deviation_of(&same), 0, 0);
  ik_deviation_add(&zero, IK_F64, a, (double[]){0, 0, 0}, 3);
  CHECK_NEAR(ik_deviation_of(&zero), 4.5, 0);
}

CASE(no_number_is_an_infinite_deviation) {
  double       a[] = {1, NAN, 1}, b[] = {1, 1, 1};
  ik_deviation d = {0}, other = {0};
  ik_deviation_add(&d, IK_F64, a, b, 3);
  CHECK(isinf(ik_deviation_of(&d)));
  ik_deviation_add(&other, IK_F64, b, a, 3);
  CHECK(isinf(ik_deviation_of(&other)));
}
