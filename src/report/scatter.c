#include "report/scatter.h"
#include "base/arena.h"
#include "report/svg.h"
#include <math.h>
#include <string.h>

enum { GROUPS = 8, BAND_COLOUR = 8 };

typedef struct sheet {
  const ik_scatter *c;
  ik_arena         *a;
  ik_series series[3 + 2 * GROUPS]; /* bands and the diagonal; rings and dots of each group */
  int       n;
  double    lo, hi;
} sheet;

static bool shows(const ik_scatter_dot *d) {
  return d->measured > 0 && d->predicted > 0 && isfinite(d->measured) && isfinite(d->predicted);
}

/* A little more than the dots need, so that none sits on the frame. */
static void find_range(sheet *s) {
  s->lo = INFINITY, s->hi = 0;
  for (int i = 0; i < s->c->n; i++) {
    const ik_scatter_dot *d = &s->c->dot[i];
    if (!shows(d)) continue;
    s->lo = fmin(s->lo, fmin(d->measured, d->predicted));
    s->hi = fmax(s->hi, fmax(d->measured, d->predicted));
  }
  s->lo /= 1.3, s->hi *= 1.3;
}

/* From both ends, `off` below the diagonal and back above it. */
static void add_band(sheet *s, const char *name, double off) {
  double      *v = IK_NEW_N(s->a, double, 8);
  const double x[4] = {s->lo, s->hi, s->hi, s->lo};
  for (int i = 0; i < 4; i++) v[i] = x[i], v[4 + i] = x[i] * (i < 2 ? 1 - off : 1 + off);
  s->series[s->n++] = (ik_series){
      .name = name, .x = v, .y = v + 4, .n = 4, .mark = IK_MARK_BAND, .colour = BAND_COLOUR};
}

static void add_diagonal(sheet *s) {
  double *v = IK_NEW_N(s->a, double, 2);
  v[0] = s->lo, v[1] = s->hi;
  s->series[s->n++] =
      (ik_series){.name = "as predicted", .x = v, .y = v, .n = 2, .colour = BAND_COLOUR};
}

static void add_dots(sheet *s, const char *group, int colour, bool chosen) {
  int          n = 0, cap = s->c->n;
  double      *x = IK_NEW_N(s->a, double, cap), *y = IK_NEW_N(s->a, double, cap);
  const char **tip = IK_NEW_N(s->a, const char *, cap);
  for (int i = 0; i < cap; i++) {
    const ik_scatter_dot *d = &s->c->dot[i];
    if (d->chosen != chosen || strcmp(d->group, group) || !shows(d)) continue;
    x[n] = d->measured, y[n] = d->predicted, tip[n++] = d->tip;
  }
  s->series[s->n++] = (ik_series){.name = chosen ? NULL : group,
                                  .x = x,
                                  .y = y,
                                  .n = n,
                                  .mark = chosen ? IK_MARK_DOT : IK_MARK_RING,
                                  .colour = colour,
                                  .tip = tip};
}

static int find_groups(const ik_scatter *c, const char *group[GROUPS]) {
  int n = 0;
  for (int i = 0; i < c->n; i++) {
    int g = 0;
    while (g < n && strcmp(group[g], c->dot[i].group)) g++;
    if (g == n && n < GROUPS) group[n++] = c->dot[i].group;
  }
  return n;
}

/* What is chosen lies on top of all that is not. */
static void draw(const ik_scatter *c, ik_arena *a, ik_buf *out) {
  const char *group[GROUPS], *unit = c->unit ? c->unit : "";
  int         groups = find_groups(c, group);
  sheet      *s = IK_NEW(a, sheet);
  s->c = c, s->a = a;
  find_range(s);
  if (s->hi > 0) add_band(s, NULL, 0.2), add_band(s, "within 10 %, 20 %", 0.1), add_diagonal(s);
  for (int g = 0; g < groups; g++) add_dots(s, group[g], g + 1, false);
  for (int g = 0; g < groups; g++) add_dots(s, group[g], g + 1, true);
  ik_chart chart = {.title = c->title,
                    .x_name = ik_arena_printf(a, "measured %s", c->name ? c->name : ""),
                    .x_unit = unit,
                    .y_name = ik_arena_printf(a, "predicted %s", c->name ? c->name : ""),
                    .y_unit = unit,
                    .log_x = true,
                    .log_y = true,
                    .series = s->series,
                    .nseries = s->n,
                    .h = 660,
                    .standalone = c->standalone};
  ik_svg_lines(&chart, out);
}

void ik_svg_scatter(const ik_scatter *c, ik_buf *out) {
  ik_arena a;
  ik_arena_init(&a);
  if (setjmp(a.oom))
    out->failed = true;
  else
    draw(c, &a, out);
  ik_arena_free(&a);
}
