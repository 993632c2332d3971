/* study.c: `ikat chain`, `ikat design`, `ikat bench papers` and `ikat bench spatial`: what models
 * and simulations say. */
#include "tool.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

int show_study(call *c, ik_status s, ik_study *study) {
  const char *page = NULL;
  int         code = fail(c, s);
  if (!study) return code;
  say_members(c, c->json ? ik_study_json(study) : ik_study_text(study));
  if (c->set.report) {
    char *line = command_text(c);
    int   unwritten = fail(c, ik_study_report(study, c->set.report, line, c->log, &page));
    if (!unwritten) say(c, "wrote %s\n", page);
    if (!unwritten) json_string(&c->object, "report", page);
    if (!code) code = unwritten;
    free(line);
  }
  ik_study_destroy(&study);
  return code;
}

int can_report(call *c) {
  if (!c->set.report) return EXIT_FINE;
  return fail(c, ik_can_write(c->set.report, IK_RESULT_FOLDER, c->log));
}

/* ---- chain ---- */

static int read_sizes(call *c, int64_t *size) {
  for (int i = 0; i < c->set.plain.n; i++) {
    const char *word = c->set.plain.word[i];
    char       *end;
    errno = 0;
    size[i] = strtoll(word, &end, 10);
    if (end == word || *end || errno || size[i] < 1)
      return complain(c, EXIT_USAGE,
                      "write the sizes as whole numbers: ikat chain 936 1008 552 368",
                      "'%s' is not a size", word);
  }
  return EXIT_FINE;
}

int command_chain(call *c) {
  ik_chain_options o = {.n = c->set.plain.n, .fast = (double)c->set.fast};
  ik_study        *study = NULL;
  if (o.n < 3)
    return complain(c, EXIT_USAGE, "ikat chain 936 1008 552 368 1016 616 544",
                    "a chain of products needs at least three sizes");
  int64_t *size = malloc((size_t)o.n * sizeof *size);
  if (!size) return complain(c, EXIT_MEMORY, "", "not enough memory");
  int code = read_sizes(c, size);
  if (!code) code = can_report(c);
  o.size = size;
  if (!code) {
    ik_status s = ik_study_chain(&o, c->log, &study);
    code = show_study(c, s, study);
  }
  free(size);
  return code;
}

/* ---- design ---- */

/* A number and nothing else; what ends it is put aside, as "398." is a number, too. */
static bool read_number(const char *text, size_t len, double *out) {
  char word[64], *end;
  if (len == 0 || len >= sizeof word) return false;
  memcpy(word, text, len), word[len] = 0;
  *out = strtod(word, &end);
  return !*end && isfinite(*out) && *out >= 0;
}

/* "398..601", "398" for all up to it. */
static bool read_range(const char *text, double *low, double *high) {
  const char *dots = strstr(text, "..");
  *low = 0;
  if (!dots) return read_number(text, strlen(text), high) && *high > 0;
  return read_number(text, (size_t)(dots - text), low) &&
         read_number(dots + 2, strlen(dots + 2), high) && *low <= *high && *high > 0;
}

int command_design(call *c) {
  ticker            t = {.hidden = c->set.quiet};
  ik_run_options    run;
  ik_design_options o = {.workload = c->set.plain.n ? c->set.plain.word[0] : "2d"};
  ik_study         *study = NULL;
  if (c->set.area && !read_range(c->set.area, &o.min_area, &o.max_area))
    return complain(c, EXIT_USAGE, "write mm2 as in --area 398..601 or --area 450",
                    "invalid value '%s' of --area", c->set.area);
  int code = can_report(c);
  if (code) return code;
  run_options(c, &run);
  o.max_power = (double)c->set.max_power;
  o.objective = c->set.objective, o.reading = c->set.reading, o.threads = (int)c->set.threads;
  o.stop = run.stop, o.progress = ticker_show, o.user = &t;
  ik_status s = ik_study_design(&o, c->log, &study);
  ticker_end(&t);
  return show_study(c, s, study);
}

/* ---- bench papers, bench spatial ---- */

int bench_papers(call *c) {
  ik_study *study = NULL;
  int       code = can_report(c);
  if (code) return code;
  ik_status s = ik_study_papers(c->set.only, c->log, &study);
  return show_study(c, s, study);
}

int bench_spatial(call *c) {
  ik_study *study = NULL;
  int       code = can_report(c);
  if (code) return code;
  ik_status s = ik_study_spatial(c->set.only, (int)c->set.threads, c->log, &study);
  return show_study(c, s, study);
}
