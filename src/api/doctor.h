/* doctor.h: what this machine can do for ikat and what is missing.  Never fails.
 * The targets are not part of it: ik_target_list has them. */
#pragma once
#include "base/buf.h"

void ik_doctor_write(bool json, ik_buf *out);
