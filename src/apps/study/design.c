#include "api/api.h"
#include "base/fp.h"
#include "base/text.h"
#include "model/energy.h"
#include "apps/study/codesign.h"
#include <math.h>
#include <string.h>
#include <unistd.h>

const char *const ik_codesign_objective_names[] = {"time", "energy", "edp"};
const char *const ik_codesign_units[] = {"s", "J", "J s"};

/* ---- the question ---- */

static ik_status choose(const char *what, const char *word, const char *const *names, int n,
                        ik_diag *d, int *out) {
  *out = 0;
  if (!word) return IK_OK;
  for (int i = 0; i < n; i++)
    if (!strcmp(word, names[i])) return *out = i, IK_OK;
  ik_buf all = {0};
  for (int i = 0; i < n; i++) ik_buf_printf(&all, "%s%s", i ? ", " : "", names[i]);
  ik_error(d, IK_E081, IK_NOSPAN, "there is no %s '%s'", what, word);
  ik_help(d, "it is one of %s", ik_buf_text(&all));
  ik_buf_free(&all);
  return IK_ERR_SOURCE;
}

static ik_status read_options(ik_codesign *c, ik_diag *d) {
  static const char *const readings[] = {"exact", "literal"};
  const ik_design_options *o = c->o;
  int                      objective, reading;
  IK_TRY(choose("objective", o->objective, ik_codesign_objective_names, IK_CODESIGN_OBJECTIVES, d,
                &objective));
  IK_TRY(choose("reading", o->reading, readings, 2, d, &reading));
  c->objective = (ik_codesign_objective)objective;
  c->literal = reading == 1;
  c->low = o->min_area == 0 ? 200 : o->min_area;
  c->high = o->max_area == 0 ? 650 : o->max_area;
  if (!(c->low > 0 && c->low <= c->high && c->high < INFINITY))
    return ik_fail(d, IK_ERR_SOURCE, IK_E081, IK_NOSPAN, "an area of %g to %g mm2 holds no design",
                   c->low, c->high);
  if (!(o->max_power >= 0))
    return ik_fail(d, IK_ERR_SOURCE, IK_E081, IK_NOSPAN, "a power limit cannot be %g W",
                   o->max_power);
  return IK_OK;
}

static ik_status number(const ik_machine *m, const char *key, const char *unit, ik_diag *d,
                        double *out) {
  if (ik_machine_number(m, key, unit, out)) return IK_OK;
  return ik_fail(d, IK_ERR_SOURCE, IK_E081, IK_NOSPAN, "machine %s has no figure %s in '%s'",
                 m->name, key, unit);
}

/* L, tau and T_sync of designs that do not exist are those of the GPU at hand: section C.3. */
static ik_status read_machine(const ik_machine *m, ik_diag *d, ik_hex_machine *out) {
  double per_gb, block, blocks;
  IK_TRY(number(m, "time.l", "s/GB", d, &per_gb));
  IK_TRY(number(m, "time.sync", "s", d, &out->sync_s));
  IK_TRY(number(m, "time.launch", "s", d, &out->launch_s));
  IK_TRY(number(m, "gpu.shared.block", "B", d, &block));
  IK_TRY(number(m, "gpu.blocks", "", d, &blocks));
  out->word_s = per_gb * 4e-9;
  out->block_words = (int64_t)(block / 4);
  out->max_blocks = (int)blocks;
  return IK_OK;
}

static ik_status read_gpu(const ik_machine *m, const char *name, ik_diag *d, ik_codesign_gpu *out) {
  double sms, units, shared;
  IK_TRY(number(m, "gpu.sms", "", d, &sms));
  IK_TRY(number(m, "gpu.vector_units", "", d, &units));
  IK_TRY(number(m, "gpu.shared", "KiB", d, &shared));
  IK_TRY(number(m, "area", "mm2", d, &out->area_mm2));
  out->name = name;
  out->at = ik_design_find((int)sms, (int)units, (int)shared);
  return IK_OK;
}

