#include "text.h"
#include <stdlib.h>

/* ---- trees ---- */

static void dump(const char *s, ik_buf *out) {
  text t;
  text_parse(&t, s);
  if (t.status)
    ik_diag_render(&t.diag, false, out);
  else
    ik_lang_dump(&t.tree, out);
  text_free(&t);
}

static bool same_tree(const char *a, const char *b) {
  ik_buf da = {0}, db = {0};
  dump(a, &da), dump(b, &db);
  bool same = strcmp(ik_buf_text(&da), ik_buf_text(&db)) == 0 && !strstr(ik_buf_text(&da), "error");
  if (!same) fprintf(stderr, "%s\n%s\n%s\n%s\n", a, ik_buf_text(&da), b, ik_buf_text(&db));
  ik_buf_free(&da), ik_buf_free(&db);
  return same;
}

CASE(precedence) {
  CHECK(same_tree("u = -a^2", "u = -(a^2)"));
  CHECK(same_tree("u = -a*b", "u = (-a)*b"));
  CHECK(same_tree("u = a^b^c", "u = a^(b^c)"));
  CHECK(same_tree("u = a^-b^c", "u = a^(-(b^c))"));
  CHECK(same_tree("u = a - b - c", "u = (a - b) - c"));
  CHECK(same_tree("u = a/b*c", "u = (a/b)*c"));
  CHECK(same_tree("u = a + b*c < d", "u = (a + (b*c)) < d"));
  CHECK(same_tree("u = not a < b and c", "u = (not (a < b)) and c"));
  CHECK(same_tree("u = a or b and c", "u = a or (b and c)"));
  CHECK(same_tree("u = if a then b else if c then d else e + f",
                  "u = if a then b else (if c then d else (e + f))"));
  CHECK(same_tree("u = a'[1]^2", "u = ((a')[1])^2"));
  CHECK(same_tree("u = a*-b", "u = a*(-b)"));
  CHECK(same_tree("u = v[+1,0]", "u = v[1,0]"));
}

CASE(lines_and_semicolons) {
  CHECK(same_tree("u = a\n+ b", "u = a + b"));
  CHECK(same_tree("u = a +\n\n# why\nb", "u = a + b"));
  CHECK(same_tree("u = a;v = b", "u = a\nv = b"));
  CHECK(same_tree("u = 1;;\n;v = 2;", "u = 1\nv = 2"));
  CHECK(same_tree("step 3{u' = a}v = 1", "step 3\n{\nu' = a;\n}\nv = 1"));
  CHECK(same_tree("boundary u { -x = 0\n+x = 1 }", "boundary u { -x = 0; +x = 1 }"));
  CHECK(same_tree("boundary u { -x = 0\n+ a }", "boundary u { -x = 0 + a }"));
}

CASE(words_are_names_elsewhere) {
  CHECK(same_tree("on = at + line*into", "on = (at) + (line*into)"));
  CHECK(same_tree("u = f(step = 3)", "u = f( step=3 )"));
  CHECK(same_tree("u = 2 * m", "u = 2*(m)")); /* behind an operator m is a name */
}

static double value_of(const char *s) {
  text    t;
  ik_ast *e = NULL;
  text_open(&t, s, strlen(s));
  t.status = ik_lang_parse_expr(&t.src, &t.arena, &t.diag, &e);
  double v = t.status == IK_OK && e->kind == IK_AST_NUMBER ? e->value : NAN;
  text_free(&t);
  return v;
}

/* A value with a unit is the one that the scaled decimal would be, to the last bit. */
CASE(numbers) {
  CHECK(value_of("0.8 ms") == 0.8e-3);
  CHECK(value_of("0.3 us") == 0.3e-6);
  CHECK(value_of("1.5e3km") == 1.5e6);
  CHECK(value_of("7 percent") == 0.07);
  CHECK(value_of("2 min") == 120);
  CHECK(value_of("2.9 GPa") == 2.9e9);
  CHECK(value_of("1.7976931348623157e308") == 1.7976931348623157e308);
  CHECK(value_of("5e-324") == 5e-324);
  CHECK(value_of("0e999") == 0);
  CHECK(value_of("0.0000000001e+310") == 1e300);
  CHECK(isnan(value_of("1e309")) && isnan(value_of("1e-400")) && isnan(value_of("1 2")));
}

