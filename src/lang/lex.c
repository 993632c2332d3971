#include "lang/lex.h"
#include "lang/fix.h"
#include "lang/unit.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What other languages and keyboards write for what we have.  Tried in this order, so a longer
 * spelling stands before a shorter one that begins it. */
/* clang-format off */
static const struct mistake {
  const char *text;
  ik_tok      kind;
  const char *right; /* NULL: no replacement that fits everywhere */
  const char *say;
} mistakes[] = {
  {"**", IK_TOK_CARET,   "^",     "'**' is not an operator; a power is written with '^'"},
  {"&&", IK_TOK_AND,     " and ", "'&&' is not an operator; write 'and'"},
  {"||", IK_TOK_OR,      " or ",  "'||' is not an operator; write 'or'"},
  {":=", IK_TOK_ASSIGN,  "=",     "':=' is not an operator; a value is given with '='"},
  {"=<", IK_TOK_LE,      "<=",    "'=<' is not an operator; 'at most' is written '<='"},
  {"=>", IK_TOK_GE,      ">=",    "'=>' is not an operator; 'at least' is written '>='"},
  {"<>", IK_TOK_NE,      "!=",    "'<>' is not an operator; 'not equal' is written '!='"},
  {"+=", IK_TOK_ASSIGN,  NULL,    "'+=' is not an operator"},
  {"-=", IK_TOK_ASSIGN,  NULL,    "'-=' is not an operator"},
  {"*=", IK_TOK_ASSIGN,  NULL,    "'*=' is not an operator"},
  {"/=", IK_TOK_ASSIGN,  NULL,    "'/=' is not an operator"},
  {"//", IK_TOK_COMMENT, "#",     "'//' does not start a comment; '#' does"},
  {"/*", IK_TOK_COMMENT, "#",     "'/*' does not start a comment; '#' does, to the end of the line"},
  {"!",  IK_TOK_NOT,     "not ",  "'!' is not an operator; write 'not'"},
  {"&",  IK_TOK_AND,     " and ", "'&' is not an operator; write 'and'"},
  {"|",  IK_TOK_OR,      " or ",  "'|' is not an operator; write 'or'"},
  {"?",  IK_TOK_BAD,     NULL,    "'?' is not an operator; a choice is written with 'if'"},
  {"%",  IK_TOK_BAD,     NULL,    "'%' is neither a unit nor an operator"},
  {"\u00d7", IK_TOK_STAR,  "*",  "'\u00d7' is not an operator; a product is written with '*'"},
  {"\u00b7", IK_TOK_STAR,  "*",  "'\u00b7' is not an operator; a product is written with '*'"},
  {"\u00f7", IK_TOK_SLASH, "/",  "'\u00f7' is not an operator; a quotient is written with '/'"},
  {"\u2212", IK_TOK_MINUS, "-",  "'\u2212' is not the ASCII minus sign"},
  {"\u2013", IK_TOK_MINUS, "-",  "'\u2013' is a dash, not the ASCII minus sign"},
  {"\u2019", IK_TOK_PRIME, "'",  "'\u2019' is not the ASCII apostrophe"},
  {"\u2032", IK_TOK_PRIME, "'",  "'\u2032' is not the ASCII apostrophe"},
  {"\u2264", IK_TOK_LE,    "<=", "'\u2264' is written '<='"},
  {"\u2265", IK_TOK_GE,    ">=", "'\u2265' is written '>='"},
  {"\u2260", IK_TOK_NE,    "!=", "'\u2260' is written '!='"},
  {"\u2026", IK_TOK_RANGE, "..", "'\u2026' is one character; a range is written with two dots"},
  {"\u00b2", IK_TOK_BAD,   "^2", "'\u00b2' is not an operator; a power is written with '^'"},
  {"\u00b3", IK_TOK_BAD,   "^3", "'\u00b3' is not an operator; a power is written with '^'"},
  {"\u00b0", IK_TOK_BAD,   " deg", "'\u00b0' is not a unit; write 'deg'"},
  {"\u201c", IK_TOK_BAD,   "\"", "'\u201c' does not start a string; the straight '\"' does"},
  {"\u201d", IK_TOK_BAD,   "\"", "'\u201d' does not end a string; the straight '\"' does"},
  {"\u00a0", IK_TOK_BAD,   " ",  "a no-break space, where a plain space is needed"},
};

