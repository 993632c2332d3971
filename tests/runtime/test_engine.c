/* Whole programs on engines with memory of their own (own.h): everything that a run shows or writes
 * is what the interpreter shows and writes. */
#include "api/api.h"
#include "base/embed.h"
#include "base/hash.h"
#include "check.h"
#include "own.h"
#include <dirent.h>
#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

/* ---- a session: what a user does, and all that is seen of it ---- */

typedef struct session {
  const char *target, *strategy;
  bool        bound;    /* arrays of the caller's take part */
  bool        pictures; /* they take the most time of all that is asked for */
  char        folder[64];
  ik_log     *log;
  ik_program *program;
  ik_run     *run;
  void      **array; /* [fields] */
  ik_buf      seen;
} session;

static void note(session *s, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void note(session *s, const char *fmt, ...) {
  char    line[4000];
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(line, sizeof line, fmt, ap);
  va_end(ap);
  ik_buf_printf(&s->seen, "%s\n", line);
}

static bool note_status(session *s, const char *what, ik_status st) {
  if (st) note(s, "%s: %d", what, st);
  return st == IK_OK;
}

static const char *path_in(const session *s, const char *name) {
  static char path[4][400];
  static int  turn;
  char       *p = path[turn++ % 4];
  snprintf(p, sizeof path[0], "%s/%s", s->folder, name);
  return p;
}

/* ---- what is seen ---- */

static int by_name(const struct dirent **a, const struct dirent **b) {
  return strcmp((*a)->d_name, (*b)->d_name);
}

static uint64_t hash_of_file(const char *path) {
  FILE    *f = fopen(path, "rb");
  uint64_t h = IK_HASH_INIT;
  char     part[4096];
  for (size_t n; f && (n = fread(part, 1, sizeof part, f)) > 0;) h = ik_hash(h, part, n);
  if (f) fclose(f);
  return h;
}

/* Reports tell times as well: that they could be written is all that is the same. */
static void note_files(session *s) {
  struct dirent **entry;
  int             n = scandir(s->folder, &entry, NULL, by_name);
  for (int i = 0; i < n; i++) {
    const char *name = entry[i]->d_name, *path = path_in(s, name);
    bool        told = !strstr(name, "report");
    if (*name != '.') note(s, "%s %016" PRIx64, name, told ? hash_of_file(path) : 0);
    if (*name != '.') unlink(path);
    free(entry[i]);
  }
  if (n >= 0) free(entry);
}

static void note_value(session *s, const char *field, const int64_t n[3]) {
  for (int k = 1; k < 4; k++)
    note(s, "%s: %.17g", field,
         ik_run_value(s->run, field, n[0] * k / 4, n[1] * k / 4, n[2] * k / 4));
}

static void note_data(session *s, const char *field) {
  ik_field_info info;
  const void   *data = ik_run_data(s->run, field, &info);
  note(s, "%s: %016" PRIx64, field, data ? ik_hash(IK_HASH_INIT, data, info.bytes) : 0);
}

static void each_field(session *s, void (*f)(session *s, int i, const ik_field_info *info)) {
  ik_field_info info;
  for (int i = 0; ik_program_field(s->program, i, &info); i++) f(s, i, &info);
}

static void note_field_value(session *s, int i, const ik_field_info *info) {
  (void)i;
  note_value(s, info->name, info->n);
}

static void note_field_data(session *s, int i, const ik_field_info *info) {
  (void)i;
  note_data(s, info->name);
}

static void write_levels(session *s, int i, const ik_field_info *info) {
  for (int k = 0; k < info->history; k++) {
    char field[80], name[80];
    snprintf(field, sizeof field, k ? "%s[t-%d]" : "%s", info->name, k);
    snprintf(name, sizeof name, "field%d_%d.npy", i, k);
    note_status(s, field, ik_run_write(s->run, path_in(s, name), field, s->log));
  }
}

static void draw(session *s, int i, const ik_field_info *info) {
  char               name[80];
  ik_picture_options o;
  ik_picture_options_init(&o);
  o.field = info->name;
  snprintf(name, sizeof name, "field%d.png", i);
  note_status(s, name, ik_run_picture(s->run, &o, path_in(s, name), s->log));
}

/* A line of a text for people, from a word on. */
static void note_part(session *s, const char *text, const char *from) {
  const char *at = text ? strstr(text, from) : NULL;
  size_t      len = at ? strcspn(at, "\n") : 0;
  note(s, "%.*s", (int)len, at ? at : "");
}

static void note_words(session *s) {
  note_part(s, ik_run_summary(s->run), "max|");
  note_part(s, ik_run_summary(s->run), "  repeat");
  note_part(s, ik_run_summary(s->run), "  hash");
}

static void note_json(session *s) {
  const char *text = ik_run_json(s->run), *from = text ? strstr(text, "\"hash\"") : NULL;
  const char *end = from ? strstr(from, "\"files\"") : NULL; /* whose folder is another */
  note(s, "%.*s", (int)(end ? end - from : 0), from ? from : "");
}

static void note_messages(session *s) {
  ik_log_entry e;
  for (int i = 0; ik_log_get(s->log, i, &e); i++)
    note(s, "%s %s; %s", e.code, e.message, e.help ? e.help : "");
}

/* ---- what is done ---- */

static void start(session *s, const char *target, const char *strategy, bool bound) {
  *s = (session){.target = target, .strategy = strategy, .bound = bound, .log = ik_log_create()};
  strcpy(s->folder, "/tmp/ikat-own.XXXXXX");
  CHECK(mkdtemp(s->folder));
}

static bool open_text(session *s, const char *name, const char *text, bool small) {
  static const char *const extent[] = {"20", "18", "10"};
  if (ik_program_from_text(name, text, s->log, &s->program)) return false;
  if (ik_program_compile(s->program, s->log)) return false;
  for (int k = 0; small && k < 3; k++)
    if (ik_program_axis(s->program, k))
      ik_program_set(s->program, ik_program_axis(s->program, k), extent[k], s->log);
  if (small && strstr(text, "\nstep ")) ik_program_set_steps(s->program, 9);
  if (small && strstr(text, "\nparam layer")) {
    ik_program_set(s->program, "layer", "3", s->log);
    ik_program_set(s->program, "depth", "4", s->log);
  }
  return ik_program_compile(s->program, s->log) == IK_OK;
}

static ik_run_options options(const session *s) {
  ik_run_options o;
  ik_run_options_init(&o);
  o.target = s->target, o.strategy = s->strategy, o.directory = s->folder, o.check_every = 4,
  o.threads = 2;
  return o;
}

static bool create(session *s) {
  ik_run_options o = options(s);
  return note_status(s, "create", ik_run_create(s->program, &o, s->log, &s->run));
}

static void fill(session *s, int i, const ik_field_info *info) {
  unsigned char *bytes = s->array[i];
  for (size_t k = 0; k < info->bytes; k++) bytes[k] = 0;
  if (!strcmp(info->type, "f32"))
    for (size_t k = 0; k < info->bytes / 4; k++) ((float *)s->array[i])[k] = (float)(k % 7) / 8;
  if (!strcmp(info->type, "f64"))
    for (size_t k = 0; k < info->bytes / 8; k++) ((double *)s->array[i])[k] = (double)(k % 7) / 8;
}

static void bind(session *s, int i, const ik_field_info *info) {
  s->array[i] = malloc(info->bytes);
  fill(s, i, info);
  CHECK_EQ(ik_run_bind(s->run, info->name, s->array[i], info->bytes, s->log), IK_OK);
  note_value(s, info->name, info->n);
}

static void note_array(session *s, int i, const ik_field_info *info) {
  note(s, "array of %s: %016" PRIx64, info->name, ik_hash(IK_HASH_INIT, s->array[i], info->bytes));
}

static void change_array(session *s, int i, const ik_field_info *info) {
  note_array(s, i, info);
  ((char *)s->array[i])[info->bytes / 2] ^= 4;
}

static void free_array(session *s, int i, const ik_field_info *info) {
  (void)info;
  free(s->array[i]);
}

static void advance(session *s, int64_t n) {
  note_status(s, "advance", ik_run_advance(s->run, n, s->log));
}

/* Each kind of question is the first that is asked after some steps: what one has fetched is there
 * for the next. */
static void play(session *s) {
  if (!create(s)) return;
  s->array = calloc((size_t)ik_program_field_count(s->program), sizeof *s->array);
  if (s->bound) each_field(s, bind);
  note_words(s);
  advance(s, 0);
  each_field(s, note_field_value);
  advance(s, 1);
  if (s->bound) each_field(s, change_array);
  each_field(s, note_field_data);
  advance(s, 1);
  note_words(s);
  advance(s, 1);
  note_json(s);
  advance(s, 1);
  each_field(s, write_levels);
  note_files(s);
  advance(s, 1);
  if (s->pictures) each_field(s, draw);
  note_files(s);
  advance(s, -1);
  if (s->bound) each_field(s, note_array);
  note_status(s, "outputs", ik_run_write_outputs(s->run, s->log));
  if (s->pictures) note_status(s, "report", ik_run_report(s->run, s->folder, "", s->log, NULL));
  note_files(s);
  note_words(s);
  if (s->bound) each_field(s, free_array);
  free(s->array);
}

static void play_film(session *s) {
  ik_picture_options p;
  ik_picture_options_init(&p);
  if (!create(s)) return;
  note_status(s, "film",
              ik_run_animate(s->run, &p,
                             &(ik_film_options){.movie = path_in(s, "film.gif"), .every = 3},
                             s->log));
  note_files(s);
}

/* From its beginning once more. */
static void play_again(session *s) {
  if (!create(s)) return;
  advance(s, 3);
  note_status(s, "rewind", ik_run_rewind(s->run, s->log));
  each_field(s, note_field_value);
  advance(s, -1);
  note_words(s);
}

static void finish(session *s) {
  note_messages(s);
  note_files(s);
  rmdir(s->folder);
  ik_run_destroy(&s->run);
  ik_program_destroy(&s->program);
  ik_log_destroy(&s->log);
}

typedef struct way {
  void (*play)(session *s);
  bool bound, compiled, small, pictures;
} way;

static void see(const char *target, const char *strategy, const char *name, const char *text, way w,
                ik_buf *out) {
  session s;
  start(&s, target, strategy, w.bound);
  bool opened = open_text(&s, name, text, w.small);
  s.pictures = w.pictures;
  if (!opened) check_fail(__FILE__, __LINE__, "%s is no program", name);
  if (opened) w.play(&s);
  finish(&s);
  *out = s.seen;
}

static void compare_with(const char *target, const char *strategy, const char *name,
                         const char *text, way w, const ik_buf *want) {
  ik_buf got;
  see(target, strategy, name, text, w, &got);
  if (strcmp(ik_buf_text(want), ik_buf_text(&got)))
    check_fail(__FILE__, __LINE__, "%s on %s shows\n%s\nnot\n%s", name, target, ik_buf_text(&got),
               ik_buf_text(want));
  ik_buf_free(&got);
}

static void compare(const char *name, const char *text, way w) {
  ik_buf want;
  see("ref", NULL, name, text, w, &want);
  compare_with("own", NULL, name, text, w, &want);
  compare_with("own-plain", NULL, name, text, w, &want);
  compare_with("own-plain", "halves", name, text, w, &want);
  if (w.compiled) compare_with("own-plain", "compiled", name, text, w, &want);
  ik_buf_free(&want);
}

/* ---- programs ---- */

static const way whole = {.play = play}, bound = {.play = play, .bound = true};

CASE(examples_show_what_the_interpreter_shows) {
  for (const ik_embedded *e = ik_embedded_files; e->name; e++)
    if (!strncmp(e->name, "examples/", 9))
      compare(e->name, e->data, (way){.play = play, .small = true});
}

static const char waves[] =
    "grid x = 16, y = 11\nparam dt = 0.4\nfield u : f64, history 2 = 0\nfield c : f32 = 1 + 0.1*x\n"
    "boundary u = 0\nsource ricker(f = 0.1) at (5.3, 4) into u\nsource 0.1*t at (7, 3) into u\n"
    "receiver u at line (2, 5) .. (12, 5) count 4 every 2 into \"traces.npy\"\n"
    "receiver u at (3.5, 4.5) with sinc into \"trace.npy\"\n"
    "output u every 2 into \"u.npy\"\noutput c into \"end.npy\"\n"
    "step 12 { u' = 2*u - u[t-1] + 0.1*c*laplacian(u) }\n";

static const char mixed[] =
    "grid x = 9\nfield u : f64 = noise(1)\nfield v : f32 = 1\nfield h : f16 = 0.5\n"
    "field k : i32 = 3*x\nboundary u = periodic\nscalar s : f64 = 0\n"
    "u = u + 1\n"
    "step 7 { u' = 0.5*u + 0.25*u[-1] + 0.25*u[1]; s = s + sum(u); k' = k + 1 }\n"
    "v = u*u\nh = 0.5*h + v\n"
    "repeat until sum(v) < 1 max 50 { v = 0.5*v }\n"
    "step 5 { u' = u - 0.1*v; v' = v + t }\n"
    "repeat until s < 0 max 3 { s = s + 1 }\n"
    "v = 2*v\n";

static const char rounds[] = "grid x = 24, y = 10\nfield u : f32 = noise(1)\nboundary u = 1\n"
                             "repeat until sum(u*u) > 200 max 90 {\n"
                             "  u = 0.25*(u[-1, 0] + u[1, 0] + u[0, -1] + u[0, 1])\n}\n";

CASE(sources_receivers_levels_and_outputs_are_the_same) {
  compare("waves", waves, (way){.play = play, .compiled = true, .pictures = true});
}

CASE(all_types_and_loops_are_the_same) {
  compare("mixed", mixed, (way){.play = play, .compiled = true, .pictures = true});
}

CASE(rounds_end_as_they_do) { compare("rounds", rounds, whole); }

CASE(arrays_of_the_caller_go_to_and_fro) {
  compare("waves", waves, bound);
  compare("mixed", mixed, (way){.play = play, .bound = true, .compiled = true});
  compare("rounds", rounds, bound);
}

CASE(a_program_without_loops_takes_new_values) {
  compare("operator",
          "grid x = 9, y = 4\nfield u, v : f64 = 2\nboundary u = 0\nv = u[1, 0] - u\n"
          "total = sum(v)\n",
          bound);
}

CASE(a_film_shows_every_step) {
  compare("waves", waves, (way){.play = play_film});
  compare("rounds", rounds, (way){.play = play_film});
}

CASE(a_run_begins_again) {
  compare("waves", waves, (way){.play = play_again});
  /* nothing gives u its first values: they are zero */
  compare("zero",
          "grid x = 9\nfield u : f64, history 2\nboundary u = 0\nsource 1 + t at 4 into u\n"
          "step 9 { u' = 0.5*u + 0.1*u[t-1] }\n",
          (way){.play = play_again});
}

CASE(values_of_files_reach_the_engine) {
  char    text[400], path[] = "/tmp/ikat-own.npy.XXXXXX.npy";
  int     fd = mkstemps(path, 4);
  session s;
  CHECK(fd >= 0 && close(fd) == 0);
  start(&s, "ref", NULL, false);
  CHECK(open_text(&s, "out", "grid x = 9\nfield u : f64 = noise(3)\nstep 1 { u' = u }\n", false));
  CHECK(create(&s));
  advance(&s, -1);
  CHECK_EQ(ik_run_write(s.run, path, "u", s.log), IK_OK);
  finish(&s);
  ik_buf_free(&s.seen);
  snprintf(
      text, sizeof text,
      "grid x = 9\nfield u : f64 = file(\"%s\")\nfield v : f64 = 2*u\nstep 5 { u' = 0.5*u + v }\n",
      path);
  compare("file", text, whole);
  unlink(path);
}

/* ---- what is said of values ---- */

CASE(messages_tell_what_they_tell_of_arrays_of_the_host) {
  static const char *const text[] = {
      /* not finite, at once and later; of 16 bits; blown up; unstable, by values; close to it */
      "grid x = 8, y = 4\nfield u : f64 = log(3 - x)\nstep 9 { u' = u }\n",
      "grid x = 8, y = 4\nfield u : f32 = 2\nstep 9 { u' = if t == 5 then log(-u) else u }\n",
      "grid x = 8\nfield h : f16 = 300*x\nstep 9 { h' = 2*h }\n",
      "grid x = 8\nfield u : f64 = 1 + x\nstep 90 { u' = u*u }\n",
      "grid x = 8\nfield c : f32 = 0.1*x\nfield u : f64 = noise(1)\nboundary u = 0\n"
      "step 9 { u' = u + c*laplacian(u) }\n",
      "grid x = 8\nparam dt = 1\nfield c : f32 = 0.499\nfield u : f64 = noise(1)\nboundary u = 0\n"
      "step 9 { u' = u + dt*c*laplacian(u) }\n",
      "grid x = 8\nfield u : f64\nboundary u = 0\nstep 9 { u' = 0.5*(u[1] + u[-1]) }\n",
      "grid x = 8\nfield u : f64 = 1\nrepeat until sum(u) < 1 max 2 { u = 0.9*u }\n",
  };
  for (int i = 0; i < (int)(sizeof text / sizeof *text); i++) {
    compare("message", text[i], whole);
    compare("message", text[i], bound);
  }
}

static void verify(session *s) {
  ik_run_options o = options(s);
  const char    *text;
  CHECK_EQ(ik_verify(s->program, &o, s->log, false, &text), IK_OK);
  CHECK(text && strstr(text, "bit-identical"));
}

CASE(verify_compares_values) {
  ik_buf out;
  see("own", NULL, "waves", waves, (way){.play = verify}, &out);
  ik_buf_free(&out);
  see("own-plain", NULL, "mixed", mixed, (way){.play = verify}, &out);
  ik_buf_free(&out);
}

/* ---- copies are made when they are needed, and can fail ---- */

static void count_fetches(session *s) {
  CHECK(create(s));
  advance(s, 3);
  own_fetches = 0;
  advance(s, 4);
  CHECK_EQ(own_fetches, 0);
  note_data(s, "u"), note_data(s, "u"), note_value(s, "u", (int64_t[]){8, 0, 0});
  CHECK_EQ(own_fetches, 1);
  ik_run_summary(s->run), ik_run_json(s->run);
  CHECK_EQ(own_fetches, 2);
}

CASE(nothing_is_copied_unless_it_is_looked_at) {
  ik_buf out;
  see("own", NULL, "two",
      "grid x = 9\nfield u, v : f64 = 1\nreceiver u at 4 into \"u.npy\"\n"
      "step 40 { u' = 0.5*u; v' = 0.5*v }\n",
      (way){.play = count_fetches}, &out);
  ik_buf_free(&out);
}

static void fail_fetches(session *s) {
  CHECK(create(s));
  advance(s, 3);
  own_fails = 1;
  CHECK(!ik_run_data(s->run, "u", NULL));
  own_fails = 1;
  CHECK(isnan(ik_run_value(s->run, "u", 3, 3, 0)));
  own_fails = 1;
  CHECK(!ik_run_summary(s->run));
  own_fails = 1;
  CHECK(!ik_run_json(s->run));
  own_fails = 1;
  CHECK_EQ(ik_run_write(s->run, path_in(s, "u.npy"), "u", s->log), IK_ERR_RESOURCE);
  own_fails = 1;
  CHECK_EQ(ik_run_picture(s->run, NULL, path_in(s, "u.png"), s->log), IK_ERR_RESOURCE);
  own_fails = 1;
  CHECK_EQ(ik_run_advance(s->run, -1, s->log), IK_ERR_RESOURCE); /* an output on the way */
  own_fails = 0;
  CHECK(ik_run_data(s->run, "u", NULL));
}

CASE(a_device_that_fails_is_told) {
  ik_buf out;
  see("own", NULL, "waves", waves, (way){.play = fail_fetches}, &out);
  ik_buf_free(&out);
}

/* ---- memory ---- */

static void refused(session *s) {
  ik_run_options o = options(s);
  own_free = 2000;
  CHECK_EQ(ik_run_create(s->program, &o, s->log, &s->run), IK_ERR_RESOURCE);
  own_free = INT64_MAX;
  ik_log_entry e;
  CHECK(ik_log_get(s->log, 0, &e) && !strcmp(e.code, "E072"));
  CHECK(strstr(e.message, "of the memory of the second memory, and 1.95 KiB are free"));
}

static void planned(session *s) {
  CHECK(create(s));
  const char *text = ik_run_plan(s->run);
  CHECK(text && strstr(text, " free\n  device  6.16 KiB of 1 GiB free, of the second memory\n"));
  text = ik_run_json(s->run);
  CHECK(text && strstr(text, "\"device_bytes\": 63"));
}

CASE(its_memory_is_planned_too) {
  ik_buf out;
  own_free = 1 << 30;
  see("own", NULL, "waves", waves, (way){.play = planned}, &out);
  ik_buf_free(&out);
  see("own", NULL, "waves", waves, (way){.play = refused}, &out);
  ik_buf_free(&out);
}
