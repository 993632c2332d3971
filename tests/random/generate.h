/* generate.h: random programs that are legal and stay finite, as source text.
 *
 * The same seed and options give the same text on every machine, so that two engines can be held
 * against each other by running the same seeds.  Every value that a program computes stays within
 * about [-1, 1] by construction (integers wrap), so results are compared bit by bit.
 */
#pragma once
#include "base/buf.h"
#include <stdint.h>

/* What a program may have; an engine that lacks something is tested without it. */
typedef enum ik_random_feature {
  IK_RANDOM_F16 = 1 << 0,
  IK_RANDOM_BF16 = 1 << 1,
  IK_RANDOM_I32 = 1 << 2,
  IK_RANDOM_MIXED = 1 << 3,      /* fields of several types in one program */
  IK_RANDOM_HISTORY = 1 << 4,    /* u[t-1] */
  IK_RANDOM_PART_AXES = 1 << 5,  /* fields on part of the axes */
  IK_RANDOM_MORE_CELLS = 1 << 6, /* fields on (x+1, ...) */
  IK_RANDOM_BOUNDARIES = 1 << 7, /* all kinds, per face; else the value 0 */
  IK_RANDOM_FAR = 1 << 8,        /* offsets beyond the whole grid */
  IK_RANDOM_TEMPS = 1 << 9,
  IK_RANDOM_STAGES = 1 << 10, /* several statements in a step, u' read by later ones */
  IK_RANDOM_CONDITIONS = 1 << 11,
  IK_RANDOM_ELEMENTARY = 1 << 12, /* exp, sin, tanh ... */
  IK_RANDOM_FUNCTIONS = 1 << 13,  /* def */
  IK_RANDOM_PATTERNS = 1 << 14,   /* weights */
  IK_RANDOM_DERIVATIVES = 1 << 15,
  IK_RANDOM_REGIONS = 1 << 16,
  IK_RANDOM_SWEEPS = 1 << 17,
  IK_RANDOM_REDUCTIONS = 1 << 18, /* and scalars */
  IK_RANDOM_REPEAT = 1 << 19,
  IK_RANDOM_OUTSIDE = 1 << 20, /* statements outside of steps */
  IK_RANDOM_SOURCES = 1 << 21,
  IK_RANDOM_RECEIVERS = 1 << 22,
  IK_RANDOM_ARITHMETIC = 1 << 23, /* plain, and all in one type */
  IK_RANDOM_LAYERS = 1 << 24,     /* absorbing and sponge */
  IK_RANDOM_EVERYTHING = (1 << 25) - 1,
} ik_random_feature;

typedef struct ik_random_options {
  unsigned features;  /* IK_RANDOM_... */
  int      max_dims;  /* 1..3 */
  int      max_cells; /* of the grid */
  int      max_steps; /* of one step statement */
} ik_random_options;

#define IK_RANDOM_DEFAULTS ((ik_random_options){IK_RANDOM_EVERYTHING, 3, 600, 4})

/* Appends the program.  Its receivers write to "r0.npy" and so on, if anyone lets them. */
void ik_random_program(uint64_t seed, const ik_random_options *opt, ik_buf *out);
