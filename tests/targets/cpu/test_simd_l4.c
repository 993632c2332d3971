#define IK_VECTOR_BYTES 16
#define IK_LANES        4
#include "targets/cpu/simd_body.h"
