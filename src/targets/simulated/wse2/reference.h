/* reference.h: the interpreter under the wafer's rule, which the wafer is held against: it runs the
 * program as rule.h rewrites it, and reduces in the order of the fabric. */
#pragma once
#include "interp/interp.h"
#include "targets/simulated/wse2/map.h"

typedef struct ik_wse2_reference ik_wse2_reference;

/* Works on `s`, which it borrows and whose temporaries have memory.  E072 if there is none. */
ik_status ik_wse2_reference_create(ik_state *s, const ik_wse2_mapping *m, ik_diag *d,
                                   ik_wse2_reference **out);
void      ik_wse2_reference_destroy(ik_wse2_reference **r);
int64_t   ik_wse2_reference_bytes(const ik_wse2_mapping *m);

/* A statement of the program for which the mapping has jobs: ASSIGN, REDUCE, SWEEP. */
void ik_wse2_reference_run(ik_wse2_reference *r, const ik_stmt *s);
