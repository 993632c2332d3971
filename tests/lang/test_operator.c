#include "io/scratch.h"
#include "io/npy.h"
#include "io/segy.h"
#include "lang/program.h"

/* ---- weights of difference operators against exact fractions ---- */

/* The coefficient of u at an offset in the value of u'; 0 if it is not read. */
static double coefficient(const ik_expr *e, int off) {
  double c = 0;
  if (e->op == IK_OP_READ) return e->off[0] == off;
  if (e->op == IK_OP_CONST) return 0;
  if (e->op == IK_OP_NEG) return -coefficient(e->arg[0], off);
  if (e->op == IK_OP_MUL || e->op == IK_OP_FMA) c = e->arg[0]->value * coefficient(e->arg[1], off);
  if (e->op == IK_OP_FMA) c += coefficient(e->arg[2], off);
  if (e->op == IK_OP_ADD) c = coefficient(e->arg[0], off) + coefficient(e->arg[1], off);
  if (e->op == IK_OP_SUB) c = coefficient(e->arg[0], off) - coefficient(e->arg[1], off);
  return c;
}

/* value: the operator; first: the offset of w[0]; n weights, for spacing h to the power -p. */
static void weights_are(int line, const char *value, int first, int n, const double *w, int p) {
  char    text[400];
  program q;
  double  h = 0.5;
  snprintf(text, sizeof text,
           "grid x = 40, spacing = %g\nfield u : f64\nboundary u = 0\nstep 1 { u' = %s }\n", h,
           value);
  if (program_must(&q, text, __FILE__, line)) {
    const ik_expr *e = program_assign(&q, "u", 1, 0)->value;
    for (int off = first - 3; off < first + n + 3; off++) {
      int    k = off - first;
      double want = k < 0 || k >= n ? 0 : w[k] / pow(h, p), got = coefficient(e, off);
      if (fabs(got - want) > 1e-14 * fmax(1, fabs(want)))
        check_fail(__FILE__, line, "%s at %d: %.17g, not %.17g", value, off, got, want);
    }
  }
  program_close(&q);
}
#define WEIGHTS(value, first, p, ...)                                                              \
  do {                                                                                             \
    const double w_[] = {__VA_ARGS__};                                                             \
    weights_are(__LINE__, value, first, (int)(sizeof w_ / sizeof *w_), w_, p);                     \
  } while (0)

CASE(second_derivatives_have_the_known_weights) {
  WEIGHTS("laplacian(u)", -1, 2, 1, -2, 1);
  WEIGHTS("laplacian(u, order = 4)", -2, 2, -1.0 / 12, 4.0 / 3, -5.0 / 2, 4.0 / 3, -1.0 / 12);
  WEIGHTS("d2(u, x, order = 6)", -3, 2, 1.0 / 90, -3.0 / 20, 3.0 / 2, -49.0 / 18, 3.0 / 2,
          -3.0 / 20, 1.0 / 90);
  WEIGHTS("d2(u, x, 8)", -4, 2, -1.0 / 560, 8.0 / 315, -1.0 / 5, 8.0 / 5, -205.0 / 72, 8.0 / 5,
          -1.0 / 5, 8.0 / 315, -1.0 / 560);
}

CASE(first_derivatives_have_the_known_weights) {
  WEIGHTS("d(u, x)", -1, 1, -0.5, 0, 0.5);
  WEIGHTS("d(u, x, order = 4)", -2, 1, 1.0 / 12, -2.0 / 3, 0, 2.0 / 3, -1.0 / 12);
  WEIGHTS("d(u, x, order = 8)", -4, 1, 1.0 / 280, -4.0 / 105, 1.0 / 5, -4.0 / 5, 0, 4.0 / 5,
          -1.0 / 5, 4.0 / 105, -1.0 / 280);
}

CASE(staggered_derivatives_have_the_known_weights) {
  WEIGHTS("dfwd(u, x)", 0, 1, -1, 1);
  WEIGHTS("dbwd(u, x)", -1, 1, -1, 1);
  WEIGHTS("dfwd(u, x, order = 4)", -1, 1, 1.0 / 24, -9.0 / 8, 9.0 / 8, -1.0 / 24);
  WEIGHTS("dbwd(u, x, order = 4)", -2, 1, 1.0 / 24, -9.0 / 8, 9.0 / 8, -1.0 / 24);
  WEIGHTS("dfwd(u, x, order = 8)", -3, 1, 5.0 / 7168, -49.0 / 5120, 245.0 / 3072, -1225.0 / 1024,
          1225.0 / 1024, -245.0 / 3072, 49.0 / 5120, -5.0 / 7168);
}

