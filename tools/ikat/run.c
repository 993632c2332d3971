/* run.c: `ikat run`.
 *
 * What can be found wrong with the command line is found before the run; what fails to be written
 * afterwards costs its own file and no other.
 */
#include "interrupt.h"
#include "tool.h"
#include <float.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------------------- before the run */

/* A result that cannot be written should be known before it has been computed for an hour. */
static int check_path(call *c, const char *path, ik_result kind) {
  return fail(c, ik_can_write(path, kind, c->log));
}

static int find_field(call *c, const ik_program *p, const char *name, ik_field_info *f) {
  enum { MOST = 64 };
  const char *names[MOST];
  int         n = 0;
  for (int i = 0; ik_program_field(p, i, f); i++) {
    if (!strcmp(f->name, name)) return EXIT_FINE;
    if (n < MOST) names[n++] = f->name;
  }
  return complain(c, EXIT_USAGE, did_you_mean(name, names, n, "'ikat check' lists the fields"),
                  "the program has no field '%s'", name);
}

static int check_field(call *c, const ik_program *p, const char *name) {
  ik_field_info f;
  return find_field(c, p, name, &f);
}

/* "u=F" is the field u to F, "u[t-1]=F" what it was one step earlier; "./a=b.npy" is a file. */
typedef struct output {
  const char *field, *path;          /* field: NULL, the first, or all of them */
  char        whole[256], name[256]; /* with and without the brackets */
  int64_t     level;                 /* what stands in them behind "t-"; -1: something else */
} output;

static int64_t level_of(const char *brackets) {
  char     *end;
  long long k = strncmp(brackets, "[t-", 3) ? -1 : strtoll(brackets + 3, &end, 10);
  return k >= 0 && !strcmp(end, "]") ? k : -1;
}

static void split_output(const call *c, const char *word, output *o) {
  size_t len = strcspn(word, "=/");
  bool   named = word[len] == '=';
  *o = (output){.path = named ? word + len + 1 : word, .field = c->set.field};
  if (!named) return;
  snprintf(o->whole, sizeof o->whole, "%.*s", (int)len, word);
  snprintf(o->name, sizeof o->name, "%.*s", (int)strcspn(o->whole, "["), o->whole);
  const char *brackets = strchr(o->whole, '[');
  o->field = o->whole;
  o->level = brackets ? level_of(brackets) : 0;
}

/* A level that the program does not keep should be known before the run. */
static int check_level(call *c, const ik_program *p, const output *o) {
  ik_field_info f;
  char          help[400];
  int           code = find_field(c, p, o->field == o->whole ? o->name : o->field, &f);
  if (code || (o->level >= 0 && o->level < f.history)) return code;
  if (f.history > 1)
    snprintf(help, sizeof help, "the oldest time level of %s is %s[t-%d]", f.name, f.name,
             f.history - 1);
  else
    snprintf(help, sizeof help, "to store older time levels:  field %s : %s, history 2", f.name,
             f.type);
  return complain(c, EXIT_USAGE, help, "'%s' is not stored", o->whole);
}

/* The second of two would overwrite the first. */
static int check_repeated(call *c, int i) {
  output a, b;
  split_output(c, c->set.out.word[i], &a);
  for (int k = 0; k < i; k++) {
    split_output(c, c->set.out.word[k], &b);
    if (!strcmp(a.path, b.path))
      return complain(c, EXIT_USAGE, "give each a name of its own", "--out writes '%s' twice",
                      a.path);
  }
  return EXIT_FINE;
}

static bool is_film(const call *c) { return c->set.frames || c->set.movie; }

/* Options that say how pictures are drawn need some. */
static int check_film(call *c) {
  if (c->set.every && !is_film(c))
    return complain(c, EXIT_USAGE, "add --frames DIR or --movie F.gif",
                    "--every says how often frames are drawn");
  if (is_film(c) || c->set.picture) return EXIT_FINE;
  static const char help[] = "add --picture F.png, --frames DIR or --movie F.gif";
  if (c->set.range)
    return complain(c, EXIT_USAGE, help, "--range says which values the colours of a picture show");
  if (c->set.slice) return complain(c, EXIT_USAGE, help, "--slice says where a picture cuts");
  return EXIT_FINE;
}

