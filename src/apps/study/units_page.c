#include "apps/study/units.h"
#include "base/arena.h"
#include "base/text.h"
#include "model/roofline.h"
#include "report/html.h"
#include "report/map.h"
#include "report/svg.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *title_of(const ik_machine *m) {
  const char *title = ik_machine_text(m, "title");
  return title ? title : m->name;
}

static void add_chart(const ik_chart *c, const char *caption, ik_buf *page) {
  ik_buf svg = {0};
  ik_svg_lines(c, &svg);
  ik_html_svg(page, ik_buf_text(&svg), caption);
  page->failed |= svg.failed;
  ik_buf_free(&svg);
}

/* ---- pairs of units ---- */

static bool find_peak(const ik_machine *m, const char *unit, double *out) {
  char key[64];
  snprintf(key, sizeof key, "peak.%s", unit);
  return ik_machine_number(m, key, "FLOP/s", out);
}

int ik_units_of(const ik_machine *m, ik_units_pair out[IK_UNITS_MAX]) {
  int               n = 0;
  ik_matrix_machine f;
  for (const ik_matrix_instruction *i = ik_matrix_instructions; i->unit && n < IK_UNITS_MAX; i++)
    if (ik_machine_number(m, "memory.bandwidth", "B/s", &f.bandwidth) &&
        find_peak(m, i->type, &f.general) && find_peak(m, i->unit, &f.matrix))
      out[n++] = (ik_units_pair){i->type, i->unit, i->value, i->tile, i->sparse, f};
  return n;
}

/* ---- patterns ---- */

typedef struct pattern {
  const char *name;
  bool        star;
  int         d, r;
} pattern;

static ik_matrix_stencil stencil(const pattern *p, int r, int t, double value) {
  double (*points)(int, int, int) = p->star ? ik_matrix_points_star : ik_matrix_points_box;
  return (ik_matrix_stencil){points(p->d, r, 1), points(p->d, r, t), t, value};
}

static double sparsity_of(const pattern *p, int r, int t, ik_matrix_scheme s, ik_matrix_tile tile) {
  return (p->star ? ik_matrix_sparsity_star : ik_matrix_sparsity_box)(p->d, r, t, s, tile,
                                                                      IK_MATRIX_PADDED);
}

/* By the scheme that fills the matrices better; only bands can be put into the form that a sparse
 * unit wants. */
static double sparsity(const pattern *p, int r, int t, const ik_units_pair *u) {
  double band = sparsity_of(p, r, t, IK_MATRIX_BAND, u->tile);
  if (u->sparse) return ik_matrix_sparsity_24(band);
  return fmax(band, sparsity_of(p, r, t, IK_MATRIX_FLATTEN, u->tile));
}

/* ---- roofs ---- */

typedef struct drawing { /* the series of a chart */
  ik_arena  *a;
  double     unit; /* of rates: 1e12 or 1e9, ... */
  char       si;   /* ... that is 'T' or 'G' */
  int        n, cap;
  ik_series *series;
} drawing;

/* A line between two points; as a mark, the first of them.  Good until the next. */
static ik_series *put(drawing *d, ik_mark mark, int colour, const double from[2],
                      const double to[2]) {
  double *v = IK_NEW_N(d->a, double, 4);
  bool    point = mark == IK_MARK_DOT || mark == IK_MARK_RING;
  v[0] = from[0], v[1] = to[0], v[2] = from[1], v[3] = to[1];
  ik_series s = {.x = v, .y = v + 2, .n = point ? 1 : 2, .mark = mark, .colour = colour};
  IK_PUSH(d->a, d->series, d->n, d->cap, s);
  return &d->series[d->n - 1];
}

static void label(ik_series *s, const char *text) { s->name = text, s->direct = true; }

typedef struct span { /* of intensities */
  double lo, hi;
} span;

enum { ROOF_COLOUR = 8, LEVEL_COLOUR = 7 };

