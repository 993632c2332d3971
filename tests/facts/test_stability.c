#include "build.h"
#include "facts/angles.h"

static ik_stability stability(void) { return facts().stability; }

/* The largest parameter in (lo, hi) for which `make` gives a stable step. */
static double limit(int (*make)(double), double lo, double hi) {
  for (int i = 0; i < 30; i++) {
    double middle = (lo + hi) / 2;
    make(middle);
    ik_stability s = stability();
    CHECK(s.known);
    if (s.stable)
      lo = middle;
    else
      hi = middle;
    done();
  }
  return lo;
}

static int heat_1d(double k) { return heat(1, k); }
static int heat_2d(double k) { return heat(2, k); }
static int heat_3d(double k) { return heat(3, k); }

CASE(explicit_heat) {
  CHECK_NEAR(limit(heat_1d, 0.1, 2), 0.5, 1e-8);
  CHECK_NEAR(limit(heat_2d, 0.1, 2), 0.25, 1e-8);
  CHECK_NEAR(limit(heat_3d, 0.1, 2), 1.0 / 6, 1e-8);
}

CASE(growth_is_where_and_how_much) {
  heat(2, 0.3); /* 1 - 8 * 0.3 at (pi, pi) */
  ik_stability s = stability();
  CHECK(s.known && !s.stable);
  CHECK_NEAR(s.max_g, 1.4, 1e-12);
  CHECK_NEAR(fabs(s.theta[0]), 3.14159265358979, 1e-12);
  CHECK_NEAR(fabs(s.theta[1]), 3.14159265358979, 1e-12);
  CHECK_NEAR(s.steady_g, 1, 1e-15);
  done();
}

/* The sums overflow, and only the constant wave has a growth: that must not pass for stable. */
CASE(weights_beyond_all_measure) {
  heat(1, 1e300);
  ik_stability s = stability();
  CHECK(!s.known && !s.stable);
  CHECK(s.why != NULL);
  done();
}

static int upwind(double c) {
  program(1, 64, 1, 1);
  int u = field("u", IK_F64, 1);
  steps(1);
  assign(u, 1, sub(at(u, 0, 0, 0), times(c, sub(at(u, 0, 0, 0), at(u, -1, 0, 0)))));
  return u;
}

CASE(upwind_advection) { CHECK_NEAR(limit(upwind, 0.2, 3), 1, 1e-8); }

/* Central differences with one forward step never are stable: |G|^2 = 1 + c^2 sin^2 theta. */
CASE(central_advection) {
  program(1, 64, 1, 1);
  int u = field("u", IK_F64, 1);
  steps(1);
  assign(u, 1, sub(at(u, 0, 0, 0), times(0.05, sub(at(u, 1, 0, 0), at(u, -1, 0, 0)))));
  ik_stability s = stability();
  CHECK(!s.stable);
  CHECK_NEAR(s.max_g, sqrt(1.01), 1e-12);
  CHECK_NEAR(fabs(s.theta[0]), 1.57079632679490, 1e-6);
  done();
}

/* Two stages, the second reads the new value of the first: Yee's scheme in 1D, limit 1. */
static int maxwell(double c) {
  program(1, 64, 1, 1);
  int e = field("e", IK_F64, 1), h = field("h", IK_F64, 1);
  steps(1);
  assign(h, 1, add(at(h, 0, 0, 0), times(c, sub(at(e, 1, 0, 0), at(e, 0, 0, 0)))));
  ik_expr *curl = sub(at_level(h, 1, 0, 0, 0), at_level(h, 1, -1, 0, 0));
  assign(e, 1, add(at(e, 0, 0, 0), times(c, curl)));
  return e;
}

CASE(staggered_maxwell) {
  CHECK_NEAR(limit(maxwell, 0.3, 3), 1, 1e-8);
  maxwell(1); /* exactly at its limit */
  CHECK(stability().stable);
  done();
}

