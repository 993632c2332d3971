#include "base/text.h"
#include "lang/fix.h"
#include "lang/parse.h"
#include "lang/unit.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- nodes ---- */

/* A node and the height of the tree below it.  The height is bounded for the sake of all who walk
 * trees by recursion: `a + a + ...` makes a tree as high as it is long. */
typedef struct node {
  ik_ast ast;
  int    height;
} node;

static int height_of(const ik_ast *e) { return e ? ((const node *)e)->height : 0; }

static ik_ast *make(ik_parser *p, ik_ast_kind kind, const ik_token *start) {
  node *n = IK_NEW(p->arena, node);
  n->ast.kind = kind;
  n->ast.span = ik_parse_span_from(p, start);
  n->height = 1;
  return &n->ast;
}

/* Ends the making of a node whose operands are all set. */
static ik_ast *finish(ik_parser *p, ik_ast *e) {
  const ik_ast *below[] = {e->a, e->b, e->c};
  int           high = 0;
  for (int i = 0; i < 3; i++) high = height_of(below[i]) > high ? height_of(below[i]) : high;
  for (const ik_ast *x = e->args; x; x = x->next) high = height_of(x) > high ? height_of(x) : high;
  ((node *)e)->height = high + 1;
  if (high < IK_PARSE_HEIGHT) return e;
  ik_span at = {p->src, e->span.off + e->span.len, 0};
  ik_error(p->diag, IK_E005, at, "an expression of more than %d operators in a row",
           IK_PARSE_HEIGHT);
  ik_help(p->diag, "assign a part of it to a name and use that name");
  return NULL;
}

/* ---- numbers ---- */

/* The digits with the power of ten of the unit joined to their exponent, so that the value is
 * rounded once: `0.8 ms` is 0.8e-3. */
static double decimal(ik_parser *p, const char *digits, int exp10) {
  const char *e = strpbrk(digits, "eE");
  long        own = e ? strtol(e + 1, NULL, 10) : 0;
  long        most = 4L * IK_LEX_MAX_BYTES; /* beyond any exponent that digits could balance */
  own = own > most ? most : own < -most ? -most : own;
  int len = e ? (int)(e - digits) : (int)strlen(digits);
  return ik_strtod(ik_arena_printf(p->arena, "%.*se%ld", len, digits, own + exp10), NULL);
}

static bool is_zero(const char *digits) {
  size_t n = strcspn(digits, "eE");
  return strcspn(digits, "123456789") >= n;
}

static ik_ast *read_value(ik_parser *p, ik_ast *e, const ik_token *t) {
  const char *s = p->src->text + t->off;
  ik_unit     unit = {.scale = 1};
  e->digits = ik_arena_dup(p->arena, s, (size_t)t->digits);
  if (t->unit) {
    const char *u = s + t->len - t->unit;
    e->unit = ik_arena_dup(p->arena, u, (size_t)t->unit);
    ik_unit_scan(u, t->unit, &unit);
  }
  e->dim = unit.dim;
  e->value = decimal(p, e->digits, unit.exp10) * unit.scale;
  bool vanished = e->value == 0 && !is_zero(e->digits);
  if (isfinite(e->value) && !vanished) return e;
  ik_error(p->diag, IK_E004, e->span, "this number is too %s; the %s is about %s",
           vanished ? "small" : "large", vanished ? "smallest" : "largest",
           vanished ? "5e-324" : "1.8e308");
  ik_lang_fix(p->diag, e->span, vanished ? "0" : "1e308");
  return NULL;
}

/* `2 u`, `3 hz`, `0.5f`: a word behind a number that is no unit. */
static bool report_unit(ik_parser *p, const ik_token *number) {
  const char *word = ik_parse_copy(p, p->tok), *near = ik_unit_nearest(word);
  ik_span     at = ik_lex_span(p->src, p->tok), behind = ik_parse_span_behind(p);
  ik_tok      next = ik_parse_after(p->tok)->kind;
  bool        attached = p->tok->off == number->off + number->len;
  bool        called = next == IK_TOK_LPAREN || next == IK_TOK_LBRACKET || next == IK_TOK_PRIME;
  if (near && !called) {
    ik_error(p->diag, IK_E013, at, "unknown unit '%s'; did you mean '%s'?", word, near);
    ik_lang_fix(p->diag, at, near);
  } else if (attached && !called && (strcmp(word, "f") == 0 || strcmp(word, "F") == 0)) {
    ik_error(p->diag, IK_E013, at, "unknown unit '%s'; numbers have no suffix for their type",
             word);
    ik_lang_fix(p->diag, at, "");
  } else {
    ik_error(p->diag, IK_E013, at, "unknown unit '%.40s'; a product is written with '*'", word);
    int blanks = at.off - behind.off;
    ik_lang_fix(p->diag, (ik_span){p->src, behind.off, blanks}, "*");
  }
  return false;
}

