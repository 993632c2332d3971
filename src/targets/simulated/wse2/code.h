/* code.h: what an element does for one statement of a program: operations on vectors, one after
 * the other.
 *
 * A vector holds a value for each cell of a column, or of a piece of it.  Operands are registers
 * (vectors of scratch memory), columns of fields, the own one or one that another element sent, and
 * what reads no field, which the host provides.  Every element does the same operations, so the
 * list is made once.
 */
#pragma once
#include "base/arena.h"
#include "ir/ir.h"

typedef enum ik_wse2_source {
  IK_WSE2_REGISTER,
  IK_WSE2_COLUMN, /* of a field; `off` names the element it comes from, and how far it is moved */
  IK_WSE2_SCALED, /* a column that is multiplied by a constant on arrival, and used nowhere else */
  IK_WSE2_NUMBER, /* the same for all cells of all elements */
  IK_WSE2_MADE,   /* from the place of the cell: coordinates, noise */
} ik_wse2_source;

typedef struct ik_wse2_value {
  ik_wse2_source source;
  ik_type        type;
  int            reg;    /* REGISTER */
  const ik_expr *leaf;   /* COLUMN, SCALED: the read; NUMBER, MADE: an expression without reads */
  float          factor; /* SCALED */
} ik_wse2_value;

typedef struct ik_wse2_op {
  ik_op   op;
  ik_type type;
  int     out; /* register */
  int     nin, in[3];
} ik_wse2_op;

typedef struct ik_wse2_code {
  const ik_stmt       *stmt; /* ASSIGN or REDUCE, as rewritten by rule.h */
  int                  nvalue, nop, nreg;
  const ik_wse2_value *value;  /* [nvalue] each leaf once, and the result of each operation */
  const ik_wse2_op    *op;     /* [nop] in[] are values */
  int                  result; /* value */
} ik_wse2_code;

/* The operations for the value of a statement, registers used again as soon as nobody needs what
 * they hold. */
const ik_wse2_code *ik_wse2_code_of(const ik_stmt *s, ik_arena *a);

/* A column of a field, as it is or scaled. */
bool ik_wse2_is_column(const ik_wse2_value *v);
/* Does it come over the fabric?  What is scaled may be the element's own, which it hears. */
bool ik_wse2_is_received(const ik_wse2_value *v);
/* Do results have to wait until all cells have been read, because the statement reads neighbours of
 * what it writes?  One level: of cells along z, as in a sweep. */
bool ik_wse2_code_waits(const ik_wse2_code *c, bool one_level);