/* Roofs whose names would be written over each other share one line of text. */
static const char *names_of(const drawing *d, const ik_roofline *r, const int *unit, int n) {
  const char *text = "";
  ik_arena   *a = d->a;
  for (int i = n - 1; i >= 0; i--) {
    double rate = r->roof[unit[i]].rate;
    bool   last = i == 0 || r->roof[unit[i - 1]].rate != rate; /* equal rates are said once */
    text = ik_arena_printf(a, "%s%s%s", text, *text ? ", " : "", r->roof[unit[i]].name);
    if (last) text = ik_arena_printf(a, "%s %.4g", text, rate / d->unit);
  }
  return ik_arena_printf(a, "%s %cFLOP/s", text, d->si);
}

static int units_by_rate(const ik_roofline *r, int *unit) { /* the fastest first */
  int n = 0;
  for (int i = 0; i < r->n; i++) {
    int at = n;
    if (r->roof[i].kind != IK_ROOFLINE_UNIT) continue;
    for (; at > 0 && r->roof[unit[at - 1]].rate < r->roof[i].rate; at--) unit[at] = unit[at - 1];
    unit[at] = i, n++;
  }
  return n;
}

static void draw_units(drawing *d, const ik_roofline *r, double bandwidth, span s) {
  int unit[IK_ROOFLINE_MAX], n = units_by_rate(r, unit);
  for (int i = 0, end; i < n; i = end) {
    int    first = d->n;
    double top = r->roof[unit[i]].rate;
    for (end = i; end < n && r->roof[unit[end]].rate > top / 1.25; end++) {
      double rate = r->roof[unit[end]].rate, from = ik_roofline_ridge(rate, bandwidth);
      put(d, IK_MARK_LINE, ROOF_COLOUR, (double[]){from, rate / d->unit},
          (double[]){s.hi, rate / d->unit});
    }
    label(&d->series[first], names_of(d, r, unit + i, end - i));
  }
}

/* Named in the legend, as levels lie too close for names beside them. */
static void draw_levels(drawing *d, const ik_roofline *r, double peak, span s) {
  int colour = LEVEL_COLOUR;
  for (int i = 0; i < r->n; i++) {
    double rate = r->roof[i].rate, to = ik_roofline_ridge(peak, rate);
    if (r->roof[i].kind != IK_ROOFLINE_LEVEL) continue;
    ik_series *line = put(d, IK_MARK_LINE, colour, (double[]){s.lo, s.lo * rate / d->unit},
                          (double[]){to, peak / d->unit});
    line->name = ik_arena_printf(d->a, "%s %.4g %cB/s", r->roof[i].name, rate / d->unit, d->si);
    colour = colour > 1 ? colour - 1 : LEVEL_COLOUR;
  }
}

/* Colour 1, 2, ... in the order in which groups appear; *fresh: it is the first of its group. */
static int colour_of(const ik_units_point *p, int i, bool *fresh) {
  int groups = 1;
  for (int k = 0; k < i; k++) {
    bool known = false;
    for (int j = 0; j < k; j++) known |= strcmp(p[j].group, p[k].group) == 0;
    if (strcmp(p[k].group, p[i].group) == 0) return *fresh = false, groups;
    groups += !known;
  }
  return *fresh = true, groups;
}

/* The entry of a group in the legend: a series without points. */
static void draw_key(drawing *d, const ik_units_point *p, int colour) {
  double     nowhere[2] = {0, 0};
  ik_series *s = put(d, p->measured > 0 ? IK_MARK_DOT : IK_MARK_RING, colour, nowhere, nowhere);
  s->name = p->group, s->n = 0;
}

static void draw_points(drawing *d, const ik_units_point *p, int n) {
  for (int i = 0; i < n; i++) {
    bool       fresh;
    int        colour = colour_of(p, i, &fresh);
    double     roof[] = {p[i].intensity, p[i].predicted / d->unit};
    double     real[] = {p[i].intensity, p[i].measured / d->unit};
    ik_series *s = NULL;
    if (fresh) draw_key(d, &p[i], colour);
    if (p[i].predicted > 0 && p[i].measured > 0) put(d, IK_MARK_DASH, colour, roof, real);
    if (p[i].predicted > 0) s = put(d, IK_MARK_RING, colour, roof, roof);
    if (p[i].measured > 0) s = put(d, IK_MARK_DOT, colour, real, real);
    if (s && p[i].label) label(s, p[i].label);
  }
}

