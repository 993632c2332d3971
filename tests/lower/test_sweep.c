#include "lower/sweep.h"
#include "targets/cpu/sweep.h"
#include "lang/program.h"
#include "lower/pipe.h"
#include "targets/cpu/shape/shape.h"
#include <string.h>

/* The last statement of the main block that no pass can do. */
static const ik_sweep *order_of(program *p) {
  const ik_sweep *last = NULL;
  for (const ik_stmt *s = p->ir->body; s; s = s->next)
    if (s->kind == IK_SWEEP || s->kind == IK_ASSIGN) last = ik_sweep_of(p->ir, s, 1, &p->arena);
  return last;
}

/* "blocks x+ y-, free z, wave y x": how the last statement may be done. */
static void describe(const char *text, char *out, size_t size) {
  static const char *const kinds[] = {"blocks", "lines", "planes"};
  program                  p;
  ik_buf                   b = {0};
  if (MUST_OPEN(&p, text)) {
    const ik_sweep *o = order_of(&p);
    ik_buf_puts(&b, kinds[o->kind]);
    for (int d = 0; d < p.ir->ndim; d++)
      ik_buf_printf(&b, " %s%c", p.ir->axis[d], o->dir[d] > 0 ? '+' : '-');
    for (int d = 0; d < p.ir->ndim; d++)
      if (o->free[d]) ik_buf_printf(&b, ", free %s", p.ir->axis[d]);
    if (o->wave[0] >= 0)
      ik_buf_printf(&b, ", wave %s %s", p.ir->axis[o->wave[0]], p.ir->axis[o->wave[1]]);
  }
  snprintf(out, size, "%s", ik_buf_text(&b));
  ik_buf_free(&b);
  program_close(&p);
}

#define CHECK_ORDER(text, expected)                                                                \
  do {                                                                                             \
    char how[96];                                                                                  \
    describe(text, how, sizeof how);                                                               \
    CHECK_STR(how, expected);                                                                      \
  } while (0)

#define HEAD                                                                                       \
  "grid x = 40, y = 30\nfield u, v : f64 = noise(1)\nfield p : f64, on x = noise(2)\n"             \
  "field m : f64 = noise(3)\nboundary u, v, p = 0\nboundary m = mirror\n"

CASE(what_lies_behind_along_all_axes_makes_wavefronts) {
  CHECK_ORDER(HEAD "sweep x up, y up { u = u[-1,-1] + u[-1,0] + u[0,-1] }",
              "blocks x+ y+, wave y x");
  CHECK_ORDER(HEAD "sweep x down, y up { u = u[1,-1] + u[1,0] }", "blocks x- y+, wave y x");
}

CASE(old_values_are_read_before_they_are_overwritten) {
  CHECK_ORDER(HEAD "sweep x up, y up { u = u[1,1] + u[-1,0] }", "blocks x+ y+, wave y x");
}

CASE(sides_that_disagree_keep_the_order_of_the_sweep) {
  CHECK_ORDER(HEAD "sweep x up, y up { u = u[-1,1] }", "lines x+ y+");
  CHECK_ORDER(HEAD "sweep x up, y down { u = u[-1,1] }", "blocks x+ y-, wave y x");
}

CASE(across_the_sweep_a_direction_is_found) {
  CHECK_ORDER(HEAD "sweep x up { u = u[-1,-1] }", "blocks x+ y+, wave y x");
  CHECK_ORDER(HEAD "sweep x up { u = u[-1,1] }", "blocks x+ y-, wave y x");
  CHECK_ORDER(HEAD "sweep x up { u = u[-1,-1] + u[-1,1] }", "planes x+ y+");
}

CASE(axes_that_nobody_looks_along_are_free) {
  CHECK_ORDER(HEAD "sweep x up { u = u[-1,0] + v[0,1] }", "blocks x+ y+, free y");
  CHECK_ORDER(HEAD "p = 2*p", "blocks x+ y+, free x, free y");
}

/* The whole plane of v comes before that of u, or behind it. */
CASE(statements_follow_each_other_at_each_index) {
  CHECK_ORDER(HEAD "sweep x up { v = 2*v[-1,0]\n u = v[0,-1] }", "blocks x+ y+, wave y x");
  CHECK_ORDER(HEAD "sweep x up { v = 2*v[-1,0]\n u = v[0,1] }", "blocks x+ y-, wave y x");
  CHECK_ORDER(HEAD "sweep x up { v = 2*v[-1,0]\n u = v[0,1] + v[0,-1] }", "planes x+ y+");
  CHECK_ORDER(HEAD "sweep x up { u = v[0,1]\n v = 2*v[-1,0] }", "blocks x+ y+, wave y x");
  CHECK_ORDER(HEAD "sweep x up { u = v[0,-1]\n v = 2*v[-1,0] }", "blocks x+ y-, wave y x");
}

