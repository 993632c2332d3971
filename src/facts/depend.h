/* depend.h: which statements must wait for which, and whether steps can be tiled in time. */
#pragma once
#include "facts/pattern.h"

typedef enum ik_dep_kind { IK_DEP_FLOW, IK_DEP_ANTI, IK_DEP_OUTPUT } ik_dep_kind;

/* `to` must come after `from`, because of one value.  FLOW: from makes what to reads; ANTI: from
 * reads what to makes; OUTPUT: both make it, on boxes that meet. */
typedef struct ik_dep {
  ik_dep_kind kind;
  int         from, to; /* index into ik_subject.work */
  int     distance; /* steps between: 0 within one; FLOW of u' to its readers a step later: 1.. */
  int     field, level; /* as `to` (ANTI: `from`) reads it; field is -1 for a scalar */
  int     scalar;       /* -1 for a field */
  ik_hull hull;         /* offsets of the reads; zero for OUTPUT and scalars */
} ik_dep;

typedef struct ik_tiling { /* in time */
  bool        legal;
  const char *why; /* not; one sentence.  NULL if legal */
  /* Cells per step that dependences reach, through all stages: a read at distance k steps and
   * offset o needs |o|/k.  [axis][0: toward low, 1: toward high] */
  int  slope[IK_MAX_DIM][2];
  bool wraps[IK_MAX_DIM]; /* an updated field is periodic there: tiles must wrap as well */
} ik_tiling;

typedef struct ik_depend {
  int           n;
  const ik_dep *dep; /* [n] */
  ik_tiling     tiling;
} ik_depend;

void ik_depend_of(const ik_ir *ir, const ik_subject *s, const ik_patterns *p, ik_arena *a,
                  ik_depend *out);
