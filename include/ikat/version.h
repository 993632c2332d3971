/* version.h: which ikat this is.  Part of <ikat/ikat.h>. */
#pragma once

#define IK_VERSION "0.1.0"
