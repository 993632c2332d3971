/* fmt.c: `ikat fmt`, the canonical layout. */
#include "tool.h"
#include <stdlib.h>
#include <string.h>

/* The text is laid out; now to where it belongs. */
static int deliver(call *c, const char *path, const char *text, bool changed) {
  if (c->set.to_stdout || !strcmp(path, "-")) {
    if (!c->set.check) say(c, "%s", text);
    json_string(&c->object, "text", text);
  } else if (changed && !c->set.check) {
    ik_status s = ik_write_text(path, text, c->log);
    if (s) return fail(c, s);
    say(c, "formatted %s\n", path);
  }
  if (!changed || !c->set.check) return EXIT_FINE;
  return complain(c, EXIT_WRONG, "ikat fmt does it", "'%s' is not in the canonical layout", path);
}

/* Source and result live in the same object: the first is copied to compare them. */
static int format_program(call *c, const char *path, ik_program *p) {
  const char *source = ik_program_show(p, "source", NULL, c->log);
  char       *before = source ? strdup(source) : NULL;
  if (source && !before) c->lost = true;
  const char *after = before ? ik_program_show(p, "format", NULL, c->log) : NULL;
  int         code = after ? EXIT_FINE : fail(c, IK_ERR_SOURCE);
  if (after) {
    bool changed = strcmp(before, after) != 0;
    json_bool(&c->object, "changed", changed);
    code = deliver(c, path, after, changed);
  }
  free(before);
  return code;
}

static int format_file(call *c, const char *path) {
  ik_program *p = NULL;
  json_open(&c->object, NULL, '{');
  json_string(&c->object, "file", path);
  ik_status s = program_open(c, path, &p);
  int       code = s ? fail(c, s) : format_program(c, path, p);
  ik_program_destroy(&p);
  json_close(&c->object, '}');
  return code;
}

int command_fmt(call *c) {
  int code = EXIT_FINE;
  if (!c->set.plain.n)
    return complain(c, EXIT_USAGE, "ikat fmt FILE.ik...; '-' is standard input", "which program?");
  json_open(&c->object, "files", '[');
  for (int i = 0; i < c->set.plain.n; i++) {
    int bad = format_file(c, c->set.plain.word[i]);
    if (bad) code = bad;
  }
  json_close(&c->object, ']');
  return code;
}
