#include "../check.h"
#include "ir/ir.h"

#define HEAD "ikat-ir 1 program p arithmetic chain grid x=8, y=6 "
/* u has u', u[t-1] and a value beyond x alone; v has no boundary; w is on y alone. */
#define FIELDS                                                                                     \
  "table w = [1, 2] scalar s f64 scalar k i32 scalar b bool "                                      \
  "field u user f64 on x, y box 0:8, 0:6 history 2 new "                                           \
  "  low x value (f64 0) high x copy "                                                             \
  "field v user f64 on x, y box 0:8, 0:6 history 1 "                                               \
  "field w user f64 on y box 0:1, 0:6 history 1 "                                                  \
  "field i user i32 on x, y box 0:8, 0:6 history 1 "                                               \
  "field t temp f64 on x, y box -1:9, 0:6 history 1 "
#define ALL              " on 0:8, 0:6 = "
#define DONE             "assign u@1" ALL "u@0 "
#define BODY(text)       HEAD FIELDS "body { " text " }"
#define STEP(text)       BODY("steps 3 { " text " }")
#define INIT(text)       HEAD FIELDS "init { " text " }"
#define SWEEP(how, text) BODY("sweep " how " { " text " }")
#define IN_V(value)      BODY("assign v@0" ALL value)

static void verify(const char *text, const char *want, int line) {
  ik_arena  a;
  ik_diag   d = {0};
  ik_source src = {"test.ir", text, strlen(text)};
  ik_ir    *ir = NULL;
  ik_arena_init(&a);
  ik_status bad = ik_ir_read(&src, &a, &d, &ir);
  if (!bad) bad = ik_ir_verify(ir, &d);
  const char *got = d.nmsg ? ik_buf_text(&d.msg[0].text) : "";
  bool        right = want ? bad && strncmp(got, "ir: ", 4) == 0 && strstr(got, want) : !bad;
  if (!right) check_fail(__FILE__, line, "%s\n  gives '%s'", text, got);
  ik_diag_free(&d);
  ik_arena_free(&a);
}

#define GOOD(text)      verify(text, NULL, __LINE__)
#define BAD(text, want) verify(text, want, __LINE__)

CASE(accepts_what_is_right) {
  GOOD(HEAD FIELDS);
  GOOD(STEP(DONE));
  GOOD(STEP("assign t@0 on -1:9, 0:6 = u@0 assign u@1" ALL "(add.f64 t@0[-1,0] t@0[1,0])"));
  GOOD(STEP(DONE "assign v@0" ALL "u@1[-1,0]"));
  GOOD(STEP("reduce s sum" ALL "u@-1 set s = (add.f64 $s (time.f64)) " DONE));
  GOOD(BODY("repeat 5 { reduce s max" ALL "v@0 } until (lt.bool $s (f64 1)) { assign v@0" ALL
            "w@0 }"));
  GOOD(INIT("load u@-1 from \"a.npy\" assign i@0" ALL "(coord.i32 y)"));
}

CASE(types_of_operands_agree) {
  GOOD(IN_V("(select.f64 (and.bool $b (le.bool i@0 $k)) (cast.f64 i@0) (table.f64 w v@0))"));
  BAD(IN_V("(add.f64 v@0 i@0)"), "types");
  BAD(IN_V("(add.f32 v@0 v@0)"), "types");
  BAD(IN_V("(fma.f64 v@0 v@0 (f32 1))"), "types");
  BAD(IN_V("(select.f64 v@0 v@0 v@0)"), "types");
  BAD(IN_V("(select.f64 $b v@0 (f32 1))"), "types");
  BAD(IN_V("(cast.f64 (lt.f64 v@0 v@0))"), "types");
  BAD(IN_V("(cast.f64 (lt.bool $b $b))"), "types");
  GOOD(IN_V("(cast.f64 (eq.bool $b $b))"));
  BAD(IN_V("(cast.f64 (eq.bool $b $k))"), "types");
  BAD(IN_V("(cast.f64 (not.bool $k))"), "types");
  BAD(IN_V("(cast.f64 (sqrt.i32 $k))"), "types");
  BAD(IN_V("(cast.f64 (neg.bool $b))"), "types");
  BAD(IN_V("(cast.f64 (noise.i32 1))"), "types");
  BAD(IN_V("(cast.f64 (coord.bool x))"), "types");
  BAD(IN_V("(table.f64 w $k)"), "types");
}

