#include "facts/sampling.h"
#include "build.h"

/* u' = 2u - u[t-1] + k (u[-1] - 2u + u[1]) along x: v = sqrt(k) h/dt. */
static bool sampled(double k, double h, double dt, double f, ik_sampling *s) {
  program(1, 64, 1, 1);
  built->spacing[0] = h, built->dt = dt;
  ik_coef c[] = {
      {{.off = {-1}}, k}, {{.off = {0}}, 2 - 2 * k}, {{.off = {1}}, k}, {{.level = -1}, -1}};
  ik_coefs after = {4, c};
  bool     known = ik_sampling_of(built, &after, f, s);
  done();
  return known;
}

CASE(points_of_a_wavelength) {
  ik_sampling s; /* 0.5 h/dt = 2500 m/s; 25 Hz: 100 m, 10 cells */
  CHECK(sampled(0.25, 10, 2e-3, 25, &s));
  CHECK_NEAR(s.speed, 2500, 1e-9);
  CHECK_NEAR(s.wavelength, 100, 1e-9);
  CHECK_NEAR(s.points, 10, 1e-12);
  CHECK_EQ(s.order, 2);
  CHECK_EQ(s.enough, 10);
}

CASE(half_the_spacing_is_twice_the_points) {
  ik_sampling s;
  CHECK(sampled(1, 5, 2e-3, 25, &s)); /* the same speed */
  CHECK_NEAR(s.points, 20, 1e-12);
}

CASE(what_does_not_move_has_no_wavelength) {
  ik_sampling s;
  CHECK(!sampled(0, 10, 2e-3, 25, &s));
  CHECK(!sampled(-1, 10, 2e-3, 25, &s));
  CHECK(!sampled(NAN, 10, 2e-3, 25, &s));
}

CASE(what_does_not_swing_has_no_wavelength) {
  ik_sampling s;
  CHECK(!sampled(0.25, 10, 2e-3, 0, &s));
  CHECK(!sampled(INFINITY, 10, 2e-3, 25, &s));
}

CASE(the_worst_axis_counts) {
  ik_sampling s;
  program(2, 64, 64, 1);
  built->spacing[0] = 5, built->spacing[1] = 10, built->dt = 1;
  ik_coef c[] = {
      {{.off = {1}}, 4}, {{.off = {-1}}, 4}, {{.off = {0, 1}}, 1}, {{.off = {0, -1}}, 1}};
  ik_coefs after = {4, c};
  CHECK(ik_sampling_of(built, &after, 1, &s));
  CHECK_EQ(s.axis, 1);
  CHECK_NEAR(s.points, 1, 1e-12);
  done();
}

CASE(higher_orders_need_less) {
  static const double want[] = {10, 5.5, 4.5, 4, 4};
  for (int r = 1; r <= 5; r++) {
    ik_sampling s;
    program(1, 64, 1, 1);
    built->dt = 1;
    ik_coef  c[] = {{{.off = {r}}, 1}, {{.off = {-r}}, 1}};
    ik_coefs after = {2, c};
    CHECK(ik_sampling_of(built, &after, 1, &s));
    CHECK_EQ(s.enough, want[r - 1]);
    done();
  }
}
