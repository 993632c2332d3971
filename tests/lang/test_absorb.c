#include "lang/program.h"

/* ---- slabs ---- */

typedef struct cover {
  int field, level;
  int cell[7 * 6 * 5];
} cover;

static void count_cells(const ik_stmt *s, void *ctx) {
  cover *c = ctx;
  if (s->kind != IK_ASSIGN || s->field != c->field || s->level != c->level) return;
  for (int64_t z = s->box.lo[2]; z < s->box.hi[2]; z++)
    for (int64_t y = s->box.lo[1]; y < s->box.hi[1]; y++)
      for (int64_t x = s->box.lo[0]; x < s->box.hi[0]; x++) c->cell[(z * 6 + y) * 7 + x]++;
}

/* Layers on the faces whose bit is set in `faces`. */
static void faces_program(char *text, size_t size, const char *layer, int ndim, unsigned faces) {
  static const char *const extent[] = {"x = 7", ", y = 6", ", z = 5"};
  int                      n = snprintf(text, size, "grid ");
  for (int d = 0; d < ndim; d++) n += snprintf(text + n, size - (size_t)n, "%s", extent[d]);
  n += snprintf(text + n, size - (size_t)n, "\nfield u : f64, history 2 = noise(1)\nboundary u {");
  for (int f = 0; f < 2 * ndim; f++)
    n += snprintf(text + n, size - (size_t)n, " %c%c = ", "-+"[f % 2], "xyz"[f / 2]),
        n += faces >> f & 1 ? snprintf(text + n, size - (size_t)n, "%s(%d);", layer, 1 + f % 3)
                            : snprintf(text + n, size - (size_t)n, "0;");
  snprintf(text + n, size - (size_t)n, " }\nstep 3 { u' = 2*u - u[t-1] + 0.1*laplacian(u) }\n");
}

CASE(slabs_and_interior_cover_every_cell_once) {
  static const int cells[] = {7, 42, 210};
  for (int sponge = 0; sponge < 2; sponge++)
    for (int ndim = 1; ndim <= 3; ndim++)
      for (unsigned faces = 1; faces < 1u << 2 * ndim; faces++) {
        char    text[600];
        program p;
        faces_program(text, sizeof text, sponge ? "sponge" : "absorbing", ndim, faces);
        if (MUST_OPEN(&p, text)) {
          cover c = {.field = program_field(&p, "u"), .level = 1};
          ik_ir_each_stmt(p.ir, count_cells, &c);
          bool once = true;
          for (int i = 0; i < cells[ndim - 1]; i++) once = once && c.cell[i] == 1;
          if (!once) check_fail(__FILE__, __LINE__, "faces %x in %dD", faces, ndim);
        }
        program_close(&p);
      }
}

CASE(layers_on_all_faces_damp) {
  static const char *const layer[] = {"absorbing", "sponge", "none"};
  double                   energy[3];
  for (int k = 0; k < 3; k++) {
    char text[600];
    run  r;
    snprintf(text, sizeof text,
             "grid x = 60\nfield u : f64, history 2 = exp(-((x - 30)/4)^2)\nboundary u = %s%s\n"
             "step 400 { u' = 2*u - u[t-1] + 0.25*laplacian(u) }\ne = sum(u*u)\n",
             k < 2 ? layer[k] : "0",
             k == 0   ? "(15)"
             : k == 1 ? "(15, strength = 0.05)"
                      : "");
    energy[k] = run_program(&r, text) ? run_scalar(&r, "e") : NAN;
    run_close(&r);
  }
  CHECK(energy[0] < 1e-3 * energy[2]);
  CHECK(energy[1] < 0.3 * energy[2]);
}

/* ---- the absorbing layer, computed here a second time ---- */

enum { N = 24, W = 6 };

static double eta_at(int i, double speed, double h) {
  int depth = i < W ? W - i : i >= N - W ? i - (N - W) + 1 : 0;
  if (i < 0 || i >= N) return 0;
  return pow((double)depth / W, 2) * 3 * log(1000) * speed / (2 * W * h);
}

