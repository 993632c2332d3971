#include "runtime/forecast.h"
#include <math.h>
#include <stddef.h>
#include <string.h>

static ik_forecast_part *part_of(ik_forecast *f, const char *name) {
  for (int i = 0; i < f->npart; i++)
    if (strcmp(f->part[i].name, name) == 0) return &f->part[i];
  if (f->npart == IK_FORECAST_PARTS) return &f->part[IK_FORECAST_PARTS - 1];
  f->part[f->npart] = (ik_forecast_part){.name = name};
  return &f->part[f->npart++];
}

void ik_forecast_add(ik_forecast *f, const char *name, const char *kind, double seconds,
                     double busy) {
  ik_forecast_part *p = part_of(f, name);
  p->kind = kind, p->seconds += seconds, p->busy += busy;
  f->seconds += seconds;
}

void ik_forecast_join(ik_forecast *f, const ik_forecast *more, double times) {
  for (int i = 0; i < more->npart; i++) {
    const ik_forecast_part *p = &more->part[i];
    ik_forecast_add(f, p->name, p->kind, times * p->seconds, times * p->busy);
  }
  f->bytes += times * more->bytes;
}

const ik_forecast_part *ik_forecast_limit(const ik_forecast *f) {
  const ik_forecast_part *most = f->npart ? f->part : NULL;
  for (int i = 1; i < f->npart; i++)
    if (f->part[i].busy > most->busy) most = &f->part[i];
  return most;
}

/* ---- roofs ---- */

static double over(double amount, double rate) { return rate > 0 ? amount / rate : 0; }

static double bandwidth(const ik_roofs *r) {
  return r->holds < r->nlevel ? r->level[r->holds].rate : 0;
}

double ik_roofs_seconds(const ik_roofs *r, double flops, double bytes) {
  return fmax(over(flops, r->peak), over(bytes, bandwidth(r)));
}

double ik_roofs_attainable(const ik_roofs *r, double intensity) {
  double slope = bandwidth(r) * intensity;
  if (!(r->peak > 0)) return slope;
  return slope > 0 ? fmin(r->peak, slope) : r->peak;
}
