#include "runtime/loop.h"
#include "lang/program.h"

static const char everything[] =
    "grid x = 9\nfield u : f64 = noise(1)\nfield v : f64 = 1\nboundary u = periodic\n"
    "scalar s : f64 = 0\n"
    "source 0.1*t at 4 into u\n"
    "u = u + 1\n"
    "step 7 { u' = 0.5*u + 0.25*u[-1] + 0.25*u[1]; s = s + sum(u) }\n"
    "v = u*u\n"
    "repeat until sum(v) < 1 max 50 { v = 0.5*v }\n"
    "step 5 { u' = u - 0.1*v; v' = v + t }\n"
    "repeat until s < 0 max 3 { s = s + 1 }\n"
    "v = 2*v\n";

static uint32_t next(uint32_t *s) { return (*s = *s * 1664525u + 1013904223u) >> 8; }

CASE(any_split_gives_the_same_bits) {
  run whole;
  CHECK(run_program(&whole, everything));
  uint64_t want = ik_state_hash(whole.state);
  double   s = run_scalar(&whole, "s");
  int64_t  done = whole.loop.done, points = whole.loop.points;
  CHECK(whole.loop.at == NULL && whole.state->t == 12);
  CHECK_EQ(whole.loop.total, done);
  run_close(&whole);
  uint32_t seed = 1;
  for (int round = 0; round < 60; round++) {
    run r;
    if (run_prepare(&r, everything, 1 + round % 9, NULL)) {
      int calls = 0;
      while (r.loop.at && calls++ < 1000) {
        int64_t n = round == 0 ? 1 : (int64_t)(next(&seed) % 6);
        CHECK_EQ(ik_loop_advance(&r.loop, n, &r.p.diag), IK_OK);
      }
      CHECK(ik_state_hash(r.state) == want && run_scalar(&r, "s") == s);
      CHECK(r.loop.done == done && r.loop.points == points);
    }
    run_close(&r);
  }
}

CASE(advancing_does_so_many_steps_and_what_stands_before_the_next_loop) {
  run r;
  if (run_prepare(&r, everything, 0, NULL)) {
    CHECK_EQ(ik_loop_advance(&r.loop, 0, &r.p.diag), IK_OK);
    CHECK(r.loop.done == 0 && r.loop.at->kind == IK_STEPS);
    CHECK_EQ(ik_loop_advance(&r.loop, 6, &r.p.diag), IK_OK);
    CHECK(r.loop.done == 6 && r.loop.at->kind == IK_STEPS);
    CHECK_EQ(ik_loop_advance(&r.loop, 1, &r.p.diag), IK_OK);
    CHECK(r.loop.done == 7 && r.loop.at->kind == IK_REPEAT);
    CHECK(run_at(&r, "v", 3, 0, 0) == run_at(&r, "u", 3, 0, 0) * run_at(&r, "u", 3, 0, 0));
  }
  run_close(&r);
}

CASE(initial_values_can_be_looked_at_before_the_first_step) {
  run r;
  if (run_prepare(&r, "grid x = 4\nfield u : f64 = 5*x\nu = u + 1\nstep 1 { u' = u }\n", 0, NULL)) {
    CHECK_EQ(ik_loop_start(&r.loop, &r.p.diag), IK_OK);
    CHECK_EQ(ik_loop_start(&r.loop, &r.p.diag), IK_OK);
    CHECK(run_at(&r, "u", 3, 0, 0) == 15);
  }
  run_close(&r);
}

CASE(the_values_of_a_bound_array_are_the_initial_ones) {
  run    r;
  double own[4] = {7, 8, 9, 10};
  if (run_prepare(&r, "grid x = 4\nfield u : f64, history 2 = 5\nstep 3 { u' = u + u[t-1] }\n", 0,
                  NULL)) {
    ik_state_bind(r.state, 0, own);
    CHECK_EQ(ik_loop_advance(&r.loop, 1, &r.p.diag), IK_OK);
    CHECK(ik_state_data(r.state, 0, 0) == own && own[1] == 16); /* the level before is a copy */
    CHECK_EQ(ik_loop_advance(&r.loop, -1, &r.p.diag), IK_OK);
    CHECK(ik_state_data(r.state, 0, 0) == own && own[1] == 40);
  }
  run_close(&r);
}

/* ---- outputs and progress ---- */

typedef struct heard {
  int     n;
  int64_t t[64];
  int     which[64];
  int     shown;
  int64_t done;
} heard;

static ik_status on_output(int output, const ik_state *s, ik_diag *d, void *user) {
  heard *h = user;
  (void)d;
  h->which[h->n] = output, h->t[h->n++] = s->t;
  return IK_OK;
}

