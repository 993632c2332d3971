#include "lang/program.h"

static void body_is(int line, const char *text, const char *want) {
  program p;
  if (program_must(&p, text, __FILE__, line)) {
    const char *got = program_body(&p);
    if (strcmp(got, want)) check_fail(__FILE__, line, "%s\nbecomes\n%s\nnot\n%s", text, got, want);
  }
  program_close(&p);
}
#define BODY(text, want) body_is(__LINE__, text, want)

/* ---- regions ---- */

CASE(cells_outside_a_region_keep_their_value) {
  BODY("grid x = 8, y = 6\nfield u : f64\nstep 2 { u' = 2*u on interior(2) }\n",
       "body {\n  steps 2 {\n"
       "    assign u@1 on 0:8, 0:2 = u@0\n"
       "    assign u@1 on 0:8, 4:6 = u@0\n"
       "    assign u@1 on 0:2, 2:4 = u@0\n"
       "    assign u@1 on 6:8, 2:4 = u@0\n"
       "    assign u@1 on 2:6, 2:4 = (mul.f64 (f64 2) u@0)\n"
       "  }\n}\n");
  BODY("grid x = 8, y = 6\nfield u : f64\nstep 2 { u' = 2*u on x = 1 .. 3, y = 5 }\n",
       "body {\n  steps 2 {\n"
       "    assign u@1 on 0:8, 0:5 = u@0\n"
       "    assign u@1 on 0:1, 5:6 = u@0\n"
       "    assign u@1 on 4:8, 5:6 = u@0\n"
       "    assign u@1 on 1:4, 5:6 = (mul.f64 (f64 2) u@0)\n"
       "  }\n}\n");
  BODY("grid x = 8, y = 6\nfield u : f64\nstep 2 { u' = 2*u on interior(0, 1) }\n",
       "body {\n  steps 2 {\n"
       "    assign u@1 on 0:8, 0:1 = u@0\n"
       "    assign u@1 on 0:8, 5:6 = u@0\n"
       "    assign u@1 on 0:8, 1:5 = (mul.f64 (f64 2) u@0)\n"
       "  }\n}\n");
}

CASE(a_copy_is_made_only_for_the_first_of_several_regions) {
  BODY("grid x = 8\nfield u : f64\nstep 1 { u' = 2*u; u' = 3*u on x = 0; u' = u' + 1 on x = 7 }\n",
       "body {\n  steps 1 {\n"
       "    assign u@1 on 0:8 = (mul.f64 (f64 2) u@0)\n"
       "    assign u@1 on 0:1 = (mul.f64 (f64 3) u@0)\n"
       "    assign u@1 on 7:8 = (add.f64 (f64 1) u@1)\n"
       "  }\n}\n");
  BODY("grid x = 8\nfield u : f64\nu = 5 on x = 2 .. 3\n",
       "body {\n  assign u@0 on 2:4 = (f64 5)\n}\n");
}

CASE(a_copy_of_a_half_field_is_no_arithmetic) {
  BODY("grid x = 8\nfield u : f16\nstep 1 { u' = 2*u on interior(1) }\n",
       "body {\n  steps 1 {\n"
       "    assign u@1 on 0:1 = u@0\n"
       "    assign u@1 on 7:8 = u@0\n"
       "    assign u@1 on 1:7 = (cast.f16 (mul.f32 (f32 2) (cast.f32 u@0)))\n"
       "  }\n}\n");
}

CASE(wrong_regions_are_refused) {
#define AT(region) "grid x = 8, y = 6\nfield u : f64\nstep 1 { u' = 2*u on " region " }\n"
  FAILS(AT("interior(3)"), IK_E043, "y has 6 cells, the borders 6");
  FAILS(AT("interior(1, 2, 3)"), IK_E030, "interior(1)");
  FAILS(AT("x = 8"), IK_E043, "x = 8, and the cells are 0 .. 7");
  FAILS(AT("x = 3 .. 9"), IK_E043, "x = 3 .. 7");
  FAILS(AT("x = 5 .. 2"), IK_E043, "x = 2 .. 5");
  FAILS(AT("q = 5"), IK_E010, "axis 'q'");
  FAILS(AT("x = -1"), IK_E024, "start of a region");
}

/* ---- several fields, several steps ---- */

