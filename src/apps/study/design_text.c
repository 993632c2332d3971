#include "apps/study/codesign.h"
#include "apps/study/table.h"
#include <math.h>
#include <stdio.h>

enum { MOST_NEAR = 60 }; /* rows; JSON has all */

static void write_head(const ik_codesign *c, ik_buf *out) {
  const ik_hex_machine *m = &c->search.machine;
  ik_buf_printf(out, "The best GPU for this workload: %d problems on %d designs\n\n", c->work.n,
                IK_DESIGN_POINTS);
  ik_table t = {0};
  ik_table_row(&t, "objective\t%s (%s): %s", ik_codesign_objective_names[c->objective],
               ik_codesign_units[c->objective],
               c->objective == IK_CODESIGN_EDP
                   ? "weighted sum of times x weighted sum of energies, with the best tiles for it"
                   : "weighted sum over the problems, each with the best tiles for it");
  if (!c->work.dims)
    ik_table_row(&t, "problems\tof different dimensions: their weighted times and energies add up");
  ik_table_row(&t, "reading\t%s",
               c->literal ? "literal: pitch 2s+t as in (A.6), every SM has the whole bandwidth"
                          : "exact: pitch 2s+t-2, which conserves iterations; SMs share bandwidth");
  ik_table_row(&t, "designs\tSMs 2..32, vector units 32..2048, shared memory 12..480 kB; 2 kB of "
                   "registers a unit, no caches");
  ik_table_row(&t, "area\t%g to %g mm2: %d designs", c->low, c->high, c->all.n);
  ik_table_row(&t,
               "time\tGTX 980 for all: L %.3g s/word, tau %.3g s, T_sync %.3g s, C_iter of "
               "Table A.4",
               m->word_s, m->sync_s, m->launch_s);
  ik_table_row(&t,
               "power\tassumed: %.3g W/mm2 static (48 W of a K20c over 561 mm2), %.3g mW a busy "
               "unit, %.2g nJ a word moved",
               c->power.static_w_mm2, 1e3 * c->power.unit_w, 1e9 * c->power.word_j);
  if (c->literal)
    ik_table_row(&t,
                 "\tas bandwidth counts once for each SM here, so does what it draws: too much");
  if (c->o->max_power > 0)
    ik_table_row(&t, "limit\t%g W in any problem: what would draw more waits in between",
                 c->o->max_power);
  ik_table_write(&t, 2, out);
}

/* A design beyond the power limit has no value. */
static const char *cell(char *out, size_t size, const char *fmt, double v) {
  if (!isfinite(v) || v == 0) return "-";
  snprintf(out, size, fmt, v);
  return out;
}

/* ---- programs ---- */

/* "4096^2", "320x240" */
static void write_points(const ik_hex_problem *p, ik_buf *out) {
  bool even = true;
  for (int i = 1; i < p->dims; i++) even &= p->s[i] == p->s[0];
  ik_buf_printf(out, "%lld", (long long)p->s[0]);
  if (even && p->dims > 1) ik_buf_printf(out, "^%d", p->dims);
  for (int i = 1; i < p->dims && !even; i++) ik_buf_printf(out, "x%lld", (long long)p->s[i]);
}

static bool is_program(const ik_codesign *c, const ik_codesign_entry *e) {
  return c->work.stencil[e->stencil].benchmark < 0;
}

static void add_program(const ik_codesign *c, const ik_codesign_entry *e, ik_table *t) {
  ik_buf points = {0};
  write_points(&e->problem, &points);
  ik_table_row(t, "%s\t%g\t%s\t%lld\t%g\t%g\t%d\t%d\t%d\t%.3g", c->work.stencil[e->stencil].name,
               e->weight, ik_buf_text(&points), (long long)e->problem.steps, e->figures.flops,
               e->figures.bytes, e->figures.arrays, e->problem.words, e->figures.radius,
               e->problem.iter_s);
  t->text.failed |= points.failed;
  ik_buf_free(&points);
}

