#include "facts/zero.h"
#include "build.h"

/* `make` assigns u' in ten steps: does u stay zero? */
static bool stays(int u) {
  const bool *zero = ik_zero_of(built, &arena);
  bool        odd = ik_zero_is_odd(built, zero, u);
  CHECK_EQ(odd, zero[u]);
  done();
  return odd;
}

static int start(void) {
  program(1, 16, 1, 1);
  int u = field("u", IK_F64, 1);
  steps(10);
  return u;
}

CASE(sums_and_products_of_zeros_are_zero) {
  int u = start();
  assign(u, 1, add(at(u, -1, 0, 0), mul(number(2), at(u, 1, 0, 0))));
  CHECK(stays(u));
}

CASE(a_constant_is_not) {
  int u = start();
  assign(u, 1, add(at(u, 0, 0, 0), number(1)));
  CHECK(!stays(u));
}

CASE(what_another_field_has_comes_over) {
  int u = start(), v = field("v", IK_F64, 1);
  assign(u, 1, add(at(u, 0, 0, 0), at(v, 1, 0, 0)));
  assign(v, 1, number(3)); /* found in a second round */
  CHECK(!stays(u));
}

CASE(a_value_beyond_either_face_comes_in) {
  for (int side = 0; side < 2; side++) {
    int u = start();
    assign(u, 1, at(u, side ? 1 : -1, 0, 0));
    built->field[u].bc[0][side] = (ik_bc){.kind = IK_BC_VALUE, .value = number(1)};
    CHECK(!stays(u));
  }
}

CASE(a_zero_beyond_a_face_does_not) {
  int u = start();
  assign(u, 1, at(u, -1, 0, 0));
  built->field[u].bc[0][0] = (ik_bc){.kind = IK_BC_VALUE, .value = number(0)};
  CHECK(stays(u));
}

CASE(one_step_is_nothing_odd) {
  program(1, 16, 1, 1);
  int u = field("u", IK_F64, 1);
  steps(1);
  assign(u, 1, at(u, 0, 0, 0));
  const bool *zero = ik_zero_of(built, &arena);
  CHECK(zero[u] && !ik_zero_is_odd(built, zero, u));
  done();
}
