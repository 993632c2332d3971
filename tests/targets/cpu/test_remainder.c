/* Cells that rows leave as they are, when somebody else writes to them. */
#include "base/pages.h"
#include "check.h"
#include "random/trial.h"
#include "targets/cpu/isa.h"
#include "targets/cpu/remainder.h"
#include "targets/cpu/compile.h"
#include "targets/cpu/team.h"

static const char text[] =
    "param n = 9\ngrid x = 128, y = 12, z = 4\nfield in : f32 = noise(1)\nfield out : f32 = 3\n"
    "boundary in = mirror\nrepeat until n < 0 max n {\n"
    "  out = in[1, 0, 0] + in[-1, 0, 0] on interior(2, 2, 0)\n}\nout = 0.5*out\n";

enum { CELLS = 128 * 12 * 4, RIM = (2 * 12 + 5) * 128 }; /* the first cell of a row */

static int out_of(const trial *t) {
  int f = 0;
  while (strcmp(t->ir->field[f].name, "out")) f++;
  return f;
}

static void run(trial *t, const ik_stmt *first, const ik_stmt *end) {
  CHECK_EQ(t->engine->ops->run(t->engine, first, end, &t->diag), IK_OK);
}

static void run_rounds(trial *t, int n) {
  while (n-- > 0) run(t, t->ir->body->body, NULL);
}

/* Attached and with its initial values; `array` is the caller's, or NULL. */
static bool open_program(trial *t, const char *program, float *array) {
  ik_plan plan = {.target = "cpu", .strategy = "sweep", .steps = 1, .cpu.vector_bytes = 64};
  plan.cpu.stream = true, plan.threads = 2, plan.cpu.rows = plan.cpu.vectors = plan.cpu.planes = 1;
  plan.tile[1] = 12;
  memset(t, 0, sizeof *t);
  if (!trial_can_run(plan.cpu.vector_bytes)) {
    printf("not run: no vectors of 64 bytes here\n");
    return false;
  }
  bool ok = trial_open(t, "kept", program) && trial_engine(t, "cpu", &plan);
  CHECK(ok && strstr(t->engine->loops, "a remainder of 4 cells"));
  ok = ok && !t->engine->ops->attach(t->engine, t->state, &t->diag);
  CHECK(ok);
  if (!ok) return false;
  ik_engine_ready(t->engine, &t->diag);
  if (array) ik_state_bind(t->state, out_of(t), array);
  run(t, t->ir->init, NULL);
  return true;
}

static bool open_trial(trial *t, float *array) { return open_program(t, text, array); }

static double value_of(const trial *t, int64_t x) {
  return ik_state_get(t->state, out_of(t), 0, (int64_t[]){x, 5, 2});
}

CASE(cells_of_a_row_stay_as_they_are) {
  static trial t;
  if (open_trial(&t, NULL)) {
    run_rounds(&t, 5);
    const int64_t rim[] = {0, 1, 126, 127};
    for (int i = 0; i < 4; i++) CHECK(value_of(&t, rim[i]) == 3);
    CHECK(value_of(&t, 2) != 3 && value_of(&t, 125) != 3);
  }
  trial_close(&t);
}

/* Between two rounds the field is halved, rim and all. */
CASE(another_statement_may_write_them) {
  static trial t;
  if (open_trial(&t, NULL)) {
    run_rounds(&t, 4);
    run(&t, t.ir->body->next, NULL);
    CHECK(value_of(&t, 127) == 1.5);
    run_rounds(&t, 1);
    CHECK(value_of(&t, 0) == 1.5 && value_of(&t, 127) == 1.5);
    run_rounds(&t, 3);
    CHECK(value_of(&t, 0) == 1.5 && value_of(&t, 127) == 1.5);
  }
  trial_close(&t);
}

/* Whoever has bound an array writes to it while the engine pauses, which the engine is told. */
static void check_bound(float *array) {
  static trial t;
  if (open_trial(&t, array)) {
    run_rounds(&t, 4);
    CHECK(array[RIM] == 3);
    array[RIM] = 7, array[RIM + 127] = 8;
    ik_engine_take_bound(t.engine);
    run_rounds(&t, 1);
    CHECK(array[RIM] == 7 && array[RIM + 127] == 8);
    run_rounds(&t, 3);
    CHECK(array[RIM] == 7 && array[RIM + 1] == 3 && array[RIM + 127] == 8);
  }
  trial_close(&t);
}

CASE(whoever_has_bound_an_array_may_write_them) {
  float *array = ik_pages_alloc((CELLS + 16) * sizeof *array);
  CHECK(array);
  if (array) check_bound(array);
  if (array) check_bound(array + 1); /* lines begin elsewhere */
  ik_pages_free(array);
}

/* Another array, while the engine works on: what was kept of the first is not that of the second.
 */
