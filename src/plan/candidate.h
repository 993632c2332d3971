/* candidate.h: ways to run a program on a machine that need not be here, with what the models say
 * that each costs, and the order in which an objective likes them.
 *
 * It is what can be said from facts and figures alone.  One with a plan of a target that ikat has
 * (targets/target.h) is what that target runs; others are estimates.
 */
#pragma once
#include "facts/facts.h"
#include "machine/machine.h"
#include "model/hex.h"
#include "model/pipeline.h"
#include "plan/plan.h"

typedef enum ik_objective { IK_LEAST_TIME, IK_LEAST_ENERGY, IK_LEAST_EDP } ik_objective;

/* What predicts a candidate.  Times of different models are not to be compared. */
typedef enum ik_candidate_model {
  IK_MODEL_ROOFLINE, /* units.c */
  IK_MODEL_KERNELS,  /* gpu.c */
  IK_MODEL_HEXAGONS, /* hexagons.c */
  IK_MODEL_PIPELINE, /* the CPU's: model/pipeline.h */
  IK_MODEL_SPATIAL,  /* closed forms of a machine that is simulated: model/spatial.h */
  IK_MODELS,
} ik_candidate_model;

typedef struct ik_candidate {
  const char        *machine; /* name */
  ik_candidate_model model;
  const char        *target;   /* "cpu", "gpu", ... as a target is or will be called */
  const char        *strategy; /* "fuse", "matrix-band", ... */
  const char        *unit;     /* roof of the machine: "f32", "tf32.sparse" */
  int                steps;    /* fused */
  double             alpha;    /* work of fusing over work of the steps; 1: none */
  double         sparsity; /* share of what a matrix unit multiplies that is not zero; 1 without */
  double         flops;    /* executed, per cell and pass (`steps` steps) */
  double         bytes;    /* moved, likewise */
  double         intensity, ridge;
  bool           memory_bound; /* else its unit limits it, ... */
  bool           launch_bound; /* ... unless both wait for launches */
  const char    *bound;        /* the resource, where more is known than these two; or NULL */
  int            scenario;     /* 1..4 of a matrix unit against the general-purpose one; 0: none */
  double         seconds;      /* of the whole program */
  double         gstencils;    /* 1e9 cell updates/s */
  double         joules;       /* NaN: the machine file lacks power.tdp */
  double         use_memory, use_unit; /* share of the time that each is busy */
  double         error; /* relative, of the arithmetic beyond the program's own; 0: same bits */
  const char    *note;  /* what is special about it; "" */
  const ik_plan *plan;  /* of its target; NULL: an estimate alone */
  const ik_pipeline_time *time; /* of a step, and what it is made of; NULL: not known */
  ik_hex_tile             hex;  /* of the strategy "hex" */
} ik_candidate;

typedef struct ik_candidates {
  ik_candidate *at;
  int           n, cap;
} ik_candidates;

/* What follows from the program alone, kept from one machine to the next. */
typedef struct ik_units_memo ik_units_memo;

typedef struct ik_question { /* all borrowed */
  const ik_ir    *ir;
  const ik_facts *facts;
  double          cells, steps; /* of the whole program */
  ik_hex_tile     hex;          /* take this tile; t = 0: the best */
  ik_units_memo  *memo;         /* of questions about the same facts; NULL: none */
} ik_question;

ik_question ik_question_of(const ik_ir *ir, const ik_facts *f);
/* Operations of a cell and step.  A sum of products counts two for each point, as papers do. */
double ik_question_flops(const ik_question *q);
/* Of the field that is updated; without one, of the first. */
ik_type ik_question_type(const ik_question *q);
/* One field that is updated from itself with constant weights, at one level: a matrix. */
bool ik_question_is_matrix(const ik_question *q);
/* For as many questions as live no longer than the arena. */
ik_units_memo *ik_units_memo_new(ik_arena *a);

/* Adds what a machine with the figures memory.bandwidth and peak.* could do: general-purpose units
 * with steps fused in time, matrix units with steps fused into one wider stencil (units.c); and
 * hexagonal tiles on a machine that the time model of these has figures of (hexagons.c).  Nothing
 * where figures are missing. */
void ik_candidates_units(const ik_question *q, const ik_machine *m, ik_arena *a,
                         ik_candidates *out);
void ik_candidates_hexagons(const ik_question *q, const ik_machine *m, ik_arena *a,
                            ik_candidates *out);
/* Adds kernels for a GPU whose figures tell what these lose (gpu.c): better founded than those of
 * units.c, which they replace.  False, and nothing is added, for other machines and programs. */
bool ik_candidates_gpu(const ik_question *q, const ik_machine *m, ik_arena *a, ik_candidates *out);

/* What an objective counts; those that it cannot judge (no energy) come last. */
double ik_candidate_cost(const ik_candidate *c, ik_objective o);
void   ik_candidates_sort(ik_candidates *c, ik_objective o);
