/* subject.h: what the facts are about: the statements of the time step.
 *
 * That is the body of the step loop (the one with the most steps, should there be several); without
 * one, a round of the first `repeat`; without that, the main block.  Statements inside sweeps are
 * listed in order with the others.
 *
 * Facts per cell are those of the cell in the middle of what is written.  A statement whose box
 * does not hold that cell (the layer at a face, the first level of a sweep) is not `main`: it
 * counts in totals, dependences and legality, but not per cell.
 */
#pragma once
#include "base/arena.h"
#include "ir/ir.h"

typedef struct ik_work {
  const ik_stmt *stmt;  /* ASSIGN, REDUCE or SET */
  const ik_stmt *sweep; /* the sweep around it, or NULL */
  bool           main;
} ik_work;

typedef struct ik_subject {
  const ik_stmt *loop;  /* the STEPS or REPEAT; NULL: the main block */
  bool           steps; /* loop is a STEPS */
  int            n;
  const ik_work *work;    /* [n] */
  const bool    *updated; /* [nfield] stored, and assigned here */
  ik_box         written; /* smallest box around what is assigned to stored fields or reduced */
  int            nsweep, nreduce, nset;
} ik_subject;

void ik_subject_of(const ik_ir *ir, ik_arena *a, ik_subject *out);
/* The same of other statements, from `first` up to `end`; `loop` is NULL then. */
void ik_subject_of_list(const ik_ir *ir, const ik_stmt *first, const ik_stmt *end, ik_arena *a,
                        ik_subject *out);
/* Is the field, or a temporary, assigned here?  One that is not was made before the loop. */
bool ik_subject_makes(const ik_subject *s, int field);

/* A field at a level as one number below ik_values_of(): for tables over what has a value. */
static inline int ik_value_of(int field, int level) {
  return field * (IK_MAX_HISTORY + 1) + 1 - level;
}
static inline int ik_values_of(const ik_ir *ir) { return ir->nfield * (IK_MAX_HISTORY + 1); }

static inline bool ik_is_stored(const ik_ir *ir, int field) {
  return ir->field[field].kind != IK_FIELD_TEMP;
}
