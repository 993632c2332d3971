#include "lang/program.h"

static void box_is(int line, const char *text, const char *field, int64_t lo, int64_t hi) {
  program p;
  if (program_must(&p, text, __FILE__, line)) {
    const ik_box *b = &p.ir->field[program_field(&p, field)].box;
    if (b->lo[0] != lo || b->hi[0] != hi)
      check_fail(__FILE__, line, "%s is on %lld:%lld, not %lld:%lld", field, (long long)b->lo[0],
                 (long long)b->hi[0], (long long)lo, (long long)hi);
  }
  program_close(&p);
}
#define BOX(text, field, lo, hi) box_is(__LINE__, text, field, lo, hi)

#define U "grid x = 20\nfield u : f64\nboundary u = 0\n"

/* ---- boxes of temporaries ---- */

CASE(a_temporary_is_computed_where_it_is_read) {
  BOX(U "step 1 { w = 2*u; u' = w }\n", "w", 0, 20);
  BOX(U "step 1 { w = 2*u; u' = w[-1] + w[2] }\n", "w", -1, 22);
  BOX(U "step 1 { w = 2*u; u' = w[3] on x = 5 .. 7 }\n", "w", 8, 11);
  BOX(U "step 1 { w = 2*u; u' = w[1] on interior(4) }\n", "w", 5, 17);
}

CASE(boxes_grow_through_nested_temporaries) {
  static const char text[] =
      U "step 1 { a = u[1] - u[-1]; b = a[1] - a[-1]; c = b[2]; u' = b + c + a }\n";
  BOX(text, "c", 0, 20);
  BOX(text, "b", 0, 22);
  BOX(text, "a", -1, 23);
}

CASE(reductions_and_later_statements_need_cells_too) {
  BOX(U "step 1 { w = 2*u; s = sum(w); u' = s*u }\n", "w", 0, 20);
  BOX(U "step 1 { w = 2*u; u' = w on x = 0; u' = w[4] on x = 9 }\n", "w", 0, 14);
}

CASE(boxes_grow_along_every_axis_alone) {
  program p;
  if (MUST_OPEN(&p, "grid x = 4, y = 5, z = 6\nfield u : f64\nboundary u = 0\n"
                    "step 1 { w = 2*u; u' = w[-1,0,0] + w[0,2,0] + w[0,0,-3] }\n")) {
    const ik_box *b = &p.ir->field[1].box;
    CHECK(b->lo[0] == -1 && b->hi[0] == 4);
    CHECK(b->lo[1] == 0 && b->hi[1] == 7);
    CHECK(b->lo[2] == -3 && b->hi[2] == 6);
  }
  program_close(&p);
}

CASE(a_temporary_beyond_the_grid_sees_boundaries) {
  run r;
  if (run_program(&r, "grid x = 4\nfield u : f64 = 1 + x\nboundary u = 10*x\n"
                      "step 1 { w = 2*u; u' = w[-2] + w[2] }\n"))
    for (int x = 0; x < 4; x++) {
      double left = x < 2 ? 10 * (x - 2) : x - 1, right = x > 1 ? 10 * (x + 2) : x + 3;
      CHECK(run_at(&r, "u", x, 0, 0) == 2 * left + 2 * right);
    }
  run_close(&r);
}

CASE(a_temporary_that_nobody_reads_goes_with_a_warning) {
  program p;
  if (MUST_OPEN(&p, U "step 1 { w = 2*u; v = 3*w; u' = u }\n")) {
    CHECK(!strstr(program_body(&p), "w@0") && !strstr(program_body(&p), "v@0"));
    CHECK_EQ(p.diag.nmsg, 2);
    CHECK_EQ(p.diag.msg[0].code, IK_W001);
  }
  program_close(&p);
}

/* ---- reads beyond faces ---- */

#define E040(declare, body) "grid x = 9, y = 8\nfield u, v : f64\n" declare "step 1 { " body " }\n"

CASE(a_read_beyond_a_face_needs_a_boundary) {
  FAILS(E040("", "u' = u[-1,0]"), IK_E040,
        "'u' is read 1 cell beyond face -x, which has no boundary");
  FAILS(E040("", "u' = u[-1,0]"), IK_E040, "boundary u = 0  or  compute fewer cells");
  FAILS(E040("", "u' = u[0,3]"), IK_E040, "3 cells beyond face +y");
  FAILS(E040("", "u' = u[0,3]"), IK_E040, "on interior(3)");
}

