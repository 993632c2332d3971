/* area.h: the silicon area of a GPU-like chip, from its counts and memory sizes.
 *
 * Source: "Analytical Cost Metrics: Days of Future Past" (paper 003), appendix C.2; fitted to the
 * Maxwell chips in TSMC 28 nm.  The area is linear in each size, so odd input is harmless: a zero
 * count contributes nothing, a negative or NaN figure gives a negative or NaN area.
 */
#pragma once

typedef struct ik_area_design {
  int    sms;          /* streaming multiprocessors of the chip */
  int    vector_units; /* of an SM */
  double registers_kb; /* of a vector unit */
  double shared_kb;    /* of an SM */
  double l1_kb;        /* of a pair of SMs; 0: none, and its fixed cost is dropped, too */
  double l2_kb;        /* of the chip; 0: none, and its fixed cost is dropped, too */
} ik_area_design;

/* The source charges the fixed cost of the L2 cache once per chip in its formula, but once per SM
 * wherever it gives a number. */
typedef enum ik_area_reading {
  IK_AREA_PER_SM,  /* the coefficients of Table C.1, L2's fixed cost for each SM: as calibrated */
  IK_AREA_ROUNDED, /* the cut coefficients of (C.7), where all fixed costs of an SM are lumped */
  IK_AREA_LITERAL, /* (C.6) as printed: L2's fixed cost once for the chip */
} ik_area_reading;

typedef struct ik_area_parts { /* mm2 */
  double total;
  double vector_units; /* logic without registers */
  double registers, shared, l1, l2;
  double overhead; /* routing, controllers, I/O; under ROUNDED also every fixed cost of an SM */
} ik_area_parts;

ik_area_parts ik_area_of(const ik_area_design *d, ik_area_reading r);
