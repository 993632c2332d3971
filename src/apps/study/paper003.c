/* The published tables of "Analytical Cost Metrics: Days of Future Past" (paper 003) beside ours.
 *
 * What the paper measured cannot be computed; what follows from its formulas can, and what its
 * tables give as input is compared with the machines that ikat carries.  The codesign search of
 * section C.4 is a study of its own. */
#include "base/arena.h"
#include "base/diag.h"
#include "base/text.h"
#include "machine/machine.h"
#include "model/area.h"
#include "model/chain.h"
#include "model/energy.h"
#include "model/hextile.h"
#include "apps/study/papers.h"
#include "apps/study/published.h"
#include <math.h>
#include <stdint.h>

#define LENGTH(a) ((int)(sizeof(a) / sizeof *(a)))

typedef struct paper {
  ik_published_book *book;
  ik_buf            *text;
  ik_json           *json;
  const ik_machine  *gpu[2]; /* GTX 980, Titan X */
} paper;

static const char *const gpu_name[2] = {"GTX 980", "Titan X"};

static ik_published open_table(const paper *p, const char *title, const char *note) {
  return ik_published_open(p->book, title, note);
}

/* A row whose name is put together. */
static void named_row(ik_published *t, const char *first, const char *second, const char *published,
                      double ours, const char *remark) {
  ik_buf name = {0};
  ik_buf_printf(&name, "%s, %s", first, second);
  ik_published_add(t, ik_buf_text(&name), published, ours, remark);
  t->text->failed |= name.failed;
  ik_buf_free(&name);
}

static double figure(const ik_machine *m, const char *key, const char *unit) {
  double v;
  return ik_machine_number(m, key, unit, &v) ? v : NAN;
}

/* ---- appendix A ---- */

typedef struct input { /* a figure of Table A.2, A.3 or A.4 */
  const char *what, *key, *unit;
  const char *published[2];
} input;

static void inputs(const paper *p, const char *title, const char *note, const input *in, int n) {
  ik_published t = open_table(p, title, note);
  for (int i = 0; i < n; i++)
    for (int g = 0; g < 2; g++)
      named_row(&t, in[i].what, gpu_name[g], in[i].published[g],
                figure(p->gpu[g], in[i].key, in[i].unit), NULL);
  ik_published_close(&t);
}

static void tables_a2_to_a4(const paper *p) {
  static const input a2[] = {
      {"n_SM", "gpu.sms", "", {"16", "24"}},
      {"n_V", "gpu.vector_units", "", {"128", "128"}},
      {"M_SM, KB", "gpu.shared", "KiB", {"96", "96"}},
      {"R_SM", "gpu.registers", "", {"65536", "65536"}},
      {"banks", "gpu.banks", "", {"32", "32"}},
      {"threadblocks of an SM", "gpu.blocks", "", {"32", "32"}},
      {"M_SM of a threadblock, KB", "gpu.shared.block", "KiB", {"48", "48"}},
  };
  static const input a3[] = {
      {"L, s/GB", "time.l", "s/GB", {"7.36e-3", "5.42e-3"}},
      {"tau_sync, s", "time.sync", "s", {"7.96e-10", "6.74e-10"}},
      {"T_sync, s", "time.launch", "s", {"9.24e-7", "9.00e-7"}},
  };
  static const input a4[] = {
      {"Jacobi2D", "c_iter.jacobi2d", "s", {"3.39e-8", "3.83e-8"}},
      {"Heat2D", "c_iter.heat2d", "s", {"3.68e-8", "4.23e-8"}},
      {"Laplacian2D", "c_iter.laplacian2d", "s", {"3.11e-8", "3.81e-8"}},
      {"Gradient2D", "c_iter.gradient2d", "s", {"6.09e-8", "7.60e-8"}},
      {"Heat3D", "c_iter.heat3d", "s", {"1.55e-7", "1.64e-7"}},
      {"Laplacian3D", "c_iter.laplacian3d", "s", {"1.36e-7", "1.44e-7"}},
  };
  inputs(p, "Table A.2", "the GPUs; ours are the machines gtx980 and titanx", a2, LENGTH(a2));
  inputs(p, "Table A.3", "micro-benchmarks; ours as above", a3, LENGTH(a3));
  inputs(p, "Table A.4", "C_iter in s for each iteration and vector unit; ours as above", a4,
         LENGTH(a4));
}

