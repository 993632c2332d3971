#include "targets/simulated/wse2/rule.h"
#include "check.h"
#include "targets/simulated/wse2/open.h"

/* The value of the last statement of the first loop, under the rule, as text on one line. */
static void check_rule(const char *statements, const char *expected) {
  opened o;
  ik_buf text = {0}, got = {0}, line = {0};
  ik_buf_printf(&text,
                "grid x = 9, y = 9, z = 9\nfield u : f32, history 2\nfield v : f32\n"
                "boundary u, v = 0\nstep 1 { %s }\n",
                statements);
  open_text(&o, ik_buf_text(&text));
  if (!o.ir) {
    ik_diag_render(&o.diag, false, &got);
    check_fail(__FILE__, __LINE__, "%s", ik_buf_text(&got));
  } else {
    const ik_stmt *s = ik_wse2_rule(o.ir, &o.arena)->body->body;
    while (s->next) s = s->next;
    ik_ir_print_expr(o.ir, s->value, &got);
    for (const char *p = ik_buf_text(&got); *p; p++) { /* blanks as one */
      bool blank = *p == ' ' || *p == '\n';
      if (!blank) ik_buf_putc(&line, *p);
      if (blank && line.len && line.data[line.len - 1] != ' ') ik_buf_putc(&line, ' ');
    }
    CHECK_STR(ik_buf_text(&line), expected);
  }
  ik_buf_free(&text), ik_buf_free(&got), ik_buf_free(&line);
  close_text(&o);
}

CASE(products_are_rounded_and_come_by_direction_and_distance) {
  check_rule("u' = 2*u[0,1,0] + 3*u[0,-1,0] + 4*u[1,0,0] + 5*u[-2,0,0] + 6*u[-1,0,0]",
             "(add.f32 (add.f32 (add.f32 (add.f32 (add.f32 (f32 0) (mul.f32 (f32 6) u@0[-1,0,0])) "
             "(mul.f32 (f32 5) u@0[-2,0,0])) (mul.f32 (f32 4) u@0[1,0,0])) (mul.f32 (f32 3) "
             "u@0[0,-1,0])) (mul.f32 (f32 2) u@0[0,1,0]))");
}

CASE(the_own_cell_is_heard_first_and_the_column_fused) {
  check_rule("u' = 7*u + 2*u[0,0,1] + 3*u[0,0,-1] + u[1,0,0] - u[t-1]",
             "(sub.f32 (fma.f32 (f32 2) u@0[0,0,1] (fma.f32 (f32 3) u@0[0,0,-1] (add.f32 (add.f32 "
             "(f32 0) (mul.f32 (f32 7) u@0)) (mul.f32 (f32 1) u@0[1,0,0])))) u@-1)");
}

CASE(a_sum_goes_on_from_the_one_over_the_fabric) {
  check_rule("u' = 2*u - u[t-1] + v*(u[1,0,0] + u[0,1,0])",
             "(sub.f32 (fma.f32 (f32 2) u@0 (mul.f32 v@0 (add.f32 (add.f32 (f32 0) (mul.f32 (f32 "
             "1) u@0[1,0,0])) (mul.f32 (f32 1) u@0[0,1,0])))) u@-1)");
}

CASE(fields_come_one_after_the_other_and_diagonals_last) {
  check_rule("u' = v[1,0,0] + u[1,1,0] + u[0,1,0]",
             "(add.f32 (add.f32 (add.f32 (f32 0) (mul.f32 (f32 1) u@0[0,1,0])) (mul.f32 (f32 1) "
             "u@0[1,1,0])) (mul.f32 (f32 1) v@0[1,0,0]))");
}

CASE(what_is_no_such_sum_stays) {
  check_rule("u' = u[1,0,0]*u[-1,0,0] + v", "(fma.f32 u@0[1,0,0] u@0[-1,0,0] v@0)");
  check_rule("u' = 2*u + 3*u[0,0,1]", "(fma.f32 (f32 3) u@0[0,0,1] (mul.f32 (f32 2) u@0))");
  check_rule("u' = max(u[1,0,0], v)", "(max.f32 u@0[1,0,0] v@0)");
}

/* Not even a part of it: the first two terms alone would be one. */
CASE(a_sum_that_is_none_of_the_wafers_is_so_in_all_its_parts) {
  check_rule("u' = 2*u[-1,0,0] + 3*u[1,0,0] + u[1,0,1]*u[0,1,1]",
             "(fma.f32 u@0[1,0,1] u@0[0,1,1] (fma.f32 (f32 3) u@0[1,0,0] (mul.f32 (f32 2) "
             "u@0[-1,0,0])))");
}

CASE(plain_arithmetic_is_left_alone) {
  opened o;
  open_text(&o, "arithmetic plain\ngrid x = 9\nfield u : f32\nboundary u = 0\n"
                "step 1 { u' = u[-1] + 2*u[1] }\n");
  CHECK(o.ir && ik_wse2_rule(o.ir, &o.arena) == o.ir);
  close_text(&o);
}
