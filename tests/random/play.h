/* play.h: a whole program on any engine. */
#pragma once
#include "runtime/engine.h"

/* From the initial values to the end.  The engine is attached. */
ik_status play_program(ik_engine *x, ik_recorder *r, ik_diag *d);
