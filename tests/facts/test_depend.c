#include "build.h"

static int count(const ik_depend *d, ik_dep_kind kind, int from, int to, int distance) {
  int n = 0;
  for (int i = 0; i < d->n; i++) {
    const ik_dep *x = &d->dep[i];
    n += x->kind == kind && x->from == from && x->to == to && x->distance == distance;
  }
  return n;
}

CASE(flow_within_and_between_steps) {
  program(1, 32, 1, 1);
  int u = field("u", IK_F64, 2), t = temp("t", IK_F64);
  steps(5);
  assign(t, 0, sub(at(u, 1, 0, 0), at(u, -3, 0, 0)));
  assign(u, 1, add(at(t, 0, 0, 0), at_level(u, -1, 0, 0, 0)));
  ik_depend d = facts().depend;
  CHECK_EQ(d.n, 3);
  CHECK_EQ(count(&d, IK_DEP_FLOW, 0, 1, 0), 1); /* t */
  CHECK_EQ(count(&d, IK_DEP_FLOW, 1, 0, 1), 1); /* u */
  CHECK_EQ(count(&d, IK_DEP_FLOW, 1, 1, 2), 1); /* u[t-1] */
  for (int i = 0; i < d.n; i++)
    if (d.dep[i].distance == 1) {
      CHECK_EQ(d.dep[i].hull.lo[0], -3);
      CHECK_EQ(d.dep[i].hull.hi[0], 1);
    }
  done();
}

CASE(anti_and_output_of_plain_assignments) {
  program(1, 32, 1, 1);
  int a = field("a", IK_F64, 1), b = field("b", IK_F64, 1);
  assign(b, 0, at(a, 1, 0, 0));
  assign(a, 0, at(a, -1, 0, 0)); /* all cells are read before any is written */
  assign(b, 0, number(0));
  ik_depend d = facts().depend;
  CHECK_EQ(count(&d, IK_DEP_ANTI, 0, 1, 0), 1);
  CHECK_EQ(count(&d, IK_DEP_ANTI, 1, 1, 0), 1);
  CHECK_EQ(count(&d, IK_DEP_OUTPUT, 0, 2, 0), 1);
  CHECK_EQ(d.n, 3);
  CHECK(!d.tiling.legal && d.tiling.why);
  done();
}

CASE(disjoint_boxes_do_not_wait) {
  for (int upper = 0; upper < 2; upper++) { /* whichever half comes first */
    program(1, 32, 1, 1);
    int a = field("a", IK_F64, 1);
    narrow(assign(a, 0, number(1)), 0, upper ? 16 : 0, upper ? 32 : 16);
    narrow(assign(a, 0, number(2)), 0, upper ? 0 : 16, upper ? 16 : 32);
    CHECK_EQ(facts().depend.n, 0);
    done();
  }
}

CASE(an_assignment_waits_for_the_one_before_if_they_share_a_cell) {
  for (int shared = 0; shared < 2; shared++) {
    program(1, 32, 1, 1);
    int a = field("a", IK_F64, 1);
    narrow(assign(a, 0, number(1)), 0, 0, 16 + shared);
    narrow(assign(a, 0, number(2)), 0, 16, 32);
    ik_depend d = facts().depend;
    CHECK_EQ(count(&d, IK_DEP_OUTPUT, 0, 1, 0), shared);
    CHECK_EQ(d.n, shared);
    done();
  }
}

/* All cells are read before any is written; the next step reads what was written. */
CASE(a_step_in_place_flows_into_the_next) {
  program(1, 32, 1, 1);
  int u = field("u", IK_F64, 1);
  steps(5);
  assign(u, 0, at(u, 1, 0, 0));
  ik_depend d = facts().depend;
  CHECK_EQ(d.n, 2);
  CHECK_EQ(count(&d, IK_DEP_ANTI, 0, 0, 0), 1);
  CHECK_EQ(count(&d, IK_DEP_FLOW, 0, 0, 1), 1);
  done();
}

CASE(a_sweep_carries_flow) {
  program(1, 32, 1, 1);
  int c = field("c", IK_F64, 1);
  open_body(IK_SWEEP, 0);
  assign(c, 0, at(c, -1, 0, 0));
  ik_depend d = facts().depend;
  CHECK_EQ(d.n, 1);
  CHECK_EQ(count(&d, IK_DEP_FLOW, 0, 0, 0), 1);
  done();
}

CASE(scalars_order_statements) {
  program(1, 32, 1, 1);
  int u = field("u", IK_F64, 1), r = scalar("r"), q = scalar("q");
  reduce(r, at(u, 0, 0, 0));
  set(q, leaf(IK_OP_SCALAR, r));
  set(r, number(0));
  ik_depend d = facts().depend;
  CHECK_EQ(d.n, 3);
  CHECK_EQ(count(&d, IK_DEP_FLOW, 0, 1, 0), 1);
  CHECK_EQ(count(&d, IK_DEP_ANTI, 1, 2, 0), 1);
  CHECK_EQ(count(&d, IK_DEP_OUTPUT, 0, 2, 0), 1);
  CHECK_EQ(d.dep[0].field, -1);
  done();
}

CASE(heat_can_be_tiled) {
  int u = heat(2, 0.1);
  built->field[u].bc[1][0].kind = built->field[u].bc[1][1].kind = IK_BC_PERIODIC;
  ik_tiling t = facts().depend.tiling;
  CHECK(t.legal && !t.why);
  for (int d = 0; d < 2; d++) CHECK(t.slope[d][0] == 1 && t.slope[d][1] == 1);
  CHECK_EQ(t.slope[2][0], 0);
  CHECK(!t.wraps[0] && t.wraps[1]);
  done();
}

/* Through both stages of a staggered step, and an old level reached half as steeply. */
CASE(slopes_through_stages_and_levels) {
  program(1, 32, 1, 1);
  int e = field("e", IK_F64, 2), h = field("h", IK_F64, 1);
  steps(5);
  assign(h, 1, add(at(h, 0, 0, 0), at(e, 1, 0, 0)));
  assign(e, 1, add(at_level(h, 1, 2, 0, 0), at_level(e, -1, -5, 0, 0)));
  ik_tiling t = facts().depend.tiling;
  CHECK(t.legal);
  CHECK_EQ(t.slope[0][1], 3);
  CHECK_EQ(t.slope[0][0], 3); /* 5 cells in 2 steps */
  done();
}

CASE(what_stands_against_tiling) {
  heat(1, 0.1);
  ik_stmt *s = statement(IK_REDUCE, at(0, 0, 0, 0));
  scalar("r");
  CHECK(strstr(facts().depend.tiling.why, "reduction"));
  s->kind = IK_SET, s->value = number(1);
  CHECK(strstr(facts().depend.tiling.why, "scalar"));
  s->kind = IK_SWEEP;
  CHECK(strstr(facts().depend.tiling.why, "sweep"));
  done();
}
