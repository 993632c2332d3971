#include "../check.h"
#include "ir/layout.h"

/* As the engine for CPUs has them. */
static const ik_layout_machine caches = {
    .line_bytes = 64, .l1_way_bytes = 4096, .l2_way_bytes = 65536, .halo_rows = 4};

/* u: with u' and two levels; t: a temporary that starts below 0; p: along y alone. */
static ik_field        fields[3];
static ik_layout_field lies[3];
static ik_ir           ir;

static void make_ir(int64_t x, int64_t y) {
  fields[0] = (ik_field){.name = "u",
                         .type = IK_F64,
                         .on = {true, true},
                         .history = 2,
                         .has_new = true,
                         .box = {{0, 0, 0}, {x, y, 1}}};
  fields[1] = (ik_field){.name = "t",
                         .kind = IK_FIELD_TEMP,
                         .type = IK_BF16,
                         .on = {true, true},
                         .history = 1,
                         .box = {{-1, 0, 0}, {x + 1, y, 1}}};
  fields[2] = (ik_field){.name = "p",
                         .type = IK_F32,
                         .on = {false, true},
                         .history = 1,
                         .box = {{0, 0, 0}, {1, y, 1}}};
  ir = (ik_ir){
      .name = "test", .ndim = 2, .n = {x, y, 1}, .nfield = 3, .field = fields, .nscalar = 2};
}

static ik_layout lay_out(int64_t padding) {
  ik_layout l;
  ik_layout_padding_always = padding;
  ik_layout_of(&ir, &caches, lies, &l);
  ik_layout_padding_always = 0;
  return l;
}

/* ---- extents, strides, sizes ---- */

CASE(cells_lie_one_after_the_other) {
  make_ir(4, 3);
  ik_layout_field u = ik_layout_at(&ir, NULL, 0), t = ik_layout_at(&ir, NULL, 1);
  CHECK(u.n[0] == 4 && u.n[1] == 3 && u.n[2] == 1 && u.cells == 12);
  CHECK(u.stride[0] == 1 && u.stride[1] == 4 && u.stride[2] == 12);
  CHECK(u.first == 0 && u.levels == 3 && u.stored && u.bytes == 96);
  CHECK(u.padding == 0 && u.slice == 12 && u.align == 64 && u.space == IK_LAYOUT_HOST);
  CHECK(t.n[0] == 6 && t.stride[1] == 6 && t.first == 1 && t.levels == 1 && !t.stored);
  CHECK_EQ(ik_layout_field_bytes(&u), 3 * 96);
  CHECK_EQ(ik_layout_field_bytes(&t), 18 * 2);
  CHECK_EQ(ik_layout_padding_bytes(&u), 0);
}

CASE(a_grid_of_one_cell_has_a_layout) {
  for (int ndim = 1; ndim <= 3; ndim++) {
    make_ir(1, 1);
    ir.ndim = ndim;
    ik_layout        l = lay_out(0);
    ik_layout_field *u = &l.field[0];
    CHECK(u->cells == 1 && u->padding == 0 && u->bytes == 8 && u->room == 0);
    for (int d = 0; d < IK_MAX_DIM; d++) CHECK(u->n[d] == 1 && u->stride[d] == 1);
  }
}

CASE(a_field_may_have_no_cells) {
  make_ir(4, 3);
  fields[0].box.hi[1] = 0;
  ik_layout l = lay_out(5);
  CHECK(l.field[0].cells == 0 && l.field[0].bytes == 0 && l.field[0].padding == 0);
  CHECK_EQ(ik_layout_field_bytes(&l.field[0]), 0);
}