/* What the models know of them, so that one can see whether it is right. */
static void write_programs(const ik_codesign *c, ik_buf *out) {
  ik_table t = {0};
  int      first = 0;
  while (first < c->work.n && !is_program(c, &c->work.entry[first])) first++;
  if (first == c->work.n) return;
  ik_buf_puts(out,
              "\nPrograms: operations and bytes of a cell and step; C_iter by operations, from "
              "Jacobi2D's and Heat3D's\n");
  ik_table_row(&t, "\tweight\tpoints\tsteps\toperations\tbytes\tarrays\twords\tradius\tC_iter s");
  for (int i = first; i < c->work.n; i++)
    if (is_program(c, &c->work.entry[i])) add_program(c, &c->work.entry[i], &t);
  ik_table_write(&t, 2, out);
}

/* ---- designs ---- */

static void add_design(const ik_codesign *c, const char *name, int at, ik_table *t) {
  ik_area_design            d = ik_design_at(at);
  ik_area_parts             a = ik_area_of(&d, IK_AREA_PER_SM);
  const ik_codesign_totals *x = &c->total;
  double                    gtx980 = c->gpu[0].at < 0 ? NAN : x->value[c->gpu[0].at];
  char                      times[32];
  ik_table_row(t, "%s\t%d\t%d\t%g\t%.1f\t%.4g\t%.4g\t%.0f\t%s\t%.1f\t%.1f\t%.1f\t%.1f", name, d.sms,
               d.vector_units, d.shared_kb, a.total, x->time_s[at], x->energy_j[at], x->power_w[at],
               cell(times, sizeof times, "%.2f", gtx980 / x->value[at]),
               100 * a.vector_units / a.total, 100 * a.registers / a.total,
               100 * a.shared / a.total, 100 * a.overhead / a.total);
}

static void begin_designs(const char *title, ik_table *t, ik_buf *out) {
  ik_buf_printf(out, "\n%s\n", title);
  ik_table_row(t, "\tSMs\tunits\tkB\tmm2\ts\tJ\tW\tx GTX 980\tunits %%\tregisters %%\tshared %%\t"
                  "rest %%");
}

static void write_near(const ik_codesign *c, ik_buf *out) {
  ik_table t = {0};
  ik_buf   title = {0};
  ik_buf_printf(&title, "Designs within 1 %% of the best: %d", c->near.n);
  begin_designs(ik_buf_text(&title), &t, out);
  ik_buf_free(&title);
  for (int i = 0; i < c->near.n && i < MOST_NEAR; i++)
    add_design(c, i ? "" : "best", c->near.point[i].at, &t);
  ik_table_write(&t, 2, out);
  if (c->near.n > MOST_NEAR) ik_buf_printf(out, "  and %d more\n", c->near.n - MOST_NEAR);
}

/* Only steps that are worth a row; JSON has all. */
static void write_pareto(const ik_codesign *c, ik_buf *out) {
  const ik_front *f = &c->pareto;
  ik_table        t = {0};
  ik_buf          title = {0};
  double          shown = INFINITY;
  ik_buf_printf(&title,
                "The Pareto front: %d designs (%.1f %%) that no other beats in area and %s; those "
                "that gain 2 %%",
                f->n, 100. * f->n / c->all.n, ik_codesign_objective_names[c->objective]);
  begin_designs(ik_buf_text(&title), &t, out);
  ik_buf_free(&title);
  for (int i = 0; i < f->n; i++) {
    if (f->point[i].value > 0.98 * shown && i < f->n - 1) continue;
    shown = f->point[i].value;
    add_design(c, "", f->point[i].at, &t);
  }
  ik_table_write(&t, 2, out);
}

