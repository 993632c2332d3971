#include "base/text.h"
#include "lang/fix.h"
#include "lang/parse.h"
#include <string.h>

static void help_example(ik_parser *p, ik_item_kind kind);

/* ---- lists of names ---- */

static ik_name *read_name(ik_parser *p, const char *what) {
  ik_span     span;
  const char *text = ik_parse_name(p, what, &span);
  if (!text) return NULL;
  ik_name *n = IK_NEW(p->arena, ik_name);
  n->text = text, n->span = span;
  return n;
}

static bool read_names(ik_parser *p, const char *what, ik_name **first) {
  ik_name **tail = first;
  do {
    ik_name *n = read_name(p, what);
    if (!n) return false;
    *tail = n, tail = &n->next;
  } while (ik_parse_accept(p, IK_TOK_COMMA));
  return true;
}

static bool read_item_name(ik_parser *p, const char *what, ik_item *it) {
  it->name = ik_parse_name(p, what, &it->name_span);
  return it->name != NULL;
}

static bool read_type(ik_parser *p, ik_item *it) {
  it->type = ik_parse_name(p, "a type, such as f64", &it->type_span);
  return it->type != NULL;
}

static bool read_expr(ik_parser *p, ik_ast **e) { return (*e = ik_parse_expr(p)) != NULL; }

static bool read_value(ik_parser *p, ik_ast **e) {
  return ik_parse_expect(p, IK_TOK_ASSIGN) && read_expr(p, e);
}

/* ---- declarations ---- */

static bool parse_language(ik_parser *p, ik_item *it) {
  if (!ik_parse_is(p, IK_TOK_NUMBER)) return ik_parse_unexpected(p, "a version number"), false;
  if (!read_expr(p, &it->value)) return false;
  if (it->value->kind == IK_AST_NUMBER && !it->value->unit && it->value->value == 1) return true;
  ik_error(p->diag, IK_E006, it->value->span,
           "this is language 1, and the program requires version %.*s", it->value->span.len,
           p->src->text + it->value->span.off);
  ik_lang_fix(p->diag, it->value->span, "1");
  return true;
}

static bool parse_arithmetic(ik_parser *p, ik_item *it) {
  if (!ik_parse_is_word(p, "chain") && !ik_parse_is_word(p, "plain")) {
    ik_parse_unexpected(p, "'chain' or 'plain'");
    return false;
  }
  it->word = ik_parse_copy(p, p->tok), it->word_span = ik_lex_span(p->src, p->tok);
  ik_parse_advance(p);
  return !ik_parse_is(p, IK_TOK_NAME) || p->tok->newlines || read_type(p, it);
}

/* `down = y` or `up = z` behind the axes. */
static bool read_vertical(ik_parser *p, ik_item *it, const ik_name *word) {
  if (it->word) {
    ik_error(p->diag, IK_E002, word->span,
             "a grid has one vertical axis, and there is one already");
    ik_note_add(p->diag, it->word_span, "given here");
    ik_help(p->diag, "remove one of the two");
    return false;
  }
  it->word = word->text, it->word_span = word->span;
  return ik_parse_expect(p, IK_TOK_ASSIGN) && read_item_name(p, "the name of an axis", it);
}

static bool parse_grid(ik_parser *p, ik_item *it) {
  ik_name **tail = &it->names;
  do {
    ik_name *axis = read_name(p, "the name of an axis");
    if (!axis) return false;
    if (strcmp(axis->text, "spacing") == 0) {
      if (!read_value(p, &it->spacing)) return false;
      continue;
    }
    if (strcmp(axis->text, "down") == 0 || strcmp(axis->text, "up") == 0) {
      if (!read_vertical(p, it, axis)) return false;
      continue;
    }
    if (!read_value(p, &axis->value)) return false;
    if (ik_parse_accept(p, IK_TOK_IF) && !read_expr(p, &axis->value2)) return false;
    *tail = axis, tail = &axis->next;
  } while (ik_parse_accept(p, IK_TOK_COMMA));
  return true;
}

