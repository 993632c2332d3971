/* `ikat plan`: every way to run a program, and why the winner wins. */
#include "api/api.h"
#include "base/fp.h"
#include "base/stack.h"
#include "base/text.h"
#include "machine/machine.h"
#include "plan/candidate.h"
#include "runtime/memory.h"
#include "apps/study/busy.h"
#include "apps/study/plans.h"
#include "apps/study/spatial.h"
#include "apps/study/study.h"
#include "apps/study/table.h"
#include <math.h>
#include <string.h>

/* What a machine's plan comes to. */
typedef struct outcome {
  const ik_machine  *machine;
  bool               known;
  ik_candidate_model model;
  const char        *energy;             /* what the energy is made of */
  double             seconds, simulated; /* of the whole program; NaN: not known */
} outcome;

/* The same without and with other figures. */
typedef struct comparison {
  outcome before, after;
  bool    changed; /* anything that is shown */
} comparison;

typedef struct planner {
  const ik_program      *p;
  const ik_plan_options *o;
  ik_objective           objective;
  ik_question            q;
  ik_arena               a;
  ik_log                *log;
  ik_study              *s;
  ik_json                json;
  outcome               *done; /* [ndone] machines */
  int                    ndone, done_cap;
  comparison            *varied; /* [nvaried] */
  int                    nvaried, varied_cap;
  ik_study               quiet; /* what nobody sees */
  ik_status              status;
  ik_table               table; /* being written while the arena is used; empty otherwise */
} planner;

/* ---- what is asked ---- */

static ik_status read_objective(const char *word, ik_diag *d, ik_objective *out) {
  *out = IK_LEAST_TIME;
  for (int i = 0; i < 3; i++)
    if (!word || !strcmp(word, ik_plans_objective[i])) return *out = (ik_objective)i, IK_OK;
  const char *near = ik_nearest(word, ik_plans_objective, 3);
  ik_error(d, IK_E082, IK_NOSPAN, "there is no objective '%s'", word);
  ik_help(d, "%s'%s'", near ? "did you mean " : "there are 'time', 'energy' and ",
          near ? near : "edp");
  return IK_ERR_SOURCE;
}

/* ---- candidates ---- */

/* What the split of the time says, and figures of the machine. */
static void judge(planner *x, const ik_machine *m, ik_candidate *c) {
  const ik_pipeline_time *t = c->time;
  double                  power;
  if (ik_machine_number(m, "power.tdp", "W", &power)) c->joules = power * c->seconds;
  if (!t || !(t->seconds > 0)) return;
  ik_pipeline_machine f = ik_fit_cpu(m, c->plan->cpu.vector_bytes, &x->a);
  int                 value = ik_type_bytes(ik_question_type(&x->q));
  c->ridge = ik_pipeline_ridge(&f, (double)c->plan->cpu.vector_bytes / value);
  c->memory_bound = ik_pipeline_saturated(t) == IK_PIPELINE_MEMORY;
  c->bound = ik_pipeline_name(ik_pipeline_saturated(t));
  c->use_memory = t->busy[IK_PIPELINE_MEMORY] / t->seconds;
  c->use_unit = t->busy[IK_PIPELINE_ARITHMETIC] / t->seconds;
}

/* On this machine targets know more than figures do: tiles, blocks, what is legal.  Blocks are
 * theirs to choose: of those the model knows too little. */
