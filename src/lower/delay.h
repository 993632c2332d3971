/* delay.h: assignments that read less from memory if they are done later. */
#pragma once
#include "base/arena.h"
#include "ir/ir.h"

/* The list with assignments moved down to where others touch the same fields anyway.  A number that
 * is set ends a pass; `x = x + alpha*p`, which nobody waits for, may as well be done in a later one
 * that reads p for its own sake.  Nothing that an assignment reads or writes changes meanwhile, so
 * bits do not.  The list itself stays as it is. */
const ik_stmt *ik_delay(const ik_ir *ir, const ik_stmt *list, ik_arena *a);
