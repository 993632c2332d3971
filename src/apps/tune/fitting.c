#include "apps/tune/fitting.h"
#include <math.h>
#include <string.h>

#define NEAR   1.2  /* times as slow as the best, and a fit must predict it */
#define OTHERS 0.15 /* what all that is slower counts for together, beside those near */

static ik_status no_memory(ik_diag *d) {
  return ik_fail(d, IK_ERR_RESOURCE, IK_E072, IK_NOSPAN, "no memory for what was measured");
}

ik_status ik_fitting_open(ik_fitting *f, const char *path, ik_diag *d) {
  *f = (ik_fitting){.path = path};
  ik_arena_init(&f->arena);
  if (setjmp(f->arena.oom)) return no_memory(d);
  f->machine = ik_saved_figures(path, &f->arena);
  if (f->machine && ik_machine_get(f->machine, "probe.threads")) return IK_OK;
  ik_error(d, IK_E081, IK_NOSPAN, "nothing is known of this machine that a fit could begin with");
  ik_help(d, "`ikat machine probe` measures it");
  return IK_ERR_SOURCE;
}

void ik_fitting_close(ik_fitting *f) { ik_arena_free(&f->arena); }

/* ---- what was measured ---- */

static const ik_pipeline_work *copy_work(const ik_pipeline_work *w, ik_arena *a) {
  ik_pipeline_work *out = IK_NEW(a, ik_pipeline_work);
  ik_pipeline_pass *pass = IK_NEW_N(a, ik_pipeline_pass, w->npass);
  *out = *w, out->pass = pass;
  for (int i = 0; i < w->npass; i++) {
    ik_pipeline_phase *phase = IK_NEW_N(a, ik_pipeline_phase, w->pass[i].nphase);
    pass[i] = w->pass[i], pass[i].phase = phase;
    for (int k = 0; k < pass[i].nphase; k++) {
      phase[k] = w->pass[i].phase[k];
      ik_pipeline_stage *stage = IK_NEW_N(a, ik_pipeline_stage, phase[k].nstage);
      memcpy(stage, phase[k].stage, (size_t)phase[k].nstage * sizeof *stage);
      phase[k].stage = stage;
    }
  }
  return out;
}

static int group_of(ik_fitting *f, const char *program) {
  for (int i = 0; i < f->nprogram; i++)
    if (!strcmp(f->program[i], program)) return i;
  const char *copy = ik_arena_dup(&f->arena, program, strlen(program));
  IK_PUSH(&f->arena, f->program, f->nprogram, f->cap_program, copy);
  return f->nprogram - 1;
}

static void weigh(ik_solve_sample *s, int n) {
  double best = INFINITY;
  int    near = 0;
  for (int i = 0; i < n; i++) best = fmin(best, s[i].seconds);
  for (int i = 0; i < n; i++) near += s[i].seconds <= NEAR * best;
  for (int i = 0; i < n; i++)
    s[i].weight = s[i].seconds <= NEAR * best ? 1.0 / near : OTHERS / (n - near);
}

ik_status ik_fitting_add(ik_fitting *f, const char *program, const ik_tune_job *j, ik_diag *d) {
  int first = f->n;
  if (setjmp(f->arena.oom)) return no_memory(d);
  double chosen = ik_tune_rate(&j->row[0]), points = (double)j->row[0].points;
  for (int i = 0; i < j->nrow; i++) {
    double                  rate = chosen * ik_tune_ratio(&j->row[i]);
    const ik_pipeline_work *work = j->row[i].work;
    if (!work || !work->npass || !(rate > 0) || !j->row[0].did) continue;
    ik_solve_sample s = {.work = copy_work(work, &f->arena)};
    s.seconds = points / (double)j->row[0].did / rate, s.group = group_of(f, program);
    s.ranked = j->row[i].ranked;
    IK_PUSH(&f->arena, f->sample, f->n, f->cap, s);
  }
  if (f->n == first) return IK_OK;
  weigh(f->sample + first, f->n - first);
  IK_PUSH(&f->arena, f->first, f->ncase, f->cap_case, first);
  return IK_OK;
}