static void add_targets(planner *x, const ik_machine *m, ik_candidates *out) {
  enum { MOST = 16 };
  ik_problem problem = {.ir = x->p->ir,
                        .facts = &x->p->facts,
                        .threads = x->o->threads,
                        .machine = m,
                        .breadth = IK_BREADTH_RANKED};
  for (const ik_target *const *t = ik_targets; *t; t++) {
    ik_proposal p[MOST];
    ik_diag     why = {0};
    int         n = (*t)->propose ? (*t)->propose(&problem, &x->a, &why, p, MOST) : 0;
    for (int i = 0; i < n; i++) {
      ik_plan *plan = IK_NEW(&x->a, ik_plan);
      *plan = p[i].plan;
      ik_candidate c = {.machine = "local", .target = (*t)->name, .plan = plan, .note = ""};
      c.model = IK_MODEL_PIPELINE;
      c.strategy = plan->strategy, c.unit = "vector", c.steps = plan->steps > 0 ? plan->steps : 1;
      c.alpha = c.sparsity = 1, c.joules = c.ridge = c.use_memory = c.use_unit = NAN;
      c.flops = (double)x->p->facts.flops.cell * c.steps, c.bytes = x->p->facts.bytes.cell;
      c.intensity = c.bytes > 0 ? c.flops / c.bytes : INFINITY;
      c.seconds = p[i].seconds > 0 ? p[i].seconds * x->q.steps : NAN; /* not known */
      c.gstencils = c.seconds > 0 ? x->q.cells * x->q.steps / c.seconds / 1e9 : NAN;
      c.time = p[i].time;
      judge(x, m, &c);
      IK_PUSH(&x->a, out->at, out->n, out->cap, c);
    }
    ik_diag_free(&why);
  }
}

static void keep_exact_enough(const planner *x, ik_candidates *c) {
  int n = 0;
  for (int i = 0; i < c->n; i++)
    if (!(x->o->max_error > 0) || c->at[i].error <= x->o->max_error) c->at[n++] = c->at[i];
  c->n = n;
}

static ik_candidates candidates_on(planner *x, const ik_machine *m) {
  ik_candidates c = {0};
  if (!strcmp(m->name, "local")) add_targets(x, m, &c);
  if (!c.n && !ik_candidates_gpu(&x->q, m, &x->a, &c)) ik_candidates_units(&x->q, m, &x->a, &c);
  ik_candidates_hexagons(&x->q, m, &x->a, &c);
  keep_exact_enough(x, &c);
  ik_candidates_sort(&c, x->objective);
  ik_busy_merge(&c, &x->a);
  return c;
}

/* ---- sensitivity and size ---- */

static double best_cost(planner *x, const ik_machine *m) {
  ik_candidates c = candidates_on(x, m);
  return c.n ? ik_candidate_cost(&c.at[0], x->objective) : NAN;
}

/* How the winner's cost changes if a figure is a tenth larger: those that matter. */
static void write_sensitivity(planner *x, const ik_machine *m, const ik_candidate *best,
                              ik_buf *out) {
  ik_table *t = &x->table; /* memory may run out below, and the jump ends elsewhere */
  double    cost = ik_candidate_cost(best, x->objective);
  x->q.hex = best->hex; /* a change so small does not change the tile by much */
  ik_table_row(t, "if this were 10 %% more\tthe best would take");
  for (int i = 0; i < m->n; i++) {
    ik_machine *v;
    if (!m->figure[i].numeric) continue;
    const char *change = ik_arena_printf(&x->a, "%s=x1.1", m->figure[i].key);
    if (ik_machine_vary(m, change, &x->a, &x->log->d, &v)) continue;
    double other = best_cost(x, v);
    if (fabs(other / cost - 1) > 5e-4)
      ik_table_row(t, "%s\t%+.1f %%", m->figure[i].key, 100 * (other / cost - 1));
  }
  x->q.hex = (ik_hex_tile){0};
  ik_table_write(t, 2, out);
}

static void write_size(const planner *x, const ik_machine *m, ik_buf *out) {
  double  memory;
  int64_t bytes = ik_state_bytes(x->p->ir);
  if (!ik_machine_number(m, "memory.size", "B", &memory)) return;
  if (x->o->max_memory > 0) memory = (double)x->o->max_memory;
  ik_buf_puts(out, "memory\n  the fields take ");
  ik_memory_text(bytes, out);
  ik_buf_puts(out, " of ");
  ik_memory_text((int64_t)memory, out);
  if ((double)bytes <= memory)
    ik_buf_printf(out, ": a grid of %.3g cells would fit\n",
                  x->q.cells * memory / fmax((double)bytes, 1));
  else
    ik_buf_puts(out, ": they do not fit\n");
}

