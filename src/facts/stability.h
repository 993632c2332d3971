/* stability.h: von Neumann's analysis of a linear time step.
 *
 * On an endless grid with the same weights in each cell a wave exp(i theta x) stays one; one step
 * multiplies its amplitudes (one for each updated field and level) by a matrix G(theta).  The step
 * is stable if no eigenvalue of any G exceeds 1.  Boundaries and absorbing layers are left out:
 * values of hidden fields count as zero.
 *
 * A constant state of a field that grows by itself, without swinging, may be what the equation
 * says: u_t = a u does.  Whoever refuses a step has to compare with that.
 *
 * Growth within a tolerance counts as none: 1e-9 (a thousandth in a million steps, which nobody
 * sees) plus what rounding can do.  The sizes of the weights times the precision of their type, and
 * that of adding them up here, move a simple eigenvalue by as much and a double one by the root;
 * every equation of second order in time has one at theta = 0, and at its limit.  A step beyond its
 * limit by more than that rounding is still found.
 */
#pragma once
#include "facts/linear.h"

typedef struct ik_stability {
  bool        known;
  const char *why; /* not known; one sentence.  NULL if known */
  double      max_g;
  double      theta[IK_MAX_DIM]; /* where, in radians per cell; 0 along axes beyond ndim */
  double      steady_g;          /* of a field's constant state by itself; 0 where it swings */
  double      tolerance;
  bool        stable; /* max_g <= 1 + tolerance */
} ik_stability;

/* `l` has its weights frozen as the caller likes: NaN weights make the result unknown. */
void ik_stability_of(const ik_ir *ir, const ik_subject *s, const ik_linear *l, ik_arena *a,
                     ik_stability *out);

typedef struct ik_what_if { /* the step were another? */
  double share; /* of what it adds to its fields; 1: all of it.  Where a field has a history or a
                   statement reads a new value there is no such sum: not known */
  bool fresh;   /* statements read the new values of fields that others before them update */
} ik_what_if;

void ik_stability_with(const ik_ir *ir, const ik_subject *s, const ik_linear *l,
                       const ik_what_if *other, ik_arena *a, ik_stability *out);
