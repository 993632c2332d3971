#include "runtime/watch.h"
#include "base/mem.h"
#include "lang/program.h"

typedef struct watched {
  program    p;
  ik_state  *state;
  ik_engine *engine;
  ik_watch   watch;
} watched;

static void watch_open(watched *w, const char *text) {
  MUST_OPEN(&w->p, text);
  CHECK_EQ(ik_state_create(w->p.ir, &w->p.diag, &w->state), IK_OK);
  const ik_target *target;
  ik_problem       problem = {.ir = w->p.ir};
  CHECK_EQ(ik_target_find("ref", &w->p.diag, &target), IK_OK);
  CHECK_EQ(target->open(&problem, &w->p.diag, &w->engine), IK_OK);
  CHECK_EQ(w->engine->ops->attach(w->engine, w->state, &w->p.diag), IK_OK);
  CHECK(ik_watch_init(&w->watch, w->p.ir));
}

static void watch_close(watched *w) {
  ik_watch_free(&w->watch);
  w->engine->ops->destroy(&w->engine);
  ik_state_destroy(&w->state);
  program_close(&w->p);
}

static void put(watched *w, const char *field, int64_t x, int64_t y, int64_t z, double v) {
  ik_state_put(w->state, program_field(&w->p, field), 0, (int64_t[]){x, y, z}, v);
}

static ik_status look(watched *w, int64_t step) {
  w->state->t = step;
  return ik_watch_check(&w->watch, w->engine, step, "step", &w->p.diag);
}

#define U "grid x = 4, y = 3, z = 2\nfield u : f64\nstep 9 { u' = u }\n"

/* ---- values that are not finite ---- */

CASE(every_corner_is_looked_at) {
  static const double bad[] = {NAN, INFINITY, -INFINITY};
  for (int k = 0; k < 24; k++) {
    watched w;
    char    where[60];
    int     x = k % 2 * 3, y = k / 2 % 2 * 2, z = k / 4 % 2;
    watch_open(&w, U);
    CHECK_EQ(look(&w, 0), IK_OK);
    put(&w, "u", x, y, z, bad[k / 8]);
    CHECK_EQ(look(&w, 7), IK_ERR_NUMERIC);
    snprintf(where, sizeof where, "at x = %d, y = %d, z = %d, found after step 7", x, y, z);
    CHECK(strstr(program_messages(&w.p), where));
    CHECK(strstr(program_messages(&w.p), "'u' is not finite"));
    watch_close(&w);
  }
}

/* Nothing in the program could have changed it since. */
CASE(a_field_that_is_never_assigned_is_looked_at_once) {
  watched w;
  watch_open(&w, "grid x = 4\nfield u, c : f64 = 1\nfield d : f64 = 2\n"
                 "step 3 { u' = c*u }\nd = 2*d\n");
  CHECK_EQ(look(&w, 0), IK_OK);
  put(&w, "c", 1, 0, 0, NAN);
  CHECK_EQ(look(&w, 5), IK_OK);
  put(&w, "d", 1, 0, 0, NAN);
  CHECK_EQ(look(&w, 6), IK_ERR_NUMERIC);
  watch_close(&w);
}

CASE(cells_of_long_rows_are_found_in_every_type) {
  static const char *const type[] = {"f64", "f32", "f16", "bf16"};
  for (int t = 0; t < 4; t++)
    for (int64_t x = 0; x < 2500; x += 417) {
      watched w;
      char    text[100], where[40];
      snprintf(text, sizeof text, "grid x = 2500\nfield u : %s\nstep 9 { u' = u }\n", type[t]);
      watch_open(&w, text);
      put(&w, "u", x, 0, 0, NAN);
      CHECK_EQ(look(&w, 1), IK_ERR_NUMERIC);
      snprintf(where, sizeof where, "at x = %d,", (int)x);
      CHECK(strstr(program_messages(&w.p), where));
      watch_close(&w);
    }
}

/* Behind an array of the caller's is whatever he has there. */
CASE(what_lies_behind_a_field_is_not_looked_at) {
  static const char *const type[] = {"f64", "f32"};
  for (int t = 0; t < 2; t++) {
    watched w;
    char    text[60];
    float   single[5] = {1, 2, 3, 4, 99};
    double  both[5] = {1, 2, 3, 4, 99};
    snprintf(text, sizeof text, "grid x = 4\nfield u : %s\nstep 9 { u' = u }\n", type[t]);
    watch_open(&w, text);
    ik_state_bind(w.state, program_field(&w.p, "u"), t ? (void *)single : (void *)both);
    CHECK_EQ(look(&w, 0), IK_OK);
    CHECK(w.watch.max_abs == 4);
    watch_close(&w);
  }
}

CASE(wrong_initial_values_are_called_that) {
  watched w;
  watch_open(&w, U);
  put(&w, "u", 1, 1, 1, NAN);
  CHECK_EQ(look(&w, 0), IK_ERR_NUMERIC);
  CHECK(strstr(program_messages(&w.p), "the initial values are not finite"));
  watch_close(&w);
}

