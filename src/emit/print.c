/* print.c: how C is written.  An expression is printed as far as it goes on a line; before an
 * operand that would reach beyond the margin, the line is broken.  Whether it would is found by
 * printing it to nowhere. */
#include "base/text.h"
#include "emit/tree.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MARGIN = 100, INDENT = 2, CONTINUATION = 4 };

typedef struct printer {
  ik_buf *out; /* NULL: only the column counts */
  int     indent, column;
} printer;

static void put(printer *p, const char *s) {
  if (p->out) ik_buf_puts(p->out, s);
  p->column += (int)strlen(s);
}

static void start(printer *p, int indent) {
  if (p->out) ik_buf_pad(p->out, ' ', indent);
  p->column = indent;
}

static void end(printer *p) {
  if (p->out) ik_buf_putc(p->out, '\n');
}

/* ---- numbers ---- */

static void put_int(printer *p, int64_t v) {
  char s[40];
  if (v == INT64_MIN) /* its magnitude is no constant of C */
    snprintf(s, sizeof s, "(-INT64_C(%" PRId64 ") - 1)", INT64_MAX);
  else if (v == INT32_MIN)
    snprintf(s, sizeof s, "(-%d - 1)", INT32_MAX);
  else if (v < INT32_MIN || v > INT32_MAX)
    snprintf(s, sizeof s, "%sINT64_C(%" PRId64 ")", v < 0 ? "-" : "", v < 0 ? -v : v);
  else
    snprintf(s, sizeof s, "%" PRId64, v);
  put(p, s);
}

/* The fewest digits that give back the float.  What is read is the text with f behind it, so it
 * must round to the float itself and not by way of a double. */
static void shortest_f32(float v, char s[40]) {
  if (v == truncf(v) && fabsf(v) < 1e7f) { /* %g would write 100 as 1e+02 */
    snprintf(s, 40, "%.0f", (double)v);
    return;
  }
  for (int digits = 1; digits <= 9; digits++) {
    ik_format(s, 40, "%.*g", digits, (double)v);
    double d = ik_strtod(s, NULL);
    if ((float)d == v && (float)nextafter(d, -INFINITY) == v && (float)nextafter(d, INFINITY) == v)
      return;
  }
}

/* False: no memory, and there is no number. */
static bool shortest_f64(double v, char s[40]) {
  ik_buf b = {0};
  ik_buf_double(&b, v);
  snprintf(s, 40, "%s", ik_buf_text(&b));
  bool ok = !b.failed;
  ik_buf_free(&b);
  return ok;
}

static void put_number(printer *p, ik_type t, double v) {
  char s[40];
  if (isnan(v) || isinf(v)) {
    put(p, isnan(v) ? "__builtin_nan(\"\")"
           : v < 0  ? "-__builtin_huge_val()"
                    : "__builtin_huge_val()");
    return;
  }
  if (t == IK_F32)
    shortest_f32((float)v, s);
  else if (!shortest_f64(v, s) && p->out)
    p->out->failed = true;
  put(p, s);
  if (!strpbrk(s, ".e")) put(p, ".0");
  if (t == IK_F32) put(p, "f");
}

/* ---- expressions ---- */

enum { LOGIC_OR = 1, LOGIC_AND, BITS, SAME, ORDER, SUM, PRODUCT, PREFIX, POSTFIX };

/* How tightly an operator binds.  Shifts stand with the bits: there, everything that is not plain
 * to see gets parentheses. */
static int binding(const char *op) {
  static const struct {
    const char *op;
    int         binding;
  } table[] = {{"||", LOGIC_OR}, {"&&", LOGIC_AND}, {"|", BITS},   {"^", BITS},  {"&", BITS},
               {"<<", BITS},     {">>", BITS},      {"==", SAME},  {"!=", SAME}, {"<", ORDER},
               {"<=", ORDER},    {">", ORDER},      {">=", ORDER}, {"+", SUM},   {"-", SUM},
               {"*", PRODUCT},   {"/", PRODUCT},    {"%", PRODUCT}};
  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    if (strcmp(table[i].op, op) == 0) return table[i].binding;
  IK_ASSERT(!"an operator of C");
  return 0;
}

