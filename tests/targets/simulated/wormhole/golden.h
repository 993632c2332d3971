/* wormhole_golden.h: what conjugate gradients give on 64 x 16 x 4 cells in the arithmetic of
 * Wormhole's units.  The values were computed once by an independent C program that follows
 * arXiv 2603.23343 and the published notes on the units: one rounding for each operation,
 * flush-to-zero, sums element by element of the tile along z, then over the elements. */
#pragma once
#include "check.h"
#include "base/num.h"
#include "ir/state.h"

typedef struct golden_round {
  int    round;
  double residual, true_residual, alpha, beta;
} golden_round;

typedef struct golden_mode {
  const char  *name, *type; /* of the fields */
  ik_type      sum;
  double       bb, bAb, norm, delta, first, inner; /* q(0,0,0) and q(5,7,2) of q = A(b) */
  uint64_t     hash;                               /* of q */
  golden_round at[6];
} golden_mode;

static const golden_mode golden_modes[] = {
    {"f32 with flush-to-zero",
     "f32",
     IK_F32,
     1386.64709,
     2762.90942,
     37.2377107,
     231.107712,
     4.40322256,
     -4.15330219,
     0x7e16a91c2466445d,
     {{1, 49.1714108, 49.1714064, 3.01127362, 1.74365032},
      {2, 42.4155785, 42.4155809, 2.20871234, 0.744089901},
      {3, 26.0989107, 26.0989095, 1.36052346, 0.378611833},
      {4, 14.6210551, 14.6210554, 1.24684107, 0.31384325},
      {8, 2.66354267, 2.6635431, 1.38161922, 0.363035798},
      {12, 0.482620924, 0.482621454, 1.32364929, 0.354443103}}},
    {"bf16",
     "bf16",
     IK_BF16,
     884,
     2048,
     29.7321375,
     132,
     4.40625,
     -4.15625,
     0xde0b5e4e11b9dd39,
     {{1, 31.0483494, 37.2063953, 2.1875, 1.046875},
      {2, 24.5764115, 31.0608942, 2.109375, 0.84765625},
      {3, 16.5529454, 20.7366966, 1.46875, 0.41015625},
      {4, 10.198039, 12.4033307, 1.265625, 0.34375},
      {8, 2.39791576, 3.29036936, 1.3046875, 0.478515625},
      {12, 0.592927061, 2.39507395, 1.1171875, 0.46875}}},
    {"bf16 with sums in f32",
     "bf16",
     IK_F32,
     1386.96948,
     2761.875,
     37.2420392,
     231.560867,
     4.40625,
     -4.15625,
     0xde0b5e4e11b9dd39,
     {{1, 49.1188818, 49.0897244, 3, 1.7421875},
      {2, 42.3422884, 42.3521301, 2.203125, 0.7421875},
      {3, 26.0727051, 26.1248568, 1.359375, 0.37890625},
      {4, 14.5843468, 14.6809681, 1.2421875, 0.3125},
      {8, 2.65615521, 3.35464748, 1.3828125, 0.365234375},
      {12, 0.483192847, 2.55096395, 1.3203125, 0.353515625}}},
};
enum { GOLDEN_MODES = sizeof golden_modes / sizeof *golden_modes, GOLDEN_ROUNDS = 6 };

/* examples/poisson.ik in the order of the golden program: as written, one sixth as a factor. */
static inline const char *golden_program(const golden_mode *m) {
  static char text[2000];
  snprintf(text, sizeof text,
           "arithmetic plain\n"
           "grid x = 64, y = 16, z = 4\n"
           "field sol, r, p, q, ab : %s\n"
           "field b : %s = noise(7)\n"
           "boundary b, p, sol = 0\n"
           "def A(u) = 6*u - u[0,0,-1] - u[0,0,1] - u[-1,0,0] - u[1,0,0] - u[0,-1,0] - u[0,1,0]\n"
           "ab = A(b)\n"
           "bb = sum(b*b)\n"
           "bab = sum(b*ab)\n"
           "r = b\n"
           "p = r*(1/6)\n"
           "scalar rz = sum(r*(r*(1/6)))\n"
           "repeat until norm(r) <= 0 max 12 {\n"
           "  q = A(p)\n"
           "  alpha = rz/sum(p*q)\n"
           "  sol = sol + alpha*p\n"
           "  r = r - alpha*q\n"
           "  rr = sum(r*r)\n"
           "  rz_new = sum(r*(r*(1/6)))\n"
           "  beta = rz_new/rz\n"
           "  rz = rz_new\n"
           "  p = r*(1/6) + beta*p\n"
           "}\n",
           m->type, m->type);
  return text;
}