static void on_progress(const ik_loop_progress *p, void *user) {
  heard *h = user;
  h->shown++, h->done = p->done;
}

CASE(outputs_come_after_the_steps_they_ask_for) {
  for (int split = 0; split < 2; split++) {
    heard         h = {0};
    ik_loop_hooks hooks = {.output = on_output, .progress = on_progress, .user = &h};
    run           r;
    if (run_prepare(&r,
                    "grid x = 3\nfield u : f64\noutput u every 4 into \"a.npy\"\n"
                    "output u into \"end.npy\"\noutput u every 3 into \"b.npy\"\n"
                    "step 8 { u' = u + 1 }\nstep 5 { u' = u }\n",
                    0, &hooks))
      while (r.loop.at) CHECK_EQ(ik_loop_advance(&r.loop, split ? 1 : -1, &r.p.diag), IK_OK);
    static const int64_t t[] = {3, 4, 6, 8, 9, 12, 12};
    static const int     which[] = {2, 0, 2, 0, 2, 0, 2};
    CHECK_EQ(h.n, 7);
    for (int i = 0; i < 7; i++) CHECK(h.t[i] == t[i] && h.which[i] == which[i]);
    CHECK(h.shown > 0 && h.done == 13);
    run_close(&r);
  }
}

static ik_status no_output(int output, const ik_state *s, ik_diag *d, void *user) {
  (void)output, (void)s, (void)user;
  return ik_fail(d, IK_ERR_RESOURCE, IK_E064, IK_NOSPAN, "the disk is full");
}

CASE(an_output_that_fails_ends_the_run) {
  ik_loop_hooks hooks = {.output = no_output};
  run           r;
  if (run_prepare(&r,
                  "grid x = 3\nfield u : f64\noutput u every 4 into \"a.npy\"\n"
                  "step 8 { u' = u + 1 }\n",
                  0, &hooks)) {
    CHECK_EQ(ik_loop_advance(&r.loop, -1, &r.p.diag), IK_ERR_RESOURCE);
    CHECK_EQ(r.loop.done, 4);
  }
  run_close(&r);
}

/* ---- interruption ---- */

static volatile sig_atomic_t stop;
static ik_status             stop_at(int output, const ik_state *s, ik_diag *d, void *user) {
              (void)output, (void)d, (void)user;
              if (s->t == 6) stop = 1;
  return IK_OK;
}

CASE(a_run_stops_between_steps_and_goes_on) {
  static const char text[] = "grid x = 5\nfield u : f64 = noise(1)\nboundary u = 0\n"
                             "output u every 1 into \"u.npy\"\n"
                             "step 20 { u' = 0.5*(u[-1] + u[1]) }\n";
  ik_loop_hooks     hooks = {.stop = &stop, .output = stop_at};
  run               r;
  stop = 0;
  if (run_prepare(&r, text, 0, &hooks)) {
    CHECK_EQ(ik_loop_advance(&r.loop, -1, &r.p.diag), IK_ERR_INTERRUPTED);
    CHECK_EQ(r.loop.done, 6);
    CHECK(strstr(program_messages(&r.p), "E073") &&
          strstr(program_messages(&r.p), "after step 6 of 20"));
    stop = 0;
    CHECK_EQ(ik_loop_advance(&r.loop, -1, &r.p.diag), IK_OK);
    CHECK(ik_state_hash(r.state) == run_hash(text));
  }
  run_close(&r);
}

CASE(a_repeat_stops_too) {
  ik_loop_hooks hooks = {.stop = &stop};
  run           r;
  stop = 1;
  if (run_prepare(&r, "grid x = 5\nfield u : f64 = 1\nrepeat until sum(u) < 1 max 9 { u = u/2 }\n",
                  0, &hooks)) {
    CHECK_EQ(ik_loop_advance(&r.loop, -1, &r.p.diag), IK_ERR_INTERRUPTED);
    CHECK(strstr(program_messages(&r.p), "after round 0 of 9"));
    stop = 0;
    CHECK_EQ(ik_loop_advance(&r.loop, -1, &r.p.diag), IK_OK);
    CHECK(r.loop.repeat[0].rounds == 3 && r.loop.repeat[0].converged);
  }
  run_close(&r);
}

/* ---- repeats ---- */

CASE(a_repeat_counts_the_rounds_it_needed) {
  run r;
  if (run_program(&r,
                  "grid x = 5\nfield u : f64 = 1\nrepeat until sum(u) < 1 max 9 { u = u/2 }\n")) {
    CHECK(r.loop.repeat[0].rounds == 3 && r.loop.repeat[0].converged);
    CHECK(r.loop.done == 3 && r.loop.total == 3);
    CHECK_EQ(r.p.diag.nmsg, 0);
  }
  run_close(&r);
}

