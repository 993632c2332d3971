/* load.h: initial values from files. */
#pragma once
#include "ir/state.h"

/* Runs a LOAD statement.  The file's extents must be those of the field (E063). */
ik_status ik_load(ik_state *s, const ik_stmt *load, ik_diag *d);
/* The type of array that holds a field of type `t`, and a view of a field's values at a level. */
#include "io/array.h"
ik_dtype ik_load_dtype(ik_type t);
ik_array ik_load_view(const ik_state *s, int field, int level);