/* The best rate on a grid whose axes are 2^by times as long, and its cells. */
static double rate_on(planner *x, const ik_machine *m, int by, double *cells) {
  ik_question mine = x->q;
  ik_ir       ir = *x->p->ir;
  for (int d = 0; d < ir.ndim; d++) ir.n[d] = (int64_t)fmax(1, ldexp((double)ir.n[d], by));
  x->q = ik_question_of(&ir, &x->p->facts);
  x->q.memo = mine.memo;
  ik_candidates c = candidates_on(x, m);
  *cells = x->q.cells;
  x->q = mine;
  return c.n && isfinite(c.at[0].gstencils) ? c.at[0].gstencils : 0;
}

/* What the machine would reach on grids of other sizes: where it begins to be used. */
static void write_growth(planner *x, const ik_machine *m, ik_buf *out) {
  enum { SMALLEST = -4, SIZES = 7 };
  double   rate[SIZES], cells[SIZES], most = 1e-300;
  ik_table t = {0};
  for (int i = 0; i < SIZES; i++) {
    rate[i] = rate_on(x, m, i + SMALLEST, &cells[i]);
    most = fmax(most, rate[i]);
  }
  ik_table_row(&t, "cells\tGStencils/s\t%% of best");
  for (int i = 0; i < SIZES; i++)
    ik_table_row(&t, "%.3g\t%.3g\t%.0f %%", cells[i], rate[i], 100 * rate[i] / most);
  ik_buf_puts(out, "as the grid grows\n");
  ik_table_write(&t, 2, out);
}

/* ---- one machine ---- */

/* Where the figures of a machine are kept. */
static const char *file_of(planner *x, const ik_machine *m) {
  if (!strcmp(m->name, "local")) return "what `ikat machine probe` measures";
  return ik_arena_printf(&x->a, "machines/%s.ikm", m->name);
}

static void write_impossible(planner *x, const ik_machine *m, ik_buf *out) {
  const char *type = ik_type_name(ik_question_type(&x->q));
  double      v;
  ik_machine  unwatched = *m; /* nothing comes of it */
  unwatched.read = NULL, m = &unwatched;
  bool memory = ik_machine_number(m, "memory.bandwidth", "B/s", &v);
  bool unit = ik_machine_number(m, ik_arena_printf(&x->a, "peak.%s", type), "FLOP/s", &v);
  if (memory && unit)
    ik_buf_printf(out, "  no plan possible within --max-error %g\n", x->o->max_error);
  else
    ik_buf_printf(out, "  no plan possible: %s lacks %s%s%s%s\n", file_of(x, m),
                  memory ? "" : "memory.bandwidth", memory || unit ? "" : " and ",
                  unit ? "" : "peak.", unit ? "" : type);
}

static void write_title(const ik_machine *m, ik_buf *out) {
  const char *title = ik_machine_text(m, "title");
  ik_buf_printf(out, "on %s%s%s%s", m->name, title ? " (" : "", title ? title : "",
                title ? ")" : "");
}

/* All models that were asked; more than one: the order is not to be trusted. */
static void write_models(const ik_candidates *c, ik_buf *out) {
  bool        seen[IK_MODELS] = {false};
  const char *before = "  predicted by: ";
  int         n = 0;
  for (int i = 0; i < c->n; i++) {
    if (seen[c->at[i].model]) continue;
    ik_buf_printf(out, "%s%s", before, ik_plans_model_about(c->at[i].model));
    before = "; ", n++, seen[c->at[i].model] = true;
  }
  ik_buf_puts(out, n > 1 ? "; not comparable\n" : "\n");
  bool any = false;
  for (int i = 0; i < c->n; i++) any |= ik_plans_runs(&c->at[i]);
  if (!any) ik_buf_puts(out, "  estimates alone: ikat has no target for this machine\n");
}

/* An order by what is not known would be one by nothing. */
static ik_status check_energy(planner *x, const ik_machine *m, double joules, const char *figures) {
  ik_diag *d = &x->log->d;
  if (x->objective == IK_LEAST_TIME || isfinite(joules)) return IK_OK;
  ik_error(d, IK_E081, IK_NOSPAN, "the objective '%s' needs figures that '%s' does not have: %s",
           ik_plans_objective[x->objective], m->name, figures);
  ik_help(d, "add %s to %s, or use --objective time", figures, file_of(x, m));
  return IK_ERR_SOURCE;
}

