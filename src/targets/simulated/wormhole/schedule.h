/* schedule.h: what every core does for a list of statements, action by action, and what each costs.
 * All cores have the same list; where they stand decides what an action means to them. */
#pragma once
#include "targets/simulated/wormhole/map.h"

typedef enum ik_wormhole_do {
  IK_WORMHOLE_DO_SET,    /* a scalar, once, by whoever comes first */
  IK_WORMHOLE_DO_BEGIN,  /* a statement: numbers to its tiles */
  IK_WORMHOLE_DO_OP,     /* on a tile */
  IK_WORMHOLE_DO_PATCH,  /* a shifted tile gets its rows */
  IK_WORMHOLE_DO_FINISH, /* a level: to memory, or into the partial result */
  IK_WORMHOLE_DO_JOIN,   /* wait until the mover has sent what the statement owes to others */
  IK_WORMHOLE_DO_SYNC,   /* wait until all cores are here */
  IK_WORMHOLE_DO_FOLD,   /* the partial result into its first element */
  IK_WORMHOLE_DO_HEAR,   /* the partial result of child `op` */
  IK_WORMHOLE_DO_MERGE,  /* it into the own one */
  IK_WORMHOLE_DO_TELL,   /* the own one to the parent */
  IK_WORMHOLE_DO_RESULT, /* of the root: the number, to all */
  IK_WORMHOLE_DO_AWAIT,  /* wait until it has come */
} ik_wormhole_do;

/* Cycles of an operation that reads so many tiles:
 *            unpack               unit                          pack
 *   FPU      operands tile/pack   sync                          tile/pack
 *   SFPU     operands tile/copy   32 x (loads, 2, store) + sync tile/pack
 * The FPU computes while it is fed, the SFPU vector after vector.  Two operands: 352 in all in
 * bf16, 736 in f32, of which the synchronisation between the three is 256. */
typedef struct ik_wormhole_cost {
  int64_t unpack, unit, pack;
} ik_wormhole_cost;

ik_wormhole_cost      ik_wormhole_cost_of(const ik_wormhole_map *m, int operands);
static inline int64_t ik_wormhole_cycles_of(ik_wormhole_cost c) {
  return c.unpack + c.unit + c.pack;
}

typedef struct ik_wormhole_action {
  ik_wormhole_do          kind;
  const ik_wormhole_code *code;
  const ik_stmt          *set; /* SET */
  int                     op;  /* OP, PATCH: entry of the code; HEAR, MERGE: child */
  int64_t                 k;   /* level */
  ik_wormhole_cost        cost;
  int                     sends; /* JOIN: those before it */
  bool                    root;  /* FOLD: the root's alone */
} ik_wormhole_action;

/* Rows to a neighbour, for its SHIFT `op` at level k, as soon as the core has come to that action
 * itself: then the tile that has the rows is there. */
typedef struct ik_wormhole_send {
  const ik_wormhole_code *code;
  int                     op, after;
  int64_t                 k;
} ik_wormhole_send;

typedef struct ik_wormhole_schedule {
  ik_wormhole_action *action; /* [n] */
  ik_wormhole_send   *send;   /* [nsend] */
  int                 n, nsend, room, send_room;
} ik_wormhole_schedule;

enum { IK_WORMHOLE_CHILDREN = 4 }; /* cores from which one hears partial results, at most */

void ik_wormhole_schedule_of(const ik_wormhole_map *m, const ik_stmt *first, const ik_stmt *end,
                             ik_arena *a, ik_wormhole_schedule *out);

/* "transpose", "mul", "wait", for people. */
const char *ik_wormhole_action_name(const ik_wormhole_action *v);
