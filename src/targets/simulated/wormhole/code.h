/* code.h: what a core does with one level of its tiles for one statement: a list of operations on
 * tiles, the same for all cores and levels.
 *
 * Every entry makes one tile.  Nothing is made twice: what an expression says several times, or
 * what east and west neighbours share (the transposed tile), is one entry.
 */
#pragma once
#include "base/arena.h"
#include "base/diag.h"
#include "interp/rule.h"
#include "targets/simulated/wormhole/tile.h"

typedef enum ik_wormhole_kind {
  IK_WORMHOLE_READ,      /* a tile of a field, at this level or the one below or above */
  IK_WORMHOLE_NUMBER,    /* the same in all elements; from the host */
  IK_WORMHOLE_TRANSPOSE, /* of arg[0], face by face */
  IK_WORMHOLE_SHIFT,     /* arg[0] by one row, and the rows of the neighbour */
  IK_WORMHOLE_MATH,
} ik_wormhole_kind;

typedef struct ik_wormhole_op {
  ik_wormhole_kind kind;
  int              arg[3];           /* entries before this one; -1: none */
  int              field, level, dz; /* READ */
  ik_wormhole_side side;             /* SHIFT */
  ik_op            op;               /* MATH */
  ik_type          type;             /* READ, MATH */
  const ik_expr   *number;           /* NUMBER */
} ik_wormhole_op;

typedef struct ik_wormhole_code {
  const ik_stmt        *stmt; /* ASSIGN or REDUCE */
  int                   n;
  const ik_wormhole_op *op;      /* [n] */
  int                   result;  /* entry */
  int                   staging; /* tiles of circular buffers that it takes */
  bool                  spare;   /* reads neighbours of what it writes: results wait elsewhere */
  bool                  partial; /* is not for all elements of the tiles of its levels */
} ik_wormhole_code;

/* IK_ERR_UNSUPPORTED, with the reason, if a core cannot compute that under the rule. */
ik_status ik_wormhole_compile(const ik_ir *ir, const ik_rule *r, const ik_stmt *s, ik_arena *a,
                              ik_diag *d, ik_wormhole_code *out);

/* Tiles that an operation reads; 0 for what takes no time of the core's units. */
int ik_wormhole_operands(const ik_wormhole_op *op);
