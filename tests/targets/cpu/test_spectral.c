#include "targets/cpu/spectral.h"
#include "base/mem.h"
#include "facts/amplification.h"
#include "lang/program.h"
#include "targets/cpu/fftw.h"

/* Where FFTW is missing only what is legal is checked, and that it is asked for. */
static bool fftw_here(void) {
  static bool told;
  if (ik_fftw_here(NULL)) return true;
  if (!told) printf("skipped: %s\n", ik_fftw_missing);
  told = true;
  return false;
}

static const ik_stmt *find_steps(const ik_ir *ir) {
  const ik_stmt *s = ir->body;
  while (s && s->kind != IK_STEPS) s = s->next;
  return s;
}

/* ---- what is legal ---- */

static void check_reason(const char *text, const char *want) {
  program p;
  if (MUST_OPEN(&p, text)) {
    const char *why = ik_spectral_illegal(p.ir, find_steps(p.ir));
    if (!want && !ik_fftw_here(NULL)) want = ik_fftw_missing;
    if (!want ? why != NULL : !why || strcmp(why, want) != 0)
      check_fail(__FILE__, __LINE__, "%s\n%s\nnot\n%s", text, why ? why : "legal",
                 want ? want : "legal");
  }
  program_close(&p);
}

CASE(linear_periodic_steps_are_legal) {
  check_reason("grid x = 8\nfield u : f64 = x\nboundary u = periodic\n"
               "step 3 { u' = u + 0.1*laplacian(u) }\n",
               NULL);
  check_reason("grid x = 8, y = 8\nfield u : f32 = x\nscalar k : f32 = 0.1\nboundary u = periodic\n"
               "step 3 { a = k*laplacian(u); u' = u + a }\n",
               NULL);
  /* Nothing is read along y, so its faces do not matter. */
  check_reason("grid x = 8, y = 8\nfield u : f64 = x\nboundary u { x = periodic }\n"
               "step 3 { u' = 0.5*u + 0.5*u[1,0] }\n",
               NULL);
}

/* The loop that is asked about is what counts: another may do what it likes. */
CASE(other_loops_do_not_matter) {
  check_reason("grid x = 8\nfield u : f64 = x\nboundary u = periodic\n"
               "step 3 { u' = u + 0.1*laplacian(u) }\nstep 2 { u' = u*u[1] + 1 }\n",
               NULL);
  check_reason("grid x = 8\nfield u : f64 = x\nboundary u = periodic\n"
               "step 3 { u' = u + 0.1*laplacian(u) }\nstep 9 { u' = u*u[1] + 1 }\n",
               NULL);
}

CASE(what_is_not_is_refused_with_the_reason) {
  static const char same[] = "the step is not the same in every cell";
  static const char reads[] = "the step reads a field that it does not update";
  static const struct {
    const char *fields, *body, *why;
  } bad[] = {
      {"field u : f64 = 1\nboundary u = periodic", "u' = u*u[1]",
       "the step is not linear in the "
       "fields it updates"},
      {"field u : f64 = 1\nboundary u = periodic", "u' = u + 1",
       "the step adds something that no field is a factor of"},
      {"field u : f64 = 1\nboundary u = periodic", "u' = max(u, u[1])",
       "the step is not linear in the fields it updates"},
      {"field u : f64 = 1\nboundary u = periodic", "u' = x*u", same},
      {"field u : f64 = 1\nboundary u = periodic", "u' = if x < 3 then u[1] else u", same},
      {"field u : f64 = 1\nboundary u = periodic\nparam dt = 0.1", "u' = sin(t)*u",
       "the step depends on the time"},
      {"field u, c : f64 = 1\nboundary u = periodic", "u' = c*u[1]", reads},
      {"field u, c : f64 = 1\nboundary u = periodic", "u' = u[1] + c", reads},
      {"field u, c : f64 = 1\nboundary u, c = periodic", "u' = c[1] - c", reads},
      {"field u : f64 = 1\nboundary u = copy", "u' = u[1]", "a boundary is not periodic"},
      {"field u : f64 = 1\nboundary u = 0", "u' = u[-1]", "a boundary is not periodic"},
      {"field u : i32 = 1\nboundary u = periodic", "u' = u[1] - u",
       "the step computes with integers"},
      {"field u : f64 = 1\nboundary u = periodic", "s = sum(u); u' = u[1] - s*u",
       "a scalar is computed within the step"},
      {"field u : f64 = 1\nboundary u = periodic\nparam dt = 0.1\n"
       "source ricker(1) at (3) into u",
       "u' = u[1]", "a source adds to a field in each step"},
      {"field u : f64 = 1\nboundary u = periodic", "sweep x up { u = u + 0.5*u[-1] }",
       "the step contains a sweep"},
  };
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    char text[600];
    snprintf(text, sizeof text, "grid x = 8\n%s\nstep 2 { %s }\n", bad[i].fields, bad[i].body);
    check_reason(text, bad[i].why);
  }
  check_reason("grid x = 8, y = 8\nfield u : f64, on x = 1\nboundary u = periodic\n"
               "step 2 { u' = 0.5*u + 0.5*u[1] }\n",
               "a field is not on all axes");
  check_reason("grid x = 32\nfield u : f64, history 2\nparam dt = 0.1\nboundary u = absorbing(4)\n"
               "step 2 { u' = 2*u - u[t-1] + 0.1*laplacian(u) }\n",
               "a boundary absorbs");
}