CASE(another_array_has_others) {
  static trial t;
  float       *array = ik_pages_alloc(CELLS * sizeof *array);
  if (array && open_trial(&t, NULL)) {
    run_rounds(&t, 4);
    for (int i = 0; i < CELLS; i++) array[i] = 11;
    ik_state_bind(t.state, out_of(&t), array);
    run_rounds(&t, 1);
    CHECK(array[RIM] == 11 && array[RIM + 126] == 11);
    run_rounds(&t, 3);
    CHECK(array[RIM] == 11 && array[RIM + 126] == 11 && array[RIM + 5] != 11);
  }
  trial_close(&t);
  ik_pages_free(array);
}

/* What writes without a pass (the interpreter, sweeps in place, waves) makes the engine forget all
 * rows: they are put aside anew, the next time but one. */
CASE(what_was_forgotten_is_put_aside_anew) {
  static trial t;
  ik_arena     a;
  ik_compile   parts;
  ik_problem   problem = {0};
  ik_team     *team = NULL;
  ik_isa       isa = ik_isa_local();
  ik_plan      plan = {.target = "cpu", .strategy = "sweep", .steps = 1, .cpu.vector_bytes = 64};
  plan.cpu.stream = true, plan.threads = 1, plan.cpu.rows = plan.cpu.vectors = plan.cpu.planes = 1;
  plan.tile[1] = 12;
  ik_arena_init(&a);
  memset(&t, 0, sizeof t);
  bool ok = trial_open(&t, "kept", text);
  isa.vector_bytes = 64;
  problem.ir = t.ir, problem.plan = &plan;
  ok = ok && !ik_compile_plan(&problem, &isa, 1, false, &a, &t.diag, &parts);
  if (ok) ik_compile_lower(&parts);
  ok = ok && !ik_state_create_in(t.ir, parts.layout, &t.diag, &t.state);
  CHECK(ok && !ik_team_create(1, &t.diag, &team));
  if (ok) {
    ik_remainder *k = ik_remainder_create(t.ir, parts.pass, parts.npass);
    int           rounds = 0, found = 0;
    for (int p = 0; p < parts.npass; p++) { /* whichever of them leaves something */
      ik_remainder_before(k, t.state, parts.pass[p], team);
      for (int b = 0; b < parts.pass[p]->nbuffer; b++) {
        rounds = 0;
        ik_remainder_forget(k);
        while (rounds++ < 4 && !ik_remainder_before(k, t.state, parts.pass[p], team)[b]) continue;
        if (rounds > 4) continue;
        found++;
        CHECK(ik_remainder_before(k, t.state, parts.pass[p], team)[b] != NULL);
        ik_remainder_forget(k);
        CHECK(ik_remainder_before(k, t.state, parts.pass[p], team)[b] == NULL);
        CHECK(ik_remainder_before(k, t.state, parts.pass[p], team)[b] != NULL);
      }
    }
    CHECK(found > 0);
    ik_remainder_destroy(&k);
    ik_compile_free(&parts);
  }
  ik_team_destroy(&team);
  trial_close(&t);
  ik_arena_free(&a);
}

/* A call finds in its table what it put there, not what a pass with other inputs has left. */
CASE(other_passes_have_tables_of_their_own) {
  static const char two[] =
      "param n = 9\ngrid x = 128, y = 12, z = 4\nfield in : f32 = noise(1)\nfield out : f32 = 3\n"
      "field a, b, c, d, e, f : f32 = 0.5\n"
      "boundary in = mirror\nrepeat until n < 0 max n {\n"
      "  out = in[1, 0, 0] + in[-1, 0, 0] on interior(2, 2, 0)\n}\na = a*b + c*d + e*f\n";
  static trial t;
  if (open_program(&t, two, NULL)) {
    for (int i = 0; i < 4; i++) {
      run(&t, t.ir->body->next, NULL);
      run_rounds(&t, 3);
      CHECK(value_of(&t, 0) == 3 && value_of(&t, 127) == 3 && value_of(&t, 64) != 3);
    }
  }
  trial_close(&t);
}

/* Neither reads anything: what they write is the first that they have. */
CASE(passes_that_only_write_leave_cells_of_their_own) {
  static const char two[] =
      "param n = 9\ngrid x = 128, y = 12, z = 4\nfield other : f64 = 5\nfield out : f64 = 3\n"
      "repeat until n < 0 max n {\n  out = x*y on interior(2, 2, 0)\n}\n"
      "other = x + y on interior(2, 2, 0)\n";
  static trial t;
  if (open_program(&t, two, NULL)) {
    run_rounds(&t, 4);
    run(&t, t.ir->body->next, NULL);
    for (int64_t x = 0; x < 128; x += 127)
      CHECK(ik_state_get(t.state, 0, 0, (int64_t[]){x, 5, 2}) == 5);
    CHECK(value_of(&t, 0) == 3 && value_of(&t, 127) == 3 && value_of(&t, 64) == 64 * 5);
  }
  trial_close(&t);
}
