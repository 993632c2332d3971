#include "../check.h"
#include "ir/ir.h"

CASE(types_have_names_and_sizes) {
  static const int bytes[] = {8, 4, 2, 2, 4, 1};
  for (int t = 0; t < IK_NTYPES; t++) {
    CHECK_EQ(ik_type_find(ik_type_name((ik_type)t)), t);
    CHECK_EQ(ik_type_bytes((ik_type)t), bytes[t]);
    CHECK_EQ(ik_type_is_float((ik_type)t), t <= IK_BF16);
  }
  CHECK_EQ(ik_type_find("f128"), -1);
}

CASE(operations_have_names_operands_and_costs) {
  CHECK_STR(ik_op_name(IK_OP_CONST), "const");
  CHECK_STR(ik_op_name(IK_OP_CAST), "cast");
  CHECK_EQ(ik_op_nargs(IK_OP_FMA), 3);
  CHECK_EQ(ik_op_flops(IK_OP_FMA), 2);
  CHECK_EQ(ik_op_nargs(IK_OP_READ), 0);
  CHECK_EQ(ik_op_flops(IK_OP_SELECT), 0);
  CHECK_STR(ik_bc_name(IK_BC_NONE), "none");
  CHECK_STR(ik_bc_name(IK_BC_COPY), "copy");
}

CASE(rounds_floats_to_what_the_type_holds) {
  CHECK(ik_type_round(IK_F64, 0.1) == 0.1);
  CHECK(ik_type_round(IK_F32, 0.1) == 0x1.99999ap-4);
  CHECK(ik_type_round(IK_F16, 0.1) == 0x1.998p-4);
  CHECK(ik_type_round(IK_BF16, 0.1) == 0x1.9ap-4);
  CHECK(isinf(ik_type_round(IK_F16, 1e9)));
  CHECK(isnan(ik_type_round(IK_F32, NAN)));
}

CASE(wraps_integers) {
  CHECK(ik_type_round(IK_I32, 2147483647.0) == 2147483647.0);
  CHECK(ik_type_round(IK_I32, 2147483648.0) == -2147483648.0);
  CHECK(ik_type_round(IK_I32, -2147483648.0) == -2147483648.0);
  CHECK(ik_type_round(IK_I32, -2147483649.0) == 2147483647.0);
  CHECK(ik_type_round(IK_I32, 4294967296.0) == 0);
  CHECK(ik_type_round(IK_I32, 3 * 4294967296.0 + 5) == 5);
  CHECK(ik_type_round(IK_I32, -3 * 4294967296.0 - 5) == -5);
  CHECK(ik_type_round(IK_I32, -1.75) == -1);
  CHECK(!signbit(ik_type_round(IK_I32, -0.5)));
  CHECK(!signbit(ik_type_round(IK_I32, -4294967296.0)));
  CHECK(ik_type_round(IK_I32, INFINITY) == 0);
  CHECK(ik_type_round(IK_I32, NAN) == 0);
}

CASE(makes_bools) {
  CHECK(ik_type_round(IK_BOOL, 0.0) == 0);
  CHECK(ik_type_round(IK_BOOL, -0.0) == 0);
  CHECK(ik_type_round(IK_BOOL, 0.5) == 1);
  CHECK(ik_type_round(IK_BOOL, -7) == 1);
}

static void note_count(const ik_stmt *s, void *ctx) { ik_buf_printf(ctx, "%d ", (int)s->count); }

CASE(walks_statements_outer_before_inner) {
  ik_stmt in3 = {.kind = IK_SET, .count = 3}, in2 = {.kind = IK_SET, .count = 2};
  ik_stmt after = {.kind = IK_SET, .count = 4};
  ik_stmt loop = {.kind = IK_REPEAT, .count = 1, .pre = &in2, .body = &in3, .next = &after};
  ik_stmt init = {.kind = IK_SET, .count = 0};
  ik_ir   ir = {.init = &init, .body = &loop};
  ik_buf  seen = {0};
  ik_ir_each_stmt(&ir, note_count, &seen);
  CHECK_STR(ik_buf_text(&seen), "0 1 2 3 4 ");
  ik_buf_free(&seen);
}

static void note_op(const ik_expr *e, void *ctx) { ik_buf_printf(ctx, "%s ", ik_op_name(e->op)); }

CASE(walks_operands_before_their_user) {
  ik_expr a = {.op = IK_OP_READ}, b = {.op = IK_OP_CONST}, t = {.op = IK_OP_TIME};
  ik_expr neg = {.op = IK_OP_NEG, .arg = {&a}};
  ik_expr fma = {.op = IK_OP_FMA, .arg = {&neg, &b, &t}};
  ik_buf  seen = {0};
  ik_expr_each(&fma, note_op, &seen);
  CHECK_STR(ik_buf_text(&seen), "read neg const time fma ");
  ik_buf_free(&seen);
}

CASE(counts_the_cells_of_a_box) {
  ik_box b = {.lo = {-1, 0, 0}, .hi = {3, 5, 1}};
  CHECK_EQ(ik_box_cells(&b), 20);
  b.hi[1] = -2;
  CHECK_EQ(ik_box_cells(&b), 0);
}
