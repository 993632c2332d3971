#include "model/tiled.h"
#include "check.h"

/* Planes of 64 x 1000 cells, 800 of them, in tiles of 100 rows and 40 planes, four steps long. */
static const ik_tiled boxes = {.steps = 4,
                               .turns = 2,
                               .subs = 1,
                               .outer = {800, 40, 2},
                               .inner = {1000, 100, 1},
                               .ndim = 3,
                               .lanes = 64,
                               .bytes = 8,
                               .made = 8,
                               .slices = 2,
                               .reads = 4,
                               .writes = 4,
                               .l2 = 1e9,
                               .l3 = 1e9,
                               .threads = 2};

static const ik_pipeline_machine machine = {
    .usable = 0.5, .boxes = 0.5, .slabs = 0.8, .slices = 10, .box = 30, .place = 5};

static ik_pipeline_pass applied(ik_tiled t, double rows) {
  ik_pipeline_pass p = {.tile_row = 64, .tile_rows = rows, .working_set = 1000, .cells = 64e6};
  ik_pipeline_work w = {.npass = 1, .pass = &p};
  ik_tiled_apply(&t, &machine, &w);
  return p;
}

/* A box is 40 + 2 (4 + 2) planes wide, with slopes: 52 for 40, in eight steps. */
CASE(what_lies_in_caches_is_moved_once_in_the_life_of_a_tile) {
  ik_tiled t = boxes;
  CHECK_NEAR(applied(t, 1000).share, 52. / 40 / 8, 1e-15);
  CHECK_NEAR(applied(t, 1000).nearby, 0, 0);
  t.l2 = 52. * 102 * 8 * 64 * 2; /* a step alone: what moves out of it comes again */
  CHECK_NEAR(applied(t, 1000).share, 52. / 40 / 8 + 0.01, 1e-15);
  t.l2 -= 1; /* not even that */
  CHECK_NEAR(applied(t, 1000).share, 52. / 40 / 8, 1e-15);
  CHECK_NEAR(applied(t, 1000).nearby, 1, 0);
  t.l3 = 52. * 108 * 8 * 64 * 2;
  CHECK_NEAR(applied(t, 1000).nearby, 1, 0);
  t.l3 -= 1;
  CHECK_NEAR(applied(t, 1000).share, 1, 0);
  CHECK_NEAR(applied(t, 1000).nearby, 0, 0);
}

/* 10 x 20 boxes of a step; of 20 tiles every second at a time. */
CASE(boxes_have_copies_around_them_and_are_counted) {
  ik_pipeline_pass cut = applied(boxes, 1000), counted = applied(boxes, 100);
  CHECK_NEAR(counted.fresh, 1 + 2 * 2. / 40, 1e-15);
  CHECK_NEAR(cut.fresh, (1 + 2 * 2. / 40) * (1 + 2 * 1. / 100), 1e-15);
  CHECK_NEAR(cut.working_set, 1000 * 102. / 1000, 1e-12);
  CHECK_NEAR(counted.working_set, 1000, 0);
  CHECK(cut.tile_rows == 100 && counted.tile_rows == 100 && !cut.cut);
  CHECK_NEAR(cut.most_tiles, 100, 1e-12);
  CHECK_NEAR(cut.most_cells, 32e6, 1e-6);
  CHECK_NEAR(cut.tile_cycles, 30, 0);
  ik_tiled t = boxes;
  t.threads = 8; /* two rounds of 10 tiles for eight */
  CHECK_NEAR(applied(t, 1000).most_cells, 64e6 / 8 * 1.6, 1e-6);
}

/* Rows are what is cut in 2D, and slower to end. */
CASE(without_planes_rows_are_cut) {
  ik_tiled t = boxes;
  t.ndim = 2, t.lanes = 1, t.inner = (ik_tiled_axis){64, 16, 1};
  ik_pipeline_pass p = applied(t, 1);
  CHECK(p.tile_row == 16 && p.tile_rows == 1 && p.cut);
}

/* Four steps of 100 rows lean four rows out of the tile. */
CASE(a_line_reads_what_leans_out_of_it_and_no_more) {
  ik_tiled t = boxes;
  t.slabs = true, t.beside = 3, t.outer = (ik_tiled_axis){800, 800, 0};
  ik_pipeline_pass p = applied(t, 1000);
  CHECK_NEAR(p.share, (4 * 104. / 100 / 4 + 8. / 4) / 8, 1e-15);
  CHECK_NEAR(p.fresh, 1, 0);
  double bytes = ((2 * 3 + 3) * 8 + 2 * 8 + 3) * (100 + 3) * 64.;
  CHECK_NEAR(ik_tiled_slab_bytes(&t), bytes, 1e-9);
  CHECK_NEAR(p.working_set, bytes / 0.8 * 0.5, 1e-9);
  CHECK_NEAR(p.most_tiles, 10 * 800 / 2., 1e-9);
  CHECK_NEAR(p.tile_cycles, 5, 0);
  t.prefetched = true;
  CHECK_NEAR(applied(t, 1000).fresh, 104. / 100 / 4, 1e-15);
  t.threads = 40; /* ten slabs */
  CHECK_NEAR(applied(t, 1000).most_cells, 6.4e6, 1e-6);
}

/* Five steps of two slices keep what was prefetched for them until the last one has read it; six
 * lose it, and read what a step without prefetch would. */
CASE(long_slabs_lose_what_was_prefetched) {
  ik_tiled t = boxes;
  t.slabs = true, t.prefetched = true, t.outer = (ik_tiled_axis){800, 800, 0};
  t.steps = 5;
  CHECK_NEAR(applied(t, 1000).fresh, 105. / 100 / 5, 1e-15);
  t.steps = 6;
  CHECK_NEAR(applied(t, 1000).fresh, 1, 0);
  CHECK_NEAR(applied(t, 1000).share, (4 * 106. / 100 / 6 + 8. / 6) / 8, 1e-15); /* of memory */
  t.slices = 1, t.steps = 10;
  CHECK_NEAR(applied(t, 1000).fresh, 110. / 100 / 10, 1e-15);
  t.steps = 11;
  CHECK_NEAR(applied(t, 1000).fresh, 1, 0);
  t.slices = 5, t.steps = 2;
  CHECK_NEAR(applied(t, 1000).fresh, 102. / 100 / 2, 1e-15);
  t.steps = 3;
  CHECK_NEAR(applied(t, 1000).fresh, 1, 0);
}