static int binding_of(const ik_tree *e) {
  switch (e->kind) {
  case IK_TREE_CHOOSE: return 0;
  case IK_TREE_BINARY: return binding(e->text);
  case IK_TREE_CAST:
  case IK_TREE_UNARY: return PREFIX;
  case IK_TREE_INT: return e->whole < 0 ? PREFIX : POSTFIX;
  case IK_TREE_NUMBER: return signbit(e->value) ? PREFIX : POSTFIX;
  default: return POSTFIX;
  }
}

static void put_expr(printer *p, const ik_tree *e);

/* An operand that binds at least as tightly as `least`, else in parentheses. */
static void put_operand(printer *p, const ik_tree *e, int least) {
  bool bare = binding_of(e) >= least;
  if (!bare) put(p, "(");
  put_expr(p, e);
  if (!bare) put(p, ")");
}

/* A blank, or a new line if what follows does not fit on this one. */
static void put_gap(printer *p, const ik_tree *e, int least) {
  printer nowhere = {.column = p->column + 1};
  if (p->out) put_operand(&nowhere, e, least);
  if (!p->out || nowhere.column + 2 <= MARGIN) { /* and a comma or the like */
    put(p, " ");
  } else {
    end(p);
    start(p, p->indent + CONTINUATION);
  }
}

static void put_binary(printer *p, const ik_tree *e) {
  int own = binding(e->text), left = own, right = own + 1;
  if (own == BITS) left = right = PREFIX;
  if (own == LOGIC_OR || own == LOGIC_AND || own == SAME) right = SAME + (own == SAME);
  if (own == LOGIC_OR && binding_of(e->child[0]) == LOGIC_AND) left = SAME;
  put_operand(p, e->child[0], left);
  put(p, " ");
  put(p, e->text);
  put_gap(p, e->child[1], right);
  put_operand(p, e->child[1], right);
}

static void put_call(printer *p, const ik_tree *e) {
  put(p, e->text);
  put(p, "(");
  for (int i = 0; i < e->nchild; i++) {
    if (i) put(p, ","), put_gap(p, e->child[i], 0);
    put_expr(p, e->child[i]);
  }
  put(p, ")");
}

static void put_choose(printer *p, const ik_tree *e) {
  put_operand(p, e->child[0], LOGIC_OR);
  put(p, " ?");
  put_gap(p, e->child[1], LOGIC_OR);
  put_operand(p, e->child[1], LOGIC_OR);
  put(p, " :");
  put_gap(p, e->child[2], 0);
  put_operand(p, e->child[2], 0);
}

static void put_cast(printer *p, const ik_tree *e) {
  put(p, "(");
  put(p, e->type);
  put(p, ")");
  put_operand(p, e->child[0], PREFIX);
}

static void put_expr(printer *p, const ik_tree *e) {
  if (!p->out && p->column > MARGIN) return; /* that is all one wanted to know */
  switch (e->kind) {
  case IK_TREE_NAME: put(p, e->text); break;
  case IK_TREE_INT: put_int(p, e->whole); break;
  case IK_TREE_NUMBER: put_number(p, e->number, e->value); break;
  case IK_TREE_CALL: put_call(p, e); break;
  case IK_TREE_INDEX:
    put_operand(p, e->child[0], POSTFIX);
    put(p, "[");
    put_expr(p, e->child[1]);
    put(p, "]");
    break;
  case IK_TREE_MEMBER:
    put_operand(p, e->child[0], POSTFIX);
    put(p, "->");
    put(p, e->text);
    break;
  case IK_TREE_UNARY:
    put(p, e->text);
    put_operand(p, e->child[0], POSTFIX);
    break;
  case IK_TREE_BINARY: put_binary(p, e); break;
  case IK_TREE_CHOOSE: put_choose(p, e); break;
  case IK_TREE_CAST: put_cast(p, e); break;
  default: IK_ASSERT(!"an expression");
  }
}

/* ---- statements ---- */

static void put_stmt(printer *p, const ik_tree *s);

