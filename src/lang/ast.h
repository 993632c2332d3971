/* ast.h: what the parser makes of a text: one node per thing written, each with its span.
 *
 * The tree says what stands there, not what it means: names are not resolved, `u[t-1]` is an index
 * whose first entry is the expression `t-1`.  lang/lower.c gives the meaning.
 * All nodes live in the arena of the compilation; lists are linked by `next` in text order.
 */
#pragma once
#include "base/arena.h"
#include "base/diag.h"

typedef enum ik_ast_kind {
  IK_AST_NUMBER, /* value (SI), unit text and dimension */
  IK_AST_STRING, /* name holds the content */
  IK_AST_NAME,   /* name */
  IK_AST_CALL,   /* name(args): args may carry a label (`order = 8`) */
  IK_AST_INDEX,  /* arg[0] [ args ]: a = base expression, args = entries */
  IK_AST_PRIME,  /* a' */
  IK_AST_UNARY,  /* op a */
  IK_AST_BINARY, /* a op b */
  IK_AST_IF,     /* if a then b else c */
  IK_AST_TUPLE,  /* (args): two or more entries */
  IK_AST_LIST,   /* [args] */
} ik_ast_kind;

typedef enum ik_ast_op {
  IK_AST_NEG,
  IK_AST_NOT,
  IK_AST_ADD,
  IK_AST_SUB,
  IK_AST_MUL,
  IK_AST_DIV,
  IK_AST_POW,
  IK_AST_LT,
  IK_AST_LE,
  IK_AST_GT,
  IK_AST_GE,
  IK_AST_EQ,
  IK_AST_NE,
  IK_AST_AND,
  IK_AST_OR,
} ik_ast_op;

enum { IK_DIM_M, IK_DIM_KG, IK_DIM_S, IK_DIM_K, IK_DIM_A, IK_NDIM };
typedef struct ik_dim { /* exponents of the SI base units */
  signed char e[IK_NDIM];
} ik_dim;

typedef struct ik_ast ik_ast;
struct ik_ast {
  ik_ast_kind kind;
  ik_ast_op   op;
  ik_span     span;
  ik_ast     *a, *b, *c; /* operands */
  ik_ast     *args;      /* first of a list, linked by next */
  ik_ast     *next;
  const char *name;   /* NAME, STRING, CALL */
  const char *label;  /* of an argument: `order` in order = 8; NULL without */
  double      value;  /* NUMBER, in SI units */
  const char *unit;   /* NUMBER: "m/s" as written; NULL without */
  ik_dim      dim;    /* NUMBER */
  const char *digits; /* NUMBER: the number as written, without unit */
};

typedef enum ik_item_kind {
  IK_ITEM_LANGUAGE,   /* value */
  IK_ITEM_ARITHMETIC, /* word: chain | plain; type: NULL or the type in which to compute */
  IK_ITEM_GRID,       /* axes; spacing: NULL, one expression or a tuple */
  IK_ITEM_PARAM,      /* name = value */
  IK_ITEM_DEF,        /* name(params) = value */
  IK_ITEM_WEIGHTS,    /* name = value */
  IK_ITEM_FIELD,      /* names : type, history, on, = value */
  IK_ITEM_BOUNDARY,   /* names { faces } */
  IK_ITEM_INIT,       /* target = value */
  IK_ITEM_SOURCE,     /* value at position into name */
  IK_ITEM_RECEIVER,   /* name at position ... into path */
  IK_ITEM_OUTPUT,     /* names every n into path */
  /* statements */
  IK_ITEM_ASSIGN, /* target = value on region */
  IK_ITEM_SCALAR, /* scalar name : type = value */
  IK_ITEM_STEP,   /* step value { body } */
  IK_ITEM_REPEAT, /* repeat until value max limit { body } */
  IK_ITEM_SWEEP,  /* sweep axes { blocks or body } */
} ik_item_kind;