static ik_team *team_of(int threads) {
  ik_diag  d = {0};
  ik_team *team = NULL;
  CHECK_EQ(ik_team_create(threads, &d, &team), IK_OK);
  ik_diag_free(&d);
  return team;
}

CASE(a_step_that_is_refused_makes_no_engine) {
  run          r;
  ik_spectral *x;
  ik_team     *team = team_of(1);
  if (run_prepare(&r, "grid x = 8\nfield u : f64 = 1\nstep 2 { u' = u*u }\n", 0, NULL)) {
    CHECK_EQ(ik_spectral_create(r.state, find_steps(r.p.ir), team, &r.p.diag, &x),
             IK_ERR_UNSUPPORTED);
    CHECK(x == NULL);
    CHECK(strstr(program_messages(&r.p), "spectral: the step is not linear") != NULL);
  }
  ik_team_destroy(&team);
  run_close(&r);
}

CASE(without_fftw_there_are_no_transforms) {
  double        data[10] = {0};
  const int64_t n[IK_MAX_DIM] = {8, 1, 1};
  ik_diag       d = {0};
  ik_fft       *f;
  CHECK_EQ(ik_fft_create(false, 1, n, 1, data, &d, &f),
           ik_fftw_here(NULL) ? IK_OK : IK_ERR_UNSUPPORTED);
  CHECK(!f == !ik_fftw_here(NULL));
  ik_fft_destroy(&f);
  ik_diag_free(&d);
}

/* ---- against the interpreter ---- */

/* The largest difference between two states over the largest value, of any field and level. */
static double difference(const ik_state *a, const ik_state *b) {
  double most = 0, scale = 0;
  for (int f = 0; f < a->ir->nfield; f++) {
    const ik_field *field = &a->ir->field[f];
    for (int back = 0; field->kind != IK_FIELD_TEMP && back < field->history; back++)
      for (int64_t i = 0; i < a->slot[f].layout->cells; i++) {
        double v, w;
        ik_state_load_row(field->type, ik_state_data(a, f, -back), i, 1, &v);
        ik_state_load_row(field->type, ik_state_data(b, f, -back), i, 1, &w);
        if (!(fabs(v - w) <= most)) most = fabs(v - w);
        scale = fmax(scale, fabs(v));
      }
  }
  return most / scale;
}

