#define IK_VECTOR_BYTES 16
#define IK_LANES        2
#include "target/simd_body.h"