static void put_body(printer *p, const ik_tree *block) {
  put(p, "{");
  end(p);
  p->indent += INDENT;
  for (int i = 0; i < block->nchild; i++) put_stmt(p, block->child[i]);
  p->indent -= INDENT;
  start(p, p->indent);
  put(p, "}");
}

static void put_declaration(printer *p, const ik_tree *s) {
  size_t n = strlen(s->type);
  put(p, s->type);
  if (n && s->type[n - 1] != '*') put(p, " ");
  put(p, s->text);
}

/* A statement without its semicolon, as it also stands in the head of a `for`. */
static void put_simple(printer *p, const ik_tree *s) {
  bool declares = s->kind == IK_TREE_DECLARE;
  if (s->kind == IK_TREE_DO) {
    put_expr(p, s->child[0]);
    return;
  }
  const ik_tree *value = s->child[declares ? 0 : 1];
  if (declares)
    put_declaration(p, s);
  else
    put_expr(p, s->child[0]);
  if (!value) return;
  put(p, " ");
  put(p, declares ? "=" : s->text);
  put(p, " ");
  put_expr(p, value);
}

static void put_for(printer *p, const ik_tree *s) {
  put(p, "for (");
  if (s->child[0]) put_simple(p, s->child[0]);
  put(p, "; ");
  put_expr(p, s->child[1]);
  put(p, "; ");
  put_simple(p, s->child[2]);
  put(p, ") ");
  put_body(p, s->child[3]);
}

static void put_if(printer *p, const ik_tree *s) {
  put(p, "if (");
  put_expr(p, s->child[0]);
  put(p, ") ");
  put_body(p, s->child[1]);
  if (!s->child[2]) return;
  put(p, " else ");
  if (s->child[2]->kind == IK_TREE_IF)
    put_if(p, s->child[2]);
  else
    put_body(p, s->child[2]);
}

static void put_function(printer *p, const ik_tree *s) {
  put_declaration(p, s);
  put(p, "(");
  if (s->nchild == 1) put(p, "void");
  for (int i = 1; i < s->nchild; i++) {
    if (i > 1) put(p, ", ");
    put_declaration(p, s->child[i]);
  }
  put(p, ") ");
  put_body(p, s->child[0]);
}

/* One word of a comment, in which no comment may end. */
static void put_word(printer *p, const char *s, int n) {
  for (int i = 0; i < n; i++) {
    if (p->out) ik_buf_putc(p->out, s[i]);
    if (p->out && s[i] == '*' && i + 1 < n && s[i + 1] == '/') ik_buf_putc(p->out, ' ');
  }
  p->column += n;
}

static void put_comment_line(printer *p) {
  end(p);
  start(p, p->indent);
  put(p, " *");
}

static void put_comment(printer *p, const ik_tree *s) {
  bool begun = false; /* the line has a word */
  put(p, "/*");
  for (const char *t = s->text; *t;) {
    int n = (int)strcspn(t, " \n");
    if (begun && p->column + 1 + n + 3 > MARGIN) put_comment_line(p);
    if (n) put(p, " "), put_word(p, t, n), begun = true;
    t += n;
    if (*t == '\n') put_comment_line(p), begun = false;
    if (*t) t++;
  }
  put(p, " */");
}

static void put_stmt(printer *p, const ik_tree *s) {
  bool flush = s->kind == IK_TREE_LINE || s->kind == IK_TREE_BLANK;
  start(p, flush ? 0 : p->indent);
  switch (s->kind) {
  case IK_TREE_BLOCK: put_body(p, s); break;
  case IK_TREE_FUNCTION: put_function(p, s); break;
  case IK_TREE_FOR: put_for(p, s); break;
  case IK_TREE_IF: put_if(p, s); break;
  case IK_TREE_COMMENT: put_comment(p, s); break;
  case IK_TREE_LINE: put(p, s->text); break;
  case IK_TREE_BLANK: break;
  default: put_simple(p, s), put(p, ";");
  }
  end(p);
}

void ik_tree_print(const ik_tree *t, ik_buf *out) {
  printer p = {.out = out};
  if (t->kind < IK_TREE_BLOCK)
    put_expr(&p, t);
  else
    put_stmt(&p, t);
}
