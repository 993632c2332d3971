/* layout.h: how arrays are laid out for the caches of a processor. */
#pragma once
#include "ir/layout.h"

/* Lives as long as the arena. */
ik_layout *ik_cpu_layout_of(const ik_ir *ir, ik_arena *a);