CASE(all_faces_that_lack_one_are_named_at_once) {
  FAILS(E040("", "u' = laplacian(u)"), IK_E040, "beyond faces -x, +x, -y, +y, which have");
  FAILS(E040("boundary u { x = 0 }\n", "u' = laplacian(u)"), IK_E040,
        "beyond faces -y, +y, which have");
  FAILS(E040("boundary u { x = 0 }\n", "u' = laplacian(u)"), IK_E040,
        "boundary u { -y = 0; +y = 0 }");
  FAILS(E040("boundary u { x = 0; +y = copy }\n", "u' = laplacian(u)"), IK_E040,
        "boundary u { -y = 0 }");
}

CASE(each_field_is_named_once) {
  program p;
  CHECK(!program_open(&p, E040("", "u' = u[1,0] + v[-1,0] + u[2,0]; v' = u[0,1]")));
  CHECK_EQ(p.diag.nerror, 2);
  CHECK(strstr(program_messages(&p), "'u' is read 2 cells beyond face +x"));
  CHECK(strstr(program_messages(&p), "'v' is read 1 cell beyond face -x"));
  program_close(&p);
}

CASE(regions_keep_reads_inside) {
  program p;
  MUST_OPEN(&p, E040("", "u' = laplacian(u) on interior(1)"));
  program_close(&p);
  FAILS(E040("", "u' = laplacian(u, order = 4) on interior(1)"), IK_E040, "1 cell beyond");
}

CASE(reads_through_temporaries_and_reductions_count) {
  FAILS(E040("", "w = u[1,0]; u' = w[1,0]"), IK_E040, "2 cells beyond face +x");
  FAILS(E040("", "s = sum(u[1,0]); u' = s*u"), IK_E040, "1 cell beyond face +x");
  FAILS("grid x = 4\nfield u : f64 = 1\nfield v : f64 = u[1]\nstep 1 { u' = v }\n", IK_E040,
        "face +x");
}

CASE(a_field_with_more_cells_is_read_farther) {
  program p;
  MUST_OPEN(&p, "grid x = 9\nfield u : f64\nfield q : f64, on x+1\nstep 1 { u' = q[1] - q }\n");
  program_close(&p);
  FAILS("grid x = 9\nfield u : f64\nfield q : f64, on x+1\nstep 1 { u' = q[2] - q }\n", IK_E040,
        "1 cell beyond face +x");
}

/* ---- temporaries in sweeps ---- */

#define SWEEP(body) "grid x = 4, z = 6\nfield u : f64\nstep 1 { " body " }\n"

CASE(a_swept_temporary_has_no_value_beyond_the_grid) {
  FAILS(SWEEP("sweep z up { at first { c = u } at within { c = c[0,-1] } at last { c = u } }\n"
              "u' = c[0,1]"),
        IK_E044, "'c' is read 1 cell beyond +z");
}

CASE(a_level_that_the_sweep_leaves_out_has_no_value) {
  FAILS(SWEEP("sweep z up { at within { c = u; u = c[0,-1] } }"), IK_E044,
        "'c' is read at z = 0, where the sweep gives it no value");
  FAILS(SWEEP("sweep z down { at within { c = u; u = c[0,1] } }"), IK_E044, "z = 5");
}

CASE(later_readers_see_the_hole_too) {
  FAILS(SWEEP("sweep z up { at within { c = u } }\nu' = c"), IK_E044, "'c' is read at z = 0");
  FAILS(SWEEP("sweep z up { at first { c = u } at last { c = u } }\n"
              "sweep z down { at within { u = c[0,1] } }"),
        IK_E044, "'c' is read at z = 2");
  FAILS(SWEEP("sweep z up { at within { c = u } }\ns = sum(c); u' = s*u"), IK_E044, "z = 0");
  FAILS("grid x = 4, z = 2\nfield u : f64\n"
        "step 1 { sweep z up { at within { c = u } at last { u = c[0,-1] } } }\n",
        IK_E044, "'c' is read at z = 0");
}

CASE(a_sweep_cannot_read_what_it_has_yet_to_write) {
  FAILS(SWEEP("sweep z up { at first { c = u } at within { c = c[0,1] } at last { c = u } }"),
        IK_E044, "'c' is read ahead of the sweep");
  FAILS(
      SWEEP("sweep z down { at first { u' = u } at within { u' = u'[0,-1] } at last { u' = u } }"),
      IK_E033, "u' is read ahead of the sweep");
  program p;
  MUST_OPEN(&p, SWEEP("u' = u\nsweep z up { at within { u' = u'[0,1] } }"));
  program_close(&p);
  MUST_OPEN(&p, SWEEP("sweep z up { c = u }\nsweep z up { at within { c = c[0,1]; u = c } }"));
  program_close(&p);
}
