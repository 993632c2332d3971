#include "lang/parse.h"
#include "base/text.h"
#include "lang/fix.h"
#include <string.h>

/* ---- the row of tokens ---- */

/* Each mistake of the lexer is reported once, when the parser comes by, so that all messages are
 * in the order of the text. */
static void report_wrong(ik_parser *p, ik_token *t) {
  if (!t->wrong) return;
  ik_lex_report(p->src, t, p->diag);
  t->wrong = 0;
}

static void skip_comments(ik_parser *p) {
  for (; ik_parse_is(p, IK_TOK_COMMENT); p->tok++) report_wrong(p, p->tok);
}

void ik_parse_init(ik_parser *p, const ik_source *src, ik_token *tokens, ik_arena *a, ik_diag *d) {
  *p = (ik_parser){.src = src, .arena = a, .diag = d, .tok = tokens};
  for (const ik_token *t = tokens; t->kind != IK_TOK_END; t++)
    p->surplus += (t->kind == IK_TOK_LBRACE) - (t->kind == IK_TOK_RBRACE);
  skip_comments(p);
}

void ik_parse_advance(ik_parser *p) {
  if (ik_parse_is(p, IK_TOK_END)) return;
  report_wrong(p, p->tok);
  p->prev = p->tok++;
  skip_comments(p);
}

const ik_token *ik_parse_after(const ik_token *t) {
  if (t->kind == IK_TOK_END) return t;
  do t++;
  while (t->kind == IK_TOK_COMMENT);
  return t;
}

bool ik_parse_accept(ik_parser *p, ik_tok kind) {
  if (!ik_parse_is(p, kind)) return false;
  ik_parse_advance(p);
  return true;
}

bool ik_parse_token_is_word(const ik_parser *p, const ik_token *t, const char *word) {
  return t->kind == IK_TOK_NAME && t->len == (int)strlen(word) &&
         memcmp(p->src->text + t->off, word, (size_t)t->len) == 0;
}

bool ik_parse_is_word(const ik_parser *p, const char *word) {
  return ik_parse_token_is_word(p, p->tok, word);
}

bool ik_parse_accept_word(ik_parser *p, const char *word) {
  if (!ik_parse_is_word(p, word)) return false;
  ik_parse_advance(p);
  return true;
}

char *ik_parse_copy(const ik_parser *p, const ik_token *t) {
  return ik_arena_dup(p->arena, p->src->text + t->off, (size_t)t->len);
}

ik_span ik_parse_span_from(const ik_parser *p, const ik_token *start) {
  int end = p->prev && p->prev >= start ? p->prev->off + p->prev->len : start->off + start->len;
  return (ik_span){p->src, start->off, end - start->off};
}

ik_span ik_parse_span_behind(const ik_parser *p) {
  return (ik_span){p->src, p->prev ? p->prev->off + p->prev->len : 0, 0};
}

/* ---- messages ---- */

bool ik_parse_at_line_end(const ik_parser *p) {
  ik_tok k = p->tok->kind;
  return k == IK_TOK_END ||
         (p->prev && p->tok->newlines && (k == IK_TOK_NAME || k == IK_TOK_RBRACE));
}

static const char *describe(const ik_parser *p) {
  enum { SHOWN = 32 };
  const ik_token *t = p->tok;
  if (t->kind == IK_TOK_END) return "the end of the text";
  if (ik_parse_at_line_end(p)) return "the end of the line";
  if (t->kind == IK_TOK_STRING) return "a string";
  if (t->len > SHOWN) return ik_arena_printf(p->arena, "'%.*s...'", SHOWN, p->src->text + t->off);
  return ik_arena_printf(p->arena, "'%.*s'", t->len, p->src->text + t->off);
}

bool ik_parse_unexpected(ik_parser *p, const char *what) {
  if (p->tok->wrong || ik_parse_is(p, IK_TOK_BAD)) {
    report_wrong(p, p->tok);
    return false;
  }
  ik_span at = ik_parse_at_line_end(p) ? ik_parse_span_behind(p) : ik_lex_span(p->src, p->tok);
  ik_error(p->diag, IK_E002, at, "expected %s, found %s", what, describe(p));
  return true;
}