CASE(a_step_keeps_what_another_step_updates) {
  BODY("grid x = 4\nfield u, v : f64\nstep 1 { u' = 2*u }\nstep 3 { v' = 2*v; u' = u + v }\n",
       "body {\n"
       "  steps 1 {\n"
       "    assign v@1 on 0:4 = v@0\n"
       "    assign u@1 on 0:4 = (mul.f64 (f64 2) u@0)\n"
       "  }\n"
       "  steps 3 {\n"
       "    assign v@1 on 0:4 = (mul.f64 (f64 2) v@0)\n"
       "    assign u@1 on 0:4 = (add.f64 u@0 v@0)\n"
       "  }\n}\n");
}

CASE(several_steps_run_one_after_the_other) {
  run r;
  if (run_program(&r, "grid x = 2\nfield u, v : f64 = 1\nstep 3 { u' = 2*u }\nu = u + t\n"
                      "step 2 { v' = v + u }\n")) {
    CHECK(run_at(&r, "u", 0, 0, 0) == 11);
    CHECK(run_at(&r, "v", 1, 0, 0) == 23);
    CHECK_EQ(r.state->t, 5);
  }
  run_close(&r);
}

/* Kept is what is there at the end of the step, not what was there before. */
CASE(a_step_may_overwrite_in_place_what_another_step_updates) {
  run r;
  BODY("grid x = 4\nfield u : f64\nstep 1 { u = 2*u }\nstep 3 { u' = u + 1 }\n",
       "body {\n"
       "  steps 1 {\n"
       "    assign u@0 on 0:4 = (mul.f64 (f64 2) u@0)\n"
       "    assign u@1 on 0:4 = u@0\n"
       "  }\n"
       "  steps 3 {\n"
       "    assign u@1 on 0:4 = (add.f64 (f64 1) u@0)\n"
       "  }\n}\n");
  if (run_program(&r, "grid x = 2, y = 3\nfield u, v : f64 = 1\nstep 3 { u = 2*u }\n"
                      "step 2 { sweep y up { v = u + 1 } }\nstep 2 { u' = u + 1; v' = v + 1 }\n")) {
    CHECK(run_at(&r, "u", 0, 0, 0) == 10);
    CHECK(run_at(&r, "v", 1, 2, 0) == 11);
  }
  run_close(&r);
}

CASE(a_field_is_updated_in_one_way) {
#define S(body) "grid x = 8\nfield u, v : f64\nboundary u = 0\nstep 1 { " body " }\n"
  FAILS(S("u' = u; u = 2*u"), IK_E051, "both as u' and as u");
  FAILS(S("u = u; u' = 2*u"), IK_E051, "both as u' and as u");
  FAILS("grid x = 8\nfield u : f64\nu' = 2*u\n", IK_E050, "only inside a step");
}

CASE(whole_fields_may_read_their_neighbours_and_new_values_not) {
  BODY("grid x = 8\nfield u : f64\nboundary u = 0\nu = u[-1] + u[1]\n",
       "body {\n  assign u@0 on 0:8 = (add.f64 u@0[-1] u@0[1])\n}\n");
  FAILS(S("u' = u; u' = u'[1]"), IK_E052, "sweep x up");
}

CASE(a_field_takes_no_value_that_varies_along_other_axes) {
#define FLAT(body) "grid x = 4, y = 4\nfield u : f64\nfield c : f64, on y\n" body "\n"
  FAILS(FLAT("c = u"), IK_E034, "varies along x, and 'c' is not defined on that axis");
  FAILS(FLAT("c = x"), IK_E034, "varies along x");
  BODY(FLAT("c = 2*y"), "body {\n  assign c@0 on 0:1, 0:4 = (mul.f64 (f64 2) (coord.f64 y))\n}\n");
}

/* ---- scalars and temporaries ---- */

CASE(a_new_name_is_a_scalar_or_a_temporary) {
  BODY("grid x = 4\nfield u : f32\nstep 1 { s = 2*sum(u); w = s*u; u' = w }\n",
       "body {\n  steps 1 {\n"
       "    reduce \"sum#0\" sum on 0:4 = u@0\n"
       "    set s = (mul.f32 (f32 2) $\"sum#0\")\n"
       "    assign w@0 on 0:4 = (mul.f32 $s u@0)\n"
       "    assign u@1 on 0:4 = w@0\n"
       "  }\n}\n");
}