static int sizes_2d(void) {
  int n = 0;
  for (int s = 4096; s <= 8192; s *= 2)
    for (int t = 1024; t <= 16384; t *= 2) n++;
  return n;
}

static int sizes_3d(void) {
  int n = 0;
  for (int s = 384; s <= 640; s += 128)
    for (int t = 128; t <= s && t <= 640; t += 128) n++;
  return n;
}

static void section_a5(const paper *p) {
  ik_published t = open_table(p, "Section A.5", "how many experiments");
  int          points = 85 * 10, two = 4 * sizes_2d() * 2, three = 2 * sizes_3d() * 2;
  ik_published_add(&t, "data points of an experiment", "850", points,
                   "85 tile shapes, 10 numbers of threads");
  ik_published_add(&t, "experiments in 2D", "80", two, "4 stencils, 10 sizes, 2 GPUs");
  ik_published_add(&t, "experiments in 3D", "48", three,
                   "2 stencils, 12 sizes with T <= S, 2 GPUs");
  ik_published_add(&t, "data points in all", "108800", points * (two + three),
                   "elsewhere \"more than 60 000 programs\": 68 000 in 2D");
  ik_published_close(&t);
}

static ik_hex_machine hex_machine(const ik_machine *m) {
  return (ik_hex_machine){
      .sms = (int)figure(m, "gpu.sms", ""),
      .vector_units = (int)figure(m, "gpu.vector_units", ""),
      .shared_words = (int64_t)(figure(m, "gpu.shared", "B") / 4),
      .block_words = (int64_t)(figure(m, "gpu.shared.block", "B") / 4),
      .max_blocks = (int)figure(m, "gpu.blocks", ""),
      .word_s = 4e-9 * figure(m, "time.l", "s/GB"),
      .sync_s = figure(m, "time.sync", "s"),
      .launch_s = figure(m, "time.launch", "s"),
  };
}

/* The experiment that the paper tells most about. */
static void section_a6(const paper *p) {
  ik_hex_machine m = hex_machine(p->gpu[0]);
  ik_hex_problem q = {.dims = 2, .s = {8192, 8192}, .steps = 8192};
  q.iter_s = figure(p->gpu[0], "c_iter.gradient2d", "s");
  ik_hex_reading exact = {0}, literal = {.pitch = IK_HEX_PITCH_A6, .link = IK_HEX_LINK_DEVICE};
  ik_hextile_set by_exact = {0}, by_literal = {0};
  bool           found = ik_hextile_search(&q, &m, &exact, 0.1, &by_exact) &&
               ik_hextile_search(&q, &m, &literal, 0.1, &by_literal) && by_exact.n > 0;
  if (!found) p->text->failed = true;

  ik_published t = open_table(p, "Section A.6", "Gradient2D, 8192 x 8192, 8192 steps, GTX 980");
  ik_published_add(&t, "fastest of the baseline, s", "19.8", NAN, "measured there");
  ik_published_add(&t, "tile chosen by the model, s", "16.5", found ? by_exact.near[0].time_s : NAN,
                   "predicted, iteration-conserving reading; published is measured");
  ik_published_add(&t, "ideal time, s", NULL, ik_hex_ideal(&q, &m), "all vector units always busy");
  ik_published_add(&t, "gain over the baseline, %", "17", 100 * (1 - 16.5 / 19.8),
                   "from the two published times");
  ik_published_add(&t, "tiles within 10 %, as printed", "<200", by_literal.n,
                   "pitch 2s+t: half the ideal time, which no machine reaches");
  ik_published_add(&t, "tiles within 10 %, conserving", "<200", by_exact.n,
                   "the pitch that conserves iterations makes more tiles equal");
  ik_published_close(&t);
  ik_hextile_set_free(&by_exact), ik_hextile_set_free(&by_literal);
}

/* ---- appendix B ---- */

enum { EXPERIMENTS = 180 };

