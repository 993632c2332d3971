#include "targets/interpreted.h"
#include "model/interpreter.h"

static const char operations[] = "interpreted operations", points[] = "sources and receivers";

static void add(const ik_interpreter *count, const ik_pipeline_machine *m, const char *name,
                double times, ik_forecast *out) {
  double seconds = times * ik_interpreter_cycles(count, &m->interp) / m->hertz;
  if (seconds > 0) ik_forecast_add(out, name, "compute", seconds, seconds);
}

bool ik_interpreted_forecast(const ik_ir *ir, const ik_pipeline_machine *m, const ik_unit *u,
                             int64_t times, ik_forecast *out) {
  ik_interpreter count;
  ik_arena       a;
  ik_arena_init(&a);
  bool ok = !setjmp(a.oom);
  if (ok) ik_interpreter_count(ir, u->first, u->end, &a, &count);
  ik_arena_free(&a);
  if (ok) add(&count, m, operations, (double)times, out);
  return ok;
}

bool ik_interpreted_points(const ik_ir *ir, const ik_pipeline_machine *m, int64_t steps,
                           ik_forecast *out) {
  ik_interpreter count;
  ik_arena       a;
  ik_arena_init(&a);
  bool ok = !setjmp(a.oom);
  if (ok) ik_interpreter_count_points(ir, &a, &count);
  ik_arena_free(&a);
  if (ok) add(&count, m, points, (double)steps, out);
  return ok;
}
