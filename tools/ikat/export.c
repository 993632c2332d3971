/* export.c: `ikat export`, a program as plain C. */
#include "tool.h"
#include <string.h>

static int put(call *c, ik_program *p) {
  const char *text = ik_program_export(p, c->log), *to = c->set.to;
  if (!text) return fail(c, IK_ERR_SOURCE);
  if (to && strcmp(to, "-") != 0) {
    int code = fail(c, ik_write_text(to, text, c->log));
    if (code) return code;
    say(c, "wrote %s\nnext:  cc -std=c99 -O2 -ffp-contract=off %s -lm && ./a.out\n", to, to);
    json_string(&c->object, "file", to);
    return EXIT_FINE;
  }
  say(c, "%s", text);
  json_string(&c->object, "text", text);
  return EXIT_FINE;
}

int command_export(call *c) {
  ik_program *p;
  int         code = program_load(c, &p);
  if (code) return code;
  code = put(c, p);
  ik_program_destroy(&p);
  return code;
}
