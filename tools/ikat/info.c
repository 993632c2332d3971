/* info.c: commands that look something up: machine, doctor, explain. */
#include "tool.h"
#include <ctype.h>
#include <string.h>

static int unknown_action(call *c, const char *word) {
  static const char *const actions[] = {"list", "show", "probe"};
  const char              *help = "ikat machine list | show M | probe";
  return complain(c, EXIT_USAGE, did_you_mean(word, actions, 3, help),
                  "unknown subcommand '%s' of 'ikat machine'", word);
}

const char *kept_file(const ik_run_options *run, const char *before, char *path, size_t cap) {
  const char *slash = run->wisdom ? strrchr(run->wisdom, '/') : NULL;
  if (!slash) return NULL;
  int len = (int)(slash - run->wisdom);
  int n = snprintf(path, cap, "%s%.*s/local.ikm", before, len, run->wisdom);
  return n > 0 && (size_t)n < cap ? path : NULL;
}

static int show_machine(call *c) {
  ik_run_options run; /* as `ikat run` would have them */
  char           path[1200];
  if (c->set.plain.n < 2)
    return complain(c, EXIT_USAGE, "'ikat machine list' has the names", "which machine?");
  const char *name = c->set.plain.word[1];
  run_options(c, &run);
  const char *kept = kept_file(&run, "local@", path, sizeof path);
  const char *text = ik_machine_show(kept && !strcmp(name, "local") ? kept : name, c->json, c->log);
  if (text) say_members(c, text);
  return fail(c, text ? IK_OK : IK_ERR_SOURCE);
}

static int probe_machine(call *c) {
  ik_run_options run;
  char           path[1200];
  ticker         t = {.hidden = c->set.quiet};
  const char    *text;
  if (c->set.plain.n > 1)
    return complain(c, EXIT_USAGE, "it measures this machine",
                    "unexpected argument '%s' of 'ikat machine probe'", c->set.plain.word[1]);
  run_options(c, &run);
  ik_probe_options o = {.keep = kept_file(&run, "", path, sizeof path), .stop = run.stop};
  o.progress = ticker_show, o.user = &t;
  ik_status s = ik_probe(&o, c->log, c->json, &text);
  ticker_end(&t);
  if (!s) say_members(c, text);
  return fail(c, s);
}

static int list_machines(call *c) {
  if (c->json)
    json_raw(&c->object, "machines", whole(c, ik_machine_list(true)));
  else
    say(c, "%s", whole(c, ik_machine_list(false)));
  return EXIT_FINE;
}

int command_machine(call *c) {
  const char *word = c->set.plain.n ? c->set.plain.word[0] : "list";
  if (!strcmp(word, "list")) return list_machines(c);
  if (!strcmp(word, "show")) return show_machine(c);
  if (!strcmp(word, "probe")) return probe_machine(c);
  return unknown_action(c, word);
}

int command_doctor(call *c) {
  say_members(c, ik_doctor(c->json));
  if (c->json)
    json_raw(&c->object, "targets", whole(c, ik_target_list(true)));
  else
    say(c, "\ntargets\n%s", whole(c, ik_target_list(false)));
  return EXIT_FINE;
}

/* Lines of "E040  title". */
static int list_codes(call *c) {
  const char *line = ik_explain_list();
  say(c, "%s", line);
  json_open(&c->object, "codes", '[');
  while (c->json && *line) {
    char   code[16], title[256];
    size_t len = strcspn(line, "\n");
    if (sscanf(line, "%15s %255[^\n]", code, title) == 2) {
      json_open(&c->object, NULL, '{');
      json_string(&c->object, "code", code);
      json_string(&c->object, "title", title);
      json_close(&c->object, '}');
    }
    line += len + (line[len] == '\n');
  }
  json_close(&c->object, ']');
  return EXIT_FINE;
}

int command_explain(call *c) {
  char code[16] = "";
  if (!c->set.plain.n) return list_codes(c);
  const char *word = c->set.plain.word[0];
  for (int i = 0; word[i] && i < 15; i++) code[i] = (char)toupper((unsigned char)word[i]);
  const char *text = ik_explain(code);
  if (!text)
    return complain(c, EXIT_USAGE, "'ikat explain' lists the codes", "unknown code '%s'", word);
  say(c, "%s", text);
  json_string(&c->object, "code", code);
  json_string(&c->object, "text", text);
  return EXIT_FINE;
}
