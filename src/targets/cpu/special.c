#include "targets/cpu/special.h"
#include "base/mem.h"
#include "targets/cpu/matrix.h"
#include "targets/cpu/spectral.h"
#include <math.h>

/* ---- spectral ---- */

static int64_t bytes_spectral(const ik_ir *ir, const ik_stmt *steps, int threads, int terms) {
  (void)terms;
  return ik_spectral_bytes(ir, steps, threads);
}

static ik_status create_spectral(ik_state *s, const ik_stmt *steps, ik_team *team, int terms,
                                 ik_diag *d, void **out) {
  (void)terms;
  return ik_spectral_create(s, steps, team, d, (ik_spectral **)out);
}

static ik_status advance_spectral(void *x, int64_t n, ik_diag *d) {
  return ik_spectral_advance(x, n, d);
}

static void destroy_spectral(void **x) { ik_spectral_destroy((ik_spectral **)x); }

static void find_narrow(const ik_stmt *s, const ik_ir *ir, bool *narrow) {
  for (; s; s = s->next)
    if (s->kind == IK_ASSIGN && ir->field[s->field].type != IK_F64) *narrow = true;
}

/* The interpreter rounds in every step, the transform once: what is between them grows with n. */
static double bound_spectral(const ik_ir *ir, const ik_stmt *steps, int terms, int64_t n) {
  bool narrow = false;
  (void)terms;
  find_narrow(steps->body, ir, &narrow);
  return narrow ? 3e-7 * (10 + (double)n) : 1e-15 * (100 + (double)n);
}

const ik_special ik_special_spectral = {.illegal = ik_spectral_illegal,
                                        .bytes = bytes_spectral,
                                        .create = create_spectral,
                                        .advance = advance_spectral,
                                        .bound = bound_spectral,
                                        .destroy = destroy_spectral};

/* ---- matrix-band ---- */

typedef struct matrix {
  ik_matrix    *m;
  ik_team      *team;
  ik_team_part *part; /* of each thread */
} matrix;

static const char *illegal_matrix(const ik_ir *ir, const ik_stmt *steps) {
  if (!ik_matrix_here(NULL)) return "this machine has no matrix unit for bf16 (AMX)";
  return ik_matrix_illegal(ir, steps);
}

static void destroy_matrix(void **x) {
  matrix *m = *x;
  if (m) ik_matrix_destroy(&m->m), ik_free(m->part);
  ik_free(m);
  *x = NULL;
}

static ik_status create_matrix(ik_state *s, const ik_stmt *steps, ik_team *team, int terms,
                               ik_diag *d, void **out) {
  int     threads = ik_team_threads(team);
  matrix *m = *out = ik_calloc(1, sizeof *m);
  if (m) m->team = team, m->part = ik_calloc((size_t)threads, sizeof *m->part);
  ik_status st = m && m->part ? ik_matrix_create(s, steps, threads, terms, d, &m->m)
                              : ik_fail(d, IK_ERR_RESOURCE, IK_E072, IK_NOSPAN,
                                        "no memory for the matrix unit");
  if (st) destroy_matrix(out);
  return st;
}

static void matrix_tiles(void *ctx, int thread, int threads) {
  matrix *x = ctx;
  int64_t lo, hi;
  while (ik_team_take(x->part, thread, threads, &lo, &hi))
    for (int64_t i = lo; i < hi; i++) ik_matrix_tile(x->m, i, ik_matrix_scratch(x->m, thread));
}

static ik_status advance_matrix(void *x, int64_t n, ik_diag *d) {
  matrix *m = x;
  (void)d;
  for (; n > 0; n--) {
    ik_team_deal(ik_matrix_tiles(m->m), ik_team_threads(m->team), m->part);
    ik_team_run(m->team, matrix_tiles, m);
    ik_matrix_finish(m->m);
  }
  return IK_OK;
}

/* As much again in every step. */
static double bound_matrix(const ik_ir *ir, const ik_stmt *steps, int terms, int64_t n) {
  return ik_matrix_loss(ir, steps, terms) * (double)(n < 1 ? 1 : n);
}

const ik_special ik_special_matrix = {.stride = 1,
                                      .illegal = illegal_matrix,
                                      .bytes = ik_matrix_bytes,
                                      .create = create_matrix,
                                      .advance = advance_matrix,
                                      .bound = bound_matrix,
                                      .destroy = destroy_matrix};