static inline double golden_scalar(const ik_state *s, const char *name) {
  for (int i = 0; i < s->ir->nscalar; i++)
    if (strcmp(s->ir->scalar[i].name, name) == 0) return s->scalar[i];
  return NAN;
}

static inline int golden_field(const ik_state *s, const char *name) {
  for (int f = 0; f < s->ir->nfield; f++)
    if (strcmp(s->ir->field[f].name, name) == 0) return f;
  return -1;
}

static inline double golden_cell(const ik_state *s, const char *field, int64_t x, int64_t y,
                                 int64_t z) {
  int64_t at[IK_MAX_DIM] = {x, y, z};
  for (int d = 0; d < IK_MAX_DIM; d++)
    if (at[d] < 0 || at[d] >= s->ir->n[d]) return 0;
  return ik_state_get(s, golden_field(s, field), 0, at);
}

/* The golden values were printed with nine digits. */
static inline void golden_check(const char *mode, const char *what, double got, double want) {
  if (!(fabs(got - want) <= 6e-9 * fabs(want)))
    check_fail(__FILE__, __LINE__, "%s: %s is %.9g, not %.9g", mode, what, got, want);
}

static inline uint64_t golden_hash(const ik_state *s, const char *field) {
  uint64_t h = 1469598103934665603u; /* as the golden program has it; cells as f32, x fastest */
  for (int64_t i = 0; i < 64 * 16 * 4; i++) {
    float         v = (float)golden_cell(s, field, i % 64, i / 64 % 16, i / 64 / 16);
    unsigned char byte[sizeof v];
    memcpy(byte, &v, sizeof v);
    for (size_t k = 0; k < sizeof v; k++) h = (h ^ byte[k]) * 1099511628211u;
  }
  return h;
}

/* Before the first round. */
static inline void golden_check_start(const ik_state *s, const golden_mode *m) {
  golden_check(m->name, "dot(b, b)", golden_scalar(s, "bb"), m->bb);
  golden_check(m->name, "dot(b, Ab)", golden_scalar(s, "bab"), m->bAb);
  golden_check(m->name, "norm(b)", sqrt(golden_scalar(s, "bb")), m->norm);
  golden_check(m->name, "delta", golden_scalar(s, "rz"), m->delta);
  golden_check(m->name, "Ab(0,0,0)", golden_cell(s, "ab", 0, 0, 0), m->first);
  golden_check(m->name, "Ab(5,7,2)", golden_cell(s, "ab", 5, 7, 2), m->inner);
  CHECK(golden_hash(s, "ab") == m->hash);
}

/* |b - A(sol)|, in f64. */
static inline double golden_true_residual(const ik_state *s) {
  double sum = 0;
  for (int64_t i = 0; i < 64 * 16 * 4; i++) {
    int64_t x = i % 64, y = i / 64 % 16, z = i / 64 / 16;
    double  near = 0;
    for (int side = -1; side <= 1; side += 2)
      near += golden_cell(s, "sol", x + side, y, z) + golden_cell(s, "sol", x, y + side, z) +
              golden_cell(s, "sol", x, y, z + side);
    double d = golden_cell(s, "b", x, y, z) - (6 * golden_cell(s, "sol", x, y, z) - near);
    sum += d * d;
  }
  return sqrt(sum);
}

/* After so many rounds.  alpha and beta enter the tiles in their type. */
static inline void golden_check_round(const ik_state *s, const golden_mode *m,
                                      const golden_round *g) {
  double (*enter)(double) = strcmp(m->type, "f32") ? ik_round_bf16 : ik_round_f32;
  golden_check(m->name, "the residual", sqrt(golden_scalar(s, "rr")), g->residual);
  golden_check(m->name, "the true residual", golden_true_residual(s), g->true_residual);
  golden_check(m->name, "alpha", enter(golden_scalar(s, "alpha")), g->alpha);
  golden_check(m->name, "beta", enter(golden_scalar(s, "beta")), g->beta);
}