bool ik_parse_enter(ik_parser *p) {
  if (p->depth < IK_PARSE_DEPTH) return p->depth++, true;
  ik_error(p->diag, IK_E005, ik_lex_span(p->src, p->tok), "nested more than %d levels deep",
           IK_PARSE_DEPTH);
  ik_help(p->diag, "assign a part of it to a name and use that name");
  return false;
}

/* `== `, `:` for `=` are replaced, everything else is a missing token. */
static void fix_missing(ik_parser *p, ik_tok kind) {
  const char *name = ik_lex_kind_name(kind);
  bool        instead = kind == IK_TOK_ASSIGN && !p->tok->newlines &&
                 (ik_parse_is(p, IK_TOK_EQ) || ik_parse_is(p, IK_TOK_COLON));
  ik_span     at = instead ? ik_lex_span(p->src, p->tok) : ik_parse_span_behind(p);
  const char *text = ik_arena_printf(p->arena, " %.*s ", (int)strlen(name) - 2, name + 1);
  if (kind != IK_TOK_NAME && !ik_parse_at_line_end(p)) ik_lang_fix(p->diag, at, text);
}

bool ik_parse_expect(ik_parser *p, ik_tok kind) {
  if (ik_parse_accept(p, kind)) return true;
  if (ik_parse_unexpected(p, ik_lex_kind_name(kind))) fix_missing(p, kind);
  return false;
}

void ik_parse_fix_word(ik_parser *p, const char *word, const char *text) {
  const ik_token *t = p->tok;
  bool            here = t->kind == IK_TOK_NAME && !ik_parse_at_line_end(p);
  bool            misspelt = here && ik_nearest(ik_parse_copy(p, t), &word, 1);
  if (misspelt)
    ik_lang_fix(p->diag, ik_lex_span(p->src, t), word);
  else
    ik_lang_fix(p->diag, ik_parse_span_behind(p), text);
}

bool ik_parse_expect_word(ik_parser *p, const char *word) {
  if (ik_parse_accept_word(p, word)) return true;
  if (ik_parse_unexpected(p, ik_arena_printf(p->arena, "'%s'", word)) && !ik_parse_at_line_end(p))
    ik_parse_fix_word(p, word, ik_arena_printf(p->arena, " %s ", word));
  return false;
}

void ik_parse_report_reserved(ik_parser *p) {
  const char *text = ik_parse_copy(p, p->tok);
  ik_span     at = ik_lex_span(p->src, p->tok);
  ik_error(p->diag, IK_E012, at, "'%s' is a reserved word and cannot be used as a name", text);
  ik_lang_fix(p->diag, at, ik_arena_printf(p->arena, "%s_", text));
}

const char *ik_parse_name(ik_parser *p, const char *what, ik_span *span) {
  const ik_token *t = p->tok;
  bool            reserved = t->kind >= IK_TOK_IF && t->kind <= IK_TOK_NOT && !t->wrong;
  if (t->kind == IK_TOK_NAME) reserved = ik_parse_is_keyword(p->src->text + t->off, t->len);
  if ((t->kind != IK_TOK_NAME && !reserved) || (reserved && ik_parse_at_line_end(p)))
    return ik_parse_unexpected(p, what), NULL;
  const char *text = ik_parse_copy(p, t);
  *span = ik_lex_span(p->src, t);
  if (reserved) ik_parse_report_reserved(p);
  ik_parse_advance(p);
  return text;
}

/* `(a]`, and the end of the statement before the bracket is closed. */
static bool report_unclosed(ik_parser *p, const ik_token *open, const char *closer) {
  ik_tok k = p->tok->kind;
  bool   other = k == IK_TOK_RPAREN || k == IK_TOK_RBRACKET;
  bool   ends = k == IK_TOK_END || k == IK_TOK_LBRACE || k == IK_TOK_RBRACE ||
              k == IK_TOK_SEMICOLON || p->tok->newlines;
  if (!other && !ends) return false;
  ik_span here = ik_lex_span(p->src, p->tok), behind = ik_parse_span_behind(p);
  ik_error(p->diag, IK_E003, other ? here : behind, "expected '%s', found %s", closer,
           p->tok->newlines && !other ? "the end of the line" : describe(p));
  ik_note_add(p->diag, ik_lex_span(p->src, open), "to close this");
  ik_lang_fix(p->diag, other ? here : behind, closer);
  p->line_over = ends;
  return true;
}

