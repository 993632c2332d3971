#include "targets/simulated/nero/published.h"
#include "targets/simulated/nero/refuse.h"
#include <string.h>

/* ---- the two kernels ---- */

static const ik_nero_shape shapes[] = {
    {.bits = 32,
     .in = 1,
     .out = 1,
     .phases = 1,
     .nwide = 1,
     .wide = {{{2, 2, 0}, {2, 2, 0}}},
     .mul = 1,
     .other = 10,
     .unit_bits = 32},
    {.bits = 32,
     .in = 5,
     .out = 1,
     .phases = 2,
     .swept = {false, false, true},
     .sweeps = true,
     .nwide = 2,
     .wide = {{{0, 0, 0}, {0, 0, 0}}, {{0, 0, -1}, {1, 0, 0}}},
     .hold = 3,
     .mul = 21,
     .div = 3,
     .other = 35,
     .unit_bits = 32,
     .control = 27},
};

static const int64_t extent[IK_MAX_DIM] = {256, 256, 64}; /* Section 4.2 */

ik_nero_work ik_nero_known_work(ik_nero_known k, int bits, ik_arena *a) {
  ik_nero_work w = {.n = 1, .shape = IK_NEW(a, ik_nero_shape), .cells = 256. * 256 * 64};
  w.extent = ik_arena_alloc(a, sizeof *w.extent);
  w.whole = ik_arena_alloc(a, sizeof *w.whole);
  w.shape[0] = shapes[k];
  w.shape[0].bits = w.shape[0].unit_bits = bits;
  memcpy(w.extent[0], extent, sizeof extent);
  memcpy(w.whole[0], shapes[k].swept, sizeof w.whole[0]);
  return w;
}

const int64_t *ik_nero_known_window(ik_nero_known k, int bits) {
  static const int64_t windows[2][2][IK_MAX_DIM] = {{{16, 64, 8}, {64, 8, 64}},
                                                    {{64, 2, 64}, {32, 16, 64}}}; /* Section 4.2 */
  return windows[k][bits == 16];
}

/* ---- what is compared ---- */

typedef struct paper {
  ik_arena         *arena;
  ik_diag          *d;
  const ik_machine *host;
  ik_nero_board     hbm, ddr4;
  ik_published_row *row;
  int               n, cap;
  ik_status         status;
} paper;

static const char *const kernels[] = {"hdiff", "vadvc"};

static double figure(paper *p, const ik_machine *m, const char *key, const char *unit) {
  double v = 0;
  if (!ik_machine_number(m, key, unit, &v) && !p->status)
    p->status = ik_fail(p->d, IK_ERR_RESOURCE, IK_E082, IK_NOSPAN,
                        "machine '%s' has no figure '%s'", m->name, key);
  return v;
}

/* "rate.hdiff.f32" and the like, of a machine. */
static double figure_of(paper *p, const ik_machine *m, const char *what, ik_nero_known k,
                        const char *rest, const char *unit) {
  return figure(p, m, ik_arena_printf(p->arena, "%s.%s%s", what, kernels[k], rest), unit);
}

static void add(paper *p, ik_published_row r) { IK_PUSH(p->arena, p->row, p->n, p->cap, r); }

static ik_nero_design design_of(paper *p, const ik_nero_board *b, const ik_nero_work *w,
                                const int64_t *window, int elements) {
  ik_nero_design x;
  ik_nero_design_of(w, b, window, &x);
  if (!ik_nero_design_simulate(w, b, elements, &x)) p->status = ik_nero_no_memory(p->d);
  return x;
}

/* GFLOP/s of so many elements, with the operations of a point that the paper must have counted. */
static double rate_of(paper *p, const ik_nero_board *b, ik_nero_known k, int bits, int elements) {
  ik_nero_work   w = ik_nero_known_work(k, bits, p->arena);
  ik_nero_design x = design_of(p, b, &w, ik_nero_known_window(k, bits), elements);
  double         flops = figure_of(p, p->hbm.machine, "flops", k, "", "");
  return flops * elements * ik_nero_design_rate(&w, b, &x) / 1e9;
}

