#include "check.h"
#include "model/overlap.h"

static ik_overlap_plan plan(int dims, double n, double tile, double r, double t) {
  return (ik_overlap_plan){dims, {n, n, n}, {tile, tile, tile}, {r, r, r}, t};
}

CASE(by_hand) {
  /* Steps of a tile of 8 cells, far from the faces: 12, 10, 8 are computed, 14 are read. */
  ik_overlap_plan p = plan(1, INFINITY, 8, 1, 3);
  ik_overlap_cost c = ik_overlap_of(&p);
  CHECK_NEAR(c.updates, 30, 0);
  CHECK_NEAR(c.useful, 24, 0);
  CHECK_NEAR(c.redundant, 0.25, 0);
  CHECK_NEAR(c.loads, 14, 0);
  CHECK_NEAR(c.stores, 8, 0);
  p = plan(3, INFINITY, 4, 2, 2);
  c = ik_overlap_of(&p);
  CHECK_NEAR(c.updates, 512 + 64, 0);
  CHECK_NEAR(c.loads, 1728, 0);
}

CASE(one_step_and_one_tile_repeat_nothing) {
  for (int dims = 1; dims <= 3; dims++) {
    ik_overlap_plan once = plan(dims, 100, 7, 3, 1), whole = plan(dims, 100, 100, 3, 9);
    CHECK(ik_overlap_of(&once).redundant == 0);
    CHECK(ik_overlap_of(&whole).redundant == 0);
    CHECK(ik_overlap_of(&whole).loads == ik_overlap_of(&whole).stores);
  }
}

/* Cells of one axis that all tiles together touch, one by one. */
static double counted(int n, int tile, int halo) {
  double sum = 0;
  for (int at = 0; at < n; at += tile)
    for (int i = at - halo; i < at + tile + halo && i < n + halo; i++) {
      int end = at + tile < n ? at + tile : n;
      sum += i >= 0 && i < n && i < end + halo;
    }
  return sum;
}

CASE(as_counted_cell_by_cell) {
  for (int n = 1; n <= 23; n++)
    for (int tile = 1; tile <= 25; tile++)
      for (int r = 0; r <= 3; r++)
        for (int t = 1; t <= 6; t++) {
          ik_overlap_plan p = {2, {n, 9, 0}, {tile, 4, 0}, {r, 1, 0}, t};
          double          updates = 0;
          for (int left = 0; left < t; left++)
            updates += counted(n, tile < n ? tile : n, r * left) * counted(9, 4, left);
          ik_overlap_cost c = ik_overlap_of(&p);
          CHECK_NEAR(c.updates, updates, 0);
          CHECK_NEAR(c.loads, counted(n, tile < n ? tile : n, r * t) * counted(9, 4, t), 0);
          CHECK_NEAR(c.useful, t * n * 9, 0);
          CHECK(c.redundant >= 0);
        }
}

CASE(wider_tiles_repeat_less_deeper_steps_more) {
  for (int dims = 1; dims <= 3; dims++)
    for (int t = 1; t < 10; t++)
      for (int tile = 4; tile < 200; tile *= 2) {
        ik_overlap_plan p = plan(dims, INFINITY, tile, 2, t);
        ik_overlap_plan wider = plan(dims, INFINITY, 2 * tile, 2, t);
        ik_overlap_plan deeper = plan(dims, INFINITY, tile, 2, t + 1);
        CHECK(ik_overlap_of(&wider).redundant <= ik_overlap_of(&p).redundant);
        CHECK(ik_overlap_of(&deeper).redundant > ik_overlap_of(&p).redundant);
      }
}

CASE(odd_input) {
  ik_overlap_plan p = plan(7, NAN, -3, NAN, 0);
  ik_overlap_cost c = ik_overlap_of(&p);
  CHECK(c.updates == 1 && c.useful == 1 && c.redundant == 0);
  p = plan(0, 10.9, 5.5, 1.5, 2.5); /* one axis of 10 cells, tiles of 5, radius 1, two steps */
  c = ik_overlap_of(&p);
  CHECK_NEAR(c.updates, 22, 0);
  p = plan(1, 1e12, 64, 1, 4); /* many tiles take no longer */
  CHECK_NEAR(ik_overlap_of(&p).redundant, 6.0 / 128, 1e-9);
  p = plan(2, 1e9, 1e3, INFINITY, 1e300); /* deep: at most every tile computes everything */
  CHECK_NEAR(ik_overlap_of(&p).redundant, 1e12, 1);
  p = plan(1, INFINITY, INFINITY, 1, 2);
  CHECK(isnan(ik_overlap_of(&p).redundant));
}
