#include "build.h"

CASE(heat_reads_and_writes_once) {
  int      u = heat(2, 0.1);
  ik_bytes b = facts().bytes;
  CHECK_NEAR(b.cell, 16, 0);
  CHECK_EQ(b.n, 2);
  CHECK(!b.item[0].write && b.item[0].field == u && b.item[0].level == 0);
  CHECK(b.item[1].write && b.item[1].level == 1);
  done();
}

CASE(levels_count_each) {
  wave(0.1);
  CHECK_NEAR(facts().bytes.cell, 24, 0);
  done();
}

/* t: nothing; v' read after it was made: nothing; z-profile: its share. */
CASE(temporaries_fresh_values_and_shares) {
  program(3, 10, 20, 30);
  int u = field("u", IK_F32, 1), v = field("v", IK_F32, 1), p = field("p", IK_F64, 1);
  int t = temp("t", IK_F32);
  built->field[p].on[0] = built->field[p].on[1] = false;
  steps(1);
  assign(t, 0, mul(at(u, 0, 0, 0), at(p, 0, 0, 0)));
  assign(v, 1, at(t, 1, 0, 0));
  assign(u, 1, add(at_level(v, 1, 0, 0, 0), at(u, 0, 0, 0)));
  ik_bytes b = facts().bytes;
  CHECK_NEAR(b.cell, 4 + 8.0 / 200 + 4 + 4, 1e-12);
  CHECK_EQ(b.n, 4);
  done();
}

/* One that was made before the loop lies in memory. */
CASE(temporaries_from_before) {
  program(2, 10, 20, 1);
  int u = field("u", IK_F64, 1), t = temp("t", IK_F32);
  assign(t, 0, at(u, 0, 0, 0));
  steps(4);
  assign(u, 1, add(at(u, 0, 0, 0), at(t, 1, 0, 0)));
  CHECK_NEAR(facts().bytes.cell, 8 + 4 + 8, 0);
  CHECK(facts().linear.linear && !facts().linear.homogeneous);
  done();
}

CASE(intensity) {
  heat(2, 0.1);
  CHECK_NEAR(facts().intensity, 9.0 / 16, 0);
  done();
  program(1, 4, 1, 1);
  CHECK_NEAR(facts().intensity, 0, 0);
  done();
}
