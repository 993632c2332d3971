/* rule.h: how a machine computes whose arithmetic is not the language's.
 *
 * A rule says what happens to the cells of a program on a machine that works on tiles of cells in
 * one narrow type, flushes what is tiny to zero and adds up in the order of its elements.  The
 * interpreter that follows a rule is what such a machine is held against, bit for bit.
 *
 *   operations   are done in the type of the rule (f32: in their own), rounded once; operands and
 *                results that are subnormal, and -0, are +0
 *   numbers      (what reads no field) are made outside of the tiles, as the language says, and
 *                enter them rounded and flushed
 *   reductions   element by element of a tile along axis 2; then the elements of the tile, in order
 *                of axis 0, axis 1 fastest; then the tiles, as ik_rule.root says.  With
 *                whole_tiles the tiles come first, then the elements
 *   init         is the host's, and follows the language
 */
#pragma once
#include "interp/rows.h"

typedef struct ik_rule {
  ik_type type;        /* of arithmetic on cells: f32 or bf16 */
  ik_type sum;         /* of sums: f32 or bf16 */
  bool    ties_away;   /* to bf16: ties go away from zero, not to even */
  bool    tf32;        /* sums and products drop the last 13 bits of their f32 operands */
  bool    coarse;      /* products of bf16 see 5 bits of the first factor and 7 of the second */
  int     tile[2];     /* cells of a tile along axes 0 and 1 */
  bool    whole_tiles; /* results of tiles are combined before those of their elements */
  /* The tile where results meet.  Those along axis 1 go to the tile with this index there, first
   * from the high side, then from the low one; each adds what it gets to its own.  Then those along
   * axis 0 in the same way. */
  int root[2];
} ik_rule;

/* The flush: tiny values and -0 become +0. */
double ik_rule_flush(double v);
/* A number as it enters a tile. */
double ik_rule_enter(const ik_rule *r, double v);
/* An operation on operands that are in tiles. */
double ik_rule_apply(const ik_rule *r, ik_op op, ik_type t, double a, double b, double c);
/* One more value into a partial result, and what the first is added to. */
double ik_rule_combine(const ik_rule *r, ik_reduce how, double sum, double v);
double ik_rule_neutral(ik_reduce how);

/* Does the rule hold for a statement?  All but those of init. */
bool ik_rule_holds(const ik_ir *ir, const ik_stmt *s);
/* Is it a number, the same for all cells? */
bool ik_rule_is_number(const ik_expr *e);
bool ik_rule_reads_field(const ik_expr *e);

/* ---- the interpreter's use of it ---- */

typedef struct ik_ruled {
  const ik_rule *rule;
  ik_rows       *rows;
  double        *scratch; /* [nscratch][IK_ROWS_CELLS] */
  int            nscratch, used;
  double        *partial; /* of one tile each */
  int64_t        ntile;
} ik_ruled;

/* False without memory. */
bool          ik_ruled_init(ik_ruled *x, const ik_rule *r, ik_rows *rows);
void          ik_ruled_free(ik_ruled *x);
const double *ik_ruled_eval(ik_ruled *x, const ik_expr *e, const int64_t at[IK_MAX_DIM], int n,
                            double *out);
double        ik_ruled_reduce(ik_ruled *x, const ik_stmt *s, double *row);