static int check_outputs(call *c, const ik_program *p) {
  int code = EXIT_FINE;
  for (int i = 0; i < c->set.out.n && !code; i++) {
    output o;
    split_output(c, c->set.out.word[i], &o);
    code = check_path(c, o.path, IK_RESULT_ARRAY);
    if (!code && o.field) code = check_level(c, p, &o);
    if (!code) code = check_repeated(c, i);
  }
  if (!code && c->set.picture) code = check_path(c, c->set.picture, IK_RESULT_PICTURE);
  if (!code && c->set.field) code = check_field(c, p, c->set.field);
  if (!code && c->set.report) code = check_path(c, c->set.report, IK_RESULT_FOLDER);
  if (!code && c->set.frames) code = check_path(c, c->set.frames, IK_RESULT_FOLDER);
  if (!code && c->set.trace) code = check_path(c, c->set.trace, IK_RESULT_TRACE);
  if (!code && c->set.movie) code = check_path(c, c->set.movie, IK_RESULT_MOVIE);
  if (!code) code = check_film(c);
  return code;
}

static int read_slice(call *c, const ik_program *p, ik_picture_options *o) {
  const char *text = c->set.slice, *value = option_value(text ? text : "x=0"), *axis;
  char        name[64], *end;
  ik_picture_options_init(o);
  o->field = c->set.field;
  if (!text) return EXIT_FINE;
  if (!value || !*value || (o->index = strtoll(value, &end, 10)) < 0 || *end)
    return complain(c, EXIT_USAGE, "write --slice z=36", "invalid value '%s' of --slice", text);
  snprintf(name, sizeof name, "%.*s", (int)(value - text - 1), text);
  for (o->axis = 0; (axis = ik_program_axis(p, o->axis)); o->axis++)
    if (!strcmp(axis, name)) return EXIT_FINE;
  return complain(c, EXIT_USAGE, "use an axis of the grid", "the program has no axis '%s'", name);
}

/* "-1:1": two numbers in order. */
static int read_range(call *c, ik_picture_options *o) {
  const char *text = c->set.range;
  char       *colon, *end;
  if (!text) return EXIT_FINE;
  o->lo = strtod(text, &colon);
  o->hi = strtod(*colon ? colon + 1 : colon, &end);
  bool two = colon != text && *colon == ':' && end != colon + 1 && !*end;
  if (two && o->lo < o->hi && o->hi - o->lo <= DBL_MAX) return EXIT_FINE;
  return complain(c, EXIT_USAGE, "write the lower and the upper end:  --range -1:1",
                  "invalid value '%s' of --range", text);
}

/* ------------------------------------------------------------------------------- after the run */

static void quote_word(strbuf *t, const char *word) {
  if (*word && !strpbrk(word, " \t\n\"'$&|;<>()*?[]{}\\`#~!")) {
    strbuf_puts(t, word);
    return;
  }
  strbuf_putc(t, '\'');
  for (; *word; word++) strbuf_puts(t, *word == '\'' ? "'\\''" : (char[]){*word, 0});
  strbuf_putc(t, '\'');
}

char *command_text(call *c) {
  strbuf t = {0};
  strbuf_puts(&t, "ikat");
  for (int i = 1; i < c->argc; i++) strbuf_putc(&t, ' '), quote_word(&t, c->argv[i]);
  if (!t.failed) return t.data;
  c->lost = true;
  strbuf_free(&t);
  return NULL;
}

static ik_status write_report(call *c, ik_run *run) {
  const char *page;
  char       *line = command_text(c);
  ik_status   s = ik_run_report(run, c->set.report, line, c->log, &page);
  free(line);
  return s;
}

/* A file that cannot be written is told of, and the others are written all the same. */
static void keep_first(call *c, ik_status s, int *code) {
  int bad = fail(c, s);
  if (!*code) *code = bad;
}

