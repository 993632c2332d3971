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
  ik_plan_options o = {
      .machine = &machine, .nmachine = machine ? 1 : 0, .what_if = what_if, .simulate = true};
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

/* Of the point with so many elements on the curve of weak scaling, which is the first. */
static void check_origin(const planned *x, const char *elements, const char *origin) {
  char        key[64];
  const char *at;
  snprintf(key, sizeof key, "{\"elements\": %s,", elements);
  at = strstr(ik_study_json(x->s), key);
  at = at ? strstr(at, "\"origin\": \"") : NULL;
  CHECK(at && !strncmp(at + strlen("\"origin\": \""), origin, strlen(origin)));
}

/* A patch is simulated beside the formula, and reductions are followed over all of the fabric. */
CASE(simulations_stand_beside_the_formula) {
  planned x;
  open_plan(&x, wave, "wse2", NULL);
  CHECK_NEAR(number(&x, "simulated_seconds"), 7.55e-4, 0.01 * 7.55e-4);
  check_origin(&x, "750470", "simulated");
  check_origin(&x, "187617", "simulated");
  check_origin(&x, "3001880", "extrapolated");
  close_plan(&x);
  open_plan(&x,
            "grid x = 300, y = 200, z = 9\nfield u : f32 = 1\n"
            "repeat until max(u) < 0 max 3 {\n  s = sum(u)\n  u = u*s\n}\n",
            "wse2", NULL);
  double way = 3 * 2 * 4 * (300 + 200) / 0.85e9; /* of two reductions, as model.hop has it */
  CHECK(number(&x, "simulated_seconds") > 0.9 * way);
  CHECK(number(&x, "simulated_seconds") < 1.5 * way);
  close_plan(&x);
}

/* Where fewer elements work than there are, and where none can share the grid. */
CASE(a_table_of_scaling_has_rows) {
  planned x;
  open_plan(&x,
            "grid x = 320, y = 240\nfield u : f32 = 1\nboundary u = 0\n"
            "step 2 { u' = 0.5*(u[-1,0] + u[0,1]) }\n",
            "nero-hbm", NULL);
  check_origin(&x, "10", "simulated");
  CHECK(strstr(ik_study_text(x.s), "weak scaling"));
  close_plan(&x);
  open_plan(&x, "grid x = 7\nfield u : f32 = 1\nboundary u = 0\nstep 2 { u' = u[-1] }\n",
            "nero-hbm", NULL);
  CHECK_EQ(count(ik_study_json(x.s), "\"origin\": \"") > 0,
           strstr(ik_study_text(x.s), "scaling") != 0);
  close_plan(&x);
}

/* Two levels of 5000 cells fit into 48 KiB, but not beside the code; shorter ones are cut until
 * they do. */
/* Words that come from one side take less than those from all. */
CASE(the_formula_counts_directions) {
  planned x;
  open_plan(&x,
            "grid x = 50, y = 40, z = 300\nfield u : f32, history 2 = 1\nboundary u = 0\n"
            "step 10 { u' = u + 0.1*u[-1,0,0] + 0.2*u[0,4,0] }\n",
            "wse2", NULL);
  double simulated = number(&x, "simulated_seconds");
  CHECK_NEAR(number(&x, "predicted_seconds"), simulated, 0.25 * simulated);
  close_plan(&x);
}

CASE(the_formula_leaves_room_for_code) {
  static const char *const longer[] = {"2400", "3300"};
  char                     text[400];
  for (int i = 0; i < 2; i++) {
    planned x;
    snprintf(text, sizeof text, "%s", wave);
    memcpy(strstr(text, "1000"), longer[i], 4);
    open_plan(&x, text, "wse2", "pes=x4");
    CHECK_EQ(!strstr(ik_study_json(x.s), "of which 8192 are for its code"), i == 0);
    close_plan(&x);
  }
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
  const char *text = ik_study_text(x.s), *from = strstr(text, "other machines, analytic estimate");
  CHECK(from != NULL);
  if (from) CHECK_EQ(count(from, "refused: "), 5); /* no f64 on any of them */
  close_plan(&x);
}
