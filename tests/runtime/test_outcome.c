#include "runtime/outcome.h"
#include "lang/program.h"
#include <math.h>

static bool near(double a, double b) { return fabs(a - b) <= 1e-12 * fabs(b); }

/* What must hold of every outcome, whatever the time it took. */
static void check_consistent(const ik_outcome *o) {
  CHECK(o->seconds > 0 && near(o->rate, (double)o->points / o->seconds));
  CHECK(o->predicted_seconds > 0 && near(o->ratio, o->seconds / o->predicted_seconds));
  CHECK(near(o->predicted_rate, (double)o->points / o->predicted_seconds));
  CHECK(o->limited_by && o->basis);
  CHECK(o->roofline_share > 0 &&
        near(o->roofline_share, ik_roofs_seconds(&o->roofs, o->flops, o->traffic) / o->seconds));
  CHECK(near(o->attainable, ik_roofs_attainable(&o->roofs, o->intensity)));
}

CASE(operations_and_bytes_are_points_times_those_of_a_point) {
  run r;
  if (run_program(&r, "grid x = 40, y = 30\nfield u : f64 = noise(1)\nboundary u = 0\n"
                      "step 7 { u' = u + 0.1*(u[-1,0] + u[1,0] + u[0,-1] + u[0,1] - 4*u) }\n")) {
    ik_outcome o = ik_outcome_of(&r.loop, NULL);
    CHECK_EQ(o.points, 40 * 30 * 7);
    CHECK(o.flops == 9.0 * 40 * 30 * 7 && o.bytes == 16.0 * 40 * 30 * 7);
    CHECK(o.count == 7 && o.done && isnan(o.round_seconds) && isnan(o.joules));
    CHECK_STR(o.unit, "step");
    check_consistent(&o);
  }
  run_close(&r);
}

CASE(a_prediction_before_the_run_is_that_of_all_its_steps) {
  run r;
  if (run_prepare(&r, "grid x = 50\nfield u : f64 = x\nstep 6 { u' = 2*u + 1 }\n", 0, NULL)) {
    ik_outcome before = ik_outcome_before(&r.loop);
    CHECK_EQ(ik_loop_advance(&r.loop, 3, &r.p.diag), IK_OK);
    ik_outcome half = ik_outcome_of(&r.loop, NULL);
    CHECK_EQ(ik_loop_advance(&r.loop, -1, &r.p.diag), IK_OK);
    ik_outcome all = ik_outcome_of(&r.loop, NULL);
    CHECK(before.points == 300 && half.points == 150 && all.points == 300);
    CHECK(near(before.predicted_seconds, all.predicted_seconds));
    CHECK(near(2 * half.predicted_seconds, all.predicted_seconds));
    CHECK(!half.done && all.done);
  }
  run_close(&r);
}

CASE(a_repeat_is_predicted_by_its_rounds) {
  run r;
  if (run_prepare(&r,
                  "grid x = 64\nfield u : f64 = 1\nrepeat until sum(u) < 1 max 50 { u = 0.5*u }\n",
                  0, NULL)) {
    ik_outcome before = ik_outcome_before(&r.loop);
    ik_buf     words = {0};
    CHECK(before.round_seconds > 0 && isnan(before.predicted_seconds));
    ik_outcome_prediction(&before, &words);
    CHECK(strstr(ik_buf_text(&words), " a round"));
    CHECK_EQ(ik_loop_advance(&r.loop, -1, &r.p.diag), IK_OK);
    ik_outcome o = ik_outcome_of(&r.loop, NULL);
    CHECK(o.count == 7 && o.predicted_seconds > 7 * o.round_seconds); /* the last test as well */
    CHECK(o.predicted_seconds < 8 * o.round_seconds);
    CHECK_STR(o.unit, "round");
    check_consistent(&o);
    ik_buf_free(&words);
  }
  run_close(&r);
}

