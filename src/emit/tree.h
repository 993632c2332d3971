/* tree.h: a piece of C as a tree, so that an emitter says what it wants and one printer knows how
 * it is written: indentation, parentheses, semicolons, numbers, long lines.  C, or what resembles
 * it: nothing here knows of vectors or of a device.
 *
 *   ik_tree *body = ik_tree_block(a);
 *   ik_tree_add(a, body, ik_tree_assign(a, ik_tree_name(a, "s"), "+=", ik_tree_int(a, 1)));
 *
 * Trees live in an arena; texts that are passed are borrowed and must live as long.  A node may
 * stand in several places: nothing changes it once it is built, but for ik_tree_add().
 */
#pragma once
#include "base/arena.h"
#include "base/buf.h"
#include "ir/ir.h"

typedef enum ik_tree_kind {
  /* expressions */
  IK_TREE_NAME,
  IK_TREE_INT,
  IK_TREE_NUMBER,
  IK_TREE_CALL,
  IK_TREE_INDEX,  /* a[i] */
  IK_TREE_MEMBER, /* a->text */
  IK_TREE_UNARY,
  IK_TREE_BINARY,
  IK_TREE_CHOOSE, /* a ? b : c */
  IK_TREE_CAST,
  /* statements */
  IK_TREE_BLOCK,
  IK_TREE_FUNCTION,
  IK_TREE_FOR,
  IK_TREE_IF,
  IK_TREE_DECLARE,
  IK_TREE_ASSIGN,
  IK_TREE_DO, /* an expression for its effect */
  IK_TREE_COMMENT,
  IK_TREE_LINE, /* a line for the preprocessor */
  IK_TREE_BLANK,
} ik_tree_kind;

typedef struct ik_tree ik_tree;
struct ik_tree {
  ik_tree_kind kind;
  const char  *text; /* a name, an operator, a comment, a line */
  const char  *type; /* DECLARE, CAST, FUNCTION: as C writes it */
  int64_t      whole;
  double       value;
  ik_type      number; /* NUMBER: F64 or F32 */
  int          nchild, cap;
  ik_tree    **child; /* NULL where an optional part is missing */
};

/* Expressions. */
ik_tree *ik_tree_name(ik_arena *a, const char *name);
ik_tree *ik_tree_int(ik_arena *a, int64_t v);
/* A floating-point constant of a type; it is read back as the same bits. */
ik_tree *ik_tree_number(ik_arena *a, ik_type t, double v);
ik_tree *ik_tree_call(ik_arena *a, const char *function, int n, ...); /* n of `ik_tree *` */
ik_tree *ik_tree_index(ik_arena *a, ik_tree *of, ik_tree *at);
ik_tree *ik_tree_member(ik_arena *a, ik_tree *of, const char *name);
ik_tree *ik_tree_unary(ik_arena *a, const char *op, ik_tree *x);
ik_tree *ik_tree_binary(ik_arena *a, ik_tree *x, const char *op, ik_tree *y);
ik_tree *ik_tree_choose(ik_arena *a, ik_tree *c, ik_tree *x, ik_tree *y);
ik_tree *ik_tree_cast(ik_arena *a, const char *type, ik_tree *x);
/* x + v, written as people do: `x`, `x + 3`, `x - 3`. */
ik_tree *ik_tree_plus(ik_arena *a, ik_tree *x, int64_t v);

/* Statements. */
ik_tree *ik_tree_block(ik_arena *a);
ik_tree *ik_tree_function(ik_arena *a, const char *type, const char *name, ik_tree *body);
/* `first` and `next` are statements; `first` may be NULL. */
ik_tree *ik_tree_for(ik_arena *a, ik_tree *first, ik_tree *cond, ik_tree *next, ik_tree *body);
ik_tree *ik_tree_if(ik_arena *a, ik_tree *cond, ik_tree *yes, ik_tree *no); /* `no` may be NULL */
/* Also a parameter of a function: ik_tree_add(a, function, ...). */
ik_tree *ik_tree_declare(ik_arena *a, const char *type, const char *name, ik_tree *value);
ik_tree *ik_tree_assign(ik_arena *a, ik_tree *to, const char *op, ik_tree *value);
ik_tree *ik_tree_do(ik_arena *a, ik_tree *e);
ik_tree *ik_tree_comment(ik_arena *a, const char *text); /* '\n' begins a new line */
ik_tree *ik_tree_line(ik_arena *a, const char *text);
ik_tree *ik_tree_blank(ik_arena *a);

/* Appends a statement to a block, a parameter to a function, an operand to a call. */
void ik_tree_add(ik_arena *a, ik_tree *to, ik_tree *child);

/* The text of a statement (with its newline) or of an expression. */
void ik_tree_print(const ik_tree *t, ik_buf *out);