/* All ridges and intensities, with room for the names of roofs to the right. */
static span span_of(const ik_roofline *r, double bandwidth, const ik_units_point *p, int n) {
  span s = {INFINITY, 0};
  for (int i = 0; i < r->n; i++) {
    double ridge = ik_roofline_ridge(r->roof[i].rate, bandwidth);
    if (r->roof[i].kind == IK_ROOFLINE_UNIT) s.lo = fmin(s.lo, ridge), s.hi = fmax(s.hi, ridge);
  }
  for (int i = 0; i < n; i++) s.lo = fmin(s.lo, p[i].intensity), s.hi = fmax(s.hi, p[i].intensity);
  return (span){s.lo / 2, s.hi * 5};
}

static void draw_roofs(const ik_machine *m, const ik_units_point *p, int n, ik_arena *a,
                       ik_buf *page) {
  ik_roofline r = ik_roofline_of(m, a);
  int         memory = ik_roofline_find(&r, "memory"), unit[IK_ROOFLINE_MAX];
  drawing     d = {.a = a};
  if (memory < 0 || units_by_rate(&r, unit) == 0) return;
  bool tera = r.roof[unit[0]].rate >= 1e12;
  d.unit = tera ? 1e12 : 1e9, d.si = tera ? 'T' : 'G';
  double bandwidth = r.roof[memory].rate;
  span   s = span_of(&r, bandwidth, p, n);
  draw_levels(&d, &r, r.roof[unit[0]].rate, s);
  draw_units(&d, &r, bandwidth, s);
  draw_points(&d, p, n);
  ik_chart c = {.title = ik_arena_printf(a, "Roofs of the %s", title_of(m)),
                .x_name = "intensity",
                .x_unit = "FLOP/B",
                .y_name = "rate",
                .y_unit = tera ? "TFLOP/s" : "GFLOP/s",
                .log_x = true,
                .log_y = true,
                .series = d.series,
                .nseries = d.n,
                .w = 960,
                .h = 520};
  add_chart(&c,
            "Operations that are executed, those on zeros and repeated ones included. Hollow: "
            "predicted; filled: measured.",
            page);
}

/* Runs a part with an arena of its own. */
#define WITH_ARENA(page, call)                                                                     \
  do {                                                                                             \
    ik_arena arena;                                                                                \
    ik_arena_init(&arena);                                                                         \
    if (setjmp(arena.oom))                                                                         \
      (page)->failed = true;                                                                       \
    else                                                                                           \
      call;                                                                                        \
    ik_arena_free(&arena);                                                                         \
  } while (0)

void ik_units_roofs(const ik_machine *m, const ik_units_point *p, int n, ik_buf *page) {
  WITH_ARENA(page, draw_roofs(m, p, n, &arena, page));
}

/* ---- maps ---- */

enum { DEPTHS = 8, RADII = 7, PATTERNS = 4 };

static const pattern mapped[PATTERNS] = {{"Box-2D", false, 2, 0},
                                         {"Star-2D", true, 2, 0},
                                         {"Box-3D", false, 3, 0},
                                         {"Star-3D", true, 3, 0}};

static const ik_map_class scenarios[] = {
    {"1: both memory-bound, even", IK_MAP_NEUTRAL, false},
    {"2: only the matrix unit compute-bound, loses", IK_MAP_LOSS, false},
    {"3: only the matrix unit memory-bound, wins", IK_MAP_GREAT_GAIN, true},
    {"4: both compute-bound, α < limit, wins", IK_MAP_GAIN, true},
    {"4: both compute-bound, loses", IK_MAP_GREAT_LOSS, false}};

static int class_of(const ik_matrix_verdict *v) {
  if (v->scenario == 4) return v->sweet ? 3 : 4;
  return v->scenario - 1; /* below 0: no cell */
}

/* Two digits, and no zero in front of the point: cells are narrow. */
static void write_ratio(double ratio, char *out, size_t size) {
  char text[32];
  ik_format(text, sizeof text, ratio < 0.995 ? "%.2f" : ratio < 9.95 ? "%.1f" : "%.0f", ratio);
  snprintf(out, size, "%s", ratio < 0.005 ? "0" : text + (ratio < 0.995));
}

