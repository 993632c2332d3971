/* fitting.h: the constants of the model of the CPU, from the plans that `ikat bench model`
 * measured.
 *
 * Plans within 20 % of the best of their case are what a fit must predict; the others count a
 * little, so that they stay where they are.
 */
#pragma once
#include "plan/solve.h"
#include "apps/tune/tune.h"

typedef struct ik_fitting {
  ik_arena          arena;
  const char       *path;    /* where the figures of this machine are kept */
  const ik_machine *machine; /* with them */
  ik_solve_sample  *sample;  /* case by case, the untuned choice of each first */
  int              *first;   /* sample of each case */
  const char      **program;
  int               n, cap, ncase, cap_case, nprogram, cap_program;
} ik_fitting;

/* E081 if `path` has no figures of this machine. */
ik_status ik_fitting_open(ik_fitting *f, const char *path, ik_diag *d);
/* What a case has measured, and E072 for want of memory. */
ik_status ik_fitting_add(ik_fitting *f, const char *program, const ik_tune_job *j, ik_diag *d);
/* Fits, says how good that is, and keeps the constants beside the other figures. */
ik_status ik_fitting_finish(ik_fitting *f, ik_diag *d, ik_json *json, ik_buf *out);
void      ik_fitting_close(ik_fitting *f);
