/* roofline.h: a run on the roofs of its machine: measured as a dot, predicted as a ring. */
#pragma once
#include "runtime/outcome.h"

/* Nothing is drawn where the roofs or the work are not known; false then. */
bool ik_svg_roofline(const ik_outcome *o, ik_buf *out);
