#include "model/energy.h"
#include "base/mem.h"
#include "model/lad.h"
#include <math.h>

ik_energy_params ik_energy_model_a(void) {
  return (ik_energy_params){48, 2.2e-9, 2.23e-10, 5.3e-11, 3.7e-11, 7.2e-11, 4.8e-11};
}

ik_energy_params ik_energy_model_b(void) {
  return (ik_energy_params){53, 3.17e-9, 1.84e-10, 5.02e-11, 3.51e-11, 0, 0};
}

const char *ik_energy_param_name(int i) {
  static const char *const name[IK_ENERGY_PARAMS] = {"P_stat", "e_gs",   "e_sr",  "e_fadd",
                                                     "e_fmul", "e_iadd", "e_imax"};
  return i >= 0 && i < IK_ENERGY_PARAMS ? name[i] : "";
}

/* Counts of one tile, and how many tiles there are. */
typedef struct counts {
  double tiles, volume;
  double io, sr;                 /* words */
  double fadd, fmul, iadd, imax; /* operations of an iteration */
} counts;

static counts count_sw(const ik_energy_case *c) {
  double v = c->ts1 * c->tt;
  return (counts){
      .tiles = c->s1 * c->t / v,
      .volume = v,
      .io = 4.25 * (c->ts1 + c->tt),
      .sr = v + 5 * c->tt * c->ts1 / c->sub,
      .iadd = 5,
      .imax = 5,
  };
}

/* The source says "multiply-adds" for the iteration; the kernel has two additions and a multiply.
 */
static counts count_j1d(const ik_energy_case *c) {
  double v = c->ts1 * c->tt;
  return (counts){
      .tiles = c->s1 * c->t / v,
      .volume = v,
      .io = 2 * (2 * c->tt + c->ts1),
      .sr = 4 * (2 * c->ts1 + 4 * c->tt * c->ts1 / c->sub),
      .fadd = 2,
      .fmul = 1,
  };
}

/* (B.3) to (B.6); mu_sr = 6 words between shared memory and registers in each iteration. */
static counts count_j2d(const ik_energy_case *c) {
  double widest = c->ts1 + c->tt - 2;
  double v = c->ts2 * c->tt * (c->ts1 + widest) / 2;
  return (counts){
      .tiles = 2 * c->t * c->s1 * (c->s2 + c->tt) / (c->tt * c->ts2 * (c->ts1 + widest)),
      .volume = v,
      .io = 2 * c->ts2 * (c->ts1 + 2 * c->tt),
      .sr = 6 * v,
      .fadd = 4,
      .fmul = 1,
  };
}

static counts count(const ik_energy_case *c) {
  switch (c->kernel) {
  case IK_ENERGY_SW: return count_sw(c);
  case IK_ENERGY_J1D: return count_j1d(c);
  case IK_ENERGY_J2D: break;
  }
  return count_j2d(c);
}

ik_energy ik_energy_of(const ik_energy_case *c, const ik_energy_params *p) {
  counts    n = count(c);
  ik_energy e = {.volume = n.volume, .io_words = n.io, .tiles = n.tiles};
  e.iter_j = n.fadd * p->fadd_j + n.fmul * p->fmul_j + n.iadd * p->iadd_j + n.imax * p->imax_j;
  e.tile_j = p->global_j * n.io + p->shared_j * n.sr + e.iter_j * n.volume;
  e.dynamic_j = n.tiles * e.tile_j;
  e.static_j = p->static_w * c->seconds;
  e.total_j = e.static_j + e.dynamic_j;
  return e;
}

void ik_energy_row(const ik_energy_case *c, double row[IK_ENERGY_PARAMS]) {
  counts n = count(c);
  double iterations = n.tiles * n.volume;
  row[0] = c->seconds;
  row[1] = n.tiles * n.io;
  row[2] = n.tiles * n.sr;
  row[3] = n.fadd * iterations;
  row[4] = n.fmul * iterations;
  row[5] = n.iadd * iterations;
  row[6] = n.imax * iterations;
}

static double relative_error(const ik_energy_case *c, const double *measured_j, int n,
                             const ik_energy_params *p) {
  double sum = 0;
  for (int i = 0; i < n; i++) {
    double d = (ik_energy_of(&c[i], p).total_j - measured_j[i]) / measured_j[i];
    sum += d * d;
  }
  return sqrt(sum / n);
}

ik_status ik_energy_regress(const ik_energy_case *c, const double *measured_j, int n,
                            ik_energy_fit *out) {
  *out = (ik_energy_fit){0};
  if (n < 1) return IK_ERR_SOURCE;
  double *rows = ik_calloc((size_t)n, IK_ENERGY_PARAMS * sizeof *rows);
  if (!rows) return IK_ERR_RESOURCE;
  for (int i = 0; i < n; i++) ik_energy_row(&c[i], rows + (size_t)i * IK_ENERGY_PARAMS);

  ik_lad_problem p = {.a = rows, .b = measured_j, .rows = n, .columns = IK_ENERGY_PARAMS};
  ik_lad_fit     f;
  ik_status      st = ik_lad_solve(&p, &f);
  ik_free(rows);
  if (st) return st;

  const double *x = f.x;
  out->params = (ik_energy_params){x[0], x[1], x[2], x[3], x[4], x[5], x[6]};
  out->deviation_j = f.deviation;
  out->rmse = relative_error(c, measured_j, n, &out->params);
  out->converged = f.converged;
  for (int j = 0; j < IK_ENERGY_PARAMS; j++) out->group[j] = f.group[j];
  return IK_OK;
}