static void fill_cell(const ik_units_pair *u, const pattern *p, int r, int t, ik_map_cell *out) {
  double            share = sparsity(p, r, t, u);
  ik_matrix_stencil s = stencil(p, r, t, u->value);
  ik_matrix_verdict v = ik_matrix_compare(&s, share, &u->machine);
  out->kind = class_of(&v);
  write_ratio(v.ratio, out->text, sizeof out->text);
  snprintf(out->tip, sizeof out->tip,
           "%s%dR, t = %d: %.3g times as fast; scenario %d, α = %.3g, S = %.3g", p->name, r, t,
           v.ratio, v.scenario, v.alpha, share);
}

static ik_map_panel panel(const ik_units_pair *u, const pattern *p, ik_arena *a) {
  ik_map_cell *cell = IK_NEW_N(a, ik_map_cell, DEPTHS * RADII);
  for (int r = 1; r <= RADII; r++)
    for (int t = 1; t <= DEPTHS; t++) fill_cell(u, p, r, t, &cell[(r - 1) * DEPTHS + t - 1]);
  bool own = strncmp(u->unit, u->type, strlen(u->type)) == 0; /* the unit's name says the type */
  return (ik_map_panel){own ? ik_arena_printf(a, "%s, %s", p->name, u->unit)
                            : ik_arena_printf(a, "%s, %s on %s", p->name, u->type, u->unit),
                        cell};
}

static void draw_maps(const ik_machine *m, ik_arena *a, ik_buf *page) {
  ik_units_pair pair[IK_UNITS_MAX];
  ik_map_panel  panels[IK_UNITS_MAX * PATTERNS];
  int           n = ik_units_of(m, pair);
  if (n == 0) return;
  for (int i = 0; i < n * PATTERNS; i++)
    panels[i] = panel(&pair[i / PATTERNS], &mapped[i % PATTERNS], a);
  ik_map map = {.title = ik_arena_printf(a, "Where matrix units pay on the %s", title_of(m)),
                .x_name = "steps fused, t",
                .y_name = "radius, r",
                .x0 = 1,
                .y0 = 1,
                .nx = DEPTHS,
                .ny = RADII,
                .kind = scenarios,
                .nkind = sizeof scenarios / sizeof *scenarios,
                .panel = panels,
                .npanel = n * PATTERNS,
                .columns = PATTERNS};
  ik_buf svg = {0};
  ik_svg_map(&map, &svg);
  ik_html_svg(page, ik_buf_text(&svg),
              "Rate of the matrix unit over that of the general-purpose unit, both fusing t steps; "
              "the sweet spot is framed. Matrices are padded to whole instructions; flattened or "
              "banded, whichever is fuller, and banded for the sparse unit.");
  page->failed |= svg.failed;
  ik_buf_free(&svg);
}

void ik_units_maps(const ik_machine *m, ik_buf *page) {
  WITH_ARENA(page, draw_maps(m, &arena, page));
}

/* ---- intensity ---- */

static const pattern climbing[] = {{"Star-2D1R", true, 2, 1}, {"Star-3D1R", true, 3, 1},
                                   {"Box-2D1R", false, 2, 1}, {"Box-3D1R", false, 3, 1},
                                   {"Box-2D3R", false, 2, 3}, {"Box-3D2R", false, 3, 2}};

enum { CLIMBING = sizeof climbing / sizeof *climbing, CLIMB = 10 };

typedef struct climb {
  double    t[CLIMB], intensity[CLIMBING][CLIMB];
  double    first[CLIMBING], at[CLIMBING]; /* depth and intensity where compute-bound */
  double    ridge[2], ends[2];
  ik_series series[2 * CLIMBING + 1];
  int       n;
} climb;

static void add_pattern(climb *c, int i, double value, double peak, double bandwidth) {
  const pattern *p = &climbing[i];
  double         depth = ik_matrix_depth(stencil(p, p->r, 1, value).points, value, peak, bandwidth);
  for (int t = 1; t <= CLIMB; t++) {
    ik_matrix_stencil s = stencil(p, p->r, t, value);
    c->t[t - 1] = t;
    c->intensity[i][t - 1] = ik_matrix_general(&s).intensity;
    if (t == depth) c->first[i] = t, c->at[i] = c->intensity[i][t - 1];
  }
  c->series[c->n++] = (ik_series){.name = p->name,
                                  .x = c->t,
                                  .y = c->intensity[i],
                                  .n = CLIMB,
                                  .colour = i + 1,
                                  .direct = true};
  if (c->at[i] > 0)
    c->series[c->n++] = (ik_series){
        .x = &c->first[i], .y = &c->at[i], .n = 1, .mark = IK_MARK_RING, .colour = i + 1};
}