bool ik_parse_close(ik_parser *p, const ik_token *open, ik_tok kind, const char *between) {
  if (ik_parse_accept(p, kind)) return true;
  const char *closer = kind == IK_TOK_RPAREN ? ")" : "]";
  if (!p->tok->wrong && report_unclosed(p, open, closer)) return false;
  const char *what = between ? ik_arena_printf(p->arena, "'%s' or '%s'", between, closer)
                             : ik_arena_printf(p->arena, "'%s'", closer);
  if (!ik_parse_unexpected(p, what)) return false;
  ik_note_add(p->diag, ik_lex_span(p->src, open), "opened here");
  if (ik_parse_is(p, IK_TOK_ASSIGN))
    ik_lang_fix(p->diag, ik_lex_span(p->src, p->tok), "==");
  else if (ik_parse_starts_operand(p->tok->kind))
    ik_lang_fix(p->diag, ik_parse_span_behind(p),
                between && !ik_parse_is(p, IK_TOK_LPAREN) ? ", " : "*");
  return false;
}

/* ---- statements ---- */

static bool is_declaration(const ik_parser *p, const ik_token *t) {
  bool inside = ik_parse_token_is_word(p, t, "sweep") || ik_parse_token_is_word(p, t, "scalar");
  return t->kind == IK_TOK_NAME && !inside && ik_parse_is_keyword(p->src->text + t->off, t->len);
}

static bool starts_line(const ik_parser *p) {
  return p->tok->off == 0 || p->src->text[p->tok->off - 1] == '\n';
}

bool ik_parse_is_assigned(const ik_token *name) {
  const ik_token *t = ik_parse_after(name);
  return name->kind == IK_TOK_NAME &&
         (t->kind == IK_TOK_PRIME ? ik_parse_after(t) : t)->kind == IK_TOK_ASSIGN;
}

static bool ends_operand(ik_tok k) {
  return k == IK_TOK_NUMBER || k == IK_TOK_STRING || k == IK_TOK_NAME || k == IK_TOK_RPAREN ||
         k == IK_TOK_RBRACKET || k == IK_TOK_RBRACE || k == IK_TOK_PRIME;
}

/* Where to go on reading after an error.  Inside an open bracket `name =` is an argument. */
static bool starts_statement(const ik_parser *p, int open) {
  const ik_token *t = p->tok, *t1 = ik_parse_after(t), *t2 = ik_parse_after(t1);
  bool            sign = t->kind == IK_TOK_MINUS || t->kind == IK_TOK_PLUS;
  if (p->in_faces && sign && t1->kind == IK_TOK_NAME && t2->kind == IK_TOK_ASSIGN) return true;
  if (t->kind != IK_TOK_NAME) return false;
  if (ik_parse_is_keyword(p->src->text + t->off, t->len)) return true;
  if (ik_parse_is_word(p, "at") && t2->kind == IK_TOK_LBRACE) return true;
  if (open > 0) return false;
  bool continued = !p->prev || !ends_operand(p->prev->kind) ||
                   ik_parse_is_contextual(p->src->text + t->off, t->len);
  return ik_parse_is_assigned(t) || !continued;
}

static int bracket_step(ik_tok k) {
  return (k == IK_TOK_LPAREN || k == IK_TOK_LBRACKET) -
         (k == IK_TOK_RPAREN || k == IK_TOK_RBRACKET);
}

/* Skips whole blocks, so that no '}' is left over. */
static void skip_statement(ik_parser *p, const ik_token *start) {
  int open = 0, braces = 0;
  if (!p->line_over) /* else its brackets are reported and done with */
    for (const ik_token *t = start; t < p->tok; t++) open += bracket_step(t->kind);
  p->line_over = false;
  for (; !ik_parse_is(p, IK_TOK_END); ik_parse_advance(p)) {
    ik_tok k = p->tok->kind;
    bool   fresh = p->tok->newlines && p->tok != start;
    if (!braces && (k == IK_TOK_RBRACE || k == IK_TOK_SEMICOLON)) return;
    if (!braces && fresh && starts_statement(p, open)) return;
    if (braces && fresh && starts_line(p) && is_declaration(p, p->tok)) return;
    if (k == IK_TOK_RBRACE && --braces == 0) {
      ik_parse_advance(p);
      return;
    }
    braces += k == IK_TOK_LBRACE;
    open += bracket_step(k);
  }
}