static int elements_of(paper *p, const ik_nero_board *b, ik_nero_known k) {
  return (int)figure_of(p, b->machine, "pe", k, "", "");
}

/* ---- rates ---- */

static void add_single(paper *p, ik_nero_known k, int bits) {
  const int64_t *w = ik_nero_known_window(k, bits);
  const char    *rest = bits == 16 ? ".f16.one" : ".f32.one";
  add(p, (ik_published_row){
             .table = "Section 4.2, one element with HBM",
             .row = ik_arena_printf(p->arena, "%s, fp%d, %dx%dx%d", kernels[k], bits, (int)w[0],
                                    (int)w[1], (int)w[2]),
             .unit = "GFLOP/s",
             .published = figure_of(p, p->hbm.machine, "rate", k, rest, "GFLOP/s"),
             .simulated = rate_of(p, &p->hbm, k, bits, 1),
             .bar = 0.02,
             .note = "the clock and one constant of the kernel are calibrated on its two rates",
             .kind = IK_CALIBRATED});
}

/* Ports share nothing, so the rate is that of one times the elements. */
static const char *note_of_board(paper *p, ik_nero_known k, int bits, int n) {
  ik_nero_work   w = ik_nero_known_work(k, bits, p->arena);
  ik_nero_design x;
  ik_nero_design_of(&w, &p->hbm, ik_nero_known_window(k, bits), &x);
  if (x.elements < n)
    return ik_arena_printf(
        p->arena, "the paper's %d elements; the model of resources has room for %d", n, x.elements);
  return bits == 16 ? "linear in elements, which share nothing; printed as 1.2 TFLOP/s, two digits"
                    : "linear in elements, which share nothing";
}

static void add_hbm(paper *p, ik_nero_known k, int bits) {
  int n = elements_of(p, &p->hbm, k);
  add(p, (ik_published_row){
             .table = "Section 4.2, board with HBM",
             .row = ik_arena_printf(p->arena, "%s, fp%d, %d elements", kernels[k], bits, n),
             .unit = "GFLOP/s",
             .published =
                 figure_of(p, p->hbm.machine, "rate", k, bits == 16 ? ".f16" : ".f32", "GFLOP/s"),
             .simulated = rate_of(p, &p->hbm, k, bits, n),
             .bar = bits == 16 ? 0.07 : 0.02,
             .note = note_of_board(p, k, bits, n),
             .kind = IK_PREDICTED});
}

static void add_ddr4(paper *p, ik_nero_known k) {
  int n = elements_of(p, &p->ddr4, k);
  add(p,
      (ik_published_row){.table = "Section 4.2, board with DDR4",
                         .row = ik_arena_printf(p->arena, "%s, fp32, %d elements", kernels[k], n),
                         .unit = "GFLOP/s",
                         .published = figure_of(p, p->ddr4.machine, "rate", k, ".f32", "GFLOP/s"),
                         .simulated = rate_of(p, &p->ddr4, k, 32, n),
                         .bar = 0.02,
                         .note = k == IK_NERO_VADVC
                                     ? "the channel is calibrated on this; it reads more than one "
                                       "interface of 18 GB/s can give"
                                     : NULL,
                         .kind = k == IK_NERO_VADVC ? IK_CALIBRATED : IK_PREDICTED});
}

static void add_speed_up(paper *p, const ik_nero_board *b, ik_nero_known k, const char *printed) {
  double host = figure_of(p, p->host, "rate", k, "", "GFLOP/s");
  bool   hbm = b == &p->hbm;
  add(p, (ik_published_row){
             .table = "Section 4.2, times POWER9",
             .row = ik_arena_printf(p->arena, "%s, fp32, %s", kernels[k], hbm ? "HBM" : "DDR4"),
             .unit = "x",
             .published = figure_of(p, b->machine, "rate", k, ".f32", "GFLOP/s") / host,
             .simulated = rate_of(p, b, k, 32, elements_of(p, b, k)) / host,
             .bar = 0.02,
             .note = printed,
             .kind = !hbm && k == IK_NERO_VADVC ? IK_CALIBRATED : IK_PREDICTED});
}

