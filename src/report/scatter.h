/* scatter.h: predicted against measured: a dot for each figure, the line where both are equal, and
 * bands of 10 and 20 percent around it.  Both axes are logarithmic. */
#pragma once
#include "base/buf.h"
#include <stdbool.h>

typedef struct ik_scatter_dot {
  const char *group; /* one colour and one place in the legend for each, up to eight */
  const char *tip;   /* shown when the pointer rests on it; may be NULL */
  double      measured, predicted;
  bool        chosen; /* filled; others are hollow */
} ik_scatter_dot;

typedef struct ik_scatter {
  const char           *title, *name, *unit; /* name and unit: of the figures */
  const ik_scatter_dot *dot;                 /* [n]; those not above zero are left out */
  int                   n;
  bool                  standalone; /* as in svg.h */
} ik_scatter;

void ik_svg_scatter(const ik_scatter *c, ik_buf *out);
