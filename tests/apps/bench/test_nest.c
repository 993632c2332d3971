/* The plain loops that are written from programs, held against the interpreter.  Sums may be formed
 * in another order, so they agree to rounding, not bit by bit. */
#include "api/api.h"
#include "apps/bench/contender.h"
#include "apps/bench/loops.h"
#include "check.h"
#include "random/generate.c" /* the random programs of tests/random */
#include <math.h>

enum { STEPS = 4 };

/* Steps of the first loop of a program, all but the last, since other statements may follow that
 * one.  0: there are none. */
static int64_t steps_of(const ik_ir *ir) {
  const ik_stmt *s = ir->body;
  while (s && !ik_stmt_is_loop(s)) s = s->next;
  return !s ? 0 : s->count > STEPS ? STEPS : s->count - 1;
}

/* These steps, done by both, in all ways to compile: the error.  -1: no plain loop is written, -2:
 * something fails. */
static double error_of(const char *text) {
  ik_log        *log = ik_log_create();
  ik_program    *p = NULL;
  ik_run        *run = NULL;
  ik_loops      *l = NULL;
  ik_run_options o;
  double         error = -2;
  ik_run_options_init(&o);
  o.target = "ref", o.quiet_files = true, o.allow_unstable = true;
  if (ik_program_from_text("test.ik", text, log, &p) || ik_program_compile(p, log)) goto done;
  int64_t steps = steps_of(p->ir);
  if (steps < 1 || ik_loops_missing(p->ir)) {
    error = -1;
    goto done;
  }
  for (int way = 0; way < IK_PLAINS; way++) {
    if (ik_run_create(p, &o, log, &run) || ik_run_advance(run, 0, log)) goto done;
    if (!l && ik_loops_open(p->ir, 3, NULL, &log->d, &l)) goto done;
    ik_loops_load(l, run->state);
    ik_loops_run(l, way, steps);
    if (ik_run_advance(run, steps, log)) goto done;
    error = fmax(error, ik_loops_error(l, run->state));
    ik_run_destroy(&run);
  }
done:
  if (error == -2) puts(ik_log_text(log, false)), puts(text);
  ik_loops_close(&l);
  if (run) ik_run_destroy(&run);
  if (p) ik_program_destroy(&p);
  ik_log_destroy(&log);
  return error;
}

/* f64, so that what is left of rounding is far from anything that is wrong. */
static bool agrees(const char *text) {
  double error = error_of(text);
  if (error >= 0 && error < 1e-11) return true;
  printf("off by %g:\n%s\n", error, text);
  return false;
}

CASE(faces_of_all_kinds_and_their_corners) {
  CHECK(agrees("grid x = 11, y = 7\nfield u : f64 = noise(1)\n"
               "boundary u { -x = mirror; +x = antimirror; -y = reflect; +y = antireflect }\n"
               "weights w = box(3, (1 + i + 2*j)/49)\nstep 9 { u' = stencil(u, w) }\n"));
  CHECK(agrees("grid x = 11, y = 7, z = 6\nfield u : f64 = noise(1)\n"
               "boundary u { -x = copy; +x = x + y/2; -y = 0.3; +y = sin(0.2*x + z + t); "
               "z = periodic }\n"
               "weights w = box(2, (1 + i + 2*j + 3*k)/125)\nstep 9 { u' = stencil(u, w) }\n"));
  CHECK(agrees("grid x = 9, y = 8\nfield u : f64 = noise(1)\nfield k : f64 = noise(2)\n"
               "boundary u = antimirror\nboundary k = periodic\n"
               "step 9 { s = sum(u)/72\n u' = 0.5*u[-1,1] + k[1,-2]*u[2,0]/4 + s/9 }\n"));
}

CASE(history_stages_and_regions) {
  CHECK(agrees("grid x = 23, y = 9\nfield u : f64, history 3 = noise(1)\nfield v : f64 = noise(2)\n"
               "boundary u, v = 0.25\ninit u[t-2] = noise(3)\n"
               "step 9 {\n a = 0.5*u[1,0] + 0.25*u[t-1, 0, 1] + 0.125*u[t-2]\n b = a*v\n"
               " u' = a[-1,0] - 0.5*a[0,2]\n u' = 0.5*b on interior(2, 3)\n"
               " v' = v + 0.1*u'[1,1]\n}\n"));
}

CASE(a_boundary_that_changes_is_that_of_the_level) {
  CHECK(agrees("grid x = 23, y = 9\nfield u : f64, history 2 = noise(1)\n"
               "field v : f64 = noise(2)\nboundary u = sin(0.7*t + 0.1*y)\n"
               "step 9 {\n u' = 0.4*u[1,0] + 0.3*u[t-1, 0, 1] + 0.2*u[t-1, -1, 0]\n"
               " v' = 0.5*v + 0.1*u'[1,0] }\n"));
}

CASE(what_is_read_beside_is_not_written_in_the_same_nest) {
  CHECK(agrees("grid x = 23, y = 9\nfield u : f64 = noise(1)\nfield p : f64\n"
               "field q : f64 = noise(2)\nboundary q = 0\n"
               "step 9 {\n p = 0.5*q[-1,0] + 0.5*q[0,-1]\n q = 0.9*q + 0.1*u\n u' = 0.9*p }\n"));
}

CASE(an_assignment_that_reads_its_own_neighbours) {
  CHECK(agrees("grid x = 23, y = 9\nfield u : f64 = noise(1)\nfield p : f64 = noise(2)\n"
               "boundary u, p = mirror\n"
               "step 9 {\n p = 0.5*p[1,0] + 0.5*p[0,-1]\n p = 0.9*p + 0.1*u\n u' = p[-1,0] }\n"));
}

