/* Charts of a plan: the machine at hand, and nothing else. */
#include "report/html.h"
#include "report/svg.h"
#include "apps/study/measured.h"
#include "apps/study/plans.h"
#include "apps/study/units.h"
#include <math.h>
#include <string.h>

static double flops_per_s(double gstencils, double flops, int steps) {
  return gstencils * 1e9 * flops / steps;
}

/* What was measured here, of the kind that it was. */
static bool find_measured(const ik_plans_page *x, ik_units_point *out) {
  const ik_facts     *f = &x->program->facts;
  const ik_candidate *best = &x->candidates->at[0];
  ik_measured         it = {0};
  if (strcmp(x->machine->name, "local") ||
      !ik_measured_find(x->program, x->wisdom, x->threads, &it))
    return false;
  int    steps = it.strategy ? it.steps : best->steps;
  double flops = (double)f->flops.cell * steps;
  *out = (ik_units_point){.group = it.strategy ? it.strategy : best->strategy,
                          .label = "measured",
                          .intensity = flops / f->bytes.cell,
                          .measured = flops_per_s(it.gstencils, flops, steps)};
  return steps > 0 && f->bytes.cell > 0;
}

/* The best depth of each strategy under the machine's roofs, and what was measured. */
static void draw_roofs(const ik_plans_page *x, ik_arena *a, ik_buf *page) {
  const ik_candidates *c = x->candidates;
  ik_units_point      *p = IK_NEW_N(a, ik_units_point, c->n + 1);
  int                  n = 0;
  for (int i = 0; i < c->n; i++) {
    const ik_candidate *k = &c->at[i];
    if (!ik_plans_is_first(c, i) || k->launch_bound || !isfinite(k->seconds)) continue;
    p[n++] = (ik_units_point){k->strategy, k->strategy, k->intensity,
                              flops_per_s(k->gstencils, k->flops, k->steps), 0};
  }
  if (find_measured(x, &p[n])) n++;
  if (n) ik_units_roofs(x->machine, p, n, page);
}

/* Predicted rates of those in the table. */
static void draw_rates(const ik_plans_page *x, ik_arena *a, ik_buf *page) {
  const ik_candidates *c = x->candidates;
  const char         **label = IK_NEW_N(a, const char *, c->n + 1);
  double              *rate = IK_NEW_N(a, double, c->n + 1);
  int                  n = 0, number = 0; /* as in the table */
  for (int i = 0; i < c->n; i++) {
    const ik_candidate *k = &c->at[i];
    bool                shown = ik_plans_is_first(c, i) || (k->plan && i < IK_PLANS_SHOWN);
    number += shown;
    if (!shown || !isfinite(k->gstencils)) continue;
    label[n] = ik_arena_printf(a, "%d: %s, %s, %d step%s", number, k->strategy, k->unit, k->steps,
                               k->steps == 1 ? "" : "s");
    rate[n++] = k->gstencils;
  }
  ik_bars bars = {.title = ik_arena_printf(a, "Predicted on %s", x->machine->name),
                  .unit = "GStencils/s",
                  .label = label,
                  .value = rate,
                  .nbar = n,
                  .npart = 1};
  ik_buf  svg = {0};
  if (n) ik_svg_bars(&bars, &svg);
  if (n) ik_html_svg(page, ik_buf_text(&svg), NULL);
  page->failed |= svg.failed;
  ik_buf_free(&svg);
}

void ik_plans_draw(const ik_plans_page *x, ik_arena *a, ik_buf *page) {
  draw_rates(x, a, page);
  draw_roofs(x, a, page);
}
