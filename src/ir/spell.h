/* spell.h: expressions of the IR as C has them, with as few parentheses as keep their order.
 *
 * Whoever prints a program names what expressions are made of.  Numbers are double, float, int32_t
 * and bool; those of 16 bits are computed as double and rounded after each operation.  Calls that
 * are not C's own are of ir/operations.h, ir/apply.c and base.
 */
#pragma once
#include "base/buf.h"
#include "ir/ir.h"

typedef struct ik_spelling {
  /* To the bit what the interpreter computes; else the way people write: a*b + c for a fused
   * operation, functions of math.h. */
  bool exact;
  /* What stands for an expression: a cell, a variable; NULL: nothing does.  Reads and scalars have
   * something. */
  const char *(*name)(void *user, const ik_expr *e);
  void       *user;
  const char *axis[IK_MAX_DIM]; /* the index along each: "x", or "0" */
  const char *tables;           /* table 3 is an array of this name and a 3 */
  ik_arena   *a;
  ik_buf     *out;
} ik_spelling;

/* In the place of blanks, if it is exact: where a line that is too long should be broken, and where
 * it may be. */
enum { IK_SPELL_BREAK = '\v', IK_SPELL_BREAKABLE = '\f' };

void ik_spell(const ik_spelling *s, const ik_expr *e);
/* A text with such places, as a line or, if it is too long, as several. */
void ik_spell_lines(const char *text, int indent, ik_buf *out);
/* The arrays of all tables, which ik_spelling names. */
void ik_spell_tables(const ik_ir *ir, const char *name, ik_buf *out);
/* The lines of a text within a comment: " *   text". */
void ik_spell_comment(const char *text, ik_buf *out);
/* The type of a variable, and the end of functions of it: "float", "f32". */
const char *ik_spell_type(ik_type t);
const char *ik_spell_end(ik_type t);
/* What an array has, the value of a cell of it, and what a cell has of a value: those of 16 bits
 * are stored as such. */
const char *ik_spell_stored_type(ik_type t);
const char *ik_spell_loaded(ik_type t, const char *cell, ik_arena *a);
const char *ik_spell_stored(ik_type t, const char *value, ik_arena *a);
/* "x - 1" */
const char *ik_spell_shifted(const char *index, int64_t by, ik_arena *a);
/* A word of C made of what something is called. */
char *ik_spell_word(const char *wanted, ik_arena *a);
/* Does it mean something in C, or in its library? */
bool ik_spell_is_reserved(const char *word);