void ik_parse_recover(ik_parser *p, const ik_token *start) {
  skip_statement(p, start);
  if (p->tok == start) ik_parse_advance(p);
}

bool ik_parse_skip_to_block(ik_parser *p) {
  for (; !ik_parse_is(p, IK_TOK_LBRACE); ik_parse_advance(p)) {
    ik_tok k = p->tok->kind;
    if (k == IK_TOK_END || k == IK_TOK_RBRACE || k == IK_TOK_SEMICOLON) return false;
    if (p->tok->newlines && starts_statement(p, 0)) return false;
  }
  return true;
}

/* Two things side by side: a forgotten operator, or two statements. */
static void fix_statement_end(ik_parser *p) {
  const ik_token *t = p->tok, *next = ik_parse_after(t);
  const char     *s = p->src->text + t->off;
  ik_span         here = ik_lex_span(p->src, t), behind = ik_parse_span_behind(p);
  ik_span         gap = {p->src, behind.off, t->off - behind.off};
  bool            word = t->kind == IK_TOK_NAME;
  bool            last = next->newlines || next->kind == IK_TOK_END;
  if (word && (ik_parse_is_keyword(s, t->len) || ik_parse_is_assigned(t)))
    ik_lang_fix(p->diag, behind, ";");
  else if (ik_parse_starts_operand(t->kind) && t->kind != IK_TOK_STRING)
    ik_lang_fix(p->diag, gap, "*");
  else if (t->kind == IK_TOK_RPAREN || t->kind == IK_TOK_RBRACKET || last)
    ik_lang_fix(p->diag, here, "");
  else if (t->kind == IK_TOK_ASSIGN)
    ik_lang_fix(p->diag, here, "==");
  else
    ik_help(p->diag, "put each statement on its own line, or separate them with ';'");
}

static bool statement_end(ik_parser *p) {
  ik_tok k = p->tok->kind;
  bool   done = p->tok->newlines || k == IK_TOK_SEMICOLON || k == IK_TOK_RBRACE || k == IK_TOK_END;
  if (p->prev && p->prev->kind == IK_TOK_RBRACE) done = true;
  if (done) return true;
  if (ik_parse_unexpected(p, "an operator or the end of the statement")) fix_statement_end(p);
  return false;
}

static void statement(ik_parser *p, unsigned where, ik_at at, ik_item ***tail) {
  ik_token *start = p->tok;
  start->first = true;
  ik_item *it = IK_NEW(p->arena, ik_item);
  bool     ok = ik_parse_item(p, where, it);
  if (ok) {
    for (**tail = it; it; it = it->next) it->at = at, *tail = &it->next;
    ok = statement_end(p);
  }
  if (ok) return;
  ik_parse_recover(p, start);
}

bool ik_parse_lacks_brace(const ik_parser *p) {
  return p->surplus > 0 && p->tok->newlines && starts_line(p) && is_declaration(p, p->tok);
}

void ik_parse_report_open_block(ik_parser *p, const ik_token *open) {
  if (p->unclosed) return; /* the blocks around it would all say the same */
  p->unclosed = true;
  ik_error(p->diag, IK_E003, ik_lex_span(p->src, open), "this '{' is never closed");
  ik_note_add(p->diag, ik_parse_span_behind(p), "expected '}' after this");
  ik_help(p->diag, "add a line with  }  after the last statement of the block");
}

static bool at_block(ik_parser *p, unsigned where, ik_item ***tail) {
  static const struct {
    const char *word;
    ik_at       at;
  } parts[] = {{"first", IK_AT_FIRST}, {"within", IK_AT_WITHIN}, {"last", IK_AT_LAST}};
  static const char example[] = "for example  at first { a = 0 }";
  p->tok->first = true;
  ik_parse_accept_word(p, "at"); /* `within` reads well alone */
  int i = 0;
  while (i < 3 && !ik_parse_accept_word(p, parts[i].word)) i++;
  bool named = i < 3;
  if (!named && ik_parse_unexpected(p, "'first', 'within' or 'last'"))
    ik_help(p->diag, "%s", example);
  ik_at at = named ? parts[i].at : IK_AT_WITHIN;
  if ((named || ik_parse_skip_to_block(p)) && ik_parse_block(p, where, at, tail)) return true;
  ik_help(p->diag, "%s", example);
  return false;
}

