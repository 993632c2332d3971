/* The search against the time model itself and against figures from another program. */
#include "check.h"
#include "base/mem.h"
#include "apps/design/design.h"
#include "apps/design/front.h"

static const ik_hex_machine gtx980 = {.block_words = 12288,
                                      .max_blocks = 32,
                                      .word_s = 7.36e-3 * 4e-9,
                                      .sync_s = 7.96e-10,
                                      .launch_s = 9.24e-7};
static const double         c_iter[4] = {3.39e-8, 3.68e-8, 3.11e-8, 6.09e-8};
static const ik_hex_reading literal = {.pitch = IK_HEX_PITCH_A6, .link = IK_HEX_LINK_DEVICE};

/* Section C.3.1: 4 stencils, and 16 sizes with no more steps than points a side. */
static int sizes_2d(ik_hex_problem *out) {
  int n = 0;
  for (int stencil = 0; stencil < 4; stencil++)
    for (int64_t s = 4096; s <= 16384; s += 4096)
      for (int64_t t = 1024; t <= s; t *= 2)
        out[n++] = (ik_hex_problem){.dims = 2, .s = {s, s}, .steps = t, .iter_s = c_iter[stencil]};
  return n;
}

static double area_at(int point) {
  ik_area_design d = ik_design_at(point);
  return ik_area_of(&d, IK_AREA_PER_SM).total;
}

CASE(points_and_back) {
  int feasible = 0, large = 0;
  for (int i = 0; i < IK_DESIGN_POINTS; i++) {
    ik_area_design d = ik_design_at(i);
    CHECK_EQ(ik_design_find(d.sms, d.vector_units, (int)d.shared_kb), i);
    bool in = area_at(i) >= 200 && area_at(i) <= 650;
    feasible += in, large += in && d.shared_kb >= 48;
  }
  CHECK_EQ(IK_DESIGN_POINTS, 13312);
  CHECK_EQ(feasible, 3737);
  CHECK_EQ(large, 2852);
  CHECK_EQ(ik_design_find(3, 32, 12), -1);
  CHECK_EQ(ik_design_find(2, 33, 12), -1);
  CHECK_EQ(ik_design_find(2, 2080, 12), -1);
  CHECK_EQ(ik_design_find(34, 32, 12), -1);
  CHECK_EQ(ik_design_find(2, 32, 13), -1);
}

/* Every tile by ik_hex_time_of(), as slowly as it can be done. */
static double by_hand(const ik_design_search *s, int problem, int point) {
  ik_hex_machine  m = ik_design_machine(s, point);
  ik_hextile_list l;
  double          least = INFINITY;
  CHECK(ik_hextile_all(s->problem[problem].dims, m.block_words, &l));
  for (int i = 0; i < l.n; i++)
    least =
        fmin(least, ik_hex_time_of(&s->problem[problem], &m, &l.tile[i], &s->reading, 0).time_s);
  ik_hextile_list_free(&l);
  return least;
}

static void check_plan(const ik_design_search *s, const ik_design_result *r, int problem,
                       int point) {
  const ik_design_plan *plan = &r->plan[(size_t)point * (size_t)r->n + (size_t)problem];
  const ik_hex_problem *p = &s->problem[problem];
  ik_hex_machine        m = ik_design_machine(s, point);
  ik_hex_time t = ik_hex_time_of(p, &m, &r->list[p->dims].tile[plan->tile], &s->reading, plan->k);
  CHECK(t.time_s == plan->time_s);
  CHECK(by_hand(s, problem, point) == plan->time_s);
}

static const ik_hex_problem mixed[] = {
    {.dims = 2, .s = {4096, 4096}, .steps = 1024, .iter_s = 3.39e-8},
    {.dims = 2, .s = {4096, 4096}, .steps = 37, .iter_s = 3.39e-8},
    {.dims = 2, .s = {1000, 333}, .steps = 500, .iter_s = 1e-10},
    {.dims = 3, .s = {384, 384, 384}, .steps = 128, .iter_s = 1.55e-7},
    {.dims = 3, .s = {20, 30, 500}, .steps = 3, .iter_s = 1.36e-7},
};