CASE(constants_are_rounded) {
  BAD(IN_V("(cast.f64 (f32 0.1))"), "const.f32");
  BAD(IN_V("(cast.f64 (i32 0.5))"), "const.i32");
  BAD(IN_V("(cast.f64 (bool 2))"), "const.bool");
  GOOD(IN_V("(cast.f64 (f32 nan))"));
  GOOD(IN_V("(cast.f64 (f16 inf))"));
}

CASE(values_have_the_type_of_their_target) {
  BAD(IN_V("i@0"), "type i32 where f64");
  BAD(BODY("set k = $s"), "type f64 where i32");
  BAD(BODY("reduce k sum" ALL "v@0"), "type f64 where i32");
  BAD(BODY("reduce b sum" ALL "(bool 1)"), "a reduction to bool");
  BAD(BODY("reduce s sum on 8:8, 0:6 = v@0"), "a reduction of no cells");
  BAD(BODY("repeat 1 { } until $s { }"), "type f64 where bool");
}

CASE(levels_exist_where_they_are_used) {
  BAD(IN_V("u@-2"), "no level -2");
  BAD(IN_V("v@-1"), "no level -1");
  BAD(STEP(DONE "assign v@0" ALL "v@1"), "no level 1");
  BAD(IN_V("u@1"), "outside a step");
  BAD(BODY("assign u@1" ALL "v@0"), "outside a step");
  BAD(BODY("repeat 1 { } until $b { assign u@1" ALL "v@0 }"), "outside a step");
  BAD(BODY("assign v@-1" ALL "w@0"), "no level -1");
  BAD(STEP("assign v@0" ALL "u@1 " DONE), "before it has a value");
}

CASE(offsets_follow_axes) {
  BAD(IN_V("w@0[1,0]"), "axis it is not on");
  BAD(IN_V("w@0[0,1]"), "beyond a face");
  GOOD(BODY("assign v@0 on 0:8, 0:5 = w@0[0,1]"));
}

CASE(reads_stay_inside_without_a_boundary) {
  GOOD(IN_V("(add.f64 u@0[-100,0] u@0[100,0])"));
  BAD(IN_V("u@0[0,-1]"), "beyond a face");
  BAD(IN_V("u@0[0,1]"), "beyond a face");
  GOOD(BODY("assign v@0 on 1:7, 1:5 = (add.f64 v@0[-1,1] v@0[1,-1])"));
  BAD(BODY("assign v@0 on 1:7, 1:5 = v@0[-2,0]"), "beyond a face");
  BAD(BODY("reduce s sum on 0:9, 0:6 = v@0"), "beyond a face");
  GOOD(BODY("assign v@0 on 3:3, 0:6 = v@0[-9,0]"));
}

CASE(boxes_fit) {
  BAD(BODY("assign v@0 on 0:9, 0:6 = (f64 0)"), "outside the box of v");
  BAD(BODY("assign v@0 on -1:8, 0:6 = (f64 0)"), "outside the box of v");
  BAD(BODY("assign v@0 on 5:4, 0:6 = (f64 0)"), "ends before");
  BAD(BODY("assign w@0" ALL "(f64 0)"), "outside the box of w");
  BAD(BODY("reduce s sum on 0:9223372036854775807, 0:6 = (f64 0)"), "box");
}

CASE(temporaries_have_a_value_when_read) {
#define MAKE_T "assign t@0 on -1:9, 0:6 = u@0 "
  GOOD(BODY(MAKE_T "assign v@0" ALL "t@0[1,0]"));
  BAD(IN_V("t@0"), "before it has a value");
  BAD(BODY(MAKE_T "assign v@0" ALL "t@0[2,0]"), "beyond a face");
  BAD(BODY("steps 1 { " MAKE_T DONE "} assign v@0" ALL "t@0"), "before it has a value");
  GOOD(BODY(MAKE_T "steps 1 { " MAKE_T DONE "} assign v@0" ALL "t@0"));
  GOOD(BODY(MAKE_T "steps 1 { assign u@1" ALL "t@0 }"));
  BAD(HEAD FIELDS "init { " MAKE_T "} body { assign v@0" ALL "t@0 }", "before it has a value");
  BAD(BODY("assign t@0 on -1:9, 0:6 = t@0"), "before it has a value");
}