/* With old values of h in the second stage it is the forward scheme, which never is stable. */
CASE(the_order_of_stages_matters) {
  program(1, 64, 1, 1);
  int e = field("e", IK_F64, 1), h = field("h", IK_F64, 1);
  steps(1);
  assign(h, 1, add(at(h, 0, 0, 0), times(0.3, sub(at(e, 1, 0, 0), at(e, 0, 0, 0)))));
  assign(e, 1, add(at(e, 0, 0, 0), times(0.3, sub(at(h, 0, 0, 0), at(h, -1, 0, 0)))));
  ik_stability s = stability();
  CHECK_NEAR(s.max_g, sqrt(1 + 0.36), 1e-9);
  CHECK(!s.stable);
  done();
}

static int wave_by_courant(double c) { return wave(c * c); }

/* The number of the wafer-scale paper's scheme: 2 / sqrt(3 * (205/72 + 2*(8/5+1/5+8/315+1/560))).
 */
CASE(wave_of_order_8) {
  double want = 2 / sqrt(3 * (205.0 / 72 + 2 * (8.0 / 5 + 1.0 / 5 + 8.0 / 315 + 1.0 / 560)));
  CHECK_NEAR(want, 0.452855523, 1e-9);
  CHECK_NEAR(limit(wave_by_courant, 0.1, 1), want, 1e-8);
}

CASE(wave_by_its_factor) {
  double   factor;
  int      u = wave(0.01);
  ik_facts f = facts();
  CHECK(f.stability.stable);
  CHECK_NEAR(sqrt(0.01 * f.cfl), 0.452855523, 1e-9);
  CHECK(ik_cfl_of(3, u, ik_linear_after(built, &f.subject, &f.linear, &arena)[u], &factor));
  CHECK_NEAR(factor, f.cfl, 0);
  done();
  u = wave(-0.01); /* the wrong sign: never stable */
  f = facts();
  CHECK(!f.stability.stable);
  CHECK_NEAR(f.cfl, 0, 0);
  done();
  heat(2, 0.1); /* no wave */
  CHECK(isnan(facts().cfl));
  done();
}

/* Weights in f32 do not quite add up to 2; that is no fault of the time step. */
CASE(rounding_of_weights_is_no_growth) {
  wave(0.1);
  ik_expr *e = (ik_expr *)built->body->body->value;
  for (; e->op == IK_OP_FMA; e = (ik_expr *)e->arg[2]) {
    ik_expr *w = (ik_expr *)e->arg[0];
    w->value = (double)(float)w->value;
    w->type = e->type = IK_F32;
  }
  ik_stability s = stability();
  CHECK(s.stable);
  CHECK(s.tolerance > 1e-4 && s.tolerance < 2e-3);
  done();
}

/* A defective matrix on the unit circle grows like the number of steps, not exponentially. */
CASE(defective_is_not_unstable) {
  program(1, 64, 1, 1);
  int a = field("a", IK_F64, 1), b = field("b", IK_F64, 1);
  steps(1);
  assign(a, 1, add(at(a, 0, 0, 0), at(b, 0, 0, 0)));
  assign(b, 1, at(b, 0, 0, 0));
  ik_stability s = stability();
  CHECK(s.stable);
  CHECK_NEAR(s.max_g, 1, 1e-10);
  done();
}

CASE(a_nilpotent_step_dies_out) {
  program(1, 64, 1, 1);
  int a = field("a", IK_F64, 1), b = field("b", IK_F64, 1);
  steps(1);
  assign(a, 1, at(b, 0, 0, 0));
  assign(b, 1, times(0, at(a, 0, 0, 0)));
  CHECK_NEAR(stability().max_g, 0, 0);
  done();
}

CASE(growth_of_a_constant_state) {
  program(1, 64, 1, 1);
  int u = field("u", IK_F64, 1);
  steps(1);
  assign(u, 1, times(1.01, at(u, 0, 0, 0)));
  ik_stability s = stability();
  CHECK(!s.stable);
  CHECK_NEAR(s.steady_g, 1.01, 1e-15);
  done();
}