static bool check_unit(ik_parser *p, const ik_token *number) {
  const ik_token *t = p->tok;
  const char     *s = p->src->text + t->off;
  if (number->unit || t->kind != IK_TOK_NAME || t->newlines || t->wrong) return true;
  if (ik_parse_is_keyword(s, t->len) || ik_parse_is_contextual(s, t->len)) return true;
  if (ik_parse_after(t)->kind == IK_TOK_ASSIGN) return true; /* another statement */
  return report_unit(p, number);
}

static ik_ast *number(ik_parser *p) {
  const ik_token *t = p->tok;
  bool            wrong = t->wrong;
  ik_parse_advance(p);
  ik_ast *e = make(p, IK_AST_NUMBER, t);
  if (wrong) return e; /* reported; its value does not matter */
  return check_unit(p, t) ? read_value(p, e, t) : NULL;
}

/* ---- strings, names, brackets ---- */

const char *ik_parse_string_content(ik_parser *p, const ik_token *t) {
  const char *s = p->src->text + t->off + 1;
  int         len = t->len - 1, n = 0;
  if (len && s[len - 1] == '"') len--;
  char *text = ik_arena_alloc(p->arena, (size_t)len + 1);
  for (int i = 0; i < len; i++) {
    if (s[i] == '\\' && i + 1 < len) i++;
    text[n++] = s[i];
  }
  return text;
}

static ik_ast *string(ik_parser *p) {
  const ik_token *t = p->tok;
  ik_parse_advance(p);
  ik_ast *e = make(p, IK_AST_STRING, t);
  e->name = ik_parse_string_content(p, t);
  return e;
}

/* A comma too many: `f(a, )`. */
static bool report_empty_argument(ik_parser *p, ik_tok close) {
  if (!ik_parse_is(p, close) || p->prev->kind != IK_TOK_COMMA) return false;
  ik_span comma = ik_lex_span(p->src, p->prev);
  ik_error(p->diag, IK_E002, comma, "expected another value after ',', found %s",
           ik_lex_kind_name(close));
  ik_lang_fix(p->diag, comma, "");
  return true;
}

static ik_ast *argument(ik_parser *p, bool labels) {
  const ik_token *t = p->tok;
  const char     *label = NULL;
  if (labels && t->kind == IK_TOK_NAME && ik_parse_after(t)->kind == IK_TOK_ASSIGN) {
    label = ik_parse_copy(p, t);
    ik_parse_advance(p);
    ik_parse_advance(p);
  }
  ik_ast *e = ik_parse_expr(p);
  if (e) e->label = label;
  return e;
}

/* What stands between two brackets, the opening one read already; reads the closing one. */
static bool arguments(ik_parser *p, const ik_token *open, ik_tok close, bool labels,
                      ik_ast **first) {
  ik_ast **tail = first;
  do {
    if (report_empty_argument(p, close)) return false;
    ik_ast *e = argument(p, labels);
    if (!e) return false;
    *tail = e, tail = &e->next;
  } while (ik_parse_accept(p, IK_TOK_COMMA));
  return ik_parse_close(p, open, close, ",");
}

static ik_ast *call(ik_parser *p, const ik_token *t, const char *name) {
  const ik_token *open = p->tok;
  ik_ast         *args = NULL;
  ik_parse_advance(p);
  if (!ik_parse_accept(p, IK_TOK_RPAREN) && !arguments(p, open, IK_TOK_RPAREN, true, &args))
    return NULL;
  ik_ast *e = make(p, IK_AST_CALL, t);
  e->name = name, e->args = args;
  return finish(p, e);
}

static ik_ast *name_or_call(ik_parser *p) {
  const ik_token *t = p->tok;
  ik_span         span;
  const char     *name = ik_parse_name(p, "a value", &span);
  if (!name) return NULL;
  if (ik_parse_is(p, IK_TOK_LPAREN)) return call(p, t, name);
  ik_ast *e = make(p, IK_AST_NAME, t);
  e->name = name;
  return e;
}

static ik_ast *list(ik_parser *p) {
  const ik_token *open = p->tok;
  ik_ast         *args = NULL;
  ik_parse_advance(p);
  if (!arguments(p, open, IK_TOK_RBRACKET, false, &args)) return NULL;
  ik_ast *e = make(p, IK_AST_LIST, open);
  e->args = args;
  return finish(p, e);
}

