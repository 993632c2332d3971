/* Expressions as C: what needs parentheses and what does not, what is rounded, how numbers look. */
#include "check.h"
#include "ir/spell.h"
#include <stdlib.h>

static const char *name(void *user, const ik_expr *e) {
  static const char *const names[] = {"a", "b", "c"};
  (void)user;
  return e->op == IK_OP_SCALAR ? names[e->id] : NULL;
}

static void check_spelled(const ik_expr *e, bool exact, const char *want) {
  ik_arena a;
  ik_buf   out = {0};
  ik_arena_init(&a);
  if (setjmp(a.oom)) abort();
  ik_spelling s = {exact, name, NULL, {"x", "y", "0"}, "table_", &a, &out};
  ik_spell(&s, e);
  for (char *c = out.data; c && *c; c++)
    if (*c == IK_SPELL_BREAK || *c == IK_SPELL_BREAKABLE) *c = ' ';
  CHECK_STR(ik_buf_text(&out), want);
  ik_buf_free(&out);
  ik_arena_free(&a);
}

#define E(o, t, ...) (&(ik_expr){.op = IK_OP_##o, .type = IK_##t, .arg = {__VA_ARGS__}})
#define NUMBER(t, v) (&(ik_expr){.op = IK_OP_CONST, .type = IK_##t, .value = (v)})
#define VALUE(t, i)  (&(ik_expr){.op = IK_OP_SCALAR, .type = IK_##t, .id = (i)})

CASE(parentheses_keep_the_order) {
  const ik_expr *a = VALUE(F64, 0), *b = VALUE(F64, 1), *c = VALUE(F64, 2);
  check_spelled(E(SUB, F64, E(SUB, F64, a, b), c), true, "a - b - c");
  check_spelled(E(SUB, F64, a, E(SUB, F64, b, c)), true, "a - (b - c)");
  check_spelled(E(MUL, F64, E(ADD, F64, a, b), c), true, "(a + b)*c");
  check_spelled(E(DIV, F64, a, E(MUL, F64, b, c)), true, "a/(b*c)");
  check_spelled(E(NEG, F64, E(NEG, F64, a)), true, "-(-a)");
  check_spelled(E(ADD, F64, a, NUMBER(F64, -2)), true, "a - 2.0");
  check_spelled(E(SELECT, F64, E(LT, BOOL, a, b), a, E(MUL, F64, b, c)), true, "a < b ? a : b*c");
  check_spelled(E(SELECT, F64, E(AND, BOOL, E(LT, BOOL, a, b), E(LT, BOOL, b, c)), a, b), true,
                "((a < b) && (b < c)) ? a : b");
  check_spelled(E(AND, BOOL, E(LT, BOOL, a, b), E(NOT, BOOL, E(EQ, BOOL, a, c))), true,
                "(a < b) && (!(a == c))");
}

CASE(what_is_fused_and_called_depends_on_who_asks) {
  const ik_expr *a = VALUE(F32, 0), *b = VALUE(F32, 1), *c = VALUE(F32, 2);
  check_spelled(E(FMA, F32, a, b, c), true, "fmaf(a, b, c)");
  check_spelled(E(FMA, F32, a, b, c), false, "c + a*b");
  check_spelled(E(EXP, F32, a), true, "(float)ik_exp(a)");
  check_spelled(E(EXP, F32, a), false, "expf(a)");
}

CASE(types) {
  const ik_expr *h = VALUE(F16, 0), *i = VALUE(I32, 1), *d = VALUE(F64, 2);
  check_spelled(E(ADD, F16, h, E(NEG, F16, h)), true, "ik_round_f16(a + -a)");
  check_spelled(E(FMA, BF16, h, h, h), true, "ik_fma_bf16(a, a, a)");
  check_spelled(E(FMA, I32, i, i, i), true, "add_i32(mul_i32(b, b), b)");
  check_spelled(E(CAST, I32, d), true, "to_i32(c)");
  check_spelled(E(CAST, F64, h), true, "a");
  check_spelled(E(CAST, F16, d), true, "ik_round_f16(c)");
  check_spelled(E(CAST, F32, i), true, "(float)b");
}

CASE(numbers_have_as_few_digits_as_read_back) {
  check_spelled(NUMBER(F64, 0.1), true, "0.1");
  check_spelled(NUMBER(F64, 100), true, "100.0");
  check_spelled(NUMBER(F64, 1.0 / 3), true, "0.3333333333333333");
  check_spelled(NUMBER(F64, 1e300), true, "1e+300");
  check_spelled(NUMBER(F64, -0.0), true, "-0.0");
  check_spelled(NUMBER(F32, (double)0.1f), true, "0.1f");
  check_spelled(NUMBER(F32, (double)(1.0f / 3)), true, "0.33333334f");
  check_spelled(NUMBER(F64, NAN), true, "NAN");
  check_spelled(NUMBER(F64, -INFINITY), true, "-INFINITY");
  check_spelled(NUMBER(I32, INT32_MIN), true, "INT32_MIN");
}

CASE(words) {
  ik_arena a;
  ik_arena_init(&a);
  if (setjmp(a.oom)) abort();
  CHECK_STR(ik_spell_word("u.eta_x", &a), "u_eta_x");
  CHECK_STR(ik_spell_word("2u", &a), "_2u");
  CHECK_STR(ik_spell_shifted("x", -3, &a), "x - 3");
  CHECK_STR(ik_spell_shifted("x", 0, &a), "x");
  CHECK(ik_spell_is_reserved("double") && ik_spell_is_reserved("y0"));
  CHECK(!ik_spell_is_reserved("lap"));
  ik_arena_free(&a);
}

static void check_lines(const char *text, int indent, const char *want) {
  ik_buf out = {0};
  ik_spell_lines(text, indent, &out);
  CHECK_STR(ik_buf_text(&out), want);
  ik_buf_free(&out);
}

CASE(long_lines_are_broken_at_their_marks) {
  check_lines("a =\vb +\fc;", 2, "  a = b + c;\n");
  check_lines(
      "a_long_name =\vone_half*(another_long_name +\fthe_last_of_all);", 50,
      "                                                  a_long_name =\n"
      "                                                      one_half*(another_long_name +\n"
      "                                                      the_last_of_all);\n");
}

CASE(a_text_within_a_comment) {
  ik_buf out = {0};
  ik_spell_comment("u' = u*/2\n\nend", &out);
  CHECK_STR(ik_buf_text(&out), " *   u' = u* /2\n *\n *   end\n");
  ik_buf_free(&out);
}
