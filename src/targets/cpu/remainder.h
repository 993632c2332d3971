/* remainder.h: cells that a pass leaves as they are, in lines that it stores.
 *
 * A line of the cache that is stored past the caches is stored whole.  Where a pass writes only
 * some cells of the lines at the ends of rows, the others would have to be read with their line:
 * two more lines for each row, and stores through the caches.  If nobody writes these cells from
 * one time to the next they are put by, one after the other, and whole lines go past the caches.
 */
#pragma once
#include "ir/state.h"
#include "emit/shape.h"
#include "targets/cpu/team.h"

typedef struct ik_remainder ik_remainder;

/* Room for what these passes leave; NULL: no memory.  The passes stay the caller's. */
ik_remainder *ik_remainder_create(const ik_ir *ir, const ik_pass *const *pass, int n);
void          ik_remainder_destroy(ik_remainder **k);
int64_t ik_remainder_bytes(const ik_ir *ir, const ik_pass *const *pass, int n); /* that it takes */

/* Called before each run of a pass.  For every buffer of the pass, where what its rows leave lies:
 * that of row y of plane z is (z * rows of a plane + y) * ik_value_shape.remainder elements further
 * on; NULL if it is not known.  Cells are put by when a pass comes the second time in a row: one
 * that comes once has no trouble. */
char *const *ik_remainder_before(ik_remainder *k, const ik_state *s, const ik_pass *p,
                                 ik_team *team);
/* Somebody else has written to a field; k may be NULL. */
void ik_remainder_release(ik_remainder *k, int field);
/* Somebody may have written anywhere. */
void ik_remainder_forget(ik_remainder *k);