static int pick(uint64_t *state, int n) {
  *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (int)((*state >> 33) % (uint64_t)n);
}

/* Experiments as the paper made them, at random; its own measurements are not published. */
static ik_energy_case experiment(int i, uint64_t *seed) {
  ik_energy_case e = {.kernel = (ik_energy_kernel)(i % 3)};
  bool           flat = e.kernel != IK_ENERGY_J2D;
  e.s1 = (flat ? 16384 : 2048) << pick(seed, 3);
  e.s2 = flat ? 0 : 4096;
  e.t = 1024 << pick(seed, 4);
  e.ts1 = 32 * (1 + pick(seed, 8));
  e.ts2 = flat ? 0 : 32 * (1 + pick(seed, 4));
  e.tt = 16 * (1 + pick(seed, 8));
  e.sub = flat ? 4 << pick(seed, 3) : 0;
  e.seconds = 0.25 + pick(seed, 1000) / 1000.0;
  return e;
}

static ik_status regress(ik_energy_fit *fit) {
  ik_energy_case   c[EXPERIMENTS];
  double           j[EXPERIMENTS];
  ik_energy_params a = ik_energy_model_a();
  uint64_t         seed = 3;
  for (int i = 0; i < EXPERIMENTS; i++) {
    c[i] = experiment(i, &seed);
    j[i] = ik_energy_of(&c[i], &a).total_j;
  }
  return ik_energy_regress(c, j, EXPERIMENTS, fit);
}

static void table_b2_fit(const paper *p) {
  static const char *const published[] = {"48", "2.2e-9", "2.23e-10", "5.3e-11", "3.7e-11"};
  ik_energy_fit            f;
  if (regress(&f)) p->text->failed = true;
  double       x[] = {f.params.static_w, f.params.global_j, f.params.shared_j, f.params.fadd_j,
                      f.params.fmul_j};
  ik_published t = open_table(p, "Table B.2, Model A",
                              "ours: the L1 regression, on 180 energies computed with Model A");
  for (int i = 0; i < LENGTH(published); i++)
    ik_published_add(&t, ik_energy_param_name(i), published[i], x[i], NULL);
  const char *both =
      f.group[5] > 0 && f.group[5] == f.group[6] ? "every iteration has five of each" : NULL;
  ik_published_add(&t, "e_iadd", "7.2e-11", NAN, "cannot be told from e_imax");
  ik_published_add(&t, "e_imax", "4.8e-11", NAN, "cannot be told from e_iadd");
  ik_published_add(&t, "e_iadd + e_imax", NULL, f.params.iadd_j + f.params.imax_j, both);
  ik_published_close(&t);
}

/* Of Model B, and of the errors of both, there are only the results. */
static void table_b2_rest(const paper *p) {
  static const struct {
    const char *what, *published, *remark;
  } e[] = {
      {"P_stat, Model B", "53", NULL},
      {"e_gs, Model B", "3.17e-9", NULL},
      {"e_sr, Model B", "1.84e-10", NULL},
      {"e_fadd, Model B", "5.02e-11", NULL},
      {"e_fmul, Model B", "3.51e-11", NULL},
      {"e_iadd, Model B", "0", "subtiles of one size: cannot be told from e_sr"},
      {"e_imax, Model B", "0", "the same"},
      {"RMSE of SW, Model A, %", "12.77", NULL},
      {"RMSE of J1D, Model A, %", "17.14", "16.35 in the running text"},
      {"RMSE of J2D, Model A, %", "8.30", NULL},
      {"RMSE of SW, Model B, %", "2.59", NULL},
      {"RMSE of J1D, Model B, %", "2.35", NULL},
      {"RMSE of J2D, Model B, %", "3.95", NULL},
  };
  ik_published t =
      open_table(p, "Table B.2, Model B and errors", "from measurements, which are not published");
  for (int i = 0; i < LENGTH(e); i++)
    ik_published_add(&t, e[i].what, e[i].published, NAN, e[i].remark);
  ik_published_close(&t);
}

/* What Model A and B say of three problems of the size that the paper has: no figure of it is
 * published, but the two models should not be far apart. */
