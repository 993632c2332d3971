/* Data movement of one and two products: the examples of "Analytical Cost Metrics" (paper 003),
 * appendix D. */
#include "model/product.h"
#include "check.h"

static const double M = 65536;

static double closed(double p0, double p1, double p2, ik_product_keep keep) {
  return ik_product_of(&(ik_product_size){p0, p1, p2}, M, keep, IK_PRODUCT_CLOSED).words;
}

CASE(closed_forms) {
  CHECK(closed(1024, 1024, 1024, IK_PRODUCT_KEEP_R) == 9437184);
  CHECK_NEAR(closed(1024, 1024, 1024, IK_PRODUCT_KEEP_A1), 11863283.203, 5e-4);
  CHECK_NEAR(closed(1024, 1024, 1024, IK_PRODUCT_KEEP_A2), 11863283.203, 5e-4);
  CHECK(closed(10000, 400, 10000, IK_PRODUCT_KEEP_R) == 412500000);
  CHECK_NEAR(closed(10000, 400, 10000, IK_PRODUCT_KEEP_A1), 345941738.24, 5e-3);
  CHECK_NEAR(closed(10000, 400, 10000, IK_PRODUCT_KEEP_A2), 345941738.24, 5e-3);
  CHECK(closed(936, 368, 544, IK_PRODUCT_KEEP_R) == 1973088);
  CHECK_NEAR(closed(936, 368, 544, IK_PRODUCT_KEEP_A1), 1905536.891, 5e-4);
  CHECK_NEAR(closed(936, 368, 544, IK_PRODUCT_KEEP_A2), 1761280.891, 5e-4);
}

/* Figure D.3, and Table D.2 with the sides of the last row put right. */
CASE(tiles_of_closed_forms) {
  ik_product_size s = {60, 700, 50};
  ik_product_move r = ik_product_of(&s, 64, IK_PRODUCT_KEEP_R, IK_PRODUCT_CLOSED);
  ik_product_move a1 = ik_product_of(&s, 64, IK_PRODUCT_KEEP_A1, IK_PRODUCT_CLOSED);
  ik_product_move a2 = ik_product_of(&s, 64, IK_PRODUCT_KEEP_A2, IK_PRODUCT_CLOSED);
  CHECK(r.x == 8 && r.y == 8 && r.z == 0);
  CHECK_NEAR(a1.x, sqrt(32), 1e-12);
  CHECK_NEAR(a1.z, sqrt(128), 1e-12);
  CHECK(a1.y == 0 && a2.x == 0);
  CHECK_NEAR(a2.y, sqrt(32), 1e-12);
  CHECK_NEAR(a2.z, sqrt(128), 1e-12);
}

/* "Always keep R" (D.5) fails exactly where p1 is small beside the others. */
CASE(keeping_r_is_not_always_best) {
  double root = sqrt(M), gap = 2 * sqrt(2) - 2;
  for (double p1 = 300; p1 < 3000; p1 += 50)
    for (double p0 = 300; p0 < 3000; p0 += 300)
      for (double p2 = 300; p2 < 3000; p2 += 300) {
        double r = closed(p0, p1, p2, IK_PRODUCT_KEEP_R);
        CHECK_EQ(closed(p0, p1, p2, IK_PRODUCT_KEEP_A1) < r, p1 * (1 + gap * p2 / root) < 2 * p2);
        CHECK_EQ(closed(p0, p1, p2, IK_PRODUCT_KEEP_A2) < r, p1 * (1 + gap * p0 / root) < 2 * p0);
      }
  ik_product_size s = {936, 368, 544};
  CHECK_EQ(ik_product_best(&s, M, IK_PRODUCT_CLOSED), IK_PRODUCT_KEEP_A2);
  CHECK_EQ(ik_product_best(&s, M, IK_PRODUCT_WHOLE), IK_PRODUCT_KEEP_R);
}

CASE(clamped_is_the_closed_form_inside) {
  ik_product_size s = {1024, 1024, 1024};
  for (ik_product_keep k = IK_PRODUCT_KEEP_R; k <= IK_PRODUCT_KEEP_A2; k++) {
    double inside = closed(1024, 1024, 1024, k);
    CHECK_NEAR(ik_product_of(&s, M, k, IK_PRODUCT_CLAMPED).words, inside, 1e-12 * inside);
  }
}