CASE(dump_of_a_small_program) {
  ik_buf b = {0};
  dump("grid x = 8 m if a, spacing = 2\nstep 3 { u' = lap(u, order = 8)[t-1] on x = 0 .. 1 }", &b);
  CHECK_STR(ik_buf_text(&b), "grid\n"
                             "  name x\n"
                             "    number 8 (8 m)\n"
                             "    and: name a\n"
                             "  spacing: number 2\n"
                             "step\n"
                             "  value: number 3\n"
                             "  assign\n"
                             "    region x\n"
                             "      number 0\n"
                             "      and: number 1\n"
                             "    target: prime\n"
                             "      name u\n"
                             "    value: index\n"
                             "      call lap\n"
                             "        name u\n"
                             "        order = number 8\n"
                             "      binary -\n"
                             "        name t\n"
                             "        number 1\n");
  ik_buf_free(&b);
}

CASE(items) {
  text t;
  text_parse(&t, text_everything);
  CHECK_EQ(t.status, IK_OK);
  int count[IK_ITEM_SWEEP + 1] = {0};
  for (const ik_item *it = t.tree.items; it; it = it->next) {
    count[it->kind]++;
    CHECK(it->span.src == &t.src && it->span.len > 0);
    if (it->kind == IK_ITEM_RECEIVER && it->to) {
      CHECK_STR(it->path, "shot.segy");
      CHECK(it->every && it->count && it->every->value == 2 && it->count->value == 31);
    }
    if (it->kind == IK_ITEM_BOUNDARY && it->faces->next) {
      CHECK_EQ(it->faces->sign, -1);
      CHECK_EQ(it->faces->next->sign, 1);
    } else if (it->kind == IK_ITEM_BOUNDARY)
      CHECK_STR(it->faces->text, "");
    if (it->kind != IK_ITEM_STEP) continue;
    const ik_item *sweep = it->body;
    while (sweep->kind != IK_ITEM_SWEEP) sweep = sweep->next;
    CHECK_EQ(sweep->names->sign, 1);
    CHECK_EQ(sweep->names->next->sign, -1);
    CHECK_EQ(sweep->body->at, IK_AT_FIRST);
    CHECK_EQ(sweep->body->next->at, IK_AT_WITHIN);
    CHECK_EQ(sweep->body->next->next->next->at, IK_AT_LAST);
  }
  for (int k = 0; k <= IK_ITEM_SWEEP; k++) {
    int inner = k == IK_ITEM_ASSIGN || k == IK_ITEM_SWEEP;
    if (!inner) CHECK(count[k] > 0);
  }
  CHECK_EQ(count[IK_ITEM_PARAM], 2);
  text_free(&t);
}

/* ---- mistakes ---- */

typedef struct mistake {
  const char *text;
  ik_code     code;
  int         line, col;
  const char *remedy; /* the line that the help proposes; NULL: the help is no line */
} mistake;

/* The text with the line of the message replaced by its help. */
static void pasted(const text *t, const char *remedy, ik_buf *out) {
  int         off = t->diag.msg[0].span.off;
  const char *s = t->src.text, *end = s + t->src.len, *b = s + off, *e = s + off;
  while (b > s && b[-1] != '\n') b--;
  while (e < end && *e != '\n') e++;
  ik_buf_write(out, s, (size_t)(b - s));
  ik_buf_puts(out, remedy);
  ik_buf_write(out, e, (size_t)(end - e));
}

