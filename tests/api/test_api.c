#define _GNU_SOURCE /* sched_getaffinity */
#include "api/api.h"
#include "check.h"
#include "ikat/ikat.h"
#include <sched.h>
#include <stdlib.h>

static const char heat[] = "grid x = 8, y = 6\nparam rate = 0.1\nfield u : f64 = x + 10*y\n"
                           "boundary u = copy\nstep 3 { u' = u + rate*laplacian(u) }\n";

typedef struct desk {
  ik_log     *log;
  ik_program *program;
  ik_run     *run;
} desk;

static ik_status open_program(desk *s, const char *text) {
  *s = (desk){.log = ik_log_create()};
  ik_status st = ik_program_from_text("test", text, s->log, &s->program);
  return st ? st : ik_program_compile(s->program, s->log);
}

static void close_desk(desk *s) {
  ik_run_destroy(&s->run);
  ik_program_destroy(&s->program);
  ik_log_destroy(&s->log);
}

CASE(advancing_in_pieces_is_advancing_at_once) {
  desk a, b;
  CHECK_EQ(open_program(&a, heat), IK_OK);
  CHECK_EQ(open_program(&b, heat), IK_OK);
  CHECK_EQ(ik_run_create(a.program, NULL, a.log, &a.run), IK_OK);
  CHECK_EQ(ik_run_create(b.program, NULL, b.log, &b.run), IK_OK);
  CHECK_EQ(ik_run_advance(a.run, -1, a.log), IK_OK);
  for (int i = 0; i < 3; i++) {
    CHECK(!ik_run_done(b.run));
    CHECK_EQ(ik_run_advance(b.run, 1, b.log), IK_OK);
  }
  CHECK(ik_run_done(a.run) && ik_run_done(b.run));
  ik_field_info info;
  const double *u = ik_run_data(a.run, "u", &info), *v = ik_run_data(b.run, "u", NULL);
  CHECK_EQ(info.bytes, 8 * 6 * 8);
  CHECK_EQ(info.n[0], 8);
  CHECK(memcmp(u, v, info.bytes) == 0);
  CHECK(ik_run_value(a.run, "u", 3, 2, 0) == u[2 * 8 + 3]);
  close_desk(&a), close_desk(&b);
}

/* A run on the arrays of one that is over, which are as it left them, ends as any other, whether
 * its engine wants them to lie so or not. */
CASE(arrays_of_a_run_that_is_over_serve_another) {
  static const char           wave[] = "grid x = 40, y = 30\nfield u : f32, history 2 = noise(1)\n"
                                       "field c : f32 = 0.1 + 0.1*noise(2)\nboundary u = 0\n"
                                       "step 9 { u' = 2*u - u[t-1] + c*laplacian(u) }\n";
  static const ik_run_options way[] = {{.target = "ref"},
                                       {.target = "cpu", .strategy = "sweep"},
                                       {.target = "cpu", .strategy = "fuse", .plan = "steps=3"}};
  for (int before = 0; before < 3; before++)
    for (int after = 0; after < 3; after++) {
      desk      s;
      ik_run   *origin = NULL, *late = NULL;
      ik_state *arrays = NULL;
      CHECK_EQ(open_program(&s, wave), IK_OK);
      CHECK_EQ(ik_run_create(s.program, &way[0], s.log, &origin), IK_OK);
      CHECK_EQ(ik_run_advance(origin, 0, s.log), IK_OK);
      CHECK_EQ(ik_run_create(s.program, &way[before], s.log, &s.run), IK_OK);
      CHECK_EQ(ik_run_advance(s.run, 7, s.log), IK_OK);
      ik_run_leave(&s.run, &arrays);
      CHECK(!s.run && arrays);
      CHECK_EQ(ik_run_create_in(s.program, &way[after], &arrays, s.log, &late), IK_OK);
      CHECK(!arrays && late->state->t == 0);
      CHECK_EQ(ik_run_follow(late, origin, s.log), IK_OK);
      CHECK_EQ(ik_run_advance(late, -1, s.log), IK_OK);
      CHECK_EQ(ik_run_advance(origin, -1, s.log), IK_OK);
      CHECK(ik_state_hash(late->state) == ik_state_hash(origin->state));
      ik_run_destroy(&origin), ik_run_destroy(&late);
      close_desk(&s);
    }
}

