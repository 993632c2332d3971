/* What the engine of the CPU does beside running passes. */
#include "check.h"
#include "random/trial.h"
#include "runtime/stepper.h"
#include <string.h>

/* Attached, but nobody has asked whether the compiler is done. */
static bool open_engine(trial *t, const char *text) {
  bool ok = trial_open(t, "cpu", text) && trial_engine(t, "cpu", NULL) &&
            !t->engine->ops->attach(t->engine, t->state, &t->diag);
  CHECK(ok);
  return ok;
}

static const ik_stmt *steps_of(const trial *t) {
  const ik_stmt *s = t->ir->body;
  while (s->kind != IK_STEPS) s = s->next;
  return s;
}

CASE(whoever_is_asked_for_steps_waits_for_the_compiler) {
  static trial t;
  if (open_engine(&t, "grid x = 64\nfield u : f64 = 1\nboundary u = periodic\n"
                      "step 3 { u' = 2*u[1] }\n")) {
    CHECK_EQ(t.engine->ops->run(t.engine, t.ir->init, NULL, &t.diag), IK_OK);
    CHECK_EQ(t.engine->ops->steps(t.engine, steps_of(&t), 3, &t.recorder, &t.diag), IK_OK);
    CHECK(trial_is_compiled(&t));
    for (int64_t x = 0; x < 64; x++) CHECK(ik_state_get(t.state, 0, 0, (int64_t[]){x, 0, 0}) == 8);
  }
  trial_close(&t);
}

/* Each operand waits in a row of its own while what stands right of it is computed. */
CASE(numbers_are_computed_from_long_expressions) {
  static trial t;
  char         text[600] = "grid x = 8\nscalar a : f64 = 1\nfield u : f64 = 0\na = ";
  for (int i = 0; i < 40; i++) strcat(text, "a / (");
  strcat(text, "a");
  for (int i = 0; i < 40; i++) strcat(text, ")");
  strcat(text, "\nu = a\n");
  if (open_engine(&t, text)) {
    CHECK_EQ(t.engine->ops->run(t.engine, t.ir->init, NULL, &t.diag), IK_OK);
    CHECK_EQ(t.engine->ops->run(t.engine, t.ir->body, NULL, &t.diag), IK_OK);
    CHECK(t.state->scalar[0] == 1);
  }
  trial_close(&t);
}

static double forecast_of(const trial *t, const ik_unit *u, const char *name) {
  ik_forecast f = {0};
  double      seconds = 0;
  CHECK(t->engine->ops->forecast(t->engine, u, 1, &f));
  for (int i = 0; i < f.npart; i++)
    if (!strcmp(f.part[i].name, name)) seconds = f.part[i].seconds;
  return seconds;
}

/* Small initial values are not worth a compiler. */
CASE(what_is_interpreted_has_a_price_of_its_own) {
  static const char operations[] = "interpreted operations";
  static trial      t;
  if (open_engine(&t, "grid x = 5000\nfield u : f64 = sin(x)\nboundary u = 0\n"
                      "step 3 { u' = u[1] + u[-1] }\n")) {
    const ik_stmt *steps = steps_of(&t);
    const ik_unit  values = {.first = t.ir->init};
    const ik_unit  loop = {.first = steps->body, .loop = steps};
    CHECK(forecast_of(&t, &values, operations) > 0);
    CHECK(forecast_of(&t, &loop, operations) == 0);
  }
  trial_close(&t);
}

/* ---- receivers ---- */

static const ik_stepper_ops *counted;
static int64_t               turns, made_at_most;

/* What the engine does, counted. */
static ik_status count_steps(ik_stepper *x, const ik_stmt *steps, int64_t most, int64_t *made,
                             ik_diag *d) {
  ik_status st = counted->steps(x, steps, most, made, d);
  turns++, made_at_most = *made > made_at_most ? *made : made_at_most;
  return st;
}

/* Runs the steps of a program in that way: the receivers have the interpreter's bits, and so many
 * steps are made in one go. */