static void models_a_and_b(const paper *p) {
  static const struct {
    const char    *what;
    ik_energy_case c;
  } e[] = {
      {"SW 16384 x 16384, tile 128 x 128, 0.5 s",
       {IK_ENERGY_SW, 16384, 0, 16384, 128, 0, 128, 8, 0.5}},
      {"J1D 1048576, 4096 steps, tile 256 x 64, 0.5 s",
       {IK_ENERGY_J1D, 1048576, 0, 4096, 256, 0, 64, 8, 0.5}},
      {"J2D 4096 x 4096, 1024 steps, tile 8 x 64 x 16, 1 s",
       {IK_ENERGY_J2D, 4096, 4096, 1024, 8, 64, 16, 0, 1}},
  };
  ik_energy_params a = ik_energy_model_a(), b = ik_energy_model_b();
  ik_published     t = open_table(p, "Appendix B, the models on examples", "J; none is published");
  for (int i = 0; i < LENGTH(e); i++) {
    named_row(&t, "A", e[i].what, NULL, ik_energy_of(&e[i].c, &a).total_j, NULL);
    named_row(&t, "B", e[i].what, NULL, ik_energy_of(&e[i].c, &b).total_j, NULL);
  }
  ik_published_close(&t);
}

static void table_b3(const paper *p) {
  static const struct {
    const char *what, *published;
  } e[] = {{"SW, wrong of 298", "2"},  {"SW, RMSE %", "0.05"},  {"SW, worst %", "0.75"},
           {"J1D, wrong of 265", "1"}, {"J1D, RMSE %", "0.02"}, {"J1D, worst %", "0.4"},
           {"J2D, wrong of 125", "0"}, {"J2D, RMSE %", "0.0"},  {"J2D, worst %", "0.0"}};
  ik_published t =
      open_table(p, "Table B.3", "tiles chosen by energy; measurements are not published");
  for (int i = 0; i < LENGTH(e); i++) ik_published_add(&t, e[i].what, e[i].published, NAN, NULL);
  ik_published_close(&t);
}

/* ---- appendix C ---- */

static const ik_area_design gtx980 = {16, 128, 2, 96, 48, 2048};
static const ik_area_design titan_x = {24, 128, 2, 96, 48, 3072};

static double area(ik_area_design d, ik_area_reading r) { return ik_area_of(&d, r).total; }

static ik_area_design cacheless(ik_area_design d) {
  d.l1_kb = d.l2_kb = 0;
  return d;
}

/* The growth of the area with one kB, unit or SM: what (C.7) lumps together.  `sm` has caches, of
 * no size to speak of. */
static void table_c7(const paper *p) {
  ik_area_design sm = {1, 0, 0, 0, 1e-300, 1e-300}, unit = {1, 1, 0, 0, 0, 0},
                 none = {1, 0, 0, 0, 0, 0};
  ik_area_design registers = {1, 1, 1, 0, 0, 0}, shared = {1, 0, 0, 1, 0, 0}, l1 = sm, l2 = sm;
  l1.l1_kb = 1, l2.l2_kb = 1;
  double       base = area(none, IK_AREA_PER_SM), all = area(sm, IK_AREA_PER_SM);
  const char  *cut = "printed coefficients are cut, not rounded";
  ik_published t = open_table(p, "Equation (C.7)", "from the coefficients of Table C.1, mm2");
  ik_published_add(&t, "vector unit", "0.0447", area(unit, IK_AREA_PER_SM) - base, cut);
  ik_published_add(&t, "kB of its registers", "0.0043",
                   area(registers, IK_AREA_PER_SM) - area(unit, IK_AREA_PER_SM), NULL);
  ik_published_add(&t, "kB of shared memory", "0.015", area(shared, IK_AREA_PER_SM) - base, cut);
  ik_published_add(&t, "kB of L1 of two SMs, for each", "0.08", area(l1, IK_AREA_PER_SM) - all,
                   NULL);
  ik_published_add(&t, "kB of L2", "0.041", area(l2, IK_AREA_PER_SM) - all, cut);
  ik_published_add(&t, "SM", "7.317", all,
                   "has alpha_L2 once for each SM, (C.6) once for the chip");
  ik_published_close(&t);
}