CASE(each_repeat_ends_in_its_own_way) {
  run r;
  if (run_prepare(&r,
                  "grid x = 5\nfield u : f64 = 1\nrepeat until sum(u) < 1 max 9 { u = u/2 }\n"
                  "repeat until sum(u) > 9 max 2 { u = 1.5*u }\n",
                  0, NULL)) {
    const ik_repeat *x = r.loop.repeat;
    CHECK_EQ(r.loop.nrepeat, 2);
    CHECK_EQ(ik_loop_advance(&r.loop, 2, &r.p.diag), IK_OK);
    CHECK(x[0].rounds == 2 && !x[0].over && !x[0].converged && x[1].rounds == 0 && !x[1].over);
    CHECK_EQ(ik_loop_advance(&r.loop, -1, &r.p.diag), IK_OK);
    CHECK(x[0].rounds == 3 && x[0].over && x[0].converged);
    CHECK(x[1].rounds == 2 && x[1].over && !x[1].converged);
  }
  run_close(&r);
}

CASE(a_condition_that_holds_at_once_means_no_round) {
  run r;
  if (run_program(&r, "grid x = 5\nfield u : f64 = 1\nrepeat until 1 < 2 max 9 { u = u/2 }\n"))
    CHECK(r.loop.repeat[0].rounds == 0 && run_at(&r, "u", 0, 0, 0) == 1);
  run_close(&r);
}

CASE(a_repeat_that_ends_early_is_a_warning) {
  run r;
  if (run_program(&r,
                  "grid x = 5\nfield u : f64 = 1\nrepeat until sum(u) < 1 max 2 { u = u/2 }\n")) {
    CHECK(r.loop.repeat[0].rounds == 2 && !r.loop.repeat[0].converged);
    CHECK_EQ(r.p.diag.msg[0].code, IK_W002);
    CHECK(strstr(program_messages(&r.p), "after 2 rounds"));
  }
  run_close(&r);
}

CASE(a_condition_that_the_last_round_reaches_is_reached) {
  run r;
  if (run_program(&r, "grid x = 5\nfield u : f64 = 1\nrepeat until sum(u) < 1 max 3 { u = u/2 }\n"))
    CHECK(r.loop.repeat[0].rounds == 3 && r.loop.repeat[0].converged && r.p.diag.nmsg == 0);
  run_close(&r);
}

/* ---- checks ---- */

CASE(values_are_checked_as_often_as_asked) {
  static const int64_t every[] = {1, 7, 25, 100, 1000};
  static const int64_t found[] = {31, 35, 50, 100, 100};
  for (int k = 0; k < 5; k++) {
    run r;
    if (run_prepare(&r,
                    "grid x = 5\nfield u : f64 = 1\n"
                    "step 400 { u' = if t == 30 then log(-u) else u }\n",
                    every[k], NULL)) {
      CHECK_EQ(ik_loop_advance(&r.loop, -1, &r.p.diag), IK_ERR_NUMERIC);
      CHECK_EQ(r.loop.done, found[k]);
    }
    run_close(&r);
  }
}

CASE(values_of_rounds_are_checked_as_often) {
  static const int64_t every[] = {1, 7, 25, 40, 1000};
  static const int64_t found[] = {31, 35, 50, 40, 60};
  for (int k = 0; k < 5; k++) {
    run r;
    if (run_prepare(
            &r,
            "grid x = 5\nfield u : f64 = 1\nscalar s : f64 = 0\n"
            "repeat until s > 59 max 400 { s = s + 1; u = if s == 31 then log(-u) else u }\n",
            every[k], NULL)) {
      CHECK_EQ(ik_loop_advance(&r.loop, -1, &r.p.diag), IK_ERR_NUMERIC);
      CHECK_EQ(r.loop.done, found[k]);
    }
    run_close(&r);
  }
}

CASE(the_last_step_is_always_checked) {
  run r;
  if (run_prepare(&r, "grid x = 5\nfield u : f64 = 1\nstep 3 { u' = log(-u) }\n", 100, NULL))
    CHECK_EQ(ik_loop_advance(&r.loop, -1, &r.p.diag), IK_ERR_NUMERIC);
  run_close(&r);
}

CASE(a_large_source_is_no_blow_up) {
  run r;
  run_program(&r, "grid x = 64\nparam dt = 0.5\nfield u : f64, history 2\nboundary u = 0\n"
                  "source 1e30*ricker(f = 0.02) at 32 into u\n"
                  "step 400 { u' = 2*u - u[t-1] + 0.25*laplacian(u) }\n");
  run_close(&r);
}