/* Where everything fits, each matrix is moved once. */
CASE(clamped_where_all_fits) {
  ik_product_size s = {10, 20, 30};
  for (ik_product_keep k = IK_PRODUCT_KEEP_R; k <= IK_PRODUCT_KEEP_A2; k++) {
    CHECK_NEAR(ik_product_of(&s, M, k, IK_PRODUCT_CLAMPED).words, 200 + 600 + 300, 1e-9);
    CHECK(ik_product_of(&s, M, k, IK_PRODUCT_WHOLE).words == 200 + 600 + 300);
  }
  CHECK(closed(10, 20, 30, IK_PRODUCT_KEEP_R) <
        1100); /* what the closed form may not be used for */
}

/* The clamped minimum of a function that falls along both sides, against a grid. */
CASE(clamped_is_a_minimum) {
  ik_product_size s = {100, 900, 4000};
  ik_product_move best = ik_product_of(&s, M, IK_PRODUCT_KEEP_R, IK_PRODUCT_CLAMPED);
  CHECK(best.x == 100 && best.y == M / 100);
  for (double x = 1; x <= 100; x++) {
    double y = fmin(4000, M / x);
    CHECK(100. * 900 * 4000 * (1 / x + 1 / y) + 100. * 4000 >= best.words * (1 - 1e-12));
  }
}

static double brute(const ik_product_size *s, double m, ik_product_keep keep) {
  double best = INFINITY, a1 = s->p0 * s->p1, a2 = s->p1 * s->p2, r = s->p0 * s->p2;
  for (double u = 1; u <= m; u++)
    for (double v = 1; u * v <= m; v++) {
      double words = keep == IK_PRODUCT_KEEP_R ? ceil(s->p2 / v) * a1 + ceil(s->p0 / u) * a2 + r
                     : keep == IK_PRODUCT_KEEP_A1
                         ? a1 + ceil(s->p0 / u) * a2 + (2 * ceil(s->p1 / v) - 1) * r
                         : a2 + ceil(s->p2 / u) * a1 + (2 * ceil(s->p1 / v) - 1) * r;
      best = fmin(best, words);
    }
  return best;
}

CASE(whole_tiles_are_the_best_there_are) {
  ik_product_size t[] = {{17, 9, 23}, {1, 1, 1}, {64, 5, 3}, {30, 31, 32}, {7, 100, 2}};
  double          m[] = {1, 2, 7, 64, 100, 1000};
  for (size_t i = 0; i < sizeof t / sizeof *t; i++)
    for (size_t k = 0; k < sizeof m / sizeof *m; k++)
      for (ik_product_keep keep = IK_PRODUCT_KEEP_R; keep <= IK_PRODUCT_KEEP_A2; keep++)
        CHECK_EQ(ik_product_of(&t[i], m[k], keep, IK_PRODUCT_WHOLE).words,
                 brute(&t[i], m[k], keep));
}

CASE(whole_tiles_of_the_root_product) {
  ik_product_size s = {936, 368, 544};
  ik_product_move r = ik_product_of(&s, M, IK_PRODUCT_KEEP_R, IK_PRODUCT_WHOLE);
  CHECK_EQ(r.words, 1998848);
  CHECK(ceil(936 / r.x) == 4 && ceil(544 / r.y) == 2 && r.x * r.y <= M);
  CHECK_EQ(ik_product_of(&s, M, IK_PRODUCT_KEEP_A1, IK_PRODUCT_WHOLE).words, 2054784);
  CHECK_EQ(ik_product_of(&s, M, IK_PRODUCT_KEEP_A2, IK_PRODUCT_WHOLE).words, 2087168);
}

static const double left4[] = {368, 1016, 616, 544}, right4[] = {936, 1008, 552, 368};

CASE(fused_left) {
  ik_product_fused f = ik_product_fuse(left4, M, IK_PRODUCT_LEFT, IK_PRODUCT_CORRECTED);
  CHECK_NEAR(f.ratio, 0.535433, 5e-7);
  CHECK_NEAR(f.skew, 1.348718, 5e-7);
  CHECK_NEAR(f.x, 220.434, 5e-4);
  CHECK_NEAR(f.y, 297.304, 5e-4);
  CHECK_NEAR(f.words, 3008320.4447, 5e-5);
  CHECK_NEAR(ik_product_fused_words(left4, f.x, f.y, IK_PRODUCT_LEFT), f.words, 1e-6);
  CHECK(ik_product_fuse(left4, M, IK_PRODUCT_LEFT, IK_PRODUCT_PRINTED).words == f.words);
}

