#include "targets/simulated/wormhole/figures.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static ik_status missing(const ik_machine *m, const char *key, ik_diag *d) {
  return ik_fail(d, IK_ERR_UNSUPPORTED, IK_E082, IK_NOSPAN,
                 "wormhole: machine '%s' has no figure '%s'", m->name, key);
}

typedef struct wanted {
  const char *key, *unit;
  int         least; /* 1 for what divides */
  int        *out;
} wanted;

static ik_status read_one(const ik_machine *m, const wanted *w, ik_diag *d) {
  double v;
  if (!ik_machine_number(m, w->key, w->unit, &v)) return missing(m, w->key, d);
  if (!(v >= w->least && v < 1e9))
    return ik_fail(d, IK_ERR_UNSUPPORTED, IK_E082, IK_NOSPAN,
                   "wormhole cannot be simulated with '%s' = %.3g %s", w->key, v, w->unit);
  *w->out = (int)lround(v);
  return IK_OK;
}

static ik_status read_whole(const ik_machine *m, ik_diag *d, ik_wormhole_figures *f) {
  const wanted all[] = {
      {"core.pack", "B/cycle", 1, &f->pack},
      {"core.copy", "B/cycle", 1, &f->copy},
      {"core.fpu", "FLOP/cycle", 1, &f->fpu},
      {"core.dst.f16", "tiles", 1, &f->dst},
      {"core.store", "cycles", 0, &f->store},
      {"model.sync", "cycles", 0, &f->sync},
      {"noc.flit", "B", 0, &f->flit},
      {"noc.enter", "cycles", 0, &f->enter},
      {"noc.hop", "cycles", 0, &f->hop},
      {"noc.write", "B/cycle", 1, &f->write},
      {"noc.multicast", "B/cycle", 1, &f->multicast},
      {"dram.read", "B/cycle", 1, &f->dram_read},
      {"dram.write", "B/cycle", 1, &f->dram_write},
      {"model.hop", "cycles", 0, &f->relay},
      {"simulation.fold", "", 0, &f->fold},
      {"simulation.result", "cycles", 0, &f->result},
  };
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) IK_TRY(read_one(m, &all[i], d));
  return IK_OK;
}

static ik_status read_others(const ik_machine *m, ik_diag *d, ik_wormhole_figures *f) {
  double      sram, reserve;
  const char *used = ik_machine_text(m, "die.used");
  if (!used || sscanf(used, "%dx%d", &f->cores[0], &f->cores[1]) != 2)
    return missing(m, "die.used", d);
  if (!ik_machine_number(m, "clock", "Hz", &f->clock)) return missing(m, "clock", d);
  if (!ik_machine_number(m, "core.sram", "B", &sram)) return missing(m, "core.sram", d);
  if (!ik_machine_number(m, "core.reserve", "B", &reserve)) return missing(m, "core.reserve", d);
  if (!ik_machine_number(m, "simulation.host", "", &f->host))
    return missing(m, "simulation.host", d);
  f->sram = (int64_t)sram, f->reserve = (int64_t)reserve;
  return IK_OK;
}

ik_status ik_wormhole_figures_of(const ik_machine *m, ik_arena *a, ik_diag *d,
                                 ik_wormhole_figures *out) {
  const char *kind = m ? ik_machine_text(m, "kind") : NULL;
  ik_machine *file;
  *out = (ik_wormhole_figures){0};
  if (!kind || strcmp(kind, "tiles")) {
    IK_TRY(ik_machine_find("wormhole-n150d", a, d, &file));
    m = file;
  }
  out->machine = m;
  IK_TRY(read_whole(m, d, out));
  return read_others(m, d, out);
}
