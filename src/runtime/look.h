/* look.h: how large are the values of a field? */
#pragma once
#include "runtime/engine.h"

/* The largest |value| of level 0 in the state's array, by all threads of an engine; NaN if one is
 * not finite.  Of floating-point fields. */
double ik_look_at(ik_engine *x, int field);