/* Model A of appendix B, measured on a K20c, whose die has 561 mm2; the Jacobi stencil there reads
 * six words of shared memory for an iteration, adds four times and multiplies once. */
static ik_power_model power_model(double jacobi_s) {
  ik_energy_params a = ik_energy_model_a();
  return (ik_power_model){.static_w_mm2 = a.static_w / 561,
                          .unit_w = (6 * a.shared_j + 4 * a.fadd_j + a.fmul_j) / jacobi_s,
                          .word_j = a.global_j};
}

static ik_status read_machines(ik_codesign *c, ik_diag *d) {
  ik_machine *gtx980, *titanx;
  double      jacobi_s;
  IK_TRY(ik_machine_find("gtx980", &c->arena, d, &gtx980));
  IK_TRY(ik_machine_find("titanx", &c->arena, d, &titanx));
  IK_TRY(read_machine(gtx980, d, &c->search.machine));
  IK_TRY(read_gpu(gtx980, "GTX 980", d, &c->gpu[0]));
  IK_TRY(read_gpu(titanx, "Titan X", d, &c->gpu[1]));
  IK_TRY(number(gtx980, "c_iter.jacobi2d", "s", d, &jacobi_s));
  c->power = power_model(jacobi_s);
  return ik_codesign_read(c->o->workload, gtx980, &c->arena, d, &c->work);
}

/* ---- the answer ---- */

static void progress(int done, int total, void *user) {
  const ik_codesign *c = user;
  if (c->o->progress) c->o->progress("designs", done, total, c->o->user);
}

/* The workload as the search wants it. */
static void pose(ik_codesign *c) {
  int             n = c->work.n;
  ik_hex_problem *problem = IK_NEW_N(&c->arena, ik_hex_problem, n);
  double         *weight = IK_NEW_N(&c->arena, double, n);
  int            *part = IK_NEW_N(&c->arena, int, n);
  for (int i = 0; i < n; i++) {
    const ik_codesign_entry *e = &c->work.entry[i];
    problem[i] = e->problem, weight[i] = e->weight, part[i] = e->stencil;
  }
  c->search.problem = problem, c->search.n = n;
  c->search.weight = c->weight = weight, c->search.part = part;
  c->search.goal = (ik_design_goal)c->objective;
  c->search.power = c->power, c->search.max_power = c->o->max_power;
}

static ik_status search(ik_codesign *c, ik_diag *d) {
  pose(c);
  if (c->literal)
    c->search.reading = (ik_hex_reading){.pitch = IK_HEX_PITCH_A6, .link = IK_HEX_LINK_DEVICE};
  c->search.threads = c->o->threads > 0 ? c->o->threads : (int)sysconf(_SC_NPROCESSORS_ONLN);
  c->search.stop = c->o->stop;
  c->search.progress = progress, c->search.user = c;
  ik_status st = ik_design_solve(&c->search, &c->result);
  if (st == IK_ERR_INTERRUPTED) return ik_fail(d, st, IK_E073, IK_NOSPAN, "interrupted");
  if (st) return ik_fail(d, st, IK_E072, IK_NOSPAN, "no memory for the plans of all designs");
  return IK_OK;
}

/* Shared memory is the same for every number of multiprocessors and units, and without a power
 * limit nothing else is in the way of a tile. */
static ik_status check_fit(const ik_codesign *c, ik_diag *d) {
  const ik_design_plan *roomiest =
      c->result.plan + (size_t)(IK_DESIGN_SHARED - 1) * (size_t)c->work.n;
  for (int i = 0; i < c->work.n && !(c->o->max_power > 0); i++) {
    const ik_codesign_entry *e = &c->work.entry[i];
    if (roomiest[i].tile >= 0 || e->weight == 0) continue;
    return ik_fail(d, IK_ERR_SOURCE, IK_E081, IK_NOSPAN,
                   "no tile of %s fits into a threadblock: a point has %d words, each twice",
                   c->work.stencil[e->stencil].name, ik_hex_words(&e->problem));
  }
  return IK_OK;
}

