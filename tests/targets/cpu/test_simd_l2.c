#define IK_VECTOR_BYTES 16
#define IK_LANES        2
#include "targets/cpu/simd_body.h"
