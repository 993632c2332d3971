/* `ikat plan`: what is asked for counts, or is refused; what is not known is said. */
#include "base/mem.h"
#include "check.h"
#include "machine/machine.h"
#include <ikat/ikat.h>
#include <math.h>
#include <stdlib.h>

typedef struct planned {
  ik_log     *log;
  ik_program *p;
  ik_study   *s;
  ik_status   st;
} planned;

static void open_program(planned *x, const char *text) {
  *x = (planned){.log = ik_log_create()};
  CHECK_EQ(ik_program_from_text("test.ik", text, x->log, &x->p), IK_OK);
  CHECK_EQ(ik_program_compile(x->p, x->log), IK_OK);
}

static void plan(planned *x, const ik_plan_options *o) {
  ik_study_destroy(&x->s);
  ik_log_destroy(&x->log);
  x->log = ik_log_create();
  x->st = ik_study_plan(x->p, o, x->log, &x->s);
}

static void close_program(planned *x) {
  ik_study_destroy(&x->s);
  ik_program_destroy(&x->p);
  ik_log_destroy(&x->log);
}

static bool says(const planned *x, const char *part) {
  const char *text = x->st ? ik_log_text(x->log, false) : ik_study_text(x->s);
  bool        found = strstr(text, part) != NULL;
  if (!found) check_fail(__FILE__, __LINE__, "no '%s' in\n%s", part, text);
  return found;
}

/* ---- every figure of every machine ---- */

/* Small, so that machines are simulated; together they have what models and simulations look at:
 * dimensions, types, sweeps, reductions, divisions, pieces of columns. */
static const char *const programs[] = {
    "grid x = 130, y = 66\nfield u : f32 = 1\nboundary u = 0\n"
    "step 8 { u' = 0.2*(u[-1,0] + u[1,0] + u[0,-1] + u[0,1] + u) }\n",
    "grid x = 128, y = 64\nfield u : f64 = 1\nboundary u = 0\n"
    "step 8 { u' = 0.2*(u[-1,0] + u[1,0] + u[0,-1] + u[0,1] + u) }\n",
    "grid x = 20, y = 18, z = 410\nfield u : f32 = 1\nfield v : f32 = 2\nboundary u = 0\n"
    "boundary v = 0\nstep 4 {\n  u' = u/v + 0.1*(v[1,0,0] + v[-1,0,0] + v[0,-1,0] + v[0,1,0])\n"
    "  v' = 0.5*v + 0.1*(u[0,0,1] - u[0,2,0] + u[0,-1,0] + u[1,0,0] + u[-1,0,0])\n}\n",
    "grid x = 32, y = 32, z = 12\nfield u : f32 = 1\nfield v : f32 = 1\n"
    "repeat until max(u) < 0 max 3 {\n  s = sum(u*v)\n  u = u*s + v\n}\n",
    "grid x = 64, y = 32, z = 2\nfield u : bf16 = 1\nboundary u = 0\n"
    "step 4 { u' = 0.2*(u[-1,0,0] + u[1,0,0] + u[0,-1,0] + u[0,1,0] + u) }\n",
    "grid x = 64, y = 8, z = 24\nfield a : f32 = 1\nfield b : f32 = 2\nfield c : f32 = 0\n"
    "sweep z up {\n  at first { c = a/b }\n  within { c = a/(b + 0.5*c[0,0,-1]) }\n}\n",
    "grid x = 1024, y = 1024, z = 4\nfield u : f32 = 1\nboundary u = 0\n"
    "step 4 { u' = u + 0.1*(u[-1,0,0] + u[1,0,0] + u[0,-1,0] + u[0,1,0] - 4*u) }\n",
};

enum { PROGRAMS = sizeof programs / sizeof *programs };

typedef enum effect { REFUSED, CHANGES, NOTHING } effect;

static effect try_figure(planned *x, const char *machine, const char *key, const char *by) {
  char            change[128];
  ik_plan_options o = {.machine = &machine, .nmachine = 1, .what_if = change, .simulate = true};
  snprintf(change, sizeof change, "%s=%s", key, by);
  plan(x, &o);
  if (x->st) {
    CHECK_EQ(x->st, IK_ERR_SOURCE);
    CHECK(says(x, "E082") && says(x, "reads the figure"));
    return REFUSED;
  }
  CHECK(says(x, "what if "));
  if (strstr(ik_study_json(x->s), "\"changed\": true")) return CHANGES;
  CHECK(says(x, "nothing changes: it is read"));
  return NOTHING;
}

/* Twice as much of any figure changes what is shown, for one of the programs at least, or nobody
 * reads it for any of them: then it is refused. */
