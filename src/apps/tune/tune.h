/* tune.h: plans, timed in turns with the untuned choice.
 *
 * First what the model likes; then neighbours of the best so far, which differ from it in one
 * thing, and again neighbours of one of them that is better.  Plans are taken in groups of as many
 * as fit into memory beside the untuned choice.  In a round the untuned choice and then every plan
 * of the group have one timing each; what counts is the ratio of the two rates of a round, since
 * whatever slows the machine down for a while slows both.  Who is behind has no second round.  The
 * best are then timed once more, with the untuned choice, by themselves: the highest of many noisy
 * figures is more often lucky than good.
 *
 * Initial values are computed once, by a run that stays where they are; the others follow it.
 */
#pragma once
#include "api/api.h"

enum {
  IK_TUNE_ROWS = 320,  /* the untuned choice is the first */
  IK_TUNE_ROUNDS = 16, /* at most, of one row */
  IK_TUNE_GROUP = 8,   /* at most; rounds must not take too long */
};

#define IK_TUNE_GAIN 1.02 /* what a plan must reach to be kept */

typedef struct ik_tune_row {
  ik_plan                 plan;    /* of the untuned choice: as far as it is known */
  double                  seconds; /* of a step, as predicted; 0: not known */
  const ik_pipeline_work *work;    /* from which; NULL: not known */
  bool                    ranked;  /* it is one that the planner might choose without measuring */
  ik_buf                  text;    /* the plan, for a person */
  ik_buf                  words;   /* the plan, for ik_run_options.plan; empty: untuned */
  ik_run                 *run;     /* while it lives */
  int64_t                 steps;   /* of a timing */
  int                     n;       /* rounds */
  double                  rate[IK_TUNE_ROUNDS];  /* cells a second */
  double                  ratio[IK_TUNE_ROUNDS]; /* to the untuned choice in the same round */
  int64_t points, did; /* cells, and steps in which they were computed, of the newest timing */
  bool    failed;      /* it cannot be run */
  bool    again;       /* it seemed to win, and was timed again */
  int     near;        /* the first row of its neighbours; 0: they are not in the list */
} ik_tune_row;

typedef struct ik_tune_job {
  ik_program        *p;
  ik_run_options     opt;
  ik_tune_options    t;
  const ik_target   *target;
  ik_wisdom_key      key;
  ik_log            *log, *quiet; /* quiet: what plans have to say that nobody asked for */
  ik_arena           arena;       /* of what was proposed */
  ik_tune_row        row[IK_TUNE_ROWS];
  int                nrow;
  bool               alone;                /* there is memory for one run at a time */
  ik_run            *origin;               /* at the initial values; NULL: no memory for it */
  ik_state          *spare[IK_TUNE_GROUP]; /* arrays of runs that are over */
  int                spares;
  double             slice;           /* seconds of a timing, about */
  double             began, per_step; /* per_step: seconds, of the untuned choice */
  const ik_tune_row *winner;
  bool               kept;
} ik_tune_job;

/* tune.c */
/* What is to be tuned, checked; then the list, measured. */
ik_status ik_tune_open(ik_program *p, const ik_run_options *o, const ik_tune_options *t,
                       ik_log *log, ik_tune_job **out);
ik_status ik_tune_look(ik_tune_job *j);
void      ik_tune_close(ik_tune_job **j);
/* The neighbours of a plan, the most promising first, as rows behind all others. */
void ik_tune_surround(ik_tune_job *j, const ik_plan *p);

/* measure.c */
/* The untuned choice, running; it is the first row. */
ik_status ik_tune_begin(ik_tune_job *j);
/* Figures for as many rows as the budget allows, and the winner. */
ik_status ik_tune_measure(ik_tune_job *j);
double    ik_tune_rate(const ik_tune_row *r); /* medians; 0: not measured */
double    ik_tune_ratio(const ik_tune_row *r);

/* show.c */
/* Cells a second, in thousand millions; 0: not known. */
double ik_tune_predicted(const ik_tune_job *j, const ik_tune_row *r);
void   ik_tune_text(const ik_tune_job *j, ik_buf *out);
void   ik_tune_json(const ik_tune_job *j, ik_buf *out);
