#include "build.h"

static ik_linear linear(ik_frozen frozen, void *ctx) {
  ik_subject  s;
  ik_patterns p;
  ik_linear   l;
  ik_subject_of(built, &arena, &s);
  ik_pattern_of(built, &s, &arena, &p);
  ik_linear_of(built, &s, &p, frozen, ctx, &arena, &l);
  return l;
}

/* The linear form of u' = value with one updated field u and another field v. */
static ik_linear with(const ik_expr *(*make)(int u, int v), ik_frozen frozen, void *ctx) {
  program(1, 32, 1, 1);
  int u = field("u", IK_F64, 1), v = field("v", IK_F64, 1);
  steps(1);
  assign(u, 1, make(u, v));
  return linear(frozen, ctx);
}

static double of(void *ctx, const ik_expr *leaf) {
  (void)leaf;
  return *(double *)ctx;
}

CASE(heat_has_constant_weights) {
  heat(1, 0.25);
  ik_linear l = linear(NULL, NULL);
  CHECK(l.linear && l.constant && l.homogeneous && !l.breaker);
  const ik_coefs *c = &l.form[0].reads;
  CHECK_EQ(c->n, 3);
  for (int i = 0; i < 3; i++) {
    CHECK_EQ(c->c[i].at.off[0], i - 1);
    CHECK_NEAR(c->c[i].weight, i == 1 ? 0.5 : 0.25, 0);
  }
  done();
}

/* -(u - 3*u[1]) / 2 + cast(u): every operation that keeps a form linear. */
static const ik_expr *all_operations(int u, int v) {
  (void)v;
  ik_expr *d = sub(at(u, 0, 0, 0), times(3, at(u, 1, 0, 0)));
  ik_expr *half = node(IK_OP_DIV, node(IK_OP_NEG, d, NULL, NULL), number(2), NULL);
  return add(half, node(IK_OP_CAST, at(u, 0, 0, 0), NULL, NULL));
}

CASE(operations_that_stay_linear) {
  ik_linear l = with(all_operations, NULL, NULL);
  CHECK(l.linear && l.constant && l.homogeneous);
  CHECK_EQ(l.form[0].reads.n, 2);
  CHECK_NEAR(l.form[0].reads.c[0].weight, 0.5, 0);
  CHECK_NEAR(l.form[0].reads.c[1].weight, 1.5, 0);
  done();
}

static const ik_expr *advect(int u, int v) {
  return sub(at(u, 0, 0, 0), mul(at(v, 0, 0, 0), sub(at(u, 0, 0, 0), at(u, -1, 0, 0))));
}

CASE(frozen_coefficients) {
  double    speed = 0.75;
  ik_linear l = with(advect, NULL, NULL);
  CHECK(l.linear && !l.constant && l.homogeneous);
  CHECK(isnan(l.form[0].reads.c[0].weight));
  done();
  l = with(advect, of, &speed);
  CHECK(l.linear && !l.constant);
  CHECK_NEAR(l.form[0].reads.c[0].weight, 0.75, 0); /* u[-1] */
  CHECK_NEAR(l.form[0].reads.c[1].weight, 0.25, 0);
  done();
}

static const ik_expr *square(int u, int v) { return (void)v, mul(at(u, 0, 0, 0), at(u, 1, 0, 0)); }
static const ik_expr *inverse(int u, int v) {
  return node(IK_OP_DIV, at(v, 0, 0, 0), at(u, 0, 0, 0), NULL);
}
static const ik_expr *largest(int u, int v) {
  return node(IK_OP_MAX, at(u, 0, 0, 0), at(v, 0, 0, 0), NULL);
}
static const ik_expr *limited(int u, int v) {
  (void)v;
  const ik_expr *c = node(IK_OP_LT, at(u, 0, 0, 0), number(0), NULL);
  return node(IK_OP_SELECT, c, at(u, 0, 0, 0), at(u, 1, 0, 0));
}
static const ik_expr *product_in_fma(int u, int v) {
  (void)v;
  return node(IK_OP_FMA, at(u, 0, 0, 0), at(u, 0, 0, 0), number(1));
}

CASE(what_is_not_linear) {
  const ik_expr *(*make[])(int, int) = {square, inverse, largest, limited, product_in_fma};
  for (int i = 0; i < 5; i++) {
    ik_linear l = with(make[i], NULL, NULL);
    CHECK(!l.linear && !l.constant && !l.homogeneous);
    CHECK(l.breaker && l.breaker->level == 1);
    done();
  }
}

static const ik_expr *driven(int u, int v) { return add(at(u, 0, 0, 0), at(v, 0, 0, 0)); }
static const ik_expr *plus_zero(int u, int v) { return (void)v, add(at(u, 0, 0, 0), number(0)); }

CASE(a_source_term) {
  double    two = 2;
  ik_linear l = with(driven, of, &two);
  CHECK(l.linear && l.constant && !l.homogeneous);
  CHECK_NEAR(l.form[0].rest, 2, 0);
  done();
  l = with(plus_zero, NULL, NULL);
  CHECK(l.homogeneous);
  done();
}