static void block_entry(ik_parser *p, unsigned where, ik_at at, ik_item ***tail) {
  const ik_token *start = p->tok, *next = ik_parse_after(start);
  bool            within = ik_parse_is_word(p, "within") && next->kind == IK_TOK_LBRACE;
  bool part = where == IK_IN_SWEEP && at == IK_AT_ALL && (within || ik_parse_is_word(p, "at"));
  if (!part || next->kind == IK_TOK_ASSIGN || next->kind == IK_TOK_PRIME)
    statement(p, where, at, tail);
  else if (!at_block(p, where, tail))
    ik_parse_recover(p, start);
}

bool ik_parse_block(ik_parser *p, unsigned where, ik_at at, ik_item ***tail) {
  const ik_token *open = p->tok;
  if (!ik_parse_expect(p, IK_TOK_LBRACE) || !ik_parse_enter(p)) return false;
  while (!ik_parse_is(p, IK_TOK_RBRACE)) {
    if (ik_parse_accept(p, IK_TOK_SEMICOLON)) continue;
    if (ik_parse_is(p, IK_TOK_END) || ik_parse_lacks_brace(p)) break;
    block_entry(p, where, at, tail);
  }
  p->depth--;
  if (!ik_parse_accept(p, IK_TOK_RBRACE)) ik_parse_report_open_block(p, open);
  return true;
}

void ik_parse_text(ik_parser *p, ik_program_ast *out) {
  ik_item **tail = &out->items;
  while (!ik_parse_is(p, IK_TOK_END)) {
    if (ik_parse_accept(p, IK_TOK_SEMICOLON)) continue;
    if (!ik_parse_is(p, IK_TOK_RBRACE)) {
      statement(p, IK_IN_TEXT, IK_AT_ALL, &tail);
      continue;
    }
    ik_error(p->diag, IK_E002, ik_lex_span(p->src, p->tok), "unmatched '}'");
    ik_lang_fix(p->diag, ik_lex_span(p->src, p->tok), "");
    ik_parse_advance(p);
  }
}

/* ---- entry points ---- */

ik_token *ik_parse_lex(const ik_source *src, ik_arena *a, ik_diag *d) {
  if (src->len <= IK_LEX_MAX_BYTES) return ik_lex(src, a);
  ik_error(d, IK_E005, IK_NOSPAN, "%s has %zu bytes; a program has at most %d", src->name, src->len,
           IK_LEX_MAX_BYTES);
  ik_help(d, "keep tables in files and read them with  file(\"NAME.npy\")");
  return NULL;
}

ik_status ik_lang_parse(const ik_source *src, ik_arena *a, ik_diag *d, ik_program_ast *out) {
  *out = (ik_program_ast){.source = src};
  int       before = d->nerror;
  ik_token *tokens = ik_parse_lex(src, a, d);
  if (!tokens) return IK_ERR_SOURCE;
  ik_parser p;
  ik_parse_init(&p, src, tokens, a, d);
  ik_parse_text(&p, out);
  return d->nerror == before ? IK_OK : IK_ERR_SOURCE;
}

ik_status ik_lang_parse_expr(const ik_source *src, ik_arena *a, ik_diag *d, ik_ast **out) {
  *out = NULL;
  int       before = d->nerror;
  ik_token *tokens = ik_parse_lex(src, a, d);
  if (!tokens) return IK_ERR_SOURCE;
  ik_parser p;
  ik_parse_init(&p, src, tokens, a, d);
  *out = ik_parse_expr(&p);
  if (!*out) ik_help(d, "give a number, with a unit if it has one");
  if (*out && !ik_parse_is(&p, IK_TOK_END) && ik_parse_unexpected(&p, "the end of the value"))
    fix_statement_end(&p);
  return d->nerror == before ? IK_OK : IK_ERR_SOURCE;
}