/* u' = u + a v, v' = v + b u (or u', if `fresh`). */
static int pair(double a, double b, bool fresh) {
  program(1, 64, 1, 1);
  int u = field("u", IK_F64, 1), v = field("v", IK_F64, 1);
  steps(1);
  assign(u, 1, add(at(u, 0, 0, 0), times(a, at(v, 0, 0, 0))));
  assign(v, 1, add(at(v, 0, 0, 0), times(b, at_level(u, fresh, 0, 0, 0))));
  return u;
}

/* Neither field grows by itself: what they do to each other is nobody's equation. */
CASE(growth_by_coupling_is_not_steady) {
  pair(0.3, 0.3, false);
  CHECK_NEAR(stability().max_g, 1.3, 1e-12);
  CHECK_NEAR(stability().steady_g, 1, 1e-15);
  done();
  pair(-0.83, 0.83, false); /* it turns */
  CHECK_NEAR(stability().max_g, sqrt(1 + 0.83 * 0.83), 1e-12);
  CHECK_NEAR(stability().steady_g, 1, 1e-15);
  done();
  pair(-0.83, 0.83, true);
  CHECK(stability().stable);
  done();
}

/* A field of several levels has eigenvalues of its own: here a pair that turns, 0.5 +- 1.3i. */
CASE(growth_that_swings_is_not_steady) {
  program(1, 64, 1, 1);
  int u = field("u", IK_F64, 2);
  steps(1);
  assign(u, 1, sub(at(u, 0, 0, 0), times(1.94, at_level(u, -1, 0, 0, 0))));
  CHECK_NEAR(stability().max_g, sqrt(1.94), 1e-12);
  CHECK_NEAR(stability().steady_g, 0, 0);
  done();
  program(1, 64, 1, 1);
  u = field("u", IK_F64, 1);
  steps(1);
  assign(u, 1, times(-1.5, at(u, 0, 0, 0)));
  CHECK_NEAR(stability().max_g, 1.5, 1e-15);
  CHECK_NEAR(stability().steady_g, 0, 0);
  done();
}

/* The second field is looked at by itself as well, and its own growth is found. */
CASE(steady_growth_of_the_second_field) {
  program(1, 64, 1, 1);
  int u = field("u", IK_F64, 2), v = field("v", IK_F64, 1);
  steps(1);
  assign(u, 1, times(0.5, at_level(u, -1, 0, 0, 0)));
  assign(v, 1, times(1.02, at(v, 0, 0, 0)));
  CHECK_NEAR(stability().steady_g, 1.02, 1e-14);
  done();
}

static ik_stability if_it_were(ik_what_if other) {
  ik_facts     f = facts();
  ik_stability s;
  ik_stability_with(built, &f.subject, &f.linear, &other, &arena, &s);
  return s;
}

CASE(what_if_less_were_added) {
  heat(1, 1);
  CHECK_NEAR(if_it_were((ik_what_if){.share = 1}).max_g, 3, 1e-12);
  CHECK_NEAR(if_it_were((ik_what_if){.share = 0.6}).max_g, 1.4, 1e-12);
  CHECK(if_it_were((ik_what_if){.share = 0.5}).stable);
  done();
  pair(-0.6, 0.8, false);
  CHECK_NEAR(if_it_were((ik_what_if){.share = 0.5}).max_g, sqrt(1 + 0.12), 1e-12);
  CHECK(if_it_were((ik_what_if){.share = 1, .fresh = true}).stable);
  CHECK(!if_it_were((ik_what_if){.share = 0.5, .fresh = true}).known);
  done();
  pair(0.6, 0.8, true);
  CHECK(!if_it_were((ik_what_if){.share = 0.5}).known);
  done();
  wave(0.1);
  CHECK(!if_it_were((ik_what_if){.share = 0.5}).known);
  done();
}

static double nine_tenths(void *ctx, const ik_expr *leaf) {
  (void)ctx;
  return leaf->op == IK_OP_READ ? 0.9 : NAN;
}

/* A velocity field: not known until the caller freezes it; known if the program gives it one value.
 */
