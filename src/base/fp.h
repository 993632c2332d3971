/* fp.h: the floating-point environment that programs are computed in: to the nearest, subnormal
 * numbers kept, no signals.  A caller may have another, knowingly or by a library that he loaded:
 * those that were linked with -ffast-math change it as they are loaded.  It is put aside meanwhile.
 * Threads begin with that of whoever starts them.
 */
#pragma once
#include <fenv.h>

/* From here to the end of the function, however it is left. */
#define IK_OWN_ARITHMETIC                                                                          \
  ik_fp ik_fp_theirs __attribute__((cleanup(ik_fp_leave), unused)) = ik_fp_enter()

typedef struct ik_fp {
  fenv_t env;
} ik_fp;

static inline void ik_fp_set(void) { fesetenv(FE_DFL_ENV); }

static inline ik_fp ik_fp_enter(void) {
  ik_fp f;
  fegetenv(&f.env);
  ik_fp_set();
  return f;
}

static inline void ik_fp_leave(const ik_fp *theirs) { fesetenv(&theirs->env); }
