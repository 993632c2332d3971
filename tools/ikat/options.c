#include "options.h"
#include <ikat/ikat.h>
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum kind { FLAG, TEXT, COUNT, BYTES, LIST, WORDS } kind; /* WORDS: a,b,c */

typedef struct option {
  const char *name, *argument, *help;
  int         commands;
  kind        kind;
  size_t      at;        /* in settings */
  int64_t     low, high; /* of a COUNT */
} option;

#define AT(field) offsetof(settings, field)
#define RUNS      (FOR_RUN | FOR_VERIFY)
#define TIMED     (FOR_BENCH | FOR_TUNE)
#define PROGRAM   (FOR_RUN | FOR_VERIFY | FOR_CHECK)
#define STUDIES   (FOR_CHAIN | FOR_DESIGN | FOR_PLAN)

static const option table[] = {
    {"steps", "N", "run N steps instead of the program's count", PROGRAM | FOR_PLAN | FOR_EXPORT,
     COUNT, AT(steps), 0, 1000000000000},
    {"target", "T", "what to run it on; 'ikat doctor' lists the targets", RUNS | TIMED, TEXT,
     AT(target), 0, 0},
    {"strategy", "S", "the execution strategy: fuse, sweep, hex, ... (docs/cpu.md)",
     RUNS | FOR_TUNE | FOR_BENCH, TEXT, AT(strategy), 0, 0},
    {"plan", "WORDS", "fix parts of the plan: \"steps=8 tile=1024,0 rows=4 vectors=1\"", RUNS, TEXT,
     AT(plan), 0, 0},
    {"threads", "N", "at most N threads", RUNS | TIMED | FOR_DESIGN | FOR_PLAN, COUNT, AT(threads),
     1, 1 << 20},
    {"max-memory", "SIZE", "use no more memory than this: 4GiB, 500MB", RUNS | FOR_TUNE | FOR_PLAN,
     BYTES, AT(max_memory), 0, 0},
    {"check-every", "N", "look for blow-up every N steps, 1 to 100", RUNS, COUNT, AT(check_every),
     1, 100},
    {"allow-unstable", NULL, "run even if the time step exceeds the stability limit",
     RUNS | FOR_TUNE, FLAG, AT(allow_unstable), 0, 0},
    {"out", "[FIELD=]F",
     "write a field, or an earlier level u[t-1], to F: .npy, .raw or .h5; may be repeated", FOR_RUN,
     LIST, AT(out), 0, 0},
    {"out", "F.c", "the file to write, also as -o F.c; without it: standard output", FOR_EXPORT,
     TEXT, AT(to), 0, 0},
    {"picture", "F.png", "a picture of a field", FOR_RUN, TEXT, AT(picture), 0, 0},
    {"field", "NAME", "the field for --picture, and for --out F", FOR_RUN, TEXT, AT(field), 0, 0},
    {"dir", "DIR", "a folder for the files that the program writes; created if missing", FOR_RUN,
     TEXT, AT(dir), 0, 0},
    {"allow-paths", NULL, "let the program write outside of that folder, too", FOR_RUN, FLAG,
     AT(allow_paths), 0, 0},
    {"confine", NULL,
     "for untrusted programs: read only below this folder, --dir and its own folder",
     PROGRAM | FOR_TUNE | FOR_PLAN | FOR_EXPORT, FLAG, AT(confine), 0, 0},
    {"slice", "AXIS=N", "in 3D: the slice that the picture shows, for instance z=36", FOR_RUN, TEXT,
     AT(slice), 0, 0},
    {"report", "DIR", "report.html and report.json in the folder DIR",
     FOR_RUN | FOR_BENCH | STUDIES, TEXT, AT(report), 0, 0},
    {"frames", "DIR", "pictures of the field during the run, for an animation, in the folder DIR",
     FOR_RUN, TEXT, AT(frames), 0, 0},
    {"movie", "F.gif", "an animation of the field, in one file", FOR_RUN, TEXT, AT(movie), 0, 0},
    {"every", "N", "steps between frames (default: about 48 frames in all)", FOR_RUN, COUNT,
     AT(every), 1, INT64_MAX},
    {"range", "LO:HI", "values that the colours of pictures and frames show: -1:1", FOR_RUN, TEXT,
     AT(range), 0, 0},
    {"trace", "F.json", "what each element of a simulated machine did, for Perfetto", FOR_RUN, TEXT,
     AT(trace), 0, 0},
    {"fabric", "XxY", "a grid that fills a fabric of XxY elements: 755x994", RUNS | FOR_PLAN, TEXT,
     AT(fabric), 0, 0},
    {"machine", "M", "a machine to plan for; may be repeated; 'ikat machine list' has them",
     FOR_PLAN, LIST, AT(machine), 0, 0},
    {"simulate", NULL, "also simulate that machine, although it takes longer", FOR_PLAN, FLAG,
     AT(simulate), 0, 0},
    {"objective", "O", "what to minimise: time, energy or edp (energy-delay product)",
     FOR_PLAN | FOR_DESIGN, TEXT, AT(objective), 0, 0},
    {"max-error", "E", "only plans with at most this relative error: 1e-6", FOR_PLAN, TEXT,
     AT(max_error), 0, 0},
    {"what-if", "F=xN,...", "with scaled figures of the machine: bandwidth=x2,shared=x0.5",
     FOR_PLAN, TEXT, AT(what_if), 0, 0},
    {"area", "MM2", "area of the chip: 450, or 398..601", FOR_DESIGN, TEXT, AT(area), 0, 0},
    {"max-power", "W", "watts that no problem may draw; what would draw more waits", FOR_DESIGN,
     COUNT, AT(max_power), 1, 1000000},
    {"reading", "R", "of the time model: exact, or literal as it was printed", FOR_DESIGN, TEXT,
     AT(reading), 0, 0},
    {"fast", "WORDS", "words of fast memory (default: 65536)", FOR_CHAIN, COUNT, AT(fast), 1,
     INT64_MAX},
    {"size", "S", "small or full; small takes seconds and says nothing about speed", FOR_BENCH,
     TEXT, AT(size), 0, 0},
    {"only", "NAME", "only this case, or those whose names go on with a dash", FOR_BENCH, TEXT,
     AT(only), 0, 0},
    {"rounds", "N", "timings per case, 1 to 100; their median is used", FOR_BENCH, COUNT,
     AT(rounds), 1, 100},
    {"budget", "SECONDS", "approximate time limit (default: ten seconds)", FOR_TUNE | FOR_BENCH,
     COUNT, AT(budget), 1, 1000000},
    {"all", NULL, "time every plan, however long that takes", FOR_TUNE, FLAG, AT(all), 0, 0},
    {"fit", NULL, "of suite model: fit its constants to this machine, and save them", FOR_BENCH,
     FLAG, AT(fit), 0, 0},
    {"goals", NULL, "also the developers' goals: bench/goals", FOR_BENCH, FLAG, AT(goals), 0, 0},
    {"dry-run", NULL, "measure without saving the winner", FOR_TUNE, FLAG, AT(dry_run), 0, 0},
    {"dump", "WHAT", "show stages of the compiler: ast,ir,facts,layout,loops,code",
     FOR_RUN | FOR_CHECK, WORDS, AT(dump), 0, 0},
    {"quiet", NULL, "print errors only", PROGRAM | TIMED | STUDIES, FLAG, AT(quiet), 0, 0},
    {"check", NULL, "change nothing; exit 1 if something would change", FOR_FMT, FLAG, AT(check), 0,
     0},
    {"stdout", NULL, "print the result instead of changing the file", FOR_FMT, FLAG, AT(to_stdout),
     0, 0},
    {"json", NULL, "one JSON object on standard output", FOR_ALL, FLAG, AT(json), 0, 0},
    {"help", NULL, "this text", FOR_ALL, FLAG, AT(help), 0, 0},
};
enum { NOPTIONS = sizeof table / sizeof *table };