static const struct operator {
  const char *text;
  ik_tok      kind;
} pairs[] = {
  {"<=", IK_TOK_LE}, {">=", IK_TOK_GE}, {"==", IK_TOK_EQ}, {"!=", IK_TOK_NE}, {"..", IK_TOK_RANGE},
}, singles[] = {
  {"(", IK_TOK_LPAREN},   {")", IK_TOK_RPAREN}, {"[", IK_TOK_LBRACKET}, {"]", IK_TOK_RBRACKET},
  {"{", IK_TOK_LBRACE},   {"}", IK_TOK_RBRACE}, {",", IK_TOK_COMMA},    {";", IK_TOK_SEMICOLON},
  {":", IK_TOK_COLON},    {"=", IK_TOK_ASSIGN}, {"'", IK_TOK_PRIME},    {".", IK_TOK_DOT},
  {"+", IK_TOK_PLUS},     {"-", IK_TOK_MINUS},  {"*", IK_TOK_STAR},     {"/", IK_TOK_SLASH},
  {"^", IK_TOK_CARET},    {"<", IK_TOK_LT},     {">", IK_TOK_GT},
}, words[] = {
  {"if", IK_TOK_IF}, {"then", IK_TOK_THEN}, {"else", IK_TOK_ELSE},
  {"and", IK_TOK_AND}, {"or", IK_TOK_OR}, {"not", IK_TOK_NOT},
};
/* clang-format on */
#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

/* Values of ik_token.wrong: those of `mistakes` by index + 1, then these. */
enum {
  WRONG_CHARACTER = COUNT(mistakes) + 1,
  WRONG_CONTROL,
  WRONG_BYTES,
  WRONG_WORD,
  WRONG_STRING_OPEN,
  WRONG_STRING_CONTROL,
  WRONG_STRING_ESCAPE,
  WRONG_NUMBER_EXPONENT,
  WRONG_NUMBER_DOTS,
  WRONG_NUMBER_HEX,
  WRONG_NUMBER_GROUPS,
};

typedef struct lexer {
  const char *s;
  int         n, i;
} lexer;

/* The byte `ahead` of here, or -1 at the end. */
static int peek(const lexer *l, int ahead) {
  return ahead < l->n - l->i ? (unsigned char)l->s[l->i + ahead] : -1;
}