/* What stands before the first loop, then all its steps in `parts` calls. */
static bool run_spectral(run *r, const char *text, int threads, int parts) {
  ik_spectral *x;
  if (!run_prepare(r, text, 0, NULL) || ik_loop_advance(&r->loop, 0, &r->p.diag)) return false;
  const ik_stmt *steps = find_steps(r->p.ir);
  int64_t        before = r->state->t, done = 0;
  ik_team       *team = team_of(threads);
  ik_status      st = ik_spectral_create(r->state, steps, team, &r->p.diag, &x);
  for (int i = 1; !st && i <= parts; i++) {
    int64_t n = steps->count * i / parts - done;
    st = ik_spectral_advance(x, n, &r->p.diag);
    done += n;
  }
  ik_spectral_destroy(&x), ik_team_destroy(&team);
  CHECK(x == NULL);
  if (!st) CHECK_EQ(r->state->t, before + steps->count);
  if (st) check_fail(__FILE__, __LINE__, "%s\n%s", text, program_messages(&r->p));
  return !st;
}

/* How far it is from the interpreter; NaN if it does not run. */
static double error_of(const char *text) {
  run    a, b;
  double e = NAN;
  if (run_program(&a, text) && run_spectral(&b, text, 1, 1)) e = difference(a.state, b.state);
  run_close(&a), run_close(&b);
  return e;
}

/* 100 steps. */
static void check_near(const char *text, double most) {
  double e = fftw_here() ? error_of(text) : 0;
  if (!(e <= most)) check_fail(__FILE__, __LINE__, "%s\nis off by %g, more than %g", text, e, most);
}

static const double f64_bound = 1e-12 * 10, f32_bound = 1e-5;

static const char *const extents[] = {
    "x = 1",
    "x = 2",
    "x = 3",
    "x = 31",
    "x = 64",
    "x = 130",
    "x = 1024", /* cells of a row are converted so many at a time */
    "x = 2050",
    "x = 7, y = 5",
    "x = 1, y = 9",
    "x = 9, y = 1",
    "x = 2, y = 2",
    "x = 129, y = 4",
    "x = 12, y = 8",
    "x = 5, y = 7, z = 3",
    "x = 1, y = 1, z = 13",
    "x = 8, y = 6, z = 4",
    "x = 13, y = 1, z = 2",
};
enum { NEXTENTS = sizeof extents / sizeof *extents };

static void check_extents(const char *fields, const char *body, double most) {
  char text[1200];
  for (int i = 0; i < NEXTENTS; i++) {
    snprintf(text, sizeof text, "grid %s\n%s\nstep 100 { %s }\n", extents[i], fields, body);
    check_near(text, most);
  }
}

CASE(heat_is_that_of_the_interpreter) {
  check_extents("field u : f64 = noise(1)\nboundary u = periodic", "u' = u + 0.1*laplacian(u)",
                f64_bound);
  check_extents("field u : f32 = noise(1)\nboundary u = periodic", "u' = u + 0.1*laplacian(u)",
                f32_bound);
}

CASE(wide_patterns_reach_around_small_grids) {
  check_extents("field u : f64 = noise(2) - 0.5\nboundary u = periodic",
                "u' = u + 0.05*laplacian(u, order = 8)", f64_bound);
}

CASE(waves_keep_their_history) {
  check_extents("field u : f64, history 2 = noise(3) - 0.5\nboundary u = periodic",
                "u' = 2*u - u[t-1] + 0.1*laplacian(u, order = 4)", f64_bound);
  check_extents("field u : f32, history 2 = noise(3) - 0.5\nboundary u = periodic",
                "u' = 2*u - u[t-1] + 0.1*laplacian(u, order = 4)", 10 * f32_bound);
}

CASE(deeper_histories) {
  check_extents("field u : f64, history 3 = noise(4)\nboundary u = periodic",
                "u' = u + 0.02/12*(23*laplacian(u) - 16*laplacian(u[t-1]) + 5*laplacian(u[t-2]))",
                f64_bound);
  check_near("grid x = 11\nfield u : f64, history 6 = noise(5)\nboundary u = periodic\n"
             "step 100 { u' = 0.5*u[t-5] + 0.25*u[t-2][1] + 0.25*u[-1] }\n",
             f64_bound);
}