CASE(every_order_is_exact_for_polynomials_up_to_it) {
  for (int order = 2; order <= 32; order += 2) {
    char    text[300];
    program p;
    snprintf(text, sizeof text,
             "grid x = 80\nfield u : f64\nboundary u = 0\nstep 1 { u' = d2(u, x, order = %d) }\n",
             order);
    if (MUST_OPEN(&p, text)) {
      const ik_expr *e = program_assign(&p, "u", 1, 0)->value;
      double         sum = 0, second = 0, fourth = 0;
      for (int k = -order / 2; k <= order / 2; k++) {
        double w = coefficient(e, k);
        sum += w, second += w * k * k, fourth += w * k * k * k * k;
      }
      CHECK_NEAR(sum, 0, 1e-13);
      CHECK_NEAR(second, 2, 1e-12);
      if (order > 2) CHECK_NEAR(fourth, 0, 1e-10);
    }
    program_close(&p);
  }
}

CASE(operators_take_one_axis_or_all) {
  static const char head[] = "grid x = 9, y = 9, spacing = (1, 2)\nfield u : f64\nboundary u = 0\n";
  LOWERS(head, "d(u, y)", "(fma.f64 (f64 0.25) u@0[0,1] (mul.f64 (f64 -0.25) u@0[0,-1]))");
  LOWERS(head, "laplacian(u)",
         "(fma.f64 (f64 0.25) u@0[0,1] (add.f64 (fma.f64 (f64 -2.5) u@0 (add.f64 (mul.f64 "
         "(f64 0.25) u@0[0,-1]) u@0[-1,0])) u@0[1,0]))");
}

CASE(operators_apply_to_expressions) {
  static const char head[] = "grid x = 9\nfield u, c : f64\nboundary u, c = 0\n";
  LOWERS(head, "dbwd(c*dfwd(u, x), x)",
         "(fma.f64 c@0 (add.f64 (neg.f64 u@0) u@0[1]) "
         "(mul.f64 (neg.f64 c@0[-1]) (add.f64 (neg.f64 u@0[-1]) u@0)))");
}

CASE(orders_and_axes_are_checked) {
  static const char head[] = "grid x = 9\nfield u : f64\nboundary u = 0\n";
  char              text[300];
  static const struct {
    const char *value;
    ik_code     code;
    const char *part;
  } bad[] = {
      {"laplacian(u, order = 3)", IK_E024, "must be even"},
      {"laplacian(u, order = 0)", IK_E024, "2 to 32"},
      {"laplacian(u, order = 34)", IK_E024, "2 to 32"},
      {"d(u)", IK_E014, "d(u, axis, order)"},
      {"d(u, z)", IK_E014, "an axis of the grid"},
      {"d(u, 1)", IK_E014, "an axis of the grid"},
      {"laplacian(u, ordr = 2)", IK_E014, "'ordr'"},
      {"laplacien(u)", IK_E013, "did you mean 'laplacian'"},
      {"stencil(u, 3)", IK_E014, "name of a pattern"},
      {"mod(u, 2)", IK_E032, "int(u)"},
      {"ricker(10)", IK_E012, "only in a source"},
      {"noise(0.5)", IK_E024, "whole number"},
  };
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    snprintf(text, sizeof text, "%sstep 1 { u' = %s }\n", head, bad[i].value);
    FAILS(text, bad[i].code, bad[i].part);
  }
}

/* ---- reductions ---- */

CASE(reductions_are_hoisted_in_order) {
  program p;
  if (MUST_OPEN(&p, "grid x = 4, y = 2\nfield u, v : f64\n"
                    "step 1 { u' = u/norm(u) + max(v)*sum(u) }\n"))
    CHECK_STR(
        program_body(&p),
        "body {\n"
        "  steps 1 {\n"
        "    reduce \"sum#0\" sum on 0:4, 0:2 = (mul.f64 u@0 u@0)\n"
        "    reduce \"max#1\" max on 0:4, 0:2 = v@0\n"
        "    reduce \"sum#2\" sum on 0:4, 0:2 = u@0\n"
        "    assign u@1 on 0:4, 0:2 =\n"
        "      (add.f64 (mul.f64 $\"max#1\" $\"sum#2\") (div.f64 u@0 (sqrt.f64 $\"sum#0\")))\n"
        "  }\n"
        "}\n");
  program_close(&p);
}

