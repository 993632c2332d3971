#include "lang/program.h"

#define U "grid x = 8\nfield u : f64\n"

/* ---- the order of things ---- */

CASE(declarations_may_stand_anywhere) {
  program p;
  MUST_OPEN(&p, "step 1 { u' = k*twice(u[1]) }\nboundary u = 0\ndef twice(a) = 2*a\n"
                "field u : f64\nparam k = 3\ngrid x = 8\n");
  CHECK_STR(program_expr(&p, program_assign(&p, "u", 1, 0)->value), "(mul.f64 (f64 6) u@0[1])");
  program_close(&p);
}

CASE(a_program_that_does_nothing_is_refused) {
  FAILS(U, IK_E053, "computes nothing");
  FAILS("grid x = 8\n", IK_E053, "computes nothing");
}

CASE(several_mistakes_are_told_at_once) {
  program p;
  CHECK(!program_open(&p, U "param a = 1 m + 1 s\nstep 1 { u' = q }\nboundary w = 0\n"));
  CHECK_EQ(p.diag.nerror, 3);
  program_close(&p);
}

CASE(a_wrong_declaration_is_told_once) {
  program p;
  CHECK(!program_open(&p, U "step 1 { s = 1 > 0; w = s*u; u' = w + s }\n"));
  CHECK_EQ(p.diag.nerror, 1);
  program_close(&p);
  CHECK(!program_open(&p, U "param a = 1/0\nstep 1 { u' = a*u + a }\n"));
  CHECK_EQ(p.diag.nerror, 1);
  program_close(&p);
}

/* ---- names ---- */

CASE(names_that_are_never_used_draw_a_warning) {
  program p;
  if (MUST_OPEN(&p, U "param k = 1, dt = 2\ndef f(a) = a\nweights w = [1]\nstep 1 { u' = u }\n")) {
    CHECK_EQ(p.diag.nmsg, 3); /* not dt, which others read */
    for (int i = 0; i < p.diag.nmsg; i++) CHECK_EQ(p.diag.msg[i].code, IK_W001);
  }
  program_close(&p);
}

CASE(the_nearest_name_is_offered_for_what_is_needed) {
  FAILS("grid depth = 8\nfield u : f64\nboundary u { dept = 0 }\nstep 1 { u' = u[1] }\n", IK_E010,
        "did you mean 'depth'");
  FAILS(U "def blend(a) = a\nstep 1 { u' = blendd(u) }\n", IK_E013, "did you mean 'blend'");
  FAILS(U "output uu into \"u.npy\"\nstep 1 { u' = u }\n", IK_E010, "field 'uu'");
}

/* ---- from outside ---- */

static ik_override set(ik_source *s, const char *name, const char *value) {
  *s = (ik_source){"outside", value, strlen(value)};
  return (ik_override){.name = name, .text = s};
}

CASE(parameters_and_extents_can_be_set) {
  ik_source   s[2];
  ik_override over[] = {set(&s[0], "x", "12"), set(&s[1], "k", "1/4")};
  program     p;
  CHECK(program_open_with(&p, U "param k = 1, n = nx\nstep n { u' = k*u }\n", over, 2, -1));
  CHECK_EQ(p.ir->n[0], 12);
  CHECK_EQ(p.ir->body->count, 12);
  CHECK(p.ir->param[0].value == 0.25 && p.ir->param[0].overridden);
  program_close(&p);
}

CASE(unknown_names_from_outside_are_refused) {
  ik_source   s;
  ik_override over = set(&s, "alpa", "12");
  program     p;
  CHECK(!program_open_with(&p, U "param alpha = 1\nstep 1 { u' = alpha*u }\n", &over, 1, -1));
  CHECK(strstr(program_messages(&p), "E080") && strstr(program_messages(&p), "mean 'alpha'"));
  program_close(&p);
}

CASE(the_count_of_the_step_can_be_set) {
  program p;
  for (int n = 0; n < 3; n++) { /* 0 is a number of steps like any other */
    CHECK(program_open_with(&p, U "step 5 { u' = u }\n", NULL, 0, n));
    CHECK_EQ(p.ir->body->count, n);
    program_close(&p);
  }
  CHECK(program_open_with(&p, U "step 5 { u' = u }\n", NULL, 0, 77));
  CHECK_EQ(p.ir->body->count, 77);
  program_close(&p);
  CHECK(!program_open_with(&p, U "step 5 { u' = u }\nstep 5 { u' = u }\n", NULL, 0, 77));
  CHECK(strstr(program_messages(&p), "it has 2 of them"));
  program_close(&p);
}

/* ---- what comes out ---- */

static const char *const kinds[] = {
    "arithmetic plain f32\n" U "boundary u = x + t\nstep 3 { u' = u[1] + noise(3)[1] }\n",
    "grid x = 9, y = 9, spacing = 2 m\nparam dt = 1 ms\nfield u : f32, history 2\n"
    "boundary u = absorbing(3)\nsource ricker(10) at (4.5, 4) with sinc into u\n"
    "receiver u at line (1, 1) .. (7, 1) into \"r.npy\"\noutput u every 2 into \"u.npy\"\n"
    "step 3 { u' = 2*u - u[t-1] + 0.1*laplacian(u) }\n",
    "grid x = 5, z = 6\nfield u : f64 = noise(1)\nfield k : i32, on z = z\n"
    "step 2 { w = u*k; sweep z up { at first { c = w } at within { c = w + c[0,-1] } "
    "at last { c = w } }\n u' = c; s = norm(u) }\nrepeat until s < 1 max 3 { s = s/2; u = s*u }\n",
};

CASE(what_is_lowered_can_be_printed_and_read_again) {
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    program p;
    if (MUST_OPEN(&p, kinds[i])) {
      ik_buf once = {0}, twice = {0};
      ik_ir *again;
      ik_ir_print(p.ir, &once);
      ik_source text = {"ir", once.data, once.len};
      CHECK_EQ(ik_ir_read(&text, &p.arena, &p.diag, &again), IK_OK);
      CHECK_EQ(ik_ir_verify(again, &p.diag), IK_OK);
      ik_ir_print(again, &twice);
      CHECK_STR(ik_buf_text(&twice), ik_buf_text(&once));
      ik_buf_free(&once), ik_buf_free(&twice);
    }
    program_close(&p);
  }
}

CASE(a_program_means_the_same_each_time) {
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    CHECK(run_hash(kinds[i]) == run_hash(kinds[i]));
}
