/* axis.h: round numbers along an axis, and how they are written.
 *
 * Steps are 1, 2 or 5 times a power of ten.  Labels share a power of ten where the plain numbers
 * would be long; it is left to the axis title: "p (×10⁻³ Pa)".
 */
#pragma once
#include "base/buf.h"
#include <stdbool.h>

enum { IK_TICKS_MAX = 24 };

typedef struct ik_ticks {
  int    n;
  double at[IK_TICKS_MAX];
  char   label[IK_TICKS_MAX][40]; /* "" for a tick without one */
  int    exponent;                /* labels are to be multiplied by 10^exponent */
} ik_ticks;

/* Makes [lo, hi] a range that can be drawn: finite, in order, wider than rounding errors.  A single
 * value gets a range around it, nothing at all (NaN) the range 0..1. */
void ik_axis_widen(double *lo, double *hi);

/* Where v lies between lo (0) and hi (1); may be outside.  Never overflows in between. */
double ik_axis_fraction(double v, double lo, double hi);

/* About `want` (1..12; 1.6 times as many at most) ticks within [lo, hi], which ik_axis_widen() has
 * passed; `whole`: only whole numbers. */
void ik_axis_ticks(double lo, double hi, int want, bool whole, ik_ticks *t);

/* The same for a logarithmic axis, 0 < lo < hi: powers of ten, and 2 and 5 times those when there
 * are few. */
void ik_axis_ticks_log(double lo, double hi, int want, ik_ticks *t);

/* "name (×10³ unit)"; NULL or "" leaves a part out. */
void ik_axis_title(ik_buf *b, const char *name, const char *unit, int exponent);

/* A number for people: four digits, "−1.25×10⁻⁷". */
void ik_axis_number(ik_buf *b, double v);
