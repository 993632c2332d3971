#include "report/html.h"
#include "base/text.h"
#include "report/svg.h"
#include "apps/study/codesign.h"
#include <stdio.h>

enum { MOST_POINTS = 1000, MOST_RINGS = 250 }; /* more rings hide each other */

static void add_svg(ik_buf *page, ik_buf *svg, const char *caption) {
  ik_html_svg(page, ik_buf_text(svg), caption);
  page->failed |= svg->failed;
  ik_buf_free(svg);
}

/* ---- the front ---- */

typedef struct cloud {
  double      x[MOST_POINTS], y[MOST_POINTS];
  const char *tip[MOST_POINTS];
  int         n;
} cloud;

static void put(ik_codesign *c, int at, const char *name, cloud *out) {
  if (at < 0 || out->n == MOST_POINTS) return;
  ik_area_design d = ik_design_at(at);
  out->x[out->n] = c->area[at], out->y[out->n] = c->total.value[at];
  out->tip[out->n++] =
      ik_arena_printf(&c->arena, "%s%s%d SMs of %d units and %g kB: %.1f mm², %.4g %s", name,
                      *name ? ": " : "", d.sms, d.vector_units, d.shared_kb, c->area[at],
                      c->total.value[at], ik_codesign_units[c->objective]);
}

/* Every n-th design, so that there are not too many. */
static void thin(ik_codesign *c, const ik_front *f, cloud *out) {
  int every = (f->n + MOST_RINGS - 1) / MOST_RINGS;
  out->n = 0;
  for (int i = 0; i < f->n; i += every) put(c, f->point[i].at, "", out);
}

/* Steps: between two designs of the front the smaller one is the best there is. */
static void stairs(const ik_front *f, cloud *out) {
  for (int i = 0; i < f->n && out->n + 2 <= MOST_POINTS; i++) {
    if (i) out->x[out->n] = f->point[i].area_mm2, out->y[out->n++] = f->point[i - 1].value;
    out->x[out->n] = f->point[i].area_mm2, out->y[out->n++] = f->point[i].value;
  }
}

static void published(ik_codesign *c, cloud *out) {
  for (int b = 0; b < IK_CODESIGN_BENCHMARKS; b++) {
    bool fits = !c->work.dims || ik_codesign_benchmarks[b].dims == c->work.dims;
    if (fits) put(c, ik_codesign_published(b), ik_codesign_benchmarks[b].name, out);
  }
}

static ik_series series_of(const char *name, const cloud *c, ik_mark mark, int colour) {
  bool line = mark == IK_MARK_LINE;
  return (ik_series){.name = name,
                     .x = c->x,
                     .y = c->y,
                     .n = c->n,
                     .mark = mark,
                     .colour = colour,
                     .tip = line ? NULL : c->tip};
}

static void add_front(ik_codesign *c, ik_buf *page) {
  cloud    *all = IK_NEW_N(&c->arena, cloud, 3 + IK_CODESIGN_GPUS);
  cloud    *front = all + 1, *table = all + 2, *chip = all + 3;
  ik_series series[3 + IK_CODESIGN_GPUS];
  ik_buf    svg = {0};
  int       n = 0;
  thin(c, &c->all, all), stairs(&c->pareto, front), published(c, table);
  series[n] = series_of("designs", all, IK_MARK_RING, 8);
  series[n++].faint = true;
  series[n++] = series_of("Pareto front", front, IK_MARK_LINE, 1);
  series[n++] = series_of("published, Table C.2", table, IK_MARK_DOT, 2);
  for (int g = 0; g < IK_CODESIGN_GPUS; g++) {
    put(c, c->gpu[g].at, c->gpu[g].name, &chip[g]);
    series[n] = series_of(c->gpu[g].name, &chip[g], IK_MARK_DOT, 3 + g);
    series[n++].direct = true;
  }
  ik_chart chart = {.title = "Designs by area",
                    .x_name = "area",
                    .x_unit = "mm²",
                    .y_name = ik_codesign_objective_names[c->objective],
                    .y_unit = ik_codesign_units[c->objective],
                    .log_y = true,
                    .series = series,
                    .nseries = n,
                    .h = 460};
  ik_svg_lines(&chart, &svg);
  add_svg(page, &svg,
          "Rings are a sample of all designs, each with the best tile for every problem; lower is "
          "better.  GTX 980 and Titan X are placed by their figures without caches.");
}

/* ---- where the area goes ---- */

enum { BARS = 40, PARTS = 4 };

typedef struct bars {
  char        name[BARS][64];
  const char *label[BARS];
  double      value[BARS][PARTS];
  int         n;
} bars;

static void add_bar(const char *name, int at, bars *b) {
  if (at < 0 || b->n == BARS) return;
  ik_area_design d = ik_design_at(at);
  ik_area_parts  a = ik_area_of(&d, IK_AREA_PER_SM);
  double        *v = b->value[b->n];
  ik_format(b->name[b->n], sizeof b->name[0], "%s (%d, %d, %g)", name, d.sms, d.vector_units,
            d.shared_kb);
  b->label[b->n] = b->name[b->n];
  v[0] = a.vector_units, v[1] = a.registers, v[2] = a.shared, v[3] = a.overhead;
  b->n++;
}

static void add_split(ik_codesign *c, ik_buf *page) {
  static const char *const part[PARTS] = {"vector units", "registers", "shared memory", "rest"};
  bars                    *b = IK_NEW(&c->arena, bars);
  ik_buf                   svg = {0};
  char                     name[64];
  add_bar("best", c->near.point[0].at, b);
  for (int g = 0; g < IK_CODESIGN_GPUS; g++) add_bar(c->gpu[g].name, c->gpu[g].at, b);
  for (int i = 0; i < c->nparts; i++) {
    const ik_codesign_part *x = &c->part[i];
    const char             *stencil = c->work.stencil[x->stencil].name;
    if (x->near.n) add_bar(stencil, x->near.point[0].at, b);
    snprintf(name, sizeof name, "%s, published", stencil);
    add_bar(name, ik_codesign_published_of(c, x), b);
  }
  ik_bars chart = {.title = "Where the area goes",
                   .unit = "mm²",
                   .label = b->label,
                   .part = part,
                   .value = b->value[0],
                   .nbar = b->n,
                   .npart = PARTS};
  ik_svg_bars(&chart, &svg);
  add_svg(page, &svg,
          "In brackets: multiprocessors, vector units of each, kB of shared memory of each.  All "
          "without caches.");
}

void ik_codesign_page(ik_codesign *c, ik_buf *out) {
  if (setjmp(c->arena.oom)) {
    out->failed = true;
    return;
  }
  ik_html_section(out, "Designs");
  add_front(c, out);
  add_split(c, out);
}
