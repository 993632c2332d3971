/* time_tiles_run.h: steps tiled in time, in place: the strategies `hex` and `skew`.  The passes of
 * a step are run box by box in the order of a schedule (lower/schedule.h), on the arrays of the
 * state themselves.  Nothing is computed twice, nothing is copied, and the bits are those of whole
 * steps.
 */
#pragma once
#include "lower/schedule.h"
#include "targets/cpu/choose.h"
#include "targets/cpu/drive.h"
#include "targets/cpu/team.h"

/* A step loop and what it is run with. */
typedef struct ik_time_tiles {
  const ik_ir         *ir;
  const ik_plan       *plan; /* steps: of a band; tile: widths */
  const ik_pipe       *pipe; /* of one step */
  ik_state            *state;
  ik_team             *team;
  ik_team_part        *part;   /* [threads] to share tiles with */
  ik_drive_thread     *thread; /* [threads of the team], or so many for each slab in work */
  ik_kernel_fn *const *kernel[IK_SCHEDULE_SUBS]; /* of each pass, as in ik_drive */
  const ik_rt         *rt;
  const ik_spots      *spots; /* a row for each step; NULL: none is met */
} ik_time_tiles;

/* time_tiles.c: first what strategy.h asks for. */
void        ik_time_tiles_plan(const ik_choose *x, const ik_stmt *list, int64_t steps, ik_arena *a,
                               ik_plan *plan);
const char *ik_time_tiles_legal(const ik_choose *x, ik_compile_part *part, ik_arena *a);
bool ik_time_tiles_price(const ik_choose *x, const ik_stmt *list, const ik_plan *plan, ik_arena *a,
                         ik_pipeline_work *work, int64_t *scratch);
int64_t ik_time_tiles_stride(const ik_plan *plan);
/* Why the body of a step loop cannot be run so; NULL if it can.  `pipe` is made of it, with the
 * plan that ik_time_tiles_passes() gives. */
const char *ik_time_tiles_illegal(const ik_ir *ir, const ik_stmt *body, const ik_pipe *pipe,
                                  const ik_plan *plan);
/* Steps and tile of a plan, by what the caches hold.  `pipe` is of one step, of this plan without
 * tiles, and legal; `steps` is how many there are. */
void ik_time_tiles_choose(const ik_choose *x, const ik_pipe *pipe, int64_t steps, ik_arena *a,
                          ik_plan *plan);
/* Is it legal, and are its tiles slabs (lower/schedule.h)? */
bool ik_time_tiles_has_slabs(const ik_choose *x, const ik_stmt *list, const ik_plan *plan,
                             ik_arena *a);
/* Is something of the arrays copied into rings, if only near faces? */
bool ik_time_tiles_copies(const ik_pipe *pipe);
/* Changes what was counted of the passes of a step to what they are in the tiles of a plan. */
void ik_time_tiles_count(const ik_choose *x, const ik_pipe *pipe, const ik_plan *plan, ik_arena *a,
                         ik_pipeline_work *step);
/* The plan that the passes of a step are lowered with. */
ik_plan ik_time_tiles_passes(const ik_ir *ir, const ik_plan *plan);
/* All but the number of steps. */
ik_schedule ik_time_tiles_schedule(const ik_ir *ir, const ik_pipe *pipe, const ik_plan *plan);
/* If its tiles are slabs (lower/schedule.h), how many of them a thread has in work at a time: one
 * for each sub-step; else 0. */
int ik_time_tiles_slabs(const ik_ir *ir, const ik_pipe *pipe, const ik_plan *plan);

/* time_tiles_run.c: makes n steps.  Needs a little memory: E072. */
ik_status ik_time_tiles_advance(const ik_time_tiles *w, int64_t n, ik_diag *d);