CASE(temporaries_end_with_their_block) {
  BODY("grid x = 4\nfield u : f64\nstep 1 { w = 2*u; u' = w }\nstep 1 { w = 3*u; u' = w }\n",
       "body {\n"
       "  steps 1 {\n"
       "    assign w#1@0 on 0:4 = (mul.f64 (f64 2) u@0)\n"
       "    assign u@1 on 0:4 = w#1@0\n"
       "  }\n"
       "  steps 1 {\n"
       "    assign w#2@0 on 0:4 = (mul.f64 (f64 3) u@0)\n"
       "    assign u@1 on 0:4 = w#2@0\n"
       "  }\n}\n");
  FAILS("grid x = 4\nfield u : f64\nstep 1 { w = 2*u; u' = w }\nu = w\n", IK_E010, "'w'");
  FAILS("grid x = 4\nfield u : f64\nrepeat until sum(u) > 1 max 3 { w = 2*u; u = w }\nu = w\n",
        IK_E010, "'w'");
}

CASE(scalars_stay) {
  run r;
  if (run_program(&r, "grid x = 4\nfield u : f64 = 1\nscalar s : f64 = 0\n"
                      "step 3 { s = s + sum(u); u' = 2*u }\nu = s*u\n")) {
    CHECK(run_scalar(&r, "s") == 4 + 8 + 16);
    CHECK(run_at(&r, "u", 0, 0, 0) == 28 * 8);
  }
  run_close(&r);
}

CASE(names_are_used_as_what_they_are) {
  FAILS(S("w = 2*u; w = 3*u; u' = w"), IK_E011, "is already assigned");
  FAILS(S("w = u > 0; u' = u"), IK_E032, "if u > 0 then 1 else 0");
  FAILS(S("w = 2*u on x = 1; u' = w"), IK_E050, "only a field can be assigned on a region");
  FAILS(S("sweep x up { w = 2*u on x = 1; u' = w }"), IK_E050,
        "only a field can be assigned on a region");
  FAILS(S("w = 2 on x = 1; u' = w*u"), IK_E050, "only a field can be assigned on a region");
  FAILS("grid x = 4\nparam a = 1\nfield u : f64\na = 2\n", IK_E012, "scalar a");
  FAILS("grid x = 4\nfield u : f64\nx = 2\n", IK_E012, "x2");
  FAILS("grid x = 4\nfield u : f64\nscalar s = 1\ns = u\n", IK_E034, "sum(u)");
  FAILS("grid x = 4\nfield u : f64\nscalar s = u\n", IK_E034, "sum(u)");
  FAILS("grid x = 4\nfield u : f64\nq' = 2\n", IK_E010, "field 'q'");
}

/* ---- sweeps ---- */

static const char layers[] = "grid x = 2, z = %d\nfield u : f64 = z\n"
                             "sweep z %s { at first { u = 100 } at within { u = 1000 + u[0,%d] } "
                             "at last { u = 5 } }\n";

CASE(first_within_and_last_split_the_levels) {
  for (int n = 1; n <= 5; n++)
    for (int down = 0; down < 2; down++) {
      char text[400];
      run  r;
      snprintf(text, sizeof text, layers, n, down ? "down" : "up", down ? 1 : -1);
      if (run_program(&r, text))
        for (int k = 0; k < n; k++) { /* k-th level that the sweep reaches */
          double want = k == 0 ? 100 : k == n - 1 ? 5 : 100 + 1000 * k;
          double got = run_at(&r, "u", 1, down ? n - 1 - k : k, 0);
          if (got != want) check_fail(__FILE__, __LINE__, "n %d level %d: %g", n, k, got);
        }
      run_close(&r);
    }
}

