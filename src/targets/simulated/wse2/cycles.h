/* cycles.h: statements on simulated elements, cycle by cycle, words moving over simulated links. */
#pragma once
#include "interp/interp.h"
#include "targets/simulated/wse2/fabric.h"
#include "targets/simulated/wse2/program.h"

/* What some statements take. */
typedef struct ik_wse2_time {
  int            nx, ny; /* elements that were simulated */
  int64_t        cycles; /* until the last of them was done */
  double         flops;  /* of the whole fabric, whose inner elements are as those of the patch */
  double         needless, words; /* the same of needless flops and of words received */
  ik_wse2_counts middle;          /* of one that no border is near, if there is one */
} ik_wse2_time;

typedef struct ik_wse2_list { /* statements, see ik_wse2_program_of */
  const ik_stmt *first, *end;
  bool           step;
} ik_wse2_list;

/* Simulates a patch of the fabric that has elements from all its borders and from its middle, in
 * lines whose lengths leave the same rest by the steps of a broadcast as those of the fabric: what
 * happens at their ends depends on that.  `more`: such periods more than the least.  Memories are
 * zero, since time does not depend on values.  `timeline` may be NULL.  E072; IK_ERR_NUMERIC if it
 * comes to a halt. */
ik_status ik_wse2_time_of(const ik_wse2_layout *l, const ik_wse2_timing *t, ik_wse2_list list,
                          int more, ik_timeline *timeline, ik_diag *d, ik_wse2_time *out);

/* How many cycles more they take on the whole fabric, where reductions have a longer way: it grows
 * with the rows and columns, and a larger patch than `patch` tells how fast. */
ik_status ik_wse2_longer_way(const ik_wse2_layout *l, const ik_wse2_timing *t, ik_wse2_list list,
                             const ik_wse2_time *patch, ik_diag *d, double *out);

/* Runs the statements on all elements, on the values of a state: memories are filled from it (by
 * `in` beyond faces), and what the statements make is brought back.  Those from `since` up to the
 * first have been run before, in the same step.  `timeline` may be NULL. */
ik_status ik_wse2_replay(const ik_wse2_layout *l, const ik_wse2_timing *t, const ik_stmt *since,
                         ik_wse2_list list, ik_state *s, ik_interp *in, ik_timeline *timeline,
                         ik_diag *d, ik_wse2_time *out);
