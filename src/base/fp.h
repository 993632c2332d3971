/* fp.h: the floating-point environment that programs are computed in: to the nearest, subnormal
 * numbers kept, no signals.  A caller may have another, knowingly or by a library that he loaded:
 * those that were linked with -ffast-math change it as they are loaded.  It is put aside meanwhile.
 * Threads begin with that of whoever starts them.
 *
 *   ik_fp     theirs = ik_fp_enter();
 *   ik_status st = ...;
 *   ik_fp_leave(&theirs);
 */
#pragma once
#include <fenv.h>

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