static bool is_digit(int c) { return c >= '0' && c <= '9'; }
static bool is_letter(int c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
static bool is_word(int c) { return is_letter(c) || is_digit(c); }
static bool is_blank(int c) { return c == ' ' || c == '\t' || c == '\r'; }
static bool is_control(int c) {
  return (c >= 0 && c < 0x20 && c != '\n' && !is_blank(c)) || c == 0x7f;
}

static bool follows(const lexer *l, const char *text) {
  int n = (int)strlen(text);
  return n <= l->n - l->i && memcmp(l->s + l->i, text, (size_t)n) == 0;
}

static int find_mistake(const lexer *l) {
  for (int i = 0; i < COUNT(mistakes); i++)
    if (follows(l, mistakes[i].text)) return i;
  return -1;
}

/* Length of the UTF-8 sequence here (2..4), or 0 if it is not one. */
static int utf8_length(const lexer *l) {
  int c = peek(l, 0), n = c >= 0xc2 && c < 0xe0 ? 2 : c >= 0xe0 && c < 0xf0 ? 3 : 4;
  if (c < 0xc2 || c > 0xf4) return 0;
  for (int i = 1; i < n; i++)
    if ((peek(l, i) & 0xc0) != 0x80 || peek(l, i) < 0) return 0;
  int  second = peek(l, 1);
  bool overlong = (c == 0xe0 && second < 0xa0) || (c == 0xf0 && second < 0x90);
  bool beyond = (c == 0xf4 && second > 0x8f) || (c == 0xed && second > 0x9f);
  return overlong || beyond ? 0 : n;
}

static void skip_line(lexer *l) {
  const char *end = memchr(l->s + l->i, '\n', (size_t)(l->n - l->i));
  l->i = end ? (int)(end - l->s) : l->n;
}

/* ---- one kind of token each; `t` has its start, l->i ends behind it ---- */

static void lex_string(lexer *l, ik_token *t) {
  t->kind = IK_TOK_STRING;
  l->i++;
  for (int c; (c = peek(l, 0)) != '"';) {
    if (c < 0 || c == '\n') {
      t->wrong = WRONG_STRING_OPEN;
      while (is_blank((unsigned char)l->s[l->i - 1]) && l->i > t->off + 1) l->i--;
      return;
    }
    if (is_control(c)) t->wrong = WRONG_STRING_CONTROL;
    if (c == '\\') {
      int next = peek(l, 1);
      if (next == '"' || next == '\\')
        l->i++;
      else if (!t->wrong)
        t->wrong = WRONG_STRING_ESCAPE;
    }
    l->i++;
  }
  l->i++;
}

static void skip_digits(lexer *l) {
  while (is_digit(peek(l, 0))) l->i++;
}

static void lex_exponent(lexer *l) {
  int c = peek(l, 0);
  if (c != 'e' && c != 'E') return;
  int sign = peek(l, 1) == '+' || peek(l, 1) == '-';
  if (!is_digit(peek(l, 1 + sign))) return;
  l->i += 1 + sign;
  skip_digits(l);
}

/* Numbers that other languages have and we do not; takes all of what stands there. */
static void lex_wrong_number(lexer *l, ik_token *t) {
  int  c = peek(l, 0), next = peek(l, 1);
  bool zero = l->i == t->off + 1 && l->s[t->off] == '0';
  if (zero && (c == 'x' || c == 'X') && is_word(next))
    t->wrong = WRONG_NUMBER_HEX;
  else if (c == '_' && is_digit(next))
    t->wrong = WRONG_NUMBER_GROUPS;
  else if (c == '.' && is_digit(next))
    t->wrong = WRONG_NUMBER_DOTS;
  else if ((c == 'e' || c == 'E') && !is_word(next))
    t->wrong = WRONG_NUMBER_EXPONENT;
  else
    return;
  if (t->wrong == WRONG_NUMBER_EXPONENT) {
    l->i += 1 + (next == '+' || next == '-');
    return;
  }
  while (is_word(peek(l, 0)) || (peek(l, 0) == '.' && peek(l, 1) != '.')) l->i++;
}

/* A unit may follow on the same line; `2 min(a, b)` is no minute. */
static void lex_unit(lexer *l, ik_token *t) {
  int blanks = 0;
  while (is_blank(peek(l, blanks))) blanks++;
  ik_unit unit;
  int     n = ik_unit_scan(l->s + l->i + blanks, l->n - l->i - blanks, &unit);
  int     after = n ? peek(l, blanks + n) : -1;
  if (!n || after == '(' || after == '[' || after == '\'') return;
  t->unit = n;
  l->i += blanks + n;
}

static void lex_number(lexer *l, ik_token *t) {
  t->kind = IK_TOK_NUMBER;
  skip_digits(l);
  if (peek(l, 0) == '.' && peek(l, 1) != '.') {
    l->i++;
    skip_digits(l);
  }
  lex_exponent(l);
  lex_wrong_number(l, t);
  t->digits = l->i - t->off;
  if (!t->wrong) lex_unit(l, t);
}

/* A name; with letters that are not ours in it, all of the word is one mistake. */
static void lex_word(lexer *l, ik_token *t) {
  for (;;) {
    int n = is_word(peek(l, 0))                         ? 1
            : peek(l, 0) < 0x80 || find_mistake(l) >= 0 ? 0
                                                        : utf8_length(l);
    if (!n) break;
    if (n > 1) t->wrong = WRONG_WORD;
    l->i += n;
  }
  t->kind = IK_TOK_NAME;
  int len = l->i - t->off;
  for (int i = 0; i < COUNT(words); i++)
    if ((int)strlen(words[i].text) == len && !memcmp(words[i].text, l->s + t->off, (size_t)len))
      t->kind = words[i].kind;
}

static void lex_mistake(lexer *l, ik_token *t, int which) {
  t->kind = mistakes[which].kind;
  t->wrong = (short)(which + 1);
  l->i += (int)strlen(mistakes[which].text);
  if (t->kind != IK_TOK_COMMENT) return;
  if (l->s[t->off + 1] == '/') {
    skip_line(l);
    return;
  }
  while (l->i < l->n && !follows(l, "*/")) l->i++;
  l->i = l->i + 2 < l->n ? l->i + 2 : l->n;
}

/* Bytes that are no text: one token for a whole run of them. */
static void lex_junk(lexer *l, ik_token *t) {
  t->kind = IK_TOK_BAD;
  if (is_control(peek(l, 0))) {
    t->wrong = WRONG_CONTROL;
    while (is_control(peek(l, 0))) l->i++;
  } else if (peek(l, 0) < 0x80) {
    t->wrong = WRONG_CHARACTER;
    l->i++;
  } else {
    t->wrong = WRONG_BYTES;
    do l->i++;
    while (peek(l, 0) >= 0x80 && !utf8_length(l));
  }
}

static bool lex_operator(lexer *l, ik_token *t) {
  for (int i = 0; i < COUNT(pairs); i++)
    if (follows(l, pairs[i].text)) return t->kind = pairs[i].kind, l->i += 2, true;
  int wrong = find_mistake(l);
  if (wrong >= 0) return lex_mistake(l, t, wrong), true;
  for (int i = 0; i < COUNT(singles); i++)
    if (follows(l, singles[i].text)) return t->kind = singles[i].kind, l->i += 1, true;
  return false;
}

static void lex_token(lexer *l, ik_token *t) {
  int c = peek(l, 0);
  if (c < 0)
    t->kind = IK_TOK_END;
  else if (c == '#')
    t->kind = IK_TOK_COMMENT, skip_line(l);
  else if (c == '"')
    lex_string(l, t);
  else if (is_digit(c) || (c == '.' && is_digit(peek(l, 1))))
    lex_number(l, t);
  else if (is_letter(c))
    lex_word(l, t);
  else if (lex_operator(l, t))
    return;
  else if (c >= 0x80 && utf8_length(l))
    lex_word(l, t);
  else
    lex_junk(l, t);
}

/* Blanks, with the newlines among them counted. */
static int skip_blanks(lexer *l) {
  int newlines = 0;
  for (; is_blank(peek(l, 0)) || peek(l, 0) == '\n'; l->i++) newlines += peek(l, 0) == '\n';
  return newlines;
}

ik_token *ik_lex(const ik_source *src, ik_arena *a) {
  IK_ASSERT(src->len <= IK_LEX_MAX_BYTES);
  lexer     l = {.s = src->text, .n = (int)src->len};
  ik_token *v = NULL;
  int       n = 0, cap = 0;
  if (follows(&l, "\xef\xbb\xbf")) l.i = 3; /* the byte order mark some editors write */
  do {
    ik_token t = {.newlines = skip_blanks(&l)};
    t.off = l.i;
    lex_token(&l, &t);
    t.len = l.i - t.off;
    IK_PUSH(a, v, n, cap, t);
  } while (v[n - 1].kind != IK_TOK_END);
  return v;
}

/* ---- what is wrong ---- */

/* Greek letters by name, as in `Δt` for Deltat; the micro sign as in the units; `_` for others. */
static void put_ascii(ik_buf *out, const lexer *l, int len) {
  static const char *const greek[] = {
      "alpha", "beta",   "gamma",   "delta", "epsilon", "zeta",    "eta",  "theta", "iota",
      "kappa", "lambda", "mu",      "nu",    "xi",      "omicron", "pi",   "rho",   "sigma",
      "sigma", "tau",    "upsilon", "phi",   "chi",     "psi",     "omega"};
  const unsigned char *s = (const unsigned char *)l->s + l->i;
  unsigned             code = len == 2 ? (s[0] & 0x1fu) << 6 | (s[1] & 0x3fu) : 0;
  if (code == 0xb5)
    ik_buf_putc(out, 'u');
  else if (code >= 0x3b1 && code <= 0x3c9)
    ik_buf_puts(out, greek[code - 0x3b1]);
  else if (code >= 0x391 && code <= 0x3a9) {
    const char *name = greek[code - 0x391];
    ik_buf_printf(out, "%c%s", name[0] - 'a' + 'A', name + 1);
  } else
    ik_buf_putc(out, '_');
}

static void report_word(const ik_source *src, const ik_token *t, ik_diag *d) {
  enum { SHOWN = 40 };
  ik_span at = ik_lex_span(src, t);
  if (t->len > SHOWN) {
    ik_error(d, IK_E001, at, "a name with letters other than a-z, A-Z, digits and '_'");
    ik_help(d, "write a shorter name in these letters");
    return;
  }
  ik_error(d, IK_E001, at,
           "'%.*s' is not a name: names consist of the letters a-z and A-Z, digits and '_'", t->len,
           src->text + t->off);
  ik_buf ascii = {0};
  lexer  l = {.s = src->text, .n = t->off + t->len, .i = t->off};
  while (l.i < l.n) {
    int n = is_word(peek(&l, 0)) ? 1 : utf8_length(&l);
    if (n == 1)
      ik_buf_putc(&ascii, l.s[l.i]);
    else
      put_ascii(&ascii, &l, n);
    l.i += n;
  }
  ik_lang_fix(d, at, ik_buf_text(&ascii));
  ik_buf_free(&ascii);
}

static void report_junk(const ik_source *src, const ik_token *t, ik_diag *d) {
  ik_span at = ik_lex_span(src, t);
  int     c = (unsigned char)src->text[t->off];
  if (t->wrong == WRONG_CHARACTER)
    ik_error(d, IK_E001, at, "unexpected character '%c'", c);
  else if (t->wrong == WRONG_CONTROL && c == 0)
    ik_error(d, IK_E001, at, "a NUL byte in the text; is this a text file?");
  else if (t->wrong == WRONG_CONTROL)
    ik_error(d, IK_E001, at, "a control character (byte 0x%02x) in the text", c);
  else
    ik_error(d, IK_E001, at, "bytes that are not UTF-8 (the first is 0x%02x)", c);
  if (t->wrong == WRONG_CHARACTER)
    ik_help(
        d,
        "remove it; a statement continues on the next line if that line starts with an operator");
  else
    ik_help(d, "remove it; outside of comments and strings the text is plain ASCII");
}

/* A path of another system: every '\\' that stands alone is doubled. */
static void fix_backslashes(const ik_source *src, const ik_token *t, ik_diag *d) {
  const char *s = src->text + t->off;
  int         first = -1;
  ik_buf      right = {0};
  for (int i = 0; i < t->len; i++) {
    bool pair = s[i] == '\\' && i + 1 < t->len && (s[i + 1] == '\\' || s[i + 1] == '"');
    if (s[i] == '\\' && !pair && first < 0) first = i;
    ik_buf_write(&right, s + i, pair ? 2 : 1);
    if (s[i] == '\\' && !pair) ik_buf_putc(&right, '\\');
    i += pair;
  }
  ik_error(d, IK_E001, (ik_span){src, t->off + first, 1},
           "in a string, '\\' must be followed by '\"' or another '\\'");
  ik_lang_fix(d, ik_lex_span(src, t), ik_buf_text(&right));
  ik_buf_free(&right);
}

static void report_string(const ik_source *src, const ik_token *t, ik_diag *d) {
  ik_span at = ik_lex_span(src, t);
  if (t->wrong == WRONG_STRING_OPEN) {
    ik_error(d, IK_E003, at, "this string has no closing '\"' on its line");
    ik_lang_fix(d, (ik_span){src, t->off + t->len, 0}, "\"");
  } else if (t->wrong == WRONG_STRING_CONTROL) {
    ik_error(d, IK_E001, at, "a control character in a string");
    ik_help(d, "remove it; a string is the name of a file");
  } else {
    fix_backslashes(src, t, d);
  }
}

static void report_number(const ik_source *src, const ik_token *t, ik_diag *d) {
  enum { SHOWN = 40 };
  ik_span at = ik_lex_span(src, t);
  char    text[SHOWN + 1] = "";
  int     n = 0;
  for (int i = 0; i < t->len && n < SHOWN; i++)
    if (src->text[t->off + i] != '_') text[n++] = src->text[t->off + i];
  if (t->wrong == WRONG_NUMBER_DOTS) {
    ik_error(d, IK_E004, at, "a number with more than one decimal point");
    ik_help(d, "a range is written with two dots:  0 .. 5");
  } else if (t->wrong == WRONG_NUMBER_EXPONENT) {
    ik_error(d, IK_E004, at, "the exponent of this number has no digits");
    ik_lang_fix(d, (ik_span){src, t->off + t->len, 0}, "0");
  } else if (t->wrong == WRONG_NUMBER_GROUPS) {
    ik_error(d, IK_E004, at, "numbers cannot contain '_'");
    ik_lang_fix(d, at, text);
  } else {
    ik_error(d, IK_E004, at, "hexadecimal numbers are not supported");
    char decimal[SHOWN];
    snprintf(decimal, sizeof decimal, "%llu", strtoull(text, NULL, 16));
    ik_lang_fix(d, at, decimal);
  }
}

/* `u += a` is put right by repeating the name before it. */
static void report_update(const ik_source *src, const ik_token *t, ik_diag *d) {
  enum { LONGEST_NAME = 40 };
  const char *s = src->text;
  int         end = t->off;
  while (end > 0 && (is_blank(s[end - 1]) || s[end - 1] == '\'')) end--;
  int begin = end;
  while (begin > 0 && is_word(s[begin - 1]) && end - begin <= LONGEST_NAME) begin--;
  if (begin == end || end - begin > LONGEST_NAME) {
    ik_help(d, "repeat the name on the right, as in  u = u %c 1", s[t->off]);
    return;
  }
  char right[LONGEST_NAME + 8];
  snprintf(right, sizeof right, "= %.*s %c", end - begin, s + begin, s[t->off]);
  ik_lang_fix(d, ik_lex_span(src, t), right);
}

static void report_block_comment(const ik_source *src, const ik_token *t, ik_diag *d) {
  enum { SHOWN = 60 };
  const char *s = src->text + t->off + 2;
  int         n = 0;
  while (n < SHOWN && n < t->len - 2 && s[n] != '\n' && s[n] != '*') n++;
  while (n && is_blank(s[n - 1])) n--;
  ik_help(d, "put it on its own line:  #%.*s", n, s);
}

static void report_mistake(const ik_source *src, const ik_token *t, ik_diag *d) {
  const struct mistake *m = &mistakes[t->wrong - 1];
  ik_span               at = {src, t->off, (int)strlen(m->text)};
  ik_error(d, IK_E001, at, "%s", m->say);
  if (strcmp(m->text, "/*") == 0)
    report_block_comment(src, t, d);
  else if (m->right)
    ik_lang_fix(d, at, m->right);
  else if (*m->text == '?')
    ik_help(d, "for example  u' = if u > 0 then u else 0");
  else if (*m->text == '%')
    ik_help(d, "the unit is written out, as in  5 percent");
  else
    report_update(src, t, d);
}

void ik_lex_report(const ik_source *src, const ik_token *t, ik_diag *d) {
  if (t->wrong <= COUNT(mistakes))
    report_mistake(src, t, d);
  else if (t->wrong == WRONG_WORD)
    report_word(src, t, d);
  else if (t->kind == IK_TOK_BAD)
    report_junk(src, t, d);
  else if (t->kind == IK_TOK_STRING)
    report_string(src, t, d);
  else
    report_number(src, t, d);
}

ik_span ik_lex_span(const ik_source *src, const ik_token *t) {
  return (ik_span){src, t->off, t->len};
}

const char *ik_lex_kind_name(ik_tok kind) {
  static const char *const names[] = {
      [IK_TOK_END] = "the end of the text",
      [IK_TOK_BAD] = "this",
      [IK_TOK_COMMENT] = "a comment",
      [IK_TOK_NUMBER] = "a number",
      [IK_TOK_STRING] = "a string",
      [IK_TOK_NAME] = "a name",
      [IK_TOK_IF] = "'if'",
      [IK_TOK_THEN] = "'then'",
      [IK_TOK_ELSE] = "'else'",
      [IK_TOK_AND] = "'and'",
      [IK_TOK_OR] = "'or'",
      [IK_TOK_NOT] = "'not'",
      [IK_TOK_LPAREN] = "'('",
      [IK_TOK_RPAREN] = "')'",
      [IK_TOK_LBRACKET] = "'['",
      [IK_TOK_RBRACKET] = "']'",
      [IK_TOK_LBRACE] = "'{'",
      [IK_TOK_RBRACE] = "'}'",
      [IK_TOK_COMMA] = "','",
      [IK_TOK_SEMICOLON] = "';'",
      [IK_TOK_COLON] = "':'",
      [IK_TOK_ASSIGN] = "'='",
      [IK_TOK_PRIME] = "'''",
      [IK_TOK_RANGE] = "'..'",
      [IK_TOK_DOT] = "'.'",
      [IK_TOK_PLUS] = "'+'",
      [IK_TOK_MINUS] = "'-'",
      [IK_TOK_STAR] = "'*'",
      [IK_TOK_SLASH] = "'/'",
      [IK_TOK_CARET] = "'^'",
      [IK_TOK_LT] = "'<'",
      [IK_TOK_LE] = "'<='",
      [IK_TOK_GT] = "'>'",
      [IK_TOK_GE] = "'>='",
      [IK_TOK_EQ] = "'=='",
      [IK_TOK_NE] = "'!='",
  };
  return names[kind];
}