/* To the last bit: nothing is approximated. */
static void check_sample(ik_hex_reading reading, int threads) {
  ik_design_search s = {
      .problem = mixed, .n = 5, .machine = gtx980, .reading = reading, .threads = threads};
  ik_design_result r;
  CHECK_EQ(ik_design_solve(&s, &r), IK_OK);
  for (int i = 0; i < IK_DESIGN_POINTS; i += 331)
    for (int p = 0; p < 5; p++) check_plan(&s, &r, p, i);
  ik_design_result_free(&r);
}

CASE(exact_reading_by_hand) { check_sample((ik_hex_reading){0}, 2); }
CASE(literal_reading_by_hand) { check_sample(literal, 1); }
CASE(exact_wavefronts_by_hand) {
  check_sample((ik_hex_reading){.pitch = IK_HEX_PITCH_A23, .waves = IK_HEX_WAVES_EXACT}, 3);
}

/* Total seconds by another program, which tries every tile and k on these designs, one by one. */
static const struct {
  int    sms, units, shared;
  double area, total;
} known[] = {{12, 480, 48, 394.567, 226.7739175288832},
             {2, 1696, 192, 200.081, 578.2114755236933},
             {6, 480, 96, 201.791, 449.7250773917697},
             {10, 256, 24, 205.485, 426.3225350258688}};

static double total[IK_DESIGN_POINTS], area[IK_DESIGN_POINTS];

LONG_CASE(the_whole_search_of_two_dimensions) {
  ik_hex_problem   p[64];
  double           weight[64];
  int              n = sizes_2d(p);
  ik_design_search s = {.problem = p, .n = n, .machine = gtx980, .reading = literal, .threads = 2};
  ik_design_result r;
  CHECK_EQ(n, 64);
  for (int i = 0; i < n; i++) weight[i] = 1;
  CHECK_EQ(ik_design_solve(&s, &r), IK_OK);
  ik_front_totals(r.plan, r.n, weight, total);
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    int at = ik_design_find(known[i].sms, known[i].units, known[i].shared);
    CHECK_NEAR(area_at(at), known[i].area, 5.1e-4);
    CHECK_NEAR(total[at], known[i].total, 1e-11 * known[i].total);
  }
  ik_front all = {ik_calloc(IK_DESIGN_POINTS, sizeof *all.point), 0};
  ik_front front = {ik_calloc(IK_DESIGN_POINTS, sizeof *front.point), 0};
  for (int i = 0; i < IK_DESIGN_POINTS; i++) area[i] = area_at(i);
  ik_front_within(area, total, IK_DESIGN_POINTS, 200, 650, &all);
  ik_front_pareto(&all, &front);
  CHECK_EQ(all.n, 3737);
  CHECK_EQ(front.n, 96);
  CHECK_EQ(ik_front_for(&front, 398)->at, ik_design_find(12, 480, 48));
  CHECK_EQ(ik_front_for(&front, 601)->at, ik_design_find(20, 416, 48));
  /* Gains over designs like the two GPUs: 115 % and 118 %. */
  CHECK_NEAR(total[ik_design_find(16, 128, 96)] / ik_front_for(&front, 398)->value, 2.15, 0.005);
  CHECK_NEAR(total[ik_design_find(24, 128, 96)] / ik_front_for(&front, 601)->value, 2.18, 0.005);
  ik_free(all.point), ik_free(front.point);
  ik_design_result_free(&r);
}

CASE(more_shared_memory_is_never_slower) {
  ik_design_search s = {.problem = mixed, .n = 5, .machine = gtx980, .threads = 2};
  ik_design_result r;
  CHECK_EQ(ik_design_solve(&s, &r), IK_OK);
  for (int i = 0; i < IK_DESIGN_POINTS; i++)
    for (int p = 0; p < 5 && i % IK_DESIGN_SHARED; p++)
      CHECK(r.plan[i * 5 + p].time_s <= r.plan[(i - 1) * 5 + p].time_s);
  ik_design_result_free(&r);
}

