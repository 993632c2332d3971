#include "build.h"

static ik_points *row_of(int lo, int hi) {
  ik_points *s = ik_points_new(&arena);
  for (int x = lo; x <= hi; x++) ik_points_add(s, &(ik_point){0, 0, {x, 0, 0}});
  return s;
}

static int64_t moved_count(const ik_points *a, const ik_points *b) {
  ik_points *s = ik_points_new(&arena);
  for (int i = 0; i < b->n; i++) ik_points_move(s, a, &b->row[i]);
  return ik_points_count(s);
}

CASE(keeps_each_point_once) {
  program(1, 8, 1, 1);
  ik_points *s = row_of(-100, 100);
  ik_points_add(s, &(ik_point){0, 0, {7, 0, 0}});
  CHECK_EQ(ik_points_count(s), 201);
  ik_points_add(s, &(ik_point){0, -1, {7, 0, 0}});
  ik_points_add(s, &(ik_point){1, 0, {7, 0, 0}});
  CHECK_EQ(ik_points_count(s), 203);
  done();
}

CASE(lists_in_order) {
  program(2, 8, 8, 1);
  ik_points *s = ik_points_new(&arena);
  ik_point   p[] = {{1, 0, {0, 0, 0}},
                    {0, -1, {0, 0, 0}},
                    {0, 0, {1, 0, 0}},
                    {0, 0, {-40, 1, 0}},
                    {0, 0, {-1, 0, 0}}};
  for (int i = 0; i < 5; i++) ik_points_add(s, &p[i]);
  int             n;
  const ik_point *l = ik_points_list(s, &arena, &n);
  int             order[] = {4, 2, 3, 1, 0};
  CHECK_EQ(n, 5);
  for (int i = 0; i < 5; i++) CHECK_EQ(ik_point_compare(&l[i], &p[order[i]]), 0);
  done();
}

CASE(adds_rows_across_words) {
  program(1, 8, 1, 1);
  CHECK_EQ(moved_count(row_of(-3, 3), row_of(-2, 2)), 11);
  CHECK_EQ(moved_count(row_of(-31, 31), row_of(-31, 31)), 125);
  CHECK_EQ(moved_count(row_of(-500, 500), row_of(-70, 33)), 1001 + 103);
  done();
}

/* Every sum of two sets against a plain double loop, far from the origin as well. */
CASE(moves_like_a_double_loop) {
  program(3, 8, 8, 8);
  uint32_t seed = 1;
  for (int round = 0; round < 20; round++) {
    ik_points *a = ik_points_new(&arena), *b = ik_points_new(&arena), *want = ik_points_new(&arena);
    ik_point   pa[9], pb[9];
    for (int i = 0; i < 9; i++)
      for (int k = 0; k < 2; k++) {
        ik_point p = {0, 0, {0}};
        for (int d = 0; d < 3; d++) {
          seed = seed * 1664525u + 1013904223u;
          p.off[d] = (int)(seed >> 20) % 200 - 100 + (round == 3 && d == 0 ? 100000 : 0);
        }
        *(k ? &pb[i] : &pa[i]) = p;
        ik_points_add(k ? b : a, &p);
      }
    for (int i = 0; i < 9; i++)
      for (int k = 0; k < 9; k++) {
        ik_point p = pa[i];
        for (int d = 0; d < 3; d++) p.off[d] += pb[k].off[d];
        ik_points_add(want, &p);
      }
    ik_points *got = ik_points_new(&arena);
    for (int i = 0; i < b->n; i++) ik_points_move(got, a, &b->row[i]);
    int             n, m;
    const ik_point *g = ik_points_list(got, &arena, &n), *w = ik_points_list(want, &arena, &m);
    CHECK_EQ(n, m);
    CHECK(memcmp(g, w, sizeof *g * (size_t)n) == 0);
  }
  done();
}

CASE(hull_and_radius) {
  ik_point p[] = {{0, 0, {-2, 1, 0}}, {0, 0, {1, 3, 0}}};
  ik_hull  h = ik_hull_of(p, 2);
  CHECK_EQ(h.lo[0], -2);
  CHECK_EQ(h.hi[0], 1);
  CHECK_EQ(h.lo[1], 1);
  CHECK_EQ(h.hi[1], 3);
  CHECK_EQ(ik_hull_radius(&h), 3);
}
