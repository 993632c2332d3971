#include "lang/program.h"

#define U2                                                                                         \
  "grid x = 8, y = 8\nparam a = 3, dt = 2 ms, l = 5 m\nfield u : f64, history 3\nboundary u = 0\n"
#define U1        "grid x = 8\nfield u : f64\nboundary u = 0\n"
#define RUN(body) U2 "step 1 { " body " }\n"

/* ---- names ---- */

CASE(built_in_names_have_values) {
  static const char head[] = "grid x = 8, y = 4, spacing = (2, 3)\nfield u : f64 = 1\n";
  CHECK(run_value(head, "nx + 10*ny") == 48);
  CHECK(run_value(head, "dx + 10*dy") == 32);
  CHECK(run_value(head, "ndim") == 2);
  CHECK(run_value(head, "(0.5)[1,0] + 2*(nx)[-1,0]") == 16.5); /* the same in every cell */
  CHECK(run_value(head, "pi") == 3.141592653589793);
}

CASE(coordinates_are_indices_and_t_counts_steps) {
  run r;
  if (run_program(&r, "grid x = 4, y = 3\nfield u : f64\nstep 3 { u' = x + 10*y + 100*t }\n"))
    CHECK(run_at(&r, "u", 3, 2, 0) == 223);
  run_close(&r);
}

CASE(names_may_be_wrong) {
  FAILS(U1 "field speed : f64\nstep 1 { u' = sped*u }\n", IK_E010, "did you mean 'speed'");
  FAILS(RUN("u' = u + q"), IK_E010, "unknown name 'q'");
  FAILS(U1 "def f(a) = a\nstep 1 { u' = f }\n", IK_E012, "call it:  f(u)");
  FAILS(U1 "weights w = [1]\nstep 1 { u' = w }\n", IK_E012, "stencil(u, w)");
  FAILS(U1 "step 1 { u' = u(1) }\n", IK_E012, "u[-1]");
  FAILS(U1 "step 1 { u' = \"u\" }\n", IK_E032, "found a string");
}

/* ---- levels and offsets ---- */

CASE(offsets_and_levels_are_read_as_written) {
  LOWERS(U2, "u[1,-2]", "u@0[1,-2]");
  LOWERS(U2, "u[t-1]", "u@-1");
  LOWERS(U2, "u[t-1][1,0]", "u@-1[1,0]");
  LOWERS(U2, "u[t-2, 0, 1]", "u@-2[0,1]");
  LOWERS(U2, "u[t]", "u@0");
  LOWERS(U2, "u[a-2, 1-a]", "u@0[1,-2]");
}

CASE(the_new_value_can_be_read_once_it_is_there) {
  program p;
  if (MUST_OPEN(&p, "grid x = 8, y = 8\nfield u, v : f64\nboundary u = 0\n"
                    "step 1 { u' = 2*u; v' = u' + u'[1,0] }\n"))
    CHECK_STR(program_expr(&p, program_assign(&p, "v", 1, 0)->value), "(add.f64 u@1 u@1[1,0])");
  program_close(&p);
  FAILS(RUN("u' = u'"), IK_E033, "before this step assigns it");
  FAILS(U1 "w = u'\n", IK_E033, "only inside a step");
  FAILS(RUN("w = 2*u; u' = w'"), IK_E033, "temporary");
  FAILS(RUN("u' = u[t+2]"), IK_E033, "newest");
}

CASE(wrong_offsets_and_levels_are_told) {
  FAILS(RUN("u' = u[1]"), IK_E030, "1 offset given, but 'u' has 2 axes");
  FAILS(RUN("u' = u[1]"), IK_E030, "u' = u[1,0]");
  FAILS(RUN("u' = u[1,0,0]"), IK_E030, "3 offsets given");
  FAILS(RUN("u' = u[0.5,0]"), IK_E024, "an offset must be a whole number");
  FAILS(RUN("u' = u[x,0]"), IK_E023, "compile-time constant");
  FAILS(RUN("u' = u[t-3]"), IK_E031, "history 4");
  FAILS(RUN("u' = (u + 1)[t-1]"), IK_E012, "only fields have time levels");
  FAILS(RUN("u' = (u + 1)'"), IK_E012, "new value of a field");
}