/* ---- other goals ---- */

static const ik_power_model k20c = {.static_w_mm2 = 0.0856, .unit_w = 0.0468, .word_j = 2.2e-9};

typedef struct sums {
  double time_s, energy_j;
} sums;

static sums sums_at(const ik_design_search *s, const ik_design_result *r, const ik_design_plan *all,
                    int point) {
  const ik_design_plan *plan = all + (size_t)point * (size_t)r->n;
  sums                  out = {0, 0};
  for (int i = 0; i < r->n; i++) {
    const ik_hex_problem *p = &s->problem[i];
    const ik_hex_tile    *t = &r->list[p->dims].tile[plan[i].tile];
    out.time_s += s->weight[i] * plan[i].time_s;
    out.energy_j += s->weight[i] * ik_power_energy(&s->power, p, t, area_at(point), plan[i].time_s);
  }
  return out;
}

static const double ones[5] = {1, 1, 1, 1, 1}, uneven[5] = {1, 20, 3, 0.01, 50};
static const int    each[5] = {0, 1, 2, 3, 4};

static ik_design_search search_for(ik_design_goal goal, const double *weight) {
  return (ik_design_search){.problem = mixed,
                            .n = 5,
                            .machine = gtx980,
                            .threads = 2,
                            .goal = goal,
                            .power = k20c,
                            .weight = weight,
                            .part = each};
}

/* No design is worse at what its tiles were chosen for than with tiles for another goal. */
static void check_goals(const double *weight, ik_design_result *r) {
  ik_design_search s[3];
  for (int g = 0; g < 3; g++) {
    s[g] = search_for((ik_design_goal)g, weight);
    CHECK_EQ(ik_design_solve(&s[g], &r[g]), IK_OK);
  }
  for (int i = 0; i < IK_DESIGN_POINTS; i++) {
    sums   time = sums_at(&s[0], &r[0], r[0].plan, i), energy = sums_at(&s[1], &r[1], r[1].plan, i);
    sums   edp = sums_at(&s[2], &r[2], r[2].plan, i), apart = sums_at(&s[2], &r[2], r[2].alone, i);
    double most = edp.time_s * edp.energy_j * (1 - 1e-12);
    CHECK(time.time_s <= energy.time_s && time.time_s <= edp.time_s);
    CHECK(energy.energy_j <= time.energy_j && energy.energy_j <= edp.energy_j);
    CHECK(most <= time.time_s * time.energy_j && most <= energy.time_s * energy.energy_j);
    CHECK(most <= apart.time_s * apart.energy_j);
  }
}

LONG_CASE(each_goal_is_best_at_its_own) {
  ik_design_result r[3];
  check_goals(ones, r);
  for (int g = 0; g < 3; g++) ik_design_result_free(&r[g]);
  check_goals(uneven, r);
  for (int g = 0; g < 3; g++) ik_design_result_free(&r[g]);
}

/* The least of every tile, waiting where there is a limit. */
static double goal_by_hand(const ik_design_search *s, int problem, int point) {
  const ik_hex_problem *p = &s->problem[problem];
  ik_hex_machine        m = ik_design_machine(s, point);
  ik_hextile_list       l;
  double                least = INFINITY, static_w = s->power.static_w_mm2 * area_at(point);
  CHECK(ik_hextile_all(p->dims, m.block_words, &l));
  for (int i = 0; i < l.n; i++) {
    double time_s = ik_hex_time_of(p, &m, &l.tile[i], &s->reading, 0).time_s;
    double dynamic = (double)p->steps * ik_power_step(&s->power, p, &l.tile[i]);
    if (s->max_power > 0) time_s = fmax(time_s, dynamic / (s->max_power - static_w));
    double energy = static_w * time_s + dynamic;
    least = fmin(least, s->goal == IK_DESIGN_TIME     ? time_s
                        : s->goal == IK_DESIGN_ENERGY ? energy
                                                      : time_s * energy);
  }
  ik_hextile_list_free(&l);
  return least;
}

