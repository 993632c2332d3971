/* clones.h: functions in several versions, of which the best that the processor can run is chosen
 * when the program starts.  The library itself is compiled for any processor. */
#pragma once

#if defined(__x86_64__) && defined(__gnu_linux__) && !defined(__SANITIZE_ADDRESS__)
#define IK_BY_PROCESSOR __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define IK_BY_PROCESSOR
#endif