/* Initial values large enough to be computed by the threads of the engine, which are pinned:
 * whoever is still pinned afterwards counts one processor and gives the next run a single thread.
 */
CASE(a_run_that_begins_again_lets_its_caller_go) {
  desk      s;
  cpu_set_t before, after;
  CHECK_EQ(open_program(&s, "grid x = 2048, y = 1024\nfield u : f32 = noise(1)\n"
                            "step 2 { u' = 0.5*u }\n"),
           IK_OK);
  CHECK_EQ(sched_getaffinity(0, sizeof before, &before), 0);
  CHECK_EQ(
      ik_run_create(s.program, &(ik_run_options){.target = "cpu", .threads = 2}, s.log, &s.run),
      IK_OK);
  CHECK_EQ(ik_run_advance(s.run, 1, s.log), IK_OK);
  CHECK_EQ(ik_run_rewind(s.run, s.log), IK_OK);
  CHECK_EQ(sched_getaffinity(0, sizeof after, &after), 0);
  CHECK(CPU_EQUAL(&before, &after));
  close_desk(&s);
}

/* A program without loops is an operator, and bound arrays are how it is fed. */
CASE(an_operator_is_applied_again_to_new_data) {
  static const char *const targets[] = {"ref", "cpu"};
  for (int k = 0; k < 2; k++) {
    double in[16], out[16] = {0};
    desk   s;
    for (int i = 0; i < 16; i++) in[i] = i;
    CHECK_EQ(open_program(&s, "grid x = 16\nfield u, v : f64\nboundary u = 0\n"
                              "v = u[1] - u\ntotal = sum(v)\n"),
             IK_OK);
    CHECK_EQ(ik_run_create(s.program, &(ik_run_options){.target = targets[k], .threads = 2}, s.log,
                           &s.run),
             IK_OK);
    CHECK_EQ(ik_run_bind(s.run, "u", in, sizeof in, s.log), IK_OK);
    CHECK_EQ(ik_run_bind(s.run, "v", out, sizeof out, s.log), IK_OK);
    CHECK_EQ(ik_run_advance(s.run, -1, s.log), IK_OK);
    CHECK(out[3] == 1 && out[15] == -15 && ik_run_done(s.run));
    for (int i = 0; i < 16; i++) in[i] = 10 * i;
    CHECK_EQ(ik_run_advance(s.run, 0, s.log), IK_OK);
    CHECK(out[3] == 1); /* nothing was asked for */
    CHECK_EQ(ik_run_advance(s.run, -1, s.log), IK_OK);
    double total;
    CHECK(out[3] == 10 && out[15] == -150 && ik_run_done(s.run));
    CHECK(ik_run_scalar(s.run, "total", &total) && total == 0);
    in[0] = 7;
    CHECK_EQ(ik_run_advance(s.run, 1, s.log), IK_OK);
    CHECK(out[0] == 3);
    CHECK(ik_run_scalar(s.run, "total", &total) && total == -7);
    close_desk(&s);
  }
}

CASE(a_program_is_exported_as_c) {
  desk s = {.log = ik_log_create()};
  CHECK_EQ(ik_program_from_text("heat", heat, s.log, &s.program), IK_OK);
  CHECK(!ik_program_export(s.program, s.log)); /* it is not compiled */
  CHECK_EQ(ik_log_errors(s.log), 1);
  CHECK_EQ(ik_program_compile(s.program, s.log), IK_OK);
  const char *text = ik_program_export(s.program, s.log);
  CHECK(text && strstr(text, "int main(") && strstr(text, "u_at(u, y, x - 1)"));
  close_desk(&s);
  CHECK_EQ(open_program(&s, "grid x = 4\nfield u : f64 = file(\"u.npy\")\nstep 1 { u' = u }\n"),
           IK_OK);
  CHECK(!ik_program_export(s.program, s.log));
  ik_log_entry e;
  CHECK(ik_log_get(s.log, 0, &e) && strcmp(e.code, "E084") == 0);
  close_desk(&s);
}