static void check_remedy(const text *t, const mistake *m) {
  const char *help = ik_buf_text(&t->diag.msg[0].help);
  if (!m->remedy) {
    CHECK(*help);
    return;
  }
  CHECK(strncmp(help, "write  ", 7) == 0);
  CHECK_STR(help + 7, m->remedy);
  ik_buf fixed = {0};
  pasted(t, m->remedy, &fixed);
  text again;
  text_parse(&again, ik_buf_text(&fixed));
  if (again.status) check_fail(__FILE__, __LINE__, "the remedy fails:\n%s", ik_buf_text(&fixed));
  text_free(&again);
  ik_buf_free(&fixed);
}

/* One message, with this code, at this place, and a remedy that works. */
static void check_mistake(const mistake *m) {
  text t;
  int  line = 0, col = 0;
  text_parse(&t, m->text);
  if (t.diag.nerror) ik_source_position(&t.src, t.diag.msg[0].span.off, &line, &col);
  bool right = t.status == IK_ERR_SOURCE && t.diag.nerror == 1 && t.diag.msg[0].code == m->code &&
               line == m->line && col == m->col;
  if (right)
    check_remedy(&t, m);
  else {
    ik_buf b = {0};
    ik_diag_render(&t.diag, false, &b);
    check_fail(__FILE__, __LINE__, "%s\ngives\n%s", m->text, ik_buf_text(&b));
    ik_buf_free(&b);
  }
  text_free(&t);
}

#define CHECK_MISTAKES(table)                                                                      \
  for (size_t i_ = 0; i_ < sizeof(table) / sizeof *(table); i_++) check_mistake(&(table)[i_])

CASE(wrong_characters) {
  static const mistake m[] = {
      {"u = a ** 2", IK_E001, 1, 7, "u = a ^ 2"},
      {"u = a && b", IK_E001, 1, 7, "u = a and b"},
      {"u = a||b", IK_E001, 1, 6, "u = a or b"},
      {"u = !a", IK_E001, 1, 5, "u = not a"},
      {"param a := 1", IK_E001, 1, 9, "param a = 1"},
      {"step 2 {\n  u' += 1\n}", IK_E001, 2, 6, "u' = u + 1"},
      {"// words\nu = 1", IK_E001, 1, 1, "# words"},
      {"/* words */\nu = 1", IK_E001, 1, 1, NULL},
      {"u = a.next", IK_E001, 1, 6, "u = a'"},
      {"u.next = a", IK_E001, 1, 2, "u' = a"},
      {"u = a.prev*2", IK_E001, 1, 6, "u = a[t-1]*2"},
      {"u = np.exp(a)", IK_E001, 1, 7, "u = exp(a)"},
      {"u = a ? b : c", IK_E001, 1, 7, NULL},
      {"param \xce\x94t = 1 ms", IK_E001, 1, 7, "param Deltat = 1 ms"},
      {"param d = 5 \xc2\xb5m", IK_E001, 1, 13, "param d = 5 um"},
      {"u = a \xc3\x97 b", IK_E001, 1, 7, "u = a * b"},
      {"u = a\xe2\x88\x92"
       "b",
       IK_E001, 1, 6, "u = a-b"},
      {"u = a $ b", IK_E001, 1, 7, NULL},
      {"u = \x01 b", IK_E001, 1, 5, NULL},
      {"u = \xff b", IK_E001, 1, 5, NULL},
      {"output u into \"a\\b\"", IK_E001, 1, 17, "output u into \"a\\\\b\""},
  };
  CHECK_MISTAKES(m);
}