static void write_plans(planner *x, const ik_machine *m, const ik_candidates *c) {
  ik_buf       *out = &x->s->text;
  ik_plans_page page = {x->p, m, c, x->o->wisdom, x->o->threads};
  ik_plans_table(c, x->objective, out);
  if (c->at[0].time) ik_busy_table(c, IK_PLANS_SHOWN, out);
  ik_plans_why(c, x->objective, out);
  bool here = c->at[0].time != NULL; /* plans are made anew for each of these: too slow */
  if (!here && ik_plans_is_modelled(&c->at[0])) write_sensitivity(x, m, &c->at[0], out);
  if (!here && ik_plans_is_modelled(&c->at[0])) write_growth(x, m, out);
  write_size(x, m, out);
  for (int i = 0; i < c->n; i++) ik_plans_json(&c->at[i], x->p->ir, &x->json);
  ik_plans_draw(&page, &x->a, &x->s->page);
}

static ik_status write_machine(planner *x, const ik_machine *m, outcome *o) {
  ik_buf       *out = &x->s->text;
  ik_candidates c = candidates_on(x, m);
  write_title(m, out);
  if (!c.n) {
    ik_buf_puts(out, "\n");
    write_impossible(x, m, out);
    return IK_OK;
  }
  IK_TRY(check_energy(x, m, c.at[0].joules, "power.tdp"));
  ik_buf_printf(out, ": %d plan%s, least %s first\n", c.n, c.n == 1 ? "" : "s",
                ik_plans_objective[x->objective]);
  write_models(&c, out);
  if (x->objective != IK_LEAST_TIME)
    ik_buf_puts(out,
                "  energy: power.tdp times the predicted time, so least energy is least time\n");
  write_plans(x, m, &c);
  o->known = true, o->model = c.at[0].model, o->energy = "power.tdp times time";
  o->seconds = c.at[0].seconds;
  return IK_OK;
}

static ik_status write_spatial(planner *x, const ik_machine *m, outcome *o) {
  ik_spatial_case c = ik_spatial_case_of(x->p, x->q.steps, &x->a);
  c.brief = !x->o->simulate && !x->o->what_if;
  const ik_spatial_answer *answer = ik_spatial_ask(&c, m);
  bool                     can = answer->known && !answer->refused;
  o->energy = ik_spatial_energy_figures(m, &c.work);
  if (can) IK_TRY(check_energy(x, m, answer->time.joules, o->energy));
  ik_spatial_plan(&c, answer, &x->s->text, &x->json, &x->s->page);
  o->known = can, o->model = IK_MODEL_SPATIAL;
  if (can) o->seconds = answer->time.seconds * c.steps;
  if (answer->simulated > 0) o->simulated = answer->simulated * c.steps;
  return IK_OK;
}

static ik_status show_machine(planner *x, const ik_machine *m, outcome *o) {
  *o = (outcome){.machine = m, .seconds = NAN, .simulated = NAN};
  return ik_spatial_kind_of(m) ? write_spatial(x, m, o) : write_machine(x, m, o);
}

/* ---- with other figures ---- */

static void free_quiet(ik_study *s) {
  ik_buf_free(&s->text), ik_buf_free(&s->json), ik_buf_free(&s->page);
}

/* As if nobody had asked for other figures, into a study that nobody sees: which figures are read,
 * and what comes out. */
static ik_status plan_before(planner *x, const ik_machine *m, outcome *o) {
  ik_study *shown = x->s;
  ik_json   json = x->json;
  free_quiet(&x->quiet);
  x->s = &x->quiet, x->json = (ik_json){.out = &x->quiet.json};
  ik_status st = show_machine(x, m, o);
  x->s = shown, x->json = json;
  return st;
}

static void write_change(const char *what, double before, double after, ik_buf *out) {
  if (isfinite(before) && isfinite(after) && before != after)
    ik_buf_printf(out, "  %s: %.4g s instead of %.4g s, %+.1f %%\n", what, after, before,
                  100 * (after / before - 1));
}

