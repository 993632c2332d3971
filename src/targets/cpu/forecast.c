#include "targets/cpu/forecast.h"
#include "base/least.h"
#include "targets/cpu/strategy.h"
#include "targets/interpreted.h"

/* ---- prices ---- */

/* Of one step of a pipe; of the whole list outside of step loops. */
static ik_pipeline_work work_of(const ik_compile *c, const ik_compile_part *part, int pipe) {
  const ik_choose *x = &c->choose;
  if (part->how->price) return *ik_choose_count(x, part->list, true, &part->plan, c->a);
  return ik_cost_count(&part->pipe[pipe], x->isa, x->threads, c->a);
}

void ik_cpu_forecast_price(ik_compile *c) {
  for (ik_compile_part *p = c->part; p < c->part + c->n; p++)
    for (int k = 0; k < p->npipe; k++) {
      ik_pipeline_work work = work_of(c, p, k);
      p->time[k] = ik_pipeline_work_time(&work, &c->choose.figures);
    }
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
static void add_steps(const ik_compile_part *part, int64_t n, ik_forecast *out) {
  for (int k = 0; k < part->npipe && n > 0; k++) {
    int64_t steps = ik_max_int(part->pipe[k].steps, 1);
    int64_t some = n / steps * steps;
    add_time(&part->time[k], (double)some, out);
    n -= some;
  }
}

/* Where somebody looks often, a thousand times stand for all. */
static void add_loop(const ik_ir *ir, const ik_compile_part *part, int64_t n, ik_forecast *out) {
  enum { LOOKS = 1000 };
  ik_forecast some = {0};
  int64_t     t = 0;
  for (int i = 0; i < LOOKS && t < n; i++) {
    int64_t most = until_seen(ir, t, n - t);
    add_steps(part, most, &some);
    t += most;
  }
  if (t) ik_forecast_join(out, &some, (double)n / (double)t);
}

bool ik_cpu_forecast_add(const ik_compile *c, const ik_unit *u, int64_t times, bool interpreted,
                         ik_forecast *out) {
  const ik_compile_part     *part = ik_compile_find(c, u->first, u->end);
  const ik_pipeline_machine *m = &c->choose.figures;
  bool                       steps = u->loop && u->loop->kind == IK_STEPS;
  if (steps && !ik_interpreted_points(c->ir, m, times, out)) return false;
  if (!part || interpreted) return ik_interpreted_forecast(c->ir, m, u, times, out);
  if (steps)
    add_loop(c->ir, part, times, out);
  else
    add_time(&part->time[0], (double)times, out);
  return true;
}