CASE(sizes_that_overflow_are_errors) {
  make_ir(INT64_C(1) << 31, INT64_C(1) << 31);
  ik_layout l = lay_out(0);
  CHECK_EQ(l.field[0].bytes, -1);
  CHECK_EQ(ik_layout_field_bytes(&l.field[0]), -1);
  CHECK_EQ(ik_layout_bytes(&ir, &l), -1);
  fields[0].type = IK_BOOL; /* 2^62 for a level, too much for three */
  l = lay_out(0);
  CHECK(l.field[0].bytes >= INT64_C(1) << 62);
  CHECK_EQ(ik_layout_field_bytes(&l.field[0]), -1);
  fields[0].has_new = false, fields[0].history = 1;
  l = lay_out(0);
  CHECK(ik_layout_field_bytes(&l.field[0]) >= INT64_C(1) << 62);
  fields[2] = fields[0];
  l = lay_out(0);
  CHECK_EQ(ik_layout_bytes(&ir, &l), -1);
  l = lay_out(INT64_C(1) << 31); /* the padding alone is too much */
  CHECK_EQ(l.field[0].bytes, -1);
  l = lay_out(INT64_MAX / 2);
  CHECK_EQ(l.field[0].bytes, -1);
  fields[0].box.lo[0] = -INT64_MAX;
  CHECK_EQ(ik_layout_at(&ir, NULL, 0).bytes, -1);
}

/* Every cell has a place of its own, in bounds, and padding no cell. */
CASE(odd_sizes_have_room_for_all_cells) {
  static const int64_t paddings[] = {0, 1, 7, 900};
  for (int64_t x = 1; x < 40; x += 6)
    for (int64_t y = 1; y < 70; y += 9)
      for (int k = 0; k < 4; k++) {
        make_ir(x, y);
        ik_layout              l = lay_out(paddings[k]);
        const ik_layout_field *u = &l.field[0];
        int64_t                last = (x - 1) * u->stride[0] + (y - 1) * u->stride[1];
        CHECK(u->stride[0] == 1 && u->stride[1] == x + paddings[k]);
        CHECK(last < u->bytes / 8 && u->bytes == 8 * y * (x + paddings[k]));
        CHECK(u->slice == (paddings[k] ? x : x * y) && u->cells == x * y);
        CHECK_EQ(l.field[2].stride[1], 1 + paddings[k]); /* its slices are cells */
      }
}

/* ---- what lowering finds out ---- */

CASE(lowering_says_what_has_memory) {
  make_ir(4, 3);
  ik_layout l = lay_out(0);
  int64_t   before = ik_layout_bytes(&ir, &l);
  ik_layout_store(&l, 1);
  CHECK_EQ(ik_layout_bytes(&ir, &l) - before, 18 * 2);
  ik_layout_fold(&l, 0);
  CHECK_EQ(ik_layout_bytes(&ir, &l) - before, 18 * 2 - 96);
  l = lay_out(0);
  ik_layout_ahead(&l, 0, 1);
  CHECK_EQ(ik_layout_bytes(&ir, &l) - before, 96);
  ik_layout_unpad(&l);
  CHECK_EQ(l.field[0].ahead, 1);
}

CASE(padding_is_filled_where_there_is_some) {
  make_ir(4, 3);
  ik_layout l = lay_out(5);
  CHECK(ik_layout_can_fill(&l.field[0], 5) && !ik_layout_can_fill(&l.field[0], 6));
  CHECK_EQ(ik_layout_before(&l.field[0]), 0);
  CHECK_EQ(ik_layout_padding_bytes(&l.field[0]), 3 * (3 * 5 * 8 + 128));
  CHECK_EQ(ik_layout_field_bytes(&l.field[0]), 3 * 3 * 9 * 8);
  ik_layout_fill(&l, 0, -2.5);
  CHECK(l.field[0].filled && l.field[0].beyond == -2.5);
  CHECK_EQ(ik_layout_before(&l.field[0]), 128); /* 14 elements, in whole lines */
  CHECK_EQ(ik_layout_field_bytes(&l.field[0]), 3 * (3 * 9 * 8 + 128));
  l = lay_out(0);
  ik_layout_fill(&l, 0, 1);
  CHECK(!l.field[0].filled && !ik_layout_can_fill(&l.field[0], 1));
}

CASE(padding_goes_where_nobody_can_have_it) {
  make_ir(4, 3);
  ik_layout l = lay_out(5);
  ik_layout_store(&l, 1), ik_layout_fold(&l, 0);
  ik_layout_unpad(&l);
  ik_layout_fill(&l, 0, 1);
  CHECK(l.field[0].padding == 0 && l.field[0].stride[1] == 4 && !l.field[0].filled);
  CHECK(l.field[0].folded && l.field[1].stored);
  CHECK_EQ(ik_layout_field_bytes(&l.field[0]), 2 * 96);
}

