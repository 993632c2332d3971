/* stepper.h: who does what next.
 *
 * A list of statements comes in, or steps.  The engine says which of them it takes and does those;
 * all others are the host's: the interpreter does them on the arrays of the state, which get the
 * values from the engine before and are given back after.  Sources, the turns of levels, the time
 * and the receivers are minded here as well, so that an engine has no more to tell than what is
 * different about it.
 *
 * An engine that is run so has the stepper as its first member, and ik_stepper_run, _steps and
 * _scalar among its ik_engine_ops.
 */
#pragma once
#include "interp/interp.h"
#include "interp/rows.h"
#include "runtime/engine.h"
#include "runtime/spots.h"

typedef struct ik_stepper ik_stepper;

typedef struct ik_stepper_ops { /* what is not NULL, the engine does itself */
  /* The end of the statements that it does together from `s` on, up to `end`; `s`: that one is the
   * host's. */
  const ik_stmt *(*claim)(ik_stepper *x, const ik_stmt *s, const ik_stmt *end, ik_diag *d);
  ik_status (*own)(ik_stepper *x, const ik_stmt *first, const ik_stmt *end, ik_diag *d);
  /* Steps as a whole, with their sources, turns and time: as many as it likes to make in one go,
   * `most` at most.  Of all but the last it notes what receivers hear (spots.h), or it makes no
   * more than are `quiet`.  `made` is 0 before; if it stays so, their statements are done one by
   * one. */
  ik_status (*steps)(ik_stepper *x, const ik_stmt *steps, int64_t most, int64_t *made, ik_diag *d);
} ik_stepper_ops;

struct ik_stepper {
  ik_engine             base;
  const ik_stepper_ops *does;
  ik_interp            *host;  /* once something needs it */
  ik_rows               rows;  /* for numbers and sources */
  ik_spots              spots; /* of sources; and of receivers, if steps are made in one go */
  int64_t               quiet; /* steps until a receiver listens, or all that are asked for */
};

/* `steps`: so many, at most, an engine makes in one go while it meets sources and receivers; 0: it
 * leaves them to the host. */
ik_status ik_stepper_attach(ik_stepper *x, ik_state *s, int64_t steps, ik_diag *d);
void      ik_stepper_free(ik_stepper *x);
/* Makes the host, with memory for temporaries, unless it is there. */
ik_status ik_stepper_need_host(ik_stepper *x, ik_diag *d);

/* For ik_engine_ops. */
ik_status ik_stepper_run(ik_engine *x, const ik_stmt *first, const ik_stmt *end, ik_diag *d);
ik_status ik_stepper_steps(ik_engine *x, const ik_stmt *steps, int64_t n, ik_recorder *rec,
                           ik_diag *d);
ik_status ik_stepper_scalar(ik_engine *x, const ik_expr *e, double *out, ik_diag *d);

/* For engines that take lists or steps as a whole: statements in them that are the host's, ... */
ik_status ik_stepper_host(ik_stepper *x, const ik_stmt *first, const ik_stmt *end, ik_diag *d);
void      ik_stepper_set(ik_stepper *x, const ik_stmt *set);
/* ... what sources add in n steps, the first of them so many from now, and what is heard of fields
 * that no step gives a new value; ... */
void ik_stepper_amounts(ik_stepper *x, int64_t first, int64_t n);
/* ... added to level 1, in the step so many from now; ... */
void ik_stepper_inject(ik_stepper *x, int64_t step);
/* ... and counted, of all n steps. */
void ik_stepper_count(ik_stepper *x, int64_t n);
