/* plan.c: `ikat plan`. */
#include "tool.h"
#include <stdlib.h>

static bool read_error(const char *text, double *out) {
  char *end;
  *out = strtod(text, &end);
  return end != text && !*end && *out > 0;
}

int command_plan(call *c) {
  ik_program     *p;
  ik_study       *study = NULL;
  ik_plan_options o = {.machine = c->set.machine.word, .nmachine = c->set.machine.n};
  if (c->set.max_error && !read_error(c->set.max_error, &o.max_error))
    return complain(c, EXIT_USAGE, "write a number above zero, for instance 1e-6",
                    "'--max-error %s' cannot be used", c->set.max_error);
  int code = program_load(c, &p);
  if (code) return code;
  o.objective = c->set.objective, o.what_if = c->set.what_if;
  o.max_memory = c->set.max_memory, o.threads = (int)c->set.threads;
  if (!c->json) say_view(c, p, "summary");
  ik_status s = ik_study_plan(p, &o, c->log, &study);
  code = show_study(c, s, study);
  ik_program_destroy(&p);
  return code;
}