CASE(patterns_without_symmetry) {
  check_extents("field u : f64 = noise(6)\nboundary u = periodic",
                "u' = 0.7*u + 0.2*laplacian(0.1*u) + 0.25*u", f64_bound);
  check_near("grid x = 37\nfield u : f64 = noise(7)\nboundary u = periodic\n"
             "step 100 { u' = 0.6*u + 0.3*u[-1] + 0.1*u[-3] }\n",
             f64_bound);
  check_near("grid x = 10, y = 21\nfield u : f32 = noise(7)\nboundary u = periodic\n"
             "step 100 { u' = 0.5*u + 0.3*u[-1,2] + 0.2*u[0,-1] }\n",
             f32_bound);
  check_near("grid x = 6, y = 5, z = 9\nfield u : f64 = noise(8)\nboundary u = periodic\n"
             "step 100 { u' = 0.5*u + 0.3*u[-1,2,1] + 0.2*u[0,-1,-4] }\n",
             f64_bound);
}

CASE(coupled_fields_and_stages) {
  check_near("grid x = 41\nfield E, H : f64 = noise(9)\nboundary E, H = periodic\n"
             "step 100 { H' = H + 0.5*(E[1] - E)\n E' = E + 0.5*(H' - H'[-1]) }\n",
             f64_bound);
  check_near("grid x = 14, y = 9\nfield p, v, w : f32 = noise(10)\nboundary p, v, w = periodic\n"
             "step 100 { v' = v - 0.4*(p[1,0] - p)\n w' = w - 0.4*(p[0,1] - p)\n"
             " p' = p - 0.4*(v' - v'[-1,0] + w' - w'[0,-1]) }\n",
             f32_bound);
  check_near("grid x = 15, y = 8\nfield u, v : f64 = noise(11)\nboundary u, v = periodic\n"
             "step 100 { u' = u + 0.1*laplacian(v)\n v' = v - 0.1*laplacian(u') }\n",
             f64_bound);
}

CASE(temporaries_are_read_through) {
  check_extents("field u : f64 = noise(12)\nboundary u = periodic",
                "a = laplacian(u)\n b = laplacian(a)\n u' = u - 0.003*b", f64_bound);
}

CASE(fields_of_several_types) {
  check_near("grid x = 20\nfield u : f64 = noise(13)\nfield v : f32 = noise(14)\n"
             "boundary u, v = periodic\n"
             "step 100 { u' = 0.9*u + 0.1*f64(v[1])\n v' = 0.5*v + 0.5*v[1] }\n",
             f32_bound);
  check_near("grid x = 16, y = 12\nfield u : f16 = noise(15)\nboundary u = periodic\n"
             "step 20 { u' = u + 0.125*laplacian(u) }\n",
             0.02);
  check_near("grid x = 16, y = 12\nfield u : bf16 = noise(15)\nboundary u = periodic\n"
             "step 20 { u' = u + 0.125*laplacian(u) }\n",
             0.1);
}

CASE(updates_in_place) {
  check_near("grid x = 20\nfield u, v : f64 = noise(16)\nboundary u, v = periodic\n"
             "step 100 { u = 0.99*u\n v' = 0.5*v + 0.4*u[1] }\n",
             f64_bound);
}

CASE(scalars_are_taken_as_they_are) {
  check_near("grid x = 20\nfield u : f64 = noise(17)\nboundary u = periodic\n"
             "scalar k : f64 = 0.01\nk = 0.2*max(u)\nstep 100 { u' = u + k*laplacian(u) }\n",
             f64_bound);
}

/* ---- in other ways ---- */

static const char small[] = "grid x = 27, y = 20\nfield u : f64, history 2 = noise(18)\n"
                            "boundary u = periodic\n"
                            "step 91 { u' = 2*u - u[t-1] + 0.2*laplacian(u) }\n";

CASE(steps_in_pieces_are_steps_at_once) {
  run a, b;
  if (!fftw_here()) return;
  if (run_spectral(&a, small, 1, 1) && run_spectral(&b, small, 1, 7))
    CHECK(difference(a.state, b.state) <= f64_bound);
  run_close(&a), run_close(&b);
}