static void section_c2(const paper *p) {
  ik_area_parts a = ik_area_of(&gtx980, IK_AREA_PER_SM);
  ik_published  t = open_table(p, "Section C.2", "areas in mm2");
  const char   *lost = "no set of printed coefficients gives 589.2";
  ik_published_add(&t, "L2 of the GTX 980", "98.25", a.l2, "photograph: 105");
  ik_published_add(&t, "L1 of two SMs, 48 kB", "7.78", a.l1 / 8,
                   "photograph: 7.34; \"per SM\" in the text");
  ik_published_add(&t, "shared memory, 96 kB", "1.59", a.shared / 16, "photograph: 1.27");
  ik_published_add(&t, "overhead of the GTX 980", "102.65", a.overhead, NULL);
  ik_published_add(&t, "GTX 980", "398", a.total, NULL);
  ik_published_add(&t, "Titan X", "589.2", area(titan_x, IK_AREA_PER_SM), lost);
  ik_published_add(&t, "Titan X by (C.7)", "589.2", area(titan_x, IK_AREA_ROUNDED), lost);
  ik_published_add(&t, "Titan X by (C.6)", "589.2", area(titan_x, IK_AREA_LITERAL), lost);
  ik_published_add(&t, "Titan X, its die", "601", area(titan_x, IK_AREA_PER_SM), NULL);
  ik_published_add(&t, "GTX 980 without caches", "237", area(cacheless(gtx980), IK_AREA_PER_SM),
                   NULL);
  ik_published_add(&t, "Titan X without caches", "356", area(cacheless(titan_x), IK_AREA_PER_SM),
                   NULL);
  ik_published_close(&t);
}

static const struct best_design { /* Table C.2 = Table 8.1 */
  const char *what, *iter_key;
  int         sms, units;
  double      shared_kb;
  const char *area, *gflops;
} best_designs[] = {
    {"Jacobi2D", "c_iter.jacobi2d", 32, 128, 24, "438", "2059"},
    {"Heat2D", "c_iter.heat2d", 22, 256, 12, "447", "3017"},
    {"Gradient2D", "c_iter.gradient2d", 28, 160, 24, "431", "4963"},
    {"Laplacian2D", "c_iter.laplacian2d", 28, 160, 12, "426", "2549"},
    {"Heat3D", "c_iter.heat3d", 18, 288, 192, "447", "3600"},
    {"Laplacian3D", "c_iter.laplacian3d", 8, 896, 96, "446", "1427"},
};

static ik_area_parts area_of_best(const struct best_design *b) {
  ik_area_design d = {b->sms, b->units, 2, b->shared_kb, 0, 0};
  return ik_area_of(&d, IK_AREA_PER_SM);
}

static void table_c2_areas(const paper *p) {
  ik_published t =
      open_table(p, "Table C.2, areas", "mm2, no caches, 2 kB of registers for a unit");
  for (int i = 0; i < LENGTH(best_designs); i++) {
    const struct best_design *b = &best_designs[i];
    ik_area_parts             a = area_of_best(b);
    ik_buf                    share = {0};
    ik_buf_printf(&share, "vector units %.1f %%, with registers %.1f %%, shared memory %.1f %%",
                  100 * a.vector_units / a.total, 100 * (a.vector_units + a.registers) / a.total,
                  100 * a.shared / a.total);
    ik_published_add(&t, b->what, b->area, a.total, ik_buf_text(&share));
    p->text->failed |= share.failed;
    ik_buf_free(&share);
  }
  ik_published_close(&t);
}

/* The paper gives GFLOPs/s without the operations of an iteration; at the ideal rate of iterations
 * they follow. */
static void table_c2_speeds(const paper *p) {
  ik_published t = open_table(p, "Table C.2, GFLOPs/s", "ours would need operations per iteration");
  for (int i = 0; i < LENGTH(best_designs); i++) {
    const struct best_design *b = &best_designs[i];
    double                    rate = 1e-9 * b->sms * b->units / figure(p->gpu[0], b->iter_key, "s");
    ik_buf                    remark = {0};
    ik_buf_printf(&remark, "ideal rate %.2f G iterations/s: takes %.1f operations each", rate,
                  ik_strtod(b->gflops, NULL) / rate);
    ik_published_add(&t, b->what, b->gflops, NAN, ik_buf_text(&remark));
    p->text->failed |= remark.failed;
    ik_buf_free(&remark);
  }
  ik_published_close(&t);
}

