/* energy.h: what a tiled stencil costs in joules on a GPU.
 *
 * Source: "Analytical Cost Metrics: Days of Future Past" (paper 003), appendix B: static power
 * times time, plus for each tile words to and from global memory, words between shared memory and
 * registers, and operations (B.2).  Everything is linear in the parameters, so they can be fitted
 * to measurements.  Odd input: a tile or problem side that is not above 0 makes counts infinite or
 * NaN, as the division says; nothing else happens.
 */
#pragma once
#include "ikat/status.h"
#include <stdbool.h>

typedef struct ik_energy_params {
  double static_w; /* P_stat, W */
  double global_j; /* e_gs, J for a word between global and shared memory */
  double shared_j; /* e_sr, J for a word between shared memory and registers */
  double fadd_j;   /* e_fadd, J for an operation, as are the next */
  double fmul_j;   /* e_fmul */
  double iadd_j;   /* e_iadd */
  double imax_j;   /* e_imax */
} ik_energy_params;

enum { IK_ENERGY_PARAMS = 7 }; /* members of the above, in that order */

/* Table B.2, NVIDIA K20c: from micro-benchmarks, and from a regression. */
ik_energy_params ik_energy_model_a(void);
ik_energy_params ik_energy_model_b(void);

const char *ik_energy_param_name(int i); /* "P_stat", "e_gs", ...: as in Table B.1 */

typedef enum ik_energy_kernel {
  IK_ENERGY_SW,  /* Smith-Waterman over (max, +), rectangular tiles */
  IK_ENERGY_J1D, /* 3-point Jacobi, time skewing */
  IK_ENERGY_J2D, /* 5-point Jacobi, hexagonal-classic tiles */
} ik_energy_kernel;

typedef struct ik_energy_case {
  ik_energy_kernel kernel;
  double           s1, s2;   /* points; SW: the first sequence; s2: J2D alone */
  double           t;        /* steps; SW: the second sequence */
  double           ts1, ts2; /* tile in space, points; ts2: J2D alone */
  double           tt;       /* tile in time, steps */
  double           sub;      /* subtile in space (s_S), points; SW and J1D */
  double           seconds;  /* T_alg: measured, or from any time model */
} ik_energy_case;

typedef struct ik_energy {
  double volume;    /* iterations of a tile */
  double io_words;  /* of a tile, to and from global memory */
  double tiles;     /* need not be whole */
  double iter_j;    /* arithmetic of an iteration */
  double tile_j;    /* of a tile */
  double dynamic_j; /* of all tiles */
  double static_j;  /* power times time */
  double total_j;
} ik_energy;

ik_energy ik_energy_of(const ik_energy_case *c, const ik_energy_params *p);

/* What each parameter is multiplied by: total_j is the sum of row[i] times parameter i. */
void ik_energy_row(const ik_energy_case *c, double row[IK_ENERGY_PARAMS]);

/* Section B.5: parameters that lie nearest to measurements, as sum of absolute deviations; exact
 * (model/lad.h). */
typedef struct ik_energy_fit {
  ik_energy_params params;
  double           deviation_j; /* sum of |modelled - measured| */
  double           rmse;        /* of (modelled - measured) / measured */
  bool             converged;
  int              group[IK_ENERGY_PARAMS]; /* what cannot be told apart, as in ik_lad_fit */
} ik_energy_fit;

/* IK_ERR_SOURCE: n < 1, or an energy or a count of a case that is not finite or below 0;
 * IK_ERR_RESOURCE: out of memory. */
ik_status ik_energy_regress(const ik_energy_case *c, const double *measured_j, int n,
                            ik_energy_fit *out);
