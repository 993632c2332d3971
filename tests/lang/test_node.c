#include "lang/program.h"

#define TWO(a, b) "grid x = 8, y = 8\nfield u : " a "\nfield v : " b "\nboundary u, v = 0\n"

/* ---- types that meet ---- */

CASE(the_wider_type_wins) {
  LOWERS(TWO("f32", "f64"), "u + v", "(cast.f32 (add.f64 (cast.f64 u@0) v@0))");
  LOWERS(TWO("f64", "f32"), "u*v", "(mul.f64 u@0 (cast.f64 v@0))");
  LOWERS(TWO("f64", "f64"), "u*v", "(mul.f64 u@0 v@0)");
}

CASE(half_types_are_computed_in_f32) {
  LOWERS(TWO("f16", "f16"), "u + v", "(cast.f16 (add.f32 (cast.f32 u@0) (cast.f32 v@0)))");
  LOWERS(TWO("bf16", "f16"), "u*v", "(cast.bf16 (mul.f32 (cast.f32 u@0) (cast.f32 v@0)))");
  LOWERS(TWO("f16", "f64"), "u*v", "(cast.f16 (mul.f64 (cast.f64 (cast.f32 u@0)) v@0))");
}

CASE(whole_numbers_keep_integers_and_fractions_do_not) {
  LOWERS(TWO("i32", "i32"), "u + 1", "(add.i32 u@0 (i32 1))");
  LOWERS(TWO("i32", "i32"), "u/2", "(div.i32 u@0 (i32 2))");
  LOWERS(TWO("i32", "i32"), "u + x", "(add.i32 u@0 (cast.i32 (coord.f64 x)))");
  LOWERS(TWO("i32", "i32"), "0.5*u", "(cast.i32 (mul.f64 (f64 0.5) (cast.f64 u@0)))");
  LOWERS(TWO("i32", "f32"), "u*v", "(cast.i32 (mul.f32 (cast.f32 u@0) v@0))");
  LOWERS(TWO("i32", "i32"), "u + 3000000000",
         "(cast.i32 (add.f64 (f64 3000000000) (cast.f64 u@0)))");
}

CASE(numbers_and_coordinates_take_the_type_they_meet) {
  LOWERS(TWO("f32", "f32"), "u + x", "(add.f32 (cast.f32 (coord.f64 x)) u@0)");
  LOWERS(TWO("f32", "f32"), "u*(x*x + 1)",
         "(mul.f32 u@0 (cast.f32 (add.f64 (mul.f64 (coord.f64 x) (coord.f64 x)) (f64 1))))");
  LOWERS(TWO("f32", "f32"), "t*u", "(mul.f32 (cast.f32 (time.f64)) u@0)");
  LOWERS(TWO("f64", "f64"), "if u > 0.1 then 1 else v",
         "(select.f64 (lt.bool (f64 0.1) u@0) (f64 1) v@0)");
}

CASE(conversions_can_be_asked_for) {
  LOWERS(TWO("f64", "f32"), "f64(v)*u", "(mul.f64 (cast.f64 v@0) u@0)");
  LOWERS(TWO("f64", "f64"), "f32(u)*f32(v)", "(cast.f64 (mul.f32 (cast.f32 u@0) (cast.f32 v@0)))");
  LOWERS(TWO("f64", "i32"), "int(u) + v", "(cast.f64 (add.i32 (cast.i32 u@0) v@0))");
  LOWERS(TWO("f64", "f64"), "int(u > v)",
         "(cast.f64 (select.i32 (lt.bool v@0 u@0) (i32 1) (i32 0)))");
}

CASE(numbers_that_were_converted_keep_their_type) {
  LOWERS(TWO("f64", "f64"), "f32(0.1)*u", "(mul.f64 (f64 0.10000000149011612) u@0)");
  LOWERS(TWO("f64", "f64"), "-f32(0.1)*u", "(mul.f64 (f64 -0.10000000149011612) u@0)");
  LOWERS(TWO("f64", "f64"), "f16(0.1)*3*u", "(mul.f64 (f64 0.2998046875) u@0)");
  LOWERS(TWO("f64", "f64"), "u*(int(7)/2)", "(mul.f64 (f64 3) u@0)");
  LOWERS(TWO("f64", "f64"), "u + int(-2.9)", "(add.f64 (f64 -2) u@0)");
  LOWERS(TWO("f64", "f64"), "u + int(3000000000)", "(add.f64 (f64 2147483647) u@0)");
  LOWERS(TWO("f64", "f64"), "u + sqrt(int(2))", "(add.f64 (f64 1.4142135623730951) u@0)");
}

