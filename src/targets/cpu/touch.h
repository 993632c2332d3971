/* touch.h: which thread has which cells first.  The memory of a large machine is in several parts
 * (NUMA nodes), each near some of the processors, and a page is put near the thread that writes to
 * it first: that should be the one that computes there later.
 */
#pragma once
#include "targets/cpu/compile.h"
#include "targets/cpu/team.h"

/* Cells of a field are in boxes, and these are for threads, as the main loop of a program has it,
 * about: tiles of a pass, or parts of an axis. */
typedef struct ik_homes {
  const ik_pass *pass;  /* whose tiles they are; NULL: parts of an axis */
  int            axis;  /* of `width` cells each */
  int64_t        width; /* the box that is cut is the grid's */
  int64_t        n;     /* boxes */
  bool           turns; /* threads have them in turn, each one; else equal shares, side by side */
} ik_homes;

ik_homes ik_homes_of(const ik_compile *parts, int field, int threads);
/* The i-th box; those at the ends go as far as numbers do, as fields may be larger than grids. */
ik_box ik_homes_box(const ik_homes *h, int64_t i);

/* Writes a zero to every page of arrays that the state owns.  All of them are zero, but what the
 * caller has bound; its arrays are left alone. */
void ik_touch(const ik_compile *parts, const ik_state *s, ik_team *team);