static void write_comparison(const planner *x, const ik_machine *watched, const comparison *c,
                             ik_buf *out) {
  const ik_figure *was = watched->figure, *is = c->after.machine->figure;
  ik_buf_printf(out, "what if %s\n", x->o->what_if);
  for (int i = 0; i < watched->n; i++)
    if (watched->read[i] && was[i].number != is[i].number)
      ik_buf_printf(out, "  %s = %.8g%s%s instead of %.8g\n", is[i].key, is[i].number,
                    *is[i].unit ? " " : "", is[i].unit, was[i].number);
  if (!c->changed) {
    ik_buf_puts(out, "  nothing changes: it is read, but does not limit this program here\n");
    return;
  }
  write_change("the best", c->before.seconds, c->after.seconds, out);
  write_change("simulated", c->before.simulated, c->after.simulated, out);
}

/* What was written from a place on, and all of the other; commas between values aside. */
static bool differs(ik_buf *a, size_t from, ik_buf *b) {
  const char *x = ik_buf_text(a) + from, *y = ik_buf_text(b);
  return strcmp(x + strspn(x, ",\n "), y + strspn(y, ",\n ")) != 0;
}

static ik_status plan_varied(planner *x, const ik_machine *m) {
  ik_machine *v;
  comparison  c;
  IK_TRY(ik_machine_vary(m, x->o->what_if, &x->a, &x->log->d, &v));
  ik_machine *watched = ik_machine_watch(m, &x->a);
  IK_TRY(plan_before(x, watched, &c.before));
  IK_TRY(ik_machine_check_read(watched, x->o->what_if, &x->a, &x->log->d));
  size_t text = x->s->text.len, json = x->s->json.len;
  IK_TRY(show_machine(x, v, &c.after));
  c.changed =
      differs(&x->s->text, text, &x->quiet.text) || differs(&x->s->json, json, &x->quiet.json);
  write_comparison(x, watched, &c, &x->s->text);
  IK_PUSH(&x->a, x->varied, x->nvaried, x->varied_cap, c);
  IK_PUSH(&x->a, x->done, x->ndone, x->done_cap, c.after);
  return IK_OK;
}

static void json_varied(planner *x) {
  ik_json *j = &x->json;
  ik_json_open(j, "what_if", '[');
  for (int i = 0; i < x->nvaried; i++) {
    const comparison *c = &x->varied[i];
    ik_json_open(j, NULL, '{');
    ik_json_str(j, "machine", c->after.machine->name);
    ik_json_str(j, "changes", x->o->what_if);
    ik_json_bool(j, "changed", c->changed);
    ik_json_num(j, "seconds_before", c->before.seconds);
    ik_json_num(j, "seconds_after", c->after.seconds);
    ik_json_num(j, "simulated_seconds_before", c->before.simulated);
    ik_json_num(j, "simulated_seconds_after", c->after.simulated);
    ik_json_close(j, '}');
  }
  ik_json_close(j, ']');
}

/* ---- all machines ---- */

static ik_status plan_machine(planner *x, const char *name) {
  ik_machine *m;
  outcome     o;
  IK_TRY(ik_machine_find(name, &x->a, &x->log->d, &m));
  if (x->o->what_if) return plan_varied(x, m);
  IK_TRY(show_machine(x, m, &o));
  IK_PUSH(&x->a, x->done, x->ndone, x->done_cap, o);
  return IK_OK;
}

/* Two machines whose figures do not come from the same model; false: there are none. */
static bool find_unlike(const planner *x, const outcome **a, const outcome **b) {
  *a = NULL;
  for (int i = 0; i < x->ndone; i++) {
    *b = &x->done[i];
    if (!(*b)->known) continue;
    if (!*a) *a = *b;
    if ((*a)->model != (*b)->model) return true;
    if (x->objective != IK_LEAST_TIME && strcmp((*a)->energy, (*b)->energy)) return true;
  }
  return false;
}

