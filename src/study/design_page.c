#include "report/html.h"
#include "report/svg.h"
#include "study/codesign.h"
#include <stdio.h>

enum { MOST_POINTS = 1000, MOST_RINGS = 250 }; /* more rings hide each other */

static void add_svg(ik_buf *page, ik_buf *svg, const char *caption) {
  ik_html_svg(page, ik_buf_text(svg), caption);
  page->failed |= svg->failed;
  ik_buf_free(svg);
}

/* ---- the front ---- */

typedef struct cloud {
  double x[MOST_POINTS], y[MOST_POINTS];
  int    n;
} cloud;

static void put(const ik_codesign *c, int at, cloud *out) {
  if (at < 0 || out->n == MOST_POINTS) return;
  out->x[out->n] = c->area[at], out->y[out->n++] = c->total.value[at];
}

/* Every n-th design, so that there are not too many. */
static void thin(const ik_codesign *c, const ik_front *f, cloud *out) {
  int every = (f->n + MOST_RINGS - 1) / MOST_RINGS;
  out->n = 0;
  for (int i = 0; i < f->n; i += every) put(c, f->point[i].at, out);
}

/* Steps: between two designs of the front the smaller one is the best there is. */
static void stairs(const ik_front *f, cloud *out) {
  for (int i = 0; i < f->n && out->n + 2 <= MOST_POINTS; i++) {
    if (i) out->x[out->n] = f->point[i].area_mm2, out->y[out->n++] = f->point[i - 1].value;
    out->x[out->n] = f->point[i].area_mm2, out->y[out->n++] = f->point[i].value;
  }
}

static void published(const ik_codesign *c, cloud *out) {
  for (int b = 0; b < IK_CODESIGN_BENCHMARKS; b++) {
    bool fits = !c->work.dims || ik_codesign_benchmarks[b].dims == c->work.dims;
    if (fits) put(c, ik_codesign_published(b), out);
  }
}

static void add_front(ik_codesign *c, ik_buf *page) {
  cloud    *all = IK_NEW_N(&c->arena, cloud, 4), *front = all + 1, *table = all + 2;
  cloud    *chip = all + 3;
  ik_series series[6];
  ik_buf    svg = {0};
  int       n = 0;
  thin(c, &c->all, all), stairs(&c->pareto, front), published(c, table);
  series[n++] = (ik_series){"designs", all->x, all->y, all->n, IK_MARK_RING, 8, false};
  series[n++] = (ik_series){"Pareto front", front->x, front->y, front->n, IK_MARK_LINE, 1, false};
  series[n++] =
      (ik_series){"published, Table C.2", table->x, table->y, table->n, IK_MARK_DOT, 2, false};
  for (int g = 0; g < IK_CODESIGN_GPUS; g++) {
    int before = chip->n;
    put(c, c->gpu[g].at, chip);
    series[n++] = (ik_series){c->gpu[g].name,
                              chip->x + before,
                              chip->y + before,
                              chip->n - before,
                              IK_MARK_DOT,
                              3 + g,
                              true};
  }
  ik_chart chart = {.title = "Designs by area",
                    .x_name = "area",
                    .x_unit = "mm2",
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

enum { BARS = 2 + IK_CODESIGN_GPUS + 2 * IK_CODESIGN_BENCHMARKS, PARTS = 4 };

typedef struct bars {
  char        name[BARS][64];
  const char *label[BARS];
  double      value[BARS][PARTS];
  int         n;
} bars;

static void add_bar(const char *name, int at, bars *b) {
  if (at < 0) return;
  ik_area_design d = ik_design_at(at);
  ik_area_parts  a = ik_area_of(&d, IK_AREA_PER_SM);
  double        *v = b->value[b->n];
  snprintf(b->name[b->n], sizeof b->name[0], "%s (%d, %d, %g)", name, d.sms, d.vector_units,
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
  for (int i = 0; i < c->nparts; i++) {
    const ik_codesign_benchmark *x = &ik_codesign_benchmarks[c->part[i].benchmark];
    if (c->part[i].near.n) add_bar(x->name, c->part[i].near.point[0].at, b);
    snprintf(name, sizeof name, "%s, published", x->name);
    add_bar(name, ik_codesign_published(c->part[i].benchmark), b);
  }
  for (int g = 0; g < IK_CODESIGN_GPUS; g++) add_bar(c->gpu[g].name, c->gpu[g].at, b);
  ik_bars chart = {.title = "Where the area goes",
                   .unit = "mm2",
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