CASE(threads_change_nothing_but_rounding) {
  static const char *const texts[] = {
      "grid x = 70000\nfield u : f64 = noise(1)\nboundary u = periodic\n"
      "step 100 { u' = 0.6*u + 0.4*u[1] }\n",
      "grid x = 301, y = 257\nfield u : f32 = noise(1)\nboundary u = periodic\n"
      "step 100 { u' = u + 0.1*laplacian(u) }\n"};
  for (int i = 0; fftw_here() && i < 2; i++) {
    run a, b;
    if (run_spectral(&a, texts[i], 1, 1) && run_spectral(&b, texts[i], 4, 1))
      CHECK(difference(a.state, b.state) <= (i ? 1e-6 : 1e-14));
    run_close(&a), run_close(&b);
  }
}

CASE(no_steps_change_nothing) {
  run a, b;
  if (!fftw_here()) return;
  if (run_prepare(&a, small, 0, NULL) && run_prepare(&b, small, 0, NULL)) {
    ik_spectral *x = NULL;
    ik_team     *team = team_of(1);
    CHECK_EQ(ik_loop_start(&a.loop, &a.p.diag), IK_OK);
    CHECK_EQ(ik_loop_start(&b.loop, &b.p.diag), IK_OK);
    CHECK_EQ(ik_spectral_create(a.state, find_steps(a.p.ir), team, &a.p.diag, &x), IK_OK);
    CHECK_EQ(ik_spectral_advance(x, 0, &a.p.diag), IK_OK);
    CHECK_EQ(a.state->t, 0);
    CHECK(ik_state_hash(a.state) == ik_state_hash(b.state));
    ik_spectral_destroy(&x), ik_team_destroy(&team);
  }
  run_close(&a), run_close(&b);
}

/* ---- very many steps, against formulas ---- */

/* A shift by one cell a step loses no amplitude: all that is left is the error of the phase. */
CASE(a_billion_steps_of_a_shift) {
  run r;
  if (!fftw_here()) return;
  if (run_spectral(&r,
                   "grid x = 97\nfield u : f64 = sin(0.7*x)\nboundary u = periodic\n"
                   "step 1000000000 { u' = u[-1] }\n",
                   1, 1))
    for (int64_t x = 0; x < 97; x++) {
      int64_t from = ((x - INT64_C(1000000000)) % 97 + 97) % 97;
      CHECK_NEAR(run_at(&r, "u", x, 0, 0), sin(0.7 * (double)from), 1e-6);
    }
  run_close(&r);
}

CASE(a_constant_stays_for_a_billion_steps) {
  run r;
  if (!fftw_here()) return;
  if (run_spectral(&r,
                   "grid x = 12, y = 10\nfield u : f64, history 2 = 0.3\nboundary u = periodic\n"
                   "scalar k : f64 = 0.1\n"
                   "step 1000000000 { u' = 2*u - u[t-1] + k*laplacian(u, order = 8) }\n",
                   1, 1))
    for (int64_t x = 0; x < 12; x++) CHECK_NEAR(run_at(&r, "u", x, 3, 0), 0.3, 1e-14);
  run_close(&r);
}

/* Starting at rest, the wave cos(q x) stands: u after n steps is cos(q x) cos((n + 1/2) w) /
 * cos(w/2) where 2 cos(w) = 2 + 0.2 (cos(q) - 1). */
CASE(a_million_steps_of_a_standing_wave) {
  const double q = 2 * 3.14159265358979323846 / 256, w = 2 * asin(sqrt(0.1) * sin(q / 2));
  run          r;
  if (!fftw_here()) return;
  if (run_spectral(&r,
                   "grid x = 256\nfield u : f64, history 2 = cos(x*2*3.14159265358979323846/256)\n"
                   "boundary u = periodic\n"
                   "step 1000000 { u' = 2*u - u[t-1] + 0.1*(u[-1] - 2*u + u[1]) }\n",
                   1, 1))
    for (int64_t x = 0; x < 256; x++)
      CHECK_NEAR(run_at(&r, "u", x, 0, 0), cos(q * (double)x) * cos((1e6 + 0.5) * w) / cos(w / 2),
                 1e-8);
  run_close(&r);
}