CASE(fused_right_as_printed) {
  ik_product_fused f = ik_product_fuse(right4, M, IK_PRODUCT_RIGHT, IK_PRODUCT_PRINTED);
  CHECK_NEAR(f.ratio, 0.928571, 5e-7);
  CHECK_NEAR(f.skew, 1.481481, 5e-7);
  CHECK_NEAR(f.x, 311.593, 5e-4);
  CHECK_NEAR(f.y, 210.325, 5e-4);
  CHECK_NEAR(f.words, 3410650.22, 5e-3);
  CHECK_NEAR(ik_product_fused_words(right4, f.x, f.y, IK_PRODUCT_RIGHT), 5165599.30, 5e-3);
}

CASE(fused_right_corrected) {
  ik_product_fused f = ik_product_fuse(right4, M, IK_PRODUCT_RIGHT, IK_PRODUCT_CORRECTED);
  CHECK_NEAR(f.ratio, 1.695652, 5e-7);
  CHECK_NEAR(f.skew, 1.629032, 5e-7);
  CHECK_NEAR(f.x, 326.742, 5e-4);
  CHECK_NEAR(f.y, 200.574, 5e-4);
  CHECK_NEAR(f.words, 5159396.49, 5e-3);
  CHECK_NEAR(ik_product_fused_words(right4, f.x, f.y, IK_PRODUCT_RIGHT), f.words, 1e-6);
  double best = INFINITY;
  for (int x = 1; x <= M; x++)
    best = fmin(best, ik_product_fused_words(right4, x, floor(M / x), IK_PRODUCT_RIGHT));
  CHECK_NEAR(best, 5159829.73, 5e-3);
  CHECK_NEAR(ik_product_fused_words(right4, 326, 201, IK_PRODUCT_RIGHT), best, 1e-9);
}

/* Transposing everything makes a right fusion a left one; only the corrected ratio agrees. */
CASE(transposition) {
  double           turned[] = {right4[3], right4[2], right4[1], right4[0]};
  ik_product_fused l = ik_product_fuse(turned, M, IK_PRODUCT_LEFT, IK_PRODUCT_CORRECTED);
  ik_product_fused r = ik_product_fuse(right4, M, IK_PRODUCT_RIGHT, IK_PRODUCT_CORRECTED);
  CHECK_NEAR(l.words, r.words, 1e-9 * r.words);
  CHECK_NEAR(l.x, r.y, 1e-9);
  CHECK_NEAR(l.y, r.x, 1e-9);
}

CASE(fusion_does_not_always_pay) {
  double           p[] = {1024, 1024, 1024, 1024};
  ik_product_fused f = ik_product_fuse(p, M, IK_PRODUCT_LEFT, IK_PRODUCT_CORRECTED);
  CHECK(2 * closed(1024, 1024, 1024, IK_PRODUCT_KEEP_R) == 18874368);
  CHECK_NEAR(f.words, 19499233.25, 5e-3);
}

CASE(more_memory_never_moves_more) {
  ik_product_size s = {936, 368, 544};
  for (ik_product_count c = IK_PRODUCT_CLAMPED; c <= IK_PRODUCT_WHOLE; c++)
    for (ik_product_keep k = IK_PRODUCT_KEEP_R; k <= IK_PRODUCT_KEEP_A2; k++)
      for (double m = 1; m < 1e7; m *= 1.5)
        CHECK(ik_product_of(&s, 1.5 * m, k, c).words <= ik_product_of(&s, m, k, c).words);
}

CASE(odd_input) {
  double bad[] = {0, -4, NAN, INFINITY, 0.5};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    for (ik_product_count c = IK_PRODUCT_CLAMPED; c <= IK_PRODUCT_WHOLE; c++) {
      ik_product_size s = {bad[i], 10, 10}, fine = {10, 10, 10};
      double          p[] = {10, 10, bad[i], 10};
      CHECK(isnan(ik_product_of(&s, M, IK_PRODUCT_KEEP_R, c).words));
      CHECK(isnan(ik_product_of(&fine, bad[i], IK_PRODUCT_KEEP_A2, c).words));
      CHECK(isnan(ik_product_fuse(p, M, IK_PRODUCT_RIGHT, IK_PRODUCT_CORRECTED).words));
    }
  ik_product_size huge = {1e15, 1e15, 1e15};
  CHECK(isfinite(ik_product_of(&huge, M, IK_PRODUCT_KEEP_R, IK_PRODUCT_WHOLE).words));
  ik_product_size one = {1, 1, 1};
  CHECK(ik_product_of(&one, 1, IK_PRODUCT_KEEP_R, IK_PRODUCT_WHOLE).words == 3);
}
