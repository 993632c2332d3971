/* trial.h: a program on one target, from its text to the results. */
#pragma once
#include "lang/lang.h"
#include "targets/target.h"

typedef struct trial {
  ik_arena    arena;
  ik_diag     diag;
  ik_source   src;
  ik_ir      *ir;
  ik_state   *state;
  ik_recorder recorder;
  ik_engine  *engine; /* from trial_engine() on, unless the target refuses */
} trial;

/* False: the text is no program; `diag` says why.  Close it in any case. */
bool trial_open(trial *t, const char *name, const char *text);
void trial_close(trial *t);

/* An engine for it, in the way of `plan` (NULL: the target's own choice): there is text to look at.
 * Generated code is sanitized where the test is. */
bool trial_engine(trial *t, const char *target, const ik_plan *plan);
bool trial_go(trial *t);                                            /* runs it all */
bool trial_play(trial *t, const char *target, const ik_plan *plan); /* both */

/* Can plans with vectors of so many bytes be run here?  Only x86 has them or refuses them; others
 * make do. */
bool trial_can_run(int vector_bytes);

/* Did nothing fall back to the interpreter as a whole? */
bool trial_is_compiled(const trial *t);

/* Every bit of two trials that were played: fields, scalars, time, traces. */
bool trial_same(const trial *a, const trial *b);
