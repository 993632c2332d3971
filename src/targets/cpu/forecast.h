/* forecast.h: what a run should take, by the model that chose its plans. */
#pragma once
#include "targets/cpu/compile.h"

typedef struct ik_cpu_forecast {
  const ik_ir        *ir;
  const ik_compile   *parts;
  ik_pipeline_machine figures;
  ik_pipeline_time (*time)[IK_PART_PIPES]; /* [part][pipe] of one step, or of the list */
} ik_cpu_forecast;

/* Prices what is going to be run; all of it lives in the arena.  NULL, or why that is not possible;
 * static. */
const char *ik_cpu_forecast_of(const ik_problem *p, const ik_isa *isa, int threads, bool special,
                               const ik_compile *parts, ik_arena *a, ik_cpu_forecast *out);

/* Adds so many times through a unit, which the engine compiled or (`interpreted`) could not. False:
 * no memory. */
bool ik_cpu_forecast_add(const ik_cpu_forecast *f, const ik_unit *u, int64_t times,
                         bool interpreted, ik_forecast *out);
