#include "build.h"
#include "facts/nodes.h"

CASE(shared_nodes_come_once_and_before_their_users) {
  program(1, 8, 1, 1);
  int      u = field("u", IK_F64, 1);
  ik_expr *e = at(u, 0, 0, 0);
  for (int i = 0; i < 40; i++) e = add(e, e); /* 2^40 as a tree */
  ik_nodes n;
  ik_nodes_of(e, &arena, &n);
  CHECK_EQ(n.n, 41);
  CHECK(n.node[40] == e);
  for (int i = 1; i < n.n; i++) {
    CHECK(n.arg[i][0] == i - 1 && n.arg[i][1] == i - 1);
    CHECK_EQ(n.arg[i][2], -1);
  }
  done();
}

CASE(a_long_chain) {
  program(1, 8, 1, 1);
  int      u = field("u", IK_F64, 1);
  ik_expr *e = at(u, 0, 0, 0);
  for (int i = 0; i < 100000; i++) e = fused(2, at(u, i, 0, 0), e);
  ik_nodes n;
  ik_nodes_of(e, &arena, &n);
  CHECK_EQ(n.n, 300001);
  done();
}

CASE(what_is_used_twice_is_worth_a_name) {
  program(1, 8, 1, 1);
  int             u = field("u", IK_F64, 1), v = field("v", IK_F64, 1);
  const ik_expr **named, *both = add(at(u, 0, 0, 0), at(u, 1, 0, 0));
  CHECK_EQ(ik_nodes_worth_a_name(mul(both, both), &arena, &named), 1);
  CHECK(named[0] == both);
  CHECK_EQ(ik_nodes_worth_a_name(both, &arena, &named), 0);
  CHECK(ik_nodes_read(both, u, &arena) && !ik_nodes_read(both, v, &arena));
  done();
}
