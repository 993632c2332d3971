/* The worked examples of the energy models of "Analytical Cost Metrics" (paper 003), appendix B,
 * and the fit of their parameters. */
#include "model/energy.h"
#include "check.h"
#include <stdint.h>

static const ik_energy_case sw = {IK_ENERGY_SW, 16384, 0, 16384, 128, 0, 128, 8, 0.5};
static const ik_energy_case j1d = {IK_ENERGY_J1D, 1048576, 0, 4096, 256, 0, 64, 8, 0.5};
static const ik_energy_case j2d = {IK_ENERGY_J2D, 4096, 4096, 1024, 8, 64, 16, 0, 1};

#define CHECK_CLOSE(a, b) CHECK_NEAR(a, b, 1e-12 * fabs(b))

static ik_energy with_a(ik_energy_case c) {
  ik_energy_params p = ik_energy_model_a();
  return ik_energy_of(&c, &p);
}

static ik_energy with_b(ik_energy_case c) {
  ik_energy_params p = ik_energy_model_b();
  return ik_energy_of(&c, &p);
}

CASE(smith_waterman) {
  ik_energy a = with_a(sw), b = with_b(sw);
  CHECK(a.volume == 16384 && a.io_words == 1088 && a.tiles == 16384);
  CHECK_CLOSE(a.tile_j, 1.8161152e-5);
  CHECK_CLOSE(a.dynamic_j, 0.297552314368);
  CHECK_CLOSE(a.total_j, 24.297552314368);
  CHECK_CLOSE(b.tile_j, 8.347776e-6);
  CHECK_CLOSE(b.dynamic_j, 0.136769961984);
  CHECK_CLOSE(b.total_j, 26.636769961984);
}

CASE(jacobi_1d) {
  ik_energy a = with_a(j1d), b = with_b(j1d);
  CHECK(a.io_words == 768 && a.tiles == 262144);
  CHECK_CLOSE(a.iter_j, 1.43e-10);
  CHECK_CLOSE(a.tile_j, 1.179648e-5);
  CHECK_CLOSE(a.dynamic_j, 3.09237645312);
  CHECK_CLOSE(a.total_j, 27.09237645312);
  CHECK_CLOSE(b.iter_j, 1.355e-10);
  CHECK_CLOSE(b.tile_j, 1.1060736e-5);
  CHECK_CLOSE(b.total_j, 29.399505577984);
}

CASE(jacobi_2d) {
  ik_energy a = with_a(j2d), b = with_b(j2d);
  CHECK(a.io_words == 5120 && a.volume == 15360);
  CHECK_NEAR(a.tiles, 1122850.1333, 5e-5);
  CHECK_CLOSE(a.iter_j, 2.49e-10);
  CHECK_CLOSE(a.tile_j, 3.564032e-5);
  CHECK_NEAR(a.dynamic_j, 40.018738064, 5e-10);
  CHECK_NEAR(a.total_j, 88.018738064, 5e-10);
  CHECK_CLOSE(b.tile_j, 3.6811264e-5);
  CHECK_NEAR(b.total_j, 94.333532691, 5e-10);
}

/* Tiles of J2D cover the iterations of a skewed prism, none twice. */
CASE(jacobi_2d_conserves_iterations) {
  for (int tt = 2; tt <= 64; tt += 2) {
    ik_energy_case c = j2d;
    c.tt = tt;
    ik_energy e = with_a(c);
    CHECK_CLOSE(e.tiles * e.volume, c.t * c.s1 * (c.s2 + c.tt));
  }
}

CASE(linear_in_the_parameters) {
  const ik_energy_case *all[] = {&sw, &j1d, &j2d};
  ik_energy_params      p = ik_energy_model_a();
  double x[] = {p.static_w, p.global_j, p.shared_j, p.fadd_j, p.fmul_j, p.iadd_j, p.imax_j};
  for (int k = 0; k < 3; k++) {
    double row[IK_ENERGY_PARAMS], sum = 0;
    ik_energy_row(all[k], row);
    for (int j = 0; j < IK_ENERGY_PARAMS; j++) sum += row[j] * x[j];
    CHECK_CLOSE(sum, with_a(*all[k]).total_j);
  }
}

enum { EACH = 60, ALL = 3 * EACH };

static int pick(uint64_t *state, int n) {
  *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (int)((*state >> 33) % (uint64_t)n);
}

/* Synthetic experiments: sizes and tiles at random, times near what such a GPU needs. */
static void experiments(ik_energy_case *c, bool vary_subtile) {
  uint64_t seed = 20;
  for (int i = 0; i < ALL; i++) {
    ik_energy_case e = i % 3 == 0 ? sw : i % 3 == 1 ? j1d : j2d;
    e.s1 *= 1 << pick(&seed, 3), e.t *= 1 << pick(&seed, 2);
    e.ts1 = 32 * (1 + pick(&seed, 8)), e.tt = 16 * (1 + pick(&seed, 8));
    if (e.ts2 > 0) e.ts2 = 32 * (1 + pick(&seed, 4));
    if (e.sub > 0 && vary_subtile) e.sub = 4 << pick(&seed, 3);
    e.seconds *= 0.5 + pick(&seed, 1000) / 500.0;
    c[i] = e;
  }
}