static bool said(const desk *s, const char *text) {
  ik_log_entry e;
  for (int i = 0; ik_log_get(s->log, i, &e); i++)
    if (strstr(e.message, text)) return true;
  return false;
}

CASE(a_run_that_is_over_says_so) {
  desk s;
  CHECK_EQ(open_program(&s, heat), IK_OK);
  CHECK_EQ(ik_run_create(s.program, NULL, s.log, &s.run), IK_OK);
  CHECK_EQ(ik_run_advance(s.run, 5, s.log), IK_OK); /* as many as there are */
  double before = ik_run_value(s.run, "u", 3, 2, 0);
  CHECK_EQ(ik_run_advance(s.run, -1, s.log), IK_OK);
  CHECK_EQ(ik_run_advance(s.run, 0, s.log), IK_OK);
  CHECK_EQ(ik_log_count(s.log), 0);
  CHECK_EQ(ik_run_advance(s.run, 1, s.log), IK_ERR_SOURCE);
  CHECK(said(&s, "is over"));
  CHECK(ik_run_value(s.run, "u", 3, 2, 0) == before);
  close_desk(&s);
}

/* Neither a step that is made no times nor a repeat that ends at once is no loop. */
CASE(loops_without_rounds_are_loops) {
  static const char *const text[] = {
      "grid x = 4\nfield u : f64 = 1\nu = u + 1\nstep 0 { u' = 2*u }\n",
      "grid x = 4\nfield u : f64 = 1\nu = u + 1\nrepeat until sum(u) > 0 max 3 { u = 2*u }\n"};
  for (int k = 0; k < 2; k++) {
    desk s;
    CHECK_EQ(open_program(&s, text[k]), IK_OK);
    CHECK_EQ(ik_run_create(s.program, NULL, s.log, &s.run), IK_OK);
    for (int i = 0; i < 2; i++) CHECK_EQ(ik_run_advance(s.run, -1, s.log), IK_OK);
    CHECK(ik_run_value(s.run, "u", 0, 0, 0) == 2);
    close_desk(&s);
  }
}

/* Statements before and behind the loop run; the loop does not. */
CASE(no_steps_are_no_steps) {
  static const char text[] = "grid x = 4\nfield u : f64 = 1\nu = u + 1\n"
                             "step 5 { u' = 10*u }\nu = u + 0.5\n";
  for (int steps = -1; steps <= 1; steps++) {
    desk s;
    CHECK_EQ(open_program(&s, text), IK_OK);
    ik_program_set_steps(s.program, steps);
    CHECK_EQ(ik_program_compile(s.program, s.log), IK_OK);
    CHECK_EQ(ik_run_create(s.program, NULL, s.log, &s.run), IK_OK);
    CHECK_EQ(ik_run_advance(s.run, -1, s.log), IK_OK);
    CHECK(ik_run_value(s.run, "u", 2, 0, 0) == (steps < 0 ? 200000.5 : steps ? 20.5 : 2.5));
    CHECK_EQ(s.run->loop.done, steps < 0 ? 5 : steps);
    close_desk(&s);
  }
}

/* Zeros that differ in their sign alone, beyond faces that meet: the first axis decides about the
 * corner, and 1/u tells which zero was there. */
static void check_zeros(const char *x, const char *y, const char *z, const char *type) {
  char text[600];
  snprintf(text, sizeof text,
           "grid x = 70, y = 9, z = 8\nfield u : %s = 1\nfield v : %s\n"
           "boundary u { x = %s; y = %s; z = %s }\n"
           "def sign(a) = if 1/a > 0 then 1 else 2\n"
           "step 3 {\n  v' = sign(u[-1,-1,0]) + 3*sign(u[1,0,-1]) + 9*sign(u[0,1,1])\n"
           "     + 27*sign(u[-1,1,-1]) + 81*sign(u[0,-1,0]) + 243*sign(u[1,0,0])\n"
           "  u' = u + 0*(u[1,1,1] + u[-1,-1,-1])\n}\n",
           type, type, x, y, z);
  desk a, b;
  CHECK_EQ(open_program(&a, text), IK_OK);
  CHECK_EQ(open_program(&b, text), IK_OK);
  for (int k = 0; k < 3; k++) {
    static const char *const plan[] = {"sweep", "fuse steps=3", "sweep in_place=1"};
    ik_run_options o = {.target = "cpu", .threads = 2, .plan = plan[k]}, ref = {.target = "ref"};
    CHECK_EQ(ik_run_create(a.program, &o, a.log, &a.run), IK_OK);
    CHECK_EQ(ik_run_create(b.program, &ref, b.log, &b.run), IK_OK);
    CHECK_EQ(ik_run_advance(a.run, -1, a.log), IK_OK);
    CHECK_EQ(ik_run_advance(b.run, -1, b.log), IK_OK);
    CHECK(ik_state_hash(a.run->state) == ik_state_hash(b.run->state));
    ik_run_destroy(&a.run), ik_run_destroy(&b.run);
  }
  close_desk(&a), close_desk(&b);
}