static void add_rates(paper *p) {
  for (int k = 0; k < 2; k++)
    for (int bits = 32; bits >= 16; bits /= 2) add_single(p, k, bits), add_hbm(p, k, bits);
  for (int k = 0; k < 2; k++) add_ddr4(p, k);
  add_speed_up(p, &p->hbm, IK_NERO_HDIFF, "printed as 8.3x");
  add_speed_up(p, &p->hbm, IK_NERO_VADVC, "printed as 4.2x");
  add_speed_up(p, &p->ddr4, IK_NERO_HDIFF, "printed as 2.5x");
  add_speed_up(p, &p->ddr4, IK_NERO_VADVC, "printed as 1.2x");
}

/* ---- energy ---- */

static void add_energy(paper *p, ik_nero_known k, double times, const char *note) {
  int    n = elements_of(p, &p->hbm, k);
  double power = n * (k == IK_NERO_VADVC ? p->hbm.sweep_power : p->hbm.power);
  double host =
      figure_of(p, p->host, "rate", k, "", "GFLOP/s") / figure_of(p, p->host, "power", k, "", "W");
  double here = rate_of(p, &p->hbm, k, 32, n) / power;
  add(p, (ik_published_row){.table = "Section 4.3, energy",
                            .row = ik_arena_printf(p->arena, "%s, efficiency", kernels[k]),
                            .unit = "GFLOP/s/W",
                            .published =
                                figure_of(p, p->hbm.machine, "efficiency", k, "", "GFLOP/s/W"),
                            .simulated = here,
                            .bar = 0.02,
                            .note = "the power of an element follows from this figure",
                            .kind = IK_CALIBRATED});
  add(p,
      (ik_published_row){.table = "Section 4.3, energy",
                         .row = ik_arena_printf(p->arena, "%s, times less than POWER9", kernels[k]),
                         .unit = "x",
                         .published = times,
                         .simulated = here / host,
                         .bar = note ? 0 : 0.02,
                         .note = note,
                         .kind = IK_CALIBRATED});
}

static void add_energies(paper *p) {
  add_energy(p, IK_NERO_HDIFF, 29, NULL);
  add_energy(p, IK_NERO_VADVC, 22,
             "the paper contradicts itself: 1.5 GFLOP/s/W is 5.1 times POWER9's 0.293; 22 times "
             "would be 6.5 GFLOP/s/W, that is 18.7 W for the board");
}

/* ---- resources ---- */

static void add_resources(paper *p, ik_nero_known k) {
  static const double published[2][IK_NERO_RESOURCES] = {{58, 8, 4, 11, 6}, {81, 53, 39, 55, 37}};
  ik_nero_work        w = ik_nero_known_work(k, 32, p->arena);
  ik_nero_design      x;
  int                 n = elements_of(p, &p->hbm, k);
  ik_nero_design_of(&w, &p->hbm, ik_nero_known_window(k, 32), &x);
  for (int r = 0; r < IK_NERO_RESOURCES; r++)
    add(p, (ik_published_row){
               .table = "Table 2, share of the FPGA",
               .row = ik_arena_printf(p->arena, "%s, %s", kernels[k], ik_nero_resource_name(r)),
               .unit = "%",
               .published = published[k][r],
               .simulated = 100 * ik_nero_used(&x.area, &p->hbm, n, r),
               .bar = 0.51 / published[k][r], /* whole percents are printed */
               .note = "calibrated on both kernels",
               .kind = IK_CALIBRATED});
  add(p, (ik_published_row){.table = "Section 4.2, elements that fit",
                            .row = ik_arena_printf(p->arena, "%s, HBM", kernels[k]),
                            .unit = "",
                            .published = n,
                            .simulated = x.elements,
                            .bar = 1e-6,
                            .note = k == IK_NERO_VADVC ? "the share of the block RAM that can be "
                                                         "used is calibrated on this"
                                                       : NULL,
                            .kind = k == IK_NERO_VADVC ? IK_CALIBRATED : IK_PREDICTED});
}

