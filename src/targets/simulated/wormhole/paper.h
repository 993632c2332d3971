/* paper.h: the programs of arXiv 2603.23343, as stage graphs. */
#pragma once
#include "base/arena.h"
#include "ir/ir.h"

typedef enum ik_wormhole_kernel {
  IK_WORMHOLE_SOLVER,   /* Section 7: a round of its loop is an iteration */
  IK_WORMHOLE_OPERATOR, /* Section 6: 6u minus its six neighbours */
  IK_WORMHOLE_DOT,      /* Section 5 */
} ik_wormhole_kernel;

typedef struct ik_wormhole_case {
  ik_wormhole_kernel kernel;
  ik_type            type;     /* f32 or bf16 */
  int                cores[2]; /* along axes 0 and 1 */
  int                tiles;    /* of each core */
} ik_wormhole_case;

ik_status ik_wormhole_paper(const ik_wormhole_case *c, ik_arena *a, ik_diag *d, const ik_ir **out);