/* if x < 10 then u else 3*u[1]: the branch is a coefficient that depends on the cell. */
static const ik_expr *by_region(int u, int v) {
  (void)v;
  const ik_expr *c = node(IK_OP_LT, leaf(IK_OP_COORD, 0), number(10), NULL);
  return node(IK_OP_SELECT, c, at(u, 0, 0, 0), times(3, at(u, 1, 0, 0)));
}

CASE(a_choice_by_coordinates) {
  double    inside = 5, outside = 12;
  ik_linear l = with(by_region, of, &inside);
  CHECK(l.linear && !l.constant);
  CHECK_NEAR(l.form[0].reads.c[0].weight, 1, 0);
  CHECK_NEAR(l.form[0].reads.c[1].weight, 0, 0);
  done();
  l = with(by_region, of, &outside);
  CHECK_NEAR(l.form[0].reads.c[1].weight, 3, 0);
  done();
  l = with(by_region, NULL, NULL);
  CHECK(isnan(l.form[0].reads.c[0].weight));
  done();
}

/* k = 2*v as a temporary is a coefficient; d = u[1] - u is read through. */
CASE(through_temporaries) {
  double half = 0.5;
  program(1, 32, 1, 1);
  int u = field("u", IK_F64, 1), v = field("v", IK_F64, 1), k = temp("k", IK_F64),
      d = temp("d", IK_F64);
  steps(1);
  assign(k, 0, times(2, at(v, 0, 0, 0)));
  assign(d, 0, sub(at(u, 1, 0, 0), at(u, 0, 0, 0)));
  assign(u, 1, add(at(u, 0, 0, 0), mul(at(k, 0, 0, 0), sub(at(d, 0, 0, 0), at(d, -1, 0, 0)))));
  ik_subject s;
  ik_subject_of(built, &arena, &s);
  ik_linear l = linear(of, &half);
  CHECK(l.linear && !l.constant && l.homogeneous);
  CHECK(!l.form[0].depends);
  const ik_coefs *c = ik_linear_after(built, &s, &l, &arena)[u];
  CHECK_EQ(c->n, 3);
  CHECK_NEAR(c->c[0].weight, 1, 0);
  CHECK_NEAR(c->c[1].weight, -1, 0);
  CHECK_NEAR(c->c[2].weight, 1, 0);
  done();
}

/* k = 3, as a temporary: what it multiplies has the same weight everywhere. */
CASE(a_number_with_a_name_is_constant) {
  program(1, 32, 1, 1);
  int u = field("u", IK_F64, 1), k = temp("k", IK_F64);
  steps(1);
  assign(k, 0, number(3));
  assign(u, 1, mul(at(k, 0, 0, 0), at(u, 1, 0, 0)));
  ik_linear l = linear(NULL, NULL);
  CHECK(l.linear && l.constant && l.homogeneous);
  CHECK_NEAR(l.form[1].reads.c[0].weight, 3, 0);
  done();
}

/* Conjugate gradients: a scalar that depends on what is updated is no coefficient, even where it is
 * read before it is computed. */
CASE(scalars_that_depend) {
  program(1, 32, 1, 1);
  int      x = field("x", IK_F64, 1), r = field("r", IK_F64, 1), beta = scalar("beta");
  ik_stmt *loop = open_body(IK_REPEAT, 5);
  assign(x, 0, add(at(x, 0, 0, 0), mul(leaf(IK_OP_SCALAR, beta), at(r, 0, 0, 0))));
  CHECK(linear(NULL, NULL).linear); /* beta is some number */
  reduce(beta, mul(at(x, 0, 0, 0), at(x, 0, 0, 0)));
  CHECK(!linear(NULL, NULL).linear);
  CHECK(linear(NULL, NULL).breaker == loop->body);
  done();
}

/* Rounding of coefficients follows the types: 0.1 in f32 squared. */
CASE(coefficients_are_rounded_to_their_type) {
  program(1, 32, 1, 1);
  int u = field("u", IK_F32, 1), v = field("v", IK_F32, 1);
  steps(1);
  double c = (double)0.1f;
  assign(u, 1, mul(mul(at(v, 0, 0, 0), at(v, 0, 0, 0)), at(u, 0, 0, 0)));
  ik_linear l = linear(of, &c);
  CHECK_NEAR(l.form[0].reads.c[0].weight, (double)(0.1f * 0.1f), 0);
  done();
}

/* out = in[1] - k*in: nothing updated is read, so `in` is what it is linear in; not so its square.
 */
CASE(a_map_of_another_field) {
  program(1, 32, 1, 1);
  int       in = field("in", IK_F64, 1), out = field("out", IK_F64, 1);
  ik_stmt  *s = assign(out, 0, sub(at(in, 1, 0, 0), times(3, at(in, 0, 0, 0))));
  ik_linear l = linear(NULL, NULL);
  CHECK(l.linear && l.constant && l.homogeneous);
  CHECK_EQ(l.input, in);
  CHECK_EQ(l.form[0].reads.n, 2);
  CHECK_NEAR(l.form[0].reads.c[0].weight, -3, 0);
  s->value = mul(at(in, 0, 0, 0), at(in, 0, 0, 0));
  CHECK(!linear(NULL, NULL).linear);
  s->value = add(at(in, 0, 0, 0), at(out, 0, 0, 0));
  CHECK_EQ(linear(NULL, NULL).input, -1);
  done();
}
