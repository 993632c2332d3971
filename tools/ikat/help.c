/* help.c: what `ikat` says about itself. */
#include "tool.h"
#include <string.h>

int command_overview(call *c) {
  say(c,
      "ikat %s: write a stencil computation once; ikat checks it, runs it and shows what it did.\n"
      "\n"
      "  ikat new wave2d                         a working program to start from\n"
      "  ikat run wave2d.ik --picture wave.png   run it and look at it\n"
      "  ikat run wave2d.ik f=30Hz --report out  another frequency, and a report to read\n"
      "  ikat check wave2d.ik                    errors, footprint, cost and stability\n"
      "  ikat doctor                             what this machine can do\n"
      "\n"
      "'ikat help' lists all commands; each has --help with an example, and --json.\n",
      ik_version());
  json *j = &c->object;
  json_string(j, "name", "ikat");
  json_string(j, "version", ik_version());
  json_open(j, "commands", '[');
  for (const command *k = commands; k->name && c->json; k++) {
    json_open(j, NULL, '{');
    json_string(j, "name", k->name);
    json_string(j, "usage", k->usage);
    json_string(j, "title", k->title);
    json_close(j, '}');
  }
  json_close(j, ']');
  return EXIT_FINE;
}

static void option_line(const char *left, const char *help, void *out) {
  strbuf_printf(out, "  %-20s %s\n", left, help);
}

static void print_command(const command *k, strbuf *out) {
  strbuf_printf(out, "ikat %s%s%s\n%s\n\n", k->name, *k->usage ? " " : "", k->usage, k->title);
  if (*k->text) strbuf_printf(out, "%s\n", k->text);
  strbuf_puts(out, "options\n");
  options_help(k->options, option_line, out);
}

static void print_group(const char *title, const char *const *names, strbuf *out) {
  strbuf_printf(out, "%s\n", title);
  for (; *names; names++) {
    const command *k = command_find(*names);
    char           left[64];
    snprintf(left, sizeof left, "%s %s", k->name, k->usage);
    strbuf_printf(out, "  ikat %-31s %s\n", left, k->title);
  }
  strbuf_putc(out, '\n');
}

static void print_all(strbuf *out) {
  static const char *const programs[] = {"new",  "run", "check",  "verify", "plan",
                                         "tune", "fmt", "export", NULL};
  static const char *const models[] = {"design", "chain", NULL};
  static const char *const around[] = {"bench", "machine", "doctor", "explain", "help", NULL};
  strbuf_puts(out, "ikat COMMAND [WORD]... [--OPTION]...\n\n");
  print_group("programs", programs, out);
  print_group("machines and messages", around, out);
  print_group("models", models, out);
  strbuf_puts(
      out, "Every command takes --help and --json (one object on standard output).  For example:\n"
           "\n"
           "  ikat run wave2d.ik x=600 f=30Hz dt=\"0.4 ms\" --picture wave.png\n"
           "\n"
           "exit codes\n"
           "  0 success   1 error in a program, file or result   2 usage error   3 blow-up\n"
           "  4 not enough memory   5 interrupted   70 a bug in ikat\n");
}

/* Of the command that was called with --help, or of the one that is named. */
static int choose(call *c, const command **k) {
  *k = c->set.help ? c->command : NULL;
  if (*k || !c->set.plain.n) return EXIT_FINE;
  *k = command_find(c->set.plain.word[0]);
  if (*k) return EXIT_FINE;
  return complain(c, EXIT_USAGE, "'ikat help' lists the commands", "unknown command '%s'",
                  c->set.plain.word[0]);
}

int command_help(call *c) {
  const command *k;
  strbuf         help = {0};
  int            code = choose(c, &k);
  if (code) return code;
  if (k)
    print_command(k, &help);
  else
    print_all(&help);
  const char *all = whole(c, help.failed ? NULL : help.data);
  say(c, "%s", all);
  json_string(&c->object, "help", all);
  strbuf_free(&help);
  return EXIT_FINE;
}
