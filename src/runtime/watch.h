/* watch.h: is the run still sane?
 *
 * Every cell of every floating-point field is looked at.  A value that is not finite ends the run.
 * So does blow-up: a field that is 1e10 times larger than anything that was put in (initial values
 * of any field, sources, the first values seen, or one), and still grows.  What starts at nothing
 * and is driven by another field or by a formula is thus left alone.  A field that no statement
 * assigns is looked at once.
 */
#pragma once
#include "runtime/engine.h"

typedef struct ik_watch {
  double     *before;    /* [nfield] largest |value| at the last check */
  double     *reference; /* [nfield] the first values that were not zero */
  double      scale;     /* the largest of them */
  bool       *steady;    /* [nfield] nothing assigns it but its initial values */
  bool        begun;
  double      max_abs; /* the largest |value| of the declared fields that the program updates */
  const char *field;   /* where it is */
  bool        updated; /* that one is such a field: there is one */
} ik_watch;

bool ik_watch_init(ik_watch *w, const ik_ir *ir); /* false: no memory */
void ik_watch_free(ik_watch *w);
/* Has seen what another one of the same program has. */
void ik_watch_follow(ik_watch *w, const ik_watch *other, const ik_ir *ir);

/* E070 with field, cell, step, value.  `done` steps or rounds (`unit`) have been made so far. */
ik_status ik_watch_check(ik_watch *w, ik_engine *x, int64_t done, const char *unit, ik_diag *d);