CASE(sweeps_read_what_they_wrote) {
#define T_IN "assign t@0 on 1:8, 0:6 = "
  GOOD(SWEEP("x up", "assign t@0 on 0:1, 0:6 = v@0 " T_IN "t@0[-1,0]"));
  GOOD(SWEEP("x down", "assign t@0 on 8:9, 0:6 = w@0 assign t@0 on 0:8, 0:6 = t@0[1,0]"));
  BAD(SWEEP("x up", "assign t@0 on 0:8, 0:6 = t@0[1,0]"), "before it has a value");
  BAD(SWEEP("x up", T_IN "t@0"), "before it has a value");
  BAD(SWEEP("y up", T_IN "t@0[-1,0]"), "before it has a value");
  GOOD(SWEEP("x up", "assign v@0 on 1:8, 0:6 = t@0[-1,0] assign t@0" ALL "v@0"));
  GOOD(BODY("sweep x up { assign t@0" ALL "v@0 } sweep x down { assign v@0" ALL "t@0 }"));
  GOOD(SWEEP("y down, x up", "assign t@0 on 0:8, 0:5 = t@0[1,1]"));
  BAD(SWEEP("x up, y down", "assign t@0 on 0:8, 0:5 = t@0[1,1]"), "before it has a value");
}

CASE(sweeps_do_not_read_beside_what_they_write) {
  BAD(SWEEP("y up", "assign v@0 on 1:8, 0:6 = v@0[-1,0]"), "beside the cell");
  GOOD(SWEEP("x up", "assign v@0 on 1:8, 0:6 = v@0[-1,0]"));
  GOOD(SWEEP("x down", "assign v@0 on 1:8, 0:6 = v@0[-1,0]")); /* the old value */
  GOOD(SWEEP("y up", "assign v@0" ALL "v@0"));
  GOOD(BODY("assign v@0 on 1:8, 0:6 = v@0[-1,0]")); /* all are read before any is written */
}

CASE(sweeps_are_well_formed) {
  BAD(SWEEP("x up, x down", ""), "or twice");
  BAD(SWEEP("x up", "sweep y up { }"), "only assignments");
  BAD(SWEEP("x up", "set s = $s"), "only assignments");
}

CASE(loops_do_not_nest) {
  BAD(STEP("repeat 1 { } until $b { }"), "do not nest");
  BAD(STEP("steps 1 { }"), "do not nest");
  BAD(BODY("repeat 1 { } until $b { steps 1 { } }"), "do not nest");
  BAD(BODY("repeat 1 { steps 1 { } } until $b { }"), "do not nest");
}

CASE(steps_give_every_new_value) {
  BAD(STEP(""), "leaves cells of the new u");
  BAD(STEP("assign u@1 on 1:8, 0:6 = u@0"), "leaves cells");
  GOOD(STEP("assign u@1 on 1:7, 1:5 = u@0 assign u@1 on 0:8, 0:1 = u@0 "
            "assign u@1 on 0:8, 5:6 = u@0 assign u@1 on 0:1, 0:6 = u@0 "
            "sweep x up { assign u@1 on 6:8, 0:6 = u@0 }"));
  BAD(STEP("assign u@1 on 0:4, 0:6 = u@0 assign u@1 on 4:8, 0:5 = u@0"), "leaves cells");
}

CASE(loads_stand_in_init) {
  BAD(BODY("load v@0 from \"a\""), "only init loads");
  BAD(INIT("load t@0 from \"a\""), "only init loads");
  BAD(INIT("load v@-1 from \"a\""), "no level -1");
}

CASE(scalars_read_no_field) {
  BAD(BODY("set s = v@0"), "where none may be");
  BAD(BODY("set s = (coord.f64 x)"), "no cell");
  BAD(BODY("set s = (noise.f64 1)"), "no cell");
  BAD(BODY("repeat 1 { } until (lt.bool v@0 $s) { }"), "where none may be");
}

#define FACE(text) HEAD "scalar s f64 field u user f64 on x box 0:8, 0:1 history 1 " text

