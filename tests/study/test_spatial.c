#include "check.h"
#include <ikat/ikat.h>
#include <math.h>
#include <stdlib.h>

typedef struct planned {
  ik_log     *log;
  ik_program *p;
  ik_study   *s;
} planned;

static const char wave[] = "grid x = 755, y = 994, z = 1000\nfield u : f32, history 2\n"
                           "boundary u = 0\n"
                           "step 10 { u' = 2*u - u[t-1] + 0.01*laplacian(u, order = 8) }\n";

static void open_plan(planned *x, const char *text, const char *machine, const char *what_if) {
  ik_plan_options o = {.machine = &machine, .nmachine = machine ? 1 : 0, .what_if = what_if};
  *x = (planned){.log = ik_log_create()};
  CHECK_EQ(ik_program_from_text("test", text, x->log, &x->p), IK_OK);
  CHECK_EQ(ik_program_compile(x->p, x->log), IK_OK);
  CHECK_EQ(ik_study_plan(x->p, &o, x->log, &x->s), IK_OK);
  if (!x->s) abort();
}

static void close_plan(planned *x) {
  ik_study_destroy(&x->s);
  ik_program_destroy(&x->p);
  ik_log_destroy(&x->log);
}

/* The number behind "name": ; NaN if there is none. */
static double number(const planned *x, const char *name) {
  char        key[64];
  const char *json = ik_study_json(x->s);
  snprintf(key, sizeof key, "\"%s\": ", name);
  const char *at = strstr(json, key);
  return at ? atof(at + strlen(key)) : NAN;
}

static int count(const char *text, const char *what) {
  int n = 0;
  for (const char *p = text; (p = strstr(p, what)); p += strlen(what)) n++;
  return n;
}

/* Ten steps of 75.5 us, as Table III has it for nz = 1000. */
CASE(the_papers_problem_takes_what_the_paper_says) {
  planned x;
  open_plan(&x, wave, "wse2", NULL);
  CHECK_NEAR(number(&x, "predicted_seconds"), 7.55e-4, 0.03 * 7.55e-4);
  CHECK_NEAR(number(&x, "elements"), 755 * 994, 0);
  const char *json = ik_study_json(x.s), *text = ik_study_text(x.s);
  CHECK(count(json, "\"origin\": \"") >= 10);
  CHECK_EQ(count(json, "\"origin\": \"extrapolated\"") + count(json, "\"origin\": \"simulated\""),
           count(json, "\"origin\": \""));
  CHECK(strstr(text, "SIMULATED") && strstr(text, "weak scaling") && strstr(text, "limited by"));
  close_plan(&x);
}

CASE(a_larger_wafer_holds_what_this_one_does_not) {
  char    larger[400];
  planned x;
  snprintf(larger, sizeof larger, "%s", wave);
  memcpy(strstr(larger, "755"), "999", 3);
  open_plan(&x, larger, "wse2", NULL);
  CHECK(isnan(number(&x, "predicted_seconds")) || number(&x, "predicted_seconds") == 0);
  CHECK(strstr(ik_study_text(x.s), "refused: ") && strstr(ik_study_text(x.s), "755 x 994"));
  close_plan(&x);
  open_plan(&x, larger, "wse2", "pes=x4");
  CHECK_NEAR(number(&x, "predicted_seconds"), 7.55e-4, 0.03 * 7.55e-4);
  close_plan(&x);
}

CASE(without_a_name_all_simulated_machines_have_a_line) {
  planned x;
  open_plan(&x, "grid x = 9, y = 9, z = 9\nfield u : f64 = 1\nstep 2 { u' = 2*u }\n", NULL, NULL);
  const char *text = ik_study_text(x.s), *from = strstr(text, "SIMULATED machine");
  CHECK(from != NULL);
  if (from) CHECK_EQ(count(from, "refused: "), 5); /* no f64 on any of them */
  close_plan(&x);
}