static int write_files(call *c, ik_run *run, const ik_picture_options *picture) {
  int code = EXIT_FINE;
  keep_first(c, ik_run_write_outputs(run, c->log), &code);
  for (int i = 0; i < c->set.out.n; i++) {
    output o;
    split_output(c, c->set.out.word[i], &o);
    keep_first(c, ik_run_write(run, o.path, o.field, c->log), &code);
  }
  if (c->set.picture) keep_first(c, ik_run_picture(run, picture, c->set.picture, c->log), &code);
  if (c->set.trace) keep_first(c, ik_run_trace(run, c->set.trace, c->log), &code);
  if (c->set.report) keep_first(c, write_report(c, run), &code);
  return code;
}

static void say_files(call *c, const char *list) {
  for (size_t len; *list; list += len + 1) {
    len = strcspn(list, "\n");
    say(c, "wrote %.*s\n", (int)len, list);
  }
}

/* What makes a film of the frames, for those who want more colours than a GIF has. */
static void say_film(call *c) {
  if (!c->set.frames) return;
  strbuf frames = {0};
  char   path[4096];
  snprintf(path, sizeof path, "%s/frame_%%04d.png", c->set.frames);
  quote_word(&frames, path);
  say(c, "to make a film: ffmpeg -framerate 12 -i %s -pix_fmt yuv420p film.mp4\n",
      whole(c, frames.failed ? NULL : frames.data));
  strbuf_free(&frames);
}

static void say_hint(call *c) {
  bool seen = c->set.picture || c->set.report || is_film(c) || c->set.trace;
  if (seen || c->set.out.n || !strcmp(program_file(c), "-")) return;
  strbuf file = {0};
  quote_word(&file, program_file(c));
  say(c, "to see it: ikat run %s --picture picture.png\n",
      whole(c, file.failed ? NULL : file.data));
  strbuf_free(&file);
}

/* --------------------------------------------------------------------------------------- the run
 */

/* False: it never began, and there is nothing to keep. */
static bool has_begun(ik_status s) { return s != IK_ERR_SOURCE && s != IK_ERR_UNSUPPORTED; }

static bool is_read(const call *c) { return !c->json && !c->set.quiet; }

static int run_to_the_end(call *c, ik_run *run, const ik_picture_options *picture) {
  ik_status       s = ik_run_advance(run, 0, c->log); /* what stands before the first step */
  bool            begun = has_begun(s) && s != IK_ERR_RESOURCE; /* no file, no values to keep */
  ik_film_options film = {c->set.frames, c->set.movie, c->set.every};
  if (!s && is_film(c))
    s = ik_run_animate(run, picture, &film, c->log);
  else if (!s && !ik_run_done(run))
    s = ik_run_advance(run, -1, c->log);
  progress_end(&c->bar);
  int code = fail(c, s);
  if (!begun || !has_begun(s)) return code;
  if (s) interrupt_keep();
  if (s) say(c, "stopped early; the results so far are kept\n");
  if (is_read(c)) say(c, "%s", whole(c, ik_run_summary(run))); /* fields are hashed for it */
  fflush(stdout);                                              /* large files take their time */
  int unwritten = write_files(c, run, picture);
  say_files(c, whole(c, ik_run_files(run)));
  if (c->json) json_members(&c->object, whole(c, ik_run_json(run)));
  if (!code) say_film(c), say_hint(c);
  return code ? code : unwritten;
}

static int run_program(call *c, ik_program *p, const ik_picture_options *picture) {
  ik_run_options o;
  ik_run        *run = NULL;
  run_options(c, &o);
  int code = fail(c, ik_run_create(p, &o, c->log, &run));
  if (!code && c->set.trace) code = fail(c, ik_run_can_trace(run, c->log));
  if (!code && (c->set.picture || is_film(c) || c->set.slice))
    code = fail(c, ik_run_can_draw(run, picture, c->log));
  if (!code) {
    say(c, "%s", whole(c, ik_run_plan(run)));
    fflush(stdout);
    code = run_to_the_end(c, run, picture);
  }
  ik_run_destroy(&run);
  return code;
}

int command_run(call *c) {
  ik_program        *p;
  ik_picture_options picture;
  int                code = program_load(c, &p);
  if (code) return code;
  code = check_outputs(c, p);
  if (!code) code = read_slice(c, p, &picture);
  if (!code) code = read_range(c, &picture);
  if (!code && !c->json) say_view(c, p, "summary");
  if (!code) code = run_program(c, p, &picture);
  ik_program_destroy(&p);
  return code;
}
