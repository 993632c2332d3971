/* walk.h: one walk over all tiles, for all sizes of shared memory and all numbers of steps.
 *
 * Private to design/.  Problems of the same size and C_iter are a group; for a group and a number
 * of multiprocessors and vector units ik_walk_group() keeps the best wavefront of each tile height
 * and size of shared memory, from which ik_walk_plan() takes what is best for so many steps.
 */
#pragma once
#include "design/design.h"

typedef struct ik_walk_tiles { /* what of a tile depends on nothing but itself; [n] of the list */
  const ik_hextile_list *list;
  int64_t               *moved, *words;
  int                    heights; /* of different t */
} ik_walk_tiles;

typedef struct ik_walk_shape {  /* a group */
  ik_hex_problem p;             /* its steps do not count */
  int64_t       *slabs, *width; /* [n] */
} ik_walk_shape;

typedef struct ik_walk {
  const ik_design_search *s;
  int                     n, ngroup;
  int64_t                 room[IK_DESIGN_SHARED]; /* words of shared memory, ascending */
  ik_walk_tiles           tiles[4];               /* by dimensions */
  ik_walk_shape          *group;                  /* [ngroup] */
  int                    *group_of;               /* [n]; -1: a problem without meaning */
} ik_walk;

/* False: no memory; ik_walk_free() is to be called in any case.  `list` is filled and lent. */
bool ik_walk_create(const ik_design_search *s, const int *shared_kb, ik_hextile_list *list,
                    ik_walk *out);
void ik_walk_free(ik_walk *w);

typedef struct ik_walk_best { /* of one height */
  double  wave_s[IK_DESIGN_SHARED];
  int32_t tile[IK_DESIGN_SHARED], k[IK_DESIGN_SHARED];
} ik_walk_best;

typedef struct ik_walk_scratch { /* of one thread */
  int           dims;            /* of the newest group */
  int64_t      *row_sum[4];      /* by dimensions; [n] */
  ik_walk_best *best;            /* [heights]; of the newest group */
} ik_walk_scratch;

bool ik_walk_scratch_create(const ik_walk *w, ik_walk_scratch *out);
void ik_walk_scratch_free(ik_walk_scratch *x);

void           ik_walk_units(const ik_walk *w, int vector_units, ik_walk_scratch *x);
void           ik_walk_group(const ik_walk *w, int group, int sms, ik_walk_scratch *x);
ik_design_plan ik_walk_plan(const ik_walk *w, int problem, int shared, const ik_walk_scratch *x);
