/* The formatter works on tokens, not on the tree: what a user wrote stays as it is but for spaces,
 * indentation and the lines of statements.  The parser has marked where statements begin. */
#include "lang/parse.h"
#include <string.h>

enum { INDENT = 2, CONTINUATION = 4, DEEPEST = 2 * IK_PARSE_DEPTH + 8 };

typedef struct formatter {
  const ik_parser *p;
  ik_buf          *out;
  const ik_token  *last; /* written last; NULL at the start */
  int              blocks;
  char             brackets[DEEPEST]; /* the open ones */
  int              nbrackets;
  bool             sign;   /* `last` is a sign, not an operator between two operands */
  bool             spaced; /* `last` is an operator with spaces around it */
} formatter;

/* ---- spaces within a line ---- */

static bool gap_before(const ik_token *t) { return t->newlines || t->off > t[-1].off + t[-1].len; }

static bool gap_after(const ik_token *t) {
  return t[1].kind == IK_TOK_END || t[1].kind == IK_TOK_COMMENT || gap_before(t + 1);
}

static const char *text_of(const formatter *f, const ik_token *t) {
  return f->p->src->text + t->off;
}

static bool is_keyword(const formatter *f, const ik_token *t) {
  return t->kind == IK_TOK_NAME && ik_parse_is_keyword(text_of(f, t), t->len);
}

/* Words behind which an expression may begin. */
static bool is_contextual(const formatter *f, const ik_token *t) {
  return t->kind == IK_TOK_NAME &&
         (ik_parse_is_contextual(text_of(f, t), t->len) ||
          ik_parse_token_is_word(f->p, t, "line") || ik_parse_token_is_word(f->p, t, "until") ||
          ik_parse_token_is_word(f->p, t, "history"));
}

static bool ends_operand(const ik_token *t) {
  ik_tok k = t->kind;
  return k == IK_TOK_NUMBER || k == IK_TOK_STRING || k == IK_TOK_NAME || k == IK_TOK_RPAREN ||
         k == IK_TOK_RBRACKET || k == IK_TOK_PRIME;
}

static bool is_arithmetic(const ik_token *t) {
  return t->kind >= IK_TOK_PLUS && t->kind <= IK_TOK_CARET;
}

/* Whether this + or - is a sign: `-a`, `max -1`. */
static bool is_sign(const formatter *f, const ik_token *t) {
  const ik_token *l = f->last;
  if (t->kind != IK_TOK_PLUS && t->kind != IK_TOK_MINUS) return false;
  if (t->first || !l || !ends_operand(l) || is_keyword(f, l)) return true;
  return is_contextual(f, l) && gap_before(t) && !gap_after(t);
}

/* Operators keep the spaces their writer gave them, on both sides or on none.  A power has none,
 * except behind a unit, which would take it for its own. */
static bool is_spaced(const formatter *f, const ik_token *t) {
  if (t->kind == IK_TOK_CARET) return f->last && f->last->unit;
  return gap_before(t) || gap_after(t);
}

static bool space_before_bracket(const formatter *f) {
  const ik_token *l = f->last;
  if (ik_parse_token_is_word(f->p, l, "max")) return false; /* much oftener the function */
  return is_keyword(f, l) || is_contextual(f, l) || !ends_operand(l);
}

static bool space_before(const formatter *f, const ik_token *t) {
  const ik_token *l = f->last;
  switch (t->kind) {
  case IK_TOK_COMMA:
  case IK_TOK_SEMICOLON:
  case IK_TOK_RPAREN:
  case IK_TOK_RBRACKET:
  case IK_TOK_PRIME: return false;
  default: break;
  }
  if (l->kind == IK_TOK_LPAREN || l->kind == IK_TOK_LBRACKET || f->sign) return false;
  if (is_arithmetic(l)) return f->spaced;
  if (is_arithmetic(t) && !is_sign(f, t)) return is_spaced(f, t);
  if (l->kind == IK_TOK_COMMA && f->nbrackets && f->brackets[f->nbrackets - 1] == '[')
    return gap_before(t);
  if (t->kind == IK_TOK_LPAREN || t->kind == IK_TOK_LBRACKET) return space_before_bracket(f);
  return true;
}

