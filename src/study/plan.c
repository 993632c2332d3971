/* `ikat plan`: every way to run a program, and why the winner wins. */
#include "api/api.h"
#include "base/fp.h"
#include "base/text.h"
#include "machine/machine.h"
#include "plan/candidate.h"
#include "runtime/memory.h"
#include "study/busy.h"
#include "study/measured.h"
#include "study/spatial.h"
#include "study/study.h"
#include "study/table.h"
#include "study/units.h"
#include <math.h>
#include <string.h>

typedef struct planner {
  const ik_program      *p;
  const ik_plan_options *o;
  ik_objective           objective;
  ik_question            q;
  ik_arena               a;
  ik_log                *log;
  ik_study              *s;
  ik_json                json;
} planner;

/* ---- what is asked ---- */

static const char *const objectives[] = {[IK_LEAST_TIME] = "time", "energy", "edp"};

static ik_status read_objective(const char *word, ik_diag *d, ik_objective *out) {
  *out = IK_LEAST_TIME;
  for (int i = 0; i < 3; i++)
    if (!word || !strcmp(word, objectives[i])) return *out = (ik_objective)i, IK_OK;
  const char *near = ik_nearest(word, objectives, 3);
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
  ik_pipeline_machine f = ik_fit_cpu(m, c->plan->vector_bytes, &x->a);
  int                 value = ik_type_bytes(ik_question_type(&x->q));
  c->ridge = ik_pipeline_ridge(&f, (double)c->plan->vector_bytes / value);
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

/* ---- tables ---- */

static void put(const char *fmt, double v, ik_buf *b) {
  if (isfinite(v))
    ik_buf_printf(b, fmt, v);
  else
    ik_buf_puts(b, isnan(v) ? "-" : "inf");
  ik_buf_putc(b, '\t');
}

/* Of some that targets propose not even the time is known. */
static bool is_modelled(const ik_candidate *c) { return !isnan(c->use_memory); }

static const char *bound_of(const ik_candidate *c) {
  if (!is_modelled(c)) return "-";
  if (c->bound) return c->bound;
  return c->launch_bound ? "launch" : c->memory_bound ? "memory" : "compute";
}

/* The first of each strategy and unit is its best, as they are sorted. */
static bool is_first(const ik_candidates *c, int i) {
  for (int k = 0; k < i; k++)
    if (!strcmp(c->at[k].strategy, c->at[i].strategy) && !strcmp(c->at[k].unit, c->at[i].unit))
      return false;
  return true;
}

static void write_row(const planner *x, const ik_candidates *c, int i, ik_table *t) {
  const ik_candidate *k = &c->at[i];
  ik_buf              b = {0};
  ik_buf_printf(&b, "%s\t%s\t%d\t", k->strategy, k->unit, k->steps);
  put("%.2f", k->alpha, &b), put("%.2f", k->sparsity, &b), put("%.2f", k->intensity, &b);
  put("%.1f", k->ridge, &b);
  ik_buf_printf(&b, "%s\t", bound_of(k));
  put("%.3g", k->gstencils, &b), put("%.3g", k->seconds, &b), put("%.3g", k->joules, &b);
  double ratio = ik_candidate_cost(k, x->objective) / ik_candidate_cost(&c->at[0], x->objective);
  put("%.2fx", isfinite(ratio) ? ratio : NAN, &b);
  if (k->scenario) ik_buf_printf(&b, "scenario %d%s", k->scenario, *k->note ? ", " : "");
  if (!k->time) ik_buf_puts(&b, k->note);
  if (k->plan && !k->time && *k->note) ik_buf_puts(&b, "; ");
  if (k->plan) ik_plan_write(k->plan, &b);
  if (k->time && *k->note) ik_buf_printf(&b, " (%s)", k->note);
  ik_table_row(t, "%s", ik_buf_text(&b));
  ik_buf_free(&b);
}

enum { SHOWN = 8 }; /* plans */

static void write_table(const planner *x, const ik_candidates *c, ik_buf *out) {
  ik_table t = {0};
  ik_table_row(&t,
               "strategy\tunit\tsteps\talpha\tS\tI\tridge\tbound\tGStencils/s\tseconds\tjoules\t"
               "of best\t");
  for (int i = 0; i < c->n; i++)
    if (is_first(c, i) || (c->at[i].plan && i < SHOWN)) write_row(x, c, i, &t);
  ik_table_write(&t, 2, out);
}

/* ---- why ---- */

static void explain_best(const ik_candidate *c, ik_buf *out) {
  ik_buf_printf(out, "  %s wins%s", c->strategy, c->steps > 1 ? "" : ", one step at a time");
  if (c->steps > 1) ik_buf_printf(out, " with %d steps in one pass", c->steps);
  if (c->time) ik_buf_puts(out, ": "), ik_busy_limit(c->time, out);
  if (c->time || !is_modelled(c)) {
    ik_buf_puts(out, ".\n");
    return;
  }
  if (c->launch_bound) {
    ik_buf_puts(out, ": a pass is over before the next can be launched.\n");
    return;
  }
  ik_buf_printf(out, ": %s is what limits it; the %s %.0f %% of the time.\n",
                c->bound          ? c->bound
                : c->memory_bound ? "memory"
                                  : "the unit",
                c->memory_bound ? "unit works" : "memory works",
                100 * (c->memory_bound ? c->use_unit : c->use_memory));
}

/* Why one that is slower is: what it does more of, or what it has less of. */
static void explain_loser(const planner *x, const ik_candidate *best, const ik_candidate *c,
                          ik_buf *out) {
  double ratio = ik_candidate_cost(c, x->objective) / ik_candidate_cost(best, x->objective);
  if (!is_modelled(c) || !is_modelled(best) || !isfinite(ratio)) return;
  ik_buf_printf(out, "  %s on %s takes %.2fx: ", c->strategy, c->unit, ratio);
  if (c->launch_bound) {
    ik_buf_printf(out, "it needs more launches, one for every %d steps.\n", c->steps);
  } else if (c->memory_bound) {
    ik_buf_printf(out, "it moves %.3g bytes a cell and step, the winner %.3g.\n",
                  c->bytes / c->steps, best->bytes / best->steps);
  } else if (c->alpha > 1 || c->sparsity < 1) {
    ik_buf_printf(out, "it executes %.2f operations for each useful one (alpha %.2f, S %.2f).\n",
                  c->alpha / c->sparsity, c->alpha, c->sparsity);
  } else {
    ik_buf_printf(out, "its unit is busy all the time, at %.3g operations a cell and step.\n",
                  c->flops / c->steps);
  }
}

static void explain(const planner *x, const ik_candidates *c, ik_buf *out) {
  ik_buf_puts(out, "why\n");
  explain_best(&c->at[0], out);
  for (int i = 1; i < c->n; i++) {
    if (!is_first(c, i) && !(c->at[i].time && i < SHOWN)) continue;
    if (c->at[0].time && c->at[i].time)
      ik_busy_loss(&c->at[0], &c->at[i], out);
    else
      explain_loser(x, &c->at[0], &c->at[i], out);
  }
}

/* ---- sensitivity and size ---- */

static double best_cost(planner *x, const ik_machine *m) {
  ik_candidates c = candidates_on(x, m);
  return c.n ? ik_candidate_cost(&c.at[0], x->objective) : NAN;
}

/* How the winner's cost changes if a figure is a tenth larger: those that matter. */
static void write_sensitivity(planner *x, const ik_machine *m, const ik_candidate *best,
                              ik_buf *out) {
  ik_table t = {0};
  double   cost = ik_candidate_cost(best, x->objective);
  x->q.hex = best->hex; /* a change so small does not change the tile by much */
  ik_table_row(&t, "if this were 10 %% more\tthe best would take");
  for (int i = 0; i < m->n; i++) {
    ik_machine *v;
    if (!m->figure[i].numeric) continue;
    const char *change = ik_arena_printf(&x->a, "%s=x1.1", m->figure[i].key);
    if (ik_machine_vary(m, change, &x->a, &x->log->d, &v)) continue;
    double other = best_cost(x, v);
    if (fabs(other / cost - 1) > 5e-4)
      ik_table_row(&t, "%s\t%+.1f %%", m->figure[i].key, 100 * (other / cost - 1));
  }
  x->q.hex = (ik_hex_tile){0};
  ik_table_write(&t, 2, out);
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
  ik_table_row(&t, "cells\tGStencils/s\tof the most here");
  for (int i = 0; i < SIZES; i++)
    ik_table_row(&t, "%.3g\t%.3g\t%.0f %%", cells[i], rate[i], 100 * rate[i] / most);
  ik_buf_puts(out, "as the grid grows\n");
  ik_table_write(&t, 2, out);
}

/* ---- one machine ---- */

static void json_candidate(const planner *x, const ik_candidate *c, ik_json *j) {
  ik_json_open(j, NULL, '{');
  ik_json_str(j, "machine", c->machine), ik_json_str(j, "target", c->target);
  ik_json_str(j, "strategy", c->strategy), ik_json_str(j, "unit", c->unit);
  ik_json_int(j, "steps_fused", c->steps);
  ik_json_num(j, "alpha", c->alpha), ik_json_num(j, "sparsity", c->sparsity);
  ik_json_num(j, "flops", c->flops), ik_json_num(j, "bytes", c->bytes);
  ik_json_num(j, "intensity", c->intensity), ik_json_num(j, "ridge", c->ridge);
  ik_json_str(j, "bound", is_modelled(c) ? bound_of(c) : NULL);
  ik_json_bool(j, "launch_bound", c->launch_bound);
  ik_json_int(j, "scenario", c->scenario);
  ik_json_num(j, "predicted_seconds", c->seconds);
  ik_json_num(j, "predicted_gstencils_per_s", c->gstencils);
  ik_json_num(j, "predicted_joules", c->joules);
  ik_json_num(j, "memory_busy", c->use_memory), ik_json_num(j, "unit_busy", c->use_unit);
  ik_json_num(j, "max_error", c->error);
  ik_json_str(j, "note", c->note);
  if (c->time) ik_busy_json(c->time, j);
  if (c->plan) {
    ik_json_open(j, "plan", '{');
    ik_plan_json(c->plan, x->p->ir, j);
    ik_json_close(j, '}');
  }
  ik_json_close(j, '}');
}

static double flops_per_s(double gstencils, double flops, int steps) {
  return gstencils * 1e9 * flops / steps;
}

/* What was measured here, of the kind that it was. */
static bool find_measured(const planner *x, const ik_machine *m, const ik_candidates *c,
                          ik_units_point *out) {
  const ik_facts     *f = &x->p->facts;
  const ik_candidate *best = &c->at[0];
  ik_measured         it = {0};
  if (strcmp(m->name, "local") || !ik_measured_find(x->p, x->o->wisdom, x->o->threads, &it))
    return false;
  int    steps = it.strategy ? it.steps : best->steps;
  double flops = (double)f->flops.cell * steps;
  *out = (ik_units_point){.group = it.strategy ? it.strategy : best->strategy,
                          .label = "measured",
                          .intensity = flops / f->bytes.cell,
                          .measured = flops_per_s(it.gstencils, flops, steps)};
  return steps > 0 && f->bytes.cell > 0;
}

/* The best depth of each strategy under the machine's roofs, and what was measured. */
static void draw(const planner *x, const ik_machine *m, const ik_candidates *c, ik_arena *a,
                 ik_buf *page) {
  ik_units_point *p = IK_NEW_N(a, ik_units_point, c->n + 1);
  int             n = 0;
  for (int i = 0; i < c->n; i++) {
    const ik_candidate *k = &c->at[i];
    if (!is_first(c, i) || k->launch_bound || !isfinite(k->seconds)) continue;
    p[n++] = (ik_units_point){k->strategy, k->strategy, k->intensity,
                              flops_per_s(k->gstencils, k->flops, k->steps), 0};
  }
  if (find_measured(x, m, c, &p[n])) n++;
  if (n) ik_units_roofs(m, p, n, page);
  if (n) ik_units_maps(m, page);
}

static void write_machine(planner *x, const ik_machine *m) {
  ik_buf       *out = &x->s->text;
  const char   *title = ik_machine_text(m, "title");
  ik_candidates c = candidates_on(x, m);
  ik_buf_printf(out, "on %s%s%s%s: %d ways, least %s first\n", m->name, title ? " (" : "",
                title ? title : "", title ? ")" : "", c.n, objectives[x->objective]);
  if (!c.n) {
    ik_buf_puts(out,
                "  its figures do not tell: memory.bandwidth and a peak of the fields' type\n");
    return;
  }
  write_table(x, &c, out);
  if (c.at[0].time) ik_busy_table(&c, SHOWN, out);
  explain(x, &c, out);
  bool here = c.at[0].time != NULL; /* plans are made anew for each of these: too slow */
  if (!here && is_modelled(&c.at[0])) write_sensitivity(x, m, &c.at[0], out);
  if (!here && is_modelled(&c.at[0])) write_growth(x, m, out);
  write_size(x, m, out);
  for (int i = 0; i < c.n; i++) json_candidate(x, &c.at[i], &x->json);
  draw(x, m, &c, &x->a, &x->s->page);
}

static ik_status plan_machine(planner *x, const char *name) {
  ik_machine *m;
  IK_TRY(ik_machine_find(name, &x->a, &x->log->d, &m));
  if (x->o->what_if) IK_TRY(ik_machine_vary(m, x->o->what_if, &x->a, &x->log->d, &m));
  ik_spatial_case c = ik_spatial_case_of(x->p, x->q.steps, &x->a);
  c.varied = x->o->what_if != NULL, c.brief = !x->o->simulate;
  if (ik_spatial_kind_of(m))
    ik_spatial_plan(&c, m, &x->s->text, &x->json, &x->s->page);
  else
    write_machine(x, m);
  return IK_OK;
}

/* Machines that nobody named, but that a program might run on. */
static ik_status list_simulated(planner *x) {
  ik_spatial_case c = ik_spatial_case_of(x->p, x->q.steps, &x->a);
  c.brief = true;
  ik_buf_puts(&x->s->text, "elsewhere, by closed forms (`ikat plan --machine M` tells more)\n");
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
  ik_json_str(&x->json, "objective", objectives[x->objective]);
  ik_json_open(&x->json, "plans", '[');
  for (int i = 0; i < n; i++) {
    if (i) ik_buf_putc(&x->s->text, '\n');
    IK_TRY(plan_machine(x, name[i]));
  }
  ik_json_close(&x->json, ']');
  if (mine) IK_TRY(list_simulated(x));
  ik_json_close(&x->json, '}');
  return IK_OK;
}

ik_status ik_study_plan(ik_program *p, const ik_plan_options *o, ik_log *log, ik_study **out) {
  IK_OWN_ARITHMETIC;
  ik_plan_options none = {0};
  planner         x = {.p = p, .o = o ? o : &none, .log = log};
  *out = NULL;
  x.s = ik_study_create("ikat plan", log);
  if (!x.s) return IK_ERR_RESOURCE;
  ik_arena_init(&x.a);
  x.q = ik_question_of(p->ir, &p->facts);
  ik_status st = setjmp(x.a.oom) ? ik_log_no_memory(log) : plan_all(&x);
  ik_arena_free(&x.a);
  return ik_study_finish(x.s, st, log, out);
}
