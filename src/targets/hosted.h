/* hosted.h: what engines have in common that leave numbers and sources to the interpreter: the
 * interpreter itself, and simulated machines, whose host it is. */
#pragma once
#include "model/spatial.h"
#include "runtime/stepper.h"
#include "targets/target.h"

typedef struct ik_hosted { /* first member of such an engine */
  ik_stepper step;
  /* Of simulated machines: what the analytic model says of a step (of a round; of the statements,
   * where nothing is repeated), and of which unit. */
  ik_spatial_time time;
  const ik_stmt  *modelled; /* the loop; NULL: none */
} ik_hosted;

/* With the host, whose memory is planned. */
ik_status ik_hosted_attach(ik_hosted *x, ik_state *s, ik_diag *d);

/* What the analytic model of a simulated machine (NULL: this is the interpreter under its rule, of
 * which there is no model) says of a program; and of so many times through a
 * unit of it, with nothing for what stands around its main loop. */
void ik_hosted_model(ik_hosted *x, const ik_problem *p, const ik_machine *m);
bool ik_hosted_forecast(const ik_engine *x, const ik_unit *u, int64_t times, ik_forecast *out);

/* Always here. */
bool ik_hosted_probe(ik_buf *why);

/* E081 if the problem has overrides: this target has nothing to choose. */
ik_status ik_hosted_no_override(const ik_problem *p, const char *target, ik_diag *d);
