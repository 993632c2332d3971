#include "lang/ast.h"
#include <string.h>

/* ---- expressions as source text ---- */

/* How tightly an expression binds; the levels of the grammar. */
enum { LOOSEST, OR, AND, NOT, COMPARE, ADD, MULTIPLY, UNARY, POWER, OPERAND };

static const struct {
  const char *text;
  int         level;
} operators[] = {
    [IK_AST_NEG] = {"-", UNARY},   [IK_AST_NOT] = {"not ", NOT},   [IK_AST_ADD] = {"+", ADD},
    [IK_AST_SUB] = {"-", ADD},     [IK_AST_MUL] = {"*", MULTIPLY}, [IK_AST_DIV] = {"/", MULTIPLY},
    [IK_AST_POW] = {"^", POWER},   [IK_AST_LT] = {"<", COMPARE},   [IK_AST_LE] = {"<=", COMPARE},
    [IK_AST_GT] = {">", COMPARE},  [IK_AST_GE] = {">=", COMPARE},  [IK_AST_EQ] = {"==", COMPARE},
    [IK_AST_NE] = {"!=", COMPARE}, [IK_AST_AND] = {"and", AND},    [IK_AST_OR] = {"or", OR},
};

static int level_of(const ik_ast *e) {
  if (e->kind == IK_AST_IF) return LOOSEST;
  if (e->kind == IK_AST_UNARY || e->kind == IK_AST_BINARY) return operators[e->op].level;
  return OPERAND;
}

/* Whether the text of `e` ends in a unit, which would swallow a `/s` written behind it. */
static bool ends_in_unit(const ik_ast *e, int least) {
  if (level_of(e) < least) return false; /* in brackets */
  if (e->kind == IK_AST_NUMBER) return e->unit != NULL;
  if (e->kind == IK_AST_UNARY) return ends_in_unit(e->a, UNARY);
  if (e->kind == IK_AST_BINARY && e->op == IK_AST_POW) return ends_in_unit(e->b, UNARY);
  return e->kind == IK_AST_BINARY && ends_in_unit(e->b, operators[e->op].level + 1);
}

/* `tight`: sums without spaces, as in u[t-1]. */
static void print(const ik_ast *e, int least, bool tight, ik_buf *out);

static void print_args(const ik_ast *first, char open, char close, bool tight, ik_buf *out) {
  ik_buf_putc(out, open);
  for (const ik_ast *e = first; e; e = e->next) {
    if (e != first) ik_buf_puts(out, tight ? "," : ", ");
    if (e->label) ik_buf_printf(out, "%s = ", e->label);
    print(e, LOOSEST, tight, out);
  }
  ik_buf_putc(out, close);
}

static void print_string(const char *s, ik_buf *out) {
  ik_buf_putc(out, '"');
  for (; *s; s++) {
    if (*s == '"' || *s == '\\') ik_buf_putc(out, '\\');
    ik_buf_putc(out, *s);
  }
  ik_buf_putc(out, '"');
}

static void print_number(const ik_ast *e, ik_buf *out) {
  if (e->digits)
    ik_buf_puts(out, e->digits);
  else
    ik_buf_double(out, e->value);
  if (e->digits && e->unit) ik_buf_printf(out, " %s", e->unit);
}

static void print_binary(const ik_ast *e, bool tight, ik_buf *out) {
  int  level = operators[e->op].level;
  bool power = e->op == IK_AST_POW;
  int  left = power ? POWER + 1 : level == COMPARE ? ADD : level;
  if (power && e->a->kind == IK_AST_NUMBER && e->a->unit) left = OPERAND + 1; /* (2 m)^2 */
  print(e->a, left, tight, out);
  bool close = power || (level == MULTIPLY && !ends_in_unit(e->a, left)) || (tight && level == ADD);
  ik_buf_printf(out, close ? "%s" : " %s ", operators[e->op].text);
  print(e->b, power ? UNARY : level + 1, tight, out);
}

/* What offsets or a prime follow: `(2)[1]`, because `2[1]` is none. */
static void print_base(const ik_ast *e, bool tight, ik_buf *out) {
  print(e, e->kind == IK_AST_NUMBER ? OPERAND + 1 : OPERAND, tight, out);
}

static void print_bare(const ik_ast *e, bool tight, ik_buf *out) {
  switch (e->kind) {
  case IK_AST_NUMBER: print_number(e, out); break;
  case IK_AST_STRING: print_string(e->name, out); break;
  case IK_AST_NAME: ik_buf_puts(out, e->name); break;
  case IK_AST_CALL:
    ik_buf_puts(out, e->name);
    print_args(e->args, '(', ')', false, out);
    break;
  case IK_AST_INDEX:
    print_base(e->a, tight, out);
    print_args(e->args, '[', ']', true, out);
    break;
  case IK_AST_PRIME:
    print_base(e->a, tight, out);
    ik_buf_putc(out, '\'');
    break;
  case IK_AST_UNARY:
    ik_buf_puts(out, operators[e->op].text);
    print(e->a, e->op == IK_AST_NOT ? NOT : UNARY, tight, out);
    break;
  case IK_AST_BINARY: print_binary(e, tight, out); break;
  case IK_AST_IF:
    ik_buf_puts(out, "if ");
    print(e->a, LOOSEST, false, out);
    ik_buf_puts(out, " then ");
    print(e->b, LOOSEST, false, out);
    ik_buf_puts(out, " else ");
    print(e->c, LOOSEST, false, out);
    break;
  case IK_AST_TUPLE: print_args(e->args, '(', ')', false, out); break;
  case IK_AST_LIST: print_args(e->args, '[', ']', false, out); break;
  }
}

