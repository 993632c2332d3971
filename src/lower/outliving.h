/* outliving.h: temporaries that leave their list. */
#pragma once
#include "ir/ir.h"

/* [nfield]: those that statements of more than one list touch: made before a loop, say, and read in
 * it.  Lists are lowered one by one, so these need an array that all of them know.  NULL: there
 * are no temporaries. */
const bool *ik_outliving_temps(const ik_ir *ir, ik_arena *a);
