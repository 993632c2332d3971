/* strategy.h: the ways in which the CPU makes steps, a row each.  A new one is a row, and its name
 * in the list of plan/plan.c.  Where a row is silent, steps are passes over memory, as choose.h
 * ranks them.
 */
#pragma once
#include "targets/cpu/choose.h"
#include "targets/cpu/special.h"
#include "targets/cpu/time_tiles_run.h"

struct ik_strategy {
  const char      *name;
  bool             fuses;    /* several steps in one pass are worth a look */
  bool             sweeps;   /* sequential sweeps outside of step loops are its work as well */
  ik_schedule_kind schedule; /* of tiles in time */
  /* Plan: makes the best plan of one step, of the body of a loop of so many, one of its own. */
  void (*plan)(const ik_choose *x, const ik_stmt *body, int64_t steps, ik_arena *a, ik_plan *plan);
  /* Legal: lowers the body of a step loop as planned, with less where there is no room.  Why it
   * cannot be run so; NULL: it can. */
  const char *(*legal)(const ik_choose *x, ik_compile_part *part, ik_arena *a);
  /* Price: what a step of that body takes, and the bytes of rings.  False: it is not legal. */
  bool (*price)(const ik_choose *x, const ik_stmt *body, const ik_plan *plan, ik_arena *a,
                ik_pipeline_work *work, int64_t *scratch);
  /* Advance: the next n steps, of which so many are worth starting for. */
  ik_status (*advance)(const ik_time_tiles *w, int64_t n, ik_diag *d);
  int64_t (*stride)(const ik_plan *plan);
  /* Steps of a special form, which are not passes: all of the above.  NULL: they are passes. */
  const ik_special *special;
};

/* NULL at the end. */
extern const ik_strategy *const ik_strategies[];

const ik_strategy *ik_strategy_find(const char *name); /* NULL: none is named */
/* E082, and why. */
ik_status ik_strategy_refuse(const ik_strategy *s, const char *why, ik_diag *d);
/* Of the body of a step loop with that plan; outside of step loops lists are swept. */
const ik_strategy *ik_strategy_of(const ik_plan *plan, bool steps);