static void try_machine(planned x[PROGRAMS], const char *name) {
  ik_arena    a;
  ik_diag     d = {0};
  ik_machine *m = NULL;
  ik_arena_init(&a);
  CHECK_EQ(ik_machine_find(name, &a, &d, &m), IK_OK);
  for (int i = 0; m && i < m->n; i++) {
    int n[3] = {0};
    if (!m->figure[i].numeric) continue;
    for (int k = 0; k < PROGRAMS; k++) n[try_figure(&x[k], name, m->figure[i].key, "x2")]++;
    static const char *const far[] = {"x0.001", "x1000"}; /* it may be a limit that is far away */
    for (int f = 0; f < 2 && n[CHANGES] == 0 && n[NOTHING] > 0; f++)
      for (int k = 0; k < PROGRAMS; k++) n[try_figure(&x[k], name, m->figure[i].key, far[f])]++;
    if (n[CHANGES] == 0 && n[NOTHING] > 0)
      check_fail(__FILE__, __LINE__, "%s of %s is read for %d programs, but changes nothing",
                 m->figure[i].key, name, n[NOTHING]);
  }
  ik_diag_free(&d);
  ik_arena_free(&a);
}

LONG_CASE(every_figure_counts_or_is_refused) {
  planned            x[PROGRAMS];
  int                n;
  const char *const *name = ik_machine_names(&n);
  for (int k = 0; k < PROGRAMS; k++) open_program(&x[k], programs[k]);
  for (int i = 1; i < n; i++) try_machine(x, name[i]);
  for (int k = 0; k < PROGRAMS; k++) close_program(&x[k]);
}

/* ---- objectives ---- */

static const char heat32[] = "grid x = 96, y = 64\nfield u : f32 = 1\nboundary u = 0\n"
                             "step 8 { u' = 0.2*(u[-1,0] + u[1,0] + u[0,-1] + u[0,1] + u) }\n";

static void refuse_objective(const char *const *machine, int n, const char *objective,
                             const char *const *parts) {
  planned         x;
  ik_plan_options o = {.machine = machine, .nmachine = n, .objective = objective};
  open_program(&x, heat32);
  plan(&x, &o);
  CHECK_EQ(x.st, IK_ERR_SOURCE);
  for (; x.st && *parts; parts++) CHECK(says(&x, *parts));
  close_program(&x);
}

/* The figures that are missing, and the file that should have them. */
CASE(energy_is_refused_without_figures) {
  static const char *const objective[] = {"energy", "edp"};
  for (int i = 0; i < 2; i++) {
    refuse_objective(
        (const char *[]){"h200"}, 1, objective[i],
        (const char *[]){"E081", objective[i], "power.tdp", "machines/h200.ikm", NULL});
    refuse_objective((const char *[]){"gtx980"}, 1, objective[i],
                     (const char *[]){"power.tdp", "machines/gtx980.ikm", NULL});
    refuse_objective((const char *[]){"nero-ddr4"}, 1, objective[i],
                     (const char *[]){"power.stencil", "machines/nero-ddr4.ikm", NULL});
  }
}

CASE(energy_of_unlike_models_is_not_compared) {
  refuse_objective((const char *[]){"h100-pcie", "wse2"}, 2, "energy",
                   (const char *[]){"E081", "cannot compare 'h100-pcie'", "'wse2'", NULL});
}

CASE(energy_where_it_is_known_says_what_it_is) {
  planned         x;
  const char     *machine = "h100-pcie";
  ik_plan_options o = {.machine = &machine, .nmachine = 1, .objective = "energy"};
  open_program(&x, heat32);
  plan(&x, &o);
  CHECK(says(&x, "least energy first") && says(&x, "power.tdp times the predicted time"));
  CHECK(says(&x, "joules: power.tdp times seconds"));
  close_program(&x);
}

CASE(unlike_models_are_named) {
  planned         x;
  const char     *machine[] = {"a100-80gb-pcie", "h200", "gtx980"};
  ik_plan_options o = {.machine = machine, .nmachine = 3};
  open_program(&x, heat32);
  plan(&x, &o);
  CHECK(says(&x, "Not comparable: a100-80gb-pcie is predicted by its roofline model, h200 by its "
                 "kernels model."));
  CHECK(says(&x, "predicted by: roofline, an upper bound"));
  o.nmachine = 1;
  plan(&x, &o);
  CHECK(!strstr(ik_study_text(x.s), "ot comparable"));
  close_program(&x);
}

/* ---- what cannot be planned ---- */

