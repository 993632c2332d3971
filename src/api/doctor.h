/* doctor.h: what this machine can do for ikat and what is missing.  Never fails. */
#pragma once
#include "base/buf.h"

void ik_doctor_write(bool json, ik_buf *out);