/* At x = 0 a mirror leads from -1 back to 0, which for y+1 has not been done yet. */
CASE(boundaries_lead_to_other_sides) {
  CHECK_ORDER(HEAD "sweep x up, y up { m = m[-1,0] + m[0,-1] }", "blocks x+ y+, wave y x");
  CHECK_ORDER(HEAD "sweep x up, y up { m = m[-2,0] }", "blocks x+ y+, free y");
  CHECK_ORDER(HEAD "sweep x up, y up { m = m[-2,-1] }", "lines x+ y+");
  CHECK_ORDER("grid x = 40, y = 30\nfield u : f64 = noise(1)\nboundary u = periodic\n"
              "sweep x up, y up { u = u[-1,0] + u[0,-1] }",
              "blocks x+ y+, wave y x");
  CHECK_ORDER("grid x = 40, y = 30\nfield u : f64 = noise(1)\nboundary u = periodic\n"
              "sweep x up, y up { u = u[-1,-1] }",
              "lines x+ y+");
}

/* p is given at y = 0, the last index of a sweep down, and read by all others before. */
CASE(a_field_without_the_axis_lies_at_its_first_index) {
  CHECK_ORDER(HEAD "sweep y up { p = 2*p\n u = p + u[0,-1] }", "blocks x+ y+, free x");
  CHECK_ORDER(HEAD "sweep y down { p = 2*p\n u = p + u[0,1] }", "blocks x+ y-, free x");
}

CASE(all_is_read_before_any_is_written) {
  CHECK_ORDER(HEAD "p = p[1]", "blocks x+ y+, free y");
  CHECK_ORDER(HEAD "p = p[-1]", "blocks x- y+, free y");
  CHECK_ORDER(HEAD "p = p[-1] + p[1]", "planes x+ y+, free y");
}

/* ---- regions ---- */

static const ik_sweep_region *region_at(const ik_sweep *o, int64_t x, int64_t y) {
  int i = 0, j = 0;
  while (o->cut[0][i + 1] <= x) i++;
  while (o->cut[1][j + 1] <= y) j++;
  return &o->region[j * (o->ncut[0] - 1) + i];
}

CASE(cells_near_faces_are_regions_of_their_own) {
  program p;
  if (MUST_OPEN(&p, HEAD "sweep x up, y up { u = u[-2,0] + v[1,-1] }")) {
    const ik_sweep *o = order_of(&p);
    CHECK_EQ(o->nset, 1);
    CHECK_EQ(o->ncut[0], 4);
    CHECK_EQ(o->ncut[1], 3);
    CHECK_EQ(region_at(o, 1, 5)->set, -1);
    CHECK_EQ(region_at(o, 2, 5)->set, 0);
    CHECK_EQ(region_at(o, 39, 5)->set, -1);
    CHECK_EQ(region_at(o, 38, 1)->set, 0);
    CHECK_EQ(region_at(o, 20, 0)->set, -1);
    CHECK_EQ((long)region_at(o, 0, 0)->active, 1);
    CHECK_EQ((long)region_at(o, 0, 0)->inside, 0);
  }
  program_close(&p);
}

CASE(parts_of_a_sweep_are_sets) {
  program p;
  if (MUST_OPEN(&p, HEAD "sweep x up {\n at first { u = 1\n v = 2 }\n within { u = u[-1,0] }\n"
                         " at last { v = v[-1,0] }\n}")) {
    const ik_sweep *o = order_of(&p);
    CHECK_EQ(o->nstmt, 4);
    CHECK_EQ(o->nset, 3);
    CHECK_EQ((long)region_at(o, 0, 3)->active, 3);
    CHECK_EQ((long)region_at(o, 7, 3)->active, 4);
    CHECK_EQ((long)region_at(o, 39, 3)->active, 8);
  }
  program_close(&p);
}

CASE(values_are_arrays) {
  program p;
  if (MUST_OPEN(&p, "grid x = 5, y = 4, z = 3\nfield u : f64\nfield q : f32, on (x, z) = noise(1)\n"
                    "boundary u = 0\nsweep z up, y up { u = u[0,-1,0] + q }")) {
    const ik_sweep *o = order_of(&p);
    CHECK_EQ(o->nvalue, 2);
    CHECK_EQ(o->value[0].stride[1], 5);
    CHECK_EQ(o->value[0].stride[2], 20);
    CHECK_EQ(o->value[1].stride[1], 0);
    CHECK_EQ(o->value[1].stride[2], 5);
  }
  program_close(&p);
}

