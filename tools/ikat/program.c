/* program.c: from the words on the command line to a compiled program. */
#include "interrupt.h"
#include "tool.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

const char *program_file(const call *c) {
  const words *w = &c->set.plain;
  for (int i = 0; i < w->n; i++)
    if (!option_value(w->word[i])) return w->word[i];
  return NULL;
}

/* All of standard input as a string; NULL if that cannot be. */
static char *read_input(call *c) {
  strbuf in = {0};
  char   part[4096];
  size_t n;
  strbuf_puts(&in, "");
  while (!in.failed && (n = fread(part, 1, sizeof part, stdin)) > 0) strbuf_write(&in, part, n);
  if (in.failed) {
    complain(c, EXIT_MEMORY, "", "not enough memory for standard input");
  } else if (ferror(stdin)) {
    complain(c, EXIT_WRONG, "", "cannot read standard input: %s", strerror(errno));
  } else if (memchr(in.data, 0, in.len)) {
    complain(c, EXIT_WRONG, "", "standard input is not text: it has a zero byte");
  } else {
    return in.data;
  }
  strbuf_free(&in);
  return NULL;
}

ik_status program_open(call *c, const char *path, ik_program **out) {
  if (strcmp(path, "-") != 0) return ik_program_open(path, c->log, out);
  char *text = read_input(c);
  if (!text) return IK_ERR_RESOURCE;
  ik_status s = ik_program_from_text("standard input", text, c->log, out);
  free(text);
  return s;
}

static ik_status set_value(call *c, ik_program *p, const char *word) {
  const char *value = option_value(word);
  char        name[256];
  snprintf(name, sizeof name, "%.*s", (int)(value - word - 1), word);
  return ik_program_set(p, name, value, c->log);
}

static ik_status set_values(call *c, ik_program *p) {
  const words *w = &c->set.plain;
  ik_status    s = IK_OK, bad;
  for (int i = 0; i < w->n; i++)
    if (option_value(w->word[i]) && (bad = set_value(c, p, w->word[i]))) s = bad;
  ik_program_set_steps(p, c->set.steps);
  return s;
}

/* One FILE, and everything else name=value. */
static int check_words(call *c) {
  const words *w = &c->set.plain;
  const char  *file = program_file(c), *name = c->command->name;
  char         help[256];
  if (!file) {
    snprintf(help, sizeof help, "ikat %s FILE.ik; 'ikat new' lists programs to start from", name);
    return complain(c, EXIT_USAGE, help, "which program?");
  }
  for (int i = 0; i < w->n; i++) {
    if (w->word[i] == file || option_value(w->word[i])) continue;
    snprintf(help, sizeof help, "ikat %s takes one program, and values as name=value", name);
    return complain(c, EXIT_USAGE, help, "unexpected argument '%s'", w->word[i]);
  }
  return EXIT_FINE;
}

/* ------------------------------------------------------------------------------------- --dump */

static const char *const stages[] = {"ast", "ir", "facts", "layout", "loops", "code"};
enum { NSTAGES = sizeof stages / sizeof *stages };

static int check_dump(call *c) {
  for (int i = 0; i < c->set.dump.n; i++) {
    const char *word = c->set.dump.word[i];
    int         k = 0;
    while (k < NSTAGES && strcmp(stages[k], word) != 0) k++;
    if (k == NSTAGES)
      return complain(
          c, EXIT_USAGE,
          did_you_mean(word, stages, NSTAGES, "write --dump ast,ir,facts,layout,loops,code"),
          "unknown stage '%s'", word);
  }
  return EXIT_FINE;
}