CASE(levels_without_a_new_value_keep_the_old_one) {
  BODY("grid x = 2, z = 6\nfield u : f64\nstep 1 { sweep z up { at first { u' = 1 } "
       "at within { u' = 2; u' = u' + 1 } } }\n",
       "body {\n  steps 1 {\n"
       "    assign u@1 on 0:2, 0:6 = u@0\n"
       "    sweep z up {\n"
       "      assign u@1 on 0:2, 0:1 = (f64 1)\n"
       "      assign u@1 on 0:2, 1:5 = (f64 2)\n"
       "      assign u@1 on 0:2, 1:5 = (add.f64 (f64 1) u@1)\n"
       "    }\n  }\n}\n");
  BODY("grid x = 2, z = 6\nfield u : f64\nstep 1 { sweep z up { at first { u' = 1 } "
       "at within { u' = 2 } at last { u' = 3 } } }\n",
       "body {\n  steps 1 {\n"
       "    sweep z up {\n"
       "      assign u@1 on 0:2, 0:1 = (f64 1)\n"
       "      assign u@1 on 0:2, 1:5 = (f64 2)\n"
       "      assign u@1 on 0:2, 5:6 = (f64 3)\n"
       "    }\n  }\n}\n");
  BODY("grid x = 4, z = 4\nfield u : f64\nstep 1 { sweep z up { u' = 1 on x = 1 .. 2 } }\n",
       "body {\n  steps 1 {\n"
       "    assign u@1 on 0:4, 0:4 = u@0\n"
       "    sweep z up {\n"
       "      assign u@1 on 1:3, 0:4 = (f64 1)\n"
       "    }\n  }\n}\n");
}

CASE(a_sweep_reads_what_it_has_just_written) {
  run r;
  if (run_program(&r, "grid x = 3, z = 5\nfield u, v : f64 = 1\n"
                      "step 1 { sweep z up { at first { u' = v } at within { u' = v + u'[0,-1] } "
                      "at last { u' = v + u'[0,-1] } } }\n"))
    for (int z = 0; z < 5; z++) CHECK(run_at(&r, "u", 2, z, 0) == z + 1);
  run_close(&r);
}

CASE(a_temporary_may_live_in_a_sweep) {
  run r;
  if (run_program(&r, "grid x = 3, z = 5\nfield u : f64 = 2\n"
                      "step 1 { sweep z up { at first { c = u } at within { c = u*c[0,-1] } "
                      "at last { c = u*c[0,-1] } }\n sweep z down { at first { u' = c } "
                      "at within { u' = c + u'[0,1] } at last { u' = c + u'[0,1] } } }\n"))
    CHECK(run_at(&r, "u", 0, 0, 0) == 2 + 4 + 8 + 16 + 32);
  run_close(&r);
}

CASE(wrong_sweeps_are_refused) {
#define SWEEP(body) "grid x = 4, z = 4\nfield u, v : f64\nboundary u, v = 0\nstep 1 { " body " }\n"
  FAILS(SWEEP("sweep q up { u = 1 }"), IK_E054, "the axes of the grid are x, z");
  FAILS(SWEEP("sweep x up, x down { u = 1 }"), IK_E054, "swept twice");
  FAILS(SWEEP("sweep x up, z up { at first { u = 1 } }"), IK_E050, "one axis");
  FAILS(SWEEP("sweep z up { u = u[1,0] }"), IK_E052, "sweep z up, x up");
  FAILS(SWEEP("sweep z up { c = 2*c[0,-1]; u = c }"), IK_E044, "at first { c = 0 }");
  FAILS(SWEEP("s = 1\nsweep z up { s = 2 }"), IK_E050, "inside a sweep");
  FAILS(SWEEP("sweep z up { u = sum(v) }"), IK_E035, "reduction");
}

/* ---- repeats ---- */

CASE(a_repeat_tests_before_each_round) {
  BODY("grid x = 4\nfield u : f64\nrepeat until norm(u) <= 0.5 max 20 { u = 0.5*u }\n",
       "body {\n"
       "  repeat 20 {\n"
       "    reduce \"sum#0\" sum on 0:4 = (mul.f64 u@0 u@0)\n"
       "  } until (le.bool (sqrt.f64 $\"sum#0\") (f64 0.5)) {\n"
       "    assign u@0 on 0:4 = (mul.f64 (f64 0.5) u@0)\n"
       "  }\n}\n");
  FAILS("grid x = 4\nfield u : f64\nrepeat until u < 1 max 3 { u = 2*u }\n", IK_E034, "norm(r)");
  FAILS("grid x = 4\nfield u : f64\nrepeat until sum(u) max 3 { u = 2*u }\n", IK_E032, "!= 0");
  FAILS("grid x = 4\nfield u : f64\nrepeat until sum(u) > 1 max -1 { u = 2*u }\n", IK_E024,
        "number of rounds");
}