static void write_placed(const ik_codesign *c, ik_buf *out) {
  ik_table t = {0};
  begin_designs("Existing chips (without their caches) and published designs (Table C.2)", &t, out);
  for (int g = 0; g < IK_CODESIGN_GPUS; g++)
    if (c->gpu[g].at >= 0) add_design(c, c->gpu[g].name, c->gpu[g].at, &t);
  for (int b = 0; b < IK_CODESIGN_BENCHMARKS; b++) {
    add_design(c, ik_codesign_benchmarks[b].name, ik_codesign_published(b), &t);
  }
  ik_table_write(&t, 2, out);
}

/* ---- benchmarks ---- */

static void write_triple(int at, ik_buf *out) {
  ik_area_design d = ik_design_at(at);
  ik_buf_printf(out, "(%d, %d, %g)", d.sms, d.vector_units, d.shared_kb);
}

static void write_benchmarks(const ik_codesign *c, ik_buf *out) {
  ik_table t = {0};
  ik_buf_puts(out, "\nEach stencil alone\n");
  ik_table_row(&t, "\tbest design\tmm2\t%s\twithin 1 %%", ik_codesign_units[c->objective]);
  for (int i = 0; i < c->nparts; i++) {
    const ik_codesign_part *p = &c->part[i];
    ik_buf                  best = {0};
    if (!p->near.n) continue;
    write_triple(p->near.point[0].at, &best);
    ik_table_row(&t, "%s\t%s\t%.1f\t%.4g\t%d", c->work.stencil[p->stencil].name, ik_buf_text(&best),
                 p->near.point[0].area_mm2, p->near.point[0].value, p->near.n);
    ik_buf_free(&best);
  }
  ik_table_write(&t, 2, out);
}

static bool any_published(const ik_codesign *c) {
  bool any = false;
  for (int i = 0; i < c->nparts; i++) any |= ik_codesign_published_of(c, &c->part[i]) >= 0;
  return any;
}

/* Table C.2 has the best designs of 425 to 450 mm2, whatever range is asked for here. */
static void write_published(const ik_codesign *c, ik_buf *out) {
  ik_table t = {0};
  if (!any_published(c)) return;
  ik_buf_puts(out, "\nEach stencil alone, designs of 425 to 450 mm2: the published one (Table C.2) "
                   "and ours\n");
  ik_table_row(&t,
               "\tpublished\tmm2\tGFLOP/s\t%s by model\tour best\t%s\tpublished reaches "
               "%%\trank\tof",
               ik_codesign_units[c->objective], ik_codesign_units[c->objective]);
  for (int i = 0; i < c->nparts; i++) {
    const ik_codesign_part *p = &c->part[i];
    int                     at = ik_codesign_published_of(c, p);
    ik_buf                  theirs = {0}, ours = {0};
    char                    value[32], share[32], rank[32];
    if (!p->band.n || at < 0) continue;
    const ik_codesign_benchmark *b = &ik_codesign_benchmarks[c->work.stencil[p->stencil].benchmark];
    write_triple(at, &theirs), write_triple(p->band.point[0].at, &ours);
    ik_table_row(&t, "%s\t%s\t%g\t%g\t%s\t%s\t%.4g\t%s\t%s\t%d", b->name, ik_buf_text(&theirs),
                 b->area_mm2, b->gflops, cell(value, sizeof value, "%.4g", p->total.value[at]),
                 ik_buf_text(&ours), p->band.point[0].value,
                 cell(share, sizeof share, "%.1f", 100 * ik_codesign_reaches(c, p)),
                 cell(rank, sizeof rank, "%.0f", ik_codesign_rank(c, p)), p->band.n);
    ik_buf_free(&theirs), ik_buf_free(&ours);
  }
  ik_table_write(&t, 2, out);
}

static void write_tile(const ik_codesign_plan *p, ik_buf *out) {
  for (int i = 0; i < p->p->dims; i++) ik_buf_printf(out, "%dx", p->tile.s[i]);
  ik_buf_printf(out, "%d", p->tile.t);
}