/* What failed to compile still has a syntax tree. */
static void dump(call *c, ik_program *p, bool compiled) {
  if (!c->set.dump.n) return;
  ik_run_options o;
  ik_run_options_init(&o);
  o.target = c->set.target, o.strategy = c->set.strategy;
  o.threads = (int)c->set.threads, o.plan = c->set.plan;
  json_open(&c->object, "dump", '{');
  for (int i = 0; i < c->set.dump.n; i++) {
    const char *stage = c->set.dump.word[i], *text = NULL;
    if (compiled || !strcmp(stage, "ast")) text = ik_program_show(p, stage, &o, c->log);
    if (!text) continue;
    say(c, "--- %s\n%s", stage, text);
    json_string(&c->object, stage, text);
  }
  json_close(&c->object, '}');
  say(c, "---\n");
}

/* The first two axes lie on a fabric, so its size is theirs. */
static int set_fabric(call *c, ik_program *p) {
  int         x, y, end = 0;
  char        extent[2][32];
  const char *axis[2] = {ik_program_axis(p, 0), ik_program_axis(p, 1)};
  if (sscanf(c->set.fabric, "%dx%d%n", &x, &y, &end) != 2 || c->set.fabric[end] || x < 1 || y < 1)
    return complain(c, EXIT_USAGE, "write --fabric 755x994", "invalid value '%s' of --fabric",
                    c->set.fabric);
  if (!axis[0] || !axis[1])
    return complain(c, EXIT_USAGE, "this program has one axis",
                    "a fabric needs a grid of two or three axes");
  snprintf(extent[0], sizeof extent[0], "%d", x);
  snprintf(extent[1], sizeof extent[1], "%d", y);
  ik_status s = ik_program_set(p, axis[0], extent[0], c->log);
  if (!s) s = ik_program_set(p, axis[1], extent[1], c->log);
  if (!s) s = ik_program_compile(p, c->log);
  return fail(c, s);
}

int program_load(call *c, ik_program **out) {
  *out = NULL;
  int code = check_words(c);
  if (!code) code = check_dump(c);
  if (code) return code;
  ik_status s = program_open(c, program_file(c), out);
  if (!s && c->set.confine) s = ik_program_confine(*out, c->set.dir, c->log);
  if (!s) s = set_values(c, *out);
  if (!s) s = ik_program_compile(*out, c->log);
  if (!s && c->set.fabric) code = set_fabric(c, *out);
  if (*out) dump(c, *out, !s && !code);
  int wrong = fail(c, s); /* warnings too */
  if (!code) code = wrong;
  if (code) ik_program_destroy(out);
  return code;
}

/* `name` in one of the user's folders: $variable, or `otherwise` in the home folder.  NULL if there
 * is neither. */
static const char *in_folder(char *path, size_t cap, const char *variable, const char *otherwise,
                             const char *name) {
  const char *xdg = getenv(variable), *home = getenv("HOME");
  bool        own = xdg && *xdg == '/';
  if (!own && (!home || *home != '/')) return NULL;
  int n = snprintf(path, cap, "%s%s/%s", own ? xdg : home, own ? "" : otherwise, name);
  return n > 0 && n < (int)cap ? path : NULL;
}

void run_options(call *c, ik_run_options *o) {
  ik_run_options_init(o);
  o->target = c->set.target;
  o->strategy = c->set.strategy;
  o->threads = (int)c->set.threads;
  o->cache = in_folder(c->cache, sizeof c->cache, "XDG_CACHE_HOME", "/.cache", "ikat");
  o->wisdom =
      in_folder(c->wisdom, sizeof c->wisdom, "XDG_DATA_HOME", "/.local/share", "ikat/wisdom");
  o->figures =
      in_folder(c->figures, sizeof c->figures, "XDG_DATA_HOME", "/.local/share", "ikat/local.ikm");
  o->plan = c->set.plan;
  o->max_memory = c->set.max_memory;
  o->check_every = c->set.check_every;
  o->allow_unstable = c->set.allow_unstable;
  o->directory = c->set.dir;
  o->allow_paths = c->set.allow_paths;
  o->stop = interrupt_flag();
  o->progress = progress_show;
  o->user = &c->bar;
  c->bar.hidden = c->set.quiet;
  interrupt_ask();
}
