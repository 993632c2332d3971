/* order_run.h: runs functions for cells one after the other: which cells, in which order, and what
 * those near faces read.
 *
 * Results do not depend on the number of threads.
 */
#pragma once
#include "ir/state.h"
#include "lower/order.h"
#include "target/cpu/rt/kernel.h"
#include "target/cpu/rt/order.h"
#include "target/cpu/team.h"

typedef struct ik_order_code { /* what was compiled for an order */
  ik_order_fn **set;           /* [nset] */
  ik_order_fn **cell;          /* [nstmt] */
} ik_order_code;

typedef struct ik_order_room ik_order_room; /* memory for any of some orders */

int64_t ik_order_room_bytes(const ik_ir *ir, const ik_order *const *order, int n, int threads);
/* NULL: there is no memory. */
ik_order_room *ik_order_room_create(const ik_state *s, const ik_order *const *order, int n,
                                    int threads);
void           ik_order_room_destroy(ik_order_room **r);

/* All cells, once. */
void ik_order_run(const ik_order *o, const ik_order_code *code, ik_state *s, const ik_rt *rt,
                  ik_team *team, ik_order_room *room);
