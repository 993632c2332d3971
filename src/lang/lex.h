/* lex.h: a text as a row of tokens, comments included.
 *
 * Newlines are no tokens; each token knows how many stand before it.  A token may be wrong (`**`,
 * a string without end): it then has the kind that was most likely meant, so that the parser can go
 * on, and ik_lex_report says what is wrong with it.  Used by the parser and the formatter.
 */
#pragma once
#include "base/arena.h"
#include "base/diag.h"

typedef enum ik_tok {
  IK_TOK_END,
  IK_TOK_BAD, /* nothing of ours; always wrong */
  IK_TOK_COMMENT,
  IK_TOK_NUMBER, /* with its unit */
  IK_TOK_STRING, /* with its quotes */
  IK_TOK_NAME,
  IK_TOK_IF,
  IK_TOK_THEN,
  IK_TOK_ELSE,
  IK_TOK_AND,
  IK_TOK_OR,
  IK_TOK_NOT,
  IK_TOK_LPAREN,
  IK_TOK_RPAREN,
  IK_TOK_LBRACKET,
  IK_TOK_RBRACKET,
  IK_TOK_LBRACE,
  IK_TOK_RBRACE,
  IK_TOK_COMMA,
  IK_TOK_SEMICOLON,
  IK_TOK_COLON,
  IK_TOK_ASSIGN,
  IK_TOK_PRIME,
  IK_TOK_RANGE,
  IK_TOK_DOT,
  IK_TOK_PLUS,
  IK_TOK_MINUS,
  IK_TOK_STAR,
  IK_TOK_SLASH,
  IK_TOK_CARET,
  IK_TOK_LT,
  IK_TOK_LE,
  IK_TOK_GT,
  IK_TOK_GE,
  IK_TOK_EQ,
  IK_TOK_NE,
} ik_tok;

typedef struct ik_token {
  ik_tok kind;
  int    off, len;
  int    newlines; /* before it, since the token (or comment) before */
  int    digits;   /* NUMBER: length of the number alone */
  int    unit;     /* NUMBER: length of the unit, which ends the token; 0 without */
  short  wrong;    /* 0: right; else which mistake (lex.c) */
  bool   first;    /* begins a statement; set by the parser, read by the formatter */
} ik_token;

enum { IK_LEX_MAX_BYTES = 1 << 20 };

/* All tokens of `src`, ended by IK_TOK_END.  `src->len` must not exceed IK_LEX_MAX_BYTES. */
ik_token *ik_lex(const ik_source *src, ik_arena *a);

/* Writes what is wrong with `t`, which has `wrong` set, and how to put it right. */
void ik_lex_report(const ik_source *src, const ik_token *t, ik_diag *d);

/* The spelling of a kind, with quotes: "')'", "a name". */
const char *ik_lex_kind_name(ik_tok kind);

ik_span ik_lex_span(const ik_source *src, const ik_token *t);
