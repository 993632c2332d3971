/* engine.h: what the run loop asks of whoever computes.
 *
 * An engine works on an ik_state; the loop (loop.h) decides when to stop, check and write.  Engines
 * are made by targets, so this interface is all that a new one has to serve.
 */
#pragma once
#include "ir/state.h"
#include "runtime/record.h"

typedef struct ik_engine ik_engine;

typedef struct ik_engine_ops {
  /* Statements outside loops, in order: ASSIGN, REDUCE, SET, SWEEP. */
  ik_status (*run)(ik_engine *x, const ik_stmt *list, ik_diag *d);
  /* The next n steps of a STEPS statement, sources included; after each one, when level 0 is the
   * new value and t has grown, the recorder gets to see it. */
  ik_status (*steps)(ik_engine *x, const ik_stmt *steps, int64_t n, ik_recorder *rec, ik_diag *d);
  /* The value of an expression without fields. */
  ik_status (*scalar)(ik_engine *x, const ik_expr *e, double *out, ik_diag *d);
  void (*destroy)(ik_engine **x);
} ik_engine_ops;

struct ik_engine { /* first member of every engine */
  const ik_engine_ops *ops;
  ik_state            *state;
};
