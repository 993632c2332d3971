#include "report/roofline.h"
#include "report/svg.h"
#include <math.h>
#include <stdio.h>

enum { ROOF_COLOUR = 8, LEVEL_COLOUR = 7, RUN_COLOUR = 1, SERIES = IK_ROOFS_LEVELS + 3 };

typedef struct drawing {
  ik_series series[SERIES];
  double    x[SERIES][2], y[SERIES][2];
  char      name[SERIES][64];
  int       n;
} drawing;

/* From one point to another; a mark has the first alone.  Rates are drawn in GFLOP/s. */
static ik_series *put(drawing *d, ik_mark mark, int colour, double x0, double y0, double x1,
                      double y1) {
  ik_series *s = &d->series[d->n];
  bool       point = mark == IK_MARK_DOT || mark == IK_MARK_RING;
  d->x[d->n][0] = x0, d->x[d->n][1] = x1, d->y[d->n][0] = y0 / 1e9, d->y[d->n][1] = y1 / 1e9;
  *s = (ik_series){.name = d->name[d->n],
                   .x = d->x[d->n],
                   .y = d->y[d->n],
                   .n = point ? 1 : 2,
                   .mark = mark,
                   .colour = colour};
  d->n++;
  return s;
}

/* Of the mark that comes next: "memory 20 PB/s". */
static void name_next(drawing *d, const char *what, double rate, const char *unit) {
  ik_buf b = {0};
  ik_buf_scaled(&b, rate);
  snprintf(d->name[d->n], sizeof d->name[0], "%s %s%s", what, ik_buf_text(&b), unit);
  ik_buf_free(&b);
}

static void put_level(drawing *d, const ik_roofs *r, int i, double lo, double hi) {
  double rate = r->level[i].rate, to = r->peak > 0 ? fmax(lo, r->peak / rate) : hi;
  name_next(d, r->level[i].name, rate, "B/s");
  put(d, i == r->holds ? IK_MARK_LINE : IK_MARK_DASH, LEVEL_COLOUR - i, lo, lo * rate, to,
      to * rate);
}

static void put_peak(drawing *d, const ik_roofs *r, double hi) {
  double fastest = 0;
  for (int i = 0; i < r->nlevel; i++) fastest = fmax(fastest, r->level[i].rate);
  char unit[16];
  snprintf(unit, sizeof unit, "FLOP/s %s", r->type);
  name_next(d, "peak", r->peak, unit);
  put(d, IK_MARK_LINE, ROOF_COLOUR, r->peak / fastest, r->peak, hi, r->peak);
}

static void put_mark(drawing *d, ik_mark mark, const char *what, double intensity, double rate) {
  if (!(rate > 0)) return;
  name_next(d, what, rate, "FLOP/s");
  put(d, mark, RUN_COLOUR, intensity, rate, intensity, rate);
}

bool ik_svg_roofline(const ik_outcome *o, ik_buf *out) {
  const ik_roofs *r = &o->roofs;
  drawing         d = {.n = 0};
  if (!r->nlevel || !(o->intensity > 0) || !(o->flops > 0)) return false;
  double ridge = r->peak > 0 ? r->peak / r->level[r->nlevel - 1].rate : o->intensity;
  double lo = fmin(o->intensity, ridge) / 8, hi = fmax(o->intensity, ridge) * 8;
  for (int i = 0; i < r->nlevel; i++) put_level(&d, r, i, lo, hi);
  if (r->peak > 0) put_peak(&d, r, hi);
  put_mark(&d, IK_MARK_RING, "predicted", o->intensity, o->flops / o->predicted_seconds);
  put_mark(&d, IK_MARK_DOT, o->simulated ? "simulated" : "measured", o->intensity,
           o->seconds > 0 ? o->flops / o->seconds : 0);
  ik_chart c = {.title = "Roofline",
                .x_name = "intensity",
                .x_unit = "FLOP/B",
                .y_name = "rate",
                .y_unit = "GFLOP/s",
                .log_x = true,
                .log_y = true,
                .series = d.series,
                .nseries = d.n};
  ik_svg_lines(&c, out);
  return true;
}
