/* special.h: strategies for steps of a special form, which are not lowered to passes. */
#pragma once
#include "ir/state.h"
#include "targets/cpu/team.h"

typedef struct ik_special {
  int64_t stride; /* steps that it likes to make at a time; 0: as many as there are */
  /* Why a STEPS statement cannot be done so, here; NULL if it can. */
  const char *(*illegal)(const ik_ir *ir, const ik_stmt *steps);
  /* `terms`: see ik_plan; what does not split numbers ignores it. */
  int64_t (*bytes)(const ik_ir *ir, const ik_stmt *steps, int threads, int terms);
  ik_status (*create)(ik_state *s, const ik_stmt *steps, ik_team *team, int terms, ik_diag *d,
                      void **out);
  ik_status (*advance)(void *x, int64_t n, ik_diag *d);
  /* How far the result of n steps may be from the interpreter's, relative to the largest value. */
  double (*bound)(const ik_ir *ir, const ik_stmt *steps, int terms, int64_t n);
  void (*destroy)(void **x);
} ik_special;

extern const ik_special ik_special_spectral, ik_special_matrix;