/* Cell 0 of a temporary that begins at -1 is not its first. */
CASE(arrays_begin_where_their_fields_do) {
  program p;
  if (MUST_OPEN(&p, HEAD "a = 2*v\nsweep x up, y up { u = u[-1,-1] + a[-1,0] + a[2,0] }")) {
    const ik_sweep *o = order_of(&p);
    CHECK_EQ(o->nvalue, 2);
    for (int i = 0; i < o->nvalue; i++) {
      bool made = p.ir->field[o->value[i].field].kind == IK_FIELD_TEMP;
      CHECK_EQ(o->value[i].first, made);
      CHECK_EQ(o->value[i].stride[1], made ? 43 : 40);
    }
  }
  program_close(&p);
}

static void check_same_box(const ik_box *b, int64_t x0, int64_t x1, int64_t y0, int64_t y1) {
  CHECK_EQ(b->lo[0], x0);
  CHECK_EQ(b->hi[0], x1);
  CHECK_EQ(b->lo[1], y0);
  CHECK_EQ(b->hi[1], y1);
}

/* The cells that a sweep comes to: from the first to the last of all its statements. */
static void check_box(const char *text, int64_t x0, int64_t x1, int64_t y0, int64_t y1) {
  program p;
  if (MUST_OPEN(&p, text)) check_same_box(&order_of(&p)->box, x0, x1, y0, y1);
  program_close(&p);
}

CASE(a_box_holds_all_statements_of_a_sweep) {
  check_box(HEAD "sweep x up, y up { u = u[-1,-1] on x = 5 .. 20, y = 3 .. 9 }", 5, 21, 3, 10);
  check_box(HEAD "sweep x up, y up { u = u[-1,-1] on x = 5 .. 20, y = 3 .. 9\n"
                 " v = u[-1,-1] on x = 7 .. 30, y = 2 .. 8 }",
            5, 31, 2, 10);
}

/* Fields may have cells beyond the grid, where no sweep comes, but along other axes. */
CASE(a_sweep_stays_in_the_grid) {
#define WIDER "grid x = 40, y = 30\nfield e : f64, on (x+1, y+1) = noise(1)\nboundary e = 0\n"
  check_box(WIDER "sweep x up, y up { e = e[-1,-1] }", 0, 40, 0, 30);
  check_box(WIDER "sweep x up { e = e[-1,-1] }", 0, 40, 0, 31);
}

/* Whatever cells its statements have: along the swept axes, that is. */
CASE(a_sweep_comes_to_its_own_cells_alone) {
  program p;
  if (MUST_OPEN(&p, HEAD "sweep y up { u = u[0,-1] }")) {
    ik_stmt s = *p.ir->body;
    s.box = (ik_box){{2, 3, 0}, {30, 20, 1}};
    const ik_sweep *o = ik_sweep_of(p.ir, &s, 1, &p.arena);
    check_same_box(&o->body[0].box, 0, 40, 3, 20);
    check_same_box(&o->box, 0, 40, 3, 20);
  }
  program_close(&p);
}

/* Cells per vector of 16 bytes, and rows in turn. */
static void check_cells(const char *text, int lanes, int rows) {
  program p;
  if (MUST_OPEN(&p, text)) {
    const ik_sweep *o = order_of(&p);
    CHECK_EQ(ik_cpu_sweep_lanes(o, 16), lanes);
    CHECK_EQ(o->row.turns, rows);
  }
  program_close(&p);
}

CASE(cells_that_need_nothing_of_each_other_are_done_at_once) {
  check_cells(HEAD "sweep y up { u = 0.5*u[0,-1] }", 2, 1);
  check_cells(HEAD "sweep x up { u = 0.5*u[-1,0] }", 1, 4);
  check_cells(HEAD "sweep x up, y up { u = 0.5*u[-1,0] + 0.5*u[0,-1] }", 1, 2);
  check_cells(HEAD "u = u[-1,0] + u[1,0]", 2, 1);
  check_cells("grid x = 9, y = 9\nfield u : f16 = noise(1)\nboundary u = 0\n"
              "sweep y up { u = 0.5*u[0,-1] }",
              2, 1); /* in f64, or in f32 in twos */
  check_cells("grid x = 9, y = 9\nfield u : f32 = noise(1)\nboundary u = mirror\n"
              "sweep y up { u = 0.5*u[1,-1] + 0.5*u[-1,-1] }",
              4, 1);
}