CASE(the_value_before_and_the_place_in_metres_are_told) {
  watched w;
  watch_open(&w, "grid x = 9, spacing = 5 m\nparam dt = 2 ms\nfield u : f64\nstep 9 { u' = u }\n");
  put(&w, "u", 2, 0, 0, -42);
  CHECK_EQ(look(&w, 0), IK_OK);
  put(&w, "u", 3, 0, 0, NAN);
  CHECK_EQ(look(&w, 5), IK_ERR_NUMERIC);
  CHECK(strstr(program_messages(&w.p), "the largest |u| was 42"));
  CHECK(strstr(program_messages(&w.p), "x = 3 (15 m)"));
  watch_close(&w);
}

CASE(fields_that_stay_are_looked_at_and_integers_not) {
  watched w;
  watch_open(&w,
             "grid x = 4\nfield c : f32\nfield k : i32\nfield u : f64\nstep 1 { u' = c*k*u }\n");
  put(&w, "k", 0, 0, 0, 2147483647);
  put(&w, "c", 3, 0, 0, INFINITY);
  CHECK_EQ(look(&w, 0), IK_ERR_NUMERIC);
  CHECK(strstr(program_messages(&w.p), "'c' is not finite"));
  watch_close(&w);
}

/* No field has them: w is infinite where u does not take it. */
CASE(values_that_a_step_keeps_for_itself_are_not_looked_at) {
  run r;
  run_program(&r, "grid x = 4\nfield u : f64 = x\n"
                  "step 3 { w = 1/u; u' = if u > 0 then u + w else 0 }\n");
  CHECK_STR(r.loop.watch.field, "u");
  run_close(&r);
}

/* ---- blow-up ---- */

CASE(growth_is_measured_against_what_was_put_in) {
  watched w;
  watch_open(&w, U);
  put(&w, "u", 0, 0, 0, 2);
  CHECK_EQ(look(&w, 0), IK_OK);
  put(&w, "u", 0, 0, 0, 1.9e10);
  CHECK_EQ(look(&w, 1), IK_OK);
  put(&w, "u", 0, 0, 0, -2.1e10);
  CHECK_EQ(look(&w, 2), IK_ERR_NUMERIC);
  CHECK(strstr(program_messages(&w.p), "'u' blows up: 2.1e+10 at x = 0, y = 0, z = 0"));
  watch_close(&w);
}

CASE(a_large_field_that_does_not_grow_is_fine) {
  watched w;
  watch_open(&w, U);
  put(&w, "u", 0, 0, 0, 1e300);
  for (int k = 0; k < 5; k++) CHECK_EQ(look(&w, k), IK_OK);
  CHECK(w.watch.max_abs == 1e300);
  CHECK_STR(w.watch.field, "u");
  watch_close(&w);
}

CASE(what_sources_added_counts_as_put_in) {
  watched w;
  watch_open(&w, U);
  put(&w, "u", 0, 0, 0, 1e-30);
  CHECK_EQ(look(&w, 0), IK_OK);
  w.state->injected = 1e30;
  put(&w, "u", 0, 0, 0, 9e39);
  CHECK_EQ(look(&w, 1), IK_OK);
  put(&w, "u", 0, 0, 0, 2e40);
  CHECK_EQ(look(&w, 2), IK_ERR_NUMERIC);
  watch_close(&w);
}

CASE(a_field_that_starts_at_zero_is_measured_against_its_first_values) {
  watched w;
  watch_open(&w, U);
  CHECK_EQ(look(&w, 0), IK_OK);
  put(&w, "u", 0, 0, 0, 1e20);
  CHECK_EQ(look(&w, 25), IK_OK);
  put(&w, "u", 0, 0, 0, 9e29);
  CHECK_EQ(look(&w, 50), IK_OK);
  put(&w, "u", 0, 0, 0, 1.1e30);
  CHECK_EQ(look(&w, 75), IK_ERR_NUMERIC);
  watch_close(&w);
}

/* A field that grows by `rate` each step is stopped at most 100 steps after it crosses 1e10. */
CASE(slow_and_fast_growth_are_found_soon_after_crossing) {
  static const double rate[] = {1.02, 1.05, 1.2, 2, 10};
  for (size_t k = 0; k < sizeof rate / sizeof *rate; k++) {
    char text[200];
    run  r;
    snprintf(text, sizeof text, "grid x = 3\nfield u : f64 = 1\nstep 5000 { u' = %g*u }\n",
             rate[k]);
    if (run_prepare(&r, text, 100, NULL)) {
      CHECK_EQ(ik_loop_advance(&r.loop, -1, &r.p.diag), IK_ERR_NUMERIC);
      double crossing = 10 / log10(rate[k]);
      CHECK(r.loop.done >= crossing && r.loop.done <= crossing + 100);
    }
    run_close(&r);
  }
}

CASE(without_memory_there_is_no_watch) {
  program p;
  if (MUST_OPEN(&p, U))
    for (long n = 0; n < 3; n++) {
      ik_watch w;
      ik_mem_fail_after(n);
      CHECK(!ik_watch_init(&w, p.ir));
      ik_mem_fail_after(-1);
      ik_watch_free(&w);
    }
  program_close(&p);
}