CASE(machines_without_figures_say_which) {
  planned         x;
  const char     *machine = "power9-ac922";
  ik_plan_options o = {.machine = &machine, .nmachine = 1};
  open_program(&x, heat32);
  plan(&x, &o);
  CHECK(
      says(&x, "no plan possible: machines/power9-ac922.ikm lacks memory.bandwidth and peak.f32"));
  machine = "h100-pcie", o.max_error = 1e-30;
  plan(&x, &o); /* what has the same bits is left */
  CHECK(says(&x, "sweep"));
  close_program(&x);
  /* times of an iteration are known in single precision alone */
  open_program(&x, programs[1]);
  machine = "gtx980", o.max_error = 0;
  plan(&x, &o);
  CHECK(says(&x, "no plan possible: machines/gtx980.ikm lacks memory.bandwidth and peak.f64"));
  close_program(&x);
}

/* ---- how it looks ---- */

static int widest(const char *text) {
  int most = 0, n = 0;
  for (; *text; text++) {
    if (*text == '\n') n = -1;
    n += ((unsigned char)*text & 0xc0) != 0x80;
    if (n > most) most = n;
  }
  return most;
}

CASE(no_line_is_wider_than_100_columns) {
  int                n;
  const char *const *name = ik_machine_names(&n);
  for (int k = 0; k < PROGRAMS; k++) {
    planned x;
    open_program(&x, programs[k]);
    for (int i = 0; i < n; i++) {
      const char     *machine = name[i], *energy = i == 0 ? NULL : "time";
      ik_plan_options o = {.machine = &machine, .nmachine = i > 0, .objective = energy};
      plan(&x, &o);
      CHECK_EQ(x.st, IK_OK);
      if (!x.st && widest(ik_study_text(x.s)) > 100)
        check_fail(__FILE__, __LINE__, "%d columns, program %d on %s:\n%s",
                   widest(ik_study_text(x.s)), k, name[i], ik_study_text(x.s));
    }
    close_program(&x);
  }
}

/* The page of a plan is about the program and the machine that were asked for. */
CASE(the_page_names_the_program) {
  planned         x;
  const char     *machine = "h200", *path = NULL;
  ik_plan_options o = {.machine = &machine, .nmachine = 1};
  char            page[200000] = "";
  open_program(&x, heat32);
  plan(&x, &o);
  CHECK_EQ(ik_study_report(x.s, "build/tests/plan-page", NULL, x.log, &path), IK_OK);
  FILE *f = path ? fopen(path, "r") : NULL;
  CHECK(f != NULL);
  if (f) CHECK(fread(page, 1, sizeof page - 1, f) > 0);
  if (f) fclose(f);
  CHECK(strstr(page, "Plans of test.ik on h200"));
  CHECK(strstr(page, "Predicted on h200") && strstr(page, "Roofs of the NVIDIA H200"));
  CHECK(!strstr(page, "Where matrix units pay")); /* of patterns that nobody asked about */
  close_program(&x);
}

/* Figures of this machine come from a file, whose path is no name. */
CASE(the_page_of_this_machine_names_no_path) {
  planned         x;
  const char     *machine = "local@/nowhere/local.ikm", *path = NULL;
  ik_plan_options o = {.machine = &machine, .nmachine = 1};
  char            page[200000] = "";
  open_program(&x, heat32);
  plan(&x, &o);
  CHECK_EQ(ik_study_report(x.s, "build/tests/plan-page", NULL, x.log, &path), IK_OK);
  FILE *f = path ? fopen(path, "r") : NULL;
  CHECK(f && fread(page, 1, sizeof page - 1, f) > 0);
  if (f) fclose(f);
  CHECK(strstr(page, "Plans of test.ik on local<") && !strstr(page, "nowhere"));
  close_program(&x);
}

/* Whichever allocation fails, nothing leaks and the log says so. */
CASE(out_of_memory_with_other_figures) {
  planned         x;
  const char     *machine = "h100-pcie";
  ik_plan_options o = {.machine = &machine, .nmachine = 1, .what_if = "memory.bandwidth=x2"};
  open_program(&x, heat32);
  x.st = IK_ERR_RESOURCE;
  for (int k = 0; x.st && k < 20000; k = k * 9 / 8 + 1) {
    ik_study_destroy(&x.s);
    ik_mem_fail_after(k);
    x.st = ik_study_plan(x.p, &o, x.log, &x.s);
    ik_mem_fail_after(-1);
    CHECK(x.st == IK_OK || (x.st == IK_ERR_RESOURCE && x.s == NULL));
  }
  CHECK_EQ(x.st, IK_OK);
  close_program(&x);
}
