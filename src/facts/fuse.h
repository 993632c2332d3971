/* fuse.h: t steps as one wider stencil.
 *
 * K(t) is the number of values of updated fields, at the levels that exist before, on which a field
 * depends after t steps: the pattern convolved with itself t times.  alpha(t) = K(t) / (t K(1)) is
 * how much work one wide step does beyond t narrow ones (the inflation by kernel fusion of the
 * paper on stencils and matrix units).  Counted by support, so that weights which happen to cancel
 * still count; for a star the fused shape is a diamond. */
#pragma once
#include "facts/linear.h"
#include "facts/pattern.h"

enum { IK_FUSE_MAX = 8 };

typedef struct ik_fused {
  int     n;                       /* K(1) ... K(n) are known; 0 without a step loop */
  int64_t points[IK_FUSE_MAX + 1]; /* [t] */
  double  alpha[IK_FUSE_MAX + 1];  /* [t] */
} ik_fused;

/* Of the field ik_patterns.field.  Stops early for patterns so large that counting is slow. */
void ik_fuse_of(const ik_ir *ir, const ik_subject *s, const ik_patterns *p, ik_arena *a,
                ik_fused *out);

/* The weights of t >= 1 steps of a linear step loop in one: the value of `field` after them in
 * terms of the values before.  Rests are left out.  Costs K(t-1) * K(1). */
const ik_coefs *ik_fuse_weights(const ik_ir *ir, const ik_subject *s, const ik_linear *l, int field,
                                int t, ik_arena *a);