static double *figures(ik_codesign *c) { return IK_NEW_N(&c->arena, double, IK_DESIGN_POINTS); }

static ik_front front(ik_codesign *c) {
  return (ik_front){.point = IK_NEW_N(&c->arena, ik_front_point, IK_DESIGN_POINTS)};
}

static double value_of(const ik_codesign *c, double time_s, double energy_j) {
  switch (c->objective) {
  case IK_CODESIGN_ENERGY: return energy_j;
  case IK_CODESIGN_EDP: return time_s * energy_j;
  default: return time_s;
  }
}

/* Of all problems whose weight is not zero, by the plans of `all`. */
static void add_up(ik_codesign *c, const ik_design_plan *all, const double *weight,
                   ik_codesign_totals *out) {
  *out = (ik_codesign_totals){figures(c), figures(c), figures(c), figures(c)};
  ik_front_totals(all, c->work.n, weight, out->time_s);
  for (int at = 0; at < IK_DESIGN_POINTS; at++) {
    const ik_design_plan *plan = all + (size_t)at * (size_t)c->work.n;
    for (int i = 0; i < c->work.n; i++) {
      const ik_hex_problem *p = &c->search.problem[i];
      double                joule = INFINITY;
      if (weight[i] == 0) continue;
      if (plan[i].tile >= 0)
        joule = ik_power_energy(&c->power, p, &c->result.list[p->dims].tile[plan[i].tile],
                                c->area[at], plan[i].time_s);
      out->energy_j[at] += weight[i] * joule;
      if (isfinite(joule)) out->power_w[at] = fmax(out->power_w[at], joule / plan[i].time_s);
    }
    out->value[at] = value_of(c, out->time_s[at], out->energy_j[at]);
  }
}

static void look_at_stencil(ik_codesign *c, int stencil, ik_front *scratch) {
  double           *weight = IK_NEW_N(&c->arena, double, c->work.n);
  ik_codesign_part *part = &c->part[c->nparts];
  bool              any = false;
  for (int i = 0; i < c->work.n; i++) {
    weight[i] = c->work.entry[i].stencil == stencil ? c->weight[i] : 0;
    any |= weight[i] != 0;
  }
  if (!any) return;
  part->stencil = stencil;
  add_up(c, c->result.alone, weight, &part->total);
  part->near = front(c);
  ik_front_within(c->area, part->total.value, IK_DESIGN_POINTS, c->low, c->high, scratch);
  ik_front_near(scratch, 0.01, &part->near);
  part->band = front(c);
  ik_front_within(c->area, part->total.value, IK_DESIGN_POINTS, 425, 450, scratch);
  ik_front_near(scratch, INFINITY, &part->band);
  c->nparts++;
}

static ik_status rank_all(ik_codesign *c, ik_diag *d) {
  ik_front scratch = front(c);
  add_up(c, c->result.plan, c->weight, &c->total);
  c->all = front(c), c->near = front(c), c->pareto = front(c);
  ik_front_within(c->area, c->total.value, IK_DESIGN_POINTS, c->low, c->high, &c->all);
  if (!c->all.n)
    return ik_fail(d, IK_ERR_SOURCE, IK_E081, IK_NOSPAN,
                   "no design of %g to %g mm2 can run the workload%s", c->low, c->high,
                   c->o->max_power > 0 ? " within the power limit" : "");
  ik_front_near(&c->all, 0.01, &c->near);
  ik_front_pareto(&c->all, &c->pareto);
  c->part = IK_NEW_N(&c->arena, ik_codesign_part, c->work.nstencil);
  for (int i = 0; i < c->work.nstencil; i++) look_at_stencil(c, i, &scratch);
  return IK_OK;
}

static void fill_areas(ik_codesign *c) {
  c->area = figures(c);
  for (int at = 0; at < IK_DESIGN_POINTS; at++) c->area[at] = ik_design_area(at);
}

/* ---- questions about the answer ---- */

