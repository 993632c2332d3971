/* names.h: the things that the text form of the IR refers to by name.
 *
 *   ikat-ir 1
 *   program heat
 *   arithmetic chain
 *   grid x=64, y=64
 *   field u user f64 on x, y box 0:64, 0:64 history 1 new
 *     low x value (f64 0)
 *   body {
 *     steps 10 {
 *       assign u@1 on 0:64, 0:64 =
 *         (fma.f64 (f64 0.1) u@0[-1,0] u@0)
 *     }
 *   }
 *
 * An expression is a read `field@level[offsets]`, a scalar `$name`, a constant `(type value)` or an
 * operation `(op.type operands)`.  A name that is no plain word stands in quotes; where two things
 * of a kind share a name, `name#index` tells them apart.  `;` starts a comment.
 */
#pragma once
#include "ir/ir.h"

typedef enum ik_named { IK_NAMED_FIELD, IK_NAMED_SCALAR, IK_NAMED_TABLE, IK_NAMED_AXIS } ik_named;

static inline int ik_named_count(const ik_ir *ir, ik_named k) {
  switch (k) {
  case IK_NAMED_FIELD: return ir->nfield;
  case IK_NAMED_SCALAR: return ir->nscalar;
  case IK_NAMED_TABLE: return ir->ntable;
  default: return ir->ndim;
  }
}

static inline const char *ik_named_at(const ik_ir *ir, ik_named k, int i) {
  switch (k) {
  case IK_NAMED_FIELD: return ir->field[i].name;
  case IK_NAMED_SCALAR: return ir->scalar[i].name;
  case IK_NAMED_TABLE: return ir->table[i].name;
  default: return ir->axis[i];
  }
}

/* Words of the text form, in the order of their enums. */
static const char *const ik_field_kind_names[] = {"user", "hidden", "temp"};
static const char *const ik_reduce_names[] = {"sum", "min", "max"};
