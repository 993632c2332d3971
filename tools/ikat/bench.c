/* bench.c: `ikat bench`. */
#include "interrupt.h"
#include "tool.h"
#include <stdlib.h>
#include <string.h>

static int read_size(call *c, bool *is_small) {
  static const char *const sizes[] = {"small", "full"};
  const char              *size = c->set.size ? c->set.size : "full";
  *is_small = !strcmp(size, "small");
  if (*is_small || !strcmp(size, "full")) return EXIT_FINE;
  return complain(c, EXIT_USAGE, did_you_mean(size, sizes, 2, "write --size small or --size full"),
                  "invalid value '%s' of --size", size);
}

static ik_status write_report(call *c, ik_bench *b) {
  const char *page = NULL;
  char       *line = command_text(c);
  ik_status   s = ik_bench_report(b, c->set.report, line, c->log, &page);
  if (!s) say(c, "wrote %s\n", page);
  if (!s) json_string(&c->object, "report", page);
  free(line);
  return s;
}

static int run_bench(call *c, const ik_bench_options *o, ticker *t) {
  ik_bench *b;
  ik_status s = ik_bench_run(o, c->log, &b);
  ticker_end(t);
  if (s) interrupt_keep();
  int code = fail(c, s);
  if (!b) return code;
  say_members(c, c->json ? ik_bench_json(b) : ik_bench_text(b));
  int unwritten = c->set.report ? fail(c, write_report(c, b)) : EXIT_FINE;
  ik_bench_destroy(&b);
  return code ? code : unwritten;
}

static int bench_model(call *c) {
  ik_run_options  run;
  ik_tune_options tune;
  const char     *text = NULL;
  bool            is_small;
  ticker          t = {.hidden = c->set.quiet};
  int             code = read_size(c, &is_small);
  if (!code) code = can_report(c);
  if (code) return code;
  run_options(c, &run);
  ik_tune_options_init(&tune);
  tune.budget = (double)c->set.budget, tune.progress = ticker_show, tune.user = &t;
  tune.report = c->set.report, tune.only = c->set.only, tune.fit = c->set.fit;
  ik_status s = ik_tune_model(&run, &tune, is_small, c->log, c->json, &text);
  ticker_end(&t);
  if (!s || s == IK_ERR_INTERRUPTED) say_members(c, text);
  if (!s && c->set.fit) say(c, "saved in %s\n", run.figures);
  if (!s && c->set.report) {
    char page[1200];
    snprintf(page, sizeof page, "%s/report.html", c->set.report);
    say(c, "wrote %s\n", page);
    json_string(&c->object, "report", page);
  }
  return fail(c, s);
}

static int bench_growth(call *c, const ik_bench_options *o, ticker *t) {
  const char *text = NULL;
  ik_status   s = ik_bench_growth(o, c->log, c->json, &text);
  ticker_end(t);
  if (!s) say_members(c, text);
  return fail(c, s);
}

int command_bench(call *c) {
  const char *suite = c->set.plain.n ? c->set.plain.word[0] : "cpu";
  if (c->set.fit && strcmp(suite, "model"))
    return complain(c, EXIT_USAGE, "write `ikat bench model --fit`", "'%s' has no --fit", suite);
  if (!strcmp(suite, "papers")) return bench_papers(c);
  if (!strcmp(suite, "spatial")) return bench_spatial(c);
  if (!strcmp(suite, "model")) return bench_model(c);
  ik_bench_options o;
  ik_run_options   run; /* as `ikat run` would have them */
  ticker           t = {.hidden = c->set.quiet};
  ik_bench_options_init(&o);
  int code = read_size(c, &o.small);
  if (!code) code = can_report(c);
  if (code) return code;
  run_options(c, &run);
  o.suite = suite;
  o.target = run.target, o.cache = run.cache, o.stop = run.stop;
  o.goals = c->set.goals;
  o.only = c->set.only, o.strategy = c->set.strategy;
  if (run.threads) o.threads = run.threads;
  if (c->set.rounds) o.rounds = (int)c->set.rounds;
  o.progress = ticker_show, o.user = &t;
  return strcmp(suite, "growth") ? run_bench(c, &o, &t) : bench_growth(c, &o, &t);
}