/* (e) is e, with the brackets in its span; (e, e) is a tuple. */
static ik_ast *group_or_tuple(ik_parser *p) {
  const ik_token *open = p->tok;
  ik_parse_advance(p);
  ik_ast *e = ik_parse_expr(p);
  if (!e) return NULL;
  if (!ik_parse_is(p, IK_TOK_COMMA)) {
    if (!ik_parse_close(p, open, IK_TOK_RPAREN, NULL)) return NULL;
    e->span = ik_parse_span_from(p, open);
    return e;
  }
  ik_parse_advance(p);
  if (!arguments(p, open, IK_TOK_RPAREN, false, &e->next)) return NULL;
  ik_ast *tuple = make(p, IK_AST_TUPLE, open);
  tuple->args = e;
  return finish(p, tuple);
}

/* ---- operands ---- */

bool ik_parse_starts_operand(ik_tok k) {
  return k == IK_TOK_NUMBER || k == IK_TOK_STRING || k == IK_TOK_NAME || k == IK_TOK_LPAREN ||
         k == IK_TOK_LBRACKET;
}

static ik_ast *conditional(ik_parser *p);
static ik_ast *binary(ik_parser *p, int least);

enum {
  LEVEL_OR = 1,
  LEVEL_AND,
  LEVEL_NOT,
  LEVEL_COMPARE,
  LEVEL_ADD,
  LEVEL_MUL,
  LEVEL_UNARY,
  LEVEL_POWER
};

/* `1 + if ...` and `a == not b` are clear to us but not to a reader. */
static ik_ast *report_bare_prefix(ik_parser *p) {
  const ik_token *t = p->tok;
  bool            is_if = t->kind == IK_TOK_IF;
  if (t->wrong) return ik_parse_unexpected(p, ""), NULL;
  if (!(is_if ? conditional(p) : binary(p, LEVEL_NOT))) return NULL;
  ik_span all = ik_parse_span_from(p, t);
  ik_error(p->diag, IK_E002, ik_lex_span(p->src, t), "'%s' needs parentheses around it here",
           is_if ? "if" : "not");
  if (all.len < 80)
    ik_lang_fix(p->diag, all, ik_arena_printf(p->arena, "(%.*s)", all.len, p->src->text + all.off));
  else
    ik_help(p->diag, "for example  1 + (if a > 0 then a else 0)");
  return NULL;
}

static ik_ast *report_no_operand(ik_parser *p) {
  const ik_token *prev = p->prev;
  if (!ik_parse_unexpected(p, "a value") || !prev) return NULL;
  bool operator= prev->kind >= IK_TOK_PLUS && prev->kind <= IK_TOK_NE;
  if (operator&& p->tok->kind >= IK_TOK_PLUS && p->tok->kind <= IK_TOK_NE)
    ik_lang_fix(p->diag, ik_lex_span(p->src, p->tok), "");
  else if (operator)
    ik_lang_fix(p->diag, ik_lex_span(p->src, prev), "");
  else if (prev->kind == IK_TOK_ASSIGN)
    ik_lang_fix(p->diag, ik_parse_span_behind(p), " 0 ");
  return NULL;
}

/* The line ended where an operand was due, and another statement begins. */
static bool starts_next(const ik_parser *p) {
  const ik_token *t = p->tok;
  bool            keyword = ik_parse_is_keyword(p->src->text + t->off, t->len);
  return ik_parse_at_line_end(p) && (keyword || ik_parse_is_assigned(t));
}

static ik_ast *primary(ik_parser *p) {
  switch (p->tok->kind) {
  case IK_TOK_NUMBER: return number(p);
  case IK_TOK_STRING: return string(p);
  case IK_TOK_NAME: return starts_next(p) ? report_no_operand(p) : name_or_call(p);
  case IK_TOK_LPAREN: return group_or_tuple(p);
  case IK_TOK_LBRACKET: return list(p);
  case IK_TOK_IF:
  case IK_TOK_NOT: return report_bare_prefix(p);
  default: return report_no_operand(p);
  }
}

