/* interpreted.h: forecasts of what the interpreter does, alone or for another engine. */
#pragma once
#include "targets/target.h"

/* Adds so many times through a unit.  False: no memory to count it. */
bool ik_interpreted_forecast(const ik_ir *ir, const ik_pipeline_machine *m, const ik_unit *u,
                             int64_t times, ik_forecast *out);
/* Of so many steps, what is no statement: sources and receivers. */
bool ik_interpreted_points(const ik_ir *ir, const ik_pipeline_machine *m, int64_t steps,
                           ik_forecast *out);
