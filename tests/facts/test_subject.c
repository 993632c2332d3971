#include "build.h"

static ik_subject subject(void) {
  ik_subject s;
  ik_subject_of(built, &arena, &s);
  return s;
}

CASE(the_step_loop_with_the_most_steps) {
  program(1, 8, 1, 1);
  int u = field("u", IK_F64, 1);
  assign(u, 0, number(1));
  ik_stmt *first = steps(5);
  assign(u, 1, at(u, 0, 0, 0));
  into = &first->next;
  ik_stmt *second = steps(50);
  assign(u, 1, at(u, 1, 0, 0));
  assign(u, 1, at(u, 2, 0, 0));
  ik_subject s = subject();
  CHECK(s.loop == second);
  CHECK(s.steps);
  CHECK_EQ(s.n, 2);
  CHECK(s.updated[u]);
  done();
}

CASE(a_round_of_a_repeat) {
  program(1, 8, 1, 1);
  int u = field("u", IK_F64, 1), r = scalar("r");
  assign(u, 0, number(1));
  ik_stmt *loop = open_body(IK_REPEAT, 9);
  into = &loop->pre;
  reduce(r, at(u, 0, 0, 0));
  into = &loop->body;
  assign(u, 0, at(u, 0, 0, 0));
  ik_subject s = subject();
  CHECK(s.loop == loop);
  CHECK(!s.steps);
  CHECK_EQ(s.n, 2);
  CHECK_EQ(s.nreduce, 1);
  done();
}

CASE(the_main_block_with_a_sweep) {
  program(2, 8, 8, 1);
  int      u = field("u", IK_F64, 1), t = temp("t", IK_F64);
  ik_stmt *a = assign(t, 0, number(1));
  ik_stmt *w = open_body(IK_SWEEP, 0);
  narrow(assign(u, 0, at(t, 0, 0, 0)), 1, 0, 1);
  narrow(assign(u, 0, at(u, 0, -1, 0)), 1, 1, 8);
  ik_subject s = subject();
  CHECK(!s.loop);
  CHECK_EQ(s.n, 3);
  CHECK_EQ(s.nsweep, 1);
  CHECK(s.work[0].stmt == a && !s.work[0].sweep);
  CHECK(s.work[1].sweep == w && !s.work[1].main); /* the first level is not in the middle */
  CHECK(s.work[2].main);
  CHECK(s.updated[u] && !s.updated[t]);
  done();
}

CASE(layers_at_faces_are_not_main) {
  program(1, 100, 1, 1);
  int u = field("u", IK_F64, 1);
  steps(1);
  narrow(assign(u, 1, at(u, 0, 0, 0)), 0, 0, 40);
  narrow(assign(u, 1, at(u, 0, 0, 0)), 0, 40, 60);
  narrow(assign(u, 1, at(u, 0, 0, 0)), 0, 60, 100);
  ik_subject s = subject();
  CHECK(!s.work[0].main && s.work[1].main && !s.work[2].main);
  CHECK_EQ(s.written.lo[0], 0);
  CHECK_EQ(s.written.hi[0], 100);
  done();
}

CASE(two_far_corners_are_all_there_is) {
  program(1, 100, 1, 1);
  int u = field("u", IK_F64, 1);
  narrow(assign(u, 0, number(1)), 0, 0, 2);
  narrow(assign(u, 0, number(1)), 0, 98, 100);
  ik_subject s = subject();
  CHECK(s.work[0].main && s.work[1].main);
  done();
}

CASE(what_is_summed_or_set_is_not_updated) {
  program(1, 8, 1, 1);
  int c = field("c", IK_F64, 1), u = field("u", IK_F64, 1), r = scalar("r");
  steps(1);
  assign(u, 1, at(c, 0, 0, 0));
  reduce(r, at(c, 0, 0, 0));
  set(r, number(1));
  ik_subject s = subject();
  CHECK(s.updated[u] && !s.updated[c]);
  done();
}

CASE(what_is_set_is_main_like_what_is_assigned_in_the_middle) {
  program(1, 8, 1, 1);
  int u = field("u", IK_F64, 1), r = scalar("r");
  steps(1);
  set(r, number(1));
  assign(u, 1, at(u, 0, 0, 0));
  ik_subject s = subject();
  CHECK(s.work[0].main && s.work[1].main);
  done();
}

CASE(a_sum_over_a_part_counts_along_every_axis) {
  program(2, 16, 16, 1);
  int      u = field("u", IK_F64, 1), r = scalar("r");
  ik_stmt *sum = reduce(r, at(u, 0, 0, 0));
  narrow(sum, 0, 1, 5), narrow(sum, 1, 3, 9);
  ik_subject s = subject();
  CHECK(s.written.lo[0] == 1 && s.written.hi[0] == 5);
  CHECK(s.written.lo[1] == 3 && s.written.hi[1] == 9);
  done();
}

CASE(nothing_at_all) {
  program(1, 4, 1, 1);
  CHECK_EQ(subject().n, 0);
  done();
}