/* What the weights of u[-1] and u miss a whole number by, of one step. */
static double excess_of(const char *value) {
  char    text[300];
  double  excess = NAN;
  program p;
  snprintf(text, sizeof text,
           "arithmetic plain\ngrid x = 8\nfield u : f64 = 1\nscalar k : f64 = 0.9\n"
           "boundary u = periodic\nstep 1 { u' = %s }\n",
           value);
  if (MUST_OPEN(&p, text)) {
    const double     scalar[] = {0.9};
    ik_amplification s;
    ik_amplification_of(p.ir, find_steps(p.ir), scalar, &p.arena, &s);
    CHECK_EQ(s.nvar, 1);
    CHECK_NEAR(s.sum[0].total, 1, 0);
    excess = s.sum[0].excess;
  }
  program_close(&p);
  return excess;
}

/* 0.1 and 0.9 are not quite one together.  Weights that were computed do not have that digit. */
CASE(weights_count_to_the_last_digit_whatever_side_they_stand_on) {
  double miss = 0x1p-55; /* 0.1 + 0.9 as f64, less 1 */
  CHECK_NEAR(excess_of("0.1*u[-1] + 0.9*u"), miss, 0);
  CHECK_NEAR(excess_of("u[-1]*0.1 + u*0.9"), miss, 0);
  CHECK_NEAR(excess_of("0.1*u[-1] + u*k"), miss, 0);
  CHECK_NEAR(excess_of("k*u + u[-1]*0.1"), miss, 0);
  CHECK_NEAR(excess_of("(0.5*0.2)*u[-1] + (u*0.3)*3"), 0, 0);
}

/* ---- memory ---- */

CASE(bytes_are_those_of_the_transforms) {
  program p;
  if (MUST_OPEN(&p, small)) {
    int64_t arrays = 2 * 20 * (27 / 2 + 1) * 16;
    int64_t one = ik_spectral_bytes(p.ir, find_steps(p.ir), 1);
    CHECK(one >= arrays && one < arrays + 64 * 1024);
  }
  program_close(&p);
}

/* Each thread has some, and every axis counts for how many are worth it. */
CASE(deep_grids_are_worth_more_threads) {
  program p;
  if (MUST_OPEN(&p, "grid x = 16, y = 16, z = 1024\nfield u : f64\nboundary u = periodic\n"
                    "step 9 { u' = u + 0.1*laplacian(u) }\n")) {
    int64_t one = ik_spectral_bytes(p.ir, find_steps(p.ir), 1);
    int64_t few = ik_spectral_bytes(p.ir, find_steps(p.ir), 3);
    CHECK_EQ(ik_spectral_bytes(p.ir, find_steps(p.ir), 5) - one, 2 * (few - one));
    CHECK(few > one);
  }
  program_close(&p);
}

CASE(without_memory_it_is_refused) {
  run          r;
  ik_spectral *x = NULL;
  if (!fftw_here() || !run_prepare(&r, small, 0, NULL)) return;
  const ik_stmt *steps = find_steps(r.p.ir);
  ik_team       *team = team_of(1);
  ik_status      st = IK_ERR_RESOURCE;
  for (long n = 0; st && n < 100; n++) {
    ik_mem_fail_after(n);
    st = ik_spectral_create(r.state, steps, team, &r.p.diag, &x);
    ik_mem_fail_after(-1);
    CHECK(st ? x == NULL : x != NULL);
    ik_diag_free(&r.p.diag);
  }
  CHECK_EQ(st, IK_OK);
  ik_mem_fail_after(0);
  CHECK_EQ(ik_spectral_advance(x, 1, &r.p.diag), IK_ERR_RESOURCE);
  ik_mem_fail_after(-1);
  CHECK_EQ(r.state->t, 0);
  ik_spectral_destroy(&x), ik_team_destroy(&team);
  run_close(&r);
}
