/* sweep_run.h: runs functions for cells one after the other: which cells, in which order, and what
 * those near faces read.
 *
 * Results do not depend on the number of threads.
 */
#pragma once
#include "ir/state.h"
#include "lower/sweep.h"
#include "targets/cpu/rt/kernel.h"
#include "targets/cpu/rt/sweep.h"
#include "targets/cpu/team.h"

typedef struct ik_sweep_code { /* what was compiled for an order */
  ik_sweep_fn **set;           /* [nset] */
  ik_sweep_fn **cell;          /* [nstmt] */
} ik_sweep_code;

typedef struct ik_sweep_room ik_sweep_room; /* memory for any of some orders */

int64_t ik_sweep_room_bytes(const ik_ir *ir, const ik_sweep *const *order, int n, int threads);
/* NULL: there is no memory. */
ik_sweep_room *ik_sweep_room_create(const ik_state *s, const ik_sweep *const *order, int n,
                                    int threads);
void           ik_sweep_room_destroy(ik_sweep_room **r);

/* How so many threads share it. */
typedef enum ik_sweep_sharing {
  IK_SWEEP_WAVES,  /* rows of blocks in turn */
  IK_SWEEP_PIECES, /* pieces along an axis */
  IK_SWEEP_EACH,   /* each plane, all of them */
  IK_SWEEP_ALONE,  /* not at all */
} ik_sweep_sharing;

typedef struct ik_sweep_way {
  ik_sweep_sharing kind;
  int              axis; /* that is shared, of each plane perhaps; -1: none */
} ik_sweep_way;

ik_sweep_way ik_sweep_way_of(const ik_sweep *o, int threads);

/* All cells, once. */
void ik_sweep_run(const ik_sweep *o, const ik_sweep_code *code, ik_state *s, const ik_rt *rt,
                  ik_team *team, ik_sweep_room *room);