static ik_status judge_set(planner *x) {
  const outcome *a, *b;
  if (!find_unlike(x, &a, &b)) return IK_OK;
  if (x->objective == IK_LEAST_TIME) {
    const char *text = ik_arena_printf(
        &x->a, "Not comparable: %s is predicted by its %s model, %s by its %s model.",
        a->machine->name, ik_plans_model(a->model), b->machine->name, ik_plans_model(b->model));
    ik_buf_putc(&x->s->text, '\n');
    ik_table_wrap(text, 0, 2, &x->s->text);
    return IK_OK;
  }
  ik_error(&x->log->d, IK_E081, IK_NOSPAN,
           "the objective '%s' cannot compare '%s' (%s model, %s) with '%s' (%s model, %s)",
           ik_plans_objective[x->objective], a->machine->name, ik_plans_model(a->model), a->energy,
           b->machine->name, ik_plans_model(b->model), b->energy);
  ik_help(&x->log->d, "ask for one of them at a time, or use --objective time");
  return IK_ERR_SOURCE;
}

/* Machines that nobody named, but that a program might run on. */
static ik_status list_simulated(planner *x) {
  ik_spatial_case c = ik_spatial_case_of(x->p, x->q.steps, &x->a);
  c.brief = true;
  ik_buf_puts(&x->s->text,
              "other machines, analytic estimate (details: `ikat plan --machine M`)\n");
  ik_json_open(&x->json, "simulated_machines", '[');
  IK_TRY(ik_spatial_list(&c, &x->log->d, &x->s->text, &x->json));
  ik_json_close(&x->json, ']');
  return IK_OK;
}

static ik_status plan_all(planner *x) {
  const char *const       *name = x->o->machine;
  int                      n = x->o->nmachine;
  static const char *const here[] = {"local"};
  if (!n) name = here, n = 1;
  bool mine = n == 1 && !strncmp(name[0], "local", 5);
  IK_TRY(read_objective(x->o->objective, &x->log->d, &x->objective));
  x->json = (ik_json){.out = &x->s->json};
  x->q.memo = ik_units_memo_new(&x->a);
  ik_json_open(&x->json, NULL, '{');
  ik_json_str(&x->json, "objective", ik_plans_objective[x->objective]);
  ik_json_open(&x->json, "plans", '[');
  for (int i = 0; i < n; i++) {
    if (i) ik_buf_putc(&x->s->text, '\n');
    IK_TRY(plan_machine(x, name[i]));
  }
  ik_json_close(&x->json, ']');
  IK_TRY(judge_set(x));
  if (x->o->what_if) json_varied(x);
  if (mine && !x->o->what_if) IK_TRY(list_simulated(x));
  ik_json_close(&x->json, '}');
  return IK_OK;
}

static void plan_deep(void *ctx) {
  planner *x = ctx;
  x->status = setjmp(x->a.oom) ? ik_log_no_memory(x->log) : plan_all(x);
}

/* Not where the figures of this machine lie. */
static const char *shown_name(const char *machine) {
  return strncmp(machine, "local@", 6) ? machine : "local";
}

ik_status ik_study_plan(ik_program *p, const ik_plan_options *o, ik_log *log, ik_study **out) {
  IK_OWN_ARITHMETIC;
  ik_plan_options none = {0};
  planner         x = {.p = p, .o = o ? o : &none, .log = log};
  *out = NULL;
  x.s = ik_study_create("Plans of ", log);
  if (!x.s) return IK_ERR_RESOURCE;
  ik_buf_puts(&x.s->title, p->text->name);
  for (int i = 0; i < x.o->nmachine; i++)
    ik_buf_printf(&x.s->title, "%s %s", i ? "," : " on", shown_name(x.o->machine[i]));
  ik_arena_init(&x.a);
  x.q = ik_question_of(p->ir, &p->facts);
  ik_study *s = x.s; /* another may be in its place when memory runs out */
  ik_stack_call(plan_deep, &x);
  ik_arena_free(&x.a);
  free_quiet(&x.quiet), ik_buf_free(&x.table.text);
  return ik_study_finish(s, x.status, log, out);
}