/* `param a = 1, b = 2` is as good as two statements. */
static bool parse_param(ik_parser *p, ik_item *it) {
  for (;; it = it->next) {
    const ik_token *start = p->tok;
    it->kind = IK_ITEM_PARAM;
    if (!read_item_name(p, "the name of a parameter", it) || !read_value(p, &it->value))
      return false;
    it->span = ik_parse_span_from(p, start);
    if (!ik_parse_accept(p, IK_TOK_COMMA)) return true;
    it->next = IK_NEW(p->arena, ik_item);
  }
}

static bool parse_def(ik_parser *p, ik_item *it) {
  if (!read_item_name(p, "the name of a function", it)) return false;
  const ik_token *open = p->tok;
  if (!ik_parse_expect(p, IK_TOK_LPAREN)) return false;
  ik_name **tail = &it->names;
  while (!ik_parse_is(p, IK_TOK_RPAREN) || it->names) {
    ik_name *n = read_name(p, "the name of an argument");
    if (!n) return false;
    if (ik_parse_accept(p, IK_TOK_ASSIGN) && !read_expr(p, &n->value)) return false;
    *tail = n, tail = &n->next;
    if (!ik_parse_accept(p, IK_TOK_COMMA)) break;
  }
  return ik_parse_close(p, open, IK_TOK_RPAREN, ",") && read_value(p, &it->value);
}

static bool parse_weights(ik_parser *p, ik_item *it) {
  return read_item_name(p, "the name of the weights", it) && read_value(p, &it->value);
}

/* Says that an option stands twice. */
static bool once(ik_parser *p, bool already, const char *word) {
  if (!already) return true;
  ik_error(p->diag, IK_E002, ik_lex_span(p->src, p->tok), "'%s' is given twice", word);
  ik_help(p->diag, "remove one of them");
  return false;
}

static bool field_option(ik_parser *p, ik_item *it) {
  if (ik_parse_is_word(p, "history")) {
    if (!once(p, it->history, "history")) return false;
    ik_parse_advance(p);
    return read_expr(p, &it->history);
  }
  if (ik_parse_is_word(p, "on")) {
    if (!once(p, it->on, "on")) return false;
    ik_parse_advance(p);
    return read_expr(p, &it->on);
  }
  if (ik_parse_unexpected(p, "'history' or 'on'"))
    ik_help(p->diag, "for example  field u : f64, history 2, on (x, y) = 0");
  return false;
}

static bool parse_field(ik_parser *p, ik_item *it) {
  if (!read_names(p, "the name of a field", &it->names)) return false;
  if (ik_parse_is(p, IK_TOK_ASSIGN) || ik_parse_is(p, IK_TOK_END) || p->tok->newlines) {
    if (ik_parse_unexpected(p, "':' and the type of the field"))
      ik_lang_fix(p->diag, ik_parse_span_behind(p), " : f64");
    return false;
  }
  if (!ik_parse_expect(p, IK_TOK_COLON) || !read_type(p, it)) return false;
  while (ik_parse_accept(p, IK_TOK_COMMA))
    if (!field_option(p, it)) return false;
  return !ik_parse_accept(p, IK_TOK_ASSIGN) || read_expr(p, &it->value);
}

/* ---- boundaries ---- */

static bool read_face(ik_parser *p, ik_name ***tail) {
  p->tok->first = true;
  int      sign = ik_parse_accept(p, IK_TOK_MINUS) ? -1 : ik_parse_accept(p, IK_TOK_PLUS) ? 1 : 0;
  ik_name *face = read_name(p, "a face, such as x, -x or +x");
  if (!face) return false;
  face->sign = sign;
  if (!read_value(p, &face->value)) return false;
  **tail = face, *tail = &face->next;
  ik_tok k = p->tok->kind;
  if (p->tok->newlines || k == IK_TOK_SEMICOLON || k == IK_TOK_RBRACE || k == IK_TOK_END)
    return true;
  if (ik_parse_unexpected(p, "';', a new line or '}' after the face") && k == IK_TOK_COMMA)
    ik_lang_fix(p->diag, ik_lex_span(p->src, p->tok), ";");
  return false;
}