/* A part of one problem: its product is least by itself. */
static void check_by_hand(ik_design_goal goal, double max_power) {
  ik_design_search s = search_for(goal, ones);
  ik_design_result r;
  s.max_power = max_power;
  CHECK_EQ(ik_design_solve(&s, &r), IK_OK);
  for (int at = 5; at < IK_DESIGN_POINTS; at += 1511)
    for (int i = 0; i < 5; i++) {
      const ik_hex_problem *p = &mixed[i];
      const ik_design_plan *plan = &r.alone[(size_t)at * 5 + (size_t)i];
      double                want = goal_by_hand(&s, i, at);
      CHECK(plan->tile >= 0);
      double joule =
          ik_power_energy(&k20c, p, &r.list[p->dims].tile[plan->tile], area_at(at), plan->time_s);
      double have = goal == IK_DESIGN_TIME     ? plan->time_s
                    : goal == IK_DESIGN_ENERGY ? joule
                                               : plan->time_s * joule;
      CHECK_NEAR(have, want, 1e-12 * want);
      if (max_power > 0) CHECK(joule <= max_power * plan->time_s * (1 + 1e-12));
    }
  ik_design_result_free(&r);
}

CASE(energy_by_hand) { check_by_hand(IK_DESIGN_ENERGY, 0); }
CASE(product_by_hand) { check_by_hand(IK_DESIGN_EDP, 0); }
LONG_CASE(power_limit_by_hand) {
  check_by_hand(IK_DESIGN_TIME, 400);
  check_by_hand(IK_DESIGN_ENERGY, 400);
  check_by_hand(IK_DESIGN_EDP, 400);
}

CASE(no_plan_where_static_power_is_too_much) {
  ik_design_search s = search_for(IK_DESIGN_EDP, ones);
  ik_design_result r;
  s.max_power = 20;
  CHECK_EQ(ik_design_solve(&s, &r), IK_OK);
  for (int at = 0; at < IK_DESIGN_POINTS; at++) {
    bool some = k20c.static_w_mm2 * area_at(at) < 20;
    for (int i = 0; i < 5; i++) CHECK((r.plan[at * 5 + i].tile >= 0) == some);
  }
  ik_design_result_free(&r);
}

/* Points of two words: as if shared memory were half, and words took twice as long. */
CASE(more_words_a_point) {
  ik_hex_problem   wide[] = {mixed[0], mixed[3]};
  ik_design_search s = {.problem = wide, .n = 2, .machine = gtx980, .threads = 2};
  ik_design_search half = {.problem = wide, .n = 2, .machine = gtx980, .threads = 2};
  ik_design_result r, other;
  wide[0].words = wide[1].words = 2;
  CHECK_EQ(ik_design_solve(&s, &r), IK_OK);
  for (int i = 0; i < IK_DESIGN_POINTS; i += 1511)
    for (int p = 0; p < 2; p++) check_plan(&s, &r, p, i);
  wide[0].words = wide[1].words = 1;
  half.machine.block_words /= 2, half.machine.word_s *= 2;
  CHECK_EQ(ik_design_solve(&half, &other), IK_OK);
  int at = ik_design_find(8, 256, 96), small = ik_design_find(8, 256, 48);
  for (int p = 0; p < 2; p++) CHECK(r.plan[at * 2 + p].time_s == other.plan[small * 2 + p].time_s);
  ik_design_result_free(&r), ik_design_result_free(&other);
}

static volatile sig_atomic_t halt;

static void note(int done, int all, void *user) {
  int *most = user;
  CHECK(done > 0 && done <= all);
  *most = done > *most ? done : *most;
  halt = 1;
}