/* ---- windows ---- */

static bool is_same_front(const ik_nero_windows *x, const ik_nero_windows *y) {
  bool same = x->nfront == y->nfront;
  for (int i = 0; same && i < x->nfront; i++)
    same = memcmp(x->design[x->front[i]].size, y->design[y->front[i]].size,
                  sizeof x->design->size) == 0;
  return same;
}

/* All windows, and then with a tenth of the simulations. */
static const char *search_both(paper *p, const ik_nero_work *w, ik_nero_windows *all) {
  ik_nero_windows few;
  if (!ik_nero_search(w, &p->hbm, -1, p->arena, all) ||
      !ik_nero_search(w, &p->hbm, all->n / 10, p->arena, &few)) {
    p->status = ik_nero_no_memory(p->d);
    return NULL;
  }
  return ik_arena_printf(
      p->arena, "front of %d among %d windows; the search with a budget finds %s %d", all->nfront,
      all->n, is_same_front(all, &few) ? "the same front, simulating" : "another, with",
      few.evaluations);
}

static void add_window(paper *p, ik_nero_known k, int bits) {
  ik_nero_work    w = ik_nero_known_work(k, bits, p->arena);
  ik_nero_windows front;
  const int64_t  *s = ik_nero_known_window(k, bits);
  ik_nero_design  x = design_of(p, &p->hbm, &w, s, 1);
  const char     *note = search_both(p, &w, &front);
  if (!note) return;
  add(p, (ik_published_row){.table = "Section 4.2, Pareto-optimal windows",
                            .row = ik_arena_printf(p->arena, "%s, fp%d, %dx%dx%d", kernels[k], bits,
                                                   (int)s[0], (int)s[1], (int)s[2]),
                            .unit = "of the front's rate",
                            .published = 1,
                            .simulated = 1 / (1 + ik_nero_behind(&front, &x)),
                            .bar = 0.03,
                            .note = note,
                            .kind = IK_PREDICTED});
}

/* ---- all of it ---- */

static ik_status open_paper(paper *p, ik_arena *a, ik_diag *d) {
  ik_machine *hbm, *ddr4, *host;
  *p = (paper){.arena = a, .d = d};
  IK_TRY(ik_machine_find("nero-hbm", a, d, &hbm));
  IK_TRY(ik_machine_find("nero-ddr4", a, d, &ddr4));
  IK_TRY(ik_machine_find("power9-ac922", a, d, &host));
  p->host = host;
  IK_TRY(ik_nero_board_of(hbm, d, &p->hbm));
  return ik_nero_board_of(ddr4, d, &p->ddr4);
}

ik_status ik_nero_published(ik_arena *a, ik_diag *d, ik_published_row **out, int *n) {
  paper p;
  IK_TRY(open_paper(&p, a, d));
  add_rates(&p);
  add_energies(&p);
  for (int k = 0; k < 2; k++) add_resources(&p, k);
  for (int k = 0; k < 2; k++) add_window(&p, k, 32), add_window(&p, k, 16);
  *out = p.row, *n = p.n;
  return p.status;
}

ik_status ik_nero_validate(const ik_nero_board *b, ik_arena *a, ik_diag *d, ik_buf *out) {
  paper p;
  IK_TRY(open_paper(&p, a, d));
  for (int k = 0; k < 2; k++) {
    if (b->channel > 0)
      add_ddr4(&p, k);
    else
      add_single(&p, k, 32), add_hbm(&p, k, 32), add_single(&p, k, 16), add_hbm(&p, k, 16);
  }
  for (int i = 0; i < p.n; i++)
    ik_buf_printf(out, "%s: %.4g %s simulated, %.4g published (%+.1f %%)\n", p.row[i].row,
                  p.row[i].simulated, p.row[i].unit, p.row[i].published,
                  100 * (p.row[i].simulated / p.row[i].published - 1));
  return p.status;
}