CASE(offsets_of_a_field_count_its_own_axes) {
  LOWERS("grid x = 8, y = 8\nfield u : f64\nfield c : f64, on y\nboundary u, c = 0\n", "u + c[1]",
         "(add.f64 u@0 c@0[0,1])");
  FAILS("grid x = 8, y = 8\nfield u : f64\nfield c : f64, on y\nboundary u, c = 0\n"
        "step 1 { u' = c[0,1] }\n",
        IK_E030, "2 offsets given, but 'c' has 1 axis");
}

/* ---- shifts ---- */

CASE(offsets_shift_whatever_they_follow) {
  LOWERS(U2, "(2*u + u[0,1])[1,0]", "(add.f64 (mul.f64 (f64 2) u@0[1,0]) u@0[1,1])");
  LOWERS(U2, "x[2,0] + u", "(add.f64 (add.f64 (coord.f64 x) (f64 2)) u@0)");
  LOWERS(U2, "a[1,0]*u", "(mul.f64 (f64 3) u@0)");
  LOWERS(U2, "noise(4)[1,2] + u", "(add.f64 (noise.f64 4[1,2]) u@0)");
}

CASE(functions_shift_their_arguments) {
  LOWERS(U2 "def ahead(b) = b[1,0]\n", "ahead(u)", "u@0[1,0]");
  LOWERS(U2 "def ahead(b) = b[1,0]\n", "ahead(u[0,1])", "u@0[1,1]");
  LOWERS(U2 "def ahead(b) = b[1,0]\n", "ahead(u[t-1])", "u@-1[1,0]");
  LOWERS(U2 "def ahead(b) = b[1,0]\n", "ahead(u)[0,-1]", "u@0[1,-1]");
  LOWERS(U2 "def old(b) = b[t-1]\ndef both(b) = old(b[1,0])\n", "u + old(u)", "(add.f64 u@0 u@-1)");
}

CASE(a_function_may_be_applied_twice) {
  LOWERS(U2 "def f(b) = b[1,0]\n", "f(f(u))", "u@0[2,0]");
  LOWERS(U2 "def f(b) = b[-1,0] + b[1,0]\n", "f(f(u))",
         "(add.f64 (fma.f64 (f64 2) u@0 u@0[-2,0]) u@0[2,0])");
  LOWERS(U2 "def f(b) = b[1,0]\ndef g(b) = f(f(b))\n", "g(f(g(u)))", "u@0[5,0]");
}

CASE(a_function_that_calls_itself_is_refused) {
  FAILS(U1 "def f(b) = f(b)\nstep 1 { u' = f(u) }\n", IK_E015, "'f' calls itself");
  FAILS(U1 "def f(b) = g(b)\ndef g(b) = f(b)\nstep 1 { u' = f(u) }\n", IK_E015, "calls itself");
}

CASE(standard_values_belong_to_the_definition) {
  LOWERS("grid x = 8\nparam h = 3\nfield u : f64\ndef f(b, k = h) = k*b\ndef g(h) = f(h)\n", "g(u)",
         "(mul.f64 (f64 3) u@0)");
  LOWERS("grid x = 8\nfield u : f64\ndef f(b, k = 2) = k*b\n", "f(u) + f(u, 5) + f(k = 7, b = u)",
         "(mul.f64 (f64 14) u@0)");
}

