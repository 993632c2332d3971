/* outcome.h: what a run was predicted to take beside what it took: computed here, once, and printed
 * by whoever shows a run.  What is not known is NaN.  units.h has the definitions of points,
 * operations and bytes. */
#pragma once
#include "base/json.h"
#include "runtime/joules.h"
#include "runtime/loop.h"

typedef struct ik_outcome {
  bool        simulated; /* `seconds` are those of a simulation, predictions those of a formula */
  bool        done;      /* the program has ended */
  int64_t     count;     /* steps, rounds or passes */
  const char *unit;      /* "step", "round", "pass" */
  int64_t     points;
  double      seconds, rate; /* points a second */
  double      predicted_seconds, predicted_rate;
  double      round_seconds; /* predicted, of a round of a repeat; NaN without */
  double      ratio;         /* measured over predicted seconds */
  const char *limited_by;    /* the resource that is busy longest; NULL: not known */
  const char *bound;         /* by its kind: "memory"; see ik_forecast_part */
  const char *basis;         /* of the prediction; or why there is none */
  double      flops, bytes;
  double      traffic;        /* bytes that the plan moves; `bytes` where it does not tell */
  double      intensity;      /* flops / traffic */
  ik_roofs    roofs;          /* with names that belong to the engine */
  double      attainable;     /* FLOP/s */
  double      roofline_share; /* least seconds by the roofs / seconds */
  double      joules;         /* of the processor, or of the simulated machine */
  const char *joules_source, *joules_why; /* one of them is NULL */
} ik_outcome;

/* Of what has been done so far.  Borrows from the loop, its engine and `e`, which may be NULL. */
ik_outcome ik_outcome_of(const ik_loop *l, const ik_joules *e);
/* Before the run: what is predicted for all steps, and a round of each repeat. */
ik_outcome ik_outcome_before(const ik_loop *l);

/* "done: 850 steps in 0.12 s   541 MPts/s" */
void ik_outcome_headline(const ik_outcome *o, ik_buf *out);
/* What is predicted, in one or two lines; "" if nothing is. */
void ik_outcome_prediction(const ik_outcome *o, ik_buf *out);

/* Calls `row` with the name and the words of each figure, for tables. */
void ik_outcome_each(const ik_outcome *o,
                     void (*row)(void *ctx, const char *name, const char *words), void *ctx);
/* Members of the object that is open. */
void ik_outcome_json(const ik_outcome *o, ik_json *j);
