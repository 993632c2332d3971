/* matrix.h: when a stencil gains from a matrix unit.
 *
 * Source: "Do We Need Tensor Cores for Stencil Computations?" (paper 000); numbers in brackets are
 * its equations.  A general-purpose unit fuses t steps in time and keeps what lies between on the
 * chip. A matrix unit makes t steps as one wider stencil, which repeats work (alpha), and
 * multiplies matrices of which only a share S is not zero.
 *
 * Odd input (zero, negative, NaN where something above zero is meant) gives zeros, scenario 0 and
 * no sweet spot.
 */
#pragma once
#include <stdbool.h>

struct ik_arena;
struct ik_points; /* facts/points.h */

/* ---- K(t): points of a pattern that is fused t times ---- */

/* Box: (2rt + 1)^d.  Star: sum over k of C(d,k) C(t,k) (2r)^k, as a point x is reached iff the
 * steps that its coordinates need, ceil(|x_i| / r) each, are t at most.  1 <= d <= 3; 0 for
 * d, r or t that are not positive. */
double ik_matrix_points_box(int d, int r, int t);
double ik_matrix_points_star(int d, int r, int t);

/* The patterns themselves. */
struct ik_points *ik_matrix_box(int d, int r, struct ik_arena *a);
struct ik_points *ik_matrix_star(int d, int r, struct ik_arena *a);
/* A pattern of one field and level convolved with itself: t steps in one.  NULL for t < 1, or if
 * that would take more than some seconds. */
struct ik_points *ik_matrix_fuse(const struct ik_points *pattern, int t, struct ik_arena *a);

/* ---- S: how full the matrices are ---- */

typedef enum ik_matrix_scheme {
  IK_MATRIX_FLATTEN, /* all points along the reduction; two half-filled matrices (ConvStencil) */
  IK_MATRIX_BAND,    /* each row of the pattern a banded matrix (TCStencil, LoRAStencil, SPIDER) */
} ik_matrix_scheme;

/* Flattening a row of w points gives w + 1 outputs from two triangular matrices, half of which are
 * zeros.  The paper prints S = 1/2.  An instruction of a fixed shape pads both sides of them;
 * counted so, its measured operations (Table 2: 208.00 and 928.00) come out exactly. */
typedef enum ik_matrix_reading {
  IK_MATRIX_PADDED,  /* operands are filled up to whole instructions */
  IK_MATRIX_PRINTED, /* 1/2 for flattening, whatever the shape; bands are padded all the same */
} ik_matrix_reading;

typedef struct ik_matrix_tile { /* of one instruction; its third side has as many columns as one has
                                 */
  int m;                        /* outputs side by side */
  int k;                        /* length of the reduction */
} ik_matrix_tile;

typedef struct ik_matrix_instruction { /* of a machine that has the figure peak.UNIT */
  const char    *unit;                 /* "f64.matrix", "tf32.sparse" */
  const char    *type;                 /* of the values: "f64", "f32", "f16" */
  double         value;                /* bytes of one */
  ik_matrix_tile tile;
  bool           sparse; /* skips zeros, two in four */
  double         error;  /* relative, of one product; sums are in another order */
} ik_matrix_instruction;

/* Shapes as the published codes use them; a NULL unit at the end. */
extern const ik_matrix_instruction ik_matrix_instructions[];

/* Of the pattern that is multiplied, after fusing.  0 < S <= 1; 0 for a tile or pattern without
 * size. */
double ik_matrix_sparsity(const struct ik_points *fused, ik_matrix_scheme scheme,
                          ik_matrix_tile tile, ik_matrix_reading reading);
/* The same for a box and a star that are fused t times, without counting points.  The bands of a
 * box are (2rt + 1) / (m + 2rt padded to k): 7/16 for rt = 3, m = 8 and 15/32 for rt = 7, m = 16.
 */
double ik_matrix_sparsity_box(int d, int r, int t, ik_matrix_scheme scheme, ik_matrix_tile tile,
                              ik_matrix_reading reading);
double ik_matrix_sparsity_star(int d, int r, int t, ik_matrix_scheme scheme, ik_matrix_tile tile,
                               ik_matrix_reading reading);
/* A sparse unit wants two zeros in every four: fuller bands get zeros added. */
double ik_matrix_sparsity_24(double sparsity);

/* ---- work ---- */

typedef struct ik_matrix_stencil {
  double points; /* K, of one step */
  double fused;  /* K(t) */
  double steps;  /* t */
  double value;  /* D: bytes of one value */
} ik_matrix_stencil;

typedef struct ik_matrix_work { /* for one output point */
  double useful;                /* operations of t steps: 2 t K */
  double operations;            /* C: operations that are executed */
  double bytes;                 /* M = 2 D: one value read, one written */
  double intensity;             /* I = C / M, FLOP/B */
  double steps;                 /* t */
} ik_matrix_work;

double ik_matrix_alpha(const ik_matrix_stencil *s); /* (9): K(t) / (t K) */
/* General-purpose unit with temporal fusion, (8); matrix unit with kernel fusion, (3) and (11). */
ik_matrix_work ik_matrix_general(const ik_matrix_stencil *s);
ik_matrix_work ik_matrix_unit(const ik_matrix_stencil *s, double sparsity);

typedef struct ik_matrix_rate {
  double ridge;      /* P / B, FLOP/B */
  double attainable; /* FLOP/s, with all that is executed in vain */
  double useful;     /* FLOP/s of the stencil itself, (12) */
  double gstencils;  /* 1e9 updates/s; each of the t steps counts */
  bool   memory;     /* memory-bound; else compute-bound */
} ik_matrix_rate;

ik_matrix_rate ik_matrix_run(const ik_matrix_work *w, double peak, double bandwidth);

/* Least t at which the general-purpose unit is compute-bound, t K / D >= P / B; 0 for odd input. */
double ik_matrix_depth(double points, double value, double peak, double bandwidth);

/* ---- the comparison ---- */

typedef struct ik_matrix_machine {
  double general;   /* FLOP/s of the general-purpose unit */
  double matrix;    /* FLOP/s of the matrix unit, dense or sparse (20) */
  double bandwidth; /* B/s */
} ik_matrix_machine;

typedef struct ik_matrix_verdict {
  ik_matrix_rate general, matrix;
  int            scenario; /* section 4.1.  memory-bound on the general-purpose unit and on the
                            * matrix unit: 1, only on the former: 2, only on the latter: 3, on
                            * neither: 4; 0: odd input */
  double alpha, limit;     /* (19): scenario 4 gains if alpha < limit = S P_matrix / P_general */
  double ratio;            /* (13): useful rate of the matrix unit over the general-purpose one */
  bool   sweet;            /* scenario 3, or 4 with alpha < limit */
} ik_matrix_verdict;

ik_matrix_verdict ik_matrix_compare(const ik_matrix_stencil *s, double sparsity,
                                    const ik_matrix_machine *m);
