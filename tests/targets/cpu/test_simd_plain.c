#define IK_VECTOR_BYTES 8
#define IK_LANES        2
#include "targets/cpu/simd_body.h"
