/* code.h: the functions of a program's passes and orders, from their text to their addresses.
 *
 * Compilers run while memory is taken and filled.  What only serves what is left of a run that
 * stops where nobody could know is late: it is compiled behind the rest, and waited for when it is
 * needed.
 */
#pragma once
#include "runtime/build.h"
#include "targets/cpu/compile.h"
#include "targets/cpu/sweep_run.h"

typedef struct ik_cpu_code {
  const ik_compile *parts;
  ik_arena         *arena; /* for the tables below */
  int               vector_bytes;
  const char       *cache_dir;               /* borrowed; NULL: nothing is kept */
  ik_build         *build[IK_COMPILE_TEXTS]; /* NULL: that one could not be started */
  ik_kernel_fn   ***fn;                      /* [pass][2 * kernel] */
  ik_sweep_code    *sweep;                   /* [nsweep] */
  bool              ready, late, late_ready; /* linked; what is late: asked for, linked */
  bool              missing;                 /* there is none: everything is the interpreter's */
  ik_diag           why;
} ik_cpu_code;

/* False: some could not be started; finishing will say so. */
bool ik_cpu_code_start(ik_cpu_code *c);
/* Waits for the compilers.  Without code W005 says why. */
void ik_cpu_code_finish(ik_cpu_code *c, ik_diag *d);
void ik_cpu_code_finish_late(ik_cpu_code *c, ik_diag *d);
void ik_cpu_code_free(ik_cpu_code *c);
