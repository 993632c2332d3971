/* What the engine of the CPU does beside running passes. */
#include "check.h"
#include "random/trial.h"

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