static void read_faces(ik_parser *p, ik_item *it) {
  ik_name **tail = &it->faces;
  if (ik_parse_is(p, IK_TOK_RBRACE) && ik_parse_unexpected(p, "a face, such as x, -x or +x"))
    ik_help(p->diag, "for example  boundary u { x = periodic; -y = 0; +y = 1 }");
  while (!ik_parse_is(p, IK_TOK_RBRACE) && !ik_parse_is(p, IK_TOK_END) &&
         !ik_parse_lacks_brace(p)) {
    const ik_token *start = p->tok;
    if (ik_parse_accept(p, IK_TOK_SEMICOLON)) continue;
    if (read_face(p, &tail)) continue;
    help_example(p, IK_ITEM_BOUNDARY);
    ik_parse_recover(p, start);
  }
}

static bool face_block(ik_parser *p, ik_item *it) {
  const ik_token *open = p->tok;
  ik_parse_advance(p);
  p->in_faces = true;
  read_faces(p, it);
  p->in_faces = false;
  if (!ik_parse_accept(p, IK_TOK_RBRACE)) ik_parse_report_open_block(p, open);
  return true;
}

static bool parse_boundary(ik_parser *p, ik_item *it) {
  if (!read_names(p, "the name of a field", &it->names)) return false;
  if (ik_parse_is(p, IK_TOK_LBRACE)) return face_block(p, it);
  it->faces = IK_NEW(p->arena, ik_name);
  it->faces->text = "", it->faces->span = it->names->span;
  if (ik_parse_is(p, IK_TOK_ASSIGN)) return read_value(p, &it->faces->value);
  if (ik_parse_unexpected(p, "'=' or '{'") && ik_parse_starts_operand(p->tok->kind) &&
      !p->tok->newlines)
    ik_lang_fix(p->diag, ik_parse_span_behind(p), " = ");
  return false;
}

/* ---- values, sources, receivers, outputs ---- */

static bool parse_init(ik_parser *p, ik_item *it) {
  if (!(it->target = ik_parse_target(p))) return false;
  ik_ast *t = it->target;
  if (t->kind == IK_AST_NAME || (t->kind == IK_AST_INDEX && t->a->kind == IK_AST_NAME))
    return read_value(p, &it->value);
  ik_error(p->diag, IK_E002, t->span, "expected a field, or a field at an earlier time");
  ik_span name = t->span;
  while (t->a) t = t->a;
  ik_lang_fix(p->diag, name, t->name);
  return false;
}

enum { WITH = 1, EVERY = 2, COUNT = 4, INTO_FIELD = 8, INTO_FILE = 16 };

static bool read_path(ik_parser *p, ik_item *it) {
  const ik_token *t = p->tok;
  it->path_span = ik_lex_span(p->src, t);
  if (t->kind == IK_TOK_STRING) {
    it->path = ik_parse_string_content(p, t);
    ik_parse_advance(p);
    return true;
  }
  if (!ik_parse_unexpected(p, "a file name in double quotes")) return false;
  if (t->kind != IK_TOK_NAME || t->newlines) return false;
  const ik_token *end = ik_parse_after(t), *last = ik_parse_after(end);
  bool            dotted = end->kind == IK_TOK_DOT && last->kind == IK_TOK_NAME && !last->newlines;
  int             len = (dotted ? last : t)->off + (dotted ? last : t)->len - t->off;
  const char     *quoted = ik_arena_printf(p->arena, "\"%.*s\"", len, p->src->text + t->off);
  ik_lang_fix(p->diag, (ik_span){p->src, t->off, len}, quoted);
  return false;
}

static bool read_into(ik_parser *p, ik_item *it, unsigned allowed) {
  if (!once(p, allowed & INTO_FILE ? it->path : it->name, "into")) return false;
  ik_parse_advance(p);
  return allowed & INTO_FILE ? read_path(p, it) : read_item_name(p, "the name of a field", it);
}

static bool read_with(ik_parser *p, ik_item *it) {
  if (!once(p, it->word, "with")) return false;
  ik_parse_advance(p);
  it->word = ik_parse_name(p, "an interpolation", &it->word_span);
  return it->word != NULL;
}

static bool read_number_option(ik_parser *p, ik_ast **into, const char *word) {
  if (!once(p, *into, word)) return false;
  ik_parse_advance(p);
  return read_expr(p, into);
}

static bool report_no_into(ik_parser *p, bool file) {
  if (!ik_parse_unexpected(p, file ? "'into' and a file name" : "'into' and a field")) return false;
  bool there = ik_parse_is(p, file ? IK_TOK_STRING : IK_TOK_NAME) && !p->tok->newlines;
  ik_parse_fix_word(p, "into", there ? " into " : file ? " into \"out.npy\"" : " into u");
  return false;
}

