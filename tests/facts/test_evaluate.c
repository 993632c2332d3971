#include "build.h"
#include "facts/evaluate.h"

static double value(ik_op op, ik_type t, double a, double b, double c) {
  ik_expr e = {.op = op, .type = t};
  double  v[3] = {a, b, c};
  return ik_evaluate(built, &e, v);
}

CASE(operations) {
  program(1, 4, 1, 1);
  CHECK_NEAR(value(IK_OP_SUB, IK_F64, 3, 1, 0), 2, 0);
  CHECK_NEAR(value(IK_OP_FMA, IK_F64, 3, 2, 1), 7, 0);
  CHECK_NEAR(value(IK_OP_MOD, IK_I32, -1, 3, 0), 2, 0);
  CHECK_NEAR(value(IK_OP_DIV, IK_I32, 7, 2, 0), 3, 0);
  CHECK_NEAR(value(IK_OP_SQRT, IK_F64, 9, 0, 0), 3, 0);
  CHECK_NEAR(value(IK_OP_LE, IK_BOOL, 2, 2, 0), 1, 0);
  CHECK_NEAR(value(IK_OP_NOT, IK_BOOL, 1, 0, 0), 0, 0);
  CHECK_NEAR(value(IK_OP_DIV, IK_F32, 1, 3, 0), (double)(1.0f / 3), 0);
  CHECK_NEAR(value(IK_OP_EXP, IK_F64, 0, 0, 0), 1, 0);
  done();
}

CASE(what_is_not_known_stays_so) {
  program(1, 4, 1, 1);
  CHECK(isnan(value(IK_OP_LT, IK_BOOL, NAN, 2, 0)));
  CHECK(isnan(value(IK_OP_MAX, IK_F64, 1, NAN, 0)));
  CHECK(isnan(value(IK_OP_CAST, IK_I32, NAN, 0, 0)));
  CHECK(isnan(value(IK_OP_SELECT, IK_F64, NAN, 1, 2)));
  CHECK_NEAR(value(IK_OP_SELECT, IK_F64, 1, 5, NAN), 5, 0);
  CHECK_NEAR(value(IK_OP_SELECT, IK_F64, 0, NAN, 6), 6, 0);
  done();
}

CASE(tables) {
  static const double entry[] = {1, 3, 7};
  ik_samples          t = {"t", 3, entry};
  program(1, 4, 1, 1);
  built->table = &t, built->ntable = 1;
  CHECK_NEAR(value(IK_OP_TABLE, IK_F64, 0.5, 0, 0), 2, 0);
  CHECK_NEAR(value(IK_OP_TABLE, IK_F64, 2, 0, 0), 7, 0);
  CHECK_NEAR(value(IK_OP_TABLE, IK_F64, 2.5, 0, 0), 0, 0);
  CHECK_NEAR(value(IK_OP_TABLE, IK_F64, -1, 0, 0), 0, 0);
  done();
}
