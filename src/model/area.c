#include "model/area.h"

/* Coefficients of one reading, in mm2.  A size is in kB. */
typedef struct coefficients {
  double vector_unit;                        /* logic of one */
  double register_kb, register_fixed;        /* of a vector unit */
  double shared_kb, shared_fixed;            /* of an SM */
  double l1_kb, l1_fixed;                    /* of a pair of SMs */
  double l2_kb, l2_fixed_sm, l2_fixed;       /* of the chip; for each SM; once */
  double sm_fixed, sm_fixed_l1, sm_fixed_l2; /* of an SM: always; with an L1; with an L2 */
} coefficients;

/* Table C.1, and alpha_oh of section C.2.2: 102.65 mm2 of the GTX 980's 16 SMs. */
static const coefficients table_c1 = {
    .vector_unit = 0.04282,
    .register_kb = 0.004305,
    .register_fixed = 0.001947,
    .shared_kb = 0.01565,
    .shared_fixed = 0.09281,
    .l1_kb = 0.1604,
    .l1_fixed = 0.08204,
    .l2_kb = 0.04197,
    .l2_fixed_sm = 0.7685,
    .sm_fixed = 6.4156,
};

/* (C.7).  Its 0.0447 is beta_VU + alpha_R, its 7.317 is alpha_oh + alpha_M + alpha_L1 / 2 +
 * alpha_L2; the last two are taken out again for a chip without that cache. */
static const coefficients rounded_c7 = {
    .vector_unit = 0.0447,
    .register_kb = 0.0043,
    .shared_kb = 0.015,
    .l1_kb = 2 * 0.08,
    .l2_kb = 0.041,
    .sm_fixed = 7.317 - 0.08204 / 2 - 0.7685,
    .sm_fixed_l1 = 0.08204 / 2,
    .sm_fixed_l2 = 0.7685,
};

static coefficients coefficients_of(ik_area_reading r) {
  coefficients c = r == IK_AREA_ROUNDED ? rounded_c7 : table_c1;
  if (r == IK_AREA_LITERAL) {
    c.l2_fixed = c.l2_fixed_sm;
    c.l2_fixed_sm = 0;
  }
  return c;
}

ik_area_parts ik_area_of(const ik_area_design *d, ik_area_reading r) {
  coefficients c = coefficients_of(r);
  double       sms = d->sms, units = sms * d->vector_units;
  int          has_l1 = d->l1_kb != 0, has_l2 = d->l2_kb != 0;
  double       sm_fixed = c.sm_fixed + has_l1 * c.sm_fixed_l1 + has_l2 * c.sm_fixed_l2;

  ik_area_parts a = {
      .vector_units = units * c.vector_unit,
      .registers = units * (c.register_kb * d->registers_kb + c.register_fixed),
      .shared = sms * (c.shared_kb * d->shared_kb + c.shared_fixed),
      .l1 = has_l1 ? sms / 2 * (c.l1_kb * d->l1_kb + c.l1_fixed) : 0,
      .l2 = has_l2 ? c.l2_kb * d->l2_kb + sms * c.l2_fixed_sm + c.l2_fixed : 0,
      .overhead = sms * sm_fixed,
  };
  a.total = a.vector_units + a.registers + a.shared + a.l1 + a.l2 + a.overhead;
  return a;
}
