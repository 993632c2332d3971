/* unit.h: physical units as the lexer and the parser need them; ast.h has what others use. */
#pragma once
#include "lang/ast.h"

/* One unit is scale * 10^exp10 of the SI base units in `dim`.  The power of ten is kept apart so
 * that `0.8 ms` is read as 0.8e-3, rounded once. */
typedef struct ik_unit {
  double scale;
  int    exp10;
  ik_dim dim;
} ik_unit;

/* The length of the longest unit that begins at `s` (`m/s^2`), 0 if there is none. */
int ik_unit_scan(const char *s, int len, ik_unit *out);

/* The unit that a misspelt word most likely means, or NULL. */
const char *ik_unit_nearest(const char *word);
