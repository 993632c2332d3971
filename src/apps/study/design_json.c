#include "apps/study/codesign.h"

static void add_design(const ik_codesign *c, const char *key, const char *name, int at,
                       ik_json *j) {
  ik_area_design            d = ik_design_at(at);
  ik_area_parts             a = ik_area_of(&d, IK_AREA_PER_SM);
  const ik_codesign_totals *x = &c->total;
  ik_json_open(j, key, '{');
  if (name) ik_json_str(j, "name", name);
  ik_json_int(j, "sms", d.sms);
  ik_json_int(j, "vector_units", d.vector_units);
  ik_json_num(j, "shared_kb", d.shared_kb);
  ik_json_num(j, "time_s", x->time_s[at]);
  ik_json_num(j, "energy_j", x->energy_j[at]);
  ik_json_num(j, "power_w", x->power_w[at]);
  ik_json_num(j, "value", x->value[at]);
  ik_json_open(j, "area_mm2", '{');
  ik_json_num(j, "total", a.total);
  ik_json_num(j, "vector_units", a.vector_units);
  ik_json_num(j, "registers", a.registers);
  ik_json_num(j, "shared", a.shared);
  ik_json_num(j, "rest", a.overhead);
  ik_json_close(j, '}');
  ik_json_close(j, '}');
}

static void add_front(const ik_codesign *c, const char *key, const ik_front *f, ik_json *j) {
  ik_json_open(j, key, '[');
  for (int i = 0; i < f->n; i++) add_design(c, NULL, NULL, f->point[i].at, j);
  ik_json_close(j, ']');
}

static void add_plan(const ik_codesign *c, const ik_codesign_part *part, ik_json *j) {
  ik_codesign_plan p = ik_codesign_longest(c, part, c->near.point[0].at);
  if (!p.p) return;
  ik_json_open(j, "longest_on_best", '{');
  ik_json_int(j, "points", p.p->s[0]);
  ik_json_int(j, "steps", p.p->steps);
  ik_json_open(j, "tile", '[');
  for (int i = 0; i < p.p->dims; i++) ik_json_int(j, NULL, p.tile.s[i]);
  ik_json_int(j, NULL, p.tile.t);
  ik_json_close(j, ']');
  ik_json_int(j, "k", p.time.k);
  ik_json_num(j, "time_s", p.time.time_s);
  ik_json_open(j, "use", '{');
  ik_json_num(j, "compute", p.use.compute);
  ik_json_num(j, "transfer", p.use.transfer);
  ik_json_num(j, "lanes", p.use.lanes);
  ik_json_num(j, "places", p.use.places);
  ik_json_num(j, "shared", p.use.shared);
  ik_json_num(j, "blocks", p.use.blocks);
  ik_json_num(j, "ideal", p.use.ideal);
  ik_json_close(j, '}');
  ik_json_close(j, '}');
}

static void add_published(const ik_codesign *c, const ik_codesign_part *p, ik_json *j) {
  int benchmark = c->work.stencil[p->stencil].benchmark, at = ik_codesign_published(benchmark);
  if (at < 0) return;
  const ik_codesign_benchmark *b = &ik_codesign_benchmarks[benchmark];
  ik_json_open(j, "published", '{');
  ik_json_num(j, "area_mm2", b->area_mm2);
  ik_json_num(j, "gflops", b->gflops);
  add_design(c, "design", NULL, at, j);
  ik_json_num(j, "value", p->total.value[at]);
  if (p->band.n) {
    add_design(c, "best_of_425_to_450_mm2", NULL, p->band.point[0].at, j);
    ik_json_num(j, "reaches", ik_codesign_reaches(c, p));
    ik_json_int(j, "rank", ik_codesign_rank(c, p));
    ik_json_int(j, "of", p->band.n);
  }
  ik_json_close(j, '}');
}