CASE(arguments_must_fit) {
  FAILS(U1 "def f(b) = b\nstep 1 { u' = f(u, u) }\n", IK_E014, "takes 1 argument, not 2");
  FAILS(U1 "def f(b, c) = b\nstep 1 { u' = f(u) }\n", IK_E014, "takes 2 arguments, not 1");
  FAILS(U1 "def f(b) = b\nstep 1 { u' = f(q = u) }\n", IK_E014, "no argument named 'q'");
  FAILS(U1 "def f(b) = b\nstep 1 { u' = f(u, b = u) }\n", IK_E014, "given twice");
}

/* ---- units ---- */

CASE(units_that_do_not_fit_are_found) {
  FAILS(U2 "param q = l + dt\nstep 1 { u' = q*u }\n", IK_E025, "units: m and s");
  FAILS(U2 "param q = if l > dt then 1 else 2\nstep 1 { u' = q*u }\n", IK_E025, "units: m and");
  FAILS(U2 "param q = min(l, dt)\nstep 1 { u' = q*u }\n", IK_E025, "units: m and");
  FAILS(U2 "param q = exp(l)\nstep 1 { u' = q*u }\n", IK_E025,
        "dimensionless number, not a value in m");
  FAILS(U2 "param q = 2^l\nstep 1 { u' = q*u }\n", IK_E025, "an exponent must be dimensionless");
  FAILS(RUN("u' = l^u"), IK_E025, "constant exponent");
  FAILS("grid x = 8, spacing = 3 s\nfield u : f64\nstep 1 { u' = u }\n", IK_E025, "length");
}

CASE(units_that_fit_are_kept) {
  static const char head[] = "grid x = 8, spacing = 10 m\nparam c = 2 km/s, dt = 1 ms, l = 20 m\n"
                             "field u : f64 = 1\n";
  CHECK(run_value(head, "(c*dt/dx)^2") == 0.2 * 0.2);
  CHECK(run_value(head, "(c*dt + l + dx)/(1 m)") == 32);
  CHECK(run_value(head, "exp(0*l/dx)") == 1);
  CHECK(run_value(head, "sqrt(l^2) / l") == 1);
  CHECK(run_value(head, "2^(l/dx)") == 4);
  CHECK(run_value(head, "l + 1") == 21); /* a bare number may stand beside any unit */
}

/* ---- constants ---- */

CASE(constants_are_folded_in_f64) {
  CHECK(run_value(U1, "0.1 + 0.2") == 0.1 + 0.2);
  CHECK(run_value(U1, "1/3*3") == 1.0 / 3 * 3);
  CHECK(run_value(U1, "2^0.5") == run_value(U1, "sqrt(2)"));
  CHECK(run_value(U1, "if 1 < 2 then 3 else 4") == 3);
  CHECK(run_value(U1, "max(1, 5, 3) - min(2, -7)") == 12);
  CHECK(run_value(U1, "floor(-2.5)") == -3);
  CHECK(run_value(U1, "mod(-7, 3)") == 2);
}

CASE(constants_without_a_value_are_refused) {
  FAILS(RUN("u' = u/0"), IK_E036, "division by zero");
  FAILS(RUN("u' = u*(1/(a - 3))"), IK_E036, "division by zero");
  FAILS(RUN("u' = u + 1e308*10"), IK_E036, "not finite");
  FAILS(U1 "param q = 1e200*1e200\nstep 1 { u' = q*u }\n", IK_E036, "not finite");
}

CASE(what_must_be_known_in_advance_is) {
  FAILS(U1 "step u { u' = u }\n", IK_E023, "'u' is not");
  FAILS("grid x = 8\nparam n = x\nfield u : f64\nstep 1 { u' = n*u }\n", IK_E023, "nx");
  FAILS(U1 "param n = sum(u)\nstep 1 { u' = n*u }\n", IK_E010, "u");
}

CASE(boundaries_know_no_fields) {
  FAILS("grid x = 8\nfield u, v : f64\nboundary u = v\nstep 1 { u' = u[1] }\n", IK_E012,
        "a boundary value may use parameters, coordinates and t");
}
