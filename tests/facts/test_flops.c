#include "build.h"

CASE(heat_as_lowered) {
  heat(2, 0.1);
  ik_flops f = facts().flops;
  CHECK_EQ(f.cell, 9); /* one product, four fma */
  CHECK_EQ(f.written, -1);
  CHECK_NEAR(f.step, 9.0 * 64 * 64, 0);
  done();
}

CASE(shared_nodes_count_once) {
  program(1, 8, 1, 1);
  int      u = field("u", IK_F64, 1);
  ik_expr *d = sub(at(u, 1, 0, 0), at(u, 0, 0, 0));
  CHECK_EQ(ik_flops_of_expr(mul(d, d), &arena), 2);
  done();
}

/* A statement at the face counts in the total alone; a reduction has one more for its sum; a scalar
 * is computed once. */
CASE(faces_reductions_and_scalars) {
  program(1, 10, 1, 1);
  int u = field("u", IK_F64, 1), r = scalar("r"), q = scalar("q");
  narrow(assign(u, 0, times(2, at(u, 0, 0, 0))), 0, 1, 10);
  narrow(assign(u, 0, add(times(2, at(u, 0, 0, 0)), number(1))), 0, 0, 1);
  reduce(r, mul(at(u, 0, 0, 0), at(u, 0, 0, 0)));
  set(q, mul(leaf(IK_OP_SCALAR, r), number(2)));
  ik_flops f = facts().flops;
  CHECK_EQ(f.cell, 1 + 2);
  CHECK_NEAR(f.step, 9 + 2 + 20 + 1, 0);
  done();
}
