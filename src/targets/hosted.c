#include "targets/hosted.h"
#include "targets/roofs.h"

ik_status ik_hosted_attach(ik_hosted *x, ik_state *s, ik_diag *d) {
  IK_TRY(ik_stepper_attach(&x->step, s, 0, d));
  return ik_stepper_need_host(&x->step, d);
}

/* Levels of a sweep wait for each other, which the closed form of the wafer leaves out. */
static bool is_covered(const ik_problem *p, const ik_machine *m) {
  return ik_spatial_kind_of(m) != IK_SPATIAL_WAFER || p->facts->subject.nsweep == 0;
}

static const char *basis_of(const ik_machine *m) {
  return ik_spatial_kind_of(m) == IK_SPATIAL_FPGA
             ? "the analytic model of the machine, with the windows of the paper: its main loop "
               "alone"
             : "the analytic model of the machine: its main loop alone, without what stands "
               "around it";
}

void ik_hosted_model(ik_hosted *x, const ik_problem *p, const ik_machine *m) {
  ik_engine      *e = &x->step.base;
  ik_spatial_work work;
  e->threads = 1;
  e->no_forecast = "there is no model of the interpreter under a machine's rule";
  if (!m) return;
  e->roofs = ik_roofs_machine(p->ir, m);
  e->no_forecast = "the analytic model does not cover this program";
  if (!p->facts || !is_covered(p, m)) return;
  ik_spatial_work_of(p->ir, p->facts, &work);
  if (!ik_spatial_of(m, &work, &x->time) || !x->time.fits) return;
  if (!ik_machine_number(m, "sim.run", "s", &e->launch)) e->launch = 0;
  x->modelled = p->facts->subject.loop;
  e->no_forecast = NULL;
  e->basis = basis_of(m);
}

bool ik_hosted_forecast(const ik_engine *e, const ik_unit *u, int64_t times, ik_forecast *out) {
  const ik_hosted *x = (const ik_hosted *)e;
  if (e->no_forecast) return false;
  if (u->loop != x->modelled || u->test) return true;
  double seconds = (double)times * x->time.seconds;
  ik_forecast_add(out, x->time.bound, x->time.kind, seconds, seconds);
  return true;
}

bool ik_hosted_probe(ik_buf *why) {
  (void)why;
  return true;
}

ik_status ik_hosted_no_override(const ik_problem *p, const char *target, ik_diag *d) {
  if (!p->override) return IK_OK;
  ik_fail(d, IK_ERR_SOURCE, IK_E081, IK_NOSPAN, "'%s' is not a plan: %s has nothing to choose",
          p->override, target);
  return IK_ERR_SOURCE;
}
