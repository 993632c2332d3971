/* units.h: general-purpose against matrix units on any machine, as charts.
 *
 * A machine is drawn by its figures: memory.bandwidth, and peak.f64, peak.f32, peak.f64.matrix,
 * peak.f64.mma.SHAPE, peak.tf32.matrix, peak.tf32.sparse as far as it has them.  What it does not
 * have is not drawn.  Running out of memory shows in the page's `failed`.
 */
#pragma once
#include "machine/machine.h"
#include "model/matrix.h"

typedef struct ik_units_pair { /* a general-purpose unit and a matrix unit for the same values */
  const char       *type;      /* of the values: "f64", "f32" */
  const char       *unit;      /* the matrix unit: "f64.matrix", "tf32.sparse" */
  double            value;     /* bytes of one value */
  ik_matrix_tile    tile;      /* of its instruction */
  bool              sparse;    /* skips zeros, two in four */
  ik_matrix_machine machine;
} ik_units_pair;

enum { IK_UNITS_MAX = 8 };

/* The pairs that a machine has; how many. */
int ik_units_of(const ik_machine *m, ik_units_pair out[IK_UNITS_MAX]);

typedef struct ik_units_point { /* in a chart of roofs */
  const char *group;            /* points of one name have one colour and one place in the legend */
  const char *label;            /* beside the point; may be NULL */
  double      intensity;        /* FLOP/B, of all that is executed */
  double      predicted;        /* FLOP/s: hollow; 0: none */
  double      measured;         /* FLOP/s: filled; 0: none */
} ik_units_point;

void ik_units_roofs(const ik_machine *m, const ik_units_point *p, int n, ik_buf *page);
void ik_units_maps(const ik_machine *m, ik_buf *page);      /* figures 9 and 14 of paper 000 */
void ik_units_intensity(const ik_machine *m, ik_buf *page); /* figures 10 and 15 */

/* All three; the roofs with one pattern at growing depths of fusion. */
void ik_units_charts(const ik_machine *m, ik_buf *page);
