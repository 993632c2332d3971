/* timing.c: figures of the machine, by name and unit. */
#include "targets/simulated/wse2/timing.h"
#include "sim/mesh.h"
#include <math.h>
#include <stddef.h>

typedef struct figure {
  const char *key, *unit;
  size_t      at;
  bool        whole; /* an int */
} figure;

#define REAL(key, unit, field)                                                                     \
  { key, unit, offsetof(ik_wse2_timing, field), false }
#define WHOLE(key, unit, field)                                                                    \
  { key, unit, offsetof(ik_wse2_timing, field), true }

static const figure figures[] = {
    REAL("clock", "Hz", clock),
    REAL("sim.stall", "cycles", memory_stall),
    WHOLE("sim.callback", "cycles", callback),
    WHOLE("sim.overhead", "cycles", step),
    WHOLE("sim.divide", "cycles", divide),
    WHOLE("sim.queue", "words", depth),
    REAL("sim.run", "s", run_seconds),
    WHOLE("pe.sram", "B", sram),
    WHOLE("sim.code", "B", code),
    WHOLE("pe.used.x", "", nx),
    WHOLE("pe.used.y", "", ny),
    REAL("power.idle", "W", idle_watts),
    REAL("energy.flop", "J", flop_joules),
};

static void set(ik_wse2_timing *t, const figure *f, double v) {
  if (f->whole)
    *(int *)((char *)t + f->at) = (int)(v + 0.5);
  else
    *(double *)((char *)t + f->at) = v;
}

/* What programs may use, in the shape that is given, however many there are: the figure that a
 * question "what if it had more" changes. */
static void widen(const ik_machine *m, ik_wse2_timing *t) {
  double pes;
  if (!ik_machine_number(m, "fabric.pes", "", &pes)) return;
  double by = sqrt(pes / ((double)t->nx * t->ny));
  t->nx = (int)floor(t->nx * by + 1e-6), t->ny = (int)floor(t->ny * by + 1e-6);
}

ik_status ik_wse2_timing_of(const ik_machine *m, ik_diag *d, ik_wse2_timing *out) {
  for (size_t i = 0; i < sizeof figures / sizeof *figures; i++) {
    const figure *f = &figures[i];
    double        v;
    if (!ik_machine_number(m, f->key, f->unit, &v))
      return ik_fail(d, IK_ERR_UNSUPPORTED, IK_E082, IK_NOSPAN,
                     "machine '%s' has no figure '%s' in %s", m->name, f->key,
                     *f->unit ? f->unit : "plain numbers");
    set(out, f, v);
  }
  widen(m, out);
  if (out->depth < 2 || out->depth > IK_MESH_DEPTH)
    return ik_fail(d, IK_ERR_UNSUPPORTED, IK_E082, IK_NOSPAN,
                   "queues of %d words in routers; 2 to %d can be simulated", out->depth,
                   IK_MESH_DEPTH);
  return IK_OK;
}
