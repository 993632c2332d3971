/* Chosen ways against every combination of ways. */
#include "check.h"
#include "apps/design/pick.h"

static unsigned seed;

static double draw(void) {
  seed = seed * 1664525 + 1013904223;
  return 1 + (seed >> 20) / 512.;
}

enum { WAYS = 14, PROBLEMS = 3 };

static void fill(ik_pick_way *w, int n) {
  for (int i = 0; i < n; i++) w[i] = (ik_pick_way){draw(), draw(), i, 1};
}

CASE(fastest_and_thriftiest) {
  const ik_pick_way w[] = {{2, 5, 0, 1}, {1, 9, 1, 1}, {1, 8, 2, 1}, {7, 5, 3, 1}, {3, 6, 4, 1}};
  CHECK_EQ(ik_pick_fastest(w, 5), 2);
  CHECK_EQ(ik_pick_thriftiest(w, 5), 0);
  CHECK_EQ(ik_pick_fastest(w, 0), -1);
  CHECK_EQ(ik_pick_thriftiest(w, 0), -1);
}

/* For every exchange rate of seconds and joules, one of the corners is best. */
CASE(corners_are_best_at_any_rate) {
  for (seed = 1; seed < 4000; seed += 13) {
    unsigned    mine = seed;
    ik_pick_way w[WAYS], left[WAYS], out[WAYS];
    fill(w, WAYS), memcpy(left, w, sizeof w);
    int n = ik_pick_corners(left, WAYS, out);
    CHECK(n >= 1 && n <= WAYS);
    for (int i = 1; i < n; i++)
      CHECK(out[i].time_s > out[i - 1].time_s && out[i].energy_j < out[i - 1].energy_j);
    for (double rate = 1. / 64; rate <= 64; rate *= 1.25) {
      double least = INFINITY, corner = INFINITY;
      for (int i = 0; i < WAYS; i++) least = fmin(least, w[i].time_s + rate * w[i].energy_j);
      for (int i = 0; i < n; i++) corner = fmin(corner, out[i].time_s + rate * out[i].energy_j);
      CHECK_NEAR(corner, least, 1e-12 * least);
    }
    seed = mine;
  }
}

CASE(equal_ways_and_none) {
  ik_pick_way same[3] = {{2, 2, 0, 1}, {2, 2, 1, 1}, {2, 2, 2, 1}}, out[3];
  CHECK_EQ(ik_pick_corners(same, 3, out), 1);
  CHECK_EQ(ik_pick_corners(same, 0, out), 0);
  ik_pick_way line[3] = {{1, 3, 0, 1}, {2, 2, 1, 1}, {3, 1, 2, 1}}; /* nothing under the line */
  CHECK_EQ(ik_pick_corners(line, 3, out), 2);
}

static double product(const ik_pick_way w[PROBLEMS][WAYS], const double *weight, const int *at) {
  double time_s = 0, energy_j = 0;
  for (int p = 0; p < PROBLEMS; p++)
    time_s += weight[p] * w[p][at[p]].time_s, energy_j += weight[p] * w[p][at[p]].energy_j;
  return time_s * energy_j;
}

static double by_hand(const ik_pick_way w[PROBLEMS][WAYS], const double *weight) {
  double least = INFINITY;
  for (int i = 0; i < WAYS * WAYS * WAYS; i++)
    least = fmin(least, product(w, weight, (int[]){i % WAYS, i / WAYS % WAYS, i / WAYS / WAYS}));
  return least;
}

CASE(products_by_hand) {
  for (unsigned run = 1; run < 60; run++) {
    ik_pick_way     w[PROBLEMS][WAYS], left[WAYS], corner[PROBLEMS][WAYS];
    ik_pick_problem p[PROBLEMS];
    ik_pick_edge    edge[PROBLEMS * WAYS];
    double          weight[PROBLEMS] = {0.5, 3, run % 5 ? draw() : 0};
    int             at[PROBLEMS];
    seed = run * 977;
    for (int i = 0; i < PROBLEMS; i++) {
      fill(w[i], WAYS), memcpy(left, w[i], sizeof left);
      p[i] = (ik_pick_problem){corner[i], ik_pick_corners(left, WAYS, corner[i]), weight[i], 7};
    }
    ik_pick_product(p, PROBLEMS, edge);
    for (int i = 0; i < PROBLEMS; i++) at[i] = corner[i][p[i].chosen].tile;
    double least = by_hand(w, weight);
    CHECK_NEAR(product(w, weight, at), least, 1e-12 * least);
    if (!(run % 5)) CHECK_EQ(p[2].chosen, 0);
  }
}

CASE(a_problem_that_cannot_be_solved) {
  const ik_pick_way w = {1, 1, 5, 1};
  ik_pick_problem   p[] = {{NULL, 0, 1, 7}, {&w, 1, 1, 7}};
  ik_pick_edge      edge[1];
  ik_pick_product(p, 2, edge);
  CHECK_EQ(p[0].chosen, -1);
  CHECK_EQ(p[1].chosen, 0);
}