/* ---- appendix D ---- */

static const double FAST_64 = 65536, FAST_96 = 98304; /* bytes taken for words */

/* Table D.1, in %, 1000 chains for each length: average, least, most with "64 KB", with "96 KB". */
static const struct chain_row {
  int         n;
  const char *published[2][3];
} chain_rows[] = {
    {2, {{"0.00", "0.00", "0.00"}, {"0.00", "0.00", "0.00"}}},
    {3, {{"6.58", "0.00", "46.93"}, {"10.30", "0.00", "50.11"}}},
    {4, {{"7.67", "0.00", "47.36"}, {"10.76", "0.00", "41.48"}}},
    {5, {{"8.31", "0.00", "33.65"}, {"12.16", "0.00", "36.00"}}},
    {6, {{"8.81", "0.00", "37.63"}, {"12.68", "1.32", "38.20"}}},
    {7, {{"8.97", "0.00", "33.47"}, {"12.68", "2.36", "32.71"}}},
    {8, {{"9.57", "0.35", "31.22"}, {"13.21", "3.20", "31.64"}}},
    {9, {{"9.49", "0.49", "28.76"}, {"13.45", "1.75", "32.30"}}},
    {10, {{"9.55", "0.63", "27.37"}, {"13.59", "3.10", "31.01"}}},
    {11, {{"9.86", "1.26", "25.78"}, {"13.73", "3.65", "30.75"}}},
    {12, {{"9.90", "1.03", "25.43"}, {"13.95", "4.04", "30.39"}}},
    {13, {{"9.87", "1.39", "24.20"}, {"13.78", "4.80", "31.61"}}},
    {14, {{"9.80", "1.74", "27.68"}, {"13.88", "4.30", "30.83"}}},
    {15, {{"10.14", "1.48", "26.45"}, {"14.09", "4.88", "29.95"}}},
    {16, {{"10.26", "1.65", "24.00"}, {"14.23", "4.77", "28.54"}}},
    {17, {{"10.15", "1.11", "24.45"}, {"14.17", "4.14", "32.21"}}},
    {18, {{"10.29", "1.72", "25.38"}, {"13.81", "4.93", "27.10"}}},
    {19, {{"10.20", "2.30", "24.21"}, {"14.32", "5.86", "30.94"}}},
    {20, {{"10.53", "2.43", "23.97"}, {"14.14", "5.65", "28.26"}}},
};

enum { CHAINS = 4000 };

/* Returns the average. */
static double survey_row(ik_published *t, const struct chain_row *row, int memory,
                         ik_product_reading r) {
  const char *const *published = row->published[memory];
  ik_chain_savings   s[2];
  ik_buf             what = {0}, remark = {0};
  if (ik_chain_survey(row->n, CHAINS, 1, memory ? FAST_96 : FAST_64, s)) t->text->failed = true;
  ik_buf_printf(&what, "%d matrices", row->n);
  ik_buf_printf(&remark, "from %s to %s published, from %.2f to %.2f ours", published[1],
                published[2], s[r].least, s[r].most);
  ik_published_add(t, ik_buf_text(&what), published[0], s[r].average, ik_buf_text(&remark));
  t->text->failed |= what.failed || remark.failed;
  ik_buf_free(&what), ik_buf_free(&remark);
  return s[r].average;
}

static void table_d1(const paper *p, int memory, ik_product_reading r) {
  static const char *const title[2][2] = {
      {"Table D.1, 64 KB, corrected", "Table D.1, 64 KB, as printed"},
      {"Table D.1, 96 KB, corrected", "Table D.1, 96 KB, as printed"}};
  double       mean = 0;
  ik_published t = open_table(p, title[memory][r],
                              "words saved in %, average; ours: 4000 chains, sizes 320..1024 in "
                              "eights, as the paper tells none; closed forms also where a patch is "
                              "longer than its product");
  t.calibrated = true; /* the sizes were chosen so that the averages come out */
  for (int i = 0; i < LENGTH(chain_rows); i++) {
    double average = survey_row(&t, &chain_rows[i], memory, r);
    if (chain_rows[i].n > 2) mean += average / (LENGTH(chain_rows) - 1);
  }
  ik_published_add(&t, "mean of 3..20", memory ? "13.27" : "9.44", mean,
                   r == IK_PRODUCT_CORRECTED ? "as printed, right fusions are counted too low"
                                             : NULL);
  ik_published_close(&t);
}