CASE(stops_when_asked) {
  int              most = 0;
  ik_design_search s = {.problem = mixed,
                        .n = 5,
                        .machine = gtx980,
                        .threads = 2,
                        .stop = &halt,
                        .progress = note,
                        .user = &most};
  ik_design_result r;
  halt = 0;
  CHECK_EQ(ik_design_solve(&s, &r), IK_ERR_INTERRUPTED);
  CHECK(most > 0 && most < IK_DESIGN_UNITS);
  CHECK(r.plan == NULL);
}

static void starve(const ik_design_search *s) {
  ik_design_result r;
  ik_status        st = IK_ERR_RESOURCE;
  long             before = ik_mem_live();
  for (int i = 0; st && i < 400; i++) {
    ik_mem_fail_after(i);
    st = ik_design_solve(s, &r);
    ik_mem_fail_after(-1);
    CHECK(st == IK_OK || (st == IK_ERR_RESOURCE && ik_mem_live() == before));
  }
  CHECK_EQ(st, IK_OK);
  for (int i = 0; !st && i < IK_DESIGN_POINTS * r.n; i++) CHECK(r.plan[i].tile >= 0);
  if (!st) ik_design_result_free(&r);
}

LONG_CASE(no_memory_leaves_nothing_behind) {
  ik_design_search time = {.problem = mixed, .n = 5, .machine = gtx980, .threads = 2};
  ik_design_search edp = search_for(IK_DESIGN_EDP, ones);
  starve(&time), starve(&edp);
}

CASE(problems_without_meaning) {
  const ik_hex_problem bad[] = {{.dims = 0}, {.dims = 2, .s = {-1, 5}, .steps = 1}, mixed[4]};
  ik_design_search     s = {.problem = bad, .n = 3, .machine = gtx980, .threads = 1};
  ik_design_result     r;
  CHECK_EQ(ik_design_solve(&s, &r), IK_OK);
  CHECK(isinf(r.plan[0].time_s) && r.plan[0].tile == -1);
  CHECK(isinf(r.plan[1].time_s) && isfinite(r.plan[2].time_s));
  ik_design_result_free(&r);
  s.n = 0;
  CHECK_EQ(ik_design_solve(&s, &r), IK_OK);
  ik_design_result_free(&r);
}

/* ---- fronts ---- */

CASE(a_front_has_no_dominated_point) {
  double         x[200], y[200];
  ik_front_point p[200], q[200];
  ik_front       in = {p, 0}, out = {q, 0};
  unsigned       u = 1;
  for (int i = 0; i < 200; i++)
    u = u * 1664525 + 1013904223, x[i] = u >> 26, u = u * 1664525 + 1013904223, y[i] = u >> 26;
  ik_front_within(x, y, 200, 5, 50, &in);
  ik_front_pareto(&in, &out);
  CHECK(out.n > 2);
  for (int i = 0; i < in.n; i++) {
    bool kept = false, beaten = false;
    for (int j = 0; j < out.n; j++) kept |= out.point[j].at == in.point[i].at;
    for (int j = 0; j < in.n; j++)
      beaten |= p[j].area_mm2 <= p[i].area_mm2 && p[j].value <= p[i].value &&
                (p[j].area_mm2 < p[i].area_mm2 || p[j].value < p[i].value);
    CHECK(kept == !beaten);
  }
}

CASE(near_best) {
  const double   x[] = {3, 2, 1, 4, 5}, y[] = {10, 10.05, 10.2, 10, INFINITY};
  ik_front_point p[5], q[5];
  ik_front       in = {p, 0}, out = {q, 0};
  ik_front_within(x, y, 5, 0, 100, &in);
  CHECK_EQ(in.n, 4);
  ik_front_near(&in, 0.01, &out);
  CHECK_EQ(out.n, 3);
  CHECK_EQ(out.point[0].at, 0);
  CHECK_EQ(out.point[1].at, 3);
  CHECK_EQ(out.point[2].at, 1);
  ik_front_pareto(&in, &out);
  CHECK_EQ(out.n, 3);
  CHECK(ik_front_for(&out, 0.5) == NULL);
  CHECK_EQ(ik_front_for(&out, 2.5)->at, 1);
}
