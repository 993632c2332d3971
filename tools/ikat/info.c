/* info.c: commands that look something up: machine, doctor, explain. */
#include "tool.h"
#include <ctype.h>
#include <string.h>

static int unknown_action(call *c, const char *word) {
  static const char *const actions[] = {"list", "show"};
  return complain(c, EXIT_USAGE, did_you_mean(word, actions, 2, "ikat machine list | show NAME"),
                  "'ikat machine' has no '%s'", word);
}

static int show_machine(call *c) {
  if (c->set.plain.n < 2)
    return complain(c, EXIT_USAGE, "'ikat machine list' has the names", "which machine?");
  const char *text = ik_machine_show(c->set.plain.word[1], c->json, c->log);
  if (!text) return fail(c, IK_ERR_SOURCE);
  say_members(c, text);
  return EXIT_FINE;
}

static int list_machines(call *c) {
  if (c->json)
    json_raw(&c->object, "machines", ik_machine_list(true));
  else
    say(c, "%s", ik_machine_list(false));
  return EXIT_FINE;
}

int command_machine(call *c) {
  const char *word = c->set.plain.n ? c->set.plain.word[0] : "list";
  if (!strcmp(word, "list")) return list_machines(c);
  if (!strcmp(word, "show")) return show_machine(c);
  if (!strcmp(word, "probe")) return comes_later(c, "machine probe");
  return unknown_action(c, word);
}

int command_doctor(call *c) {
  say_members(c, ik_doctor(c->json));
  if (c->json)
    json_raw(&c->object, "targets", ik_target_list(true));
  else
    say(c, "\ntargets\n%s", ik_target_list(false));
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
    return complain(c, EXIT_USAGE, "'ikat explain' lists the codes", "there is no code '%s'", word);
  say(c, "%s", text);
  json_string(&c->object, "code", code);
  json_string(&c->object, "text", text);
  return EXIT_FINE;
}
