/* simulated.h: what the engine of a simulated machine says of its run, beside the values. */
#pragma once
#include "sim/timeline.h"

/* What a row tells: how well the machine is predicted, or only how well constants could be fitted.
 */
typedef enum ik_published_kind {
  IK_PREDICTED,
  IK_CALIBRATED, /* fitted to this figure, or it follows from one that was by arithmetic alone */
  IK_PROVED,     /* nothing that was published: a proof of our own */
} ik_published_kind;

/* A figure that was published, and what the simulation gives for it. */
typedef struct ik_published_row {
  const char *table, *row, *unit; /* "Table III of arXiv 2204.03775", "nz = 400", "us" */
  double      published, simulated;
  double bar; /* a change of the simulation that takes them further apart is a mistake; 0: none */
  const char       *note; /* what the paper contradicts, what was calibrated; NULL: nothing */
  ik_published_kind kind;
} ik_published_row;

typedef struct ik_simulated {
  const char *machine;   /* its title */
  double      clock;     /* Hz */
  const char *part;      /* which part of it ran cycle by cycle; NULL: not known yet */
  double      seconds;   /* of the steps, rounds and statements done so far, by its clock; grows */
  double      joules;    /* the same; 0: not known */
  const char *origin;    /* a line each: which figure was simulated, where, which follows from it */
  const char *constants; /* a line each: what was calibrated or assumed, value and source */
  const char *validation; /* a line each: how far published figures are from the simulation's */
  /* Cycles, words, operations, stalls: names and totals, n of them. */
  struct ik_simulated_count {
    const char *name;
    double      value;
  } * count;
  int                ncount;
  const ik_timeline *timeline; /* of the part that was simulated by cycles; NULL: none was kept */
} ik_simulated;