ik_codesign_plan ik_codesign_longest(const ik_codesign *c, const ik_codesign_part *part, int at) {
  const ik_design_plan *plan = c->result.plan + (size_t)at * (size_t)c->result.n, *longest = NULL;
  ik_codesign_plan      out = {0};
  for (int i = 0; i < c->work.n; i++)
    if (c->work.entry[i].stencil == part->stencil && plan[i].tile >= 0 &&
        (!longest || plan[i].time_s > longest->time_s))
      longest = &plan[i], out.p = &c->search.problem[i];
  if (!longest) return out;
  ik_hex_machine m = ik_design_machine(&c->search, at);
  out.tile = c->result.list[out.p->dims].tile[longest->tile];
  out.time = ik_hex_time_of(out.p, &m, &out.tile, &c->search.reading, longest->k);
  out.time.time_s = longest->time_s; /* with waiting for the power limit */
  out.use = ik_hex_use_of(out.p, &m, &out.time);
  return out;
}

int ik_codesign_published_of(const ik_codesign *c, const ik_codesign_part *part) {
  return ik_codesign_published(c->work.stencil[part->stencil].benchmark);
}

int ik_codesign_rank(const ik_codesign *c, const ik_codesign_part *part) {
  int at = ik_codesign_published_of(c, part), better = 0;
  if (at < 0 || !isfinite(part->total.value[at])) return 0;
  while (better < part->band.n && part->band.point[better].value < part->total.value[at]) better++;
  return better + 1;
}

double ik_codesign_reaches(const ik_codesign *c, const ik_codesign_part *part) {
  int at = ik_codesign_published_of(c, part);
  return at >= 0 && part->band.n ? part->band.point[0].value / part->total.value[at] : 0;
}

ik_codesign_gain ik_codesign_gain_of(const ik_codesign *c, int gpu, bool cacheless) {
  /* Section C.4.1: [gpu][cacheless], two and three dimensions. */
  static const double published[2][2][2] = {{{104, 123}, {9.34, 9.22}},
                                            {{69, 126}, {28.44, 33.15}}};
  ik_codesign_gain    out = {.gpu = &c->gpu[gpu], .cacheless = cacheless};
  int                 at = out.gpu->at;
  out.area_mm2 = cacheless && at >= 0 ? c->area[at] : out.gpu->area_mm2;
  if (c->work.published && c->objective == IK_CODESIGN_TIME && !(c->o->max_power > 0))
    out.published = published[gpu][cacheless][c->work.dims - 2];
  if (out.area_mm2 <= c->high) out.best = ik_front_for(&c->pareto, out.area_mm2);
  if (at < 0 || !isfinite(c->total.value[at])) out.best = NULL;
  if (out.best) out.percent = 100 * (c->total.value[at] / out.best->value - 1);
  return out;
}

/* ---- all ---- */

static ik_status answer(ik_codesign *c, ik_log *log) {
  if (setjmp(c->arena.oom)) return ik_log_no_memory(log);
  IK_TRY(read_options(c, &log->d));
  IK_TRY(read_machines(c, &log->d));
  fill_areas(c);
  IK_TRY(search(c, &log->d));
  IK_TRY(check_fit(c, &log->d));
  return rank_all(c, &log->d);
}

ik_status ik_study_design(const ik_design_options *o, ik_log *log, ik_study **out) {
  IK_OWN_ARITHMETIC;
  ik_codesign c = {.o = o};
  ik_study   *s = ik_study_create("ikat design", log);
  *out = NULL;
  if (!s) return IK_ERR_RESOURCE;
  ik_arena_init(&c.arena);
  ik_status st = answer(&c, log);
  if (!st) {
    ik_codesign_text(&c, &s->text);
    ik_codesign_json(&c, &s->json);
    ik_codesign_page(&c, &s->page);
  }
  ik_design_result_free(&c.result);
  ik_buf_free(&c.work.text);
  ik_arena_free(&c.arena);
  return ik_study_finish(s, st, log, out);
}