static void reference_step(double u[N], double old[N], double phi[N], const double *k, double speed,
                           double h) {
  double next[N], flow[N];
  for (int i = 0; i < N; i++) {
    double left = i ? u[i - 1] : 0, right = i < N - 1 ? u[i + 1] : 0, e = eta_at(i, speed, h);
    double plain = 2 * u[i] - old[i] + k[i] * (left - 2 * u[i] + right) / (h * h);
    next[i] = e == 0 ? plain : (plain + (2 * e - e * e) * u[i] + k[i] * phi[i]) / (1 + 2 * e);
    flow[i] = (eta_at(i + 1, speed, h) - eta_at(i - 1, speed, h)) * (right - left) / (4 * h * h);
    if (e != 0) phi[i] = (phi[i] - flow[i]) / (1 + e);
  }
  memcpy(old, u, N * sizeof *u), memcpy(u, next, N * sizeof *u);
}

static void layer_matches(int line, const char *text, const double *k, double speed, double h) {
  run    r;
  double u[N], old[N], phi[N] = {0};
  if (run_prepare(&r, text, 0, NULL)) {
    CHECK_EQ(ik_loop_start(&r.loop, &r.p.diag), IK_OK);
    for (int i = 0; i < N; i++) u[i] = old[i] = run_at(&r, "u", i, 0, 0);
    for (int i = 0; i < N; i++)
      CHECK_NEAR(run_at(&r, "u.eta_x", i, 0, 0), eta_at(i, speed, h), 1e-14);
    for (int step = 0; step < 60; step++) {
      CHECK_EQ(ik_loop_advance(&r.loop, 1, &r.p.diag), IK_OK);
      reference_step(u, old, phi, k, speed, h);
    }
    for (int i = 0; i < N; i++)
      if (fabs(run_at(&r, "u", i, 0, 0) - u[i]) > 1e-12)
        check_fail(__FILE__, line, "cell %d: %.17g, not %.17g", i, run_at(&r, "u", i, 0, 0), u[i]);
  }
  run_close(&r);
}

CASE(an_absorbing_layer_computes_its_formulas) {
  double k[N];
  for (int i = 0; i < N; i++) k[i] = 0.16 * 4;
  layer_matches(__LINE__,
                "grid x = 24, spacing = 2\nfield u : f64, history 2 = exp(-((x - 12)/2)^2)\n"
                "boundary u = absorbing(6)\n"
                "step 60 { u' = 2*u - u[t-1] + 0.64*laplacian(u) }\n",
                k, 0.8, 2);
  for (int i = 0; i < N; i++) k[i] = pow((i < 10 ? 3 : 5) * 0.1, 2);
  layer_matches(__LINE__,
                "grid x = 24\nparam dt = 0.1\nfield c : f64 = if x < 10 then 3 else 5\n"
                "field u : f64, history 2 = exp(-((x - 12)/2)^2)\nboundary u = absorbing(6)\n"
                "step 60 { u' = 2*u - u[t-1] + (c*dt)^2*laplacian(u) }\n",
                k, 0.5, 1);
}

CASE(the_coefficient_is_found_however_it_is_written) {
  static const char *const update[] = {
      "2*u - u[t-1] + 0.25*laplacian(u)",     "2*u - u[t-1] + 0.25*laplacian(u, order = 8)",
      "1.5*u - u[t-1] + 0.25*(u[-1] + u[1])", "2*u - u[t-1] + (k*k)*laplacian(u)",
      "2*u - u[t-1] + 0.25*d2(u, x)",         "0.25*(u[-1] - 2*u + u[1]) - (u[t-1] - 2*u)",
  };
  for (size_t i = 0; i < sizeof update / sizeof *update; i++) {
    char text[400];
    run  r;
    snprintf(text, sizeof text,
             "grid x = 24\nfield k : f64 = 0.5\nfield u : f64, history 2\n"
             "boundary u = absorbing(6)\nstep 0 { u' = %s }\n",
             update[i]);
    if (run_program(&r, text)) CHECK_NEAR(run_at(&r, "u.eta_x", 0, 0, 0), eta_at(0, 0.5, 1), 1e-12);
    run_close(&r);
  }
}

/* ---- sponge ---- */