static void add_benchmarks(const ik_codesign *c, ik_json *j) {
  ik_json_open(j, "benchmarks", '[');
  for (int i = 0; i < c->nparts; i++) {
    const ik_codesign_part *p = &c->part[i];
    if (!p->near.n) continue;
    ik_json_open(j, NULL, '{');
    ik_json_str(j, "name", c->work.stencil[p->stencil].name);
    ik_json_num(j, "value", p->near.point[0].value);
    ik_json_int(j, "within_1_percent", p->near.n);
    add_design(c, "best", NULL, p->near.point[0].at, j);
    add_published(c, p, j);
    add_plan(c, p, j);
    ik_json_close(j, '}');
  }
  ik_json_close(j, ']');
}

static void add_programs(const ik_codesign *c, ik_json *j) {
  ik_json_open(j, "programs", '[');
  for (int i = 0; i < c->work.n; i++) {
    const ik_codesign_entry *e = &c->work.entry[i];
    if (c->work.stencil[e->stencil].benchmark >= 0) continue;
    ik_json_open(j, NULL, '{');
    ik_json_str(j, "name", c->work.stencil[e->stencil].name);
    ik_json_num(j, "weight", e->weight);
    ik_json_open(j, "points", '[');
    for (int d = 0; d < e->problem.dims; d++) ik_json_int(j, NULL, e->problem.s[d]);
    ik_json_close(j, ']');
    ik_json_int(j, "steps", e->problem.steps);
    ik_json_num(j, "flops", e->figures.flops);
    ik_json_num(j, "bytes", e->figures.bytes);
    ik_json_int(j, "arrays", e->figures.arrays);
    ik_json_int(j, "radius", e->figures.radius);
    ik_json_int(j, "words", e->problem.words);
    ik_json_num(j, "iter_s", e->problem.iter_s);
    ik_json_close(j, '}');
  }
  ik_json_close(j, ']');
}

static void add_gains(const ik_codesign *c, ik_json *j) {
  ik_json_open(j, "gains", '[');
  for (int i = 0; i < 2 * IK_CODESIGN_GPUS; i++) {
    ik_codesign_gain g = ik_codesign_gain_of(c, i % IK_CODESIGN_GPUS, i >= IK_CODESIGN_GPUS);
    ik_json_open(j, NULL, '{');
    ik_json_str(j, "chip", g.gpu->name);
    ik_json_bool(j, "cacheless", g.cacheless);
    ik_json_num(j, "area_mm2", g.area_mm2);
    if (g.published > 0) ik_json_num(j, "published_percent", g.published);
    if (g.best) ik_json_num(j, "percent", g.percent);
    if (g.best) add_design(c, "design", NULL, g.best->at, j);
    ik_json_close(j, '}');
  }
  ik_json_close(j, ']');
}

static void add_chips(const ik_codesign *c, ik_json *j) {
  ik_json_open(j, "chips", '[');
  for (int g = 0; g < IK_CODESIGN_GPUS; g++)
    if (c->gpu[g].at >= 0) add_design(c, NULL, c->gpu[g].name, c->gpu[g].at, j);
  ik_json_close(j, ']');
}

void ik_codesign_json(const ik_codesign *c, ik_buf *out) {
  ik_json j = {.out = out};
  ik_json_open(&j, NULL, '{');
  ik_json_str(&j, "objective", ik_codesign_objective_names[c->objective]);
  ik_json_str(&j, "reading", c->literal ? "literal" : "exact");
  ik_json_int(&j, "problems", c->work.n);
  ik_json_int(&j, "designs", c->all.n);
  ik_json_num(&j, "min_area_mm2", c->low);
  ik_json_num(&j, "max_area_mm2", c->high);
  if (c->o->max_power > 0) ik_json_num(&j, "max_power_w", c->o->max_power);
  add_programs(c, &j);
  add_front(c, "near", &c->near, &j);
  add_front(c, "pareto", &c->pareto, &j);
  add_benchmarks(c, &j);
  add_chips(c, &j);
  add_gains(c, &j);
  ik_json_close(&j, '}');
}
