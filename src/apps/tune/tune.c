#include "apps/tune/tune.h"
#include "base/fp.h"
#include "base/mem.h"
#include "base/stack.h"
#include <stdio.h>
#include <string.h>

void ik_tune_options_init(ik_tune_options *o) { *o = (ik_tune_options){.budget = 10}; }

static ik_problem problem_of(const ik_tune_job *j) {
  return (ik_problem){.ir = j->p->ir,
                      .facts = &j->p->facts,
                      .strategy = j->opt.strategy,
                      .threads = j->opt.threads,
                      .cache_dir = j->opt.cache};
}

/* ---- the list ---- */

/* Unless it is there already, or is the untuned choice. */
static void add_row(ik_tune_job *j, const ik_proposal *p) {
  ik_tune_row *r = &j->row[j->nrow];
  if (j->nrow == IK_TUNE_ROWS) return;
  *r = (ik_tune_row){.plan = p->plan, .seconds = p->seconds, .work = p->work, .ranked = p->ranked};
  ik_plan_print(&p->plan, j->p->ir, &r->text);
  ik_plan_write(&p->plan, &r->words);
  ik_tune_row *same = j->row;
  while (same < r && strcmp(ik_buf_text(&same->text), ik_buf_text(&r->text))) same++;
  if (same == r && !r->text.failed && !r->words.failed) {
    j->nrow++;
    return;
  }
  if (same->seconds == 0)
    same->seconds = p->seconds, same->work = p->work, same->ranked = p->ranked,
    same->plan = p->plan;
  ik_buf_free(&r->text), ik_buf_free(&r->words);
}

/* What won before may win again. */
static void add_known(ik_tune_job *j) {
  ik_plan     plan;
  ik_diag     why = {0};
  const char *only = j->opt.strategy;
  if (j->opt.wisdom && ik_wisdom_find(j->opt.wisdom, &j->key, &plan, &why) && plan.strategy &&
      (!only || strcmp(only, plan.strategy) == 0))
    add_row(j, &(ik_proposal){.plan = plan});
  ik_diag_free(&why);
}

/* A fit does with some of those that are worth no measurement. */
static bool is_wanted(const ik_tune_job *j, int i) {
  enum { FIRST = 24, EACH = 4 };
  return !j->t.fit || i < FIRST || i % EACH == 0;
}

static void add_proposed(ik_tune_job *j, ik_breadth breadth, const ik_plan *around) {
  enum { MOST = IK_TUNE_ROWS };
  ik_arena    *a = &j->arena;
  ik_proposal *all = IK_NEW_N(a, ik_proposal, MOST);
  ik_problem   p = problem_of(j);
  p.machine = ik_saved_figures(j->opt.figures, a);
  p.breadth = breadth, p.around = around;
  int n = j->target->propose(&p, a, &j->quiet->d, all, MOST);
  for (int i = 0; i < n; i++)
    if (is_wanted(j, i)) add_row(j, &all[i]);
}

/* If memory runs out the list stays as it is. */
void ik_tune_surround(ik_tune_job *j, const ik_plan *p) {
  if (setjmp(j->arena.oom)) return;
  if (p->strategy) add_proposed(j, IK_BREADTH_NEAR, p);
}

/* Without a compiler there are no plans to choose from; or without the memory to run it. */
static ik_status check_compiled(const ik_tune_job *j) {
  if (j->row[0].run->engine->plan) return IK_OK;
  if (j->row[0].run->starved) return ik_log_no_memory(j->log);
  return ik_fail(&j->log->d, IK_ERR_RESOURCE, IK_E083, IK_NOSPAN,
                 "there is nothing to tune: the interpreter runs the program");
}

static ik_status list_rows(ik_tune_job *j) {
  ik_buf_puts(&j->row[0].text, j->row[0].run->engine->plan);
  if (setjmp(j->arena.oom)) return ik_log_no_memory(j->log);
  add_known(j);
  add_proposed(j, j->t.all ? IK_BREADTH_ALL : IK_BREADTH_SHORT, NULL);
  return IK_OK;
}

/* ---- the end ---- */