CASE(zeros_beyond_faces_keep_their_signs) {
  check_zeros("0", "-0.0", "0", "f64");
  check_zeros("-0.0", "0", "-0.0", "f32");
  check_zeros("0", "0", "-0.0", "f64");
}

CASE(negative_counts_are_refused) {
  desk s;
  CHECK_EQ(open_program(&s, heat), IK_OK);
  CHECK_EQ(ik_run_create(s.program, &(ik_run_options){.threads = -1}, s.log, &s.run),
           IK_ERR_SOURCE);
  CHECK(!s.run && said(&s, "threads = -1"));
  CHECK_EQ(ik_run_create(s.program, &(ik_run_options){.check_every = -2}, s.log, &s.run),
           IK_ERR_SOURCE);
  CHECK(!s.run && said(&s, "check_every = -2"));
  CHECK_EQ(ik_run_create(s.program, NULL, s.log, &s.run), IK_OK);
  CHECK_EQ(ik_run_advance(s.run, -3, s.log), IK_ERR_SOURCE);
  CHECK(said(&s, "by -3 steps"));
  CHECK(ik_run_value(s.run, "u", 3, 2, 0) == 0); /* not even begun */
  ik_run_destroy(&s.run);
  ik_program_set_steps(s.program, -2);
  CHECK_EQ(ik_program_compile(s.program, s.log), IK_ERR_SOURCE);
  CHECK(said(&s, "-2 steps"));
  ik_program_set_steps(s.program, INT64_MAX);
  CHECK_EQ(ik_program_compile(s.program, s.log), IK_ERR_SOURCE);
  CHECK(said(&s, "0 to 1000000000000"));
  ik_program_set_steps(s.program, -1);
  CHECK_EQ(ik_program_compile(s.program, s.log), IK_OK);
  close_desk(&s);
}

CASE(a_bound_array_holds_the_result_for_odd_and_even_steps) {
  for (int steps = 0; steps <= 3; steps++) {
    double own[6][8];
    desk   s, ref;
    CHECK_EQ(open_program(&s, heat), IK_OK);
    CHECK_EQ(open_program(&ref, heat), IK_OK);
    for (int y = 0; y < 6; y++)
      for (int x = 0; x < 8; x++) own[y][x] = x + 10 * y;
    CHECK_EQ(ik_run_create(s.program, NULL, s.log, &s.run), IK_OK);
    CHECK_EQ(ik_run_create(ref.program, NULL, ref.log, &ref.run), IK_OK);
    CHECK_EQ(ik_run_bind(s.run, "u", own, sizeof own, s.log), IK_OK);
    CHECK_EQ(ik_run_advance(s.run, steps, s.log), IK_OK);
    CHECK_EQ(ik_run_advance(ref.run, steps, ref.log), IK_OK);
    CHECK(ik_run_data(s.run, "u", NULL) == own);
    CHECK(memcmp(own, ik_run_data(ref.run, "u", NULL), sizeof own) == 0);
    close_desk(&s), close_desk(&ref);
  }
}

CASE(a_wrong_binding_is_refused) {
  desk   s;
  double own[4];
  CHECK_EQ(open_program(&s, heat), IK_OK);
  CHECK_EQ(ik_run_create(s.program, NULL, s.log, &s.run), IK_OK);
  CHECK_EQ(ik_run_bind(s.run, "u", own, sizeof own, s.log), IK_ERR_SOURCE);
  CHECK_EQ(ik_run_bind(s.run, "w", own, sizeof own, s.log), IK_ERR_SOURCE);
  CHECK_EQ(ik_log_errors(s.log), 2);
  close_desk(&s);
}

