/* walk.h: one walk over all tiles, for all sizes of shared memory and all numbers of steps.
 *
 * Private to design/.  Problems of the same size and C_iter are a group; for a group and a number
 * of multiprocessors and vector units ik_walk_group() keeps for each size of shared memory and each
 * tile height the tiles that are worth a thought, from which ik_walk_ways() makes what can be had
 * for so many steps.
 */
#pragma once
#include "apps/design/design.h"
#include "apps/design/pick.h"

typedef struct ik_walk_tiles { /* what of a tile depends on nothing but itself; [n] of the list */
  const ik_hextile_list *list;
  int64_t               *moved, *words;
} ik_walk_tiles;

typedef struct ik_walk_shape {  /* a group */
  ik_hex_problem p;             /* its steps do not count */
  int64_t       *slabs, *width; /* [n] */
  double        *step_j;        /* [n] of a step, beyond static power */
  int           *order;         /* [n] tiles by height; of a height, the thriftiest first */
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

typedef struct ik_walk_offer { /* a tile that is faster than all thriftier ones of its height */
  double  wave_s, step_j;
  int32_t tile, k, t;
} ik_walk_offer;

typedef struct ik_walk_offers { /* for one size of shared memory, by height */
  ik_walk_offer *at;
  int            n, cap;
} ik_walk_offers;

typedef struct ik_walk_scratch {           /* of one thread */
  int64_t       *row_sum[4];               /* by dimensions; [n] */
  ik_walk_offers offers[IK_DESIGN_SHARED]; /* of the newest group */
  ik_pick_way   *way;                      /* of the newest problem */
  int            ways;                     /* room */
  bool           failed;                   /* no memory */
} ik_walk_scratch;

bool ik_walk_scratch_create(const ik_walk *w, ik_walk_scratch *out);
void ik_walk_scratch_free(ik_walk_scratch *x);

void ik_walk_units(const ik_walk *w, int vector_units, ik_walk_scratch *x);
void ik_walk_group(const ik_walk *w, int group, int sms, ik_walk_scratch *x);
/* Fills x->way; how many there are.  `static_w`: of the chip. */
int ik_walk_ways(const ik_walk *w, int problem, int shared, double static_w, ik_walk_scratch *x);