CASE(something_else_expected) {
  static const mistake m[] = {
      {"param dt 0.8 ms", IK_E002, 1, 10, "param dt = 0.8 ms"},
      {"param dt: 3", IK_E002, 1, 9, "param dt = 3"},
      {"param dt == 3", IK_E002, 1, 10, "param dt = 3"},
      {"param dt =", IK_E002, 1, 11, "param dt = 0"},
      {"u = a +\nparam b = 1", IK_E002, 1, 8, "u = a"},
      {"u = a +\nv = b", IK_E002, 1, 8, "u = a"},
      {"u = a + * b", IK_E002, 1, 9, "u = a + b"},
      {"u = a < b < c", IK_E002, 1, 11, "u = a < b and b < c"},
      {"u = if a = b then 1 else 2", IK_E002, 1, 10, "u = if a == b then 1 else 2"},
      {"u = if a then 1", IK_E002, 1, 16, "u = if a then 1 else 0"},
      {"u = if a 1 else 2", IK_E002, 1, 10, "u = if a then 1 else 2"},
      {"u = 1 + if a then b else c", IK_E002, 1, 9, "u = 1 + (if a then b else c)"},
      {"u = a == not b", IK_E002, 1, 10, "u = a == (not b)"},
      {"u = 2(a+b)", IK_E002, 1, 6, "u = 2*(a+b)"},
      {"u = a b", IK_E002, 1, 7, "u = a*b"},
      {"u = 3 v = 4", IK_E002, 1, 7, "u = 3; v = 4"},
      {"u = f(a b)", IK_E002, 1, 9, "u = f(a, b)"},
      {"u = f(a,)", IK_E002, 1, 8, "u = f(a)"},
      {"u = a)", IK_E002, 1, 6, "u = a"},
      {"u = 1\n}", IK_E002, 2, 1, NULL},
      {"field u f64", IK_E002, 1, 9, "field u : f64"},
      {"field u = 3", IK_E002, 1, 9, "field u : f64 = 3"},
      {"feild u : f64", IK_E002, 1, 1, "field u : f64"},
      {"stpe 3 { u' = u }", IK_E002, 1, 1, "step 3 { u' = u }"},
      {"f(x) = 3*x", IK_E002, 1, 1, "def f(x) = 3*x"},
      {"for i = 1", IK_E002, 1, 1, NULL},
      {"u : f64", IK_E002, 1, 1, "field u : f64"},
      {"boundary u 0", IK_E002, 1, 12, "boundary u = 0"},
      {"boundary u { -x = 0, +x = 1 }", IK_E002, 1, 20, "boundary u { -x = 0; +x = 1 }"},
      {"init u' = 0", IK_E002, 1, 6, "init u = 0"},
      {"u[1,0] = 0", IK_E002, 1, 1, "u' = 0"},
      {"source at 3 into u", IK_E002, 1, 8, "source ricker(f = 10 Hz) at 3 into u"},
      {"source f(a) (1,2) into u", IK_E002, 1, 13, "source f(a) at (1,2) into u"},
      {"source 1 at (1,2) u", IK_E002, 1, 19, "source 1 at (1,2) into u"},
      {"receiver u at 1 .. 3 into \"f\"", IK_E002, 1, 17, "receiver u at line 1 .. 3 into \"f\""},
      {"receiver u at 1 into f.npy", IK_E002, 1, 22, "receiver u at 1 into \"f.npy\""},
      {"output u every 3", IK_E002, 1, 17, "output u every 3 into \"out.npy\""},
      {"output u into \"a\" into \"b\"", IK_E002, 1, 19, NULL},
      {"step { u' = u }", IK_E002, 1, 6, "step 100 { u' = u }"},
      {"repeat until a < 3 { u = 1 }", IK_E002, 1, 20, "repeat until a < 3 max 1000 { u = 1 }"},
      {"sweep z { u = 1 }", IK_E002, 1, 9, "sweep z up { u = 1 }"},
      {"sweep z up { first { u = 1 } }", IK_E002, 1, 14, "sweep z up { at first { u = 1 } }"},
      {"u = 1 on interior", IK_E002, 1, 10, "u = 1 on interior(1)"},
      {"arithmetic fast", IK_E002, 1, 12, NULL},
      {"if a then b else c", IK_E002, 1, 1, NULL},
  };
  CHECK_MISTAKES(m);
}