CASE(parameters_take_effect_at_the_next_compile) {
  desk s;
  CHECK_EQ(open_program(&s, heat), IK_OK);
  CHECK_EQ(ik_program_set(s.program, "rate", "0.2", s.log), IK_OK);
  CHECK_EQ(ik_program_set(s.program, "x", "5", s.log), IK_OK);
  CHECK_EQ(ik_program_compile(s.program, s.log), IK_OK);
  ik_field_info info;
  CHECK(ik_program_field(s.program, 0, &info));
  CHECK_EQ(info.n[0], 5);
  CHECK(!ik_program_field(s.program, 1, &info));
  CHECK_EQ(ik_program_set(s.program, "rat", "1", s.log), IK_OK);
  CHECK_EQ(ik_program_compile(s.program, s.log), IK_ERR_SOURCE);
  ik_log_entry e;
  CHECK(ik_log_get(s.log, 0, &e));
  CHECK_STR(e.code, "E080");
  CHECK_STR(e.help, "did you mean 'rate'?");
  close_desk(&s);
}

CASE(messages_are_values_with_places) {
  desk s;
  CHECK_EQ(open_program(&s, "grid x = 8\nfield u : f64\nstep 1 { u' = u[1] + q }\n"),
           IK_ERR_SOURCE);
  ik_log_entry e;
  CHECK(ik_log_get(s.log, 0, &e));
  CHECK_STR(e.code, "E010");
  CHECK_STR(e.file, "test");
  CHECK_EQ(e.line, 3);
  CHECK_EQ(e.column, 22);
  CHECK_EQ(e.length, 1);
  CHECK(!e.warning);
  CHECK(!ik_log_get(s.log, 99, &e));
  close_desk(&s);
}

CASE(an_unstable_step_is_refused_with_its_limit) {
  desk s;
  CHECK_EQ(open_program(&s, "grid x = 16, y = 16\nparam dt = 0.3\nfield u : f64 = noise(1)\n"
                            "boundary u = periodic\nstep 10 { u' = u + dt*laplacian(u) }\n"),
           IK_OK);
  CHECK_EQ(ik_run_create(s.program, NULL, s.log, &s.run), IK_OK);
  CHECK_EQ(ik_run_advance(s.run, -1, s.log), IK_ERR_SOURCE);
  ik_log_entry e;
  CHECK(ik_log_get(s.log, 0, &e));
  CHECK_STR(e.code, "E071");
  CHECK_STR(e.message, "dt = 0.3 is beyond the stability limit 0.25");
  ik_run_destroy(&s.run);
  ik_run_options o;
  ik_run_options_init(&o);
  o.allow_unstable = true;
  CHECK_EQ(ik_run_create(s.program, &o, s.log, &s.run), IK_OK);
  CHECK_EQ(ik_run_advance(s.run, -1, s.log), IK_OK);
  close_desk(&s);
}

static bool warns_of_sampling(double spacing, char *message, double *wanted) {
  char text[400];
  desk s;
  snprintf(text, sizeof text,
           "grid x = 64, spacing = %.9g m\nparam dt = 0.1 ms\nfield u : f64, history 2\n"
           "boundary u = 0\nsource ricker(f = 15 Hz) at 30 into u\n"
           "step 5 { u' = 2*u - u[t-1] + (1500*dt)^2*laplacian(u, order = 6) }\n",
           spacing);
  CHECK_EQ(open_program(&s, text), IK_OK);
  CHECK_EQ(ik_program_check(s.program, s.log), IK_OK);
  ik_log_entry e;
  bool         said = ik_log_get(s.log, 0, &e);
  if (said) {
    CHECK_STR(e.code, "W004");
    strcpy(message, e.message);
    CHECK_EQ(sscanf(e.help, "use a spacing of %lf m", wanted), 1);
  }
  close_desk(&s);
  return said;
}