/* Tables D.2 and D.3 are formulas; "published" is their value, ours the least that (D.2), (D.4),
 * (D.7) and (D.11) can be. */
static void table_d2(const paper *p) {
  static const struct {
    const char     *what, *published, *remark;
    ik_product_keep keep;
  } row[] = {
      {"keep R", "1973088", "\"always the minimum\" (D.5): not here", IK_PRODUCT_KEEP_R},
      {"keep A1", "1905536.891", NULL, IK_PRODUCT_KEEP_A1},
      {"keep A2", "1761280.891", "tile is y = sqrt(M/2), z = sqrt(2M); printed x, y",
       IK_PRODUCT_KEEP_A2},
  };
  ik_product_size s = {936, 368, 544};
  ik_published    t = open_table(p, "Table D.2",
                                 "words, 936 x 368 x 544, M = 65536; published: the formula's value");
  for (int i = 0; i < LENGTH(row); i++)
    ik_published_add(&t, row[i].what, row[i].published,
                     ik_product_of(&s, FAST_64, row[i].keep, IK_PRODUCT_CLAMPED).words,
                     row[i].remark);
  for (int i = 0; i < LENGTH(row); i++)
    named_row(&t, row[i].what, "whole tiles", NULL,
              ik_product_of(&s, FAST_64, row[i].keep, IK_PRODUCT_WHOLE).words, NULL);
  ik_published_close(&t);
}

static void table_d3(const paper *p) {
  static const double left[] = {368, 1016, 616, 544}, right[] = {936, 1008, 552, 368};
  ik_product_fused    l = ik_product_fuse(left, FAST_64, IK_PRODUCT_LEFT, IK_PRODUCT_CORRECTED);
  ik_product_fused    r = ik_product_fuse(right, FAST_64, IK_PRODUCT_RIGHT, IK_PRODUCT_CORRECTED);
  ik_product_fused    b = ik_product_fuse(right, FAST_64, IK_PRODUCT_RIGHT, IK_PRODUCT_PRINTED);
  ik_published t = open_table(p, "Table D.3", "words, M = 65536; published: the formula's value");
  ik_published_add(&t, "left, 368 1016 616 544", "3008320.44", l.words, NULL);
  ik_published_add(&t, "right, 936 1008 552 368", "3410650.22", r.words,
                   "printed with b = P0/P1; P0/P2 minimises (D.11)");
  ik_published_add(&t, "(D.11) at the printed tile", NULL,
                   ik_product_fused_words(right, b.x, b.y, IK_PRODUCT_RIGHT),
                   "what the printed tile really moves");
  ik_published_close(&t);
}

/* Figure D.11, in the order printed: h and F alone, left, right; F. */
static void figure_d11(const paper *p, const ik_chain *c) {
  static const char *const name[] = {"h alone", "h left", "h right",
                                     "F alone", "F left", "F right"};
  static const char *const published[5][6] = {{"16", NULL, NULL, "16", NULL, NULL},
                                              {"18", NULL, NULL, "18", NULL, NULL},
                                              {"31", NULL, "31", "47", NULL, "31"},
                                              {"12", "28", NULL, "30", "28", NULL},
                                              {"20", "44", "40", "79", "88", "89"}};
  ik_published             t =
      open_table(p, "Figure D.11", "units of 1e5 words (the text says 1e4), formulas as printed");
  for (int k = 0; k < 5; k++)
    for (int w = 0; w < 6; w++) {
      const ik_chain_cost *cost = &c->node[k].cost[IK_PRODUCT_PRINTED];
      const char           product[] = {'T', (char)('1' + k), 0};
      if (published[k][w])
        named_row(&t, product, name[w], published[k][w], (w < 3 ? cost->h : cost->f)[w % 3] / 1e5,
                  NULL);
    }
  ik_published_close(&t);
}