/* An engine whose every second is known. */
static bool forecast_known(const ik_engine *x, const ik_unit *u, int64_t times, ik_forecast *out) {
  (void)x, (void)u;
  ik_forecast_add(out, "arithmetic", "compute", 0.25 * (double)times, 0.25 * (double)times);
  ik_forecast_add(out, "memory", "memory", 0.75 * (double)times, (double)times);
  out->bytes += 100 * (double)times;
  return true;
}

/* Of two rounds that take a second each, after a start of five. */
CASE(what_a_run_takes_to_start_is_predicted_before_rounds_as_after_them) {
  run r;
  if (run_prepare(&r, "grid x = 8\nfield u : f64 = 1\nrepeat until sum(u) < 3 max 50 { u = u/2 }\n",
                  0, NULL)) {
    const ik_engine_ops *own = r.engine->ops;
    ik_engine_ops        ops = *own;
    ik_buf               words = {0};
    ops.forecast = forecast_known;
    r.engine->ops = &ops, r.engine->launch = 500e-6, r.engine->roofs.nlevel = 0;
    ik_outcome o = ik_outcome_before(&r.loop);
    CHECK(o.predicted_seconds == 500e-6 && o.round_seconds == 2); /* with its test */
    CHECK_STR(o.limited_by, "memory");
    ik_outcome_prediction(&o, &words);
    CHECK(strstr(ik_buf_text(&words), "2 s a round and 0.5 ms besides, memory-bound"));
    CHECK_EQ(ik_loop_advance(&r.loop, -1, &r.p.diag), IK_OK);
    r.engine->launch = 500;
    o = ik_outcome_of(&r.loop, NULL);
    CHECK(o.predicted_seconds == 505); /* two rounds, three tests */
    CHECK_STR(o.limited_by, "start of the run");
    ik_buf_free(&words);
    r.engine->ops = own;
  }
  run_close(&r);
}

static void take_model(void *ctx, const char *name, const char *words) {
  if (strcmp(name, "model") == 0) snprintf(ctx, 200, "%s", words);
}

static const char *model_of(const ik_outcome *o) {
  static char text[200];
  ik_outcome_each(o, take_model, text);
  return text;
}

/* What an outcome says of its prediction. */
static void check_prediction(const ik_outcome *o, const char *want) {
  ik_buf words = {0};
  ik_outcome_prediction(o, &words);
  CHECK_STR(ik_buf_text(&words), want);
  ik_buf_free(&words);
}

CASE(a_prediction_is_followed_by_what_it_rests_on) {
  ik_outcome o = {.predicted_seconds = 0.5, .predicted_rate = NAN, .round_seconds = NAN};
  o.bound = o.limited_by = "memory";
  check_prediction(&o, "0.5 s, memory-bound");
  o.basis = "a guess";
  check_prediction(&o, "0.5 s, memory-bound\na guess");
  o.predicted_rate = 2e9, o.limited_by = "DRAM";
  check_prediction(&o, "0.5 s, 2 GPts/s, memory-bound (DRAM)\na guess");
  o.round_seconds = 0.25;
  check_prediction(&o, "0.25 s a round and 0.5 s besides, memory-bound (DRAM)\na guess");
  o.predicted_seconds = NAN, o.limited_by = NULL;
  check_prediction(&o, "0.25 s a round\na guess");
  o.round_seconds = NAN; /* then it is the reason for none */
  check_prediction(&o, "not known: a guess");
  o.basis = NULL;
  check_prediction(&o, "not known");
}

CASE(without_work_there_is_a_reason_for_no_prediction) {
  run r;
  if (run_program(&r, "grid x = 8\nfield u : f64 = 1\nstep 0 { u' = u }\n")) {
    ik_outcome o = ik_outcome_of(&r.loop, NULL);
    CHECK(isnan(o.predicted_seconds) && !o.limited_by && !o.bound);
    CHECK_STR(o.basis, "nothing is computed");
    CHECK_STR(model_of(&o), "no prediction: nothing is computed");
    o.basis = NULL;
    CHECK_STR(model_of(&o), "no prediction");
  }
  run_close(&r);
}

