#include "build.h"
#include "facts/eigen.h"

static double radius(int n, const double *re, const double *im) {
  ik_cplx m[64];
  for (int i = 0; i < n * n; i++) m[i] = (ik_cplx){re[i], im ? im[i] : 0};
  return ik_eigen_radius(m, n);
}

CASE(one_and_two) {
  CHECK_NEAR(radius(1, (double[]){3}, (double[]){4}), 5, 1e-15);
  CHECK_NEAR(radius(2, (double[]){0, 1, -1, 0}, NULL), 1, 1e-15);
  CHECK_NEAR(radius(2, (double[]){2, -1, 1, 0}, NULL), 1, 0); /* a double one */
  CHECK_NEAR(radius(2, (double[]){0, 1, 0, 0}, NULL), 0, 0);
  CHECK_NEAR(radius(2, (double[]){1, 2, 3, 4}, NULL), (5 + sqrt(33)) / 2, 1e-14);
}

/* Companion matrix of (x - 1)(x - 2)(x + 5). */
CASE(a_companion_matrix) {
  CHECK_NEAR(radius(3, (double[]){-2, 13, -10, 1, 0, 0, 0, 1, 0}, NULL), 5, 1e-12);
}

/* All eigenvalues of a cyclic shift have size 1: shifts must break the symmetry. */
CASE(a_cyclic_shift) {
  double m[64] = {0};
  for (int n = 2; n <= 8; n++) {
    for (int i = 0; i < n * n; i++) m[i] = 0;
    for (int i = 0; i < n; i++) m[i * n + (i + 1) % n] = 1;
    CHECK_NEAR(radius(n, m, NULL), 1, 1e-12);
  }
}

/* T D T^-1 with the eigenvalues on the diagonal of D, T lower triangular with ones: full, complex.
 */
CASE(known_eigenvalues) {
  enum { N = 7 };
  ik_cplx d[N], m[N * N];
  for (int i = 0; i < N; i++) d[i] = (ik_cplx){0.3 * i - 1, 0.1 * i * i - 1};
  /* T sums rows 0..i, its inverse takes differences of columns */
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      ik_cplx a = j <= i ? d[j] : (ik_cplx){0, 0}, b = j + 1 <= i ? d[j + 1] : (ik_cplx){0, 0};
      m[i * N + j] = (ik_cplx){a.re - b.re, a.im - b.im};
    }
  ik_cplx full[N * N]; /* R M R^-1: add row 0 to the last, take column N-1 off column 0 */
  for (int i = 0; i < N * N; i++) full[i] = m[i];
  for (int j = 0; j < N; j++) full[(N - 1) * N + j] = ik_plus(m[(N - 1) * N + j], m[j]);
  for (int i = 0; i < N; i++) {
    full[i * N].re -= full[i * N + N - 1].re;
    full[i * N].im -= full[i * N + N - 1].im;
  }
  double want = sqrt(0.8 * 0.8 + 2.6 * 2.6);
  CHECK_NEAR(ik_eigen_radius(full, N), want, 1e-12);
}

/* Random matrices against |M^k|^(1/k) for a long product of vectors. */
CASE(against_power_iteration) {
  uint32_t seed = 7;
  for (int round = 0; round < 20; round++) {
    int    n = 2 + round % 7;
    double m[64], v[8], log_norm = 0;
    for (int i = 0; i < n * n; i++) {
      seed = seed * 1664525u + 1013904223u;
      m[i] = (double)(seed >> 8) / 16777216.0 + 0.05; /* positive: one greatest, real */
    }
    for (int i = 0; i < n; i++) v[i] = 1;
    for (int k = 0; k < 400; k++) {
      double w[8] = {0}, norm = 0;
      for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) w[i] += m[i * n + j] * v[j];
      for (int i = 0; i < n; i++) norm = fmax(norm, fabs(w[i]));
      for (int i = 0; i < n; i++) v[i] = w[i] / norm;
      log_norm = log(norm);
    }
    CHECK_NEAR(radius(n, m, NULL), exp(log_norm), 1e-10);
  }
}

/* What couples neighbours alone is slow to come apart, if shifts are not those nearest to the end.
 */
CASE(no_chain_goes_round_in_circles) {
  uint32_t seed = 7;
  for (int round = 0; round < 6000; round++) {
    int    n = 3 + round % 6;
    double m[64];
    for (int i = 0; i < n * n; i++) {
      seed = seed * 1664525u + 1013904223u;
      m[i] = abs(i / n - i % n) <= 1 ? (double)(seed >> 8) / 16777216.0 - 0.5 : 0;
    }
    CHECK(isfinite(radius(n, m, NULL)));
  }
}

CASE(what_is_not_finite) {
  CHECK(isnan(radius(2, (double[]){1, NAN, 0, 1}, NULL)));
  CHECK(isnan(radius(2, (double[]){1, INFINITY, 0, 1}, NULL)));
}
