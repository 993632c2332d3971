#include "lang/program.h"

#define HEAD(type)                                                                                 \
  "grid x = 8, y = 8\nparam k = 0.1, h = 2\nfield u, v, w : " type "\n"                            \
  "boundary u, v, w = periodic\n"
static const char f64[] = HEAD("f64");

/* ---- the shape of a chain ---- */

CASE(a_five_point_heat_step_is_one_chain_from_the_slowest_axis) {
  LOWERS(f64, "u + 0.25*(u[-1,0] + u[1,0] + u[0,-1] + u[0,1] - 4*u)",
         "(fma.f64 (f64 0.25) u@0[0,1] (fma.f64 (f64 0.25) u@0[1,0] "
         "(fma.f64 (f64 0.25) u@0[-1,0] (mul.f64 (f64 0.25) u@0[0,-1]))))");
  LOWERS(f64, "u + 0.125*laplacian(u)",
         "(fma.f64 (f64 0.125) u@0[0,1] (fma.f64 (f64 0.125) u@0[1,0] (fma.f64 (f64 0.5) u@0 "
         "(fma.f64 (f64 0.125) u@0[-1,0] (mul.f64 (f64 0.125) u@0[0,-1])))))");
}

CASE(planes_come_before_rows_and_rows_before_cells) {
  LOWERS("grid x = 4, y = 4, z = 4\nfield u : f64\nboundary u = 0\n",
         "2*u[0,0,1] + 2*u[1,0,0] + 2*u[0,1,0] + 2*u[-1,0,0] + 2*u[3,2,-1] + 2*u[0,-1,0]",
         "(fma.f64 (f64 2) u@0[0,0,1] (fma.f64 (f64 2) u@0[0,1,0] (fma.f64 (f64 2) u@0[1,0,0] "
         "(fma.f64 (f64 2) u@0[-1,0,0] (fma.f64 (f64 2) u@0[0,-1,0] (mul.f64 (f64 2) "
         "u@0[3,2,-1]))))))");
}

CASE(the_same_read_is_one_term) {
  LOWERS(f64, "u + u", "(mul.f64 (f64 2) u@0)");
  LOWERS(f64, "3*u - v - u/2", "(sub.f64 (mul.f64 (f64 2.5) u@0) v@0)");
  LOWERS(f64, "1 + u + 2", "(add.f64 (f64 3) u@0)");
}

CASE(terms_that_vanish_are_dropped) {
  LOWERS(f64, "u - u", "(f64 0)");
  LOWERS(f64, "0*u + v", "v@0");
  LOWERS(f64, "v + u[1,0] - u[1,0]", "v@0");
  LOWERS(f64, "(1 - 1)*u*v + 2*v", "(mul.f64 (f64 2) v@0)");
}

CASE(levels_are_different_reads) {
  LOWERS("grid x = 8\nfield u : f64, history 2\n", "2*u - u[t-1]",
         "(sub.f64 (mul.f64 (f64 2) u@0) u@-1)");
}

/* ---- constants ---- */

CASE(constants_go_through_sums_and_divisions) {
  LOWERS(f64, "k*(u + v)", "(fma.f64 (f64 0.1) v@0 (mul.f64 (f64 0.1) u@0))");
  LOWERS(f64, "(u + v)/h", "(fma.f64 (f64 0.5) v@0 (mul.f64 (f64 0.5) u@0))");
  LOWERS(f64, "2*(3*(u - (v + w)))",
         "(fma.f64 (f64 -6) w@0 (fma.f64 (f64 -6) v@0 (mul.f64 (f64 6) u@0)))");
  LOWERS(f64, "-(u - v)", "(add.f64 (neg.f64 u@0) v@0)");
  LOWERS(f64, "(u/2 + 1)/h", "(fma.f64 (f64 0.25) u@0 (f64 0.5))");
}

CASE(coefficients_of_one_cost_nothing) {
  LOWERS(f64, "u + v", "(add.f64 u@0 v@0)");
  LOWERS(f64, "u - v", "(sub.f64 u@0 v@0)");
  LOWERS(f64, "-u - v", "(sub.f64 (neg.f64 u@0) v@0)");
  LOWERS(f64, "1*u", "u@0");
  LOWERS(f64, "-u*v", "(mul.f64 (neg.f64 u@0) v@0)");
  LOWERS(f64, "w - u*v", "(fma.f64 (neg.f64 u@0) v@0 w@0)");
}

CASE(constants_of_a_product_meet_in_f64_and_are_rounded_once) {
  /* 0.1*0.1*10 in f64 is 0.1 plus a little; rounded at each step in f32 it would differ */
  LOWERS(HEAD("f32"), "0.1*0.1*10*u", "(mul.f32 (f32 0.10000000149011612) u@0)");
  LOWERS(HEAD("f32"), "k*u", "(mul.f32 (f32 0.10000000149011612) u@0)");
  LOWERS(HEAD("f32"), "u/3", "(mul.f32 (f32 0.3333333432674408) u@0)");
  LOWERS("arithmetic chain f16\n" HEAD("f16"), "k*u + v",
         "(add.f16 (mul.f16 (f16 0.0999755859375) u@0) v@0)");
  LOWERS("arithmetic chain bf16\n" HEAD("bf16"), "v + k*u",
         "(fma.bf16 (bf16 0.10009765625) u@0 v@0)");
}

/* ---- what is left alone ---- */

