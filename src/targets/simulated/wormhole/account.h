/* account.h: what a run on the simulated die took, and on what that rests: fills ik_simulated.
 *
 * Every list of statements is simulated by cycles when it is run for the first time, on all cores
 * and all tiles; as nothing depends on values, it takes the same time ever after.
 */
#pragma once
#include "runtime/simulated.h"
#include "targets/simulated/wormhole/cycles.h"

typedef struct ik_wormhole_account ik_wormhole_account;

/* Lives in `a`, and so do its texts; `m` is borrowed. */
ik_wormhole_account *ik_wormhole_account_of(const ik_wormhole_map *m, ik_arena *a);
void ik_wormhole_account_free(ik_wormhole_account *x); /* what is not in the arena */

/* The statements from `first` up to `end` have been run once more. */
ik_status ik_wormhole_account_add(ik_wormhole_account *x, const ik_stmt *first, const ik_stmt *end,
                                  ik_diag *d);
/* Adds what the published figures say, once; left out if there is no memory. */
void ik_wormhole_account_validate(ik_wormhole_account *x);

const ik_simulated *ik_wormhole_account_show(const ik_wormhole_account *x);