/* ---- padding against conflicts in caches ---- */

static ik_bc_kind beyond_rows;

/* From a multiple of what the sets of a second cache hold. */
static int64_t off_sets(int64_t pitch) {
  int64_t beyond = pitch & 0xffff;
  return beyond < 0x8000 ? beyond : 0x10000 - beyond;
}

static int64_t padding_for(int ndim, int64_t x, int64_t y, int64_t n, ik_type type) {
  ik_field f = {.type = type, .on = {true, true, ndim > 2}, .box = {{0, 0, 0}, {x, y, n}}};
  f.bc[1][1].kind = beyond_rows;
  ik_ir           grid = {.ndim = ndim, .nfield = 1, .field = &f};
  ik_layout_field lie;
  ik_layout       l;
  ik_layout_of(&grid, &caches, &lie, &l);
  return lie.padding * ik_type_bytes(type);
}

CASE(slices_keep_off_the_same_sets) {
  CHECK_EQ(padding_for(2, 4096, 9, 1, IK_F32), 256); /* rows of 16 KiB */
  CHECK_EQ(padding_for(2, 2048, 9, 1, IK_F32), 128);
  CHECK_EQ(padding_for(2, 1024, 9, 1, IK_F32), 64);
  CHECK_EQ(padding_for(2, 512, 9, 1, IK_F32), 0);   /* of 2 KiB */
  CHECK_EQ(padding_for(2, 5000, 9, 1, IK_F32), 32); /* to the next line */
  CHECK_EQ(padding_for(2, 100, 9, 1, IK_F32), 0);   /* dear */
  CHECK_EQ(padding_for(3, 256, 256, 9, IK_F32), 2048 + 64);
  CHECK_EQ(padding_for(3, 512, 512, 9, IK_F32), 3 * 4096 + 2048 + 64);
  CHECK_EQ(padding_for(3, 768, 768, 9, IK_F32), 3 * 4096 + 2048 + 64);
  CHECK_EQ(padding_for(3, 1024, 1024, 9, IK_F64), 3 * 4096 + 2048 + 64);
  CHECK_EQ(padding_for(3, 512, 256, 9, IK_F32), 4096 + 2048 + 64);
  CHECK_EQ(padding_for(3, 64, 64, 9, IK_F32), 0);
  CHECK_EQ(padding_for(1, 1 << 20, 1, 1, IK_F64), 0);
  for (int64_t x = 1; x < 3000; x++) {
    int64_t row = 8 * x, pad = padding_for(2, x, 7, 1, IK_F64);
    int64_t plane = 4 * x * 301, wide = padding_for(3, x, 301, 7, IK_F32);
    CHECK(pad >= 0 && pad <= row / 64);
    CHECK(row < 8192 || ((row + pad) % 64 == 0 && (row + pad) % 4096 != 0));
    CHECK(wide >= 0 && wide <= plane / 64);
    int64_t beyond = (plane + wide) % 4096;
    CHECK(plane < 4 << 17 || ((plane + wide) % 64 == 0 && beyond >= 1024 && beyond <= 3072));
  }
  make_ir(4, 1 << 20);
  CHECK_EQ(lay_out(0).field[2].padding, 0); /* its slices are cells */
}

/* Planes of a megabyte, ten of which are read at a time. */
CASE(planes_keep_off_the_same_sets_of_second_caches) {
  int near = 0; /* where there is not enough room */
  for (int way = 0; way < 2; way++) {
    beyond_rows = way ? IK_BC_VALUE : IK_BC_NONE;
    for (int64_t n = 600; n < 1100; n++) {
      int64_t plane = 4 * n * n, pad = padding_for(3, n, n, 9, IK_F32);
      CHECK(off_sets(plane + pad) >= 2 * 4096);
      near += off_sets(plane + pad) < 3 * 4096;
    }
  }
  CHECK(near > 0 && near < 20);
  CHECK(off_sets(padding_for(3, 440, 440, 9, IK_F32) + 4 * 440 * 440) >= 3 * 4096);
  beyond_rows = IK_BC_NONE;
}

