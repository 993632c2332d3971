#include "targets/cpu/forecast.h"
#include "base/least.h"
#include "targets/cpu/strategy.h"
#include "targets/interpreted.h"

/* ---- prices ---- */

/* Of one step of a pipe; of the whole list outside of step loops. */
static ik_pipeline_time price(const ik_choose *x, const ik_compile_part *part, const ik_pipe *pipe,
                              ik_arena *a) {
  if (part->how->price)
    return ik_pipeline_work_time(ik_choose_count(x, part->list, true, &part->plan, a), &x->figures);
  ik_pipeline_work work = ik_cost_count(pipe, x->isa, x->threads, a);
  return ik_pipeline_work_time(&work, &x->figures);
}

static void price_part(const ik_choose *x, const ik_compile_part *part, ik_arena *a,
                       ik_pipeline_time *out) {
  for (int k = 0; k < part->npipe; k++) out[k] = price(x, part, &part->pipe[k], a);
}

const char *ik_cpu_forecast_of(const ik_problem *p, const ik_isa *isa, int threads, bool special,
                               const ik_compile *parts, ik_arena *a, ik_cpu_forecast *out) {
  ik_choose x = ik_choose_on(p->ir, parts->layout, isa, threads, p->machine, a);
  *out = (ik_cpu_forecast){.ir = p->ir, .parts = parts, .figures = x.figures};
  if (special) return "the model of the CPU does not cover this strategy";
  out->time = (ik_pipeline_time(*)[IK_PART_PIPES])IK_NEW_N(a, ik_pipeline_time,
                                                           (parts->n + 1) * IK_PART_PIPES);
  for (int i = 0; i < parts->n; i++) price_part(&x, &parts->part[i], a, out->time[i]);
  return NULL;
}

/* ---- sums ---- */

static void add_time(const ik_pipeline_time *t, double times, ik_forecast *out) {
  for (ik_pipeline_resource r = 0; r < IK_PIPELINE_RESOURCES; r++)
    ik_forecast_add(out, ik_pipeline_name(r), ik_pipeline_kind(r), times * t->part[r],
                    times * t->busy[r]);
  out->bytes += times * t->bytes;
}

/* Steps until someone wants to see the fields: a receiver, or an output. */
static int64_t until_seen(const ik_ir *ir, int64_t t, int64_t n) {
  for (int i = 0; i < ir->nrecord; i++) {
    int64_t left = ir->record[i].every - t % ir->record[i].every;
    n = left < n ? left : n;
  }
  for (int i = 0; i < ir->noutput; i++) {
    int64_t left = ir->output[i].every ? ir->output[i].every - t % ir->output[i].every : n;
    n = left < n ? left : n;
  }
  return n;
}

/* As the engine does it: as many steps as a pipe makes, then what fewer do. */
static void add_steps(const ik_compile_part *part, const ik_pipeline_time *time, int64_t n,
                      ik_forecast *out) {
  for (int k = 0; k < part->npipe && n > 0; k++) {
    int64_t steps = ik_max_int(part->pipe[k].steps, 1);
    int64_t some = n / steps * steps;
    add_time(&time[k], (double)some, out);
    n -= some;
  }
}

/* Where somebody looks often, a thousand times stand for all. */
static void add_loop(const ik_ir *ir, const ik_compile_part *part, const ik_pipeline_time *time,
                     int64_t n, ik_forecast *out) {
  enum { LOOKS = 1000 };
  ik_forecast some = {0};
  int64_t     t = 0;
  for (int i = 0; i < LOOKS && t < n; i++) {
    int64_t most = until_seen(ir, t, n - t);
    add_steps(part, time, most, &some);
    t += most;
  }
  if (t) ik_forecast_join(out, &some, (double)n / (double)t);
}

bool ik_cpu_forecast_add(const ik_cpu_forecast *f, const ik_unit *u, int64_t times,
                         bool interpreted, ik_forecast *out) {
  const ik_compile_part *part = ik_compile_find(f->parts, u->first, u->end);
  bool                   steps = u->loop && u->loop->kind == IK_STEPS;
  if (steps && !ik_interpreted_points(f->ir, &f->figures, times, out)) return false;
  if (!part || interpreted) return ik_interpreted_forecast(f->ir, &f->figures, u, times, out);
  const ik_pipeline_time *time = f->time[part - f->parts->part];
  if (steps)
    add_loop(f->ir, part, time, times, out);
  else
    add_time(&time[0], (double)times, out);
  return true;
}