CASE(reductions_have_the_values_they_promise) {
  run r;
  if (run_program(&r,
                  "grid x = 5, y = 3\nfield u : f64 = x - 2*y\nfield v : f64 = 1 + y\n"
                  "s = sum(u); m = mean(v); n = norm(v); p = dot(u, v); a = min(u); b = max(u)\n"
                  "c = min(3, 4, 1)\n")) {
    double s = 0, m = 0, n = 0, p = 0;
    for (int y = 0; y < 3; y++)
      for (int x = 0; x < 5; x++)
        s += x - 2 * y, m += 1 + y, n += (1 + y) * (1 + y), p += (x - 2 * y) * (1 + y);
    CHECK(run_scalar(&r, "s") == s && run_scalar(&r, "m") == m / 15);
    CHECK(run_scalar(&r, "n") == sqrt(n) && run_scalar(&r, "p") == p);
    CHECK(run_scalar(&r, "a") == -4 && run_scalar(&r, "b") == 4 && run_scalar(&r, "c") == 1);
  }
  run_close(&r);
}

CASE(reductions_stand_only_where_they_can) {
  static const char        head[] = "grid x = 9\nfield u : f64\nboundary u = 0\n";
  char                     text[300];
  static const char *const bad[] = {"sum(sum(u)*u)", "sum(3)", "sum(u > 0)", "laplacian(sum(u)*u)"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    snprintf(text, sizeof text, "%sstep 1 { u' = %s }\n", head, bad[i]);
    FAILS(text, IK_E035, "reduc");
  }
}

CASE(a_reduction_behind_a_function_is_computed_first) {
  program p;
  if (MUST_OPEN(&p, "grid x = 4\nfield u : f64\ndef scaled(a, s) = sum(a*s)\n"
                    "q = scaled(u, sum(u))\n"))
    CHECK_STR(program_body(&p), "body {\n"
                                "  reduce \"sum#0\" sum on 0:4 = u@0\n"
                                "  reduce \"sum#1\" sum on 0:4 = (mul.f64 u@0 $\"sum#0\")\n"
                                "  set q = $\"sum#1\"\n"
                                "}\n");
  program_close(&p);
}

/* ---- wavelets ---- */

/* What a source adds in the first `n` steps, by injecting into a field that is set to 0. */
static void source_is(const char *value, const char *dt, double (*f)(double), double step, int n) {
  char text[600];
  run  r;
  snprintf(text, sizeof text,
           "grid x = 3\nparam dt = %s\nfield u : f64\nsource %s at 1 into u\n"
           "step %d { u' = 0*u }\n",
           dt, value, n);
  if (run_prepare(&r, text, 0, NULL))
    for (int k = 0; k < n; k++) {
      CHECK_EQ(ik_loop_advance(&r.loop, 1, &r.p.diag), IK_OK);
      CHECK_NEAR(run_at(&r, "u", 1, 0, 0), f(k * step), 1e-13);
    }
  run_close(&r);
}

static double ricker_15(double t) {
  double a = M_PI * 15 * (t - 1.2 / 15);
  return (1 - 2 * a * a) * exp(-a * a);
}
static double ricker_15_late(double t) { return ricker_15(t + 1.2 / 15 - 0.1); }
static double gauss_20ms(double t) { return exp(-pow((t - 0.08) / 0.02, 2)); }
static double thrice_gauss(double t) { return 3 * exp(-pow((t - 0.01) / 0.02, 2)); }

CASE(wavelets_follow_their_formulas) {
  source_is("ricker(f = 15 Hz)", "2 ms", ricker_15, 2e-3, 80);
  source_is("ricker(15, delay = 0.1)", "2 ms", ricker_15_late, 2e-3, 80);
  source_is("gaussian(20 ms)", "4 ms", gauss_20ms, 4e-3, 50);
  source_is("3*gaussian(width = 20 ms, delay = 10 ms)", "4 ms", thrice_gauss, 4e-3, 50);
}

static double samples(double t) {
  static const double v[] = {1, 3, -2, 5};
  double              x = t / 4e-3;
  int                 i = (int)x;
  if (x > 3) return 0;
  return i == 3 ? v[3] : v[i] + (x - i) * (v[i + 1] - v[i]);
}