static void section_d7(const paper *p, const ik_chain *c) {
  const ik_chain_cost *t3 = &c->node[2].cost[IK_PRODUCT_PRINTED];
  const ik_chain_cost *t4 = &c->node[3].cost[IK_PRODUCT_PRINTED];
  double               write = 936 * 544;
  ik_published         t =
      open_table(p, "Section D.7", "the chain 936 1008 552 368 1016 616 544, M = 65536");
  ik_published_add(&t, "multiply-adds", "1092977664", c->multiply_adds, NULL);
  ik_published_add(&t, "S, nothing fused", "10190344", c->separate, NULL);
  ik_published_add(&t, "F(1,6)", "7882874", c->fused[IK_PRODUCT_PRINTED] - write, NULL);
  ik_published_add(&t, "F(1,6) + P0 Pn", "8392058", c->fused[IK_PRODUCT_PRINTED], NULL);
  ik_published_add(&t, "saved, %", "17.6", 100 * c->saved[IK_PRODUCT_PRINTED], NULL);
  ik_published_add(&t, "F(1,6) + P0 Pn, corrected", "8392058", c->fused[IK_PRODUCT_CORRECTED],
                   "with b = P0/P2 no right fusion pays here");
  ik_published_add(&t, "saved, corrected, %", "17.6", 100 * c->saved[IK_PRODUCT_CORRECTED], NULL);
  ik_published_add(&t, "tile of T3, x", "312", t3->whole_x, NULL);
  ik_published_add(&t, "tile of T3, y", "210", t3->whole_y, NULL);
  ik_published_add(&t, "tile of T4, x", "220", t4->whole_x, NULL);
  ik_published_add(&t, "tile of T4, y", "296", t4->whole_y,
                   "exact 297.3: the nearest even, lowered until it fits");
  ik_published_close(&t);
}

static void example_chain(const paper *p) {
  static const int64_t size[] = {936, 1008, 552, 368, 1016, 616, 544};
  ik_chain             c;
  if (ik_chain_solve(size, 6, FAST_64, &c)) {
    p->text->failed = true;
  } else {
    figure_d11(p, &c);
    section_d7(p, &c);
  }
  ik_chain_free(&c);
}

/* ---- all ---- */

static void all_tables(const paper *p) {
  tables_a2_to_a4(p);
  section_a5(p), section_a6(p);
  table_b2_fit(p), table_b2_rest(p), models_a_and_b(p), table_b3(p);
  table_c7(p), section_c2(p), table_c2_areas(p), table_c2_speeds(p);
  for (int memory = 0; memory < 2; memory++) {
    table_d1(p, memory, IK_PRODUCT_PRINTED);
    table_d1(p, memory, IK_PRODUCT_CORRECTED);
  }

  table_d2(p), table_d3(p), example_chain(p);
}

static bool find_gpus(paper *p, ik_arena *a) {
  static const char *const file[2] = {"gtx980", "titanx"};
  ik_diag                  d = {0};
  bool                     found = true;
  for (int g = 0; g < 2; g++) {
    ik_machine *m = NULL;
    found = found && !ik_machine_find(file[g], a, &d, &m);
    p->gpu[g] = m;
  }
  ik_diag_free(&d);
  return found;
}

static void write_all(paper *p, ik_arena *a) {
  if (!find_gpus(p, a)) { /* they are part of the library: out of memory */
    p->text->failed = true;
    return;
  }
  ik_buf_puts(p->text, "Analytical Cost Metrics: Days of Future Past (paper 003)\n");
  ik_json_open(p->json, "paper003", '[');
  all_tables(p);
  ik_json_close(p->json, ']');
}

void ik_paper003_write(ik_published_book *b) {
  paper    p = {.book = b, .text = b->text, .json = b->json};
  ik_arena a;
  ik_arena_init(&a);
  if (setjmp(a.oom) == 0)
    write_all(&p, &a);
  else
    b->text->failed = true;
  ik_arena_free(&a);
}