/* Its joules too, or there is a reason why they are not known. */
CASE(a_simulated_run_takes_what_its_machine_takes) {
  run r;
  if (run_program(&r, "grid x = 8\nfield u : f64 = 1\nstep 1 { u' = u }\n")) {
    ik_simulated m = {.seconds = 0.5, .joules = 3};
    r.engine->simulated = &m;
    ik_outcome o = ik_outcome_of(&r.loop, NULL);
    CHECK(o.simulated && o.seconds == 0.5 && o.joules == 3 && !o.joules_why);
    CHECK_STR(o.joules_source, "simulated");
    m.joules = 0;
    o = ik_outcome_of(&r.loop, NULL);
    CHECK(isnan(o.joules) && !o.joules_source && o.joules_why);
  }
  run_close(&r);
}

CASE(measured_and_predicted_seconds_are_in_one_unit) {
  static const struct {
    double      seconds;
    const char *words;
  } of[] = {{1.5, "in 1.5 s   "},
            {0.01, "in 0.01 s   "},
            {0.0025, "in 2.5 ms   "},
            {76.2e-6, "in 76.2 us   "},
            {36e-9, "in 36 ns   "}};
  run r;
  if (run_program(&r, "grid x = 8\nfield u : f64 = 1\nstep 1 { u' = u }\n")) {
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
      ik_buf     words = {0};
      ik_outcome o = ik_outcome_of(&r.loop, NULL);
      o.seconds = of[i].seconds;
      ik_outcome_headline(&o, &words);
      CHECK(strstr(ik_buf_text(&words), of[i].words));
      ik_buf_free(&words);
    }
  }
  run_close(&r);
}

CASE(without_steps_it_is_one_pass) {
  run r;
  if (run_program(&r, "grid x = 64\nfield a, b : f32 = 1\nb = 2*a\n")) {
    ik_outcome o = ik_outcome_of(&r.loop, NULL);
    ik_buf     words = {0};
    ik_outcome_headline(&o, &words);
    CHECK(strncmp(ik_buf_text(&words), "done: 1 pass in ", 16) == 0);
    ik_buf_free(&words);
  }
  run_close(&r);
}

static bool forecast_nothing(const ik_engine *x, const ik_unit *u, int64_t times,
                             ik_forecast *out) {
  (void)x, (void)u, (void)times, (void)out;
  return false;
}

CASE(ratio_bound_and_share_follow_from_what_the_engine_says) {
  run r;
  if (run_program(&r, "grid x = 10\nfield u : f64 = 1\nstep 4 { u' = 3*u }\n")) {
    ik_engine           *x = r.engine;
    const ik_engine_ops *own = x->ops;
    ik_engine_ops        ops = *own;
    const ik_roofs roofs = {.peak = 1000, .type = "f64", .nlevel = 1, .level = {{"memory", 10}}};
    ops.forecast = forecast_known;
    x->ops = &ops, x->roofs = roofs, r.loop.seconds = 80;
    ik_outcome o = ik_outcome_of(&r.loop, NULL);
    CHECK(o.predicted_seconds == 4 && o.ratio == 20 && o.traffic == 400);
    CHECK_STR(o.bound, "memory");
    CHECK_STR(o.limited_by, "memory");
    CHECK(o.intensity == 0.1 && o.attainable == 1 && o.roofline_share == 0.5);
    x->roofs.level[0].name = "L2"; /* where the fields lie, their bytes come from */
    o = ik_outcome_of(&r.loop, NULL);
    CHECK_STR(o.bound, "cache");
    CHECK_STR(o.limited_by, "L2");
    x->launch = 6; /* whatever is computed */
    o = ik_outcome_of(&r.loop, NULL);
    CHECK(o.predicted_seconds == 10 && o.ratio == 8);
    CHECK_STR(o.limited_by, "start of the run");
    CHECK_STR(o.bound, "overhead");
    ops.forecast = forecast_nothing, x->no_forecast = "nobody knows";
    o = ik_outcome_of(&r.loop, NULL);
    CHECK(isnan(o.predicted_seconds) && isnan(o.ratio) && !o.limited_by && o.traffic == o.bytes);
    CHECK_STR(o.basis, "nobody knows");
    x->ops = own;
  }
  run_close(&r);
}