/* ------------------------------------------------------------------------------- complaints */

static bool wrong(complaint *why, const char *help, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

static bool wrong(complaint *why, const char *help, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(why->text, sizeof why->text, fmt, ap);
  va_end(ap);
  snprintf(why->help, sizeof why->help, "%s", help);
  return false;
}

/* Not one of this command's options: the nearest of those, or the command that has it. */
static bool unknown(const char *name, size_t len, int command, complaint *why) {
  const char *names[NOPTIONS];
  char        word[64], help[128] = "--help lists the options";
  int         n = 0;
  bool        elsewhere = false;
  snprintf(word, sizeof word, "%.*s", (int)len, name);
  for (int i = 0; i < NOPTIONS; i++) {
    elsewhere |= strcmp(table[i].name, word) == 0;
    if (table[i].commands & command) names[n++] = table[i].name;
  }
  const char *near = ik_nearest_word(word, names, n);
  if (near) snprintf(help, sizeof help, "did you mean '--%s'?", near);
  if (elsewhere) return wrong(why, help, "'--%s' is not an option of this command", word);
  return wrong(why, help, "unknown option '--%s'", word);
}

/* ----------------------------------------------------------------------------------- values */

static bool read_count(const option *o, const char *text, int64_t *out, complaint *why) {
  char *end;
  errno = 0;
  long long v = strtoll(text, &end, 10);
  if (end != text && !*end && !errno && v >= o->low && v <= o->high && !isspace(*text))
    return *out = v, true;
  char range[96];
  if (o->high == INT64_MAX)
    snprintf(range, sizeof range, "write a whole number, %lld or more", (long long)o->low);
  else
    snprintf(range, sizeof range, "write a whole number from %lld to %lld", (long long)o->low,
             (long long)o->high);
  return wrong(why, range, "invalid value '%s' of --%s", text, o->name);
}

static double unit_bytes(const char *unit) {
  static const char letters[] = "KMGTP";
  if (!*unit || !strcmp(unit, "B")) return 1;
  const char *at = strchr(letters, toupper((unsigned char)*unit));
  double      base = !strcmp(unit + 1, "iB") ? 1024 : !unit[1] || !strcmp(unit + 1, "B") ? 1000 : 0;
  double      v = 1;
  for (const char *p = letters; at && p <= at; p++) v *= base;
  return at ? v : 0;
}

static bool read_bytes(const option *o, const char *text, int64_t *out, complaint *why) {
  char  *end;
  double v = strtod(text, &end);
  if (isdigit((unsigned char)*text)) {
    v *= unit_bytes(end + strspn(end, " "));
    if (v >= 1 && v < 9e18) return *out = (int64_t)v, true;
  }
  return wrong(why, "write 4GiB, 500MB or a number of bytes", "invalid value '%s' of --%s", text,
               o->name);
}

/* ---------------------------------------------------------------------------------- parsing */

typedef struct parser {
  int        argc, next, command;
  char     **argv;
  settings  *s;
  complaint *why;
} parser;

static void add(words *w, const char *word) { w->word[w->n++] = word; }

/* In place: argv is ours. */
static void add_parts(words *w, char *text) {
  for (char *part; (part = strsep(&text, ","));)
    if (*part) add(w, part);
}

static bool store(parser *p, const option *o, char *value) {
  void *to = (char *)p->s + o->at;
  switch (o->kind) {
  case FLAG: *(bool *)to = true; break;
  case TEXT: *(const char **)to = value; break;
  case COUNT: return read_count(o, value, to, p->why);
  case BYTES: return read_bytes(o, value, to, p->why);
  case LIST: add(to, value); break;
  case WORDS: add_parts(to, value); break;
  }
  return true;
}

static const option *find(const char *name, size_t len, int command) {
  for (const option *o = table; o < table + NOPTIONS; o++)
    if (o->commands & command && strlen(o->name) == len && !memcmp(o->name, name, len)) return o;
  return NULL;
}

/* "--name", "--name value" or "--name=value". */
static bool parse_option(parser *p, char *word) {
  char         *name = word + 2, *equals = strchr(name, '=');
  size_t        len = equals ? (size_t)(equals - name) : strlen(name);
  const option *o = find(name, len, p->command);
  char         *value = equals ? equals + 1 : NULL;
  if (!o) return unknown(name, len, p->command, p->why);
  if (o->kind == FLAG && value)
    return wrong(p->why, "leave out the '='", "'--%s' takes no value", o->name);
  if (o->kind != FLAG && !value && p->next < p->argc && strncmp(p->argv[p->next], "--", 2))
    value = p->argv[p->next++];
  if (o->kind != FLAG && (!value || !*value)) {
    char help[96];
    snprintf(help, sizeof help, "write --%s %s", o->name, o->argument);
    return wrong(p->why, help, "'--%s' needs a value", o->name);
  }
  return store(p, o, value);
}

static bool parse_word(parser *p, char *word) {
  if (word[0] != '-' || !word[1]) return add(&p->s->plain, word), true;
  if (word[1] == '-') return parse_option(p, word);
  if (!strcmp(word, "-h")) return p->s->help = true;
  if (!strcmp(word, "-o") && find("out", 3, p->command)) {
    char out[] = "--out";
    return parse_option(p, out);
  }
  return wrong(p->why, "options are whole words, such as --json; --help lists them",
               "unknown option '%s'", word);
}

/* A word has at most as many parts as letters. */
static bool reserve(words *w, int argc, char **argv) {
  size_t most = 1;
  for (int i = 0; i < argc; i++) most += strlen(argv[i]) / 2 + 1;
  w->word = calloc(most, sizeof *w->word);
  return w->word;
}

bool options_parse(int argc, char **argv, int from, int command, settings *s, complaint *why) {
  parser p = {argc, from, command, argv, s, why};
  *s = (settings){.steps = -1};
  if (!reserve(&s->out, argc, argv) || !reserve(&s->dump, argc, argv) ||
      !reserve(&s->machine, argc, argv) || !reserve(&s->plain, argc, argv))
    return why->memory = true, wrong(why, "", "not enough memory for the command line");
  while (p.next < argc) {
    char *word = argv[p.next++];
    if (!strcmp(word, "--")) break;
    if (!parse_word(&p, word)) return false;
  }
  while (p.next < argc) add(&s->plain, argv[p.next++]);
  return true;
}

void options_free(settings *s) {
  free(s->out.word);
  free(s->dump.word);
  free(s->machine.word);
  free(s->plain.word);
  s->out = s->dump = s->machine = s->plain = (words){0};
}

void options_help(int   command, void (*line)(const char *left, const char *help, void *user),
                  void *user) {
  for (const option *o = table; o < table + NOPTIONS; o++) {
    char left[64];
    if (!(o->commands & command)) continue;
    snprintf(left, sizeof left, "--%s%s%s", o->name, o->argument ? " " : "",
             o->argument ? o->argument : "");
    line(left, o->help, user);
  }
}

const char *option_value(const char *word) {
  const char *p = word;
  if (!isalpha((unsigned char)*p) && *p != '_') return NULL;
  while (isalnum((unsigned char)*p) || *p == '_') p++;
  return *p == '=' ? p + 1 : NULL;
}