/* ---- how good it is ---- */

/* Cases of whose plans that the planner ranks the first is within a tenth of the best. */
static int good_choices(const ik_fitting *f, const ik_pipeline_machine *m) {
  int good = 0;
  for (int c = 0; c < f->ncase; c++) {
    int    end = c + 1 < f->ncase ? f->first[c + 1] : f->n;
    double least = INFINITY, chosen = INFINITY, best = INFINITY;
    for (int i = f->first[c]; i < end; i++) {
      if (!f->sample[i].ranked) continue;
      double said = ik_pipeline_work_time(f->sample[i].work, m).seconds;
      if (said < least) least = said, chosen = f->sample[i].seconds;
      best = fmin(best, f->sample[i].seconds);
    }
    good += chosen <= 1.1 * best;
  }
  return good;
}

/* Each program predicted by constants that were fitted without it. */
static double left_out(const ik_fitting *f, const ik_pipeline_machine *start) {
  double sum = 0;
  for (int g = 0; g < f->nprogram; g++) {
    ik_pipeline_machine m = *start;
    ik_solve(f->sample, f->n, g, &m);
    double e = ik_solve_error(f->sample, f->n, g, &m);
    sum += e * e;
  }
  return sqrt(sum / fmax(f->nprogram, 1));
}

typedef struct quality {
  double before, after, apart; /* apart: of programs that the fit did not see; NaN: there is one */
  int    good_before, good;
} quality;

static quality fit(const ik_fitting *f, ik_pipeline_machine *m) {
  ik_pipeline_machine start = *m;
  quality             q = {.before = ik_solve_error(f->sample, f->n, -1, m)};
  ik_solve(f->sample, f->n, -1, m);
  q.after = ik_solve_error(f->sample, f->n, -1, m);
  q.apart = f->nprogram > 1 ? left_out(f, &start) : NAN;
  q.good_before = good_choices(f, &start), q.good = good_choices(f, m);
  return q;
}

static void put_text(const ik_fitting *f, const quality *q, ik_buf *out) {
  ik_buf_printf(out,
                "fitted to %d plans of %d cases: predicted with an error of %.1f %% rms instead of "
                "%.1f %%",
                f->n, f->ncase, 100 * q->after, 100 * q->before);
  if (!isnan(q->apart))
    ik_buf_printf(out, "; each program by a fit to the others, %.1f %%", 100 * q->apart);
  ik_buf_printf(out,
                "\nthe choice without measuring is then within 10 %% of the best of those that are "
                "ranked in %d cases instead of %d\n",
                q->good, q->good_before);
}

static void put_json(const ik_fitting *f, const quality *q, ik_json *j) {
  ik_json_open(j, "fit", '{');
  ik_json_int(j, "plans", f->n), ik_json_int(j, "cases", f->ncase);
  ik_json_num(j, "rms_error_before", q->before), ik_json_num(j, "rms_error", q->after);
  if (!isnan(q->apart)) ik_json_num(j, "rms_error_left_out", q->apart);
  ik_json_int(j, "good_choices_before", q->good_before), ik_json_int(j, "good_choices", q->good);
  ik_json_str(j, "file", f->path);
  ik_json_close(j, '}');
}

/* ---- all ---- */

ik_status ik_fitting_finish(ik_fitting *f, ik_diag *d, ik_json *json, ik_buf *out) {
  if (!f->n)
    return ik_fail(d, IK_ERR_SOURCE, IK_E081, IK_NOSPAN, "no plan was measured that can be fitted");
  if (setjmp(f->arena.oom)) return no_memory(d);
  int                 bytes = (int)f->sample[0].work->pass[0].vector_bytes;
  ik_pipeline_machine m = ik_fit_cpu(f->machine, bytes, &f->arena);
  quality             q = fit(f, &m);
  IK_TRY(ik_fit_keep(f->path, &m, bytes, d));
  if (json)
    put_json(f, &q, json);
  else
    put_text(f, &q, out);
  return IK_OK;
}