/* ---- in a list ---- */

CASE(what_no_pass_can_do_is_done_in_order) {
  program p;
  ik_pipe pipe;
  ik_buf  text = {0};
  ik_plan plan = {
      .strategy = "sweep", .steps = 1, .cpu.rows = 1, .cpu.vectors = 1, .cpu.vector_bytes = 16};
  if (MUST_OPEN(&p, HEAD "v = u\nsweep x up, y up { u = u[-1,0] + u[0,-1] }\np = 2*p")) {
    ik_shape_passes(p.ir, p.ir->body, 0, &plan, &p.arena, &pipe);
    CHECK_EQ(pipe.n, 3);
    CHECK_EQ(pipe.work[0].kind, IK_WORK_PASS);
    CHECK_EQ(pipe.work[1].kind, IK_WORK_SWEEP);
    CHECK_EQ(pipe.work[2].kind, IK_WORK_SWEEP);
    ik_shape_print(p.ir, &pipe, &text);
    CHECK(strstr(ik_buf_text(&text),
                 "x up, y up in wavefronts of 40 x 4 cells, in blocks, 2 rows in turn\n"));
    CHECK(strstr(ik_buf_text(&text), "1131 cells inside: u"));
  }
  ik_buf_free(&text);
  program_close(&p);
}

/* Each of 33 statements has a box of its own along all axes. */
CASE(too_many_regions_are_left_to_the_interpreter) {
  program p;
  ik_buf  text = {0};
  ik_buf_puts(&text, "grid x = 70, y = 70, z = 70\nfield u : f64 = noise(1)\nboundary u = 0\n"
                     "sweep x up, y up, z up {\n");
  for (int i = 1; i < 34; i++)
    ik_buf_printf(&text, "  u = 0.5*u[-1,0,0] on x = %d .. %d, y = %d .. %d, z = %d .. %d\n", i,
                  69 - i, i, 69 - i, i, 69 - i);
  ik_buf_puts(&text, "}\n");
  if (MUST_OPEN(&p, ik_buf_text(&text))) CHECK(!order_of(&p));
  ik_buf_free(&text);
  program_close(&p);
}

CASE(without_cells_there_is_nothing_to_do) {
  program p;
  if (MUST_OPEN(&p, HEAD "p = 2*p")) {
    ik_stmt s = *p.ir->body;
    s.box.hi[0] = s.box.lo[0];
    CHECK_EQ(ik_sweep_of(p.ir, &s, 1, &p.arena)->nstmt, 0);
  }
  program_close(&p);
}

/* ---- blocks for many threads ---- */

static void check_blocks(int line, const char *text, int threads, int64_t x, int64_t y) {
  program p;
  if (MUST_OPEN(&p, text)) {
    const ik_sweep *o = ik_sweep_of(p.ir, p.ir->body, threads, &p.arena);
    if (o->block[0] != x || o->block[1] != y)
      check_fail(__FILE__, line, "%d threads: blocks of %d x %d cells, not %d x %d", threads,
                 (int)o->block[0], (int)o->block[1], (int)x, (int)y);
  }
  program_close(&p);
}
#define CHECK_BLOCKS(text, threads, x, y) check_blocks(__LINE__, text, threads, x, y)

#define SQUARE(n)                                                                                  \
  "grid x = " n ", y = " n "\nfield u : f64\nboundary u = 0\nsweep x up, y up { u = u[-1,-1] }\n"

/* First a row for each thread, then four columns for each. */
CASE(wavefronts_have_blocks_for_all_threads) {
  CHECK_BLOCKS(SQUARE("4096"), 0, 256, 64);
  CHECK_BLOCKS(SQUARE("4096"), 4, 256, 64);
  CHECK_BLOCKS(SQUARE("4096"), 5, 128, 64);
  CHECK_BLOCKS(SQUARE("4096"), 16, 64, 64);
  CHECK_BLOCKS(SQUARE("4096"), 64, 32, 64);
  CHECK_BLOCKS(SQUARE("4096"), 65, 64, 32);
  CHECK_BLOCKS(SQUARE("4096"), 1000, 256, 8);
}

CASE(blocks_of_wavefronts_are_worth_a_look_at_neighbours) {
  CHECK_BLOCKS(SQUARE("1024"), 128, 64, 32);
  CHECK_BLOCKS(SQUARE("200"), 128, 64, 6);
}