/* `u.next`, `u.prev`, `np.exp(x)`: other languages' ways to say u', u[t-1], exp(x). */
static ik_ast *report_dot(ik_parser *p, const ik_ast *base) {
  const ik_token *dot = p->tok, *word = ik_parse_after(dot);
  ik_span         dot_span = ik_lex_span(p->src, dot), word_span = ik_lex_span(p->src, word);
  ik_span         both = ik_span_join(dot_span, word_span);
  ik_error(p->diag, IK_E001, dot_span, "unexpected '.': names have no members");
  if (ik_parse_token_is_word(p, word, "next") || ik_parse_token_is_word(p, word, "new"))
    ik_lang_fix(p->diag, both, "'");
  else if (ik_parse_token_is_word(p, word, "prev") || ik_parse_token_is_word(p, word, "old"))
    ik_lang_fix(p->diag, both, "[t-1]");
  else if (ik_parse_after(word)->kind == IK_TOK_LPAREN)
    ik_lang_fix(p->diag, ik_span_join(base->span, dot_span), "");
  else if (word->kind == IK_TOK_NAME)
    ik_lang_fix(p->diag, dot_span, "_");
  else
    ik_lang_fix(p->diag, dot_span, "");
  return NULL;
}

static ik_ast *index_entries(ik_parser *p, const ik_token *start, ik_ast *base) {
  const ik_token *open = p->tok;
  ik_ast         *args = NULL;
  ik_parse_advance(p);
  if (!arguments(p, open, IK_TOK_RBRACKET, false, &args)) return NULL;
  ik_ast *e = make(p, IK_AST_INDEX, start);
  e->a = base, e->args = args;
  return finish(p, e);
}

/* What follows a name, or an expression in brackets; a bare number takes nothing. */
static ik_ast *postfix_of(ik_parser *p, const ik_token *start, ik_ast *e) {
  while (e) {
    if (ik_parse_is(p, IK_TOK_DOT)) return report_dot(p, e);
    if (start->kind == IK_TOK_NUMBER) return e;
    if (ik_parse_is(p, IK_TOK_LBRACKET)) {
      e = index_entries(p, start, e);
    } else if (ik_parse_accept(p, IK_TOK_PRIME)) {
      ik_ast *prime = make(p, IK_AST_PRIME, start);
      prime->a = e;
      e = finish(p, prime);
    } else {
      return e;
    }
  }
  return NULL;
}

static ik_ast *postfix(ik_parser *p) {
  const ik_token *start = p->tok;
  return postfix_of(p, start, primary(p));
}

ik_ast *ik_parse_target(ik_parser *p) {
  const ik_token *t = p->tok;
  ik_span         span;
  const char     *name = ik_parse_name(p, "the name of a field", &span);
  if (!name || !ik_parse_enter(p)) return NULL;
  ik_ast *e = make(p, IK_AST_NAME, t);
  e->name = name;
  e = postfix_of(p, t, e);
  p->depth--;
  return e;
}

/* ---- operators ---- */

static ik_ast *unary_node(ik_parser *p, ik_ast_op op, const ik_token *start, ik_ast *a) {
  if (!a) return NULL;
  ik_ast *e = make(p, IK_AST_UNARY, start);
  e->op = op, e->a = a;
  return finish(p, e);
}

static ik_ast *binary_node(ik_parser *p, ik_ast_op op, const ik_token *start, ik_ast *a,
                           ik_ast *b) {
  if (!b) return NULL;
  ik_ast *e = make(p, IK_AST_BINARY, start);
  e->op = op, e->a = a, e->b = b;
  return finish(p, e);
}

/* The operand of *, and the exponent of ^: `-` binds like *, but 2^-1 needs no brackets.  A `+` in
 * front of an operand (`u[+1,0]`) changes nothing. */
static ik_ast *unary(ik_parser *p) {
  const ik_token *start = p->tok;
  if (!ik_parse_enter(p)) return NULL;
  ik_ast *e;
  if (ik_parse_accept(p, IK_TOK_MINUS))
    e = unary_node(p, IK_AST_NEG, start, unary(p));
  else if (ik_parse_accept(p, IK_TOK_PLUS))
    e = unary(p);
  else {
    e = postfix(p);
    if (e && ik_parse_accept(p, IK_TOK_CARET)) e = binary_node(p, IK_AST_POW, start, e, unary(p));
  }
  p->depth--;
  return e;
}

static bool operator_of(ik_tok kind, int *level, ik_ast_op *op) {
  static const struct {
    ik_tok    kind;
    int       level;
    ik_ast_op op;
  } table[] = {
      {IK_TOK_OR, LEVEL_OR, IK_AST_OR},      {IK_TOK_AND, LEVEL_AND, IK_AST_AND},
      {IK_TOK_LT, LEVEL_COMPARE, IK_AST_LT}, {IK_TOK_LE, LEVEL_COMPARE, IK_AST_LE},
      {IK_TOK_GT, LEVEL_COMPARE, IK_AST_GT}, {IK_TOK_GE, LEVEL_COMPARE, IK_AST_GE},
      {IK_TOK_EQ, LEVEL_COMPARE, IK_AST_EQ}, {IK_TOK_NE, LEVEL_COMPARE, IK_AST_NE},
      {IK_TOK_PLUS, LEVEL_ADD, IK_AST_ADD},  {IK_TOK_MINUS, LEVEL_ADD, IK_AST_SUB},
      {IK_TOK_STAR, LEVEL_MUL, IK_AST_MUL},  {IK_TOK_SLASH, LEVEL_MUL, IK_AST_DIV},
  };
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    if (table[i].kind != kind) continue;
    *level = table[i].level, *op = table[i].op;
    return true;
  }
  return false;
}