static void energies(const ik_energy_case *c, int n, double *j) {
  ik_energy_params p = ik_energy_model_a();
  for (int i = 0; i < n; i++) j[i] = ik_energy_of(&c[i], &p).total_j;
}

CASE(regression_recovers_model_a) {
  static ik_energy_case c[ALL];
  static double         j[ALL];
  ik_energy_params      a = ik_energy_model_a();
  ik_energy_fit         f;
  experiments(c, true);
  energies(c, ALL, j);
  CHECK_EQ(ik_energy_regress(c, j, ALL, &f), IK_OK);
  CHECK(f.converged);
  CHECK(f.rmse < 1e-12);
  CHECK_NEAR(f.params.static_w, a.static_w, 1e-8 * a.static_w);
  CHECK_NEAR(f.params.global_j, a.global_j, 1e-8 * a.global_j);
  CHECK_NEAR(f.params.shared_j, a.shared_j, 1e-8 * a.shared_j);
  CHECK_NEAR(f.params.fadd_j, a.fadd_j, 1e-8 * a.fadd_j);
  CHECK_NEAR(f.params.fmul_j, a.fmul_j, 1e-8 * a.fmul_j);
  /* every iteration of SW has as many additions as maxima: only their sum can be known */
  CHECK_NEAR(f.params.iadd_j + f.params.imax_j, a.iadd_j + a.imax_j, 1e-8 * a.iadd_j);
  for (int k = 0; k < 5; k++) CHECK_EQ(f.group[k], 0);
  CHECK(f.group[5] > 0 && f.group[5] == f.group[6]);
}

/* One experiment in ten measured wrongly changes nothing: why absolute deviations are used. */
CASE(regression_forgets_outliers) {
  static ik_energy_case c[ALL];
  static double         j[ALL];
  ik_energy_fit         f;
  experiments(c, true);
  energies(c, ALL, j);
  for (int i = 0; i < ALL; i += 10) j[i] *= 1.5;
  CHECK_EQ(ik_energy_regress(c, j, ALL, &f), IK_OK);
  CHECK_NEAR(f.params.static_w, 48, 48e-8);
  CHECK_NEAR(f.params.global_j, 2.2e-9, 2.2e-17);
}

/* SW alone, with one size of subtile, as in the source: e_sr cannot be told from the additions
 * either, which is why Model B has zeros there. */
CASE(regression_of_smith_waterman_alone) {
  static ik_energy_case all[ALL], c[EACH];
  double                j[EACH];
  ik_energy_fit         f;
  experiments(all, false);
  for (int i = 0; i < EACH; i++) c[i] = all[3 * i];
  energies(c, EACH, j);
  CHECK_EQ(ik_energy_regress(c, j, EACH, &f), IK_OK);
  CHECK(f.converged && f.rmse < 1e-12);
  CHECK(f.group[2] > 0 && f.group[2] == f.group[5] && f.group[2] == f.group[6]);
  CHECK(f.group[0] == 0 && f.group[1] == 0);
  CHECK(f.group[3] == -1 && f.group[4] == -1);
}

/* J1D alone has two additions for each multiply, always. */
CASE(regression_of_jacobi_1d_alone) {
  static ik_energy_case all[ALL], c[EACH];
  double                j[EACH];
  ik_energy_fit         f;
  experiments(all, true);
  for (int i = 0; i < EACH; i++) c[i] = all[3 * i + 1];
  energies(c, EACH, j);
  CHECK_EQ(ik_energy_regress(c, j, EACH, &f), IK_OK);
  CHECK(f.group[3] > 0 && f.group[3] == f.group[4]);
  CHECK(f.group[5] == -1 && f.group[6] == -1);
  CHECK_NEAR(2 * f.params.fadd_j + f.params.fmul_j, 1.43e-10, 1e-18);
}

CASE(odd_input) {
  ik_energy_fit  f;
  ik_energy_case zero = sw;
  double         j = 1;
  zero.ts1 = 0;
  CHECK(!isfinite(with_a(zero).total_j));
  CHECK_EQ(ik_energy_regress(&sw, &j, 0, &f), IK_ERR_SOURCE);
  CHECK_EQ(ik_energy_regress(&zero, &j, 1, &f), IK_ERR_SOURCE);
  j = NAN;
  CHECK_EQ(ik_energy_regress(&sw, &j, 1, &f), IK_ERR_SOURCE);
  CHECK_STR(ik_energy_param_name(0), "P_stat");
  CHECK_STR(ik_energy_param_name(7), "");
}