static void print(const ik_ast *e, int least, bool tight, ik_buf *out) {
  bool brackets = level_of(e) < least || least > OPERAND;
  if (brackets) ik_buf_putc(out, '(');
  print_bare(e, tight, out);
  if (brackets) ik_buf_putc(out, ')');
}

void ik_lang_print_expr(const ik_ast *e, ik_buf *out) { print(e, LOOSEST, false, out); }

/* ---- trees, one line per node ---- */

static void line(ik_buf *out, int depth, const char *role, const char *text) {
  ik_buf_pad(out, ' ', 2 * depth);
  ik_buf_puts(out, role);
  ik_buf_printf(out, " %s", text);
  ik_buf_putc(out, '\n');
}

/* The line of one node: what it is, and what it holds apart from other nodes. */
static void node_line(ik_buf *out, int depth, const char *role, const ik_ast *e) {
  static const char *const kinds[] = {"number", "string", "name", "call",  "index", "prime",
                                      "unary",  "binary", "if",   "tuple", "list"};
  ik_buf_pad(out, ' ', 2 * depth);
  if (role) ik_buf_printf(out, "%s: ", role);
  if (e->label) ik_buf_printf(out, "%s = ", e->label);
  ik_buf_puts(out, kinds[e->kind]);
  if (e->kind == IK_AST_NUMBER) {
    ik_buf_putc(out, ' ');
    ik_buf_double(out, e->value);
    if (e->unit) ik_buf_printf(out, " (%s %s)", e->digits, e->unit);
  } else if (e->kind == IK_AST_STRING) {
    ik_buf_putc(out, ' ');
    print_string(e->name, out);
  } else if (e->name)
    ik_buf_printf(out, " %s", e->name);
  else if (e->kind == IK_AST_UNARY || e->kind == IK_AST_BINARY)
    ik_buf_printf(out, " %s", e->op == IK_AST_NOT ? "not" : operators[e->op].text);
  ik_buf_putc(out, '\n');
}

static void dump_expr(ik_buf *out, int depth, const char *role, const ik_ast *e) {
  if (!e) return;
  node_line(out, depth, role, e);
  dump_expr(out, depth + 1, NULL, e->a);
  dump_expr(out, depth + 1, NULL, e->b);
  dump_expr(out, depth + 1, NULL, e->c);
  for (const ik_ast *x = e->args; x; x = x->next) dump_expr(out, depth + 1, NULL, x);
}

static void dump_names(ik_buf *out, int depth, const char *role, const ik_name *n) {
  for (; n; n = n->next) {
    ik_buf_pad(out, ' ', 2 * depth);
    ik_buf_printf(out, "%s %s%s\n", role,
                  n->sign < 0   ? "-"
                  : n->sign > 0 ? "+"
                                : "",
                  *n->text ? n->text : "all");
    dump_expr(out, depth + 1, NULL, n->value);
    dump_expr(out, depth + 1, "and", n->value2);
  }
}

static void dump_item(ik_buf *out, int depth, const ik_item *it) {
  static const char *const kinds[] = {"language", "arithmetic", "grid",     "param",  "def",
                                      "weights",  "field",      "boundary", "init",   "source",
                                      "receiver", "output",     "assign",   "scalar", "step",
                                      "repeat",   "sweep"};
  static const char *const at[] = {"", "at first ", "within ", "at last "};
  ik_buf_pad(out, ' ', 2 * depth);
  ik_buf_printf(out, "%s%s%s%s\n", at[it->at], kinds[it->kind], it->name ? " " : "",
                it->name ? it->name : "");
  depth++;
  if (it->word) line(out, depth, "word", it->word);
  dump_names(out, depth, "name", it->names);
  if (it->type) line(out, depth, "type", it->type);
  dump_names(out, depth, "face", it->faces);
  dump_names(out, depth, "region", it->region);
  const struct {
    const char   *role;
    const ik_ast *e;
  } parts[] = {
      {"target", it->target},   {"value", it->value},     {"interior", it->interior},
      {"spacing", it->spacing}, {"history", it->history}, {"on", it->on},
      {"from", it->from},       {"to", it->to},           {"count", it->count},
      {"every", it->every},     {"max", it->limit},
  };
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
    dump_expr(out, depth, parts[i].role, parts[i].e);
  if (it->path) line(out, depth, "into", it->path);
  for (const ik_item *b = it->body; b; b = b->next) dump_item(out, depth, b);
}

void ik_lang_dump(const ik_program_ast *p, ik_buf *out) {
  for (const ik_item *it = p->items; it; it = it->next) dump_item(out, 0, it);
}
