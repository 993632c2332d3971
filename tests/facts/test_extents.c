#include "build.h"

/* lap is needed one cell beyond what is written, and reads one more. */
CASE(temporaries_reach_beyond) {
  program(2, 32, 16, 1);
  int u = field("u", IK_F64, 1), lap = temp("lap", IK_F64);
  built->field[lap].box = (ik_box){{-1, 0, 0}, {33, 18, 1}};
  steps(1);
  assign(lap, 0, sub(at(u, 1, 0, 0), at(u, -2, 0, 0)));
  assign(u, 1, add(at(lap, -1, 0, 0), add(at(lap, 1, 0, 0), at(lap, 0, 2, 0))));
  ik_extents x = facts().extents;
  CHECK_EQ(x.temp[lap].lo[0], 1);
  CHECK_EQ(x.temp[lap].hi[0], 1);
  CHECK_EQ(x.temp[lap].lo[1], 0);
  CHECK_EQ(x.temp[lap].hi[1], 2);
  CHECK_EQ(x.temp[u].hi[0], 0);
  CHECK_EQ(x.hull[0].lo[0], -2);
  CHECK_EQ(x.hull[0].hi[0], 1);
  CHECK_EQ(x.hull[1].lo[1], 0);
  CHECK_EQ(x.hull[1].hi[1], 2);
  CHECK_EQ(x.read[0].lo[0], -3);
  CHECK_EQ(x.read[0].hi[0], 34);
  CHECK_EQ(x.read[1].hi[1], 18);
  done();
}

CASE(reads_nothing) {
  program(1, 8, 1, 1);
  assign(field("u", IK_F64, 1), 0, number(1));
  ik_box b = facts().extents.read[0];
  CHECK_EQ(ik_box_cells(&b), 0);
  done();
}
