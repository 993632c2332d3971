#include "base/text.h"
#include "check.h"
#include "emit/names.h"
#include "emit/tree.h"
#include <stdlib.h>

/* An arena and what was printed last. */
static ik_arena a;
static ik_buf   text;

static void begin(void) {
  ik_arena_init(&a);
  if (setjmp(a.oom)) abort();
}

static void end(void) {
  ik_arena_free(&a);
  ik_buf_free(&text);
}

static const char *print(ik_tree *t) {
  ik_buf_free(&text);
  ik_tree_print(t, &text);
  return ik_buf_text(&text);
}

static ik_tree *n(const char *s) { return ik_tree_name(&a, s); }
static ik_tree *k(int64_t v) { return ik_tree_int(&a, v); }
static ik_tree *op(ik_tree *x, const char *o, ik_tree *y) { return ik_tree_binary(&a, x, o, y); }

/* ---- expressions ---- */

CASE(expressions) {
  begin();
  CHECK_STR(print(n("u")), "u");
  CHECK_STR(print(ik_tree_call(&a, "f", 0)), "f()");
  CHECK_STR(print(ik_tree_call(&a, "f", 2, n("x"), k(3))), "f(x, 3)");
  CHECK_STR(print(ik_tree_index(&a, n("u"), op(n("x"), "+", k(1)))), "u[x + 1]");
  CHECK_STR(print(ik_tree_index(&a, op(n("u"), "+", k(1)), k(0))), "(u + 1)[0]");
  CHECK_STR(print(ik_tree_member(&a, n("c"), "x0")), "c->x0");
  CHECK_STR(print(ik_tree_unary(&a, "&", ik_tree_index(&a, n("u"), k(2)))), "&u[2]");
  CHECK_STR(print(ik_tree_unary(&a, "-", op(n("a"), "+", n("b")))), "-(a + b)");
  CHECK_STR(print(ik_tree_unary(&a, "-", k(-1))), "-(-1)");
  CHECK_STR(print(ik_tree_cast(&a, "double", n("t"))), "(double)t");
  CHECK_STR(print(ik_tree_cast(&a, "int", op(n("a"), "-", n("b")))), "(int)(a - b)");
  CHECK_STR(print(ik_tree_choose(&a, op(n("a"), "<", n("b")), n("x"), n("y"))), "a < b ? x : y");
  end();
}

CASE(parentheses_where_the_order_needs_them) {
  begin();
  ik_tree *sum = op(n("a"), "+", n("b")), *product = op(n("a"), "*", n("b"));
  CHECK_STR(print(op(sum, "*", n("c"))), "(a + b) * c");
  CHECK_STR(print(op(product, "+", n("c"))), "a * b + c");
  CHECK_STR(print(op(sum, "-", n("c"))), "a + b - c");
  CHECK_STR(print(op(n("c"), "-", sum)), "c - (a + b)");
  CHECK_STR(print(op(n("c"), "/", product)), "c / (a * b)");
  CHECK_STR(print(op(sum, "<<", k(2))), "(a + b) << 2");
  CHECK_STR(print(op(op(n("a"), "&", k(1)), "==", k(0))), "(a & 1) == 0");
  CHECK_STR(print(op(op(sum, "<", k(1)), "&&", op(n("c"), "!=", k(0)))), "a + b < 1 && c != 0");
  CHECK_STR(print(op(op(n("a"), "&&", n("b")), "||", n("c"))), "(a && b) || c");
  CHECK_STR(print(op(n("x"), "-", k(-3))), "x - -3");
  CHECK_STR(print(ik_tree_plus(&a, n("x"), -3)), "x - 3");
  CHECK_STR(print(ik_tree_plus(&a, n("x"), 0)), "x");
  CHECK_STR(print(ik_tree_plus(&a, n("x"), 7)), "x + 7");
  end();
}

/* ---- numbers ---- */

CASE(whole_numbers) {
  begin();
  CHECK_STR(print(k(INT32_MAX)), "2147483647");
  CHECK_STR(print(k(INT32_MIN)), "(-2147483647 - 1)");
  CHECK_STR(print(k(INT64_C(3000000000))), "INT64_C(3000000000)");
  CHECK_STR(print(k(INT64_C(-3000000000))), "-INT64_C(3000000000)");
  CHECK_STR(print(k(INT64_MIN)), "(-INT64_C(9223372036854775807) - 1)");
  end();
}

CASE(numbers) {
  begin();
  CHECK_STR(print(ik_tree_number(&a, IK_F64, 0.1)), "0.1");
  CHECK_STR(print(ik_tree_number(&a, IK_F64, -2)), "-2.0");
  CHECK_STR(print(ik_tree_number(&a, IK_F64, 1e300)), "1e+300");
  CHECK_STR(print(ik_tree_number(&a, IK_F64, -0.0)), "-0.0");
  CHECK_STR(print(ik_tree_number(&a, IK_F32, 0.1f)), "0.1f");
  CHECK_STR(print(ik_tree_number(&a, IK_F32, 100)), "100.0f");
  CHECK_STR(print(ik_tree_number(&a, IK_F32, 1e20f)), "1e+20f");
  CHECK_STR(print(ik_tree_number(&a, IK_F64, (double)INFINITY)), "__builtin_huge_val()");
  CHECK_STR(print(ik_tree_number(&a, IK_F64, -(double)INFINITY)), "-__builtin_huge_val()");
  CHECK_STR(print(ik_tree_number(&a, IK_F32, (double)NAN)), "__builtin_nan(\"\")");
  end();
}