CASE(brackets_and_strings_left_open) {
  static const mistake m[] = {
      {"u = (a + b\nv = 1", IK_E003, 1, 11, "u = (a + b)"},
      {"u = f(a, b", IK_E003, 1, 11, "u = f(a, b)"},
      {"u = v[1, 0\nw = f(a)", IK_E003, 1, 11, "u = v[1, 0]"},
      {"u = (a + b]", IK_E003, 1, 11, "u = (a + b)"},
      {"step 3 {\n  u' = u\nfield v : f64", IK_E003, 1, 8, NULL},
      {"step 3 {\n  sweep x up { u = 1\n", IK_E003, 2, 14, NULL},
      {"boundary u { x = 0\nfield v : f64", IK_E003, 1, 12, NULL},
      {"output u into \"abc\nu = 1", IK_E003, 1, 15, "output u into \"abc\""},
  };
  CHECK_MISTAKES(m);
}

CASE(numbers_units_versions_names_places) {
  static const mistake m[] = {
      {"u = 1e999", IK_E004, 1, 5, "u = 1e308"},
      {"u = 1e-999", IK_E004, 1, 5, "u = 0"},
      {"u = 1_000", IK_E004, 1, 5, "u = 1000"},
      {"u = 0x1F", IK_E004, 1, 5, "u = 31"},
      {"u = 2e + 3", IK_E004, 1, 5, "u = 2e0 + 3"},
      {"u = 1.2.3", IK_E004, 1, 5, NULL},
      {"language 2", IK_E006, 1, 10, "language 1"},
      {"param step = 3", IK_E012, 1, 7, "param step_ = 3"},
      {"source = 3", IK_E012, 1, 1, "source_ = 3"},
      {"u = field + 1", IK_E012, 1, 5, "u = field_ + 1"},
      {"param if = 3", IK_E012, 1, 7, "param if_ = 3"},
      {"u = 2 u", IK_E013, 1, 7, "u = 2*u"},
      {"u = 2u[1]", IK_E013, 1, 6, "u = 2*u[1]"},
      {"u = 15 hz", IK_E013, 1, 8, "u = 15 Hz"},
      {"u = 5 prcent", IK_E013, 1, 7, "u = 5 percent"},
      {"u = 0.5f", IK_E013, 1, 8, "u = 0.5"},
      {"step 3 { field v : f64 }", IK_E050, 1, 10, NULL},
      {"step 3 { step 4 { u' = u } }", IK_E050, 1, 10, NULL},
      {"sweep x up { scalar a = 1 }", IK_E050, 1, 14, NULL},
      {"at first { u = 1 }", IK_E050, 1, 1, NULL},
  };
  CHECK_MISTAKES(m);
}

/* What follows a mistake is still read: each of these lines has its own message and no other. */
CASE(several_mistakes_in_one_run) {
  text t;
  text_parse(&t, "grid x 10\n"
                 "param a = (1 + 2\n"
                 "field u\n"
                 "step 10 {\n"
                 "  u' = a **  2 b\n"
                 "  v' = f(a,\n"
                 "         order = * 3)\n"
                 "  w' = u\n"
                 "  q q\n"
                 "}\n"
                 "boundary u { -x = ; +x = 1 1\n"
                 "  y = 0 }\n"
                 "output u int \"f\"\n");
  static const int lines[] = {1, 2, 3, 5, 5, 7, 9, 11, 11, 13};
  CHECK_EQ(t.diag.nmsg, (int)(sizeof lines / sizeof *lines));
  for (int i = 0; i < t.diag.nmsg && i < (int)(sizeof lines / sizeof *lines); i++) {
    int line, col;
    ik_source_position(&t.src, t.diag.msg[i].span.off, &line, &col);
    CHECK_EQ(line, lines[i]);
    CHECK(t.diag.msg[i].help.len > 0);
  }
  text_free(&t);
}

CASE(notes_point_at_the_opening_bracket) {
  text t;
  text_parse(&t, "u = f(a,\n  b\nv = 1");
  CHECK_EQ(t.diag.nerror, 1);
  CHECK_EQ(t.diag.msg[0].nnote, 1);
  CHECK_EQ(t.diag.msg[0].note[0].span.off, 5);
  text_free(&t);
}

/* ---- limits ---- */

