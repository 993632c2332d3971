/* The fit must be the optimum of its linear programme, not something near it. */
#include "model/lad.h"
#include "check.h"
#include "base/mem.h"
#include <stdint.h>

static double uniform(uint64_t *state) { /* 0 .. 1 */
  *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (double)(*state >> 11) * 0x1p-53;
}

static double deviation(const ik_lad_problem *p, const double *x) {
  double sum = 0;
  for (int i = 0; i < p->rows; i++) {
    double d = -p->b[i];
    for (int j = 0; j < p->columns; j++) d += p->a[i * p->columns + j] * x[j];
    sum += fabs(d);
  }
  return sum;
}

/* With one column of ones the optimum is the median. */
CASE(median) {
  double         a[] = {1, 1, 1, 1, 1}, b[] = {9, 2, 100, 4, 7};
  ik_lad_problem p = {a, b, 5, 1};
  ik_lad_fit     f;
  CHECK_EQ(ik_lad_solve(&p, &f), IK_OK);
  CHECK(f.converged);
  CHECK_NEAR(f.x[0], 7, 1e-14);
  CHECK_NEAR(f.deviation, 2 + 5 + 93 + 3, 1e-12);
}

/* Two columns: some pair of rows is met exactly, so trying all pairs is a proof. */
static double best_of_pairs(const ik_lad_problem *p) {
  double zero[2] = {0, 0}, best = deviation(p, zero);
  for (int i = 0; i < p->rows; i++)
    for (int k = 0; k < p->rows; k++) {
      const double *r = p->a + 2 * i, *q = p->a + 2 * k;
      double        det = r[0] * q[1] - r[1] * q[0];
      double        pair[2] = {(p->b[i] * q[1] - p->b[k] * r[1]) / det,
                               (r[0] * p->b[k] - q[0] * p->b[i]) / det};
      double        alone[2][2] = {{p->b[i] / r[0], 0}, {0, p->b[i] / r[1]}};
      const double *x[3] = {pair, alone[0], alone[1]};
      for (int w = 0; w < 3; w++)
        if (x[w][0] >= 0 && x[w][1] >= 0) best = fmin(best, deviation(p, x[w]));
    }
  return best;
}

CASE(optimum_of_two_columns) {
  uint64_t seed = 7;
  for (int round = 0; round < 200; round++) {
    double a[40], b[20];
    for (int i = 0; i < 40; i++) a[i] = uniform(&seed) + 0.01;
    for (int i = 0; i < 20; i++) b[i] = 4 * uniform(&seed) - (round % 2 ? 3 : 0);
    ik_lad_problem p = {a, b, 20, 2};
    ik_lad_fit     f;
    CHECK_EQ(ik_lad_solve(&p, &f), IK_OK);
    CHECK(f.converged && f.x[0] >= 0 && f.x[1] >= 0);
    CHECK_NEAR(f.deviation, best_of_pairs(&p), 1e-10);
  }
}

/* A quarter of the measurements are far off; the others say exactly what x is. */
CASE(outliers_do_not_count) {
  enum { M = 200, N = 5 };
  static double a[M * N], b[M];
  double        x[N] = {3, 0, 1e-6, 70, 0.5};
  uint64_t      seed = 3;
  for (int i = 0; i < M; i++) {
    b[i] = i % 4 ? 0 : 40 * uniform(&seed);
    for (int j = 0; j < N; j++) {
      a[i * N + j] = uniform(&seed) * (j == 2 ? 1e6 : 1);
      b[i] += a[i * N + j] * x[j];
    }
  }
  ik_lad_problem p = {a, b, M, N};
  ik_lad_fit     f;
  CHECK_EQ(ik_lad_solve(&p, &f), IK_OK);
  CHECK(f.converged);
  for (int j = 0; j < N; j++) CHECK_NEAR(f.x[j], x[j], 1e-10 * (x[j] + 1e-6));
  for (int j = 0; j < N; j++) CHECK_EQ(f.group[j], 0);
}

CASE(columns_that_cannot_be_told_apart) {
  /* c1 = 2 c0; c3 = c2 + c4; c5 = 0; c6 is its own */
  enum { M = 30, N = 7 };
  static double a[M * N], b[M];
  uint64_t      seed = 11;
  for (int i = 0; i < M; i++) {
    double *r = a + i * N;
    r[0] = uniform(&seed), r[1] = 2 * r[0];
    r[2] = uniform(&seed), r[4] = uniform(&seed), r[3] = r[2] + r[4];
    r[5] = 0, r[6] = uniform(&seed);
    b[i] = 3 * r[0] + r[3] + 5 * r[6];
  }
  ik_lad_problem p = {a, b, M, N};
  ik_lad_fit     f;
  CHECK_EQ(ik_lad_solve(&p, &f), IK_OK);
  CHECK(f.converged);
  CHECK(f.deviation < 1e-12 * M);
  CHECK(f.group[0] > 0 && f.group[0] == f.group[1]);
  CHECK(f.group[2] > 0 && f.group[2] == f.group[3] && f.group[2] == f.group[4]);
  CHECK(f.group[0] != f.group[2]);
  CHECK_EQ(f.group[5], -1);
  CHECK_EQ(f.group[6], 0);
  CHECK_NEAR(f.x[6], 5, 1e-11);
  CHECK_NEAR(f.x[0] + 2 * f.x[1], 3, 1e-11);
}

CASE(fewer_rows_than_columns) {
  double         a[] = {1, 2, 3}, b[] = {6};
  ik_lad_problem p = {a, b, 1, 3};
  ik_lad_fit     f;
  CHECK_EQ(ik_lad_solve(&p, &f), IK_OK);
  CHECK(f.converged && f.deviation < 1e-12);
  for (int j = 0; j < 3; j++) CHECK(f.group[j] == f.group[0] && f.group[j] > 0);
}

CASE(odd_input) {
  double         a[] = {1, 1}, b[] = {2, 3}, negative[] = {-1, 1}, nan[] = {NAN, 1};
  ik_lad_fit     f;
  ik_lad_problem none = {a, b, 0, 1}, wide = {a, b, 1, IK_LAD_COLUMNS + 1},
                 minus = {negative, b, 2, 1}, not_a = {nan, b, 2, 1}, not_b = {a, nan, 2, 1},
                 zero = {(double[]){0, 0}, b, 2, 1};
  CHECK_EQ(ik_lad_solve(&none, &f), IK_ERR_SOURCE);
  CHECK_EQ(ik_lad_solve(&wide, &f), IK_ERR_SOURCE);
  CHECK_EQ(ik_lad_solve(&minus, &f), IK_ERR_SOURCE);
  CHECK_EQ(ik_lad_solve(&not_a, &f), IK_ERR_SOURCE);
  CHECK_EQ(ik_lad_solve(&not_b, &f), IK_ERR_SOURCE);
  CHECK_EQ(ik_lad_solve(&zero, &f), IK_OK);
  CHECK(f.x[0] == 0 && f.deviation == 5 && f.group[0] == -1);
}

CASE(out_of_memory) {
  double         a[] = {1, 1}, b[] = {2, 3};
  ik_lad_problem p = {a, b, 2, 1};
  ik_lad_fit     f;
  for (int k = 0; k < 3; k++) {
    ik_mem_fail_after(k);
    CHECK_EQ(ik_lad_solve(&p, &f), IK_ERR_RESOURCE);
  }
  ik_mem_fail_after(-1);
}