CASE(numbers_are_read_back_as_they_were) {
  uint64_t s = 1;
  begin();
  for (int i = 0; i < 20000; i++) {
    s = s * 6364136223846793005u + 1442695040888963407u;
    double   d;
    float    f;
    uint32_t half = (uint32_t)(s >> 32);
    memcpy(&d, &s, sizeof d), memcpy(&f, &half, sizeof f);
    if (isfinite(d)) CHECK(ik_strtod(print(ik_tree_number(&a, IK_F64, d)), NULL) == d);
    if (isfinite(f)) CHECK(strtof(print(ik_tree_number(&a, IK_F32, (double)f)), NULL) == f);
    if (i % 1000 == 0) end(), begin();
  }
  end();
}

/* ---- statements ---- */

static ik_tree *block(ik_tree *only) {
  ik_tree *b = ik_tree_block(&a);
  if (only) ik_tree_add(&a, b, only);
  return b;
}

CASE(simple_statements) {
  begin();
  CHECK_STR(print(ik_tree_declare(&a, "const float *", "u", n("v"))), "const float *u = v;\n");
  CHECK_STR(print(ik_tree_declare(&a, "int", "i", NULL)), "int i;\n");
  CHECK_STR(print(ik_tree_assign(&a, n("s"), "+=", k(1))), "s += 1;\n");
  CHECK_STR(print(ik_tree_do(&a, ik_tree_call(&a, "f", 1, n("x")))), "f(x);\n");
  CHECK_STR(print(ik_tree_blank(&a)), "\n");
  end();
}

CASE(nested_statements) {
  begin();
  ik_tree *s = ik_tree_assign(&a, n("s"), "+=", n("i"));
  ik_tree *loop = ik_tree_for(&a, ik_tree_declare(&a, "int", "i", k(0)), op(n("i"), "<", n("n")),
                              ik_tree_assign(&a, n("i"), "+=", k(1)), block(s));
  ik_tree *bare =
      ik_tree_for(&a, NULL, n("x"), ik_tree_assign(&a, n("x"), "-=", k(1)), block(NULL));
  ik_tree *cases =
      ik_tree_if(&a, n("c"), block(loop), ik_tree_if(&a, n("d"), block(bare), block(s)));
  ik_tree *body = block(ik_tree_line(&a, "#define N 3"));
  ik_tree_add(&a, body, cases);
  ik_tree *f = ik_tree_function(&a, "void", "f", body);
  ik_tree_add(&a, f, ik_tree_declare(&a, "int", "n", NULL));
  ik_tree_add(&a, f, ik_tree_declare(&a, "float *", "u", NULL));
  CHECK_STR(print(f), "void f(int n, float *u) {\n"
                      "#define N 3\n"
                      "  if (c) {\n"
                      "    for (int i = 0; i < n; i += 1) {\n"
                      "      s += i;\n"
                      "    }\n"
                      "  } else if (d) {\n"
                      "    for (; x; x -= 1) {\n"
                      "    }\n"
                      "  } else {\n"
                      "    s += i;\n"
                      "  }\n"
                      "}\n");
  CHECK_STR(print(ik_tree_function(&a, "int", "g", block(NULL))), "int g(void) {\n}\n");
  end();
}

CASE(comments) {
  begin();
  CHECK_STR(print(ik_tree_comment(&a, "one line")), "/* one line */\n");
  CHECK_STR(print(ik_tree_comment(&a, "two\nlines")), "/* two\n * lines */\n");
  CHECK_STR(print(ik_tree_comment(&a, "a*/b")), "/* a* /b */\n");
  end();
}

/* No line is longer than 100, and nothing but blanks and new lines is added. */
CASE(long_lines_are_broken) {
  begin();
  ik_tree *call = ik_tree_call(&a, "function", 0), *sum = n("first");
  for (int i = 0; i < 40; i++) {
    ik_tree_add(&a, call, n("operand"));
    sum = op(sum, "+", ik_tree_call(&a, "g", 2, n("operand"), k(i)));
  }
  ik_tree *all[] = {ik_tree_do(&a, call), ik_tree_declare(&a, "double", "v", sum),
                    ik_tree_comment(&a, ik_arena_printf(&a, "%s", print(sum)))};
  for (int i = 0; i < 3; i++) {
    int column = 0, lines = 0;
    for (const char *t = print(all[i]); *t; t++) {
      column = *t == '\n' ? 0 : column + 1, lines += *t == '\n';
      CHECK(column <= 100);
    }
    CHECK(lines > 3);
  }
  CHECK(strncmp(print(all[0]), "function(operand, operand,", 26) == 0);
  CHECK(strstr(ik_buf_text(&text), "\n    operand, operand,") != NULL);
  end();
}

/* ---- names ---- */

CASE(names_are_clean_and_unique) {
  static const char *const reserved[] = {"x", NULL};
  ik_names                 s;
  begin();
  ik_names_init(&s, &a, reserved);
  CHECK_STR(ik_names_add(&s, "u"), "u");
  CHECK_STR(ik_names_add(&s, "u"), "u_2");
  CHECK_STR(ik_names_add(&s, "u_2"), "u_2_2");
  CHECK_STR(ik_names_add(&s, "x"), "x_2");
  CHECK_STR(ik_names_add(&s, "float"), "float_2");
  CHECK_STR(ik_names_add(&s, "u.psi_x"), "u_psi_x");
  CHECK_STR(ik_names_add(&s, "ik_ld_f32"), "a_ik_ld_f32");
  CHECK_STR(ik_names_add(&s, "NAN"), "NAN_");
  CHECK_STR(ik_names_add(&s, "3d"), "a_3d");
  for (int i = 0; i < 1000; i++) ik_names_add(&s, ik_arena_printf(&a, "v%d", i));
  CHECK_STR(ik_names_add(&s, "v999"), "v999_2");
  end();
}