typedef struct ik_name { /* a name in a list, with its place */
  const char     *text;
  ik_span         span;
  struct ik_name *next;
  ik_ast         *value; /* axis of a grid: extent; parameter of def: default; face: the boundary;
                            axis of a region: first; `on (x+1)`: the expression (x+1) */
  ik_ast *value2;        /* axis of a grid: `if` condition; axis of a region: last (NULL: same) */
  int     sign;          /* face: -1, +1, or 0 for both; axis of a sweep: +1 up, -1 down */
} ik_name;

typedef enum ik_at { IK_AT_ALL, IK_AT_FIRST, IK_AT_WITHIN, IK_AT_LAST } ik_at;

typedef struct ik_item ik_item;
struct ik_item {
  ik_item_kind kind;
  ik_span      span; /* the whole item */
  ik_item     *next;
  ik_name     *names;    /* FIELD, BOUNDARY, OUTPUT: names; GRID, SWEEP: axes; DEF: parameters */
  ik_name     *faces;    /* BOUNDARY: text "" and sign 0 for `boundary u = kind` (all faces) */
  ik_name     *region;   /* ASSIGN: axis ranges; NULL with interior */
  ik_ast      *interior; /* ASSIGN: `on interior(2)`: the CALL; else NULL */
  const char  *name;     /* PARAM, DEF, WEIGHTS, SCALAR, SOURCE and RECEIVER (the field), GRID (the
                            vertical axis) */
  ik_span     name_span;
  const char *word; /* ARITHMETIC: chain|plain; GRID: down|up or NULL; SOURCE, RECEIVER: `with` word
                       or NULL */
  ik_span     word_span;
  const char *type; /* FIELD, SCALAR, ARITHMETIC; NULL without */
  ik_span     type_span;
  ik_ast     *target;    /* ASSIGN, INIT: name, name' or name[t-1] */
  ik_ast     *value;     /* the expression; NULL where there is none */
  ik_ast     *spacing;   /* GRID */
  ik_ast     *history;   /* FIELD */
  ik_ast     *on;        /* FIELD: list of axes as a TUPLE or one expression; NULL: all */
  ik_ast     *from, *to; /* SOURCE, RECEIVER: position (to != NULL: a line) */
  ik_ast     *count;     /* RECEIVER: count N */
  ik_ast     *every;     /* RECEIVER, OUTPUT */
  ik_ast     *limit;     /* REPEAT: max */
  const char *path;      /* RECEIVER, OUTPUT */
  ik_span     path_span;
  ik_item    *body; /* STEP, REPEAT, SWEEP */
  ik_at       at;   /* an item in the body of a sweep: in which block it stands */
};

typedef struct ik_program_ast {
  const ik_source *source;
  ik_item         *items;
} ik_program_ast;

/* Reads a whole text.  Goes on after an error, at the next statement, to report several; returns
 * IK_ERR_SOURCE if there was any.  `*out` is complete only with IK_OK.  Lives in `a`. */
ik_status ik_lang_parse(const ik_source *src, ik_arena *a, ik_diag *d, ik_program_ast *out);

/* Reads one expression (a value on the command line: `0.9ms`, `2*pi`). */
ik_status ik_lang_parse_expr(const ik_source *src, ik_arena *a, ik_diag *d, ik_ast **out);

/* The canonical layout of a text, comments kept.  Formatting twice changes nothing, and the
 * result parses to the same tree. */
ik_status ik_lang_format(const ik_source *src, ik_arena *a, ik_diag *d, ik_buf *out);

/* A tree as one line per node, for tests and --dump ast. */
void ik_lang_dump(const ik_program_ast *p, ik_buf *out);
void ik_lang_print_expr(const ik_ast *e, ik_buf *out); /* as source text, minimal parentheses */

/* Unit text ("km/s^2") to factor and dimension; false if unknown. */
bool ik_unit_parse(const char *text, double *factor, ik_dim *dim);
/* A value in SI in a unit; as it is without one (NULL). */
double ik_unit_value(const char *unit, double si);
void   ik_unit_name(ik_dim dim, ik_buf *out); /* "m/s^2", "1" */
