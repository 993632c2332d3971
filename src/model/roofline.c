#include "model/roofline.h"
#include <math.h>
#include <string.h>

/* ---- one level, one unit ---- */

double ik_roofline_attainable(double peak, double bandwidth, double intensity) {
  if (!(peak > 0 && bandwidth > 0 && intensity > 0)) return 0;
  return fmin(peak, bandwidth * intensity);
}

double ik_roofline_ridge(double peak, double bandwidth) {
  if (!(peak > 0)) return 0;
  return bandwidth > 0 ? peak / bandwidth : INFINITY;
}

bool ik_roofline_memory_bound(double peak, double bandwidth, double intensity) {
  return (intensity > 0 ? intensity : 0) < ik_roofline_ridge(peak, bandwidth);
}

/* ---- all roofs of a machine ---- */

static bool ends_with(const char *text, const char *end) {
  size_t n = strlen(text), k = strlen(end);
  return n > k && strcmp(text + n - k, end) == 0;
}

/* False if the figure is no roof. */
static bool roof_of(const ik_figure *f, ik_arena *a, ik_roofline_roof *out) {
  static const char level[] = ".bandwidth", unit[] = "peak.";
  if (ends_with(f->key, level)) {
    *out = (ik_roofline_roof){.kind = IK_ROOFLINE_LEVEL, .key = f->key};
    out->name = ik_arena_dup(a, f->key, strlen(f->key) - strlen(level));
    return ik_figure_number(f, "B/s", &out->rate);
  }
  if (strncmp(f->key, unit, strlen(unit))) return false;
  *out = (ik_roofline_roof){.name = f->key + strlen(unit), .kind = IK_ROOFLINE_UNIT, .key = f->key};
  return ik_figure_number(f, "FLOP/s", &out->rate);
}

ik_roofline ik_roofline_of(const ik_machine *m, ik_arena *a) {
  ik_roofline r = {.machine = m};
  for (int i = 0; i < m->n && r.n < IK_ROOFLINE_MAX; i++)
    if (roof_of(&m->figure[i], a, &r.roof[r.n])) r.n++;
  return r;
}

int ik_roofline_find(const ik_roofline *r, const char *name) {
  for (int i = 0; i < r->n; i++)
    if (strcmp(r->roof[i].name, name) == 0) {
      if (r->machine) ik_machine_get(r->machine, r->roof[i].key);
      return i;
    }
  return -1;
}

static double busy(const ik_roofline_roof *r, double amount) {
  if (!(amount > 0)) return 0;
  return r->rate > 0 ? amount / r->rate : INFINITY;
}

/* Of two roofs that never finish both are busy all the time. */
static double share(double seconds, double of) { return seconds == of ? of > 0 : seconds / of; }

ik_roofline_load ik_roofline_meet(const ik_roofline *r, const double *amount) {
  ik_roofline_load load = {.saturated = -1};
  for (int i = 0; i < r->n; i++) {
    double seconds = busy(&r->roof[i], amount[i]);
    if (seconds > load.seconds) load.seconds = seconds, load.saturated = i;
  }
  for (int i = 0; i < r->n; i++) {
    load.use[i] = share(busy(&r->roof[i], amount[i]), load.seconds);
    load.slack[i] = 1 - load.use[i];
  }
  return load;
}