CASE(a_sponge_damps_new_and_old) {
  run    r;
  double u[N], old[N], next[N];
  if (run_prepare(&r,
                  "grid x = 24\nfield u : f64, history 2 = exp(-((x - 12)/2)^2)\n"
                  "boundary u { -x = sponge(6, strength = 0.1); +x = sponge(4, strength = 0.1) }\n"
                  "step 40 { u' = 2*u - u[t-1] + 0.25*laplacian(u) }\n",
                  0, NULL)) {
    CHECK_EQ(ik_loop_start(&r.loop, &r.p.diag), IK_OK);
    for (int i = 0; i < N; i++) u[i] = old[i] = run_at(&r, "u", i, 0, 0);
    for (int step = 0; step < 40; step++) {
      for (int i = 0; i < N; i++) {
        int    depth = i < 6 ? 6 - i : i >= N - 4 ? i - (N - 4) + 1 : 0;
        double g = exp(-pow(0.1 * depth, 2));
        double left = i ? u[i - 1] : 0, right = i < N - 1 ? u[i + 1] : 0;
        next[i] = g * (2 * u[i] - g * old[i] + 0.25 * (left - 2 * u[i] + right));
      }
      memcpy(old, u, sizeof u), memcpy(u, next, sizeof u);
    }
    CHECK_EQ(ik_loop_advance(&r.loop, -1, &r.p.diag), IK_OK);
    for (int i = 0; i < N; i++) CHECK_NEAR(run_at(&r, "u", i, 0, 0), u[i], 1e-13);
  }
  run_close(&r);
}

CASE(a_sponge_serves_fields_without_history) {
  run r;
  if (run_program(&r, "grid x = 20\nfield u : f64 = 1\nboundary u = sponge(5, strength = 0.2)\n"
                      "step 1 { u' = u }\n"))
    for (int i = 0; i < 20; i++) {
      int depth = i < 5 ? 5 - i : i >= 15 ? i - 14 : 0;
      CHECK_NEAR(run_at(&r, "u", i, 0, 0), exp(-pow(0.2 * depth, 2)), 1e-15);
    }
  run_close(&r);
}

/* ---- several steps share one layer ---- */

CASE(a_second_step_uses_the_same_layer) {
#define WAVE "u' = 2*u - u[t-1] + 0.25*laplacian(u)"
#define LAYER                                                                                      \
  "grid x = 24\nfield u : f64, history 2 = exp(-((x - 12)/2)^2)\nboundary u = absorbing(6)\n"
  CHECK(run_hash(LAYER "step 40 { " WAVE " }\n") ==
        run_hash(LAYER "step 15 { " WAVE " }\nstep 25 { " WAVE " }\n"));
}

/* ---- refusals ---- */

CASE(what_a_layer_cannot_do_is_told) {
#define U "grid x = 24\nfield u : f64, history 2\n"
  FAILS(U "boundary u = absorbing(6)\nstep 1 { u' = u + 0.1*laplacian(u) }\n", IK_E042,
        "a wave equation in 'u'");
  FAILS(U "boundary u = absorbing(6)\nstep 1 { u' = 2*u - 0.9*u[t-1] + 0.1*laplacian(u) }\n",
        IK_E042, "sponge(20)");
  FAILS(U "boundary u = absorbing(6)\nstep 1 { u' = 2*u - u[t-1] + u*laplacian(u) }\n", IK_E042,
        "a wave equation in 'u'");
  FAILS(U "boundary u = absorbing(13)\nstep 1 { " WAVE " }\n", IK_E042,
        "take 26 cells, and x has only 24");
  FAILS(U "boundary u = absorbing(6)\nstep 1 { " WAVE " on interior(1) }\n", IK_E042,
        "one update on all cells");
  FAILS(U "boundary u = absorbing(6)\nstep 1 { " WAVE "; u' = u' }\n", IK_E042, "one update");
  FAILS(U "boundary u = absorbing\nstep 1 { " WAVE " }\n", IK_E013, "absorbing");
  FAILS(U "boundary u = absorbing()\nstep 1 { " WAVE " }\n", IK_E014, "absorbing(6)");
  FAILS(U "boundary u = absorbing(0)\nstep 1 { " WAVE " }\n", IK_E024, "width of a layer");
  FAILS(U "boundary u = absorbing(6, 2)\nstep 1 { " WAVE " }\n", IK_E014, "number of cells");
  FAILS(U "boundary u { -x = absorbing(6); +x = sponge(6) }\nstep 1 { " WAVE " }\n", IK_E041,
        "two kinds");
  FAILS("grid x = 24\nfield u : f64, history 3\nboundary u = sponge(6)\n"
        "step 1 { u' = 2*u - u[t-2] }\n",
        IK_E042, "reads older levels");
}