/* The options behind a position, in any order; `into` must be among them. */
static bool read_options(ik_parser *p, ik_item *it, unsigned allowed) {
  for (;;) {
    bool ok;
    if (ik_parse_is_word(p, "into"))
      ok = read_into(p, it, allowed);
    else if (allowed & WITH && ik_parse_is_word(p, "with"))
      ok = read_with(p, it);
    else if (allowed & EVERY && ik_parse_is_word(p, "every"))
      ok = read_number_option(p, &it->every, "every");
    else if (allowed & COUNT && ik_parse_is_word(p, "count"))
      ok = read_number_option(p, &it->count, "count");
    else
      break;
    if (!ok) return false;
  }
  if (allowed & INTO_FILE ? it->path != NULL : it->name != NULL) return true;
  return report_no_into(p, allowed & INTO_FILE);
}

static bool parse_source(ik_parser *p, ik_item *it) {
  if (ik_parse_is_word(p, "at")) {
    if (ik_parse_unexpected(p, "a wavelet or a value"))
      ik_lang_fix(p->diag, ik_parse_span_behind(p), " ricker(f = 10 Hz) ");
    return false;
  }
  return read_expr(p, &it->value) && ik_parse_expect_word(p, "at") && read_expr(p, &it->from) &&
         read_options(p, it, WITH | INTO_FIELD);
}

static bool parse_receiver(ik_parser *p, ik_item *it) {
  if (!read_item_name(p, "the name of a field", it) || !ik_parse_expect_word(p, "at")) return false;
  bool line = ik_parse_accept_word(p, "line");
  if (!read_expr(p, &it->from)) return false;
  if (line && (!ik_parse_expect(p, IK_TOK_RANGE) || !read_expr(p, &it->to))) return false;
  if (!line && ik_parse_is(p, IK_TOK_RANGE)) {
    if (ik_parse_unexpected(p, "'line' before the two ends of a line"))
      ik_lang_fix(p->diag, (ik_span){p->src, it->from->span.off, 0}, "line ");
    return false;
  }
  return read_options(p, it, WITH | EVERY | COUNT | INTO_FILE);
}

static bool parse_output(ik_parser *p, ik_item *it) {
  return read_names(p, "the name of a field", &it->names) && read_options(p, it, EVERY | INTO_FILE);
}

/* ---- statements that run ---- */

static bool parse_scalar(ik_parser *p, ik_item *it) {
  if (!read_item_name(p, "the name of a scalar", it)) return false;
  if (ik_parse_accept(p, IK_TOK_COLON) && !read_type(p, it)) return false;
  return read_value(p, &it->value);
}

/* A body, also behind a head with a mistake, so that its own mistakes are found too. */
static bool read_body(ik_parser *p, ik_item *it, bool head, unsigned where) {
  ik_item **tail = &it->body;
  if (!head) help_example(p, it->kind);
  if (!head && !ik_parse_skip_to_block(p)) return false;
  return ik_parse_block(p, where, IK_AT_ALL, &tail);
}

static bool parse_step(ik_parser *p, ik_item *it) {
  if (ik_parse_is(p, IK_TOK_LBRACE)) {
    if (ik_parse_unexpected(p, "the number of steps"))
      ik_lang_fix(p->diag, ik_parse_span_behind(p), " 100 ");
    return read_body(p, it, true, IK_IN_STEP);
  }
  return read_body(p, it, read_expr(p, &it->value), IK_IN_STEP);
}

static bool repeat_head(ik_parser *p, ik_item *it) {
  if (!ik_parse_expect_word(p, "until") || !read_expr(p, &it->value)) return false;
  if (ik_parse_accept_word(p, "max")) return read_expr(p, &it->limit);
  if (ik_parse_unexpected(p, "'max' and the maximum number of rounds"))
    ik_lang_fix(p->diag, ik_parse_span_behind(p), " max 1000 ");
  return false;
}

static bool parse_repeat(ik_parser *p, ik_item *it) {
  return read_body(p, it, repeat_head(p, it), IK_IN_REPEAT);
}

