/* units.h: the lists of statements that the run loop hands to an engine as a whole, what one time
 * through each of them is worth, and how often it has been done.
 *
 * A unit is what stands between two loops, the body of a loop, or what the test of a repeat needs.
 * Initial values are no unit: they are neither counted nor timed.
 *
 * Definitions.  A point is a cell of a declared field that is assigned.  Operations are those of
 * facts/flops.h on all cells of all statements, temporaries and reductions included (fma is two),
 * without sources.  Bytes are the compulsory traffic of facts/bytes.h for each cell written. */
#pragma once
#include "ir/ir.h"

typedef struct ik_unit {
  const ik_stmt *first, *end; /* the list */
  const ik_stmt *loop;        /* STEPS or REPEAT that it belongs to; NULL: none */
  bool           test;        /* the part of a REPEAT before its test */
  int64_t        points;      /* of one time through it, as are: */
  double         flops, bytes;
  int64_t        times; /* done so far */
} ik_unit;

typedef struct ik_units {
  int      n;
  ik_unit *unit;
} ik_units;

bool ik_units_init(ik_units *u, const ik_ir *ir); /* false: no memory; to be freed all the same */
void ik_units_free(ik_units *u);

/* The unit that begins with a statement; NULL: there is none. */
ik_unit *ik_units_find(const ik_units *u, const ik_stmt *first);

/* What a run is counted in: "step", "round" where it only repeats, "pass" without loops; static. */
const char *ik_units_name(const ik_units *u);

/* Has a statement that gives this scalar a value been done?  Initial values have. */
bool ik_units_has_set(const ik_units *u, const ik_ir *ir, int scalar);
