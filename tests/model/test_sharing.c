#include "check.h"
#include "model/sharing.h"
#include <math.h>

/* One core needs half of what four do, and sixteen twice as long again as eight. */
static const ik_sharing four = {.n = 4, .cores = {1, 4, 8, 16}, .cost = {0.5, 1, 1.5, 3}};

CASE(what_nothing_is_known_of_costs_as_much_for_all) {
  ik_sharing none = {0};
  CHECK_NEAR(ik_sharing_at(&none, 1), 1, 0);
  CHECK_NEAR(ik_sharing_at(&none, 128), 1, 0);
  CHECK_NEAR(ik_sharing_at(&none, NAN), 1, 0);
}

CASE(points_have_what_was_measured) {
  for (int i = 0; i < four.n; i++) CHECK_NEAR(ik_sharing_at(&four, four.cores[i]), four.cost[i], 0);
}

CASE(between_two_points_it_is_the_line_through_them) {
  CHECK_NEAR(ik_sharing_at(&four, 2), 0.5 + 0.5 / 3, 1e-15);
  CHECK_NEAR(ik_sharing_at(&four, 3), 0.5 + 1. / 3, 1e-15);
  CHECK_NEAR(ik_sharing_at(&four, 6), 1.25, 1e-15);
  CHECK_NEAR(ik_sharing_at(&four, 10), 1.875, 1e-15);
}

CASE(below_the_first_point_it_is_that_of_the_first) {
  CHECK_NEAR(ik_sharing_at(&four, 0.5), 0.5, 0);
  CHECK_NEAR(ik_sharing_at(&four, 0), 0.5, 0);
  CHECK_NEAR(ik_sharing_at(&four, NAN), 0.5, 0);
}

/* From eight to sixteen it doubled: 32 need twice as long once more, and all together get no more.
 */
CASE(beyond_the_last_point_it_goes_on) {
  CHECK_NEAR(ik_sharing_at(&four, 32), 6, 1e-14);
  CHECK_NEAR(ik_sharing_at(&four, 64), 12, 1e-14);
  ik_sharing root = four; /* the square root of two, for twice as many */
  root.cost[3] = 1.5 * sqrt(2);
  CHECK_NEAR(ik_sharing_at(&root, 32), 3, 1e-14);
  CHECK_NEAR(ik_sharing_at(&root, 64), 3 * sqrt(2), 1e-14);
}

/* Cores that were disturbed while they were measured: more of them do not get less in all, and none
 * of them gets more for there being others. */
CASE(beyond_the_last_point_the_power_is_from_0_to_1) {
  ik_sharing steep = four, falling = four;
  steep.cost[3] = 6; /* twice as many, four times as long */
  CHECK_NEAR(ik_sharing_at(&steep, 32), 12, 1e-13);
  falling.cost[3] = 1;
  CHECK_NEAR(ik_sharing_at(&falling, 32), 1, 0);
  CHECK_NEAR(ik_sharing_at(&falling, 1e6), 1, 0);
}

CASE(a_single_point_says_the_same_of_all) {
  ik_sharing one = {.n = 1, .cores = {2}, .cost = {0.75}};
  CHECK_NEAR(ik_sharing_at(&one, 1), 0.75, 0);
  CHECK_NEAR(ik_sharing_at(&one, 2), 0.75, 0);
  CHECK_NEAR(ik_sharing_at(&one, 64), 0.75, 0);
}