static bool sweep_head(ik_parser *p, ik_item *it) {
  ik_name **tail = &it->names;
  do {
    ik_name *axis = read_name(p, "the name of an axis");
    if (!axis) return false;
    *tail = axis, tail = &axis->next;
    axis->sign = ik_parse_accept_word(p, "up") ? 1 : ik_parse_accept_word(p, "down") ? -1 : 0;
    if (axis->sign) continue;
    if (ik_parse_unexpected(p, "'up' or 'down'"))
      ik_lang_fix(p->diag, ik_parse_span_behind(p), " up ");
    return false;
  } while (ik_parse_accept(p, IK_TOK_COMMA));
  return true;
}

static bool parse_sweep(ik_parser *p, ik_item *it) {
  return read_body(p, it, sweep_head(p, it), IK_IN_SWEEP);
}

static bool read_region(ik_parser *p, ik_item *it) {
  if (ik_parse_is_word(p, "interior")) {
    if (!read_expr(p, &it->interior)) return false;
    if (it->interior->kind == IK_AST_CALL) return true;
    ik_error(p->diag, IK_E002, it->interior->span,
             "expected the width of the border after 'interior'");
    ik_lang_fix(p->diag, it->interior->span, "interior(1)");
    return false;
  }
  ik_name **tail = &it->region;
  do {
    ik_name *axis = read_name(p, "'interior' or an axis");
    if (!axis || !read_value(p, &axis->value)) return false;
    if (ik_parse_accept(p, IK_TOK_RANGE) && !read_expr(p, &axis->value2)) return false;
    *tail = axis, tail = &axis->next;
  } while (ik_parse_accept(p, IK_TOK_COMMA));
  return true;
}

/* `u[1,0] = ...`: a field is written as a whole. */
static bool report_target(ik_parser *p, ik_item *it) {
  ik_ast *t = it->target;
  ik_span all = t->span;
  ik_error(p->diag, IK_E002, all, "expected a field or its new value on the left of '='");
  while (t->a) t = t->a;
  ik_lang_fix(p->diag, all, ik_arena_printf(p->arena, "%s'", t->name));
  ik_note_add(p->diag, IK_NOSPAN, "part of a field is written with a region:  %s' = 0 on x = 0",
              t->name);
  return false;
}

static bool parse_assign(ik_parser *p, ik_item *it) {
  if (!(it->target = ik_parse_target(p))) return false;
  const ik_ast *t = it->target;
  if (t->kind != IK_AST_NAME && (t->kind != IK_AST_PRIME || t->a->kind != IK_AST_NAME))
    return report_target(p, it);
  if (!read_value(p, &it->value)) return false;
  return !ik_parse_accept_word(p, "on") || read_region(p, it);
}

/* ---- which statement is it? ---- */

enum {
  IN_BODY = IK_IN_STEP | IK_IN_REPEAT,
  ANYWHERE = IK_IN_TEXT | IN_BODY | IK_IN_SWEEP,
};

