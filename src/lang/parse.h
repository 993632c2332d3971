/* parse.h: what the files of the parser share (parse.c, parse_expr.c, parse_item.c); nobody else
 * includes it but the formatter.
 *
 * A function that reads something returns it, or NULL or false after writing a message; then it is
 * the caller's part to give up as well, up to ik_parse_statement, which goes on behind the
 * statement.
 */
#pragma once
#include "lang/ast.h"
#include "lang/lex.h"

typedef struct ik_parser {
  const ik_source *src;
  ik_arena        *arena;
  ik_diag         *diag;
  ik_token        *tok;       /* the next one; never a comment */
  const ik_token  *prev;      /* the one read last; NULL at the start */
  int              depth;     /* of brackets, blocks and prefix operators open here */
  int              surplus;   /* braces opened in the whole text less those closed */
  bool             unclosed;  /* a missing '}' has been reported */
  bool             line_over; /* the broken statement ends with its line; set with an error */
  bool             in_faces;  /* a line that starts with `-x =` is a face, not a difference */
} ik_parser;

enum { IK_PARSE_DEPTH = 200, IK_PARSE_HEIGHT = 2000 };

/* Where a statement may stand; sets of these. */
enum { IK_IN_TEXT = 1, IK_IN_STEP = 2, IK_IN_REPEAT = 4, IK_IN_SWEEP = 8 };

/* ---- parse.c: the row of tokens and the messages ---- */

/* The tokens of `src`, or NULL after E005 if it is too long. */
ik_token *ik_parse_lex(const ik_source *src, ik_arena *a, ik_diag *d);
void ik_parse_init(ik_parser *p, const ik_source *src, ik_token *tokens, ik_arena *a, ik_diag *d);
void ik_parse_text(ik_parser *p, ik_program_ast *out); /* all statements */
void ik_parse_advance(ik_parser *p);
/* The token behind `t`, comments left out. */
const ik_token *ik_parse_after(const ik_token *t);

static inline bool ik_parse_is(const ik_parser *p, ik_tok kind) { return p->tok->kind == kind; }
bool               ik_parse_accept(ik_parser *p, ik_tok kind);
bool               ik_parse_token_is_word(const ik_parser *p, const ik_token *t, const char *word);
bool               ik_parse_is_word(const ik_parser *p, const char *word);
bool               ik_parse_accept_word(ik_parser *p, const char *word);

/* Each reads the thing or says that it is missing. */
bool ik_parse_expect(ik_parser *p, ik_tok kind);
bool ik_parse_expect_word(ik_parser *p, const char *word);
/* The remedy for a missing `word`: in place of a word like it, or `text` behind the last token. */
void ik_parse_fix_word(ik_parser *p, const char *word, const char *text);
/* A name that the user gives or uses: no word of the language.  `what` as in "the name of a field";
 * returns its text. */
const char *ik_parse_name(ik_parser *p, const char *what, ik_span *span);
/* The bracket that closes `open`; `between` is what else could stand here (","), or NULL. */
bool ik_parse_close(ik_parser *p, const ik_token *open, ik_tok kind, const char *between);

/* Says that `what` was expected.  Returns false if it wrote another message instead (a character
 * that is wrong by itself), to which no help of the caller's should be added. */
bool ik_parse_unexpected(ik_parser *p, const char *what);
/* Says that the word at hand can be no name. */
void ik_parse_report_reserved(ik_parser *p);
/* Something is missing at the end of a line rather than wrong at the start of the next. */
bool ik_parse_at_line_end(const ik_parser *p);
/* `name =` or `name' =` stands here: a statement. */
bool ik_parse_is_assigned(const ik_token *name);
/* One level deeper; false after E005.  The caller takes it back with p->depth--. */
bool ik_parse_enter(ik_parser *p);

char   *ik_parse_copy(const ik_parser *p, const ik_token *t);
ik_span ik_parse_span_from(const ik_parser *p, const ik_token *start); /* to the last one read */
ik_span ik_parse_span_behind(const ik_parser *p);                      /* empty, behind the last */

/* Reads statements, `{` and `}` included, and appends them behind `*tail`. */
bool ik_parse_block(ik_parser *p, unsigned where, ik_at at, ik_item ***tail);
/* Leaves the broken statement that began at `start`: moves to the next one, or to the end of its
 * block, and by one token at least. */
void ik_parse_recover(ik_parser *p, const ik_token *start);
/* At a declaration in the first column while a '}' is missing in the text. */
bool ik_parse_lacks_brace(const ik_parser *p);
void ik_parse_report_open_block(ik_parser *p, const ik_token *open);
/* Moves on to a `{` that belongs to a broken head; false if there is none. */
bool ik_parse_skip_to_block(ik_parser *p);

/* ---- parse_expr.c ---- */

ik_ast *ik_parse_expr(ik_parser *p);
bool    ik_parse_starts_operand(ik_tok kind);
/* The characters of a string without its quotes. */
const char *ik_parse_string_content(ik_parser *p, const ik_token *t);
/* A name with what may stand behind it on the left of `=`: u, u', u[t-1]. */
ik_ast *ik_parse_target(ik_parser *p);

/* ---- parse_item.c ---- */

/* The statement at hand, into `it`; may append further items behind it. */
bool ik_parse_item(ik_parser *p, unsigned where, ik_item *it);

/* Words with a meaning at the start of a statement, which can be no names. */
bool ik_parse_is_keyword(const char *s, int len);
/* Words that may continue a statement behind an expression (`on`, `into`). */
bool ik_parse_is_contextual(const char *s, int len);