CASE(frozen_velocity) {
  program(1, 64, 1, 1);
  int u = field("u", IK_F64, 1), v = field("v", IK_F64, 1);
  steps(1);
  assign(u, 1, sub(at(u, 0, 0, 0), mul(at(v, 0, 0, 0), sub(at(u, 0, 0, 0), at(u, -1, 0, 0)))));
  ik_facts f = facts();
  CHECK(!f.stability.known);
  CHECK(strstr(f.stability.why, "coefficient"));
  ik_linear    l;
  ik_stability s;
  ik_linear_of(built, &f.subject, &f.pattern, nine_tenths, NULL, &arena, &l);
  ik_stability_of(built, &f.subject, &l, &arena, &s);
  CHECK(s.known && s.stable);
  into = &built->init;
  assign(v, 0, number(1.5));
  CHECK(stability().known && !stability().stable);
  assign(v, 0, number(0.5)); /* two values: not known again */
  CHECK(!stability().known);
  done();
}

/* Hidden fields are those of absorbing layers: zero in the middle. */
CASE(hidden_fields_are_left_out) {
  program(1, 64, 1, 1);
  int u = field("u", IK_F64, 1), p = add_field("p", IK_FIELD_HIDDEN, IK_F64, 1);
  int profile = add_field("eta", IK_FIELD_HIDDEN, IK_F64, 1);
  steps(1);
  ik_expr *damped = mul(sub(number(1), at(profile, 0, 0, 0)), at(u, 0, 0, 0));
  assign(u, 1, add(damped, at(p, 0, 0, 0)));
  narrow(assign(p, 1, mul(leaf(IK_OP_COORD, 0), at(u, 0, 0, 0))), 0, 0, 8);
  ik_stability s = stability();
  CHECK(s.known && s.stable);
  CHECK_NEAR(s.max_g, 1, 1e-15);
  done();
}

/* The layer at the face doubles; the middle is what is asked about. */
CASE(layers_at_faces_are_left_out) {
  program(1, 64, 1, 1);
  int u = field("u", IK_F64, 1);
  steps(1);
  narrow(assign(u, 1, times(0.5, at(u, 0, 0, 0))), 0, 8, 64);
  narrow(assign(u, 1, times(2, at(u, 0, 0, 0))), 0, 0, 8);
  ik_stability s = stability();
  CHECK(s.known && s.stable);
  CHECK_NEAR(s.max_g, 0.5, 1e-15);
  done();
}

/* Outside its layer a hidden field is zero, wherever its statement stands. */
CASE(hidden_fields_of_the_middle_are_left_out) {
  program(1, 64, 1, 1);
  int u = field("u", IK_F64, 1), p = add_field("p", IK_FIELD_HIDDEN, IK_F64, 1);
  steps(1);
  assign(p, 1, times(3, at(u, 0, 0, 0)));
  assign(u, 1, add(times(0.5, at(u, 0, 0, 0)), at_level(p, 1, 0, 0, 0)));
  CHECK_NEAR(stability().max_g, 0.5, 1e-15);
  done();
}

CASE(an_assignment_in_place_is_an_update_too) {
  program(1, 64, 1, 1);
  int u = field("u", IK_F64, 1);
  steps(1);
  assign(u, 0, times(0.5, at(u, 0, 0, 0)));
  assign(u, 0, times(0.5, at(u, 0, 0, 0)));
  CHECK_NEAR(stability().max_g, 0.25, 1e-15);
  done();
}

CASE(why_it_is_not_known) {
  program(1, 64, 1, 1);
  int u = field("u", IK_F64, 1);
  assign(u, 0, at(u, 0, 0, 0));
  CHECK(strstr(stability().why, "loop"));
  into = &built->body;
  steps(1);
  ik_stmt *s = assign(u, 1, mul(at(u, 0, 0, 0), at(u, 0, 0, 0)));
  CHECK(strstr(stability().why, "linear"));
  s->value = at(u, IK_ANGLES_RADIUS + 1, 0, 0);
  CHECK(strstr(stability().why, "radius"));
  s->value = at(u, -IK_ANGLES_RADIUS - 1, 0, 0);
  CHECK(strstr(stability().why, "radius"));
  s->value = at(u, IK_ANGLES_RADIUS, 0, 0); /* the widest */
  CHECK(stability().known && stability().stable);
  done();
}