/* In `boundary u { -x = 0 <newline> +x = 1 }` the second line is a face of its own. */
static bool starts_face(const ik_parser *p) {
  const ik_token *t = p->tok, *t1 = ik_parse_after(t);
  bool            sign = t->kind == IK_TOK_MINUS || t->kind == IK_TOK_PLUS;
  return p->in_faces && sign && t->newlines && t1->kind == IK_TOK_NAME &&
         ik_parse_after(t1)->kind == IK_TOK_ASSIGN;
}

/* a < b < c, of which a < b is read: the remedy is a < b and b < c. */
static ik_ast *report_chain(ik_parser *p, const ik_ast *left) {
  enum { SHOWN = 60 };
  const char *s = p->src->text, *op = ik_lex_kind_name(p->tok->kind);
  ik_span     at = ik_lex_span(p->src, p->tok);
  ik_parse_advance(p);
  ik_ast *right = binary(p, LEVEL_ADD);
  if (!right) return NULL;
  ik_error(p->diag, IK_E002, at, "comparisons cannot be chained");
  ik_span all = ik_span_join(left->span, right->span), mid = left->b->span;
  if (all.len > SHOWN) {
    ik_help(p->diag, "for example  a < b and b < c");
    return NULL;
  }
  ik_lang_fix(p->diag, all,
              ik_arena_printf(p->arena, "%.*s and %.*s %.*s %.*s", left->span.len,
                              s + left->span.off, mid.len, s + mid.off, (int)strlen(op) - 2, op + 1,
                              right->span.len, s + right->span.off));
  return NULL;
}

/* All operators of at least the level `least`, by climbing. */
static ik_ast *binary(ik_parser *p, int least) {
  const ik_token *start = p->tok;
  int             level;
  ik_ast_op       op;
  ik_ast         *e;
  bool            compared = false;
  if (least <= LEVEL_NOT && ik_parse_is(p, IK_TOK_NOT)) {
    if (!ik_parse_enter(p)) return NULL;
    ik_parse_advance(p);
    e = unary_node(p, IK_AST_NOT, start, binary(p, LEVEL_NOT));
    p->depth--;
  } else
    e = unary(p);
  while (e && operator_of(p->tok->kind, &level, &op) && level >= least && !starts_face(p)) {
    if (level == LEVEL_COMPARE && compared) return report_chain(p, e);
    compared = level == LEVEL_COMPARE;
    ik_parse_advance(p);
    e = binary_node(p, op, start, e, binary(p, level + 1));
  }
  return e;
}

/* `if` is read. */
static ik_ast *branches(ik_parser *p, const ik_token *start) {
  ik_ast *a = ik_parse_expr(p);
  if (!a) return NULL;
  if (ik_parse_is(p, IK_TOK_ASSIGN) && ik_parse_unexpected(p, "'then'")) {
    ik_lang_fix(p->diag, ik_lex_span(p->src, p->tok), "==");
    return NULL;
  }
  if (!ik_parse_expect(p, IK_TOK_THEN)) return NULL;
  ik_ast *b = ik_parse_expr(p);
  if (!b) return NULL;
  if (!ik_parse_is(p, IK_TOK_ELSE)) {
    if (ik_parse_unexpected(p, "'else'")) ik_lang_fix(p->diag, ik_parse_span_behind(p), " else 0 ");
    return NULL;
  }
  ik_parse_advance(p);
  ik_ast *c = ik_parse_expr(p);
  if (!c) return NULL;
  ik_ast *e = make(p, IK_AST_IF, start);
  e->a = a, e->b = b, e->c = c;
  return finish(p, e);
}

static ik_ast *conditional(ik_parser *p) {
  const ik_token *start = p->tok;
  if (!ik_parse_enter(p)) return NULL;
  ik_parse_advance(p);
  ik_ast *e = branches(p, start);
  p->depth--;
  return e;
}

ik_ast *ik_parse_expr(ik_parser *p) {
  return ik_parse_is(p, IK_TOK_IF) ? conditional(p) : binary(p, LEVEL_OR);
}