CASE(converted_numbers_are_still_known_in_advance) {
  program p;
  if (MUST_OPEN(&p, "grid x = int(9/2) + 1\nfield u : f64\nstep int(7/2)*2 { u' = u }\n")) {
    CHECK_EQ(p.ir->n[0], 5);
    CHECK_EQ(p.ir->body->count, 6);
  }
  program_close(&p);
}

CASE(arithmetic_can_name_its_type) {
  LOWERS("arithmetic plain f16\n" TWO("f16", "f16"), "u + 0.1*v",
         "(add.f16 u@0 (mul.f16 (f16 0.0999755859375) v@0))");
  LOWERS("arithmetic chain f64\n" TWO("f32", "f32"), "u + 3*v",
         "(cast.f32 (fma.f64 (f64 3) (cast.f64 v@0) (cast.f64 u@0)))");
  LOWERS("arithmetic plain f32\n" TWO("f64", "i32"), "u*v",
         "(cast.f64 (mul.f32 (cast.f32 u@0) (cast.f32 v@0)))");
}

/* ---- true and false ---- */

CASE(truth_is_no_number) {
  FAILS(TWO("f64", "f64") "step 1 { u' = u > v }\n", IK_E032, "then 1 else 0");
  FAILS(TWO("f64", "f64") "step 1 { u' = u + (u > v) }\n", IK_E032,
        "u + (if (u > v) then 1 else 0)");
  FAILS(TWO("f64", "f64") "step 1 { u' = if u then 1 else 0 }\n", IK_E032, "if u != 0");
  FAILS(TWO("f64", "f64") "step 1 { u' = if u and v > 0 then 1 else 0 }\n", IK_E032, "u != 0");
  FAILS(TWO("f64", "f64") "step 1 { u' = if u > 0 then v > 0 else 0 }\n", IK_E032, "branch");
}

CASE(conditions_on_numbers_are_decided_at_once) {
  LOWERS(TWO("f64", "f64"), "if 2 > 1 and not 1 == 2 then u else v", "u@0");
  LOWERS(TWO("f64", "f64"), "if 2 <= 1 or 3 != 3 then u else v", "v@0");
}

/* ---- powers ---- */

CASE(small_whole_powers_are_products) {
  LOWERS("arithmetic plain\n" TWO("f64", "f64"), "u^2", "(mul.f64 u@0 u@0)");
  LOWERS("arithmetic plain\n" TWO("f64", "f64"), "u^5",
         "(mul.f64 (mul.f64 (mul.f64 u@0 u@0) (mul.f64 u@0 u@0)) u@0)");
  LOWERS(TWO("f64", "f64"), "u^-2", "(div.f64 (f64 1) (mul.f64 u@0 u@0))");
  LOWERS(TWO("f64", "f64"), "u^0", "(f64 1)");
  LOWERS(TWO("f64", "f64"), "u^1", "u@0");
  LOWERS(TWO("f64", "f64"), "u^0.5", "(pow.f64 u@0 (f64 0.5))");
  LOWERS(TWO("f64", "f64"), "u^v", "(pow.f64 u@0 v@0)");
  LOWERS(TWO("f64", "f64"), "2^3^2*u", "(mul.f64 (f64 512) u@0)");
  LOWERS(TWO("f64", "f64"), "-2^2*u", "(mul.f64 (f64 -4) u@0)");
}

CASE(a_program_that_explodes_is_refused) {
  static char text[4000];
  int         n = snprintf(text, sizeof text,
                           "grid x = 8\nfield u : f64\nboundary u = 0\n"
                                   "def f0(a) = a[-1] + a + a[1]\n");
  for (int k = 1; k < 16; k++)
    n += snprintf(text + n, sizeof text - (size_t)n, "def f%d(a) = f%d(a[-1] + a + a[1])\n", k,
                  k - 1);
  snprintf(text + n, sizeof text - (size_t)n, "step 1 { u' = f15(u) }\n");
  FAILS(text, IK_E005, "operations");
}