CASE(products_are_not_multiplied_out) {
  LOWERS(f64, "(u + v)*(u - v)", "(mul.f64 (add.f64 u@0 v@0) (sub.f64 u@0 v@0))");
  LOWERS(f64, "w*(u + v)", "(mul.f64 w@0 (add.f64 u@0 v@0))");
  LOWERS(f64, "u + 2*w*(u + v)", "(fma.f64 (mul.f64 (f64 2) w@0) (add.f64 u@0 v@0) u@0)");
  LOWERS(f64, "u*v + v*u", "(fma.f64 v@0 u@0 (mul.f64 u@0 v@0))");
}

CASE(a_product_multiplies_from_the_left) {
  LOWERS(f64, "u*v*w", "(mul.f64 (mul.f64 u@0 v@0) w@0)");
  LOWERS(f64, "u + 2*u*v*w", "(fma.f64 (mul.f64 (mul.f64 (f64 2) u@0) v@0) w@0 u@0)");
}

CASE(division_by_a_value_stays) {
  LOWERS(f64, "u/v", "(div.f64 u@0 v@0)");
  LOWERS(f64, "(u + v)/w", "(div.f64 (add.f64 u@0 v@0) w@0)");
  LOWERS(f64, "1/u + 2/v", "(add.f64 (div.f64 (f64 1) u@0) (div.f64 (f64 2) v@0))");
}

CASE(functions_hold_chains_of_their_own) {
  LOWERS(f64, "sqrt(2*u + 3*v) + 1",
         "(add.f64 (f64 1) (sqrt.f64 (fma.f64 (f64 3) v@0 (mul.f64 (f64 2) u@0))))");
}

CASE(terms_without_reads_come_first) {
  LOWERS(f64, "u[0,-1] + 5", "(add.f64 (f64 5) u@0[0,-1])");
  LOWERS(f64, "u + x", "(add.f64 (coord.f64 x) u@0)");
  LOWERS(f64, "u[-1,-1] + 2*x + 3 + y",
         "(add.f64 (add.f64 (add.f64 (mul.f64 (f64 2) (coord.f64 x)) (f64 3)) (coord.f64 y)) "
         "u@0[-1,-1])");
}

CASE(ties_stay_as_in_the_text) {
  LOWERS(f64, "w + v + u", "(add.f64 (add.f64 w@0 v@0) u@0)");
  LOWERS(f64, "v[1,0] + w + u[1,0]", "(add.f64 (add.f64 w@0 v@0[1,0]) u@0[1,0])");
}

CASE(a_term_stands_where_its_last_factor_is_read) {
  LOWERS(f64, "v[0,1]*u[0,-1] + w[1,0]", "(fma.f64 v@0[0,1] u@0[0,-1] w@0[1,0])");
  LOWERS(f64, "w[1,0] + v[0,-1]*u[0,-2]", "(add.f64 (mul.f64 v@0[0,-1] u@0[0,-2]) w@0[1,0])");
}

CASE(integers_are_left_as_written) {
  LOWERS(HEAD("i32"), "2*(u + v) - u", "(sub.i32 (mul.i32 (i32 2) (add.i32 u@0 v@0)) u@0)");
}

CASE(plain_arithmetic_is_left_as_written) {
  LOWERS("arithmetic plain\n" HEAD("f64"), "k*(u + v) + u*(2*h) - u/h",
         "(sub.f64 (add.f64 (mul.f64 (f64 0.1) (add.f64 u@0 v@0)) (mul.f64 u@0 (f64 4))) "
         "(div.f64 u@0 (f64 2)))");
  LOWERS("arithmetic plain\n" HEAD("f64"), "u[0,1] + 0*u - u",
         "(sub.f64 (add.f64 u@0[0,1] "
         "(mul.f64 (f64 0) u@0)) u@0)");
}

/* ---- as a property ---- */

static uint32_t next(uint32_t *s) { return (*s = *s * 1664525u + 1013904223u) >> 8; }

CASE(the_order_of_the_text_does_not_change_a_bit) {
  enum { N = 9 };
  static const char *const type[] = {"f64", "f32", "f16", "bf16"};
  uint32_t                 seed = 1;
  for (int round = 0; round < 24; round++) {
    char     term[N][40], text[2][2000];
    int      order[N];
    uint64_t hash[2];
    for (int i = 0; i < N; i++) { /* distinct offsets */
      snprintf(term[i], sizeof term[i], "0.%u*u[%d,%d]", 1 + next(&seed) % 900, i % 3 - 1,
               i / 3 - 1);
      order[i] = i;
    }
    for (int k = 0; k < 2; k++) {
      int n = snprintf(text[k], sizeof text[k],
                       "grid x = 7, y = 6\nfield u : %s = noise(1)\nboundary u = periodic\n"
                       "step 2 { u' = ",
                       type[round % 4]);
      for (int i = 0; i < N; i++)
        n += snprintf(text[k] + n, sizeof text[k] - (size_t)n, "%s%s", i ? " + " : "",
                      term[order[i]]);
      snprintf(text[k] + n, sizeof text[k] - (size_t)n, " }\n");
      hash[k] = run_hash(text[k]);
      for (int i = N - 1; i > 0; i--) {
        int j = (int)(next(&seed) % (uint32_t)(i + 1)), was = order[i];
        order[i] = order[j], order[j] = was;
      }
    }
    CHECK(hash[0] == hash[1]);
  }
}

CASE(operations_are_counted_as_written) {
  program p;
  if (MUST_OPEN(&p, "grid x = 8\nfield u : f64\nboundary u = 0\n"
                    "step 1 { u' = u + 0.1*(u[-1] - 2*u + u[1]) }\n"))
    CHECK_EQ(p.ir->flops_written, 5);
  program_close(&p);
}
