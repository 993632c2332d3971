#include "targets/simulated/wse2/map.h"
#include "check.h"
#include "targets/simulated/wse2/open.h"

static void open_wave(opened *o, int nz, const char *extra) {
  ik_buf text = {0};
  ik_buf_printf(&text,
                "grid x = 20, y = 20, z = %d, spacing = 20\nparam dt = 1.6 ms\n"
                "field u : f32, history 2\nboundary u = 0\n%s"
                "step 1 { u' = 2*u - u[t-1] + (2000*dt)^2*laplacian(u, order = 8) }\n",
                nz, extra);
  open_text(o, ik_buf_text(&text));
  ik_buf_free(&text);
}

/* "A2" of the notes on arXiv 2204.03775: blocks as in Table III, bytes of wavefields, receive
 * buffer and accumulator. */
CASE(columns_of_the_paper_are_cut_as_in_its_table) {
  static const struct {
    int nz, n, b, bytes;
  } rows[] = {{100, 1, 100, 0},     {200, 1, 200, 0},     {300, 1, 300, 0},
              {400, 1, 400, 36864}, {500, 2, 250, 26064}, {700, 2, 350, 36464},
              {1000, 3, 334, 38808}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    opened o;
    open_wave(&o, rows[i].nz, "");
    CHECK(o.mapped);
    CHECK_EQ(o.map.chunks, rows[i].n);
    CHECK_EQ(o.map.chunk, rows[i].b);
    if (rows[i].bytes) CHECK_EQ(o.map.bytes.total, rows[i].bytes);
    for (int d = 0; d < IK_WSE2_DIRECTIONS; d++) CHECK_EQ(o.map.radius[d], 4);
    close_text(&o);
  }
}

/* With a field of velocities three pieces of 1000 cells would leave too little room for code. */
CASE(a_column_that_does_not_fit_is_cut_again) {
  opened o;
  open_text(&o, "grid x = 20, y = 20, z = 1000\nfield u : f32, history 2\nfield c : f32\n"
                "boundary u = 0\nstep 1 { u' = 2*u - u[t-1] + c*laplacian(u, order = 8) }\n");
  CHECK(o.mapped);
  CHECK_EQ(o.map.chunks, 4);
  CHECK_EQ(o.map.chunk, 250);
  CHECK_EQ(o.map.bytes.total, 4 * (2 * 1008 + 1000 + 20 * 250 + 1000));
  close_text(&o);
}

CASE(what_has_no_room_is_refused_with_the_figures) {
  opened o;
  open_wave(&o, 4000, "");
  CHECK(is_refused_with(&o, "a column of 4000 cells needs"));
  CHECK(is_refused_with(&o, "of the 49152 that an element has"));
  close_text(&o);
  open_wave(&o, 40000, "");
  CHECK(is_refused_with(&o, "a column of 40000 cells alone needs 160000 bytes"));
  close_text(&o);
}

/* What is left for code is a figure of the machine. */
CASE(more_code_leaves_less_room) {
  opened o;
  open_wave(&o, 1000, "");
  CHECK(o.mapped && o.map.chunks == 3);
  o.timing.code = 12 * 1024;
  CHECK(ik_wse2_map_of(o.ir, &o.timing, &o.arena, &o.diag, &o.map) == IK_OK);
  CHECK_EQ(o.map.chunks, 4);
  o.timing.code = 48 * 1024;
  o.mapped = !ik_wse2_map_of(o.ir, &o.timing, &o.arena, &o.diag, &o.map);
  CHECK(is_refused_with(&o, "of which 49152 are for its code"));
  close_text(&o);
}

static void check_refused(const char *text, const char *part) {
  opened o;
  ik_buf why = {0};
  open_text(&o, text);
  ik_diag_render(&o.diag, false, &why);
  if (!is_refused_with(&o, part))
    check_fail(__FILE__, __LINE__, "not '%s' but: %s", part, ik_buf_text(&why));
  ik_buf_free(&why);
  close_text(&o);
}

CASE(what_the_machine_lacks_is_said) {
  check_refused("grid x = 9\nfield u : f64\nstep 1 { u' = 2*u }\n", "fields are f32");
  check_refused("grid x = 9\nfield u : f32\nboundary u = periodic\nstep 1 { u' = u[1] }\n",
                "no links from its last element to the first");
  check_refused("grid x = 30\nfield u : f32\nboundary u = 0\nstep 1 { u' = u[9] }\n",
                "words travel 8 elements at most, and 'u' is read 9 away");
  check_refused("grid x = 800, y = 9\nfield u : f32\nstep 1 { u' = 2*u }\n",
                "800 x 9 elements, and the fabric has 755 x 994");
  check_refused("grid x = 9, y = 9\nfield u : f32\nsweep x up { within { u = u[-1,0] } }\n",
                "a sweep along x goes from element to element");
  check_refused("grid x = 9\nfield u : f32\nstep 1 { u' = f32(f64(u)*3.3) }\n",
                "elements compute in f32; here f64 is needed");
  check_refused("grid x = 9\nfield u : f32\nstep 1 { u' = u*sin(x + t) }\n",
                "depends on place and time");
}

CASE(what_stays_within_an_element_may_be_periodic_and_swept) {
  opened o;
  open_text(&o, "grid x = 9, y = 9, z = 9\nfield u : f32\n"
                "boundary u { x = 0; y = mirror; z = periodic }\n"
                "step 1 { u' = u[0,0,1] + u[1,0,0] + u[0,-2,0] }\n"
                "sweep z up { within { u = u[0,0,-1] } }\n");
  CHECK(o.mapped);
  CHECK_EQ(o.map.radius[IK_WSE2_EAST], 0);
  CHECK_EQ(o.map.radius[IK_WSE2_WEST], 1);
  CHECK_EQ(o.map.radius[IK_WSE2_SOUTH], 2);
  CHECK_EQ(o.map.radius[IK_WSE2_NORTH], 1); /* the mirrored cell of row 0 is row 1's */
  close_text(&o);
}

CASE(new_values_take_the_place_of_the_oldest_if_these_are_read_at_their_place_alone) {
  opened         o;
  ik_wse2_layout l;
  open_wave(&o, 50, "");
  ik_wse2_layout_of(&o.map, &o.arena, &l);
  CHECK_EQ(l.field[0].levels, 2);
  CHECK_EQ(ik_wse2_word(&l, 0, 1, 7), ik_wse2_word(&l, 0, -1, 7));
  CHECK_EQ(ik_wse2_word(&l, 0, 0, 8) - ik_wse2_word(&l, 0, 0, 7), 1);
  CHECK_EQ(4 * l.words, o.map.bytes.total);
  close_text(&o);
  open_text(&o, "grid x = 9\nfield u : f32, history 2\nboundary u = 0\n"
                "step 1 { u' = u + u[t-1, 1] }\n");
  ik_wse2_layout_of(&o.map, &o.arena, &l);
  CHECK_EQ(l.field[0].levels, 3);
  close_text(&o);
}