/* clang-format off */
static const struct statement {
  const char  *word;
  ik_item_kind kind;
  unsigned     where;
  bool       (*parse)(ik_parser *p, ik_item *it);
  const char  *example;
} statements[] = {
  {"language",   IK_ITEM_LANGUAGE,   IK_IN_TEXT, parse_language,   "language 1"},
  {"arithmetic", IK_ITEM_ARITHMETIC, IK_IN_TEXT, parse_arithmetic, "arithmetic chain"},
  {"grid",       IK_ITEM_GRID,       IK_IN_TEXT, parse_grid,       "grid x = 64, y = 64"},
  {"param",      IK_ITEM_PARAM,      IK_IN_TEXT, parse_param,      "param dt = 0.8 ms"},
  {"def",        IK_ITEM_DEF,        IK_IN_TEXT, parse_def,        "def twice(a) = 2*a"},
  {"weights",    IK_ITEM_WEIGHTS,    IK_IN_TEXT, parse_weights,    "weights w = [1, -2, 1]"},
  {"field",      IK_ITEM_FIELD,      IK_IN_TEXT, parse_field,      "field u : f64"},
  {"boundary",   IK_ITEM_BOUNDARY,   IK_IN_TEXT, parse_boundary,   "boundary u { x = periodic; -y = 0; +y = 1 }"},
  {"init",       IK_ITEM_INIT,       IK_IN_TEXT, parse_init,       "init u = 0"},
  {"source",     IK_ITEM_SOURCE,     IK_IN_TEXT, parse_source,     "source ricker(f = 10 Hz) at (32, 32) into u"},
  {"receiver",   IK_ITEM_RECEIVER,   IK_IN_TEXT, parse_receiver,   "receiver u at line (0, 8) .. (63, 8) count 64 into \"shot.npy\""},
  {"output",     IK_ITEM_OUTPUT,     IK_IN_TEXT, parse_output,     "output u every 10 into \"u.npy\""},
  {"step",       IK_ITEM_STEP,       IK_IN_TEXT, parse_step,       "step 100 { u' = u }"},
  {"repeat",     IK_ITEM_REPEAT,     IK_IN_TEXT, parse_repeat,     "repeat until norm(r) <= 1e-6 max 500 { r = r/2 }"},
  {"sweep",      IK_ITEM_SWEEP,      IK_IN_TEXT | IN_BODY, parse_sweep,  "sweep z up { a = a[0,0,-1] + 1 }"},
  {"scalar",     IK_ITEM_SCALAR,     IK_IN_TEXT | IN_BODY, parse_scalar, "scalar alpha = sum(u*u)"},
};
/* clang-format on */
enum { NSTATEMENTS = sizeof statements / sizeof *statements };

static const struct statement assignment = {NULL, IK_ITEM_ASSIGN, ANYWHERE, parse_assign,
                                            "u' = 2*u"};

static bool same(const char *s, int len, const char *word) {
  return (int)strlen(word) == len && memcmp(s, word, (size_t)len) == 0;
}

static const struct statement *find_statement(const char *s, int len) {
  for (int i = 0; i < NSTATEMENTS; i++)
    if (same(s, len, statements[i].word)) return &statements[i];
  return NULL;
}

/* The last resort: a statement of this kind that is right. */
static void help_example(ik_parser *p, ik_item_kind kind) {
  const char *example = assignment.example;
  for (int i = 0; i < NSTATEMENTS; i++)
    if (statements[i].kind == kind) example = statements[i].example;
  ik_help(p->diag, "for example  %s", example);
}

bool ik_parse_is_keyword(const char *s, int len) { return find_statement(s, len) != NULL; }

