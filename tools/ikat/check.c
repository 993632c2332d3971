/* check.c: `ikat check` and `ikat verify`: is a program right, and is a target? */
#include "tool.h"

int command_check(call *c) {
  ik_program *p;
  int         code = program_load(c, &p);
  if (code) return code;
  if (!c->json) say_view(c, p, "summary");
  ik_status s = say_view(c, p, c->json ? "facts-json" : "facts");
  if (!s) s = ik_program_check(p, c->log);
  code = fail(c, s);
  ik_program_destroy(&p);
  return code;
}

int command_verify(call *c) {
  ik_program    *p;
  ik_run_options o;
  const char    *text = NULL;
  int            code = program_load(c, &p);
  if (code) return code;
  run_options(c, &o);
  ik_status s = ik_verify(p, &o, c->log, c->json, &text);
  progress_end(&c->bar);
  if (text) say_members(c, text);
  code = fail(c, s);
  ik_program_destroy(&p);
  return code;
}