static void write_use(const ik_codesign *c, ik_buf *out) {
  ik_table t = {0};
  ik_buf_puts(
      out, "\nUtilisation of the best design in the longest problem of each stencil (percent)\n");
  ik_table_row(&t,
               "\tpoints\tsteps\ttile\tk\ts\tbound by\tcompute\ttransfer\tlanes\tplaces\tshared\t"
               "blocks\tof ideal");
  for (int i = 0; i < c->nparts; i++) {
    ik_codesign_plan p = ik_codesign_longest(c, &c->part[i], c->near.point[0].at);
    ik_buf           tile = {0}, points = {0};
    if (!p.p) continue;
    write_tile(&p, &tile), write_points(p.p, &points);
    ik_table_row(&t, "%s\t%s\t%lld\t%s\t%d\t%.4g\t%s\t%.0f\t%.0f\t%.0f\t%.0f\t%.0f\t%.0f\t%.1f",
                 c->work.stencil[c->part[i].stencil].name, ik_buf_text(&points),
                 (long long)p.p->steps, ik_buf_text(&tile), p.time.k, p.time.time_s,
                 p.use.compute < 1 ? "global memory" : "vector units", 100 * p.use.compute,
                 100 * p.use.transfer, 100 * p.use.lanes, 100 * p.use.places, 100 * p.use.shared,
                 100 * p.use.blocks, 100 * p.use.ideal);
    out->failed |= tile.failed || points.failed;
    ik_buf_free(&tile), ik_buf_free(&points);
  }
  ik_table_write(&t, 2, out);
}

/* ---- what was published ---- */

static void add_gain(const ik_codesign *c, int gpu, bool cacheless, ik_table *t) {
  ik_codesign_gain g = ik_codesign_gain_of(c, gpu, cacheless);
  ik_buf           published = {0}, ours = {0}, design = {0};
  if (g.published > 0) ik_buf_printf(&published, "%+g", g.published);
  if (g.best) {
    ik_buf_printf(&ours, "%+.1f", g.percent);
    write_triple(g.best->at, &design);
  } else
    ik_buf_puts(&design, "outside the range");
  ik_table_row(t, "%s%s\t%.1f\t%s\t%s\t%s", g.gpu->name, cacheless ? " without caches" : "",
               g.area_mm2, ik_buf_text(&published), ik_buf_text(&ours), ik_buf_text(&design));
  t->text.failed |= published.failed || ours.failed || design.failed;
  ik_buf_free(&published), ik_buf_free(&ours), ik_buf_free(&design);
}

static void write_gains(const ik_codesign *c, ik_buf *out) {
  ik_table t = {0};
  ik_buf_printf(out, "\nThe best design of the same area, percent better in %s (Section C.4.1)\n",
                ik_codesign_objective_names[c->objective]);
  ik_table_row(&t, "\tmm2\tpublished\tours\tdesign");
  for (int cacheless = 0; cacheless < 2; cacheless++)
    for (int g = 0; g < IK_CODESIGN_GPUS; g++) add_gain(c, g, cacheless, &t);
  ik_table_write(&t, 2, out);
  if (!c->work.published) return;
  ik_buf_puts(
      out,
      "  The published figures cannot be reproduced: three tile pitches are printed, of which the\n"
      "  one that was used leaves out up to half of the work and prefers degenerate tiles (t = 2,\n"
      "  s = 1); speeds are in GFLOP/s, but operations of an iteration are never given; L is a\n"
      "  bandwidth of the device that is used for one SM.  The stencils of the same dimensions\n"
      "  differ by C_iter alone, so nearly the same design suits all of them.\n");
}

void ik_codesign_text(const ik_codesign *c, ik_buf *out) {
  write_head(c, out);
  write_programs(c, out);
  write_near(c, out);
  write_benchmarks(c, out);
  write_use(c, out);
  write_placed(c, out);
  write_published(c, out);
  write_gains(c, out);
  write_pareto(c, out);
}
