/* The candidates of one machine as a table, as reasons and as JSON. */
#include "apps/study/plans.h"
#include "apps/study/busy.h"
#include "apps/study/table.h"
#include "targets/target.h"
#include <math.h>
#include <string.h>

const char *const ik_plans_objective[3] = {[IK_LEAST_TIME] = "time", "energy", "edp"};

static const struct {
  const char *name, *about;
} models[IK_MODELS] = {
    [IK_MODEL_ROOFLINE] = {"roofline", "roofline, an upper bound: no latency, no occupancy"},
    [IK_MODEL_KERNELS] = {"kernels", "kernels as they were built and measured: issue, shared "
                                     "memory, L2, memory, latency"},
    [IK_MODEL_HEXAGONS] = {"hexagons", "hexagonal tiles (Analytical Cost Metrics, appendix A)"},
    [IK_MODEL_PIPELINE] = {"pipeline", "the model of this CPU: ports, cache lines, memory, starts"},
    [IK_MODEL_SPATIAL] = {"closed form", "closed form of a simulated machine"},
};

const char *ik_plans_model(ik_candidate_model m) { return models[m].name; }
const char *ik_plans_model_about(ik_candidate_model m) { return models[m].about; }

bool ik_plans_is_modelled(const ik_candidate *c) { return !isnan(c->use_memory); }

bool ik_plans_runs(const ik_candidate *c) {
  if (c->model == IK_MODEL_SPATIAL) return true; /* simulated */
  for (const ik_target *const *t = ik_targets; c->plan && *t; t++)
    if (!strcmp((*t)->name, c->plan->target)) return true;
  return false;
}

static const char *bound_of(const ik_candidate *c) {
  if (!ik_plans_is_modelled(c)) return "-";
  if (c->bound) return c->bound;
  return c->launch_bound ? "launch" : c->memory_bound ? "memory" : "compute";
}

bool ik_plans_is_first(const ik_candidates *c, int i) {
  for (int k = 0; k < i; k++)
    if (!strcmp(c->at[k].strategy, c->at[i].strategy) && !strcmp(c->at[k].unit, c->at[i].unit))
      return false;
  return true;
}

static bool is_shown(const ik_candidates *c, int i) {
  return ik_plans_is_first(c, i) || (c->at[i].plan && i < IK_PLANS_SHOWN);
}

/* ---- the table ---- */

static double ratio_of(const ik_candidates *c, int i, ik_objective o) {
  double ratio = ik_candidate_cost(&c->at[i], o) / ik_candidate_cost(&c->at[0], o);
  return isfinite(ratio) ? ratio : NAN;
}

/* Columns that are not there when no row has something in them, and what they mean. */
typedef struct column {
  const char *head, *format, *about;
  double (*value)(const ik_candidate *c);
  double idle; /* what says nothing, besides what is not known */
} column;

static double alpha_of(const ik_candidate *c) { return c->alpha; }
static double sparsity_of(const ik_candidate *c) { return c->sparsity; }
static double intensity_of(const ik_candidate *c) { return c->intensity; }
static double ridge_of(const ik_candidate *c) { return c->ridge; }
static double joules_of(const ik_candidate *c) { return c->joules; }

enum { BEFORE = 4, COLUMNS = 5 }; /* the others stand behind the rate and the time */

static const column columns[COLUMNS] = {
    {"alpha", NULL, "alpha: work with steps fused or tiles overlapped over work without", alpha_of,
     1},
    {"S", "%.2f", "S: share of a matrix unit's products that are not zero", sparsity_of, 1},
    {"I", NULL, "I: intensity, operations a byte", intensity_of, NAN},
    {"ridge", NULL, "ridge: the intensity from which on compute limits, not memory", ridge_of, NAN},
    {"joules", NULL, "joules: power.tdp times seconds", joules_of, NAN},
};

/* Without a format: three digits, more before the point where that is shorter than an exponent. */
static void put(const char *fmt, double v, ik_buf *b) {
  if (isfinite(v))
    ik_buf_printf(b, fmt ? fmt : v >= 1000 && v < 1e7 ? "%.0f" : "%.3g", v);
  else
    ik_buf_puts(b, isnan(v) ? "-" : "inf");
}

static void choose_columns(const ik_candidates *c, bool used[COLUMNS]) {
  for (int k = 0; k < COLUMNS; k++) {
    used[k] = false;
    for (int i = 0; i < c->n; i++) {
      double v = columns[k].value(&c->at[i]);
      used[k] |= is_shown(c, i) && !isnan(v) && v != columns[k].idle;
    }
  }
}