bool ik_parse_is_contextual(const char *s, int len) {
  static const char *const words[] = {"on", "into", "at", "with", "every", "count", "max"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (same(s, len, words[i])) return true;
  return false;
}

/* Words that start a statement elsewhere, and what says it here. */
static const char *foreign(const char *word) {
  static const struct {
    const char *word, *here;
  } table[] = {
      {"for", "step 100 { u' = u }"},
      {"while", "repeat until norm(r) <= 1e-6 max 500 { r = r/2 }"},
      {"let", "param dt = 0.1"},
      {"const", "param dt = 0.1"},
      {"var", "param dt = 0.1"},
      {"float", "field u : f32"},
      {"double", "field u : f64"},
      {"real", "field u : f64"},
      {"int", "field n : i32"},
      {"function", "def twice(a) = 2*a"},
      {"fn", "def twice(a) = 2*a"},
      {"return", "u' = 2*u"},
      {"print", "output u into \"u.npy\""},
      {"import", "weights w = file(\"w.npy\")"},
  };
  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    if (strcmp(table[i].word, word) == 0) return table[i].here;
  return NULL;
}

/* `f(a) = ...` lacks `def`; `f(a)` alone does nothing. */
static void report_call(ik_parser *p) {
  const ik_token *t = ik_parse_after(p->tok);
  int             open = 0, far = 0;
  do {
    open += (t->kind == IK_TOK_LPAREN) - (t->kind == IK_TOK_RPAREN);
    t = ik_parse_after(t);
  } while (open > 0 && ++far < 100); /* enough for a list of arguments, and no more per line */
  bool def = t->kind == IK_TOK_ASSIGN;
  ik_error(p->diag, IK_E002, ik_lex_span(p->src, p->tok), "expected a statement, found %s",
           def ? "the definition of a function without 'def'" : "a call");
  ik_lang_fix(p->diag, (ik_span){p->src, p->tok->off, 0}, def ? "def " : "v = ");
}

static const struct statement *report_unknown(ik_parser *p) {
  const char *names[NSTATEMENTS], *word = ik_parse_copy(p, p->tok), *here = foreign(word);
  ik_span     at = ik_lex_span(p->src, p->tok);
  ik_tok      next = ik_parse_after(p->tok)->kind;
  for (int i = 0; i < NSTATEMENTS; i++) names[i] = statements[i].word;
  const char *near = here || next == IK_TOK_LBRACE ? NULL : ik_nearest(word, names, NSTATEMENTS);
  if (near) {
    ik_error(p->diag, IK_E002, at, "'%s' is not a statement; did you mean '%s'?", word, near);
    ik_lang_fix(p->diag, at, near);
    return find_statement(near, (int)strlen(near));
  }
  ik_error(p->diag, IK_E002, at, "expected a statement, found '%.40s'", word);
  if (here)
    ik_help(p->diag, "in ikat, for example:  %s", here);
  else if (next == IK_TOK_COLON)
    ik_lang_fix(p->diag, (ik_span){p->src, at.off, 0}, "field ");
  else if (next == IK_TOK_LBRACE)
    ik_lang_fix(p->diag, (ik_span){p->src, at.off, 0}, "at ");
  else {
    const char *more = ik_parse_after(p->tok)->newlines || next == IK_TOK_END ? " = 0" : " = ";
    ik_lang_fix(p->diag, (ik_span){p->src, at.off + at.len, 0}, more);
  }
  return NULL;
}

static bool is_part(const ik_parser *p, const ik_token *t) {
  return ik_parse_token_is_word(p, t, "first") || ik_parse_token_is_word(p, t, "within") ||
         ik_parse_token_is_word(p, t, "last");
}

/* Finds out by its first tokens which statement this is; NULL after a message. */
static const struct statement *recognise(ik_parser *p) {
  const ik_token *t = p->tok, *t1 = ik_parse_after(t);
  if (t->kind != IK_TOK_NAME) {
    if (!ik_parse_unexpected(p, "a statement")) return NULL;
    if (t->kind == IK_TOK_IF) ik_help(p->diag, "for example  u' = if u > 0 then u else 0");
    ik_help(p->diag, "a statement starts with a name, as in  u' = 2*u , or a word, as in  step 10");
    return NULL;
  }
  const struct statement *s = find_statement(p->src->text + t->off, t->len);
  bool                    written = t1->kind == IK_TOK_ASSIGN || t1->kind == IK_TOK_PRIME;
  if (s && written) return ik_parse_report_reserved(p), NULL;
  if (s) return s;
  if (written || t1->kind == IK_TOK_LBRACKET || t1->kind == IK_TOK_DOT) return &assignment;
  if (t->wrong) return ik_parse_unexpected(p, "a statement"), NULL;
  if (ik_parse_is_word(p, "at") && is_part(p, t1)) {
    ik_error(p->diag, IK_E050, ik_lex_span(p->src, t),
             "'at' is allowed only directly inside a sweep");
    ik_help(p->diag, "for example  sweep z up { at first { a = 0 } within { a = a[0,0,-1] } }");
    return NULL;
  }
  if (t1->kind == IK_TOK_LPAREN) return report_call(p), NULL;
  return report_unknown(p);
}

static void check_place(ik_parser *p, const struct statement *s, unsigned where) {
  if (s->where & where) return;
  const char *block = where == IK_IN_STEP ? "step" : where == IK_IN_REPEAT ? "repeat" : "sweep";
  ik_error(p->diag, IK_E050, ik_lex_span(p->src, p->tok), "'%s' is not allowed inside a %s",
           s->word, block);
  ik_help(p->diag, "move it out of the %s, to a place before it", block);
}

bool ik_parse_item(ik_parser *p, unsigned where, ik_item *it) {
  const ik_token         *start = p->tok;
  const struct statement *s = recognise(p);
  if (!s) return false;
  check_place(p, s, where);
  it->kind = s->kind;
  if (s != &assignment) ik_parse_advance(p);
  if (!s->parse(p, it)) return help_example(p, s->kind), false;
  if (!it->span.src) it->span = ik_parse_span_from(p, start);
  return true;
}