/* ---- lines ---- */

static const ik_token *next_code(const ik_token *t) {
  while (t->kind == IK_TOK_COMMENT || t->kind == IK_TOK_SEMICOLON) t++;
  return t;
}

/* Whether `t` is in the middle of a statement that began on an earlier line. */
static bool is_inside(const ik_token *t) {
  const ik_token *code = t;
  while (code->kind == IK_TOK_COMMENT) code++;
  return !code->first && code->kind != IK_TOK_RBRACE && code->kind != IK_TOK_END &&
         code->kind != IK_TOK_SEMICOLON;
}

static bool breaks_before(const formatter *f, const ik_token *t) {
  if (!f->last) return false;
  if (f->last->kind == IK_TOK_COMMENT) return true;
  if (t->kind == IK_TOK_COMMENT) return t->newlines;
  if (t->first || t->kind == IK_TOK_RBRACE) return true;
  return t->newlines && t->kind != IK_TOK_LBRACE && t->kind != IK_TOK_SEMICOLON;
}

static void new_line(formatter *f, const ik_token *t) {
  bool inside = is_inside(t) || t->kind == IK_TOK_SEMICOLON;
  bool blank =
      t->newlines > 1 && !inside && f->last->kind != IK_TOK_LBRACE && t->kind != IK_TOK_RBRACE;
  ik_buf_puts(f->out, blank ? "\n\n" : "\n");
  ik_buf_pad(f->out, ' ', INDENT * f->blocks + (inside ? CONTINUATION : 0));
}

/* A `;` goes where the line ends, unless the next line would then continue this one. */
static bool is_needless(const formatter *f, const ik_token *t) {
  return t->kind == IK_TOK_SEMICOLON && !is_contextual(f, next_code(t));
}

static void put_token(formatter *f, const ik_token *t) {
  const char *s = text_of(f, t);
  int         len = t->len;
  if (t->kind == IK_TOK_NUMBER && t->unit) {
    ik_buf_write(f->out, s, (size_t)t->digits);
    ik_buf_putc(f->out, ' ');
    s += len - t->unit, len = t->unit;
  }
  if (t->kind == IK_TOK_COMMENT)
    while (len && (s[len - 1] == ' ' || s[len - 1] == '\t' || s[len - 1] == '\r')) len--;
  ik_buf_write(f->out, s, (size_t)len);
}

static void track_brackets(formatter *f, const ik_token *t) {
  if (t->kind == IK_TOK_LPAREN) f->brackets[f->nbrackets++] = '(';
  if (t->kind == IK_TOK_LBRACKET) f->brackets[f->nbrackets++] = '[';
  if (t->kind == IK_TOK_RPAREN || t->kind == IK_TOK_RBRACKET) f->nbrackets--;
  if (t->kind == IK_TOK_LBRACE) f->blocks++;
}

static void put(formatter *f, const ik_token *t) {
  if (is_needless(f, t)) return;
  if (t->kind == IK_TOK_RBRACE) f->blocks--;
  bool sign = is_sign(f, t), spaced = is_arithmetic(t) && is_spaced(f, t);
  if (breaks_before(f, t))
    new_line(f, t);
  else if (t->kind == IK_TOK_COMMENT && f->last)
    ik_buf_puts(f->out, "  ");
  else if (f->last && space_before(f, t))
    ik_buf_putc(f->out, ' ');
  put_token(f, t);
  track_brackets(f, t);
  f->last = t, f->sign = sign, f->spaced = spaced;
}

ik_status ik_lang_format(const ik_source *src, ik_arena *a, ik_diag *d, ik_buf *out) {
  ik_parser      p;
  ik_program_ast tree = {.source = src};
  int            before = d->nerror;
  ik_token      *tokens = ik_parse_lex(src, a, d);
  if (!tokens) return IK_ERR_SOURCE;
  ik_parse_init(&p, src, tokens, a, d);
  ik_parse_text(&p, &tree);
  if (d->nerror != before) return IK_ERR_SOURCE;
  formatter f = {.p = &p, .out = out};
  for (const ik_token *t = tokens; t->kind != IK_TOK_END; t++) put(&f, t);
  if (f.last) ik_buf_putc(out, '\n');
  return IK_OK;
}