/* `unit` repeated to a long text. */
static ik_status parse_repeated(const char *unit, ik_code *first) {
  enum { SIZE = 1 << 18 };
  char  *s = ik_malloc(SIZE);
  size_t n = strlen(unit);
  for (size_t i = 0; i < SIZE; i++) s[i] = unit[i % n];
  text t;
  text_open(&t, s, SIZE);
  ik_free(s);
  t.status = ik_lang_parse(&t.src, &t.arena, &t.diag, &t.tree);
  *first = t.diag.nmsg ? t.diag.msg[0].code : IK_NCODES;
  ik_status status = t.status;
  text_free(&t);
  return status;
}

CASE(nothing_overflows_the_stack) {
  static const char *const units[] = {
      "(",
      "[",
      "{",
      ")",
      "u = (",
      "u = f(",
      "u = -",
      "-",
      "u = not ",
      "u = a^",
      "u = a+",
      "u[",
      "'",
      "step 1 {",
      "sweep x up {",
      "boundary u {",
      "if a then ",
      "\n",
      "#",
      "\"",
      "1 m*",
      "at first {",
      "f(x)(",
      "u = 1 m/",
      "/*",
      "a.b.",
      "field\nf((",
      ";",
      "..",
      "\xff",
      "\xc3\x97",
  };
  for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
    ik_code   code;
    ik_status s = parse_repeated(units[i], &code);
    bool      blank = strchr("\n#;", units[i][0]) != NULL;
    CHECK_EQ(s, blank ? IK_OK : IK_ERR_SOURCE);
  }
}

/* `open` n times, then `mid`, then `close` n times, behind "u = ". */
static ik_code nested(const char *open, const char *mid, const char *close, int n) {
  ik_buf b = {0};
  ik_buf_puts(&b, "u = ");
  for (int i = 0; i < n; i++) ik_buf_puts(&b, open);
  ik_buf_puts(&b, mid);
  for (int i = 0; i < n; i++) ik_buf_puts(&b, close);
  text t;
  text_parse(&t, ik_buf_text(&b));
  ik_code code = t.diag.nmsg ? t.diag.msg[0].code : IK_NCODES;
  CHECK(t.diag.nmsg <= 1);
  text_free(&t);
  ik_buf_free(&b);
  return code;
}

CASE(depth) {
  CHECK_EQ(nested("(", "a", ")", 199), IK_NCODES);
  CHECK_EQ(nested("(", "a", ")", 200), IK_E005);
  CHECK_EQ(nested("f(", "a", ")", 199), IK_NCODES);
  CHECK_EQ(nested("[", "a", "]", 1000), IK_E005);
  CHECK_EQ(nested("-", "a", "", 1000), IK_E005);
  CHECK_EQ(nested("a^", "a", "", 1000), IK_E005);
  CHECK_EQ(nested("", "a", "+a", 1900), IK_NCODES);
  CHECK_EQ(nested("", "a", "+a", 2100), IK_E005);
  CHECK_EQ(nested("", "a", "'", 2100), IK_E005);
}

CASE(size) {
  enum { SIZE = (1 << 20) + 1 };
  char *s = ik_malloc(SIZE);
  memset(s, ' ', SIZE);
  text t;
  text_open(&t, s, SIZE);
  CHECK_EQ(ik_lang_parse(&t.src, &t.arena, &t.diag, &t.tree), IK_ERR_SOURCE);
  CHECK_EQ(t.diag.msg[0].code, IK_E005);
  ik_diag_free(&t.diag);
  t.src.len--;
  CHECK_EQ(ik_lang_parse(&t.src, &t.arena, &t.diag, &t.tree), IK_OK);
  text_free(&t);
  ik_free(s);
}

CASE(one_expression) {
  CHECK(value_of("12") == 12);
  text    t;
  ik_ast *e;
  text_open(&t, "a b", 3);
  CHECK_EQ(ik_lang_parse_expr(&t.src, &t.arena, &t.diag, &e), IK_ERR_SOURCE);
  text_free(&t);
  text_open(&t, "", 0);
  CHECK_EQ(ik_lang_parse_expr(&t.src, &t.arena, &t.diag, &e), IK_ERR_SOURCE);
  CHECK_EQ(t.diag.msg[0].code, IK_E002);
  text_free(&t);
}