static void put_columns(const ik_candidate *c, const bool used[COLUMNS], int from, int to,
                        ik_buf *b) {
  for (int k = from; k < to; k++)
    if (used[k]) ik_buf_putc(b, '\t'), put(columns[k].format, columns[k].value(c), b);
}

static void write_head(const bool used[COLUMNS], ik_table *t) {
  ik_buf b = {0};
  ik_buf_puts(&b, "\tstrategy\tunit\tsteps");
  for (int k = 0; k < BEFORE; k++)
    if (used[k]) ik_buf_printf(&b, "\t%s", columns[k].head);
  ik_buf_puts(&b, "\tbound\tGSt/s\tseconds");
  for (int k = BEFORE; k < COLUMNS; k++)
    if (used[k]) ik_buf_printf(&b, "\t%s", columns[k].head);
  ik_table_row(t, "%s\tratio", ik_buf_text(&b));
  t->text.failed |= b.failed;
  ik_buf_free(&b);
}

static void write_row(const ik_candidates *c, int i, int number, ik_objective o,
                      const bool used[COLUMNS], ik_table *t) {
  const ik_candidate *k = &c->at[i];
  ik_buf              b = {0};
  ik_buf_printf(&b, "%d\t%s\t%s\t%d", number, k->strategy, k->unit, k->steps);
  put_columns(k, used, 0, BEFORE, &b);
  ik_buf_printf(&b, "\t%s\t", bound_of(k));
  put(NULL, k->gstencils, &b), ik_buf_putc(&b, '\t'), put(NULL, k->seconds, &b);
  put_columns(k, used, BEFORE, COLUMNS, &b);
  ik_buf_putc(&b, '\t'), put("%.2fx", ratio_of(c, i, o), &b);
  ik_table_row(t, "%s", ik_buf_text(&b));
  t->text.failed |= b.failed;
  ik_buf_free(&b);
}

/* "1  fuse steps=12 tile=0,128,0": to be pasted behind --plan; what is to be known below it. */
static void write_details(const ik_candidate *c, int number, int digits, ik_buf *out) {
  ik_buf plan = {0}, note = {0};
  if (c->plan) ik_plan_write(c->plan, &plan);
  if (c->scenario) ik_buf_printf(&note, "scenario %d%s", c->scenario, *c->note ? ", " : "");
  ik_buf_puts(&note, c->note);
  if (plan.len || note.len) ik_buf_printf(out, "  %*d", digits, number);
  if (plan.len) ik_buf_printf(out, "  %s\n", ik_buf_text(&plan));
  if (note.len) ik_table_wrap(ik_buf_text(&note), plan.len ? digits + 4 : 2, digits + 4, out);
  out->failed |= plan.failed || note.failed;
  ik_buf_free(&plan), ik_buf_free(&note);
}

static void write_legend(const bool used[COLUMNS], ik_buf *out) {
  ik_buf text = {0};
  ik_buf_puts(&text, "steps: in one pass over memory");
  for (int k = 0; k < COLUMNS; k++)
    if (used[k]) ik_buf_printf(&text, "; %s", columns[k].about);
  ik_buf_puts(&text,
              "; bound: what limits; GSt/s: 1e9 cells updated a second; ratio: to the first row");
  ik_table_wrap(ik_buf_text(&text), 2, 2, out);
  out->failed |= text.failed;
  ik_buf_free(&text);
}

void ik_plans_table(const ik_candidates *c, ik_objective o, ik_buf *out) {
  ik_table t = {0};
  bool     used[COLUMNS];
  int      number = 0;
  choose_columns(c, used);
  write_head(used, &t);
  for (int i = 0; i < c->n; i++)
    if (is_shown(c, i)) write_row(c, i, ++number, o, used, &t);
  ik_table_write(&t, 2, out);
  int digits = number > 9 ? 2 : 1;
  number = 0;
  for (int i = 0; i < c->n; i++)
    if (is_shown(c, i)) write_details(&c->at[i], ++number, digits, out);
  write_legend(used, out);
}

/* ---- why ---- */

