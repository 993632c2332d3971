/* Every area that "Analytical Cost Metrics" (paper 003) prints, appendix C. */
#include "model/area.h"
#include "check.h"
#include <limits.h>

static const ik_area_design gtx980 = {16, 128, 2, 96, 48, 2048};
static const ik_area_design titan_x = {24, 128, 2, 96, 48, 3072};

static ik_area_design cacheless(ik_area_design d) {
  d.l1_kb = d.l2_kb = 0;
  return d;
}

static double total(ik_area_design d, ik_area_reading r) { return ik_area_of(&d, r).total; }

static double sum(ik_area_parts a) {
  return a.vector_units + a.registers + a.shared + a.l1 + a.l2 + a.overhead;
}

CASE(gtx980_parts) {
  ik_area_parts a = ik_area_of(&gtx980, IK_AREA_PER_SM);
  CHECK_NEAR(a.l2, 98.251, 5e-4);
  CHECK_NEAR(a.l1 / 8, 7.781, 5e-4);
  CHECK_NEAR(a.shared / 16, 1.595, 5e-4);
  CHECK_NEAR(a.overhead, 102.65, 5e-4);
  CHECK_NEAR(a.total, 397.990, 5e-4);
  CHECK_NEAR(sum(a), a.total, 1e-12 * a.total);
}

CASE(without_caches) {
  CHECK_NEAR(total(cacheless(gtx980), IK_AREA_PER_SM), 237.489, 5e-4);
  CHECK_NEAR(total(cacheless(titan_x), IK_AREA_PER_SM), 356.234, 5e-4);
  /* without an L2 its fixed cost cannot tell the readings apart */
  CHECK_NEAR(total(cacheless(titan_x), IK_AREA_LITERAL), 356.234, 5e-4);
}

CASE(three_readings_of_titan_x) {
  CHECK_NEAR(total(titan_x, IK_AREA_PER_SM), 596.984, 5e-4);
  CHECK_NEAR(total(titan_x, IK_AREA_ROUNDED), 592.018, 5e-4);
  CHECK_NEAR(total(titan_x, IK_AREA_LITERAL), 579.309, 5e-4);
}

/* (C.7) cuts its coefficients, so it is below the exact ones, cache or not. */
CASE(rounded_is_a_little_less) {
  CHECK(total(gtx980, IK_AREA_ROUNDED) < total(gtx980, IK_AREA_PER_SM));
  CHECK(total(gtx980, IK_AREA_ROUNDED) > 0.98 * total(gtx980, IK_AREA_PER_SM));
  ik_area_design d = cacheless(gtx980);
  CHECK(total(d, IK_AREA_ROUNDED) < total(d, IK_AREA_PER_SM));
  CHECK(total(d, IK_AREA_ROUNDED) > 0.98 * total(d, IK_AREA_PER_SM));
}

/* Table C.2: Jacobi2D, Heat2D, Gradient2D, Laplacian2D, Heat3D, Laplacian3D. */
CASE(best_designs) {
  static const struct {
    int    sms, units;
    double shared, area, units_share, registers_too, shared_share;
  } t[] = {
      {32, 128, 24, 438.921, 40.0, 49.8, 3.4},   {22, 256, 12, 447.936, 53.8, 67.1, 1.4},
      {28, 160, 24, 431.881, 44.4, 55.4, 3.0},   {28, 160, 12, 426.623, 45.0, 56.1, 1.8},
      {18, 288, 192, 447.944, 49.6, 61.8, 12.4}, {8, 896, 96, 446.693, 68.7, 85.7, 2.9},
  };
  for (size_t i = 0; i < sizeof t / sizeof *t; i++) {
    ik_area_design d = {t[i].sms, t[i].units, 2, t[i].shared, 0, 0};
    ik_area_parts  a = ik_area_of(&d, IK_AREA_PER_SM);
    CHECK_NEAR(a.total, t[i].area, 5e-4);
    CHECK_NEAR(100 * a.vector_units / a.total, t[i].units_share, 0.05);
    CHECK_NEAR(100 * (a.vector_units + a.registers) / a.total, t[i].registers_too, 0.05);
    CHECK_NEAR(100 * a.shared / a.total, t[i].shared_share, 0.05);
  }
}

CASE(odd_input) {
  for (ik_area_reading r = IK_AREA_PER_SM; r <= IK_AREA_LITERAL; r++) {
    CHECK(total((ik_area_design){0}, r) == 0);
    ik_area_design huge = {INT_MAX, INT_MAX, 2, 96, 48, 2048};
    CHECK(isfinite(total(huge, r)) && total(huge, r) > 1e15);
    CHECK(total((ik_area_design){-16, 128, 2, 96, 0, 0}, r) < 0);
    CHECK(isnan(total((ik_area_design){16, 128, NAN, 96, 48, 2048}, r)));
  }
}