CASE(fields_on_some_axes_and_with_more_cells) {
  CHECK(agrees("grid x = 12, y = 7\nfield u : f64, on (x+1, y) = noise(1)\n"
               "field h : f64 = noise(2)\nfield c : f64, on y = 0.1 + 0.05*y\n"
               "boundary h, u, c = mirror\n"
               "step 9 {\n u' = u + 0.1*(h - h[-1,0])\n h' = h + c[1]*(u'[1,0] - u')\n"
               " c = 0.9*c[-1] + 0.01*t }\n"));
}

CASE(sweeps_in_all_directions) {
  CHECK(agrees("grid x = 9, y = 8, z = 7\nfield u : f64 = noise(1)\nfield v : f64 = noise(2)\n"
               "boundary u = 0.5\n"
               "step 9 {\n sweep z up { v = 0.5*v + 0.25*u[0,0,-1] }\n"
               " sweep x down { at first { v = u }\n within { v = 0.5*v[1,0,0] + u/4 } }\n"
               " sweep y up { at first { a = u }\n within { a = 0.5*a[0,-1,0] + v/4 }\n"
               "   at last { a = 0.5*a[0,-1,0] + v/8 } }\n"
               " u' = 0.5*u + 0.1*a }\n"));
  CHECK(
      agrees("grid x = 13, y = 8\nfield u : f64 = noise(1)\nfield h : f64\nboundary u, h = 0.1\n"
             "step 9 {\n sweep x up, y down { h = max(0.5*h[-1,1] + u, 0.9*h[-1,0], 0.8*h[0,1]) }\n"
             " sweep y up { h = 0.5*h[-1,-1] + 0.25*h[1,-1] }\n"
             " u' = 0.5*h + 0.1*u }\n"));
  CHECK(agrees("grid x = 13, y = 8\nfield u : f64 = noise(1)\nfield h : f64\nboundary h = 0.1\n"
               "step 9 {\n sweep x up, y up { h = 0.5*h[-1,1] + 0.4*u }\n u' = 0.5*h }\n"));
}

CASE(whole_numbers_wrap) {
  CHECK(agrees("grid x = 23, y = 9\nfield n : i32 = int(1000*noise(1)) - 500\n"
               "field m : i32 = int(9*noise(2)) - 4\nboundary n, m = periodic\n"
               "step 9 {\n s = max(n)\n l = min(m)\n"
               " n' = 70001*n[1,0]*n - n/m[0,1] + mod(n, m) + s - l + abs(m) }\n"));
}

CASE(conditions_and_functions) {
  CHECK(agrees("grid x = 23, y = 9\nfield u : f64 = 0.1 + noise(1)\nboundary u = copy\n"
               "step 9 {\n u' = if x < 5 or (y > 3 and not x == 8) then sqrt(u) else\n"
               "  exp(-u[1,0]^2)/(1 + abs(log(u))) + 0.1*noise(4)*mod(x, 3) + tanh(0.1*t) }\n"));
}

CASE(sources_are_added) {
  CHECK(agrees("grid x = 24, y = 22, spacing = 10 m\nparam dt = 1 ms\n"
               "field u : f64, history 2\nboundary u = absorbing(4)\n"
               "source ricker(60 Hz) at (11.3, 12.6) into u\n"
               "receiver u at (5, 5) into \"r.npy\"\n"
               "step 40 { u' = 2*u - u[t-1] + (2000 m/s*dt)^2*laplacian(u, order = 4) }\n"));
}

LONG_CASE(random_programs) {
  const unsigned without = IK_RANDOM_F16 | IK_RANDOM_BF16 | IK_RANDOM_I32 | IK_RANDOM_CONDITIONS |
                           IK_RANDOM_REPEAT | IK_RANDOM_FAR | IK_RANDOM_MIXED |
                           IK_RANDOM_ELEMENTARY | IK_RANDOM_ARITHMETIC;
  ik_random_options o = {IK_RANDOM_EVERYTHING & ~without, 3, 4000, 6};
  int               done = 0;
  for (uint64_t seed = 1; done < 12 && seed < 200; seed++) {
    ik_buf text = {0};
    ik_random_program(seed, &o, &text);
    double error = error_of(ik_buf_text(&text));
    CHECK(error != -2);
    bool wrong = error > 1e-4;
    CHECK(!wrong);
    if (wrong) printf("seed %d, off by %g\n%s\n", (int)seed, error, ik_buf_text(&text));
    done += error >= 0;
    ik_buf_free(&text);
  }
  CHECK_EQ(done, 12);
}

CASE(what_cannot_be_written_is_said) {
  CHECK_NEAR(error_of("grid x = 9\nfield u : f16 = noise(1)\nstep 9 { u' = u/2 }\n"), -1, 0);
  CHECK_NEAR(error_of("grid x = 9\nfield u : f64 = noise(1)\nu = u/2\n"), -1, 0);
  CHECK_NEAR(error_of("grid x = 3\nfield u : f64 = noise(1)\nboundary u = mirror\n"
                      "step 9 { u' = u[5] }\n"),
             -1, 0);
}

CASE(every_example_has_one) {
  const ik_bench_suite *s = ik_bench_suite_find("examples");
  for (int i = 0; i < s->ncase; i++) {
    ik_log     *log = ik_log_create();
    ik_program *p;
    CHECK_EQ(ik_contender_program(&s->cases[i], &s->cases[i].small, log, &p), IK_OK);
    CHECK(ik_loops_missing(p->ir) == NULL);
    CHECK_EQ(ik_log_count(log), 0);
    ik_program_destroy(&p);
    ik_log_destroy(&log);
  }
}