static void check_whole(int line, const char *text, const char *words, int64_t steps) {
  static trial   a, b;
  ik_stepper_ops ops;
  ik_plan        plan = {.target = "cpu", .strategy = "fuse", .steps = 4, .threads = 2};
  plan.cpu.rows = plan.cpu.vectors = plan.cpu.planes = 1, plan.cpu.vector_bytes = 16;
  turns = made_at_most = 0;
  CHECK(ik_plan_read(words, &plan));
  if (trial_open(&a, "cpu", text) && trial_engine(&a, "cpu", &plan)) {
    ik_stepper *x = (ik_stepper *)a.engine;
    counted = x->does, ops = *counted, ops.steps = count_steps, x->does = &ops;
    bool same = trial_go(&a) && trial_open(&b, "cpu", text) && trial_play(&b, "ref", NULL) &&
                trial_same(&a, &b);
    if (!same || made_at_most != steps || (plan.steps == steps && turns != 12 / steps))
      check_fail(__FILE__, line, "%s: %d turns of up to %d steps\n%s%s", words, (int)turns,
                 (int)made_at_most, text, a.engine->loops);
    trial_close(&b);
  } else {
    check_fail(__FILE__, line, "%s is refused", words);
  }
  trial_close(&a);
}

#define EARS(at)                                                                                   \
  "param dt = 2 ms\nsource ricker(20 Hz) at " at " into u\nreceiver u at " at                      \
  " into \"a.npy\"\nreceiver c at " at " into \"b.npy\"\nreceiver u at " at                        \
  " every 3 into \"c.npy\"\nreceiver q at " at " with sinc into \"d.npy\"\n"
#define FIELDS                                                                                     \
  "field u : f32 = noise(1)\nfield q : f64\nfield c : f32 = noise(2)\nboundary u = mirror\n"

/* u is read around a cell and nobody reads q; c stays as it is. */
static const char          line_text[] =
    "grid x = 61\n" FIELDS EARS("60") "step 12 {\n"
                                      "  u' = 0.5*u + 0.2*u[1] + 0.2*c*u[-1]\n  q' = u\n}\n";
static const char plane_text[] = "grid x = 37, y = 50\n" FIELDS EARS(
    "(36, 49)") "step 12 {\n"
                "  u' = 0.5*u + 0.2*u[1, 0] + 0.2*c*u[0, -1]\n  q' = u\n}\n";
static const char room_text[] = "grid x = 19, y = 23, z = 40\n" FIELDS EARS(
    "(18, 0.5, 39)") "step 12 {\n  u' = 0.5*u + 0.2*u[1, 0, 0] + 0.2*c*u[0, -1, 1]\n  q' = u\n}\n";
static const char cell_text[] = "grid x = 1, y = 1, z = 1\n" FIELDS EARS(
    "(0, 0, 0)") "step 12 {\n"
                 "  u' = 0.5*u + 0.2*u[1, 0, 0] + 0.2*c*u[0, -1, 1]\n  q' = u\n}\n";

CASE(receivers_leave_passes_of_several_steps_whole) {
  static const char *const text[] = {line_text, plane_text, room_text, cell_text};
  for (int i = 0; i < 4; i++) {
    check_whole(__LINE__, text[i], "fuse steps=2", 2);
    check_whole(__LINE__, text[i], "fuse steps=4 tile=16,5,7", 4);
    check_whole(__LINE__, text[i], "fuse steps=3 tile=8,8 planes=2", 3);
    check_whole(__LINE__, text[i], "hex steps=2 tile=0,12,12", 8);
    check_whole(__LINE__, text[i], "skew steps=3 tile=0,8", 12);
  }
}

CASE(receivers_that_seldom_listen_leave_tiles_of_time_whole) {
  static const char text[] = "grid x = 20, y = 40\nfield u : f32 = noise(1)\nboundary u = copy\n"
                             "receiver u at (3, 39) every 70 into \"a.npy\"\n"
                             "step 75 { u' = 0.5*u + 0.2*u[0, 1] + 0.2*u[1, 0] }\n";
  check_whole(__LINE__, text, "hex steps=2 tile=0,8", 70);
}