static void draw_intensity(const ik_machine *m, const char *type, double value, ik_arena *a,
                           ik_buf *page) {
  double peak, bandwidth;
  climb *c = IK_NEW(a, climb);
  if (!ik_machine_number(m, ik_arena_printf(a, "peak.%s", type), "FLOP/s", &peak) ||
      !ik_machine_number(m, "memory.bandwidth", "B/s", &bandwidth))
    return;
  for (int i = 0; i < CLIMBING; i++) add_pattern(c, i, value, peak, bandwidth);
  c->ends[0] = 1, c->ends[1] = CLIMB;
  c->ridge[0] = c->ridge[1] = ik_roofline_ridge(peak, bandwidth);
  c->series[c->n++] =
      (ik_series){.name = ik_arena_printf(a, "ridge of %s: %.3g FLOP/B", type, c->ridge[0]),
                  .x = c->ends,
                  .y = c->ridge,
                  .n = 2,
                  .mark = IK_MARK_DASH,
                  .colour = ROOF_COLOUR};
  ik_chart chart = {
      .title = ik_arena_printf(a, "Intensity against depth of fusion, %s, %s", type, title_of(m)),
      .x_name = "steps fused, t",
      .y_name = "intensity",
      .y_unit = "FLOP/B",
      .log_y = true,
      .series = c->series,
      .nseries = c->n,
      .h = 520};
  add_chart(&chart,
            "General-purpose unit, t K / D. Above the ridge the unit limits, not the memory; the "
            "first depth there is marked.",
            page);
}

void ik_units_intensity(const ik_machine *m, ik_buf *page) {
  WITH_ARENA(page, draw_intensity(m, "f32", 4, &arena, page));
  WITH_ARENA(page, draw_intensity(m, "f64", 8, &arena, page));
}

/* ---- all ---- */

/* Box-2D1R at growing depth. */
static void add_candidates(const ik_units_pair *u, bool matrix, ik_arena *a, ik_units_point *out) {
  const pattern *p = &climbing[2];
  double         peak = matrix ? u->machine.matrix : u->machine.general;
  const char    *unit = matrix ? u->unit : u->type;
  for (int t = 1; t <= DEPTHS; t++) {
    ik_matrix_stencil s = stencil(p, p->r, t, u->value);
    ik_matrix_work w = matrix ? ik_matrix_unit(&s, sparsity(p, p->r, t, u)) : ik_matrix_general(&s);
    out[t - 1] = (ik_units_point){
        .group = ik_arena_printf(a, "%s on %s, t = 1 to %d", p->name, unit, DEPTHS),
        .label = t == 1 || t == DEPTHS ? ik_arena_printf(a, "%d", t) : NULL,
        .intensity = w.intensity,
        .predicted = ik_matrix_run(&w, peak, u->machine.bandwidth).attainable};
  }
}

static void draw_charts(const ik_machine *m, ik_arena *a, ik_buf *page) {
  ik_units_pair  pair[IK_UNITS_MAX];
  ik_units_point point[2 * IK_UNITS_MAX * DEPTHS];
  int            pairs = ik_units_of(m, pair), n = 0;
  for (int i = 0; i < pairs; i++) {
    bool other = i == 0 || strcmp(pair[i].type, pair[i - 1].type) != 0;
    if (other) add_candidates(&pair[i], false, a, point + n), n += DEPTHS;
    add_candidates(&pair[i], true, a, point + n), n += DEPTHS;
  }
  ik_units_roofs(m, point, n, page);
}

void ik_units_charts(const ik_machine *m, ik_buf *page) {
  WITH_ARENA(page, draw_charts(m, &arena, page));
  ik_units_maps(m, page);
  ik_units_intensity(m, page);
}