CASE(a_wavelet_from_a_file_is_linear_between_samples) {
  double   v[] = {1, 3, -2, 5};
  ik_array a = {.dtype = IK_DT_F64, .ndim = 1, .n = {4, 1, 1, 1}, .data = v};
  ik_diag  d = {0};
  char     call[500];
  CHECK_EQ(ik_npy_write(scratch("w.npy"), &a, IK_NOSPAN, &d), IK_OK);
  snprintf(call, sizeof call, "wavelet(\"%s\", dt = 4 ms)", scratch("w.npy"));
  source_is(call, "1 ms", samples, 1e-3, 20);
  snprintf(call, sizeof call, "wavelet(\"%s\")", scratch("w.npy"));
  source_is(call, "4 ms", samples, 4e-3, 6);
}

static double samples_late(double t) { return t < 10e-3 ? 0 : samples(t - 10e-3); }

static const char *text_wavelet(const char *content, const char *more) {
  static char call[500];
  ik_diag     d = {0};
  CHECK_EQ(ik_file_write(scratch("w.txt"), content, strlen(content), &d), IK_OK);
  snprintf(call, sizeof call, "wavelet(\"%s\"%s)", scratch("w.txt"), more);
  return call;
}

CASE(a_wavelet_from_a_text_may_tell_its_times) {
  source_is(text_wavelet("1\n3\n-2\n5\n", ", dt = 4 ms"), "1 ms", samples, 1e-3, 20);
  source_is(text_wavelet("1\n3\n-2\n5\n", ""), "4 ms", samples, 4e-3, 6);
  source_is(text_wavelet("0 1\n0.004 3\n0.008 -2\n0.012 5\n", ""), "1 ms", samples, 1e-3, 20);
  source_is(text_wavelet("0 1\n0.004 3\n0.008 -2\n0.012 5\n", ""), "4 ms", samples, 4e-3, 6);
  source_is(text_wavelet("0.01 1\n0.014 3\n0.018 -2\n0.022 5\n", ""), "0.75 ms", samples_late,
            0.75e-3, 40);
}

CASE(a_wavelet_from_segy_tells_its_interval) {
  float          v[] = {1, 3, -2, 5};
  ik_segy_point  p = {0};
  ik_segy_gather g = {
      .ntrace = 1, .nsample = 4, .dt_s = 4e-3, .data = v, .receiver = &p, .source = &p};
  ik_diag d = {0};
  char    call[500];
  CHECK_EQ(ik_segy_write(scratch("w.segy"), &g, IK_NOSPAN, &d), IK_OK);
  snprintf(call, sizeof call, "wavelet(\"%s\")", scratch("w.segy"));
  source_is(call, "1 ms", samples, 1e-3, 20);
}

CASE(a_wavelet_needs_a_time_step_and_sense) {
#define SOURCE(dt, value)                                                                          \
  "grid x = 3\n" dt "field u : f64\nsource " value " at 1 into u\nstep 1 { u' = u }\n"
  FAILS(SOURCE("", "ricker(10)"), IK_E061, "param dt");
  FAILS(SOURCE("param dt = 1\n", "ricker(0)"), IK_E024, "frequency");
  FAILS(SOURCE("param dt = 1\n", "gaussian(-1)"), IK_E024, "width");
  FAILS(SOURCE("param dt = 1\n", "wavelet(3)"), IK_E014, "in quotes");
  FAILS(SOURCE("param dt = 1\n", "wavelet(\"/nowhere/w.npy\")"), IK_E062, "/nowhere/w.npy");
}

/* ---- elementary functions ---- */

CASE(functions_compute_what_they_are_called) {
  static const struct {
    const char *name;
    double (*f)(double);
  } known[] = {{"abs", fabs}, {"sqrt", sqrt}, {"exp", exp},   {"log", log},   {"sin", sin},
               {"cos", cos},  {"tan", tan},   {"tanh", tanh}, {"atan", atan}, {"floor", floor}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    char text[200];
    run  r;
    snprintf(text, sizeof text, "grid x = 50\nfield u : f64 = 0.1 + 0.3*x\nu = %s(u)\n",
             known[i].name);
    if (run_program(&r, text))
      for (int x = 0; x < 50; x++) {
        double want = known[i].f(fma(0.3, x, 0.1));
        CHECK_NEAR(run_at(&r, "u", x, 0, 0), want, 1e-15 * fmax(1, fabs(want)));
      }
    run_close(&r);
  }
}