CASE(boundaries_fit_their_field) {
  GOOD(FACE("low x value (mul.f64 $s (coord.f64 y)) high x mirror"));
  GOOD(FACE("low x periodic high x periodic"));
  BAD(FACE("low x periodic"), "one side");
  BAD(FACE("high x periodic low x copy"), "one side");
  BAD(FACE("low y copy"), "no face");
  BAD(FACE("low x value (f32 0)"), "type f32 where f64");
  BAD(FACE("field v user f64 on x box 0:8, 0:1 history 1 low x value u@0"), "where none may be");
  BAD(HEAD "field t temp f64 on x box 0:8, 0:1 history 1 low x copy", "no face");
}

CASE(fields_are_well_formed) {
  BAD(HEAD "field u user f64 on x box 1:8, 0:1 history 1", "a box that does not fit");
  BAD(HEAD "field u user f64 on x box 0:8, 0:6 history 1", "a box that does not fit");
  BAD(HEAD "field u user f64 on x box 0:0, 0:1 history 1", "a box that does not fit");
  GOOD(HEAD "field u user f64 on x box 0:9, 0:1 history 1");
  BAD(HEAD "field u user f64 on x box 0:8, 0:1 history 17", "17 levels");
  BAD(HEAD "field t temp f64 on x box 0:8, 0:1 history 2", "2 levels");
  BAD(HEAD "field t temp f64 on x box 0:8, 0:1 history 1 new", "1 levels");
}

#define INJECT(field, value, tap)                                                                  \
  STEP(DONE) "inject " field " at 1, 1 = " value " tap " tap " weight 1 "

CASE(sources_and_receivers_fit) {
  GOOD(INJECT("u", "(mul.f64 u@0[-3,0] (time.f64))", "7, 5"));
  BAD(INJECT("u", "u@0[0,1]", "7, 5"), "beyond a face");
  BAD(INJECT("u", "(f64 1)", "8, 5"), "a tap outside u");
  BAD(INJECT("u", "(f32 1)", "7, 5"), "type f32 where f64");
  BAD(INJECT("u", "u@1", "7, 5"), "outside a step");
  BAD(INJECT("u", "t@0", "7, 5"), "before it has a value");
  BAD(INJECT("v", "(f64 1)", "7, 5"), "no new value");
  BAD(INJECT("t", "(f64 1)", "7, 5"), "cannot stand here");
  GOOD(STEP(DONE) "record w every 1 taps 1 into \"a\" point 1, 1 tap 0, 1 weight 1");
  BAD(STEP(DONE) "record w every 1 taps 1 into \"a\" point 1, 1 tap 1, 1 weight 1",
      "a tap outside");
  BAD(STEP(DONE) "record u every 0 taps 0 into \"a\"", "each 0 steps");
  BAD(STEP(DONE) "output every 0 into \"a\" of u, t", "cannot stand here");
}

/* What a text cannot say. */
CASE(hand_made_faults_are_found) {
  ik_expr   two = {.op = IK_OP_CONST, .type = IK_F64, .value = 2};
  ik_expr   half = {.op = IK_OP_ADD, .type = IK_F64, .arg = {&two, NULL}};
  ik_expr   far = {.op = IK_OP_SCALAR, .type = IK_F64, .id = 1};
  ik_expr   odd = {.op = IK_NOPS, .type = IK_F64};
  ik_stmt   set = {.kind = IK_SET}, steps = {.kind = IK_STEPS, .count = -1};
  ik_stmt   lost = {.kind = IK_ASSIGN, .field = 3};
  ik_scalar s = {.name = "s", .type = IK_F64};
  ik_ir ir = {.name = "p", .ndim = 1, .axis = {"x"}, .n = {8, 1, 1}, .nscalar = 1, .scalar = &s};
  const ik_expr *values[] = {&half, &far, &odd, NULL};
  ik_diag        d = {0};
  ir.body = &set, set.value = &two;
  CHECK_EQ(ik_ir_verify(&ir, &d), IK_OK);
  for (int i = 0; i < 4; i++) {
    set.value = values[i];
    CHECK_EQ(ik_ir_verify(&ir, &d), IK_ERR_SOURCE);
  }
  ir.body = &steps;
  CHECK_EQ(ik_ir_verify(&ir, &d), IK_ERR_SOURCE);
  ir.body = &lost;
  CHECK_EQ(ik_ir_verify(&ir, &d), IK_ERR_SOURCE);
  ir.body = NULL, ir.ndim = 4;
  CHECK_EQ(ik_ir_verify(&ir, &d), IK_ERR_SOURCE);
  ik_diag_free(&d);
}