CASE(the_spacing_that_w004_asks_for_is_enough) {
  for (double h = 8.98; h < 30; h *= 1.01) { /* 1500/37.5 m / 4.5 = 8.89, less 1 % */
    char   message[200], other[200];
    double wanted;
    CHECK(warns_of_sampling(h, message, &wanted));
    CHECK(!strstr(message, "4.5 points")); /* needs 4.5 */
    CHECK(!warns_of_sampling(wanted, other, &wanted));
  }
}

CASE(a_velocity_that_varies_counts_with_its_largest_value) {
  static const char wave[] = "grid x = 64, spacing = 10 m\nparam dt = %s\n"
                             "field c : f64 = if x < 32 then 1000 else 2000\n"
                             "field u : f64, history 2\nboundary u = 0\n"
                             "step 5 { u' = 2*u - u[t-1] + (c*dt)^2*laplacian(u) }\n";
  for (int bad = 0; bad < 2; bad++) {
    char text[400];
    desk s;
    snprintf(text, sizeof text, wave, bad ? "5.1 ms" : "4.9 ms"); /* the limit is 10/2000 s */
    CHECK_EQ(open_program(&s, text), IK_OK);
    CHECK_EQ(ik_run_create(s.program, NULL, s.log, &s.run), IK_OK);
    CHECK_EQ(ik_run_advance(s.run, -1, s.log), bad ? IK_ERR_SOURCE : IK_OK);
    close_desk(&s);
  }
}

static volatile sig_atomic_t stop;
static void                  stop_now(const ik_progress *p, void *user) {
                   (void)user;
                   if (p->step >= 1) stop = 1;
}

CASE(a_run_can_be_stopped_and_goes_on_later) {
  desk           s, ref;
  ik_run_options o;
  stop = 1;
  ik_run_options_init(&o);
  o.stop = &stop, o.progress = stop_now;
  CHECK_EQ(open_program(&s, heat), IK_OK);
  CHECK_EQ(open_program(&ref, heat), IK_OK);
  CHECK_EQ(ik_run_create(s.program, &o, s.log, &s.run), IK_OK);
  CHECK_EQ(ik_run_create(ref.program, NULL, ref.log, &ref.run), IK_OK);
  CHECK_EQ(ik_run_advance(s.run, -1, s.log), IK_ERR_INTERRUPTED);
  CHECK(!ik_run_done(s.run));
  for (int i = 0; i < 10 && !ik_run_done(s.run); i++) stop = 0, ik_run_advance(s.run, -1, s.log);
  CHECK(ik_run_done(s.run));
  CHECK_EQ(ik_run_advance(ref.run, -1, ref.log), IK_OK);
  CHECK(memcmp(ik_run_data(s.run, "u", NULL), ik_run_data(ref.run, "u", NULL), 8 * 6 * 8) == 0);
  close_desk(&s), close_desk(&ref);
}

CASE(blow_up_is_found_and_a_large_source_is_none) {
  desk           s;
  ik_run_options o;
  ik_run_options_init(&o);
  o.allow_unstable = true;
  CHECK_EQ(open_program(&s, "grid x = 32\nfield u : f64 = noise(1)\nboundary u = 0\n"
                            "step 5000 { u' = u + 0.6*laplacian(u) }\n"),
           IK_OK);
  CHECK_EQ(ik_run_create(s.program, &o, s.log, &s.run), IK_OK);
  CHECK_EQ(ik_run_advance(s.run, -1, s.log), IK_ERR_NUMERIC);
  ik_log_entry e;
  CHECK(ik_log_get(s.log, 0, &e));
  CHECK_STR(e.code, "E070");
  CHECK(strstr(e.message, "'u' blows up"));
  close_desk(&s);
  CHECK_EQ(open_program(&s, "grid x = 64\nparam dt = 0.5\nfield u : f64, history 2\n"
                            "boundary u = 0\nsource 1e30*ricker(f = 0.02) at 32 into u\n"
                            "step 400 { u' = 2*u - u[t-1] + 0.25*laplacian(u) }\n"),
           IK_OK);
  CHECK_EQ(ik_run_create(s.program, NULL, s.log, &s.run), IK_OK);
  CHECK_EQ(ik_run_advance(s.run, -1, s.log), IK_OK);
  close_desk(&s);
}

