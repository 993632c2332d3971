#include "build.h"
#include "ir/state.h"

CASE(as_the_state_will_be) {
  wave(0.1);
  ik_memory m = facts().memory;
  CHECK_EQ(m.field[0], 3 * 64 * 64 * 64 * 8);
  CHECK_EQ(m.total, ik_state_bytes(built));
  CHECK(m.total >= m.field[0]);
  done();
}

CASE(too_large_is_an_error) {
  ik_facts f;
  ik_diag  d = {0};
  heat(3, 0.1);
  for (int i = 0; i < 3; i++) built->field[0].box.hi[i] = built->n[i] = INT64_C(1) << 22;
  CHECK_EQ(ik_facts_of(built, -1, &arena, &d, &f), IK_ERR_SOURCE);
  CHECK_EQ(d.nerror, 1);
  CHECK_EQ(d.msg[0].code, IK_E027);
  ik_diag_free(&d);
  done();
}
