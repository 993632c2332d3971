/* ledger.h: the time of a run by the wafer's clock, and what is to be said about it.
 *
 * The first time that statements are done, a patch of the fabric is simulated cycle by cycle; all
 * later times take as long.
 */
#pragma once
#include "runtime/simulated.h"
#include "targets/simulated/wse2/cycles.h"

typedef struct ik_wse2_ledger ik_wse2_ledger;

/* Borrows the layout and the machine.  E072, E082. */
ik_status ik_wse2_ledger_create(const ik_wse2_layout *l, const ik_wse2_timing *t,
                                const ik_machine *m, ik_diag *d, ik_wse2_ledger **out);
void      ik_wse2_ledger_destroy(ik_wse2_ledger **g);

/* The statements are done once more.  E072, and what a simulation may lack. */
ik_status ik_wse2_ledger_add(ik_wse2_ledger *g, ik_wse2_list list, ik_diag *d);
/* They are about to be done on all elements, cycle by cycle: what to write down while they are;
 * NULL if that is known. */
ik_timeline *ik_wse2_ledger_watch(ik_wse2_ledger *g, ik_wse2_list list);
/* They were.  E072. */
ik_status ik_wse2_ledger_note(ik_wse2_ledger *g, ik_wse2_list list, const ik_wse2_time *t,
                              ik_diag *d);

const ik_simulated *ik_wse2_ledger_simulated(const ik_wse2_ledger *g);