CASE(non_finite_values_name_their_cell) {
  desk s;
  CHECK_EQ(open_program(&s,
                        "grid x = 8, y = 8\nfield u : f32 = 1\n"
                        "step 200 { u' = if t == 120 and x == 5 and y == 2 then sqrt(-u) else u }"
                        "\n"),
           IK_OK);
  CHECK_EQ(ik_run_create(s.program, NULL, s.log, &s.run), IK_OK);
  CHECK_EQ(ik_run_advance(s.run, -1, s.log), IK_ERR_NUMERIC);
  ik_log_entry e;
  CHECK(ik_log_get(s.log, 0, &e));
  CHECK(strstr(e.message, "'u' is not finite"));
  CHECK(strstr(e.message, "at x = 5, y = 2"));
  close_desk(&s);
}

CASE(too_large_a_grid_is_refused_before_it_is_allocated) {
  desk           s;
  ik_run_options o;
  ik_run_options_init(&o);
  o.max_memory = 100000;
  CHECK_EQ(open_program(&s, "grid x = 1000, y = 1000\nfield u : f64\nstep 1 { u' = u }\n"), IK_OK);
  CHECK_EQ(ik_run_create(s.program, &o, s.log, &s.run), IK_ERR_RESOURCE);
  ik_log_entry e;
  CHECK(ik_log_get(s.log, 0, &e));
  CHECK_STR(e.code, "E072");
  CHECK(strstr(e.help, "x=") && strstr(e.help, "y="));
  close_desk(&s);
}

CASE(verify_of_the_interpreter_is_identical) {
  desk        s;
  const char *text;
  CHECK_EQ(open_program(&s, heat), IK_OK);
  CHECK_EQ(ik_verify(s.program, NULL, s.log, false, &text), IK_OK);
  CHECK(strstr(text, "bit-identical"));
  CHECK_EQ(ik_verify(s.program, NULL, s.log, true, &text), IK_OK);
  CHECK(strstr(text, "\"identical\": true"));
  close_desk(&s);
}

static const char *default_target(const char *text) {
  desk s;
  CHECK_EQ(open_program(&s, text), IK_OK);
  const char *target = ik_default_target(s.program->ir);
  close_desk(&s);
  return target ? target : "best";
}

/* A million cells ten times, of five points, and a seventh of them, of 225. */
CASE(a_compiler_is_asked_where_there_is_much_to_compute) {
  CHECK_STR(default_target(heat), "ref");
  CHECK_STR(default_target("grid x = 1024, y = 1024\nfield u : f32\nboundary u = 0\n"
                           "step 10 { u' = u + 0.1*laplacian(u) }\n"),
            "ref");
  CHECK_STR(default_target("grid x = 384, y = 384\nfield u : f32\nboundary u = 0\n"
                           "weights w = box(7, 1/225)\nstep 10 { u' = stencil(u, w) }\n"),
            "best");
}

CASE(where_results_can_go_is_known_before) {
  ik_log *log = ik_log_create();
  CHECK_EQ(ik_can_write("/tmp/u.npy", IK_RESULT_ARRAY, log), IK_OK);
  CHECK_EQ(ik_can_write("/tmp/u.png", IK_RESULT_PICTURE, log), IK_OK);
  CHECK_EQ(ik_can_write("/tmp/not/there/yet", IK_RESULT_FOLDER, log), IK_OK);
  CHECK_EQ(ik_log_count(log), 0);
  CHECK_EQ(ik_can_write("/tmp/u.png", IK_RESULT_ARRAY, log), IK_ERR_SOURCE);
  CHECK_EQ(ik_can_write("/tmp/u.npy", IK_RESULT_PICTURE, log), IK_ERR_SOURCE);
  CHECK_EQ(ik_can_write("/tmp/not/there/u.npy", IK_RESULT_ARRAY, log), IK_ERR_RESOURCE);
  CHECK_EQ(ik_can_write("/dev/null/x", IK_RESULT_FOLDER, log), IK_ERR_RESOURCE);
  CHECK_EQ(ik_log_errors(log), 4);
  ik_log_destroy(&log);
}
