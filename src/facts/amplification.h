/* amplification.h: what n time steps do to each wave of a periodic grid.
 *
 * Of a linear step with the same weights in every cell, a wave exp(2 pi i k x/n) is left a wave:
 * one step multiplies its amplitudes (one for each unknown: a field at a level) by a small matrix
 * G(k), and n steps by its power.  Angles are those of the waves that fit on the grid; patterns may
 * reach around it, any number of times.
 */
#pragma once
#include "base/arena.h"
#include "facts/angles.h"
#include "ir/ir.h"

enum { IK_SYMBOL_WAVES = 64 }; /* neighbours along axis 0, done together */

/* Amplitudes are those of u, and of how it changed from each level to the next: u - u[t-1], u[t-1]
 * - u[t-2], ...  A wave equation keeps its precision this way: in terms of u and u[t-1], the n-th
 * power of its matrix has entries of size n that almost cancel. */
typedef struct ik_unknown {
  int field, back; /* back 0: level 0; else level 1-back less level -back */
} ik_unknown;

typedef struct ik_turns { /* exp(2 pi i j/n) - 1 for any j, from two short tables */
  int64_t        n;
  int            shift;      /* j is high << shift | low */
  const ik_cplx *low, *high; /* for j up to n/2 */
} ik_turns;

typedef struct ik_amplification_term { /* weight times the value at an offset, 0 <= off < n, not all
                                          0 */
  int64_t off[IK_MAX_DIM];
  int     shift; /* off[0] in ik_amplification.shift; -1 if 0 */
  double  weight;
} ik_amplification_term;

typedef struct ik_amplification_sum {   /* what one new value takes from one unknown */
  double                 total, excess; /* of all weights, together: the symbol of a constant */
  int                    n;
  ik_amplification_term *term; /* [n] in order of off[0] */
} ik_amplification_sum;

typedef struct ik_amplification {
  int                         nvar;
  const ik_unknown           *var;  /* [nvar] those of a field next to each other */
  const ik_amplification_sum *sum;  /* [nvar][nvar] filled in for rows of back 0 */
  bool                        real; /* all entries of G are: every pattern is symmetric */
  int                         nshift;
  const int64_t              *shift; /* [nshift] */
  ik_turns                    axis[IK_MAX_DIM];
} ik_amplification;

/* NULL if the step has such a symbol, else one sentence why not.  Scalars count as constants. */
const char *ik_amplification_illegal(const ik_ir *ir, const ik_stmt *steps);

/* Of a step for which ik_amplification_illegal gives no reason, with the scalars [nscalar] as they
 * are. */
void ik_amplification_of(const ik_ir *ir, const ik_stmt *steps, const double *scalar, ik_arena *a,
                         ik_amplification *out);

/* Doubles that the two calls below work in.  The same for any scalars. */
int64_t ik_amplification_scratch(const ik_amplification *s);
/* Turns to the waves first, first + 1, ... along axis 0. */
void ik_amplification_turn(const ik_amplification *s, int64_t first, double *scratch);
/* Replaces the amplitudes `x` [nvar][2: re, im][IK_SYMBOL_WAVES] of those waves, at k along the
 * other axes, by what they are after n steps. */
void ik_amplification_power(const ik_amplification *s, const int64_t k[IK_MAX_DIM], int64_t n,
                            double *scratch, double *x);