/* A result that cannot be kept is still a result. */
static void keep(ik_tune_job *j) {
  ik_diag            why = {0};
  const ik_tune_row *w = j->winner;
  bool               nothing = j->nrow > 1 && !j->row[1].n; /* to compare with */
  if (!j->opt.wisdom || j->t.dry_run || !w->n || nothing) return;
  const ik_plan *plan = w == j->row ? NULL : &w->plan;
  j->kept = !ik_wisdom_keep(j->opt.wisdom, &j->key, plan, ik_tune_rate(w) / 1e9, &why);
  if (!j->kept && why.nmsg)
    ik_warn(&j->log->d, IK_W006, IK_NOSPAN, "this could not be saved: %s",
            ik_buf_text(&why.msg[0].text));
  ik_diag_free(&why);
}

static ik_status check(ik_tune_job *j) {
  ik_problem  p = problem_of(j);
  const char *strategy;
  if (!j->p->ir)
    return ik_fail(&j->log->d, IK_ERR_SOURCE, IK_E081, IK_NOSPAN, "the program is not compiled");
  IK_TRY(ik_target_find(j->opt.target, &j->log->d, &j->target));
  IK_TRY(ik_target_strategy(j->target, j->opt.strategy, &j->log->d, &strategy));
  if (!j->target->propose)
    return ik_fail(&j->log->d, IK_ERR_SOURCE, IK_E082, IK_NOSPAN,
                   "there is nothing to tune on target '%s'", j->target->name);
  return ik_wisdom_key_of(j->target, &p, &j->log->d, &j->key);
}

ik_status ik_tune_look(ik_tune_job *j) {
  IK_TRY(check(j));
  IK_TRY(ik_tune_begin(j));
  IK_TRY(check_compiled(j));
  IK_TRY(list_rows(j));
  return ik_tune_measure(j);
}

ik_status ik_tune_open(ik_program *p, const ik_run_options *o, const ik_tune_options *t,
                       ik_log *log, ik_tune_job **out) {
  ik_tune_job *j = *out = ik_calloc(1, sizeof *j);
  if (j) ik_arena_init(&j->arena), j->quiet = ik_log_create();
  if (!j || !j->quiet) return ik_log_no_memory(log);
  j->p = p, j->log = log;
  ik_tune_options_init(&j->t);
  if (o) j->opt = *o;
  if (t) j->t = *t;
  if (!(j->t.budget > 0)) j->t.budget = 10;
  return IK_OK;
}

void ik_tune_close(ik_tune_job **job) {
  ik_tune_job *j = *job;
  if (!j) return;
  for (int i = 0; i < IK_TUNE_ROWS; i++) {
    ik_run_destroy(&j->row[i].run);
    ik_buf_free(&j->row[i].text), ik_buf_free(&j->row[i].words);
  }
  ik_run_destroy(&j->origin);
  ik_log_destroy(&j->quiet);
  ik_arena_free(&j->arena);
  ik_free(j);
  *job = NULL;
}

static ik_status show(ik_tune_job *j, bool json, ik_buf *out) {
  keep(j);
  if (json)
    ik_tune_json(j, out);
  else
    ik_tune_text(j, out);
  return out->failed ? ik_log_no_memory(j->log) : IK_OK;
}

typedef struct task { /* what may go deep; see base/stack.h */
  ik_program            *p;
  const ik_run_options  *o;
  const ik_tune_options *t;
  ik_log                *log;
  bool                   json;
  ik_status              status;
} task;

static void tune(void *ctx) {
  task        *t = ctx;
  ik_tune_job *j;
  ik_status    st = ik_tune_open(t->p, t->o, t->t, t->log, &j);
  if (!st) st = ik_tune_look(j);
  if (!st) st = show(j, t->json, &t->p->shown);
  ik_tune_close(&j);
  t->status = st;
}

ik_status ik_tune(ik_program *p, const ik_run_options *o, const ik_tune_options *t, ik_log *log,
                  bool json, const char **text) {
  IK_OWN_ARITHMETIC;
  task x = {p, o, t, log, json, IK_OK};
  ik_buf_free(&p->shown);
  ik_stack_call(tune, &x);
  if (text) *text = ik_buf_text(&p->shown);
  return x.status;
}
