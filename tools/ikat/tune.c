/* tune.c: `ikat tune`. */
#include "tool.h"

static int tune_program(call *c, ik_program *p) {
  ik_run_options  run;
  ik_tune_options o;
  ticker          t = {.hidden = c->set.quiet};
  const char     *text;
  run_options(c, &run);
  ik_tune_options_init(&o);
  if (c->set.budget) o.budget = (double)c->set.budget;
  o.dry_run = c->set.dry_run, o.all = c->set.all;
  o.progress = ticker_show, o.user = &t;
  ik_status s = ik_tune(p, &run, &o, c->log, c->json, &text);
  ticker_end(&t);
  if (!s) say_members(c, text);
  return fail(c, s);
}

int command_tune(call *c) {
  ik_program *p;
  int         code = program_load(c, &p);
  if (code) return code;
  code = tune_program(c, p);
  ik_program_destroy(&p);
  return code;
}
