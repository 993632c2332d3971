/* inline.h: temporaries that are cheaper to compute again than to keep. */
#pragma once
#include "base/arena.h"
#include "ir/ir.h"

/* The list with short temporaries that are read at one or two offsets put in place of their reads;
 * their own statements are gone.  The bits do not change: the same operations are done on the same
 * values, some of them twice.  The list itself stays as it is. */
const ik_stmt *ik_inline_temps(const ik_ir *ir, const ik_stmt *list, ik_arena *a);
