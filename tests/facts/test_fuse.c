#include "build.h"

static ik_fused fused_of(void) { return facts().fused; }

/* Number of lattice points within distance r in the sum norm, 2D. */
static int diamond(int r) { return 2 * r * r + 2 * r + 1; }

CASE(a_star_becomes_a_diamond) {
  heat(2, 0.1);
  ik_fused f = fused_of();
  CHECK_EQ(f.n, IK_FUSE_MAX);
  for (int t = 1; t <= f.n; t++) CHECK_EQ(f.points[t], diamond(t));
  CHECK_NEAR(f.alpha[1], 1, 0);
  CHECK_NEAR(f.alpha[3], 25.0 / 15, 1e-15);
  done();
}

static void box(int ndim, int r) {
  program(ndim, 64, 64, ndim > 2 ? 64 : 1);
  int      u = field("u", IK_F32, 1), rz = ndim > 2 ? r : 0;
  ik_expr *sum = at(u, 0, 0, 0);
  for (int z = -rz; z <= rz; z++)
    for (int y = -r; y <= r; y++)
      for (int x = -r; x <= r; x++) sum = add(sum, at(u, x, y, z));
  steps(4);
  assign(u, 1, sum);
}

/* The paper's values for Box-2D1R: alpha 1.81 at t = 3 and 3.57 at t = 7; for Box-3D1R the formula
 * gives 343/81. */
CASE(boxes_as_published) {
  box(2, 1);
  ik_fused f = fused_of();
  CHECK_EQ(f.points[3], 49);
  CHECK_NEAR(f.alpha[3], 1.81, 0.005);
  CHECK_NEAR(f.alpha[7], 3.57, 0.005);
  done();
  box(3, 1);
  CHECK_NEAR(fused_of().alpha[3], 343.0 / 81, 1e-12);
  done();
}

CASE(a_large_box_as_far_as_is_quick) {
  box(3, 4);
  ik_fused f = fused_of();
  CHECK(f.n >= 6);
  for (int t = 1; t <= f.n; t++) CHECK_EQ(f.points[t], (8 * t + 1) * (8 * t + 1) * (8 * t + 1));
  done();
}

/* u' = u[t-1] + u[1]: after t steps, Fibonacci-like sets of both levels. */
CASE(levels_are_followed) {
  program(1, 32, 1, 1);
  int u = field("u", IK_F64, 2);
  steps(3);
  assign(u, 1, add(at(u, 1, 0, 0), at_level(u, -1, 0, 0, 0)));
  ik_fused f = fused_of();
  CHECK_EQ(f.points[1], 2); /* u[1], old u */
  CHECK_EQ(f.points[2], 3); /* u[2], u; old u[1] */
  CHECK_EQ(f.points[3], 4); /* u[3], u[1]; old u[2], old u */
  done();
}

CASE(not_without_a_step_loop) {
  program(1, 32, 1, 1);
  int u = field("u", IK_F64, 1);
  assign(u, 0, at(u, 1, 0, 0));
  CHECK_EQ(fused_of().n, 0);
  done();
}

static double weight_at(const ik_coefs *c, int level, int x) {
  for (int i = 0; i < c->n; i++)
    if (c->c[i].at.level == level && c->c[i].at.off[0] == x) return c->c[i].weight;
  return 0;
}

/* (1/4, 1/2, 1/4) twice is (1, 4, 6, 4, 1) / 16. */
CASE(weights_convolve) {
  int                 u = heat(1, 0.25);
  ik_facts            f = facts();
  const ik_coefs     *c = ik_fuse_weights(built, &f.subject, &f.linear, u, 2, &arena);
  static const double want[] = {1, 4, 6, 4, 1};
  CHECK_EQ(c->n, 5);
  for (int x = -2; x <= 2; x++) CHECK_NEAR(weight_at(c, 0, x), want[x + 2] / 16, 1e-16);
  c = ik_fuse_weights(built, &f.subject, &f.linear, u, 8, &arena);
  CHECK_EQ(c->n, 17);
  CHECK_NEAR(weight_at(c, 0, 0), 12870.0 / 65536, 1e-15); /* binomial(16, 8) / 2^16 */
  done();
}

/* v = 2u - old: three steps by hand: after 2: 3u - 2 old; after 3: 4u - 3 old. */
CASE(weights_with_history) {
  program(1, 32, 1, 1);
  int u = field("u", IK_F64, 2);
  steps(3);
  assign(u, 1, sub(times(2, at(u, 0, 0, 0)), at_level(u, -1, 0, 0, 0)));
  ik_facts        f = facts();
  const ik_coefs *c = ik_fuse_weights(built, &f.subject, &f.linear, u, 3, &arena);
  CHECK_EQ(c->n, 2);
  CHECK_NEAR(weight_at(c, 0, 0), 4, 0);
  CHECK_NEAR(weight_at(c, -1, 0), -3, 0);
  done();
}

/* Support and weights agree where nothing cancels. */
CASE(support_agrees_with_weights) {
  int      u = heat(2, 0.1);
  ik_facts f = facts();
  for (int t = 1; t <= 4; t++)
    CHECK_EQ(ik_fuse_weights(built, &f.subject, &f.linear, u, t, &arena)->n, f.fused.points[t]);
  done();
}
