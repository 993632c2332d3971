/* forecast.h: what a run should take, by the model that chose its plans. */
#pragma once
#include "targets/cpu/compile.h"

/* Prices what is going to be run: ik_compile_part.time. */
void ik_cpu_forecast_price(ik_compile *c);

/* Adds so many times through a unit, which the engine compiled or (`interpreted`) could not. False:
 * no memory. */
bool ik_cpu_forecast_add(const ik_compile *c, const ik_unit *u, int64_t times, bool interpreted,
                         ik_forecast *out);
