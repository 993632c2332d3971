/* solve.h: constants of the model of the CPU, from plans that were measured. */
#pragma once
#include "plan/fit.h"

typedef struct ik_solve_sample {
  const ik_pipeline_work *work;
  double                  seconds; /* of a step, as measured */
  double                  weight;
  int                     group;  /* of samples of one program */
  bool                    ranked; /* one that the planner might choose without measuring */
} ik_solve_sample;

/* What predictions are off by, relative: the root of the weighted mean of the squared logarithms of
 * their ratios to what was measured.  `group`: of that one alone; -1: of all. */
double ik_solve_error(const ik_solve_sample *all, int n, int group, const ik_pipeline_machine *m);

/* Changes the constants of `m`, each between its bounds, so that the samples of all groups but
 * `without` (-1: of all) are predicted best; outliers count less.  The same samples give the same
 * constants. */
void ik_solve(const ik_solve_sample *all, int n, int without, ik_pipeline_machine *m);