static void explain_best(const ik_candidate *c, ik_buf *out) {
  ik_buf_printf(out, "%s wins%s", c->strategy, c->steps > 1 ? "" : ", one step at a time");
  if (c->steps > 1) ik_buf_printf(out, " with %d steps in one pass", c->steps);
  if (c->time) ik_buf_puts(out, ": "), ik_busy_limit(c->time, out);
  if (c->time || !ik_plans_is_modelled(c)) {
    ik_buf_putc(out, '.');
    return;
  }
  if (c->launch_bound) {
    ik_buf_puts(out, ": a pass is over before the next can be launched.");
    return;
  }
  ik_buf_printf(out, ": %s limits; %s is busy %.0f %% of the time.",
                c->bound          ? c->bound
                : c->memory_bound ? "memory"
                                  : "compute",
                c->memory_bound ? "the unit" : "memory",
                100 * (c->memory_bound ? c->use_unit : c->use_memory));
}

/* Why one that is slower is: what it does more of, or what it has less of. */
static void explain_loser(const ik_candidates *all, int i, ik_objective o, ik_buf *out) {
  const ik_candidate *best = &all->at[0], *c = &all->at[i];
  double              ratio = ratio_of(all, i, o);
  if (!ik_plans_is_modelled(c) || !ik_plans_is_modelled(best) || isnan(ratio)) return;
  ik_buf_printf(out, "%s on %s takes %.2fx: ", c->strategy, c->unit, ratio);
  if (c->launch_bound)
    ik_buf_printf(out,
                  c->steps > 1 ? "limited by launches, one for every %d steps."
                               : "limited by launches, one a step.",
                  c->steps);
  else if (c->memory_bound)
    ik_buf_printf(out, "it moves %.3g bytes a cell and step, the winner %.3g.", c->bytes / c->steps,
                  best->bytes / best->steps);
  else if (c->alpha > 1 || c->sparsity < 1)
    ik_buf_printf(out, "it executes %.2f operations for each useful one (alpha %.2f, S %.2f).",
                  c->alpha / c->sparsity, c->alpha, c->sparsity);
  else
    ik_buf_printf(out, "its unit is saturated, at %.3g operations a cell and step.",
                  c->flops / c->steps);
}

static void explain_other(const ik_candidates *c, int i, ik_objective o, ik_buf *line) {
  if (!ik_plans_is_first(c, i) && !(c->at[i].time && i < IK_PLANS_SHOWN)) return;
  if (c->at[0].time && c->at[i].time)
    ik_busy_loss(&c->at[0], &c->at[i], line);
  else
    explain_loser(c, i, o, line);
}

void ik_plans_why(const ik_candidates *c, ik_objective o, ik_buf *out) {
  ik_buf_puts(out, "why\n");
  for (int i = 0; i < c->n; i++) {
    ik_buf line = {0};
    if (i == 0)
      explain_best(&c->at[0], &line);
    else
      explain_other(c, i, o, &line);
    if (line.len) ik_table_wrap(ik_buf_text(&line), 2, 4, out);
    out->failed |= line.failed;
    ik_buf_free(&line);
  }
}

/* ---- JSON ---- */

void ik_plans_json(const ik_candidate *c, const ik_ir *ir, ik_json *j) {
  ik_json_open(j, NULL, '{');
  ik_json_str(j, "machine", c->machine), ik_json_str(j, "target", c->target);
  ik_json_str(j, "model", ik_plans_model(c->model));
  ik_json_str(j, "strategy", c->strategy), ik_json_str(j, "unit", c->unit);
  ik_json_int(j, "steps_fused", c->steps);
  ik_json_num(j, "alpha", c->alpha), ik_json_num(j, "sparsity", c->sparsity);
  ik_json_num(j, "flops", c->flops), ik_json_num(j, "bytes", c->bytes);
  ik_json_num(j, "intensity", c->intensity), ik_json_num(j, "ridge", c->ridge);
  ik_json_str(j, "bound", ik_plans_is_modelled(c) ? bound_of(c) : NULL);
  ik_json_bool(j, "launch_bound", c->launch_bound);
  ik_json_int(j, "scenario", c->scenario);
  ik_json_num(j, "predicted_seconds", c->seconds);
  ik_json_num(j, "predicted_gstencils_per_s", c->gstencils);
  ik_json_num(j, "predicted_joules", c->joules);
  ik_json_num(j, "memory_busy", c->use_memory), ik_json_num(j, "unit_busy", c->use_unit);
  ik_json_num(j, "max_error", c->error);
  ik_json_str(j, "note", c->note);
  ik_json_bool(j, "estimate_alone", !ik_plans_runs(c));
  if (c->time) ik_busy_json(c->time, j);
  if (c->plan) {
    ik_json_open(j, "plan", '{');
    ik_plan_json(c->plan, ir, j);
    ik_json_close(j, '}');
  }
  ik_json_close(j, '}');
}
