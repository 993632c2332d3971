/* roofline.h: a machine as roofs: how fast each level moves bytes and each unit does operations.
 *
 * Work that is spread over roofs takes as long as the one that is busy longest; the others have
 * slack.  With one level and one unit that is min(P, B I), equation (5) of "Do We Need Tensor Cores
 * for Stencil Computations?" (paper 000).
 *
 * Odd input: a rate that is not above zero (NaN included) moves nothing, an amount that is not
 * above zero asks for nothing.
 */
#pragma once
#include "machine/machine.h"

enum { IK_ROOFLINE_MAX = 24 };

typedef enum ik_roofline_kind {
  IK_ROOFLINE_LEVEL, /* of the memory; amounts are bytes */
  IK_ROOFLINE_UNIT,  /* amounts are operations */
} ik_roofline_kind;

typedef struct ik_roofline_roof {
  const char      *name; /* "memory", "l2", "f32", "tf32.sparse", ... */
  const char      *key;  /* of the figure */
  ik_roofline_kind kind;
  double           rate; /* B/s or FLOP/s */
} ik_roofline_roof;

typedef struct ik_roofline {
  const ik_machine *machine;
  int               n;
  ik_roofline_roof  roof[IK_ROOFLINE_MAX];
} ik_roofline;

/* All figures NAME.bandwidth that are known in B/s and all peak.NAME in FLOP/s, in the order of the
 * machine; at most IK_ROOFLINE_MAX.  Names are the machine's. */
ik_roofline ik_roofline_of(const ik_machine *m, ik_arena *a);
/* The place of a roof, whose figure counts as looked up; -1 if there is none of that name. */
int ik_roofline_find(const ik_roofline *r, const char *name);

typedef struct ik_roofline_load {
  double seconds;                /* INFINITY if something is asked of a roof that moves nothing */
  int    saturated;              /* the roof that takes longest, the first of equals; -1: no work */
  double use[IK_ROOFLINE_MAX];   /* share of the time that each roof is busy */
  double slack[IK_ROOFLINE_MAX]; /* 1 - use: how much of it could go without harm */
} ik_roofline_load;

/* amount[n]: what the work asks of each roof, in bytes or operations. */
ik_roofline_load ik_roofline_meet(const ik_roofline *r, const double *amount);

/* One level, one unit: FLOP/s at an intensity in FLOP/B; 0 for odd input. */
double ik_roofline_attainable(double peak, double bandwidth, double intensity);
/* FLOP/B from which on the unit limits: P/B.  0 for an odd peak, else INFINITY for an odd
 * bandwidth. */
double ik_roofline_ridge(double peak, double bandwidth);
/* The level limits: the intensity is below the ridge. */
bool ik_roofline_memory_bound(double peak, double bandwidth, double intensity);
