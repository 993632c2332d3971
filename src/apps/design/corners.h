/* corners.h: the tiles of all problems on one design, chosen together for the least product of
 * weighted time and weighted energy.
 *
 * Private to design/.  Of one thread: it holds the corners of every problem on the designs that
 * differ in shared memory alone, since these are solved at once.
 */
#pragma once
#include "apps/design/design.h"
#include "apps/design/pick.h"

typedef struct ik_corners {
  const ik_design_search *s;
  ik_pick_way            *way; /* [n] */
  int                     n, cap;
  int                    *first, *count; /* [IK_DESIGN_SHARED][problems] of `way` */
  int                    *index;         /* [problems] of those below */
  ik_pick_problem        *problem;       /* [problems] */
  ik_pick_edge           *edge;          /* [cap] */
  bool                    failed;        /* no memory */
} ik_corners;

/* False: no memory; ik_corners_free() is to be called in any case. */
bool ik_corners_create(const ik_design_search *s, ik_corners *out);
void ik_corners_free(ik_corners *c);

void ik_corners_clear(ik_corners *c);
/* All ways to solve a problem, whose order is changed. */
void ik_corners_add(ik_corners *c, int shared, int problem, ik_pick_way *way, int n);
/* Sets the plans ([problems]) of the problems of a part, -1: of all, that can be solved. */
void ik_corners_choose(ik_corners *c, int shared, int part, ik_design_plan *out);