CASE(padding_has_room_for_rows_beyond_a_face) {
  beyond_rows = IK_BC_VALUE;
  CHECK_EQ(padding_for(3, 768, 768, 9, IK_F32), 3 * 4096 + 2048 + 64);
  CHECK_EQ(padding_for(3, 1024, 1024, 9, IK_F32), 4 * 4096 + 2048 + 64);
  CHECK_EQ(padding_for(3, 1024, 1024, 9, IK_F64), 8 * 4096 + 2048 + 64);
  CHECK_EQ(padding_for(3, 1024, 256, 9, IK_F64), 8 * 4096 + 2048 + 64);
  CHECK_EQ(padding_for(3, 1536, 95, 9, IK_F32), 0);         /* four rows are dear */
  CHECK_EQ(padding_for(3, 256, 256, 9, IK_F32), 2048 + 64); /* planes are small */
  int without = 0;
  for (int64_t x = 1; x < 3000; x++) {
    int64_t plane = 4 * x * 301, pad = padding_for(3, x, 301, 7, IK_F32), at = (plane + pad) % 4096;
    CHECK(pad >= 0 && pad <= plane / 24);
    CHECK(plane < 4 << 17 || ((plane + pad) % 64 == 0 && at >= 1024 && at <= 3072));
    CHECK(plane < 4 << 17 || pad < 16 * x || off_sets(plane + pad) >= 2 * 4096);
    without += plane >= 4 << 17 && pad < 16 * x;
  }
  CHECK_EQ(without, 7); /* 476 to 479, 530, 532, 585: planes would be too near each other */
  beyond_rows = IK_BC_PERIODIC;
  CHECK_EQ(padding_for(3, 1024, 1024, 9, IK_F32), 3 * 4096 + 2048 + 64);
  beyond_rows = IK_BC_NONE;
}

/* Caches with other ways: it is their sets that are kept off. */
CASE(another_machine_has_other_padding) {
  const ik_layout_machine large = {128, 16 << 10, 128 << 10, 4, IK_LAYOUT_DEVICE};
  ik_layout               l;
  make_ir(2048, 9);
  ik_layout_of(&ir, &large, lies, &l);
  CHECK_EQ(l.field[0].padding * 8, 256); /* two lines */
  CHECK_EQ(l.field[0].space, IK_LAYOUT_DEVICE);
  make_ir(1024, 9); /* half a way */
  ik_layout_of(&ir, &large, lies, &l);
  CHECK_EQ(l.field[0].padding, 0);
}

/* ---- text ---- */

CASE(a_layout_is_a_table) {
  ik_buf text = {0};
  make_ir(4, 3);
  ik_layout l = lay_out(5);
  ik_layout_fold(&l, 0), ik_layout_fill(&l, 0, -2.5);
  ik_layout_print(&ir, &l, &text);
  CHECK_STR(ik_buf_text(&text),
            "field  level  type  extents  strides  padding  align  bytes  space\n"
            "u          1  f64   4 x 3    1 x 9          5     64      0  host   in the array of "
            "level -1\n"
            "u          0  f64   4 x 3    1 x 9          5     64    344  host   -2.5 in the "
            "padding and 128 bytes before\n"
            "u         -1  f64   4 x 3    1 x 9          5     64    344  host   -2.5 in the "
            "padding and 128 bytes before\n"
            "t          0  bf16  6 x 3    1 x 11         5     64      0  host   lives within a "
            "pass\n"
            "p          0  f32   1 x 3    1 x 6          5     64     72  host\n");
  ik_buf_free(&text);
  l = lay_out(0);
  ik_layout_ahead(&l, 0, 1);
  ik_layout_print(&ir, &l, &text);
  CHECK(strstr(ik_buf_text(&text),
               "space\nu          2  f64   4 x 3    1 x 4          0     64     96  host\n"
               "u          1  f64   4 x 3    1 x 4          0     64     96  host\n"));
  ik_buf_free(&text);
  make_ir(INT64_C(1) << 40, INT64_C(1) << 40);
  ik_layout_print(&ir, NULL, &text);
  CHECK(strstr(ik_buf_text(&text), "more than can be addressed"));
  ik_buf_free(&text);
}
