#include "targets/cpu/strategy.h"
#include <string.h>

/* One pass over memory for each step. */
static const ik_strategy sweep = {.name = "sweep"};

/* Several steps in one pass: tiles overlap. */
static const ik_strategy fuse = {.name = "fuse", .fuses = true};

/* Hexagons in time and the last axis, in place. */
static const ik_strategy hex = {.name = "hex",
                                .schedule = IK_SCHEDULE_HEX,
                                .plan = ik_time_tiles_plan,
                                .legal = ik_time_tiles_legal,
                                .price = ik_time_tiles_price,
                                .advance = ik_time_tiles_advance,
                                .stride = ik_time_tiles_stride};

/* Parallelograms in time, in wavefronts or in slabs, in place. */
static const ik_strategy skew = {.name = "skew",
                                 .sweeps = true,
                                 .schedule = IK_SCHEDULE_SKEW,
                                 .plan = ik_time_tiles_plan,
                                 .legal = ik_time_tiles_legal,
                                 .price = ik_time_tiles_price,
                                 .advance = ik_time_tiles_advance,
                                 .stride = ik_time_tiles_stride};

/* Any number of steps in one pair of Fourier transforms. */
static const ik_strategy spectral = {.name = "spectral", .special = &ik_special_spectral};

/* A step as products with band matrices. */
static const ik_strategy matrix_band = {.name = "matrix-band", .special = &ik_special_matrix};

const ik_strategy *const ik_strategies[] = {&fuse,     &sweep,       &hex, &skew,
                                            &spectral, &matrix_band, NULL};

const ik_strategy *ik_strategy_find(const char *name) {
  const ik_strategy *const *s = ik_strategies;
  while (name && *s && strcmp((*s)->name, name)) s++;
  return name ? *s : NULL;
}

const ik_strategy *ik_strategy_of(const ik_plan *plan, bool steps) {
  const ik_strategy *s = steps ? ik_strategy_find(plan->strategy) : NULL;
  return s ? s : &sweep;
}

ik_status ik_strategy_refuse(const ik_strategy *s, const char *why, ik_diag *d) {
  return ik_fail(d, IK_ERR_UNSUPPORTED, IK_E082, IK_NOSPAN,
                 "strategy '%s' cannot run this program: %s", s->name, why);
}
