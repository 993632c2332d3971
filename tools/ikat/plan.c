/* plan.c: `ikat plan`. */
#include "tool.h"
#include <stdlib.h>
#include <string.h>

static bool read_error(const char *text, double *out) {
  char *end;
  *out = strtod(text, &end);
  return end != text && !*end && *out > 0;
}

/* "local", which also is what is meant without a word, has the figures that were measured. */
static void name_machines(call *c, const ik_run_options *run, char *path, size_t cap,
                          const char **here, ik_plan_options *o) {
  const char *kept = kept_file(run, "local@", path, cap);
  *here = kept ? kept : "local";
  o->machine = c->set.machine.word, o->nmachine = c->set.machine.n;
  for (int i = 0; i < c->set.machine.n; i++)
    if (!strcmp(c->set.machine.word[i], "local")) c->set.machine.word[i] = *here;
  if (!o->nmachine) o->machine = here, o->nmachine = 1;
}

int command_plan(call *c) {
  ik_program     *p;
  ik_study       *study = NULL;
  ik_run_options  run; /* as `ikat run` would have them */
  char            path[1200];
  const char     *here;
  ik_plan_options o = {0};
  if (c->set.max_error && !read_error(c->set.max_error, &o.max_error))
    return complain(c, EXIT_USAGE, "write a number above zero, for instance 1e-6",
                    "invalid value '%s' of --max-error", c->set.max_error);
  int code = program_load(c, &p);
  if (code) return code;
  run_options(c, &run);
  name_machines(c, &run, path, sizeof path, &here, &o);
  o.wisdom = run.wisdom;
  o.objective = c->set.objective, o.what_if = c->set.what_if;
  o.max_memory = c->set.max_memory, o.threads = (int)c->set.threads;
  o.simulate = c->set.simulate;
  if (!c->json) say_view(c, p, "summary");
  ik_status s = ik_study_plan(p, &o, c->log, &study);
  code = show_study(c, s, study);
  ik_program_destroy(&p);
  return code;
}