/* ---- printing ---- */

static void print(const char *s, ik_buf *out) {
  text    t;
  ik_ast *e = NULL;
  text_open(&t, s, strlen(s));
  if (ik_lang_parse_expr(&t.src, &t.arena, &t.diag, &e) == IK_OK)
    ik_lang_print_expr(e, out);
  else
    ik_diag_render(&t.diag, false, out);
  text_free(&t);
}

CASE(prints_with_few_brackets) {
  static const char *const pairs[][2] = {
      {"((2*u)-(u[t-1]))+((c*dt)^2)*lap(u,order=8)", "2*u - u[t-1] + (c*dt)^2*lap(u, order = 8)"},
      {"a-(b-c)", "a - (b - c)"},
      {"(a^b)^c", "(a^b)^c"},
      {"a^(b^c)", "a^b^c"},
      {"(-a)^2", "(-a)^2"},
      {"-(a^2)", "-a^2"},
      {"-(a*b)", "-(a*b)"},
      {"10 m / s", "10 m / s"},
      {"(10 m)^2", "(10 m)^2"},
      {"10 m/s", "10 m/s"},
      {"not (a<b) and (c or d)", "not a < b and (c or d)"},
      {"(if a then b else c)+1", "(if a then b else c) + 1"},
      {"u[ -1, t - 1 ]'", "u[-1,t-1]'"},
      {"(2)[1]", "(2)[1]"},
      {"(a,[b,c])", "(a, [b, c])"},
      {"(a<b)==c", "(a < b) == c"},
      {"file(\"a\\\"b\\\\\")", "file(\"a\\\"b\\\\\")"},
  };
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
    ik_buf once = {0}, twice = {0};
    print(pairs[i][0], &once);
    CHECK_STR(ik_buf_text(&once), pairs[i][1]);
    print(ik_buf_text(&once), &twice);
    CHECK_STR(ik_buf_text(&twice), pairs[i][1]);
    ik_buf_free(&once), ik_buf_free(&twice);
  }
}

/* A random tree, written with every bracket. */
static void random_expr(ik_buf *out, int depth, unsigned *seed) {
  static const char *const infix[] = {"+", "-", " * ", " / ", " ^ ", "<", "==", " and ", " or "};
  *seed = *seed * 1664525u + 1013904223u;
  unsigned pick = *seed >> 24;
  if (!depth || pick < 60) {
    static const char *const leaf[] = {"a", "2", "3 m", "u[t-1]", "f(b, c)", "4 s^2", "w'"};
    ik_buf_puts(out, leaf[pick % 7]);
    return;
  }
  ik_buf_putc(out, '(');
  if (pick < 90) ik_buf_puts(out, pick & 1 ? "-" : "not ");
  if (pick >= 240) {
    ik_buf_puts(out, "if ");
    random_expr(out, depth - 1, seed);
    ik_buf_puts(out, " then ");
    random_expr(out, depth - 1, seed);
    ik_buf_puts(out, " else ");
  } else if (pick >= 90) {
    random_expr(out, depth - 1, seed);
    ik_buf_puts(out, infix[pick % 9]);
  }
  random_expr(out, depth - 1, seed);
  ik_buf_putc(out, ')');
}

CASE(printed_expressions_read_back) {
  unsigned seed = 1;
  for (int i = 0; i < 2000; i++) {
    ik_buf full = {0}, brief = {0}, a = {0}, b = {0};
    random_expr(&full, 6, &seed);
    print(ik_buf_text(&full), &brief);
    ik_buf_puts(&a, "u = "), ik_buf_puts(&b, "u = ");
    ik_buf_puts(&a, ik_buf_text(&full)), ik_buf_puts(&b, ik_buf_text(&brief));
    CHECK(same_tree(ik_buf_text(&a), ik_buf_text(&b)));
    ik_buf_free(&full), ik_buf_free(&brief), ik_buf_free(&a), ik_buf_free(&b);
  }
}
